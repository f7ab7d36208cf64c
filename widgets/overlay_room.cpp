#include "widgets/overlay_room.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hinesight::widgets {

/// The largest one begins and ends at edges of the canvas and of overlays.
QRectF freeRoom(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content)
{
  std::vector<double> lefts{0};
  std::vector<double> rights{canvas.width()};
  std::vector<double> tops{0};
  std::vector<double> bottoms{canvas.height()};
  for (const QRectF& overlay : overlays) {
    lefts.push_back(overlay.right());
    rights.push_back(overlay.left());
    tops.push_back(overlay.bottom());
    bottoms.push_back(overlay.top());
  }
  QRectF best;
  double bestScale = 0;
  for (const double left : lefts)
    for (const double right : rights)
      for (const double top : tops)
        for (const double bottom : bottoms) {
          const QRectF room(left, top, right - left, bottom - top);
          const double scale = std::min(room.width() / content.width(), room.height() / content.height());
          const bool isFree =
              std::ranges::none_of(overlays, [&](const QRectF& overlay) { return overlay.intersects(room); });
          if (room.isValid() && scale > bestScale && isFree) {
            best = room;
            bestScale = scale;
          }
        }
  return best;
}

QPointF middleIn(const QRectF& room, const QSizeF& content, const QSizeF& canvas)
{
  const auto nearest = [](double wanted, double low, double high, double extent) {
    return extent > high - low ? (low + high) / 2 : std::clamp(wanted, low + extent / 2, high - extent / 2);
  };
  return {nearest(canvas.width() / 2, room.left(), room.right(), content.width()),
          nearest(canvas.height() / 2, room.top(), room.bottom(), content.height())};
}

CoveredParts::CoveredParts(const QSizeF& canvas) : size(canvas), parts(kParts * kParts, false) {}

void CoveredParts::add(const QPointF& pixel)
{
  const double column = std::floor(kParts * pixel.x() / size.width());
  const double row = std::floor(kParts * pixel.y() / size.height());
  if (column >= 0 && column < kParts && row >= 0 && row < kParts) // which a pixel far outside is not, nor a NaN
    parts[static_cast<std::size_t>(row) * kParts + static_cast<std::size_t>(column)] = true;
}

bool CoveredParts::isUnder(const QRectF& overlay) const
{
  for (int row = 0; row < kParts; ++row)
    for (int column = 0; column < kParts; ++column) {
      const QRectF part(column * size.width() / kParts, row * size.height() / kParts, size.width() / kParts,
                        size.height() / kParts);
      if (parts[static_cast<std::size_t>(row * kParts + column)] && part.intersects(overlay))
        return true;
    }
  return false;
}

} // namespace hinesight::widgets
