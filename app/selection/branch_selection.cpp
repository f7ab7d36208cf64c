#include "app/selection/branch_selection.hpp"

#include "app/selection/neuron_set.hpp"
#include "selection/expression.hpp"
#include "widgets/theme.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hinesight::app {

using selection::BranchSet;
using selection::Expression;
using widgets::BranchChoice;
using widgets::BranchId;
using widgets::BranchIds;
using widgets::PickMode;

namespace {

/// In the unit of the tables: "12,400 µm".
QString lengthText(double micrometres)
{
  return BranchSelection::tr("%1 µm").arg(widgets::formatNumber(micrometres));
}

constexpr std::size_t kMostPast = 50;

/// Those in drawn cells, or all where none is.
BranchSet drawnOf(const BranchSet& all, const BranchSet& ofDrawnCells)
{
  BranchSet drawn = all & ofDrawnCells;
  return drawn.isEmpty() ? all : drawn;
}

std::vector<selection::TabledCell> cellsOf(const widgets::Scene& scene)
{
  std::vector<selection::TabledCell> cells;
  for (const widgets::SceneCell& cell : scene.cells)
    cells.push_back({cell.name, cell.discretization.get()});
  return cells;
}

QString number(std::size_t value)
{
  return widgets::formatNumber(static_cast<double>(value));
}

} // namespace

void BranchSelection::setScene(std::shared_ptr<const widgets::Scene> shown, BranchChoice choice,
                               std::vector<std::string> ofCells)
{
  if (*files != ofCells) {
    files = std::make_shared<const std::vector<std::string>>(std::move(ofCells));
    held.reset();
  }
  const auto planBefore = scene ? scene->plan : nullptr;
  const auto solutionBefore = scene ? scene->solution : nullptr;
  const std::vector<bool> drawnBefore = drawnCells();
  scene = std::move(shown);
  const bool isOfSamePlan = scene && scene->plan == planBefore && scene->solution != solutionBefore;
  if (isOfSamePlan || !scene || scene->cells.empty())
    awaited.reset(); // a run has ended, and planned nothing
  if (scene && scene->plan == planBefore) {
    replace(std::move(choice), where);
    if (drawnCells() != drawnBefore)
      refreshExpression();
    return;
  }
  std::string expression = where;
  if (awaited && hasBranches()) {
    const auto wanted = std::exchange(awaited, nullptr);
    choice = inScene(*wanted);
    expression = wanted->expression;
  }
  hideWanted(choice);
  isExpressionLate = !expression.empty() && hasBranches() && !hasTable();
  if (!expression.empty() && hasTable()) {
    choice.selected = idsOf(evaluate(expression));
    choice.current = choice.selected.has(choice.current) ? choice.current : BranchId{};
  }
  replace(std::move(choice), std::move(expression));
  awaitTable();
  emit sceneChanged();
}

const selection::BranchTable* BranchSelection::table() const
{
  if (!hasBranches())
    return nullptr;
  if (figured != scene->plan) {
    branches = selection::makeBranchTable(cellsOf(*scene), *scene->plan);
    tabled = figured = scene->plan;
  }
  return &branches;
}

/// Whether there are branches; `branches` then has them, maybe without figures: these take much longer.
bool BranchSelection::hasRows() const
{
  if (!hasBranches())
    return false;
  if (tabled != scene->plan) {
    branches = selection::makeBranchRows(cellsOf(*scene), *scene->plan);
    tabled = scene->plan;
    figured.reset();
  }
  return true;
}

bool BranchSelection::hasTable() const
{
  return hasBranches() && (figured == scene->plan || !widgets::isLarge(*scene));
}

