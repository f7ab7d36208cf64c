#include "app/shell/main_window.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/file_drop.hpp"
#include "app/files/file_sorter.hpp"
#include "app/files/openable_files.hpp"
#include "app/files/recent_files.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection/projection_page.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/shell/docked_panels.hpp"
#include "app/shell/help_dialogs.hpp"
#include "app/shell/main_menus.hpp"
#include "app/shell/session_controller.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "hines/solvers/definition.hpp"
#include "widgets/picture_file.hpp"

#include <QAbstractSpinBox>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>
#include <cmath>

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

widgets::ThemeMode storedTheme()
{
  const bool dark = QSettings().value(QStringLiteral("window/dark"), true).toBool();
  return dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light;
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), jobQueue(std::make_unique<Jobs>()), sorter(new FileSorter(this)),
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
  addQuestions();
  addMenus();
  connect(sorter, &FileSorter::sorted, this, &MainWindow::openSorted);
  connect(new FileDrop(this), &FileDrop::dropped, this, &MainWindow::openFiles);

  restoreSettings();
  refreshTitle();
  findDevices();
}

MainWindow::~MainWindow() = default;

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
}

void MainWindow::addPanels()
{
  panels = std::make_unique<DockedPanels>(this, cellList, runTable);
  connect(panels->data, &DataPanel::openRequested, this, &MainWindow::askForFiles);
  connect(panels->data, &DataPanel::cellChosen, cellViews, &CellViews::lightCell);
  connect(panels->data, &DataPanel::fitRequested, this, [this](int row) {
    if (!area->isGrid())
      showView(ViewKind::Morphology);
    cellViews->fitToCell(row);
  });
  connect(panels->timings, &TimingsPanel::exportRequested, this, &MainWindow::askWhereToExport);
}

void MainWindow::connectJobs()
{
  Jobs* jobs = jobQueue.get();
  connect(jobs, &Jobs::submitted, this, &MainWindow::refreshEscape);
  connect(jobs, &Jobs::ended, this, &MainWindow::refreshEscape);
  connect(jobs, &Jobs::failed, this, &MainWindow::takeFailure);
  connect(jobs, &Jobs::delivered, this, &MainWindow::takeSuccess);
}

