#include "app/main_window.hpp"

#include "app/benchmark_controller.hpp"
#include "app/benchmark_page.hpp"
#include "app/data_panel.hpp"
#include "app/file_dialogs.hpp"
#include "app/formation_controller.hpp"
#include "app/formation_page.hpp"
#include "app/help_dialogs.hpp"
#include "app/hines_benchmark_panel.hpp"
#include "app/message_banner.hpp"
#include "app/openable_files.hpp"
#include "app/parameter_panel.hpp"
#include "app/plasticity_page.hpp"
#include "app/plasticity_panel.hpp"
#include "app/population_panel.hpp"
#include "app/projection_controller.hpp"
#include "app/projection_page.hpp"
#include "app/projection_panel.hpp"
#include "app/recent_files.hpp"
#include "app/status_panel.hpp"
#include "app/timings_panel.hpp"
#include "app/view_area.hpp"
#include "widgets/morphology_view.hpp"
#include "widgets/packing_view.hpp"
#include "widgets/projection_view.hpp"
#include "widgets/splitting_view.hpp"
#include "widgets/timing_card.hpp"
#include "widgets/tree_view.hpp"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

/// Resources in a static library are linked only where they are asked for; outside of any namespace, as Qt demands.
static void initializeResources()
{
  Q_INIT_RESOURCE(resources);
}

