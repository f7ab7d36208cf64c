#include "widgets/cells/splitting/splitting_view.hpp"

#include "hines/solvers/fine/fine.hpp"
#include "widgets/background_work.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr QMarginsF kMargins{64, 66, 16, 46};
constexpr double kRightOfLine = 92;  // pixels that the length of a line takes
constexpr double kSwarmWidth = 0.86; // of a level's width
constexpr double kLeastPerSwarm = 8;
constexpr double kPanelGapShare = 0.21; // of a panel's height
constexpr double kAroundHeading = 10;   // pixels of that gap besides the line of the heading
constexpr double kHeadroom = 0.25;      // doublings above the longest branch
constexpr double kFootroom = 0.35;      // doublings below length 1
constexpr double kMostLevelPixels = 120;
constexpr double kLeastPlotPixels = 600; // across, where levels are few
constexpr double kMostDoublingPixels = 160;
constexpr std::size_t kManyBranches = 1'500;
constexpr std::size_t kVeryManyBranches = 10'000;
/// Handles of the panel after the cut are numbered from here.
constexpr std::int32_t kAfterHandles = 1 << 20;

QString number(double value)
{
  return formatNumber(value);
}

QString counted(double count, const QString& one, const QString& many)
{
  return number(count) + u' ' + (count == 1 ? one : many);
}

float dotRadius(std::size_t branches)
{
  if (branches > kVeryManyBranches) {
    return 1.5F;
  }
  return branches > kManyBranches ? 2.0F : 3.0F;
}

} // namespace

SplittingView::SplittingView(QWidget* parent) : ScheduleView(tr("Splitting"), parent)
{
  setObjectName(QStringLiteral("splittingView"));
  setTextMargins(kMargins);
  keepSideColumn();
  ledger = new SplitLedger(this);
  sideColumn()->addWidget(ledger);
  connect(ledger, &SplitLedger::wayChosen, this, [this](const QString& way) { emit cutWayChosen(drawn.solver, way); });
  connect(planarCanvas(), &PlanarCanvas::handleDragged, this, [this](int id, QPointF scene) {
    dragging = true;
    drag(id, scene);
  });
  connect(planarCanvas(), &PlanarCanvas::handleReleased, this, [this] {
    dragging = false;
    if (!isWaiting()) {
      layOutPanels();
      redraw();
    }
  });
  background = new BackgroundWork(this);
  connect(background, &BackgroundWork::outOfMemory, this, &SplittingView::giveUp);
}

SplittingView::Drawn SplittingView::drawnOf(const Scene& scene, std::shared_ptr<const hines::Schedule> schedule)
{
  Drawn drawn;
  if (!schedule) {
    return drawn;
  }
  const hines::SolveParameters parameters = drawnParameters(scene);
  const hines::SolverDefinition& definition = hines::definitionOf(parameters.solver);
  drawn.solver = parameters.solver;
  drawn.name = inText(definition.traits.name());
  drawn.rounds = inText(schedule->roundName());
  drawn.inLevels = schedule->roundName() == scene.plan->roundName();
  drawn.ways = definition.cutWays(parameters);
  drawn.lengths = definition.cutLengths(*schedule, parameters);
  drawn.schedule = std::move(schedule);
  return drawn;
}

bool SplittingView::isWaiting() const
{
  return drawn.schedule && !made && !isUnknown;
}

void SplittingView::setScene(std::shared_ptr<const Scene> scene)
{
  if (!dragging) { // else the plan is that of a place where the threshold was a moment ago
    draggedLength.reset();
  }
  currentScene = scene; // whose cut is taken before its parts are drawn
  takeSchedule();
  ScheduleView::setScene(std::move(scene));
  refreshHeader();
}

QImage SplittingView::grabPicture()
{
  settle();
  return ScheduleView::grabPicture();
}

void SplittingView::settle()
{
  ScheduleView::settle();
  background->wait();
}

