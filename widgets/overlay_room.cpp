#include "widgets/overlay_room.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

namespace hinesight::widgets {

namespace {

double scaleIn(const QRectF& room, const QSizeF& content)
{
  return std::min(room.width() / content.width(), room.height() / content.height());
}

/// The largest one begins and ends at edges of the canvas and of overlays.
QRectF freeRoomIn(const QRectF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content)
{
  std::vector<double> lefts{canvas.left()};
  std::vector<double> rights{canvas.right()};
  std::vector<double> tops{canvas.top()};
  std::vector<double> bottoms{canvas.bottom()};
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
          const double scale = scaleIn(room, content);
          const bool isFree =
              std::ranges::none_of(overlays, [&](const QRectF& overlay) { return overlay.intersects(room); });
          if (room.isValid() && canvas.contains(room) && scale > bestScale && isFree) {
            best = room;
            bestScale = scale;
          }
        }
  return best;
}

/// As far down and up, then as far to the right and to the left, as the overlays let it.
QRectF grown(QRectF room, const QRectF& canvas, const std::vector<QRectF>& overlays)
{
  const auto grow = [&](auto setEnd, double farthest, auto endOf, auto nearer) {
    QRectF longer = room;
    setEnd(longer, farthest);
    double end = farthest;
    for (const QRectF& overlay : overlays)
      if (overlay.intersects(longer))
        end = nearer(end, endOf(overlay));
    setEnd(room, end);
  };
  const auto least = [](double a, double b) { return std::min(a, b); };
  const auto most = [](double a, double b) { return std::max(a, b); };
  grow([](QRectF& r, double end) { r.setBottom(end); }, canvas.bottom(), [](const QRectF& o) { return o.top(); },
       least);
  grow([](QRectF& r, double end) { r.setTop(end); }, canvas.top(), [](const QRectF& o) { return o.bottom(); }, most);
  grow([](QRectF& r, double end) { r.setRight(end); }, canvas.right(), [](const QRectF& o) { return o.left(); }, least);
  grow([](QRectF& r, double end) { r.setLeft(end); }, canvas.left(), [](const QRectF& o) { return o.right(); }, most);
  return room;
}

} // namespace

QRectF freeRoom(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content)
{
  return freeRoomIn(QRectF(QPointF(0, 0), canvas), overlays, content);
}

/// The largest room beside each selection of the overlays, which few are.
std::vector<Room> roomsFor(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content,
                           double margin)
{
  const QRectF inside = QRectF(QPointF(0, 0), canvas).adjusted(margin, margin, -margin, -margin);
  std::vector<Room> rooms;
  const std::size_t selections = std::size_t{1} << overlays.size();
  for (std::size_t selected = 0; selected < selections; ++selected) {
    std::vector<QRectF> beside;
    for (std::size_t k = 0; k < overlays.size(); ++k)
      if ((selected >> k & 1) != 0)
        beside.push_back(overlays[k].adjusted(-margin, -margin, margin, margin));
    const QRectF place = freeRoomIn(inside, beside, content);
    if (place.isValid())
      rooms.push_back({grown(place, inside, beside), scaleIn(place, content), selected + 1 == selections});
  }
  if (rooms.empty() || !rooms.back().isFree)
    return {};
  std::ranges::stable_sort(rooms, std::ranges::greater(), [](const Room& room) {
    return std::pair(room.scale, !room.isFree); // a free one is the last of its scale
  });
  rooms.erase(std::next(std::ranges::find_if(rooms, &Room::isFree)), rooms.end());
  return rooms;
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
    mark(static_cast<int>(row), static_cast<int>(column));
}

void CoveredParts::add(const QRectF& area)
{
  const QRectF seen = area & QRectF(QPointF(0, 0), size);
  if (seen.isEmpty())
    return;
  const auto place = [](double at, double extent) {
    return std::min(static_cast<int>(kParts * at / extent), kParts - 1);
  };
  for (int row = place(seen.top(), size.height()); row <= place(seen.bottom(), size.height()); ++row)
    for (int column = place(seen.left(), size.width()); column <= place(seen.right(), size.width()); ++column)
      mark(row, column);
}

void CoveredParts::mark(int row, int column)
{
  parts[static_cast<std::size_t>(row * kParts + column)] = true;
}

QRectF CoveredParts::part(int row, int column) const
{
  return {column * size.width() / kParts, row * size.height() / kParts, size.width() / kParts, size.height() / kParts};
}

bool CoveredParts::isUnder(const QRectF& overlay) const
{
  return std::ranges::any_of(covered(), [&](const QRectF& each) { return each.intersects(overlay); });
}

std::vector<QRectF> CoveredParts::covered() const
{
  std::vector<QRectF> places;
  for (int row = 0; row < kParts; ++row)
    for (int column = 0; column < kParts; ++column)
      if (parts[static_cast<std::size_t>(row * kParts + column)])
        places.push_back(part(row, column));
  return places;
}

} // namespace hinesight::widgets