namespace hinesight::app {

namespace {

/// A run that is over sooner changes the picture once, not twice.
constexpr int kPartialSceneDelay = 150; // ms

std::vector<std::string> toStrings(const QStringList& paths)
{
  std::vector<std::string> strings;
  for (const QString& path : paths)
    strings.push_back(path.toStdString());
  return strings;
}

/// The question that a view answers.
QString questionOf(ViewKind kind)
{
  switch (kind) {
  case ViewKind::Morphology:
    return MainWindow::tr("What does this neuron look like, and where is the work?");
  case ViewKind::Tree:
    return MainWindow::tr("What waits for what?");
  case ViewKind::Packing:
    return MainWindow::tr("How full are the lanes?");
  case ViewKind::Splitting:
    return MainWindow::tr("What did the cut buy?");
  case ViewKind::Benchmark:
    return MainWindow::tr("Which solver should I use?");
  case ViewKind::Projection:
    return MainWindow::tr("Who talks to whom, how strongly?");
  case ViewKind::Synapses:
    return MainWindow::tr("How does the search see space, and what did it form?");
  case ViewKind::Plasticity:
    return MainWindow::tr("What grew, and does it make sense?");
  }
  return {};
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), runner(std::make_unique<JobRunner>()), cellList(new CellListModel(this)),
      runTable(new RunTableModel(this))
{
  initializeResources();
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(QIcon(QStringLiteral(":/icons/hinesight.png")));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  resize(1600, 1000);

  status = new StatusPanel(statusBar(), runner.get());
  addViews();
  addDocks();
  addFileMenu();
  addViewMenu();
  addRunMenu();
  addHelpMenu();
  connectRunner();

  connect(cellList, &CellListModel::contentChanged, this, [this] {
    tables->setSomata(cellList->cells());
    run();
  });
  connect(cellList, &CellListModel::visibilityChanged, this, &MainWindow::applyVisibility);
  partialTimer.setSingleShot(true);
  partialTimer.setInterval(kPartialSceneDelay);
  connect(&partialTimer, &QTimer::timeout, this, &MainWindow::showPartialScene);
  restoreSettings();
  refreshTitle();
}

MainWindow::~MainWindow() = default;

const PipelineParameters& MainWindow::parameters() const
{
  return parameterPanel->parameters();
}

// ---- construction ----

void MainWindow::addViews()
{
  banner = new MessageBanner(this);
  area = new ViewArea(this);
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(banner);
  column->addWidget(area, 1);
  setCentralWidget(centre);

  splittingView = new widgets::SplittingView(area);
  views = {new widgets::MorphologyView(area), new widgets::TreeView(area), new widgets::PackingView(area),
           splittingView};
  const char* const names[kViewCount] = {"morphologyView", "treeView", "packingView", "splittingView"};
  for (int i = 0; i < kViewCount; ++i) {
    widgets::View* view = views[static_cast<std::size_t>(i)];
    view->setObjectName(QLatin1String(names[i]));
    area->addView(view, view->title(), tr("%1 (Ctrl+%2)").arg(questionOf(static_cast<ViewKind>(i))).arg(i + 1));
    connect(view, &widgets::View::branchPicked, this, &MainWindow::takePick);
    connect(view, &widgets::View::colorByChanged, this, &MainWindow::setColorBy);
    connect(view, &widgets::View::openRequested, this, &MainWindow::askForFiles);
    connect(view, &widgets::View::samplesRequested, this, &MainWindow::loadSamples);
    connect(view, &widgets::View::thresholdDragged, this, &MainWindow::takeThreshold);
    connect(view, &widgets::View::failed, this, &MainWindow::reportError);
    connect(view, &widgets::View::maximizeToggled, this, [this, i] { area->toggleMaximized(i); });
  }
  connect(splittingView, &widgets::SplittingView::strategyChosen, this, &MainWindow::takeStrategy);
  addBenchmarkPage();
  addProjectionPage();
  addFormationPage();
  addPlasticityPage();
  connect(area, &ViewArea::currentChanged, this, &MainWindow::showPanels);
  connect(area, &ViewArea::gridChanged, this, &MainWindow::showPanels);
  connect(area, &ViewArea::currentChanged, this, &MainWindow::refreshVisibleViews);
  connect(area, &ViewArea::gridChanged, this, &MainWindow::refreshVisibleViews);
}

void MainWindow::addBenchmarkPage()
{
  benchmarkPage = new BenchmarkPage(area);
  area->addPage(benchmarkPage, BenchmarkPage::title(),
                tr("%1 (Ctrl+%2)").arg(questionOf(ViewKind::Benchmark)).arg(kViewCount + 1));
  connect(benchmarkPage, &BenchmarkPage::failed, this, &MainWindow::reportError);
  connect(benchmarkPage, &BenchmarkPage::saved, this,
          [this](const QString& path) { status->showResult(tr("Saved to %1.").arg(QDir::toNativeSeparators(path))); });
  connect(&benchmarkPage->hines(), &HinesBenchmarkPanel::parametersChosen, this, &MainWindow::takeBenchmarkPoint);
}

void MainWindow::addProjectionPage()
{
  projectionPage = new ProjectionPage(area);
  area->addPage(projectionPage, ProjectionPage::title(),
                tr("%1 (Ctrl+%2)").arg(questionOf(ViewKind::Projection)).arg(kViewCount + 2));
  connect(projectionPage, &ProjectionPage::saveRequested, this, &MainWindow::askWhereToSaveView);
}

void MainWindow::addFormationPage()
{
  formationPage = new FormationPage(area);
  area->addPage(formationPage, FormationPage::title(),
                tr("%1 (Ctrl+%2)").arg(questionOf(ViewKind::Synapses)).arg(kViewCount + 3));
  connect(formationPage, &FormationPage::saveRequested, this, &MainWindow::askWhereToSaveView);
}

void MainWindow::addPlasticityPage()
{
  plasticityPage = new PlasticityPage(area);
  area->addPage(plasticityPage, PlasticityPage::title(),
                tr("%1 (Ctrl+%2)").arg(questionOf(ViewKind::Plasticity)).arg(kViewCount + 4));
  connect(plasticityPage, &PlasticityPage::saveRequested, this, &MainWindow::askWhereToSaveView);
  connect(plasticityPage, &PlasticityPage::failed, this, &MainWindow::reportError);
}

void MainWindow::addDocks()
{
  dataPanel = new DataPanel(cellList, this);
  parameterPanel = new ParameterPanel(this);
  projectionPanel = new ProjectionPanel(this);
  formationPanel = new FormationPanel(this);
  plasticityPanel = new PlasticityPanel(this);
  parameterPanels = new QStackedWidget(this);
  parameterPanels->addWidget(parameterPanel);
  parameterPanels->addWidget(projectionPanel);
  parameterPanels->addWidget(formationPanel);
  parameterPanels->addWidget(plasticityPanel);
  populationPanel = new PopulationPanel(this);
  auto* dataArea = new QSplitter(Qt::Vertical, this);
  dataArea->addWidget(dataPanel);
  dataArea->addWidget(populationPanel);
  dataArea->setStretchFactor(0, 1);
  dataArea->setChildrenCollapsible(false);
  timingsPanel = new TimingsPanel(runTable, this);
  docksMenu = new QMenu(tr("&Docks"), this);
  const auto addDock = [this](const QString& title, const char* name, QWidget* content, Qt::DockWidgetArea where) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(content);
    addDockWidget(where, dock);
    QAction* toggle = dock->toggleViewAction();
    toggle->setObjectName(QLatin1String(name) + QStringLiteral("Action"));
    docksMenu->addAction(toggle);
    return dock;
  };
  QDockWidget* dataDock = addDock(tr("Data"), "dataDock", dataArea, Qt::LeftDockWidgetArea);
  QDockWidget* parametersDock = addDock(tr("Parameters"), "parametersDock", parameterPanels, Qt::RightDockWidgetArea);
  QDockWidget* timingsDock = addDock(tr("Timings"), "timingsDock", timingsPanel, Qt::BottomDockWidgetArea);
  resizeDocks({dataDock, parametersDock}, {310, 350}, Qt::Horizontal);
  resizeDocks({timingsDock}, {210}, Qt::Vertical);

