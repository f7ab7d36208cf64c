#pragma once

#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

namespace hinesight::widgets {

/// Which pixels lie in a loop: asked of very many things, each answer takes as long as the thing has pixels, however
/// the loop is drawn. Parts of the loop that another part goes around are in it, too.
class PixelMask
{
public:
  explicit PixelMask(const QPolygonF& loop);

  bool contains(const QPointF& pixel) const;
  /// Whether a line lies in the loop somewhere.
  bool crosses(const QPointF& from, const QPointF& to) const;
  /// The same of a rectangle.
  bool touches(const QRectF& rectangle) const;

private:
  QPoint corner;
  QImage inside; ///< 8 bits a pixel, from the corner on
};

} // namespace hinesight::widgets
