#include "hines/batch.hpp"
#include "hines/check/verification_shapes.hpp"
#include "hines/solver.hpp"
#include "hines/solvers.hpp"
#include "hines/solvers/edd/edd_execution.hpp"
#include "hines/solvers/edd/edd_plan.hpp"
#include "hines/solvers/edd/edd_solver.hpp"
#include "hines/solvers/edd/edd_step.hpp"
#include "hines/solvers/edd/edd_threshold.hpp"
#include "hines/trees.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;

Q_DECLARE_METATYPE(hinesight::hines::EddJunctions)
Q_DECLARE_METATYPE(hinesight::hines::EddParameters)

namespace {

using Batch = std::shared_ptr<const HinesBatch>;

struct Solved
{
  std::vector<std::vector<double>> columns;
};

Solved solveWith(const std::shared_ptr<const EddPlan>& plan, const SolveParameters& parameters)
{
  StageTimings timings;
  const auto prepared = prepareEdd(plan, parameters, timings);
  prepared->solveOnce({});
  Solved solved;
  for (std::int32_t column = 0; column < parameters.of<EddParameters>().rightHandSides; ++column) {
    solved.columns.emplace_back(plan->batch->compartments());
    prepared->readColumn(column, solved.columns.back());
  }
  return solved;
}

SolveParameters withColumns(std::int32_t columns, bool keepFactors = false)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kEdd;
  parameters.of<EddParameters>().rightHandSides = columns;
  parameters.of<EddParameters>().keepFactors = keepFactors;
  return parameters;
}

/// The batch that column `column` solves.
Batch shifted(const HinesBatch& batch, std::int32_t column)
{
  auto moved = std::make_shared<HinesBatch>(batch);
  for (std::size_t cell = 0; cell < batch.cells(); ++cell)
    for (std::size_t i = batch.offset[cell]; i < batch.offset[cell + 1]; ++i)
      moved->b[i] += eddColumnShift(cell, static_cast<std::uint32_t>(column)) * batch.excess[i];
  return moved;
}

bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Forests of chains and bifurcations, small enough to be solved densely.
trees::System randomSystem(std::uint64_t seed)
{
  const auto size = static_cast<std::int32_t>(2 + seed % 40);
  return trees::makeSystem(trees::randomTree(size, 1 + static_cast<std::int32_t>(seed % 5), seed, seed % 3 == 0), seed);
}

/// What the first recursion leaves of a cell, and the compartments that its rows are.
struct Reduced
{
  HinesSystem system;
  std::vector<std::size_t> compartment;
};

Reduced reduceOnce(const trees::System& system, EddJunctions junctions, std::int32_t chainLength)
{
  EddPlanParameters parameters;
  parameters.junctions = junctions;
  parameters.chainLength = chainLength;
  parameters.depth = 1;
  const auto plan = makeEddPlan(makeBatchOfCells({system}, 1), parameters);
  const EddShape& shape = plan->shapes[0];
  const EddTables tables(*plan);
  std::vector<double> excess(plan->slotCount), u(plan->slotCount), w(plan->slotCount), v(plan->slotCount),
      x(plan->slotCount);
  std::vector<double> b(system->size()), contributionExcess(plan->contributionCount),
      contributionB(plan->contributionCount);
  for (std::size_t i = 0; i < system->size(); ++i) {
    excess[shape.slotOf[i]] = plan->batch->excess[i];
    u[shape.slotOf[i]] = system->u[i];
    b[shape.slotOf[i]] = system->b[i];
  }
  const EddView<double> view{tables.shapes.data(),
                             tables.levels.data(),
                             tables.pieces.data(),
                             tables.numbers.data(),
                             tables.units.data(),
                             excess.data(),
                             u.data(),
                             w.data(),
                             v.data(),
                             nullptr,
                             b.data(),
                             x.data(),
                             contributionExcess.data(),
                             contributionB.data(),
                             system->size(),
                             plan->slotCount,
                             plan->contributionCount};
  const EddUnit& unit = plan->units[0];
  for (std::uint32_t t = 0; shape.depth() > 0 && t < shape.levels[0].pieces.size(); ++t)
    edd::contract<EddPhase::Both>(view, unit, 0, t, 0);

  Reduced reduced;
  reduced.system.parent = shape.restParent;
  const edd::Place place = edd::placeOf(view, unit, shape.depth(), 0);
  for (std::int32_t i = 0; i < shape.restRows(); ++i) {
    const auto row = edd::load<EddPhase::Both>(view, place, i, 0);
    reduced.system.d.push_back(row.excess);
    reduced.system.u.push_back(row.u);
    reduced.system.b.push_back(row.b);
  }
  // From row sums to diagonals.
  for (std::int32_t i = 0; i < shape.restRows(); ++i) {
    reduced.system.d[i] -= reduced.system.u[i];
    if (shape.restParent[i] >= 0)
      reduced.system.d[shape.restParent[i]] -= reduced.system.u[i];
  }
  reduced.compartment.resize(static_cast<std::size_t>(shape.restRows()));
  for (std::size_t i = 0; i < system->size(); ++i) {
    const std::int32_t slot = shape.slotOf[i];
    if (shape.depth() == 0)
      reduced.compartment[slot] = i;
    else if (slot < shape.levels[0].pieceCount() && shape.levels[0].pieces[slot].junction >= 0)
      reduced.compartment[shape.levels[0].pieces[slot].junction] = i;
  }
  return reduced;
}

