// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "paths/paths.hpp"

#include "cable/discretization.hpp"
#include "hines/branch/plan.hpp"
#include "hines/excess.hpp"
#include "hines/solver.hpp"
#include "morphology/branches.hpp"
#include "morphology/swc.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace hinesight;
using namespace hinesight::hines;
using trees::System;

namespace {

/// With the solver that executes the plan of branches.
SolveParameters withPlan()
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kMulticore;
  return parameters;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// [2 -1; -1 3] x = [1; 2], with the solution 1, 1.
System twoCompartments()
{
  auto system = std::make_shared<HinesSystem>();
  system->parent = {-1, 0};
  system->d = {2, 3};
  system->u = {0, -1};
  system->b = {1, 2};
  return system;
}

} // namespace

class TestAccuracy : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void followsItsDefinitions();
  void takesTheWorstCell();
  void neverPassesWhatIsNoNumber_data();
  void neverPassesWhatIsNoNumber();
  void acceptsAZeroSolution();
  void rejectsAnotherSize();
  void canBeCancelled();
  void excessIsRoundedOnce();
  void rowSumsKeepWhatTheDiagonalLoses();
  void everyPlanOfEveryRealCell_data();
  void everyPlanOfEveryRealCell();
};

void TestAccuracy::followsItsDefinitions()
{
  const auto batch = makeBatch({twoCompartments()}, 1);
  const Accuracy exact = checkAccuracy(*batch, std::vector<double>{1, 1});
  QCOMPARE(exact.maxRelativeDifference, 0.0);
  QCOMPARE(exact.relativeResidual, 0.0);
  QVERIFY(exact.isWithinLimit());
  // x = 1, 1.5: residual [-0.5, 1.5], max |A| = 3, max |x| = 1.5, max |b| = 2.
  const Accuracy wrong = checkAccuracy(*batch, std::vector<double>{1, 1.5});
  QCOMPARE(wrong.maxRelativeDifference, 0.5);
  QCOMPARE(wrong.relativeResidual, 1.5 / (3 * 1.5 + 2));
  QVERIFY(!wrong.isWithinLimit());
}

void TestAccuracy::takesTheWorstCell()
{
  const auto batch = makeBatch({twoCompartments(), trees::makeSystem(trees::chain(50), 1)}, 20);
  std::vector<double> x = solve(makePlan(batch, {}), withPlan())->x;
  QVERIFY(checkAccuracy(*batch, x).isWithinLimit());
  x[batch->offset[31]] += 7;
  const Accuracy accuracy = checkAccuracy(*batch, x);
  QVERIFY(accuracy.maxRelativeDifference > 0.01);
  QVERIFY(accuracy.relativeResidual > 0.01);
  for (const int threads : {1, 2, 8}) {
    QCOMPARE(checkAccuracy(*batch, x, {}, threads).maxRelativeDifference, accuracy.maxRelativeDifference);
    QCOMPARE(checkAccuracy(*batch, x, {}, threads).relativeResidual, accuracy.relativeResidual);
  }
}

void TestAccuracy::neverPassesWhatIsNoNumber_data()
{
  QTest::addColumn<double>("value");
  QTest::addColumn<int>("at");
  for (const double value : {kNaN, kInfinity, -kInfinity})
    for (const int at : {0, 1})
      QTest::addRow("%g at %d", value, at) << value << at;
}

void TestAccuracy::neverPassesWhatIsNoNumber()
{
  QFETCH(double, value);
  QFETCH(int, at);
  // In any cell, the others being right.
  const auto batch = makeBatch({twoCompartments()}, 3);
  for (std::size_t cell = 0; cell < 3; ++cell) {
    std::vector<double> x = solve(makePlan(batch, {}), withPlan())->x;
    x[2 * cell + static_cast<std::size_t>(at)] = value;
    const Accuracy accuracy = checkAccuracy(*batch, x);
    QCOMPARE(accuracy.maxRelativeDifference, kInfinity);
    QCOMPARE(accuracy.relativeResidual, kInfinity);
    QVERIFY(!accuracy.isWithinLimit());
  }
  // A matrix without a solution: the reference itself is no number.
  auto singular = std::make_shared<HinesSystem>(*twoCompartments());
  singular->d = {1, 1};
  const auto unsolvable = makeBatch({singular}, 1);
  QCOMPARE(checkAccuracy(*unsolvable, std::vector<double>{1, 1}).maxRelativeDifference, kInfinity);
}

void TestAccuracy::acceptsAZeroSolution()
{
  auto system = std::make_shared<HinesSystem>(*twoCompartments());
  system->b = {0, 0};
  const auto batch = makeBatch({system}, 1);
  QVERIFY(checkAccuracy(*batch, std::vector<double>{0, 0}).isWithinLimit());
  QCOMPARE(checkAccuracy(*batch, std::vector<double>{0, 1e-300}).maxRelativeDifference, kInfinity);
}

void TestAccuracy::rejectsAnotherSize()
{
  const auto batch = makeBatch({twoCompartments()}, 2);
  for (const std::size_t size : {0, 3, 5})
    QCOMPARE(trees::failureOf([&] { checkAccuracy(*batch, std::vector<double>(size, 1)); }), ErrorCode::BadParameter);
}

