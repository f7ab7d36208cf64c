#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_views.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/jobs/device_report.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/tab.hpp"
#include "app/pages/view_kind.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/cells/view.hpp"
#include "widgets/theme.hpp"

#include <QMainWindow>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

class QShortcut;

namespace hinesight::app {

class BenchmarkPage;
class CellController;
struct DockedPanels;
class Document;
class FileSorter;
class FoldableDocks;
class FormationController;
class FigureDialog;
struct FigureSubject;
class FormationPage;
class History;
class KeptSessions;
class MainMenus;
class MessageBanner;
class MissingFiles;
class NeuronSelection;
struct OpenSession;
class PlasticityPage;
class ProjectionController;
class ProjectionPage;
class QuestionBar;
class SelectionActions;
class SessionController;
class SessionKeeper;
class SimulationController;
class SimulationPage;
class StatusPanel;
class UnitQuestion;
struct NetworkFile;
struct OpenableFiles;
class ViewArea;
class Workspace;

/// The window of the program: open cells on the left, parameters on the right, runs below, views in the centre. It owns
/// the jobs and joins those who submit them with those who show what comes of it; it computes nothing itself.
class MainWindow : public QMainWindow
{
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);
  /// Of a person's first window, where the screen is large enough.
  static QSize defaultSize() { return {1600, 1000}; }
  /// Of a person's first window where this much is free, in which the frame has to stand too.
  static QSize firstSize(const QSize& workArea, const QMargins& frame);
  ~MainWindow() override;

  /// Neurons are added to the open cells, weight tables to the connections of the circuit.
  void openFiles(const QStringList& paths);
  void loadSamples();
  /// The same with which the history begins: no step goes back behind it. `keepsPage`: the page that is shown stays,
  /// whatever page a session was saved on. `choices`: what counts over what a session says.
  void openAtStart(const QStringList& paths, bool keepsPage,
                   const std::function<void(model::Project& session)>& choices = {});
  void setParameters(const study::CellParameters& parameters); ///< and runs what depends on them, if cells are open
  /// Where everything is computed that can be on either: solutions, weight tables, synapses, models that grow.
  void setBackend(Backend backend);
  /// What is open is kept in this folder while the window lives. What a window that never ended had open is offered.
  void keepOpenIn(const QString& folder);
  /// Shows the parts of the window one after the other, on the sample cells where none are open.
  void startTour();
  /// Starts the tour, unless this person has ended it before or is asked whether to restore what was open.
  void offerTour();
  /// The steps that can be undone.
  History& history() const { return *steps; }
  /// All that is open, as a session has it.
  model::Project project() const;
  /// The same with what a run of it does, as it is written to files.
  model::Project projectToRun() const;
  model::SessionView sessionView() const;
  void showView(ViewKind kind);
  /// Waits until what the views draw in the background is there.
  void settle();
  void setColorBy(widgets::ColorBy colorBy);
  /// Of the view or page that is seen.
  widgets::Figure figure();
  /// The list of cells with their figures, as CSV.
  QString tableOfCells() const;
  void setTheme(widgets::ThemeMode mode);

  /// Whether it is still to be found out what files are that were to be opened.
  bool isOpening() const;
  /// Why the first of the files and folders that nothing could be made of was not opened.
  const std::optional<Error>& openingProblem() const { return unopened; }
  Jobs& jobs() { return *jobQueue; }
  CellListModel& cells() { return *cellList; }
  RunTableModel& runs() { return *runTable; }
  /// Of the cells; not for pages.
  widgets::View& view(ViewKind kind) { return cellViews->view(kind); }
  ViewArea& viewArea() { return *area; }
  BenchmarkPage& benchmarks() const;
  ProjectionPage& projections() const;
  FormationPage& synapses() const;
  PlasticityPage& plasticity() const;
  SimulationPage& simulation() const;
  const study::CellParameters& parameters() const;
  /// What the views show; null before anything was opened.
  const widgets::Scene* scene() const { return cellViews->scene().get(); }
  widgets::BranchId selection() const { return cellViews->selection(); }

signals:
  /// A file that was open or was to be opened.
  void unreadable(const hinesight::Error& error);

protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void addCentre();
  void addViews();
  void addPages();
  void addNeuronBar(NeuronSelection* neurons);
  void addPanels();
  void addSessions();
  void connectDocument();
  void connectSimulation();
  void addRestorer();
  void addHistory();
  void addQuestions();
  void addCells();
  void connectHost();
  void addMenus();
  void connectJobs();
  void restoreSettings();
  void storeSettings() const;
  void storeTheme() const;
  void fitIntoWorkArea();
  void bringInside();