SolveParameters parametersOf(EddMethod method, std::int32_t chainLength)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kEdd;
  parameters.of<EddParameters>().method = method;
  parameters.of<EddParameters>().chainLength = chainLength;
  return parameters;
}

Batch mixedBatch(std::int64_t cells)
{
  std::vector<trees::System> systems;
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    systems.push_back(trees::makeSystem(trees::randomTree(200 + 50 * static_cast<std::int32_t>(seed), 4, seed), seed));
  systems.push_back(trees::makeSystem(trees::chain(5000), 99));
  systems.push_back(trees::makeSystem(trees::comb(300), 98));
  systems.push_back(trees::makeSystem(trees::chain(1), 97));
  return makeBatchOfCells(systems, cells);
}

} // namespace

class TestEdd : public QObject
{
  Q_OBJECT

private slots:
  void solvesTheVerificationShapes_data();
  void solvesTheVerificationShapes();
  void refinesMinTrsv();
  void leavesAHinesSystemOverTheJunctions_data();
  void leavesAHinesSystemOverTheJunctions();
  void solvesForSeveralRightHandSides_data();
  void solvesForSeveralRightHandSides();
  void takesOtherRightHandSides();
  void givesTheSameBytesHoweverItIsExecuted();
  void isAccurateInSinglePrecision();
  void holdsEveryRowOnce();
  void recursesUntilTheThreshold();
  void drawsEveryRowOnce();
  void fitsTheThreshold();
  void keepsTheThreshold();
  void refusesBadParameters_data();
  void refusesBadParameters();
  void canBeCancelled();
};

void TestEdd::solvesTheVerificationShapes_data()
{
  QTest::addColumn<EddJunctions>("junctions");
  QTest::addColumn<int>("chainLength");
  QTest::addColumn<int>("depth");
  for (int depth = 0; depth <= 4; ++depth) {
    QTest::addRow("minimal, depth %d", depth) << EddJunctions::Minimal << 1 << depth;
    for (const int chainLength : {1, 2, 3, 8, 32})
      QTest::addRow("fine, K %d, depth %d", chainLength, depth) << EddJunctions::Fine << chainLength << depth;
  }
  QTest::addRow("minimal, to the threshold") << EddJunctions::Minimal << 1 << -1;
  QTest::addRow("fine, to the threshold") << EddJunctions::Fine << 6 << -1;
}

void TestEdd::solvesTheVerificationShapes()
{
  QFETCH(EddJunctions, junctions);
  QFETCH(int, chainLength);
  QFETCH(int, depth);
  for (const hines::detail::VerificationShape& shape : hines::detail::makeVerificationShapes()) {
    const Batch batch = makeBatchOfCells(shape.systems, std::min<std::int64_t>(shape.cells, 60));
    EddPlanParameters parameters;
    parameters.junctions = junctions;
    parameters.chainLength = chainLength;
    parameters.depth = depth;
    const auto plan = makeEddPlan(batch, parameters);
    QVERIFY(depth < 0 || plan->depth() <= depth);
    const Solved solved = solveWith(plan, withColumns(1));
    const Accuracy accuracy = checkAccuracy(*batch, solved.columns[0]);
    QVERIFY2(accuracy.isWithinLimit(), qPrintable(QString("%1: difference %2, residual %3")
                                                      .arg(QString::fromStdString(shape.name))
                                                      .arg(accuracy.maxRelativeDifference)
                                                      .arg(accuracy.relativeResidual)));
  }
}

