#include "hines/solvers.hpp"

#include "cable/random_tree.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/resident/resident_plan.hpp"
#include "test_main.hpp"

#include <QTest>

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

std::shared_ptr<const HinesBatch> randomBatch(std::int64_t shapes, std::int64_t cells)
{
  std::vector<std::shared_ptr<const HinesSystem>> systems;
  for (std::int64_t k = 0; k < shapes; ++k)
    systems.push_back(cable::makeRandomTree({}, static_cast<std::uint64_t>(k)));
  return makeBatchOfCells(systems, cells);
}

std::shared_ptr<const HinesBatch> chainBatch(std::int32_t compartments)
{
  auto system = std::make_shared<HinesSystem>();
  for (std::int32_t i = 0; i < compartments; ++i) {
    system->parent.push_back(i - 1);
    system->d.push_back(3);
    system->u.push_back(i == 0 ? 0 : -1);
    system->b.push_back(1);
  }
  return makeBatchOfCells({system}, 1);
}

std::int64_t stepsOf(const LaneChart& chart, LaneWork work)
{
  std::int64_t steps = 0;
  for (const LaneBar& bar : chart.bars)
    steps += bar.work == work ? bar.steps : 0;
  return steps;
}

} // namespace

class TestResidentCharts : public QObject
{
  Q_OBJECT

private slots:
  void drawsEveryCompartmentOnceInItsUnit_data();
  void drawsEveryCompartmentOnceInItsUnit();
  void eliminatesJunctionsBeforeWhatTheyHangOn();
  void putsThreadBlocksSideBySide();
  void knowsUnitsAlikeAndWhereACellIs();
  void comesWithTheSolution();
};

