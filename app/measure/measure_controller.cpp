#include "app/measure/measure_controller.hpp"

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
#include "morphology/branches.hpp"
#include "morphology/morphometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hinesight::app {

using widgets::BranchId;
using widgets::SamplePoint;

MeasureController::MeasureController(Jobs* ofWindow, const Parts& ofParts, QObject* parent)
    : QObject(parent), jobs(ofWindow), parts(ofParts)
{
  connect(parts.page, &MeasurePage::asked, this, &MeasureController::measure);
  connect(parts.page, &MeasurePage::exportRequested, this, &MeasureController::askWhereToExport);
  connect(parts.page, &MeasurePage::branchPicked, this,
          [this](std::int32_t branch) { parts.selection->select(branchInViews(branch)); });
  connect(parts.selection, &BranchSelection::changed, this, &MeasureController::takeSelection);
  connect(parts.views, &CellViews::pointsPicked, this, &MeasureController::measureBetween);
}

// ---- which cells ----

void MeasureController::choose(int row)
{
  const std::uint64_t source = row < 0 ? 0 : parts.cells->cells()[static_cast<std::size_t>(row)].source.id;
  if (source == 0 || std::exchange(chosen, source) == source)
    return;
  refreshOthers();
  measure();
}

void MeasureController::takeCells()
{
  refreshOthers();
  const int row = chosenRow();
  const bool isSame = row >= 0 && parts.cells->cells()[static_cast<std::size_t>(row)].morphology == measured.morphology;
  if (!isSame)
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
  if (const int row = parts.cells->rowOf(chosen); row >= 0 && all[static_cast<std::size_t>(row)].morphology)
    return row;
  const auto first = std::ranges::find_if(all, [](const OpenCell& cell) { return cell.morphology != nullptr; });
  return first == all.end() ? -1 : static_cast<int>(first - all.begin());
}

std::vector<int> MeasureController::otherRows() const
{
  std::vector<int> rows;
  const std::vector<OpenCell>& all = parts.cells->cells();
  for (std::size_t row = 0; row < all.size(); ++row)
    if (all[row].morphology && static_cast<int>(row) != chosenRow())
      rows.push_back(static_cast<int>(row));
  return rows;
}

/// The chosen cell, and the one beside it.
std::vector<int> MeasureController::measuredRows() const
{
  const int row = chosenRow();
  if (row < 0)
    return {};
  const std::vector<int> others = otherRows();
  const int beside = parts.page->beside();
  if (beside < 0 || static_cast<std::size_t>(beside) >= others.size())
    return {row};
  return {row, others[static_cast<std::size_t>(beside)]};
}

void MeasureController::refreshOthers()
{
  std::vector<QString> names;
  for (const int row : otherRows())
    names.push_back(parts.cells->cells()[static_cast<std::size_t>(row)].name);
  parts.page->setOthers(names);
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
    measured = {};
    jobs->cancel(kMeasures);
    return parts.page->setCells({});
  }
  struct Outcome
  {
    std::vector<MeasurePage::Cell> cells;
    Measured measured;
  };
  const auto work = [cells, step = parts.page->shollStep()](const JobContext& context) {
    Outcome outcome;
    for (const OpenCell& cell : cells)
      outcome.cells.push_back(
          {cell.name, study::measureCell(cell.source.path, *cell.morphology, step, context.control())});
    const morphology::BranchTree tree = morphology::findBranches(*cells.front().morphology);
    outcome.measured = {cells.front().source.id, cells.front().morphology, {}};
    for (std::size_t branch = 0; branch < tree.branches(); ++branch)
      outcome.measured.lastSample.push_back(tree.sample[static_cast<std::size_t>(tree.sampleBegin[branch + 1] - 1)]);
    return outcome;
  };
  JobEnds ends;
  ends.failed = [this](const Error& error) {
    measured = {};
    parts.page->setCells({}, QString::fromUtf8(error.what()));
  };
  jobs->submit(
      kMeasures, work,
      [this](const Outcome& outcome) {
        measured = outcome.measured;
        parts.page->setCells(outcome.cells);
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

// ---- the selected branch ----

/// Of the measured cell in what the views show; -1: it is not there.
std::int32_t MeasureController::placeInScene() const
{
  const auto scene = parts.scene();
  if (!scene || !measured.morphology)
    return -1;
  const auto found = std::ranges::find_if(scene->cells, [this](const widgets::SceneCell& cell) {
    return cell.discretization && cell.discretization->morphology == measured.morphology;
  });
  return found == scene->cells.end() ? -1 : static_cast<std::int32_t>(found - scene->cells.begin());
}

/// Null where the views do not show it.
BranchId MeasureController::branchInViews(std::int32_t branch) const
{
  const std::int32_t place = placeInScene();
  const auto scene = parts.scene();
  if (branch < 0 || place < 0 || static_cast<std::size_t>(place) >= scene->branchOfCompartment.size())
    return {};
  const auto cell = static_cast<std::size_t>(place);
  const auto sample = static_cast<std::size_t>(measured.lastSample[static_cast<std::size_t>(branch)]);
  const auto compartment = static_cast<std::size_t>(scene->cells[cell].discretization->ofSample[sample]);
  const std::vector<std::int32_t>& branchOf = scene->branchOfCompartment[cell];
  return compartment < branchOf.size() ? BranchId{place, branchOf[compartment]} : BranchId();
}

void MeasureController::takeSelection()
{
  const BranchId current = parts.selection->choice().current;
  std::int32_t branch = -1;
  if (!current.isNull() && current.cell == placeInScene())
    for (std::size_t k = 0; branch < 0 && k < measured.lastSample.size(); ++k)
      if (branchInViews(static_cast<std::int32_t>(k)) == current)
        branch = static_cast<std::int32_t>(k);
  parts.page->selectBranch(branch);
}

// ---- paths ----

void MeasureController::measureBetween(SamplePoint from, SamplePoint to)
{
  const auto scene = parts.scene();
  const auto morphologyOf = [&](SamplePoint point) -> const morphology::Morphology& {
    return *scene->cells[static_cast<std::size_t>(point.cell)].discretization->morphology;
  };
  const auto endOf = [&](SamplePoint point) {
    return MeasuredPath::End{QString::fromStdString(scene->cells[static_cast<std::size_t>(point.cell)].name),
                             morphologyOf(point).id[static_cast<std::size_t>(point.sample)]};
  };
  const auto placeOf = [&](SamplePoint point) {
    const morphology::Morphology& m = morphologyOf(point);
    const auto k = static_cast<std::size_t>(point.sample);
    return std::array<double, 3>{m.x[k], m.y[k], m.z[k]};
  };
  const auto a = placeOf(from);
  const auto b = placeOf(to);
  MeasuredPath path{endOf(from), endOf(to), {}, std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2])};
  std::vector<SamplePoint> along{from, to};
  if (from.cell == to.cell)
    if (const auto between = morphology::pathBetween(morphologyOf(from), from.sample, to.sample)) {
      path.length = between->length;
      along.clear();
      for (const std::int32_t sample : between->samples)
        along.push_back({from.cell, sample});
    }
  parts.views->showPath(along, inWords(path));
  parts.page->addPath(path);
  emit told(tr("From sample %1 to %2: %3.").arg(path.from.id).arg(path.to.id).arg(inWords(path)));
}