/// MIN-TRSV eliminates diagonals, in which small row sums drown; refined, it is as exact as the others.
void TestEdd::refinesMinTrsv()
{
  struct Way
  {
    int depth;
    int columns;
    bool keepFactors;
  };
  double worstPublished = 0;
  for (const hines::detail::VerificationShape& shape : hines::detail::makeVerificationShapes()) {
    const Batch batch = makeBatchOfCells(shape.systems, static_cast<std::int64_t>(shape.systems.size()));
    for (const Way& way : {Way{1, 1, false}, Way{-1, 3, false}, Way{-1, 3, true}, Way{3, 1, true}}) {
      EddPlanParameters wanted;
      wanted.junctions = EddJunctions::Minimal;
      wanted.contiguousChains = true;
      wanted.depth = way.depth;
      const auto plan = makeEddPlan(batch, wanted);
      SolveParameters parameters = withColumns(way.columns, way.keepFactors);
      const Solved refined = solveWith(plan, parameters);
      for (int column = 0; column < way.columns; ++column)
        QVERIFY2(checkAccuracy(*shifted(*batch, column), refined.columns[column]).isWithinLimit(), shape.name.c_str());
      parameters.of<EddParameters>().refinements = 0;
      const double published = checkAccuracy(*batch, solveWith(plan, parameters).columns[0]).maxRelativeDifference;
      QVERIFY2(published < 1e-6, shape.name.c_str());
      worstPublished = std::max(worstPublished, published);
    }
  }
  // Were it smaller, there would be nothing to refine.
  QVERIFY(worstPublished > accuracyLimit(Precision::Double));
}

void TestEdd::leavesAHinesSystemOverTheJunctions_data()
{
  QTest::addColumn<EddJunctions>("junctions");
  QTest::addColumn<int>("chainLength");
  QTest::newRow("minimal") << EddJunctions::Minimal << 1;
  for (const int chainLength : {1, 2, 3, 8})
    QTest::addRow("fine, K %d", chainLength) << EddJunctions::Fine << chainLength;
}

/// Theorem 1 of vooturi 2019. The inverse of the Schur complement is the junctions' part of the inverse of the matrix.
void TestEdd::leavesAHinesSystemOverTheJunctions()
{
  QFETCH(EddJunctions, junctions);
  QFETCH(int, chainLength);
  int reducedRows = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const trees::System system = randomSystem(seed);
    const Reduced reduced = reduceOnce(system, junctions, chainLength);
    cable::validate(reduced.system);
    const auto matrix = trees::denseMatrix(*system);
    const auto reducedMatrix = trees::denseMatrix(reduced.system);
    const std::size_t rows = reduced.compartment.size();
    reducedRows += static_cast<int>(rows);
    for (std::size_t j = 0; j < rows; ++j) {
      std::vector<double> unit(system->size(), 0);
      unit[reduced.compartment[j]] = 1;
      const std::vector<double> whole = trees::solveDensely(matrix, unit);
      std::vector<double> expected;
      for (const std::size_t i : reduced.compartment)
        expected.push_back(whole[i]);
      std::vector<double> reducedUnit(rows, 0);
      reducedUnit[j] = 1;
      QVERIFY(trees::normwiseDifference(trees::solveDensely(reducedMatrix, reducedUnit), expected) < 1e-13);
    }
  }
  QVERIFY(reducedRows > 100);
}

void TestEdd::solvesForSeveralRightHandSides_data()
{
  QTest::addColumn<int>("columns");
  QTest::addColumn<bool>("keepFactors");
  QTest::addColumn<EddJunctions>("junctions");
  for (const int columns : {1, 3, 16})
    for (const bool keepFactors : {false, true})
      for (const auto junctions : {EddJunctions::Minimal, EddJunctions::Fine})
        QTest::addRow("%d, factors %s, %s", columns, keepFactors ? "kept" : "made",
                      junctions == EddJunctions::Fine ? "fine" : "minimal")
            << columns << keepFactors << junctions;
}