void SplittingView::takeSchedule()
{
  const auto schedule = wantedSchedule();
  const bool isSame = schedule == drawn.schedule;
  drawn = schedule ? drawnOf(*currentScene, schedule) : Drawn{};
  if (isSame) {
    return;
  }
  background->restart();
  made.reset();
  isUnknown = false;
  if (schedule) {
    background->start([this, schedule, scene = currentScene](const RunControl&) -> BackgroundWork::Deliver {
      auto branches = std::make_shared<const Cut>(uncutBranches(*scene));
      return [this, branches = std::move(branches),
              ready = std::make_shared<const ScheduleCut>(cutBy(*schedule, *scene)), plan = scene->plan] {
        uncut = branches;
        uncutOf = plan;
        takeCut(ready);
      };
    });
  }
}

void SplittingView::takeCut(std::shared_ptr<const ScheduleCut> ready)
{
  made = std::move(ready);
  refreshParts();
  redraw();
  refreshHeader();
}

/// Where there is no memory for the cut, the rest is shown.
void SplittingView::giveUp()
{
  isUnknown = true;
  takeCut(nullptr);
  emit failed(tr("There is not enough memory to draw how the solver splits."));
}

void SplittingView::setStrategyTimes(std::vector<StrategyTime> times)
{
  ledger->setStrategyTimes(std::move(times));
}

double SplittingView::yOf(bool after, double length) const
{
  return (after ? afterwards : before).base - std::log2(length);
}

double SplittingView::lengthAt(bool after, double y) const
{
  return std::exp2((after ? afterwards : before).base - y);
}

void SplittingView::refreshParts()
{
  if (isWaiting()) {
    return; // what is shown stays until the cut comes
  }
  ledger->setEntry(ledgerEntry());
  collect();
}

std::optional<LedgerEntry> SplittingView::ledgerEntry() const
{
  if (!drawn.schedule) {
    return std::nullopt;
  }
  const hines::SolvePlan& plan = *currentScene->plan;
  const bool ran = hasRun(*currentScene);
  LedgerEntry entry;
  entry.name = drawn.inLevels ? tr("planned") : drawn.name;
  entry.asRead = plan.figuresAsRead;
  entry.uncut = plan.figuresUncut;
  entry.figures = made ? made->figures : std::nullopt;
  entry.ways = drawn.ways;
  for (const hines::CutLength& length : drawn.lengths)
    if (length.fromRound < 0 && length.inForce)
      entry.length = length.length;
  if (ran && !currentScene->solution->repetitions.empty()) {
    entry.solveTime = currentScene->solution->time();
  }
  entry.hasTimes = ran || !currentScene->solution;
  if (entry.ways.empty()) {
    // What there would be to choose, for who solves by the plan of branches.
    hines::SolveParameters parameters;
    parameters.of<hines::PlanParameters>() = plan.parameters;
    entry.ways = hines::definitionOf(hines::kFine).cutWays(parameters);
    entry.whyNot = tr("Fine and multicore split like this; the %1 solver does not").arg(drawn.name);
    entry.hasTimes = false;
  }
  return entry;
}

void SplittingView::collect()
{
  const auto nothing = std::make_shared<const Cut>();
  if (drawn.schedule && (!uncut || uncutOf != currentScene->plan)) {
    uncut = std::make_shared<const Cut>(uncutBranches(*currentScene));
    uncutOf = currentScene->plan;
  }
  before.cut = drawn.schedule ? uncut : nothing;
  afterwards.cut = made ? std::shared_ptr<const Cut>(made, &made->cut) : nothing;
  // A plan that comes while the threshold is dragged does not move the line away from the mouse.
  if (!dragging) {
    layOutPanels();
  }
}

