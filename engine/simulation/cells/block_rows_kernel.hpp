#pragma once

#include "simulation/cells/block_rows.hpp"
#include "simulation/cells/block_step.hpp"

// Everything here has internal linkage or is always inlined (core/host_device.hpp says why).

namespace hinesight::simulation {

namespace {

/// One thread that does everything; loops over the cells side by side become vector instructions, or, where there is
/// one cell, loops over its channels.
template <std::uint32_t kLanes>
struct CpuLanes
{
  using Index = std::size_t;
  /// Channel by channel, since loops of one formula become vector loops; those of a squid axon are one formula.
  static constexpr bool kByNode = false;

  static constexpr Index kAtOnce = kCpuLanes; ///< pieces times cells

  HINESIGHT_FORMULA static constexpr Index count() { return kLanes; }
  HINESIGHT_FORMULA static void wait() {}
  template <typename Body>
  HINESIGHT_FORMULA static void forEach(Index items, const Body& body)
  {
    if constexpr (kLanes == 1) {
#pragma GCC ivdep
      for (Index i = 0; i < items; ++i)
        body(i, Index{0});
    } else {
      for (Index i = 0; i < items; ++i)
#pragma GCC ivdep
#pragma GCC unroll 1
        for (Index lane = 0; lane < kLanes; ++lane)
          body(i, lane);
    }
  }

  /// Some pieces of one cell, or one of all cells side by side: `first` is the place of the first.
  struct Side
  {
    const Piece* pieces;
    Index first, count;

    /// body(k, piece, lane).
    template <typename Body>
    HINESIGHT_FORMULA void all(const Body& body) const
    {
      if constexpr (kLanes == kAtOnce) {
        const Piece piece = *pieces;
        upTo(kAtOnce, [&](Index k) HINESIGHT_FORMULA_LAMBDA { body(k, piece, k); });
      } else {
        upTo(count, [&](Index k) HINESIGHT_FORMULA_LAMBDA { body(k, pieces[k], Index{0}); });
      }
    }
    /// body(k, node) for those that have a node of the rank whose nodes are from `begin` to `end`.
    template <typename Body>
    HINESIGHT_FORMULA void ofRank(Index begin, Index end, const Body& body) const
    {
      if constexpr (kLanes == kAtOnce) {
        const Index node = begin + first / kLanes;
        upTo(kAtOnce, [&](Index k) HINESIGHT_FORMULA_LAMBDA { body(k, node); });
      } else {
        const Index left = end - begin - first;
        upTo(left < count ? left : count, [&](Index k) HINESIGHT_FORMULA_LAMBDA { body(k, begin + first + k); });
      }
    }

  private:
    template <typename Body>
    HINESIGHT_FORMULA static void upTo(Index last, const Body& body)
    {
#pragma GCC ivdep
#pragma GCC unroll 1
      for (Index k = 0; k < last; ++k)
        body(k);
    }
  };

  /// Calls body(first, nodes, side) for all pieces, kAtOnce of all cells at once; the first of them has `nodes` nodes,
  /// the others no more.
  template <typename Body>
  HINESIGHT_FORMULA static void forPieces(const ModelView& model, const Body& body)
  {
    static_assert(kLanes == 1 || kLanes == kAtOnce);
    const Piece* const pieces = model.piece;
    const Index items = model.pieces * kLanes;
    for (Index first = 0; first < items; first += kAtOnce) {
      const Piece* const piece = pieces + first / kLanes;
      const Index left = items - first;
      body(first, piece->nodes, Side{piece, first, left < kAtOnce ? left : kAtOnce});
    }
  }

  /// Calls forward(junction, item, each) for all junctions in the order of their elimination, then back(...) for all
  /// but the root in the opposite one: each(f) calls f for every cell.
  template <typename Forward, typename Back>
  HINESIGHT_FORMULA static void forRounds(const ModelView& model, const Forward& forward, const Back& back)
  {
    const EliminationItem* const items = model.items;
    const Index root = model.nodes - model.pieceNodes - 1;
    for (Index junction = 0; junction <= root; ++junction)
      forward(junction, items[junction], eachLane());
    for (Index junction = root; junction-- > 0;)
      back(junction, items[junction], eachLane());
  }
  HINESIGHT_FORMULA static auto eachLane()
  {
    return [](const auto& ofLane) HINESIGHT_FORMULA_LAMBDA {
#pragma GCC ivdep
#pragma GCC unroll 1
      for (Index lane = 0; lane < kLanes; ++lane)
        ofLane(lane);
    };
  }

