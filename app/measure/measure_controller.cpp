#include "app/measure/measure_controller.hpp"

#include "app/cells/cell_filter.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_views.hpp"
#include "app/cells/data_panel.hpp"
#include "app/document/command_texts.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/measure/measured_path.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/pages.hpp"
#include "app/selection/branch_selection.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/morphometry.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace hinesight::app {

using widgets::BranchId;
using widgets::BranchIds;
using widgets::PickMode;
using widgets::SamplePoint;

MeasureController::MeasureController(Jobs* ofWindow, const Parts& ofParts, QObject* parent)
    : QObject(parent), jobs(ofWindow), parts(ofParts)
{
  connect(parts.page, &MeasurePage::asked, this, &MeasureController::measure);
  connect(parts.page, &MeasurePage::exportRequested, this, &MeasureController::askWhereToExport);
  connect(parts.page, &MeasurePage::branchPicked, this,
          [this](std::size_t cell, std::int32_t branch) { parts.selection->select(branchInViews(cell, branch)); });
  connect(parts.page, &MeasurePage::branchesPicked, this, &MeasureController::pickBranches);
  connect(parts.selection, &BranchSelection::changed, this, &MeasureController::takeSelection);
  connect(parts.views, &CellViews::pointsPicked, this, &MeasureController::measureBetween);
}

// ---- which cells ----

void MeasureController::choose(int row)
{
  const std::uint64_t key = row < 0 ? 0 : parts.cells->cells()[static_cast<std::size_t>(row)].key;
  if (key == 0 || std::exchange(chosen, key) == key)
    return;
  refreshOthers();
  measure();
}

void MeasureController::takeCells()
{
  measurePathsAgain();
  refreshOthers();
  std::vector<std::shared_ptr<const morphology::Morphology>> wanted;
  for (const int row : measuredRows())
    wanted.push_back(parts.cells->cells()[static_cast<std::size_t>(row)].morphology);
  if (wanted.empty() || wanted != measured)
    measure();
}

void MeasureController::pageShown()
{
  if (isStale)
    measure();
}

/// The chosen one, else the first; of those that could be read. -1: none.
int MeasureController::chosenRow() const
{
  const std::vector<OpenCell>& all = parts.cells->cells();
  if (const int row = parts.cells->rowOfKey(chosen); row >= 0 && all[static_cast<std::size_t>(row)].morphology)
    return row;
  const auto first = std::ranges::find_if(all, [](const OpenCell& cell) { return cell.morphology != nullptr; });
  return first == all.end() ? -1 : static_cast<int>(first - all.begin());
}

std::vector<int> MeasureController::otherRows() const
{
  std::vector<int> rows;
  const std::vector<OpenCell>& all = parts.cells->cells();
  const int ofChosen = chosenRow();
  for (std::size_t row = 0; row < all.size(); ++row)
    if (all[row].morphology && static_cast<int>(row) != ofChosen)
      rows.push_back(static_cast<int>(row));
  return rows;
}

/// The chosen cell, and the one beside it.
std::vector<int> MeasureController::measuredRows() const
{
  const int row = chosenRow();
  if (row < 0)
    return {};
  const int beside = parts.cells->rowOfKey(parts.page->beside());
  if (beside < 0 || beside == row || !parts.cells->cells()[static_cast<std::size_t>(beside)].morphology)
    return {row};
  return {row, beside};
}

void MeasureController::refreshOthers()
{
  std::vector<MeasurePage::Other> others;
  for (const int row : otherRows()) {
    const OpenCell& cell = parts.cells->cells()[static_cast<std::size_t>(row)];
    others.push_back({cell.key, cell.name});
  }
  std::ranges::stable_sort(others, [order = orderOfNames()](const MeasurePage::Other& a, const MeasurePage::Other& b) {
    return order.compare(a.name, b.name) < 0;
  });
  parts.page->setOthers(others);
}

// ---- measuring ----

