#include "app/cells/cell_views.hpp"

#include "app/cells/run_table_model.hpp"
#include "app/cells/schedule_pair.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/selection/branch_selection.hpp"
#include "widgets/cells/branch_colors.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/packing/packing_view.hpp"
#include "widgets/cells/splitting/splitting_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/theme_scope.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace hinesight::app {

namespace {

/// A run that is over sooner changes the picture once, not twice.
constexpr int kPartialDelay = 150; // ms

bool areOfTheSame(const std::vector<study::StudiedCell>& some, const std::vector<study::StudiedCell>& others)
{
  return std::ranges::equal(some, others, {}, &study::StudiedCell::source, &study::StudiedCell::source);
}

widgets::RunFacts factsOf(const io::RunRecord& run, double floorFraction)
{
  std::string parameters = run.solver + ' ' + run.parameters;
  for (const Setting& setting : run.settings)
    parameters += '\n' + setting.name + ' ' + setting.text;
  return {io::comparedAs(run), io::timeOf(run), floorFraction, parameters};
}

/// Under the names that their list has.
std::shared_ptr<widgets::Scene> sceneOf(const study::CellResult& result, const CellListModel& open)
{
  auto scene = std::make_shared<widgets::Scene>();
  for (const study::StudiedCell& cell : result.cells) {
    const int row = open.rowOf(cell.source);
    const std::string name = row < 0 ? cell.name : open.cells()[static_cast<std::size_t>(row)].name.toStdString();
    scene->cells.push_back({name, true, cell.discretization, cell.metrics});
  }
  scene->plan = result.plan;
  scene->branchOfCompartment = result.branchOfCompartment;
  scene->solution = result.solution;
  scene->accuracy = result.accuracy;
  scene->branchColors = std::make_shared<widgets::BranchColors>();
  return scene;
}

} // namespace

CellViews::CellViews(ViewArea* viewArea, CellListModel* cellList, QObject* parent)
    : QObject(parent), area(viewArea), cells(cellList), branches(new BranchSelection(this))
{
  connect(branches, &BranchSelection::changed, this, &CellViews::takeChoice);
  connect(branches, &BranchSelection::tableMade, this, [this] {
    for (const Pane& pane : panes)
      if (!pane.isStale)
        refreshHiddenEntries(pane.view);
    emit selectionChanged();
  });
  connect(&colors, &widgets::BackgroundWork::outOfMemory, this,
          [this] { emit failed(tr("The colours of the cells need more memory than is free; hide some of them.")); });
  for (std::size_t i = 0; i < kViewCount; ++i) {
    const auto kind = static_cast<ViewKind>(i);
    QWidget* page = makePage(kind, area);
    area->addView(page, panes.back().view->title(), helpOf(static_cast<int>(i)));
    area->setCopyMaker(static_cast<int>(i), [this, kind](QWidget* owner) { return makeCopy(kind, owner); });
  }
  connect(area, &ViewArea::arrangementChanged, this, &CellViews::refreshSeen);
  connect(area, &ViewArea::arrangementChanged, this, &CellViews::schedulesWanted);
  connect(area, &ViewArea::arrangementChanged, this, &CellViews::forgetArea);
  connect(cells, &CellListModel::visibilityChanged, this, &CellViews::applyVisibility);
  partialTimer.setSingleShot(true);
  partialTimer.setInterval(kPartialDelay);
  connect(&partialTimer, &QTimer::timeout, this, &CellViews::showPartial);
}

// ---- pages ----

namespace {

QString nameOf(ViewKind kind)
{
  static constexpr std::array kNames{"morphologyView", "treeView", "packingView", "splittingView"};
  return QLatin1String(kNames[static_cast<std::size_t>(kind)]);
}

} // namespace

