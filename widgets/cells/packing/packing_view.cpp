#include "widgets/cells/packing/packing_view.hpp"

#include "widgets/choice_box.hpp"
#include "widgets/legend_overlay.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kManyBands = 5'000; // above, bands are only named
constexpr int kStripMargin = 8;           // pixels
constexpr int kLowView = 600;             // pixels of height below which the strip of blocks is flat
constexpr std::size_t kCellsInLegend = 8;

QString number(double value)
{
  return formatNumber(value);
}

QString levelName(const PackedBand& band)
{
  return QStringLiteral("L%1").arg(band.level);
}

/// What the margin says of a band, longest first.
QStringList bandTexts(const PackedBand& band)
{
  const QString branches = counted(band.branches, PackingView::tr("branch"), PackingView::tr("branches"));
  const QString steps = counted(static_cast<double>(band.steps), PackingView::tr("step"), PackingView::tr("steps"));
  const QString busy = PackingView::tr("%1 busy").arg(inPercent(band.occupancy));
  const QString passes = band.passes.size() > 1
                             ? PackingView::tr(" in %1 passes").arg(number(static_cast<double>(band.passes.size())))
                             : QString();
  return {PackingView::tr("%1, %2%3\n%4, %5").arg(levelName(band), branches, passes, steps, busy),
          PackingView::tr("%1, %2, %3").arg(levelName(band), steps, busy), levelName(band)};
}

QToolButton* makeSwitch(const char* name, const QString& text, const QString& tip, QWidget* parent)
{
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setToolTip(tip);
  button->setCheckable(true);
  return button;
}

QString unitName(const hines::Schedule& schedule)
{
  return QString::fromUtf8(schedule.unitName().data(), static_cast<qsizetype>(schedule.unitName().size()));
}

/// At the beginning of a text.
QString unitTitle(const hines::Schedule& schedule)
{
  QString title = unitName(schedule);
  title.replace(0, 1, title.left(1).toUpper());
  return title;
}

} // namespace

PackingView::PackingView(QWidget* parent) : PlanarView(tr("Packing"), parent)
{
  setObjectName(QStringLiteral("packingView"));
  setTextMargins({170, 66, 62, 30});

  strip = new PackingStrip(this);
  aboveCanvas()->addWidget(strip);
  aboveCanvas()->setContentsMargins(kStripMargin, kStripMargin, 0, 0);
  sortedSwitch =
      makeSwitch("packingSorted", tr("Sorted"),
                 tr("Draw the branches of a level by falling length, or as the cells come: sorted, the lanes "
                    "of a warp have similar work (only the drawing changes)"),
                 this);
  sweepSwitch = new ChoiceBox(this);
  sweepSwitch->setObjectName(QStringLiteral("packingSweep"));
  sweepSwitch->addItem(tr("Backward"), static_cast<int>(Sweep::Backward));
  sweepSwitch->addItem(tr("Forward"), static_cast<int>(Sweep::Forward));
  sweepSwitch->setToolTip(
      tr("The sweep that is drawn: backward eliminates from the tips to the root, forward substitutes from the root"));
  byCellSwitch = makeSwitch("packingByCell", tr("By cell"),
                            tr("Colour the branches by the cell of the block that they belong to"), this);
  headerSwitches()->addWidget(sortedSwitch);
  headerSwitches()->addWidget(sweepSwitch);
  headerSwitches()->addWidget(byCellSwitch);

  connect(strip, &PackingStrip::chosen, this, &PackingView::showGroup);
  connect(sortedSwitch, &QToolButton::toggled, this,
          [this](bool sorted) { setLaneOrder(sorted ? LaneOrder::ByLength : LaneOrder::ByCell); });
  connect(sweepSwitch, &QComboBox::activated, this,
          [this](int index) { setSweep(static_cast<Sweep>(sweepSwitch->itemData(index).toInt())); });
  connect(byCellSwitch, &QToolButton::toggled, this, &PackingView::setColoredByCell);
  sortedSwitch->setChecked(true);

  loader = new ChartLoader(this);
  connect(loader, &ChartLoader::summarized, this, &PackingView::takeSummary);
  connect(loader, &ChartLoader::loaded, this, &PackingView::takeChart);
  connect(loader, &ChartLoader::failed, this, &PackingView::failed);
}

