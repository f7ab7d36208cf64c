#include "app/measure/measure_page.hpp"

#include "app/forms/parameter_row.hpp"
#include "app/shell/bars/flow_layout.hpp"
#include "app/shell/bars/page_header.hpp"
#include "morphology/morphology.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/figure/figure_table.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelection>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::app {

namespace {

using morphology::BranchMeasures;
using morphology::TypeMeasures;
using study::BranchQuantity;

constexpr double kDefaultStep = 10; // µm
constexpr double kLeastStep = 1e-3; // µm
constexpr double kMostStep = 1e6;   // µm
constexpr int kGap = 8;
constexpr int kLeftMargin = 12;
constexpr int kLeastHeight = 420;
constexpr int kLowPage = 560;     // pixels; in a lower page all charts stand side by side
constexpr int kRowPadding = 6;    // of a row of a table
constexpr int kLeastTables = 180; // of a low page, pixels: five rows

/// A row of a table of several cells: whose it is, and which of its rows.
struct RowOf
{
  std::size_t cell;
  std::size_t place;
};

/// `countOf`: rows of a cell.
template <typename Count>
std::vector<RowOf> rowsOf(const std::vector<MeasurePage::Cell>& cells, Count countOf)
{
  std::vector<RowOf> rows;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::size_t place = 0; place < countOf(cells[cell].measures); ++place)
      rows.push_back({cell, place});
  return rows;
}

QVariant numberOrNone(double value)
{
  return std::isnan(value) ? QVariant() : QVariant(value);
}

QString unitText(BranchQuantity quantity)
{
  const std::string_view unit = study::unitOf(quantity);
  return unit == "um" ? QStringLiteral("µm") : unit == "deg" ? QStringLiteral("°") : QString();
}

QString nameOfType(std::int32_t type)
{
  return QString::fromStdString(morphology::typeName(type));
}

/// As in the views: what is drawn over adds.
widgets::PickMode modeOf(const widgets::ProfileChart::Stretch& places, Qt::KeyboardModifiers modifiers)
{
  if (modifiers.testFlag(Qt::ShiftModifier))
    return widgets::PickMode::Add;
  return places.size() > 1 ? widgets::areaModeOf(modifiers) : widgets::pickModeOf(modifiers);
}

} // namespace

