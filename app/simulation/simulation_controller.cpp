#include "app/simulation/simulation_controller.hpp"

#include "app/document/command_texts.hpp"
#include "app/figures/turntable.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/pages.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/simulation/simulation_panel.hpp"
#include "core/error.hpp"
#include "io/sonata/spike_files.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulation_output.hpp"
#include "study/simulation/trace_export.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/trace_chart.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hinesight::app {

namespace {

constexpr JobKind kMovie{.name = "Movie", .stage = "export"};
constexpr JobKind kExport{.name = "Export of a simulation", .stage = "export", .newestWins = false};
constexpr double kPicturesPerSecond = 30;

/// What the page writes: the words of the dialog, and their endings.
struct ExportFilters
{
  QString spikesH5 = SimulationController::tr("Spikes, SONATA (*.h5)");
  QString spikesCsv = SimulationController::tr("Spikes, CSV (*.csv)");
  QString tracesCsv = SimulationController::tr("Traces in mV, CSV (*.csv)");
  QString tracesNpy = SimulationController::tr("Traces in mV, NumPy (*.npy)");
  QString changes = SimulationController::tr("Changes, CSV (*.csv)");
  QStringList charts = {SimulationController::tr("Charts, SVG (*.svg)"),
                        SimulationController::tr("Charts, PNG (*.png)"),
                        SimulationController::tr("Charts, PDF (*.pdf)")};

  QStringList all() const { return QStringList{spikesH5, spikesCsv, tracesCsv, tracesNpy, changes} + charts; }
};

/// Those that an engineer of the method knows, from one request to another.
QStringList differences(study::SimulationRequest before, study::SimulationRequest after)
{
  QStringList names;
  const auto old = fieldsOf(before);
  const auto fresh = fieldsOf(after);
  for (std::size_t k = 0; k < old.size(); ++k)
    if (old[k].text() != fresh[k].text())
      names << widgets::inText(fresh[k].about.label).toLower();
  return names;
}

/// What of a project its simulation depends on.
model::Project simulatedPart(model::Project project)
{
  model::Project part;
  part.cells = std::move(project.cells);
  for (model::Cell& cell : part.cells) {
    cell = model::scienceOf(std::move(cell));
    cell.hash.clear();
  }
  part.populations = std::move(project.populations);
  part.connections = std::move(project.connections);
  part.models = std::move(project.models);
  part.stimuli = std::move(project.stimuli);
  for (model::Connection& connection : part.connections)
    connection.name.clear(); // nothing names it
  for (model::Stimulus& stimulus : part.stimuli)
    stimulus.name.clear();
  part.simulate = std::move(project.simulate);
  return part;
}

/// Of populations, before and now.
using Renaming = std::map<std::string, std::string>;

void rename(model::Project& project, const Renaming& names)
{
  const auto follow = [&](std::string& name) {
    if (const auto found = names.find(name); found != names.end())
      name = found->second;
  };
  for (model::Population& population : project.populations)
    follow(population.placement.name);
  for (model::Connection& connection : project.connections) {
    follow(connection.source);
    follow(connection.target);
    std::ranges::for_each(connection.between, follow);
  }
  for (model::Stimulus& stimulus : project.stimuli)
    follow(stimulus.population);
}

/// By what the circuit of a model calls them.
Renaming namesNow(const study::SimulationModel& model)
{
  Renaming names;
  for (std::size_t p = 0; p < model.circuit.populations.size(); ++p)
    names.emplace(model.circuit.populations[p].name, model.populationName(p));
  return names;
}

/// Where nothing else is otherwise; empty: something is, or nothing.
Renaming renamingBetween(model::Project before, const model::Project& now)
{
  Renaming names;
  if (before.populations.size() != now.populations.size())
    return names;
  for (std::size_t p = 0; p < now.populations.size(); ++p)
    if (before.populations[p].name() != now.populations[p].name())
      names.emplace(before.populations[p].name(), now.populations[p].name());
  if (names.empty())
    return names;
  rename(before, names);
  return before == now ? names : Renaming();
}

} // namespace

