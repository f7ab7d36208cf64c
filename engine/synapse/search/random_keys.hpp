#pragma once

#include "core/host_device.hpp"

#include <cstdint>

namespace hinesight::synapse {

/// What a random number is for. Draws are keyed by (seed, entity, step, draw), so that no two purposes ever share one.
enum class RandomPurpose : std::uint8_t
{
  Search,          ///< which node a descent picks, or an exact search proposes
  Conflict,        ///< the order of the requests on one neuron
  Deletion,        ///< which synapses of a neuron go
  Spike,           ///< whether a Poisson neuron fires
  Background,      ///< normal input
  InitialElements, ///< elements at the start
  Placement,       ///< positions of a random population
  NeuronKind,      ///< excitatory or inhibitory
  Acceptance,      ///< which neuron of a proposed cell, and whether an exact search takes it
  PredrawnInput,   ///< a number of fast normal input's row
  InputWindow,     ///< where a step begins in that row
  Creation         ///< position and kind of a neuron that an interrupt creates
};

/// The entity of a draw (core/philox.hpp): a neuron, a channel or element pool of it, and the purpose.
HINESIGHT_FORMULA std::uint64_t randomEntity(RandomPurpose purpose, std::uint32_t neuron, std::uint32_t channel = 0)
{
  return std::uint64_t{neuron} | std::uint64_t{channel} << 32 | std::uint64_t{static_cast<std::uint8_t>(purpose)} << 40;
}

inline constexpr std::uint32_t kMostElements = 1u << 20; ///< vacant elements that a neuron may seek with at once
inline constexpr std::uint32_t kMostDraws = 1u << 12;    ///< of one element in a step

/// The draw of a neuron's element: the descent, or the attempt.
HINESIGHT_FORMULA std::uint32_t elementDraw(std::uint32_t element, std::uint32_t number)
{
  return element * kMostDraws | number;
}

} // namespace hinesight::synapse