MeasurePage::MeasurePage(QWidget* parent)
    : QWidget(parent), stack(new QStackedWidget), reason(new QLabel), tree(new widgets::Dendrogram(nullptr)),
      shollChart(new widgets::ProfileChart(tr("Sholl"), nullptr)),
      histogramChart(new widgets::ProfileChart(tr("Histogram"), nullptr))
{
  setObjectName(QStringLiteral("measurePage"));
  auto* content = new QWidget;
  content->setMinimumHeight(kLeastHeight);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* scroll = new QScrollArea; // in a small window the page keeps a size at which it can be used
  scroll->setObjectName(QStringLiteral("measureScroll"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(content);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(scroll);
  header = makeHeader();
  column->addWidget(header);
  column->addWidget(makeFields());
  reason->setObjectName(QStringLiteral("measureReason"));
  reason->setAlignment(Qt::AlignCenter);
  reason->setWordWrap(true);
  auto* split = body = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  split->addWidget(makeCharts());
  split->addWidget(makeTables());
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  stack->addWidget(reason);
  stack->addWidget(split);
  stack->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored); // takes the height there is
  column->addWidget(stack, 1);
  connect(tree, &widgets::Dendrogram::picked, this, [this](std::size_t cell, std::int32_t branch) {
    selectBranch(cell, branch);
    emit branchPicked(cell, branch);
  });
  setCells({});
}

PageHeader* MeasurePage::makeHeader()
{
  return new PageHeader(tr("Measure"), "measureHeadline", {}, this);
}

QWidget* MeasurePage::makeFields()
{
  auto* fields = new QWidget;
  auto* margins = new QVBoxLayout(fields);
  margins->setContentsMargins(kLeftMargin, 0, kGap, kGap);
  auto* rows = new FlowLayout(nullptr, kGap); // what does not fit into a row stands in the next one
  margins->addLayout(rows);
  const auto add = [rows](const QString& text, QWidget* field, const char* name, const QString& help) {
    auto* pair = new QWidget;
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kGap);
    rows->addWidget(pair);
    auto* label = new QLabel(text);
    label->setBuddy(field);
    field->setObjectName(QLatin1String(name));
    field->setToolTip(help);
    field->setAccessibleName(text);
    line->addWidget(label);
    line->addWidget(field);
  };
  besideChoice = new widgets::ChoiceBox;
  besideChoice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  besideChoice->setMinimumContentsLength(10);
  add(tr("Compare with"), besideChoice, "measureBeside", tr("Another open cell, measured beside the chosen one"));
  step = new NumberSpinBox;
  step->setNumberRange({kLeastStep, kMostStep, kLeastStep, kMostStep, 0, true, QStringLiteral(" µm")});
  step->setNumber(kDefaultStep);
  step->setKeyboardTracking(false);
  add(tr("Sholl step"), step, "shollStep",
      tr("From one sphere around the soma to the next, µm: the intersections of each with segments are counted"));
  quantityChoice = new widgets::ChoiceBox;
  std::vector<widgets::ChoiceBox::Entry> entries;
  for (const Choice& choice : study::kBranchQuantities)
    entries.push_back({widgets::inText(choice.label), widgets::inText(choice.help)});
  quantityChoice->setEntries(entries);
  add(tr("Histogram of"), quantityChoice, "measureQuantity",
      tr("What the branches are counted by: lengths in µm, angles in degrees"));
  setOthers({});
  connect(besideChoice, &QComboBox::currentIndexChanged, this, &MeasurePage::asked);
  connect(step, &QDoubleSpinBox::valueChanged, this, &MeasurePage::asked);
  connect(quantityChoice, &QComboBox::currentIndexChanged, this, &MeasurePage::refreshHistogram);
  connect(quantityChoice, &QComboBox::currentIndexChanged, this, &MeasurePage::questionsChanged);
  connect(besideChoice, &QComboBox::activated, this, [this] { // by a person
    comingBeside = 0;
    emit questionsChanged();
  });
  connect(this, &MeasurePage::asked, this, &MeasurePage::questionsChanged);
  return fields;
}

QWidget* MeasurePage::makeCharts()
{
  tree->setToolTip(tr("The branches over their path distance from the root, µm; click one to select it in all views"));
  makeProfiles();
  profiles = new QSplitter(Qt::Vertical);
  profiles->setChildrenCollapsible(false);
  profiles->addWidget(shollChart);
  profiles->addWidget(histogramChart);
  auto* charts = plots = new QSplitter(Qt::Horizontal);
  charts->setChildrenCollapsible(false);
  charts->addWidget(tree);
  charts->addWidget(profiles);
  charts->setStretchFactor(0, 3);
  charts->setStretchFactor(1, 2);
  return charts;
}

void MeasurePage::makeProfiles()
{
  const QString keys = tr("Ctrl+click takes them in or out, Shift+click adds them.\n"
                          "With the keyboard, arrows move a mark and Space selects there.");
  shollChart->setObjectName(QStringLiteral("shollChart"));
  shollChart->setAccessibleName(tr("Sholl"));
  shollChart->setToolTip(
      tr("Sholl analysis: intersections of the segments with spheres around the soma, over their radius, which is the "
         "distance from the soma, µm.\n"
         "Click a radius to select the branches that cross its sphere in all views; drag over several.\n"
         "Of two cells it is the one whose line is nearer.\n") +
      keys + QLatin1Char('\n') + tr("The second line has the intersections of the selected branches."));
  histogramChart->setObjectName(QStringLiteral("measureHistogram"));
  histogramChart->setAccessibleName(tr("Histogram"));
  histogramChart->setToolTip(tr("How many branches are in each class of lengths in µm, angles in degrees, or orders.\n"
                                "An angle is of the branch at whose end the two others begin.\n"
                                "Click a class to select its branches in all views; drag over several.\n"
                                "Of two cells it is the one whose bar ends nearer.\n") +
                             keys + QLatin1Char('\n') + tr("The lower part of a bar counts the selected branches."));
  connect(shollChart, &widgets::ProfileChart::picked, this, &MeasurePage::pickThroughSpheres);
  connect(histogramChart, &widgets::ProfileChart::picked, this, &MeasurePage::pickInClasses);
}