void SplittingView::layOutPanels()
{
  // Levels and lengths of branches can be compared; else the panels have little in common.
  const double longest = before.cut->longest;
  const double levels = std::max({1, before.cut->levels, drawn.inLevels ? afterwards.cut->levels : 1});
  for (Panel* panel : {&before, &afterwards}) {
    const bool isApart = !drawn.inLevels && panel == &afterwards;
    const double most = isApart ? std::max<double>(panel->cut->longest, lengthOfAll().value_or(1)) : longest;
    panel->height = std::log2(std::max(2.0, most)) + kHeadroom + kFootroom;
    panel->column = isApart ? levels / std::max(1, panel->cut->levels) : 1;
    panel->perSwarm = std::max(kLeastPerSwarm, static_cast<double>(panel->cut->mostAlike));
  }
  gap = gapOfPanels();
  before.base = before.height - kFootroom;
  afterwards.base = before.height + gap + afterwards.height - kFootroom;
}

/// However low the panels are, the heading of the second one has room between them.
double SplittingView::gapOfPanels() const
{
  const double usual = kPanelGapShare * before.height;
  const double heading = fontMetrics().height() + kAroundHeading;
  const double room = planarCanvas()->plotArea().height();
  return room > 2 * heading ? std::max(usual, heading * (before.height + afterwards.height) / (room - heading)) : usual;
}

void SplittingView::layOutOwnOverlays()
{
  ScheduleView::layOutOwnOverlays();
  if (made && !dragging && gapOfPanels() != gap) {
    layOutPanels();
    redraw();
  }
}

PlanarDrawing SplittingView::compose(std::vector<BranchId>& branches)
{
  if (!drawn.schedule) {
    return {};
  }
  QMarginsF margins = kMargins;
  if (lengthOfAll())
    margins.setRight(kRightOfLine);
  setTextMargins(margins);
  PlanarDrawing drawing;
  before.firstItem = 0;
  afterwards.firstItem = static_cast<std::int32_t>(before.cut->pieces.size());
  const std::size_t pieces = before.cut->pieces.size() + afterwards.cut->pieces.size();
  branches.reserve(pieces);
  drawing.dots.reserve(pieces);
  for (const Panel* panel : {&before, &afterwards}) {
    for (const CutPiece& piece : panel->cut->pieces) {
      branches.push_back(piece.branch);
    }
  }
  const double right = std::max(before.cut->levels * before.column, afterwards.cut->levels * afterwards.column);
  drawing.bounds = QRectF(0, 0, std::max(1.0, right), afterwards.base + kFootroom);
  // Few levels share the width.
  drawing.maximumScaleX = std::max(kMostLevelPixels, kLeastPlotPixels / drawing.bounds.width());
  drawing.maximumScaleY = kMostDoublingPixels;
  composeAxes(drawing);
  for (const bool after : {false, true}) {
    const Panel& panel = after ? afterwards : before;
    const QRectF area(0, panel.base + kFootroom - panel.height, drawing.bounds.width(), panel.height);
    drawing.backdrop.push_back(
        {area.left(), area.top(), area.right(), area.bottom(), overCanvas(theme().hairline, 0.25)});
    // Above the upper panel are the numbers of its levels.
    const auto place = after ? PlanarLabel::Place::Above : PlanarLabel::Place::TopMargin;
    drawing.labels.push_back({heading(after), area, place, PlanarLabel::Style::Strong});
    composePanel(panel, drawing);
    composeThreshold(after, drawing);
  }
  return drawing;
}

void SplittingView::composePanel(const Panel& panel, PlanarDrawing& drawing) const
{
  const float radius = dotRadius(panel.cut->pieces.size());
  const std::vector<CutPiece>& pieces = panel.cut->pieces;
  for (std::size_t begin = 0; begin < pieces.size();) {
    std::size_t end = begin + 1;
    while (end < pieces.size() && pieces[end].level == pieces[begin].level &&
           pieces[end].length == pieces[begin].length) {
      ++end;
    }
    // Branches of one level and length lie side by side around the level's middle. Their row grows with the root of
    // their number, so that few lie apart and many still fit.
    const auto count = static_cast<double>(end - begin);
    const double spacing = kSwarmWidth * panel.column * std::sqrt(count / panel.perSwarm) / count;
    const double middle = (pieces[begin].level + 0.5) * panel.column;
    const double y = panel.base - std::log2(pieces[begin].length);
    for (std::size_t k = begin; k < end; ++k) {
      const double place = static_cast<double>(k - begin) - 0.5 * (count - 1);
      const QColor color = pieces[k].ofAnyBranch ? theme().secondaryText : coloring->ofBranch(pieces[k].branch);
      drawing.dots.push_back(
          {middle + spacing * place, y, radius, color.rgb(), panel.firstItem + static_cast<std::int32_t>(k)});
    }
    begin = end;
  }
}

