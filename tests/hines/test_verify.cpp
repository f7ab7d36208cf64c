#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "core/device.hpp"
#include "core/fields.hpp"
#include "hines/check/verify.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

constexpr SolverId kEcho{"echo"};

struct EchoParameters
{
  std::int32_t loudness = 3;

  bool operator==(const EchoParameters&) const = default;
};

template <typename Visitor>
void visitFields(EchoParameters& p, Visitor&& visit)
{
  visit(
      Field{
          .name = "loudness", .label = "Loudness", .range = from(1, 10), .slider = {1, 10}, .help = "How loud it is."},
      p.loudness);
}

/// Solves as the serial solver does.
class EchoSolver final : public SolverDefinition
{
public:
  EchoSolver()
      : SolverDefinition(
            SolverTraits{.id = kEcho, .title = "Echo", .summary = "What serial says", .onCpu = true, .isExact = true})
  {}

  std::vector<SettingsGroup> settings() const override
  {
    return {settingsGroup<EchoParameters>({"echo", "Echo", "echo-", "How it sounds."})};
  }
  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& timings, const RunControl& control) const override
  {
    return definitionOf(kSerial).plan(std::move(batch), parameters, timings, control);
  }
  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control) const override
  {
    return definitionOf(kSerial).prepare(std::move(schedule), parameters, timings, control);
  }
  std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters,
                                              const HinesBatch& /*batch*/) const override
  {
    std::vector<SolveParameters> variants(2, parameters);
    variants[1].of<EchoParameters>().loudness = 10;
    return variants;
  }
};

} // namespace

class TestVerify : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase();
  void everySolverPassesOnTheCpu();
  void needsADeviceForCuda();
  void canBeCancelled();
  void aSolverIsAddedByItsDefinitionAlone();

private:
  std::vector<VerifyCase> cases; ///< of every solver on the CPU, that of this test too
};

void TestVerify::initTestCase()
{
  static const EchoSolver echo;
  addSolver(echo);
  QCOMPARE(trees::failureOf([] { addSolver(echo); }), ErrorCode::BadParameter);
  cases = verify(Backend::Cpu);
}

void TestVerify::everySolverPassesOnTheCpu()
{
  std::set<std::string> shapes;
  std::set<SolverId> solvers;
  bool anyDiffers = false;
  for (const VerifyCase& c : cases) {
    QVERIFY2(c.passed, c.shape.c_str());
    QVERIFY(c.repeatable);
    QVERIFY(c.accuracy.isWithinLimit());
    QVERIFY(c.cells >= 1 && c.compartments >= c.cells);
    const bool hasVariants = c.solver == kCoarse || c.solver == kTridiagonal || c.solver == kEdd || c.solver == kEcho;
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

void TestVerify::aSolverIsAddedByItsDefinitionAlone()
{
  // Lists and options.
  QVERIFY(allSolvers().back()->traits.id == kEcho);
  QVERIFY(solverNamed("echo") == kEcho);
  QVERIFY(traitsOf(kEcho).title == "Echo");
  QVERIFY(tableOf(SolverId{}).back().name == "echo");
  QVERIFY(choiceAt(SolverId{}, placeInTable(kEcho)) == kEcho);
  SolveParameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  QVERIFY(findField(fields, "echo-loudness"));
  parameters.solver = kEcho;
  parameters.of<EchoParameters>().loudness = 11;
  QCOMPARE(trees::failureOf([&] { validate(parameters); }), ErrorCode::BadParameter);
  parameters.of<EchoParameters>().loudness = 4;
  validate(parameters);
  QVERIFY(parameters != SolveParameters{});
  // It solves, and verify tries it.
  const auto batch = makeBatch({trees::makeSystem(trees::randomTree(150, 4, 2), 2)}, 5);
  const std::shared_ptr<const Solution> solution = solve(batch, parameters);
  SolveParameters serial;
  serial.solver = kSerial;
  QVERIFY(solution->x == solve(batch, serial)->x);
  QCOMPARE(solution->schedule->unitCount(), std::size_t{5});
  int tried = 0;
  for (const VerifyCase& c : cases)
    if (c.solver == kEcho) {
      ++tried;
      QVERIFY(c.passed);
      QCOMPARE(c.plans, std::size_t{2});
      QCOMPARE(c.accuracy.maxRelativeDifference, 0.0);
    }
  QVERIFY(tried > 0);
}

HINESIGHT_TEST(TestVerify)
#include "test_verify.moc"
