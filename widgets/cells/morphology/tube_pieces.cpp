#include "widgets/cells/morphology/tube_pieces.hpp"

#include "widgets/cells/morphology/tube_actor.hpp"

#include <algorithm>

namespace hinesight::widgets {

namespace {

constexpr double kShort = 12; // ms; the next one may be larger
constexpr double kLong = 25;  // ms; the next one is smaller

} // namespace

bool TubePieces::next(double lastTook)
{
  if (actor->hasToUpload()) {
    actor->showNothing();
    return true;
  }
  if (lastTook == 0 || begin == 0) {
    begin = 0;
    size = kFirst;
  } else if (lastTook < kShort) {
    size *= 2;
  } else if (lastTook > kLong) {
    size = std::max(kLeast, size / 2);
  }
  actor->showTubes(begin, begin + size);
  begin += size;
  return begin < tubes;
}

double TubePieces::done() const
{
  return tubes == 0 ? 1 : static_cast<double>(std::min(begin, tubes)) / static_cast<double>(tubes);
}

} // namespace hinesight::widgets