void TestResidentCharts::drawsEveryCompartmentOnceInItsUnit_data()
{
  QTest::addColumn<std::shared_ptr<const HinesBatch>>("batch");
  QTest::addColumn<ResidentParameters>("parameters");
  ResidentParameters small;
  small.device.sharedBytesPerBlock = 65'536;
  small.device.sharedBytesPerMultiprocessor = 66'560;
  QTest::newRow("mixed cells") << randomBatch(7, 60) << ResidentParameters{};
  QTest::newRow("one compartment") << chainBatch(1) << ResidentParameters{};
  QTest::newRow("a chain") << chainBatch(2'000) << ResidentParameters{};
  QTest::newRow("several thread blocks") << chainBatch(20'000) << small;
  QTest::newRow("spread over the device") << chainBatch(120'000) << small;
}

void TestResidentCharts::drawsEveryCompartmentOnceInItsUnit()
{
  QFETCH(std::shared_ptr<const HinesBatch>, batch);
  QFETCH(ResidentParameters, parameters);
  const auto plan = makeResidentPlan(batch, parameters);
  QCOMPARE(plan->unitCount(), plan->units.size());
  std::vector<std::int64_t> stepsOfCell(batch->cells(), 0);
  for (std::size_t unit = 0; unit < plan->unitCount(); ++unit) {
    const LaneChart chart = plan->chart(unit);
    std::set<std::pair<std::int32_t, std::int32_t>> taken;
    std::int64_t busy = 0;
    for (const LaneBar& bar : chart.bars) {
      QVERIFY(bar.lane >= 0 && bar.lane < chart.lanes);
      QVERIFY(bar.step >= 0 && bar.steps > 0 && bar.step + bar.steps <= chart.steps);
      for (std::int32_t step = bar.step; step < bar.step + bar.steps; ++step)
        QVERIFY(taken.emplace(bar.lane, step).second);
      QVERIFY(bar.compartment >= 0 &&
              static_cast<std::size_t>(bar.compartment) < batch->shapes[batch->shapeOf[bar.cell]]->size());
      stepsOfCell[static_cast<std::size_t>(bar.cell)] += bar.steps;
      busy += bar.steps;
    }
    // The bands cover the steps without a gap.
    std::int32_t step = 0;
    for (const LaneBand& band : chart.bands) {
      QCOMPARE(band.step, step);
      step += band.steps;
    }
    QCOMPARE(step, chart.steps);
    QVERIFY(!chart.bands.back().barrierAfter);

    const LaneFigures figures = measure(chart);
    QCOMPARE(figures.lanes, chart.lanes);
    QCOMPARE(figures.steps, std::int64_t{chart.steps});
    QCOMPARE(figures.busy, busy);
    QVERIFY(figures.issued >= busy && figures.issued <= std::int64_t{chart.lanes} * chart.steps);
    QCOMPARE(stepsOf(chart, LaneWork::Junction), std::int64_t{plan->schedules[plan->units[unit].schedule].nodeCount()});
  }
  for (std::size_t cell = 0; cell < batch->cells(); ++cell)
    QCOMPARE(stepsOfCell[cell], static_cast<std::int64_t>(batch->shapes[batch->shapeOf[cell]]->size()));
}

void TestResidentCharts::eliminatesJunctionsBeforeWhatTheyHangOn()
{
  const auto plan = makeResidentPlan(chainBatch(5'000));
  std::size_t dependencies = 0;
  for (std::size_t unit = 0; unit < plan->unitCount(); ++unit) {
    const ResidentSchedule& schedule = plan->schedules[plan->units[unit].schedule];
    const LaneChart chart = plan->chart(unit);
    std::map<std::int32_t, std::int32_t> stepOfCompartment;
    for (const LaneBar& bar : chart.bars)
      if (bar.work == LaneWork::Junction)
        stepOfCompartment[bar.compartment] = bar.step;
    std::vector<std::int32_t> stepOfNode(static_cast<std::size_t>(schedule.nodeCount()), -1);
    for (const ResidentRank& rank : schedule.ranks)
      for (std::int32_t lane = 32 * rank.groupBegin; lane < 32 * (rank.groupBegin + rank.groupCount); ++lane)
        if (const std::int32_t node = schedule.pieces[static_cast<std::size_t>(lane)].node; node >= 0) {
          const std::int32_t row = schedule.rowSlot[static_cast<std::size_t>(schedule.rowBegin[lane / 32])];
          const std::int32_t slot = rank.slotBegin + row + lane % 32;
          stepOfNode[static_cast<std::size_t>(node)] = stepOfCompartment.at(schedule.slotCompartment[slot]);
        }
    for (std::int32_t node = 0; node < schedule.nodeCount(); ++node) {
      QVERIFY(stepOfNode[node] >= chart.bands.front().steps);
      for (const std::int32_t later : {schedule.nodes[node].parentNode, schedule.nodes[node].childNode})
        if (later >= 0) {
          QVERIFY(stepOfNode[later] > stepOfNode[node]);
          ++dependencies;
        }
    }
  }
  QVERIFY(dependencies > 300);
}

void TestResidentCharts::putsThreadBlocksSideBySide()
{
  ResidentParameters parameters;
  parameters.device.sharedBytesPerBlock = 65'536;
  parameters.device.sharedBytesPerMultiprocessor = 66'560;
  const auto plan = makeResidentPlan(chainBatch(20'000), parameters);
  const ResidentSchedule& schedule = plan->schedules.front();
  QVERIFY(schedule.ranks.size() > 1);
  const LaneChart chart = plan->chart(0);
  QCOMPARE(chart.lanes, 32 * schedule.groups());
  QVERIFY(chart.title.find("thread blocks") != std::string::npos);
  // Every block has junctions of its own; what is left between blocks is eliminated after all of these.
  std::vector<int> junctionsOfBlock(schedule.ranks.size(), 0);
  std::int32_t lastOwn = 0;
  for (const LaneBand& band : chart.bands)
    if (!QString::fromStdString(band.label).startsWith("junctions between blocks"))
      lastOwn = band.step + band.steps;
  QVERIFY(lastOwn < chart.steps);
  for (const LaneBar& bar : chart.bars)
    if (bar.work == LaneWork::Junction && bar.step < lastOwn)
      for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
        const std::int32_t begin = 32 * schedule.ranks[rank].groupBegin;
        junctionsOfBlock[rank] += bar.lane >= begin && bar.lane < begin + 32 * schedule.ranks[rank].groupCount;
      }
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    QCOMPARE(junctionsOfBlock[rank], schedule.ranks[rank].nodeCount);
}

void TestResidentCharts::knowsUnitsAlikeAndWhereACellIs()
{
  const auto batch = randomBatch(3, 90);
  const auto plan = makeResidentPlan(batch);
  std::size_t repeated = 0;
  for (std::size_t unit = 0; unit < plan->unitCount(); ++unit) {
    std::size_t first = 0;
    while (plan->kindOf(first) != plan->kindOf(unit))
      ++first;
    const LaneChart chart = plan->chart(unit);
    const LaneChart same = plan->chart(first);
    QCOMPARE(chart.bars.size(), same.bars.size());
    for (std::size_t k = 0; k < chart.bars.size(); ++k) {
      QCOMPARE(chart.bars[k].lane, same.bars[k].lane);
      QCOMPARE(chart.bars[k].step, same.bars[k].step);
      QCOMPARE(chart.bars[k].steps, same.bars[k].steps);
    }
    for (const LaneBar& bar : chart.bars)
      QCOMPARE(plan->unitOfCell(static_cast<std::size_t>(bar.cell)), std::optional(unit));
    repeated += first < unit ? 1 : 0;
  }
  QVERIFY(repeated > 0);
  QVERIFY(!plan->unitOfCell(batch->cells()).has_value());
}

void TestResidentCharts::comesWithTheSolution()
{
  const auto batch = randomBatch(2, 6);
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kResident;
  const auto resident = solve(batch, parameters);
  QVERIFY(std::dynamic_pointer_cast<const ResidentPlan>(resident->schedule));
  QVERIFY(resident->schedule->unitCount() > 0);
  parameters.solver = kMulticore;
  QVERIFY(std::dynamic_pointer_cast<const SolvePlan>(solve(batch, parameters)->schedule));
}

HINESIGHT_TEST(TestResidentCharts)

#include "test_resident_charts.moc"