void MeasureController::measure()
{
  isStale = !parts.page->isVisible();
  if (isStale)
    return;
  std::vector<OpenCell> cells;
  for (const int row : measuredRows())
    cells.push_back(parts.cells->cells()[static_cast<std::size_t>(row)]);
  if (cells.empty()) {
    measured.clear();
    jobs->cancel(kMeasures);
    return parts.page->setCells({});
  }
  using Outcome = std::shared_ptr<const MeasuredCells>;
  const auto work = [cells, step = parts.page->shollStep()](const JobContext& context) -> Outcome {
    MeasuredCells outcome;
    for (const OpenCell& cell : cells)
      outcome.push_back({cell.name, study::measureCell(cell.source.path, *cell.morphology, step, context.control())});
    return std::make_shared<const MeasuredCells>(std::move(outcome));
  };
  JobEnds ends;
  ends.failed = [this](const Error& error) {
    measured.clear();
    parts.page->setCells({}, QString::fromUtf8(error.what()));
  };
  jobs->submit(
      kMeasures, work,
      [this, cells](const Outcome& outcome) {
        measured.clear();
        for (const OpenCell& cell : cells)
          measured.push_back(cell.morphology);
        parts.page->setCells(outcome);
        takeSelection();
      },
      std::move(ends));
}

std::string MeasureController::command() const
{
  if (chosenRow() < 0)
    throw Error(ErrorCode::BadParameter, "No cell is open that could be measured.");
  const std::vector<CellChoice> choices = parts.cells->choices();
  std::vector<CellChoice> cells;
  for (const int row : measuredRows())
    cells.push_back(choices[static_cast<std::size_t>(row)]);
  return measureCommand(cells, parts.page->shollStep());
}

// ---- selected branches ----

/// Of a measured cell in what the views show; -1: it is not there.
std::int32_t MeasureController::placeInScene(std::size_t cell) const
{
  const auto scene = parts.scene();
  if (!scene || cell >= measured.size())
    return -1;
  const auto found = std::ranges::find_if(scene->cells, [&](const widgets::SceneCell& each) {
    return each.discretization && each.discretization->morphology == measured[cell];
  });
  return found == scene->cells.end() ? -1 : static_cast<std::int32_t>(found - scene->cells.begin());
}

/// Null where the views do not show it.
BranchId MeasureController::branchInViews(std::size_t cell, std::int32_t branch) const
{
  const std::int32_t place = placeInScene(cell);
  if (branch < 0 || place < 0)
    return {};
  return {place, parts.page->cells()[cell].measures.places[static_cast<std::size_t>(branch)].number - 1};
}

/// Without those of cells that the views do not show.
BranchIds MeasureController::branchesInViews(const BranchesOfCells& branches) const
{
  std::vector<BranchId> ids;
  for (std::size_t cell = 0; cell < branches.size(); ++cell) {
    const std::int32_t place = placeInScene(cell);
    if (place < 0)
      continue;
    const std::vector<study::BranchPlace>& places = parts.page->cells()[cell].measures.places;
    for (const std::int32_t branch : branches[cell])
      ids.push_back({place, places[static_cast<std::size_t>(branch)].number - 1});
  }
  return BranchIds(std::move(ids));
}

void MeasureController::pickBranches(const BranchesOfCells& branches, PickMode how)
{
  const BranchIds picked = branchesInViews(branches);
  const bool areAny = std::ranges::any_of(branches, [](const auto& ofCell) { return !ofCell.empty(); });
  if (picked.isEmpty() && areAny) {
    emit told(tr("The views do not have this cell: nothing of it can be selected."));
    return;
  }
  if (picked.isEmpty() && how != PickMode::Replace)
    return;
  const BranchIds& now = parts.selection->choice().selected;
  std::vector<BranchId> wanted;
  if (how == PickMode::Replace)
    wanted.assign(picked.begin(), picked.end());
  else if (how == PickMode::Toggle && std::ranges::includes(now, picked))
    std::ranges::set_difference(now, picked, std::back_inserter(wanted));
  else
    std::ranges::set_union(now, picked, std::back_inserter(wanted));
  parts.selection->pick(wanted, PickMode::Replace);
}

void MeasureController::takeSelection()
{
  const BranchIds& selected = parts.selection->choice().selected;
  BranchesOfCells ofCells(measured.size());
  for (std::size_t cell = 0; !selected.isEmpty() && cell < measured.size(); ++cell) {
    const std::int32_t place = placeInScene(cell);
    const std::vector<study::BranchPlace>& places = parts.page->cells()[cell].measures.places;
    for (std::size_t branch = 0; place >= 0 && branch < places.size(); ++branch)
      if (selected.has({place, places[branch].number - 1}))
        ofCells[cell].push_back(static_cast<std::int32_t>(branch));
  }
  parts.page->selectBranches(ofCells);
}

