#include "cable/random_tree.hpp"
#include "hines/solvers.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "planar_scenes.hpp"
#include "test_main.hpp"
#include "widgets/cells/packing/packing_view.hpp"
#include "widgets/cells/packing/packing_view_strip.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <map>
#include <tuple>

using namespace hinesight;
using namespace hinesight::widgets;
using hinesight::testing::alike;

namespace {

/// Two levels: a root of 3 compartments; below it branches of 5, 2 and 4 in that lane order. Two cells of one shape.
hines::BlockSchedule makeSchedule()
{
  hines::BlockSchedule schedule;
  schedule.cellShape = {0, 0};
  schedule.levels = {{0, 2, 0, 2, 3}, {2, 6, 6, 6, 5}};
  schedule.branchLength = {3, 3, 5, 5, 2, 2, 4, 4};
  schedule.branchCell = {0, 1, 0, 1, 0, 1, 0, 1};
  schedule.branchNode = {0, 0, 1, 1, 2, 2, 3, 3};
  schedule.slotCell.resize(36, -1);
  return schedule;
}

/// A scene around that schedule, used by three blocks. Compartments in the order of the planned ones.
std::shared_ptr<Scene> makeHandMadeScene()
{
  hines::PlannedShape shape;
  shape.tree.parent = {-1, 0, 0, 0};
  shape.tree.level = {0, 1, 1, 1};
  shape.tree.first = {0, 3, 8, 10};
  shape.tree.length = {3, 5, 2, 4};
  shape.tree.uncut = {0, 1, 2, 3};
  for (std::int32_t k = 0; k < 14; ++k) {
    shape.compartment.push_back(k);
  }
  auto batch = std::make_shared<hines::HinesBatch>();
  batch->shapeOf.assign(6, 0);
  auto plan = std::make_shared<hines::SolvePlan>();
  plan->batch = batch;
  plan->cellOrder = {0, 1, 2, 3, 4, 5};
  plan->parameters.blockSize = 32;
  plan->parameters.sortByLength = false;
  plan->asRead = {shape};
  plan->shapes = {shape};
  plan->schedules = {makeSchedule()};
  plan->blocks = {{0, 0, 0}, {0, 36, 2}, {0, 72, 4}};
  plan->figures.units = 3;
  plan->figures.criticalPath = 8;
  auto scene = std::make_shared<Scene>();
  scene->cells.resize(1);
  scene->cells[0].name = "hand made";
  scene->plan = plan;
  scene->branchOfCompartment = hines::BranchMap(*scene->plan, scene->cells.size());
  return scene;
}

std::unique_ptr<PackingView> show(std::shared_ptr<const Scene> scene, const QSize& size = {1000, 700})
{
  auto view = std::make_unique<PackingView>();
  view->resize(size);
  view->setColorBy(ColorBy::Branch);
  view->setScene(std::move(scene));
  view->show();
  view->settle(); // charts are made in the background
  return view;
}

/// The bar of a branch of the hand-made schedule's first block.
const hines::LaneBar& barOf(const PackingView& view, std::int32_t branch)
{
  const hines::BlockSchedule schedule = makeSchedule();
  const hines::PlannedShape& shape = view.scene()->plan->shapes.front();
  const std::int32_t first = shape.tree.first[schedule.branchNode[branch]];
  const auto& bars = view.chart()->chart.bars;
  return *std::find_if(bars.begin(), bars.end(), [&](const hines::LaneBar& bar) {
    return bar.cell == schedule.branchCell[branch] && bar.compartment == shape.compartment[first];
  });
}

QPoint pixelOf(const PackingView& view, double lane, double step)
{
  return view.planarCanvas()->transform().map(QPointF(lane + 0.5, step + 0.5)).toPoint();
}

std::shared_ptr<Scene> makeRandomScene(std::int32_t blockSize, bool sorted)
{
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  cable::RandomTreeParameters trees;
  trees.levels = 9;
  trees.branchingProbability = 0.8;
  for (std::uint64_t index = 0; index < 4; ++index) {
    systems.push_back(cable::makeRandomTree(trees, index));
  }
  hines::PlanParameters parameters;
  parameters.blockSize = blockSize;
  parameters.sortByLength = sorted;
  return testing::makeScene(systems, 30, parameters);
}

/// Two units: five lanes with pieces, padding and two junctions; and one lane a cell.
class HandMadeCharts : public hines::Schedule
{
public:
  std::string_view unitName() const override { return "unit"; }
  std::size_t unitCount() const override { return 3; }
  hines::LaneChart chart(std::size_t unit, hines::LaneOrder) const override
  {
    using hines::LaneWork;
    const auto own = static_cast<std::int32_t>(unit);
    if (unit == 2) {
      return {"2 cells", 2, 14, {{"cells", 0, 14, false}}, {{0, 0, 14, 0, {}, -1}, {1, 0, 14, 5, {}, -1}}};
    }
    return {"1 cell",
            40,
            6,
            {{"pieces", 0, 4, true}, {"junctions, round 1", 4, 1, false}, {"junctions, round 2", 5, 1, false}},
            {{0, 0, 4, own, LaneWork::Compartment, 3},
             {1, 0, 3, own, LaneWork::Compartment, 8},
             {2, 0, 2, own, LaneWork::Padding, -1},
             {35, 0, 2, own, LaneWork::Compartment, 10},
             {36, 0, 4, own, LaneWork::Compartment, 11},
             {0, 4, 1, own, LaneWork::Junction, 2},
             {0, 5, 1, own, LaneWork::Junction, 1}}};
  }
  std::size_t kindOf(std::size_t unit) const override { return unit == 1 ? 0 : unit; }
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override { return cell < 2 ? cell : 2; }
  bool dividesCells() const override { return true; }

protected:
  std::size_t bytesMoved() const override { return 0; }
};

/// The hand-made scene, solved by a solver with this schedule.
std::shared_ptr<Scene> solvedScene(std::shared_ptr<const hines::Schedule> schedule,
                                   hines::SolverId solver = hines::kResident)
{
  auto scene = makeHandMadeScene();
  auto solution = std::make_shared<hines::Solution>();
  solution->parameters.solver = solver;
  solution->schedule = std::move(schedule);
  scene->solution = solution;
  return scene;
}

/// A unit of the plan as it is drawn.
PackedChart pack(const hines::SolvePlan& plan, LaneOrder order, Sweep sweep, std::size_t unit = 0)
{
  return packChart({unit, order, sweep}, plan.chart(unit, order));
}

std::shared_ptr<const study::PlannedSchedule> planFor(const Scene& scene, hines::SolverId solver, Backend backend)
{
  hines::SolveParameters parameters;
  parameters.solver = solver;
  parameters.backend = backend;
  parameters.of<hines::EddParameters>().threshold = 4; // else a device that is there is measured
  return std::make_shared<const study::PlannedSchedule>(study::planSchedule(scene.plan->batch, parameters));
}

/// Lanes of 100,000 short bars.
class ManyBars : public hines::Schedule
{
public:
  std::string_view unitName() const override { return "unit"; }
  std::size_t unitCount() const override { return 1; }
  hines::LaneChart chart(std::size_t, hines::LaneOrder) const override
  {
    hines::LaneChart chart{"1,000 lanes", 1'000, 300, {{"all", 0, 300, false}}, {}};
    for (std::int32_t lane = 0; lane < 1'000; ++lane) {
      for (std::int32_t k = 0; k < 100; ++k) {
        chart.bars.push_back({lane, 3 * k, 1, lane % 6, hines::LaneWork::Compartment, k % 14});
      }
    }
    return chart;
  }
  std::optional<std::size_t> unitOfCell(std::size_t) const override { return 0; }
  bool dividesCells() const override { return true; }

protected:
  std::size_t bytesMoved() const override { return 0; }
};

} // namespace

class TestPackingView : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase() { setTheme(ThemeMode::Dark); }

