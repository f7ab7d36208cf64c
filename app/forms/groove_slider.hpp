#pragma once

#include "widgets/value_drag.hpp"

#include <QSlider>

namespace hinesight::app {

/// A horizontal slider: a click on the groove goes there at once, and can be dragged on from there.
/// All of its values from a press until the release are those of one drag.
class GrooveSlider : public QSlider
{
public:
  explicit GrooveSlider(QWidget* parent = nullptr) : QSlider(Qt::Horizontal, parent) {}

protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

private:
  widgets::ValueDrag drag;
};

} // namespace hinesight::app
