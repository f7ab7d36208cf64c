#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "synapse/octree/octree_step.hpp"
#include "synapse/ranks/neuron_ranges.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::synapse {

/// What the rank with the place of a neuron learns of it.
struct PlacedNeuron
{
  std::uint64_t code = 0;
  std::uint32_t neuron = 0;
  Position position = {};
};

/// The Morton order of all neurons, of which each rank has a range of places, as even as they are. Places and codes are
/// those of the octree that one rank makes of all neurons. Where there are fewer neurons than ranks, some have none.
class PlacedNeurons
{
public:
  /// `own`: positions of this rank's neurons by number (NeuronRanges). Collective. Throws FailedTogether as makeOctree.
  PlacedNeurons(Communicator& ranks, const NeuronRanges& ranges, std::span<const Position> own, int threads,
                const RunControl& control);

  std::size_t size() const { return neuron.size(); }
  std::uint32_t begin() const { return firstPlace; } ///< the first place of this rank

  /// A number of each neuron, from the ranks that have it by number to those that have its place. Collective.
  std::vector<std::uint32_t> byPlace(Communicator& ranks, std::span<const std::uint32_t> ownByNumber) const;

  OctreeBox box{}; ///< of all neurons
  // By place, from the first of this rank.
  std::vector<std::uint64_t> code;
  std::vector<std::uint32_t> neuron;
  std::vector<Position> position; ///< um

private:
  std::vector<PlacedNeuron> sortOwn(std::span<const Position> own, std::uint32_t first, int threads,
                                    const RunControl& control);
  void take(const std::vector<PlacedNeuron>& came, int threads, const RunControl& control);

  std::uint32_t firstPlace = 0;
  std::vector<std::uint32_t> given;    ///< own neurons, from the first of them, in Morton order
  std::vector<std::size_t> givenCount; ///< how many of them each rank has the place of
  std::vector<std::uint32_t> taken;    ///< by place: which of all that came
};

} // namespace hinesight::synapse