SimulationController::SimulationController(Jobs* ofWindow, SimulationPage* shownPage, SimulationPanel* shownPanel,
                                           QObject* parent)
    : QObject(parent), jobs(ofWindow), page(shownPage), panel(shownPanel)
{
  connect(panel, &SimulationPanel::edited, this, &SimulationController::takeEdit);
  connect(panel, &SimulationPanel::adjusted, page, &SimulationPage::adjust);
  connect(page, &SimulationPage::changed, this, &SimulationController::questionChanged);
  connect(page, &SimulationPage::opened, this, &SimulationController::takeOpened);
  connect(&page->running(), &SimulationRunner::openingFailed, this, &SimulationController::takeRefusal);
  connect(page, &SimulationPage::failed, this, &SimulationController::failed);
  connect(page, &SimulationPage::told, this, &SimulationController::told);
  connect(page, &SimulationPage::changesChanged, panel, [this] { panel->setChanges(page->changes()); });
  connect(&page->running(), &SimulationRunner::refused, panel, [this] {
    panel->setFactors(page->changes().empty() ? study::LiveFactors() : page->changes().back().factors);
  });
  connect(page, &SimulationPage::openRequested, this, &SimulationController::askWhatToOpen);
  connect(page, &SimulationPage::circuitRequested, this, &SimulationController::openCircuit);
  connect(page, &SimulationPage::sampleRequested, this, [this](const QString& path) { open(path); });
  connect(page, &SimulationPage::exportRequested, this, &SimulationController::askWhereToExport);
  connect(page, &SimulationPage::movieRequested, this, &SimulationController::askWhereToFilm);
  connect(jobs, &Jobs::submitted, this, [this](const JobKind& kind) {
    if (kind.isLong && !SimulationRunner::isOwn(kind))
      page->pause();
  });
}

// ---- a model ----

void SimulationController::open(const QString& file, const QString& morphology)
{
  study::SimulationRequest wanted;
  wanted.file = file.toStdString();
  wanted.morphology = morphology.toStdString();
  wanted.run.threads = panel->request().run.threads;
  keepsFields = false;
  read(wanted);
}

void SimulationController::openCircuit()
{
  open(QLatin1String(study::kCircuitOfProject));
}

void SimulationController::read(const study::SimulationRequest& wanted)
{
  opening = wanted;
  const bool isOfProject = wanted.file == study::kCircuitOfProject;
  const model::Project project = isOfProject ? document.project() : model::Project();
  openingCircuit = simulatedPart(project);
  openingOf = isOfProject ? document.identity() : nullptr;
  wantedDocument.reset();
  page->open(wanted, project);
}

void SimulationController::beginDocument(bool isCircuitOpen)
{
  if (isCircuitOpen)
    wantedDocument = document.identity();
  pageShown();
}

/// Once all of a session that is being opened is there.
void SimulationController::pageShown()
{
  QMetaObject::invokeMethod(this, &SimulationController::showCircuitOfDocument, Qt::QueuedConnection);
}

void SimulationController::showCircuitOfDocument()
{
  if (page->isVisible() && document.isOfPerson() && (isCircuitWanted() || isCircuitDue()))
    openCircuit();
}

bool SimulationController::isCircuitWanted() const
{
  return wantedDocument && wantedDocument == document.identity();
}

/// It can be simulated and was not opened yet, and the page has nothing that a person chose: no file, and no run.
bool SimulationController::isCircuitDue() const
{
  const auto& model = page->model();
  const bool isChosen = model && (!model->isOfProject() || page->isBegun() || beside);
  const bool readsFile = page->running().isOpening() && !openingOf;
  return !isChosen && !readsFile && openingOf != document.identity() && study::obstacleOf(document.project()).empty();
}

bool SimulationController::isOfDocument() const
{
  return page->model() && page->model()->isOfProject() && ofDocument == document.identity();
}

bool SimulationController::hasCircuit() const
{
  return isOfDocument() || isCircuitWanted();
}

/// Since it was opened.
bool SimulationController::isCircuitChanged() const
{
  if (!page->model() || !page->model()->isOfProject())
    return false;
  const model::Project now = simulatedPart(document.project());
  return now != circuit && now != beside;
}