  connect(dataPanel, &DataPanel::openRequested, this, &MainWindow::askForFiles);
  connect(parameterPanel, &ParameterPanel::edited, this, [this] { run(); });
  connect(timingsPanel, &TimingsPanel::exportRequested, this, &MainWindow::askWhereToExport);
}

QAction* MainWindow::addAction(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                               const QString& help, const std::function<void()>& slot)
{
  QAction* action = menu->addAction(text);
  action->setObjectName(QLatin1String(name));
  action->setShortcuts(keys);
  action->setToolTip(help);
  action->setStatusTip(help);
  connect(action, &QAction::triggered, this, slot);
  return action;
}

void MainWindow::addFileMenu()
{
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  addAction(menu, "openAction", tr("&Open…"), {QKeySequence::Open}, tr("Open SWC files, or a weight table"),
            [this] { askForFiles(); });
  QMenu* recent = menu->addMenu(tr("Open &recent"));
  recent->setObjectName(QStringLiteral("recentMenu"));
  recentFiles = new RecentFiles(recent, this);
  connect(recentFiles, &RecentFiles::chosen, this, [this](const QString& path) { openFiles({path}); });
  addAction(menu, "samplesAction", tr("Load &sample cells"), {}, tr("Synthetic cells that come with the program"),
            [this] { loadSamples(); });
  menu->addSeparator();
  exportAction = addAction(menu, "exportAction", tr("&Export timings…"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                           tr("Write all runs of this session to a CSV or JSON file"), [this] { askWhereToExport(); });
  exportAction->setEnabled(false);
  const auto refreshExport = [this] { exportAction->setEnabled(runTable->rowCount() > 0); };
  connect(runTable, &QAbstractItemModel::rowsInserted, this, refreshExport);
  connect(runTable, &QAbstractItemModel::modelReset, this, refreshExport);
  saveViewAction = addAction(menu, "saveViewAction", tr("Save view as &PNG…"), {QKeySequence::Save},
                             tr("Save the current view as a picture"), [this] { askWhereToSaveView(); });
  menu->addSeparator();
  addAction(menu, "quitAction", tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, tr("Close the program"),
            [this] { close(); });
}

QString MainWindow::titleOf(ViewKind kind) const
{
  switch (kind) {
  case ViewKind::Benchmark:
    return BenchmarkPage::title();
  case ViewKind::Projection:
    return ProjectionPage::title();
  case ViewKind::Synapses:
    return FormationPage::title();
  case ViewKind::Plasticity:
    return PlasticityPage::title();
  default:
    return views[static_cast<std::size_t>(kind)]->title();
  }
}

void MainWindow::addViewMenu()
{
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  const char* const names[kViewCount + kPageCount] = {"morphologyAction", "treeAction",      "packingAction",
                                                      "splittingAction",  "benchmarkAction", "projectionAction",
                                                      "synapsesAction",   "plasticityAction"};
  for (int i = 0; i < kViewCount + kPageCount; ++i) {
    const auto digit = static_cast<Qt::Key>(Qt::Key_1 + i);
    addAction(menu, names[i], titleOf(static_cast<ViewKind>(i)), {QKeySequence(Qt::CTRL | digit), QKeySequence(digit)},
              questionOf(static_cast<ViewKind>(i)), [this, i] { area->showView(i); });
  }
  gridAction = addAction(menu, "gridAction", tr("&Grid of all views"), {QKeySequence(Qt::Key_G)},
                         tr("All views at once, or one at a time"), [this] { area->setGrid(!area->isGrid()); });
  gridAction->setCheckable(true);
  connect(area, &ViewArea::gridChanged, gridAction, &QAction::setChecked);
  menu->addSeparator();

  addAction(menu, "fitAction", tr("&Fit"), {QKeySequence(Qt::Key_F)}, tr("Show everything in the current view"),
            [this] {
              if (widgets::View* view = currentView())
                view->fit();
              else if (isProjectionShown())
                projectionPage->view().fit();
              else if (areSynapsesShown())
                formationPage->view().fit();
            });
  deselectAction = addAction(menu, "deselectAction", tr("Clear &selection"), {QKeySequence(Qt::Key_Escape)},
                             tr("Select no branch, where no job is running"), [this] { select({}); });
  deselectAction->setEnabled(false);
  QMenu* colors = menu->addMenu(tr("&Colour by"));
  colorActions = new QActionGroup(this);
  for (const widgets::ColorBy rule : widgets::allColorBys()) {
    QAction* action = colors->addAction(widgets::colorByName(rule));
    action->setCheckable(true);
    action->setChecked(rule == widgets::ColorBy::Type);
    action->setData(static_cast<int>(rule));
    colorActions->addAction(action);
    connect(action, &QAction::triggered, this, [this, rule] { setColorBy(rule); });
  }
  overlayAction = addAction(menu, "overlayAction", tr("Timing &overlay"), {QKeySequence(Qt::Key_T)},
                            tr("Show or hide the timing card in the views"), [this] {
                              for (widgets::View* view : views)
                                view->setTimingsShown(overlayAction->isChecked());
                              projectionPage->setTimingsShown(overlayAction->isChecked());
                              formationPage->setTimingsShown(overlayAction->isChecked());
                            });
  overlayAction->setCheckable(true);
  overlayAction->setChecked(true);
  darkAction = addAction(
      menu, "themeAction", tr("&Dark theme"), {QKeySequence(Qt::Key_D)}, tr("Dark or light canvas and window"),
      [this] { setTheme(darkAction->isChecked() ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light); });
  darkAction->setCheckable(true);
  menu->addSeparator();
  menu->addMenu(docksMenu);
}

void MainWindow::addRunMenu()
{
  QMenu* menu = menuBar()->addMenu(tr("&Run"));
  runAction =
      addAction(menu, "runAction", tr("&Run again"), {QKeySequence(Qt::Key_F5)},
                tr("Solve, make the table or form synapses once more; run or pause the model of plasticity"), [this] {
                  if (isProjectionShown())
                    tables->run();
                  else if (areSynapsesShown())
                    formations->run();
                  else if (isPlasticityShown())
                    plasticityPage->toggle();
                  else
                    run(true);
                });
  cancelAction = addAction(menu, "cancelAction", tr("&Cancel"), {QKeySequence(Qt::Key_Escape)},
                           tr("Stop the running job; what is shown stays"), [this] { runner->cancel(); });
  cancelAction->setEnabled(false);
  menu->addSeparator();
  addAction(menu, "resetAction", tr("Reset all &parameters"), {}, tr("Every parameter back to its default"), [this] {
    if (isProjectionShown())
      projectionPanel->resetAll();
    else if (areSynapsesShown())
      formationPanel->resetAll();
    else if (isPlasticityShown())
      plasticityPanel->resetAll();
    else
      parameterPanel->resetAll();
  });
}

void MainWindow::addHelpMenu()
{
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  addAction(menu, "shortcutsAction", tr("&Keyboard shortcuts"), {QKeySequence(Qt::Key_F1)}, tr("All keys on one page"),
            [this] { showShortcuts(this); });
  addAction(menu, "aboutAction", tr("&About Hinesight"), {}, tr("Version and licence"), [this] { showAbout(this); });
}

/// The window's own slots come first: a controller may start what waited as soon as it is told of a job's end.
void MainWindow::connectRunner()
{
  JobRunner* jobs = runner.get();
  connect(jobs, &JobRunner::devicesFound, parameterPanel, &ParameterPanel::setDevices);
  connect(jobs, &JobRunner::started, this, [this] {
    partialTimer.stop();
    partial = {};
    refreshEscape();
  });
  connect(jobs, &JobRunner::ended, this, &MainWindow::refreshEscape);
  connect(jobs, &JobRunner::progressed, this, [this](const QString& stage, double fraction) {
    if (runner->isSolving())
      for (widgets::View* view : views)
        view->timingCard()->setProgress(stageInWords(stage), fraction);
  });
  connect(jobs, &JobRunner::cellsRead, this, &MainWindow::takeReadings);
  connect(jobs, &JobRunner::sceneReady, this, &MainWindow::showPartialSceneSoon);
  connect(jobs, &JobRunner::finished, this, &MainWindow::takeFinished);
  connect(jobs, &JobRunner::failed, this, &MainWindow::takeFailure);
  connect(jobs, &JobRunner::cancelled, this, &MainWindow::takeCancelled);
  connect(jobs, &JobRunner::tableExported, this, [this](const QString& path) {
    status->showResult(tr("Exported to %1.").arg(QDir::toNativeSeparators(path)));
  });
  addControllers();
  connectPlasticity();
}

void MainWindow::addControllers()
{
  JobRunner* jobs = runner.get();
  const auto tell = [this](const QString& result) { status->showResult(result); };
  auto* measurements = new BenchmarkController(
      jobs, benchmarkPage, [this] { return parameters(); }, this);
  connect(measurements, &BenchmarkController::told, this, tell);
  tables = new ProjectionController(
      jobs, {projectionPage, projectionPanel, populationPanel}, [this] { return isProjectionShown(); }, this);
  connect(tables, &ProjectionController::pageWanted, this, [this] { showView(ViewKind::Projection); });
  connect(tables, &ProjectionController::told, this, tell);
  connect(tables, &ProjectionController::failed, this, &MainWindow::reportError);
  formations = new FormationController(
      jobs, formationPage, formationPanel, [this] { return areSynapsesShown(); }, this);
  connect(formations, &FormationController::formed, this, tell);
}

/// The model has a thread of its own, and stands still while something is measured.
void MainWindow::connectPlasticity()
{
  plasticityPage->setRequest(plasticityPanel->request());
  connect(plasticityPanel, &PlasticityPanel::edited, this,
          [this] { plasticityPage->setRequest(plasticityPanel->request()); });
  connect(runner.get(), &JobRunner::devicesFound, plasticityPanel, &PlasticityPanel::setDevices);
  connect(runner.get(), &JobRunner::started, this, [this] {
    if (runner->isBenchmarking())
      plasticityPage->pause();
  });
}

// ---- opening ----

void MainWindow::openFiles(const QStringList& paths)
{
  for (const QString& path : paths)
    if (!isResource(path) && QFileInfo(path).isFile())
      recentFiles->add(QFileInfo(path).absoluteFilePath());
  const OpenableFiles files = sortByKind(paths);
  if (!files.cells.isEmpty())
    cellList->add(toStrings(files.cells));
  if (!files.tables.isEmpty())
    openTable(files.tables);
}

/// One table is shown at a time: the last one.
void MainWindow::openTable(const QStringList& paths)
{
  if (paths.size() > 1)
    banner->show(MessageBanner::Severity::Warning, tr("One weight table is shown at a time: %1 of the %2 files.")
                                                       .arg(QFileInfo(paths.back()).fileName(),
                                                            widgets::formatNumber(static_cast<double>(paths.size()))));
  tables->open(paths.back());
}

void MainWindow::loadSamples()
{
  openFiles(samplePaths());
}

void MainWindow::setParameters(const PipelineParameters& parameters)
{
  parameterPanel->setParameters(parameters);
  if (cellList->rowCount() > 0 || parameters.batch.source == BatchSource::RandomTrees)
    run();
}

// ---- running ----

void MainWindow::run(bool solveAgain)
{
  refreshTitle();
  runner->request({cellList->sources(), parameterPanel->parameters(), solveAgain});
}

bool MainWindow::isShown(ViewKind page) const
{
  return !area->isGrid() && area->current() == static_cast<int>(page);
}

/// The parameters of what is seen; a page makes what it shows when it is seen.
void MainWindow::showPanels()
{
  const bool projects = isProjectionShown();
  parameterPanels->setCurrentWidget(projects              ? static_cast<QWidget*>(projectionPanel)
                                    : areSynapsesShown()  ? static_cast<QWidget*>(formationPanel)
                                    : isPlasticityShown() ? static_cast<QWidget*>(plasticityPanel)
                                                          : parameterPanel);
  if (projects)
    tables->pageShown();
  if (areSynapsesShown())
    formations->pageShown();
}

void MainWindow::takeReadings(const std::vector<CellReading>& readings)
{
  for (const Error& error : cellList->takeReadings(readings)) {
    recentFiles->remove(QString::fromStdString(error.file()));
    reportError(QString::fromUtf8(error.what()));
  }
  refreshTitle();
  tables->setSomata(cellList->cells());
}

void MainWindow::takeFinished(const PipelineOutcome& outcome)
{
  partialTimer.stop();
  showOutcome(outcome);
  if (outcome.record) {
    strategyTimes.add(*outcome.scene->plan, *outcome.scene->solution);
    splittingView->setStrategyTimes(strategyTimes.times());
  }
  for (widgets::View* view : views) {
    view->timingCard()->setProgress({}, -1);
    if (outcome.record && !outcome.record->timings.stages.empty())
      view->timingCard()->addRun(outcome.record->timings, outcome.floorFraction);
  }
  if (!outcome.record) {
    status->showResult({});
    return;
  }
  status->showResult(summarizeRun(*outcome.record, outcome.floorFraction));
  if (!outcome.record->timings.stages.empty())
    runTable->add(*outcome.record);
}

void MainWindow::takeFailure(const Error& error)
{
  showPartialScene();
  for (widgets::View* view : views)
    view->timingCard()->setProgress({}, -1);
  if (runner->wasTableOpening())
    recentFiles->remove(QString::fromStdString(error.file()));
  status->showResult(tr("The run failed; the message above says why."));
  reportError(QString::fromUtf8(error.what()));
}

void MainWindow::takeCancelled()
{
  showPartialScene();
  for (widgets::View* view : views)
    view->timingCard()->setProgress({}, -1);
  status->showResult(runner->wasBenchmark()      ? tr("The benchmark was cancelled; what was measured stays.")
                     : runner->wasTableExport()  ? tr("Cancelled; no file was written.")
                     : runner->wasTableOpening() ? tr("Cancelled; no table was opened.")
                     : runner->wasFormation()    ? tr("Cancelled; the synapses shown are those of the run before.")
                     : runner->wasProjection()
                         ? tr("Cancelled; the table shown is that of the run before. F5 makes it again.")
                         : tr("Cancelled; figures not reached are of the run before. F5 runs it again."));
}

void MainWindow::showPartialSceneSoon(const PipelineOutcome& outcome)
{
  partial = outcome;
  if (!partialTimer.isActive())
    partialTimer.start();
}

void MainWindow::showPartialScene()
{
  partialTimer.stop();
  if (!partial.scene)
    return;
  // Old figures stay until there are new ones: a run of the same cells that has not planned yet has nothing to show.
  const bool hasNews = partial.scene->plan || !shown.scene || !shown.scene->plan || partial.cellIds != shown.cellIds;
  PipelineOutcome outcome = std::exchange(partial, {});
  if (hasNews)
    showOutcome(outcome);
}

void MainWindow::showOutcome(const PipelineOutcome& outcome)
{
  partial = {};
  const widgets::BranchId selected = selectionIn(outcome);
  shown = outcome;
  cellList->takeScene(*shown.scene, shown.cellIds);
  parameterPanel->showPlan(shown.scene->plan.get());
  applyVisibility();
  select(selected);
}

/// Only the drawing changes when an eye is toggled: the scene's results are shared with the new scene.
void MainWindow::applyVisibility()
{
  if (!shown.scene)
    return;
  auto scene = std::make_shared<widgets::Scene>(*shown.scene);
  for (std::size_t i = 0; i < shown.cellIds.size(); ++i) {
    const int row = cellList->rowOf(shown.cellIds[i]);
    if (row >= 0)
      scene->cells[i].visible = cellList->cells()[static_cast<std::size_t>(row)].visible;
  }
  showScene(std::move(scene));
}

void MainWindow::showScene(std::shared_ptr<const widgets::Scene> scene)
{
  shown.scene = std::move(scene);
  benchmarkPage->hines().setScene(shown.scene);
  stale.fill(true);
  refreshVisibleViews();
}

/// Hands the scene to the views that are seen; a hidden one gets it when it is shown, so that dragging a slider pays
/// for one drawing.
void MainWindow::refreshVisibleViews()
{
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!stale[i] || (!area->isGrid() && static_cast<int>(i) != area->current()))
      continue;
    stale[i] = false;
    views[i]->setScene(shown.scene);
    views[i]->setSelection(selectedBranch);
  }
}

