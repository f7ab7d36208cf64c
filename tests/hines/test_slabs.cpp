#include "hines/slabs.hpp"

#include "cancellation.hpp"
#include "core/error.hpp"
#include "hines/solvers.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/trees.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;
using trees::System;

Q_DECLARE_METATYPE(hinesight::hines::SolveParameters)

namespace {

using Batch = std::shared_ptr<const HinesBatch>;

constexpr SolverId kSmall{"small"};
constexpr std::size_t kFits = 500; ///< compartments that the solver of that name has room for

/// Solves as the serial solver does, on a device with little memory.
class SmallSolver final : public SolverDefinition
{
public:
  SmallSolver()
      : SolverDefinition(SolverTraits{
            .id = kSmall, .title = "Small", .summary = "Has little memory", .onCpu = true, .isExact = true})
  {}

  std::shared_ptr<const Schedule> plan(Batch batch, const SolveParameters& parameters, StageTimings& timings,
                                       const RunControl& control) const override
  {
    return definitionOf(kSerial).plan(std::move(batch), parameters, timings, control);
  }
  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control) const override
  {
    if (schedule->batch->compartments() > kFits)
      throw Error(ErrorCode::OutOfMemory, "There is no room.");
    return definitionOf(kSerial).prepare(std::move(schedule), parameters, timings, control);
  }
};

SolveParameters with(SolverId solver, Precision precision = Precision::Double)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = solver;
  parameters.precision = precision;
  return parameters;
}