// ---- paths ----

void MeasureController::measureBetween(SamplePoint from, SamplePoint to)
{
  const auto scene = parts.scene();
  const auto endAt = [&](SamplePoint point) {
    const widgets::SceneCell& cell = scene->cells[static_cast<std::size_t>(point.cell)];
    return PathEnd{QString::fromStdString(cell.name), cell.discretization->morphology.get(), point.sample};
  };
  const PathEnd first = endAt(from);
  const PathEnd last = endAt(to);
  const auto way = wayBetween(first, last);
  const MeasuredPath path = measurePath(first, last, way);
  std::vector<SamplePoint> along{from, to};
  if (way) {
    along.clear();
    for (const std::int32_t sample : way->samples)
      along.push_back({from.cell, sample});
  }
  parts.views->showPath(along, inWords(path));
  parts.page->addPath(path);
  emit told(tr("From sample %1 to %2: %3.").arg(path.from.id).arg(path.to.id).arg(inWords(path)));
}

/// Names of the cells that have another unit, place or file than when this was asked before.
std::set<QString> MeasureController::takeChangedCells()
{
  std::set<QString> changed;
  std::map<std::uint64_t, std::weak_ptr<const morphology::Morphology>> now;
  for (const OpenCell& cell : parts.cells->cells()) {
    const auto before = readings.find(cell.key);
    const bool isKnown = before != readings.end();
    if (cell.morphology && !cell.own) {
      if (isKnown && before->second.lock() != cell.morphology)
        changed.insert(cell.name);
      now.emplace(cell.key, cell.morphology);
    } else if (isKnown) { // it is being read, or something else is shown in its place
      now.insert(*before);
    }
  }
  readings = std::move(now);
  return changed;
}

/// In the cells that have changed since. Those whose samples are gone are taken out.
void MeasureController::measurePathsAgain()
{
  const std::set<QString> changed = takeChangedCells();
  const auto isOfChanged = [&](const MeasuredPath& path) {
    return changed.contains(path.from.cell) || changed.contains(path.to.cell);
  };
  const std::vector<MeasuredPath>& before = parts.page->paths();
  if (std::ranges::none_of(before, isOfChanged))
    return;
  const auto isUnread = [this](const MeasuredPath::End& end) {
    const OpenCell* const cell = findCell(end.cell);
    return cell && !cell->morphology;
  };
  std::vector<MeasuredPath> paths;
  for (const MeasuredPath& path : before) {
    if (!isOfChanged(path) || isUnread(path.from) || isUnread(path.to)) {
      paths.push_back(path);
      continue;
    }
    const std::optional<PathEnd> from = findEnd(path.from);
    const std::optional<PathEnd> to = findEnd(path.to);
    if (from && to)
      paths.push_back(measurePath(*from, *to, wayBetween(*from, *to)));
  }
  if (paths.size() < before.size())
    emit told(tr("The table Paths has lost those whose samples are gone."));
  parts.page->setPaths(std::move(paths));
  emit parts.page->questionsChanged();
}

/// As it is without what is shown in its place for now; null: there is none of that name.
const OpenCell* MeasureController::findCell(const QString& name) const
{
  const auto cell = std::ranges::find(parts.cells->cells(), name, &OpenCell::name);
  if (cell == parts.cells->cells().end())
    return nullptr;
  return cell->own ? cell->own.get() : &*cell;
}

/// Of a cell that was read; nullopt: it is not there any more.
std::optional<PathEnd> MeasureController::findEnd(const MeasuredPath::End& end) const
{
  const OpenCell* const cell = findCell(end.cell);
  if (!cell)
    return std::nullopt;
  const auto sample = std::ranges::find(cell->morphology->id, end.id);
  if (sample == cell->morphology->id.end())
    return std::nullopt;
  return PathEnd{end.cell, cell->morphology.get(), static_cast<std::int32_t>(sample - cell->morphology->id.begin())};
}

// ---- files ----