void MainWindow::select(widgets::BranchId branch)
{
  selectedBranch = branch;
  for (std::size_t i = 0; i < views.size(); ++i)
    if (!stale[i])
      views[i]->setSelection(branch);
  const bool nothing = branch.isNull() || !shown.scene;
  refreshEscape();
  dataPanel->showBranch(nothing ? QString() : QString::fromStdString(widgets::describeBranch(*shown.scene, branch)));
}

void MainWindow::takePick(widgets::BranchId branch)
{
  select(branch);
  if (!branch.isNull())
    dataPanel->chooseCell(cellList->rowOf(shown.cellIds[static_cast<std::size_t>(branch.cell)]));
}

/// Escape ends what runs; where nothing runs, it clears the selection.
void MainWindow::refreshEscape()
{
  cancelAction->setEnabled(runner->isRunning());
  deselectAction->setEnabled(!runner->isRunning() && !selectedBranch.isNull());
}

/// The selected branch as the next scene calls it: a branch keeps its number as long as its cell is cut into the same
/// tree of compartments, wherever the cell stands in the list. Null where it is gone.
widgets::BranchId MainWindow::selectionIn(const PipelineOutcome& next) const
{
  if (selectedBranch.isNull() || !shown.scene || !shown.scene->plan || !next.scene->plan)
    return {};
  const auto before = static_cast<std::size_t>(selectedBranch.cell);
  const auto id = shown.cellIds[before];
  auto after = before; // random trees have no identity but their place
  if (id != 0)
    after = static_cast<std::size_t>(std::find(next.cellIds.begin(), next.cellIds.end(), id) - next.cellIds.begin());
  const hines::PlannedShape* oldShape = widgets::asReadShape(*shown.scene, before);
  const hines::PlannedShape* newShape = widgets::asReadShape(*next.scene, after);
  const bool survives = after < next.cellIds.size() && next.cellIds[after] == id && oldShape && newShape &&
                        oldShape->compartment == newShape->compartment && oldShape->parent == newShape->parent;
  return survives ? widgets::BranchId{static_cast<std::int32_t>(after), selectedBranch.branch} : widgets::BranchId{};
}

