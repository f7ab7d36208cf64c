#include "app/projection/projection_page.hpp"

#include "app/shell/bars/page_header.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "io/runs/history_records.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/picture_file.hpp"
#include "widgets/projection/circuit_map.hpp"
#include "widgets/projection/projection_charts.hpp"
#include "widgets/projection/projection_view.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

constexpr std::uint32_t kMatrixBins = 192;

/// "4 connections of 3 populations: 124,000 rows."
QString describeCircuit(const widgets::CircuitPicture& circuit)
{
  std::set<QString> all, unmade;
  double rows = 0;
  for (const widgets::CircuitPicture::Join& join : circuit.joins) {
    all.insert(join.connection);
    if (!join.rows)
      unmade.insert(join.connection);
    rows += join.rows.value_or(0);
  }
  const QString text =
      (all.size() == 1 ? ProjectionPage::tr("1 connection of %2 populations: %3 rows.")
                       : ProjectionPage::tr("%1 connections of %2 populations: %3 rows.").arg(all.size()))
          .arg(circuit.populations.size())
          .arg(widgets::formatNumber(rows));
  return unmade.empty() ? text + ProjectionPage::tr(" Click one to see it alone.")
                        : text + ProjectionPage::tr(" %1 not made yet: Make all makes them.").arg(unmade.size());
}

std::vector<std::uint32_t> neuronsIn(projection::IndexRange range)
{
  std::vector<std::uint32_t> neurons(static_cast<std::size_t>(range.size()));
  std::iota(neurons.begin(), neurons.end(), static_cast<std::uint32_t>(range.begin));
  return neurons;
}

std::pair<std::string, std::string> namesOf(const projection::WeightTable& table)
{
  return {table.projection.source->name(), table.projection.destination->name()};
}

} // namespace

QString describeTable(const projection::WeightTable& table)
{
  return ProjectionPage::tr("%1 %2, %3")
      .arg(widgets::formatNumber(static_cast<double>(table.rows())),
           table.rows() == 1 ? ProjectionPage::tr("row") : ProjectionPage::tr("rows"),
           QString::fromStdString(formatBytes(table.bytes())));
}

QString ProjectionPage::title()
{
  return tr("Projection");
}

ProjectionPage::ProjectionPage(QWidget* parent)
    : QWidget(parent), layers(new widgets::ProjectionView(this)), fanOut(new widgets::FanMap(tr("Fan-out"), this)),
      fanIn(new widgets::FanMap(tr("Fan-in"), this)), weights(new widgets::WeightChart(this)),
      matrix(new widgets::AdjacencyChart(this)), map(new widgets::CircuitMap(this)),
      question(new QuestionBar(QStringLiteral("question"), this))
{
  setObjectName(QStringLiteral("projectionPage"));
  fanOut->setObjectName(QStringLiteral("fanOutMap"));
  fanIn->setObjectName(QStringLiteral("fanInMap"));
  weights->setObjectName(QStringLiteral("weightChart"));
  matrix->setObjectName(QStringLiteral("adjacencyChart"));
  layers->timingCard()->setHistoryOf({}); // the whole run, not one of its stages

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addWidget(question);
  body = makeBody();
  column->addWidget(body, 1);
  column->addWidget(map, 1);
  map->hide();
  connect(question, &QuestionBar::agreed, this, [this] { emit sizeAgreed(askedRows); });
  connect(question, &QuestionBar::declined, this, &ProjectionPage::sizeDeclined);
  connect(matrix, &widgets::AdjacencyChart::partWanted, this, &ProjectionPage::countPart);
  connect(layers, &widgets::ProjectionView::sourcesChanged, this, &ProjectionPage::refreshHeader);
  connect(map, &widgets::CircuitMap::connectionChosen, this, [this](const QString& name) {
    setTogether(false);
    emit connectionPicked(name);
  });
  refreshHeader();
}

