#include "widgets/packing_view.hpp"

#include "widgets/legend_overlay.hpp"
#include "widgets/packing_view_strip.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr int kWarp = 32;
constexpr double kBarInset = 0.06; // lanes, at both sides of a bar
constexpr double kIssuedOpacity = 0.55;
constexpr double kMostLanePixels = 36;
constexpr double kMostStepPixels = 22;
constexpr double kBarrierOpacity = 0.6;
constexpr std::size_t kManyBands = 5'000; // above, bands are only named
constexpr int kStripMargin = 8;           // pixels
constexpr int kLowView = 600;             // pixels of height below which the strip of blocks is flat
constexpr std::size_t kCellsInLegend = 8;

QString number(double value)
{
  return formatNumber(value);
}

QString percent(double fraction)
{
  return PackingView::tr("%1 %").arg(formatNumber(std::round(100 * fraction)));
}

QString counted(double count, const QString& one, const QString& many)
{
  return number(count) + u' ' + (count == 1 ? one : many);
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
  const QString busy = PackingView::tr("%1 busy").arg(percent(band.occupancy));
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
  sweepSwitch = new QComboBox(this);
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
}

void PackingView::setScene(std::shared_ptr<const Scene> scene)
{
  const hines::SolvePlan* plan = scene ? scene->plan.get() : nullptr;
  if (plan && plan != knownPlan) {
    // Show what is executed; the switch then compares.
    const QSignalBlocker blocker(sortedSwitch);
    laneOrder = plan->parameters.sortByLength ? LaneOrder::ByLength : LaneOrder::ByCell;
    sortedSwitch->setChecked(plan->parameters.sortByLength);
  }
  knownPlan = plan;
  PlanarView::setScene(std::move(scene));
  refreshHeader();
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
  refreshLegend();
  redraw();
  fit();
}

