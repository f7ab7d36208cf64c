#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QWidget>

namespace hinesight::widgets {

/// What a drag draws to select.
enum class AreaShape
{
  Box,
  Loop ///< by hand
};

/// What a drag went around, pixels of the canvas.
struct DrawnArea
{
  QPolygonF outline;
  bool isLoop = false; ///< drawn by hand; else a box

  QRectF box() const { return outline.boundingRect(); } ///< around a loop
};

/// The box or the loop that a drag draws over a canvas.
class SelectionOutline : public QWidget
{
public:
  explicit SelectionOutline(QWidget* canvas);

  void begin(const QPointF& at, bool isLoop);
  /// Shows it up to here.
  void extend(const QPointF& to);
  /// Hides it.
  DrawnArea end();

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  DrawnArea area;
};

} // namespace hinesight::widgets
