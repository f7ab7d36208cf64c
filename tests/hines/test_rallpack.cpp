#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "hines/check/rallpack.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

RallpackParameters with(SolverId solver)
{
  RallpackParameters parameters;
  parameters.solver.solver = solver;
  parameters.solver.threads = 1;
  return parameters;
}

const RallpackRun& runOf(const std::vector<RallpackRun>& runs, RallpackForm form)
{
  return *std::find_if(runs.begin(), runs.end(), [&](const RallpackRun& run) { return run.form == form; });
}

} // namespace

class TestRallpack : public QObject
{
  Q_OBJECT

private slots:
  void theAnalyticSolutionIsThePublishedOne();
  void doublePrecisionHasTheKnownDiscretisationError();
  void singlePrecisionIsAsGoodAsItsForm_data();
  void singlePrecisionIsAsGoodAsItsForm();
  void solversWithoutSinglePrecisionRunInDouble();
  void rejectsParameters();
  void canBeCancelled();
};

void TestRallpack::theAnalyticSolutionIsThePublishedOne()
{
  // Forty-digit evaluations of the series, which agree with the reference files of genesis-sim/genesis-2.4.
  struct Expected
  {
    double time, near, inside, far;
  };
  for (const Expected& e : {Expected{0.05, -59.922624786358, -64.999999998012, -65.000000000000},
                            Expected{1, -42.471716323286, -62.669812543918, -64.999911491427},
                            Expected{20, 24.852769652532, -6.2981016920662, -33.781427947364},
                            Expected{250, 101.93505185848, 70.742054978522, 43.096467966079}}) {
    QVERIFY(std::abs(rallpackVoltage(0, e.time) - e.near) < 2e-11);
    QVERIFY(std::abs(rallpackVoltage(0.3, e.time) - e.inside) < 2e-11);
    QVERIFY(std::abs(rallpackVoltage(1, e.time) - e.far) < 2e-11);
  }
  QVERIFY(std::abs(rallpackVoltage(0, 1e5) - 102.1808449130373) < 1e-11);
  QCOMPARE(rallpackVoltage(0.5, 0), -65.0);
}

void TestRallpack::doublePrecisionHasTheKnownDiscretisationError()
{
  RallpackParameters parameters = with(kSerial);
  const RallpackRun run = runRallpack(parameters).front();
  QCOMPARE(run.form, RallpackForm::Double);
  QVERIFY2(std::abs(run.analyticError - 0.000324) < 1e-6, qPrintable(QString::number(run.analyticError)));
  QVERIFY2(std::abs(run.lastNear - 101.87045343) < 2e-8, qPrintable(QString::number(run.lastNear, 'g', 12)));
  QVERIFY2(std::abs(run.lastFar - 43.09552624) < 2e-8, qPrintable(QString::number(run.lastFar, 'g', 12)));
  QCOMPARE(run.differenceFromDouble, 0.0);

  // The series of a longer step has fewer of the early points, so it is not exactly the published one.
  for (const auto& [timeStep, error] : {std::pair{0.2, 0.000789}, std::pair{1.0, 0.00328}}) {
    parameters.timeStep = timeStep;
    const double mine = runRallpack(parameters).front().analyticError;
    QVERIFY2(std::abs(mine - error) < 0.1 * error, qPrintable(QString::number(mine)));
  }
}

void TestRallpack::singlePrecisionIsAsGoodAsItsForm_data()
{
  QTest::addColumn<SolverId>("solver");
  QTest::addColumn<int>("cells");
  for (const SolverDefinition* definition : allSolvers())
    if (const SolverTraits& solver = definition->traits; solver.onCpu && solver.inSingle)
      for (const int cells : {1, 5})
        QTest::addRow("%s, %d cells", solver.name().data(), cells) << solver.id << cells;
}

void TestRallpack::singlePrecisionIsAsGoodAsItsForm()
{
  QFETCH(SolverId, solver);
  QFETCH(int, cells);
  RallpackParameters parameters = with(solver);
  parameters.cells = cells;
  const auto runs = runRallpack(parameters);
  QCOMPARE(runs.size(), std::size_t{5});
  const RallpackRun& trusted = runOf(runs, RallpackForm::SingleExcessChange);
  // Row sums that are carried on in single precision would settle beside the right point (docs/accuracy.md).
  QVERIFY2(trusted.differenceFromDouble < 1e-4, qPrintable(QString::number(trusted.differenceFromDouble)));
  QVERIFY(trusted.differenceFromDouble > 1e-6); // single precision it is
  QVERIFY(std::abs(trusted.analyticError - runs.front().analyticError) < 1e-6);
  // What it takes: both the row sums and the change. Each alone is worse by orders.
  const double bound = trusted.differenceFromDouble;
  QVERIFY(runOf(runs, RallpackForm::SingleExcessVoltage).differenceFromDouble > 100 * bound);
  QVERIFY(runOf(runs, RallpackForm::SingleDiagonalChange).differenceFromDouble > 30 * bound);
  QVERIFY(runOf(runs, RallpackForm::SingleDiagonalVoltage).differenceFromDouble > 10'000 * bound);
  QVERIFY(runOf(runs, RallpackForm::SingleDiagonalVoltage).analyticError > 0.01);
}

void TestRallpack::solversWithoutSinglePrecisionRunInDouble()
{
  RallpackParameters parameters = with(kSerial);
  parameters.duration = 1;
  const auto runs = runRallpack(parameters);
  QCOMPARE(runs.size(), std::size_t{3}); // double and the two that store the diagonal
  for (const RallpackRun& run : runs)
    QVERIFY(run.form != RallpackForm::SingleExcessChange && run.form != RallpackForm::SingleExcessVoltage);
}

void TestRallpack::rejectsParameters()
{
  const auto failure = [](const std::function<void(RallpackParameters&)>& spoil) {
    RallpackParameters parameters = with(kSerial);
    spoil(parameters);
    return trees::failureOf([&] { runRallpack(parameters); });
  };
  QCOMPARE(failure([](auto& p) { p.compartments = 1; }), ErrorCode::BadParameter);
  QCOMPARE(failure([](auto& p) { p.cells = 0; }), ErrorCode::BadParameter);
  QCOMPARE(failure([](auto& p) { p.timeStep = 0; }), ErrorCode::BadParameter);
  QCOMPARE(failure([](auto& p) { p.timeStep = NAN; }), ErrorCode::BadParameter);
  QCOMPARE(failure([](auto& p) { p.duration = 0.01; }), ErrorCode::BadParameter);
  QCOMPARE(failure([](auto& p) { p.duration = INFINITY; }), ErrorCode::BadParameter);
  QCOMPARE(failure([](auto& p) { p.solver.threads = -1; }), ErrorCode::BadParameter);
}

void TestRallpack::canBeCancelled()
{
  RallpackParameters parameters = with(kSerial);
  parameters.duration = 10;
  const auto run = [&](const RunControl& control) { runRallpack(parameters, control); };
  const trees::Checkpoints checkpoints(run);
  // Every step of every form of the equations.
  const auto steps = static_cast<std::size_t>(std::llround(parameters.duration / parameters.timeStep));
  QVERIFY2(checkpoints.of("rallpack") >= steps, qPrintable(QString::number(checkpoints.of("rallpack"))));
  QVERIFY(trees::endsWhereCancelled(run, checkpoints.all(), 1));
}

HINESIGHT_TEST(TestRallpack)
#include "test_rallpack.moc"