void MainWindow::addCells()
{
  cellRuns = new CellController(jobQueue.get(), {cellList, panels->ofCells, cellViews, runTable}, this);
  connect(cellRuns, &CellController::told, this, &MainWindow::reportResult);
  connect(cellRuns, &CellController::parametersWanted, this, [this](const study::CellParameters& parameters) {
    if (currentTab().runs != io::RunKind::Solve)
      showView(ViewKind::Morphology);
    setParameters(parameters);
  });
  connect(cellRuns, &CellController::unreadable, this, [this](const Error& error) {
    reportError(QString::fromUtf8(error.what()));
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
                    .savePicture = [this, kind](const QString& path) { cellViews->savePicture(kind, path); }});
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
  for (const PageDefinition& page : allPages().subspan(kViewCount)) {
    Tab tab = page.make(*host);
    if (!tab.parameters)
      tab.parameters = panels->ofCells;
    if (!tab.resetParameters)
      tab.resetParameters = [this] { panels->ofCells->resetAll(); };
    if (!tab.savePicture)
      tab.savePicture = [widget = tab.page](const QString& path) {
        widgets::writePicture(widgets::pixelsOf(*widget), path);
      };
    panels->parameters->addWidget(tab.parameters);
    area->addPage(tab.page, titleOf(page), helpOf(static_cast<int>(tabs.size())));
    tabs.push_back(std::move(tab));
  }
  tables = host->find<ProjectionController>();
  formations = host->find<FormationController>();
  connect(area, &ViewArea::currentChanged, this, &MainWindow::takeTab);
  connect(area, &ViewArea::gridChanged, this, &MainWindow::takeTab);
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
  connect(host, &PageHost::ran, runTable, &RunTableModel::add);
  connect(host, &PageHost::told, this, &MainWindow::reportResult);
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

void MainWindow::addSessions()
{
  sessions = new SessionController(jobQueue.get(), {cellList, panels->ofCells, panels->populations, tables}, this);
  connect(sessions, &SessionController::parametersWanted, this, &MainWindow::setParameters);
  connect(sessions, &SessionController::told, this, &MainWindow::reportResult);
  connect(sessions, &SessionController::saved, this, &MainWindow::reportSaved);
  connect(sessions, &SessionController::warned, this,
          [this](const QString& sentence) { banner->show(MessageBanner::Severity::Warning, sentence); });
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
  QList<QAction*> docks;
  for (const QDockWidget* dock : findChildren<QDockWidget*>())
    docks << dock->toggleViewAction();
  menus = new MainMenus(this, docks);
  connect(area, &ViewArea::gridChanged, menus, &MainMenus::setGrid);
  const auto refreshRuns = [this] { menus->setRuns(runTable->rowCount() > 0); };
  connect(runTable, &QAbstractItemModel::rowsInserted, menus, refreshRuns);
  connect(runTable, &QAbstractItemModel::modelReset, menus, refreshRuns);

  connect(menus, &MainMenus::openRequested, this, &MainWindow::askForFiles);
  connect(menus, &MainMenus::openChosen, this, [this](const QString& path) { openFiles({path}); });
  connect(menus, &MainMenus::samplesRequested, this, &MainWindow::loadSamples);
  connect(menus, &MainMenus::saveSessionRequested, this, &MainWindow::askWhereToSaveSession);
  connect(menus, &MainMenus::exportRequested, this, &MainWindow::askWhereToExport);
  connect(menus, &MainMenus::saveViewRequested, this, &MainWindow::askWhereToSaveView);
  connect(menus, &MainMenus::quitRequested, this, &QWidget::close);
  connect(menus, &MainMenus::viewChosen, area, &ViewArea::showView);
  connect(menus, &MainMenus::gridRequested, area, &ViewArea::setGrid);
  connect(menus, &MainMenus::fitRequested, this, [this] {
    if (const auto& fit = currentTab().fit)
      fit();
  });
  connect(menus, &MainMenus::deselectRequested, this, [this] { cellViews->select({}); });
  connect(menus, &MainMenus::colorByChosen, this, &MainWindow::setColorBy);
  connect(menus, &MainMenus::timingsToggled, this, &MainWindow::setTimingsShown);
  connect(menus, &MainMenus::darkToggled, this,
          [this](bool dark) { setTheme(dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light); });
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
  connect(menus, &MainMenus::shortcutsRequested, this, [this] { showShortcuts(this); });
  connect(menus, &MainMenus::aboutRequested, this, [this] { showAbout(this); });
}

// ---- opening ----

void MainWindow::openFiles(const QStringList& paths)
{
  for (const QString& path : paths)
    if (!isResource(path) && QFileInfo::exists(path))
      menus->recentFiles().add(QFileInfo(path).absoluteFilePath());
  sorter->sort(paths);
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
  else if (!files.cells.isEmpty())
    cellList->add(toStrings(files.cells));
  if (!files.tables.isEmpty())
    openTables(files.tables);
  if (!files.neurons.isEmpty())
    formations->openNeurons(files.neurons.back());
  if (!files.networks.isEmpty())
    formations->openNetwork(files.networks.back());
  if (!files.neurons.isEmpty() || !files.networks.isEmpty())
    showView(ViewKind::Synapses);
  if (!files.either.isEmpty())
    openEither(files.either.back());
}

/// The page that a person sees says what to make of it.
void MainWindow::openEither(const NetworkFile& file)
{
  if (isShown(ViewKind::Synapses))
    return formations->openNetwork(file);
  if (!isShown(ViewKind::Projection))
    banner->show(MessageBanner::Severity::Warning,
                 tr("%1 was opened as a weight table. To see its edges as synapses of a network, open it again while "
                    "the page Synapses is shown.")
                     .arg(QFileInfo(file.path).fileName()));
  openTables({file.path});
}

/// One table is shown at a time: the last one.
void MainWindow::openTables(const QStringList& paths)
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
  if (cellList->rowCount() > 0 || parameters.batch.source == study::BatchSource::RandomTrees)
    run();
}

