// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/plans.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

using namespace hinesight;
using namespace hinesight::hines;
using trees::Parents;
using trees::System;

Q_DECLARE_METATYPE(std::vector<System>)
Q_DECLARE_METATYPE(hinesight::hines::PlanParameters)

namespace {

/// Five branches of five compartments in the manner of huber 2018, figure 1.1: the root branch 0-4 forks in 5-9, a
/// tip, and 10-14, which forks in 15-19 and 20-24.
Parents fiveBranches()
{
  Parents tree;
  const auto root = trees::addChain(tree, -1, 5);
  trees::addChain(tree, root, 5);
  const auto fork = trees::addChain(tree, root, 5);
  trees::addChain(tree, fork, 5);
  trees::addChain(tree, fork, 5);
  return tree;
}

} // namespace

class TestPlan : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void readsBranchesOfAnExample();
  void movesTheRootOfAnExample();
  void splitsAnExampleByLevelAverage();
  void measuresAnExample();
  void measuresWhatTheCutIsComparedWith();

  void keepsEveryInvariant_data();
  void keepsEveryInvariant();
  void rebuildsTheMatrix();

  void isDeterministic();

  void handlesExtremes_data();
  void handlesExtremes();
  void rejectsParameters_data();
  void rejectsParameters();
  void rejectsContradictions();
  void rejectsTooManySlots();
  void reportsProgress();
  void canBeCancelled();
  void stopsInTheMidstOfEveryPart_data();
  void stopsInTheMidstOfEveryPart();
};

void TestPlan::readsBranchesOfAnExample()
{
  const auto p =
      plan({trees::makeSystem(fiveBranches(), 1)}, 1, parametersOf(BalanceMeasure::None, SplitStrategy::None));
  const PlannedShape& shape = p->asRead.front();
  QCOMPARE(shape.tree.parent, (std::vector<std::int32_t>{-1, 0, 0, 2, 2}));
  QCOMPARE(shape.tree.level, (std::vector<std::int32_t>{0, 1, 1, 2, 2}));
  QCOMPARE(shape.tree.first, (std::vector<std::int32_t>{0, 5, 10, 15, 20}));
  QCOMPARE(shape.tree.length, (std::vector<std::int32_t>{5, 5, 5, 5, 5}));
  QCOMPARE(shape.tree.uncut, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  QCOMPARE(shape.tree.levels(), 3);
  QCOMPARE(shape.criticalPath, 15);
  std::vector<std::int32_t> identity(25);
  std::iota(identity.begin(), identity.end(), 0);
  QCOMPARE(shape.compartment, identity);
  identity.front() = -1;
  QCOMPARE(shape.couplingSource, identity);
  QCOMPARE(p->shapes.front().compartment, shape.compartment);
  QVERIFY(p->levelThreshold.empty());
}

void TestPlan::movesTheRootOfAnExample()
{
  // The longest path, 9 ... 5, 4, 10 ... 14, 15 ... 19, has 16 compartments: from 11 it is 9 to one end and 8 to the
  // other, from 12 the other way round. With two forks no root gives fewer than three levels, and 11 gives three.
  const System system = trees::makeSystem(fiveBranches(), 1);
  for (const BalanceMeasure balance : {BalanceMeasure::Branches, BalanceMeasure::Compartments}) {
    const auto p = plan({system}, 1, parametersOf(balance, SplitStrategy::None));
    const PlannedShape& shape = p->shapes.front();
    QCOMPARE(p->figures.rounds, 3);
    QCOMPARE(shape.criticalPath, 9);
    // 11 alone, then 10 4 upwards and 12 13 14 downwards, then 3 2 1 0 and the three tips.
    QCOMPARE(shape.tree.length, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 5, 5}));
    QCOMPARE(shape.tree.parent, (std::vector<std::int32_t>{-1, 0, 0, 1, 1, 2, 2}));
    const std::vector<std::int32_t> start(shape.compartment.begin(), shape.compartment.begin() + 10);
    QCOMPARE(start, (std::vector<std::int32_t>{11, 10, 4, 12, 13, 14, 3, 2, 1, 0}));
    // Couplings are where the file has them: 11 with 10 at 11, 10 with 4 at 10; 12 with 11 at 12.
    const std::vector<std::int32_t> couplings(shape.couplingSource.begin(), shape.couplingSource.begin() + 10);
    QCOMPARE(couplings, (std::vector<std::int32_t>{-1, 11, 10, 12, 13, 14, 4, 3, 2, 1}));
  }
}