/// A line for the length at which all is cut, or one in each round that has its own.
void SplittingView::composeThreshold(bool after, PlanarDrawing& drawing) const
{
  if (draggedLength) {
    composeLine(after, *draggedLength, {tr("K = %1").arg(number(*draggedLength))}, true, drawing);
    return;
  }
  const Panel& panel = after ? afterwards : before;
  for (const hines::CutLength& each : drawn.lengths) {
    if (each.fromRound >= 0) {
      const double left = each.fromRound * panel.column;
      if (each.fromRound < panel.cut->levels) {
        drawing.handles.push_back({(after ? kAfterHandles : 0) + each.fromRound, yOf(after, each.length), left,
                                   left + panel.column, each.inForce});
      }
      continue;
    }
    const QString name = tr("K = %1").arg(number(each.length));
    const QString more = !each.inForce ? name + tr("\nnot used") : each.isAutomatic ? name + tr("\nautomatic") : name;
    composeLine(after, each.length, {more, name}, each.inForce, drawing);
  }
}

void SplittingView::composeLine(bool after, double length, const QStringList& label, bool inForce,
                                PlanarDrawing& drawing) const
{
  const double y = yOf(after, length);
  const Panel& panel = after ? afterwards : before;
  if (y < panel.base + kFootroom - panel.height || y > panel.base + kFootroom) {
    return; // longer than any branch
  }
  const double right = drawing.bounds.right();
  drawing.handles.push_back({after ? kAfterHandles : 0, y, 0, right, inForce});
  drawing.labels.push_back({label, QRectF(0, y - 1, right, 2), PlanarLabel::Place::RightMargin,
                            inForce ? PlanarLabel::Style::Normal : PlanarLabel::Style::Quiet});
}

void SplittingView::composeAxes(PlanarDrawing& drawing) const
{
  for (const Panel* panel : {&before, &afterwards}) {
    const bool isApart = !drawn.inLevels && panel == &afterwards;
    PlanarAxis lengths;
    lengths.edge = Qt::LeftEdge;
    lengths.title = isApart ? tr("steps") : tr("compartments");
    lengths.from = panel->base + kFootroom - panel->height;
    lengths.to = panel->base + kFootroom;
    lengths.origin = panel->base;
    lengths.direction = -1;
    lengths.scale = PlanarAxis::Scale::Logarithmic;
    lengths.grid = 0;
    drawing.axes.push_back(lengths);
    PlanarAxis levels;
    levels.edge = panel == &before ? Qt::TopEdge : Qt::BottomEdge;
    levels.title = isApart ? drawn.rounds : tr("level");
    levels.to = panel->cut->levels * panel->column;
    levels.origin = 0.5 * panel->column;
    levels.direction = panel->column;
    drawing.axes.push_back(levels);
  }
}

QStringList SplittingView::heading(bool after) const
{
  const Cut& shown = cut(after);
  if (after && !made) {
    return {tr("After, %1: how it splits is not known").arg(drawn.name), tr("After: not known")};
  }
  const bool isApart = after && !drawn.inLevels;
  const QString name = !after ? tr("Before, not split") : isApart ? tr("After, %1").arg(drawn.name) : tr("After");
  const auto count = static_cast<double>(shown.pieces.size());
  const QString pieces = after && isUncut() ? counted(count, tr("whole cell"), tr("whole cells"))
                         : after            ? counted(count, tr("piece"), tr("pieces"))
                                            : counted(count, tr("branch"), tr("branches"));
  const QString levels =
      isApart ? counted(shown.levels, tr("round"), tr("rounds")) : counted(shown.levels, tr("level"), tr("levels"));
  const QString longest = tr("longest %1").arg(number(shown.longest));
  const QString unit = isApart ? tr("steps") : tr("compartments");
  return {tr("%1: %2, %3, %4 %5").arg(name, pieces, levels, longest, unit), tr("%1: %2, %3").arg(name, levels, longest),
          name};
}

