#pragma once

#include "widgets/legend.hpp"

#include <QWidget>

namespace hinesight::widgets {

/// What the colours of a view mean, painted over its canvas. Takes no mouse events; hides itself when it has nothing to
/// say.
class LegendOverlay : public QWidget
{
  Q_OBJECT

public:
  explicit LegendOverlay(QWidget* parent = nullptr);

  void setLegend(const Legend& legend);
  const Legend& legend() const { return shown; }
  QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void paintSwatches(QPainter& painter, int top);
  void paintColorBar(QPainter& painter, int top);

  Legend shown;
};

} // namespace hinesight::widgets
