#include "app/simulation/simulation_page.hpp"

#include "app/selection/neuron_selection.hpp"
#include "app/shell/bars/page_header.hpp"
#include "app/simulation/play_bar.hpp"
#include "app/simulation/simulation_charts.hpp"
#include "app/simulation/simulation_welcome.hpp"
#include "io/runs/history_records.hpp"
#include "study/simulation/simulated_network.hpp"
#include "study/simulation/trace_export.hpp"
#include "widgets/picture_file.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"
#include "widgets/simulation/trace_chart.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kGap = 1;
constexpr int kFrameInterval = 25;      // ms
constexpr double kMostInterval = 100;   // ms from one frame to the next, however long it takes to draw one
constexpr double kDrawingsToNext = 6;   // times that a frame took, until the next one, beside a run that is behind
constexpr double kChartsInterval = 100; // ms
constexpr double kTimerTolerance = kFrameInterval / 2.0;
constexpr double kMore = 100;      // ms
constexpr int kNarrow = 760;       // pixels, below which charts stand under the cells
constexpr int kLeastOfCells = 220; // pixels that charts under the cells leave them

/// Whether what is selected of one is the same of the other.
bool haveSameNeurons(const study::SimulationModel& a, const study::SimulationModel& b)
{
  const auto areSame = [](const study::SimulatedPopulation& left, const study::SimulatedPopulation& right) {
    return left.name == right.name && left.ids == right.ids;
  };
  return a.request.file == b.request.file && std::ranges::equal(a.circuit.populations, b.circuit.populations, areSame);
}

QString count(double number)
{
  return widgets::formatNumber(number);
}

} // namespace

QString SimulationPage::title()
{
  return tr("Simulation");
}

