#include "widgets/splitting_view.hpp"

#include "hines/solver.hpp"
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
  setTextMargins({64, 40, 92, 46});
  keepSideColumn();
  ledger = new SplitLedger(this);
  sideColumn()->addWidget(ledger);
  connect(ledger, &SplitLedger::strategyChosen, this, &SplittingView::strategyChosen);
  connect(planarCanvas(), &PlanarCanvas::handleDragged, this, [this](int id, QPointF scene) {
    dragging = true;
    drag(id, scene);
  });
  connect(planarCanvas(), &PlanarCanvas::handleReleased, this, [this] { dragging = false; });
  background = new Background(this);
  connect(background, &Background::outOfMemory, this,
          [this] { emit failed(tr("There is not enough memory to draw this cut.")); });
}

const hines::Solution* SplittingView::ownSolution() const
{
  const hines::Solution* solution = hasPlan() ? currentScene->solution.get() : nullptr;
  return solution && !hines::traitsOf(solution->parameters.solver).executesPlan ? solution : nullptr;
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
  const auto charts = solution ? solution->charts : nullptr;
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
  } else if (solution && solution->parameters.solver == hines::SolverKind::Serial) {
    own = std::make_shared<const OwnCut>(serialCut(*currentScene));
  }
}

void SplittingView::takeOwn(std::shared_ptr<const OwnCut> made)
{
  own = std::move(made);
  refreshParts();
  redraw();
  refreshHeader();
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
  const bool isSolved = hasPlan() && currentScene->solution;
  const double time = isSolved ? currentScene->solution->timings.of("solve") : -1;
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
  before = {};
  afterwards = {};
  if (!hasPlan()) {
    return;
  }
  before.cut = uncutBranches(*currentScene);
  if (own) {
    afterwards.cut = own->cut;
  } else if (!ownSolution()) {
    afterwards.cut = plannedCut(*currentScene);
  }
  perSwarm = std::max(
      {kLeastPerSwarm, static_cast<double>(before.cut.mostAlike), static_cast<double>(afterwards.cut.mostAlike)});
  panelHeight = std::log2(std::max({2, before.cut.longest, afterwards.cut.longest})) + kHeadroom + kFootroom;
  before.base = panelHeight - kFootroom;
  afterwards.base = before.base + panelHeight * (1 + kPanelGapShare);
}

PlanarDrawing SplittingView::compose(std::vector<BranchId>& branches)
{
  if (isWaiting()) {
    return planarCanvas()->drawing(); // until the cut comes, within a few frames
  }
  PlanarDrawing drawing;
  before.firstItem = 0;
  afterwards.firstItem = static_cast<std::int32_t>(before.cut.pieces.size());
  for (const Panel* panel : {&before, &afterwards}) {
    for (const CutPiece& piece : panel->cut.pieces) {
      branches.push_back(piece.branch);
    }
  }
  const double levels = std::max({1, before.cut.levels, afterwards.cut.levels});
  drawing.bounds = QRectF(0, 0, levels, panelHeight * (2 + kPanelGapShare));
  drawing.maximumScaleX = kMostLevelPixels;
  drawing.maximumScaleY = kMostDoublingPixels;
  composeAxes(drawing);
  for (const bool after : {false, true}) {
    const Panel& panel = after ? afterwards : before;
    const QRectF area(0, panel.base + kFootroom - panelHeight, levels, panelHeight);
    drawing.backdrop.push_back(
        {area.left(), area.top(), area.right(), area.bottom(), overCanvas(theme().hairline, 0.25)});
    drawing.labels.push_back({heading(after), area, PlanarLabel::Place::Above, PlanarLabel::Style::Strong});
    composePanel(panel, drawing);
    composeThreshold(after, drawing);
  }
  return drawing;
}