void TestPlan::splitsAnExampleByLevelAverage()
{
  // Root branch of 2; children of 2, 9 and 4 on level 1, average 5: the 9 is cut in 5 and 4. Level 2 has the rest of
  // it, 4, and the children of the 4, of 1 and 2: average 7 / 3, cut at 2; the rest, 2, is alone on level 3.
  Parents tree;
  const auto root = trees::addChain(tree, -1, 2);
  trees::addChain(tree, root, 2);
  trees::addChain(tree, root, 9);
  const auto fork = trees::addChain(tree, root, 4);
  trees::addChain(tree, fork, 1);
  trees::addChain(tree, fork, 2);
  const auto p = plan({trees::makeSystem(tree, 1)}, 1, parametersOf(BalanceMeasure::None, SplitStrategy::LevelAverage));
  const DependencyTree& cut = p->shapes.front().tree;
  QCOMPARE(p->levelThreshold, (std::vector<double>{2, 5, 7.0 / 3, 2}));
  QCOMPARE(cut.length, (std::vector<std::int32_t>{2, 2, 5, 4, 2, 1, 2, 2}));
  QCOMPARE(cut.parent, (std::vector<std::int32_t>{-1, 0, 0, 0, 2, 3, 3, 4}));
  QCOMPARE(cut.level, (std::vector<std::int32_t>{0, 1, 1, 1, 2, 2, 2, 3}));
  QCOMPARE(cut.uncut, (std::vector<std::int32_t>{0, 1, 2, 3, 2, 4, 5, 2}));
  QCOMPARE(p->shapes.front().criticalPath, 11);
}

void TestPlan::measuresAnExample()
{
  // One cell: a root branch of 3 and 40 children, the first of 5 compartments, the others of 2.
  Parents tree;
  const auto root = trees::addChain(tree, -1, 3);
  trees::addChain(tree, root, 5);
  for (int child = 1; child < 40; ++child)
    trees::addChain(tree, root, 2);
  PlanParameters parameters = parametersOf(BalanceMeasure::None, SplitStrategy::None);
  parameters.blockSize = 32;
  const auto p = plan({trees::makeSystem(tree, 1)}, 3, parameters);
  // 40 branches need two passes of 32 threads: 3 steps for the root, 5 for the first pass, 2 for the second.
  QCOMPARE(p->figures.units, std::size_t{3});
  QCOMPARE(p->figures.rounds, 2);
  QCOMPARE(p->figures.barriers, std::int64_t{2});
  QCOMPARE(p->figures.criticalPath, std::int64_t{3 + 5 + 2});
  QCOMPARE(p->figures.occupancy, (3 + 5 + 39 * 2) / (32.0 * (3 + 5 + 2)));
  QCOMPARE(p->figures.paddingBytes, std::size_t{3 * 24 * 39 * 3});
  QCOMPARE(p->figures.bytesMoved, std::size_t{3 * (72 * (3 + 5 + 39 * 2) + 64 * 41)});
  QCOMPARE(p->slotCount, std::size_t{3 * (3 + 40 * 5)});
  QCOMPARE(p->figuresAsRead.criticalPath, p->figures.criticalPath);

  parameters.split = SplitStrategy::FixedLength;
  parameters.splitLength = 2;
  const auto cut = plan({trees::makeSystem(tree, 1)}, 3, parameters);
  QCOMPARE(cut->figures.rounds, 5); // 2, 1, 40 x 2, 2, 1
  QCOMPARE(cut->figures.barriers, std::int64_t{8});
  QCOMPARE(cut->figures.criticalPath, std::int64_t{2 + 1 + (2 + 2) + 2 + 1});
  QCOMPARE(cut->figures.paddingBytes, std::size_t{0});
  QCOMPARE(cut->figuresAsRead.criticalPath, std::int64_t{10});
  QCOMPARE(cut->figuresUncut.criticalPath, std::int64_t{10});
  QCOMPARE(cut->figuresAsRead.rounds, 2);
}

