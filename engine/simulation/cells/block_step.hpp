#pragma once

#include "core/fixed/reciprocal.hpp"
#include "simulation/cells/views.hpp"
#include "simulation/network.hpp"

#include <type_traits>

// A step of a block of cells, written once for CPU and CUDA. `Lanes` says who does the work: it calls a body for items
// of the block, one after the other or by many threads, and waits between them. Everything here is inlined, because it
// is compiled several times for processors of different abilities.

/// Before a loop that goes round a few times: many copies of its body would only take time to be read.
#ifdef __CUDA_ARCH__
#define HINESIGHT_NO_UNROLL _Pragma("unroll 1")
#else
#define HINESIGHT_NO_UNROLL
#endif

namespace hinesight::simulation {

/// Calcium where no mechanism says it, and outside: mM (NEURON).
inline constexpr double kUsualCalcium = 5e-5;
inline constexpr double kCalciumOutside = 2;

/// What of an NMDA synapse magnesium (mM) lets open at a potential: Jahr and Stevens 1990.
HINESIGHT_FORMULA double unblockedPart(double v, double magnesium)
{
  return reciprocal(1 + fixedExp(-0.062 * v) * magnesium * (1 / 3.57));
}

/// A channel of a user's own that carries calcium, or does not.
template <bool kCalcium>
struct OwnChannel : cell::TableChannel
{
  static constexpr bool kCarriesCalcium = kCalcium;
};

/// Calls `visit` with an object of the channel's struct. Tables are of the CPU alone.
template <typename Group, typename Visit>
HINESIGHT_FORMULA void visitGroup(const Group& group, const Visit& visit)
{
#ifndef __CUDA_ARCH__
  if (group.table) {
    if (group.carrier == cell::Carrier::Calcium)
      visit(OwnChannel<true>{group.table->channel()});
    else
      visit(OwnChannel<false>{group.table->channel()});
    return;
  }
#endif
  cell::visitChannel(group.kind, visit);
}

/// kAsNeuron: in NEURON's order (StepRules::asNeuron).
template <typename Lanes, bool kAsNeuron>
class BlockStep
{
public:
  HINESIGHT_FORMULA BlockStep(const Lanes& by, const ModelView& of, const NodeArrays& nodes, const BlockView& block,
                              const StepRules& with)
      : lanes(by), model(of), n(nodes), b(block), rules(with), perStep((with.isHalf ? 2 : 1) / with.dt),
        hasTips(block.tips > 0)
  {}

  /// Steps `from` to `to` (not included). The states are at their start where `from` is 0.
  HINESIGHT_FORMULA void run(std::int64_t from, std::int64_t to) const
  {
    startLinks();
    if constexpr (!kAsNeuron)
      lanes.forEachBeside(lanes.count(),
                          [&](Index lane) HINESIGHT_FORMULA_LAMBDA { b.before[lane] = n.v[b.watched[lane]]; });
    std::uint32_t nextEvent = 0;
    for (std::int64_t step = from; step < to; ++step) {
      const double begin = static_cast<double>(step) * rules.dt;
      const auto relative = static_cast<std::uint32_t>(step - from);
      // Gates stand half a step before the potentials, but for NEURON's, which follow.
      const double gateStep = step == 0 ? rules.dt / 2 : rules.dt;
      if constexpr (kAsNeuron) {
        detectAtStart(begin);
        findInputs(step, relative, begin, nextEvent);
        addChannels<false>(0);
      } else {
        advanceCalcium(gateStep);
        findInputs(step, relative, begin, nextEvent);
        addChannels<true>(gateStep);
      }
      addInputs();
      contract();
      solveJunctions();
      expand();
      lanes.wait();
      if (hasTips)
        expandTips();
      if constexpr (kAsNeuron) {
        advanceCalcium(rules.dt);
        advanceChannels(rules.dt);
        decaySynapses();
        lanes.wait();
      } else {
        detectWithin(begin);
      }
      if (b.probes > 0) {
        record(relative);
        lanes.wait();
      }
    }
  }

private:
  /// Of places in memory: loops over wider ones become vector loops, a GPU is faster with narrower ones.
  using Index = typename Lanes::Index;

  HINESIGHT_FORMULA Index at(Index item, Index lane) const { return item * lanes.count() + lane; }

  HINESIGHT_FORMULA void advanceCalcium(double dt) const
  {
    if (model.pools == 0)
      return;
    lanes.forEach(model.pools, [&](Index k, Index lane) HINESIGHT_FORMULA_LAMBDA {
      const CalciumPool& pool = model.pool[k];
      const Index i = at(k, lane);
      const double target = pool.rest + pool.inflow * b.calciumCurrent[i] * pool.decay;
      b.calcium[i] = cell::relaxed(b.calcium[i], target, pool.decay, dt);
    });
    lanes.wait();
  }