const hines::Schedule* PackingView::charts() const
{
  if (!hasPlan())
    return nullptr;
  const auto drawn = drawnSchedule(*currentScene); // which the scene holds
  return drawn != currentScene->plan ? drawn.get() : nullptr;
}

void PackingView::setScene(std::shared_ptr<const Scene> scene)
{
  if (scene && scene->plan) {
    followPlan(*scene->plan);
  }
  currentScene = scene; // whose charts are taken before its parts are drawn
  takeCharts();
  PlanarView::setScene(std::move(scene));
  refreshSwitches();
  refreshHeader();
}

/// Shows what is executed; the switch then compares, and stays through plans with the same order of lanes.
void PackingView::followPlan(const hines::SolvePlan& plan)
{
  const bool sorted = plan.parameters.sortByLength;
  if (std::exchange(planIsSorted, sorted) == sorted) {
    return;
  }
  const QSignalBlocker blocker(sortedSwitch);
  laneOrder = sorted ? LaneOrder::ByLength : LaneOrder::ByCell;
  sortedSwitch->setChecked(sorted);
}

void PackingView::setSelection(BranchId id)
{
  if (!id.isNull() && hasBlocks()) {
    turnTo(id.cell);
  }
  PlanarView::setSelection(id);
}

void PackingView::setColorBy(ColorBy colorBy)
{
  const QSignalBlocker blocker(byCellSwitch);
  coloredByCell = false; // choosing a colouring in the header means to see it
  byCellSwitch->setChecked(false);
  PlanarView::setColorBy(colorBy);
}

QImage PackingView::grabPicture()
{
  settle();
  return PlanarView::grabPicture();
}

void PackingView::settle()
{
  if (!charts()) {
    return;
  }
  loader->wait();
  strip->grab(); // what is in sight asks for its picture when it is painted
  loader->wait();
}

const std::vector<BlockGroup>& PackingView::groups() const
{
  return strip->groups();
}

int PackingView::shownGroup() const
{
  return strip->chosenGroup();
}

void PackingView::showGroup(int group)
{
  strip->choose(group);
  block = groups()[group].firstBlock;
  if (charts()) {
    fitsNext = true;
    loader->request(block);
    return;
  }
  refreshLegend();
  redraw();
  fit();
}

bool PackingView::holds(std::size_t candidate, std::int32_t cell) const
{
  const auto cells = static_cast<std::int32_t>(scheduleOf(candidate).cellShape.size());
  for (std::int32_t k = 0; k < cells; ++k) {
    if (cellOf(candidate, k) == cell) {
      return true;
    }
  }
  return false;
}

void PackingView::turnTo(std::int32_t cell)
{
  if (charts()) {
    turnToUnitOf(cell);
    return;
  }
  const hines::SolvePlan& plan = *currentScene->plan;
  if (holds(block, cell)) {
    return;
  }
  for (std::size_t other = 0; other < plan.blocks.size(); ++other) {
    if (holds(other, cell)) {
      const auto ofBlock = [&](const BlockGroup& group) { return group.schedule == plan.blocks[other].schedule; };
      showGroup(static_cast<int>(std::find_if(groups().begin(), groups().end(), ofBlock) - groups().begin()));
      block = other;
      redraw();
      return;
    }
  }
}

void PackingView::turnToUnitOf(std::int32_t cell)
{
  if (!summary || !chart()) {
    return; // when they come, the selection is looked for again
  }
  const auto isCopy = [&](std::int32_t ofBatch) { return cellOfBatch(ofBatch) == cell; };
  if (std::any_of(shownChart->cells.begin(), shownChart->cells.end(), isCopy)) {
    return;
  }
  const std::optional<std::size_t> unit = charts()->unitOfCell(static_cast<std::size_t>(cell));
  if (!unit || *unit == block) {
    return;
  }
  const auto isFirst = [&](const BlockGroup& group) {
    return charts()->kindOf(group.firstBlock) == charts()->kindOf(*unit);
  };
  strip->choose(static_cast<int>(std::find_if(groups().begin(), groups().end(), isFirst) - groups().begin()));
  block = *unit;
  fitsNext = true;
  loader->request(block);
}