void PackingView::turnTo(std::int32_t cell)
{
  const hines::SolvePlan& plan = *currentScene->plan;
  const auto holds = [&](std::size_t candidate) {
    const auto cells = static_cast<std::int32_t>(scheduleOf(candidate).cellShape.size());
    for (std::int32_t k = 0; k < cells; ++k) {
      if (cellOf(candidate, k) == cell) {
        return true;
      }
    }
    return false;
  };
  if (holds(block)) {
    return;
  }
  for (std::size_t other = 0; other < plan.blocks.size(); ++other) {
    if (holds(other)) {
      const auto ofBlock = [&](const BlockGroup& group) { return group.schedule == plan.blocks[other].schedule; };
      showGroup(static_cast<int>(std::find_if(groups().begin(), groups().end(), ofBlock) - groups().begin()));
      block = other;
      redraw();
      return;
    }
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
  PlanarDrawing drawing;
  if (!hasBlocks()) {
    packed = {};
    return drawing;
  }
  packed = layOutSweep(scheduleOf(block), currentScene->plan->parameters.blockSize, shownSweep, laneOrder);
  drawing.bounds = QRectF(0, 0, currentScene->plan->parameters.blockSize, static_cast<double>(packed.steps));
  drawing.maximumScaleX = kMostLanePixels;
  drawing.maximumScaleY = kMostStepPixels;
  drawing.labels.push_back({heading(), drawing.bounds, PlanarLabel::Place::TopMargin, PlanarLabel::Style::Strong});
  drawing.labels.push_back({{tr("Shaded: idle while the warp runs. Empty: waiting at the barrier."),
                             tr("Shaded: idle in a running warp. Empty: waiting."), tr("Shaded and empty: idle")},
                            drawing.bounds,
                            PlanarLabel::Place::BottomMargin,
                            PlanarLabel::Style::Quiet});
  composeBars(drawing, branches);
  composeBands(drawing);
  composeAxes(drawing);
  return drawing;
}

void PackingView::composeBars(PlanarDrawing& drawing, std::vector<BranchId>& branches) const
{
  const QRgb issued = overCanvas(theme().hairline, kIssuedOpacity);
  for (const PackedWarp& warp : packed.warps) {
    const auto top = static_cast<double>(warp.step);
    const double right = std::min<double>(warp.firstLane + kWarp, drawing.bounds.right());
    drawing.backdrop.push_back({static_cast<double>(warp.firstLane), top, right, top + warp.length, issued});
  }
  for (const PackedBar& bar : packed.bars) {
    const auto top = static_cast<double>(bar.step);
    drawing.bars.push_back({bar.lane + kBarInset, top, bar.lane + 1 - kBarInset, top + bar.length,
                            colorOf(block, bar.branch).rgb(), static_cast<std::int32_t>(branches.size())});
    branches.push_back(branchOf(block, bar.branch));
  }
}

void PackingView::composeBands(PlanarDrawing& drawing) const
{
  const double lanes = drawing.bounds.width();
  const QRgb barrier = overCanvas(theme().secondaryText, kBarrierOpacity);
  const double spacing = drawing.bounds.height() / static_cast<double>(std::max<std::size_t>(1, packed.bands.size()));
  const QRgb passLine = overCanvas(theme().hairline, 1);
  std::vector<PlanarLabel> labels;
  for (const PackedBand& band : packed.bands) {
    const auto top = static_cast<double>(band.step);
    for (std::size_t pass = 1; pass < band.passes.size(); ++pass) {
      const auto y = static_cast<double>(band.passes[pass]);
      drawing.strokes.push_back({0, y, lanes, y, passLine, 1});
    }
    if (band.step > 0) {
      drawing.marks.push_back({0, top, lanes, top, barrier, 1, spacing});
    }
    labels.push_back({packed.bands.size() > kManyBands ? QStringList{levelName(band)} : bandTexts(band),
                      QRectF(0, top, lanes, static_cast<double>(band.steps)), PlanarLabel::Place::LeftMargin,
                      PlanarLabel::Style::Quiet});
  }
  // Where the margin has not room for all, the bands that take longest keep theirs.
  std::stable_sort(labels.begin(), labels.end(),
                   [](const PlanarLabel& a, const PlanarLabel& b) { return a.area.height() > b.area.height(); });
  drawing.labels.insert(drawing.labels.end(), labels.begin(), labels.end());
}

void PackingView::composeAxes(PlanarDrawing& drawing) const
{
  PlanarAxis lanes;
  lanes.edge = Qt::TopEdge;
  lanes.title = tr("lanes");
  lanes.to = drawing.bounds.right();
  lanes.scale = PlanarAxis::Scale::PowersOfTwo;
  lanes.grid = kWarp;
  PlanarAxis steps;
  steps.edge = Qt::RightEdge;
  steps.title = tr("elimination steps");
  steps.to = drawing.bounds.bottom();
  drawing.axes = {lanes, steps};
}

QString PackingView::describeItem(std::int32_t item) const
{
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

std::int32_t PackingView::cellOf(std::size_t ofBlock, std::int32_t index) const
{
  // Copies of the scene's cells follow one another round robin.
  const hines::SolvePlan& plan = *currentScene->plan;
  const std::size_t cell = plan.cellOrder[plan.blocks[ofBlock].cellBegin + index];
  return static_cast<std::int32_t>(cell % currentScene->cells.size());
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
      tr("%1%2: %3, %4, %5, %6 of lane steps busy").arg(name, alike, cells, levels, steps, percent(packed.occupancy)),
      tr("%1: %2, %3, %4, %5 busy").arg(name, cells, levels, steps, percent(packed.occupancy)),
      tr("%1: %2, %3 busy").arg(name, steps, percent(packed.occupancy)), name};
}

void PackingView::refreshStrip()
{
  QPalette palette = strip->palette();
  palette.setColor(QPalette::Base, theme().canvas);
  strip->setPalette(palette);
  if (!hasPlan() || currentScene->branchOfCompartment.empty()) {
    strip->setPlan(nullptr, laneOrder, shownSweep, {});
    strip->hide();
    return;
  }
  strip->setPlan(currentScene->plan, laneOrder, shownSweep,
                 [this](std::size_t ofBlock, std::int32_t branch) { return colorOf(ofBlock, branch).rgb(); });
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

void PackingView::refreshLegend()
{
  if (!coloredByCell || !hasBlocks()) {
    legendOverlay()->setLegend(coloring.legend());
    return;
  }
  Legend cellsLegend;
  cellsLegend.title = tr("Cell of the block");
  const std::size_t cells = scheduleOf(block).cellShape.size();
  for (std::size_t cell = 0; cell < std::min(cells, kCellsInLegend); ++cell) {
    const SceneCell& shown = currentScene->cells[cellOf(block, static_cast<std::int32_t>(cell))];
    const QString name = QString::fromStdString(shown.name);
    cellsLegend.entries.push_back(
        {categoryColor(static_cast<std::int64_t>(cell)), tr("%1: %2").arg(cell + 1).arg(name)});
  }
  if (cells > kCellsInLegend) {
    cellsLegend.title = tr("Cell of the block (%1 of %2)").arg(kCellsInLegend).arg(number(static_cast<double>(cells)));
  }
  legendOverlay()->setLegend(cellsLegend);
}

void PackingView::refreshHeader()
{
  if (!hasPlan()) {
    setHeaderText({});
    return;
  }
  const hines::PlanFigures& figures = currentScene->plan->figures;
  setHeaderText(tr("%1 of %2 threads, %3 of lane steps busy")
                    .arg(counted(static_cast<double>(figures.blocks), tr("block"), tr("blocks")),
                         number(currentScene->plan->parameters.blockSize), percent(figures.occupancy)));
}

} // namespace hinesight::widgets