  /// A row's capacitance and leak.
  HINESIGHT_FORMULA Input rowStart(const RowConstants& row, double v) const
  {
    const double inertia = perStep * row.capacitance;
    return {inertia + row.leak, fusedMultiplyAdd(inertia, v, row.leakCurrent)};
  }

  /// Which of a group's channels is on a node; -1: none.
  HINESIGHT_FORMULA std::int32_t channelOn(const GroupView& group, Index node) const
  {
    return group.count == model.nodes ? static_cast<std::int32_t>(node) : group.channel[node];
  }

  /// Whether all nodes are those of a squid axon, and no other channels are part of rows.
  HINESIGHT_FORMULA bool isSquidAxon() const
  {
    return model.rowGroups == 2 && model.group[0].kind == cell::ChannelKind::HhSodium &&
           model.group[1].kind == cell::ChannelKind::HhPotassium && model.group[0].count == model.nodes &&
           model.group[1].count == model.nodes;
  }

  /// Starts the rows of the system and adds channels to them, or, where they are on few nodes, makes them inputs. They
  /// are advanced by dt first.
  template <bool kAdvances>
  HINESIGHT_FORMULA void addChannels(double dt) const
  {
    const bool areAxonRows = isSquidAxon();
    if (areAxonRows) {
      lanes.apart([&]() HINESIGHT_FORMULA_LAMBDA { makeAxonRows<kAdvances>(dt); });
    } else if constexpr (!Lanes::kByNode) {
      lanes.forEach(model.nodes, [&](Index node, Index lane) HINESIGHT_FORMULA_LAMBDA {
        const Index i = at(node, lane);
        setRow(i, rowStart(model.rows[node], n.v[i]));
      });
    } else if (model.rowGroups == 0) {
      makeLeakRows();
    } else {
      lanes.forEach(model.nodes, [&](Index node, Index lane) HINESIGHT_FORMULA_LAMBDA {
        setRow(at(node, lane), makeRow<kAdvances>(node, lane, dt));
      });
    }
    lanes.computeGroups(
        model, Lanes::kByNode || areAxonRows ? model.rowGroups : 0,
        [this, dt](const auto& channel, const GroupView& group, Index i, Index lane) HINESIGHT_FORMULA_LAMBDA {
          return runChannel<kAdvances, true>(channel, group, i, lane, n.v[at(group.node[i], lane)], dt);
        },
        [&](const GroupView& group, Index i, Index lane, const Input& input) HINESIGHT_FORMULA_LAMBDA {
          if (!Lanes::kByNode && group.channel) {
            addTo(at(group.node[i], lane), input);
          } else {
            const Index place = at(group.firstInput + i, lane);
            b.inputConductance[place] = input.conductance;
            b.inputCurrent[place] = input.current;
          }
        });
  }

  HINESIGHT_FORMULA void setRow(Index i, const Input& row) const
  {
    n.upper[i] = row.conductance;
    n.right[i] = row.current;
  }
  HINESIGHT_FORMULA void addTo(Index i, const Input& input) const
  {
    n.upper[i] += input.conductance;
    n.right[i] += input.current;
  }

  /// A row with the channels that are part of it.
  template <bool kAdvances>
  HINESIGHT_FORMULA Input makeRow(Index node, Index lane, double dt) const
  {
    const double v = n.v[at(node, lane)];
    Input sum = rowStart(model.rows[node], v);
    for (std::uint32_t g = 0; g < model.rowGroups; ++g) {
      const GroupView& group = model.group[g];
      const std::int32_t i = channelOn(group, node);
      if (i < 0)
        continue;
      lanes.visit(group, [&](const auto& channel) HINESIGHT_FORMULA_LAMBDA {
        const Input input = runChannel<kAdvances, true>(channel, group, static_cast<Index>(i), lane, v, dt);
        sum.conductance += input.conductance;
        sum.current += input.current;
      });
    }
    return sum;
  }

  /// The same where no channels are part of rows, four at once: what a row waits for is memory.
  HINESIGHT_FORMULA void makeLeakRows() const
  {
    lanes.template forSeveral<4>(model.nodes * lanes.count(), [&](const Index(&item)[4]) HINESIGHT_FORMULA_LAMBDA {
      Input row[4];
      for (int k = 0; k < 4; ++k)
        row[k] = rowStart(model.rows[lanes.itemOf(item[k])], n.v[item[k]]);
      for (int k = 0; k < 4; ++k)
        setRow(item[k], row[k]);
    });
  }