void SimulationController::followCircuit()
{
  const model::Project before = std::exchange(newest, simulatedPart(document.project()));
  if (!obstacle.empty() && study::obstacleOf(newest) != obstacle)
    forgetRefusal();
  const Renaming names = renamingBetween(before, newest);
  if (names.empty())
    return;
  if (openingOf == document.identity())
    rename(openingCircuit, names);
  if (beside)
    rename(*beside, names);
  if (!isOfDocument())
    return;
  rename(circuit, names);
  showNames();
}

/// Of the populations, as the document has them.
void SimulationController::showNames()
{
  std::vector<std::string> names, seen;
  for (std::size_t p = 0; p < circuit.populations.size(); ++p) {
    names.push_back(circuit.populations[p].name());
    seen.push_back(page->model()->populationName(p));
  }
  if (names != seen)
    page->renamePopulations(names);
}

study::SimulationRequest SimulationController::request() const
{
  return panel->request();
}

study::SimulationRequest SimulationController::requestOfRun() const
{
  study::SimulationRequest ofRun = page->model()->request;
  ofRun.run = page->parameters();
  return ofRun;
}

void SimulationController::show(const study::SimulationRequest& wanted)
{
  if (wanted == panel->request())
    return;
  panel->setRequest(wanted);
  if (wanted.file.empty())
    return;
  keepsFields = true;
  read(wanted);
}

/// The temperature and the step that the files say become those of the fields.
void SimulationController::takeOpened()
{
  forgetRefusal();
  circuit = openingCircuit;
  ofDocument = openingOf;
  beside.reset();
  study::SimulationRequest fields = keepsFields ? opening : page->model()->request;
  if (!keepsFields)
    fields.run = page->model()->usual;
  panel->setModel(page->model());
  panel->setRequest(fields);
  page->setParameters(fields.run);
  if (isOfDocument())
    showNames(); // that were given while it was read
  const auto& notes = page->model()->circuit.notes;
  emit told(notes.empty() ? tr("Opened %1.").arg(QString::fromStdString(page->model()->title))
                          : tr("Opened %1; what of it has no effect stands under Model (%2).")
                                .arg(QString::fromStdString(page->model()->title),
                                     widgets::formatNumber(static_cast<double>(notes.size()))));
  emit questionChanged();
  if (std::exchange(runsOn, false))
    page->toggle();
}

bool SimulationController::openingHasNoModel() const
{
  return std::ranges::all_of(openingCircuit.populations, [](const auto& each) { return each.models.empty(); });
}

void SimulationController::forgetRefusal()
{
  if (!refusal.isEmpty())
    emit refusalGone(std::exchange(refusal, {}));
  obstacle.clear();
}

/// A fit without its form: a person says where it is.
void SimulationController::takeRefusal(const Error& error)
{
  runsOn = false;
  if (opening.file == study::kCircuitOfProject) {
    forgetRefusal();
    refusal = QString::fromUtf8(error.what());
    obstacle = study::obstacleOf(openingCircuit);
    emit failed(refusal);
    emit circuitRefused(refusal, openingHasNoModel());
    return;
  }
  if (error.code() == ErrorCode::BadParameter && opening.morphology.empty() && error.file() == opening.file)
    return askForMorphology(opening);
  emit unreadable(error);
}

void SimulationController::askForMorphology(const study::SimulationRequest& wanted)
{
  const QString file = QString::fromStdString(wanted.file);
  emit told(tr("%1 is the channels of a cell; its form is in an SWC file, which is not beside it.")
                .arg(QFileInfo(file).fileName()));
  app::askWhatToOpen(page,
                     {QStringLiteral("openMorphologyDialog"),
                      tr("Open the SWC file of %1").arg(QFileInfo(file).fileName()),
                      QStringLiteral("openFolder"),
                      {tr("SWC morphologies (*.swc *.SWC)"), tr("All files (*)")},
                      {}},
                     [this, file](const QStringList& paths) { open(file, paths.back()); });
}

void SimulationController::takeEdit()
{
  const auto& model = page->model();
  if (!model)
    return;
  if (model->isOfProject()) {
    emit circuitEdited(panel->request().run);
    if (!page->isBegun())
      circuit.simulate = document.project().simulate;
  }
  if (!page->isBegun())
    startAnew();
  emit questionChanged();
}