void MainWindow::takeThreshold(double compartments)
{
  PipelineParameters edited = parameters();
  edited.plan.split = hines::SplitStrategy::FixedLength;
  edited.plan.splitLength = static_cast<std::int32_t>(std::clamp(std::round(compartments), 1.0, 1e6));
  if (edited != parameters())
    setParameters(edited);
}

void MainWindow::takeStrategy(hines::SplitStrategy strategy)
{
  PipelineParameters edited = parameters();
  edited.plan.split = strategy;
  if (edited != parameters())
    setParameters(edited);
}

void MainWindow::takeBenchmarkPoint(const PipelineParameters& chosen, const QString& what)
{
  setParameters(chosen);
  status->showResult(tr("Loaded into the views: %1.").arg(what));
}

// ---- looks ----

widgets::View* MainWindow::currentView() const
{
  return area->current() < kViewCount ? views[static_cast<std::size_t>(area->current())] : nullptr;
}

void MainWindow::showView(ViewKind kind)
{
  area->showView(static_cast<int>(kind));
}

void MainWindow::setColorBy(widgets::ColorBy colorBy)
{
  for (widgets::View* view : views)
    if (view->colorBy() != colorBy)
      view->setColorBy(colorBy);
  for (QAction* action : colorActions->actions())
    if (action->data().toInt() == static_cast<int>(colorBy))
      action->setChecked(true);
}