  void handMadeScheduleBackwardAsPacked()
  {
    const PackedChart packed = pack(*makeHandMadeScene()->plan, LaneOrder::ByCell, Sweep::Backward);
    QCOMPARE(packed.chart.steps, 8);
    QCOMPARE(packed.chart.bands.size(), std::size_t{2});
    QCOMPARE(packed.chart.bands[0].label, std::string("L1")); // the deepest first
    QCOMPARE(packed.chart.bands[0].steps, 5);
    QCOMPARE(packed.chart.bands[1].step, 5);
    // Cell 0's branches of 5, 2 and 4 compartments, then cell 1's.
    const std::vector<std::pair<std::int32_t, std::int32_t>> lanes = {{0, 3}, {0, 8}, {0, 10}, {1, 3}, {1, 8}, {1, 10}};
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const hines::LaneBar& bar = packed.chart.bars[lane];
      QCOMPARE(std::pair(bar.cell, bar.compartment), lanes[lane]);
      QCOMPARE(bar.lane, static_cast<std::int32_t>(lane));
      QCOMPARE(bar.step, 0);
    }
    QCOMPARE(packed.chart.bars[6].step, 5);
    // 22 + 6 compartments; one warp issues 5 and 3 steps of 32 lanes.
    QCOMPARE(packed.busy[0], 22.0 / 160);
    QCOMPARE(packed.occupancy, 28.0 / 256);
  }

  void sortedLanesFallInLength()
  {
    const PackedChart packed = pack(*makeHandMadeScene()->plan, LaneOrder::ByLength, Sweep::Forward);
    QCOMPARE(packed.chart.bands[0].label, std::string("L0")); // the root first
    QVERIFY(packed.chart.bands[0].barrierAfter && !packed.chart.bands[1].barrierAfter);
    std::vector<hines::LaneBar> bars = packed.chart.bars;
    std::sort(bars.begin(), bars.end(), [](const hines::LaneBar& a, const hines::LaneBar& b) {
      return std::tie(a.step, a.lane) < std::tie(b.step, b.lane);
    });
    const std::vector<std::int32_t> lengths = {3, 3, 5, 5, 4, 4, 2, 2};
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      QCOMPARE(bars[k].steps, lengths[k]);
      QCOMPARE(bars[k].step, k < 2 ? 0 : 3); // the lanes of a level begin together
    }
  }

  void moreBranchesThanThreadsGoInPasses()
  {
    hines::SolvePlan plan;
    hines::PlannedShape shape;
    hines::BlockSchedule schedule;
    schedule.cellShape = {0};
    schedule.levels = {{0, 70, 0, 70, 9}};
    for (std::int32_t k = 0; k < 70; ++k) {
      schedule.branchLength.push_back(k < 32 ? 9 : k < 64 ? 4 : 2);
      schedule.branchCell.push_back(0);
      schedule.branchNode.push_back(k);
      shape.tree.first.push_back(k);
      shape.compartment.push_back(k);
    }
    plan.shapes = {shape};
    plan.schedules = {schedule};
    plan.blocks = {{0, 0, 0}};
    plan.cellOrder = {0};
    plan.parameters.blockSize = 32;
    for (const Sweep sweep : {Sweep::Backward, Sweep::Forward}) {
      const PackedChart packed = pack(plan, LaneOrder::ByLength, sweep);
      QCOMPARE(packed.chart.bands[0].seams, (std::vector<std::int32_t>{9, 13}));
      QVERIFY(QString::fromStdString(packed.chart.bands[0].detail).endsWith(QStringLiteral(" in 3 passes")));
      QCOMPARE(packed.chart.steps, 15);
      QCOMPARE(packed.chart.bars[69].lane, 5);
      QCOMPARE(packed.chart.bars[69].step, 13);
      QCOMPARE(packed.warps.size(), std::size_t{1}); // which has no break
      QCOMPARE(packed.occupancy, (32 * 9 + 32 * 4 + 6 * 2) / (32.0 * 15));
    }
  }

  /// What is the backward sweep's mirror image, and what is not, has the same work in the same bands.
  void theForwardSweepHasTheBandsFromTheLastToTheFirst()
  {
    const hines::LaneChart backward = HandMadeCharts().chart(0, LaneOrder::AsExecuted);
    const hines::LaneChart forward = hines::forwardSweep(backward);
    QCOMPARE(forward.bands.size(), std::size_t{3});
    QCOMPARE(forward.bands[0].label, std::string("junctions, round 2"));
    QCOMPARE(forward.bands[2].step, 2);
    QCOMPARE(forward.bands[2].steps, 4);
    QVERIFY(!forward.bands[0].barrierAfter && forward.bands[1].barrierAfter && !forward.bands[2].barrierAfter);
    for (std::size_t k = 0; k < backward.bars.size(); ++k) {
      QCOMPARE(forward.bars[k].step, 6 - backward.bars[k].step - backward.bars[k].steps);
    }
  }

  /// The drawing's figures are the plan's own.
  void figuresAgreeWithThePlan_data()
  {
    QTest::addColumn<int>("blockSize");
    QTest::addColumn<bool>("sorted");
    QTest::newRow("32 threads") << 32 << true;
    QTest::newRow("128 threads") << 128 << true;
    QTest::newRow("128 threads, unsorted") << 128 << false;
  }

  void figuresAgreeWithThePlan()
  {
    QFETCH(int, blockSize);
    QFETCH(bool, sorted);
    const auto scene = makeRandomScene(blockSize, sorted);
    const hines::SolvePlan& plan = *scene->plan;
    double busy = 0;
    double issued = 0;
    std::int64_t most = 0;
    std::size_t blocks = 0;
    for (const hines::UnitGroup& group : hines::groupUnits(plan)) {
      const PackedChart packed =
          pack(plan, sorted ? LaneOrder::ByLength : LaneOrder::ByCell, Sweep::Backward, group.first);
      // No two branches on a lane at a time, none outside the block.
      std::map<std::pair<std::int32_t, std::int64_t>, std::int64_t> taken;
      double compartments = 0;
      for (const hines::LaneBar& bar : packed.chart.bars) {
        QVERIFY(bar.lane >= 0 && bar.lane < blockSize);
        QVERIFY(bar.step + bar.steps <= packed.chart.steps);
        QVERIFY(taken.emplace(std::pair(bar.lane, bar.step), bar.steps).second);
        compartments += bar.steps;
      }
      for (auto next = taken.begin(), previous = next++; next != taken.end(); previous = next++) {
        QVERIFY(next->first.first != previous->first.first ||
                next->first.second >= previous->first.second + previous->second);
      }
      busy += static_cast<double>(group.units) * compartments;
      issued += static_cast<double>(group.units) * compartments / packed.occupancy;
      most = std::max<std::int64_t>(most, packed.chart.steps);
      blocks += group.units;
    }
    QCOMPARE(blocks, plan.figures.units);
    QCOMPARE(most, plan.figures.criticalPath);
    QVERIFY(std::abs(busy / issued - plan.figures.occupancy) < 1e-12);
  }

  void barsAreDrawnAtTheirLanesAndSteps()
  {
    const auto view = show(makeHandMadeScene());
    const QImage picture = view->planarCanvas()->grabPicture();
    const Coloring coloring(*view->scene(), ColorBy::Branch);
    // Unsorted, as the plan has it: cell 0's branch 2 (2 steps) is on lane 1.
    QVERIFY(alike(picture.pixel(pixelOf(*view, 1, 1)), coloring.ofBranch({0, 2}).rgb()));
    QVERIFY(alike(picture.pixel(pixelOf(*view, 2, 3)), coloring.ofBranch({0, 3}).rgb()));
    QVERIFY(alike(picture.pixel(pixelOf(*view, 0, 7)), coloring.ofBranch({0, 0}).rgb()));
    const QRgb idle = picture.pixel(pixelOf(*view, 1, 3));
    QVERIFY(!alike(idle, coloring.ofBranch({0, 2}).rgb()));
    QVERIFY(!alike(idle, theme().canvas.rgb(), 1)); // shaded: its warp still runs
    view->setLook({.isSorted = true});
    view->settle();
    const QImage sorted = view->planarCanvas()->grabPicture();
    QVERIFY(alike(sorted.pixel(pixelOf(*view, 1, 3)), coloring.ofBranch({0, 1}).rgb()));
    QVERIFY(alike(sorted.pixel(pixelOf(*view, 5, 0)), coloring.ofBranch({0, 2}).rgb()));
  }

  /// The switch follows the plans' own order where that changes, and else stays as a person has put it.
  void keepsTheChosenOrderThroughRuns()
  {
    const auto view = show(makeRandomScene(128, true));
    auto* sorted = view->findChild<QToolButton*>(QStringLiteral("packingSorted"));
    QVERIFY(sorted->isChecked());
    sorted->click();
    view->setScene(makeRandomScene(256, true));
    QVERIFY(!sorted->isChecked());
    view->setScene(makeRandomScene(256, false));
    QVERIFY(!sorted->isChecked());
    view->setScene(makeRandomScene(256, true));
    QVERIFY(sorted->isChecked());
  }

  void textsSayHowFull()
  {
    const auto view = show(makeHandMadeScene(), {1200, 700});
    view->planarCanvas()->grabPicture();
    const QStringList texts = view->planarCanvas()->visibleTexts();
    QVERIFY(texts.contains(
        QStringLiteral("Block 1 of 3 (3 alike): 2 cells, 2 levels, hand made, 32 lanes, 8 steps, 11 % of "
                       "lane steps busy")));
    QVERIFY(texts.contains(QStringLiteral("L1, 6 branches\n5 steps, 14 % busy")));
    QVERIFY(texts.contains(QStringLiteral("lanes")));
    QVERIFY(texts.contains(QStringLiteral("elimination steps")));
  }

  void clickingABarPicksItsBranch()
  {
    const auto view = show(makeHandMadeScene());
    QSignalSpy picked(view.get(), &View::branchPicked);
    for (std::int32_t branch = 0; branch < 8; ++branch) {
      const hines::LaneBar& bar = barOf(*view, branch);
      QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {},
                        pixelOf(*view, bar.lane, static_cast<double>(bar.step)));
      QCOMPARE(picked.takeFirst()[0].value<BranchId>(), (BranchId{0, branch / 2}));
    }
    QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {}, pixelOf(*view, 25, 2));
    QVERIFY(picked.takeFirst()[0].value<BranchId>().isNull());
  }

  void selectionLightsUpInEveryCellOfTheBlock()
  {
    const auto view = show(makeHandMadeScene());
    view->setSelection({0, 2});
    const QImage picture = view->planarCanvas()->grabPicture();
    const Coloring coloring(*view->scene(), ColorBy::Branch);
    for (const std::int32_t branch : {4, 5}) {
      QVERIFY(alike(picture.pixel(pixelOf(*view, barOf(*view, branch).lane, 0)), coloring.ofBranch({0, 2}).rgb()));
    }
    QVERIFY(alike(picture.pixel(pixelOf(*view, 2, 1)), overCanvas(coloring.ofBranch({0, 3}), 0.35)));
    QVERIFY(testing::countPixels(picture, theme().selection.rgb(), 24) > 50);
  }

  void colourByCell()
  {
    const auto view = show(makeHandMadeScene());
    PackingLook look = view->look();
    look.byCell = true;
    view->setLook(look);
    const QImage picture = view->planarCanvas()->grabPicture();
    QVERIFY(alike(picture.pixel(pixelOf(*view, 1, 0)), categoryColor(0).rgb()));
    QVERIFY(alike(picture.pixel(pixelOf(*view, 4, 0)), categoryColor(1).rgb()));
    const auto* legend = view->findChild<LegendOverlay*>();
    QCOMPARE(legend->legend().entries.size(), std::size_t{2});
    view->setColorBy(ColorBy::Level); // the header's choice wins
    QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("packingByCell"))->isChecked());
  }

  void blocksAreChosenInTheStrip()
  {
    const auto view = show(makeRandomScene(64, true));
    auto* strip = view->findChild<PackingStrip*>();
    QVERIFY(strip->isVisible());
    QVERIFY(view->groups().size() > 1);
    const std::size_t before = view->chart()->chart.bars.size();
    const int other = static_cast<int>(view->groups().size()) - 1;
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {},
                      strip->visualRect(strip->model()->index(other, 0)).center());
    view->settle();
    QCOMPARE(view->shownGroup(), other);
    const auto scheduleOf = [&](int group) -> const hines::BlockSchedule& {
      const hines::SolvePlan& plan = *view->scene()->plan;
      return plan.schedules[plan.blocks[view->groups()[group].first].schedule];
    };
    const auto& schedule = scheduleOf(other);
    QCOMPARE(view->chart()->chart.bars.size(), static_cast<std::size_t>(schedule.branches()));
    QVERIFY(before != view->chart()->chart.bars.size());
    // Selecting a branch of a cell that is not in this block turns to one that has it.
    const std::uint32_t missing = [&] {
      std::uint32_t shape = 0;
      while (std::find(schedule.cellShape.begin(), schedule.cellShape.end(), shape) != schedule.cellShape.end()) {
        ++shape;
      }
      return shape;
    }();
    QVERIFY(missing < 4);
    view->setSelection({static_cast<std::int32_t>(missing), 0});
    const auto& turned = scheduleOf(view->shownGroup()).cellShape;
    QVERIFY(std::find(turned.begin(), turned.end(), missing) != turned.end());
  }

  void theStripShowsItsPictures()
  {
    const auto view = show(makeHandMadeScene());
    const auto* strip = view->findChild<PackingStrip*>();
    const QImage picture = const_cast<PackingStrip*>(strip)->grab().toImage();
    const Coloring coloring(*view->scene(), ColorBy::Branch);
    QVERIFY(testing::countPixels(picture, coloring.ofBranch({0, 0}).rgb(), 30) > 20);
    QVERIFY(strip->model()->index(0, 0).data().toString().contains(QStringLiteral("3")));
  }

  void chartsAreCounted()
  {
    const PackedChart packed = packChart({0}, HandMadeCharts().chart(0, hines::LaneOrder::AsExecuted));
    QCOMPARE(packed.occupancy, 15.0 / 224); // of 32 lanes in 6 steps and 8 in 4; padding is nobody's
    QCOMPARE(packed.busy, (std::vector<double>{13.0 / 160, 1.0 / 32, 1.0 / 32})); // the second warp is done by then
    QCOMPARE(packed.warps.size(), std::size_t{2});
    QCOMPARE(packed.warps[0].steps, 6); // the first warp goes on with the junctions
    QCOMPARE(packed.warps[1].firstLane, 32);
    QCOMPARE(packed.warps[1].steps, 4);
    QVERIFY(!packed.wholeCells);
    QVERIFY(packChart({2}, HandMadeCharts().chart(2, hines::LaneOrder::AsExecuted)).wholeCells);
    const ChartSummary summary = summarize(HandMadeCharts());
    QCOMPARE(summary.groups.size(), std::size_t{2});
    QCOMPARE(summary.groups[0].units, std::size_t{2});
    QCOMPARE(summary.mostSteps, 14);
    QCOMPARE(summary.occupancy, (15.0 + 15 + 28) / (224 + 224 + 28));
  }

  /// Work, padding, idle lanes of a running warp and lanes of a waiting one look different, in both sweeps.
  void aSolversOwnPlanIsDrawn_data()
  {
    QTest::addColumn<ThemeMode>("mode");
    QTest::newRow("dark") << ThemeMode::Dark;
    QTest::newRow("light") << ThemeMode::Light;
  }

  void aSolversOwnPlanIsDrawn()
  {
    QFETCH(ThemeMode, mode);
    setTheme(mode);
    const auto view = show(solvedScene(std::make_shared<HandMadeCharts>()));
    const QImage picture = view->grabPicture();
    const QImage canvas = view->planarCanvas()->grabPicture();
    const Coloring coloring(*view->scene(), ColorBy::Branch);
    QVERIFY(alike(canvas.pixel(pixelOf(*view, 0, 1)), coloring.ofBranch({0, 1}).rgb()));
    QVERIFY(alike(canvas.pixel(pixelOf(*view, 36, 3)), coloring.ofBranch({0, 3}).rgb()));
    QVERIFY(alike(canvas.pixel(pixelOf(*view, 0, 5)), coloring.ofBranch({0, 0}).rgb())); // a junction
    const QRgb padding = canvas.pixel(pixelOf(*view, 2, 1));
    const QRgb idle = canvas.pixel(pixelOf(*view, 10, 2));
    const QRgb waiting = canvas.pixel(pixelOf(*view, 38, 5));
    QVERIFY(!alike(padding, idle, 8) && !alike(padding, waiting, 8));
    QVERIFY(!alike(idle, waiting, 4));
    QVERIFY(alike(waiting, theme().canvas.rgb()));
    PackingLook look = view->look();
    look.sweep = Sweep::Forward;
    view->setLook(look);
    view->settle();
    const QImage forward = view->planarCanvas()->grabPicture();
    QVERIFY(alike(forward.pixel(pixelOf(*view, 0, 0)), coloring.ofBranch({0, 0}).rgb()));
    QVERIFY(alike(forward.pixel(pixelOf(*view, 36, 5)), coloring.ofBranch({0, 3}).rgb()));
    QVERIFY(!picture.isNull());
    setTheme(ThemeMode::Dark);
  }

  void aSolversOwnPlanSaysWhoseItIs()
  {
    const auto view = show(solvedScene(std::make_shared<HandMadeCharts>()));
    view->settle();
    view->planarCanvas()->grabPicture();
    const auto* header = view->findChild<QLabel*>(QStringLiteral("viewText"));
    QVERIFY2(header->text().startsWith(QStringLiteral("Resident on CPU, as it ran; 3 units, 12 %")),
             qPrintable(header->text()));
    const QStringList texts = view->planarCanvas()->visibleTexts();
    QVERIFY(texts.contains(
        QStringLiteral("Unit 1 of 3 (2 alike): 1 cell, hand made, 40 lanes, 6 steps, 7 % of lane steps busy")));
    QVERIFY(texts.contains(QStringLiteral("pieces\n4 steps, 8 % busy")));
    QVERIFY(
        std::any_of(texts.begin(), texts.end(), [](const QString& text) { return text.startsWith(u"Grey: padding"); }));
    QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("packingSorted"))->isVisible());

    auto scene = makeHandMadeScene();
    auto solution = std::make_shared<hines::Solution>();
    solution->parameters.solver = hines::kFine;
    solution->schedule = scene->plan;
    scene->solution = solution;
    view->setScene(scene);
    QVERIFY2(header->text().startsWith(QStringLiteral("Fine on CPU, as it ran; 3 blocks")), qPrintable(header->text()));
    view->settle();
    QCOMPARE(view->chart()->chart.bars.size(), std::size_t{8});
    QVERIFY(view->findChild<QToolButton*>(QStringLiteral("packingSorted"))->isVisible());
    view->setScene(solvedScene(std::make_shared<hines::UnknownSchedule>(nullptr, "cuSPARSE"), hines::kGtsvStrided));
    QVERIFY2(header->text().startsWith(
                 QStringLiteral("plan of branches, has not run (the gtsv2-strided solver did); 3 blocks")),
             qPrintable(header->text()));
    view->settle();
    QCOMPARE(view->chart()->chart.bars.size(), std::size_t{8});
    view->setScene(makeHandMadeScene());
    QVERIFY2(header->text().startsWith(QStringLiteral("plan of branches, has not run; 3 blocks")),
             qPrintable(header->text()));
  }

  void clickingABarOfAChartPicksItsBranch()
  {
    const auto view = show(solvedScene(std::make_shared<HandMadeCharts>()));
    view->settle();
    QSignalSpy picked(view.get(), &View::branchPicked);
    const auto clickAt = [&](double lane, double step) {
      QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {}, pixelOf(*view, lane, step));
      return picked.takeFirst()[0].value<BranchId>();
    };
    QCOMPARE(clickAt(0, 2), (BranchId{0, 1}));
    QCOMPARE(clickAt(1, 1), (BranchId{0, 2}));
    QCOMPARE(clickAt(0, 5), (BranchId{0, 0}));
    QVERIFY(clickAt(20, 2).isNull());
    view->setSelection({0, 3}); // cut into two pieces
    const QImage picture = view->planarCanvas()->grabPicture();
    const Coloring coloring(*view->scene(), ColorBy::Branch);
    QVERIFY(alike(picture.pixel(pixelOf(*view, 35, 1)), coloring.ofBranch({0, 3}).rgb()));
    QVERIFY(alike(picture.pixel(pixelOf(*view, 0, 1)), overCanvas(coloring.ofBranch({0, 1}), kDimmedOpacity)));
  }

  void unitsAreChosenInTheStrip()
  {
    const auto view = show(solvedScene(std::make_shared<HandMadeCharts>()));
    view->settle();
    auto* strip = view->findChild<PackingStrip*>();
    QVERIFY(strip->isVisible());
    QCOMPARE(strip->model()->rowCount(), 2);
    QVERIFY(strip->model()->index(0, 0).data().toString().contains(QStringLiteral("Unit 1 \u00d7 2")));
    QVERIFY(strip->model()->index(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("100 %")));
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, strip->visualRect(strip->model()->index(1, 0)).center());
    view->settle();
    QCOMPARE(view->shownUnit(), std::size_t{2});
    QCOMPARE(view->chart()->chart.lanes, 2);
    // Bars that are whole cells have the colour of the cell that they are copies of, and show all of its branches.
    const QImage picture = view->planarCanvas()->grabPicture();
    QVERIFY(alike(picture.pixel(pixelOf(*view, 0, 3)), categoryColor(0).rgb()));
    QVERIFY(alike(picture.pixel(pixelOf(*view, 1, 3)), categoryColor(0).rgb()));
    const auto& legend = view->findChild<LegendOverlay*>()->legend();
    QCOMPARE(legend.entries.size(), std::size_t{1});
    QVERIFY(legend.entries[0].label.startsWith(QStringLiteral("2 \u00d7 ")));
    view->setSelection({0, 2});
    const QImage selected = view->planarCanvas()->grabPicture();
    QVERIFY(alike(selected.pixel(pixelOf(*view, 1, 3)), categoryColor(0).rgb()));
    // By cell, every copy has a colour of its own.
    view->findChild<QToolButton*>(QStringLiteral("packingByCell"))->click();
    const QImage byCell = view->planarCanvas()->grabPicture();
    QVERIFY(alike(byCell.pixel(pixelOf(*view, 1, 3)), categoryColor(1).rgb()));
    QCOMPARE(view->findChild<LegendOverlay*>()->legend().entries.size(), std::size_t{2});
  }

  /// The scene has one cell; a unit whose cells are other copies of it will do.
  void aSelectionTurnsToTheUnitOfItsCell()
  {
    auto scene = solvedScene(std::make_shared<HandMadeCharts>());
    scene->cells.resize(3);
    scene->branchOfCompartment = hines::BranchMap(*scene->plan, scene->cells.size());
    const auto view = show(scene);
    view->settle();
    QCOMPARE(view->shownUnit(), std::size_t{0});
    view->setSelection({2, 1});
    view->settle();
    QCOMPARE(view->shownUnit(), std::size_t{2});
    view->setSelection({1, 1});
    view->settle();
    QCOMPARE(view->shownUnit(), std::size_t{1});
    QCOMPARE(view->shownGroup(), 0);
  }

  /// What is too small to be told apart is not drawn one by one.
  void aHundredThousandBarsAreFewShapes()
  {
    const auto view = show(solvedScene(std::make_shared<ManyBars>()), {1600, 1000});
    view->settle();
    QCOMPARE(view->planarCanvas()->drawing().bars.size(), std::size_t{100'000});
    view->planarCanvas()->grabPicture();
    const auto shapes = testing::shapesOf(*view->planarCanvas());
    QVERIFY2(shapes < 5'000, qPrintable(QString::number(shapes)));
  }

  void theShownScheduleIsChosenInTheHeader()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 3, {}));
    auto* box = view->findChild<QComboBox*>(QStringLiteral("scheduleChoice"));
    QVERIFY(box && box->isVisible() && !box->toolTip().isEmpty());
    const auto options = study::scheduleOptions();
    QCOMPARE(box->count(), static_cast<int>(options.size()) + 1);
    QCOMPARE(box->currentText(), QStringLiteral("As solved"));
    QVERIFY(!view->scheduleChoice());
    QSignalSpy chosen(view.get(), &ScheduleView::scheduleChosen);
    const PackedChart* drawn = view->chart();
    QTest::keyClick(box, Qt::Key_End);
    QCOMPARE(chosen.count(), 1);
    const ScheduleChoice last{options.back().solver, options.back().backend};
    QVERIFY(view->scheduleChoice() == last);
    QCOMPARE(box->currentText(), QString::fromStdString(options.back().title));
    QCOMPARE(view->chart(), drawn); // until there is a scene with it
    QTest::keyClick(box, Qt::Key_Home);
    QCOMPARE(chosen.count(), 2);
    QVERIFY(!view->scheduleChoice());
    const ScheduleChoice fine{hines::kFine, Backend::Cuda};
    view->setScheduleChoice(fine);
    QCOMPARE(box->currentText(), QStringLiteral("Fine, CUDA"));
    QVERIFY(view->scheduleChoice() == fine);
    view->setScheduleChoice(ScheduleChoice{hines::kAuto, Backend::Cpu}); // no option
    QVERIFY(!view->scheduleChoice());
    QCOMPARE(chosen.count(), 2);
  }

  void aChosenScheduleIsDrawn_data()
  {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<bool>("onCuda");
    for (const study::ScheduleOption& option : study::scheduleOptions()) {
      if (!hines::traitsOf(option.solver).chainsOnly) {
        QTest::newRow(option.title.c_str())
            << QString::fromUtf8(option.solver.name.data()) << (option.backend == Backend::Cuda);
      }
    }
  }

  void aChosenScheduleIsDrawn()
  {
    QFETCH(QString, solver);
    QFETCH(bool, onCuda);
    const auto scene = testing::makeScene({testing::smallCell()}, 3, {});
    const auto view = show(scene);
    const auto chosen = std::make_shared<Scene>(*scene);
    const auto planned =
        planFor(*scene, hines::solverNamed(solver.toStdString()), onCuda ? Backend::Cuda : Backend::Cpu);
    QVERIFY2(planned->schedule, planned->problem.c_str());
    chosen->planned = planned;
    view->setScene(chosen);
    view->settle();
    const auto& expected = planned->schedule->chart(0, view->chart()->key.order).bars;
    const auto& bars = view->chart()->chart.bars;
    QCOMPARE(bars.size(), expected.size());
    for (std::size_t k = 0; k < bars.size(); ++k) {
      QCOMPARE(bars[k].lane, expected[k].lane);
      QCOMPARE(bars[k].step, expected[k].step);
      QCOMPARE(bars[k].steps, expected[k].steps);
    }
    QCOMPARE(view->planarCanvas()->drawing().bars.size(), bars.size());
    const QString header = view->findChild<QLabel*>(QStringLiteral("viewText"))->text();
    QVERIFY2(header.startsWith(QStringLiteral("Not run: ")), qPrintable(header));
    QCOMPARE(header.contains(QStringLiteral(" predicted ")), planned->predicted.has_value());
    const std::string whose = planned->predicted ? originText(*planned->predicted) : planned->device;
    QVERIFY2(header.contains(QString::fromStdString(whose)), qPrintable(header));
    // And back.
    view->setScene(scene);
    view->settle();
    QCOMPARE(view->chart()->chart.bars.size(), scene->plan->chart(0).bars.size());
  }

  void aChosenScheduleThatRanIsTheOneThatRan()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 3, {});
    scene->planned = planFor(*scene, hines::kResident, Backend::Cpu);
    scene->solution = hines::solve(scene->plan->batch, scene->planned->parameters);
    QVERIFY(hasRun(*scene));
    QCOMPARE(drawnSchedule(*scene), scene->solution->schedule);
    const auto view = show(scene);
    const auto* header = view->findChild<QLabel*>(QStringLiteral("viewText"));
    QVERIFY2(header->text().startsWith(QStringLiteral("Resident on CPU, as it ran: %1;")
                                           .arg(formatMilliseconds(scene->solution->timings.of("solve")))),
             qPrintable(header->text()));
    // The same solver on another device did not run.
    const auto other = std::make_shared<Scene>(*scene);
    other->planned = planFor(*scene, hines::kResident, Backend::Cuda);
    QVERIFY(!hasRun(*other));
    view->setScene(other);
    QVERIFY2(header->text().startsWith(QStringLiteral("Not run: ")), qPrintable(header->text()));
  }

  void whatCannotBePlannedIsSaidInThePlaceOfTheDrawing()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 3, {});
    const auto view = show(scene);
    const auto chosen = std::make_shared<Scene>(*scene);
    chosen->planned = planFor(*scene, hines::kTridiagonal, Backend::Cuda);
    QVERIFY(!chosen->planned->problem.empty());
    view->setScene(chosen);
    view->settle();
    const auto* notice = view->findChild<QLabel*>(QStringLiteral("emptyText"));
    QVERIFY(notice->isVisible());
    QCOMPARE(notice->text(), QString::fromStdString(chosen->planned->problem));
    QVERIFY(view->planarCanvas()->drawing().bars.empty());
    QVERIFY(!view->chart());
    view->setScene(scene);
    view->settle();
    QVERIFY(!notice->isVisible());
    QVERIFY(!view->planarCanvas()->drawing().bars.empty());
  }

  /// A run has brought other cells, and the chosen schedule is not there for them yet.
  void aScheduleOfOtherCellsIsNotDrawn()
  {
    const auto before = testing::makeScene({testing::smallCell()}, 50, {});
    const auto scene = testing::makeScene({testing::smallCell()}, 3, {});
    scene->planned = planFor(*before, hines::kResident, Backend::Cuda);
    QCOMPARE(drawnSchedule(*scene), std::shared_ptr<const hines::Schedule>(scene->plan));
    const auto view = show(scene);
    QVERIFY(view->findChild<QLabel*>(QStringLiteral("viewText"))
                ->text()
                .startsWith(QStringLiteral("plan of branches, has not run")));
  }

  void drawsRealBlocks()
  {
    const QString file = tests::sharedFile("morphologies/real/swc2vtk__300000.swc");
    if (!QFileInfo::exists(file)) {
      QSKIP("shared morphologies are not here");
    }
    const auto morphology = morphology::readSwc(file.toStdString());
    const auto branches = std::make_shared<morphology::BranchTree>(morphology::findBranches(*morphology));
    const auto scene = testing::makeScene({cable::discretize(morphology, branches, {})->system}, 1'000, {});
    const auto view = show(scene, {1600, 1000});
    view->planarCanvas()->grabPicture();
    QCOMPARE(view->groups().size(), std::size_t{1});
    QCOMPARE(view->groups()[0].units, std::size_t{1'000});
    const std::vector<QRectF> rects = view->planarCanvas()->visibleTextRects();
    for (std::size_t a = 0; a < rects.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        QVERIFY(!rects[a].intersects(rects[b]));
      }
    }
  }

  void emptySceneShowsTheEmptyState()
  {
    PackingView view;
    view.setScene(nullptr);
    view.show();
    QVERIFY(view.planarCanvas()->drawing().bars.empty());
    QVERIFY(view.findChild<QWidget*>(QStringLiteral("emptyOpen"))->isVisible());
    view.setScene(makeHandMadeScene());
    QVERIFY(!view.findChild<QWidget*>(QStringLiteral("emptyOpen"))->isVisible());
    view.setScene(nullptr);
    QVERIFY(view.planarCanvas()->drawing().bars.empty());
  }
};

HINESIGHT_TEST_RUN(testing::runWidgetTest<TestPackingView>)

#include "test_packing_view.moc"
