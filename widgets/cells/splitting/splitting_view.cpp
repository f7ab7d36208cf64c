#include "widgets/cells/splitting/splitting_view.hpp"

#include "hines/solver.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "widgets/background.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

using hines::SplitStrategy;

constexpr double kSwarmWidth = 0.86; // of a level's width
constexpr double kLeastPerSwarm = 8;
constexpr double kPanelGapShare = 0.21; // of a panel's height
constexpr double kHeadroom = 0.25;      // doublings above the longest branch
constexpr double kFootroom = 0.35;      // doublings below length 1
constexpr double kMostLevelPixels = 120;
constexpr double kLeastPlotPixels = 600; // across, where levels are few
constexpr double kMostDoublingPixels = 160;
constexpr std::size_t kManyBranches = 1'500;
constexpr std::size_t kVeryManyBranches = 10'000;
constexpr std::int32_t kLongestSplitLength = 1'000'000;
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

SplittingView::SplittingView(QWidget* parent) : PlanarView(tr("Splitting"), parent)
{
  setObjectName(QStringLiteral("splittingView"));
  setTextMargins({64, 66, 92, 46});
  keepSideColumn();
  ledger = new SplitLedger(this);
  sideColumn()->addWidget(ledger);
  connect(ledger, &SplitLedger::strategyChosen, this, &SplittingView::strategyChosen);
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
  background = new Background(this);
  connect(background, &Background::outOfMemory, this, &SplittingView::giveUp);
}

const hines::Solution* SplittingView::ownSolution() const
{
  return hasPlan() && drawnSchedule(*currentScene) != currentScene->plan ? currentScene->solution.get() : nullptr;
}

QString SplittingView::solverName() const
{
  return QString::fromUtf8(hines::solverName(ownSolution()->parameters.solver).data());
}

bool SplittingView::isWaiting() const
{
  return ownCharts && !own;
}

void SplittingView::setScene(std::shared_ptr<const Scene> scene)
{
  if (!dragging) { // else the plan is that of a place where the threshold was a moment ago
    draggedLength.reset();
  }
  currentScene = scene; // whose cut is taken before its parts are drawn
  takeCut();
  PlanarView::setScene(std::move(scene));
  refreshHeader();
}

QImage SplittingView::grabPicture()
{
  settle();
  return PlanarView::grabPicture();
}

void SplittingView::settle()
{
  background->wait();
}

void SplittingView::takeCut()
{
  const hines::Solution* solution = ownSolution();
  const auto charts = solution ? solution->schedule : nullptr;
  if (charts && charts == ownCharts) {
    return;
  }
  background->restart();
  own.reset();
  ownCharts = charts;
  if (charts) {
    background->start([this, charts, scene = currentScene]() -> Background::Deliver {
      return [this, made = std::make_shared<const OwnCut>(ownCut(*scene, *charts))] { takeOwn(made); };
    });
  }
}

void SplittingView::takeOwn(std::shared_ptr<const OwnCut> made)
{
  own = std::move(made);
  refreshParts();
  redraw();
  refreshHeader();
}

/// Where there is no memory for the solver's own cut, the rest is shown.
void SplittingView::giveUp()
{
  ownCharts.reset();
  takeOwn(nullptr);
  emit failed(tr("There is not enough memory to draw how the solver cuts."));
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
  const double time = currentScene && hasRun(*currentScene) ? currentScene->solution->timings.of("solve") : -1;
  if (ownSolution()) {
    ledger->setOwnPlan(*currentScene->plan, solverName(), own ? std::optional(own->figures) : std::nullopt, time);
  } else {
    ledger->setPlan(hasPlan() ? currentScene->plan.get() : nullptr, time);
  }
  if (!isWaiting()) {
    collect();
  }
}

void SplittingView::collect()
{
  const auto nothing = std::make_shared<const Cut>();
  before.cut = nothing;
  afterwards.cut = nothing;
  if (!hasPlan()) {
    return;
  }
  before.cut = std::make_shared<const Cut>(uncutBranches(*currentScene));
  if (own) {
    afterwards.cut = {own, &own->cut};
  } else if (!ownSolution()) {
    afterwards.cut = std::make_shared<const Cut>(plannedCut(*currentScene));
  }
  // A plan that comes while the threshold is dragged does not move the line away from the mouse.
  if (!dragging) {
    layOutPanels();
  }
}