/// Starts with the solver's own plan, where the scene has one.
void PackingView::takeCharts()
{
  if (charts() == loader->charts()) {
    return;
  }
  summary.reset();
  block = 0;
  if (!charts()) {
    shownChart.reset();
    loader->setCharts(nullptr);
    return;
  }
  fitsNext = !shownChart;
  chartIsOld = true;
  loader->setCharts(currentScene->solution->schedule);
  if (charts()->unitCount() > 0) {
    loader->request(block);
  }
}

void PackingView::takeSummary(std::shared_ptr<const ChartSummary> taken)
{
  summary = std::move(taken);
  refreshStrip();
  refreshHeader();
  layOutOwnOverlays();
  if (!currentSelection.isNull()) {
    turnTo(currentSelection.cell);
  }
}

void PackingView::takeChart(std::shared_ptr<const PackedChart> taken)
{
  if (summary) {
    const auto isFirst = [&](const BlockGroup& group) { return group.firstBlock == taken->unit; };
    const auto group = std::find_if(groups().begin(), groups().end(), isFirst);
    if (group != groups().end()) {
      strip->setPicture(static_cast<int>(group - groups().begin()), pictureOf(*taken));
    }
  }
  if (taken->unit != block) {
    return;
  }
  shownChart = std::move(taken);
  chartIsOld = false;
  refreshLegend();
  redraw();
  if (fitsNext) {
    fitsNext = false;
    fit();
  }
  if (!currentSelection.isNull()) {
    turnTo(currentSelection.cell);
  }
}

void PackingView::setLaneOrder(LaneOrder order)
{
  laneOrder = order;
  const QSignalBlocker blocker(sortedSwitch);
  sortedSwitch->setChecked(order == LaneOrder::ByLength);
  refreshStrip();
  redraw();
}

void PackingView::setSweep(Sweep sweep)
{
  shownSweep = sweep;
  const QSignalBlocker blocker(sweepSwitch);
  sweepSwitch->setCurrentIndex(sweepSwitch->findData(static_cast<int>(sweep)));
  refreshStrip();
  redraw();
}

void PackingView::setColoredByCell(bool byCell)
{
  coloredByCell = byCell;
  const QSignalBlocker blocker(byCellSwitch);
  byCellSwitch->setChecked(byCell);
  refreshStrip();
  refreshLegend();
  redraw();
}

PlanarDrawing PackingView::compose(std::vector<BranchId>& branches)
{
  if (charts()) {
    return composeChart(branches);
  }
  if (hasBlocks()) {
    return composeBlock(branches);
  }
  packed = {};
  return {};
}

PlanarDrawing PackingView::composeChart(std::vector<BranchId>& branches)
{
  packed = {};
  if (charts()->unitCount() == 0) {
    return {};
  }
  if (!chart()) {
    return planarCanvas()->drawing(); // until the chart comes, within a few frames
  }
  const auto& bars = shownChart->chart.bars;
  branches.reserve(bars.size());
  for (const hines::LaneBar& bar : bars) {
    branches.push_back(branchOfBar(bar));
  }
  return drawChart(*shownChart, shownSweep, chartHeading(),
                   [this](std::size_t bar) { return colorOfBar(*shownChart, bar).rgb(); });
}

PlanarDrawing PackingView::composeBlock(std::vector<BranchId>& branches)
{
  packed = layOutSweep(scheduleOf(block), currentScene->plan->parameters.blockSize, shownSweep, laneOrder);
  PackingDrawing drawing(currentScene->plan->parameters.blockSize, packed.steps);
  composeBars(drawing, branches);
  composeBands(drawing);
  return drawing.finish(heading(),
                        {tr("Shaded: idle while the warp runs. Empty: waiting at the barrier."),
                         tr("Shaded: idle in a running warp. Empty: waiting."), tr("Shaded and empty: idle")});
}

