#pragma once

#include <QSlider>

namespace hinesight::app {

/// A horizontal slider: a click on the groove goes there at once, and can be dragged on from there.
class GrooveSlider : public QSlider
{
public:
  explicit GrooveSlider(QWidget* parent = nullptr) : QSlider(Qt::Horizontal, parent) {}

protected:
  void mousePressEvent(QMouseEvent* event) override;
};

} // namespace hinesight::app
