#pragma once

#include "app/jobs/device_report.hpp"
#include "core/stage_timings.hpp"
#include "widgets/theme.hpp"

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QUndoStack;

namespace hinesight::app {

class RecentFiles;

/// The menus of the window with their keys. They say what a person wants, and show what they are told of the window's
/// state.
class MainMenus : public QObject
{
  Q_OBJECT

public:
  /// Made by who carries them out.
  struct Actions
  {
    QList<QAction*> docks;      ///< to show or hide each
    QMenu* earlier;             ///< sessions of closed windows
    QList<QAction*> panes;      ///< what can be done to the arrangement of pages
    QMenu* workspaces;          ///< to choose from
    QList<QAction*> selection;  ///< what can be done to what is selected
    QList<QAction*> cells;      ///< what can be done to the cells that are chosen in their list
    QList<QAction*> visibility; ///< those of them that say which cells are shown
    QList<QAction*> circuit;    ///< what can be done to populations and connections
    QList<QAction*> runs;       ///< what can be done to the runs that are chosen in their table
    QList<QAction*> page;       ///< what can be done on the current page
  };

  MainMenus(QMainWindow* window, const Actions& ofOthers, QUndoStack& steps);

  RecentFiles& recentFiles() { return *recent; }
  /// Whether there are runs to export.
  void setRuns(bool any);
  /// Whether there is a last session to reopen.
  void setLast(bool isThere);
  /// Whether Escape, the key of "Cancel", does that now, and nothing else.
  void setCancels(bool cancels);
  void setGrid(bool grid);
  /// Whether CUDA can be used; a sentence: why not.
  void setCuda(const QString& whyNot);
  /// The chosen one first. Where there are several, they are offered.
  void setGpus(std::vector<DeviceInfo> gpus);
  /// Where all pages compute; none: some here, some there.
  void setBackend(std::optional<Backend> backend);
  void setColorBy(widgets::ColorBy colorBy);
  void setDark(bool dark);

signals:
  void openRequested();
  void openFolderRequested();
  void openChosen(const QString& path); ///< of the recent files
  void samplesRequested();
  void lastRequested();
  void saveSessionRequested();
  void saveSessionAsRequested();
  void circuitExportRequested();
  void exportRequested();
  void saveViewRequested();
  void quitRequested();

  void commandCopyRequested();
  void sessionCopyRequested();

  void viewChosen(int index); ///< of allPages
  void gridRequested(bool grid);
  void backendRequested(hinesight::Backend backend); ///< of all pages
  void gpuRequested(const hinesight::DeviceInfo& gpu);
  /// The menu of backends is about to be seen.
  void backendsShown();
  void fitRequested();
  void colorByChosen(hinesight::widgets::ColorBy colorBy);
  void timingsToggled(bool shown);
  void darkToggled(bool dark);

  void runRequested();
  void cancelRequested();
  void jobsRequested();
  void resetRequested();

  void paletteRequested();
  void helpRequested();
  void guideRequested();
  void tourRequested();
  void shortcutsRequested();
  void aboutRequested();

private:
  using Request = void (MainMenus::*)();
  using Toggle = void (MainMenus::*)(bool);

  void addFileMenu(QMenu* earlier);
  void addSampleModels(QMenu* menu);
  void addEditMenu(QUndoStack& steps, const QList<QAction*>& selection);
  void addViewMenu(const Actions& ofOthers);
  void addViews(QMenu* menu);
  void addColors(QMenu* menu);
  void addMenu(const QString& title, const QList<QAction*>& actions);
  void addBackends(QMenu* menu);
  void addRunMenu(const QList<QAction*>& ofRuns);
  void addHelpMenu();
  static void complete(QMenu& menu, const std::vector<int>& way);
  QAction* addAction(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                     const QString& help);
  QAction* addAction(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                     const QString& help, Request request);
  QAction* addToggle(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                     const QString& help, Toggle toggle);

  QMainWindow* window;
  RecentFiles* recent = nullptr;
  QAction* lastAction = nullptr;
  QAction* exportAction = nullptr;
  QAction* gridAction = nullptr;
  QMenu* runMenu = nullptr;
  QMenu* backendMenu = nullptr;
  QActionGroup* backendActions = nullptr;
  QActionGroup* gpuActions = nullptr;
  QActionGroup* colorActions = nullptr;
  QAction* darkAction = nullptr;
  QAction* cancelAction = nullptr;
};

} // namespace hinesight::app
