#pragma once

#include <functional>
#include <utility>

namespace hinesight::widgets {

/// Puts what lies over a canvas in its places. To show an overlay, Qt may lay out the window first and resize the
/// canvas: an overlay that is hidden while it is about to be shown would stay on the screen. So a layout that is asked
/// for within one comes after it.
class OverlayLayout
{
public:
  /// `placeAll` moves, shows and hides all overlays of a canvas.
  explicit OverlayLayout(std::function<void()> placeAll) : place(std::move(placeAll)) {}

  void layOut();

private:
  std::function<void()> place;
  bool isPlacing = false;
  bool isAsked = false;
};

} // namespace hinesight::widgets