QWidget* CellViews::makePage(ViewKind kind, QWidget* parent)
{
  if (kind == ViewKind::Morphology)
    return makeMorphology(parent);
  if (kind != ViewKind::Tree)
    return makePair(kind, parent);
  auto* view = new widgets::TreeView(parent);
  view->setObjectName(nameOf(kind));
  addPane(view, kind, view);
  return view;
}

QWidget* CellViews::makeMorphology(QWidget* parent)
{
  auto* view = new widgets::MorphologyView(parent);
  view->setObjectName(nameOf(ViewKind::Morphology));
  connect(view, &widgets::MorphologyView::pointsPicked, this, &CellViews::pointsPicked);
  addPane(view, ViewKind::Morphology, view);
  return view;
}

QWidget* CellViews::makePair(ViewKind kind, QWidget* parent)
{
  const auto makeView = [this, kind]() -> widgets::ScheduleView* {
    if (kind == ViewKind::Packing)
      return new widgets::PackingView;
    auto* view = new widgets::SplittingView;
    connect(view, &widgets::SplittingView::cutWayChosen, this, &CellViews::cutWayChosen);
    connect(view, &widgets::SplittingView::cutLengthDragged, this, &CellViews::cutLengthChosen);
    return view;
  };
  auto* pair = new SchedulePair(makeView, parent);
  pair->first().setObjectName(nameOf(kind));
  pair->setObjectName(nameOf(kind) + QStringLiteral("Pair"));
  addPane(&pair->first(), kind, pair);
  connect(pair, &SchedulePair::viewAdded, this, [this, kind, pair](widgets::ScheduleView* view) {
    view->setColorBy(pair->first().colorBy());
    view->setTimingsShown(false); // there is one run, whose card the first view has
    addPane(view, kind, pair);
  });
  connect(pair, &SchedulePair::schedulesChosen, this, [this, pair] {
    for (Pane& pane : panes)
      pane.isStale = pane.isStale || pane.page == pair;
    refreshSeen();
    emit schedulesWanted();
  });
  return pair;
}

/// It looks as the page does that it is a copy of, and goes on by itself.
QWidget* CellViews::makeCopy(ViewKind kind, QWidget* parent)
{
  widgets::View& original = currentView(kind);
  QWidget* page = makePage(kind, parent);
  for (Pane& pane : panes)
    if (pane.page == page) {
      pane.isStale = drawn != nullptr;
      pane.view->takeColorBy(original.colorBy());
      pane.view->setTimingsShown(false); // the original has the card
    }
  if (kind == ViewKind::Morphology) {
    const auto& from = static_cast<const widgets::MorphologyView&>(original);
    auto* copy = static_cast<widgets::MorphologyView*>(page);
    copy->setLook(from.look());
    copy->setCamera(from.camera());
  }
  return page;
}

void CellViews::addPane(widgets::View* view, ViewKind kind, QWidget* page)
{
  panes.push_back({view, kind, page});
  describe(view, allPages()[static_cast<std::size_t>(kind)]);
  connect(view, &widgets::View::branchPicked, this, [this, view](widgets::BranchId branch, widgets::PickMode how) {
    if (hasBranchesOf(view))
      takePick(branch, how);
  });
  connect(view, &widgets::View::branchesPicked, this,
          [this, view](const std::vector<widgets::BranchId>& picked, widgets::PickMode how) {
            if (hasBranchesOf(view))
              branches->pick(picked, how);
          });
  connect(view, &widgets::View::awaitedAreaDrawn, this, &CellViews::forgetArea);
  connect(view, &widgets::View::legendChanged, this, [this, view] { refreshHiddenEntries(view); });
  connect(view, &widgets::View::legendPicked, this, &CellViews::takeLegendPick);
  connect(view, &widgets::View::colorByChanged, this, &CellViews::colorByChanged);
  connect(view, &widgets::View::openRequested, this, &CellViews::openRequested);
  connect(view, &widgets::View::samplesRequested, this, &CellViews::samplesRequested);
  connect(view, &widgets::View::failed, this, &CellViews::failed);
  connect(view, &widgets::View::figureRequested, this, [this, kind, page] {
    area->useWidget(page);
    emit figureRequested(static_cast<int>(kind));
  });
  connect(view, &widgets::View::maximizeToggled, this, [this, page] {
    area->useWidget(page);
    area->toggleMaximized();
  });
  connect(view, &QObject::destroyed, this,
          [this, view] { std::erase_if(panes, [&](const Pane& pane) { return pane.view == view; }); });
  if (auto* splitting = qobject_cast<widgets::SplittingView*>(view))
    splitting->setStrategyTimes(strategyTimes.times());
}

