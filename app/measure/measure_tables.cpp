#include "app/measure/measure_tables.hpp"

#include "app/measure/measure_table_view.hpp"
#include "app/shell/bars/page_header.hpp"
#include "morphology/morphology.hpp"
#include "widgets/theme.hpp"

#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace hinesight::app {

namespace {

using morphology::BranchMeasures;
using morphology::TypeMeasures;
using study::CellMeasures;

/// What a row of a table that lists those of one cell after another stands for.
struct RowOf
{
  std::size_t cell;
  std::size_t place;
};

template <typename List>
std::size_t rowsOf(const MeasuredCells& cells, List CellMeasures::*list)
{
  std::size_t rows = 0;
  for (const MeasuredCell& cell : cells)
    rows += (cell.measures.*list).size();
  return rows;
}

template <typename List>
RowOf rowOf(const MeasuredCells& cells, List CellMeasures::*list, std::size_t row)
{
  RowOf found{0, row};
  for (const MeasuredCell& cell : cells) {
    const std::size_t count = (cell.measures.*list).size();
    if (found.place < count)
      break;
    found.place -= count;
    ++found.cell;
  }
  return found;
}

/// What a row stands for.
template <typename Item>
const Item& itemOf(const MeasuredCells& cells, std::vector<Item> CellMeasures::*list, std::size_t row)
{
  const RowOf at = rowOf(cells, list, row);
  return (cells[at.cell].measures.*list)[at.place];
}

QVariant numberOrNone(double value)
{
  return std::isnan(value) ? QVariant() : QVariant(value);
}

QString nameOfType(std::int32_t type)
{
  return QString::fromStdString(morphology::typeName(type));
}

template <typename Numbers>
double numberAt(const Numbers& numbers, std::size_t place)
{
  return place < numbers.size() ? static_cast<double>(numbers[place]) : 0;
}

/// Whether all that is counted in a row, of all cells, is selected, and there is any. `ofCell`: what is counted.
template <typename OfCell>
std::vector<bool> wholeRows(std::size_t rows, const MeasureTables::Counts& chosen, OfCell ofCell)
{
  std::vector<bool> wholes(rows, false);
  if (std::ranges::all_of(chosen, [](const auto& counts) { return counts.empty(); }))
    return wholes;
  for (std::size_t row = 0; row < rows; ++row) {
    double missing = 0;
    double there = 0;
    for (std::size_t cell = 0; cell < chosen.size(); ++cell) {
      missing += numberAt(ofCell(cell), row) - numberAt(chosen[cell], row);
      there += numberAt(chosen[cell], row);
    }
    wholes[row] = missing == 0 && there > 0;
  }
  return wholes;
}

} // namespace

MeasureTables::MeasureTables(QWidget* parent) : QTabWidget(parent)
{
  setObjectName(QStringLiteral("measureTables"));
  setDocumentMode(true);
  const QString keys =
      QLatin1Char('\n') + tr("Click a row to select its branches in all views.\n"
                             "Ctrl+click takes them in or out, Shift+click selects all rows up to it.");
  types =
      addTable("measureTypes", tr("Types"), tr("What all branches of a type come to") + keys, &MeasureTables::ofTypes);
  branches = addTable("measureBranches", tr("Branches"), tr("A line a branch") + keys, &MeasureTables::ofBranches);
  spheres = addTable("measureSholl", tr("Sholl"),
                     tr("Sholl analysis: intersections of the segments with each sphere around the soma") + keys,
                     &MeasureTables::throughSpheres);
  classes = addTable("measureClasses", tr("Histogram"),
                     tr("How many branches are in each class of what the histogram counts them by") + keys,
                     &MeasureTables::inClasses);
  pathTable = addTable("measurePaths", tr("Paths"),
                       tr("The ways between points that were picked in the Morphology view, with its ruler"));
  pathTable->setSelectionMode(QAbstractItemView::NoSelection);
  pathTable->setHint("pathHint", howToMeasure());
  exportButton = makeHeaderButton("exportMeasures", tr("Export…"), {});
  connect(exportButton, &QPushButton::clicked, this, &MeasureTables::exportRequested);
  connect(this, &QTabWidget::currentChanged, this, &MeasureTables::refreshExport);
  setCornerWidget(exportButton);
  refreshPaths();
}

MeasureTableView* MeasureTables::addTable(const char* name, const QString& title, const QString& help)
{
  auto* table = new MeasureTableView(name, title, help);
  addTab(table, title);
  setTabToolTip(count() - 1, help);
  return table;
}