void PackingView::composeBars(PackingDrawing& drawing, std::vector<BranchId>& branches) const
{
  for (const PackedWarp& warp : packed.warps) {
    drawing.addWarp(warp);
  }
  for (const PackedBar& bar : packed.bars) {
    drawing.addBar(bar, colorOf(block, bar.branch).rgb(), static_cast<std::int32_t>(branches.size()));
    branches.push_back(branchOf(block, bar.branch));
  }
}

void PackingView::composeBands(PackingDrawing& drawing) const
{
  for (const PackedBand& band : packed.bands) {
    for (std::size_t pass = 1; pass < band.passes.size(); ++pass) {
      drawing.addSeam(band.passes[pass]);
    }
    if (band.step > 0) {
      drawing.addBarrier(band.step, packed.bands.size());
    }
    drawing.addBand(packed.bands.size() > kManyBands ? QStringList{levelName(band)} : bandTexts(band), band.step,
                    band.steps);
  }
}

bool PackingView::shows(std::int32_t item, BranchId branch) const
{
  if (!chart()) {
    return PlanarView::shows(item, branch);
  }
  // A bar that is a whole cell shows all of its branches.
  const hines::LaneBar& bar = shownChart->chart.bars[static_cast<std::size_t>(item)];
  return bar.compartment < 0 ? branchOfItem(item).cell == branch.cell : branchOfItem(item) == branch;
}

QString PackingView::titleOfItem(std::int32_t item) const
{
  if (!chart() || !shownChart->wholeCells) {
    return PlanarView::titleOfItem(item);
  }
  const std::int32_t cell = branchOfItem(item).cell;
  const auto compartments = static_cast<double>(currentScene->branchOfCompartment[cell].size());
  return QStringLiteral("%1\n%2").arg(QString::fromStdString(currentScene->cells[cell].name),
                                      counted(compartments, tr("compartment"), tr("compartments")));
}

QString PackingView::describeItem(std::int32_t item) const
{
  if (chart()) {
    const hines::LaneBar& bar = shownChart->chart.bars[static_cast<std::size_t>(item)];
    const QString work = bar.work == hines::LaneWork::Junction ? tr("a junction")
                         : shownChart->wholeCells              ? tr("the whole cell")
                                                               : tr("compartments");
    return tr("lane: %1\nsteps: %2 to %3\neliminates: %4\ncell of the batch: %5 of %6")
        .arg(number(bar.lane), number(bar.step), number(bar.step + bar.steps), work, number(bar.cell + 1),
             number(static_cast<double>(currentScene->plan->batch->cells())));
  }
  const PackedBar& bar = packed.bars[item];
  const hines::BlockSchedule& schedule = scheduleOf(block);
  const std::int32_t cell = schedule.branchCell[bar.branch];
  return tr("lane: %1\nsteps: %2 to %3\ncell of the block: %4 of %5")
      .arg(number(bar.lane), number(static_cast<double>(bar.step)), number(static_cast<double>(bar.step + bar.length)),
           number(cell + 1), number(static_cast<double>(schedule.cellShape.size())));
}

void PackingView::layOutOwnOverlays()
{
  if (strip) {
    const bool low = height() < kLowView;
    strip->setCompact(low);
    setOverlaysAbove(!low && !strip->isHidden());
  }
  PlanarView::layOutOwnOverlays();
}

void PackingView::refreshParts()
{
  refreshStrip();
  refreshLegend();
}

bool PackingView::hasBlocks() const
{
  return hasPlan() && block < currentScene->plan->blocks.size() && !currentScene->branchOfCompartment.empty();
}

const hines::BlockSchedule& PackingView::scheduleOf(std::size_t index) const
{
  return currentScene->plan->schedules[currentScene->plan->blocks[index].schedule];
}

std::int32_t PackingView::cellOfBatch(std::int32_t cell) const
{
  // Copies of the scene's cells follow one another round robin.
  return static_cast<std::int32_t>(static_cast<std::size_t>(cell) % currentScene->cells.size());
}

std::int32_t PackingView::cellOf(std::size_t ofBlock, std::int32_t index) const
{
  const hines::SolvePlan& plan = *currentScene->plan;
  return cellOfBatch(static_cast<std::int32_t>(plan.cellOrder[plan.blocks[ofBlock].cellBegin + index]));
}