/// The layers above, the charts below.
QSplitter* ProjectionPage::makeBody()
{
  auto* charts = new QWidget;
  auto* row = new QHBoxLayout(charts);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(1);
  for (QWidget* chart : {static_cast<QWidget*>(fanOut), static_cast<QWidget*>(fanIn), static_cast<QWidget*>(weights),
                         static_cast<QWidget*>(matrix)})
    row->addWidget(chart, 1);
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setObjectName(QStringLiteral("projectionSplitter"));
  splitter->addWidget(layers);
  splitter->addWidget(charts);
  splitter->setSizes({450, 220});
  splitter->setStretchFactor(0, 2);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  return splitter;
}

PageHeader* ProjectionPage::makeHeader()
{
  togetherButton = makeHeaderButton("connectionsTogether", tr("Together"),
                                    tr("All connections of the circuit in one picture, or one of them alone"));
  togetherButton->setCheckable(true);
  makeAllButton = makeHeaderButton("makeTogether", tr("Make all"),
                                   tr("Make every connection, for its rows and the sum of its weights"));
  makeAllButton->hide();
  clearButton = makeHeaderButton("clearSources", tr("Clear sources"),
                                 tr("Choose no source; a click on the upper layer adds one"));
  exportButton = makeHeaderButton("projectionExport", tr("Export…"), tr("Write every row of the table to a file"));
  saveButton = makeHeaderButton("projectionSave", tr("Picture…"),
                                tr("Make a figure of this page: PNG, SVG or PDF (Ctrl+Shift+E)"));
  connect(togetherButton, &QPushButton::toggled, this, [this](bool together) {
    body->setVisible(!together);
    map->setVisible(together);
    makeAllButton->setVisible(together);
    refreshHeader();
    if (together)
      emit togetherShown();
  });
  connect(makeAllButton, &QPushButton::clicked, this, &ProjectionPage::makeAllWanted);
  connect(exportButton, &QPushButton::clicked, this, &ProjectionPage::exportRequested);
  connect(clearButton, &QPushButton::clicked, this, [this] {
    layers->setSources({});
    layers->setPicked({}, layers->picked(false));
    takePicked();
    refreshHeader();
  });
  connect(saveButton, &QPushButton::clicked, this, &ProjectionPage::saveRequested);
  header = new PageHeader(title(), "projectionHeadline",
                          {togetherButton, makeAllButton, clearButton, exportButton, saveButton}, this);
  return header;
}

void ProjectionPage::setOutcome(const ProjectionOutcome& outcome)
{
  shown = outcome;
  showOutcome();
  layers->timingCard()->addRun(shown.timings,
                               {.of = io::comparedAs(io::recordOf(*shown.table, shown.file, shown.timings))});
}

void ProjectionPage::showAgain(const ProjectionOutcome& outcome)
{
  shown = outcome;
  showOutcome();
  layers->timingCard()->showAgain(shown.timings,
                                  {.of = io::comparedAs(io::recordOf(*shown.table, shown.file, shown.timings))});
}

void ProjectionPage::setRenamed(const ProjectionOutcome& outcome)
{
  shown = outcome;
  showOutcome(true);
}

void ProjectionPage::showOutcome(bool areSameNeurons)
{
  const projection::WeightTable* const before = layers->table();
  const bool areOthers = !areSameNeurons && (!before || namesOf(*before) != namesOf(*shown.table));
  // The cut of a table with invented positions lies nowhere.
  layers->setTable(shown.table, shown.summary, shown.hasParameters && shown.positionsAreKnown);
  if (before && areOthers)
    layers->chooseFirstSources(); // numbers of before are those of other neurons
  hiddenThere.forget();
  showPicked(areOthers);
  fanOut->setPicture(shown.fanOut);
  fanIn->setPicture(shown.fanIn);
  const projection::ProjectionParameters& parameters = shown.table->projection.parameters;
  const bool hasCut = shown.hasParameters && parameters.rule == projection::ConnectionRule::Weighted;
  weights->setHistogram(shown.summary->weights, hasCut ? parameters.cut : 0);
  counting.restart(); // what is being counted is of the old table
  placeCells();
  matrix->setWhole(shown.summary->adjacency);
  layers->timingCard()->setNote(describeTable(*shown.table));
  refreshHeader();
  network.reset();
  emit networkChanged();
}