void BranchSelection::makeTableAhead()
{
  if (!hasBranches() || figured == scene->plan) {
    making.reset();
    return ahead.restart();
  }
  if (std::exchange(making, scene->plan) == scene->plan)
    return;
  ahead.restart([this, of = scene](const RunControl&) -> widgets::BackgroundWork::Deliver {
    const auto made = std::make_shared<selection::BranchTable>(selection::makeBranchTable(cellsOf(*of), *of->plan));
    return [this, plan = of->plan, made] { takeTable(plan, std::move(*made)); };
  });
}

/// Somebody may have needed it before.
void BranchSelection::takeTable(const std::shared_ptr<const hines::SolvePlan>& plan, selection::BranchTable made)
{
  making.reset();
  if (!scene || scene->plan != plan)
    return;
  if (figured != plan) {
    branches = std::move(made);
    tabled = figured = plan;
  }
  if (isExpressionLate)
    refreshExpression();
  emit tableMade();
}

/// What is told of selected and hidden branches needs it.
void BranchSelection::awaitTable()
{
  const bool isNeeded = isExpressionLate || chosen.selected.size() > 1 || !chosen.hidden.isEmpty();
  if (isNeeded && hasBranches() && !hasTable())
    makeTableAhead();
}

void BranchSelection::take(BranchChoice choice, std::string expression, const QString& step)
{
  awaited.reset();
  isExpressionLate = false;
  remember(choice.selected, expression);
  const bool deselects = choice.selected != chosen.selected && choice.hidden.size() > chosen.hidden.size();
  beforeHiding = deselects ? kept() : nullptr;
  replace(std::move(choice), std::move(expression), step);
}

void BranchSelection::replace(BranchChoice choice, std::string expression, const QString& step)
{
  if (choice == chosen && expression == where)
    return;
  const bool isStep = choice.hidden != chosen.hidden && !step.isEmpty();
  if (isStep)
    emit stepBegins();
  chosen = std::move(choice);
  where = std::move(expression);
  held.reset();
  awaitTable();
  if (isStep)
    emit stepMade(step); // first: what is selected when `changed` comes is of the step
  emit changed();
}

// ---- what was selected, for who keeps it ----

/// One for all who do.
std::shared_ptr<const KeptChoice> BranchSelection::kept() const
{
  if (!held)
    held = std::make_shared<const KeptChoice>(KeptChoice{chosen, where, files});
  return held;
}

Selected BranchSelection::selected() const
{
  return {awaited ? awaited : kept(), chosenFiles, inChosen, {}};
}

void BranchSelection::restore(const Selected& wanted, bool isRunning)
{
  if (!wanted.branches)
    return;
  beforeHiding.reset();
  setInChosenCells(wanted.inChosenCells);
  if (*wanted.cells != *chosenFiles)
    emit cellsWanted(*wanted.cells);
  replace(inScene(*wanted.branches), wanted.branches->expression);
  awaited = isRunning ? wanted.branches : nullptr;
}

void BranchSelection::forget()
{
  past.clear();
  beforeHiding.reset();
  awaited.reset();
  wantedHidden.clear();
  isExpressionLate = false;
  replace({}, {});
}

// ---- what was selected before ----

/// What is selected, before this is. An expression that is typed is one selection.
void BranchSelection::remember(const BranchIds& selected, const std::string& expression)
{
  const bool isTyped = !where.empty() && !expression.empty();
  if (selected == chosen.selected || chosen.selected.isEmpty() || isTyped)
    return;
  if (past.size() == kMostPast)
    past.erase(past.begin());
  past.push_back(kept());
}

void BranchSelection::selectPrevious()
{
  if (past.empty())
    return;
  awaited.reset();
  const std::shared_ptr<const KeptChoice> before = std::move(past.back());
  past.pop_back();
  BranchChoice choice = inScene(*before);
  choice.hidden = chosen.hidden;
  if (choice == chosen && before->expression == where)
    return selectPrevious();
  replace(std::move(choice), before->expression);
}