void TestEdd::solvesForSeveralRightHandSides()
{
  QFETCH(int, columns);
  QFETCH(bool, keepFactors);
  QFETCH(EddJunctions, junctions);
  const Batch batch = mixedBatch(40);
  for (const int depth : {0, 1, 3, -1})
    for (const int cellsPerUnit : {1, 3}) {
      EddPlanParameters parameters;
      parameters.junctions = junctions;
      parameters.chainLength = 3;
      parameters.depth = depth;
      parameters.cellsPerUnit = cellsPerUnit;
      const auto solved = solveWith(makeEddPlan(batch, parameters), withColumns(columns, keepFactors)).columns;
      for (std::int32_t column = 0; column < columns; ++column)
        QVERIFY(checkAccuracy(*shifted(*batch, column), solved[column]).isWithinLimit());
      // They are not the same right-hand side.
      if (columns > 1)
        QVERIFY(trees::normwiseDifference(solved[1], solved[0]) > 1e-3);
    }
}

/// With kept factors the matrix stays and currents come and go.
void TestEdd::takesOtherRightHandSides()
{
  const Batch batch = mixedBatch(20);
  const Batch other = shifted(*batch, 5);
  for (const bool keepFactors : {false, true}) {
    StageTimings timings;
    const auto prepared = prepareEdd(makeEddPlan(batch), withColumns(1, keepFactors), timings);
    std::vector<double> x(batch->compartments());
    prepared->setRightHandSide(other->b);
    prepared->solveOnce({});
    prepared->read(x, timings);
    QVERIFY(checkAccuracy(*other, x).isWithinLimit());
    prepared->setRightHandSide(batch->b);
    prepared->solveOnce({});
    prepared->read(x, timings);
    QVERIFY(checkAccuracy(*batch, x).isWithinLimit());
  }
}

void TestEdd::givesTheSameBytesHoweverItIsExecuted()
{
  const Batch batch = mixedBatch(60);
  SolveParameters parameters = withColumns(3);
  parameters.threads = 1;
  const std::vector<double> expected = solveWith(makeEddPlan(batch), parameters).columns[2];
  for (const int cellsPerUnit : {1, 2, 32})
    for (const int threads : {1, 2, 3, 8}) {
      EddPlanParameters plan;
      plan.cellsPerUnit = cellsPerUnit;
      parameters.threads = threads;
      QVERIFY(sameBytes(solveWith(makeEddPlan(batch, plan), parameters).columns[2], expected));
    }
}

void TestEdd::isAccurateInSinglePrecision()
{
  const Batch batch = mixedBatch(30);
  for (const EddMethod method : {EddMethod::Fine, EddMethod::MinTpt, EddMethod::MinTrsv}) {
    SolveParameters parameters = parametersOf(method, 3);
    parameters.precision = Precision::Single;
    const auto solution = solve(batch, parameters);
    QVERIFY(checkAccuracy(*batch, solution->x).isWithinLimit(Precision::Single));
  }
}

void TestEdd::holdsEveryRowOnce()
{
  for (const auto junctions : {EddJunctions::Minimal, EddJunctions::Fine})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      EddPlanParameters parameters;
      parameters.junctions = junctions;
      parameters.chainLength = 1 + static_cast<std::int32_t>(seed % 6);
      parameters.threshold = 1;
      const trees::Parents parent =
          trees::randomTree(300, 1 + static_cast<std::int32_t>(seed % 9), seed, seed % 2 == 0);
      const EddShape shape = makeEddShape(parent, parameters);
      std::size_t rows = parent.size();
      QCOMPARE(std::set<std::int32_t>(shape.slotOf.begin(), shape.slotOf.end()).size(), rows);
      for (const EddLevel& level : shape.levels) {
        QCOMPARE(static_cast<std::size_t>(level.rows), rows);
        QVERIFY(std::ranges::is_sorted(level.pieces, std::ranges::greater{}, &EddPiece::length));
        std::set<std::int32_t> junctionSlots, contributions;
        std::int32_t covered = 0;
        for (const EddPiece& piece : level.pieces) {
          covered += piece.length;
          if (junctions == EddJunctions::Fine)
            QVERIFY(piece.length <= parameters.chainLength);
          if (piece.junction >= 0)
            QVERIFY(junctionSlots.insert(piece.junction).second);
          if (piece.parent >= 0)
            QVERIFY(contributions.insert(piece.contribution).second);
        }
        QCOMPARE(covered, level.rows);
        QCOMPARE(contributions.size(), static_cast<std::size_t>(level.contributions));
        rows = junctionSlots.size();
      }
      QCOMPARE(static_cast<std::size_t>(shape.restRows()), rows);
      if (junctions == EddJunctions::Minimal || parameters.chainLength > 1)
        QVERIFY(rows <= 1);
    }
}