void MeasureController::askWhereToExport()
{
  using Write = std::function<void(std::ostream&)>;
  struct Table
  {
    QString filter;
    QString ofPage; ///< the table of the page that shows it; empty: none does
    QString cell;   ///< of the file's name; empty: those of several cells
    QString suffix; ///< the same
    Write write;
  };
  const auto cells = std::make_shared<std::vector<study::CellMeasures>>();
  for (const MeasuredCell& cell : parts.page->cells())
    cells->push_back(cell.measures);
  std::vector<Table> tables;
  const QString name = cells->empty() ? QString() : parts.page->cells().front().name;
  if (!cells->empty())
    tables = {{tr("Branches, CSV (*.csv)"), QStringLiteral("measureBranches"), name, QStringLiteral("branches"),
               [cells](std::ostream& to) { study::writeBranchTable(*cells, to); }},
              {tr("Types, CSV (*.csv)"), QStringLiteral("measureTypes"), name, QStringLiteral("types"),
               [cells](std::ostream& to) { study::writeTypeTable(*cells, to); }},
              {tr("Sholl, CSV (*.csv)"), QStringLiteral("measureSholl"), name, QStringLiteral("sholl"),
               [cells](std::ostream& to) { study::writeShollTable(*cells, to); }},
              {tr("Histogram, CSV (*.csv)"), QStringLiteral("measureClasses"), name, QStringLiteral("histogram"),
               [cells, quantity = parts.page->quantity()](std::ostream& to) {
                 study::writeHistogram(*cells, quantity, to);
               }}};
  if (const std::vector<MeasuredPath>& paths = parts.page->paths(); !paths.empty())
    tables.push_back({tr("Paths, CSV (*.csv)"), QStringLiteral("measurePaths"), cellOf(paths), QStringLiteral("paths"),
                      [paths](std::ostream& to) { writePaths(paths, to); }});
  FileQuestion question{
      QStringLiteral("exportMeasuresDialog"), tr("Export measures"), QStringLiteral("exportFolder"), {}, {}};
  for (const Table& table : tables) {
    const QString cell = table.cell.isEmpty() ? QStringLiteral("cells") : table.cell;
    question.filters << table.filter;
    question.stems << QStringLiteral("%1-%2").arg(QString(cell).replace(u'/', u'_'), table.suffix);
  }
  const auto seen = std::ranges::find(tables, parts.page->tableInFront(), &Table::ofPage);
  const auto proposed = seen == tables.end() ? 0 : seen - tables.begin();
  question.filter = question.filters[proposed];
  question.proposal = question.stems[proposed] + QStringLiteral(".csv");
  askWhereToSaveAs(parts.page, question, [this, tables](const QString& path, const QString& filter) {
    const auto table = std::ranges::find(tables, filter, &Table::filter);
    if (table == tables.end())
      return;
    jobs->submit(
        {kMeasureExport, path},
        [file = path.toStdString(), write = table->write](const JobContext&) { writeFileAtomically(file, write); },
        [this, path] { emit saved(path); }, {{}, [this] { emit told(tr("Cancelled; no file was written.")); }});
  });
}

// ---- as a page ----

namespace {

Tab makeTab(PageHost& host)
{
  auto* page = new MeasurePage(host.parts.area);
  auto* controller = new MeasureController(host.parts.jobs,
                                           {.page = page,
                                            .cells = host.parts.cells,
                                            .selection = host.find<BranchSelection>(),
                                            .views = host.find<CellViews>(),
                                            .scene = host.parts.scene},
                                           &host);
  host.listenTo(controller);
  QObject::connect(host.find<DataPanel>(), &DataPanel::cellChosen, controller, &MeasureController::choose);
  QObject::connect(&host, &PageHost::cellsChanged, controller, &MeasureController::takeCells);
  Tab tab;
  tab.page = page;
  tab.seen = [controller] { controller->pageShown(); };
  tab.command = [controller] { return controller->command(); };
  return tab;
}

} // namespace

PageDefinition measurePage()
{
  return {"measure",
          QT_TRANSLATE_NOOP("Pages", "Measure"),
          QT_TRANSLATE_NOOP("Pages", "How long, how thick, how branched: Sholl, dendrogram, histograms?"),
          QT_TRANSLATE_NOOP("Pages", "click a line of the dendrogram, a class, a radius or a row of a table to select "
                                     "its branches in all views, drag over several; a click on a column sorts by it"),
          "The measure page",
          makeTab,
          {Panel::Data}};
}

} // namespace hinesight::app