/// A branch that is gone is left out.
BranchChoice BranchSelection::inScene(const KeptChoice& before) const
{
  if (before.choice == BranchChoice() || !hasRows())
    return {};
  std::unordered_map<std::string_view, std::int32_t> placeOf;
  for (std::size_t cell = 0; cell < files->size(); ++cell)
    placeOf.emplace((*files)[cell], static_cast<std::int32_t>(cell));
  std::vector<std::int32_t> places; // per cell of its scene
  for (std::size_t cell = 0; cell < before.files->size(); ++cell) {
    const std::string& file = (*before.files)[cell];
    const auto there = placeOf.find(file);
    const bool isRandom = file.empty(); // random trees have no identity but their place
    places.push_back(isRandom ? static_cast<std::int32_t>(cell) : there == placeOf.end() ? -1 : there->second);
  }
  const auto moved = [&](BranchId id) {
    if (id.isNull() || static_cast<std::size_t>(id.cell) >= places.size())
      return BranchId{};
    id.cell = places[static_cast<std::size_t>(id.cell)];
    return branches.rowOf(id) ? id : BranchId{};
  };
  const auto movedAll = [&](const BranchIds& ids) {
    std::vector<BranchId> there;
    for (const BranchId id : ids)
      if (const BranchId now = moved(id); !now.isNull())
        there.push_back(now);
    return BranchIds(std::move(there));
  };
  const BranchChoice& choice = before.choice;
  return {moved(choice.current), movedAll(choice.selected), movedAll(choice.hidden)};
}

// ---- the cells of expressions ----

void BranchSelection::setChosenCells(std::vector<std::int32_t> ofScene)
{
  if (ofScene == chosenCells)
    return;
  chosenCells = std::move(ofScene);
  if (inChosen)
    refreshExpression();
}

void BranchSelection::setChosenFiles(std::vector<std::string> inList)
{
  if (inList == *chosenFiles)
    return;
  chosenFiles = std::make_shared<const std::vector<std::string>>(std::move(inList));
  emit chosenFilesChanged();
}

void BranchSelection::setInChosenCells(bool only)
{
  if (std::exchange(inChosen, only) == only)
    return;
  refreshExpression();
  emit inChosenChanged(only);
}

void BranchSelection::refreshExpression()
{
  if (!hasBranches())
    return;
  isExpressionLate = !where.empty() && !hasTable();
  if (isExpressionLate)
    awaitTable();
  else if (!where.empty())
    replace(choiceOf(evaluate(where)), where);
  emit changed(); // the cells that are counted are others, also where as much is selected
}

/// Per cell of the scene, whether it is drawn.
std::vector<bool> BranchSelection::drawnCells() const
{
  std::vector<bool> drawn;
  if (scene)
    for (const widgets::SceneCell& cell : scene->cells)
      drawn.push_back(cell.visible);
  return drawn;
}

/// The cells that expressions select in.
std::vector<bool> BranchSelection::searchedCells() const
{
  std::vector<bool> searched = drawnCells();
  if (inChosen)
    for (std::size_t cell = 0; cell < searched.size(); ++cell)
      searched[cell] = searched[cell] && std::ranges::binary_search(chosenCells, static_cast<std::int32_t>(cell));
  return searched;
}

BranchSet BranchSelection::rowsOf(const std::vector<bool>& cells) const
{
  BranchSet set(branches.rows());
  for (std::size_t cell = 0; cell < std::min(cells.size(), branches.cells()); ++cell)
    for (std::size_t row = branches.firstRow[cell]; cells[cell] && row < branches.firstRow[cell + 1]; ++row)
      set.add(row);
  return set;
}

BranchSet BranchSelection::evaluate(const std::string& expression) const
{
  const BranchSet all = Expression(expression).evaluate(*table());
  return all & rowsOf(searchedCells());
}

// ---- commands ----

void BranchSelection::select(BranchId branch)
{
  take({branch, BranchIds(branch.isNull() ? std::vector<BranchId>() : std::vector{branch}), chosen.hidden}, {});
}