QTableView* MeasurePage::addTable(const char* name, const QString& title, const QString& help)
{
  auto* table = new widgets::FigureTable(title);
  table->setObjectName(QLatin1String(name));
  table->setToolTip(help);
  auto* sorted = new QSortFilterProxyModel(table);
  sorted->setSourceModel(new MeasureTable(table));
  sorted->setSortRole(MeasureTable::SortRole);
  table->setModel(sorted);
  table->setSortingEnabled(true);
  table->sortByColumn(-1, Qt::AscendingOrder);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + kRowPadding);
  table->horizontalHeader()->setHighlightSections(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  tables->addTab(table, title);
  columnsOf.emplace_back(table);
  tables->setTabToolTip(tables->count() - 1, help);
  return table;
}

QWidget* MeasurePage::makeTables()
{
  tables = new QTabWidget;
  tables->setObjectName(QStringLiteral("measureTables"));
  tables->setDocumentMode(true);
  types = addTable("measureTypes", tr("Types"), tr("What all branches of a type come to"));
  branches = addTable("measureBranches", tr("Branches"), tr("A line a branch; click one to select it in all views"));
  shollTable = addTable("measureSholl", tr("Sholl"),
                        tr("Sholl analysis: intersections of the segments with each sphere around the soma"));
  histogramTable = addTable("measureClasses", tr("Histogram"),
                            tr("How many branches are in each class of what the histogram counts them by"));
  pathTable = addTable("measurePaths", tr("Paths"),
                       tr("The ways between points that were picked in the Morphology view, with its ruler"));
  connect(branches->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (current.isValid())
              pickRow(static_cast<const QSortFilterProxyModel*>(branches->model())->mapToSource(current).row());
          });
  exportButton = makeHeaderButton("exportMeasures", tr("Export…"), {});
  connect(exportButton, &QPushButton::clicked, this, &MeasurePage::exportRequested);
  connect(tables, &QTabWidget::currentChanged, this, &MeasurePage::refreshExport);
  tables->setCornerWidget(exportButton);
  refreshPaths();
  return tables;
}

void MeasurePage::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  fitColumnsSoon();
  const Qt::Orientation wanted = height() < kLowPage ? Qt::Horizontal : Qt::Vertical;
  if (profiles->orientation() == wanted)
    return;
  profiles->setOrientation(wanted);
  shareRoomSoon();
}

/// Once all have the least sizes of how they stand now.
void MeasurePage::shareRoomSoon()
{
  QMetaObject::invokeMethod(this, &MeasurePage::shareRoom, Qt::QueuedConnection);
}

void MeasurePage::shareRoom()
{
  const bool isLow = profiles->orientation() == Qt::Horizontal;
  const auto share = [](QSplitter* splitter, int first, int second) {
    splitter->setStretchFactor(0, first);
    splitter->setStretchFactor(1, second);
    splitter->setSizes({100 * first, 100 * second});
  };
  share(plots, isLow ? 2 : 3, isLow ? 3 : 2);
  share(body, isLow ? 1 : 3, isLow ? 1 : 2);
  tables->setMinimumHeight(isLow ? kLeastTables : 0);
}

/// Once the tables have their width.
void MeasurePage::fitColumnsSoon()
{
  QMetaObject::invokeMethod(this, &MeasurePage::fitColumns, Qt::QueuedConnection);
}