void MainWindow::setTheme(widgets::ThemeMode mode)
{
  widgets::setTheme(mode);
  darkAction->setChecked(mode == widgets::ThemeMode::Dark);
}

void MainWindow::refreshTitle()
{
  std::vector<std::string> names;
  for (const OpenCell& cell : cellList->cells())
    names.push_back(cell.name.toStdString());
  const QString cells = QString::fromStdString(describeSources(names));
  setWindowTitle(cells.isEmpty() ? tr("Hinesight") : tr("%1 - Hinesight").arg(cells));
}

void MainWindow::reportError(const QString& sentence)
{
  banner->show(MessageBanner::Severity::Error, sentence);
}

// ---- dialogs ----

void MainWindow::askForFiles()
{
  askWhatToOpen(this,
                {QStringLiteral("openDialog"),
                 tr("Open neurons or a weight table"),
                 QStringLiteral("openFolder"),
                 openableFilters(),
                 {}},
                [this](const QStringList& paths) { openFiles(paths); });
}

void MainWindow::askWhereToExport()
{
  askWhereToSave(this,
                 {QStringLiteral("exportDialog"),
                  tr("Export timings"),
                  QStringLiteral("exportFolder"),
                  {tr("CSV table (*.csv)"), tr("JSON (*.json)")},
                  QStringLiteral("timings.csv")},
                 [this](const QString& path) { exportTimings(path); });
}