void BranchSelection::reveal(BranchId branch)
{
  std::vector<BranchId> hidden(chosen.hidden.begin(), chosen.hidden.end());
  std::erase(hidden, branch);
  take({branch, BranchIds(branch.isNull() ? std::vector<BranchId>() : std::vector{branch}),
        BranchIds(std::move(hidden))},
       {}, tr("Show a branch"));
}

void BranchSelection::pick(const std::vector<BranchId>& picked, PickMode how)
{
  std::vector<BranchId> ids;
  if (how != PickMode::Replace)
    ids.assign(chosen.selected.begin(), chosen.selected.end());
  BranchId last;
  for (const BranchId id : picked) {
    if (id.isNull())
      continue;
    const auto before = how == PickMode::Toggle ? std::ranges::find(ids, id) : ids.end();
    const bool leaves = before != ids.end();
    if (leaves)
      ids.erase(before);
    else
      ids.push_back(id);
    last = leaves ? BranchId{} : id;
  }
  const bool areMany = std::ranges::any_of(picked, [&](BranchId id) { return id != picked.front(); });
  take({areMany ? BranchId{} : last, BranchIds(std::move(ids)), chosen.hidden}, {});
}

void BranchSelection::selectWhere(const std::string& expression)
{
  const Expression compiled(expression); // is checked without a plan, too
  if (hasBranches())
    selectSetOf(evaluate(expression), expression);
}

BranchChoice BranchSelection::choiceOf(const BranchSet& set) const
{
  const auto row = branches.rowOf(chosen.current);
  const auto rows = set.members();
  const BranchId only = rows.size() == 1 ? branches.idOf(rows.front()) : BranchId{};
  return {row && set.has(*row) ? chosen.current : only, idsOf(set), chosen.hidden};
}

void BranchSelection::selectSetOf(const BranchSet& set, std::string expression)
{
  take(choiceOf(set), std::move(expression));
}

BranchSet BranchSelection::drawnWhere(const std::string& expression) const
{
  const BranchSet all = Expression(expression).evaluate(*table());
  return drawnOf(all, rowsOf(drawnCells()));
}

std::vector<bool> BranchSelection::whichAreHidden(const std::vector<std::string>& expressions) const
{
  const selection::BranchTable* all = table();
  const BranchSet ofDrawnCells = all ? rowsOf(drawnCells()) : BranchSet();
  const BranchSet hidden = setOf(chosen.hidden);
  std::vector<bool> areHidden;
  for (const std::string& expression : expressions) {
    BranchSet set;
    if (!expression.empty()) {
      const Expression compiled(expression); // is checked without a plan, too
      if (all)
        set = drawnOf(compiled.evaluate(*all), ofDrawnCells);
    }
    areHidden.push_back(!set.isEmpty() && (set - hidden).isEmpty());
  }
  return areHidden;
}

void BranchSelection::toggleHiddenWhere(const std::string& expression)
{
  const bool shows = isHiddenWhere(expression);
  if (!hasBranches())
    return;
  const BranchSet set = drawnWhere(expression);
  BranchChoice next = chosen;
  next.hidden = idsOf(shows ? setOf(chosen.hidden) - set : setOf(chosen.hidden) | set);
  next.selected = idsOf(setOf(chosen.selected) - setOf(next.hidden));
  next.current = next.selected.has(next.current) ? next.current : BranchId{};
  take(std::move(next), next.selected == chosen.selected ? where : std::string(),
       (shows ? tr("Show where %1") : tr("Hide where %1")).arg(QString::fromStdString(expression)));
}

void BranchSelection::invert()
{
  if (hasRows())
    selectSetOf(rowsOf(drawnCells()) - setOf(chosen.selected) - setOf(chosen.hidden), {});
}

void BranchSelection::addSubtrees()
{
  if (hasRows())
    selectSetOf(subtreesOf(branches, setOf(chosen.selected)), {});
}

