// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/plans.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::hines;
using trees::Parents;
using trees::System;

Q_DECLARE_METATYPE(std::vector<System>)
Q_DECLARE_METATYPE(hinesight::hines::PlanParameters)

namespace {

/// Levels and longest path of a tree hung from `root`, counted step by step along every path.
struct Depth
{
  int levels = 0;
  int compartments = 0;
};

Depth depthFrom(const std::vector<std::vector<int>>& neighbours, int root)
{
  struct Visit
  {
    int node, from, level, compartments;
  };
  Depth depth;
  std::vector<Visit> open = {{root, -1, 1, 1}};
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    depth.levels = std::max(depth.levels, visit.level);
    depth.compartments = std::max(depth.compartments, visit.compartments);
    const auto children = neighbours[static_cast<std::size_t>(visit.node)].size() - (visit.from >= 0 ? 1 : 0);
    for (const int next : neighbours[static_cast<std::size_t>(visit.node)])
      if (next != visit.from)
        open.push_back({next, visit.node, visit.level + (children > 1 ? 1 : 0), visit.compartments + 1});
  }
  return depth;
}

std::vector<std::vector<int>> neighboursOf(const Parents& parent)
{
  std::vector<std::vector<int>> neighbours(parent.size());
  for (std::size_t i = 0; i < parent.size(); ++i)
    if (parent[i] >= 0) {
      neighbours[i].push_back(parent[i]);
      neighbours[static_cast<std::size_t>(parent[i])].push_back(static_cast<int>(i));
    }
  return neighbours;
}

std::int32_t longestBranch(const DependencyTree& tree)
{
  return *std::max_element(tree.length.begin(), tree.length.end());
}

} // namespace

/// Where trees are rooted and how their branches are cut.
class TestPlanCuts : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void balanceIsBestOfAllRoots_data();
  void balanceIsBestOfAllRoots();
  void balanceKeepsARootThatIsBest();
  void fixedLengthBoundsEveryBranch_data();
  void fixedLengthBoundsEveryBranch();
  void levelAverageIsTheAverageOfTheBatch();
  void levelAverageCountsCells();
  void blockAverageCutsBlocksDifferently();
  void piecesFollowTheirBranch();
};

void TestPlanCuts::balanceIsBestOfAllRoots_data()
{
  QTest::addColumn<Parents>("parent");
  QTest::newRow("one compartment") << trees::chain(1);
  QTest::newRow("two compartments") << trees::chain(2);
  QTest::newRow("chain") << trees::chain(17);
  QTest::newRow("star") << trees::star(7);
  QTest::newRow("comb") << trees::comb(12);
  QTest::newRow("binary tree") << trees::binaryTree(4, 3);
  Parents middle = {-1, 0, 0, 1, 2, 3, 4, 5}; // hung from the middle of a chain
  QTest::newRow("chain from its middle") << middle;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    QTest::addRow("random %d", static_cast<int>(seed))
        << trees::randomTree(5 + static_cast<std::int32_t>(seed), 1 + static_cast<std::int32_t>(seed % 9), seed);
}

void TestPlanCuts::balanceIsBestOfAllRoots()
{
  QFETCH(Parents, parent);
  const auto neighbours = neighboursOf(parent);
  std::pair<int, int> byBranches{1 << 30, 0};
  std::pair<int, int> byCompartments{1 << 30, 0};
  for (std::size_t root = 0; root < parent.size(); ++root) {
    const Depth depth = depthFrom(neighbours, static_cast<int>(root));
    byBranches = std::min(byBranches, {depth.levels, depth.compartments});
    byCompartments = std::min(byCompartments, {depth.compartments, depth.levels});
  }
  const System system = trees::makeSystem(parent, 1);
  const auto levels = [](const SolvePlan& p) { return p.shapes.front().tree.levels(); };
  const auto branches = plan({system}, 1, parametersOf(BalanceMeasure::Branches, SplitStrategy::None));
  QCOMPARE(levels(*branches), byBranches.first);
  QCOMPARE(branches->shapes.front().criticalPath, byBranches.second);
  const auto compartments = plan({system}, 1, parametersOf(BalanceMeasure::Compartments, SplitStrategy::None));
  QCOMPARE(compartments->shapes.front().criticalPath, byCompartments.first);
  QCOMPARE(levels(*compartments), byCompartments.second);
}

void TestPlanCuts::balanceKeepsARootThatIsBest()
{
  const System system = trees::makeSystem(trees::binaryTree(5, 1), 1); // the root is the centre
  for (const BalanceMeasure balance : {BalanceMeasure::Branches, BalanceMeasure::Compartments}) {
    const auto p = plan({system}, 1, parametersOf(balance, SplitStrategy::None));
    QCOMPARE(p->shapes.front().compartment, p->asRead.front().compartment);
    QCOMPARE(p->shapes.front().couplingSource, p->asRead.front().couplingSource);
  }
}

void TestPlanCuts::fixedLengthBoundsEveryBranch_data()
{
  QTest::addColumn<int>("length");
  for (const int length : {1, 2, 3, 16, 100, 1'000'000})
    QTest::addRow("%d", length) << length;
}

