#include "widgets/splitting_view.hpp"

#include "hines/solver.hpp"
#include "widgets/tree_layout.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <tuple>

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
}

void SplittingView::setScene(std::shared_ptr<const Scene> scene)
{
  if (!dragging) { // else the plan is that of a place where the threshold was a moment ago
    draggedLength.reset();
  }
  PlanarView::setScene(std::move(scene));
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
  // A solver with a plan of its own, or none, takes as long however the branches are cut.
  const bool solved =
      hasPlan() && currentScene->solution && hines::traitsOf(currentScene->solution->parameters.solver).executesPlan;
  ledger->setPlan(hasPlan() ? currentScene->plan.get() : nullptr,
                  solved ? currentScene->solution->timings.of("solve") : -1);
  collect();
}

void SplittingView::collect()
{
  before = {};
  afterwards = {};
  if (!hasPlan()) {
    return;
  }
  const hines::SolvePlan& plan = *currentScene->plan;
  std::vector<bool> known(plan.asRead.size(), false);
  for (std::size_t cell = 0; cell < currentScene->branchOfCompartment.size(); ++cell) {
    const std::int32_t index = shapeOfCell(*currentScene, cell);
    if (index < 0 || known[index]) {
      continue; // cells of one shape have the same branches
    }
    known[index] = true;
    const hines::PlannedShape& shape = plan.shapes[index];
    const auto branchOf = [&](std::int32_t piece) {
      return BranchId{static_cast<std::int32_t>(cell),
                      currentScene->branchOfCompartment[cell][shape.compartment[shape.tree.first[piece]]]};
    };
    const UncutBranches uncut = joinPieces(shape.tree);
    for (std::size_t branch = 0; branch < uncut.length.size(); ++branch) {
      before.entries.push_back({uncut.level[branch], uncut.length[branch], branchOf(uncut.top[branch])});
    }
    for (std::size_t piece = 0; piece < shape.tree.branches(); ++piece) {
      afterwards.entries.push_back(
          {shape.tree.level[piece], shape.tree.length[piece], branchOf(static_cast<std::int32_t>(piece))});
    }
  }
  double mostAlike = 1;
  for (Panel* panel : {&before, &afterwards}) {
    std::stable_sort(panel->entries.begin(), panel->entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.level, a.length) < std::tie(b.level, b.length);
    });
    std::size_t run = 0;
    for (std::size_t k = 0; k < panel->entries.size(); ++k) {
      const Entry& entry = panel->entries[k];
      const bool alike =
          k > 0 && entry.level == panel->entries[k - 1].level && entry.length == panel->entries[k - 1].length;
      run = alike ? run + 1 : 1;
      mostAlike = std::max(mostAlike, static_cast<double>(run));
      panel->levels = std::max(panel->levels, entry.level + 1);
      panel->longest = std::max(panel->longest, entry.length);
    }
  }
  perSwarm = std::max(kLeastPerSwarm, mostAlike);
  panelHeight = std::log2(std::max(2, before.longest)) + kHeadroom + kFootroom;
  before.base = panelHeight - kFootroom;
  afterwards.base = before.base + panelHeight * (1 + kPanelGapShare);
}

PlanarDrawing SplittingView::compose(std::vector<BranchId>& branches)
{
  PlanarDrawing drawing;
  before.firstItem = 0;
  afterwards.firstItem = static_cast<std::int32_t>(before.entries.size());
  for (const Panel* panel : {&before, &afterwards}) {
    for (const Entry& entry : panel->entries) {
      branches.push_back(entry.branch);
    }
  }
  const double levels = std::max({1, before.levels, afterwards.levels});
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
  const float radius = dotRadius(before.entries.size() + afterwards.entries.size());
  const std::vector<Entry>& entries = panel.entries;
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin + 1;
    while (end < entries.size() && entries[end].level == entries[begin].level &&
           entries[end].length == entries[begin].length) {
      ++end;
    }
    // Branches of one level and length lie side by side around the level's middle. Their row grows with the root of
    // their number, so that few lie apart and many still fit.
    const auto count = static_cast<double>(end - begin);
    const double spacing = kSwarmWidth * std::sqrt(count / perSwarm) / count;
    const double middle = entries[begin].level + 0.5;
    for (std::size_t k = begin; k < end; ++k) {
      const double place = static_cast<double>(k - begin) - 0.5 * (count - 1);
      drawing.dots.push_back({middle + spacing * place, panel.base - std::log2(entries[k].length), radius,
                              coloring.ofBranch(entries[k].branch).rgb(),
                              panel.firstItem + static_cast<std::int32_t>(k)});
    }
    begin = end;
  }
}