void MeasurePage::fitColumns()
{
  for (const FittedColumns& columns : columnsOf)
    columns.fit(roomForColumns());
}

/// Tables that are not seen have that of the one that is.
int MeasurePage::roomForColumns() const
{
  return static_cast<const QTableView*>(tables->currentWidget())->viewport()->width();
}

void MeasurePage::setRows(QTableView* table, std::size_t rows, std::vector<MeasureTable::Column> columns)
{
  modelOf(table)->setRows(rows, std::move(columns));
  FittedColumns& fitted = *std::ranges::find(columnsOf, table, &FittedColumns::table);
  fitted.measure();
  fitted.fit(roomForColumns());
  fitColumnsSoon();
}

MeasureTable* MeasurePage::modelOf(const QTableView* table) const
{
  return static_cast<MeasureTable*>(static_cast<QSortFilterProxyModel*>(table->model())->sourceModel());
}

// ---- what is asked for ----

void MeasurePage::setOthers(const std::vector<Other>& cells)
{
  const QSignalBlocker blocker(besideChoice);
  const std::uint64_t compared = wantedBeside();
  std::vector<widgets::ChoiceBox::Entry> entries{{tr("none"), {}}};
  otherKeys.clear();
  for (const Other& cell : cells) {
    entries.push_back({cell.name, {}});
    otherKeys.push_back(cell.key);
  }
  besideChoice->setEntries(entries);
  const auto place = std::ranges::find(otherKeys, compared);
  besideChoice->setCurrentIndex(place == otherKeys.end() ? 0 : 1 + static_cast<int>(place - otherKeys.begin()));
  if (place != otherKeys.end())
    comingBeside = 0;
  besideChoice->setEnabled(!cells.empty());
}

void MeasurePage::compareWith(std::uint64_t key)
{
  const auto place = std::ranges::find(otherKeys, key);
  const bool isThere = key > 0 && place != otherKeys.end();
  besideChoice->setCurrentIndex(isThere ? 1 + static_cast<int>(place - otherKeys.begin()) : 0);
  comingBeside = isThere ? 0 : key;
}

void MeasurePage::setShollStep(double micrometres)
{
  step->setNumber(micrometres);
}

void MeasurePage::setQuantity(BranchQuantity quantity)
{
  quantityChoice->setCurrentIndex(static_cast<int>(quantity));
}

std::uint64_t MeasurePage::beside() const
{
  const int place = besideChoice->currentIndex() - 1;
  return place < 0 || static_cast<std::size_t>(place) >= otherKeys.size() ? 0
                                                                          : otherKeys[static_cast<std::size_t>(place)];
}

double MeasurePage::shollStep() const
{
  return step->number();
}

QString MeasurePage::tableInFront() const
{
  return tables->currentWidget()->objectName();
}

BranchQuantity MeasurePage::quantity() const
{
  return static_cast<BranchQuantity>(quantityChoice->currentIndex());
}

// ---- what is shown ----

void MeasurePage::setCells(std::vector<Cell> cells, const QString& why)
{
  shown = std::move(cells);
  selected.assign(shown.size(), {});
  reason->setText(why.isEmpty() ? tr("Open a cell to measure it.") : why);
  const int part = shown.empty() ? 0 : 1;
  if (std::exchange(shownPart, part) != part)
    shareRoomSoon();
  stack->setCurrentIndex(part);
  refreshExport();
  refreshHeadline();
  refreshCharts();
  refreshTypes();
  refreshBranches();
  refreshSholl();
}

/// Says which table is proposed.
void MeasurePage::refreshExport()
{
  const bool hasPaths = !measuredPaths.empty();
  const bool isThere = tables->currentWidget() == pathTable ? hasPaths : !shown.empty();
  exportButton->setEnabled(!shown.empty() || hasPaths);
  exportButton->setToolTip(isThere ? tr("Write the table %1 as CSV; the dialog offers the other tables too")
                                         .arg(tables->tabText(tables->currentIndex()))
                                   : tr("Write a table as CSV, which the dialog asks for"));
}