bool CellViews::isSeen(const Pane& pane) const
{
  const bool isCopy = pane.page != panes[static_cast<std::size_t>(pane.kind)].page;
  return (isCopy ? pane.page->isVisible() : area->isSeen(static_cast<int>(pane.kind))) && !pane.view->isHidden();
}

QWidget* CellViews::currentPage(ViewKind kind) const
{
  QWidget* copy = area->currentCopy();
  const bool isOfKind = copy && area->current() == static_cast<int>(kind);
  return isOfKind ? copy : panes[static_cast<std::size_t>(kind)].page;
}

widgets::View& CellViews::currentView(ViewKind kind)
{
  return *std::ranges::find(panes, currentPage(kind), &Pane::page)->view;
}

void CellViews::fit(ViewKind kind)
{
  const QWidget* page = currentPage(kind);
  for (const Pane& pane : panes)
    if (pane.page == page)
      pane.view->fit();
}

void CellViews::settle()
{
  colors.wait();
  for (const Pane& pane : panes)
    pane.view->settle();
}

widgets::Figure CellViews::figure(ViewKind kind)
{
  if (std::ranges::find(panes, currentPage(kind), &Pane::page)->isStale)
    colors.wait();
  auto* pair = qobject_cast<SchedulePair*>(currentPage(kind));
  widgets::Figure figure = pair ? pair->figure() : currentView(kind).figure();
  if (kind == ViewKind::Morphology) {
    figure.hasScaleBar = figure.hasPixels = true;
    figure.isPerspective = !static_cast<widgets::MorphologyView&>(currentView(kind)).camera().parallel();
  }
  return figure;
}

// ---- scenes ----

void CellViews::show(const study::CellResult& outcome)
{
  dropPartial();
  widgets::BranchChoice choice = choiceIn(outcome);
  shown = outcome;
  isShowing = true;
  if (shown.plan)
    chosenIn = shown;
  cells->takeResult(shown);
  draw(std::move(choice));
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
  if (isShowing)
    draw(branches->choice());
}

void CellViews::draw(widgets::BranchChoice choice)
{
  auto scene = sceneOf(shown, *cells);
  for (std::size_t i = 0; i < shown.cells.size(); ++i) {
    const int row = cells->rowOf(shown.cells[i].source);
    if (row >= 0)
      scene->cells[i].visible = cells->cells()[static_cast<std::size_t>(row)].visible;
  }
  drawn = std::move(scene);
  if (plannedBatch != shown.batch || plannedAs != shown.request.parameters.solve)
    planned.clear();
  plannedBatch = shown.batch;
  plannedAs = shown.request.parameters.solve;
  for (Pane& pane : panes)
    pane.isStale = true;
  std::vector<std::string> files;
  for (const study::StudiedCell& cell : shown.cells) {
    const int row = cells->rowOf(cell.source);
    files.push_back(row < 0 ? std::string() : cells->cells()[static_cast<std::size_t>(row)].source.path);
  }
  branches->setScene(drawn, std::move(choice), std::move(files));
  refreshChosen();
  if (shown.plan)
    kept = branches->choice();
  emit sceneChanged();
  if (drawn->solution) // what solves is timed
    branches->makeTableAhead();
  refreshSeen();
  emit selectionChanged();
  emit schedulesWanted();
}

