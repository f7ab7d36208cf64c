#include "widgets/overlay_layout.hpp"

#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kMostTurns = 4; ///< of a layout that changes what it is made for

} // namespace

void OverlayLayout::layOut()
{
  isAsked = true;
  if (isPlacing)
    return;
  isPlacing = true;
  for (int turn = 0; turn < kMostTurns && std::exchange(isAsked, false); ++turn)
    place();
  isPlacing = false;
}

} // namespace hinesight::widgets
