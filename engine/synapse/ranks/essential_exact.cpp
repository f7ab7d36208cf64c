#include "synapse/ranks/essential_exact.hpp"

#include "synapse/octree/octree_parts.hpp"
#include "synapse/search/search_parts.hpp"
#include "synapse/search/search_step.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>
#include <span>
#include <utility>

namespace hinesight::synapse {

namespace {

/// An element that has found nothing yet.
struct SeekingElement
{
  std::uint32_t place = 0; ///< of the seeker
  std::uint32_t element = 0;
  std::uint32_t attempt = 0;
  bool isInverse = false; ///< the kernel is 0 everywhere: the inverse of the distance takes its place

  auto operator<=>(const SeekingElement&) const = default;
};

/// Of an element, what other ranks need.
struct Sought
{
  std::uint32_t seeker = 0;
  std::uint32_t element = 0;
  std::array<float, 3> position = {}; ///< of the seeker
  std::uint32_t isInverse = 0;
  std::int32_t from = 0;    ///< the seeker's rank
  std::uint32_t number = 0; ///< among those that wait there
};

/// A vacant element of a subtree of another rank.
struct Proposed
{
  Sought by;
  std::int32_t owner = 0;
  std::uint32_t node = 0; ///< as its owner counts
  std::uint64_t rank = 0; ///< of the node's vacant elements
  double least = 0;       ///< that the kernel is to exceed
};

/// A seeker that weighs all neurons, on its way from rank to rank.
struct Weighing
{
  Sought by;
  double running = 0; ///< of the weights on the ranks before
  double threshold = kInfinity;
};

/// That an element goes on with its next attempt.
struct Refusal
{
  std::int32_t to = 0;
  std::uint32_t number = 0;
};

/// What became of an element that went on as far as this rank can.
struct Advanced
{
  enum class Kind
  {
    Found,
    Proposed,
    Refused, ///< too often
    Nothing  ///< weighs anything
  };

  Kind kind = Kind::Nothing;
  std::uint32_t neuron = kNoNeuron; ///< found
  Proposed proposed;                ///< to another rank
};

/// Calls use.template operator()<falloff>(form) with the kernel, or with what takes its place.
template <typename Use>
auto withKernel(const KernelForm& kernel, bool isInverse, Use use)
{
  const KernelForm form = isInverse ? inverseDistanceForm() : kernel;
  return withFalloff(form.falloff, [&]<Falloff kFalloff>() { return use.template operator()<kFalloff>(form); });
}

class ExactRounds
{
public:
  ExactRounds(Communicator& communicator, const PlacedNeurons& placedNeurons, const EssentialTree& essentialTree,
              const EssentialQuery& searchQuery, const std::vector<std::uint32_t>& seekingByPlace,
              const VacantElements& soughtElements, int searchThreads, const RunControl& runControl)
      : ranks(communicator), placed(placedNeurons), essential(essentialTree), tree(essential.tree()),
        query(searchQuery), seeking(seekingByPlace), sought(soughtElements), threads(searchThreads), control(runControl)
  {}

  std::vector<Request> run()
  {
    together(ranks, [&] { begin(); });
    while (haveAny(active)) {
      while (haveAny(active))
        attempt();
      weighRefused();
    }
    return std::move(found);
  }

private:
  template <typename T>
  bool haveAny(const std::vector<T>& mine)
  {
    return ranks.allReduce(std::uint64_t{mine.size()}, Reduction::Most) != 0;
  }

  void begin()
  {
    const std::vector<std::uint64_t> first = detail::firstRequests(seeking, placed.neuron);
    detail::requireSearchMemory(first.back(), tree.nodes());
    control.report("search", 0);
    arrays = detail::makeSearchArrays(tree, sought, query.parameters, threads);
    job = detail::jobOf(arrays, sought, query.channel, query.step, query.parameters);
    active.reserve(first.back());
    for (std::uint32_t place = 0; place < seeking.size(); ++place)
      for (std::uint32_t element = 0; element < seeking[place]; ++element)
        active.push_back({place, element, 0, false});
  }

  /// Where the kernel weighs nothing an element begins again; where the inverse of the distance does it ends.
  void turnInverse(SeekingElement element)
  {
    if (!element.isInverse)
      weightless.push_back({element.place, element.element, 0, true});
  }