void TestPlan::measuresWhatTheCutIsComparedWith()
{
  const std::vector<System> systems = {trees::makeSystem(fiveBranches(), 1), trees::makeSystem(trees::chain(90), 2)};
  for (const SplitStrategy split :
       {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::FixedLength, SplitStrategy::BlockAverage}) {
    for (const BalanceMeasure balance : {BalanceMeasure::None, BalanceMeasure::Compartments}) {
      const auto p = plan(systems, 4, parametersOf(balance, split));
      const auto uncut = plan(systems, 4, parametersOf(balance, SplitStrategy::None));
      QCOMPARE(p->figuresUncut.rounds, uncut->figures.rounds);
      QCOMPARE(p->figuresUncut.barriers, uncut->figures.barriers);
      QCOMPARE(p->figuresUncut.criticalPath, uncut->figures.criticalPath);
      QCOMPARE(p->figuresUncut.occupancy, uncut->figures.occupancy);
      QCOMPARE(p->figuresUncut.paddingBytes, uncut->figures.paddingBytes);
      QCOMPARE(p->figuresUncut.bytesMoved, uncut->figures.bytesMoved);
      QCOMPARE(p->figuresUncut.units, uncut->figures.units);
    }
  }
}

void TestPlan::keepsEveryInvariant_data()
{
  QTest::addColumn<std::vector<System>>("systems");
  QTest::addColumn<int>("copies");
  const auto row = [](const char* name, std::vector<Parents> shapes, int copies) {
    std::vector<System> systems;
    for (Parents& shape : shapes)
      systems.push_back(trees::makeSystem(std::move(shape), systems.size() + 1));
    QTest::newRow(name) << systems << copies;
  };
  row("one compartment", {trees::chain(1)}, 5);
  row("chain", {trees::chain(200)}, 3);
  row("star", {trees::star(300)}, 2);
  row("comb", {trees::comb(60)}, 7);
  row("binary tree", {trees::binaryTree(6, 4)}, 9);
  row("long random tree", {trees::randomTree(500, 3, 1)}, 6);
  row("bushy random tree", {trees::randomTree(500, 400, 2)}, 6);
  row("forest", {trees::randomTree(300, 10, 3, true)}, 6);
  row("mixed",
      {trees::chain(1), trees::randomTree(200, 5, 4), trees::star(150), trees::chain(90), trees::binaryTree(5, 3),
       trees::randomTree(250, 8, 5, true), trees::comb(30)},
      4);
}

namespace {

void checkShape(const PlannedShape& shape, const HinesSystem& system)
{
  const auto n = static_cast<std::int32_t>(system.size());
  std::vector<int> seen(system.size(), 0);
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t c = shape.compartment[i];
    ++seen[c];
    const std::int32_t p = shape.parent[i];
    QVERIFY(p < i);
    QCOMPARE(p < 0, shape.couplingSource[i] < 0);
    if (p < 0)
      continue;
    // The coupling of an edge is where the file has it: at the end that is the child there.
    const std::int32_t other = shape.compartment[p];
    QVERIFY(system.parent[c] == other || system.parent[other] == c);
    QCOMPARE(shape.couplingSource[i], system.parent[c] == other ? c : other);
  }
  QVERIFY(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));

  const DependencyTree& tree = shape.tree;
  std::int32_t next = 0;
  std::vector<std::int32_t> path;
  for (std::size_t k = 0; k < tree.branches(); ++k) {
    QCOMPARE(tree.first[k], next);
    QVERIFY(tree.length[k] >= 1);
    next += tree.length[k];
    const std::int32_t p = tree.parent[k];
    QVERIFY(p < static_cast<std::int32_t>(k));
    QCOMPARE(tree.level[k], p < 0 ? 0 : tree.level[p] + 1);
    QVERIFY(k == 0 || tree.level[k - 1] <= tree.level[k]);
    QCOMPARE(shape.parent[tree.first[k]], p < 0 ? -1 : tree.first[p] + tree.length[p] - 1);
    for (std::int32_t i = 1; i < tree.length[k]; ++i)
      QCOMPARE(shape.parent[tree.first[k] + i], tree.first[k] + i - 1);
    path.push_back((p < 0 ? 0 : path[p]) + tree.length[k]);
  }
  QCOMPARE(next, n);
  QCOMPARE(shape.criticalPath, *std::max_element(path.begin(), path.end()));
}