void SimulationController::setBackend(Backend backend)
{
  study::SimulationRequest wanted = panel->request();
  std::vector<BoundField> fields = fieldsOf(wanted.run);
  if (BoundField* field = findField(fields, "backend"))
    field->setNumber(static_cast<double>(backend));
  panel->setRequest(wanted);
  takeEdit();
}

Question SimulationController::question() const
{
  const auto& model = page->model();
  if (!model || (!page->isBegun() && !isCircuitChanged()))
    return {};
  const study::SimulationRequest fields = panel->request();
  QStringList changed = differences(requestOfRun(), fields);
  if (changed.isEmpty() && isCircuitChanged())
    changed << tr("the circuit, which is another one now");
  if (changed.isEmpty())
    return {};
  return {tr("A new run is needed for: %1. This one is at %2 ms.")
              .arg(changed.join(QStringLiteral(", ")), widgets::formatNumber(page->time())),
          tr("Start a new run"), tr("Discard the run and begin one at 0 ms with the parameters in the fields"),
          tr("Keep the run"), tr("Keep the run, and show its parameters in the fields again")};
}

/// Another current makes another model.
void SimulationController::startAnew()
{
  const auto& model = page->model();
  const study::SimulationRequest fields = panel->request();
  try {
    validateFields(fieldsOf(fields));
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return;
  }
  if (fields.current == model->request.current && !isCircuitChanged()) {
    page->startAnew(fields.run);
  } else {
    runsOn = page->isRunning();
    keepsFields = !model->isOfProject(); // which says all of them
    read(fields);
  }
  emit questionChanged();
}

void SimulationController::keepRun()
{
  const auto& model = page->model();
  const study::SimulationRequest ofRun = requestOfRun();
  panel->setRequest(ofRun);
  if (model->isOfProject()) {
    emit circuitEdited(ofRun.run);
    beside = simulatedPart(document.project());
  }
  emit questionChanged();
}

std::string SimulationController::command() const
{
  const auto& model = page->model();
  if (!model)
    throw Error(ErrorCode::BadParameter, "No model is open that a command could simulate.");
  const study::SimulationRequest fields = panel->request();
  const double stop = page->time() > 0 ? page->time() : model->stop;
  if (model->isOfProject()) {
    if (document.file().isEmpty())
      throw UnsavedSession("The circuit is that of a session without a file; save the session first.");
    return "hinesight-cli simulate " + quoteForShell(document.file().toStdString()) + " --tstop " + textOf(stop);
  }
  if (fields.file.starts_with(':'))
    throw Error(ErrorCode::BadParameter, "This model comes with the program and is no file that a command could read.");
  std::string text = "hinesight-cli simulate " + quoteForShell(fields.file);
  if (!fields.morphology.empty())
    text += " --morphology " + quoteForShell(fields.morphology);
  if (model->isSingleCell)
    text += " --current " + textOf(fields.current.amplitude) + "," + textOf(fields.current.delay) + "," +
            textOf(fields.current.duration);
  text += " --tstop " + textOf(stop);
  text += " --dt " + textOf(fields.run.timeStep) + " --celsius " + textOf(fields.run.celsius);
  simulation::SimulationParameters run = fields.run;
  const simulation::SimulationParameters usual;
  run.timeStep = usual.timeStep;
  run.celsius = usual.celsius;
  return text + commandText(fieldsOf(run));
}

// ---- files ----

void SimulationController::askWhatToOpen()
{
  app::askWhatToOpen(page,
                     {QStringLiteral("openModelDialog"),
                      tr("Open a cell with channels or a circuit to be simulated"),
                      QStringLiteral("openFolder"),
                      {tr("Models of cells, SONATA simulations (*.json *.acc)"), tr("All files (*)")},
                      {}},
                     [this](const QStringList& paths) { open(paths.back()); });
}