void MeasurePage::refreshHeadline()
{
  QStringList texts;
  for (const Cell& cell : shown) {
    double length = 0;
    std::int64_t count = 0;
    for (const TypeMeasures& type : cell.measures.types) {
      const bool isNeurite = type.type != morphology::kSoma;
      length += isNeurite ? type.length : 0;
      count += isNeurite ? type.branches : 0;
    }
    texts << tr("%1: %2 branches, %3 µm of neurites")
                 .arg(widgets::shortened(cell.name), widgets::formatNumber(static_cast<double>(count)),
                      widgets::formatNumber(length));
  }
  header->setHeadline(texts.join(tr("; beside ")),
                      tr("Lengths are of neurites alone, without the segments that join them with the soma, as NeuroM "
                         "and MorphIO have them. The total length in Details has the segments of the soma and these "
                         "too."));
}

void MeasurePage::refreshCharts()
{
  std::vector<widgets::Dendrogram::Cell> trees;
  for (const Cell& cell : shown) {
    std::vector<widgets::Dendrogram::Branch>& nodes = trees.emplace_back(cell.name).branches;
    for (std::size_t k = 0; k < cell.measures.branches.size(); ++k) {
      const BranchMeasures& branch = cell.measures.branches[k];
      nodes.push_back({branch.parent, cell.measures.places[k].number, branch.type, branch.startPath, branch.endPath});
    }
  }
  tree->setCells(std::move(trees));
  std::vector<widgets::ProfileChart::Curve> curves;
  for (const Cell& cell : shown) {
    const auto& intersections = cell.measures.sholl.intersections;
    curves.push_back({cell.name, {intersections.begin(), intersections.end()}});
  }
  shollChart->setCurves(std::move(curves), shown.empty() ? 1 : shown.front().measures.sholl.step, QStringLiteral("µm"),
                        false);
  shollChart->setAxisTitles(tr("distance, µm"), tr("intersections"));
  refreshHistogram();
}

void MeasurePage::refreshHistogram()
{
  std::vector<study::CellMeasures> measures;
  for (const Cell& cell : shown)
    measures.push_back(cell.measures);
  counted = study::histogramOf(measures, quantity());
  std::vector<widgets::ProfileChart::Curve> curves;
  for (std::size_t cell = 0; cell < shown.size(); ++cell)
    curves.push_back({shown[cell].name, {counted.counts[cell].begin(), counted.counts[cell].end()}});
  const QString unit = unitText(quantity());
  const QString label = widgets::inText(study::kBranchQuantities[static_cast<std::size_t>(quantity())].label).toLower();
  histogramChart->setAxisTitles(unit.isEmpty() ? label : QStringLiteral("%1, %2").arg(label, unit), tr("branches"));
  histogramChart->setCurves(std::move(curves), counted.width, unit, true);
  refreshSelectedParts();
  refreshClasses(unit);
}

/// What the selected branches make of the profiles.
void MeasurePage::refreshSelectedParts()
{
  std::vector<std::vector<double>> crossed;
  std::vector<std::vector<double>> inClasses;
  for (std::size_t cell = 0; cell < shown.size(); ++cell) {
    const study::CellMeasures& measures = shown[cell].measures;
    const auto add = [](std::vector<std::vector<double>>& to, const std::vector<std::uint32_t>& counts) {
      to.emplace_back(counts.begin(), counts.end());
    };
    if (selected[cell].empty()) {
      add(crossed, {});
      add(inClasses, {});
    } else {
      add(crossed, study::intersectionsOf(measures, selected[cell]));
      add(inClasses, study::countInClasses(measures, counted, selected[cell]));
    }
  }
  shollChart->setSelected(std::move(crossed));
  histogramChart->setSelected(std::move(inClasses));
}

