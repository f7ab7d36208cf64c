#include "app/measure/measure_page.hpp"

#include "app/forms/parameter_row.hpp"
#include "app/measure/measure_tables.hpp"
#include "app/shell/bars/flow_layout.hpp"
#include "app/shell/bars/page_header.hpp"
#include "morphology/morphology.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

using study::BranchQuantity;

constexpr double kDefaultStep = 10; // µm
constexpr double kLeastStep = 1e-3; // µm
constexpr double kMostStep = 1e6;   // µm
constexpr int kGap = 8;
constexpr int kLeftMargin = 12;
constexpr int kLeastHeight = 420;
constexpr int kLowPage = 560;     // pixels; in a lower page all charts stand side by side
constexpr int kMostListed = 20;   // cells to compare with that are seen at once
constexpr int kLeastTables = 200; // of a low page, pixels: five rows below titles of two lines

QString unitText(BranchQuantity quantity)
{
  const std::string_view unit = study::unitOf(quantity);
  return unit == "um" ? QStringLiteral("µm") : unit == "deg" ? QStringLiteral("°") : QString();
}

/// Empty: one is.
QString whyNoSphereIsCrossed(const MeasuredCells& cells)
{
  double reach = 0;
  for (const MeasuredCell& cell : cells) {
    if (!cell.measures.sholl.crossings.empty())
      return {};
    reach = std::max(reach, cell.measures.sholl.reach);
  }
  if (reach == 0)
    return MeasurePage::tr("There are no neurites that spheres could cross.");
  return MeasurePage::tr("No sphere is crossed: the first has a radius of %1 µm, and no neurite reaches farther than "
                         "%2 µm from its soma.")
      .arg(widgets::formatNumber(cells.front().measures.sholl.step), widgets::formatNumber(reach));
}

/// Empty: one is.
QString whyNoBranchIsCounted(const study::BranchHistogram& histogram)
{
  if (!std::ranges::all_of(histogram.counts, [](const auto& ofCell) { return ofCell.empty(); }))
    return {};
  const bool areAngles = study::unitOf(histogram.quantity) == "deg";
  return areAngles ? MeasurePage::tr("There are no angles: no branch ends where exactly two others begin.")
                   : MeasurePage::tr("There are no branches of neurites.");
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
      histogramChart(new widgets::ProfileChart(tr("Histogram"), nullptr)), tables(new MeasureTables)
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
  split->addWidget(tables);
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
  connect(tables, &MeasureTables::branchesPicked, this, &MeasurePage::branchesPicked);
  connect(tables, &MeasureTables::exportRequested, this, &MeasurePage::exportRequested);
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
  besideChoice->setStyleSheet(QStringLiteral("QComboBox { combobox-popup: 0; }")); // a list that scrolls
  besideChoice->setMaxVisibleItems(kMostListed);
  add(tr("Compare with"), besideChoice, "measureBeside", {});
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
  connect(besideChoice, &QComboBox::currentIndexChanged, this, &MeasurePage::nameBeside);
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

void MeasurePage::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
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
  nameBeside();
}

/// Its name may be too long for its field.
void MeasurePage::nameBeside()
{
  const QString help = tr("Another open cell, measured beside the chosen one");
  besideChoice->setToolTip(beside() > 0 ? besideChoice->currentText() + QLatin1Char('\n') + help : help);
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
  return tables->inFront();
}

BranchQuantity MeasurePage::quantity() const
{
  return static_cast<BranchQuantity>(quantityChoice->currentIndex());
}

// ---- what is shown ----

void MeasurePage::setCells(std::shared_ptr<const MeasuredCells> cells, const QString& why)
{
  shown = cells ? std::move(cells) : std::make_shared<const MeasuredCells>();
  selected.assign(shown->size(), {});
  reason->setText(why.isEmpty() ? tr("Open a cell to measure it.") : why);
  const int part = shown->empty() ? 0 : 1;
  if (std::exchange(shownPart, part) != part)
    shareRoomSoon();
  stack->setCurrentIndex(part);
  tables->setCells(shown);
  refreshHeadline();
  refreshCharts();
}

void MeasurePage::refreshHeadline()
{
  QStringList texts;
  for (const MeasuredCell& cell : *shown) {
    double length = 0;
    std::int64_t count = 0;
    for (const morphology::TypeMeasures& type : cell.measures.types) {
      const bool isNeurite = type.type != morphology::kSoma;
      length += isNeurite ? type.length : 0;
      count += isNeurite ? type.branches : 0;
    }
    texts << tr("%1: %2 branches, %3 µm")
                 .arg(widgets::shortened(cell.name), widgets::formatNumber(static_cast<double>(count)),
                      widgets::formatNumber(length));
  }
  const QString all = texts.join(tr("; beside "));
  header->setHeadline(texts.isEmpty() ? all : tr("%1 of neurites, without the segments to the soma").arg(all),
                      tr("Lengths are of neurites alone, without the segments that join them with the soma, as NeuroM "
                         "and MorphIO have them. Path distances have these segments: a branch that leaves the soma is "
                         "shorter than the path distances of its ends differ. The total length in Details has the "
                         "segments of the soma and these too."));
}

