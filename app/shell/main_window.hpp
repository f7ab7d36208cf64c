#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_views.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/jobs/device_report.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/view_kind.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/cells/view.hpp"
#include "widgets/theme.hpp"

#include <QMainWindow>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace hinesight::app {

class BenchmarkPage;
class CellController;
class DeviceChoice;
struct DockedPanels;
class FileOpener;
class FoldableDocks;
class FormationPage;
class History;
class MainMenus;
class Messages;
class OpenWork;
class PlasticityPage;
class ProjectionPage;
class SelectionTools;
class SimulationPage;
class StatusPanel;
class ViewArea;
class WindowPlace;
class WindowTabs;
class Workspace;
struct WindowCentre;

/// The window of the program: open cells on the left, parameters on the right, runs below, views in the centre. It owns
/// the jobs and joins those who submit them with those who show what comes of it; it computes nothing itself.
class MainWindow : public QMainWindow
{
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);
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
  History& history() const { return steps(); }
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
  const std::optional<Error>& openingProblem() const;
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

private:
  void addCentre();
  void addViews();
  void addPanels();
  void addCells();
  void addPages();
  void connectHost();
  void addWork();
  void addQuestions();
  void addMenus();
  void addCommands();

  History& steps() const;
  void run(bool solveAgain = false);
  void refreshTitle();
  void showLast();
  void storeTheme() const;

  std::unique_ptr<Jobs> jobQueue;
  CellListModel* cellList;
  RunTableModel* runTable;
  WindowPlace* place = nullptr;
  std::unique_ptr<WindowCentre> centre;
  ViewArea* area = nullptr; ///< of the centre
  WindowTabs* tabs = nullptr;
  StatusPanel* status = nullptr;
  Messages* messages = nullptr;
  CellViews* cellViews = nullptr;
  SelectionTools* selectionTools = nullptr;
  FoldableDocks* docks = nullptr;
  std::unique_ptr<DockedPanels> panels;
  CellController* cellRuns = nullptr;
  PageHost* host = nullptr;
  Workspace* workspace = nullptr;
  OpenWork* work = nullptr; ///< what is open
  MainMenus* menus = nullptr;
  FileOpener* opener = nullptr;
  DeviceChoice* devices = nullptr;
};

} // namespace hinesight::app