/// A population that goes to itself is there once.
SharedNetwork ProjectionPage::networkShown() const
{
  if (network || !shown.table)
    return network;
  const projection::Projection& joins = shown.table->projection;
  auto made = std::make_shared<selection::NetworkTable>();
  made->addPopulation(joins.source->name(), joins.source->count());
  if (joins.destination->name() != joins.source->name()) {
    made->firstTarget = made->neurons();
    made->addPopulation(joins.destination->name(), joins.destination->count());
  }
  const std::size_t firstTarget = made->firstTarget;
  if (shown.positionsAreKnown)
    made->position = [source = joins.source, target = joins.destination, firstTarget](std::size_t neuron) {
      return firstTarget == 0 || neuron < firstTarget ? source->position(neuron)
                                                      : target->position(neuron - firstTarget);
    };
  made->connection = connection.toStdString();
  made->offsets = shown.table->offsets;
  made->target = shown.table->destination.span();
  made->weight = [table = shown.table](std::size_t row) { return static_cast<double>(table->weight[row]); };
  made->delay = [table = shown.table](std::size_t row) {
    return static_cast<double>(table->delayOf(static_cast<std::uint64_t>(row)));
  };
  made->kept = shown.table;
  network = std::move(made);
  return network;
}

void ProjectionPage::setSelection(NeuronSelection* selection)
{
  ofCircuit = selection;
  connect(layers, &widgets::ProjectionView::pickedChanged, this, &ProjectionPage::takePicked);
  connect(layers, &widgets::ProjectionView::areaPicked, this, &ProjectionPage::pickAll);
  connect(matrix, &widgets::AdjacencyChart::sourcesPicked, this,
          [this](projection::IndexRange rows, widgets::PickMode how) { pickAll(neuronsIn(rows), {}, how); });
  connect(matrix, &widgets::AdjacencyChart::destinationsPicked, this,
          [this](projection::IndexRange columns, widgets::PickMode how) { pickAll({}, neuronsIn(columns), how); });
  connect(ofCircuit, &NeuronSelection::changed, this, [this] {
    if (!isPicking)
      showPicked(true);
  });
}

/// By a person, here. Where both layers are one population, that one counts which changed.
void ProjectionPage::takePicked()
{
  if (!ofCircuit || !shown.table)
    return;
  const projection::Projection& joins = shown.table->projection;
  std::vector<CircuitNeuron> picked;
  const auto add = [&](bool isSource) {
    const auto& population = isSource ? joins.source : joins.destination;
    for (const std::uint32_t neuron : layers->picked(isSource))
      picked.push_back({population->name(), neuron});
  };
  const bool isOne = joins.source->name() == joins.destination->name();
  const bool areSources = layers->picked(true) != ofCircuit->of(joins.source->name(), joins.source->count());
  if (!isOne || areSources)
    add(true);
  if (!isOne || !areSources)
    add(false);
  const QScopedValueRollback guard(isPicking, true);
  ofCircuit->pick(picked);
  showPicked(false);
}

/// Several at once.
void ProjectionPage::pickAll(const std::vector<std::uint32_t>& sources, const std::vector<std::uint32_t>& destinations,
                             widgets::PickMode how)
{
  if (!ofCircuit || !shown.table)
    return;
  NeuronSet picked;
  picked.add(shown.table->projection.source->name(), sources);
  picked.add(shown.table->projection.destination->name(), destinations);
  ofCircuit->pick(picked, how);
}