/// Cells of 3 to 300,000 compartments.
Batch mixedCells()
{
  static const Batch batch = makeBatch(
      {trees::makeSystem(trees::chain(3), 1), trees::makeSystem(trees::randomTree(40, 4, 2), 2),
       trees::makeSystem(trees::randomTree(1'200, 8, 3, true), 3), trees::makeSystem(trees::comb(4'000), 4, 1e3),
       trees::makeSystem(trees::randomTree(300'000, 5, 5), 5, 1e6)},
      3);
  return batch;
}

Batch chains(std::int32_t length, std::int64_t cells)
{
  return makeBatch({trees::makeSystem(trees::chain(length), 6)}, cells);
}

std::vector<double> read(PreparedSolver& solver, const Batch& batch)
{
  std::vector<double> x(batch->compartments());
  StageTimings ignored;
  solver.read(x, ignored);
  return x;
}

bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

struct Fixture
{
  Batch batch;
  std::shared_ptr<const Schedule> schedule;
  StageTimings timings;
  std::unique_ptr<PreparedSolver> whole;
  std::unique_ptr<PreparedSolver> slabs;

  Fixture(Batch solved, const SolveParameters& parameters, std::size_t most) : batch(std::move(solved))
  {
    schedule = makeSchedule(batch, parameters, timings);
    StageTimings ignored;
    whole = prepare(schedule, parameters, ignored);
    slabs = prepareInSlabs(*schedule, parameters, most, timings);
  }
};

std::vector<double> waves(std::size_t count)
{
  std::vector<double> b(count);
  for (std::size_t i = 0; i < count; ++i)
    b[i] = std::sin(static_cast<double>(i));
  return b;
}

} // namespace

class TestSlabs : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase();
  void areTheFewestOfNearlyEqualSize();
  void aLargeCellIsASlabOfItsOwn();
  void aPartHasTheCellsOfItsRange();
  void giveTheBytesOfTheWhole_data();
  void giveTheBytesOfTheWhole();
  void takeOtherRightHandSides();
  void readEveryRightHandSide();
  void areMadeSmallerUntilTheyFit();
  void aCellThatDoesNotFitIsNamed();
  void aCellThatIsTooLargeIsToldWhatFits();
  void tellTheStagesOfTheLastSolve();
  void canBeCancelledInBetween();
};

void TestSlabs::initTestCase()
{
  static const SmallSolver small;
  addSolver(small);
}

void TestSlabs::areTheFewestOfNearlyEqualSize()
{
  const Batch batch = chains(10, 10);
  QCOMPARE(cutIntoSlabs(*batch, 0, 100), (std::vector<CellRange>{{0, 10}}));
  QCOMPARE(cutIntoSlabs(*batch, 0, 1'000'000), (std::vector<CellRange>{{0, 10}}));
  QCOMPARE(cutIntoSlabs(*batch, 0, 90), (std::vector<CellRange>{{0, 5}, {5, 10}}));
  QCOMPARE(cutIntoSlabs(*batch, 0, 49), (std::vector<CellRange>{{0, 4}, {4, 8}, {8, 10}}));
  QCOMPARE(cutIntoSlabs(*batch, 4, 49), (std::vector<CellRange>{{4, 7}, {7, 10}}));
  QVERIFY(cutIntoSlabs(*batch, 10, 49).empty());
}

void TestSlabs::aLargeCellIsASlabOfItsOwn()
{
  const Batch batch = makeBatch({trees::makeSystem(trees::chain(5), 1), trees::makeSystem(trees::chain(100), 2),
                                 trees::makeSystem(trees::chain(7), 3)},
                                1);
  QCOMPARE(cutIntoSlabs(*batch, 0, 20), (std::vector<CellRange>{{0, 1}, {1, 2}, {2, 3}}));
  QCOMPARE(cutIntoSlabs(*batch, 0, 0), (std::vector<CellRange>{{0, 1}, {1, 2}, {2, 3}}));
}

void TestSlabs::aPartHasTheCellsOfItsRange()
{
  const Batch batch = makeBatch({trees::makeSystem(trees::chain(5), 1), trees::makeSystem(trees::star(9), 2),
                                 trees::makeSystem(trees::chain(7), 3)},
                                2);
  const Batch part = partOf(*batch, {2, 4});
  QCOMPARE(part->cells(), std::size_t{2});
  QCOMPARE(part->offset, (std::vector<std::size_t>{0, 7, 12}));
  QCOMPARE(part->shapes.size(), std::size_t{2});
  QCOMPARE(part->shapes[part->shapeOf[0]], batch->shapes[batch->shapeOf[2]]);
  QCOMPARE(part->shapes[part->shapeOf[1]], batch->shapes[batch->shapeOf[3]]);
  for (const auto values : {&HinesBatch::d, &HinesBatch::u, &HinesBatch::b, &HinesBatch::excess}) {
    const std::vector<double>& all = (*batch).*values;
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(batch->offset[2]);
    QCOMPARE((*part).*values, std::vector<double>(begin, begin + 12));
  }
}

void TestSlabs::giveTheBytesOfTheWhole_data()
{
  QTest::addColumn<SolveParameters>("parameters");
  for (const SolverDefinition* solver : allSolvers()) {
    const SolverTraits& traits = solver->traits;
    if (!traits.onCpu || !traits.onCuda || traits.isChoice)
      continue; // on the CPU nothing is solved in slabs
    for (const Precision precision : {Precision::Double, Precision::Single})
      if (precision == Precision::Double || traits.inSingle)
        QTest::addRow("%s, %zu bytes", std::string(traits.name()).c_str(), bytesOf(precision))
            << with(traits.id, precision);
  }
  for (const Choice& method : tableOf(EddMethod{})) {
    SolveParameters edd = with(kEdd);
    chooseWay(edd.of<EddParameters>().method, method.name);
    QTest::addRow("edd %s", std::string(method.name).c_str()) << edd;
  }
}

void TestSlabs::giveTheBytesOfTheWhole()
{
  QFETCH(const SolveParameters, parameters);
  std::vector<std::pair<Batch, std::size_t>> batches = {{chains(100, 700), 9'000}};
  if (!traitsOf(parameters.solver).chainsOnly)
    batches.insert(batches.end(), {{mixedCells(), 310'000},
                                   {makeBatch({trees::makeSystem(trees::randomTree(40, 4, 2), 2),
                                               trees::makeSystem(trees::randomTree(900, 8, 3), 3)},
                                              300),
                                    50'000}});
  for (const auto& [batch, most] : batches) {
    Fixture solvers(batch, parameters, most);
    solvers.whole->solveOnce({});
    const std::vector<double> expected = read(*solvers.whole, batch);
    for (int repetition = 0; repetition < 2; ++repetition) {
      solvers.slabs->solveOnce({});
      QVERIFY(sameBytes(read(*solvers.slabs, batch), expected));
    }
  }
}

void TestSlabs::takeOtherRightHandSides()
{
  Fixture solvers(mixedCells(), with(kResident), 310'000);
  const std::vector<double> b = waves(solvers.batch->compartments());
  for (PreparedSolver* solver : {solvers.whole.get(), solvers.slabs.get()}) {
    solver->setRightHandSide(b);
    solver->solveOnce({});
  }
  QVERIFY(sameBytes(read(*solvers.slabs, solvers.batch), read(*solvers.whole, solvers.batch)));
}

void TestSlabs::readEveryRightHandSide()
{
  SolveParameters parameters = with(kEdd);
  parameters.of<EddParameters>().rightHandSides = 3;
  const Batch batch = makeBatch({trees::makeSystem(trees::randomTree(200, 6, 8), 8)}, 9);
  Fixture solvers(batch, parameters, 500);
  solvers.slabs->solveOnce({});
  const std::vector<double> first = read(*solvers.slabs, batch);
  const auto all = solvers.slabs->readAll(*batch);
  QCOMPARE(all.size(), std::size_t{3});
  QVERIFY(sameBytes(all.front(), first));
  for (const std::vector<double>& x : all)
    QVERIFY(checkAccuracy(*batch, x).isWithinLimit());
}

void TestSlabs::areMadeSmallerUntilTheyFit()
{
  const Batch batch = makeBatch({trees::makeSystem(trees::chain(3), 1), trees::makeSystem(trees::comb(30), 2),
                                 trees::makeSystem(trees::chain(400), 3)},
                                20);
  StageTimings timings;
  const auto schedule = makeSchedule(batch, with(kSmall), timings);
  const auto slabs = prepareInSlabs(*schedule, with(kSmall), batch->compartments(), timings);
  slabs->solveOnce({});
  StageTimings ignored;
  const auto whole = prepare(makeSchedule(batch, with(kSerial), ignored), with(kSerial), ignored);
  whole->solveOnce({});
  QVERIFY(sameBytes(read(*slabs, batch), read(*whole, batch)));
}

void TestSlabs::aCellThatDoesNotFitIsNamed()
{
  const Batch batch = makeBatch({trees::makeSystem(trees::chain(3), 1), trees::makeSystem(trees::chain(501), 2)}, 1);
  StageTimings timings;
  const auto schedule = makeSchedule(batch, with(kSmall), timings);
  try {
    const auto slabs = prepareInSlabs(*schedule, with(kSmall), batch->compartments(), timings);
    slabs->solveOnce({});
    QFAIL("The cell should not fit.");
  } catch (const Error& error) {
    QCOMPARE(error.code(), ErrorCode::OutOfMemory);
    const std::string text = error.what();
    QCOMPARE(text, std::string("Cell 2 of the batch has 501 compartments, for which the small solver found no room: "
                               "There is no room."));
  }
}

/// Only where the memory that is free does not hold it: the device may have failed.
void TestSlabs::aCellThatIsTooLargeIsToldWhatFits()
{
  const auto why = [](std::size_t compartments, bool isOnDevice) {
    return whyNoRoom({1, compartments, "small", 128'000, isOnDevice}, "The GPU has no room.");
  };
  QCOMPARE(why(1'001, true),
           std::string("Cell 2 of the batch has 1001 compartments, but the small solver has 128 kB of "
                       "memory free, which hold a cell of some 1000; choose longer compartments or "
                       "the CPU backend."));
  QVERIFY(why(1'001, false).ends_with("choose longer compartments or another solver."));
  QVERIFY(why(1'000, true).ends_with("for which the small solver found no room: The GPU has no room."));
}

void TestSlabs::tellTheStagesOfTheLastSolve()
{
  Fixture solvers(chains(50, 8), with(kMulticore), 100);
  solvers.slabs->solveOnce({});
  StageTimings first;
  std::vector<double> x(solvers.batch->compartments());
  solvers.slabs->read(x, first);
  QVERIFY(first.has("plan"));
  QVERIFY(!first.has("solve"));
  solvers.slabs->solveOnce({});
  StageTimings second;
  solvers.slabs->read(x, second);
  QVERIFY(!second.has("plan"));
}

void TestSlabs::canBeCancelledInBetween()
{
  Fixture solvers(chains(50, 8), with(kSerial), 100);
  RunControl control;
  std::vector<double> told;
  const RunControl cancelling([&](std::string_view stage, double fraction) {
    QCOMPARE(stage, std::string_view("solve"));
    told.push_back(fraction);
    if (told.size() == 3)
      control.cancel();
    control.checkpoint();
  });
  try {
    solvers.slabs->solveOnce(cancelling);
    QFAIL("The solve should have been cancelled.");
  } catch (const Error& error) {
    QCOMPARE(error.code(), ErrorCode::Cancelled);
  }
  QCOMPARE(told, (std::vector<double>{0, 0.25, 0.5}));
}

HINESIGHT_TEST(TestSlabs)

#include "test_slabs.moc"