void BranchSelection::addPathsToSoma()
{
  if (hasRows())
    selectSetOf(pathsToRoot(branches, setOf(chosen.selected)), {});
}

void BranchSelection::goToHosts()
{
  if (hasRows())
    selectSetOf(hostsOf(branches, setOf(chosen.selected)), {});
}

void BranchSelection::hide()
{
  if (hasRows())
    take({{}, {}, idsOf(setOf(chosen.hidden) | setOf(chosen.selected))}, {}, tr("Hide selected branches"));
}

void BranchSelection::isolate()
{
  if (hasRows() && !chosen.selected.isEmpty())
    take({chosen.current, chosen.selected,
          idsOf((rowsOf(drawnCells()) | setOf(chosen.hidden)) - setOf(chosen.selected))},
         where, tr("Isolate selected branches"));
}

void BranchSelection::showAll()
{
  BranchChoice choice = beforeHiding ? inScene(*beforeHiding) : chosen;
  choice.hidden = {};
  take(std::move(choice), beforeHiding ? beforeHiding->expression : where, tr("Show all branches"));
}

/// The numbers of those of a cell, from 1 on.
std::vector<std::size_t> BranchSelection::numbersIn(std::size_t cell, const BranchIds& ids) const
{
  std::vector<std::size_t> numbers;
  const auto ofCell = static_cast<std::int32_t>(cell);
  for (auto id = std::lower_bound(ids.begin(), ids.end(), BranchId{ofCell, 0}); id != ids.end() && id->cell == ofCell;
       ++id)
    if (const auto row = branches.rowOf(*id))
      numbers.push_back(*row - branches.firstRow[cell] + 1);
  std::ranges::sort(numbers);
  return numbers;
}

HiddenByFile BranchSelection::hiddenByFile() const
{
  HiddenByFile hidden = wantedHidden;
  std::erase_if(hidden, [](const auto& ofFile) { return ofFile.second.empty(); });
  if (chosen.hidden.isEmpty() || !hasRows())
    return hidden;
  for (std::size_t cell = 0; cell < std::min(files->size(), branches.cells()); ++cell)
    if (!(*files)[cell].empty() && chosen.hidden.hasAnyOf(static_cast<std::int32_t>(cell)))
      hidden.insert_or_assign(
          (*files)[cell],
          selection::rangesText(numbersIn(cell, chosen.hidden), branches.firstRow[cell + 1] - branches.firstRow[cell]));
  return hidden;
}

void BranchSelection::hideByFile(HiddenByFile wanted, bool isNow)
{
  const HiddenByFile now = hiddenByFile();
  if (wanted == now)
    return;
  awaited.reset();
  wantedHidden = std::move(wanted);
  if (!isNow)
    for (const auto& [file, ofFile] : now)
      wantedHidden.try_emplace(file); // is shown then
  if (!isNow || !hasRows())
    return;
  BranchChoice choice = chosen;
  std::vector<BranchId> ofNoFile;
  for (const BranchId id : chosen.hidden)
    if (static_cast<std::size_t>(id.cell) >= files->size() || (*files)[static_cast<std::size_t>(id.cell)].empty())
      ofNoFile.push_back(id);
  choice.hidden = BranchIds(std::move(ofNoFile));
  hideWanted(choice);
  replace(std::move(choice), where);
}

/// In place of what is hidden of cells that are waited for and are there.
void BranchSelection::hideWanted(BranchChoice& choice)
{
  if (wantedHidden.empty() || !hasRows())
    return;
  BranchSet hidden = setOf(choice.hidden);
  for (std::size_t cell = 0; cell < std::min(files->size(), branches.cells()); ++cell) {
    const auto wanted = wantedHidden.find((*files)[cell]);
    if (wanted == wantedHidden.end())
      continue;
    const std::size_t first = branches.firstRow[cell];
    const std::size_t count = branches.firstRow[cell + 1] - first;
    for (std::size_t row = first; row < first + count; ++row)
      hidden.remove(row);
    for (const std::size_t number : selection::numbersOf(wanted->second, count))
      hidden.add(first + number - 1);
    wantedHidden.erase(wanted);
  }
  choice.hidden = idsOf(hidden);
  choice.selected = idsOf(setOf(choice.selected) - hidden);
  choice.current = choice.selected.has(choice.current) ? choice.current : BranchId{};
}