  void openSorted(const OpenableFiles& files);
  void beginHistory();
  bool applyChoices();
  void dropChoices(const JobKind& kind);
  void listCircuit();
  OpenSession whatIsOpen() const;
  void resumeGrowth(const QString& network);
  void openEither(const NetworkFile& file);
  void findDevices();
  void run(bool solveAgain = false);
  void takeFailure(const JobKind& kind, const Error& error);
  void takeSuccess(const JobKind& kind);

  bool seesBranches() const;
  bool isShown(ViewKind page) const;
  const Tab& currentTab() const;
  void takeTab();
  void takeScene();
  void takeSelection();
  void takeCutLength(hines::SolverId solver, std::int32_t compartments);
  void takeCutWay(hines::SolverId solver, const QString& name);
  void takeCut(hines::SolverId solver, study::CellParameters edited);
  void setTimingsShown(bool shown);
  void refreshEscape();
  void awaitArea(widgets::AreaShape shape);
  void refreshTitle();

  void askForFiles();
  void askForFolder();
  void rememberFolders() const;
  void askWhereToSaveSession();
  void saveSession();
  void copyCommand();
  void copySession();
  void askWhereToExport();
  void showRepairs(int row);
  void askWhereToExportCells();
  void askWhereToSaveView();
  FigureSubject figureSubject();
  void makeFigure();
  void save(const QString& path, const QString& done, const std::function<void()>& write);
  void reportResult(const QString& sentence);
  void reportSaved(const QString& path); ///< what was exported, by a job or a page
  void reportKept(const QString& path);  ///< a session or a cell, to work on
  void warn(const QString& sentence);
  void reportError(const QString& sentence);

  std::unique_ptr<Jobs> jobQueue;
  std::optional<Error> unopened;
  FileSorter* sorter;
  CellListModel* cellList;
  RunTableModel* runTable;
  StatusPanel* status = nullptr;
  MainMenus* menus = nullptr;
  SelectionActions* selectionActions = nullptr;
  QShortcut* areaEscape = nullptr; ///< while an area is to be drawn

  MessageBanner* banner = nullptr;
  QuestionBar* mismatch = nullptr; ///< where the fields are not those of the picture
  QTimer mismatchTimer;
  std::map<std::string_view, QString> failures; ///< by JobKind::name: what its last job said that failed
  QToolBar* pagesBar = nullptr;                 ///< above everything, so that its tabs stay where they are
  ViewArea* area = nullptr;
  CellViews* cellViews = nullptr;
  PageHost* host = nullptr;
  FoldableDocks* docks = nullptr;
  std::unique_ptr<DockedPanels> panels;
  Workspace* workspace = nullptr;
  std::vector<Tab> tabs; ///< of allPages

  CellController* cellRuns = nullptr;
  Document* document = nullptr; ///< what is open
  SessionController* sessions = nullptr;
  History* steps = nullptr;
  SessionKeeper* keeper = nullptr; ///< says when it is kept
  UnitQuestion* unitQuestion = nullptr;
  MissingFiles* missingFiles = nullptr;                 ///< that a session names
  KeptSessions* kept = nullptr;                         ///< what is open, for the next window
  QString wentWith;                                     ///< said of the last removal; empty: it is undone
  bool isStarting = false;                              ///< what is opened next is where the history begins
  bool isUndoing = false;                               ///< or doing again
  bool keepsPage = false;                               ///< of the session that is opened at the start
  std::function<void(model::Project& session)> choices; ///< over that session, until it is open
  QuestionBar* recovery = nullptr;                      ///< about what a window left that never ended
  SimulationController* simulations = nullptr;
  ProjectionController* tables = nullptr;    ///< of the page of projections
  FormationController* formations = nullptr; ///< of that of synapses
  QPointer<FigureDialog> figureDialog;       ///< the last one
  std::optional<QSize> proposedSize;         ///< of a first window that has no frame yet
};

} // namespace hinesight::app