void SplittingView::layOutPanels()
{
  // With a schedule of its own the panels have little in common; else levels and lengths can be compared.
  const double longest = before.cut->longest;
  const double levels = std::max({1, before.cut->levels, ownSolution() ? 1 : afterwards.cut->levels});
  for (Panel* panel : {&before, &afterwards}) {
    const bool isOwn = own && panel == &afterwards;
    const double most = !isOwn ? longest : std::max<double>(panel->cut->longest, hasChainLength() ? chainLength() : 1);
    panel->height = std::log2(std::max(2.0, most)) + kHeadroom + kFootroom;
    panel->column = isOwn ? levels / std::max(1, panel->cut->levels) : 1;
    panel->perSwarm = std::max(kLeastPerSwarm, static_cast<double>(panel->cut->mostAlike));
  }
  before.base = before.height - kFootroom;
  afterwards.base = before.height * (1 + kPanelGapShare) + afterwards.height - kFootroom;
}

PlanarDrawing SplittingView::compose(std::vector<BranchId>& branches)
{
  if (isWaiting()) {
    return planarCanvas()->drawing(); // until the cut comes, within a few frames
  }
  PlanarDrawing drawing;
  before.firstItem = 0;
  afterwards.firstItem = static_cast<std::int32_t>(before.cut->pieces.size());
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
    for (std::size_t k = begin; k < end; ++k) {
      const double place = static_cast<double>(k - begin) - 0.5 * (count - 1);
      const QColor color = pieces[k].ofAnyBranch ? theme().secondaryText : coloring.ofBranch(pieces[k].branch);
      drawing.dots.push_back({middle + spacing * place, panel.base - std::log2(pieces[k].length), radius, color.rgb(),
                              panel.firstItem + static_cast<std::int32_t>(k)});
    }
    begin = end;
  }
}

/// The average of each level, which has a say in the levels that there are.
void SplittingView::composeAverages(bool after, PlanarDrawing& drawing) const
{
  const std::vector<double>& averages = currentScene->plan->levelThreshold;
  const std::size_t levels = std::min<std::size_t>(averages.size(), cut(after).levels);
  for (std::size_t level = 0; level < levels; ++level) {
    const auto left = static_cast<double>(level);
    drawing.handles.push_back(
        {(after ? kAfterHandles : 0) + static_cast<std::int32_t>(level), yOf(after, averages[level]), left, left + 1});
  }
}

void SplittingView::composeThreshold(bool after, PlanarDrawing& drawing) const
{
  if (hasChainLength()) {
    const hines::EddParameters& edd = ownSolution()->parameters.of<hines::EddParameters>();
    const bool isFine = edd.method == hines::EddMethod::Fine;
    const bool inForce = draggedLength || (isFine && !isUncut());
    const QString name = tr("K = %1").arg(number(chainLength()));
    const QString more = !inForce                               ? name + tr("\nnot in force")
                         : edd.chainLength > 0 || draggedLength ? name
                                                                : name + tr("\nautomatic");
    composeLine(after, chainLength(), {more, name}, inForce, drawing);
  }
  if (ownSolution()) {
    return;
  }
  const hines::PlanParameters& plan = currentScene->plan->parameters;
  if (plan.split == SplitStrategy::LevelAverage && !draggedLength) {
    composeAverages(after, drawing);
    return;
  }
  const double length = draggedLength.value_or(plan.splitLength);
  const bool inForce = draggedLength || plan.split == SplitStrategy::FixedLength;
  const QString name = tr("K = %1").arg(number(length));
  composeLine(after, length, {inForce ? name : name + tr("\nnot in force"), name}, inForce, drawing);
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
    const bool isOwn = own && panel == &afterwards;
    PlanarAxis lengths;
    lengths.edge = Qt::LeftEdge;
    lengths.title = isOwn ? tr("steps") : tr("compartments");
    lengths.from = panel->base + kFootroom - panel->height;
    lengths.to = panel->base + kFootroom;
    lengths.origin = panel->base;
    lengths.direction = -1;
    lengths.scale = PlanarAxis::Scale::Logarithmic;
    lengths.grid = 0;
    drawing.axes.push_back(lengths);
    PlanarAxis levels;
    levels.edge = panel == &before ? Qt::TopEdge : Qt::BottomEdge;
    levels.title = isOwn ? tr("rounds before") : tr("level");
    levels.to = panel->cut->levels * panel->column;
    levels.origin = 0.5 * panel->column;
    levels.direction = panel->column;
    drawing.axes.push_back(levels);
  }
}

