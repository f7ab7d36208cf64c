#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/ranks/essential_tree.hpp"
#include "synapse/ranks/essential_walks.hpp"
#include "synapse/ranks/placed_neurons.hpp"
#include "synapse/ranks/rank_search.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::synapse {

/// Searches on ranks none of which has the whole tree. Each seeks for the neurons that it has the places of. A descent
/// that leaves its part of the tree goes on at the owner of the subtree, in the same way: its sums begin at 0 there,
/// and its draws are keyed by the seeker. So the same is found as over the whole tree. With a GPU each, ranks walk
/// there; sums of vacant elements and conflicts are the processor's.
class EssentialSearch
{
public:
  /// Whether searches of a kind can do without the whole tree: not the naive one, which weighs every neuron, and on
  /// GPUs not the exact one.
  static bool canDo(SearchKind kind, Backend backend = Backend::Cpu);

  /// `own`: positions of this rank's neurons by number. On Cuda the calling thread works on the rank's GPU from then
  /// on. Collective. Throws FailedTogether as makeOctree, and as detail::makeCudaWalks.
  EssentialSearch(Communicator& ranks, const NeuronRanges& ranges, std::span<const Position> own, double theta,
                  Backend backend, int threads, const RunControl& control);
  EssentialSearch(const EssentialSearch&) = delete;
  EssentialSearch& operator=(const EssentialSearch&) = delete;

  const EssentialTree& essential() const { return tree; }
  /// What the walks run on.
  std::string device() const { return walks->device(); }

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
  std::unique_ptr<EssentialWalks> walks;
};

} // namespace hinesight::synapse