void checkSchedule(const SolvePlan& plan, const BlockSchedule& schedule)
{
  std::vector<std::int32_t> endSlot(schedule.branchLength.size());
  std::vector<std::int32_t> levelOf(schedule.branchLength.size());
  std::vector<int> used(schedule.slotCell.size(), 0);
  std::set<std::pair<std::int32_t, std::int32_t>> nodes;
  std::int32_t branchBegin = 0;
  std::int32_t slotOffset = 0;
  for (std::size_t l = 0; l < schedule.levels.size(); ++l) {
    const PlannedLevel& level = schedule.levels[l];
    QCOMPARE(level.branchBegin, branchBegin);
    QCOMPARE(level.slotOffset, slotOffset);
    QCOMPARE(level.stride, level.branchCount);
    branchBegin += level.branchCount;
    slotOffset += level.stride * level.maxLength;
    QVERIFY(level.branchCount <= plan.parameters.blockSize || schedule.cellShape.size() == 1);
    std::int32_t longest = 0;
    for (std::int32_t lane = 0; lane < level.branchCount; ++lane) {
      const std::int32_t branch = level.branchBegin + lane;
      const std::int32_t cell = schedule.branchCell[branch];
      const PlannedShape& shape = plan.shapes[schedule.cellShape[cell]];
      const std::int32_t node = schedule.branchNode[branch];
      QVERIFY(nodes.emplace(cell, node).second);
      if (plan.parameters.pack == PackStrategy::LevelShift)
        QVERIFY(shape.tree.level[node] <= static_cast<std::int32_t>(l));
      else
        QCOMPARE(shape.tree.level[node], static_cast<std::int32_t>(l));
      QCOMPARE(schedule.branchLength[branch], shape.tree.length[node]);
      if (plan.parameters.sortByLength && lane > 0)
        QVERIFY(schedule.branchLength[branch - 1] >= schedule.branchLength[branch]);
      for (std::int32_t k = 0; k < schedule.branchLength[branch]; ++k) {
        const std::int32_t slot = level.slotOffset + k * level.stride + lane;
        ++used[slot];
        QCOMPARE(schedule.slotCell[slot], cell);
        QCOMPARE(schedule.slotDiagonal[slot], shape.compartment[shape.tree.first[node] + k]);
        QCOMPARE(schedule.slotCoupling[slot], shape.couplingSource[shape.tree.first[node] + k]);
        endSlot[branch] = slot;
      }
      longest = std::max(longest, schedule.branchLength[branch]);
      levelOf[branch] = static_cast<std::int32_t>(l);
    }
    QCOMPARE(level.maxLength, longest);
  }
  QCOMPARE(branchBegin, schedule.branches());
  QCOMPARE(slotOffset, schedule.slotCount());
  for (std::size_t slot = 0; slot < used.size(); ++slot)
    QCOMPARE(used[slot], schedule.slotCell[slot] < 0 ? 0 : 1);

  std::size_t branches = 0;
  for (const std::uint32_t shape : schedule.cellShape)
    branches += plan.shapes[shape].tree.branches();
  QCOMPARE(nodes.size(), branches);

  std::vector<int> listed(schedule.branchLength.size(), 0);
  for (std::int32_t branch = 0; branch < schedule.branches(); ++branch) {
    const std::int32_t parent = schedule.parentBranch[branch];
    const std::int32_t cell = schedule.branchCell[branch];
    const DependencyTree& tree = plan.shapes[schedule.cellShape[cell]].tree;
    const std::int32_t parentNode = tree.parent[schedule.branchNode[branch]];
    QCOMPARE(parent < 0, parentNode < 0);
    if (parent >= 0) {
      QCOMPARE(schedule.branchCell[parent], cell);
      QCOMPARE(schedule.branchNode[parent], parentNode);
      if (plan.parameters.pack == PackStrategy::LevelShift)
        QVERIFY(levelOf[parent] < levelOf[branch]);
      else
        QCOMPARE(levelOf[parent] + 1, levelOf[branch]);
      QCOMPARE(schedule.parentSlot[branch], endSlot[parent]);
    } else {
      QCOMPARE(schedule.parentSlot[branch], -1);
    }
    std::int32_t previous = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t c = schedule.childBegin[branch]; c < schedule.childBegin[branch + 1]; ++c) {
      const std::int32_t child = schedule.child[c];
      ++listed[child];
      QCOMPARE(schedule.parentBranch[child], branch);
      const std::int32_t compartment =
          plan.shapes[schedule.cellShape[cell]].compartment[tree.first[schedule.branchNode[child]]];
      QVERIFY(compartment < previous);
      previous = compartment;
    }
  }
  for (std::int32_t branch = 0; branch < schedule.branches(); ++branch)
    QCOMPARE(listed[branch], schedule.parentBranch[branch] < 0 ? 0 : 1);
}

