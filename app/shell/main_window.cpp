#include "app/shell/main_window.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/cells/unit_question.hpp"
#include "app/document/command_texts.hpp"
#include "app/document/document.hpp"
#include "app/document/history.hpp"
#include "app/document/session_controller.hpp"
#include "app/document/undo_keys.hpp"
#include "app/files/recent_files.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection/projection_page.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/messages.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/shell/cell_commands.hpp"
#include "app/shell/device_choice.hpp"
#include "app/shell/escape_key.hpp"
#include "app/shell/exports.hpp"
#include "app/shell/figure_maker.hpp"
#include "app/shell/file_opener.hpp"
#include "app/shell/frame/docked_panels.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "app/shell/help/tour.hpp"
#include "app/shell/help_commands.hpp"
#include "app/shell/main_menus.hpp"
#include "app/shell/mismatch_question.hpp"
#include "app/shell/page_actions.hpp"
#include "app/shell/selection_tools.hpp"
#include "app/shell/sessions/kept_sessions.hpp"
#include "app/shell/sessions/open_work.hpp"
#include "app/shell/sessions/session_commands.hpp"
#include "app/shell/sessions/session_keeper.hpp"
#include "app/shell/sessions/session_start.hpp"
#include "app/shell/sessions/window_history.hpp"
#include "app/shell/window_centre.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/workspace/foldable_docks.hpp"
#include "app/workspace/window_place.hpp"
#include "app/workspace/workspace.hpp"
#include "widgets/orbit/offscreen_graphics.hpp"

#include <QAbstractSpinBox>
#include <QCloseEvent>
#include <QFileInfo>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

#include <optional>
#include <string>
#include <vector>

/// Resources in a static library are linked only where they are asked for; outside of any namespace, as Qt demands.
static void initializeResources()
{
  Q_INIT_RESOURCE(resources);
}

