// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/plans.hpp"

#include "hines/branch/level_shift.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace hinesight;
using namespace hinesight::hines;
using trees::Parents;
using trees::System;

/// How branches are packed into the lanes and levels of blocks.
class TestPlanPacking : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void greedyFillsBlocks();
  void firstFitUsesGaps();
  void levelShiftFillsLaterLevels();
  void levelShiftAddsNoStep();
  void levelShiftNarrowsAWideCell();
  void placesBranchesWhereAnyPlacementIs();
  void wideCellsGetTheirOwnBlock();
  void copiesShareSchedules();
};

void TestPlanPacking::greedyFillsBlocks()
{
  // Roots with 10 tips on level 1: three fit beside one another in 32 lanes.
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::None);
  parameters.blockSize = 32;
  const auto p = plan({trees::makeSystem(trees::star(10), 1)}, 11, parameters);
  QCOMPARE(p->blocks.size(), std::size_t{4});
  QCOMPARE(p->schedules.size(), std::size_t{2});
  QCOMPARE(p->schedules[0].cellShape.size(), std::size_t{3});
  QCOMPARE(p->schedules[1].cellShape.size(), std::size_t{2});
  std::vector<std::uint32_t> inOrder(11);
  std::iota(inOrder.begin(), inOrder.end(), 0u);
  QCOMPARE(p->cellOrder, inOrder);
}

void TestPlanPacking::firstFitUsesGaps()
{
  // 20, 20 and 12 tips: greedily the 12 come too late for the blocks of the 20; first fit adds one to each.
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::None);
  parameters.blockSize = 32;
  const std::vector<System> systems = {trees::makeSystem(trees::star(20), 1), trees::makeSystem(trees::star(12), 2)};
  const auto greedy = plan(systems, 6, parameters);
  QCOMPARE(greedy->blocks.size(), std::size_t{6 + 3}); // the last 20 takes a 12, the other five share three blocks
  parameters.pack = PackStrategy::FirstFit;
  const auto firstFit = plan(systems, 6, parameters);
  QCOMPARE(firstFit->blocks.size(), std::size_t{6});
  QCOMPARE(firstFit->schedules.size(), std::size_t{1});
}

void TestPlanPacking::levelShiftFillsLaterLevels()
{
  // A cell of three levels, 1, 2 and 4 branches, then two stars of 20 tips: of the second star ten tips find a lane of
  // the 32 on level 1, the others on level 2.
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::None);
  parameters.blockSize = 32;
  std::vector<System> systems = {trees::makeSystem(trees::binaryTree(3, 2), 1)};
  for (std::uint64_t star = 0; star < 2; ++star)
    systems.push_back(trees::makeSystem(trees::star(20), 2));
  QCOMPARE(plan(systems, 1, parameters)->blocks.size(), std::size_t{2});
  parameters.pack = PackStrategy::LevelShift;
  const auto shifted = plan(systems, 1, parameters);
  QCOMPARE(shifted->blocks.size(), std::size_t{1});
  const BlockSchedule& schedule = shifted->schedules.front();
  QCOMPARE(schedule.levels.size(), std::size_t{3});
  QCOMPARE(schedule.levels[0].branchCount, 3);
  QCOMPARE(schedule.levels[1].branchCount, 32);
  QCOMPARE(schedule.levels[2].branchCount, 4 + 10);
  // Whole subtrees: what hangs on a shifted branch is below it, and no cell is torn from its parent branch.
  for (std::int32_t branch = schedule.levels[2].branchBegin; branch < schedule.branches(); ++branch) {
    const bool isOfStar = schedule.branchCell[branch] > 0;
    const std::int32_t parent = schedule.parentBranch[branch];
    QCOMPARE(parent < schedule.levels[1].branchBegin, isOfStar);
  }
}

void TestPlanPacking::levelShiftAddsNoStep()
{
  std::vector<System> systems;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    systems.push_back(trees::makeSystem(trees::randomTree(250, 6, seed), seed));
  for (const SplitStrategy split : {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::BlockAverage}) {
    PlanParameters parameters = parametersOf(BalanceMeasure::Branches, split);
    const auto greedy = plan(systems, 5, parameters);
    parameters.pack = PackStrategy::LevelShift;
    const auto shifted = plan(systems, 5, parameters);
    QVERIFY(shifted->figures.units <= greedy->figures.units);
    if (split != SplitStrategy::BlockAverage) // else other blocks cut otherwise
      QCOMPARE(shifted->figures.rounds, greedy->figures.rounds);
    for (const BlockSchedule& schedule : shifted->schedules) {
      std::vector<std::int32_t> longest; // per level, without shifts
      for (const std::uint32_t shape : schedule.cellShape) {
        const DependencyTree& tree = shifted->shapes[shape].tree;
        longest.resize(std::max(longest.size(), static_cast<std::size_t>(tree.levels())), 0);
        for (std::size_t k = 0; k < tree.branches(); ++k)
          longest[tree.level[k]] = std::max(longest[tree.level[k]], tree.length[k]);
      }
      QCOMPARE(schedule.levels.size(), longest.size());
      for (std::size_t l = 0; l < longest.size(); ++l)
        QVERIFY(schedule.levels[l].maxLength <= longest[l]);
    }
  }
}