void TestAccuracy::canBeCancelled()
{
  const auto batch = makeBatch({twoCompartments()}, 2);
  const RunControl control;
  control.cancel();
  QCOMPARE(trees::failureOf([&] { checkAccuracy(*batch, std::vector<double>(4, 1), control); }), ErrorCode::Cancelled);

  constexpr std::size_t kSize = 2'000'000;
  constexpr std::size_t kMostBetween = 1 << 18; // compartments, eliminated or substituted
  const auto huge = makeBatch({trees::makeSystem(trees::randomTree(kSize, 2, 1), 1)}, 1);
  const std::vector<double> x(huge->compartments(), 1);
  const auto check = [&](const RunControl& running) { checkAccuracy(*huge, x, running); };
  const std::size_t checkpoints = trees::Checkpoints(check).all();
  QVERIFY2(checkpoints >= 2 * kSize / kMostBetween, qPrintable(QString::number(checkpoints)));
  QVERIFY(trees::endsWhereCancelled(check, checkpoints, 1));
}

void TestAccuracy::excessIsRoundedOnce()
{
  // Sums that cancel to the last bit of d, which plain addition in this order loses.
  auto system = std::make_shared<HinesSystem>();
  system->parent = {-1, 0, 0, 1};
  system->d = {1e16 + 2, 1.25, 1e16, 3};
  system->u = {0, -0.25, -1e16, -1};
  system->b = {0, 0, 0, 0};
  QCOMPARE(diagonalExcess(*system), (std::vector<double>{1.75, 0, 0, 2}));

  const System tree = trees::makeSystem(trees::randomTree(2000, 300, 4), 4, 1e7);
  std::vector<long double> expected(tree->d.begin(), tree->d.end());
  for (std::size_t i = 1; i < tree->size(); ++i) {
    expected[i] += tree->u[i];
    expected[static_cast<std::size_t>(tree->parent[i])] += tree->u[i];
  }
  const std::vector<double> excess = diagonalExcess(*tree);
  for (std::size_t i = 0; i < tree->size(); ++i)
    // Long double has 11 bits more than the sum needs of the 24 bits that cancel: compare to what it can tell.
    QVERIFY(std::abs(excess[i] - static_cast<double>(expected[i])) <= 1e-18 * tree->d[i] + 3e-16 * excess[i]);
}

void TestAccuracy::rowSumsKeepWhatTheDiagonalLoses()
{
  // A finely cut cable: couplings ten million times the rest. The textbook's sweep in double precision is off; ours is
  // not, from any root.
  const System system = trees::makeSystem(trees::comb(2000), 5, 1e7);
  const auto exact = trees::solveByTextbook<long double>(system->parent, system->d, system->u, system->b);
  const auto textbook = trees::solveByTextbook<double>(system->parent, system->d, system->u, system->b);
  QVERIFY(trees::normwiseDifference(textbook, exact) > accuracyLimit(Precision::Double));
  const auto batch = makeBatch({system}, 1);
  for (const BalanceMeasure balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments}) {
    PlanParameters parameters;
    parameters.balance = balance;
    const auto solution = solve(makePlan(batch, parameters), withPlan());
    // Long double loses digits as double does, 2048 times fewer.
    QVERIFY(trees::normwiseDifference(solution->x, exact) < 1e-12);
    QVERIFY(checkAccuracy(*batch, solution->x).maxRelativeDifference < 1e-13);
  }
}

void TestAccuracy::everyPlanOfEveryRealCell_data()
{
  QTest::addColumn<QString>("path");
  const QDir folder(tests::sharedFile("morphologies/real"));
  const auto files = folder.entryInfoList({"*.swc", "*.SWC"}, QDir::Files, QDir::Name);
  for (const QFileInfo& file : files)
    QTest::newRow(qPrintable(file.fileName())) << file.absoluteFilePath();
  if (files.isEmpty())
    QTest::newRow("none") << QString();
}

void TestAccuracy::everyPlanOfEveryRealCell()
{
  QFETCH(QString, path);
  if (path.isEmpty())
    QSKIP("The real morphologies are not here.");
  std::shared_ptr<const morphology::Morphology> cell;
  try {
    cell = morphology::readSwc(path.toStdString());
  } catch (const Error&) {
    QSKIP("The reader refuses this file, as its own tests check.");
  }
  const auto branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*cell));
  using cable::DiscretizationPolicy;
  for (const auto policy : {DiscretizationPolicy::Sample, DiscretizationPolicy::FixedNumber,
                            DiscretizationPolicy::MaximumLength, DiscretizationPolicy::DLambda}) {
    cable::DiscretizationParameters cutting;
    cutting.policy = policy;
    const auto batch = makeBatch({cable::discretize(cell, branches, cutting)->system}, 1);
    for (const PlanParameters& parameters : trees::everyPlan()) {
      if (!parameters.sortByLength)
        continue; // sorting changes no number
      const auto solution = solve(makePlan(batch, parameters), withPlan());
      const Accuracy accuracy = checkAccuracy(*batch, solution->x);
      QVERIFY2(accuracy.isWithinLimit(), qPrintable(QString("%1, balance %2, split %3: %4, residual %5")
                                                        .arg(choiceName(policy).data())
                                                        .arg(balanceName(parameters.balance).data())
                                                        .arg(splitName(parameters.split).data())
                                                        .arg(accuracy.maxRelativeDifference)
                                                        .arg(accuracy.relativeResidual)));
    }
    // The serial sweep, which all of this is measured with, against the same elimination in long double.
    if (policy == DiscretizationPolicy::Sample) {
      const HinesSystem& system = *batch->shapes.front();
      const auto exact = trees::solveByTextbook<long double>(system.parent, system.d, system.u, system.b);
      SolveParameters serial;
      serial.solver = kSerial;
      QVERIFY(trees::normwiseDifference(solve(batch, serial)->x, exact) <= accuracyLimit(Precision::Double));
    }
  }
}

HINESIGHT_TEST(TestAccuracy)
#include "test_accuracy.moc"
