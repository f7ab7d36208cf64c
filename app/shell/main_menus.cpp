#include "app/shell/main_menus.hpp"

#include "app/files/recent_files.hpp"
#include "app/forms/type_ahead.hpp"
#include "app/pages/pages.hpp"
#include "app/shell/action_icon.hpp"
#include "study/simulation/simulation_model.hpp"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

#include <algorithm>
#include <cstddef>
#include <string>

namespace hinesight::app {

namespace {

constexpr std::size_t kMostKeys = 4; // of a shortcut of Qt
const QString kRecentMenu = QStringLiteral("recentMenu");

/// The letter of an action that is underlined in its menu, else the digit of its place there.
int letterOf(const QAction& action, int place)
{
  const QKeySequence underlined = QKeySequence::mnemonic(action.text());
  return underlined.isEmpty() ? Qt::Key_0 + place : underlined[0].key();
}

} // namespace

MainMenus::MainMenus(QMainWindow* mainWindow, const Actions& ofOthers, QUndoStack& steps)
    : QObject(mainWindow), window(mainWindow)
{
  addFileMenu(ofOthers.earlier);
  addEditMenu(steps, ofOthers.selection);
  addViewMenu(ofOthers);
  addMenu(tr("&Cells"), ofOthers.cells);
  addMenu(tr("C&ircuit"), ofOthers.circuit);
  addRunMenu(ofOthers.runs);
  addHelpMenu();
  for (const QAction* menu : window->menuBar()->actions())
    complete(*menu->menu(), {(Qt::CTRL | Qt::Key_K).toCombined(), letterOf(*menu, 0)});
  new TypeAhead(this);
}

/// Tooltips are seen, and every action has a picture of its name and a key: where it has none of its own, Ctrl+K and
/// the letters that lead to it through the menus. Those of a list that changes have no name and no key, and get their
/// picture where the list is made.
void MainMenus::complete(QMenu& menu, const std::vector<int>& way)
{
  menu.setToolTipsVisible(true);
  int place = 0;
  for (QAction* action : menu.actions()) {
    if (action->isSeparator())
      continue;
    std::vector<int> keys = way;
    keys.push_back(letterOf(*action, ++place));
    if (QMenu* inner = action->menu()) {
      if (inner->objectName() != kRecentMenu) // is made anew with every file
        complete(*inner, keys);
      if (action->icon().isNull() && !inner->actions().isEmpty())
        action->setIcon(inner->actions().front()->icon());
      continue;
    }
    if (action->icon().isNull())
      action->setIcon(actionIcon(action->objectName()));
    if (action->shortcuts().isEmpty() && !action->objectName().isEmpty()) {
      keys.resize(kMostKeys, 0);
      action->setShortcut(QKeySequence(keys[0], keys[1], keys[2], keys[3]));
      action->setShortcutContext(Qt::WindowShortcut);
    }
  }
}

void MainMenus::addFileMenu(QMenu* earlier)
{
  QMenu* menu = window->menuBar()->addMenu(tr("&File"));
  addAction(menu, "openAction", tr("&Open…"), {QKeySequence::Open},
            tr("Open SWC files, a weight table, a network, a model to simulate or a session"),
            &MainMenus::openRequested);
  addAction(menu, "openFolderAction", tr("Open &folder…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
            tr("Open all SWC files of a folder and of the folders in it"), &MainMenus::openFolderRequested);
  QMenu* recentMenu = menu->addMenu(tr("Open &recent"));
  recentMenu->setObjectName(kRecentMenu);
  recentMenu->setIcon(actionIcon(QStringLiteral("openRecent")));
  recent = new RecentFiles(recentMenu, this);
  connect(recent, &RecentFiles::chosen, this, &MainMenus::openChosen);
  lastAction = addAction(menu, "lastAction", tr("Reopen &last session"), {},
                         tr("What was open when the program was closed last"), &MainMenus::lastRequested);
  setLast(false);
  menu->addMenu(earlier);
  addAction(menu, "samplesAction", tr("Load &sample cells"), {}, tr("Synthetic cells that come with the program"),
            &MainMenus::samplesRequested);
  addSampleModels(menu->addMenu(tr("Load sample si&mulation")));
  menu->addSeparator();
  addAction(menu, "saveSessionAction", tr("Sa&ve session"), {QKeySequence::Save},
            tr("Write cells, populations, connections and parameters to the file of this session"),
            &MainMenus::saveSessionRequested);
  addAction(menu, "saveSessionAsAction", tr("Save session &as…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
            tr("Write cells, populations, connections and parameters to a file that opens again"),
            &MainMenus::saveSessionAsRequested);
  addAction(menu, "exportCircuitAction", tr("Export &circuit as SONATA…"), {},
            tr("Make every connection and write the circuit as SONATA into a new or an existing folder: nodes, edges, "
               "types, cells, configuration; weights from inhibitory populations are negative"),
            &MainMenus::circuitExportRequested);
  exportAction = addAction(menu, "exportAction", tr("Export &timings…"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                           tr("Write all runs of this session to a CSV or JSON file"), &MainMenus::exportRequested);
  setRuns(false);
  addAction(menu, "saveViewAction", tr("Save fi&gure…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
            tr("Make a figure of the current view: PNG, SVG or PDF of any size, or the frames of a turntable"),
            &MainMenus::saveViewRequested);
  menu->addSeparator();
  addAction(menu, "quitAction", tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, tr("Close the program"),
            &MainMenus::quitRequested);
}

void MainMenus::addSampleModels(QMenu* menu)
{
  menu->setObjectName(QStringLiteral("sampleModelsMenu"));
  int number = 0;
  for (const study::SampleModel& sample : study::sampleModels()) {
    const std::string name = "sampleModel" + std::to_string(++number) + "Action";
    QAction* action =
        addAction(menu, name.c_str(), QString::fromStdString(sample.title), {}, QString::fromStdString(sample.help));
    action->setIcon(actionIcon(QStringLiteral("simulationAction")));
    connect(action, &QAction::triggered, this,
            [this, path = QString::fromStdString(sample.path)] { emit openChosen(path); });
  }
}

void MainMenus::addEditMenu(QUndoStack& steps, const QList<QAction*>& selection)
{
  QMenu* menu = window->menuBar()->addMenu(tr("&Edit"));
  const auto add = [&](QAction* action, const char* name, const QKeySequence& key, const QString& help) {
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    action->setToolTip(help);
    action->setStatusTip(help);
    menu->addAction(action);
  };
  add(steps.createUndoAction(this, tr("&Undo")), "undoAction", QKeySequence::Undo,
      tr("Take the last step back: data, parameters and what is shown"));
  QAction* redo = steps.createRedoAction(this, tr("&Redo"));
  add(redo, "redoAction", {}, tr("Do the step again that was taken back"));
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  menu->addSeparator();
  addAction(menu, "copyCommandAction", tr("Copy as &command"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
            tr("Copy the command of a terminal that computes what this page shows"), &MainMenus::commandCopyRequested);
  addAction(menu, "copySessionAction", tr("Copy as &session"), {},
            tr("Copy all that is open as the text of a session file"), &MainMenus::sessionCopyRequested);
  menu->addSeparator();
  menu->addActions(selection);
}

void MainMenus::addViewMenu(const Actions& ofOthers)
{
  QMenu* menu = window->menuBar()->addMenu(tr("&View"));
  addViews(menu);
  gridAction = addToggle(menu, "gridAction", tr("&Grid of all views"), {QKeySequence(Qt::Key_G)},
                         tr("All views at once, or one at a time"), &MainMenus::gridRequested);
  menu->addSeparator();
  addAction(menu, "fitAction", tr("&Fit"), {QKeySequence(Qt::Key_F)}, tr("Show everything in the current view"),
            &MainMenus::fitRequested);
  QMenu* ofPage = menu->addMenu(tr("&This page"));
  ofPage->setObjectName(QStringLiteral("pageMenu"));
  ofPage->addActions(ofOthers.page);
  connect(menu, &QMenu::aboutToShow, this,
          [ofPage] { ofPage->menuAction()->setEnabled(std::ranges::any_of(ofPage->actions(), &QAction::isVisible)); });
  addColors(menu->addMenu(tr("Colour &by")));
  QAction* timings = addToggle(menu, "overlayAction", tr("Timing o&verlay"), {QKeySequence(Qt::Key_T)},
                               tr("Show or hide the timing card in the views"), &MainMenus::timingsToggled);
  timings->setChecked(true);
  menu->addSeparator();
  menu->addActions(ofOthers.visibility);
  menu->addSeparator();
  darkAction = addToggle(menu, "themeAction", tr("&Dark theme"), {QKeySequence(Qt::Key_D)},
                         tr("Dark or light canvas and window"), &MainMenus::darkToggled);
  menu->addSeparator();
  menu->addMenu(ofOthers.workspaces);
  menu->addMenu(tr("Sp&lits and windows"))->addActions(ofOthers.panes);
  menu->addMenu(tr("Doc&ks"))->addActions(ofOthers.docks);
}

void MainMenus::addViews(QMenu* menu)
{
  int place = 0;
  for (const PageDefinition& page : allPages()) {
    const auto digit = static_cast<Qt::Key>(Qt::Key_0 + digitOf(place));
    const QList<QKeySequence> keys =
        place < kDigits ? QList{QKeySequence(Qt::CTRL | digit), QKeySequence(digit)} : QList<QKeySequence>{};
    QAction* action =
        addAction(menu, (std::string(page.name) + "Action").c_str(), titleOf(page), keys, questionOf(page));
    connect(action, &QAction::triggered, this, [this, place] { emit viewChosen(place); });
    ++place;
  }
}

void MainMenus::addColors(QMenu* menu)
{
  colorActions = new QActionGroup(this);
  for (const widgets::ColorBy rule : widgets::allColorBys()) {
    QAction* action = menu->addAction(widgets::colorByName(rule));
    const QString help = tr("Colour the branches of all views by %1").arg(widgets::colorByName(rule));
    action->setToolTip(help);
    action->setStatusTip(help);
    action->setIcon(actionIcon(QStringLiteral("colorBy")));
    action->setObjectName(QStringLiteral("colorBy%1Action").arg(colorActions->actions().size() + 1));
    action->setCheckable(true);
    action->setChecked(rule == widgets::ColorBy::Type);
    action->setData(static_cast<int>(rule));
    colorActions->addAction(action);
    connect(action, &QAction::triggered, this, [this, rule] { emit colorByChosen(rule); });
  }
}

/// Of actions that others carry out.
void MainMenus::addMenu(const QString& title, const QList<QAction*>& actions)
{
  QMenu* menu = window->menuBar()->addMenu(title);
  menu->addActions(actions);
}

void MainMenus::addRunMenu(const QList<QAction*>& ofRuns)
{
  QMenu* menu = runMenu = window->menuBar()->addMenu(tr("&Run"));
  addAction(
      menu, "runAction", tr("&Run again"), {QKeySequence(Qt::Key_F5)},
      tr("Solve, make the table or form synapses once more; run or pause the model of plasticity or of simulation"),
      &MainMenus::runRequested);
  cancelAction = addAction(menu, "cancelAction", tr("&Cancel"), {QKeySequence(Qt::Key_Escape)},
                           tr("Stop the running job; what is shown stays"), &MainMenus::cancelRequested);
  cancelAction->setEnabled(false);
  addAction(menu, "jobsAction", tr("&Jobs…"), {QKeySequence(Qt::CTRL | Qt::Key_J)},
            tr("List what runs and what waits, to cancel any of it"), &MainMenus::jobsRequested);
  addBackends(menu->addMenu(tr("&Backend of all pages")));
  menu->addSeparator();
  menu->addActions(ofRuns);
  menu->addSeparator();
  addAction(menu, "resetAction", tr("Reset &all parameters"), {}, tr("Every parameter back to its default"),
            &MainMenus::resetRequested);
}

/// Each page may be told otherwise by a field of its own.
void MainMenus::addBackends(QMenu* menu)
{
  backendMenu = menu;
  gpuActions = new QActionGroup(this);
  backendActions = new QActionGroup(this);
  backendActions->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
    const QString name = QString::fromStdString(std::string(backendName(backend)));
    QAction* action = addAction(menu, (std::string(backendName(backend)) + "BackendAction").c_str(), name.toUpper(), {},
                                tr("Solve cells, make tables, form synapses, grow networks and simulate on %1")
                                    .arg(backend == Backend::Cpu ? tr("the CPU") : tr("the GPU")));
    action->setIcon(actionIcon(QStringLiteral("runAction")));
    action->setCheckable(true);
    action->setData(static_cast<int>(backend));
    backendActions->addAction(action);
    connect(action, &QAction::triggered, this, [this, backend] { emit backendRequested(backend); });
  }
  connect(menu, &QMenu::aboutToShow, this, &MainMenus::backendsShown);
}

void MainMenus::setCuda(const QString& whyNot)
{
  for (QAction* action : backendActions->actions()) {
    if (action->data().toInt() != static_cast<int>(Backend::Cuda) || whyNot.isEmpty())
      continue;
    action->setEnabled(false);
    action->setToolTip(whyNot);
    action->setStatusTip(whyNot);
  }
}

void MainMenus::setGpus(std::vector<DeviceInfo> gpus)
{
  qDeleteAll(gpuActions->actions());
  if (gpus.size() < 2)
    return;
  const int chosen = gpus.front().index;
  std::ranges::sort(gpus, {}, &DeviceInfo::index);
  gpuActions->addAction(backendMenu->addSeparator());
  for (const DeviceInfo& gpu : gpus) {
    const QString memory = QString::fromStdString(formatBytes(gpu.model.memoryBytes));
    QAction* action = addAction(
        backendMenu, ("gpu" + std::to_string(gpu.index) + "Action").c_str(),
        gpuInWords(gpu) + QStringLiteral(", ") + memory, {},
        tr("What takes one GPU runs on this one, with %1 of memory. The choice is for the next run: what runs "
           "now ends where it is, and a simulation or a growth goes on where it began.")
            .arg(memory));
    action->setIcon(actionIcon(QStringLiteral("runAction")));
    action->setCheckable(true);
    action->setChecked(gpu.index == chosen);
    gpuActions->addAction(action);
    connect(action, &QAction::triggered, this, [this, gpu] { emit gpuRequested(gpu); });
  }
  complete(*backendMenu, {(Qt::CTRL | Qt::Key_K).toCombined(), letterOf(*runMenu->menuAction(), 0),
                          letterOf(*backendMenu->menuAction(), 0)});
}

void MainMenus::setBackend(std::optional<Backend> backend)
{
  for (QAction* action : backendActions->actions())
    action->setChecked(backend && action->data().toInt() == static_cast<int>(*backend));
}

void MainMenus::addHelpMenu()
{
  QMenu* menu = window->menuBar()->addMenu(tr("&Help"));
  addAction(menu, "paletteAction", tr("Command &palette…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
            tr("Find a command of any menu by typing its name"), &MainMenus::paletteRequested);
  addAction(menu, "helpAction", tr("&What is this?"), {QKeySequence(Qt::Key_F1)},
            tr("Say what is under the mouse, and how to use it"), &MainMenus::helpRequested);
  addAction(menu, "guideAction", tr("&User guide"), {QKeySequence(Qt::SHIFT | Qt::Key_F1)},
            tr("Read about the window, its pages and keys"), &MainMenus::guideRequested);
  addAction(menu, "tourAction", tr("&Tour"), {}, tr("Show the parts of the window, one after the other"),
            &MainMenus::tourRequested);
  addAction(menu, "shortcutsAction", tr("&Keyboard shortcuts"), {QKeySequence(Qt::CTRL | Qt::Key_F1)},
            tr("All keys on one page"), &MainMenus::shortcutsRequested);
  addAction(menu, "aboutAction", tr("&About Hinesight"), {}, tr("Version and licence"), &MainMenus::aboutRequested);
}

QAction* MainMenus::addAction(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                              const QString& help)
{
  QAction* action = menu->addAction(text);
  action->setObjectName(QLatin1String(name));
  action->setShortcuts(keys);
  action->setToolTip(help);
  action->setStatusTip(help);
  return action;
}

QAction* MainMenus::addAction(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                              const QString& help, Request request)
{
  QAction* action = addAction(menu, name, text, keys, help);
  connect(action, &QAction::triggered, this, request);
  return action;
}

QAction* MainMenus::addToggle(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                              const QString& help, Toggle toggle)
{
  QAction* action = addAction(menu, name, text, keys, help);
  action->setCheckable(true);
  connect(action, &QAction::triggered, this, toggle);
  return action;
}

void MainMenus::setLast(bool isThere)
{
  lastAction->setEnabled(isThere);
}

void MainMenus::setRuns(bool any)
{
  exportAction->setEnabled(any);
}

void MainMenus::setCancels(bool cancels)
{
  cancelAction->setEnabled(cancels);
}

void MainMenus::setGrid(bool grid)
{
  gridAction->setChecked(grid);
}

void MainMenus::setColorBy(widgets::ColorBy colorBy)
{
  for (QAction* action : colorActions->actions())
    if (action->data().toInt() == static_cast<int>(colorBy))
      action->setChecked(true);
}

void MainMenus::setDark(bool dark)
{
  darkAction->setChecked(dark);
}

} // namespace hinesight::app