void checkBlocks(const SolvePlan& plan)
{
  std::vector<int> seen(plan.batch->cells(), 0);
  std::size_t slotCount = 0;
  std::size_t cells = 0;
  for (const PlannedBlock& block : plan.blocks) {
    const BlockSchedule& schedule = plan.schedules[block.schedule];
    QCOMPARE(block.slotBegin, slotCount);
    QCOMPARE(block.cellBegin, cells);
    slotCount += static_cast<std::size_t>(schedule.slotCount());
    for (const std::uint32_t shape : schedule.cellShape) {
      const std::uint32_t cell = plan.cellOrder[cells++];
      ++seen[cell];
      QCOMPARE(plan.shapes[shape].batchShape, plan.batch->shapeOf[cell]);
    }
  }
  QCOMPARE(slotCount, plan.slotCount);
  QCOMPARE(plan.figures.units, plan.blocks.size());
  QVERIFY(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
}

} // namespace

void TestPlan::keepsEveryInvariant()
{
  QFETCH(std::vector<System>, systems);
  QFETCH(int, copies);
  const auto batch = makeBatch(systems, copies);
  for (const std::int32_t blockSize : {32, 128})
    for (const PlanParameters& parameters : trees::everyPlan(blockSize)) {
      const auto p = makePlan(batch, parameters);
      QCOMPARE(p->asRead.size(), batch->shapes.size());
      QVERIFY(p->shapes.size() >= batch->shapes.size());
      for (std::size_t s = 0; s < p->shapes.size(); ++s) {
        const std::uint32_t batchShape = p->shapes[s].batchShape;
        if (s < batch->shapes.size())
          QCOMPARE(batchShape, s);
        checkShape(p->shapes[s], *batch->shapes[batchShape]);
        // Balance is a matter of the shape alone, and cutting changes no path.
        QCOMPARE(p->shapes[s].criticalPath, p->shapes[batchShape].criticalPath);
        if (parameters.balance == BalanceMeasure::None)
          QCOMPARE(p->shapes[s].criticalPath, p->asRead[batchShape].criticalPath);
        else if (parameters.balance == BalanceMeasure::Compartments)
          QVERIFY(p->shapes[s].criticalPath <= p->asRead[batchShape].criticalPath);
      }
      for (const BlockSchedule& schedule : p->schedules)
        checkSchedule(*p, schedule);
      checkBlocks(*p);
      if (QTest::currentTestFailed())
        return;
    }
}

void TestPlan::rebuildsTheMatrix()
{
  // What the slots say, put back into rows and columns, is the matrix of every cell.
  const std::vector<System> systems = {trees::makeSystem(trees::randomTree(40, 6, 8), 1),
                                       trees::makeSystem(trees::randomTree(30, 4, 9, true), 2)};
  const auto batch = makeBatch(systems, 3);
  for (const PlanParameters& parameters : trees::everyPlan()) {
    const auto p = makePlan(batch, parameters);
    for (const PlannedBlock& block : p->blocks) {
      const BlockSchedule& schedule = p->schedules[block.schedule];
      std::vector<std::vector<std::vector<double>>> rebuilt;
      for (std::size_t k = 0; k < schedule.cellShape.size(); ++k) {
        const std::size_t n = p->shapes[schedule.cellShape[k]].compartment.size();
        rebuilt.emplace_back(n, std::vector<double>(n, 0));
      }
      for (const PlannedLevel& level : schedule.levels)
        for (std::int32_t lane = 0; lane < level.branchCount; ++lane) {
          std::int32_t above = schedule.parentSlot[level.branchBegin + lane];
          for (std::int32_t k = 0; k < schedule.branchLength[level.branchBegin + lane]; ++k) {
            const std::int32_t slot = level.slotOffset + k * level.stride + lane;
            const std::uint32_t cell = p->cellOrder[block.cellBegin + schedule.slotCell[slot]];
            auto& a = rebuilt[schedule.slotCell[slot]];
            const std::int32_t i = schedule.slotDiagonal[slot];
            a[i][i] = batch->d[batch->offset[cell] + i];
            if (above >= 0) {
              const std::int32_t j = schedule.slotDiagonal[above];
              a[i][j] = a[j][i] = batch->u[batch->offset[cell] + schedule.slotCoupling[slot]];
            }
            above = slot;
          }
        }
      for (std::size_t k = 0; k < rebuilt.size(); ++k) {
        const std::uint32_t cell = p->cellOrder[block.cellBegin + k];
        QVERIFY(rebuilt[k] == trees::denseMatrix(*systems[cell % systems.size()]));
      }
    }
  }
}

