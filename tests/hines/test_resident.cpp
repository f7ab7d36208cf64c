#include "hines/solvers.hpp"

#include "cable/random_tree.hpp"
#include "core/error.hpp"
#include "hines/batch.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/resident/resident_chunks.hpp"
#include "hines/solvers/resident/resident_plan.hpp"
#include "hines/solvers/resident/resident_solver.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

/// A system on a given tree with couplings far above the excess, as finely cut cells have.
std::shared_ptr<const HinesSystem> systemOn(std::vector<std::int32_t> parent)
{
  auto system = std::make_shared<HinesSystem>();
  const std::size_t n = parent.size();
  system->d.assign(n, 0);
  system->u.assign(n, 0);
  system->b.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double variation = static_cast<double>(i * 7919 % 101) / 101;
    system->d[i] += 1e-4 * (1 + variation);
    system->b[i] = -65e-4 * (1 + 0.2 * variation);
    if (parent[i] < 0)
      continue;
    const double coupling = 0.05 + 0.3 * variation;
    system->u[i] = -coupling;
    system->d[i] += coupling;
    system->d[static_cast<std::size_t>(parent[i])] += coupling;
  }
  system->parent = std::move(parent);
  return system;
}

std::vector<std::int32_t> chain(std::int32_t n)
{
  std::vector<std::int32_t> parent;
  for (std::int32_t i = 0; i < n; ++i)
    parent.push_back(i - 1);
  return parent;
}

std::vector<std::int32_t> star(std::int32_t n)
{
  std::vector<std::int32_t> parent(static_cast<std::size_t>(n), 0);
  parent[0] = -1;
  return parent;
}

std::vector<std::int32_t> comb(std::int32_t teeth)
{
  std::vector<std::int32_t> parent{-1};
  for (std::int32_t t = 0; t < teeth; ++t) {
    const auto spine = static_cast<std::int32_t>(parent.size()) - 1;
    parent.push_back(spine);
    parent.push_back(static_cast<std::int32_t>(parent.size()) - 1);
    parent.push_back(static_cast<std::int32_t>(parent.size()) - 1);
    parent.push_back(spine);
  }
  return parent;
}

std::vector<std::int32_t> forest(std::int32_t trees)
{
  std::vector<std::int32_t> parent;
  for (std::int32_t t = 0; t < trees; ++t) {
    const auto base = static_cast<std::int32_t>(parent.size());
    for (const std::int32_t p : comb(t % 5))
      parent.push_back(p < 0 ? -1 : p + base);
  }
  return parent;
}

std::shared_ptr<const HinesBatch> randomBatch(std::int64_t shapes, std::int64_t cells)
{
  std::vector<std::shared_ptr<const HinesSystem>> systems;
  for (std::int64_t k = 0; k < shapes; ++k)
    systems.push_back(cable::makeRandomTree({}, static_cast<std::uint64_t>(k)));
  return makeBatchOfCells(systems, cells);
}

std::vector<double> solvedBy(const std::shared_ptr<const ResidentPlan>& plan, int threads = 0)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kResident;
  parameters.precision = plan->parameters.precision;
  parameters.threads = threads;
  StageTimings timings;
  const auto prepared = prepareResident(plan, parameters, timings);
  prepared->solveOnce({});
  std::vector<double> x(plan->batch->compartments());
  prepared->read(x, timings);
  return x;
}

} // namespace

class TestResident : public QObject
{
  Q_OBJECT

private slots:
  void solvesLikeTheSerialSweep_data();
  void solvesLikeTheSerialSweep();
  void holdsEveryCompartmentOnce();
  void everyPlaceIsRight();
  void takesFewRounds();
  void usesSeveralBlocksAndSpreadsWhatIsTooLarge();
  void plansForEveryGpu_data();
  void plansForEveryGpu();
  void schedulesKeepToTheirForm_data();
  void schedulesKeepToTheirForm();
  void blocksOfAClusterShareOnlyWhatTheySay();
  void chunksBringEveryValueOnce_data();
  void chunksBringEveryValueOnce();
  void chunksAreRefusedWhereValuesAreApart();
  void ordersGiveTheSameBytes_data();
  void ordersGiveTheSameBytes();
  void givesTheSameBytesOnAnyNumberOfThreads();
  void refusesBadParameters();
  void canBeCancelled();
};

