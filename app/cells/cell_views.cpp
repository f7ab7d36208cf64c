#include "app/cells/cell_views.hpp"

#include "app/shell/view_area.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/packing/packing_view.hpp"
#include "widgets/cells/splitting/splitting_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/timing_card.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

/// A run that is over sooner changes the picture once, not twice.
constexpr int kPartialDelay = 150; // ms

bool areOfTheSame(const std::vector<study::StudiedCell>& some, const std::vector<study::StudiedCell>& others)
{
  return std::ranges::equal(some, others, {}, &study::StudiedCell::source, &study::StudiedCell::source);
}

std::shared_ptr<widgets::Scene> sceneOf(const study::CellResult& result)
{
  auto scene = std::make_shared<widgets::Scene>();
  for (const study::StudiedCell& cell : result.cells)
    scene->cells.push_back({cell.name, true, cell.discretization, cell.metrics});
  scene->plan = result.plan;
  scene->branchOfCompartment = result.branchOfCompartment;
  scene->solution = result.solution;
  scene->accuracy = result.accuracy;
  return scene;
}

} // namespace

CellViews::CellViews(ViewArea* viewArea, CellListModel* cellList, QObject* parent)
    : QObject(parent), area(viewArea), cells(cellList), splittingView(new widgets::SplittingView(viewArea))
{
  addViews();
  connect(splittingView, &widgets::SplittingView::cutWayChosen, this, &CellViews::cutWayChosen);
  connect(splittingView, &widgets::SplittingView::cutLengthDragged, this, &CellViews::cutLengthChosen);
  connect(area, &ViewArea::currentChanged, this, &CellViews::refreshSeen);
  connect(area, &ViewArea::gridChanged, this, &CellViews::refreshSeen);
  connect(cells, &CellListModel::visibilityChanged, this, &CellViews::applyVisibility);
  partialTimer.setSingleShot(true);
  partialTimer.setInterval(kPartialDelay);
  connect(&partialTimer, &QTimer::timeout, this, &CellViews::showPartial);
}

void CellViews::addViews()
{
  views = {new widgets::MorphologyView(area), new widgets::TreeView(area), new widgets::PackingView(area),
           splittingView};
  const char* const names[kViewCount] = {"morphologyView", "treeView", "packingView", "splittingView"};
  for (int i = 0; i < kViewCount; ++i) {
    widgets::View* view = views[static_cast<std::size_t>(i)];
    view->setObjectName(QLatin1String(names[i]));
    area->addView(view, view->title(), helpOf(static_cast<ViewKind>(i)));
    connect(view, &widgets::View::branchPicked, this, &CellViews::takePick);
    connect(view, &widgets::View::colorByChanged, this, &CellViews::colorByChanged);
    connect(view, &widgets::View::openRequested, this, &CellViews::openRequested);
    connect(view, &widgets::View::samplesRequested, this, &CellViews::samplesRequested);
    connect(view, &widgets::View::failed, this, &CellViews::failed);
    connect(view, &widgets::View::maximizeToggled, this, [this, i] { area->toggleMaximized(i); });
  }
}

// ---- scenes ----

void CellViews::show(const study::CellResult& outcome)
{
  dropPartial();
  const widgets::BranchId selected = selectionIn(outcome);
  shown = outcome;
  isShowing = true;
  cells->takeResult(shown);
  applyVisibility();
  select(selected);
}

void CellViews::showSoon(const study::CellResult& outcome)
{
  partial = outcome;
  if (!partialTimer.isActive())
    partialTimer.start();
}

void CellViews::showPartial()
{
  // Old figures stay until there are new ones: a run of the same cells that has not planned yet has nothing to show.
  const auto outcome = std::exchange(partial, std::nullopt);
  dropPartial();
  if (outcome && (outcome->plan || !drawn || !shown.plan || !areOfTheSame(outcome->cells, shown.cells)))
    show(*outcome);
}

void CellViews::dropPartial()
{
  partialTimer.stop();
  partial.reset();
}