void SimulationController::askWhereToExport()
{
  const ExportFilters filters;
  FileQuestion question{QStringLiteral("exportSimulationDialog"), tr("Export spikes, traces, changes or charts"),
                        QStringLiteral("exportFolder"), filters.all(), QStringLiteral("spikes.h5")};
  askWhereToSaveAs(page, question, [this](const QString& path, const QString& filter) { exportTo(path, filter); });
}

void SimulationController::exportTo(const QString& path, const QString& filter)
{
  const ExportFilters filters;
  if (filters.charts.contains(filter)) {
    try {
      page->saveCharts(path);
      emit saved(path);
    } catch (const Error& error) {
      emit failed(QString::fromUtf8(error.what()));
    }
    return;
  }
  std::function<void(const RunControl&)> write;
  const std::string file = path.toStdString();
  if (filter == filters.spikesH5 || filter == filters.spikesCsv) {
    write = [file, model = page->model(), spikes = page->raster().store().spikes(), names = namesNow(*page->model()),
             isCsv = filter == filters.spikesCsv](const RunControl&) {
      auto populations = study::spikesOf(model->circuit, spikes);
      for (io::PopulationSpikes& each : populations)
        each.population = names.at(each.population);
      if (isCsv)
        io::writeSpikesCsv(populations, file);
      else
        io::writeSpikesHdf5(populations, file);
    };
  } else if (filter == filters.changes) {
    write = [file, changes = page->changes()](const RunControl&) { study::writeChangesCsv(changes, file); };
  } else {
    std::vector<study::NamedTrace> traces;
    for (const auto& line : page->traces().lines())
      traces.push_back({line.name.toStdString(), line.trace});
    write = [file, traces = std::move(traces), isCsv = filter == filters.tracesCsv](const RunControl& control) {
      if (isCsv)
        study::writeTracesCsv(traces, file, control);
      else
        study::writeTracesNpy(traces, file, control);
    };
  }
  jobs->submit(
      {kExport, path}, [write = std::move(write)](const JobContext& context) { write(context.control()); },
      [this, path] { emit saved(path); });
}

void SimulationController::askWhereToFilm()
{
  askWhichNewFolder(page,
                    {QStringLiteral("movieDialog"),
                     tr("Folder for the frames of the movie (PNG)"),
                     QStringLiteral("exportFolder"),
                     {},
                     QStringLiteral("movie")},
                    [this](const QString& folder) { film(folder); });
}

/// A picture each 1/30 s of the play speed; of as fast as it goes each frame that is kept.
void SimulationController::film(const QString& folder)
{
  page->pause();
  const study::FrameRing& ring = page->frames();
  if (ring.size() < 2)
    return;
  const double first = ring[0]->time;
  const double last = ring[ring.size() - 1]->time;
  const double speed = page->speed();
  std::vector<study::SharedFrame> frames;
  if (std::isfinite(speed)) {
    const double interval = std::max(speed / kPicturesPerSecond, (last - first) / (Turntable::kMostFrames - 1));
    for (double time = first; time <= last && frames.size() < Turntable::kMostFrames; time += interval)
      frames.push_back(ring[ring.indexAt(time)]);
  } else {
    const std::size_t every = (ring.size() + Turntable::kMostFrames - 1) / Turntable::kMostFrames;
    for (std::size_t i = 0; i < ring.size(); i += every)
      frames.push_back(ring[i]);
  }
  if (frames.size() < 2)
    frames.push_back(ring[ring.size() - 1]);
  widgets::FigureOptions options;
  options.unit = widgets::FigureUnit::Pixels;
  const QSize size = page->view().canvas()->size() * page->view().canvas()->devicePixelRatioF();
  options.width = size.width() - size.width() % 2; // what makes a movie of pictures wants even numbers
  options.height = size.height() - size.height() % 2;
  constexpr int kScreenDots = 96;
  options.dotsPerInch = static_cast<int>(kScreenDots * page->view().canvas()->devicePixelRatioF());
  options.theme = widgets::FigureTheme::Screen;
  const widgets::ThemeMode mode = widgets::themeOf(options);
  std::vector<widgets::Figure> figures;
  for (const widgets::Figure& figure : page->view().figuresOf(frames))
    figures.push_back(figure.still(mode));
  jobs->submit(
      {kMovie, folder},
      [folder, options, figures = std::move(figures)](const JobContext& context) {
        const Turntable pictures(folder, static_cast<int>(figures.size()));
        for (std::size_t i = 0; i < figures.size(); ++i) {
          context.control().report("export", static_cast<double>(i) / static_cast<double>(figures.size()));
          pictures.write(static_cast<int>(i), figures[i], options, context.control().silenced());
        }
      },
      [this, folder] { emit saved(folder); });
}

