#pragma once

#include "cell/kinetics.hpp"
#include "core/fixed/reciprocal.hpp"

#include <cstddef>

// What channels of every kind work on.

namespace hinesight::cell {

/// States or parameters of one instance among those of many: the k-th is `stride` after the one before.
template <typename Value>
struct Strided
{
  Value* first;
  std::size_t stride;

  HINESIGHT_FORMULA Value& operator[](std::size_t k) const { return first[k * stride]; }
};
using States = Strided<double>;
using Parameters = Strided<const double>;

/// What a channel finds at its place besides the potential.
struct Local
{
  double cai = 0; ///< mM
};

/// A gate's value at rest and at what rate it goes there, 1/ms.
struct GateTarget
{
  double inf;
  double rate;
};

/// Of all gates of a channel; std::array is nothing for a GPU.
template <std::size_t kCount>
struct Gates
{
  GateTarget gate[kCount];

  HINESIGHT_FORMULA static constexpr std::size_t size() { return kCount; }
  HINESIGHT_FORMULA const GateTarget& operator[](std::size_t k) const { return gate[k]; }
};

} // namespace hinesight::cell
