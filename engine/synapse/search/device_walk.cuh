#pragma once

// For .cu files only.

#include "core/cuda/cuda_workspace.cuh"
#include "core/cuda/stream.cuh"
#include "core/run_control.hpp"
#include "synapse/search/search_step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

// What searches on a GPU have in common, over a whole tree and over the parts of ranks. A lane has a seeker, a warp 32
// neighbours of the Morton order, which walk the tree together: the warp visits every node that one of them visits, so
// that its lanes read the same node at a time. What a lane adds up does not depend on the others. Which node an element
// picks is found by a second walk of the lane alone, from the last place noted before it.

namespace hinesight::synapse::detail {

inline constexpr unsigned kSearchThreads = 128;
/// Seekers of one launch at most, of a multiprocessor: between launches a search can be cancelled.
inline constexpr std::uint64_t kMostSeekers = std::uint64_t{1} << 13;

/// Where a lane's walk was, and its running sum, at some of the nodes that its warp visited. The distance between them
/// doubles each time that there are too many, so that they are enough for any number of nodes.
class Checkpoints
{
public:
  /// Before the warp's next visit.
  __device__ void visit(std::uint32_t node, double sum)
  {
    if ((visits++ & (spacing - 1)) != 0)
      return;
    if (count == kMost) // then the number of visits divides by twice the spacing too
      halve();
    nodes[count] = node;
    sums[count] = sum;
    ++count;
  }

  /// The last one whose running sum does not exceed the threshold.
  __device__ std::uint32_t before(double threshold) const
  {
    std::uint32_t point = count - 1;
    while (point > 0 && sums[point] > threshold)
      --point;
    return point;
  }

  __device__ std::uint32_t nodeOf(std::uint32_t point) const { return nodes[point]; }
  __device__ double sumOf(std::uint32_t point) const { return sums[point]; }

private:
  __device__ void halve()
  {
    for (std::uint32_t point = 0; 2 * point < kMost; ++point) {
      nodes[point] = nodes[2 * point];
      sums[point] = sums[2 * point];
    }
    count = kMost / 2;
    spacing *= 2;
  }

  static constexpr std::uint32_t kMost = 32;
  std::uint32_t visits = 0;
  std::uint32_t spacing = 32;
  std::uint32_t count = 0;
  std::uint32_t nodes[kMost];
  double sums[kMost];
};

/// The weights of a lane's first descent, added up: sumWeights. All lanes of a warp call it, those that do not seek get
/// 0 and no checkpoints.
template <Falloff kFalloff, bool kExact>
__device__ double sumTogether(const SearchView& view, const KernelForm& form, const Seeker<float>& seeker, bool seeks,
                              Checkpoints& points)
{
  double sum = 0;
  std::uint32_t resume = seeks ? kFirstNode : view.end(); // the node from which on the lane looks again
  std::uint32_t current = kFirstNode;
  while (current < view.end()) {
    const SearchNode node = view.node(current);
    points.visit(resume > current ? resume : current, sum);
    bool expands = false;
    if (node.count > 0 && resume <= current) {
      const float squared = squaredDistance(node, seeker);
      expands = !(node.limit < squared);
      resume = expands ? current + 1 : node.next;
      if (!expands)
        sum += valueOf(nodeWeight<kFalloff, kExact>(view, form, current, seeker, squared));
    }
    current = __any_sync(0xFFFFFFFFu, expands) ? current + 1 : node.next;
  }
  return sum;
}

/// Nobody looks at the way.
struct Unwatched
{
  __device__ void operator()(std::uint32_t) const {}
};

/// What the elements of a lane's seeker find, whose walk has `sum` and `points`. Calls store(element, leaf, picks) for
/// each: `leaf` may be kNoTarget, and `picks` is how many nodes were picked on the way.
template <Falloff kFalloff, bool kExact, typename Store>
__device__ void findTargets(const SearchView& view, const KernelForm& form, const Seeker<float>& seeker,
                            const SearchKey& key, std::uint32_t elements, double sum, const Checkpoints& points,
                            Store store)
{
  const auto pick = [&](double threshold) {
    const std::uint32_t point = points.before(threshold);
    return pickNode<kFalloff, kExact>(view, form, seeker, points.nodeOf(point), view.end(), points.sumOf(point),
                                      threshold);
  };
  std::uint32_t leaf = 0;
  for (std::uint32_t element = 0; element < elements; ++element) {
    std::uint32_t picks = 0;
    // The tree is frozen: where one element finds nothing, those after it find nothing either.
    if (leaf != kNoTarget)
      leaf = findTarget<kFalloff, kExact>(view, form, seeker, key, element, sum, pick, [&](std::uint32_t) { ++picks; });
    store(element, leaf, picks);
  }
}

/// Launches of a search, two of which are under way at a time: while the last blocks of one run, the first ones of the
/// next have begun. The default stream waits for them, and they for it.
class SearchLaunches
{
public:
  /// Calls launch(begin, end, stream) for slices of so many seekers and waits for all. Throws Error(Cancelled), and as
  /// cuda::check.
  template <typename Launch>
  void run(std::uint64_t seekers, std::uint64_t slice, const RunControl& control, Launch launch)
  {
    std::uint64_t end = 0;
    for (std::size_t number = 0; end < seekers; ++number) {
      Lane& lane = lanes[number % std::size(lanes)];
      lane.done.wait("search");
      control.report("search", static_cast<double>(end) / static_cast<double>(seekers));
      const std::uint64_t begin = end;
      end = std::min(seekers, begin + slice);
      launch(begin, end, lane.stream.get());
      lane.done.record(lane.stream.get());
    }
    for (const Lane& lane : lanes)
      lane.done.wait("search");
    control.report("search", 1);
  }

private:
  struct Lane
  {
    cuda::Stream stream{0, cudaStreamDefault};
    cuda::Event done;
  };

  Lane lanes[2];
};

} // namespace hinesight::synapse::detail