  /// Every active element goes on to its next attempt that another rank decides, and hears what came of it.
  void attempt()
  {
    std::vector<Proposed> proposals;
    std::vector<SeekingElement> waiting;
    together(ranks, [&] {
      const std::vector<Advanced> advanced = advanceAll();
      for (std::size_t i = 0; i < active.size(); ++i)
        switch (advanced[i].kind) {
        case Advanced::Kind::Found:
          found.push_back({placed.neuron[active[i].place], active[i].element, advanced[i].neuron});
          break;
        case Advanced::Kind::Proposed:
          proposals.push_back(advanced[i].proposed);
          proposals.back().by.number = static_cast<std::uint32_t>(waiting.size());
          waiting.push_back(active[i]);
          break;
        case Advanced::Kind::Refused:
          refused.push_back(active[i]);
          break;
        case Advanced::Kind::Nothing:
          turnInverse(active[i]);
        }
    });
    const std::vector<Proposed> toJudge = sendToOwners(ranks, proposals, [](const Proposed& p) { return p.owner; });
    std::vector<Refusal> refusals;
    together(ranks, [&] { refusals = judge(toJudge); });
    const std::vector<Refusal> heard = sendToOwners(ranks, refusals, [](const Refusal& a) { return a.to; });
    together(ranks, [&] {
      active = std::exchange(weightless, {});
      for (const Refusal& refusal : heard) {
        active.push_back(waiting[refusal.number]);
        ++active.back().attempt;
      }
    });
  }

  std::vector<Advanced> advanceAll()
  {
    std::vector<Advanced> advanced(active.size());
    std::ranges::sort(active); // neighbours walk together
    const auto inverse = std::ranges::stable_partition(active, [](const SeekingElement& e) { return !e.isInverse; });
    const auto kernels = active.size() - inverse.size();
    advanceThese(std::span(active).first(kernels), std::span(advanced).first(kernels), job.form);
    advanceThese(std::span(active).subspan(kernels), std::span(advanced).subspan(kernels), inverseDistanceForm());
    return advanced;
  }

  /// Elements of a kernel, in the order of places.
  void advanceThese(std::span<SeekingElement> elements, std::span<Advanced> advanced, const KernelForm& form)
  {
    Walks walks{*this, elements, advanced, form, {}};
    std::vector<Position> positions;
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (i == 0 || elements[i].place != elements[i - 1].place) {
        walks.begin.push_back(i);
        positions.push_back(placed.position[elements[i].place]);
      }
    std::vector<std::uint32_t> seekers(positions.size());
    std::iota(seekers.begin(), seekers.end(), 0u);
    walks.begin.push_back(elements.size());
    detail::SearchJob walking = job;
    walking.form = form;
    walking.seekers = seekers.data();
    walking.positions = positions.data();
    walking.visit = &visit;
    walking.visitor = &walks;
    detail::searchInParallel(walking, seekers.size(), threads, control);
  }

  /// Seekers that walk, with the elements of each.
  struct Walks
  {
    const ExactRounds& rounds;
    std::span<SeekingElement> elements;
    std::span<Advanced> advanced;
    const KernelForm& form;
    std::vector<std::size_t> begin;
  };

  static void visit(void* visitor, std::uint32_t seeker, double sum, const detail::SeekerMarks& marks)
  {
    const Walks& walks = *static_cast<Walks*>(visitor);
    if (!(sum > 0))
      return; // Nothing
    withFalloff(walks.form.falloff, [&]<Falloff kFalloff>() {
      for (std::size_t i = walks.begin[seeker]; i < walks.begin[seeker + 1]; ++i)
        walks.advanced[i] = walks.rounds.advance<kFalloff>(walks.form, walks.elements[i], sum, marks);
    });
  }

  template <Falloff kFalloff>
  Advanced advance(const KernelForm& form, SeekingElement& e, double sum, const detail::SeekerMarks& marks) const
  {
    const Seeker<float> seeker = seekerAt(e.place);
    const SearchKey key = keyOf(placed.neuron[e.place]);
    for (; e.attempt < kMostAttempts; ++e.attempt) {
      const std::uint32_t cell = detail::pickMarked<kFalloff, true>(job.view, form, seeker, marks,
                                                                    searchDraw(key, e.element, e.attempt) * sum);
      const Attempt attempt = attemptAt<kFalloff>(job.view, form, seeker, key, e.element, e.attempt, cell);
      std::uint64_t rank = attempt.rank;
      const std::uint32_t leaf = leafAtRank(job.view, cell, rank);
      if (!tree.isNeuron(leaf))
        return {Advanced::Kind::Proposed, kNoNeuron,
                Proposed{soughtBy(e), essential.owner(leaf), essential.nodeAtOwner(leaf), rank, attempt.least}};
      if (isTaken<kFalloff>(form, job.view.node(leaf), seeker, attempt.least))
        return {Advanced::Kind::Found, tree.order[tree.leafBegin[leaf]], {}};
    }
    return {Advanced::Kind::Refused, kNoNeuron, {}};
  }