void TestResident::solvesLikeTheSerialSweep_data()
{
  QTest::addColumn<std::vector<std::int32_t>>("parent");
  QTest::addColumn<int>("cells");
  QTest::addColumn<int>("pieceLength");
  const std::vector<std::pair<const char*, std::vector<std::int32_t>>> trees = {{"single compartment", chain(1)},
                                                                                {"two compartments", chain(2)},
                                                                                {"chain", chain(5000)},
                                                                                {"star", star(3000)},
                                                                                {"comb", comb(700)},
                                                                                {"forest", forest(60)}};
  for (const auto& [name, parent] : trees)
    for (const int pieceLength : {0, 1, 2, 7, 64})
      for (const int cells : {1, 5})
        QTest::addRow("%s, pieces of %d, %d cells", name, pieceLength, cells) << parent << cells << pieceLength;
}

void TestResident::solvesLikeTheSerialSweep()
{
  QFETCH(std::vector<std::int32_t>, parent);
  QFETCH(int, cells);
  QFETCH(int, pieceLength);
  const auto batch = makeBatchOfCells({systemOn(parent)}, cells);
  ResidentParameters parameters;
  parameters.pieceLength = pieceLength;
  const auto plan = makeResidentPlan(batch, parameters);
  const Accuracy accuracy = checkAccuracy(*batch, solvedBy(plan));
  QVERIFY2(
      accuracy.isWithinLimit(),
      qPrintable(
          QString("difference %1, residual %2").arg(accuracy.maxRelativeDifference).arg(accuracy.relativeResidual)));
}

void TestResident::holdsEveryCompartmentOnce()
{
  const auto batch = randomBatch(30, 100);
  const auto plan = makeResidentPlan(batch);
  std::set<std::pair<std::uint32_t, std::int32_t>> seen;
  for (const ResidentUnit& unit : plan->units) {
    QCOMPARE(unit.slotBegin % 16, std::size_t{0});
    const ResidentSchedule& schedule = plan->schedules[unit.schedule];
    for (std::size_t slot = 0; slot < schedule.slotCell.size(); ++slot) {
      if (schedule.slotCell[slot] < 0)
        continue;
      const std::uint32_t cell = plan->cellOrder[unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot])];
      QCOMPARE(batch->shapeOf[cell], schedule.cellShape[static_cast<std::size_t>(schedule.slotCell[slot])]);
      QVERIFY(seen.insert({cell, schedule.slotCompartment[slot]}).second);
    }
  }
  QCOMPARE(seen.size(), batch->compartments());
}

/// Nodes of a round do not depend on one another, and what is left to a node is complete when its turn comes.
void TestResident::everyPlaceIsRight()
{
  const auto batch = randomBatch(10, 10);
  ResidentParameters parameters;
  parameters.pieceLength = 3;
  const auto plan = makeResidentPlan(batch, parameters);
  for (const ResidentSchedule& schedule : plan->schedules) {
    for (std::int32_t round = 0; round < schedule.rounds(); ++round)
      for (std::int32_t j = schedule.roundBegin[round]; j < schedule.roundBegin[round + 1]; ++j) {
        const ResidentNode& node = schedule.nodes[j];
        for (const std::int32_t neighbour : {node.parentNode, node.childNode})
          QVERIFY(neighbour < 0 || neighbour >= schedule.roundBegin[round + 1]);
        if (node.parentNode >= 0) {
          QVERIFY(node.contribution >= schedule.nodes[node.parentNode].contributionBegin);
          QVERIFY(node.contribution < schedule.nodes[node.parentNode + 1].contributionBegin);
        }
      }
    std::set<std::int32_t> places;
    for (const ResidentPiece& piece : schedule.pieces)
      if (piece.length > 0 && piece.parentNode >= 0)
        QVERIFY(places.insert(piece.contribution).second);
  }
}