/// Null for padding; of a bar that is a whole cell, the cell's root.
BranchId PackingView::branchOfBar(const hines::LaneBar& bar) const
{
  if (bar.work == hines::LaneWork::Padding) {
    return {};
  }
  const std::int32_t cell = cellOfBatch(bar.cell);
  const auto& branchOfCompartment = currentScene->branchOfCompartment[cell];
  return {cell, branchOfCompartment[static_cast<std::size_t>(std::max(0, bar.compartment))]};
}

/// Which cells a unit has whose bars are whole cells, and how many of each.
Legend PackingView::legendOfCopies() const
{
  std::map<std::int32_t, std::size_t> copies;
  for (const std::int32_t cell : shownChart->cells) {
    ++copies[cellOfBatch(cell)];
  }
  Legend cells;
  cells.title = tr("Cells of the unit");
  for (const auto& [cell, count] : copies) {
    if (cells.entries.size() == kCellsInLegend) {
      cells.title += tr(" (%1 of %2)").arg(kCellsInLegend).arg(number(static_cast<double>(copies.size())));
      break;
    }
    const QString name = QString::fromStdString(currentScene->cells[static_cast<std::size_t>(cell)].name);
    cells.entries.push_back({categoryColor(cell), count == 1 ? name : tr("%1 \u00d7 %2").arg(count).arg(name)});
  }
  return cells;
}

QColor PackingView::colorOfBar(const PackedChart& drawn, std::size_t bar) const
{
  if (coloredByCell) {
    return categoryColor(drawn.cellOfBar[bar]);
  }
  // Bars that are whole cells: copies of one cell look alike.
  const hines::LaneBar& shown = drawn.chart.bars[bar];
  return drawn.wholeCells ? categoryColor(cellOfBatch(shown.cell)) : coloring.ofBranch(branchOfBar(shown));
}

BranchId PackingView::branchOf(std::size_t ofBlock, std::int32_t branch) const
{
  const hines::BlockSchedule& schedule = scheduleOf(ofBlock);
  const hines::PlannedShape& shape = currentScene->plan->shapes[schedule.cellShape[schedule.branchCell[branch]]];
  const std::int32_t compartment = shape.compartment[shape.tree.first[schedule.branchNode[branch]]];
  const std::int32_t cell = cellOf(ofBlock, schedule.branchCell[branch]);
  return {cell, currentScene->branchOfCompartment[cell][compartment]};
}

QColor PackingView::colorOf(std::size_t ofBlock, std::int32_t branch) const
{
  return coloredByCell ? categoryColor(scheduleOf(ofBlock).branchCell[branch])
                       : coloring.ofBranch(branchOf(ofBlock, branch));
}

QStringList PackingView::heading() const
{
  const hines::BlockSchedule& schedule = scheduleOf(block);
  const BlockGroup& group = groups()[shownGroup()];
  const QString name =
      tr("Block %1 of %2")
          .arg(number(static_cast<double>(block + 1)), number(static_cast<double>(currentScene->plan->blocks.size())));
  const QString cells = counted(static_cast<double>(schedule.cellShape.size()), tr("cell"), tr("cells"));
  const QString levels = counted(static_cast<double>(schedule.levels.size()), tr("level"), tr("levels"));
  const QString steps = counted(static_cast<double>(packed.steps), tr("step"), tr("steps"));
  const QString alike = group.blocks > 1 ? tr(" (%1 alike)").arg(number(static_cast<double>(group.blocks))) : QString();
  return {
      tr("%1%2: %3, %4, %5, %6 of lane steps busy").arg(name, alike, cells, levels, steps, inPercent(packed.occupancy)),
      tr("%1: %2, %3, %4, %5 busy").arg(name, cells, levels, steps, inPercent(packed.occupancy)),
      tr("%1: %2, %3 busy").arg(name, steps, inPercent(packed.occupancy)), name};
}

/// ", NAME" where all cells of the unit that is shown are copies of one.
QString PackingView::nameOfAllCells() const
{
  const std::vector<std::int32_t>& cells = shownChart->cells;
  if (cells.empty()) {
    return {};
  }
  const std::int32_t first = cellOfBatch(cells.front());
  const bool areCopies =
      std::all_of(cells.begin(), cells.end(), [&](std::int32_t cell) { return cellOfBatch(cell) == first; });
  return areCopies ? tr(", %1").arg(QString::fromStdString(currentScene->cells[first].name)) : QString();
}