/// The cells in space make their own.
bool CellViews::hasColors(const Pane& pane) const
{
  return pane.kind == ViewKind::Morphology || !drawn ||
         drawn->branchColors->has(pane.view->colorBy(), widgets::LegendOf::AllCells);
}

/// Those that pages of plans wait for, and those that they need when they are turned to: these when nothing is solved
/// any more, since that is timed.
void CellViews::makeColors()
{
  std::set<widgets::ColorBy> rules;
  for (const Pane& pane : panes)
    if (pane.isStale && !hasColors(pane) && (drawn->solution || isSeen(pane)))
      rules.insert(pane.view->colorBy());
  if (rules.empty())
    return;
  colors.restart([this, scene = drawn, rules,
                  mode = widgets::theme().mode](const RunControl& control) -> widgets::BackgroundWork::Deliver {
    const widgets::ThemeScope scope(mode);
    for (const widgets::ColorBy rule : rules) {
      control.checkpoint();
      scene->branchColors->of(*scene, rule, widgets::LegendOf::AllCells);
    }
    return [this] { refreshSeen(); };
  });
}

/// Whether what a view draws are the branches that there are: it may have an older scene.
bool CellViews::hasBranchesOf(const widgets::View* view) const
{
  return drawn && view->scene() && view->scene()->plan == drawn->plan;
}

/// A view whose schedule is yet to be planned, or whose colours are yet to be made, keeps its drawing until then.
void CellViews::refreshSeen()
{
  for (Pane& pane : panes) {
    if (!pane.isStale || !isSeen(pane) || (!hasColors(pane) && widgets::isLarge(*drawn)))
      continue;
    const auto* ofSchedule = qobject_cast<widgets::ScheduleView*>(pane.view);
    const auto choice = ofSchedule ? ofSchedule->scheduleChoice() : std::nullopt;
    auto scene = drawn;
    if (choice && shown.plan) {
      const auto schedule = plannedFor(*choice);
      if (!schedule)
        continue;
      auto chosen = std::make_shared<widgets::Scene>(*drawn);
      chosen->planned = schedule;
      scene = std::move(chosen);
    }
    pane.isStale = false;
    pane.view->showScene(scene, branches->choice());
    refreshHiddenEntries(pane.view);
  }
  refreshLight();
  turnTrees();
  makeColors();
}

// ---- schedules to look at ----

std::shared_ptr<const study::PlannedSchedule> CellViews::plannedFor(const widgets::ScheduleChoice& choice) const
{
  const auto isIt = [&](const auto& schedule) {
    return widgets::ScheduleChoice{schedule->parameters.solver, schedule->parameters.backend} == choice;
  };
  const auto found = std::ranges::find_if(planned, isIt);
  return found == planned.end() ? nullptr : *found;
}

std::vector<widgets::ScheduleChoice> CellViews::wantedSchedules() const
{
  std::vector<widgets::ScheduleChoice> wanted;
  for (const Pane& pane : panes)
    if (const auto* view = qobject_cast<widgets::ScheduleView*>(pane.view); view && isSeen(pane) && shown.plan)
      if (const auto choice = view->scheduleChoice())
        if (!plannedFor(*choice) && std::ranges::find(wanted, *choice) == wanted.end())
          wanted.push_back(*choice);
  return wanted;
}

void CellViews::takeSchedules(const std::vector<std::shared_ptr<const study::PlannedSchedule>>& schedules)
{
  planned.insert(planned.end(), schedules.begin(), schedules.end());
  refreshSeen();
}

void CellViews::dropSchedules()
{
  for (Pane& pane : panes)
    if (auto* view = qobject_cast<widgets::ScheduleView*>(pane.view))
      if (const auto choice = view->scheduleChoice(); choice && !plannedFor(*choice)) {
        view->setScheduleChoice(std::nullopt);
        pane.isStale = true;
      }
  refreshSeen();
}