/// Sources that are picked no more, or are hidden, go.
void ProjectionPage::showPicked(bool isOfOthers)
{
  if (!ofCircuit || !shown.table)
    return;
  const auto pickedOf = [this](const projection::Population& population) {
    return ofCircuit->of(population.name(), population.count());
  };
  takeHidden();
  const NeuronSet::Numbers& hidden = ofCircuit->hidden().of(shown.table->projection.source->name());
  const std::vector<std::uint32_t> picked = pickedOf(*shown.table->projection.source);
  const auto isIn = [](const std::vector<std::uint32_t>& all, std::uint32_t neuron) {
    return std::ranges::find(all, neuron) != all.end();
  };
  const std::vector<std::uint32_t> before = layers->sources();
  std::vector<std::uint32_t> sources = before;
  if (isOfOthers && !picked.empty())
    sources.clear();
  std::erase_if(sources,
                [&](std::uint32_t source) { return isIn(layers->picked(true), source) && !isIn(picked, source); });
  std::erase_if(sources, [&](std::uint32_t source) { return std::ranges::binary_search(hidden, source); });
  const auto newest = std::span(picked).last(std::min(picked.size(), widgets::kMostSources));
  std::ranges::copy_if(newest, std::back_inserter(sources),
                       [&](std::uint32_t neuron) { return !isIn(sources, neuron); });
  if (sources.empty() && !before.empty() && isOfOthers)
    layers->chooseFirstSources();
  else if (sources != before)
    layers->setSources(sources);
  layers->setPicked(picked, pickedOf(*shown.table->projection.destination));
  matrix->setMarked(layers->picked(true), layers->picked(false));
  refreshHeader();
}

void ProjectionPage::takeHidden()
{
  if (!hiddenThere.take(ofCircuit->hidden()))
    return;
  const auto hiddenOf = [this](const projection::Population& population) {
    return firstOf(ofCircuit->hidden(), population.name(), population.count());
  };
  layers->setHidden(hiddenOf(*shown.table->projection.source), hiddenOf(*shown.table->projection.destination));
}

void ProjectionPage::setConnection(const QString& name)
{
  if (std::exchange(connection, name) == name)
    return;
  refreshHeader();
  network.reset();
  emit networkChanged();
}

void ProjectionPage::setCircuit(widgets::CircuitPicture picture)
{
  map->setPicture(std::move(picture));
  refreshHeader();
}

void ProjectionPage::setTogether(bool isTogether)
{
  togetherButton->setChecked(isTogether);
}

void ProjectionPage::awaitArea(std::optional<widgets::AreaShape> shape)
{
  if (shape)
    setTogether(false);
  layers->awaitArea(shape);
}

bool ProjectionPage::isTogether() const
{
  return togetherButton->isChecked();
}

void ProjectionPage::ask(const study::SizeQuestion& asked)
{
  const QString rows = widgets::formatNumber(static_cast<double>(asked.rows));
  const QString bytes = QString::fromStdString(formatBytes(asked.bytes));
  askedRows = asked.rows;
  const QString sentence =
      asked.lacksCut
          ? (asked.isCounted ? tr("Without a weight threshold the table has %1 rows (%2).")
                             : tr("Without a weight threshold each of the %1 pairs may have a row (up to %2)."))
          : (asked.isCounted ? tr("The table has %1 rows (%2).") : tr("All of the %1 pairs have a row (%2)."));
  const QString size = sentence.arg(rows, bytes);
  const QString free = QString::fromStdString(formatBytes(availableMemoryBytes()));
  const QString instead =
      asked.lacksCut ? tr("choose a weight threshold") : tr("choose a higher weight threshold or smaller populations");
  question->ask({asked.fitsMemory
                     ? tr("%1 Make it anyway?").arg(size)
                     : tr("%1 That is more than the %2 of main memory that are free; %3.").arg(size, free, instead),
                 tr("Run anyway"), tr("Make the table although it is that large"), tr("Cancel"),
                 tr("Keep the table that is shown, and go back to its parameters"), asked.fitsMemory});
}

bool ProjectionPage::isAsking() const
{
  return !question->isHidden();
}

void ProjectionPage::dropQuestion()
{
  question->hide();
}

void ProjectionPage::takeProgress(const QString& stage, double fraction)
{
  layers->timingCard()->setProgress(stage, fraction);
}

void ProjectionPage::takeEnd()
{
  layers->timingCard()->setProgress({}, -1);
}

double ProjectionPage::lastMilliseconds() const
{
  return shown.table && shown.file.empty() ? shown.timings.total() : std::numeric_limits<double>::infinity();
}

