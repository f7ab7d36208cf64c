#include "core/philox.hpp"
#include "simulated_cells.hpp"
#include "simulation/cells/elimination.hpp"
#include "simulation/compiled_cell.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace hinesight;
using namespace hinesight::simulation;

namespace {

using Parents = std::vector<std::int32_t>;

/// A parent of each node below it: `reach` of 1 makes a chain, a large one a bush.
Parents randomTree(std::size_t nodes, std::uint32_t reach, std::uint32_t seed)
{
  Parents parent = {-1};
  for (std::uint32_t node = 1; node < nodes; ++node) {
    const auto back = static_cast<std::uint32_t>(randomUniform(seed, node, 0, 0) * reach) + 1;
    parent.push_back(static_cast<std::int32_t>(node - std::min(back, node)));
  }
  return parent;
}

std::vector<Parents> trees()
{
  std::vector<Parents> all = {{-1}, {-1, 0}, Parents(300, 0)}; // a star
  all.back().front() = -1;
  constexpr std::uint32_t kMost = EliminationPlan::kLongestPiece;
  for (const std::uint32_t length : {kMost, kMost + 1, kMost + 2, 2 * kMost + 1, 2 * kMost + 2, 1000u})
    all.push_back(randomTree(length, 1, 0)); // chains about the lengths at which they are cut
  for (std::uint32_t seed = 0; seed < 12; ++seed)
    all.push_back(randomTree(2 + 40 * seed, 1 + seed % 4, seed));
  all.push_back(randomTree(500, 400, 1));
  return all;
}

} // namespace

/// In which order the systems of cells are eliminated, and whether that solves them.
class TestElimination : public QObject
{
  Q_OBJECT

private slots:
  /// Every node is in one piece or is a junction; a piece is a run between its junctions; slots are taken once.
  void piecesAndJunctionsAreTheTree()
  {
    for (const Parents& parent : trees()) {
      const EliminationPlan plan(parent);
      std::vector<std::uint32_t> sorted = plan.nodeAt;
      std::ranges::sort(sorted);
      for (std::uint32_t node = 0; node < parent.size(); ++node) {
        QCOMPARE(sorted[node], node);
        QCOMPARE(plan.nodeAt[plan.placeOf[node]], node);
      }
      const auto nodeOfJunction = [&](std::uint32_t junction) { return plan.nodeAt[plan.pieceNodes() + junction]; };
      std::set<std::uint32_t> taken;
      std::size_t nodes = plan.items.size();
      for (std::uint32_t p = 0; p < plan.pieces.size(); ++p) {
        const Piece& piece = plan.pieces[p];
        QVERIFY(piece.nodes >= 1 && piece.nodes <= EliminationPlan::kLongestPiece);
        QVERIFY(p == 0 || plan.pieces[p - 1].nodes >= piece.nodes);
        nodes += piece.nodes;
        if (piece.hasBelow) {
          QCOMPARE(parent[nodeOfJunction(piece.below)], static_cast<std::int32_t>(plan.nodeAt[p]));
          QVERIFY(taken.insert(piece.downSlot).second);
        }
        for (std::uint32_t rank = 0; rank < piece.nodes; ++rank) {
          const bool isHighest = rank + 1 == piece.nodes;
          const std::uint32_t above =
              isHighest ? nodeOfJunction(piece.up) : plan.nodeAt[plan.firstOfRank[rank + 1] + p];
          QCOMPARE(parent[plan.nodeAt[plan.firstOfRank[rank] + p]], static_cast<std::int32_t>(above));
        }
        QVERIFY(taken.insert(piece.upSlot).second);
      }
      for (std::uint32_t k = 0; k + 1 < plan.items.size(); ++k) {
        const EliminationItem& item = plan.items[k];
        QVERIFY(item.up > k && item.below >= k);
        QVERIFY(taken.insert(item.upSlot).second);
        if (item.below != k)
          QVERIFY(taken.insert(item.downSlot).second);
      }
      QCOMPARE(nodes, parent.size());
      QCOMPARE(taken.size(), std::size_t{plan.slotCount});
    }
  }

  /// What a junction may add in a round has been passed on before, and all of it at its turn.
  void slotsAreFilledInTheirOrder()
  {
    for (const Parents& parent : trees()) {
      const EliminationPlan plan(parent);
      std::vector<std::uint32_t> filledIn(plan.slotCount, 0); // rounds after that
      for (std::uint32_t k = 0; k < plan.items.size(); ++k) {
        const EliminationItem& item = plan.items[k];
        const EliminationRound& round = plan.rounds[item.turn];
        QVERIFY(k >= round.first && k < round.first + round.items);
        if (k + 1 == plan.items.size())
          break;
        filledIn[item.upSlot] = item.turn + 1;
        if (item.below != k)
          filledIn[item.downSlot] = item.turn + 1;
      }
      for (const EliminationItem& item : plan.items) {
        std::uint32_t begin = item.first;
        for (std::uint32_t round = 0; round <= item.turn; ++round) {
          const std::uint32_t end = plan.slotEnds[item.ends + round];
          for (; begin < end; ++begin)
            QCOMPARE(filledIn[begin], round);
          QCOMPARE(begin, end);
        }
        QCOMPARE(begin, item.first + item.count);
      }
    }
  }