void MeasurePage::refreshClasses(const QString& unit)
{
  std::size_t most = 0;
  for (const auto& counts : counted.counts)
    most = std::max(most, counts.size());
  const auto titled = [&](const QString& title) { return unit.isEmpty() ? title : title + u' ' + unit; };
  const auto add = [](const QString& title, const QString& help, auto value) {
    return MeasureTable::Column{title, help, [value](std::size_t row) { return QVariant(value(row)); }};
  };
  std::vector<MeasureTable::Column> columns{
      add(titled(tr("From")), tr("The least of the class"),
          [width = counted.width](std::size_t row) { return static_cast<double>(row) * width; }),
      add(titled(tr("To")), tr("The end of the class, which is in the next one"),
          [width = counted.width](std::size_t row) { return static_cast<double>(row + 1) * width; })};
  for (std::size_t cell = 0; cell < shown.size(); ++cell)
    columns.push_back(add(shown.size() > 1 ? shown[cell].name : tr("Branches"), tr("Branches of the class"),
                          [counts = counted.counts[cell]](std::size_t row) {
                            return row < counts.size() ? counts[row] : std::uint32_t{0};
                          }));
  setRows(histogramTable, most, std::move(columns));
}

namespace {

/// The column of whose the row is, where there are several cells.
void addCell(std::vector<MeasureTable::Column>& columns, const std::vector<MeasurePage::Cell>& cells,
             const std::vector<RowOf>& rows)
{
  if (cells.size() > 1)
    columns.push_back({MeasurePage::tr("Cell"), MeasurePage::tr("Whose it is"),
                       [&cells, rows](std::size_t row) { return QVariant(cells[rows[row].cell].name); }});
}

} // namespace

void MeasurePage::refreshTypes()
{
  const std::vector<RowOf> rows = rowsOf(shown, [](const study::CellMeasures& m) { return m.types.size(); });
  std::vector<MeasureTable::Column> columns;
  addCell(columns, shown, rows);
  const auto add = [&](const QString& title, const QString& help, auto value) {
    columns.push_back({title, help, [this, rows, value](std::size_t row) {
                         return QVariant(value(shown[rows[row].cell].measures.types[rows[row].place]));
                       }});
  };
  add(tr("Type"), tr("The SWC type of the first sample of a branch"),
      [](const TypeMeasures& t) { return nameOfType(t.type); });
  add(tr("Branches"), tr("Branches of the type"), [](const TypeMeasures& t) { return t.branches; });
  add(tr("Tips"), tr("Branches that nothing follows"), [](const TypeMeasures& t) { return t.tips; });
  add(tr("Bifurcations"), tr("Branches that end where two or more begin"),
      [](const TypeMeasures& t) { return t.bifurcations; });
  add(tr("Max order"), tr("Most branch points between a branch and the root"),
      [](const TypeMeasures& t) { return t.maxOrder; });
  add(tr("Length µm"), tr("The length along the branches, µm, without the segments that join them with the soma"),
      [](const TypeMeasures& t) { return t.length; });
  add(tr("Area µm²"), tr("The lateral area, µm²"), [](const TypeMeasures& t) { return t.area; });
  add(tr("Volume µm³"), tr("The volume, µm³"), [](const TypeMeasures& t) { return t.volume; });
  add(tr("Max path µm"), tr("The farthest from the root along the branches, µm"),
      [](const TypeMeasures& t) { return t.maxPath; });
  setRows(types, rows.size(), std::move(columns));
}

