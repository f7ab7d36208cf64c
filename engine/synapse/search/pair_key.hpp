#pragma once

#include "core/host_device.hpp"

#include <cstdint>

namespace hinesight::synapse::detail {

/// A pair of neurons with synapses: in ascending order, by source, then target.
using PairKey = std::uint64_t;

HINESIGHT_FORMULA PairKey pairKey(std::uint32_t source, std::uint32_t target)
{
  return std::uint64_t{source} << 32 | target;
}
HINESIGHT_FORMULA std::uint32_t sourceOf(PairKey key)
{
  return static_cast<std::uint32_t>(key >> 32);
}
HINESIGHT_FORMULA std::uint32_t targetOf(PairKey key)
{
  return static_cast<std::uint32_t>(key);
}

} // namespace hinesight::synapse::detail