void TestResident::takesFewRounds()
{
  // A chain of 20,000 in pieces of 12 leaves 1,666 junctions: half go in each round. A sweep would take 1,666 steps.
  const auto plan = makeResidentPlan(makeBatchOfCells({systemOn(chain(20000))}, 1));
  QCOMPARE(plan->schedules.size(), std::size_t{1});
  const ResidentSchedule& schedule = plan->schedules[0];
  std::int32_t rounds = 0; // of the thread blocks, side by side
  for (const ResidentRank& rank : schedule.ranks)
    rounds = std::max(rounds, rank.roundCount);
  rounds += schedule.rounds() - schedule.sharedRound;
  QVERIFY(schedule.ranks.size() > 1);
  QVERIFY(rounds <= 16);
  // A star's arms are tips: one junction is left, its centre.
  QCOMPARE(makeResidentPlan(makeBatchOfCells({systemOn(star(3000))}, 1))->schedules[0].rounds(), 1);
}

void TestResident::usesSeveralBlocksAndSpreadsWhatIsTooLarge()
{
  const auto batch = makeBatchOfCells({systemOn(comb(3000)), systemOn(chain(120000)), systemOn(chain(10))}, 6);
  ResidentParameters parameters;
  parameters.device.sharedBytesPerBlock = 65536;
  parameters.device.sharedBytesPerMultiprocessor = 66560;
  const auto plan = makeResidentPlan(batch, parameters);
  std::set<std::size_t> ranks;
  for (const ResidentSchedule& schedule : plan->schedules) {
    ranks.insert(schedule.ranks.size());
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      QVERIFY(residentBytes(schedule, rank, parameters.precision).total() <= parameters.device.sharedBytesPerBlock);
      QCOMPARE(schedule.ranks[rank].slotCount % residentAlignment(parameters.precision), 0);
    }
  }
  QVERIFY(ranks.contains(0));                                                     // the long chain
  QVERIFY(ranks.contains(1));                                                     // the short ones
  QVERIFY(std::any_of(ranks.begin(), ranks.end(), [](auto r) { return r > 1; })); // the comb
  QVERIFY(checkAccuracy(*batch, solvedBy(plan)).isWithinLimit());
}

void TestResident::plansForEveryGpu_data()
{
  QTest::addColumn<Gpu>("gpu");
  QTest::addColumn<Precision>("precision");
  for (std::size_t k = 1; k < tableOf(Gpu{}).size(); ++k)
    for (const Precision precision : {Precision::Double, Precision::Single})
      QTest::addRow("%s, %s", tableOf(Gpu{})[k].name.data(), precisionName(precision).data())
          << static_cast<Gpu>(k) << precision;
}

/// On a GPU of less memory on chip, units are smaller and cells are spread over more blocks; the solution is right and
/// no block has more than its share.
void TestResident::plansForEveryGpu()
{
  QFETCH(Gpu, gpu);
  QFETCH(Precision, precision);
  const auto batch =
      makeBatchOfCells({systemOn(chain(3)), systemOn(comb(300)), systemOn(comb(4'000)), systemOn(chain(60'000))}, 8);
  ResidentParameters parameters;
  parameters.device = knownDevice(gpu).model;
  parameters.precision = precision;
  const auto plan = makeResidentPlan(batch, parameters);
  const DeviceModel& device = parameters.device;
  for (const ResidentSchedule& schedule : plan->schedules) {
    QVERIFY(schedule.ranks.size() <= 8);
    if (schedule.ranks.empty())
      continue;
    const ResidentForm& form = residentForms(precision)[schedule.form];
    QVERIFY(32 * schedule.warps <= device.threadsPerMultiprocessor);
    QVERIFY(schedule.warps <= residentWarps(form, device));
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
      QVERIFY(residentBytes(schedule, rank, precision).total() <= device.sharedBytesPerBlock);
  }
  const Accuracy accuracy = checkAccuracy(*batch, solvedBy(plan));
  QVERIFY2(accuracy.isWithinLimit(precision), qPrintable(QString::number(accuracy.maxRelativeDifference)));
}

void TestResident::schedulesKeepToTheirForm_data()
{
  QTest::addColumn<Precision>("precision");
  QTest::addColumn<std::set<std::size_t>>("forms"); // of small cells, of cells of 9,000 and of cells of 40,000
  QTest::newRow("double") << Precision::Double << std::set<std::size_t>{0, 1};
  QTest::newRow("single") << Precision::Single << std::set<std::size_t>{0, 1, 2};
}