QStringList PackingView::chartHeading() const
{
  const QString title =
      tr("%1 %2 of %3: %4")
          .arg(unitTitle(*charts()), number(static_cast<double>(shownChart->unit + 1)),
               number(static_cast<double>(charts()->unitCount())), QString::fromStdString(shownChart->chart.title));
  const int group = summary ? shownGroup() : -1;
  const std::size_t units = group < 0 ? 1 : groups()[group].blocks;
  const QString alike = units > 1 ? tr(" (%1 alike)").arg(number(static_cast<double>(units))) : QString();
  const QString steps = counted(shownChart->chart.steps, tr("step"), tr("steps"));
  const QString busy = inPercent(shownChart->occupancy);
  const QString lanes = number(shownChart->chart.lanes);
  const QString whose = nameOfAllCells();
  return {tr("%1%2%3, %4 lanes, %5, %6 of lane steps busy").arg(title, whose, alike, lanes, steps, busy),
          tr("%1%2, %3 lanes, %4, %5 of lane steps busy").arg(title, alike, lanes, steps, busy),
          tr("%1%2, %3, %4 busy").arg(title, alike, steps, busy), tr("%1, %2 busy").arg(steps, busy)};
}

void PackingView::refreshStrip()
{
  QPalette palette = strip->palette();
  palette.setColor(QPalette::Base, theme().canvas);
  strip->setPalette(palette);
  strip->viewport()->setPalette(palette); // the style sheet may have kept the viewport's from before
  if (charts()) {
    // The pictures are drawn when their charts come.
    const auto ask = [this](int group, const QSize&) -> std::optional<PackingStrip::Picture> {
      loader->request(groups()[group].firstBlock);
      return std::nullopt;
    };
    strip->setGroups(summary ? summary->groups : std::vector<BlockGroup>{}, unitTitle(*charts()), ask);
    strip->setVisible(charts()->unitCount() > 1);
    return;
  }
  if (!hasPlan() || currentScene->branchOfCompartment.empty()) {
    strip->setGroups({}, {}, {});
    strip->hide();
    return;
  }
  strip->setGroups(groupBlocks(*currentScene->plan), tr("Block"),
                   [this](int group, const QSize& pixels) { return drawBlock(group, pixels); });
  strip->setVisible(currentScene->plan->blocks.size() > 1);
  // Another plan may not have the block that was shown, or in another group.
  const int group = strip->chosenGroup();
  if (group < 0) {
    block = 0;
  } else if (block >= currentScene->plan->blocks.size() ||
             currentScene->plan->blocks[block].schedule != groups()[group].schedule) {
    block = groups()[group].firstBlock;
  }
}

std::optional<PackingStrip::Picture> PackingView::drawBlock(int group, const QSize& pixels) const
{
  const hines::SolvePlan& plan = *currentScene->plan;
  const BlockGroup& drawn = groups()[group];
  const hines::BlockSchedule& schedule = plan.schedules[drawn.schedule];
  const PackedSweep whole = layOutSweep(schedule, plan.parameters.blockSize, shownSweep, laneOrder);
  std::vector<SmallBar> bars;
  bars.reserve(whole.bars.size());
  for (const PackedBar& bar : whole.bars) {
    bars.push_back({bar.lane, bar.step, bar.length, colorOf(drawn.firstBlock, bar.branch).rgb()});
  }
  return PackingStrip::Picture{
      paintSmall(pixels, plan.parameters.blockSize, plan.figures.criticalPath, bars), whole.occupancy,
      tr("%1, %2, %3, %4 of lane steps busy")
          .arg(counted(static_cast<double>(schedule.cellShape.size()), tr("cell"), tr("cells")),
               counted(static_cast<double>(schedule.levels.size()), tr("level"), tr("levels")),
               counted(static_cast<double>(whole.steps), tr("step"), tr("steps")), inPercent(whole.occupancy))};
}

