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

/// The marks of one seeker's walk.
struct SeekerMarks
{
  const WalkMark* marks;
  std::uint32_t count;
  int lane;

  /// The last one at which the sum did not exceed the threshold. Sums never fall, and the first is 0.
  HINESIGHT_FORMULA const WalkMark& before(double threshold) const
  {
    std::uint32_t low = 0;
    std::uint32_t high = count;
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      if (marks[middle].sum[lane] <= threshold)
        low = middle;
      else
        high = middle;
    }
    return marks[low];
  }
};

/// The first node whose running sum exceeds the threshold, in a walk that has marks.
template <Falloff kFalloff, bool kByBounds>
HINESIGHT_FORMULA std::uint32_t pickMarked(const SearchView& view, const KernelForm& form, const Seeker<float>& seeker,
                                           const SeekerMarks& marks, double threshold)
{
  const WalkMark& mark = marks.before(threshold);
  return pickNode<kFalloff, kByBounds>(view, form, seeker, mark.start[marks.lane], view.size, mark.sum[marks.lane],
                                       threshold);
}

/// Gets a seeker, by its place in the lists of a job, with the sum and the marks of its walk. Called by several
/// threads.
using VisitSeeker = void (*)(void* visitor, std::uint32_t seeker, double sum, const SeekerMarks& marks);

/// What all seekers of a search share. Seekers are in Morton order, so that neighbours walk together.
struct SearchJob
{
  SearchView view;
  KernelForm form;
  bool exact;
  std::uint64_t seed;
  std::uint32_t step;
  std::uint32_t channel;
  const std::uint32_t* seekers;      ///< places in the lists below
  const std::uint32_t* neurons;      ///< who they are; null: lists are by neuron
  const Position* positions;         ///< um
  const std::uint32_t* vacant;       ///< elements
  const std::uint64_t* firstRequest; ///< where their results go
  std::uint32_t* foundNode;          ///< by request: a leaf, or kNoTarget
  std::uint8_t* picks;               ///< by request: nodes picked on the way to it; null: nobody asks
  VisitSeeker visit;                 ///< called in place of a search for the elements; null: they are searched for
  void* visitor;
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