MeasureTableView* MeasureTables::addTable(const char* name, const QString& title, const QString& help,
                                          BranchesOfRows branchesOf)
{
  MeasureTableView* table = addTable(name, title, help);
  connect(table, &MeasureTableView::rowsPicked, this,
          [this, branchesOf](const std::vector<std::size_t>& rows, widgets::PickMode how) {
            emit branchesPicked(together(rows, branchesOf), how);
          });
  return table;
}

/// Where no path is listed.
QString MeasureTables::howToMeasure()
{
  return tr("Pick two points with the ruler: turn it on in the header of the Morphology view (M), then click the two "
            "points. The path between them is listed here.");
}

/// Says which table is proposed, or why none can be written.
void MeasureTables::refreshExport()
{
  const bool isOfPaths = currentWidget() == pathTable;
  const bool isThere = isOfPaths ? !measuredPaths.empty() : !shown->empty();
  exportButton->setToolTip(
      isThere     ? tr("Write the table %1 as CSV; the dialog offers the other tables too").arg(tabText(currentIndex()))
      : isOfPaths ? tr("There is no path to write. %1").arg(howToMeasure())
                  : tr("There is no cell whose table could be written."));
  exportButton->setEnabled(isThere); // after the tooltip, which its action in the menu takes then
}

// ---- branches of rows ----

BranchesOfCells MeasureTables::ofTypes(std::size_t begin, std::size_t end) const
{
  BranchesOfCells found(shown->size());
  for (std::size_t row = begin; row < end; ++row) {
    const RowOf at = rowOf(*shown, &CellMeasures::types, row);
    const CellMeasures& measures = (*shown)[at.cell].measures;
    for (const BranchMeasures& branch : measures.branches)
      if (branch.type == measures.types[at.place].type)
        found[at.cell].push_back(branch.branch);
  }
  return found;
}

BranchesOfCells MeasureTables::ofBranches(std::size_t begin, std::size_t end) const
{
  BranchesOfCells found(shown->size());
  for (std::size_t row = begin; row < end; ++row) {
    const RowOf at = rowOf(*shown, &CellMeasures::branches, row);
    found[at.cell].push_back(static_cast<std::int32_t>(at.place));
  }
  return found;
}

BranchesOfCells MeasureTables::throughSpheres(std::size_t begin, std::size_t end) const
{
  BranchesOfCells found;
  for (const MeasuredCell& cell : *shown)
    found.push_back(study::branchesThroughSpheres(cell.measures, begin, end));
  return found;
}

BranchesOfCells MeasureTables::inClasses(std::size_t begin, std::size_t end) const
{
  BranchesOfCells found;
  for (const MeasuredCell& cell : *shown)
    found.push_back(study::branchesInClasses(cell.measures, counted, begin, end));
  return found;
}

/// Rows side by side at once.
BranchesOfCells MeasureTables::together(const std::vector<std::size_t>& rows, BranchesOfRows branchesOf) const
{
  BranchesOfCells all(shown->size());
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    for (end = first + 1; end < rows.size() && rows[end] == rows[end - 1] + 1;)
      ++end;
    const BranchesOfCells found = (this->*branchesOf)(rows[first], rows[end - 1] + 1);
    for (std::size_t cell = 0; cell < found.size(); ++cell)
      all[cell].insert(all[cell].end(), found[cell].begin(), found[cell].end());
  }
  for (std::vector<std::int32_t>& ofCell : all) {
    std::ranges::sort(ofCell);
    const auto repeated = std::ranges::unique(ofCell);
    ofCell.erase(repeated.begin(), repeated.end());
  }
  return all;
}

/// What a row is, and what a click on it selects; lengths as Measure has them.
QString MeasureTables::describe(const QString& row, const BranchesOfCells& ofRow) const
{
  QString text = row;
  std::size_t all = 0;
  for (std::size_t cell = 0; cell < ofRow.size(); ++cell) {
    const std::vector<std::int32_t>& found = ofRow[cell];
    if (found.empty())
      continue;
    all += found.size();
    const MeasuredCell& of = (*shown)[cell];
    const double length = std::accumulate(found.begin(), found.end(), 0.0, [&](double sum, std::int32_t branch) {
      return sum + of.measures.branches[static_cast<std::size_t>(branch)].length;
    });
    text += QLatin1Char('\n') +
            (found.size() == 1 ? tr("%1: %2 branch, %3 µm") : tr("%1: %2 branches, %3 µm"))
                .arg(of.name, widgets::formatNumber(static_cast<double>(found.size())), widgets::formatNumber(length));
    std::vector<std::int32_t> alreadyThere;
    std::ranges::set_intersection(found, selected[cell], std::back_inserter(alreadyThere));
    if (!alreadyThere.empty())
      text += tr(", selected: %1").arg(widgets::formatNumber(static_cast<double>(alreadyThere.size())));
  }
  return text + QLatin1Char('\n') +
         (all == 0   ? tr("No branch: a click selects nothing.")
          : all == 1 ? tr("A click selects the branch in all views.")
                     : tr("A click selects the branches in all views."));
}