/// A lane can keep a piece, the multiprocessor has registers for the warps, and every warp of a block alone has a
/// group.
void TestResident::schedulesKeepToTheirForm()
{
  QFETCH(Precision, precision);
  QFETCH(std::set<std::size_t>, forms);
  const auto batch = makeBatchOfCells({systemOn(comb(100)), systemOn(chain(9000)), systemOn(chain(40000))}, 9);
  ResidentParameters parameters;
  parameters.precision = precision;
  const auto plan = makeResidentPlan(batch, parameters);
  std::set<std::size_t> used;
  for (const ResidentSchedule& schedule : plan->schedules) {
    QVERIFY(!schedule.ranks.empty());
    QVERIFY(schedule.form < residentForms(precision).size());
    const ResidentForm& form = residentForms(precision)[schedule.form];
    used.insert(schedule.form);
    QCOMPARE(schedule.ranks.size() > 1, form.inClusters);
    QVERIFY(schedule.warps * form.leastTogether <= form.warps);
    QVERIFY(form.rows <= kMostResidentRows);
    for (const ResidentPiece& piece : schedule.pieces)
      QVERIFY(piece.length <= form.rows);
    if (!form.inClusters)
      QVERIFY(schedule.ranks.front().groupCount >= schedule.warps);
  }
  QCOMPARE(used, forms);
  const Accuracy accuracy = checkAccuracy(*batch, solvedBy(plan));
  QVERIFY(precision == Precision::Double ? accuracy.isWithinLimit() : accuracy.maxRelativeDifference < 1e-5);
}

/// Blocks eliminate their own nodes without a look at one another: all that these depend on is in the same block, or is
/// a shared node that the block pulls, with places that it forwards.
void TestResident::blocksOfAClusterShareOnlyWhatTheySay()
{
  const auto batch = makeBatchOfCells({systemOn(comb(8000))}, 1);
  const auto plan = makeResidentPlan(batch);
  const ResidentSchedule& schedule = plan->schedules.front();
  QVERIFY(schedule.ranks.size() > 1);
  QVERIFY(schedule.sharedCount() > 0);
  QVERIFY(schedule.sharedCount() < schedule.nodeCount() / 10);
  std::multiset<std::int32_t> filled; // places for contributions, by the blocks that fill them
  std::multiset<std::int32_t> owners;
  for (const ResidentRank& rank : schedule.ranks) {
    const std::set<std::int32_t> pulled(rank.pulled.begin(), rank.pulled.end());
    const std::set<std::int32_t> forwarded(rank.forwarded.begin(), rank.forwarded.end());
    QCOMPARE(pulled.size(), rank.pulled.size());
    owners.insert(rank.pulled.begin(), rank.pulled.begin() + rank.owned);
    filled.insert(forwarded.begin(), forwarded.end());
    const auto isHere = [&](std::int32_t node) {
      return node < 0 || pulled.contains(node) || (node >= rank.nodeBegin && node < rank.nodeBegin + rank.nodeCount);
    };
    const auto isPlaceHere = [&](std::int32_t parent, std::int32_t place) {
      return parent < schedule.sharedBegin || forwarded.contains(place);
    };
    for (std::int32_t lane = 32 * rank.groupBegin; lane < 32 * (rank.groupBegin + rank.groupCount); ++lane) {
      const ResidentPiece& piece = schedule.pieces[static_cast<std::size_t>(lane)];
      if (piece.length == 0)
        continue;
      QVERIFY(isHere(piece.node) && isHere(piece.parentNode));
      QVERIFY(isPlaceHere(piece.parentNode, piece.contribution));
    }
    for (std::int32_t j = rank.nodeBegin; j < rank.nodeBegin + rank.nodeCount; ++j) {
      const ResidentNode& node = schedule.nodes[static_cast<std::size_t>(j)];
      QVERIFY(isHere(node.parentNode) && isHere(node.childNode));
      QVERIFY(isPlaceHere(node.parentNode, node.contribution));
    }
  }
  // Every shared node comes from one block, every contribution to it too.
  QCOMPARE(owners.size(), static_cast<std::size_t>(schedule.sharedCount()));
  QCOMPARE(std::set<std::int32_t>(owners.begin(), owners.end()).size(), owners.size());
  const std::int32_t places = schedule.nodes.back().contributionBegin -
                              schedule.nodes[static_cast<std::size_t>(schedule.sharedBegin)].contributionBegin;
  QCOMPARE(filled.size(), static_cast<std::size_t>(places));
  QCOMPARE(std::set<std::int32_t>(filled.begin(), filled.end()).size(), filled.size());
}