QStringList SplittingView::heading(bool after) const
{
  const Cut& shown = cut(after);
  if (after && ownSolution() && !own) {
    return {tr("After, %1: how it cuts is not known").arg(solverName()), tr("After: not known")};
  }
  const QString name = after && own ? tr("After, %1").arg(solverName()) : after ? tr("After") : tr("Before, uncut");
  const auto count = static_cast<double>(shown.pieces.size());
  const QString pieces = after && isUncut() ? counted(count, tr("whole cell"), tr("whole cells"))
                         : after            ? counted(count, tr("piece"), tr("pieces"))
                                            : counted(count, tr("branch"), tr("branches"));
  const QString levels = after && own ? counted(shown.levels, tr("round"), tr("rounds"))
                                      : counted(shown.levels, tr("level"), tr("levels"));
  const QString longest = tr("longest %1").arg(number(shown.longest));
  const QString unit = after && own ? tr("steps") : tr("compartments");
  return {tr("%1: %2, %3, %4 %5").arg(name, pieces, levels, longest, unit), tr("%1: %2, %3").arg(name, levels, longest),
          name};
}

bool SplittingView::shows(std::int32_t item, BranchId branch) const
{
  return pieceOf(item).ofAnyBranch ? branchOfItem(item).cell == branch.cell : branchOfItem(item) == branch;
}

bool SplittingView::hasChainLength() const
{
  return ownSolution() && ownSolution()->parameters.solver == hines::kEdd;
}

double SplittingView::chainLength() const
{
  const auto used =
      hines::chainLengthFor(ownSolution()->parameters.of<hines::EddParameters>(), currentScene->plan->batch->cells());
  return draggedLength.value_or(used);
}

/// Whether every lane takes a whole cell.
bool SplittingView::isUncut() const
{
  return own && std::ranges::all_of(own->cut.pieces, [](const CutPiece& piece) {
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
    return tr("balanced, uncut: %1 compartments on level %2").arg(length).arg(piece.level);
  }
  if (!own) {
    return tr("piece: %1 compartments on level %2").arg(length).arg(piece.level);
  }
  const QString what = piece.kind == CutPiece::Kind::Junction ? counted(piece.length, tr("junction"), tr("junctions"))
                       : piece.kind == CutPiece::Kind::Cell
                           ? tr("the whole cell, %1 compartments").arg(length)
                           : counted(piece.length, tr("compartment"), tr("compartments"));
  return tr("one lane eliminates: %1\nrounds before: %2").arg(what).arg(piece.level);
}

void SplittingView::drag(std::int32_t handle, const QPointF& scene)
{
  const double length =
      std::clamp(std::round(lengthAt(handle >= kAfterHandles, scene.y())), 1.0, double{kLongestSplitLength});
  if (draggedLength == length) {
    return;
  }
  draggedLength = length;
  redraw();
  if (ownSolution()) {
    emit chainLengthDragged(length);
  } else {
    emit thresholdDragged(length);
  }
}

void SplittingView::refreshHeader()
{
  if (!hasPlan()) {
    setHeaderText({});
    return;
  }
  const auto cells = static_cast<double>(currentScene->plan->asRead.size());
  const hines::Solution* solution = ownSolution();
  QString what;
  if (!currentScene->solution) {
    what = tr("plan of branches, has not run");
  } else {
    const QString solver = QString::fromUtf8(hines::solverName(currentScene->solution->parameters.solver).data());
    what = hasRun(*currentScene) ? tr("run by the %1 solver").arg(solver)
                                 : tr("plan of branches, has not run (the %1 solver did)").arg(solver);
  }
  setHeaderText(tr("%1; %2; %3")
                    .arg(counted(cells, tr("cell"), tr("cells")), what,
                         solution ? ownRule(solution->parameters) : plannedRule()));
}

QString SplittingView::plannedRule() const
{
  const hines::PlanParameters& parameters = currentScene->plan->parameters;
  QString rule = strategyName(parameters.split);
  if (parameters.split == SplitStrategy::FixedLength) {
    rule += tr(", K = %1").arg(number(parameters.splitLength));
  }
  return parameters.split == SplitStrategy::LevelAverage
             ? tr("%1 (dashes). Drag one to cut all at its length.").arg(rule)
             : tr("%1. Drag the line to cut there.").arg(rule);
}

/// What a solver with a schedule of its own cuts.
QString SplittingView::ownRule(const hines::SolveParameters& parameters) const
{
  if (parameters.solver == hines::kEdd) {
    if (isUncut()) {
      return tr("edd without recursion: a lane a cell. Drag K.");
    }
    return parameters.of<hines::EddParameters>().method == hines::EddMethod::Fine
               ? tr("edd: forks and every K-th compartment are junctions. Drag K.")
               : tr("edd: forks are junctions. Drag K for shorter chains.");
  }
  return tr("%1: a lane a piece, then junctions round by round").arg(solverName());
}

} // namespace hinesight::widgets