  /// What is computed waits in a buffer: loops that add to scattered places are no vector loops.
  template <typename Compute, typename Apply>
  HINESIGHT_FORMULA static void inTurns(Index items, const Compute& compute, const Apply& apply)
  {
    constexpr Index kAtOnce = 128 / kLanes;
    alignas(64) double conductance[kAtOnce * kLanes];
    alignas(64) double current[kAtOnce * kLanes];
    for (Index first = 0; first < items; first += kAtOnce) {
      const Index most = items - first < kAtOnce ? items - first : kAtOnce;
      forEach(most, [&](Index i, Index lane) HINESIGHT_FORMULA_LAMBDA {
        const Input input = compute(first + i, lane);
        conductance[i * kLanes + lane] = input.conductance;
        current[i * kLanes + lane] = input.current;
      });
      for (Index i = 0; i < most; ++i)
#pragma GCC ivdep
#pragma GCC unroll 1
        for (Index lane = 0; lane < kLanes; ++lane)
          apply(first + i, lane, Input{conductance[i * kLanes + lane], current[i * kLanes + lane]});
    }
  }

  template <typename Body>
  HINESIGHT_FORMULA static void forEachOfBlock(Index items, const Body& body)
  {
    for (Index i = 0; i < items; ++i)
      body(i);
  }

  /// Calls body(crew): what the crew does, others need not wait for.
  template <typename Body>
  HINESIGHT_FORMULA void beside(Index, const Body& body) const
  {
    body(*this);
  }

  /// The same, where there is other work at the same time.
  template <typename Body>
  HINESIGHT_FORMULA static void forEachBeside(Index items, const Body& body)
  {
    forEachOfBlock(items, body);
  }

  /// Items from `next` on for which `isDue` holds; `next` becomes the first for which it does not.
  template <typename IsDue, typename Body>
  HINESIGHT_FORMULA static void forEachWhile(std::uint32_t& next, std::uint32_t end, const IsDue& isDue,
                                             const Body& body)
  {
    for (; next < end && isDue(next); ++next)
      body(next);
  }

  /// In a function of its own, where the compiler has all registers for it.
  template <typename Body>
  __attribute__((noinline)) static void apart(const Body& body)
  {
    body();
  }

  /// compute(channel, group, i, lane) and apply(group, i, lane, result) for all channels of groups `first` and later.
  template <typename Compute, typename Apply>
  HINESIGHT_FORMULA static void computeGroups(const ModelView& model, std::uint32_t first, const Compute& compute,
                                              const Apply& apply)
  {
    for (std::uint32_t g = first; g < model.groups; ++g) {
      const GroupView& group = model.group[g];
      visitGroup(group,
                 [&](const auto& channel) HINESIGHT_FORMULA_LAMBDA { computeGroup(channel, group, compute, apply); });
    }
  }

private:
  /// A function for each kind of channel: in one for all of them the compiler takes minutes.
  template <typename Channel, typename Compute, typename Apply>
  __attribute__((noinline)) static void computeGroup(const Channel& channel, const GroupView& group,
                                                     const Compute& compute, const Apply& apply)
  {
    inTurns(
        group.count, [&](Index i, Index lane) HINESIGHT_FORMULA_LAMBDA { return compute(channel, group, i, lane); },
        [&](Index i, Index lane, const Input& input) HINESIGHT_FORMULA_LAMBDA { apply(group, i, lane, input); });
  }
};

template <std::uint32_t kLanes>
void runLanes(const ModelView& model, const NodeArrays& nodes, const BlockView& block, const StepRules& rules,
              std::int64_t from, std::int64_t to)
{
  const CpuLanes<kLanes> lanes;
  if (rules.asNeuron)
    BlockStep<CpuLanes<kLanes>, true>(lanes, model, nodes, block, rules).run(from, to);
  else
    BlockStep<CpuLanes<kLanes>, false>(lanes, model, nodes, block, rules).run(from, to);
}

void makeStepEvents(const SynapseKind* kinds, const std::uint32_t* kindOf, const PendingEvent* events,
                    std::size_t count, const StepRules& rules, std::int64_t from, StepEvent* results)
{
  for (std::size_t k = 0; k < count; ++k)
    results[k] = stepEventOf(events[k], kinds[kindOf[events[k].synapse]], rules, from);
}

constexpr BlockRows kBlockRows = {&runLanes<1>, &runLanes<kCpuLanes>, &makeStepEvents};

} // namespace

} // namespace hinesight::simulation