  /// The same for all rows of a squid axon.
  template <bool kAdvances>
  HINESIGHT_FORMULA void makeAxonRows(double dt) const
  {
    const GroupView sodium = model.group[0], potassium = model.group[1];
    const Index items = model.nodes * lanes.count();
    double* const m = n.states + sodium.firstState * lanes.count();
    double* const h = m + items;
    double* const k = n.states + potassium.firstState * lanes.count();
    lanes.forEach(model.nodes, [&](Index node, Index lane) HINESIGHT_FORMULA_LAMBDA {
      const Index i = at(node, lane);
      const double v = n.v[i];
      double gates[3] = {m[i], h[i], k[i]};
      const cell::States ofSodium{&gates[0], 1}, ofPotassium{&gates[2], 1};
      if constexpr (kAdvances) {
        cell::channels::HhSodium::advance(v, dt, {}, rules.temperature, {}, ofSodium);
        cell::channels::HhPotassium::advance(v, dt, {}, rules.temperature, {}, ofPotassium);
        m[i] = gates[0];
        h[i] = gates[1];
        k[i] = gates[2];
      }
      const double sodiumOpen =
          sodium.conductance[node] * cell::channels::HhSodium::open(v, {}, rules.temperature, {}, ofSodium);
      const double potassiumOpen =
          potassium.conductance[node] * cell::channels::HhPotassium::open(v, {}, rules.temperature, {}, ofPotassium);
      Input row = rowStart(model.rows[node], v);
      row.conductance = row.conductance + sodiumOpen + potassiumOpen;
      row.current = row.current + sodiumOpen * sodium.reversal[node] + potassiumOpen * potassium.reversal[node];
      setRow(i, row);
    });
  }

  HINESIGHT_FORMULA void advanceChannels(double dt) const
  {
    lanes.computeGroups(
        model, 0,
        [this, dt](const auto& channel, const GroupView& group, Index i, Index lane) HINESIGHT_FORMULA_LAMBDA {
          return runChannel<true, false>(channel, group, i, lane, n.v[at(group.node[i], lane)], dt);
        },
        [](const GroupView&, Index, Index, const Input&) HINESIGHT_FORMULA_LAMBDA {});
  }

  /// Advances a channel by dt, or finds its conductance and current, or both.
  template <bool kAdvances, bool kAdds, typename Channel>
  HINESIGHT_FORMULA Input runChannel(const Channel& channel, const GroupView& group, Index i, Index lane, double v,
                                     double dt) const
  {
    const std::int32_t pool = model.pools > 0 ? group.pool[i] : -1;
    const cell::Local local{pool < 0 ? kUsualCalcium : b.calcium[at(static_cast<Index>(pool), lane)]};
    const cell::Parameters p{group.parameters + i, group.count};
    const cell::States s{n.states + at(group.firstState + i, lane), group.count * lanes.count()};
    if constexpr (kAdvances)
      channel.advance(v, dt, local, rules.temperature, p, s);
    if constexpr (!kAdds)
      return {};
    double reversal = group.reversal[i];
    if constexpr (Channel::kCarriesCalcium)
      if (pool >= 0)
        reversal = rules.temperature.nernst * fixedLog(kCalciumOutside / local.cai);
    const double open = group.conductance[i] * channel.open(v, local, rules.temperature, p, s);
    Input input = {open, open * reversal};
    if constexpr (Channel::kOpensAtOnce || Channel::kCarriesCalcium) {
      const double current = open * (v - reversal);
      if constexpr (Channel::kOpensAtOnce && kAsNeuron) { // the slope of what opens at once
        constexpr double kSlopeStep = 0.001;              // mV
        const double there = v + kSlopeStep;
        const double openThere = group.conductance[i] * channel.open(there, local, rules.temperature, p, s);
        const double slope = (openThere * (there - reversal) - current) / kSlopeStep;
        input = {slope, slope * v - current};
      }
      if constexpr (Channel::kCarriesCalcium)
        b.channelCurrent[at(group.firstCurrent + i, lane)] = current;
    }
    return input;
  }

  HINESIGHT_FORMULA void decaySynapses() const
  {
    lanes.forEachOfBlock(b.synapses, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
      const SynapseKind& kind = b.kinds[b.kindOf[k]];
      b.rising[k] *= kind.left1;
      b.falling[k] *= kind.left2;
    });
  }