PackingStrip::Picture PackingView::pictureOf(const PackedChart& drawn) const
{
  const hines::LaneChart& chart = drawn.chart;
  const bool mirrored = shownSweep == Sweep::Forward;
  std::vector<SmallBar> bars;
  bars.reserve(chart.bars.size());
  for (std::size_t k = 0; k < chart.bars.size(); ++k) {
    const hines::LaneBar& bar = chart.bars[k];
    if (drawn.cellOfBar[k] >= 0) {
      const std::int32_t step = mirrored ? chart.steps - bar.step - bar.steps : bar.step;
      bars.push_back({bar.lane, step, bar.steps, colorOfBar(drawn, k).rgb()});
    }
  }
  return {paintSmall(strip->pictureSize(), chart.lanes, summary->mostSteps, bars), drawn.occupancy,
          tr("%1\n%2 lanes, %3, %4 of lane steps busy")
              .arg(QString::fromStdString(chart.title), number(chart.lanes),
                   counted(chart.steps, tr("step"), tr("steps")), inPercent(drawn.occupancy))};
}

void PackingView::refreshLegend()
{
  setColorByUsed(!coloredByCell && !(chart() && shownChart->wholeCells));
  if (!coloredByCell && chart() && shownChart->wholeCells) {
    legendOverlay()->setLegend(legendOfCopies());
    return;
  }
  if (!coloredByCell || (!chart() && !hasBlocks())) {
    legendOverlay()->setLegend(coloring.legend());
    return;
  }
  const std::size_t cells = chart() ? shownChart->cells.size() : scheduleOf(block).cellShape.size();
  Legend cellsLegend;
  cellsLegend.title = chart() ? tr("Cell of the unit") : tr("Cell of the block");
  for (std::size_t cell = 0; cell < std::min(cells, kCellsInLegend); ++cell) {
    const std::int32_t ofScene =
        chart() ? cellOfBatch(shownChart->cells[cell]) : cellOf(block, static_cast<std::int32_t>(cell));
    const QString name = QString::fromStdString(currentScene->cells[ofScene].name);
    cellsLegend.entries.push_back(
        {categoryColor(static_cast<std::int64_t>(cell)), tr("%1: %2").arg(cell + 1).arg(name)});
  }
  if (cells > kCellsInLegend) {
    cellsLegend.title += tr(" (%1 of %2)").arg(kCellsInLegend).arg(number(static_cast<double>(cells)));
  }
  legendOverlay()->setLegend(cellsLegend);
}

/// What is drawn, in one line: the plan of branches, or whose own plan.
void PackingView::refreshHeader()
{
  if (!hasPlan()) {
    setHeaderText({});
    return;
  }
  const hines::Solution* solution = currentScene->solution.get();
  const QString solver =
      solution ? QString::fromUtf8(hines::solverName(solution->parameters.solver).data()) : QString();
  if (charts()) {
    const QString units =
        counted(static_cast<double>(charts()->unitCount()), unitName(*charts()), unitName(*charts()) + u's');
    setHeaderText(
        summary
            ? tr("plan of the %1 solver: %2, %3 of lane steps busy").arg(solver, units, inPercent(summary->occupancy))
            : tr("plan of the %1 solver: %2").arg(solver, units));
    return;
  }
  const hines::ScheduleFigures& figures = currentScene->plan->figures;
  const QString text = tr("%1 of %2 threads, %3 of lane steps busy")
                           .arg(counted(static_cast<double>(figures.units), tr("block"), tr("blocks")),
                                number(currentScene->plan->parameters.blockSize), inPercent(figures.occupancy));
  if (!solution) {
    setHeaderText(tr("plan of branches, has not run: %1").arg(text));
  } else if (!hasRun(*currentScene)) {
    setHeaderText(tr("plan of branches, has not run (the %1 solver did): %2").arg(solver, text));
  } else {
    setHeaderText(tr("plan of branches, by the %1 solver: %2").arg(solver, text));
  }
}

/// What a solver's own plan has no say in: its lanes are as they are.
void PackingView::refreshSwitches()
{
  sortedSwitch->setVisible(!charts());
}

} // namespace hinesight::widgets