namespace hinesight::app {

namespace {

const QString kDark = QStringLiteral("window/dark");

widgets::ThemeMode storedTheme()
{
  const bool dark = QSettings().value(kDark, true).toBool();
  return dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light;
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), jobQueue(std::make_unique<Jobs>()), cellList(new CellListModel(this)),
      runTable(new RunTableModel(this))
{
  initializeResources();
  widgets::setTheme(storedTheme()); // first: a style sheet that comes later polishes every widget twice
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(QIcon(QStringLiteral(":/icons/hinesight.png")));
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  place = new WindowPlace(this);

  addCentre();
  addViews();
  addPanels();
  addCells();
  addPages();
  addWork();
  addQuestions();
  addMenus();
  addCommands();

  place->restore();
  setTheme(storedTheme());
  workspace->restore();
  refreshTitle();
  devices->findDevices();
}

/// A field that is being edited gives up what it has while there is somebody to take it.
MainWindow::~MainWindow()
{
  if (QWidget* edited = focusWidget())
    edited->clearFocus();
}

// ---- construction ----

void MainWindow::addCentre()
{
  centre = std::make_unique<WindowCentre>(this, cellList);
  area = centre->area;
  tabs = new WindowTabs(area, this);
  status = new StatusPanel(statusBar(), jobQueue.get());
  messages = new Messages(centre->banner, status, jobQueue.get(), this);
}

void MainWindow::addViews()
{
  cellViews = new CellViews(area, cellList, this);
  connect(cellViews, &CellViews::sceneChanged, this, [this] {
    panels->ofCells->showPlan(scene()->plan.get(), scene()->solution.get());
    emit host->sceneChanged();
  });
  connect(cellViews, &CellViews::colorByChanged, this, &MainWindow::setColorBy);
  connect(cellViews, &CellViews::failed, messages, &Messages::showError);
  selectionTools = new SelectionTools({centre.get(), cellViews, tabs, jobQueue.get(), status}, this);
}

void MainWindow::addPanels()
{
  docks = new FoldableDocks(
      this, [this](const QSize& room) { return room - QSize(0, centre->pages->sizeHint().height()); }, this);
  panels = std::make_unique<DockedPanels>(this, docks, cellList, runTable);
  tabs->setPanels(panels.get());
}

void MainWindow::addCells()
{
  cellRuns = new CellController(jobQueue.get(), {cellList, panels->ofCells, cellViews, runTable}, this);
  status->setWords(
      kCells, [this](const QString& stage, double fraction) { return cellRuns->progressInWords(stage, fraction); });
  connect(cellRuns, &CellController::told, messages, &Messages::showResult);
  connect(cellRuns, &CellController::parametersWanted, this, [this](const study::CellParameters& parameters) {
    if (tabs->current().runs != io::RunKind::Solve)
      showView(ViewKind::Morphology);
    setParameters(parameters);
  });
  connect(cellRuns, &CellController::cutWanted, this, &MainWindow::setParameters);
  connect(cellList, &CellListModel::errorGone, this,
          [this](const Error& error) { centre->banner->withdraw(QString::fromUtf8(error.what())); });
  connect(cellRuns, &CellController::unreadable, this, [this](const Error& error) {
    centre->banner->showUnreadable(error, static_cast<std::size_t>(cellList->rowCount()));
    emit unreadable(error);
  });
  for (std::size_t i = 0; i < kViewCount; ++i) {
    const auto kind = static_cast<ViewKind>(i);
    tabs->addView({.fit = [this, kind] { cellViews->fit(kind); },
                   .runAgain = [this] { run(true); },
                   .mismatch = [this] { return cellRuns->question(); },
                   .takeFields = [this] { run(); },
                   .restoreFields =
                       [this] {
                         cellRuns->restoreFields();
                         emit host->sceneChanged();
                       },
                   .figure = [this, kind] { return cellViews->figure(kind); },
                   .command = [this] { return solveCommand(cellList->choices(), parameters()); }});
  }
}

void MainWindow::addPages()
{
  host = new PageHost({.window = this,
                       .area = area,
                       .panels = panels->parameters,
                       .jobs = jobQueue.get(),
                       .cells = cellList,
                       .cellParameters = panels->ofCells,
                       .parameters = [this]() -> const study::CellParameters& { return parameters(); },
                       .scene = [this] { return cellViews->scene(); },
                       .isShown = [this](ViewKind page) { return tabs->isShown(page); },
                       .runCells = [this] { run(true); }},
                      this);
  connectHost();
  auto* neurons = new NeuronSelection(this);
  connect(panels->populations, &PopulationPanel::renamed, neurons, &NeuronSelection::renamePopulation);
  connect(panels->populations, &PopulationPanel::renamed, cellViews->selected(), &BranchSelection::renamePopulation);
  connect(panels->connections, &ConnectionPanel::renamed, cellViews->selected(), &BranchSelection::renameConnection);
  tabs->addPages(*host);
  connect(area, &ViewArea::currentChanged, status, &StatusPanel::dropNotice);
  selectionTools->addNeuronBar(neurons, host);
  workspace = new Workspace(this, area, docks);
}

void MainWindow::connectHost()
{
  connect(cellRuns, &CellController::cellsRead, this, [this] {
    refreshTitle();
    emit host->cellsChanged();
  });
  connect(cellList, &CellListModel::contentChanged, this, [this] {
    emit host->cellsChanged();
    run();
  });
  connect(host, &PageHost::told, messages, &Messages::showNotice);
  connect(host, &PageHost::failed, messages, &Messages::showError);
  connect(host, &PageHost::saved, messages, &Messages::tellExported);
  connect(host, &PageHost::unreadable, this, &MainWindow::unreadable);
  connect(host, &PageHost::pageWanted, this, &MainWindow::showView);
  connect(host, &PageHost::parametersWanted, this, &MainWindow::setParameters);
  connect(host, &PageHost::devicesFound, status, &StatusPanel::showDevices);
  connect(host, &PageHost::devicesFound, panels->ofCells, &ParameterPanel::setDevices);
}

void MainWindow::addWork()
{
  work = new OpenWork({.jobs = jobQueue.get(),
                       .cells = cellList,
                       .cellRuns = cellRuns,
                       .views = cellViews,
                       .runs = runTable,
                       .panels = panels.get(),
                       .area = area,
                       .tabs = tabs,
                       .host = host,
                       .kept = centre->kept,
                       .missing = centre->missing,
                       .banner = centre->banner,
                       .messages = messages},
                      this);
  connect(work, &OpenWork::parametersWanted, this, &MainWindow::setParameters);
  connect(work, &OpenWork::pageWanted, this, &MainWindow::showView);
  connect(panels->connections, &ConnectionPanel::addRequested, docks, // after its page is shown
          [this] { docks->open(Panel::Parameters); });
  DockedPanels::addHistory(this, docks, &work->steps().stack());
  new UndoKeys(this);
}

void MainWindow::addQuestions()
{
  connect(cellRuns, &CellController::cellsRead, centre->unit, &UnitQuestion::ask);
  connect(cellList, &CellListModel::contentChanged, centre->unit, &UnitQuestion::ask);
  auto* fields = new MismatchQuestion(centre->fields, tabs, this);
  const auto askSoon = &MismatchQuestion::askSoon;
  connect(work, &OpenWork::changing, fields, &MismatchQuestion::wait);
  connect(work, &OpenWork::listed, fields, askSoon);
  connect(area, &ViewArea::currentChanged, fields, askSoon);
  connect(jobQueue.get(), &Jobs::submitted, fields, askSoon);
  connect(jobQueue.get(), &Jobs::ended, fields, askSoon);
  connect(panels->ofCells, &ParameterPanel::edited, fields, askSoon);
  connect(cellViews, &CellViews::sceneChanged, fields, askSoon);
  connect(host, &PageHost::questionChanged, fields, askSoon);
  fields->askSoon();
}

void MainWindow::addMenus()
{
  const auto* ofButtons = new PageActions(area, this);
  menus = new MainMenus(this,
                        {.docks = docks->actions(),
                         .earlier = centre->kept->earlierSessions(),
                         .panes = workspace->actions(),
                         .workspaces = workspace->menu(),
                         .selection = selectionTools->actions(),
                         .cells = panels->data->cellActions(),
                         .visibility = panels->data->visibilityActions(),
                         .circuit = ofButtons->ofCircuit(),
                         .runs = panels->timings->runActions(),
                         .page = ofButtons->ofPage()},
                        steps().stack());
  connect(area, &ViewArea::gridChanged, menus, &MainMenus::setGrid);
  connect(selectionTools->escapeKey(), &EscapeKey::changed, menus, &MainMenus::setCancels);
  connect(centre->kept, &KeptSessions::lastChanged, this, &MainWindow::showLast);
  connect(this, &MainWindow::unreadable, this,
          [this](const Error& error) { menus->recentFiles().remove(QString::fromStdString(error.file())); });
  const auto refreshRuns = [this] { menus->setRuns(runTable->rowCount() > 0); };
  connect(runTable, &QAbstractItemModel::rowsInserted, menus, refreshRuns);
  connect(runTable, &QAbstractItemModel::modelReset, menus, refreshRuns);

  connect(menus, &MainMenus::quitRequested, this, &QWidget::close);
  connect(menus, &MainMenus::viewChosen, area, &ViewArea::showView);
  connect(menus, &MainMenus::gridRequested, area, &ViewArea::setGrid);
  connect(menus, &MainMenus::fitRequested, this, [this] {
    if (const auto& fit = tabs->current().fit)
      fit();
  });
  connect(menus, &MainMenus::colorByChosen, this, &MainWindow::setColorBy);
  connect(menus, &MainMenus::timingsToggled, this, [this](bool shown) {
    cellViews->setTimingsShown(shown);
    emit host->timingsToggled(shown);
  });
  connect(menus, &MainMenus::darkToggled, this, [this](bool dark) {
    setTheme(dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light);
    storeTheme(); // whatever becomes of the window
  });
  connect(menus, &MainMenus::runRequested, this, [this] {
    if (auto* typed = qobject_cast<QAbstractSpinBox*>(focusWidget()))
      typed->interpretText(); // what is being typed counts
    if (const auto& runAgain = tabs->current().runAgain)
      runAgain();
  });
  connect(menus, &MainMenus::cancelRequested, jobQueue.get(), [this] { jobQueue->cancel(); });
  connect(menus, &MainMenus::resetRequested, this, [this] { tabs->current().resetParameters(); });
  connect(menus, &MainMenus::tourRequested, this, &MainWindow::startTour);
  connect(menus, &MainMenus::jobsRequested, status, &StatusPanel::openJobs);
  answerHelp(menus, this);
}

/// What menus, buttons and pages ask for that is a subject of its own.
void MainWindow::addCommands()
{
  auto* tables = host->find<ProjectionController>();
  auto* formations = host->find<FormationController>();
  auto* simulations = host->find<SimulationController>();
  opener = new FileOpener({.jobs = jobQueue.get(),
                           .cells = cellList,
                           .sessions = work->sessions(),
                           .simulations = simulations,
                           .tables = tables,
                           .formations = formations,
                           .tabs = tabs,
                           .start = work->start(),
                           .recent = &menus->recentFiles(),
                           .messages = messages},
                          this);
  connect(menus, &MainMenus::openRequested, opener, &FileOpener::askForFiles);
  connect(menus, &MainMenus::openFolderRequested, opener, &FileOpener::askForFolder);
  connect(menus, &MainMenus::openChosen, opener, [this](const QString& path) { opener->open({path}); });
  connect(menus, &MainMenus::samplesRequested, opener, &FileOpener::openSamples);
  connect(cellViews, &CellViews::openRequested, opener, &FileOpener::askForFiles);
  connect(cellViews, &CellViews::samplesRequested, opener, &FileOpener::openSamples);
  connect(panels->data, &DataPanel::openRequested, opener, &FileOpener::askForFiles);

  auto* ofSessions = new SessionCommands({work, cellList, centre->kept, host->find<PlasticityController>(), tabs,
                                          &menus->recentFiles(), messages, centre->banner},
                                         this);
  connect(ofSessions, &SessionCommands::fileChanged, this, &MainWindow::refreshTitle);
  connect(area, &ViewArea::currentChanged, ofSessions, &SessionCommands::endRefusal);
  connect(jobQueue.get(), &Jobs::delivered, ofSessions, &SessionCommands::endRefusal);
  connect(menus, &MainMenus::saveSessionRequested, ofSessions, &SessionCommands::save);
  connect(menus, &MainMenus::saveSessionAsRequested, ofSessions, &SessionCommands::askWhereToSave);
  connect(menus, &MainMenus::lastRequested, ofSessions, &SessionCommands::reopenLast);
  connect(menus, &MainMenus::commandCopyRequested, ofSessions, &SessionCommands::copyCommand);
  connect(menus, &MainMenus::sessionCopyRequested, ofSessions, &SessionCommands::copySession);

  new CellCommands({.cells = cellList,
                    .list = panels->data,
                    .views = cellViews,
                    .tabs = tabs,
                    .steps = &steps(),
                    .recent = &menus->recentFiles(),
                    .status = status,
                    .messages = messages},
                   this);

  const auto* exports = new Exports({runTable, panels->data, work->document(), messages}, this);
  connect(menus, &MainMenus::circuitExportRequested, exports, &Exports::askForCircuit);
  connect(menus, &MainMenus::exportRequested, exports, &Exports::askForTimings);
  connect(panels->timings, &TimingsPanel::exportRequested, exports, &Exports::askForTimings);
  connect(panels->data, &DataPanel::exportRequested, exports, &Exports::askForCells);

  const auto* figures = new FigureMaker({area, tabs, cellViews, jobQueue.get(), messages}, this);
  connect(menus, &MainMenus::saveViewRequested, figures, &FigureMaker::askWhereToSave);
  connect(host, &PageHost::pictureWanted, figures, &FigureMaker::askWhereToSave);
  connect(cellViews, &CellViews::figureRequested, figures, &FigureMaker::open);

  devices = new DeviceChoice({.jobs = jobQueue.get(),
                              .host = host,
                              .tabs = tabs,
                              .document = work->document(),
                              .tables = tables,
                              .formations = formations,
                              .simulations = simulations,
                              .status = status,
                              .menus = menus},
                             this);
  connect(devices, &DeviceChoice::parametersWanted, this, &MainWindow::setParameters);
}

// ---- what is open ----

void MainWindow::openFiles(const QStringList& paths)
{
  opener->open(paths);
}

void MainWindow::loadSamples()
{
  opener->openSamples();
}

void MainWindow::openAtStart(const QStringList& paths, bool keepsPage,
                             const std::function<void(model::Project& session)>& choices)
{
  work->start()->await(!paths.isEmpty(), keepsPage, paths.isEmpty() ? nullptr : choices);
  openFiles(paths);
}

bool MainWindow::isOpening() const
{
  return opener->isBusy();
}

const std::optional<Error>& MainWindow::openingProblem() const
{
  return opener->problem();
}

void MainWindow::keepOpenIn(const QString& folder)
{
  steps().begin();
  centre->kept->begin(folder, steps().project());
  showLast();
}

void MainWindow::showLast()
{
  menus->setLast(!centre->kept->last().isEmpty());
}

void MainWindow::startTour()
{
  if (findChild<Tour*>())
    return;
  if (cellList->rowCount() == 0)
    loadSamples();
  new Tour(this);
}

void MainWindow::offerTour()
{
  if (Tour::isOver() || centre->recovery->isVisibleTo(this))
    return;
  work->start()->awaitNext(cellList->rowCount() == 0); // its cells are no step of the person's
  startTour();
}

History& MainWindow::steps() const
{
  return work->steps();
}

model::SessionView MainWindow::sessionView() const
{
  return work->sessions()->view();
}

model::Project MainWindow::project() const
{
  return work->document()->project();
}

model::Project MainWindow::projectToRun() const
{
  return work->document()->projectToRun();
}

QString MainWindow::tableOfCells() const
{
  return panels->data->table();
}

const study::CellParameters& MainWindow::parameters() const
{
  return panels->ofCells->parameters();
}

void MainWindow::setParameters(const study::CellParameters& parameters)
{
  panels->ofCells->setParameters(parameters);
  steps().takeSoon();
  if (cellList->rowCount() > 0 || parameters.batch.source == study::BatchSource::RandomTrees)
    run();
}

void MainWindow::setBackend(Backend backend)
{
  devices->setBackend(backend);
}

void MainWindow::run(bool solveAgain)
{
  refreshTitle();
  if (work->history()->isShowing())
    cellRuns->showAgainOrRun();
  else
    cellRuns->run(solveAgain);
}

BenchmarkPage& MainWindow::benchmarks() const
{
  return *host->find<BenchmarkPage>();
}

ProjectionPage& MainWindow::projections() const
{
  return *host->find<ProjectionPage>();
}

FormationPage& MainWindow::synapses() const
{
  return *host->find<FormationPage>();
}

PlasticityPage& MainWindow::plasticity() const
{
  return *host->find<PlasticityPage>();
}

SimulationPage& MainWindow::simulation() const
{
  return *host->find<SimulationPage>();
}

// ---- what is seen ----

void MainWindow::settle()
{
  cellViews->settle();
  synapses().settle();
}

void MainWindow::showView(ViewKind kind)
{
  tabs->show(kind);
}

widgets::Figure MainWindow::figure()
{
  return tabs->current().figure();
}

void MainWindow::setColorBy(widgets::ColorBy colorBy)
{
  cellViews->setColorBy(colorBy);
  menus->setColorBy(colorBy);
}

void MainWindow::setTheme(widgets::ThemeMode mode)
{
  if (isVisible())
    widgets::changeTheme(mode);
  else
    widgets::setTheme(mode);
  menus->setDark(mode == widgets::ThemeMode::Dark);
}

void MainWindow::storeTheme() const
{
  QSettings().setValue(kDark, widgets::theme().mode == widgets::ThemeMode::Dark);
}

void MainWindow::refreshTitle()
{
  std::vector<std::string> names;
  for (const OpenCell& cell : cellList->cells())
    if (!cell.error)
      names.push_back(cell.name.toStdString());
  const QString session = QFileInfo(work->sessions()->path()).fileName();
  const QString what =
      session.isEmpty() ? QString::fromStdString(study::describeSources(names)) : session + QStringLiteral("[*]");
  setWindowTitle(what.isEmpty() ? tr("Hinesight") : tr("%1 - Hinesight").arg(what));
  setWindowModified(!session.isEmpty() && !steps().stack().isClean());
}

bool MainWindow::event(QEvent* event)
{
  std::optional<widgets::WindowPainting> painting;
  if (event->type() == QEvent::UpdateRequest)
    painting.emplace();
  return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
  place->store();
  storeTheme();
  workspace->store();
  jobQueue->cancel();
  work->keeper()->end();
  QMainWindow::closeEvent(event);
}

} // namespace hinesight::app
