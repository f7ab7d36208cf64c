#include "app/shell/main_window.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/place_dialog.hpp"
#include "app/cells/repair_dialog.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/cells/unit_question.hpp"
#include "app/document/circuit_formation.hpp"
#include "app/document/command_texts.hpp"
#include "app/document/document.hpp"
#include "app/document/history.hpp"
#include "app/document/run_restorer.hpp"
#include "app/document/seen_views.hpp"
#include "app/document/session_controller.hpp"
#include "app/document/undo_keys.hpp"
#include "app/figures/figure_dialog.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/file_drop.hpp"
#include "app/files/file_findings.hpp"
#include "app/files/file_sorter.hpp"
#include "app/files/openable_files.hpp"
#include "app/files/recent_files.hpp"
#include "app/measure/measure_page.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection/projection_page.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/neuron_bar.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/selection/selection_actions.hpp"
#include "app/selection/selection_bar.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/shell/command_palette.hpp"
#include "app/shell/context_help.hpp"
#include "app/shell/docked_panels.hpp"
#include "app/shell/growth_keeper.hpp"
#include "app/shell/help_dialogs.hpp"
#include "app/shell/kept_sessions.hpp"
#include "app/shell/main_menus.hpp"
#include "app/shell/missing_files.hpp"
#include "app/shell/page_actions.hpp"
#include "app/shell/session_keeper.hpp"
#include "app/shell/shortcuts_dialog.hpp"
#include "app/shell/tour.hpp"
#include "app/simulation/parts/simulated_parts_panel.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/workspace/foldable_docks.hpp"
#include "app/workspace/workspace.hpp"
#include "core/files.hpp"
#include "hines/solvers/definition.hpp"
#include "model/session_file.hpp"
#include "study/simulation/simulation_model.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/orbit/offscreen_graphics.hpp"

#include <QAbstractSpinBox>
#include <QClipboard>
#include <QCloseEvent>
#include <QCursor>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QScopedValueRollback>
#include <QScreen>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

/// Resources in a static library are linked only where they are asked for; outside of any namespace, as Qt demands.
static void initializeResources()
{
  Q_INIT_RESOURCE(resources);
}