// ---- as a page ----

namespace {

/// Of the cells as they are seen, or of a chart.
widgets::Figure figureOf(SimulationPage& page)
{
  if (!page.model())
    return widgets::figureOf(page);
  widgets::Figure figure = page.view().figure();
  figure.name = SimulationController::tr("Cells");
  widgets::addParts(figure, page);
  figure.clickedPart.reset(); // a click on a chart looks at a time
  return figure;
}

Tab makeTab(PageHost& host)
{
  auto* page = new SimulationPage(host.parts.jobs, host.parts.area);
  page->setSelection(host.find<NeuronSelection>());
  auto* panel = new SimulationPanel(host.parts.panels);
  auto* controller = new SimulationController(host.parts.jobs, page, panel, &host);
  host.listenTo(controller);
  QObject::connect(controller, &SimulationController::unreadable, &host, [&host](const Error& error) {
    emit host.failed(QString::fromUtf8(error.what()));
    emit host.unreadable(error);
  });
  QObject::connect(page, &SimulationPage::saveRequested, &host, &PageHost::pictureWanted);
  QObject::connect(&host, &PageHost::devicesFound, panel, &SimulationPanel::setDevices);
  QObject::connect(&host, &PageHost::backendChosen, controller, &SimulationController::setBackend);
  QObject::connect(&host, &PageHost::timingsToggled, page, &SimulationPage::setTimingsShown);
  QObject::connect(page, &SimulationPage::networkChanged, &host, &PageHost::networkChanged);
  QObject::connect(&page->view(), &widgets::VoltageView::areaEnded, &host, &PageHost::areaEnded);
  QObject::connect(page, &SimulationPage::ran, &host, [controller, &host](const io::RunRecord& run) {
    emit host.ran(run, [controller, &host, request = controller->requestOfRun()] {
      emit host.pageWanted(ViewKind::Simulation);
      controller->show(request);
    });
  });
  Tab tab;
  tab.runs = io::RunKind::Simulation;
  tab.page = page;
  tab.parameters = panel;
  tab.seen = [controller] { controller->pageShown(); };
  tab.fit = [page] { page->view().fit(); };
  tab.awaitArea = [page](std::optional<widgets::AreaShape> shape) { page->view().awaitArea(shape); };
  tab.runAgain = [page] { page->toggle(); };
  tab.mismatch = [controller] { return controller->question(); };
  tab.takeFields = [controller] { controller->startAnew(); };
  tab.restoreFields = [controller] { controller->keepRun(); };
  tab.resetParameters = [panel] { panel->resetAll(); };
  tab.network = [page] { return page->networkShown(); };
  tab.hasNeurons = [page] { return page->model() && !page->model()->circuit.populations.empty(); };
  tab.selection = [page] { return page->neurons(); };
  tab.figure = [page] { return figureOf(*page); };
  tab.command = [controller] { return controller->command(); };
  return tab;
}

} // namespace

PageDefinition simulationPage()
{
  return {"simulation",
          QT_TRANSLATE_NOOP("Pages", "Simulation"),
          QT_TRANSLATE_NOOP("Pages", "When do these cells spike, and where does it begin?"),
          QT_TRANSLATE_NOOP(
              "Pages",
              "a click on a cell records its potential there, with Ctrl it selects the cell; drag "
              "turns, right drag moves, drag with Shift selects cells in a box, with the right button in a loop, wheel "
              "zooms; in the charts a press looks at that time, the wheel zooms, right drag moves, a double click "
              "shows the whole run, and while it runs the "
              "newest; a press on a row of spikes selects its neuron, drag with Shift the neurons of several rows"),
          "The simulation page",
          makeTab,
          {Panel::Parameters}};
}

} // namespace hinesight::app