/// Only the drawing changes when an eye is toggled: the results are shared with the new scene.
void CellViews::applyVisibility()
{
  if (!isShowing)
    return;
  auto scene = sceneOf(shown);
  for (std::size_t i = 0; i < shown.cells.size(); ++i) {
    const int row = cells->rowOf(shown.cells[i].source);
    if (row >= 0)
      scene->cells[i].visible = cells->cells()[static_cast<std::size_t>(row)].visible;
  }
  drawn = std::move(scene);
  emit sceneChanged();
  stale.fill(true);
  refreshSeen();
}

void CellViews::refreshSeen()
{
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!stale[i] || (!area->isGrid() && static_cast<int>(i) != area->current()))
      continue;
    stale[i] = false;
    views[i]->setScene(drawn);
    views[i]->setSelection(selectedBranch);
  }
}

// ---- the selected branch ----

void CellViews::select(widgets::BranchId branch)
{
  selectedBranch = branch;
  for (std::size_t i = 0; i < views.size(); ++i)
    if (!stale[i])
      views[i]->setSelection(branch);
  emit selectionChanged();
}

QString CellViews::describeSelection() const
{
  if (selectedBranch.isNull() || !drawn)
    return {};
  return QString::fromStdString(widgets::describeBranch(*drawn, selectedBranch));
}

void CellViews::takePick(widgets::BranchId branch)
{
  select(branch);
  if (!branch.isNull())
    emit cellPicked(cells->rowOf(shown.cells[static_cast<std::size_t>(branch.cell)].source));
}

/// The selected branch as the next scene calls it: a branch keeps its number as long as its cell is cut into the same
/// tree of compartments, wherever the cell stands in the list. Null where it is gone.
widgets::BranchId CellViews::selectionIn(const study::CellResult& next) const
{
  if (selectedBranch.isNull() || !shown.plan || !next.plan)
    return {};
  const auto before = static_cast<std::size_t>(selectedBranch.cell);
  const auto id = shown.cells[before].source;
  auto after = before; // random trees have no identity but their place
  if (id != 0)
    after =
        static_cast<std::size_t>(std::ranges::find(next.cells, id, &study::StudiedCell::source) - next.cells.begin());
  const hines::PlannedShape* oldShape = widgets::asReadShape(*sceneOf(shown), before);
  const hines::PlannedShape* newShape = widgets::asReadShape(*sceneOf(next), after);
  const bool survives = after < next.cells.size() && next.cells[after].source == id && oldShape && newShape &&
                        oldShape->compartment == newShape->compartment && oldShape->parent == newShape->parent;
  return survives ? widgets::BranchId{static_cast<std::int32_t>(after), selectedBranch.branch} : widgets::BranchId{};
}

// ---- figures and looks ----

void CellViews::addRun(const study::CellResult& outcome)
{
  if (!outcome.record)
    return;
  strategyTimes.add(*outcome.solution);
  splittingView->setStrategyTimes(strategyTimes.times());
  if (!outcome.record->timings.has("solve"))
    return;
  const hines::HinesBatch& batch = *outcome.batch;
  const std::pair wasTimed = std::exchange(timedBatch, {batch.cells(), batch.compartments()});
  const bool isSameBatch = wasTimed == timedBatch;
  for (widgets::View* view : views) {
    if (!isSameBatch)
      view->timingCard()->startHistory();
    view->timingCard()->addRun(outcome.record->timings, outcome.floorFraction);
  }
}

void CellViews::showProgress(const QString& stage, double fraction)
{
  for (widgets::View* view : views)
    view->timingCard()->setProgress(stage, fraction);
}

void CellViews::endProgress()
{
  showProgress({}, -1);
}

void CellViews::setColorBy(widgets::ColorBy colorBy)
{
  for (widgets::View* view : views)
    if (view->colorBy() != colorBy)
      view->setColorBy(colorBy);
}

void CellViews::setTimingsShown(bool timingsShown)
{
  for (widgets::View* view : views)
    view->setTimingsShown(timingsShown);
}

} // namespace hinesight::app