void SplittingView::composePanel(const Panel& panel, PlanarDrawing& drawing) const
{
  const float radius = dotRadius(before.cut.pieces.size() + afterwards.cut.pieces.size());
  const std::vector<CutPiece>& pieces = panel.cut.pieces;
  for (std::size_t begin = 0; begin < pieces.size();) {
    std::size_t end = begin + 1;
    while (end < pieces.size() && pieces[end].level == pieces[begin].level &&
           pieces[end].length == pieces[begin].length) {
      ++end;
    }
    // Branches of one level and length lie side by side around the level's middle. Their row grows with the root of
    // their number, so that few lie apart and many still fit.
    const auto count = static_cast<double>(end - begin);
    const double spacing = kSwarmWidth * std::sqrt(count / perSwarm) / count;
    const double middle = pieces[begin].level + 0.5;
    for (std::size_t k = begin; k < end; ++k) {
      const double place = static_cast<double>(k - begin) - 0.5 * (count - 1);
      const QColor color = pieces[k].ofAnyBranch ? theme().secondaryText : coloring.ofBranch(pieces[k].branch);
      drawing.dots.push_back({middle + spacing * place, panel.base - std::log2(pieces[k].length), radius, color.rgb(),
                              panel.firstItem + static_cast<std::int32_t>(k)});
    }
    begin = end;
  }
}

void SplittingView::composeThreshold(bool after, PlanarDrawing& drawing) const
{
  if (const hines::Solution* solution = ownSolution()) {
    if (solution->parameters.solver == hines::SolverKind::Edd) {
      composeChainLength(after, solution->parameters.edd, drawing);
    }
    return;
  }
  const hines::SolvePlan& plan = *currentScene->plan;
  if (plan.parameters.split == SplitStrategy::LevelAverage && !draggedLength) {
    const std::int32_t firstHandle = after ? kAfterHandles : 0;
    for (std::size_t level = 0; level < plan.levelThreshold.size(); ++level) {
      const auto left = static_cast<double>(level);
      if (left < drawing.bounds.right()) {
        drawing.handles.push_back(
            {firstHandle + static_cast<std::int32_t>(level), yOf(after, plan.levelThreshold[level]), left, left + 1});
      }
    }
    return;
  }
  const double length = draggedLength.value_or(plan.parameters.splitLength);
  const bool inForce = draggedLength || plan.parameters.split == SplitStrategy::FixedLength;
  const QString name = tr("K = %1").arg(number(length));
  composeLine(after, length, {inForce ? name : name + tr("\nnot in force"), name}, inForce, drawing);
}

/// The line of the edd solver's K: the longest chain and its junction where K follows from the number of cells.
void SplittingView::composeChainLength(bool after, const hines::EddParameters& edd, PlanarDrawing& drawing) const
{
  const bool isFine = edd.method == hines::EddMethod::Fine;
  const bool isChosen = draggedLength || (isFine && edd.chainLength > 0);
  const double chosen = isChosen ? edd.chainLength : longestChain() + 1;
  const QString name = tr("K = %1").arg(number(draggedLength.value_or(chosen)));
  const QStringList label = isChosen ? QStringList{name}
                            : isFine ? QStringList{tr("K\nautomatic"), tr("K")}
                                     : QStringList{tr("K\nnot in force"), tr("K")};
  composeLine(after, draggedLength.value_or(chosen), label, draggedLength || isFine, drawing);
}

void SplittingView::composeLine(bool after, double length, const QStringList& label, bool inForce,
                                PlanarDrawing& drawing) const
{
  const double y = yOf(after, length);
  const Panel& panel = after ? afterwards : before;
  if (y < panel.base + kFootroom - panelHeight || y > panel.base + kFootroom) {
    return; // longer than any branch
  }
  const double right = drawing.bounds.right();
  drawing.handles.push_back({after ? kAfterHandles : 0, y, 0, right, inForce});
  drawing.labels.push_back({label, QRectF(0, y - 0.5, right, 1), PlanarLabel::Place::RightMargin,
                            inForce ? PlanarLabel::Style::Normal : PlanarLabel::Style::Quiet});
}