SimulationPage::SimulationPage(Jobs* jobs, QWidget* parent)
    : QWidget(parent), runner(jobs), ofFiles(std::make_unique<NeuronSelection>()),
      cells(new widgets::VoltageView(this)), timeAxis(new widgets::TimeAxis(this)),
      traceChart(new widgets::TraceChart(timeAxis, this)), rasterChart(new widgets::RasterChart(timeAxis, this)),
      rateChart(new widgets::RateChart(rasterChart, timeAxis, this)), timings(cells->timingCard())
{
  setObjectName(QStringLiteral("simulationPage"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  stack = new QStackedLayout;
  stack->addWidget(makeWelcome());
  stack->addWidget(makeBody());
  column->addLayout(stack, 1);
  clock.setInterval(kFrameInterval);
  clock.setTimerType(Qt::PreciseTimer);
  connect(&clock, &QTimer::timeout, this, &SimulationPage::showNewest);
  connectRunner();
  connect(cells, &widgets::VoltageView::placePicked, this, &SimulationPage::addPlace);
  connect(cells, &widgets::VoltageView::cellPicked, this, [this](std::optional<std::uint32_t> cell) {
    select(cell ? std::vector{*cell} : std::vector<std::uint32_t>{});
  });
  connect(cells, &widgets::VoltageView::painted, this, [this] { ++shownFrames; });
  connect(rasterChart, &widgets::RasterChart::neuronPicked, this, &SimulationPage::takePickedRow);
  connect(rasterChart, &widgets::RasterChart::neuronsPicked, this, &SimulationPage::takeSeveral);
  connect(cells, &widgets::VoltageView::cellsPicked, this, &SimulationPage::takeSeveral);
  connect(timeAxis, &widgets::TimeAxis::cursorMoved, this, &SimulationPage::showAt);
  connect(ofFiles.get(), &NeuronSelection::changed, this, &SimulationPage::takePicked);
  refresh();
}

SimulationPage::~SimulationPage() = default;

// ---- construction ----

PageHeader* SimulationPage::makeHeader()
{
  runButton = makeHeaderButton("simulationRun", tr("Run"),
                               tr("Run the model to the end that its files say, or until it is paused (F5)"));
  stepButton = makeHeaderButton("simulationStep", tr("Step"), tr("One step of the method further"));
  moreButton = makeHeaderButton("simulationMore", tr("+100 ms"), tr("Run 100 ms of simulated time more"));
  resetButton = makeHeaderButton("simulationReset", tr("Reset"), tr("Go back to 0 ms; places and factors stay"));
  openButton = makeHeaderButton("simulationOpen", tr("Open…"),
                                tr("Open a fit of a cell (*_fit.json) with its SWC file beside "
                                   "it, a cell of Arbor (*.acc), or a SONATA simulation configuration"));
  circuitButton = makeHeaderButton("simulationCircuit", tr("Circuit"),
                                   tr("Simulate the populations and connections of the session; times in ms"));
  exportButton = makeHeaderButton("simulationExport", tr("Export…"),
                                  tr("Write spikes (SONATA, CSV; times in ms), traces (CSV, NumPy; mV), the changes "
                                     "that were made, or the charts to a file"));
  saveButton = makeHeaderButton("simulationSave", tr("Figure…"),
                                tr("Make a figure of the cells as they are seen: PNG, SVG or PDF (Ctrl+Shift+E)"));
  runButton->setText(tr("Pause")); // the longer one: the others keep their places
  runButton->setMinimumWidth(runButton->sizeHint().width());
  connect(runButton, &QPushButton::clicked, this, &SimulationPage::toggle);
  connect(stepButton, &QPushButton::clicked, this, &SimulationPage::step);
  connect(moreButton, &QPushButton::clicked, this, &SimulationPage::runMore);
  connect(resetButton, &QPushButton::clicked, this, &SimulationPage::reset);
  connect(openButton, &QPushButton::clicked, this, &SimulationPage::openRequested);
  connect(circuitButton, &QPushButton::clicked, this, &SimulationPage::circuitRequested);
  connect(exportButton, &QPushButton::clicked, this, &SimulationPage::exportRequested);
  connect(saveButton, &QPushButton::clicked, this, &SimulationPage::saveRequested);
  const std::vector<QPushButton*> buttons = {runButton,  stepButton,    moreButton,   resetButton,
                                             openButton, circuitButton, exportButton, saveButton};
  for (QPushButton* button : buttons) // so that a row has room for all beside two docks
    button->setStyleSheet(QStringLiteral("QPushButton { padding: 5px 8px; }"));
  header = new PageHeader(title(), "simulationHeadline", buttons, this);
  return header;
}

QWidget* SimulationPage::makeWelcome()
{
  auto* welcome = new SimulationWelcome(openButton->toolTip(), circuitButton->toolTip());
  connect(welcome, &SimulationWelcome::openRequested, this, &SimulationPage::openRequested);
  connect(welcome, &SimulationWelcome::circuitRequested, this, &SimulationPage::circuitRequested);
  connect(welcome, &SimulationWelcome::sampleRequested, this, &SimulationPage::sampleRequested);
  return welcome;
}

QWidget* SimulationPage::makeBody()
{
  auto* left = new QWidget;
  auto* leftColumn = new QVBoxLayout(left);
  leftColumn->setContentsMargins(0, 0, 0, 0);
  leftColumn->setSpacing(0);
  leftColumn->addWidget(cells, 1);
  leftColumn->addWidget(makePlayBar());
  body = new QSplitter(Qt::Horizontal);
  body->setObjectName(QStringLiteral("simulationBody"));
  body->setChildrenCollapsible(false);
  body->setHandleWidth(kGap + 2);
  body->addWidget(left);
  charts = new SimulationCharts(traceChart, rasterChart, rateChart);
  connect(charts, &SimulationCharts::chosen, this, &SimulationPage::fitCharts);
  body->addWidget(charts);
  body->setStretchFactor(0, 5);
  body->setStretchFactor(1, 4);
  body->installEventFilter(this);
  return body;
}

/// Point neurons alone have no potentials.
void SimulationPage::fitCharts()
{
  const bool isVertical = body->orientation() == Qt::Vertical;
  const int room = body->height() - (isVertical ? kLeastOfCells : 0);
  const bool hasOtherTabs = charts->fit(room, !shown || shown->circuit.network.cells() > 0);
  if (hasOtherTabs && isVertical)
    shareRoom();
}

/// Between cells and charts.
void SimulationPage::shareRoom()
{
  const bool isVertical = body->orientation() == Qt::Vertical;
  const int shareOfCells = isVertical ? 45 : 55; // per cent
  const int room = isVertical ? body->height() : body->width();
  body->setSizes({room * shareOfCells / 100, room * (100 - shareOfCells) / 100});
}

QWidget* SimulationPage::makePlayBar()
{
  playBar = new PlayBar;
  runner.setSpeed(playBar->speed());
  connect(playBar, &PlayBar::looked, this, [this](std::optional<double> share) {
    if (ring.size() == 0)
      return;
    const double first = ring[0]->time;
    const double last = ring[ring.size() - 1]->time;
    showAt(share ? std::optional(first + (last - first) * *share) : std::nullopt);
  });
  connect(playBar, &PlayBar::speedChanged, this, [this](double speed) {
    runner.setSpeed(speed);
    emit changed();
  });
  connect(playBar, &PlayBar::movieRequested, this, &SimulationPage::movieRequested);
  return playBar;
}

void SimulationPage::connectRunner()
{
  connect(&runner, &SimulationRunner::opened, this, &SimulationPage::takeModel);
  connect(&runner, &SimulationRunner::advanced, this, &SimulationPage::takeStretch);
  connect(&runner, &SimulationRunner::filled, this,
          [this](std::size_t probe, std::int64_t from, const std::vector<float>& values) {
            for (std::size_t line = 0; line < probeOfLine.size(); ++line)
              if (probeOfLine[line] == probe)
                traceChart->lines()[line].trace.appendPast(from, values);
            if (!clock.isActive())
              showCharts();
          });
  connect(&runner, &SimulationRunner::changed, this, [this](const study::LiveChange& change) {
    made.push_back(change);
    showMarks();
  });
  connect(&runner, &SimulationRunner::refused, this,
          [this](const Error& error) { emit failed(QString::fromUtf8(error.what())); });
  connect(&runner, &SimulationRunner::failed, this, [this](const Error& error) {
    stoppedBecause = QString::fromUtf8(error.what());
    emit failed(stoppedBecause);
  });
  connect(&runner, &SimulationRunner::stopped, this, [this] {
    clock.stop();
    cells->setMoving(false);
    isNewFrame = true;
    showNewest();
    showCharts();
    timeAxis->setRunning(false);
    tellOfRun();
    refresh();
    emit networkChanged();
  });
}

// ---- a model ----

void SimulationPage::open(const study::SimulationRequest& request, const model::Project& project)
{
  runner.open(request, project);
}

void SimulationPage::takeModel(std::shared_ptr<const study::SimulationModel> model)
{
  runner.reset(); // what ran is told of the model that it was of
  const auto before = std::exchange(shown, std::move(model));
  runner.setModel(shown);
  wanted = shown->request.run;
  made.clear();
  ofLines.clear();
  probeOfLine.clear();
  traceChart->lines().clear();
  numbered = SimulatedNeurons(shown);
  rasterChart->setGroups(groupsOfModel());
  charts->choosePotentials(shown->isSingleCell);
  fitCharts();
  cells->setModel(shown);
  selected.clear();
  hiddenThere.forget();
  network.reset();
  if (before && haveSameNeurons(*before, *shown))
    takePicked();
  else
    ofFiles->forget();
  shownFrames = 0;
  timeAxis->setEnd(shown->hasStop ? std::optional(shown->stop) : std::nullopt);
  timeAxis->showUsual();
  forget();
  showMarks();
  if (shown->circuit.network.cells() > 0)
    addPlace({0, shown->circuit.network.detectors[0].node});
  stack->setCurrentIndex(1);
  refresh();
  emit opened();
  emit networkChanged();
}

std::vector<widgets::NeuronGroup> SimulationPage::groupsOfModel() const
{
  std::vector<widgets::NeuronGroup> groups;
  for (std::size_t p = 0; p < shown->circuit.populations.size(); ++p) {
    const std::string& name = shown->populationName(p);
    widgets::NeuronGroup group{shown->isSingleCell ? tr("soma") : QString::fromStdString(name), {}};
    group.neurons = numbered.ofPopulation(p);
    for (const std::uint32_t neuron : group.neurons)
      group.numbers.push_back(numbered.numberOf(neuron));
    if (populationColor && shown->isOfProject())
      group.color = populationColor(name);
    if (!group.neurons.empty())
      groups.push_back(std::move(group));
  }
  return groups;
}

void SimulationPage::renamePopulations(const std::vector<std::string>& names)
{
  *shown->names = names;
  hiddenThere.forget();
  network.reset();
  const std::vector<simulation::Spike> spikes = rasterChart->store().spikes();
  rasterChart->setGroups(groupsOfModel()); // forgets the spikes
  rasterChart->store().append(spikes);
  rasterChart->setSelected(selected);
  rateChart->update();
  for (std::size_t line = 0; line < ofLines.size(); ++line)
    traceChart->lines()[line].name = nameOf(ofLines[line]);
  removePlace(ofLines.size()); // none: gives all their names
  takePicked();
  emit networkChanged();
}

void SimulationPage::setParameters(const simulation::SimulationParameters& parameters)
{
  wanted = parameters;
  if (!isBegun()) {
    ofRun = wanted;
    emptyTraces();
  }
  refresh();
}

void SimulationPage::startAnew(const simulation::SimulationParameters& parameters)
{
  const bool ran = runner.isRunning();
  wanted = parameters;
  reset();
  if (ran)
    toggle();
}

/// Traces have a value each step of the run, of which there is none yet.
void SimulationPage::emptyTraces()
{
  for (auto& line : traceChart->lines())
    line.trace = study::Trace(ofRun.timeStep);
}

/// What is shown of the run; it begins at 0 again.
void SimulationPage::forget()
{
  ofRun = wanted;
  reached = 0;
  network.reset();
  stoppedBecause.clear();
  ring.clear();
  rasterChart->store().clear();
  emptyTraces();
  looked.reset();
  timings.begin(shown->title);
  cells->setMoving(false);
  cells->setFrame(nullptr);
  timeAxis->restart();
}

void SimulationPage::reset()
{
  if (!shown)
    return;
  static const study::LiveFactors kUsual;
  const study::LiveFactors factors = made.empty() ? kUsual : made.back().factors;
  // Places whose traces were closed are not recorded again.
  runner.clearProbes();
  runner.reset();
  for (std::size_t line = 0; line < ofLines.size(); ++line)
    probeOfLine[line] = runner.addProbe({ofLines[line].cell, ofLines[line].node});
  clock.stop();
  made.clear();
  if (factors != kUsual)
    runner.adjust(factors); // from the beginning on
  forget();
  showMarks();
  refresh();
  emit networkChanged();
}

// ---- runs ----

void SimulationPage::toggle()
{
  if (runner.isRunning() && clock.isActive())
    return runner.pause();
  if (!shown || !stoppedBecause.isEmpty())
    return;
  const bool isBeforeEnd = shown->hasStop && reached < shown->stop - ofRun.timeStep / 2;
  play(isBeforeEnd ? std::optional(shown->stop) : std::nullopt);
}

/// None: until it is paused.
void SimulationPage::play(std::optional<double> until)
{
  runner.setParameters(ofRun);
  showAt(std::nullopt);
  runner.run(until);
  clock.start();
  cells->setMoving(true);
  timeAxis->setRunning(true);
  refresh();
}

void SimulationPage::step()
{
  if (!shown || !stoppedBecause.isEmpty())
    return;
  runner.setParameters(ofRun);
  showAt(std::nullopt);
  runner.run(reached + ofRun.timeStep);
  refresh();
}

void SimulationPage::runMore()
{
  if (!shown || !stoppedBecause.isEmpty())
    return;
  play(reached + kMore);
}

void SimulationPage::adjust(const study::LiveFactors& factors)
{
  runner.adjust(factors);
}

void SimulationPage::takeStretch(const SimulationStretch& stretch)
{
  reached = stretch.time;
  network.reset();
  for (const study::SharedFrame& frame : stretch.frames)
    ring.push(frame);
  isNewFrame = true;
  isBehind = stretch.isBehind;
  rasterChart->store().append(stretch.spikes);
  for (std::size_t line = 0; line < probeOfLine.size(); ++line) {
    const std::size_t probe = probeOfLine[line];
    if (probe >= stretch.records.size())
      continue;
    const std::vector<float>& values = stretch.records[probe];
    study::Trace& trace = traceChart->lines()[line].trace;
    const std::int64_t first = stretch.step - static_cast<std::int64_t>(values.size()) + 1;
    trace.append(first, values);
  }
  timings.add(stretch);
  if (!clock.isActive()) {
    showNewest();
    showCharts();
    refresh();
  }
}

void SimulationPage::tellOfRun()
{
  const SimulationWork done = timings.endPiece();
  if (done.milliseconds <= 0)
    return;
  io::SimulatedNetwork simulated{.source = shown->title,
                                 .files = {},
                                 .cells = shown->circuit.network.cells(),
                                 .compartments = shown->compartments(),
                                 .milliseconds = toMicroseconds(done.milliseconds)};
  for (const std::string& file : {shown->request.file, shown->request.morphology})
    if (!file.empty() && !file.starts_with(':'))
      simulated.files.push_back(file);
  std::vector<Setting> more;
  if (shown->isSingleCell)
    more = settingsOf(fieldsOf(shown->request.current));
  const StageTimings stages = done.stages();
  emit told(tr("Simulation: %1 ms, %2: %3")
                .arg(count(simulated.milliseconds), ofRun.backend == Backend::Cuda ? tr("CUDA") : tr("CPU"),
                     widgets::formatMilliseconds(stages.total())));
  emit ran(io::recordOfSimulation(simulated, ofRun, more, stages.total(), stages));
}

// ---- what is seen ----

/// A frame that takes long to draw leaves the processors to a run that wants all of them.
double SimulationPage::frameInterval() const
{
  const double yielding = isBehind ? kDrawingsToNext * cells->frameMilliseconds() : 0;
  return std::clamp<double>(yielding, kFrameInterval, kMostInterval);
}

/// Charts come less often than frames.
void SimulationPage::showNewest()
{
  const bool runs = clock.isActive();
  if (!isNewFrame || ring.size() == 0 || (runs && sinceFrame.elapsed() < frameInterval() - kTimerTolerance))
    return;
  isNewFrame = false;
  sinceFrame = {};
  if (!looked)
    cells->setFrame(ring[ring.size() - 1]);
  if (runs && sinceCharts.elapsed() >= kChartsInterval - kTimerTolerance) {
    sinceCharts = {};
    showCharts();
    refresh();
  }
}

void SimulationPage::showCharts()
{
  timeAxis->setNow(reached);
}

/// None: the newest.
void SimulationPage::showAt(std::optional<double> time)
{
  looked = ring.size() > 0 ? time : std::nullopt;
  timeAxis->setCursor(looked);
  if (ring.size() > 0)
    cells->setFrame(looked ? ring[ring.indexAt(*looked)] : ring[ring.size() - 1]);
  playBar->setFrames(ring, looked);
}

void SimulationPage::showMarks()
{
  std::vector<widgets::TimeMark> marks;
  study::LiveFactors before;
  for (const study::LiveChange& change : made) {
    marks.push_back({change.time, widgets::inText(study::describeChange(before, change.factors))});
    before = change.factors;
  }
  timeAxis->setMarks(std::move(marks));
  emit changesChanged();
}

void SimulationPage::addPlace(const widgets::CellNode& place)
{
  if (std::ranges::find(ofLines, place) != ofLines.end())
    return;
  ofLines.push_back(place);
  probeOfLine.push_back(runner.addProbe({place.cell, place.node}));
  traceChart->lines().push_back({nameOf(place), {}, study::Trace(ofRun.timeStep)});
  removePlace(ofLines.size()); // none: gives all their colours
}

/// One more is taken out where it is selected already.
void SimulationPage::takePickedRow(std::uint32_t neuron, bool adds)
{
  std::vector<std::uint32_t> next = adds ? selected : std::vector<std::uint32_t>{};
  const bool isOut = std::erase(next, neuron) > 0;
  if (!isOut)
    next.push_back(neuron);
  select(next);
  if (!isOut)
    traceSoma(neuron);
}

void SimulationPage::takeSeveral(const std::vector<std::uint32_t>& several, widgets::PickMode how)
{
  neurons()->pick(numbered.named(several), how);
}

/// Of a neuron that was chosen by its spikes; what has no potential is said.
void SimulationPage::traceSoma(std::uint32_t neuron)
{
  if (neuron < shown->circuit.network.cells())
    return addPlace({neuron, shown->circuit.network.detectors[neuron].node});
  emit told(tr("%1 is a point neuron: it has no membrane potential, so there is no trace of it; its spikes are marked.")
                .arg(QString::fromStdString(shown->nameOf(neuron))));
}

QString SimulationPage::nameOf(const widgets::CellNode& place) const
{
  const cell::CellModel& model = *shown->circuit.network.models[shown->circuit.network.modelOf[place.cell]];
  const QString name = QString::fromStdString(study::placeName(model, place.node));
  return shown->isSingleCell ? name : QString::fromStdString(shown->nameOf(place.cell)) + QStringLiteral(", ") + name;
}

/// Its probe stays until the next run.
void SimulationPage::removePlace(std::size_t line)
{
  if (line < ofLines.size()) {
    const auto at = static_cast<std::ptrdiff_t>(line);
    ofLines.erase(ofLines.begin() + at);
    probeOfLine.erase(probeOfLine.begin() + at);
    traceChart->lines().erase(traceChart->lines().begin() + at);
  }
  std::vector<widgets::VoltageView::Mark> marks;
  for (std::size_t k = 0; k < ofLines.size(); ++k) {
    const QColor color = widgets::placeColor(k);
    traceChart->lines()[k].color = color;
    marks.push_back({ofLines[k], color, traceChart->lines()[k].name});
  }
  cells->setMarks(marks);
  traceChart->update();
  refresh();
}

void SimulationPage::setSelection(NeuronSelection* selection)
{
  ofCircuit = selection;
  connect(ofCircuit, &NeuronSelection::changed, this, &SimulationPage::takePicked);
}

NeuronSelection* SimulationPage::neurons() const
{
  return ofCircuit && shown && shown->isOfProject() ? ofCircuit : ofFiles.get();
}

void SimulationPage::select(const std::vector<std::uint32_t>& several)
{
  std::vector<CircuitNeuron> picked;
  for (const std::uint32_t neuron : several)
    picked.push_back(numbered.named(neuron));
  neurons()->pick(picked);
}

/// Of what is simulated. Cells that are hidden are not drawn; their spikes are seen.
void SimulationPage::takePicked()
{
  if (!shown)
    return;
  const NeuronSet& hidden = neurons()->hidden();
  if (hiddenThere.take(hidden))
    cells->setHiddenCells(numbered.findCells(hidden));
  std::vector<std::uint32_t> next = numbered.find(neurons()->neurons(), hidden);
  if (next == selected)
    return;
  selected = std::move(next);
  cells->setSelectedCells(selected);
  rasterChart->setSelected(selected);
  emit selectionChanged();
}

std::shared_ptr<const selection::NetworkTable> SimulationPage::networkShown() const
{
  if (!network && shown)
    network = std::make_shared<const selection::NetworkTable>(
        study::networkOf(shown, rasterChart->store().spikes(), reached));
  return network;
}

void SimulationPage::setSpeed(double millisecondsPerSecond)
{
  playBar->setSpeed(millisecondsPerSecond);
  runner.setSpeed(millisecondsPerSecond);
}

double SimulationPage::speed() const
{
  return playBar->speed();
}

void SimulationPage::setTimingsShown(bool shownCard)
{
  cells->setTimingsShown(shownCard);
}

void SimulationPage::saveCharts(const QString& path)
{
  widgets::writePicture(widgets::linesOf(charts->charts()), path);
}

/// What is never cut stands first.
QString SimulationPage::progressInWords(bool runs) const
{
  QString text;
  if (reached > 0)
    text = tr("%1 ms, %2 spikes; ")
               .arg(QString::number(reached, 'f', reached < 100 ? 2 : 0),
                    count(static_cast<double>(rasterChart->store().spikes().size())));
  if (!runs && shown->hasStop && std::abs(reached - shown->stop) < ofRun.timeStep / 2)
    text += tr("this is its end, and Run goes on; ");
  return text;
}

QString SimulationPage::modelInWords() const
{
  const auto cellCount = static_cast<double>(shown->circuit.network.cells());
  const auto points = static_cast<double>(shown->circuit.network.pointNeurons.size());
  QString text = QString::fromStdString(shown->title) + QStringLiteral(": ") +
                 (cellCount == 1 ? tr("1 cell") : tr("%1 cells").arg(count(cellCount))) +
                 (points > 0 ? tr(", %1 point neurons").arg(count(points)) : QString()) +
                 tr(", %1 compartments").arg(count(static_cast<double>(shown->compartments())));
  if (shown->circuit.synapses > 0)
    text += tr(", %1 synapses").arg(count(static_cast<double>(shown->circuit.synapses)));
  return text;
}

void SimulationPage::refresh()
{
  const bool runs = runner.isRunning() && clock.isActive();
  const bool canRun = shown && stoppedBecause.isEmpty();
  runButton->setText(runs ? tr("Pause") : tr("Run"));
  runButton->setEnabled(canRun);
  stepButton->setEnabled(canRun && !runs);
  moreButton->setEnabled(canRun && !runs);
  resetButton->setEnabled(shown && (runs || reached > 0));
  exportButton->setEnabled(reached > 0);
  saveButton->setEnabled(shown != nullptr);
  playBar->setFrames(ring, looked);
  stepButton->setToolTip(tr("One step of %1 ms further").arg(count(ofRun.timeStep)));
  cells->setNote(runs ? tr("plays %1").arg(playBar->speedInWords()) : QString());
  QString text;
  if (!shown) {
    text = tr("Nothing is open.");
  } else if (!stoppedBecause.isEmpty()) {
    text = tr("Stopped: %1").arg(stoppedBecause);
  } else {
    text = progressInWords(runs) + modelInWords();
  }
  header->setHeadline(text);
  emit changed();
}

/// In a narrow page the charts stand below the cells.
void SimulationPage::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  const Qt::Orientation fitting = width() < kNarrow ? Qt::Vertical : Qt::Horizontal;
  if (body->orientation() == fitting)
    return;
  body->setOrientation(fitting);
  fitCharts();
  shareRoom();
}

bool SimulationPage::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == body && event->type() == QEvent::Resize)
    fitCharts();
  return QWidget::eventFilter(watched, event);
}

void SimulationPage::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && shown)
    removePlace(ofLines.size()); // other colours
}

} // namespace hinesight::app