  /// Whichever densities they come from: where a group is on all nodes, a node's place is its channel's number.
  void channelsOfAGroupAreInTheOrderOfPlaces()
  {
    cell::Density there = samples::hh();
    there.type = morphology::kBasalDendrite;
    there.parameters[0] = 0.05; // S/cm2
    const auto model = samples::dendrites(100, 1, {samples::hh(), there});
    model->cut.sections.push_back({.type = morphology::kBasalDendrite});
    for (std::size_t node = 1; node < model->cut.nodes(); node += 2)
      model->cut.section[node] = 1;
    const CompiledCell compiled(*model, cell::temperatureOf(6.3));
    QCOMPARE(compiled.channels.size(), std::size_t{2});
    const ChannelGroup& sodium = compiled.channels.front();
    QCOMPARE(sodium.size(), model->cut.nodes());
    for (const cell::Density& density : model->biophysics.densities)
      cell::forEachPart(*model, density, [&](std::size_t node, double area) {
        const std::uint32_t place = compiled.placeOf(static_cast<std::int32_t>(node));
        QCOMPARE(sodium.node[place], place);
        const double expected = density.parameters[0] * area * model->cut.area[node] * 1e-2; // uS
        QVERIFY(std::abs(sodium.conductance[place] - expected) <= 1e-12 * expected);
      });
  }

  /// Steps of passive cells give the potentials that sweeps from the tips to the root and back give.
  void stepsSolveTheirSystems()
  {
    for (const Parents& parent : trees()) {
      const auto model = passiveCell(parent);
      const Currents currents = {{static_cast<std::int32_t>(parent.size() / 2), 0.3}};
      // One cell, and so many that they stand side by side.
      for (const std::size_t cells : {std::size_t{1}, std::size_t{9}})
        comparePotentials(*model, Scheme::BackwardEuler, currents,
                          simulated(model, cells, Scheme::BackwardEuler, currents));
    }
  }

  /// Ends of branches without area are no part of a cell's system, but those that have inputs.
  void bareTipsAreSolvedApart()
  {
    for (const Parents& parent : trees()) {
      const auto model = passiveCell(parent);
      Currents currents;
      for (const std::int32_t leaf : leavesOf(parent)) {
        model->cut.area[static_cast<std::size_t>(leaf)] = 0;
        if (leaf % 3 == 0)
          currents.push_back({leaf, 0.02});
      }
      const CompiledCell compiled(*model, cell::temperatureOf(6.3));
      std::set<std::int32_t> parentsOfTips;
      for (std::uint32_t node = 0; node < parent.size(); ++node) {
        QCOMPARE(compiled.nodeAt[compiled.placeOf(static_cast<std::int32_t>(node))], node);
        if (compiled.isBareTip(compiled.placeOf(static_cast<std::int32_t>(node))))
          QVERIFY(parentsOfTips.insert(parent[node]).second);
      }
      QCOMPARE(compiled.nodes() + parentsOfTips.size(), parent.size());
      for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::CrankNicolson})
        for (const std::size_t cells : {std::size_t{1}, std::size_t{9}}) {
          comparePotentials(*model, scheme, currents, simulated(model, cells, scheme, currents));
          comparePotentials(*model, scheme, {}, simulated(model, cells, scheme, {}));
        }
    }
  }

  /// To the bit: whether tips of others have inputs, and currents of 0 into its own.
  void aCellIsTheSameWithTipsOfOthers()
  {
    constexpr double kInto = 0.1; // nA
    const Parents parent = randomTree(200, 3, 1);
    const auto model = passiveCell(parent);
    const std::vector<std::int32_t> tips = leavesOf(parent);
    for (const std::int32_t each : tips)
      model->cut.area[static_cast<std::size_t>(each)] = 0;
    const std::int32_t tip = tips.front();
    Network others;
    const auto run = [&](std::size_t cells, std::uint32_t cell, std::vector<double>& potentials) {
      Network network = samples::copies(model, cells, 1000);
      network.steps = others.steps;
      network.probes = {{cell, tip}, {cell, tip, Quantity::MembraneCurrent}};
      Simulation simulation(network, SimulationParameters{});
      simulation.runUntil(1);
      potentials = simulation.potentialsOf(cell);
      QCOMPARE(simulation.records()[0].back(), potentials[static_cast<std::size_t>(tip)]);
      // Between two steps a node without capacitance goes to and fro about what flows.
      const std::vector<double>& currents = simulation.records()[1];
      const double leaves = (currents.back() + currents[currents.size() - 2]) / 2;
      if (cell == 1)
        QVERIFY2(std::abs(leaves + kInto) < 1e-12, qPrintable(QString::number(leaves)));
      else
        QCOMPARE(leaves, 0.0);
    };
    std::vector<double> alone, found;
    run(1, 0, alone);
    for (const std::int32_t each : tips)
      others.steps.push_back({1, each, kInto, 0, kForever});
    run(2, 0, found);
    QCOMPARE(found, alone);
    run(12, 0, found);
    QCOMPARE(found, alone);
    run(12, 1, found);
    QVERIFY(found != alone);
  }