// ---- files ----

void MeasureController::askWhereToExport()
{
  using Write = std::function<void(std::ostream&)>;
  struct Table
  {
    QString filter;
    QString ofPage; ///< the table of the page that shows it; empty: none does
    QString suffix; ///< of the file's name
    Write write;
  };
  std::vector<study::CellMeasures> cells;
  for (const MeasurePage::Cell& cell : parts.page->cells())
    cells.push_back(cell.measures);
  std::vector<Table> tables;
  if (!cells.empty())
    tables = {
        {tr("Branches, CSV (*.csv)"), QStringLiteral("measureBranches"), QStringLiteral("branches"),
         [cells](std::ostream& to) { study::writeBranchTable(cells, to); }},
        {tr("Totals by type, CSV (*.csv)"), QStringLiteral("measureTypes"), QStringLiteral("types"),
         [cells](std::ostream& to) { study::writeTypeTable(cells, to); }},
        {tr("Spheres of Sholl, CSV (*.csv)"), QStringLiteral("measureSpheres"), QStringLiteral("sholl"),
         [cells](std::ostream& to) { study::writeShollTable(cells, to); }},
        {tr("Histogram, CSV (*.csv)"),
         {},
         QStringLiteral("histogram"),
         [cells, quantity = parts.page->quantity()](std::ostream& to) { study::writeHistogram(cells, quantity, to); }}};
  if (!parts.page->paths().empty())
    tables.push_back({tr("Measured paths, CSV (*.csv)"), QStringLiteral("measurePaths"), QStringLiteral("paths"),
                      [paths = parts.page->paths()](std::ostream& to) { writePaths(paths, to); }});
  FileQuestion question{
      QStringLiteral("exportMeasuresDialog"), tr("Export measures"), QStringLiteral("exportFolder"), {}, {}};
  for (const Table& table : tables)
    question.filters << table.filter;
  const auto seen = std::ranges::find(tables, parts.page->tableInFront(), &Table::ofPage);
  const Table& proposed = seen == tables.end() ? tables.front() : *seen;
  question.filter = proposed.filter;
  const QString name = cells.empty() ? QStringLiteral("cells") : parts.page->cells().front().name;
  question.proposal = QStringLiteral("%1-%2.csv").arg(QString(name).replace(u'/', u'_'), proposed.suffix);
  askWhereToSaveAs(parts.page, question, [this, tables](const QString& path, const QString& filter) {
    const auto table = std::ranges::find(tables, filter, &Table::filter);
    if (table == tables.end())
      return;
    jobs->submit(
        kMeasureExport,
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
          QT_TRANSLATE_NOOP("Pages", "How long, how thick, how branched?"),
          QT_TRANSLATE_NOOP("Pages", "click a line of the dendrogram or a row of a table to select its branch in all "
                                     "views; a click on a column sorts by it"),
          "The measure page",
          makeTab,
          {Panel::Data}};
}

} // namespace hinesight::app