namespace hinesight::app {

namespace {

std::vector<std::string> toStrings(const QStringList& paths)
{
  std::vector<std::string> strings;
  for (const QString& path : paths)
    strings.push_back(path.toStdString());
  return strings;
}

const QString kDark = QStringLiteral("window/dark");
const QString kSessionFolder = QStringLiteral("sessionFolder"); ///< of dialogs

/// Below a message that has more.
QString failedRun()
{
  return MainWindow::tr("The run failed; the message above says why.");
}

/// A fit and one SWC file: the form of that cell.
bool isFormOfModel(const OpenableFiles& files)
{
  return files.models.size() == 1 && files.cells.size() == 1 && files.sessions.isEmpty() &&
         study::modelFileKind(files.models.front().toStdString()) == study::ModelFileKind::Cell;
}

/// Where updates are on, a stack tells each widget of all its panels, thousands of them, that they are off, and then
/// that they are on again.
void showPanel(QStackedWidget* stack, QWidget* panel)
{
  if (stack->currentWidget() == panel)
    return;
  stack->setAttribute(Qt::WA_UpdatesDisabled, true);
  stack->setCurrentWidget(panel);
  stack->setAttribute(Qt::WA_UpdatesDisabled, false);
  stack->update();
}

widgets::ThemeMode storedTheme()
{
  const bool dark = QSettings().value(kDark, true).toBool();
  return dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light;
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), jobQueue(std::make_unique<Jobs>()), sorter(new FileSorter(jobQueue.get(), this)),
      cellList(new CellListModel(this)), runTable(new RunTableModel(this))
{
  initializeResources();
  widgets::setTheme(storedTheme()); // first: a style sheet that comes later polishes every widget twice
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(QIcon(QStringLiteral(":/icons/hinesight.png")));
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  // Nobody knows the frame before the window manager has made it; most have a title and little else.
  const QMargins likelyFrame(0, style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
  resize(firstSize(screen()->availableSize(), likelyFrame));

  status = new StatusPanel(statusBar(), jobQueue.get());
  addCentre();
  addViews();
  addPanels();
  connectJobs();
  addCells();
  addPages();
  addSessions();
  addHistory();
  addQuestions();
  addMenus();
  connect(sorter, &FileSorter::sorted, this, &MainWindow::openSorted);
  connect(sorter, &FileSorter::cancelled, this, [this] {
    isStarting = keepsPage = false;
    choices = {};
    status->showNotice(tr("Cancelled; no file was opened."));
  });
  connect(new FileDrop(this), &FileDrop::dropped, this, &MainWindow::openFiles);

  restoreSettings();
  refreshTitle();
  findDevices();
}

/// A field that is being edited gives up what it has while there is somebody to take it.
MainWindow::~MainWindow()
{
  if (QWidget* edited = focusWidget())
    edited->clearFocus();
}

const study::CellParameters& MainWindow::parameters() const
{
  return panels->ofCells->parameters();
}

// ---- construction ----

void MainWindow::addCentre()
{
  banner = new MessageBanner(this);
  area = new ViewArea(this);
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  mismatch = new QuestionBar(QStringLiteral("mismatch"));
  area->setBar(mismatch);
  pagesBar = addToolBar(tr("Pages"));
  pagesBar->setObjectName(QStringLiteral("pagesBar"));
  pagesBar->setMovable(false);
  pagesBar->toggleViewAction()->setVisible(false);
  pagesBar->setContextMenuPolicy(Qt::PreventContextMenu);
  pagesBar->ensurePolished(); // else it has other margins until it is shown
  pagesBar->addWidget(area->row());
  recovery = new QuestionBar(QStringLiteral("recovery"));
  kept = new KeptSessions(recovery, this);
  unitQuestion = new UnitQuestion(cellList, this);
  missingFiles = new MissingFiles(this);
  column->addWidget(recovery);
  column->addWidget(missingFiles->bar());
  column->addWidget(unitQuestion->bar());
  column->addWidget(banner);
  column->addWidget(area, 1);
  setCentralWidget(centre);
}

void MainWindow::addViews()
{
  cellViews = new CellViews(area, cellList, this);
  connect(cellViews, &CellViews::sceneChanged, this, &MainWindow::takeScene);
  connect(cellViews, &CellViews::selectionChanged, this, &MainWindow::takeSelection);
  connect(cellViews, &CellViews::cellPicked, this, [this](int row) { panels->data->chooseCell(row); });
  connect(cellViews, &CellViews::colorByChanged, this, &MainWindow::setColorBy);
  connect(cellViews, &CellViews::openRequested, this, &MainWindow::askForFiles);
  connect(cellViews, &CellViews::samplesRequested, this, &MainWindow::loadSamples);
  connect(cellViews, &CellViews::cutLengthChosen, this, &MainWindow::takeCutLength);
  connect(cellViews, &CellViews::cutWayChosen, this, &MainWindow::takeCutWay);
  connect(cellViews, &CellViews::failed, this, &MainWindow::reportError);
  connect(cellViews, &CellViews::figureRequested, this, &MainWindow::makeFigure);

  selectionActions = new SelectionActions(cellViews->selected(), this);
  connect(selectionActions, &SelectionActions::whereRequested, this, [this] {
    if (!seesBranches())
      showView(ViewKind::Morphology);
  });
  connect(selectionActions, &SelectionActions::areaRequested, this, &MainWindow::awaitArea);
  connect(cellViews, &CellViews::areaEnded, this, [this] {
    status->dropNotice();
    refreshEscape();
  });
  areaEscape = new QShortcut(Qt::Key_Escape, this);
  areaEscape->setEnabled(false);
  connect(areaEscape, &QShortcut::activated, cellViews, &CellViews::forgetArea);
  auto* bar = new SelectionBar(cellViews->selected(), selectionActions, centralWidget());
  centralWidget()->layout()->addWidget(bar);
  const auto refreshBar = [this, bar] { bar->setUseful(seesBranches()); };
  connect(area, &ViewArea::currentChanged, bar, refreshBar);
  connect(area, &ViewArea::gridChanged, bar, refreshBar);
}

void MainWindow::addPanels()
{
  docks = new FoldableDocks(
      this, [this](const QSize& room) { return room - QSize(0, pagesBar->sizeHint().height()); }, this);
  panels = std::make_unique<DockedPanels>(this, docks, cellList, runTable);
  connect(panels->data, &DataPanel::openRequested, this, &MainWindow::askForFiles);
  connect(panels->data, &DataPanel::allRemoved, this, [this](int cells) {
    status->showDeed(cells == 1 ? tr("Removed 1 cell. Undo brings it back.")
                                : tr("Removed %1 cells. Undo brings them back.").arg(cells));
  });
  connect(panels->data, &DataPanel::cellsChosen, cellViews, &CellViews::takeChosenCells);
  connect(panels->data, &DataPanel::fitRequested, this, [this](int row) {
    if (!area->isGrid())
      showView(ViewKind::Morphology);
    cellViews->fitToCell(row);
  });
  connect(panels->data, &DataPanel::findingChosen, this, [this](int row, std::int64_t line) {
    if (!area->isGrid())
      showView(ViewKind::Morphology);
    cellViews->showLine(row, line);
  });
  connect(panels->data, &DataPanel::repairRequested, this, &MainWindow::showRepairs);
  connect(panels->data, &DataPanel::placeRequested, this, [this](const std::vector<int>& rows) {
    for (QDialog* open : findChildren<QDialog*>()) // each shows other cells in place of these
      if (qobject_cast<RepairDialog*>(open) || qobject_cast<PlaceDialog*>(open))
        open->reject();
    auto* dialog = new PlaceDialog(cellList, rows, this);
    connect(dialog, &PlaceDialog::kept, this, [this](int cells) {
      status->showDeed(cells == 1 ? tr("Placed 1 cell. Undo brings it back to where it was.")
                                  : tr("Placed %1 cells. Undo brings them back to where they were.").arg(cells));
    });
    connect(dialog, &PlaceDialog::saved, this, [this](const QStringList& paths) {
      status->showNotice(tr("%1 placed cells were saved.").arg(paths.size()));
    });
    connect(dialog, &PlaceDialog::failed, this, &MainWindow::reportError);
    dialog->show();
  });
  connect(panels->data, &DataPanel::exportRequested, this, &MainWindow::askWhereToExportCells);
  connect(panels->timings, &TimingsPanel::exportRequested, this, &MainWindow::askWhereToExport);
}

void MainWindow::connectJobs()
{
  Jobs* jobs = jobQueue.get();
  connect(jobs, &Jobs::submitted, this, &MainWindow::refreshEscape);
  connect(jobs, &Jobs::ended, this, &MainWindow::refreshEscape);
  connect(jobs, &Jobs::failed, this, &MainWindow::takeFailure);
  connect(jobs, &Jobs::delivered, this, &MainWindow::takeSuccess);
  connect(jobs, &Jobs::failed, this, &MainWindow::dropChoices);
  connect(jobs, &Jobs::cancelled, this, &MainWindow::dropChoices);
}

void MainWindow::addCells()
{
  cellRuns = new CellController(jobQueue.get(), {cellList, panels->ofCells, cellViews, runTable}, this);
  status->setWords(
      kCells, [this](const QString& stage, double fraction) { return cellRuns->progressInWords(stage, fraction); });
  connect(cellRuns, &CellController::told, this, &MainWindow::reportResult);
  connect(cellRuns, &CellController::parametersWanted, this, [this](const study::CellParameters& parameters) {
    if (currentTab().runs != io::RunKind::Solve)
      showView(ViewKind::Morphology);
    setParameters(parameters);
  });
  connect(cellRuns, &CellController::unreadable, this, [this](const Error& error) {
    banner->showUnreadable(error, static_cast<std::size_t>(cellList->rowCount()));
    emit unreadable(error);
  });
  connect(cellList, &CellListModel::errorGone, this,
          [this](const Error& error) { banner->withdraw(QString::fromUtf8(error.what())); });
  for (std::size_t i = 0; i < kViewCount; ++i) {
    const auto kind = static_cast<ViewKind>(i);
    tabs.push_back({.parameters = panels->ofCells,
                    .fit = [this, kind] { cellViews->fit(kind); },
                    .runAgain = [this] { run(true); },
                    .mismatch = [this] { return cellRuns->question(); },
                    .takeFields = [this] { run(); },
                    .restoreFields =
                        [this] {
                          cellRuns->restoreFields();
                          emit host->sceneChanged();
                        },
                    .resetParameters = [this] { panels->ofCells->resetAll(); },
                    .figure = [this, kind] { return cellViews->figure(kind); },
                    .command = [this] { return solveCommand(cellList->choices(), parameters()); }});
  }
}

void MainWindow::addPages()
{
  host = new PageHost({.window = this,
                       .area = area,
                       .jobs = jobQueue.get(),
                       .cells = cellList,
                       .cellParameters = panels->ofCells,
                       .parameters = [this]() -> const study::CellParameters& { return parameters(); },
                       .scene = [this] { return cellViews->scene(); },
                       .isShown = [this](ViewKind page) { return isShown(page); },
                       .runCells = [this] { run(true); }},
                      this);
  connectHost();
  auto* neurons = new NeuronSelection(this);
  connect(panels->populations, &PopulationPanel::renamed, neurons, &NeuronSelection::renamePopulation);
  connect(panels->connections, &ConnectionPanel::renamed, cellViews->selected(), &BranchSelection::renameConnection);
  for (const PageDefinition& page : allPages().subspan(kViewCount)) {
    Tab tab = page.make(*host);
    if (!tab.parameters)
      tab.parameters = panels->ofCells;
    if (!tab.resetParameters)
      tab.resetParameters = [this] { panels->ofCells->resetAll(); };
    if (!tab.figure)
      tab.figure = [widget = tab.page] { return widgets::figureOf(*widget); };
    if (panels->parameters->indexOf(tab.parameters) < 0) // those of the cells stay where they are, and seen
      panels->parameters->addWidget(tab.parameters);
    app::describe(tab.page, page);
    area->addPage(tab.page, titleOf(page), helpOf(static_cast<int>(tabs.size())));
    tabs.push_back(std::move(tab));
  }
  simulations = host->find<SimulationController>();
  tables = host->find<ProjectionController>();
  formations = host->find<FormationController>();
  connect(area, &ViewArea::currentChanged, this, &MainWindow::takeTab);
  connect(area, &ViewArea::currentChanged, status, &StatusPanel::dropNotice);
  connect(area, &ViewArea::gridChanged, this, &MainWindow::takeTab);
  connect(area, &ViewArea::appeared, this, [this](int index) {
    if (const auto& seen = tabs[static_cast<std::size_t>(index)].seen)
      seen();
  });
  addNeuronBar(neurons);
  workspace = new Workspace(this, area, docks);
}

void MainWindow::addNeuronBar(NeuronSelection* neurons)
{
  auto* bar = new NeuronBar(neurons, cellViews->selected(), centralWidget());
  centralWidget()->layout()->addWidget(bar);
  const auto refreshPage = [this, bar] { bar->setPage(currentTab().page, currentTab().network); };
  connect(area, &ViewArea::currentChanged, bar, refreshPage);
  connect(area, &ViewArea::gridChanged, bar, refreshPage);
  refreshPage();
  connect(host, &PageHost::networkChanged, bar, &NeuronBar::takeNetwork, Qt::QueuedConnection);
  connect(selectionActions, &SelectionActions::neuronsRequested, bar, [this, bar] {
    if (!currentTab().network)
      showView(ViewKind::Projection);
    bar->openForText();
  });
  connect(bar, &NeuronBar::connectionWanted, this, [this, bar](const QString& name) {
    const model::Project open = project();
    if (std::ranges::find(open.connections, name.toStdString(), &model::Connection::name) == open.connections.end())
      bar->showMistake(tr("The circuit has no connection %1.").arg(name));
    else
      tables->pick(name.toStdString());
  });
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
  connect(host, &PageHost::told, this, &MainWindow::reportResult);
  connect(host, &PageHost::noted, status, &StatusPanel::showNotice);
  connect(host, &PageHost::failed, this, &MainWindow::reportError);
  connect(host, &PageHost::saved, this, &MainWindow::reportSaved);
  connect(host, &PageHost::unreadable, this, &MainWindow::unreadable);
  connect(host, &PageHost::pageWanted, this, &MainWindow::showView);
  connect(host, &PageHost::pictureWanted, this, &MainWindow::askWhereToSaveView);
  connect(host, &PageHost::parametersWanted, this, &MainWindow::setParameters);
  connect(host, &PageHost::devicesFound, status, &StatusPanel::showDevices);
  connect(host, &PageHost::devicesFound, panels->ofCells, &ParameterPanel::setDevices);
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

void MainWindow::addSessions()
{
  auto* seen = new SeenViews({cellList, panels->data,
                              static_cast<widgets::MorphologyView*>(&cellViews->view(ViewKind::Morphology)),
                              host->find<MeasurePage>()},
                             this);
  const DocumentParts parts{.jobs = jobQueue.get(),
                            .cells = cellList,
                            .list = panels->data,
                            .selection = cellViews->selected(),
                            .parameters = panels->ofCells,
                            .populations = panels->populations,
                            .connections = panels->connections,
                            .projection = tables,
                            .formation = formations,
                            .growth = host->find<PlasticityController>(),
                            .simulation = simulations,
                            .runs = runTable,
                            .seen = seen};
  document = new Document(parts, this);
  connectDocument();
  const auto page = [this] { return std::string(allPages()[static_cast<std::size_t>(area->current())].name); };
  sessions = new SessionController(parts, document, page, this);
  keeper = new SessionKeeper(
      kept, jobQueue.get(), runTable, [this] { return whatIsOpen(); }, this);
  connect(seen, &SeenViews::changed, keeper, &SessionKeeper::keepSeen);
  const auto* grown = new GrowthKeeper(
      kept, jobQueue.get(), host->find<PlasticityPage>(), [this] { keeper->keep(); }, this);
  connect(grown, &GrowthKeeper::failed, this, &MainWindow::warn);
  connectSimulation();
  addRestorer();
  connect(sessions, &SessionController::told, this, &MainWindow::reportResult);
  connect(sessions, &SessionController::saved, this, &MainWindow::reportKept);
  connect(sessions, &SessionController::warned, this, &MainWindow::warn);
  connect(sessions, &SessionController::filesMissing, missingFiles, &MissingFiles::ask);
  connect(missingFiles, &MissingFiles::folderChosen, sessions, &SessionController::locate);
  connect(sessions, &SessionController::pageNamed, this, [this](const std::string& name) {
    const auto pages = allPages();
    const auto found = std::ranges::find(pages, name, &PageDefinition::name);
    if (!keepsPage && found != pages.end())
      area->showView(static_cast<int>(found - pages.begin()));
  });
}

void MainWindow::connectDocument()
{
  connect(document, &Document::parametersWanted, this, &MainWindow::setParameters);
  connect(document, &Document::ran, runTable, &RunTableModel::add);
  connect(document, &Document::told, this, &MainWindow::reportResult);
  connect(document, &Document::exported, this, &MainWindow::reportSaved);
  connect(document, &Document::failed, this, &MainWindow::reportError);
  connect(document, &Document::warned, this, &MainWindow::warn);
  connect(document, &Document::wentWith, this, [this](const QString& sentence) {
    wentWith = sentence;
    warn(sentence);
  });
  connect(document, &Document::pageWanted, this, &MainWindow::showView);
  connect(panels->simulated, &SimulatedPartsPanel::edited, document, &Document::change);
}

/// The page Simulation, and the circuit that it simulates.
void MainWindow::connectSimulation()
{
  connect(simulations, &SimulationController::circuitEdited, document, &Document::setSimulation);
  connect(simulations, &SimulationController::refusalGone, this, [this](const QString& sentence) {
    banner->withdraw(sentence);
    status->withdrawResult(failedRun());
  });
  connect(simulations, &SimulationController::circuitRefused, this, [this](const QString& sentence, bool hasNoModel) {
    if (hasNoModel)
      banner->offer(sentence, {tr("New model…"), tr("Make a model of neurons, which populations are simulated by"),
                               [this] { panels->simulated->addModel(); }});
    findChild<QTabWidget*>(QStringLiteral("circuitTabs"))->setCurrentWidget(panels->simulated);
    if (auto* open = findChild<QAction*>(QStringLiteral("circuitDockAction")); !open->isChecked())
      open->trigger();
  });
  simulation().setPopulationColors(
      [of = panels->populations](const std::string& name) { return of->colourNamed(name); });
  connect(&simulation(), &SimulationPage::opened, this, [this, said = QString()]() mutable {
    banner->withdraw(std::exchange(said, leftOutInWords(simulation().model()->circuit.withoutSynapses)));
    if (!said.isEmpty())
      warn(said);
  });
  simulations->setDocument({.project = [this] { return document->project(); },
                            .file = [this] { return sessions->path(); },
                            .identity = [this] { return runTable->history(); },
                            .isOfPerson = [this] { return kept->hasBegun(); }});
  connect(&simulation(), &SimulationPage::opened, keeper, &SessionKeeper::keepSeen);
}

/// Of runs that a session kept, and of those that pages make.
void MainWindow::addRestorer()
{
  auto* restorer = new RunRestorer(
      {document, tables, formations, host->find<PlasticityController>(), simulations, &benchmarks()}, this);
  runTable->setRestoring([restorer](const io::RunRecord& run) { restorer->restore(run); });
  connect(host, &PageHost::ran, runTable,
          [this, restorer](const io::RunRecord& run, const std::function<void()>& restore) {
            runTable->add(run, restore ? restore : restorer->restoring(run));
          });
  connect(restorer, &RunRestorer::solveWanted, cellRuns, &CellController::parametersWanted);
  connect(restorer, &RunRestorer::parametersWanted, this, &MainWindow::setParameters);
  connect(restorer, &RunRestorer::pageWanted, this, &MainWindow::showView);
  connect(restorer, &RunRestorer::failed, this, &MainWindow::reportError);
}

/// Whoever changes what is open says so, by one of these signals.
void MainWindow::addHistory()
{
  steps = new History({.project = [this] { return document->project(); },
                       .aside = [this] { return document->aside(); },
                       .selected =
                           [this] {
                             Selected selected = cellViews->selected()->selected();
                             selected.neurons = host->find<NeuronSelection>()->selected();
                             return selected;
                           },
                       .show =
                           [this](const model::Project& wanted, const Aside& aside, const Selected& selected) {
                             const QScopedValueRollback guard(isUndoing, true);
                             document->show(wanted, aside, selected);
                             host->find<NeuronSelection>()->restore(selected.neurons);
                           }},
                      this);
  DockedPanels::addHistory(this, docks, &steps->stack());
  const auto takeSoon = [this] {
    steps->takeSoon();
    if (mismatchTimer.isActive()) // asks once the step is made
      mismatchTimer.start();
  };
  connect(cellList, &CellListModel::changeBegins, this, takeSoon);
  connect(cellList, &CellListModel::contentChanged, this, takeSoon);
  connect(cellList, &CellListModel::visibilityChanged, this, takeSoon);
  connect(cellViews->selected(), &BranchSelection::setsChanged, this, takeSoon);
  connect(cellViews->selected(), &BranchSelection::stepBegins, this, [this] { steps->take(); });
  connect(cellViews->selected(), &BranchSelection::stepMade, steps, &History::takeHidden);
  connect(cellViews->selected(), &BranchSelection::changed, steps, &History::takeSelected);
  connect(host->find<NeuronSelection>(), &NeuronSelection::changed, steps, &History::takeSelected);
  connect(cellViews->selected(), &BranchSelection::chosenFilesChanged, steps, &History::takeSelected);
  connect(cellViews->selected(), &BranchSelection::inChosenChanged, steps, &History::takeSelected);
  connect(&steps->stack(), &QUndoStack::indexChanged, this, [this, before = steps->stack().index()](int now) mutable {
    if (now < std::exchange(before, now))
      banner->withdraw(std::exchange(wentWith, {}));
    steps->takeAside();
    keeper->keepSeen();
  });
  connect(panels->ofCells, &ParameterPanel::edited, this, takeSoon);
  connect(panels->populations, &PopulationPanel::changed, this, takeSoon);
  connect(panels->populations, &PopulationPanel::traitsChanged, this, takeSoon);
  connect(document, &Document::changed, this, takeSoon);
  connect(document, &Document::formedShown, this, [this] { steps->takeAside(); });
  connect(findChild<SeenViews*>(), &SeenViews::changed, this, [this] { steps->takeAside(); });
  connect(host, &PageHost::questionChanged, this, takeSoon);
  connect(host, &PageHost::sceneChanged, this, takeSoon);
  connect(host, &PageHost::backendChosen, this, takeSoon);
  connect(sessions, &SessionController::opened, this, [this](const QString& step) {
    const bool isAsSaved = !applyChoices();
    if (isStarting)
      beginHistory();
    else
      steps->take(step);
    rememberFolders();
    if (isAsSaved)
      steps->stack().setClean();
    else
      steps->stack().resetClean();
    refreshTitle();
  });
  connect(sessions, &SessionController::saved, this, [this] {
    steps->stack().setClean();
    refreshTitle();
    menus->recentFiles().add({sessions->path()});
    keeper->keepSeen(); // its file is another one
  });
  connect(area, &ViewArea::currentChanged, keeper, &SessionKeeper::keepSeen);
  connect(&steps->stack(), &QUndoStack::cleanChanged, this, &MainWindow::refreshTitle);
  listCircuit();
  connect(steps, &History::changed, this, [this] {
    listCircuit();
    keeper->keep();
  });
  connect(kept, &KeptSessions::restored, this,
          [this](const model::Project& project, const model::SessionView& view, const io::SharedRuns& runs,
                 const QString& network) {
            sessions->restore(project, view, runs);
            rememberFolders();
            steps->take(tr("Restore what was open"));
            steps->stack().resetClean(); // its file lacks the newest steps
            refreshTitle();
            resumeGrowth(network);
          });
  connect(sessions, &SessionController::openedAsNew, this,
          [this](const QString& path) { resumeGrowth(kept->takeNetwork(path)); });
  connect(kept, &KeptSessions::lastChanged, this, [this] { menus->setLast(!kept->last().isEmpty()); });
  connect(kept, &KeptSessions::chosen, this, [this](const QString& closed) { sessions->openAsNew(closed); });
  connect(kept, &KeptSessions::failed, this, &MainWindow::warn);
  new UndoKeys(this);
}

/// As of the newest step.
OpenSession MainWindow::whatIsOpen() const
{
  OpenSession open{document->toKeep(steps->project()), sessions->view()};
  if (!sessions->path().isEmpty())
    open.view.savedAs = QFileInfo(sessions->path()).absoluteFilePath().toStdString();
  return open;
}

/// A network that was kept with what is open now.
void MainWindow::resumeGrowth(const QString& network)
{
  const model::Project open = document->project();
  if (!network.isEmpty())
    host->find<PlasticityController>()->resume(network, open.grow && open.grow->steps > 0);
}

/// With what was opened at the start.
void MainWindow::beginHistory()
{
  isStarting = keepsPage = false;
  steps->begin();
  listCircuit();
  keeper->keep();
}

/// Whether what was chosen for the session that is opened at the start is other than what it says.
bool MainWindow::applyChoices()
{
  if (!choices)
    return false;
  const model::Project opened = document->project();
  model::Project wanted = opened;
  choices(wanted);
  // Neurons that are being placed bring what their connection said.
  if (!jobQueue->isActive(kNeurons))
    choices = {};
  if (wanted.solve != opened.solve)
    setParameters(wanted.solve);
  if (wanted != document->project())
    document->show(wanted, document->aside());
  return wanted != opened;
}

/// The next session that is opened is another one.
void MainWindow::dropChoices(const JobKind& kind)
{
  if (kind == kSession || kind == kNeurons)
    choices = {};
}

/// In the lists of its parts; a simulation may be of another one now.
void MainWindow::listCircuit()
{
  document->list(steps->project());
  panels->simulated->setProject(steps->project());
  host->find<NeuronSelection>()->setPopulations(steps->project().populations);
  simulations->followCircuit();
  mismatchTimer.start();
}

model::SessionView MainWindow::sessionView() const
{
  return sessions->view();
}

model::Project MainWindow::project() const
{
  return document->project();
}

model::Project MainWindow::projectToRun() const
{
  return document->projectToRun();
}

void MainWindow::keepOpenIn(const QString& folder)
{
  steps->begin();
  kept->begin(folder, steps->project());
  menus->setLast(!kept->last().isEmpty());
}

/// Asked as soon as all who are told of a change have heard of it, so that what is under way is not asked about.
void MainWindow::addQuestions()
{
  mismatchTimer.setSingleShot(true);
  mismatchTimer.setInterval(0);
  connect(&mismatchTimer, &QTimer::timeout, this, [this] {
    const auto& ask = currentTab().mismatch;
    mismatch->ask(ask ? ask() : Question());
  });
  const auto askSoon = [this] { mismatchTimer.start(); };
  connect(cellRuns, &CellController::cellsRead, unitQuestion, &UnitQuestion::ask);
  connect(cellList, &CellListModel::contentChanged, unitQuestion, &UnitQuestion::ask);
  connect(mismatch, &QuestionBar::agreed, this, [this] { currentTab().takeFields(); });
  connect(mismatch, &QuestionBar::declined, this, [this] { currentTab().restoreFields(); });
  connect(mismatch, &QuestionBar::agreed, this, askSoon);
  connect(mismatch, &QuestionBar::declined, this, askSoon);
  connect(area, &ViewArea::currentChanged, this, askSoon);
  connect(jobQueue.get(), &Jobs::submitted, this, askSoon);
  connect(jobQueue.get(), &Jobs::ended, this, askSoon);
  connect(panels->ofCells, &ParameterPanel::edited, this, askSoon);
  connect(cellViews, &CellViews::sceneChanged, this, askSoon);
  connect(host, &PageHost::questionChanged, this, askSoon);
}

void MainWindow::addMenus()
{
  const auto* ofButtons = new PageActions(area, this);
  menus = new MainMenus(this,
                        {.docks = docks->actions(),
                         .earlier = kept->earlierSessions(),
                         .panes = workspace->actions(),
                         .workspaces = workspace->menu(),
                         .selection = selectionActions->all(),
                         .cells = panels->data->cellActions(),
                         .visibility = panels->data->visibilityActions(),
                         .circuit = ofButtons->ofCircuit(),
                         .runs = panels->timings->runActions(),
                         .page = ofButtons->ofPage()},
                        steps->stack());
  connect(area, &ViewArea::gridChanged, menus, &MainMenus::setGrid);
  const auto refreshRuns = [this] { menus->setRuns(runTable->rowCount() > 0); };
  connect(runTable, &QAbstractItemModel::rowsInserted, menus, refreshRuns);
  connect(runTable, &QAbstractItemModel::modelReset, menus, refreshRuns);

  connect(menus, &MainMenus::openRequested, this, &MainWindow::askForFiles);
  connect(menus, &MainMenus::openFolderRequested, this, &MainWindow::askForFolder);
  connect(menus, &MainMenus::openChosen, this, [this](const QString& path) { openFiles({path}); });
  connect(menus, &MainMenus::samplesRequested, this, &MainWindow::loadSamples);
  connect(menus, &MainMenus::saveSessionRequested, this, &MainWindow::saveSession);
  connect(menus, &MainMenus::saveSessionAsRequested, this, &MainWindow::askWhereToSaveSession);
  connect(menus, &MainMenus::lastRequested, this, [this] {
    if (const QString last = kept->last(); !last.isEmpty())
      sessions->openAsNew(last);
  });
  connect(menus, &MainMenus::commandCopyRequested, this, &MainWindow::copyCommand);
  connect(menus, &MainMenus::sessionCopyRequested, this, &MainWindow::copySession);
  connect(menus, &MainMenus::circuitExportRequested, this, [this] {
    askWhichNewFolder(this,
                      {QStringLiteral("exportCircuitDialog"),
                       tr("Export the circuit as SONATA into a folder, which is made where it is not there"),
                       QStringLiteral("exportFolder"),
                       {},
                       QStringLiteral("circuit")},
                      [this](const QString& folder) { document->exportCircuit(folder); });
  });
  connect(menus, &MainMenus::exportRequested, this, &MainWindow::askWhereToExport);
  connect(menus, &MainMenus::saveViewRequested, this, &MainWindow::askWhereToSaveView);
  connect(menus, &MainMenus::quitRequested, this, &QWidget::close);
  connect(menus, &MainMenus::viewChosen, area, &ViewArea::showView);
  connect(menus, &MainMenus::gridRequested, area, &ViewArea::setGrid);
  connect(menus, &MainMenus::backendRequested, this, [this](Backend backend) {
    setBackend(backend);
    // What is seen is made there at once; a model of plasticity that runs is asked about.
    const Tab& tab = currentTab();
    if (tab.runs != io::RunKind::Growth && tab.mismatch && !tab.mismatch().text.isEmpty())
      tab.takeFields();
  });
  connect(menus, &MainMenus::backendsShown, this, [this] {
    const Backend ofCells = parameters().solve.backend;
    const auto grows = project().grow;
    const bool isOne = tables->request().compute.backend == ofCells &&
                       formations->request().formation.backend == ofCells &&
                       (!grows || grows->model.backend == ofCells) &&
                       simulations->request().run.backend == ofCells; // benchmarks compare backends
    menus->setBackend(isOne ? std::optional(ofCells) : std::nullopt);
  });
  connect(host, &PageHost::devicesFound, menus, [this](const DeviceReport& report) {
    menus->setCuda(QString::fromStdString(report.whyNoCuda));
    menus->setGpus(chosenFirst(report.cudaDevices));
  });
  connect(menus, &MainMenus::gpuRequested, this, [this](const DeviceInfo& gpu) {
    keepChosenGpu(gpu);
    jobQueue->setGpu(gpu.index);
    status->showChosenGpu();
  });
  connect(menus, &MainMenus::fitRequested, this, [this] {
    if (const auto& fit = currentTab().fit)
      fit();
  });
  connect(menus, &MainMenus::deselectRequested, this, [this] { cellViews->select({}); });
  connect(menus, &MainMenus::colorByChosen, this, &MainWindow::setColorBy);
  connect(menus, &MainMenus::timingsToggled, this, &MainWindow::setTimingsShown);
  connect(menus, &MainMenus::darkToggled, this, [this](bool dark) {
    setTheme(dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light);
    storeTheme(); // whatever becomes of the window
  });
  connect(menus, &MainMenus::runRequested, this, [this] {
    if (auto* typed = qobject_cast<QAbstractSpinBox*>(focusWidget()))
      typed->interpretText(); // what is being typed counts
    if (const auto& runAgain = currentTab().runAgain)
      runAgain();
  });
  connect(menus, &MainMenus::cancelRequested, jobQueue.get(), [this] { jobQueue->cancel(); });
  connect(this, &MainWindow::unreadable, this,
          [this](const Error& error) { menus->recentFiles().remove(QString::fromStdString(error.file())); });
  connect(menus, &MainMenus::resetRequested, this, [this] { currentTab().resetParameters(); });
  connect(menus, &MainMenus::paletteRequested, this, [this] { (new CommandPalette(this))->show(); });
  connect(menus, &MainMenus::helpRequested, this, [this] { showHelp(this, QCursor::pos()); });
  connect(menus, &MainMenus::guideRequested, this, [this] { showGuide(this, {}); });
  connect(menus, &MainMenus::tourRequested, this, &MainWindow::startTour);
  connect(menus, &MainMenus::shortcutsRequested, this, [this] { ShortcutsDialog::showFor(this); });
  connect(menus, &MainMenus::aboutRequested, this, [this] { showAbout(this); });
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
  if (Tour::isOver() || recovery->isVisibleTo(this))
    return;
  isStarting = cellList->rowCount() == 0; // its cells are no step of the person's
  startTour();
}

// ---- opening ----

void MainWindow::openFiles(const QStringList& paths)
{
  if (paths.isEmpty())
    return;
  QStringList there;
  for (const QString& path : paths)
    if (!isResource(path) && QFileInfo::exists(path))
      there << QFileInfo(path).absoluteFilePath();
  menus->recentFiles().add(there);
  if (!there.isEmpty())
    rememberOpened(there.back());
  sorter->sort(paths);
}

void MainWindow::openAtStart(const QStringList& paths, bool keepsItsPage,
                             const std::function<void(model::Project& session)>& ofPerson)
{
  isStarting = !paths.isEmpty();
  keepsPage = keepsItsPage;
  choices = isStarting ? ofPerson : nullptr;
  openFiles(paths);
}

bool MainWindow::isOpening() const
{
  return sorter->isBusy();
}

void MainWindow::openSorted(const OpenableFiles& files)
{
  for (const Error& problem : files.problems) {
    menus->recentFiles().remove(QString::fromStdString(problem.file()));
    reportError(QString::fromUtf8(problem.what()));
    if (!unopened)
      unopened = problem;
  }
  if (!files.sessions.isEmpty())
    sessions->open(files.sessions.back(), toStrings(files.cells));
  else if (!files.cells.isEmpty() && !isFormOfModel(files)) {
    cellList->add(toStrings(files.cells));
    if (isStarting && !keepsPage && !seesBranches())
      showView(ViewKind::Morphology); // the page of last time shows nothing of them
  }
  if (!files.models.isEmpty()) {
    simulations->open(files.models.back(), isFormOfModel(files) ? files.cells.front() : QString());
    showView(ViewKind::Simulation);
  }
  if (!files.circuits.isEmpty())
    sessions->importCircuit(files.circuits.back());
  if (!files.tables.isEmpty())
    tables->open(files.tables);
  if (!files.neurons.isEmpty())
    formations->openNeurons(files.neurons.back());
  if (!files.networks.isEmpty())
    formations->openNetwork(files.networks.back());
  if (!files.neurons.isEmpty() || !files.networks.isEmpty())
    showView(ViewKind::Synapses);
  if (!files.either.isEmpty())
    openEither(files.either.back());
  if (!files.sessions.isEmpty() || !files.circuits.isEmpty())
    return; // the history begins once that is open
  choices = {};
  if (isStarting)
    beginHistory();
}

/// The page that a person sees says what to make of it.
void MainWindow::openEither(const NetworkFile& file)
{
  if (isShown(ViewKind::Synapses))
    return formations->openNetwork(file);
  if (!isShown(ViewKind::Projection))
    warn(tr("%1 was opened as a weight table. To see its edges as synapses of a network, open it again while the page "
            "Synapses is shown.")
             .arg(QFileInfo(file.path).fileName()));
  tables->open({file.path});
}

void MainWindow::loadSamples()
{
  openFiles(samplePaths());
}

void MainWindow::setBackend(Backend backend)
{
  study::CellParameters cells = parameters();
  cells.solve.backend = backend;
  emit host->backendChosen(backend);
  setParameters(cells);
}

void MainWindow::setParameters(const study::CellParameters& parameters)
{
  panels->ofCells->setParameters(parameters);
  steps->takeSoon();
  if (cellList->rowCount() > 0 || parameters.batch.source == study::BatchSource::RandomTrees)
    run();
}

// ---- running ----

void MainWindow::run(bool solveAgain)
{
  refreshTitle();
  if (isUndoing)
    cellRuns->showAgainOrRun();
  else
    cellRuns->run(solveAgain);
}

void MainWindow::findDevices()
{
  jobQueue->submit(
      {.name = "devices", .isQuiet = true},
      [jobs = jobQueue.get()](const JobContext&) {
        DeviceReport report = app::findDevices();
        if (!report.cudaDevices.empty())
          jobs->setGpu(report.cudaDevices.front().index); // of jobs that wait already
        return report;
      },
      [this](const DeviceReport& report) { emit host->devicesFound(report); });
}

void MainWindow::takeFailure(const JobKind& kind, const Error& error)
{
  const QString sentence = whatIsWrong(error);
  isStarting = keepsPage = false;
  if (error.file().empty())
    banner->withdraw(std::exchange(failures[kind.name], sentence)); // this one stands in its place
  reportResult(failedRun());
  reportError(sentence);
}

/// What failed before of that kind has been put right.
void MainWindow::takeSuccess(const JobKind& kind)
{
  if (const auto failed = failures.extract(kind.name)) {
    banner->withdraw(failed.mapped());
    status->withdrawResult(failedRun());
  }
  if (kind == kNeurons)
    applyChoices();
}

// ---- what is seen ----

void MainWindow::settle()
{
  cellViews->settle();
  synapses().settle();
}

void MainWindow::showView(ViewKind kind)
{
  area->showView(static_cast<int>(kind));
}

/// A page whose branches can be selected.
bool MainWindow::seesBranches() const
{
  return area->isGrid() || area->current() < kViewCount || area->current() == static_cast<int>(ViewKind::Measure);
}

bool MainWindow::isShown(ViewKind page) const
{
  return area->isSeen(static_cast<int>(page));
}

/// In the grid, that of the view under the pointer.
const Tab& MainWindow::currentTab() const
{
  return tabs[static_cast<std::size_t>(area->current())];
}

void MainWindow::takeTab()
{
  showPanel(panels->parameters, currentTab().parameters);
  panels->timings->setPage(currentTab().runs);
}

void MainWindow::takeScene()
{
  panels->ofCells->showPlan(scene()->plan.get(), scene()->solution.get());
  emit host->sceneChanged();
}

void MainWindow::takeSelection()
{
  refreshEscape();
  panels->data->showBranch(cellViews->describeSelection());
}

void MainWindow::takeCutLength(hines::SolverId solver, std::int32_t compartments)
{
  study::CellParameters edited = parameters();
  hines::definitionOf(solver).setCutLength(edited.solve, compartments);
  takeCut(solver, std::move(edited));
}

void MainWindow::takeCutWay(hines::SolverId solver, const QString& name)
{
  study::CellParameters edited = parameters();
  hines::definitionOf(solver).chooseCut(edited.solve, name.toStdString());
  takeCut(solver, std::move(edited));
}

/// Where `auto` chose the solver, the person has now chosen it; the plan of branches is drawn whatever solves.
void MainWindow::takeCut(hines::SolverId solver, study::CellParameters edited)
{
  const std::vector<hines::SettingsGroup> settings = hines::definitionOf(solver).settings();
  const auto& scene = cellViews->scene();
  const auto solution = scene ? scene->solution : nullptr;
  if (solution && solution->parameters.solver == solver &&
      std::ranges::none_of(settings, &hines::SettingsGroup::isDrawnAnyway))
    edited.solve.solver = solver;
  if (edited != parameters())
    setParameters(edited);
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

void MainWindow::setTimingsShown(bool shown)
{
  cellViews->setTimingsShown(shown);
  emit host->timingsToggled(shown);
}

void MainWindow::refreshEscape()
{
  const bool awaitsArea = cellViews->awaitsArea();
  areaEscape->setEnabled(awaitsArea);
  menus->setEscape(!awaitsArea && jobQueue->isActive(),
                   !awaitsArea && !cellViews->selected()->choice().selected.isEmpty());
}

/// In the views that are seen, or in space where none is.
void MainWindow::awaitArea(widgets::AreaShape shape)
{
  if (!area->isGrid() && area->current() >= kViewCount)
    showView(ViewKind::Morphology);
  cellViews->awaitArea(shape);
  refreshEscape();
  status->showNotice(shape == widgets::AreaShape::Box
                         ? tr("Drag a box around branches with the left button, with Ctrl to add them; Esc ends it.")
                         : tr("Drag a loop around branches with the left button, with Ctrl to add them; Esc ends it."));
}

void MainWindow::refreshTitle()
{
  std::vector<std::string> names;
  for (const OpenCell& cell : cellList->cells())
    if (!cell.error)
      names.push_back(cell.name.toStdString());
  const QString session = sessions ? QFileInfo(sessions->path()).fileName() : QString();
  const QString what =
      session.isEmpty() ? QString::fromStdString(study::describeSources(names)) : session + QStringLiteral("[*]");
  setWindowTitle(what.isEmpty() ? tr("Hinesight") : tr("%1 - Hinesight").arg(what));
  setWindowModified(!session.isEmpty() && !steps->stack().isClean());
}

void MainWindow::reportSaved(const QString& path)
{
  status->showNotice(tr("Exported to %1.").arg(QDir::toNativeSeparators(path)));
}

void MainWindow::reportKept(const QString& path)
{
  status->showNotice(tr("Saved to %1.").arg(QDir::toNativeSeparators(path)));
}

void MainWindow::reportResult(const QString& sentence)
{
  status->showResult(sentence);
}

void MainWindow::warn(const QString& sentence)
{
  banner->show(MessageBanner::Severity::Warning, sentence);
}

void MainWindow::reportError(const QString& sentence)
{
  banner->show(MessageBanner::Severity::Error, sentence);
}

// ---- files ----

void MainWindow::askForFiles()
{
  askWhatToOpen(this,
                {QStringLiteral("openDialog"),
                 tr("Open neurons, a network or a weight table"),
                 QStringLiteral("openFolder"),
                 openableFilters(),
                 {}},
                [this](const QStringList& paths) { openFiles(paths); });
}

/// Dialogs begin where the session lies that is open, or its cells.
void MainWindow::rememberFolders() const
{
  if (!sessions->path().isEmpty()) {
    rememberFolder(kSessionFolder, sessions->path());
    return rememberOpened(sessions->path());
  }
  for (const OpenCell& cell : cellList->cells())
    if (const QString path = QString::fromStdString(cell.source.path); !isResource(path) && QFileInfo::exists(path))
      return rememberOpened(path);
}

void MainWindow::askForFolder()
{
  askWhichFolder(this,
                 {QStringLiteral("openFolderDialog"),
                  tr("Open all neurons of a folder and of those in it"),
                  QStringLiteral("openFolder"),
                  {},
                  {}},
                 [this](const QString& path) { openFiles({path}); });
}

void MainWindow::askWhereToSaveSession()
{
  askWhereToSave(
      this,
      {QStringLiteral("saveSessionDialog"),
       tr("Save session"),
       kSessionFolder,
       {tr("Session (*.hinesight)")},
       sessions->path().isEmpty() ? QStringLiteral("session.hinesight") : QFileInfo(sessions->path()).fileName()},
      [this](const QString& path) { sessions->save(path); });
}

void MainWindow::saveSession()
{
  if (sessions->path().isEmpty())
    askWhereToSaveSession();
  else
    sessions->save(sessions->path());
}

void MainWindow::copyCommand()
{
  try {
    const Tab& tab = currentTab();
    const std::optional<SessionWork> work = tab.work ? tab.work() : std::nullopt;
    if (!work && !tab.command)
      throw Error(ErrorCode::BadParameter, "This page computes nothing that a command could.");
    const std::string text =
        work ? runCommand(sessions->path().toStdString(), document->projectToRun(), *work) : tab.command();
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
    status->showNotice(tr("The command of this page is in the clipboard."));
  } catch (const Error& error) {
    const QString sentence = QString::fromUtf8(error.what());
    banner->withdraw(sentence); // said again, it is the newest
    reportError(sentence);
    status->showNotice(tr("No command was copied; the message above says why."));
  }
}

/// With whole paths of files, so that the text can be saved anywhere.
void MainWindow::copySession()
{
  QGuiApplication::clipboard()->setText(
      QString::fromStdString(model::sessionTextForAnyFolder(document->projectToRun(), sessions->view())));
  status->showNotice(tr("The session is in the clipboard."));
}

void MainWindow::askWhereToExport()
{
  askWhereToSave(this,
                 {QStringLiteral("exportDialog"),
                  tr("Export timings"),
                  QStringLiteral("exportFolder"),
                  {tr("CSV table (*.csv)"), tr("JSON (*.json)")},
                  QStringLiteral("timings.csv")},
                 [this](const QString& path) {
                   save(path, tr("Exported to %1."), [&] {
                     const auto runs = runTable->runs();
                     io::writeTimings({runs.begin(), runs.end()}, path.toStdString());
                   });
                 });
}

/// One cell at a time.
void MainWindow::showRepairs(int row)
{
  auto* open = findChild<RepairDialog*>();
  if (open && open->isVisible() && open->cell() == cellList->cells()[static_cast<std::size_t>(row)].source.id)
    return open->raise();
  if (open)
    open->reject();
  if (auto* placing = findChild<PlaceDialog*>())
    placing->reject();
  auto* dialog = new RepairDialog(cellList, row, this);
  connect(dialog, &RepairDialog::saved, this, [this](const QString& path) {
    steps->take(tr("Save the repaired cell as %1").arg(QFileInfo(path).fileName()));
    menus->recentFiles().add({path});
    reportKept(path);
  });
  connect(dialog, &RepairDialog::failed, this, &MainWindow::reportError);
  dialog->show();
}

void MainWindow::askWhereToExportCells()
{
  askWhereToSave(this,
                 {QStringLiteral("exportCellsDialog"),
                  tr("Export the table of cells"),
                  QStringLiteral("exportFolder"),
                  {tr("CSV table (*.csv)")},
                  QStringLiteral("cells.csv")},
                 [this](const QString& path) {
                   save(path, tr("Exported to %1."), [&] {
                     writeFileAtomically(path.toStdString(), [text = tableOfCells().toStdString()](
                                                                 std::ostream& stream) { stream << text; });
                   });
                 });
}

void MainWindow::askWhereToSaveView()
{
  const Tab& tab = currentTab();
  if (tab.askWhereToSave)
    return tab.askWhereToSave();
  makeFigure();
}

QString MainWindow::tableOfCells() const
{
  return panels->data->table();
}

widgets::Figure MainWindow::figure()
{
  return currentTab().figure();
}

FigureSubject MainWindow::figureSubject()
{
  FigureSubject subject{.page = titleOf(allPages()[static_cast<std::size_t>(area->current())]), .figure = figure()};
  if (area->current() >= kViewCount)
    return subject;
  const auto page = static_cast<ViewKind>(area->current());
  widgets::View& view = cellViews->currentView(page);
  subject.view = &view; // a copy may be closed
  if (page == ViewKind::Morphology)
    subject.turned = [&ofCells = static_cast<widgets::MorphologyView&>(view)](double turns) {
      return ofCells.figureTurned(turns);
    };
  return subject;
}

/// Of the page that is in front; it has the keyboard also where nothing manages windows.
void MainWindow::makeFigure()
{
  delete figureDialog;
  figureDialog = new FigureDialog([this] { return figureSubject(); }, this);
  connect(area, &ViewArea::currentChanged, figureDialog, &FigureDialog::follow);
  connect(jobQueue.get(), &Jobs::delivered, figureDialog, [this] {
    if (area->current() >= kViewCount) // which may have other charts now
      figureDialog->follow();
  });
  connect(figureDialog, &FigureDialog::told, status, &StatusPanel::showNotice);
  connect(figureDialog, &FigureDialog::failed, this, &MainWindow::reportError);
  figureDialog->show();
  figureDialog->raise();
  figureDialog->activateWindow();
}

/// Says how it went: `done` with the path in place of %1.
void MainWindow::save(const QString& path, const QString& done, const std::function<void()>& write)
{
  try {
    write();
    status->showNotice(done.arg(QDir::toNativeSeparators(path)));
  } catch (const Error& error) {
    reportError(QString::fromUtf8(error.what()));
  }
}

// ---- settings and window events ----

QSize MainWindow::firstSize(const QSize& workArea, const QMargins& frame)
{
  return defaultSize().boundedTo(workArea.shrunkBy(frame));
}

void MainWindow::restoreSettings()
{
  const QSettings settings;
  if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray()))
    proposedSize = size();
  bringInside();
  setTheme(storedTheme());
  workspace->restore();
}

void MainWindow::storeTheme() const
{
  QSettings().setValue(kDark, widgets::theme().mode == widgets::ThemeMode::Dark);
}

void MainWindow::storeSettings() const
{
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  storeTheme();
  workspace->store();
}

/// The screen may be another one than last time.
void MainWindow::bringInside()
{
  QList<QRect> workAreas;
  for (const QScreen* screen : QGuiApplication::screens())
    workAreas << screen->availableGeometry();
  const QRect inside = broughtInside(geometry(), workAreas);
  if (!isMaximized() && !isFullScreen() && inside != geometry())
    setGeometry(inside);
}

/// A first window has its frame when it first becomes active.
void MainWindow::changeEvent(QEvent* event)
{
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && proposedSize)
    fitIntoWorkArea();
}

/// A size that a person has asked for stays.
void MainWindow::fitIntoWorkArea()
{
  const bool isAsProposed = size() == std::exchange(proposedSize, std::nullopt);
  if (!isAsProposed || isMaximized() || isFullScreen())
    return;
  const QRect workArea = screen()->availableGeometry();
  resize(firstSize(workArea.size(), windowHandle()->frameMargins()));
  const QRect framed = frameGeometry();
  const QPoint last = workArea.bottomRight() - QPoint(framed.width() - 1, framed.height() - 1);
  move(std::clamp(framed.left(), workArea.left(), std::max(workArea.left(), last.x())),
       std::clamp(framed.top(), workArea.top(), std::max(workArea.top(), last.y())));
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
  storeSettings();
  jobQueue->cancel();
  keeper->end();
  QMainWindow::closeEvent(event);
}

} // namespace hinesight::app