void ProjectionPage::setTimingsShown(bool timingsShown)
{
  layers->setTimingsShown(timingsShown);
}

/// Counts the part of the matrix that the chart wants; a newer wish ends an older one. The chart keeps the coarser
/// bins that it has where there is no memory.
void ProjectionPage::countPart()
{
  counting.restart([this, table = shown.table, sources = matrix->wantedSources(),
                    destinations = matrix->wantedDestinations()](const RunControl& control) {
    auto bins = std::make_shared<const projection::AdjacencyBins>(
        projection::binAdjacency(*table, sources, destinations, kMatrixBins, 0, control));
    return [this, bins] { matrix->setPart(*bins); };
  });
}

void ProjectionPage::setCells(const CellsOfLayer& sources, const CellsOfLayer& destinations)
{
  std::array next = {sources, destinations};
  if (std::exchange(cells, std::move(next)) != cells)
    placeCells();
}

/// The cells of layers that are others by then are not drawn.
void ProjectionPage::placeCells()
{
  if (!shown.table || (cells[0].pool.empty() && cells[1].pool.empty() && !layers->cells(true) && !layers->cells(false)))
    return placing.restart();
  placing.restart([this, wanted = cells, projection = shown.table->projection](const RunControl& control) {
    const auto linesOf = [&](const CellsOfLayer& layer, const projection::Population& neurons) {
      return layer.pool.empty() ? nullptr
                                : std::make_shared<const widgets::PlacedCellLines>(widgets::placedCellLines(
                                      layer.population, neurons, layer.pool, widgets::kMostCellLines, control));
    };
    return [this, source = linesOf(wanted[0], *projection.source),
            destination = linesOf(wanted[1], *projection.destination)] { layers->setCells(source, destination); };
  });
}

void ProjectionPage::settle()
{
  counting.wait();
  placing.wait();
}

void ProjectionPage::savePicture(const QString& path)
{
  settle();
  if (!isTogether())
    layers->grabPicture(); // the canvas must have drawn before its parent is grabbed
  widgets::writePicture(widgets::pixelsOf(*this), path);
}

widgets::Figure ProjectionPage::figure()
{
  return widgets::figureOf(*this, [this] { settle(); });
}

void ProjectionPage::refreshHeader()
{
  const bool together = isTogether();
  for (QPushButton* ofOne : {clearButton, exportButton})
    ofOne->setVisible(!together);
  clearButton->setEnabled(!together && !layers->sources().empty());
  saveButton->setEnabled(together || shown.table != nullptr);
  exportButton->setEnabled(!together && shown.table != nullptr);
  header->setHeadline(together ? describeCircuit(map->picture()) : headlineOfTable());
}

QString ProjectionPage::headlineOfTable() const
{
  if (!shown.table)
    return tr("No weight table to show yet.");
  const projection::Projection& projection = shown.table->projection;
  const QString ends = tr("%1 \u2192 %2")
                           .arg(widgets::shortened(QString::fromStdString(projection.source->name())),
                                widgets::shortened(QString::fromStdString(projection.destination->name())));
  const QString table = describeTable(*shown.table);
  const QString file = QFileInfo(QString::fromStdString(shown.file)).fileName();
  QString text = connection.isEmpty() ? tr("%1: %2.").arg(ends, table)
                 : file.isEmpty()     ? tr("%1: %2, %3.").arg(widgets::shortened(connection), ends, table)
                                      : tr("%1: %2, %3, of %4.").arg(widgets::shortened(connection), ends, table, file);
  if (connection.isEmpty() && !file.isEmpty())
    text = tr("%1: %2").arg(file, text);
  if (!shown.positionsAreKnown)
    text += tr(" The file does not hold the positions of its neurons: they are drawn in rows.");
  for (const std::string& warning : shown.table->warnings)
    text += QLatin1Char(' ') + QString::fromStdString(warning);
  text += tr(" Click the upper layer to add a source.");
  return shown.table->warnings.empty() ? text : QStringLiteral("\u26a0 ") + text;
}

} // namespace hinesight::app