/// A chain of N compartments leaves N / K junctions each time (vooturi 2019, section IV-D1).
void TestEdd::recursesUntilTheThreshold()
{
  EddPlanParameters parameters;
  parameters.chainLength = 3;
  parameters.threshold = 1000;
  const EddShape shape = makeEddShape(trees::chain(100'000), parameters);
  QCOMPARE(shape.depth(), 5);
  QCOMPARE(shape.levels[1].rows, 33'333);
  QCOMPARE(shape.restRows(), 411);
  parameters.depth = 2;
  QCOMPARE(makeEddShape(trees::chain(100'000), parameters).restRows(), 11'111);
  // Every row a junction: there is nothing to eliminate, however deep the recursion may go.
  parameters.chainLength = 1;
  QCOMPARE(makeEddShape(trees::chain(100'000), parameters).depth(), 0);
}

/// In a chart every row of every cell is eliminated once, within its band, and lanes do one thing at a time.
void TestEdd::drawsEveryRowOnce()
{
  for (const int cellsPerUnit : {1, 3})
    for (const int depth : {0, 1, 4}) {
      EddPlanParameters parameters;
      parameters.cellsPerUnit = cellsPerUnit;
      parameters.depth = depth;
      const auto plan = makeEddPlan(mixedBatch(40), parameters);
      QCOMPARE(plan->unitCount(), plan->units.size());
      for (std::size_t unit = 0; unit < plan->unitCount(); ++unit) {
        const LaneChart chart = plan->chart(unit);
        const LaneFigures figures = measure(chart);
        const EddUnit& drawn = plan->units[unit];
        QCOMPARE(chart.lanes, figures.lanes);
        QCOMPARE(static_cast<std::int64_t>(chart.steps), figures.steps);
        std::vector<std::vector<bool>> taken(static_cast<std::size_t>(chart.lanes),
                                             std::vector<bool>(static_cast<std::size_t>(chart.steps)));
        std::size_t busy = 0;
        std::set<std::pair<std::int32_t, std::int32_t>> firstRows;
        for (const LaneBar& bar : chart.bars) {
          busy += static_cast<std::size_t>(bar.steps);
          QCOMPARE(plan->unitOfCell(static_cast<std::size_t>(bar.cell)), std::optional(unit));
          if (bar.compartment >= 0)
            QVERIFY(firstRows.insert({bar.cell, bar.compartment}).second);
          for (std::int32_t step = bar.step; step < bar.step + bar.steps; ++step) {
            QVERIFY(!taken[bar.lane][step]);
            taken[bar.lane][step] = true;
          }
          const auto inside = [&](const LaneBand& band) {
            return bar.step >= band.step && bar.step + bar.steps <= band.step + band.steps;
          };
          QVERIFY(std::ranges::any_of(chart.bands, inside));
        }
        QCOMPARE(busy, plan->batch->shapes[drawn.shape]->size() * drawn.cells);
        QCOMPARE(static_cast<std::size_t>(figures.busy), busy);
        QVERIFY(figures.issued >= figures.busy && figures.issued <= std::int64_t{chart.lanes} * chart.steps);
        for (std::size_t other = 0; other < unit; ++other)
          if (plan->kindOf(other) == plan->kindOf(unit))
            QCOMPARE(plan->chart(other).bars.size(), chart.bars.size());
      }
    }
  SolveParameters parameters = withColumns(1);
  const auto solution = solve(mixedBatch(15), parameters);
  const LaneBand first = solution->schedule->chart(0).bands.front();
  QCOMPARE(first.label, std::string("recursion 1"));
  QVERIFY2(QString::fromStdString(first.detail).endsWith(" chains"), first.detail.c_str());
}

/// vooturi 2019, figure 11: points on a / R + b give a and b back.
void TestEdd::fitsTheThreshold()
{
  std::vector<EddThresholdPoint> points;
  for (const int rightHandSides : {1, 2, 4, 16})
    points.push_back({rightHandSides, 5245.0 / rightHandSides + 40});
  const EddThreshold threshold = fitThrough(points);
  QVERIFY(std::abs(threshold.a - 5245) < 1e-6);
  QVERIFY(std::abs(threshold.b - 40) < 1e-6);
  QCOMPARE(threshold.rows(1), 5285);
  QCOMPARE(threshold.rows(64), 122);
  points.resize(1);
  QCOMPARE(fitThrough(points).rows(7), 5285);
  QCOMPARE((EddThreshold{0, -3}).rows(1), 1);

  // One sweep on one core does less than a decomposition and a sweep: what is measured must say so.
  const EddThresholdFit fit = fitEddThreshold(Backend::Cpu, Precision::Double);
  QVERIFY(fit.points.size() >= 5);
  QVERIFY(std::ranges::all_of(fit.points, [](const EddThresholdPoint& point) { return point.rows >= 1; }));
  // The kept one is what a plan is made with.
  StageTimings timings;
  QCOMPARE(eddThreshold(Backend::Cpu, Precision::Double, timings).rows(1), 16);
  QCOMPARE(timings.stages.size(), std::size_t{0});
}

/// Also in a file, for later processes; whatever else that file may hold.
void TestEdd::keepsTheThreshold()
{
  const QTemporaryDir folder;
  qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
  const auto readBack = [&] {
    QFile file(folder.filePath("hinesight/edd-threshold.txt"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  };
  const EddThreshold threshold{12.5, 1.0 / 3};
  QVERIFY(!keptEddThreshold("some device", Precision::Double));
  keepEddThreshold("some device", Precision::Double, threshold);
  QCOMPARE(keptEddThreshold("some device", Precision::Double), std::optional(threshold));
  QVERIFY(!keptEddThreshold("some device", Precision::Single));
  QVERIFY(!keptEddThreshold("another device", Precision::Double));

  // As another process would have left it, with lines of no use in between.
  QString text = readBack();
  QCOMPARE(text.count('\n'), 2);
  text.replace("some device", "NVIDIA H200");
  text += "half 1 2 NVIDIA H100\ndouble 1\nsingle x 2 NVIDIA H100\n\ndouble 5245 40 NVIDIA H100\n";
  QFile file(folder.filePath("hinesight/edd-threshold.txt"));
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0);
  file.close();
  QCOMPARE(keptEddThreshold("NVIDIA H200", Precision::Double), std::optional(threshold));
  QCOMPARE(keptEddThreshold("NVIDIA H100", Precision::Double), std::optional(EddThreshold{5245, 40}));
  QVERIFY(!keptEddThreshold("NVIDIA H100", Precision::Single));

  // A file of another version is not ours; a folder that cannot be written to does no harm.
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("version 0\ndouble 1 2 old\n") > 0);
  file.close();
  QVERIFY(!keptEddThreshold("old", Precision::Double));
  qputenv("XDG_CACHE_HOME", "/proc/no-such-folder");
  keepEddThreshold("no folder", Precision::Double, threshold);
  QCOMPARE(keptEddThreshold("no folder", Precision::Double), std::optional(threshold));
}

void TestEdd::refusesBadParameters_data()
{
  QTest::addColumn<EddParameters>("parameters");
  const auto add = [](const char* name, std::int32_t EddParameters::*member, std::int32_t value) {
    EddParameters parameters;
    parameters.*member = value;
    QTest::newRow(name) << parameters;
  };
  add("K below 0", &EddParameters::chainLength, -1);
  add("K too great", &EddParameters::chainLength, 1'000'001);
  add("depth below -1", &EddParameters::depth, -2);
  add("depth too great", &EddParameters::depth, 65);
  add("threshold below 0", &EddParameters::threshold, -1);
  add("no right-hand side", &EddParameters::rightHandSides, 0);
  add("refinements below 0", &EddParameters::refinements, -1);
  add("too many refinements", &EddParameters::refinements, 4);
  add("too many right-hand sides", &EddParameters::rightHandSides, 65);
}

void TestEdd::refusesBadParameters()
{
  QFETCH(EddParameters, parameters);
  SolveParameters solve = withColumns(1);
  solve.of<EddParameters>() = parameters;
  QCOMPARE(trees::failureOf([&] { hines::validate(solve); }), ErrorCode::BadParameter);
}

void TestEdd::canBeCancelled()
{
  constexpr std::size_t kSize = 1'000'000;
  constexpr int kColumns = 4;
  constexpr std::size_t kMostBetween = 1 << 17; // compartments
  const Batch batch = makeBatchOfCells({trees::makeSystem(trees::chain(kSize), 1)}, 1);
  const auto run = [&](const RunControl& control) { solve(batch, withColumns(kColumns), control); };
  const trees::Checkpoints checkpoints(run);
  QVERIFY(checkpoints.of("solver plan") >= kSize / kMostBetween);
  QVERIFY(checkpoints.of("solve") >= kColumns * kSize / kMostBetween);
  QVERIFY(trees::endsWhereCancelled(run, checkpoints.all()));
}

HINESIGHT_TEST(TestEdd)
#include "test_edd.moc"