void TestResident::chunksBringEveryValueOnce_data()
{
  using Cells = std::vector<std::vector<std::int32_t>>;
  QTest::addColumn<Cells>("cells");
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("capacity");
  QTest::addColumn<Precision>("precision");
  const Cells small{comb(50), chain(77), star(30)};
  for (const Precision precision : {Precision::Double, Precision::Single}) {
    const char* name = precisionName(precision).data();
    QTest::addRow("copies, in one chunk, %s", name) << Cells{comb(200)} << 30 << 20'000 << precision;
    QTest::addRow("copies, %s", name) << Cells{comb(201)} << 30 << 512 << precision;
    QTest::addRow("cells of three shapes, %s", name) << small << 10 << 352 << precision;
    QTest::addRow("a cell in several blocks, %s", name) << Cells{comb(4'500)} << 2 << 640 << precision;
    QTest::addRow("small chunks, %s", name) << Cells{chain(1'001)} << 3 << 32 << precision;
  }
}

/// Every row of every lane is where the lane looks for it, at any alignment of the run; runs neither overlap nor leave
/// their chunk.
void TestResident::chunksBringEveryValueOnce()
{
  QFETCH(std::vector<std::vector<std::int32_t>>, cells);
  QFETCH(int, count);
  QFETCH(int, capacity);
  QFETCH(Precision, precision);
  std::vector<std::shared_ptr<const HinesSystem>> systems;
  for (const std::vector<std::int32_t>& parent : cells)
    systems.push_back(systemOn(parent));
  const auto batch = makeBatchOfCells(systems, count);
  ResidentParameters parameters;
  parameters.precision = precision;
  parameters.order = ResidentOrder::Batch;
  const auto plan = makeResidentPlan(batch, parameters);
  const auto alignment = static_cast<std::size_t>(residentRunAlignment(precision));
  std::set<std::size_t> seen;
  for (const ResidentUnit& unit : plan->units) {
    const ResidentSchedule& schedule = plan->schedules[unit.schedule];
    QVERIFY(!schedule.ranks.empty());
    const std::vector<std::int32_t> cellBegin = residentCellBegins(*batch, schedule);
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      const auto chunks =
          residentChunks(schedule, rank, precision, cellBegin, followOneAnother(*plan, unit.schedule), capacity);
      QVERIFY(chunks);
      const auto beginOf = [&](const ResidentRun& run) {
        const std::uint32_t cell = plan->cellOrder[unit.cellBegin + static_cast<std::size_t>(run.cell)];
        return batch->offset[cell] + static_cast<std::size_t>(run.compartment);
      };
      std::int32_t chunk = 0;
      std::size_t used = 0;
      for (const ResidentRun& run : chunks->runs) {
        QVERIFY(run.chunk == chunk || run.chunk == chunk + 1);
        if (run.chunk > chunk)
          used = 0;
        chunk = run.chunk;
        const auto at = static_cast<std::size_t>(run.at);
        QVERIFY(at % alignment == 0 && at >= used);
        used = at +
               (beginOf(run) % alignment + static_cast<std::size_t>(run.count) + alignment - 1) / alignment * alignment;
        QVERIFY(used <= static_cast<std::size_t>(capacity));
        for (std::int32_t k = 0; k < run.count; ++k)
          QVERIFY(seen.insert(beginOf(run) + static_cast<std::size_t>(k)).second);
      }
      QCOMPARE(chunks->count, chunk + 1);
      const ResidentRank& r = schedule.ranks[rank];
      for (std::int32_t lane = 0; lane < 32 * r.groupCount; ++lane) {
        const ResidentPiece& piece = schedule.pieces[static_cast<std::size_t>(32 * r.groupBegin + lane)];
        const ResidentPlace& place = chunks->places[static_cast<std::size_t>(lane)];
        QCOMPARE(place.run < 0, piece.length == 0);
        for (std::int32_t k = 0; k < piece.length; ++k) {
          const std::int32_t row = schedule.rowBegin[static_cast<std::size_t>(r.groupBegin + lane / 32)] + k;
          const auto slot =
              static_cast<std::size_t>(r.slotBegin + schedule.rowSlot[static_cast<std::size_t>(row)] + lane % 32);
          const std::uint32_t cell =
              plan->cellOrder[unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot])];
          const ResidentRun& run = chunks->runs[static_cast<std::size_t>(place.run)];
          QCOMPARE(beginOf(run) + static_cast<std::size_t>(place.at - k - run.at),
                   batch->offset[cell] + static_cast<std::size_t>(schedule.slotCompartment[slot]));
        }
      }
    }
  }
  QCOMPARE(seen.size(), batch->compartments());
}

/// The compartments of a branch must follow one another, and a piece must fit.
void TestResident::chunksAreRefusedWhereValuesAreApart()
{
  const auto chunksOf = [](std::vector<std::int32_t> parent, std::int32_t capacity) {
    const auto plan = makeResidentPlan(makeBatchOfCells({systemOn(std::move(parent))}, 1));
    const ResidentSchedule& schedule = plan->schedules.front();
    return residentChunks(schedule, 0, Precision::Double, residentCellBegins(*plan->batch, schedule), true, capacity);
  };
  std::vector<std::int32_t> twoBranches{-1, 0, 0}; // whose compartments take turns
  for (std::int32_t i = 3; i < 100; ++i)
    twoBranches.push_back(i - 2);
  QVERIFY(!chunksOf(twoBranches, 1'000));
  QVERIFY(chunksOf(chain(100), 1'000));
  QVERIFY(!chunksOf(chain(100), 16));
  QVERIFY(!chunksOf(chain(5'000), 32)); // more runs than a block may have
}

void TestResident::ordersGiveTheSameBytes_data()
{
  QTest::addColumn<Precision>("precision");
  QTest::newRow("double") << Precision::Double;
  QTest::newRow("single") << Precision::Single;
}

/// In the order of the batch cells share units and multiprocessors with others than in the layout of the plan; what is
/// eliminated, and in which order, stays.
void TestResident::ordersGiveTheSameBytes()
{
  QFETCH(Precision, precision);
  const auto batch = makeBatchOfCells({systemOn(comb(40)), systemOn(chain(1'500)), systemOn(comb(900)),
                                       systemOn(chain(7'000)), systemOn(comb(4'000)), systemOn(chain(60'000))},
                                      40);
  std::vector<std::vector<double>> solutions;
  for (const ResidentOrder order : {ResidentOrder::Schedule, ResidentOrder::Batch}) {
    ResidentParameters parameters;
    parameters.precision = precision;
    parameters.order = order;
    solutions.push_back(solvedBy(makeResidentPlan(batch, parameters)));
  }
  QVERIFY(std::memcmp(solutions[0].data(), solutions[1].data(), solutions[0].size() * sizeof(double)) == 0);
}

void TestResident::givesTheSameBytesOnAnyNumberOfThreads()
{
  const auto plan = makeResidentPlan(randomBatch(20, 200));
  const auto one = solvedBy(plan, 1);
  for (const int threads : {2, 3, 8}) {
    const auto many = solvedBy(plan, threads);
    QCOMPARE(many.size(), one.size());
    QVERIFY(std::memcmp(many.data(), one.data(), one.size() * sizeof(double)) == 0);
  }
}

void TestResident::refusesBadParameters()
{
  const auto batch = randomBatch(1, 1);
  ResidentParameters negative;
  negative.pieceLength = -1;
  QVERIFY_EXCEPTION_THROWN(makeResidentPlan(batch, negative), Error);
  ResidentParameters none;
  none.unitCompartments = -1;
  QVERIFY_EXCEPTION_THROWN(makeResidentPlan(batch, none), Error);
  ResidentParameters small;
  small.device.sharedBytesPerBlock = 100;
  QVERIFY_EXCEPTION_THROWN(makeResidentPlan(batch, small), Error);
}

void TestResident::canBeCancelled()
{
  const auto batch = makeBatchOfCells({systemOn(chain(300000))}, 1);
  const RunControl control;
  control.cancel();
  try {
    makeResidentPlan(batch, {}, control);
    QFAIL("a cancelled plan was finished");
  } catch (const Error& error) {
    QCOMPARE(error.code(), ErrorCode::Cancelled);
  }
}

HINESIGHT_TEST(TestResident)
#include "test_resident.moc"