// ---- selected branches ----

void MeasureTables::setSelected(const BranchesOfCells& ofCells, const Counts& crossed, const Counts& ofClasses)
{
  selected = ofCells;
  types->setMarked(selectedTypes());
  branches->setMarked(selectedBranches());
  const auto intersectionsOf = [&](std::size_t cell) -> const std::vector<std::uint32_t>& {
    return (*shown)[cell].measures.sholl.intersections;
  };
  spheres->setMarked(wholeRows(static_cast<std::size_t>(spheres->model()->rowCount()), crossed, intersectionsOf));
  const auto countsOf = [&](std::size_t cell) -> const std::vector<std::uint32_t>& { return counted.counts[cell]; };
  classes->setMarked(wholeRows(static_cast<std::size_t>(classes->model()->rowCount()), ofClasses, countsOf));
}

/// Those all of whose branches are selected.
std::vector<bool> MeasureTables::selectedTypes() const
{
  std::vector<bool> wholes;
  for (std::size_t cell = 0; cell < shown->size(); ++cell) {
    const CellMeasures& measures = (*shown)[cell].measures;
    std::map<std::int32_t, std::int32_t> counts;
    for (const std::int32_t branch : selected[cell])
      ++counts[measures.branches[static_cast<std::size_t>(branch)].type];
    for (const TypeMeasures& type : measures.types)
      wholes.push_back(counts[type.type] == type.branches);
  }
  return wholes;
}

std::vector<bool> MeasureTables::selectedBranches() const
{
  std::vector<bool> rows(rowsOf(*shown, &CellMeasures::branches), false);
  std::size_t first = 0; // row of a cell
  for (std::size_t cell = 0; cell < shown->size(); ++cell) {
    for (const std::int32_t branch : selected[cell])
      rows[first + static_cast<std::size_t>(branch)] = true;
    first += (*shown)[cell].measures.branches.size();
  }
  return rows;
}

// ---- what the tables show ----

void MeasureTables::setCells(std::shared_ptr<const MeasuredCells> cells)
{
  shown = std::move(cells);
  selected.assign(shown->size(), {});
  refreshExport();
  refreshTypes();
  refreshBranches();
  refreshSpheres();
}

void MeasureTables::setPaths(std::vector<MeasuredPath> paths)
{
  measuredPaths = std::move(paths);
  refreshPaths();
  refreshExport();
}

/// Whose the row is, where there are several cells.
std::vector<MeasureTable::Column> MeasureTables::cellColumn(MeasureTable::Describe nameOf) const
{
  std::vector<MeasureTable::Column> columns;
  if (shown->size() > 1)
    columns.push_back({tr("Cell"), tr("Whose it is"),
                       [nameOf = std::move(nameOf)](std::size_t row) { return QVariant(nameOf(row)); }, true});
  return columns;
}

void MeasureTables::refreshTypes()
{
  const auto typeOf = [cells = shown](std::size_t row) -> const TypeMeasures& {
    return itemOf(*cells, &CellMeasures::types, row);
  };
  std::vector<MeasureTable::Column> columns = cellColumn(
      [cells = shown](std::size_t row) { return (*cells)[rowOf(*cells, &CellMeasures::types, row).cell].name; });
  const auto add = [&](const QString& title, const QString& help, auto value, bool givesWay = false) {
    columns.push_back(
        {title, help, [typeOf, value](std::size_t row) { return QVariant(value(typeOf(row))); }, givesWay});
  };
  add(
      tr("Type"), tr("The SWC type of the first sample of a branch"),
      [](const TypeMeasures& t) { return nameOfType(t.type); }, true);
  add(tr("Branches"), tr("Branches of the type"), [](const TypeMeasures& t) { return t.branches; });
  add(tr("Tips"), tr("Branches that nothing follows"), [](const TypeMeasures& t) { return t.tips; });
  add(tr("Bifurcations"), tr("Branches that end where two or more begin"),
      [](const TypeMeasures& t) { return t.bifurcations; });
  add(tr("Max order"), tr("Most branch points between a branch and the root"),
      [](const TypeMeasures& t) { return t.maxOrder; });
  add(tr("Length µm"),
      tr("The length along the branches, µm, without the segments that join them with the soma, as NeuroM and MorphIO "
         "have it"),
      [](const TypeMeasures& t) { return t.length; });
  add(tr("Area µm²"), tr("The lateral area, µm²"), [](const TypeMeasures& t) { return t.area; });
  add(tr("Volume µm³"), tr("The volume, µm³"), [](const TypeMeasures& t) { return t.volume; });
  add(tr("Max path µm"),
      tr("The farthest from the root along the branches, µm, with the segments that join them with the soma"),
      [](const TypeMeasures& t) { return t.maxPath; });
  types->setRows(rowsOf(*shown, &CellMeasures::types), std::move(columns), [this, typeOf](std::size_t row) {
    return describe(nameOfType(typeOf(row).type), ofTypes(row, row + 1));
  });
}