void TestPlanPacking::levelShiftNarrowsAWideCell()
{
  // Beside 40 tips a chain of branches, each with a twig, three levels deep: some tips can wait for level 2.
  Parents tree = trees::star(40);
  const auto fork = trees::addChain(tree, 0, 1);
  trees::addChain(tree, fork, 1);
  trees::addChain(tree, fork, 1);
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::None);
  parameters.blockSize = 32;
  QCOMPARE(plan({trees::makeSystem(tree, 1)}, 1, parameters)->figures.criticalPath, std::int64_t{1 + 2 + 1});
  parameters.pack = PackStrategy::LevelShift;
  const auto shifted = plan({trees::makeSystem(tree, 1)}, 1, parameters);
  QCOMPARE(shifted->figures.criticalPath, std::int64_t{3});
  QCOMPARE(shifted->schedules.front().levels[1].branchCount, 32);
  QCOMPARE(shifted->schedules.front().levels[2].branchCount, 9 + 2);
}

namespace {

/// Whether some choice of levels puts every branch after its parent and at most `lanes` on each of `levels` levels,
/// by trying all.
bool canBePlaced(const DependencyTree& tree, std::int32_t lanes, std::int32_t levels)
{
  const auto branches = tree.branches();
  std::vector<std::int32_t> level(branches, 0);
  while (true) {
    std::vector<std::int32_t> used(static_cast<std::size_t>(levels), 0);
    bool isValid = true;
    for (std::size_t k = 0; k < branches && isValid; ++k) {
      const std::int32_t parent = tree.parent[k];
      isValid = ++used[level[k]] <= lanes && (parent < 0 || level[parent] < level[k]);
    }
    if (isValid)
      return true;
    std::size_t digit = 0;
    while (digit < branches && ++level[digit] == levels)
      level[digit++] = 0;
    if (digit == branches)
      return false;
  }
}

} // namespace

void TestPlanPacking::placesBranchesWhereAnyPlacementIs()
{
  int placed = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto p = plan({trees::makeSystem(trees::randomTree(9, 4, seed), seed)}, 1,
                        parametersOf(BalanceMeasure::None, SplitStrategy::FixedLength));
    const DependencyTree& tree = p->shapes.front().tree;
    const auto heights = hines::detail::heightsOf(tree, {});
    for (const std::int32_t lanes : {1, 2, 3})
      for (std::int32_t levels = tree.levels(); levels <= tree.levels() + 1; ++levels) {
        // Levels of many steps without branches: room, and nothing in it.
        const hines::detail::Profile room(static_cast<std::size_t>(levels), {0, 100});
        const auto levelOf = hines::detail::placeBranches(tree, heights, room, lanes, {});
        QCOMPARE(levelOf.has_value(), canBePlaced(tree, lanes, levels));
        ++(levelOf ? placed : refused);
        if (!levelOf)
          continue;
        std::vector<std::int32_t> used(static_cast<std::size_t>(levels), 0);
        for (std::size_t k = 0; k < tree.branches(); ++k) {
          QVERIFY(tree.parent[k] < 0 || (*levelOf)[tree.parent[k]] < (*levelOf)[k]);
          QVERIFY((*levelOf)[k] < levels);
          QVERIFY(++used[(*levelOf)[k]] <= lanes);
        }
      }
  }
  QVERIFY(placed > 30);
  QVERIFY(refused > 30);
}

void TestPlanPacking::wideCellsGetTheirOwnBlock()
{
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::None);
  parameters.blockSize = 64;
  for (const PackStrategy pack : {PackStrategy::Greedy, PackStrategy::FirstFit, PackStrategy::LevelShift}) {
    parameters.pack = pack;
    const auto p = plan({trees::makeSystem(trees::chain(3), 1), trees::makeSystem(trees::star(200), 2)}, 5, parameters);
    QCOMPARE(p->blocks.size(), std::size_t{5 + 1});
    for (const PlannedBlock& block : p->blocks) {
      const BlockSchedule& schedule = p->schedules[block.schedule];
      if (schedule.cellShape.front() == 1)
        QCOMPARE(schedule.cellShape.size(), std::size_t{1});
      else
        QCOMPARE(schedule.cellShape.size(), std::size_t{5});
    }
    QCOMPARE(p->figures.criticalPath, std::int64_t{1 + 4}); // 200 tips in passes of 64
  }
}

void TestPlanPacking::copiesShareSchedules()
{
  const std::vector<System> systems = {trees::makeSystem(trees::randomTree(60, 4, 1), 1),
                                       trees::makeSystem(trees::randomTree(70, 9, 2), 2),
                                       trees::makeSystem(trees::comb(20), 3)};
  for (const SplitStrategy split : {SplitStrategy::LevelAverage, SplitStrategy::BlockAverage})
    for (const PackStrategy pack : {PackStrategy::Greedy, PackStrategy::FirstFit, PackStrategy::LevelShift}) {
      PlanParameters parameters = parametersOf(BalanceMeasure::Branches, split);
      parameters.pack = pack;
      const auto few = plan(systems, 200, parameters);
      const auto many = plan(systems, 20'000, parameters);
      QVERIFY(many->blocks.size() > 50 * few->blocks.size());
      // Blocks of one shape are alike; only where one shape gives way to the next there are others. Block averages make
      // a few shapes more.
      QVERIFY2(many->schedules.size() <= 20, qPrintable(QString::number(many->schedules.size())));
    }
}

HINESIGHT_TEST(TestPlanPacking)
#include "test_plan_packing.moc"