void MeasurePage::refreshBranches()
{
  const std::vector<RowOf> rows = rowsOf(shown, [](const study::CellMeasures& m) { return m.branches.size(); });
  std::vector<MeasureTable::Column> columns;
  addCell(columns, shown, rows);
  const auto add = [&](const QString& title, const QString& help, auto value) {
    columns.push_back({title, help, [this, rows, value](std::size_t row) {
                         return QVariant(value(shown[rows[row].cell].measures.branches[rows[row].place]));
                       }});
  };
  const auto placeOf = [this, rows](std::size_t row) -> const study::BranchPlace& {
    return shown[rows[row].cell].measures.places[rows[row].place];
  };
  columns.push_back({tr("Branch"), tr("Its number in the cell, as in all views and in expressions"),
                     [placeOf](std::size_t row) { return QVariant(placeOf(row).number); }});
  columns.push_back({tr("Parent"), tr("The branch that it hangs on"), [placeOf](std::size_t row) {
                       return placeOf(row).parent > 0 ? QVariant(placeOf(row).parent) : QVariant();
                     }});
  add(tr("Type"), tr("The SWC type of its first sample"), [](const BranchMeasures& b) { return nameOfType(b.type); });
  add(tr("Order"), tr("Branch points between it and the root"), [](const BranchMeasures& b) { return b.order; });
  add(tr("Strahler"), tr("The order of Strahler (1952): 1 at tips"),
      [](const BranchMeasures& b) { return b.strahler; });
  add(tr("Length µm"), tr("The length along it, µm, without the segment that joins it with the soma"),
      [](const BranchMeasures& b) { return b.length; });
  add(tr("Straight distance µm"), tr("The straight distance of its ends, µm"),
      [](const BranchMeasures& b) { return b.distance; });
  add(tr("Contraction"), tr("Straight distance over length: 1 where it is straight"),
      [](const BranchMeasures& b) { return b.contraction(); });
  add(tr("Diameter µm"), tr("The mean diameter, µm"), [](const BranchMeasures& b) { return b.meanDiameter; });
  add(tr("Area µm²"), tr("The lateral area, µm²"), [](const BranchMeasures& b) { return b.area; });
  add(tr("Volume µm³"), tr("The volume, µm³"), [](const BranchMeasures& b) { return b.volume; });
  add(tr("Path µm"), tr("How far its end is from the root along the branches, µm"),
      [](const BranchMeasures& b) { return b.endPath; });
  add(tr("Local angle °"), tr("The angle of the two branches that follow, where they begin, degrees"),
      [](const BranchMeasures& b) { return numberOrNone(b.localAngle); });
  add(tr("Remote angle °"), tr("The angle of the two branches that follow, as seen from their ends, degrees"),
      [](const BranchMeasures& b) { return numberOrNone(b.remoteAngle); });
  setRows(branches, rows.size(), std::move(columns));
}

void MeasurePage::refreshSholl()
{
  std::size_t most = 0;
  for (const Cell& cell : shown)
    most = std::max(most, cell.measures.sholl.intersections.size());
  std::vector<MeasureTable::Column> columns{
      {tr("Radius µm"), tr("Of the sphere around the soma, µm"),
       [this](std::size_t row) { return QVariant(shown.front().measures.sholl.radius(row)); }}};
  for (std::size_t cell = 0; cell < shown.size(); ++cell)
    columns.push_back({shown.size() > 1 ? shown[cell].name : tr("Intersections"),
                       tr("Intersections of the segments with the sphere"), [this, cell](std::size_t row) {
                         const auto& intersections = shown[cell].measures.sholl.intersections;
                         return QVariant(row < intersections.size() ? intersections[row] : 0U);
                       }});
  setRows(shollTable, most, std::move(columns));
}

void MeasurePage::refreshPaths()
{
  const auto add = [this](const QString& title, const QString& help, auto value) {
    return MeasureTable::Column{title, help,
                                [this, value](std::size_t row) { return QVariant(value(measuredPaths[row])); }};
  };
  setRows(pathTable, measuredPaths.size(),
          {add(tr("From"), tr("The cell of the first point"), [](const MeasuredPath& p) { return p.from.cell; }),
           add(tr("Sample"), tr("Its sample, by its id in the file"),
               [](const MeasuredPath& p) { return QString::number(p.from.id); }),
           add(tr("To"), tr("The cell of the second point"), [](const MeasuredPath& p) { return p.to.cell; }),
           add(tr("Sample"), tr("Its sample, by its id in the file"),
               [](const MeasuredPath& p) { return QString::number(p.to.id); }),
           add(tr("Path µm"), tr("Along the branches, µm; none between different trees"),
               [](const MeasuredPath& p) { return p.length ? QVariant(*p.length) : QVariant(); }),
           add(tr("Straight distance µm"), tr("The straight distance, µm, where the files have the points"),
               [](const MeasuredPath& p) { return p.distance; })});
}