void MeasureTables::refreshBranches()
{
  const auto branchOf = [cells = shown](std::size_t row) -> const BranchMeasures& {
    return itemOf(*cells, &CellMeasures::branches, row);
  };
  const auto placeOf = [cells = shown](std::size_t row) -> const study::BranchPlace& {
    return itemOf(*cells, &CellMeasures::places, row);
  };
  std::vector<MeasureTable::Column> columns = cellColumn(
      [cells = shown](std::size_t row) { return (*cells)[rowOf(*cells, &CellMeasures::branches, row).cell].name; });
  const auto add = [&](const QString& title, const QString& help, auto value, bool givesWay = false) {
    columns.push_back(
        {title, help, [branchOf, value](std::size_t row) { return QVariant(value(branchOf(row))); }, givesWay});
  };
  columns.push_back({tr("Branch"), tr("Its number in the cell, as in all views and in expressions"),
                     [placeOf](std::size_t row) { return QVariant(placeOf(row).number); }});
  columns.push_back({tr("Parent"), tr("The branch that it hangs on"), [placeOf](std::size_t row) {
                       return placeOf(row).parent > 0 ? QVariant(placeOf(row).parent) : QVariant();
                     }});
  add(
      tr("Type"), tr("The SWC type of its first sample"), [](const BranchMeasures& b) { return nameOfType(b.type); },
      true);
  add(tr("Order"), tr("Branch points between it and the root"), [](const BranchMeasures& b) { return b.order; });
  add(tr("Strahler"), tr("The order of Strahler (1952): 1 at tips"),
      [](const BranchMeasures& b) { return b.strahler; });
  add(tr("Length µm"),
      tr("The length along it, µm, without the segment that joins it with the soma, as NeuroM and MorphIO have it.\n"
         "A branch that leaves the soma is that much shorter than the path distances of its ends differ; one of that "
         "segment alone has length 0."),
      [](const BranchMeasures& b) { return b.length; });
  add(tr("Straight distance µm"),
      tr("The straight distance of its ends, µm; a branch that leaves the soma begins at its first sample, as its "
         "length does"),
      [](const BranchMeasures& b) { return b.distance; });
  add(tr("Contraction"), tr("Straight distance over length: 1 where it is straight"),
      [](const BranchMeasures& b) { return b.contraction(); });
  add(tr("Diameter µm"), tr("The mean diameter, µm"), [](const BranchMeasures& b) { return b.meanDiameter; });
  add(tr("Area µm²"), tr("The lateral area, µm²"), [](const BranchMeasures& b) { return b.area; });
  add(tr("Volume µm³"), tr("The volume, µm³"), [](const BranchMeasures& b) { return b.volume; });
  add(tr("Path µm"),
      tr("How far its end is from the root along the branches, µm, with the segment that joins them with the soma"),
      [](const BranchMeasures& b) { return b.endPath; });
  add(tr("Local angle °"), tr("The angle of the two branches that follow, where they begin, degrees"),
      [](const BranchMeasures& b) { return numberOrNone(b.localAngle); });
  add(tr("Remote angle °"), tr("The angle of the two branches that follow, as seen from their ends, degrees"),
      [](const BranchMeasures& b) { return numberOrNone(b.remoteAngle); });
  branches->setRows(rowsOf(*shown, &CellMeasures::branches), std::move(columns),
                    [this, branchOf, placeOf](std::size_t row) {
                      return describe(tr("branch %1, %2").arg(placeOf(row).number).arg(nameOfType(branchOf(row).type)),
                                      ofBranches(row, row + 1));
                    });
}