void MainWindow::exportTimings(const QString& path)
{
  try {
    io::writeTimings(runTable->runs(), path.toStdString());
    status->showResult(tr("Exported to %1.").arg(QDir::toNativeSeparators(path)));
  } catch (const Error& error) {
    reportError(QString::fromUtf8(error.what()));
  }
}

void MainWindow::askWhereToSaveView()
{
  if (isShown(ViewKind::Benchmark))
    return benchmarkPage->askWhereToSavePlot();
  const QString title =
      titleOf(static_cast<ViewKind>(area->current())).toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
  askWhereToSave(this,
                 {QStringLiteral("saveViewDialog"),
                  tr("Save view as PNG"),
                  QStringLiteral("pictureFolder"),
                  {tr("PNG picture (*.png)")},
                  title + QStringLiteral(".png")},
                 [this](const QString& path) { saveView(path); });
}

void MainWindow::saveView(const QString& path)
{
  try {
    if (widgets::View* view = currentView())
      view->savePicture(path);
    else if (isProjectionShown())
      projectionPage->savePicture(path);
    else if (areSynapsesShown())
      formationPage->savePicture(path);
    else if (isPlasticityShown())
      plasticityPage->savePicture(path);
    else
      benchmarkPage->savePlot(path);
    status->showResult(tr("Saved to %1.").arg(QDir::toNativeSeparators(path)));
  } catch (const Error& error) {
    reportError(QString::fromUtf8(error.what()));
  }
}

// ---- settings and window events ----

void MainWindow::restoreSettings()
{
  const QSettings settings;
  restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
  const bool dark = settings.value(QStringLiteral("window/dark"), true).toBool();
  setTheme(dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light);
  area->showView(settings.value(QStringLiteral("window/view"), 0).toInt());
  area->setGrid(settings.value(QStringLiteral("window/grid"), false).toBool());
}

void MainWindow::storeSettings() const
{
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/state"), saveState());
  settings.setValue(QStringLiteral("window/dark"), widgets::theme().mode == widgets::ThemeMode::Dark);
  settings.setValue(QStringLiteral("window/view"), area->current());
  settings.setValue(QStringLiteral("window/grid"), area->isGrid());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
  storeSettings();
  runner->cancel();
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
  const QList<QUrl> urls = event->mimeData()->urls();
  if (std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); }))
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile())
      paths << url.toLocalFile();
  event->acceptProposedAction();
  openFiles(paths);
}

} // namespace hinesight::app
