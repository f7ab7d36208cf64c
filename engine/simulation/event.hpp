#pragma once

#include <compare>
#include <cstdint>

namespace hinesight::simulation {

/// What a synapse or a point neuron gets.
struct Event
{
  double time;           ///< ms
  std::uint32_t synapse; ///< of the cell, in its order; 0 of a point neuron
  double weight;         ///< uS

  auto operator<=>(const Event&) const = default;
};

} // namespace hinesight::simulation