/// Those whose branches can be selected as the last ones were: by an expression, those that it selects in; else those
/// that are drawn. With those that have selected branches.
std::vector<bool> BranchSelection::countedCells() const
{
  std::vector<bool> counted = where.empty() ? drawnCells() : searchedCells();
  counted.resize(branches.cells(), false);
  for (const BranchId id : chosen.selected)
    if (branches.rowOf(id))
      counted[static_cast<std::size_t>(id.cell)] = true;
  return counted;
}

/// Those that have selected branches, of those that are counted: "39 cells" where it is all of them or none, else "2 of
/// 39 cells"; "1 of 3 shown cells", "2 chosen cells". `noun`: " cells".
QString BranchSelection::inWords(const std::vector<bool>& counted, const QString& noun) const
{
  const std::vector<bool> drawn = drawnCells();
  const auto isDrawn = [&](std::size_t cell) { return cell < drawn.size() && drawn[cell]; };
  std::size_t count = 0;
  std::size_t holding = 0;
  bool areShown = true;
  for (std::size_t cell = 0; cell < counted.size(); ++cell) {
    if (!counted[cell])
      continue;
    ++count;
    holding += chosen.selected.hasAnyOf(static_cast<std::int32_t>(cell)) ? 1 : 0;
    areShown = areShown && isDrawn(cell);
  }
  QString scope;
  if (inChosen && !where.empty())
    scope = std::ranges::all_of(chosenCells, isDrawn) ? tr(" chosen") : tr(" chosen and shown");
  else if (count < counted.size() && areShown)
    scope = tr(" shown");
  const bool areSome = holding > 0 && holding < count;
  return (areSome ? tr("%1 of %2").arg(number(holding), number(count)) : number(count)) + scope + noun;
}

/// Where no chosen cell is drawn.
QString BranchSelection::whyNoneIsSearched() const
{
  if (chosenCells.empty())
    return tr("No cell is chosen to select in");
  return chosenCells.size() == 1
             ? tr("The chosen cell is hidden, and nothing is selected in it")
             : tr("The %1 chosen cells are hidden, and nothing is selected in them").arg(number(chosenCells.size()));
}

QString BranchSelection::figures() const
{
  if (!hasRows() || chosen.selected.isEmpty())
    return {};
  const BranchSet set = setOf(chosen.selected);
  const std::vector<bool> counted = countedCells();
  QStringList lines{tr("branches and roots: %1 of %2").arg(number(set.count()), number(rowsOf(counted).count()))};
  if (branches.cells() > 1)
    lines << tr("cells: %1").arg(inWords(counted, {}));
  if (const double length = hasTable() ? totalLength(*table(), set) : 0; length > 0)
    lines << tr("length: %1").arg(lengthText(length));
  return lines.join(QLatin1Char('\n'));
}

QString BranchSelection::summary() const
{
  if (!hasRows())
    return {};
  const BranchSet set = setOf(chosen.selected);
  const std::vector<bool> counted = countedCells();
  const bool isOfChosen = inChosen && !where.empty();
  QString text = tr("%1 of %2 branches and roots").arg(number(set.count()), number(rowsOf(counted).count()));
  const auto cells = std::ranges::count(counted, true);
  if (isOfChosen && cells == 0)
    text = whyNoneIsSearched();
  else if (isOfChosen || cells == 0 || branches.cells() > 1)
    text += tr(" in %1").arg(inWords(counted, cells == 1 ? tr(" cell") : tr(" cells")));
  if (!set.isEmpty() && hasTable())
    text += QStringLiteral(", ") + lengthText(totalLength(*table(), set));
  if (!chosen.hidden.isEmpty())
    text += tr("; %1 hidden").arg(number(chosen.hidden.size()));
  return text;
}