void MeasurePage::refreshCharts()
{
  std::vector<widgets::Dendrogram::Cell> trees;
  for (const MeasuredCell& cell : *shown) {
    std::vector<widgets::Dendrogram::Branch>& nodes = trees.emplace_back(cell.name).branches;
    for (std::size_t k = 0; k < cell.measures.branches.size(); ++k) {
      const morphology::BranchMeasures& branch = cell.measures.branches[k];
      nodes.push_back({branch.parent, cell.measures.places[k].number, branch.type, branch.startPath, branch.endPath});
    }
  }
  tree->setCells(std::move(trees));
  std::vector<widgets::ProfileChart::Curve> curves;
  for (const MeasuredCell& cell : *shown) {
    const auto& intersections = cell.measures.sholl.intersections;
    curves.push_back({cell.name, {intersections.begin(), intersections.end()}});
  }
  shollChart->setCurves(std::move(curves), shown->empty() ? 1 : shown->front().measures.sholl.step,
                        QStringLiteral("µm"), false);
  shollChart->setAxisTitles(tr("distance, µm"), tr("intersections"));
  shollChart->setNotice(whyNoSphereIsCrossed(*shown));
  refreshHistogram();
}

void MeasurePage::refreshHistogram()
{
  std::vector<study::CellMeasures> measures;
  for (const MeasuredCell& cell : *shown)
    measures.push_back(cell.measures);
  counted = study::histogramOf(measures, quantity());
  std::vector<widgets::ProfileChart::Curve> curves;
  for (std::size_t cell = 0; cell < shown->size(); ++cell)
    curves.push_back({(*shown)[cell].name, {counted.counts[cell].begin(), counted.counts[cell].end()}});
  const QString unit = unitText(quantity());
  const QString label = widgets::inText(study::kBranchQuantities[static_cast<std::size_t>(quantity())].label).toLower();
  histogramChart->setAxisTitles(unit.isEmpty() ? label : QStringLiteral("%1, %2").arg(label, unit), tr("branches"));
  histogramChart->setCurves(std::move(curves), counted.width, unit, true);
  histogramChart->setNotice(whyNoBranchIsCounted(counted));
  tables->setClasses(counted, unit);
  refreshSelectedParts();
}

/// What the selected branches make of the profiles and the tables.
void MeasurePage::refreshSelectedParts()
{
  std::vector<std::vector<double>> crossed;
  std::vector<std::vector<double>> inClasses;
  for (std::size_t cell = 0; cell < shown->size(); ++cell) {
    const study::CellMeasures& measures = (*shown)[cell].measures;
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
  tables->setSelected(selected, crossed, inClasses);
  shollChart->setSelected(std::move(crossed));
  histogramChart->setSelected(std::move(inClasses));
}

void MeasurePage::addPath(const MeasuredPath& path)
{
  std::vector<MeasuredPath> all = paths();
  all.push_back(path);
  tables->setPaths(std::move(all));
  emit questionsChanged();
}

void MeasurePage::setPaths(std::vector<MeasuredPath> paths)
{
  tables->setPaths(std::move(paths));
}

const std::vector<MeasuredPath>& MeasurePage::paths() const
{
  return tables->paths();
}

// ---- selected branches ----

void MeasurePage::pickThroughSpheres(const widgets::ProfileChart::Stretch& spheres, Qt::KeyboardModifiers modifiers)
{
  if (spheres.curve < shown->size())
    pick(spheres.curve, study::branchesThroughSpheres((*shown)[spheres.curve].measures, spheres.begin, spheres.end),
         modeOf(spheres, modifiers));
}

void MeasurePage::pickInClasses(const widgets::ProfileChart::Stretch& classes, Qt::KeyboardModifiers modifiers)
{
  if (classes.curve < shown->size())
    pick(classes.curve, study::branchesInClasses((*shown)[classes.curve].measures, counted, classes.begin, classes.end),
         modeOf(classes, modifiers));
}

void MeasurePage::pick(std::size_t cell, std::vector<std::int32_t> branches, widgets::PickMode how)
{
  BranchesOfCells ofCells(shown->size());
  ofCells[cell] = std::move(branches);
  emit branchesPicked(ofCells, how);
}

void MeasurePage::selectBranch(std::size_t cell, std::int32_t branch)
{
  BranchesOfCells ofCells(shown->size());
  if (branch >= 0 && cell < ofCells.size())
    ofCells[cell].push_back(branch);
  selectBranches(ofCells);
}

void MeasurePage::selectBranches(const BranchesOfCells& ofCells)
{
  selected = ofCells;
  selected.resize(shown->size());
  tree->selectAll(selected);
  refreshSelectedParts();
}

} // namespace hinesight::app
