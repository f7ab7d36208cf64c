#pragma once

#include <cstddef>

namespace hinesight::widgets {

class TubeActor;

/// A picture of many tubes in pieces that take a fraction of a frame each: what the device does not hold yet comes to
/// it first.
class TubePieces
{
public:
  TubePieces(TubeActor& shown, std::size_t number) : actor(&shown), tubes(number) {}

  /// The next frame is the next piece. `lastTook`: ms of the last one; 0: the picture begins anew. Returns whether
  /// there is another piece.
  bool next(double lastTook);
  /// How much of the picture the pieces make so far: 0 to 1.
  double done() const;

private:
  static constexpr std::size_t kFirst = 8'192; ///< tubes that may be seen
  static constexpr std::size_t kLeast = 512;
  static constexpr std::size_t kMost = 65'536; ///< what follows sparse ones may be dense

  TubeActor* actor;
  std::size_t tubes;
  std::size_t begin = 0;
  std::size_t size = kFirst;
};

} // namespace hinesight::widgets