// ---- running ----

void MainWindow::run(bool solveAgain)
{
  refreshTitle();
  cellRuns->run(solveAgain);
}

void MainWindow::findDevices()
{
  jobQueue->submit(
      {.name = "devices", .isQuiet = true}, [](const JobContext&) { return app::findDevices(); },
      [this](const DeviceReport& report) { emit host->devicesFound(report); });
}

void MainWindow::takeFailure(const JobKind& kind, const Error& error)
{
  const QString sentence = QString::fromUtf8(error.what());
  if (error.file().empty())
    failures[kind.name] = sentence;
  reportResult(tr("The run failed; the message above says why."));
  reportError(sentence);
}

/// What failed before of that kind has been put right.
void MainWindow::takeSuccess(const JobKind& kind)
{
  if (const auto failed = failures.extract(kind.name))
    banner->withdraw(failed.mapped());
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

bool MainWindow::isShown(ViewKind page) const
{
  return !area->isGrid() && area->current() == static_cast<int>(page);
}

/// In the grid, that of the view under the pointer.
const Tab& MainWindow::currentTab() const
{
  return tabs[static_cast<std::size_t>(area->current())];
}

void MainWindow::takeTab()
{
  panels->parameters->setCurrentWidget(currentTab().parameters);
  panels->timings->setPage(currentTab().runs);
  if (const auto& seen = currentTab().seen)
    seen();
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
  menus->setEscape(jobQueue->isActive(), !selection().isNull());
}

void MainWindow::refreshTitle()
{
  std::vector<std::string> names;
  for (const OpenCell& cell : cellList->cells())
    if (!cell.error)
      names.push_back(cell.name.toStdString());
  const QString cells = QString::fromStdString(study::describeSources(names));
  setWindowTitle(cells.isEmpty() ? tr("Hinesight") : tr("%1 - Hinesight").arg(cells));
}

void MainWindow::reportSaved(const QString& path)
{
  reportResult(tr("Exported to %1.").arg(QDir::toNativeSeparators(path)));
}

void MainWindow::reportResult(const QString& sentence)
{
  status->showResult(sentence);
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

void MainWindow::askWhereToSaveSession()
{
  askWhereToSave(this,
                 {QStringLiteral("saveSessionDialog"),
                  tr("Save session"),
                  QStringLiteral("sessionFolder"),
                  {tr("Session (*.hinesight)")},
                  QStringLiteral("session.hinesight")},
                 [this](const QString& path) { sessions->save(path); });
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
                   save(path, tr("Exported to %1."), [&] { io::writeTimings(runTable->runs(), path.toStdString()); });
                 });
}

void MainWindow::askWhereToSaveView()
{
  const Tab& tab = currentTab();
  if (tab.askWhereToSave)
    return tab.askWhereToSave();
  const QString name = titleOf(allPages()[static_cast<std::size_t>(area->current())])
                           .toLower()
                           .replace(QLatin1Char(' '), QLatin1Char('-'));
  askWhereToSave(this,
                 {QStringLiteral("saveViewDialog"),
                  tr("Save view as PNG"),
                  QStringLiteral("pictureFolder"),
                  {tr("PNG picture (*.png)")},
                  name + QStringLiteral(".png")},
                 [this, &tab](const QString& path) { save(path, tr("Saved to %1."), [&] { tab.savePicture(path); }); });
}

/// Says how it went: `done` with the path in place of %1.
void MainWindow::save(const QString& path, const QString& done, const std::function<void()>& write)
{
  try {
    write();
    reportResult(done.arg(QDir::toNativeSeparators(path)));
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
  restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
  setTheme(storedTheme());
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

void MainWindow::closeEvent(QCloseEvent* event)
{
  storeSettings();
  jobQueue->cancel();
  QMainWindow::closeEvent(event);
}

} // namespace hinesight::app
