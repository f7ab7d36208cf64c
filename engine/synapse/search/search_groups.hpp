#pragma once

#include "core/run_control.hpp"
#include "synapse/search/search_step.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::synapse::detail {

inline constexpr int kMostLanes = 16;

/// Where each lane of a group was at some time of its walk: so that a pick need not walk from the start again.
struct WalkMark
{
  double sum[kMostLanes];          ///< of the weights before
  std::uint32_t start[kMostLanes]; ///< the node it looks at next
};

inline constexpr std::uint32_t kMostMarks = 4096; ///< then every other is dropped, and half as many are made

/// What all seekers of a search share. Seekers are in Morton order, so that neighbours walk together.
struct SearchJob
{
  SearchView view;
  KernelForm form;
  bool exact;
  std::uint64_t seed;
  std::uint32_t step;
  std::uint32_t channel;
  const std::uint32_t* seekers;      ///< neurons
  const Position* positions;         ///< by neuron
  const std::uint32_t* vacant;       ///< by neuron
  const std::uint64_t* firstRequest; ///< by neuron: where its elements' results go
  std::uint32_t* foundNode;          ///< by request: a leaf, or kNoTarget
};

/// Searches for the seekers [begin, end) of a job, several at a time beside each other; `marks` has room for
/// kMostMarks. Throws Error(Cancelled).
using SearchSeekers = void (*)(const SearchJob& job, std::size_t begin, std::size_t end, WalkMark* marks,
                               const RunControl& control);

/// Null where the program was not compiled for such processors. One a set of instructions; all find the same.
SearchSeekers portableSearch();
SearchSeekers avx2Search();
SearchSeekers avx512Search();

/// The best that this processor executes.
SearchSeekers bestSearch();

} // namespace hinesight::synapse::detail
