#pragma once

#include "synapse/search/search_groups.hpp"

#include <cstring>

// The search of a group of seekers, written once and compiled several times with different instructions. Lanes is what
// differs: numbers side by side (Real, core/fixed/fixed_single.hpp), masks and sums of them. Everything here has
// internal linkage or is always inlined (core/host_device.hpp says why).

namespace hinesight::synapse::detail {

namespace {

/// Seekers that walk together. A lane that weighed a node as a whole sits out until the walk is behind that node.
template <typename Lanes>
struct Group
{
  typename Lanes::Real x, y, z;
  std::uint32_t seeker[Lanes::kCount];
  int count = 0;
};

template <typename Lanes>
HINESIGHT_FORMULA Group<Lanes> makeGroup(const SearchJob& job, std::size_t begin, std::size_t end)
{
  Group<Lanes> group;
  alignas(64) float at[3][Lanes::kCount];
  group.count = end - begin < Lanes::kCount ? static_cast<int>(end - begin) : Lanes::kCount;
  for (int lane = 0; lane < Lanes::kCount; ++lane) {
    // Lanes too many copy the first; nobody asks what they find.
    const std::uint32_t seeker = job.seekers[begin + (lane < group.count ? lane : 0)];
    group.seeker[lane] = seeker;
    for (int axis = 0; axis < 3; ++axis)
      at[axis][lane] = static_cast<float>(job.positions[seeker][axis]);
  }
  group.x = Lanes::load(at[0]);
  group.y = Lanes::load(at[1]);
  group.z = Lanes::load(at[2]);
  return group;
}

/// Marks of one walk, ever sparser as it grows.
template <typename Lanes>
class MarkList
{
public:
  explicit MarkList(WalkMark* room) : marks(room) {}

  /// Before the walk of all lanes looks at `node`; a lane goes on at its `resume` if that is later.
  HINESIGHT_FORMULA void pass(std::uint32_t node, typename Lanes::Whole resume, const typename Lanes::Sums& sums)
  {
    if (--left > 0)
      return;
    left = spacing;
    if (count == kMostMarks) {
      for (std::uint32_t i = 1; 2 * i < kMostMarks; ++i)
        std::memcpy(&marks[i], &marks[2 * i], sizeof(WalkMark));
      count = kMostMarks / 2;
      spacing *= 2;
    }
    Lanes::store(marks[count].start, Lanes::later(resume, node));
    sums.store(marks[count].sum);
    ++count;
  }

  HINESIGHT_FORMULA SeekerMarks of(int lane) const { return {marks, count, lane}; }

private:
  static constexpr std::uint32_t kFirstSpacing = 16;

  WalkMark* marks;
  std::uint32_t count = 0;
  std::uint32_t left = 1;
  std::uint32_t spacing = kFirstSpacing;
};

/// Sums the weights of each lane's first descent.
template <typename Lanes, Falloff kFalloff, bool kExact>
HINESIGHT_FORMULA typename Lanes::Sums sumGroup(const SearchJob& job, const Group<Lanes>& group, MarkList<Lanes>& marks,
                                                const RunControl& control)
{
  using Real = typename Lanes::Real;
  constexpr std::uint32_t kBetweenChecks = 1 << 18;
  const SearchView& view = job.view;
  const Seeker<Real> seeker{group.x, group.y, group.z};
  typename Lanes::Sums sums;
  typename Lanes::Whole resume(0);
  std::uint32_t current = kFirstNode;
  std::uint32_t untilCheck = kBetweenChecks;
  while (current < view.size) {
    if (--untilCheck == 0) {
      control.checkpoint();
      untilCheck = kBetweenChecks;
    }
    const SearchNode& node = view.nodes[current];
    if (node.count == 0) {
      current = node.next;
      continue;
    }
    marks.pass(current, resume, sums);
    const Real squared = squaredDistance(node, seeker);
    const auto active = Lanes::notAfter(resume, current);
    const auto far = Lanes::above(squared, node.limit);
    const auto accepted = Lanes::both(active, far);
    if (Lanes::any(accepted)) {
      const auto weight = nodeWeight<kFalloff, kExact>(view, job.form, current, seeker, squared);
      sums.add(accepted, weight);
      resume = Lanes::choose(accepted, node.next, resume);
    }
    current = Lanes::any(Lanes::without(active, far)) ? current + 1 : node.next;
  }
  return sums;
}

/// How many nodes were picked on the way.
struct PickCount
{
  std::uint8_t& count;
  HINESIGHT_FORMULA void operator()(std::uint32_t) const { ++count; }
};

/// Searches for every vacant element of one lane's seeker.
template <typename Lanes, Falloff kFalloff, bool kExact>
HINESIGHT_FORMULA void searchElements(const SearchJob& job, const Group<Lanes>& group, int lane, double sum,
                                      const MarkList<Lanes>& marks)
{
  const SearchView& view = job.view;
  const std::uint32_t index = group.seeker[lane];
  const Position& at = job.positions[index];
  const Seeker<float> seeker{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
  const SearchKey key{job.seed, job.step, job.channel, job.neurons != nullptr ? job.neurons[index] : index};
  const auto pick = [&](double threshold) HINESIGHT_FORMULA_LAMBDA {
    return pickMarked<kFalloff, kExact>(view, job.form, seeker, marks.of(lane), threshold);
  };
  std::uint32_t* const found = job.foundNode + job.firstRequest[index];
  std::uint8_t* const picks = job.picks != nullptr ? job.picks + job.firstRequest[index] : nullptr;
  for (std::uint32_t element = 0; element < job.vacant[index]; ++element) {
    std::uint8_t count = 0;
    found[element] = findTarget<kFalloff, kExact>(view, job.form, seeker, key, element, sum, pick, PickCount{count});
    if (picks != nullptr)
      picks[element] = count;
    if (found[element] != kNoTarget)
      continue;
    // The tree is frozen: where one finds nothing, the others find nothing either.
    while (++element < job.vacant[index])
      found[element] = kNoTarget;
  }
}

template <typename Lanes, Falloff kFalloff, bool kExact>
void searchGroups(const SearchJob& job, std::size_t begin, std::size_t end, WalkMark* room, const RunControl& control)
{
  for (std::size_t first = begin; first < end; first += Lanes::kCount) {
    control.checkpoint();
    const Group<Lanes> group = makeGroup<Lanes>(job, first, end);
    MarkList<Lanes> marks(room);
    const auto sums = sumGroup<Lanes, kFalloff, kExact>(job, group, marks, control);
    alignas(64) double sum[kMostLanes] = {};
    sums.store(sum);
    for (int lane = 0; lane < group.count; ++lane)
      if (job.visit != nullptr)
        job.visit(job.visitor, group.seeker[lane], sum[lane], marks.of(lane));
      else
        searchElements<Lanes, kFalloff, kExact>(job, group, lane, sum[lane], marks);
  }
}

template <typename Lanes>
void searchSeekers(const SearchJob& job, std::size_t begin, std::size_t end, WalkMark* marks, const RunControl& control)
{
  withFalloff(job.form.falloff, [&]<Falloff kFalloff>() {
    if (job.exact)
      searchGroups<Lanes, kFalloff, true>(job, begin, end, marks, control);
    else
      searchGroups<Lanes, kFalloff, false>(job, begin, end, marks, control);
  });
}

} // namespace

} // namespace hinesight::synapse::detail
