#include "widgets/cells/packing/packing_view.hpp"

#include "widgets/choice_box.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/tab_order.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>

namespace hinesight::widgets {

namespace {

// Pixels that the names of bands have, in a view of that width.
constexpr int kLeastLetters = 8; ///< of the choice of a sweep
constexpr double kBandWidth = 170;
constexpr double kNarrowBandWidth = 92;
constexpr int kNarrowView = 420;

constexpr int kStripMargin = 8;           // pixels
constexpr int kLowView = 600;             // pixels of height below which the strip of units is flat
constexpr std::size_t kCellsInLegend = 7; // as many as the palette has colours

QString number(double value)
{
  return formatNumber(value);
}

/// Of a field, as a tooltip.
QString helpOf(const BoundField& field)
{
  return inText(field.about.help) +
         (field.about.detail.empty() ? QString() : QStringLiteral(" ") + inText(field.about.detail));
}

QToolButton* makeSwitch(const char* name, const BoundField& field, QWidget* parent)
{
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setText(inText(field.about.label));
  button->setToolTip(helpOf(field));
  button->setCheckable(true);
  return button;
}

/// At the beginning of a text.
QString unitTitle(const hines::Schedule& schedule)
{
  QString title = inText(schedule.unitName());
  title.replace(0, 1, title.left(1).toUpper());
  return title;
}

} // namespace

PackingView::PackingView(QWidget* parent) : ScheduleView(tr("Packing"), parent)
{
  setObjectName(QStringLiteral("packingView"));
  setTextMargins({kBandWidth, 66, 62, 30});
  loader = new ChartLoader(this);
  connect(loader, &ChartLoader::summarized, this, &PackingView::takeSummary);
  connect(loader, &ChartLoader::loaded, this, &PackingView::takeChart);
  connect(loader, &ChartLoader::failed, this, &PackingView::failed);

  strip = new PackingStrip(this);
  aboveCanvas()->addWidget(strip);
  putBeforeByTab(strip, planarCanvas());
  aboveCanvas()->setContentsMargins(kStripMargin, kStripMargin, 0, 0);
  const std::vector<BoundField> fields = fieldsOf(drawnLook);
  sortedSwitch = makeSwitch("packingSorted", fields[0], this);
  sweepSwitch = new ChoiceBox(this);
  sweepSwitch->setObjectName(QStringLiteral("packingSweep"));
  for (const Choice& choice : fields[1].choices)
    sweepSwitch->addItem(inText(choice.label));
  sweepSwitch->setToolTip(helpOf(fields[1]));
  sweepSwitch->setMinimumContentsLength(kLeastLetters);
  byCellSwitch = makeSwitch("packingByCell", fields[2], this);
  addSwitch(sortedSwitch);
  addSwitch(sweepSwitch);
  addSwitch(byCellSwitch);

  connect(strip, &PackingStrip::chosen, this, &PackingView::showGroup);
  const auto change = [this](const auto& set) {
    return [this, set](auto value) {
      PackingLook look = drawnLook;
      set(look, value);
      setLook(look);
    };
  };
  connect(sortedSwitch, &QToolButton::toggled, this,
          change([](PackingLook& look, bool sorted) { look.isSorted = sorted; }));
  connect(sweepSwitch, &QComboBox::activated, this,
          change([](PackingLook& look, int sweep) { look.sweep = static_cast<Sweep>(sweep); }));
  connect(byCellSwitch, &QToolButton::toggled, this,
          change([](PackingLook& look, bool byCell) { look.byCell = byCell; }));
  showLook();
}

void PackingView::setScene(std::shared_ptr<const Scene> scene)
{
  currentScene = scene; // whose schedule is taken before its parts are drawn
  takeSchedule();
  ScheduleView::setScene(std::move(scene));
  refreshHeader();
}

/// Shows what is executed; the switch then compares, and stays through schedules with the same order of lanes.
void PackingView::followOrder()
{
  const std::optional<LaneOrder> order = schedule() ? schedule()->laneOrder() : std::nullopt;
  sortedSwitch->setVisible(!schedule() || order);
  if (!order || std::exchange(executedOrder, order) == order) {
    return;
  }
  drawnLook.isSorted = *order == LaneOrder::ByLength;
  showLook();
}

void PackingView::setChoice(const BranchChoice& choice)
{
  const BranchId id = choice.current;
  if (!id.isNull()) {
    turnTo(id.cell);
  }
  ScheduleView::setChoice(choice);
}

void PackingView::setColorBy(ColorBy colorBy)
{
  drawnLook.byCell = false; // choosing a colouring in the header means to see it
  showLook();
  ScheduleView::setColorBy(colorBy);
}

QImage PackingView::grabPicture()
{
  settle();
  return ScheduleView::grabPicture();
}

void PackingView::settle()
{
  ScheduleView::settle();
  if (!schedule()) {
    return;
  }
  loader->wait();
  strip->grab(); // what is in sight asks for its picture when it is painted
  loader->wait();
}

const std::vector<hines::UnitGroup>& PackingView::groups() const
{
  return strip->groups();
}

int PackingView::shownGroup() const
{
  return strip->chosenGroup();
}

void PackingView::showGroup(int group)
{
  if (!summary) {
    return; // the groups in the strip are those of the schedule before
  }
  strip->choose(group);
  unit = groups()[group].first;
  fitsNext = true;
  loader->request(keyOf(unit));
}

int PackingView::groupOf(std::size_t ofUnit) const
{
  const std::size_t kind = schedule()->kindOf(ofUnit);
  const auto isFirst = [&](const hines::UnitGroup& group) { return schedule()->kindOf(group.first) == kind; };
  return static_cast<int>(std::find_if(groups().begin(), groups().end(), isFirst) - groups().begin());
}

void PackingView::turnTo(std::int32_t cell)
{
  if (!summary || !chart()) {
    return; // when they come, the selection is looked for again
  }
  const auto isCopy = [&](std::int32_t ofBatch) { return cellOfBatch(ofBatch) == cell; };
  if (std::any_of(shownChart->cells.begin(), shownChart->cells.end(), isCopy)) {
    return;
  }
  const std::optional<std::size_t> found = schedule()->unitOfCell(static_cast<std::size_t>(cell));
  if (!found || *found == unit) {
    return;
  }
  unit = *found;
  strip->choose(groupOf(unit));
  fitsNext = true;
  loader->request(keyOf(unit));
}

bool PackingView::hasUnits() const
{
  return schedule() && schedule()->unitCount() > 0;
}

ChartKey PackingView::keyOf(std::size_t ofUnit) const
{
  const LaneOrder order = drawnLook.isSorted ? LaneOrder::ByLength : LaneOrder::ByCell;
  return {ofUnit, schedule()->laneOrder() ? order : LaneOrder::AsExecuted, drawnLook.sweep};
}

/// Starts with the schedule that the scene has to draw. The unit that is shown stays, where there is one.
void PackingView::takeSchedule()
{
  const auto wanted = wantedSchedule();
  if (wanted.get() == schedule()) {
    return;
  }
  summary.reset();
  chartIsOld = true;
  loader->setCharts(wanted);
  followOrder();
  if (!hasUnits()) {
    shownChart.reset();
    unit = 0;
    return;
  }
  fitsNext = fitsNext || !shownChart;
  unit = unit < wanted->unitCount() ? unit : 0;
  loader->request(keyOf(unit));
}

void PackingView::takeSummary(std::shared_ptr<const ChartSummary> taken)
{
  summary = std::move(taken);
  refreshStrip();
  refreshHeader();
  if (chart()) {
    redraw(); // its heading says how many are alike
  } else {
    layOutOverlays();
  }
  if (!currentChoice.current.isNull()) {
    turnTo(currentChoice.current.cell);
  }
}

void PackingView::takeChart(std::shared_ptr<const PackedChart> taken)
{
  const std::size_t ofUnit = taken->key.unit;
  if (taken->key != keyOf(ofUnit)) {
    return; // another order or sweep is wanted by now
  }
  if (summary) {
    const int group = groupOf(ofUnit);
    if (groups()[group].first == ofUnit) {
      strip->setPicture(group, pictureOf(*taken));
    }
  }
  if (ofUnit != unit) {
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
  if (!currentChoice.current.isNull()) {
    turnTo(currentChoice.current.cell);
  }
}

void PackingView::setLook(const PackingLook& look)
{
  const bool isOtherChart = look.isSorted != drawnLook.isSorted || look.sweep != drawnLook.sweep;
  drawnLook = look;
  showLook();
  refreshStrip();
  refreshLegend();
  redraw();
  if (isOtherChart && hasUnits()) {
    loader->request(keyOf(unit));
  }
}

void PackingView::showLook()
{
  const QSignalBlocker blockers[] = {QSignalBlocker(sortedSwitch), QSignalBlocker(sweepSwitch),
                                     QSignalBlocker(byCellSwitch)};
  sortedSwitch->setChecked(drawnLook.isSorted);
  sweepSwitch->setCurrentIndex(static_cast<int>(drawnLook.sweep));
  byCellSwitch->setChecked(drawnLook.byCell);
}

PlanarDrawing PackingView::compose(std::vector<BranchId>& branches)
{
  if (!hasUnits()) {
    return {};
  }
  const auto& bars = shownChart->chart.bars;
  branches.reserve(bars.size());
  for (const hines::LaneBar& bar : bars) {
    branches.push_back(branchOfBar(bar));
  }
  return drawChart(*shownChart, heading(), [this](std::size_t bar) { return colorOfBar(*shownChart, bar).rgb(); });
}

bool PackingView::isWholeCell(std::int32_t item) const
{
  return shownChart->chart.bars[static_cast<std::size_t>(item)].compartment < 0;
}

QString PackingView::titleOfItem(std::int32_t item) const
{
  if (!shownChart->wholeCells) {
    return ScheduleView::titleOfItem(item);
  }
  const std::int32_t cell = branchOfItem(item).cell;
  const auto compartments = static_cast<double>(currentScene->branchOfCompartment[cell].size());
  return QStringLiteral("%1\n%2").arg(nameOfCell(cell), counted(compartments, tr("compartment"), tr("compartments")));
}

QString PackingView::describeItem(std::int32_t item) const
{
  const hines::LaneBar& bar = shownChart->chart.bars[static_cast<std::size_t>(item)];
  const QString work = bar.work == hines::LaneWork::Junction ? tr("a junction")
                       : shownChart->wholeCells              ? tr("the whole cell")
                                                             : tr("compartments");
  const QString place = tr("lane: %1\nsteps: %2 to %3\neliminates: %4")
                            .arg(number(bar.lane), number(bar.step), number(bar.step + bar.steps), work);
  const QString whose =
      tr("cell of the %1: %2 of %3\ncell of the batch: %4 of %5")
          .arg(inText(schedule()->unitName()), number(shownChart->cellOfBar[static_cast<std::size_t>(item)] + 1),
               number(static_cast<double>(shownChart->cells.size())), number(bar.cell + 1),
               number(static_cast<double>(currentScene->plan->batch->cells())));
  return place + u'\n' + whose;
}

void PackingView::layOutOwnOverlays()
{
  if (strip) {
    const bool low = height() < kLowView;
    strip->setCompact(low);
    setOverlaysAbove(!low && !strip->isHidden());
    const bool narrow = width() < kNarrowView;
    if (std::exchange(isNarrow, narrow) != narrow) // which lays out anew
      setTextMargins({narrow ? kNarrowBandWidth : kBandWidth, 66, 62, 30});
  }
  ScheduleView::layOutOwnOverlays();
}

void PackingView::refreshParts()
{
  refreshStrip();
  refreshLegend();
}

std::int32_t PackingView::cellOfBatch(std::int32_t cell) const
{
  // Copies of the scene's cells follow one another round robin.
  return static_cast<std::int32_t>(static_cast<std::size_t>(cell) % currentScene->cells.size());
}

QString PackingView::nameOfCell(std::int32_t cell) const
{
  return QString::fromStdString(currentScene->cells[static_cast<std::size_t>(cell)].name);
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
  cells.title = tr("Cells of the %1").arg(inText(schedule()->unitName()));
  for (const auto& [cell, count] : copies) {
    if (cells.entries.size() == kCellsInLegend) {
      cells.title += tr(" (%1 of %2)").arg(kCellsInLegend).arg(number(static_cast<double>(copies.size())));
      break;
    }
    const QString name = nameOfCell(cell);
    cells.entries.push_back({categoryColor(cell), count == 1 ? name : tr("%1 \u00d7 %2").arg(count).arg(name),
                             "cell == " + std::to_string(cell + 1)});
  }
  return cells;
}

/// The cells of a unit, one by one.
Legend PackingView::legendOfCells() const
{
  const std::vector<std::int32_t>& cells = shownChart->cells;
  Legend shown;
  shown.title = tr("Cell of the %1").arg(inText(schedule()->unitName()));
  for (std::size_t cell = 0; cell < std::min(cells.size(), kCellsInLegend); ++cell) {
    shown.entries.push_back({categoryColor(static_cast<std::int64_t>(cell)),
                             tr("%1: %2").arg(cell + 1).arg(nameOfCell(cellOfBatch(cells[cell]))),
                             "cell == " + std::to_string(cellOfBatch(cells[cell]) + 1)});
  }
  if (cells.size() > kCellsInLegend) {
    shown.title += tr(" (%1 of %2)").arg(kCellsInLegend).arg(number(static_cast<double>(cells.size())));
  }
  return shown;
}

QColor PackingView::colorOfBar(const PackedChart& drawn, std::size_t bar) const
{
  if (drawnLook.byCell) {
    return categoryColor(drawn.cellOfBar[bar]);
  }
  // Bars that are whole cells: copies of one cell look alike.
  const hines::LaneBar& shown = drawn.chart.bars[bar];
  return drawn.wholeCells ? categoryColor(cellOfBatch(shown.cell)) : coloring->ofBranch(branchOfBar(shown));
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
  return areCopies ? tr(", %1").arg(nameOfCell(first)) : QString();
}

QStringList PackingView::heading() const
{
  const int group = summary ? shownGroup() : -1;
  const std::size_t units = group < 0 ? 1 : groups()[group].units;
  const QString alike = units > 1 ? tr(" (%1 alike)").arg(number(static_cast<double>(units))) : QString();
  const QString title = tr("%1 %2 of %3%4: %5")
                            .arg(unitTitle(*schedule()), number(static_cast<double>(shownChart->key.unit + 1)),
                                 number(static_cast<double>(schedule()->unitCount())), alike,
                                 QString::fromStdString(shownChart->chart.title));
  const QString steps = counted(shownChart->chart.steps, tr("step"), tr("steps"));
  const QString busy = inPercent(shownChart->occupancy);
  const QString lanes = number(shownChart->chart.lanes);
  const QString whose = nameOfAllCells();
  return {tr("%1%2, %3 lanes, %4, %5 of lane steps busy").arg(title, whose, lanes, steps, busy),
          tr("%1, %2 lanes, %3, %4 of lane steps busy").arg(title, lanes, steps, busy),
          tr("%1, %2, %3 busy").arg(title, steps, busy), tr("%1, %2 busy").arg(steps, busy)};
}

void PackingView::changeEvent(QEvent* event)
{
  ScheduleView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && strip) {
    recolorStrip();
  }
}

void PackingView::recolorStrip()
{
  QPalette palette = strip->palette();
  palette.setColor(QPalette::Base, theme().canvas);
  strip->setPalette(palette);
  strip->viewport()->setPalette(palette); // the style sheet may have kept the viewport's from before
}

void PackingView::refreshStrip()
{
  recolorStrip();
  strip->setVisible(hasUnits() && schedule()->unitCount() > 1);
  if (!hasUnits()) {
    strip->setGroups({}, {}, {});
    return;
  }
  if (!summary) {
    return; // what is there stays until the groups are known
  }
  // The pictures are drawn when their charts come.
  const auto ask = [this](int group, const QSize&) -> std::optional<PackingStrip::Picture> {
    if (summary) {
      loader->request(keyOf(groups()[group].first));
    }
    return std::nullopt;
  };
  strip->setGroups(summary->groups, unitTitle(*schedule()), ask);
  strip->choose(groupOf(unit));
}

PackingStrip::Picture PackingView::pictureOf(const PackedChart& drawn) const
{
  const hines::LaneChart& chart = drawn.chart;
  std::vector<SmallBar> bars;
  bars.reserve(chart.bars.size());
  for (std::size_t k = 0; k < chart.bars.size(); ++k) {
    const hines::LaneBar& bar = chart.bars[k];
    if (drawn.cellOfBar[k] >= 0) {
      bars.push_back({bar.lane, bar.step, bar.steps, colorOfBar(drawn, k).rgb()});
    }
  }
  return {paintSmall(strip->pictureSize(), chart.lanes, summary->mostSteps, bars), drawn.occupancy,
          tr("%1\n%2 lanes, %3, %4 of lane steps busy")
              .arg(QString::fromStdString(chart.title), number(chart.lanes),
                   counted(chart.steps, tr("step"), tr("steps")), inPercent(drawn.occupancy))};
}

void PackingView::refreshLegend()
{
  const bool copies = chart() && shownChart->wholeCells;
  setColorByUsed(!drawnLook.byCell && !copies);
  if (!drawnLook.byCell && copies) {
    legendOverlay()->setLegend(legendOfCopies());
  } else if (drawnLook.byCell && chart()) {
    legendOverlay()->setLegend(legendOfCells());
  } else {
    legendOverlay()->setLegend(coloring->legend());
  }
}

/// What is drawn, whether it has run, and what it comes to.
void PackingView::refreshHeader()
{
  if (!hasPlan()) {
    setHeaderText({});
    return;
  }
  if (!hasUnits()) {
    setHeaderText(whatIsDrawn());
    return;
  }
  const QString name = inText(schedule()->unitName());
  const QString units = counted(static_cast<double>(schedule()->unitCount()), name, name + u's');
  setHeaderText(summary ? tr("%1; %2, %3 of lane steps busy").arg(whatIsDrawn(), units, inPercent(summary->occupancy))
                        : tr("%1; %2").arg(whatIsDrawn(), units));
}

} // namespace hinesight::widgets
