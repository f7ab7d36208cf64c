#include "widgets/cells/morphology/tube_pieces.hpp"

#include "widgets/cells/morphology/tube_actor.hpp"

#include <algorithm>

namespace hinesight::widgets {

namespace {

constexpr double kShort = 12; // ms; the next one may be larger
constexpr double kLong = 25;  // ms; the next one is smaller
constexpr double kWanted = 16;

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
    size = std::min(kMost, 2 * size);
  } else if (lastTook > kLong) {
    size = std::max(kLeast, static_cast<std::size_t>(static_cast<double>(size) * kWanted / lastTook));
  }
  const std::size_t end = actor->endOfSeen(begin, size);
  actor->showTubes(begin, end);
  begin = end;
  return begin < tubes;
}

double TubePieces::done() const
{
  return tubes == 0 ? 1 : static_cast<double>(std::min(begin, tubes)) / static_cast<double>(tubes);
}

} // namespace hinesight::widgets