private:
  using Currents = std::vector<std::pair<std::int32_t, double>>; ///< node and nA

  static constexpr double kStep = 0.025, kLeak = 3e-4, kRest = -70, kStart = -50;
  static constexpr int kSteps = 3;

  static std::shared_ptr<cell::CellModel> passiveCell(const Parents& parent)
  {
    auto model = samples::ball({samples::passive(kLeak, kRest)});
    model->biophysics.startPotential = kStart;
    model->cut.parent = parent;
    model->cut.section.assign(parent.size(), 0);
    model->cut.area.clear();
    model->cut.resistance.clear();
    for (std::uint32_t node = 0; node < parent.size(); ++node) {
      model->cut.area.push_back(50 + 200 * randomUniform(3, node, 0, 0));
      model->cut.resistance.push_back(node == 0 ? 0 : 0.5 + 4 * randomUniform(3, node, 1, 0));
    }
    return model;
  }

  static std::vector<std::int32_t> leavesOf(const Parents& parent)
  {
    std::vector<std::int32_t> leaves;
    for (std::int32_t node = 1; node < static_cast<std::int32_t>(parent.size()); ++node)
      if (std::ranges::find(parent, node) == parent.end())
        leaves.push_back(node);
    return leaves;
  }

  /// Of the last of some cells, which has the currents.
  static std::vector<double> simulated(const std::shared_ptr<cell::CellModel>& model, std::size_t cells, Scheme scheme,
                                       const Currents& currents)
  {
    Network network = samples::copies(model, cells, 1000);
    const auto last = static_cast<std::uint32_t>(cells - 1);
    for (const auto& [node, current] : currents)
      network.steps.push_back({last, node, current, 0, kForever});
    SimulationParameters parameters;
    parameters.timeStep = kStep;
    parameters.scheme = scheme;
    parameters.threads = 1;
    Simulation simulation(network, parameters);
    simulation.runUntil(kSteps * kStep);
    return simulation.potentialsOf(last);
  }

  static void comparePotentials(const cell::CellModel& model, Scheme scheme, const Currents& currents,
                                const std::vector<double>& found)
  {
    const bool isHalf = scheme == Scheme::CrankNicolson;
    std::vector<double> expected(found.size(), kStart);
    for (int step = 0; step < kSteps; ++step) {
      const std::vector<double> solved = swept(model, isHalf ? kStep / 2 : kStep, currents, expected);
      for (std::size_t node = 0; node < solved.size(); ++node)
        expected[node] = isHalf ? 2 * solved[node] - expected[node] : solved[node];
    }
    for (std::size_t node = 0; node < found.size(); ++node)
      QVERIFY2(std::abs(found[node] - expected[node]) < 1e-9, qPrintable(QString("%1 of %2 nodes: %3, not %4")
                                                                             .arg(node)
                                                                             .arg(found.size())
                                                                             .arg(found[node], 0, 'g', 17)
                                                                             .arg(expected[node], 0, 'g', 17)));
  }

  /// Potentials after a step of backward Euler: of the whole tree, in its own order.
  static std::vector<double> swept(const cell::CellModel& model, double step, const Currents& currents,
                                   const std::vector<double>& before)
  {
    const cell::CutCell& cut = model.cut;
    const std::size_t count = cut.nodes();
    std::vector<double> diagonal(count, 0), right(count, 0), coupling(count, 0), potentials(count, 0);
    const cell::Region region = cell::regionsOfNodes(model).front();
    for (const auto& [node, current] : currents)
      right[static_cast<std::size_t>(node)] += current;
    for (std::size_t node = 0; node < count; ++node) {
      const double inertia = region.capacitance * 1e-5 / step * cut.area[node], leak = kLeak * cut.area[node] * 1e-2;
      diagonal[node] += inertia + leak;
      right[node] += inertia * before[node] + leak * kRest;
      if (node == 0)
        continue;
      coupling[node] = 1 / (region.resistivity * cut.resistance[node] * 1e-2);
      diagonal[node] += coupling[node];
      diagonal[static_cast<std::size_t>(cut.parent[node])] += coupling[node];
    }
    for (std::size_t node = count; node-- > 1;) {
      const auto up = static_cast<std::size_t>(cut.parent[node]);
      const double factor = coupling[node] / diagonal[node];
      diagonal[up] -= factor * coupling[node];
      right[up] += factor * right[node];
    }
    for (std::size_t node = 0; node < count; ++node) {
      const double above = node == 0 ? 0 : potentials[static_cast<std::size_t>(cut.parent[node])];
      potentials[node] = (right[node] + coupling[node] * above) / diagonal[node];
    }
    return potentials;
  }
};

HINESIGHT_TEST(TestElimination)
#include "test_elimination.moc"