  template <typename Crew>
  HINESIGHT_FORMULA void takeEvents(const Crew& crew, std::uint32_t relative, std::uint32_t& next) const
  {
    crew.forEachWhile(
        next, b.events, [&](Index k) HINESIGHT_FORMULA_LAMBDA { return b.event[k].step == relative; },
        [&](std::uint32_t first) HINESIGHT_FORMULA_LAMBDA {
          // The first event of a synapse takes those that follow, so that they add up in their order.
          const std::uint32_t synapse = b.event[first].synapse;
          if (first > 0 && b.event[first - 1].step == relative && b.event[first - 1].synapse == synapse)
            return;
          for (std::uint32_t k = first; k < b.events && b.event[k].step == relative && b.event[k].synapse == synapse;
               ++k) {
            b.rising[synapse] += b.event[k].rising;
            b.falling[synapse] += b.event[k].falling;
            b.mean[synapse] += b.event[k].mean;
          }
        });
  }

  /// What a synapse adds, by its mean conductance in the step.
  HINESIGHT_FORMULA void setInput(Index synapse, const SynapseKind& kind, double mean) const
  {
    const double open = kind.magnesium > 0 ? mean * unblockedPart(n.v[b.synapseTarget[synapse]], kind.magnesium) : mean;
    b.inputConductance[b.channelInputs + synapse] = open;
    b.inputCurrent[b.channelInputs + synapse] = open * kind.reversal;
  }