void TestPlanCuts::fixedLengthBoundsEveryBranch()
{
  QFETCH(int, length);
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::FixedLength);
  parameters.splitLength = length;
  const auto p = plan({trees::makeSystem(trees::randomTree(2000, 2, 1), 1), trees::makeSystem(trees::chain(57), 2)}, 2,
                      parameters);
  QCOMPARE(p->levelThreshold.size(), static_cast<std::size_t>(p->figures.rounds));
  for (const double threshold : p->levelThreshold)
    QCOMPARE(threshold, static_cast<double>(length));
  for (std::size_t s = 0; s < p->shapes.size(); ++s) {
    QCOMPARE(longestBranch(p->shapes[s].tree), std::min(length, longestBranch(p->asRead[s].tree)));
    if (length == 1)
      QCOMPARE(p->shapes[s].tree.levels(), p->shapes[s].criticalPath);
    if (length == 1'000'000)
      QCOMPARE(p->shapes[s].tree.length, p->asRead[s].tree.length);
  }
}

void TestPlanCuts::levelAverageIsTheAverageOfTheBatch()
{
  std::vector<System> systems;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    systems.push_back(trees::makeSystem(trees::randomTree(400, 4, seed), seed));
  const auto p = plan(systems, 1, parametersOf(BalanceMeasure::Branches, SplitStrategy::LevelAverage));
  // Walk down once more with the recorded thresholds: each must be the average of what arrives on its level, that is of
  // the pieces on it with what was cut off them.
  for (std::size_t level = 0; level < p->levelThreshold.size(); ++level) {
    double compartments = 0;
    double branches = 0;
    for (const PlannedShape& shape : p->shapes) {
      const DependencyTree& tree = shape.tree;
      for (std::size_t k = 0; k < tree.branches(); ++k) {
        if (tree.level[k] != static_cast<std::int32_t>(level))
          continue;
        QVERIFY(tree.length[k] <= p->levelThreshold[level]);
        branches += 1;
        for (std::size_t piece = k; piece < tree.branches(); ++piece)
          if (tree.uncut[piece] == tree.uncut[k])
            compartments += tree.length[piece];
      }
    }
    QCOMPARE(p->levelThreshold[level], compartments / branches);
  }
}

void TestPlanCuts::levelAverageCountsCells()
{
  // Three chains of 10 and one of 50: on average 20.
  const std::vector<System> systems = {trees::makeSystem(trees::chain(10), 1), trees::makeSystem(trees::chain(10), 2),
                                       trees::makeSystem(trees::chain(10), 3), trees::makeSystem(trees::chain(50), 4)};
  const auto p = plan(systems, 2, parametersOf(BalanceMeasure::None, SplitStrategy::LevelAverage));
  QCOMPARE(p->levelThreshold, (std::vector<double>{20, 30}));
  QCOMPARE(p->shapes.size(), std::size_t{2});
  QCOMPARE(p->shapes[1].tree.length, (std::vector<std::int32_t>{20, 30}));
}

void TestPlanCuts::blockAverageCutsBlocksDifferently()
{
  // Chains of 12 and of 4, 40 of each, in blocks of 32 lanes: 32 long ones; 8 long and 24 short ones; 16 short ones.
  // Only in the second block is the average, 6, less than the longest.
  std::vector<System> systems(40, trees::makeSystem(trees::chain(12), 1));
  systems.insert(systems.end(), 40, trees::makeSystem(trees::chain(4), 2));
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::BlockAverage);
  parameters.blockSize = 32;
  const auto p = plan(systems, 1, parameters);
  QVERIFY(p->levelThreshold.empty());
  QCOMPARE(p->shapes.size(), std::size_t{3});
  QCOMPARE(p->shapes[0].tree.length, (std::vector<std::int32_t>{12}));
  QCOMPARE(p->shapes[1].tree.length, (std::vector<std::int32_t>{4}));
  QCOMPARE(p->shapes[2].tree.length, (std::vector<std::int32_t>{6, 6}));
  QCOMPARE(p->shapes[2].batchShape, 0u);
  QCOMPARE(p->schedules.size(), std::size_t{3});
  std::vector<std::uint32_t> second(8, 2);
  second.insert(second.end(), 24, 1);
  QCOMPARE(p->schedules[p->blocks[1].schedule].cellShape, second);
}

void TestPlanCuts::piecesFollowTheirBranch()
{
  PlanParameters parameters = parametersOf(BalanceMeasure::Compartments, SplitStrategy::FixedLength);
  parameters.splitLength = 4;
  const System system = trees::makeSystem(trees::randomTree(600, 2, 11), 1);
  const auto cut = plan({system}, 1, parameters);
  parameters.split = SplitStrategy::None;
  const auto whole = plan({system}, 1, parameters);
  // The pieces of a branch, one below the other, are its compartments in their order.
  const PlannedShape& uncut = whole->shapes.front();
  const PlannedShape& shape = cut->shapes.front();
  std::vector<std::vector<std::int32_t>> compartments(uncut.tree.branches());
  std::vector<std::int32_t> last(uncut.tree.branches(), -1);
  for (std::size_t k = 0; k < shape.tree.branches(); ++k) {
    const std::int32_t branch = shape.tree.uncut[k];
    if (last[branch] >= 0)
      QCOMPARE(shape.tree.parent[k], last[branch]);
    last[branch] = static_cast<std::int32_t>(k);
    const auto begin = shape.compartment.begin() + shape.tree.first[k];
    compartments[branch].insert(compartments[branch].end(), begin, begin + shape.tree.length[k]);
  }
  for (std::size_t branch = 0; branch < compartments.size(); ++branch) {
    const auto begin = uncut.compartment.begin() + uncut.tree.first[branch];
    QCOMPARE(compartments[branch], std::vector<std::int32_t>(begin, begin + uncut.tree.length[branch]));
  }
}

HINESIGHT_TEST(TestPlanCuts)
#include "test_plan_cuts.moc"