bool SplittingView::isWholeCell(std::int32_t item) const
{
  return pieceOf(item).ofAnyBranch;
}

std::optional<double> SplittingView::lengthOfAll() const
{
  const auto ofAll =
      std::ranges::find_if(drawn.lengths, [](const hines::CutLength& each) { return each.fromRound < 0; });
  return draggedLength ? draggedLength : ofAll == drawn.lengths.end() ? std::nullopt : std::optional(ofAll->length);
}

/// Whether every lane takes a whole cell.
bool SplittingView::isUncut() const
{
  return made && std::ranges::all_of(made->cut.pieces, [](const CutPiece& piece) {
           return piece.kind == CutPiece::Kind::Cell && piece.ofAnyBranch;
         });
}

const CutPiece& SplittingView::pieceOf(std::int32_t item) const
{
  const Panel& panel = item >= afterwards.firstItem ? afterwards : before;
  return panel.cut->pieces[item - panel.firstItem];
}

QString SplittingView::titleOfItem(std::int32_t item) const
{
  const CutPiece& piece = pieceOf(item);
  return piece.ofAnyBranch ? QString::fromStdString(currentScene->cells[piece.branch.cell].name)
                           : PlanarView::titleOfItem(item);
}

QString SplittingView::describeItem(std::int32_t item) const
{
  const CutPiece& piece = pieceOf(item);
  const QString length = number(piece.length);
  if (item < afterwards.firstItem) {
    return tr("not split: %1 compartments on level %2").arg(length).arg(piece.level);
  }
  if (drawn.inLevels) {
    return tr("piece: %1 compartments on level %2").arg(length).arg(piece.level);
  }
  const QString what = piece.kind == CutPiece::Kind::Junction ? counted(piece.length, tr("junction"), tr("junctions"))
                       : piece.kind == CutPiece::Kind::Cell
                           ? tr("the whole cell, %1 compartments").arg(length)
                           : counted(piece.length, tr("compartment"), tr("compartments"));
  return tr("one lane eliminates: %1\n%2: %3").arg(what, drawn.rounds).arg(piece.level);
}

void SplittingView::drag(std::int32_t handle, const QPointF& scene)
{
  const auto length = static_cast<std::int32_t>(
      std::clamp(std::round(lengthAt(handle >= kAfterHandles, scene.y())), 1.0, double{hines::kLongestCut}));
  if (draggedLength == length) {
    return;
  }
  draggedLength = length;
  redraw();
  emit cutLengthDragged(drawn.solver, length);
}

/// What is drawn, whether it has run, and how it cuts.
void SplittingView::refreshHeader()
{
  if (!hasPlan()) {
    setHeaderText({});
    return;
  }
  const auto cells = static_cast<double>(currentScene->plan->asRead.size());
  const QString how = rule();
  const QString text = tr("%1; %2").arg(whatIsDrawn(), counted(cells, tr("cell"), tr("cells")));
  setHeaderText(how.isEmpty() ? text : tr("%1; %2").arg(text, how));
}

/// How the drawn schedule's solver cuts, and what to drag.
QString SplittingView::rule() const
{
  const auto chosen = std::ranges::find_if(drawn.ways, &hines::CutWay::isChosen);
  QString way = chosen == drawn.ways.end() ? QString() : inText(chosen->title);
  if (drawn.lengths.empty()) {
    return way;
  }
  const hines::CutLength& first = drawn.lengths.front();
  if (first.fromRound >= 0) {
    return tr("%1 (dashes). Drag one to split all at its length.").arg(way);
  }
  if (first.inForce) {
    way += tr(", K = %1").arg(number(first.length));
  }
  return tr("%1. Drag the line to split there.").arg(way);
}

} // namespace hinesight::widgets