// ---- the chosen cell ----

widgets::MorphologyView& CellViews::currentMorphology()
{
  return static_cast<widgets::MorphologyView&>(currentView(ViewKind::Morphology));
}

void CellViews::showPath(const std::vector<widgets::SamplePoint>& samples, const QString& text)
{
  for (const Pane& pane : panes)
    if (auto* view = qobject_cast<widgets::MorphologyView*>(pane.view))
      view->showPath(samples, text);
}

/// Of a cell in what is shown; -1: it is not there.
std::int32_t CellViews::placeOf(std::uint64_t source) const
{
  const auto found = std::ranges::find(shown.cells, source, &study::StudiedCell::source);
  return found == shown.cells.end() ? -1 : static_cast<std::int32_t>(found - shown.cells.begin());
}

/// Not while the view has an older scene, in which places are others. On the only cell that is drawn the light would
/// tell nothing, and hide its colours.
void CellViews::refreshLight()
{
  const bool areMany = drawn && std::ranges::count(drawn->cells, true, &widgets::SceneCell::visible) > 1;
  for (const Pane& pane : panes)
    if (auto* view = qobject_cast<widgets::MorphologyView*>(pane.view); view && !pane.isStale)
      view->setLitCells(areMany ? chosenPlaces() : std::vector<std::int32_t>());
}

void CellViews::takeChosenCells(const std::vector<int>& rows)
{
  chosenSources.clear();
  for (const int row : rows)
    chosenSources.push_back(cells->cells()[static_cast<std::size_t>(row)].source.id);
  std::ranges::sort(chosenSources);
  if (chosenSources.size() == 1)
    for (Pane& pane : panes)
      pane.turnsTo = chosenSources.front();
  refreshChosen();
  refreshLight();
  turnTrees();
}

/// To the cell that was chosen alone.
void CellViews::turnTrees()
{
  for (Pane& pane : panes) {
    auto* tree = qobject_cast<widgets::TreeView*>(pane.view);
    if (!tree || pane.turnsTo == 0 || pane.isStale || !isSeen(pane))
      continue;
    const std::int32_t place = placeOf(pane.turnsTo);
    if (place < 0)
      continue;
    pane.turnsTo = 0;
    if (place != tree->shownCell())
      tree->showCell(place);
  }
}

/// Of the chosen cells in what is shown, ascending.
std::vector<std::int32_t> CellViews::chosenPlaces() const
{
  std::vector<std::int32_t> places;
  for (std::size_t k = 0; k < shown.cells.size(); ++k)
    if (std::ranges::binary_search(chosenSources, shown.cells[k].source))
      places.push_back(static_cast<std::int32_t>(k));
  return places;
}

void CellViews::refreshChosen()
{
  branches->setChosenCells(chosenPlaces());
}

void CellViews::fitToCell(int row)
{
  if (row < 0)
    return;
  cells->setVisible(row, true);
  currentMorphology().fitToCell(placeOf(cells->cells()[static_cast<std::size_t>(row)].source.id));
}

void CellViews::showLine(int row, std::int64_t line)
{
  cells->setVisible(row, true);
  const std::int32_t place = placeOf(cells->cells()[static_cast<std::size_t>(row)].source.id);
  if (place < 0)
    return;
  const cable::Discretization& discretization = *shown.cells[static_cast<std::size_t>(place)].discretization;
  const std::vector<std::int64_t>& lines = discretization.morphology->line;
  const auto sample = static_cast<std::size_t>(std::ranges::find(lines, line) - lines.begin());
  const auto& branchOf = shown.branchOfCompartment;
  const bool isKnown = sample < lines.size() && static_cast<std::size_t>(place) < branchOf.size() &&
                       discretization.morphology->type[sample] != morphology::kSoma;
  const auto compartment = isKnown ? static_cast<std::size_t>(discretization.ofSample[sample]) : 0;
  const widgets::BranchId branch =
      isKnown ? widgets::BranchId{place, branchOf[static_cast<std::size_t>(place)][compartment]} : widgets::BranchId();
  branches->reveal(branch);
  if (branch.isNull())
    currentMorphology().fitToCell(place);
  else
    currentMorphology().fitTo(branch);
}