  /// Finds what synapses and point sources add. Others may do other work at the same time.
  HINESIGHT_FORMULA void findInputs(std::int64_t step, std::uint32_t relative, double begin,
                                    std::uint32_t& nextEvent) const
  {
    lanes.beside(b.synapses, [&](const auto& crew) HINESIGHT_FORMULA_LAMBDA {
      const bool areDue = nextEvent < b.events && b.event[nextEvent].step == relative;
      crew.forEachOfBlock(b.synapses, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
        const SynapseKind& kind = b.kinds[b.kindOf[k]];
        const double rising = b.rising[k], falling = b.falling[k];
        const double mean = kAsNeuron ? falling - rising : falling * kind.mean2 - rising * kind.mean1;
        if constexpr (!kAsNeuron) {
          b.rising[k] = rising * kind.left1;
          b.falling[k] = falling * kind.left2;
        }
        if (areDue)
          b.mean[k] = mean;
        else
          setInput(k, kind, mean);
      });
      if (!areDue)
        return;
      crew.wait();
      takeEvents(crew, relative, nextEvent);
      crew.wait();
      crew.forEachOfBlock(b.synapses, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
        setInput(k, b.kinds[b.kindOf[k]], kAsNeuron ? b.falling[k] - b.rising[k] : b.mean[k]);
      });
    });
    lanes.forEachBeside(b.pointSources, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
      const Input input = inputOf(b.pointSource[k], b.clampLevels, step, begin, rules.dt, kAsNeuron, rules.stimuli);
      b.inputConductance[b.channelInputs + b.synapses + k] = input.conductance;
      b.inputCurrent[b.channelInputs + b.synapses + k] = input.current;
    });
  }

  /// Adds channels of few nodes, synapses and point sources to the rows of their targets.
  HINESIGHT_FORMULA void addInputs() const
  {
    lanes.wait();
    if (b.inputTargets == 0)
      return;
    lanes.forEachOfBlock(b.inputTargets, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
      Input sum = {0, 0};
      for (std::uint32_t i = b.firstInput[k]; i < b.firstInput[k + 1]; ++i) {
        sum.conductance += b.inputConductance[b.inputOrder[i]];
        sum.current += b.inputCurrent[b.inputOrder[i]];
      }
      const Index target = b.inputTarget[k];
      if (hasTips && target >= model.nodes * lanes.count())
        setRow(target, sum); // of a bare tip
      else
        addTo(target, sum);
    });
    lanes.wait();
    if (hasTips)
      contractTips();
  }

  /// Eliminates bare tips: a parent has one at most.
  HINESIGHT_FORMULA void contractTips() const
  {
    lanes.forEachOfBlock(b.tips, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
      const BareTip& tip = b.tip[k];
      const double sum = n.upper[tip.target], right = n.right[tip.target];
      const double inverse = reciprocal(sum + tip.coupling);
      const double factor = tip.coupling * inverse;
      addTo(tip.parent, {factor * sum, factor * right});
      n.upper[tip.target] = factor;
      n.right[tip.target] = inverse * right;
      n.lower[tip.target] = n.v[tip.parent];
    });
    lanes.wait();
  }

  /// Their potentials, when those of their parents are known.
  HINESIGHT_FORMULA void expandTips() const
  {
    lanes.forEachOfBlock(b.tips, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
      const BareTip& tip = b.tip[k];
      const double after = n.v[tip.parent];
      const double above = rules.isHalf ? 0.5 * (after + n.lower[tip.target]) : after;
      moveTo(tip.target, fusedMultiplyAdd(n.upper[tip.target], above, n.right[tip.target]));
    });
    lanes.wait();
  }

  /// What has been eliminated of pieces side by side.
  template <Index kAtOnce>
  struct Eliminated
  {
    double factor[kAtOnce];                      ///< of `up`, of the last node
    double sum[kAtOnce], right[kAtOnce];         ///< of the last node
    double link[kAtOnce];                        ///< coupling between what is above and `below`
    double downSum[kAtOnce], downRight[kAtOnce]; ///< what all pass on to `below`
  };

  /// Eliminates the inside of all pieces. Sums of rows stand in place of diagonals: all terms are positive, so that
  /// nothing cancels.
  HINESIGHT_FORMULA void contract() const
  {
    lanes.forPieces(model, [&](Index first, std::uint32_t nodes, const auto& side) HINESIGHT_FORMULA_LAMBDA {
      Eliminated<Lanes::kAtOnce> e;
      side.all([&](Index k, const Piece& piece, Index) HINESIGHT_FORMULA_LAMBDA {
        e.link[k] = piece.hasBelow != 0 ? model.rows[model.pieceNodes + piece.below].coupling : 0.0;
      });
      const auto eliminate = [&](auto isLowest, std::uint32_t rank) HINESIGHT_FORMULA_LAMBDA {
        const Index firstOfRank = model.firstOfRank[rank];
        side.ofRank(firstOfRank, model.firstOfRank[rank + 1], [&](Index k, Index node) HINESIGHT_FORMULA_LAMBDA {
          const Index i = firstOfRank * lanes.count() + first + k;
          double sum = n.upper[i], right = n.right[i];
          if constexpr (!decltype(isLowest)::value) {
            sum = fusedMultiplyAdd(e.factor[k], e.sum[k], sum);
            right = fusedMultiplyAdd(e.factor[k], e.right[k], right);
          }
          const double up = model.rows[node].coupling, down = e.link[k];
          const double inverse = reciprocal(sum + (up + down));
          const double factor = up * inverse, lower = down * inverse;
          e.factor[k] = factor;
          e.sum[k] = sum;
          e.right[k] = right;
          e.link[k] = factor * down;
          if constexpr (decltype(isLowest)::value) {
            e.downSum[k] = lower * sum;
            e.downRight[k] = lower * right;
          } else {
            e.downSum[k] = fusedMultiplyAdd(lower, sum, e.downSum[k]);
            e.downRight[k] = fusedMultiplyAdd(lower, right, e.downRight[k]);
          }
          n.right[i] = inverse * right;
          n.upper[i] = factor;
          n.lower[i] = lower;
        });
      };
      eliminate(std::true_type(), 0);
      for (std::uint32_t rank = 1; rank < nodes; ++rank)
        eliminate(std::false_type(), rank);
      side.all([&](Index k, const Piece& piece, Index lane) HINESIGHT_FORMULA_LAMBDA {
        n.slotSum[at(piece.upSlot, lane)] = e.factor[k] * e.sum[k];
        n.slotRight[at(piece.upSlot, lane)] = e.factor[k] * e.right[k];
      });
      side.all([&](Index k, const Piece& piece, Index lane) HINESIGHT_FORMULA_LAMBDA {
        if (piece.hasBelow == 0)
          return;
        n.slotSum[at(piece.downSlot, lane)] = e.downSum[k];
        n.slotRight[at(piece.downSlot, lane)] = e.downRight[k];
        n.link[at(piece.below, lane)] = e.link[k];
      });
    });
    lanes.wait();
    if (model.pools > 0)
      lanes.forEach(model.pools, [&](Index k, Index lane) HINESIGHT_FORMULA_LAMBDA {
        double current = 0;
        for (std::uint32_t i = model.firstCurrentOf[k]; i < model.firstCurrentOf[k + 1]; ++i)
          current += b.channelCurrent[at(model.currentOf[i], lane)];
        b.calciumCurrent[at(k, lane)] = current;
      });
  }

  HINESIGHT_FORMULA Index ofJunction(Index junction, Index lane) const { return at(model.pieceNodes + junction, lane); }

  /// Links at the numbers of junctions: of those that no piece is above they stay.
  HINESIGHT_FORMULA void startLinks() const
  {
    lanes.forEach(model.nodes - model.pieceNodes, [&](Index junction, Index lane) HINESIGHT_FORMULA_LAMBDA {
      n.link[at(junction, lane)] = model.rows[model.pieceNodes + junction].coupling;
    });
  }

  /// Eliminates the junctions and finds their potentials.
  HINESIGHT_FORMULA void solveJunctions() const
  {
    if constexpr (Lanes::kByNode)
      solveByThreads();
    else
      lanes.forRounds(
          model,
          [&](Index junction, const EliminationItem& item, const auto& each) HINESIGHT_FORMULA_LAMBDA {
            for (std::uint32_t slot = item.first; slot < item.first + item.count; ++slot)
              each([&](Index lane) HINESIGHT_FORMULA_LAMBDA {
                const Index i = ofJunction(junction, lane);
                addSlot(slot, lane, n.upper[i], n.right[i]);
              });
            each([&](Index lane) HINESIGHT_FORMULA_LAMBDA {
              const Index i = ofJunction(junction, lane);
              store(i, eliminated(junction, item, lane, {n.upper[i], n.right[i]}, model.nodes - model.pieceNodes));
            });
          },
          [&](Index junction, const EliminationItem& item, const auto& each) HINESIGHT_FORMULA_LAMBDA {
            each([&](Index lane) HINESIGHT_FORMULA_LAMBDA {
              const Index i = ofJunction(junction, lane);
              n.right[i] = substituted({n.right[i], n.upper[i], n.lower[i]}, item, lane);
            });
          });
  }

  HINESIGHT_FORMULA void addSlot(Index slot, Index lane, double& conductance, double& current) const
  {
    conductance += n.slotSum[at(slot, lane)];
    current += n.slotRight[at(slot, lane)];
  }

  /// What is left of a junction's row.
  struct Solved
  {
    double right;        ///< times the inverse; of the root it is the potential
    double upper, lower; ///< factors of `up` and `below`
  };
  HINESIGHT_FORMULA void store(Index i, const Solved& solved) const
  {
    n.right[i] = solved.right;
    n.upper[i] = solved.upper;
    n.lower[i] = solved.lower;
  }

  /// Eliminates a junction: its neighbours get their parts.
  HINESIGHT_FORMULA Solved eliminated(Index junction, const EliminationItem& item, Index lane, const Input& row,
                                      Index junctions) const
  {
    const bool isLeaf = item.below == junction;
    const double up = n.link[at(item.upLink, lane)];
    const double below = n.link[at(item.downLink, lane)]; // of a leaf the same
    const double down = isLeaf ? 0.0 : below;
    const double inverse = reciprocal(row.conductance + (up + down));
    const double factor = up * inverse, lower = down * inverse;
    if (item.up != junction) {
      n.slotSum[at(item.upSlot, lane)] = factor * row.conductance;
      n.slotRight[at(item.upSlot, lane)] = factor * row.current;
    }
    if (!isLeaf) {
      n.slotSum[at(item.downSlot, lane)] = lower * row.conductance;
      n.slotRight[at(item.downSlot, lane)] = lower * row.current;
      n.link[at(junctions + junction, lane)] = factor * down;
    }
    return {inverse * row.current, factor, lower};
  }

  /// The potential of a junction.
  HINESIGHT_FORMULA double substituted(const Solved& solved, const EliminationItem& item, Index lane) const
  {
    return substituted(solved, n.right[ofJunction(item.up, lane)], n.right[ofJunction(item.below, lane)]);
  }
  HINESIGHT_FORMULA static double substituted(const Solved& solved, double above, double below)
  {
    return fusedMultiplyAdd(solved.lower, below, fusedMultiplyAdd(solved.upper, above, solved.right));
  }

  /// The same by many threads. In each round all junctions that are left add what has come since the last one, so that
  /// little is to be added at their turn. From where there is a thread for each that is left it keeps its row in
  /// registers; from where one warp is enough that goes on alone.
  HINESIGHT_FORMULA void solveByThreads() const
  {
    const Index junctions = model.nodes - model.pieceNodes, last = model.rounds - 1;
    const Index inRegisters = b.inRegisters;
    for (Index round = 0; round < inRegisters; ++round) {
      const Index left = (junctions - model.round[round].first) * lanes.count();
      for (Index i = lanes.thread(); i < left; i += lanes.threads())
        addOrEliminate(round, junctions - 1 - lanes.itemOf(i), lanes.laneOf(i));
      lanes.wait();
    }
    if (inRegisters <= last)
      solveInRegisters(inRegisters, b.alone, junctions, last);
    for (Index round = inRegisters < last ? inRegisters : last; round-- > 0;) {
      const EliminationRound ofRound = model.round[round];
      for (Index i = lanes.thread(); i < ofRound.items * lanes.count(); i += lanes.threads()) {
        const Index junction = ofRound.first + lanes.itemOf(i), lane = lanes.laneOf(i);
        const Index place = ofJunction(junction, lane);
        n.right[place] = substituted({n.right[place], n.upper[place], n.lower[place]}, model.items[junction], lane);
      }
      lanes.wait();
    }
  }

  HINESIGHT_FORMULA void addOrEliminate(Index round, Index junction, Index lane) const
  {
    const EliminationItem item = model.items[junction];
    const Index i = ofJunction(junction, lane);
    const Index begin = round == 0 ? item.first : model.slotEnds[item.ends + round - 1];
    const Input row = addSlots(begin, model.slotEnds[item.ends + round], lane, {n.upper[i], n.right[i]});
    if (item.turn == round)
      store(i, eliminated(junction, item, lane, row, model.nodes - model.pieceNodes));
    else
      setRow(i, row);
  }

  /// All rounds from `first` on, in which there is a thread for each junction that is left, and back; from `alone` on
  /// by one warp. The last junctions to be eliminated have the first threads.
  HINESIGHT_FORMULA void solveInRegisters(Index first, Index alone, Index junctions, Index last) const
  {
    const Index thread = lanes.thread();
    const bool isMine = lanes.itemOf(thread) < junctions;
    const Index junction = junctions - 1 - (isMine ? lanes.itemOf(thread) : 0), lane = lanes.laneOf(thread);
    const EliminationItem item = model.items[junction];
    const int turn = isMine ? static_cast<int>(item.turn) : -1; // of those that went before, less than `first`
    const std::uint32_t* const ends = model.slotEnds + item.ends;
    const Index place = ofJunction(junction, lane);
    const double* const above = n.right + ofJunction(item.up, lane);
    const double* const below = n.right + ofJunction(item.below, lane);
    Input row = {0, 0};
    if (isMine)
      row = {n.upper[place], n.right[place]};
    Solved solved = {0, 0, 0};
    Index slot = first == 0 ? item.first : ends[first - 1];
    Index nextEnd = ends[first];
    const auto forward = [&](Index round) HINESIGHT_FORMULA_LAMBDA {
      if (static_cast<int>(round) > turn)
        return;
      const Index end = nextEnd;
      nextEnd = ends[round + 1]; // at the turn of no use
      row = addSlots(slot, end, lane, row);
      slot = end;
      if (static_cast<int>(round) == turn) {
        solved = eliminated(junction, item, lane, row, junctions);
        if (round == last)
          n.right[place] = solved.right;
      }
    };
    const auto back = [&](Index round) HINESIGHT_FORMULA_LAMBDA {
      if (static_cast<int>(round) == turn)
        n.right[place] = substituted(solved, *above, *below);
    };
    HINESIGHT_NO_UNROLL
    for (Index round = first; round < alone; ++round) {
      forward(round);
      lanes.wait();
    }
    if (thread < Lanes::kWarp) {
      HINESIGHT_NO_UNROLL
      for (Index round = alone; round < last; ++round) {
        forward(round);
        lanes.waitForWarp();
      }
      if (alone <= last)
        forward(last);
      HINESIGHT_NO_UNROLL
      for (Index round = last; round-- > alone;) {
        lanes.waitForWarp();
        back(round);
      }
    }
    HINESIGHT_NO_UNROLL
    for (Index round = alone < last ? alone : last; round-- > first;) {
      lanes.wait();
      back(round);
    }
    lanes.wait();
  }

  /// Adds slots to a row, two at once: what a sum waits for is memory.
  HINESIGHT_FORMULA Input addSlots(Index begin, Index end, Index lane, Input row) const
  {
    HINESIGHT_NO_UNROLL
    for (Index slot = begin; slot < end; slot += 2) {
      const bool areTwo = slot + 1 < end;
      const Index one = at(slot, lane), other = areTwo ? one + lanes.count() : one;
      const Input passed[2] = {{n.slotSum[one], n.slotRight[one]}, {n.slotSum[other], n.slotRight[other]}};
      row.conductance += passed[0].conductance;
      row.current += passed[0].current;
      row.conductance = areTwo ? row.conductance + passed[1].conductance : row.conductance;
      row.current = areTwo ? row.current + passed[1].current : row.current;
    }
    return row;
  }

  /// Potentials at the end of the step: of the junctions, then of pieces from their upper ends to their lower ones.
  HINESIGHT_FORMULA void expand() const
  {
    lanes.forPieces(model, [&](Index first, std::uint32_t nodes, const auto& side) HINESIGHT_FORMULA_LAMBDA {
      double above[Lanes::kAtOnce], below[Lanes::kAtOnce];
      side.all([&](Index k, const Piece& piece, Index lane) HINESIGHT_FORMULA_LAMBDA {
        above[k] = n.right[ofJunction(piece.up, lane)];
        below[k] = n.right[ofJunction(piece.below, lane)];
      });
      for (std::uint32_t rank = nodes; rank-- > 0;) {
        const Index firstOfRank = model.firstOfRank[rank];
        side.ofRank(firstOfRank, model.firstOfRank[rank + 1], [&](Index k, Index) HINESIGHT_FORMULA_LAMBDA {
          const Index i = firstOfRank * lanes.count() + first + k;
          above[k] = fusedMultiplyAdd(n.lower[i], below[k], fusedMultiplyAdd(n.upper[i], above[k], n.right[i]));
          moveTo(i, above[k]);
        });
      }
    });
    lanes.forEach(model.nodes - model.pieceNodes, [&](Index junction, Index lane) HINESIGHT_FORMULA_LAMBDA {
      const Index i = ofJunction(junction, lane);
      moveTo(i, n.right[i]);
    });
  }

  /// `solved` is the potential at the end of the step, or in its middle.
  HINESIGHT_FORMULA void moveTo(Index i, double solved) const
  {
    n.v[i] = rules.isHalf ? fusedMultiplyAdd(2.0, solved, -n.v[i]) : solved;
  }

  HINESIGHT_FORMULA void addSpike(Index lane, double time) const
  {
    b.spikeTimes[lane * b.spikeSlots + b.spikes[lane]] = time;
    ++b.spikes[lane];
  }

  /// NEURON: a spike counts at the end of the step that crossed the threshold.
  HINESIGHT_FORMULA void detectAtStart(double begin) const
  {
    lanes.forEachOfBlock(lanes.count(), [&](Index lane) HINESIGHT_FORMULA_LAMBDA {
      const bool isNowAbove = n.v[b.watched[lane]] >= b.threshold[lane];
      if (isNowAbove && b.isAbove[lane] == 0)
        addSpike(lane, begin);
      b.isAbove[lane] = isNowAbove ? 1 : 0;
    });
  }

  /// A spike is where the line between two potentials crosses the threshold.
  HINESIGHT_FORMULA void detectWithin(double begin) const
  {
    lanes.forEachBeside(lanes.count(), [&](Index lane) HINESIGHT_FORMULA_LAMBDA {
      const double now = n.v[b.watched[lane]];
      const double before = b.before[lane];
      const bool isNowAbove = now >= b.threshold[lane];
      if (isNowAbove && b.isAbove[lane] == 0)
        addSpike(lane, begin + rules.dt * (b.threshold[lane] - before) / (now - before));
      b.isAbove[lane] = isNowAbove ? 1 : 0;
      b.before[lane] = now;
    });
  }

  HINESIGHT_FORMULA void record(std::uint32_t relative) const
  {
    lanes.forEachOfBlock(b.probes, [&](Index k) HINESIGHT_FORMULA_LAMBDA {
      b.records[std::size_t{k} * b.recordStride + relative] = valueOf(b.probe[k]);
    });
  }

  HINESIGHT_FORMULA double valueOf(const ProbeView& probe) const
  {
    const double v = n.v[probe.target];
    switch (probe.quantity) {
    case Quantity::Calcium:
      return probe.index == kNothing ? 0 : b.calcium[probe.index];
    case Quantity::State:
      return probe.index == kNothing ? 0 : n.states[probe.index];
    case Quantity::MembraneCurrent: {
      double current = probe.parent == kNothing ? 0 : probe.coupling * (n.v[probe.parent] - v);
      for (std::uint32_t k = probe.firstChild; k < probe.lastChild; ++k)
        current += b.probedChild[k].coupling * (n.v[b.probedChild[k].target] - v);
      return current;
    }
    case Quantity::ClampCurrent: {
      if (probe.index == kNothing)
        return 0;
      const PointSource& clamp = b.pointSource[probe.index];
      return clamp.isOn ? clamp.amplitude * (clamp.value - v) : 0;
    }
    case Quantity::Potential:
      break;
    }
    return v;
  }

  const Lanes& lanes;
  const ModelView& model;
  const NodeArrays n;
  const BlockView& b;
  const StepRules& rules;
  const double perStep; ///< of a capacitance, 1/ms
  const bool hasTips;
};

} // namespace hinesight::simulation