void SplittingView::composeThreshold(bool after, PlanarDrawing& drawing) const
{
  const hines::SolvePlan& plan = *currentScene->plan;
  const double right = drawing.bounds.right();
  const std::int32_t firstHandle = after ? kAfterHandles : 0;
  const bool perLevel = plan.parameters.split == SplitStrategy::LevelAverage && !draggedLength;
  if (perLevel) {
    for (std::size_t level = 0; level < plan.levelThreshold.size(); ++level) {
      const auto left = static_cast<double>(level);
      if (left < right) {
        drawing.handles.push_back(
            {firstHandle + static_cast<std::int32_t>(level), yOf(after, plan.levelThreshold[level]), left, left + 1});
      }
    }
    return;
  }
  const double length = draggedLength.value_or(plan.parameters.splitLength);
  const bool inForce = draggedLength || plan.parameters.split == SplitStrategy::FixedLength;
  const double y = yOf(after, length);
  const Panel& panel = after ? afterwards : before;
  if (y < panel.base + kFootroom - panelHeight || y > panel.base + kFootroom) {
    return; // longer than any branch
  }
  drawing.handles.push_back({firstHandle, y, 0, right, inForce});
  const QString name = tr("K = %1").arg(number(length));
  drawing.labels.push_back({{inForce ? name : name + tr("\nnot in force"), name},
                            QRectF(0, y - 0.5, right, 1),
                            PlanarLabel::Place::RightMargin,
                            inForce ? PlanarLabel::Style::Normal : PlanarLabel::Style::Quiet});
}

void SplittingView::composeAxes(PlanarDrawing& drawing) const
{
  for (const Panel* panel : {&before, &afterwards}) {
    PlanarAxis lengths;
    lengths.edge = Qt::LeftEdge;
    lengths.title = tr("compartments");
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
  levels.title = tr("level");
  levels.to = drawing.bounds.right();
  levels.origin = 0.5;
  drawing.axes.push_back(levels);
}

QStringList SplittingView::heading(bool after) const
{
  const Panel& panel = after ? afterwards : before;
  const QString name = after ? tr("After") : tr("Before, uncut");
  const QString branches = after ? counted(static_cast<double>(panel.entries.size()), tr("piece"), tr("pieces"))
                                 : counted(static_cast<double>(panel.entries.size()), tr("branch"), tr("branches"));
  const QString levels = counted(panel.levels, tr("level"), tr("levels"));
  const QString longest = tr("longest %1").arg(number(panel.longest));
  return {tr("%1: %2, %3, %4 compartments").arg(name, branches, levels, longest),
          tr("%1: %2, %3").arg(name, levels, longest), name};
}

QString SplittingView::describeItem(std::int32_t item) const
{
  const bool after = item >= afterwards.firstItem;
  const Panel& panel = after ? afterwards : before;
  const Entry& entry = panel.entries[item - panel.firstItem];
  return after ? tr("piece: %1 compartments on level %2").arg(number(entry.length)).arg(entry.level)
               : tr("balanced, uncut: %1 compartments on level %2").arg(number(entry.length)).arg(entry.level);
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
  emit thresholdDragged(length);
}

void SplittingView::refreshHeader()
{
  if (!hasPlan()) {
    setHeaderText({});
    return;
  }
  const hines::PlanParameters& parameters = currentScene->plan->parameters;
  QString rule = strategyName(parameters.split);
  if (parameters.split == SplitStrategy::FixedLength) {
    rule += tr(", K = %1").arg(number(parameters.splitLength));
  }
  const auto cells = static_cast<double>(currentScene->plan->asRead.size());
  const auto& solution = currentScene->solution;
  if (solution && !hines::traitsOf(solution->parameters.solver).executesPlan) {
    const auto solver = QString::fromUtf8(hines::solverName(solution->parameters.solver).data());
    setHeaderText(tr("%1; %2: the cut of fine and multicore. What %3 does is under Packing.")
                      .arg(counted(cells, tr("cell"), tr("cells")), rule, solver));
    return;
  }
  setHeaderText(tr("%1; %2. Drag a threshold to cut there.").arg(counted(cells, tr("cell"), tr("cells")), rule));
}

} // namespace hinesight::widgets