void MeasureTables::refreshSpheres()
{
  std::size_t most = 0;
  for (const MeasuredCell& cell : *shown)
    most = std::max(most, cell.measures.sholl.intersections.size());
  const auto radiusOf = [cells = shown](std::size_t row) { return cells->front().measures.sholl.radius(row); };
  std::vector<MeasureTable::Column> columns{{tr("Radius µm"), tr("Of the sphere around the soma, µm"),
                                             [radiusOf](std::size_t row) { return QVariant(radiusOf(row)); }}};
  const bool areSeveral = shown->size() > 1;
  for (std::size_t cell = 0; cell < shown->size(); ++cell)
    columns.push_back({areSeveral ? (*shown)[cell].name : tr("Intersections"),
                       tr("Intersections of the segments of %1 with the sphere").arg((*shown)[cell].name),
                       [cells = shown, cell](std::size_t row) {
                         return QVariant(numberAt((*cells)[cell].measures.sholl.intersections, row));
                       },
                       areSeveral});
  spheres->setRows(most, std::move(columns), [this, radiusOf](std::size_t row) {
    return describe(tr("sphere of %1 µm around the soma").arg(widgets::formatNumber(radiusOf(row))),
                    throughSpheres(row, row + 1));
  });
}

void MeasureTables::setClasses(const study::BranchHistogram& ofCells, const QString& unit)
{
  counted = ofCells;
  std::size_t most = 0;
  for (const auto& counts : counted.counts)
    most = std::max(most, counts.size());
  const auto titled = [&](const QString& title) { return unit.isEmpty() ? title : title + u' ' + unit; };
  const auto endOf = [width = counted.width](std::size_t ends) { return static_cast<double>(ends) * width; };
  std::vector<MeasureTable::Column> columns{
      {titled(tr("From")), tr("The least of the class"), [endOf](std::size_t row) { return QVariant(endOf(row)); }},
      {titled(tr("To")), tr("The end of the class, which is in the next one"),
       [endOf](std::size_t row) { return QVariant(endOf(row + 1)); }}};
  const bool areSeveral = shown->size() > 1;
  for (std::size_t cell = 0; cell < shown->size(); ++cell)
    columns.push_back(
        {areSeveral ? (*shown)[cell].name : tr("Branches"), tr("Branches of the class in %1").arg((*shown)[cell].name),
         [counts = counted.counts[cell]](std::size_t row) { return QVariant(numberAt(counts, row)); }, areSeveral});
  classes->setRows(most, std::move(columns), [this, endOf, unit](std::size_t row) {
    const auto quantity = static_cast<std::size_t>(counted.quantity);
    const QString ends = tr("%1: %2 to %3 %4")
                             .arg(widgets::inText(study::kBranchQuantities[quantity].label),
                                  widgets::formatNumber(endOf(row)), widgets::formatNumber(endOf(row + 1)), unit);
    return describe(ends.trimmed(), inClasses(row, row + 1));
  });
}

void MeasureTables::refreshPaths()
{
  const auto add = [this](const QString& title, const QString& help, auto value, bool givesWay = false) {
    return MeasureTable::Column{
        title, help, [this, value](std::size_t row) { return QVariant(value(measuredPaths[row])); }, givesWay};
  };
  pathTable->setRows(
      measuredPaths.size(),
      {add(
           tr("From"), tr("The cell of the first point"), [](const MeasuredPath& p) { return p.from.cell; }, true),
       add(tr("Sample"), tr("Its sample, by its id in the file"),
           [](const MeasuredPath& p) { return QString::number(p.from.id); }),
       add(
           tr("To"), tr("The cell of the second point"), [](const MeasuredPath& p) { return p.to.cell; }, true),
       add(tr("Sample"), tr("Its sample, by its id in the file"),
           [](const MeasuredPath& p) { return QString::number(p.to.id); }),
       add(tr("Path µm"), tr("Along the branches, µm; none between different trees"),
           [](const MeasuredPath& p) { return p.length ? QVariant(*p.length) : QVariant(); }),
       add(tr("Straight distance µm"), tr("The straight distance, µm, where the files have the points"),
           [](const MeasuredPath& p) { return p.distance; })},
      [this](std::size_t row) {
        const MeasuredPath& path = measuredPaths[row];
        return tr("From sample %1 of %2 to sample %3 of %4:\n%5")
            .arg(QString::number(path.from.id), path.from.cell, QString::number(path.to.id), path.to.cell,
                 inWords(path));
      });
}

} // namespace hinesight::app
