#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "core/device.hpp"
#include "hines/check/verify.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <set>

using namespace hinesight;
using namespace hinesight::hines;

class TestVerify : public QObject
{
  Q_OBJECT

private slots:
  void everySolverPassesOnTheCpu();
  void needsADeviceForCuda();
  void canBeCancelled();
};

void TestVerify::everySolverPassesOnTheCpu()
{
  const std::vector<VerifyCase> cases = verify(Backend::Cpu);
  std::set<std::string> shapes;
  std::set<SolverId> solvers;
  bool anyDiffers = false;
  for (const VerifyCase& c : cases) {
    QVERIFY2(c.passed, c.shape.c_str());
    QVERIFY(c.repeatable);
    QVERIFY(c.accuracy.isWithinLimit());
    QVERIFY(c.cells >= 1 && c.compartments >= c.cells);
    const bool hasVariants = c.solver == kCoarse || c.solver == kTridiagonal || c.solver == kEdd;
    const bool triesPlans = c.solver == kMulticore || c.solver == kFine;
    QVERIFY(triesPlans ? c.plans >= 24 : hasVariants ? c.plans >= 1 : c.plans == 1);
    QVERIFY(c.solver != kCoarse || c.plans == 10);
    QVERIFY(c.solver != kEdd || c.plans == 9);
    QVERIFY((c.solver != kSerial && c.solver != kCoarse) || c.accuracy.maxRelativeDifference == 0);
    anyDiffers = anyDiffers || c.accuracy.maxRelativeDifference > 0;
    shapes.insert(c.shape);
    solvers.insert(c.solver);
  }
  std::set<SolverId> onCpu;
  for (const SolverDefinition* solver : allSolvers())
    if (solver->traits.onCpu)
      onCpu.insert(solver->traits.id);
  QVERIFY(solvers == onCpu);
  // The tridiagonal solver takes the three batches of short chains of one length.
  QCOMPARE(cases.size(), shapes.size() * (solvers.size() - 1) + 3);
  for (const char* shape : {"single compartment", "chain of 100,000", "star with 5,000 children",
                            "comb with 2,000 teeth", "balanced binary tree", "random trees", "mixed batch"})
    QVERIFY2(shapes.count(shape) == 1, shape);
  // Plans that move roots round differently: where no difference is seen, nothing was compared.
  QVERIFY(anyDiffers);
}

void TestVerify::needsADeviceForCuda()
{
  if (!cudaDevices().empty())
    QSKIP("There is a CUDA device.");
  QCOMPARE(trees::failureOf([] { verify(Backend::Cuda); }), ErrorCode::NoDevice);
}

void TestVerify::canBeCancelled()
{
  int reports = 0;
  RunControl* self = nullptr;
  RunControl control([&](std::string_view stage, double) {
    if (stage == "verify" && ++reports == 2)
      self->cancel();
  });
  self = &control;
  QCOMPARE(trees::failureOf([&] { verify(Backend::Cpu, control); }), ErrorCode::Cancelled);
  QCOMPARE(reports, 2);
}

HINESIGHT_TEST(TestVerify)
#include "test_verify.moc"