// ---- kept sets ----

void BranchSelection::setSets(std::vector<selection::NamedSelection> sets)
{
  named = std::move(sets);
  emit setsChanged();
}

void BranchSelection::saveAs(const QString& name)
{
  if (!hasRows() || chosen.selected.isEmpty() || name.isEmpty())
    return;
  const std::string ofCells = inChosen ? withinCells(branches, where, chosenCells) : where;
  keep({name.toStdString(), where.empty() ? expressionOf(branches, setOf(chosen.selected)) : ofCells});
}

void BranchSelection::saveCellsAs(const QString& name)
{
  if (hasChosenFiles() && !name.isEmpty())
    keep({name.toStdString(), {}, *chosenFiles});
}

void BranchSelection::keep(selection::NamedSelection set)
{
  const auto same = std::ranges::find(named, set.name, &selection::NamedSelection::name);
  if (same == named.end())
    named.push_back(std::move(set));
  else
    *same = std::move(set);
  emit setsChanged();
}

void BranchSelection::renameConnection(const std::string& before, const std::string& now)
{
  bool isNamed = false;
  for (selection::NamedSelection& set : named)
    if (set.of == selection::SetKind::Synapses && set.connection == before) {
      set.connection = now;
      isNamed = true;
    }
  if (isNamed)
    emit setsChanged();
}

void BranchSelection::renamePopulation(const std::string& before, const std::string& now)
{
  bool isNamed = false;
  for (selection::NamedSelection& set : named)
    if (set.of != selection::SetKind::Branches)
      isNamed = app::renamePopulation(set.expression, before, now) || isNamed;
  if (isNamed)
    emit setsChanged();
}

void BranchSelection::replaceFile(const std::string& before, const std::string& now)
{
  bool isNamed = false;
  for (selection::NamedSelection& set : named)
    for (std::string& file : set.cells)
      if (file == before) {
        file = now;
        isNamed = true;
      }
  if (isNamed)
    emit setsChanged();
}

void BranchSelection::selectSet(std::size_t set)
{
  const selection::NamedSelection chosenSet = named[set];
  if (!chosenSet.cells.empty())
    emit cellsWanted(chosenSet.cells);
  else if (chosenSet.of != selection::SetKind::Branches)
    emit circuitSetWanted(chosenSet);
  else if (hasBranches())
    selectSetOf(evaluate(chosenSet.expression), chosenSet.expression);
}

void BranchSelection::removeSet(std::size_t set)
{
  named.erase(named.begin() + static_cast<std::ptrdiff_t>(set));
  emit setsChanged();
}

bool BranchSelection::renameSet(std::size_t set, const QString& name)
{
  const std::string wanted = name.trimmed().toStdString();
  if (set >= named.size() || wanted.empty())
    return false;
  const auto same = std::ranges::find(named, wanted, &selection::NamedSelection::name);
  if (same != named.end())
    return static_cast<std::size_t>(same - named.begin()) == set;
  named[set].name = wanted;
  emit setsChanged();
  return true;
}

// ---- ids and rows ----

BranchSet BranchSelection::setOf(const BranchIds& ids) const
{
  BranchSet set(hasRows() ? branches.rows() : 0);
  for (const BranchId id : ids)
    if (const auto row = branches.rowOf(id); row && *row < set.rows())
      set.add(*row);
  return set;
}

BranchIds BranchSelection::idsOf(const BranchSet& set) const
{
  std::vector<BranchId> ids;
  for (const std::size_t row : set.members())
    ids.push_back(branches.idOf(row));
  return BranchIds(std::move(ids));
}

} // namespace hinesight::app