// ---- the selected branches ----

widgets::BranchId CellViews::selection() const
{
  return branches->choice().current;
}

void CellViews::select(widgets::BranchId branch)
{
  branches->select(branch);
}

void CellViews::awaitArea(widgets::AreaShape shape)
{
  for (const Pane& pane : panes)
    if (isSeen(pane))
      pane.view->awaitArea(shape);
  isAreaAwaited = true;
}

void CellViews::forgetArea()
{
  if (!std::exchange(isAreaAwaited, false))
    return;
  for (const Pane& pane : panes)
    pane.view->awaitArea(std::nullopt);
  emit areaEnded();
}

/// What legends say of hidden branches takes as many expressions as they have entries: only where others are hidden.
void CellViews::takeChoice()
{
  const widgets::BranchChoice& choice = branches->choice();
  const bool hidesOthers = hiddenInViews != choice.hidden;
  if (hidesOthers)
    hiddenInViews = choice.hidden;
  if (shown.plan)
    kept = choice;
  for (const Pane& pane : panes)
    if (!pane.isStale) {
      pane.view->setChoice(choice);
      if (hidesOthers)
        refreshHiddenEntries(pane.view);
    }
  emit selectionChanged();
}

void CellViews::refreshHiddenEntries(widgets::View* view)
{
  std::vector<std::string> expressions;
  if (!branches->choice().hidden.isEmpty() && branches->hasTable())
    for (const widgets::Legend::Entry& entry : view->shownLegend().entries)
      expressions.push_back(entry.expression);
  view->setHiddenEntries(expressions.empty() ? std::vector<bool>() : branches->whichAreHidden(expressions));
}

QString CellViews::describeSelection() const
{
  const widgets::BranchIds& selected = branches->choice().selected;
  if (selected.isEmpty() || !drawn)
    return {};
  if (selected.size() > 1)
    return branches->figures();
  return QString::fromStdString(widgets::describeBranch(*drawn, *selected.begin()));
}

void CellViews::takePick(widgets::BranchId branch, widgets::PickMode how)
{
  branches->pick({branch}, how);
  if (!branch.isNull())
    emit cellPicked(cells->rowOf(shown.cells[static_cast<std::size_t>(branch.cell)].source));
}

void CellViews::takeLegendPick(const QString& expression, Qt::KeyboardModifiers modifiers)
{
  const std::string where = expression.toStdString();
  // A selection of what is hidden would not be seen: it is shown instead.
  if (modifiers.testFlag(Qt::ControlModifier) || branches->isHiddenWhere(where))
    branches->toggleHiddenWhere(where);
  else
    branches->selectWhere(where);
}

namespace {

const hines::PlannedShape& asReadShape(const study::CellResult& result, std::size_t cell)
{
  return result.plan->asRead[result.plan->batch->shapeOf[cell]];
}

/// Where a cell of one result is in the next one, cut into the same tree of compartments; -1: nowhere. `places`: of
/// the cells of the next one, by their sources.
std::int32_t placeIn(const study::CellResult& before, std::size_t cell, const study::CellResult& next,
                     const std::unordered_map<std::uint64_t, std::size_t>& places)
{
  const auto id = before.cells[cell].source;
  auto after = cell; // random trees have no identity but their place
  if (id != 0) {
    const auto found = places.find(id);
    after = found == places.end() ? next.cells.size() : found->second;
  }
  const bool isThere = after < next.cells.size() && next.cells[after].source == id &&
                       cell < before.plan->batch->shapeOf.size() && after < next.plan->batch->shapeOf.size();
  if (!isThere)
    return -1;
  const hines::PlannedShape& oldShape = asReadShape(before, cell);
  const hines::PlannedShape& newShape = asReadShape(next, after);
  const bool isSame =
      &oldShape == &newShape || (oldShape.compartment == newShape.compartment && oldShape.parent == newShape.parent);
  return isSame ? static_cast<std::int32_t>(after) : -1;
}

} // namespace

