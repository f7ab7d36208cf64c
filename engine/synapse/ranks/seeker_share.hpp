#pragma once

#include "core/host_device.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hinesight::synapse {

/// Which seekers each rank has: they are given out in interleaved slices of the Morton order, because those at the
/// surface of the tissue have less to look at. Seekers count in that order, those that seek nothing left out.
class SeekerShare
{
public:
  /// Of one rank, which has them all.
  SeekerShare() = default;

  /// `seekers`: of all ranks.
  SeekerShare(std::uint64_t seekers, int rank, int ranks)
      : sliceBits(bitsOf(seekers, static_cast<std::uint64_t>(ranks))), own(static_cast<std::uint64_t>(rank)),
        parts(static_cast<std::uint64_t>(ranks))
  {}

  bool holds(std::uint64_t seeker) const { return (seeker >> sliceBits) % parts == own; }
  /// How many this rank has of so many.
  std::uint64_t count(std::uint64_t seekers) const
  {
    const std::uint64_t slice = std::uint64_t{1} << sliceBits, round = slice * parts;
    const std::uint64_t rest = seekers % round, before = own * slice;
    return seekers / round * slice + std::min(slice, rest > before ? rest - before : 0);
  }
  /// Among all seekers, the one with a number among this rank's.
  HINESIGHT_FORMULA std::uint64_t seeker(std::uint64_t number) const
  {
    const std::uint64_t slice = number >> sliceBits;
    return (((slice * parts + own) - slice) << sliceBits) + number;
  }

private:
  /// A few slices for each rank where there are few seekers.
  static unsigned bitsOf(std::uint64_t seekers, std::uint64_t ranks)
  {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 13, kLeast = 16, kSlicesOfRank = 16;
    return static_cast<unsigned>(std::bit_width(std::clamp(seekers / (kSlicesOfRank * ranks), kLeast, kMost))) - 1;
  }

  unsigned sliceBits = 0;
  std::uint64_t own = 0, parts = 1;
};

} // namespace hinesight::synapse