void MeasurePage::addPath(const MeasuredPath& path)
{
  measuredPaths.push_back(path);
  refreshPaths();
  refreshExport();
  emit questionsChanged();
}

void MeasurePage::setPaths(std::vector<MeasuredPath> paths)
{
  measuredPaths = std::move(paths);
  refreshPaths();
  refreshExport();
}

// ---- selected branches ----

void MeasurePage::pickThroughSpheres(const widgets::ProfileChart::Stretch& spheres, Qt::KeyboardModifiers modifiers)
{
  if (spheres.curve < shown.size())
    emit branchesPicked(spheres.curve,
                        study::branchesThroughSpheres(shown[spheres.curve].measures, spheres.begin, spheres.end),
                        modeOf(spheres, modifiers));
}

void MeasurePage::pickInClasses(const widgets::ProfileChart::Stretch& classes, Qt::KeyboardModifiers modifiers)
{
  if (classes.curve < shown.size())
    emit branchesPicked(classes.curve,
                        study::branchesInClasses(shown[classes.curve].measures, counted, classes.begin, classes.end),
                        modeOf(classes, modifiers));
}

/// Rows are those of the chosen cell, then those of the one beside it.
void MeasurePage::pickRow(int row)
{
  int branch = row;
  for (std::size_t cell = 0; cell < shown.size(); ++cell) {
    const auto count = static_cast<int>(shown[cell].measures.branches.size());
    if (branch < count) {
      tree->select(cell, branch);
      emit branchPicked(cell, branch);
      return;
    }
    branch -= count;
  }
}

void MeasurePage::selectBranch(std::size_t cell, std::int32_t branch)
{
  std::vector<std::vector<std::int32_t>> ofCells(shown.size());
  if (branch >= 0 && cell < ofCells.size())
    ofCells[cell].push_back(branch);
  selectBranches(ofCells);
}

void MeasurePage::selectBranches(const std::vector<std::vector<std::int32_t>>& ofCells)
{
  selected = ofCells;
  selected.resize(shown.size());
  tree->selectAll(selected);
  selectRows();
  refreshSelectedParts();
}

/// Rows side by side as one range: a model of selections compares all of its ranges.
void MeasurePage::selectRows()
{
  const QSignalBlocker blocker(branches->selectionModel());
  const auto* sorted = static_cast<const QSortFilterProxyModel*>(branches->model());
  std::vector<int> rows;
  int place = 0; // of a cell's first branch
  for (std::size_t cell = 0; cell < shown.size(); ++cell) {
    for (const std::int32_t branch : selected[cell])
      rows.push_back(sorted->mapFromSource(sorted->sourceModel()->index(place + branch, 0)).row());
    place += static_cast<int>(shown[cell].measures.branches.size());
  }
  std::ranges::sort(rows);
  QItemSelection ranges;
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    for (end = first + 1; end < rows.size() && rows[end] == rows[end - 1] + 1;)
      ++end;
    ranges.select(sorted->index(rows[first], 0), sorted->index(rows[end - 1], sorted->columnCount() - 1));
  }
  branches->selectionModel()->clearSelection();
  branches->selectionModel()->select(ranges, QItemSelectionModel::Select);
  if (!rows.empty()) {
    const QModelIndex first = sorted->index(rows.front(), 0);
    branches->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    branches->scrollTo(first);
  }
  branches->viewport()->update();
}

} // namespace hinesight::app