  /// Takes what others propose, or refuses it.
  std::vector<Refusal> judge(const std::vector<Proposed>& proposals)
  {
    std::vector<Refusal> refusals;
    for (const Proposed& p : proposals) {
      std::uint64_t rank = p.rank;
      const std::uint32_t leaf = leafAtRank(job.view, p.node, rank);
      const bool taken = withKernel(job.form, p.by.isInverse != 0, [&]<Falloff kFalloff>(const KernelForm& form) {
        return isTaken<kFalloff>(form, job.view.node(leaf), seekerOf(p.by), p.least);
      });
      if (taken)
        found.push_back({p.by.seeker, p.by.element, tree.order[tree.leafBegin[leaf]]});
      else
        refusals.push_back({p.by.from, p.by.number});
    }
    return refusals;
  }

  /// What was refused too often: by all neurons, or by the inverse of the distance from the first attempt on.
  void weighRefused()
  {
    const std::vector<SeekingElement> waiting = std::exchange(refused, {});
    if (!haveAny(waiting))
      return;
    std::vector<Weighing> mine;
    together(ranks, [&] {
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        mine.push_back({soughtBy(waiting[i])});
        mine.back().by.number = static_cast<std::uint32_t>(i);
      }
    });
    const std::vector<Weighing> weighed = handOn(mine);
    const std::vector<Weighing> sums = sendToOwners(ranks, weighed, [](const Weighing& w) { return w.by.from; });
    std::vector<Weighing> picking;
    together(ranks, [&] {
      for (const Weighing& w : sums) {
        if (w.running > 0)
          picking.push_back({w.by, 0, searchDraw(keyOf(w.by.seeker), w.by.element, kMostAttempts) * w.running});
        else
          turnInverse(waiting[w.by.number]);
      }
    });
    handOn(picking);
    active = std::exchange(weightless, {});
  }

  /// Through all ranks, the first one first; what found its neuron goes no further. Returns the rest on the last.
  std::vector<Weighing> handOn(const std::vector<Weighing>& mine)
  {
    std::vector<Weighing> here = sendToOwners(ranks, mine, [](const Weighing&) { return 0; });
    for (int rank = 0; rank < ranks.size(); ++rank) {
      together(ranks, [&] {
        std::vector<Weighing> rest;
        for (Weighing& w : here)
          if (!weigh(w))
            rest.push_back(w);
        here = std::move(rest);
      });
      if (rank + 1 < ranks.size())
        here = sendToOwners(ranks, here, [&](const Weighing&) { return rank + 1; });
    }
    return here;
  }

  /// Adds the weights of this rank's neurons. Returns whether that found one.
  bool weigh(Weighing& w)
  {
    const TreeRange own = essential.nodesOfRank();
    const std::uint32_t leaf = withKernel(job.form, w.by.isInverse != 0, [&]<Falloff kFalloff>(const KernelForm& form) {
      return walkLeaves<kFalloff>(job.view, form, seekerOf(w.by), std::max(own.begin, kFirstNode), own.end,
                                  [&](std::uint32_t, double weight) {
                                    w.running += weight;
                                    return w.running > w.threshold;
                                  });
    });
    if (leaf >= own.end)
      return false;
    found.push_back({w.by.seeker, w.by.element, tree.order[tree.leafBegin[leaf]]});
    return true;
  }

  SearchKey keyOf(std::uint32_t neuron) const { return {job.seed, job.step, job.channel, neuron}; }
  Seeker<float> seekerAt(std::uint32_t place) const
  {
    const std::array<float, 3> at = detail::inSinglePrecision(placed.position[place]);
    return {at[0], at[1], at[2]};
  }
  static Seeker<float> seekerOf(const Sought& by) { return {by.position[0], by.position[1], by.position[2]}; }
  Sought soughtBy(const SeekingElement& e) const
  {
    return {placed.neuron[e.place], e.element, detail::inSinglePrecision(placed.position[e.place]), e.isInverse,
            ranks.rank(),           0};
  }

  Communicator& ranks;
  const PlacedNeurons& placed;
  const EssentialTree& essential;
  const Octree& tree;
  const EssentialQuery& query;
  const std::vector<std::uint32_t>& seeking;
  const VacantElements& sought;
  int threads;
  const RunControl& control;
  detail::SearchArrays arrays;
  detail::SearchJob job{};
  std::vector<SeekingElement> active, refused;
  std::vector<SeekingElement> weightless; ///< that begin again
  std::vector<Request> found;
};

} // namespace

std::vector<Request> findExactlyOnRanks(Communicator& ranks, const PlacedNeurons& placed, const EssentialTree& tree,
                                        const EssentialQuery& query, const std::vector<std::uint32_t>& seeking,
                                        const VacantElements& sought, int threads, const RunControl& control)
{
  return ExactRounds(ranks, placed, tree, query, seeking, sought, threads, control).run();
}

} // namespace hinesight::synapse
