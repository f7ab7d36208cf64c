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

/// Those that begin and end at edges of the canvas and of overlays; the largest one does.
std::vector<QRectF> freeRoomsIn(const QRectF& canvas, const std::vector<QRectF>& overlays)
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
  std::vector<QRectF> rooms;
  for (const double left : lefts)
    for (const double right : rights)
      for (const double top : tops)
        for (const double bottom : bottoms) {
          const QRectF room(left, top, right - left, bottom - top);
          if (room.isValid() && canvas.contains(room) &&
              std::ranges::none_of(overlays, [&](const QRectF& overlay) { return overlay.intersects(room); }))
            rooms.push_back(room);
        }
  return rooms;
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

/// Its scale; of a room whose middle is half way to an end of the canvas a tenth less.
double worthOf(const Room& room, const QRectF& canvas)
{
  constexpr double kLostAtEnds = 0.2;
  const QPointF off = room.place.center() - canvas.center();
  const double way = 2 * std::max(std::abs(off.x()) / canvas.width(), std::abs(off.y()) / canvas.height());
  return room.scale * (1 - kLostAtEnds * way);
}

} // namespace

QRectF freeRoom(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content)
{
  const std::vector<QRectF> rooms = freeRoomsIn(QRectF(QPointF(0, 0), canvas), overlays);
  const auto largest = std::ranges::max_element(rooms, {}, [&](const QRectF& room) { return scaleIn(room, content); });
  return largest == rooms.end() ? QRectF() : *largest;
}

/// The best room beside each selection of the overlays, which few are.
std::vector<Room> roomsFor(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content,
                           double margin)
{
  const QRectF inside = QRectF(QPointF(0, 0), canvas).adjusted(margin, margin, -margin, -margin);
  const auto worth = [&](const Room& room) { return worthOf(room, inside); };
  std::vector<Room> rooms;
  const std::size_t selections = std::size_t{1} << overlays.size();
  for (std::size_t selected = 0; selected < selections; ++selected) {
    std::vector<QRectF> beside;
    for (std::size_t k = 0; k < overlays.size(); ++k)
      if ((selected >> k & 1) != 0)
        beside.push_back(overlays[k].adjusted(-margin, -margin, margin, margin));
    std::vector<Room> those;
    for (const QRectF& place : freeRoomsIn(inside, beside)) {
      const QRectF whole = grown(place, inside, beside);
      those.push_back({whole, scaleIn(whole, content), selected + 1 == selections});
    }
    if (const auto best = std::ranges::max_element(those, {}, worth); best != those.end())
      rooms.push_back(*best);
  }
  if (rooms.empty() || !rooms.back().isFree)
    return {};
  std::ranges::stable_sort(rooms, std::ranges::greater(), [&](const Room& room) {
    return std::pair(worth(room), !room.isFree); // a free one is the last of its worth
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
