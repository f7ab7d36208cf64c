#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/ranks/essential_tree.hpp"
#include "synapse/ranks/placed_neurons.hpp"
#include "synapse/ranks/rank_search.hpp"

#include <cstdint>
#include <span>

namespace hinesight::synapse {

/// A search of all vacant elements of one channel, of this rank's neurons by number.
struct EssentialQuery
{
  std::span<const std::uint32_t> seeking; ///< vacant elements
  std::span<const std::uint32_t> offered;
  Channel channel;
  std::uint32_t step;
  const SearchParameters& parameters; ///< of the theta that the search was made for
};

/// Searches on ranks none of which has the whole tree. Each seeks for the neurons that it has the places of. A descent
/// that leaves its part of the tree goes on at the owner of the subtree, in the same way: its sums begin at 0 there,
/// and its draws are keyed by the seeker. So the same is found as over the whole tree.
class EssentialSearch
{
public:
  /// Whether searches of a kind can do without the whole tree: not the naive one, which weighs every neuron.
  static bool canDo(SearchKind kind);

  /// `own`: positions of this rank's neurons by number. Collective. Throws FailedTogether as makeOctree.
  EssentialSearch(Communicator& ranks, const NeuronRanges& ranges, std::span<const Position> own, double theta,
                  int threads, const RunControl& control);

  const EssentialTree& essential() const { return tree; }

  /// What is offered of this rank's neurons by number, summed up for the nodes of `essential`. Collective.
  VacantElements sumVacant(std::span<const std::uint32_t> offered) const;
  /// As searchOnRanks; `sought` sums what is offered. Collective.
  GrantedRequests search(const EssentialQuery& query, const VacantElements& sought, StageTimings& timings,
                         const RunControl& control) const;

private:
  std::vector<Request> found(const EssentialQuery& query, const VacantElements& sought,
                             const RunControl& control) const;

  Communicator& ranks;
  NeuronRanges ranges;
  int threads;
  PlacedNeurons placed;
  EssentialTree tree;
};

} // namespace hinesight::synapse