void TestPlan::isDeterministic()
{
  std::vector<System> systems;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    systems.push_back(trees::makeSystem(trees::randomTree(300, 6, seed), seed));
  const auto batch = makeBatch(systems, 3);
  for (const PlanParameters& parameters : trees::everyPlan()) {
    const auto a = makePlan(batch, parameters);
    const auto b = makePlan(batch, parameters);
    QCOMPARE(a->cellOrder, b->cellOrder);
    QCOMPARE(a->schedules.size(), b->schedules.size());
    for (std::size_t s = 0; s < a->schedules.size(); ++s) {
      QCOMPARE(a->schedules[s].slotDiagonal, b->schedules[s].slotDiagonal);
      QCOMPARE(a->schedules[s].branchNode, b->schedules[s].branchNode);
      QCOMPARE(a->schedules[s].child, b->schedules[s].child);
    }
  }
}

void TestPlan::handlesExtremes_data()
{
  QTest::addColumn<Parents>("parent");
  QTest::newRow("chain of 300,000") << trees::chain(300'000);
  QTest::newRow("comb of 100,000 joints") << trees::comb(100'000);
  QTest::newRow("star of 200,000 tips") << trees::star(200'000);
  QTest::newRow("thin random tree") << trees::randomTree(300'000, 2, 1);
  QTest::newRow("300,000 single compartments") << Parents(300'000, -1);
}

void TestPlan::handlesExtremes()
{
  QFETCH(Parents, parent);
  const auto batch = makeBatch({trees::makeSystem(parent, 1)}, 1);
  for (const BalanceMeasure balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments})
    for (const SplitStrategy split : {SplitStrategy::None, SplitStrategy::LevelAverage}) {
      PlanParameters parameters = parametersOf(balance, split);
      if (balance == BalanceMeasure::Compartments)
        parameters.pack = PackStrategy::LevelShift;
      const auto p = makePlan(batch, parameters);
      QCOMPARE(p->blocks.size(), std::size_t{1});
      QVERIFY(p->figures.rounds <= p->shapes.front().criticalPath);
      const BlockSchedule& schedule = p->schedules.front();
      const auto filled = std::count_if(schedule.slotCell.begin(), schedule.slotCell.end(),
                                        [](std::int32_t cell) { return cell == 0; });
      QCOMPARE(static_cast<std::size_t>(filled), parent.size());
    }
}

void TestPlan::rejectsParameters_data()
{
  QTest::addColumn<PlanParameters>("parameters");
  const auto row = [](const char* name, std::int32_t blockSize, std::int32_t splitLength) {
    PlanParameters parameters;
    parameters.blockSize = blockSize;
    parameters.splitLength = splitLength;
    QTest::newRow(name) << parameters;
  };
  row("no threads", 0, 16);
  row("negative threads", -32, 16);
  row("not a multiple of 32", 100, 16);
  row("too many threads", 2048, 16);
  row("split at 0", 128, 0);
  row("split at a negative length", 128, -5);
  row("split beyond the range", 128, 1'000'001);
}

void TestPlan::rejectsParameters()
{
  QFETCH(PlanParameters, parameters);
  QCOMPARE(trees::failureOf([&] { validate(parameters); }), ErrorCode::BadParameter);
  const auto batch = makeBatch({trees::makeSystem(trees::chain(3), 1)}, 1);
  QCOMPARE(trees::failureOf([&] { makePlan(batch, parameters); }), ErrorCode::BadParameter);
}

void TestPlan::rejectsContradictions()
{
  QCOMPARE(trees::failureOf([] { makePlan(nullptr, {}); }), ErrorCode::BadParameter);
  const auto good = makeBatch({trees::makeSystem(trees::chain(3), 1)}, 2);
  QVERIFY(!trees::failureOf([&] { makePlan(good, {}); }));
  const auto failsWith = [&](const std::function<void(HinesBatch&)>& spoil) {
    auto batch = std::make_shared<HinesBatch>(*good);
    spoil(*batch);
    return trees::failureOf([&] { makePlan(batch, {}); });
  };
  QCOMPARE(failsWith([](HinesBatch& b) { b.shapeOf.back() = 7; }), ErrorCode::BadFormat);
  QCOMPARE(failsWith([](HinesBatch& b) { b.offset.pop_back(); }), ErrorCode::BadFormat);
  QCOMPARE(failsWith([](HinesBatch& b) { b.offset[1] = 2; }), ErrorCode::BadFormat);
  QCOMPARE(failsWith([](HinesBatch& b) { b.u.pop_back(); }), ErrorCode::BadFormat);
  QCOMPARE(failsWith([](HinesBatch& b) { b.excess.clear(); }), ErrorCode::BadFormat);
  QCOMPARE(failsWith([](HinesBatch& b) {
             auto cyclic = std::make_shared<HinesSystem>(*b.shapes.front());
             cyclic->parent[1] = 2;
             b.shapes.front() = cyclic;
           }),
           ErrorCode::BadFormat);
}

void TestPlan::rejectsTooManySlots()
{
  // 60,000 tips beside a branch of 40,000 compartments: 2.4e9 slots on one level.
  Parents tree = trees::star(60'000);
  trees::addChain(tree, 0, 40'000);
  const auto batch = makeBatch({trees::makeSystem(tree, 1)}, 1);
  QCOMPARE(trees::failureOf([&] { makePlan(batch, parametersOf(BalanceMeasure::None, SplitStrategy::None)); }),
           ErrorCode::BadParameter);
  PlanParameters cut = parametersOf(BalanceMeasure::None, SplitStrategy::FixedLength);
  cut.splitLength = 100;
  QVERIFY(!trees::failureOf([&] { makePlan(batch, cut); }));
}

void TestPlan::reportsProgress()
{
  std::vector<double> fractions;
  const RunControl control([&](std::string_view stage, double fraction) {
    QCOMPARE(stage, std::string_view("plan"));
    fractions.push_back(fraction);
  });
  makePlan(makeBatch({trees::makeSystem(trees::comb(50), 1)}, 10), {}, control);
  QVERIFY(fractions.size() >= 3);
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
  QCOMPARE(fractions.front(), 0.0);
  QCOMPARE(fractions.back(), 1.0);
}

void TestPlan::canBeCancelled()
{
  const auto batch = makeBatch({trees::makeSystem(trees::comb(50), 1)}, 10);
  // At every report in turn.
  int reports = 0;
  const RunControl counting([&](std::string_view, double) { ++reports; });
  makePlan(batch, {}, counting);
  for (int stop = 0; stop < reports; ++stop) {
    int seen = 0;
    RunControl* self = nullptr;
    RunControl control([&](std::string_view, double) {
      if (seen++ == stop)
        self->cancel();
    });
    self = &control;
    QCOMPARE(trees::failureOf([&] { makePlan(batch, {}, control); }), ErrorCode::Cancelled);
  }
}

void TestPlan::stopsInTheMidstOfEveryPart_data()
{
  QTest::addColumn<Parents>("parent");
  QTest::addColumn<int>("copies");
  QTest::newRow("one thin cell") << trees::randomTree(600'000, 2, 1) << 1;
  QTest::newRow("one bushy cell") << trees::randomTree(400'000, 400'000, 2) << 1;
  QTest::newRow("many cells") << trees::randomTree(100, 3, 3) << 60'000;
}

void TestPlan::stopsInTheMidstOfEveryPart()
{
  QFETCH(Parents, parent);
  QFETCH(int, copies);
  constexpr std::size_t kMostBetween = 1 << 17; // compartments, on the mean
  const auto batch = makeBatch({trees::makeSystem(parent, 1)}, copies);
  PlanParameters parameters;
  parameters.split = SplitStrategy::BlockAverage;
  const auto plan = [&](const RunControl& control) { makePlan(batch, parameters, control); };
  const trees::Checkpoints checkpoints(plan);
  std::vector<std::size_t> parts = checkpoints.betweenReports();
  parts.pop_back(); // the last report is the end
  for (const std::size_t part : parts)
    QVERIFY2(part >= 2, qPrintable(QString::number(part)));
  const std::size_t least = parts.size() * batch->compartments() / kMostBetween;
  QVERIFY2(checkpoints.all() >= least, qPrintable(QString::number(checkpoints.all())));
  QVERIFY(trees::endsWhereCancelled(plan, checkpoints.all()));
}

HINESIGHT_TEST(TestPlan)
#include "test_plan.moc"
