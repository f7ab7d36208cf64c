#pragma once

#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/overlay_room.hpp"

#include <QRectF>

#include <cstddef>
#include <functional>
#include <vector>

namespace hinesight::widgets {

/// What a camera is fitted to: balls, in units of the scene.
struct Extent
{
  std::vector<float> points; ///< 3 coordinates of each ball
  std::vector<float> radii;
  std::size_t ballsOfBody = 1; ///< so many that follow one another are the corners of a box

  bool isEmpty() const { return radii.empty(); }
};

/// What lies over a canvas.
struct Overlays
{
  /// In the order of its size.
  enum class Card
  {
    None,
    Folded,
    Whole,
  };

  std::vector<QRectF> places;
  Card card = Card::None; ///< a timing card that is one of them
};

/// A picture beside what lies over its canvas. Places are logical pixels of the canvas.
class RoomFit
{
public:
  /// Where names and the like stand, which are no smaller in a small picture.
  using Names = std::function<std::vector<QRectF>(const OrbitCamera& camera)>;

  /// The picture of a camera that was fitted to `extent` goes to where no overlay covers it, as large as it can be
  /// there. It stays where it would have to be much smaller.
  void leaveOverlays(OrbitCamera& camera, const Extent& extent, Overlays overlays, const Names& names = {});
  /// Whether what was fitted is to be fitted again: other overlays cover it, or it left its room to a card that has
  /// folded or gone since. What the others leave when they become smaller moves nothing.
  bool isOutdatedBy(const Overlays& overlays) const;

private:
  bool isCovered(const std::vector<QRectF>& overlays) const;
  QRectF trace(const OrbitCamera& camera, const Extent& extent, const Names& names);
  bool isCoveredIn(const Room& room, const QRectF& content, const std::vector<QRectF>& parts) const;

  CoveredParts fitted; ///< where what was fitted is
  Overlays beside;
  bool hasLeft = false; ///< its room to them
};

} // namespace hinesight::widgets