/// What was chosen, as the next scene calls it: a branch keeps its number as long as its cell is cut into the same tree
/// of compartments, wherever the cell stands in the list. What is gone is left out.
widgets::BranchChoice CellViews::choiceIn(const study::CellResult& next) const
{
  if (!chosenIn.plan || !next.plan || kept == widgets::BranchChoice())
    return {};
  std::unordered_map<std::uint64_t, std::size_t> placeOfSource;
  for (std::size_t cell = 0; cell < next.cells.size(); ++cell)
    placeOfSource.emplace(next.cells[cell].source, cell);
  std::map<std::int32_t, std::int32_t> places;
  const auto moved = [&](widgets::BranchId id) {
    const auto [place, isNew] = places.try_emplace(id.cell, -1);
    if (isNew)
      place->second = placeIn(chosenIn, static_cast<std::size_t>(id.cell), next, placeOfSource);
    return place->second < 0 ? widgets::BranchId{} : widgets::BranchId{place->second, id.branch};
  };
  const auto movedAll = [&](const widgets::BranchIds& ids) {
    std::vector<widgets::BranchId> there;
    for (const widgets::BranchId id : ids)
      if (const widgets::BranchId after = moved(id); !after.isNull())
        there.push_back(after);
    return widgets::BranchIds(std::move(there));
  };
  return {kept.current.isNull() ? widgets::BranchId{} : moved(kept.current), movedAll(kept.selected),
          movedAll(kept.hidden)};
}

// ---- figures and looks ----

void CellViews::addRun(const study::CellResult& outcome)
{
  if (!outcome.record)
    return;
  strategyTimes.add(*outcome.solution);
  for (const Pane& pane : panes)
    if (auto* splitting = qobject_cast<widgets::SplittingView*>(pane.view))
      splitting->setStrategyTimes(strategyTimes.times());
  if (!outcome.record->timings.has("solve"))
    return;
  const io::RunRecord& run = *outcome.record;
  for (const Pane& pane : panes) {
    pane.view->timingCard()->setNote(describeGpuPlan(run), true);
    pane.view->timingCard()->addRun(run.timings, factsOf(run, outcome.floorFraction));
  }
}

void CellViews::showRunAgain(const study::CellResult& outcome)
{
  const io::RunRecord& run = *outcome.solved;
  for (const Pane& pane : panes) {
    pane.view->timingCard()->setNote(describeGpuPlan(run), true);
    pane.view->timingCard()->showAgain(run.timings, factsOf(run, outcome.floorFraction));
  }
}

void CellViews::showProgress(const QString& stage, double fraction)
{
  for (const Pane& pane : panes)
    pane.view->timingCard()->setProgress(stage, fraction);
}

void CellViews::endProgress()
{
  showProgress({}, -1);
}

void CellViews::setColorBy(widgets::ColorBy colorBy)
{
  for (Pane& pane : panes) {
    if (pane.view->colorBy() == colorBy)
      continue;
    if (drawn && !isSeen(pane)) {
      pane.view->takeColorBy(colorBy); // it is coloured when it is seen
      pane.isStale = true;
    } else {
      pane.view->setColorBy(colorBy);
    }
  }
  makeColors();
}

void CellViews::setTimingsShown(bool timingsShown)
{
  for (std::size_t kind = 0; kind < kViewCount; ++kind)
    panes[kind].view->setTimingsShown(timingsShown);
}

} // namespace hinesight::app
