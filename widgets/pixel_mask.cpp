#include "widgets/pixel_mask.hpp"

#include "widgets/line_clip.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

PixelMask::PixelMask(const QPolygonF& loop)
{
  const QRect around = loop.boundingRect().toAlignedRect();
  corner = around.topLeft();
  inside = QImage(around.size().expandedTo({1, 1}), QImage::Format_Grayscale8);
  inside.fill(0);
  QPainter painter(&inside);
  painter.translate(-corner);
  painter.setPen(Qt::white);
  painter.setBrush(Qt::white);
  painter.drawPolygon(loop, Qt::WindingFill);
}

bool PixelMask::contains(const QPointF& pixel) const
{
  const auto x = static_cast<int>(std::floor(pixel.x())) - corner.x();
  const auto y = static_cast<int>(std::floor(pixel.y())) - corner.y();
  return inside.valid(x, y) && inside.constScanLine(y)[x] != 0;
}

bool PixelMask::crosses(const QPointF& from, const QPointF& to) const
{
  // Only as far as it lies beside the mask: what is near to the eye may be very long.
  const auto part = clipLine(QRectF(corner, inside.size()), from, to);
  if (!part)
    return false;
  const auto [begin, end] = *part;
  const QPointF step = to - from;
  const double pixels = std::ceil((end - begin) * std::max(std::abs(step.x()), std::abs(step.y())));
  for (double k = 0; k <= pixels; ++k)
    if (contains(from + (begin + (end - begin) * (pixels > 0 ? k / pixels : 0)) * step))
      return true;
  return false;
}

bool PixelMask::touches(const QRectF& rectangle) const
{
  const QRect whole(corner, inside.size());
  const QRect part = rectangle.normalized().toAlignedRect() & whole;
  for (int y = part.top(); y <= part.bottom(); ++y) {
    const uchar* const row = inside.constScanLine(y - corner.y()) - corner.x();
    if (std::any_of(row + part.left(), row + part.right() + 1, [](uchar value) { return value != 0; }))
      return true;
  }
  return false;
}

} // namespace hinesight::widgets
