#pragma once

#include <QPointF>
#include <QRectF>
#include <QWidget>

namespace hinesight::widgets {

/// The box that a drag draws over a canvas.
class SelectionBox : public QWidget
{
public:
  explicit SelectionBox(QWidget* canvas);

  /// Shows it between two corners.
  void span(const QPointF& from, const QPointF& to);

protected:
  void paintEvent(QPaintEvent* event) override;
};

} // namespace hinesight::widgets
