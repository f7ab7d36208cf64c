#include "widgets/orbit/room_fit.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kRoomMargin = 10;       // pixels around what stands beside overlays
constexpr double kLeastScaling = 0.4; // else overlays cover some of it
constexpr int kFitAttempts = 4;       // that make room for names

QRectF placeOfBall(const OrbitCamera& camera, const Extent& extent, std::size_t ball)
{
  const float* at = &extent.points[3 * ball];
  const ScreenPoint point = camera.project({at[0], at[1], at[2]});
  const double around = std::max(1.0, extent.radii[ball] / camera.pixelSize(point.depth));
  return {point.x - around, point.y - around, 2 * around, 2 * around};
}

std::vector<QRectF> placesOf(const RoomFit::Names& names, const OrbitCamera& camera)
{
  return names ? names(camera) : std::vector<QRectF>();
}

/// Names that reach out of the room make the picture smaller.
void fitInto(OrbitCamera& camera, const QRectF& room, const Extent& extent, const RoomFit::Names& names)
{
  QRectF inner = room;
  for (int attempt = 0; attempt < kFitAttempts; ++attempt) {
    camera.fitInto(inner, extent.points, extent.radii);
    QRectF reached = inner;
    for (const QRectF& name : placesOf(names, camera))
      reached |= name;
    const QRectF smaller =
        inner.adjusted(std::max(0.0, room.left() - reached.left()), std::max(0.0, room.top() - reached.top()),
                       std::min(0.0, room.right() - reached.right()), std::min(0.0, room.bottom() - reached.bottom()));
    if (smaller == inner || smaller.width() < kLeastScaling * room.width() ||
        smaller.height() < kLeastScaling * room.height())
      return;
    inner = smaller;
  }
}

} // namespace

void RoomFit::leaveOverlays(OrbitCamera& camera, const Extent& extent, Overlays overlays, const Names& names)
{
  const QRectF content = trace(camera, extent, names);
  beside = std::move(overlays);
  hasLeft = false;
  if (!isCovered(beside.places))
    return;
  const OrbitCamera alone = camera;
  const std::vector<QRectF> parts = fitted.covered();
  for (const Room& room : roomsFor(camera.viewport(), beside.places, content.size(), kRoomMargin)) {
    if (room.scale < kLeastScaling || (!room.isFree && isCoveredIn(room, content, parts)))
      continue;
    fitInto(camera, room.place, extent, names);
    trace(camera, extent, names);
    hasLeft = room.isFree || !isCovered(beside.places);
    if (hasLeft)
      return;
  }
  camera = alone;
  trace(camera, extent, names);
}

bool RoomFit::isOutdatedBy(const Overlays& overlays) const
{
  return (overlays.places != beside.places && isCovered(overlays.places)) || (hasLeft && overlays.card < beside.card);
}

bool RoomFit::isCovered(const std::vector<QRectF>& overlays) const
{
  return std::ranges::any_of(overlays, [this](const QRectF& overlay) { return fitted.isUnder(overlay); });
}

/// Finds out where what was fitted is; returns what is around it.
QRectF RoomFit::trace(const OrbitCamera& camera, const Extent& extent, const Names& names)
{
  fitted = CoveredParts(camera.viewport());
  QRectF content;
  const auto add = [&](const QRectF& place) {
    fitted.add(place);
    content = content.isNull() ? place : content.united(place);
  };
  for (std::size_t first = 0; first < extent.radii.size(); first += extent.ballsOfBody) {
    QRectF body;
    for (std::size_t i = first; i < first + extent.ballsOfBody; ++i)
      body |= placeOfBall(camera, extent, i);
    add(body);
  }
  for (const QRectF& name : placesOf(names, camera))
    add(name);
  return content;
}

/// About, from the parts that content covers now.
bool RoomFit::isCoveredIn(const Room& room, const QRectF& content, const std::vector<QRectF>& parts) const
{
  const auto moved = [&](const QRectF& part) {
    return QRectF(room.place.center() + room.scale * (part.topLeft() - content.center()), room.scale * part.size());
  };
  return std::ranges::any_of(parts, [&](const QRectF& part) {
    return std::ranges::any_of(beside.places, [&](const QRectF& overlay) { return overlay.intersects(moved(part)); });
  });
}

} // namespace hinesight::widgets