void SplittingView::composeAxes(PlanarDrawing& drawing) const
{
  for (const Panel* panel : {&before, &afterwards}) {
    PlanarAxis lengths;
    lengths.edge = Qt::LeftEdge;
    lengths.title = panel == &afterwards && own ? tr("steps") : tr("compartments");
    lengths.from = panel->base + kFootroom - panelHeight;
    lengths.to = panel->base + kFootroom;
    lengths.origin = panel->base;
    lengths.direction = -1;
    lengths.scale = PlanarAxis::Scale::Logarithmic;
    lengths.grid = 0;
    drawing.axes.push_back(lengths);
  }
  PlanarAxis levels;
  levels.edge = Qt::BottomEdge;
  levels.title = own ? tr("above: level from the root; below: synchronizations before it") : tr("level");
  levels.to = drawing.bounds.right();
  levels.origin = 0.5;
  drawing.axes.push_back(levels);
}

QStringList SplittingView::heading(bool after) const
{
  const Cut& shown = cut(after);
  if (after && ownSolution() && !own) {
    return {tr("After, %1: how it cuts is not known").arg(solverName()), tr("After: not known")};
  }
  const QString name = after && own ? tr("After, %1").arg(solverName()) : after ? tr("After") : tr("Before, uncut");
  const auto count = static_cast<double>(shown.pieces.size());
  const bool areCells = std::ranges::all_of(
      shown.pieces, [](const CutPiece& piece) { return piece.kind == CutPiece::Kind::Cell && piece.ofAnyBranch; });
  const QString pieces = areCells ? counted(count, tr("whole cell"), tr("whole cells"))
                         : after  ? counted(count, tr("piece"), tr("pieces"))
                                  : counted(count, tr("branch"), tr("branches"));
  const QString levels = counted(shown.levels, tr("level"), tr("levels"));
  const QString longest = tr("longest %1").arg(number(shown.longest));
  const QString unit = after && own ? tr("steps") : tr("compartments");
  return {tr("%1: %2, %3, %4 %5").arg(name, pieces, levels, longest, unit), tr("%1: %2, %3").arg(name, levels, longest),
          name};
}

bool SplittingView::shows(std::int32_t item, BranchId branch) const
{
  return pieceOf(item).ofAnyBranch ? branchOfItem(item).cell == branch.cell : branchOfItem(item) == branch;
}

std::int32_t SplittingView::longestChain() const
{
  std::int32_t longest = 0;
  for (const CutPiece& piece : afterwards.cut.pieces) {
    longest = std::max(longest, piece.level == 0 ? piece.length : 0);
  }
  return longest;
}

const CutPiece& SplittingView::pieceOf(std::int32_t item) const
{
  const Panel& panel = item >= afterwards.firstItem ? afterwards : before;
  return panel.cut.pieces[item - panel.firstItem];
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
  return tr("one lane eliminates: %1\nsynchronizations before: %2").arg(what).arg(piece.level);
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
  setHeaderText(tr("%1; %2").arg(counted(cells, tr("cell"), tr("cells")),
                                 solution ? ownRule(solution->parameters) : plannedRule()));
}

QString SplittingView::plannedRule() const
{
  const hines::PlanParameters& parameters = currentScene->plan->parameters;
  QString rule = strategyName(parameters.split);
  if (parameters.split == SplitStrategy::FixedLength) {
    rule += tr(", K = %1").arg(number(parameters.splitLength));
  }
  return tr("%1. Drag a threshold to cut there.").arg(rule);
}

/// What a solver that does not execute the plan of branches cuts.
QString SplittingView::ownRule(const hines::SolveParameters& parameters) const
{
  switch (parameters.solver) {
  case hines::SolverKind::Edd:
    return parameters.edd.method == hines::EddMethod::Fine
               ? tr("edd: forks and every K-th compartment are junctions. Drag K.")
               : tr("edd: forks are junctions. Drag K for shorter chains.");
  case hines::SolverKind::Resident:
    return tr("resident: a lane a piece, then junctions round by round");
  case hines::SolverKind::Tridiagonal:
    return tr("tridiagonal: a lane a piece, then cyclic reduction between pieces");
  case hines::SolverKind::GtsvStrided:
  case hines::SolverKind::GtsvInterleaved:
    return tr("%1 belongs to cuSPARSE").arg(solverName());
  case hines::SolverKind::Serial:
    return tr("serial cuts nothing: one lane for all cells");
  default:
    return tr("%1 cuts nothing: a lane a cell").arg(solverName());
  }
}

} // namespace hinesight::widgets
