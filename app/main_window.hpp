#pragma once

#include "app/cell_list_model.hpp"
#include "app/job_runner.hpp"
#include "app/run_table_model.hpp"
#include "app/strategy_times.hpp"
#include "widgets/scene.hpp"
#include "widgets/theme.hpp"
#include "widgets/view.hpp"

#include <QMainWindow>
#include <QStringList>
#include <QTimer>

#include <array>
#include <functional>
#include <memory>

class QAction;
class QActionGroup;
class QMenu;
class QStackedWidget;

namespace hinesight::widgets {
class SplittingView;
}

namespace hinesight::app {

class BenchmarkPage;
class DataPanel;
class FormationController;
class FormationPage;
class FormationPanel;
class MessageBanner;
class ParameterPanel;
class PlasticityPage;
class PlasticityPanel;
class PopulationPanel;
class ProjectionController;
class ProjectionPage;
class ProjectionPanel;
class RecentFiles;
class StatusPanel;
class TimingsPanel;
class ViewArea;

/// What the tabs show, in their order: the views of the cells, the pages of benchmarks, of projections, of synapses and
/// of plasticity.
enum class ViewKind
{
  Morphology,
  Tree,
  Packing,
  Splitting,
  Benchmark,
  Projection,
  Synapses,
  Plasticity
};
constexpr int kViewCount = 4; ///< views of the cells, the first of ViewKind
constexpr int kPageCount = 4; ///< the others

/// The window of the program: open cells on the left, parameters on the right, runs below, views in the centre. It owns
/// the job runner and passes what is finished to whoever shows it; it computes nothing itself.
class MainWindow : public QMainWindow
{
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Neurons are added to the open cells; a weight table is shown in place of the one that was.
  void openFiles(const QStringList& paths);
  void loadSamples();
  void setParameters(const PipelineParameters& parameters); ///< and runs what depends on them, if cells are open
  void showView(ViewKind kind);
  void setColorBy(widgets::ColorBy colorBy);
  void setTheme(widgets::ThemeMode mode);

  JobRunner& jobRunner() { return *runner; }
  CellListModel& cells() { return *cellList; }
  RunTableModel& runs() { return *runTable; }
  /// Of the cells; not for ViewKind::Benchmark.
  widgets::View& view(ViewKind kind) { return *views[static_cast<std::size_t>(kind)]; }
  ViewArea& viewArea() { return *area; }
  BenchmarkPage& benchmarks() { return *benchmarkPage; }
  ProjectionPage& projections() { return *projectionPage; }
  FormationPage& synapses() { return *formationPage; }
  PlasticityPage& plasticity() { return *plasticityPage; }
  const PipelineParameters& parameters() const;
  /// What the views show; null before anything was opened.
  const widgets::Scene* scene() const { return shown.scene.get(); }
  widgets::BranchId selection() const { return selectedBranch; }

protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  void addViews();
  void addBenchmarkPage();
  void addProjectionPage();
  void addFormationPage();
  void addPlasticityPage();
  void addDocks();
  void addFileMenu();
  void addViewMenu();
  void addRunMenu();
  void addHelpMenu();
  void connectRunner();
  void addControllers();
  void connectPlasticity();
  QAction* addAction(QMenu* menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                     const QString& help, const std::function<void()>& slot);
  void restoreSettings();
  void storeSettings() const;

  void openTable(const QStringList& paths);
  void run(bool solveAgain = false);
  void showPanels();
  QString titleOf(ViewKind kind) const;
  bool isShown(ViewKind page) const;
  bool isProjectionShown() const { return isShown(ViewKind::Projection); }
  bool areSynapsesShown() const { return isShown(ViewKind::Synapses); }
  bool isPlasticityShown() const { return isShown(ViewKind::Plasticity); }
  void takeReadings(const std::vector<CellReading>& readings);
  void takeFinished(const PipelineOutcome& outcome);
  void takeFailure(const Error& error);
  void takeCancelled();
  void showPartialSceneSoon(const PipelineOutcome& outcome);
  void showPartialScene();
  void showOutcome(const PipelineOutcome& outcome);
  void showScene(std::shared_ptr<const widgets::Scene> scene);
  void applyVisibility();
  void refreshVisibleViews();
  void select(widgets::BranchId branch);
  /// Selects a branch that was clicked in a view, and chooses its cell in the data panel.
  void takePick(widgets::BranchId branch);
  void refreshEscape();
  widgets::BranchId selectionIn(const PipelineOutcome& next) const;
  void takeThreshold(double compartments);
  void takeStrategy(hines::SplitStrategy strategy);
  void takeBenchmarkPoint(const PipelineParameters& parameters, const QString& what);
  /// The view that is seen, or under the pointer in the grid; null: one of the pages.
  widgets::View* currentView() const;
  void refreshTitle();

  void askForFiles();
  void askWhereToExport();
  void askWhereToSaveView();
  void exportTimings(const QString& path);
  void saveView(const QString& path);
  void reportError(const QString& sentence);

  std::unique_ptr<JobRunner> runner;
  CellListModel* cellList;
  RunTableModel* runTable;

  ViewArea* area;
  std::array<widgets::View*, kViewCount> views{};
  widgets::SplittingView* splittingView = nullptr; ///< one of them
  std::array<bool, kViewCount> stale{};            ///< hidden views get a new scene when they are shown
  BenchmarkPage* benchmarkPage = nullptr;
  ProjectionPage* projectionPage = nullptr;
  FormationPage* formationPage = nullptr;
  PlasticityPage* plasticityPage = nullptr;
  MessageBanner* banner;
  DataPanel* dataPanel;
  ParameterPanel* parameterPanel;
  ProjectionPanel* projectionPanel = nullptr;
  FormationPanel* formationPanel = nullptr;
  PlasticityPanel* plasticityPanel = nullptr;
  ProjectionController* tables = nullptr;
  FormationController* formations = nullptr;
  PopulationPanel* populationPanel = nullptr;
  QStackedWidget* parameterPanels = nullptr;
  TimingsPanel* timingsPanel;
  StatusPanel* status;
  QMenu* docksMenu = nullptr;
  RecentFiles* recentFiles = nullptr;
  QAction* cancelAction = nullptr;
  QAction* deselectAction = nullptr;
  QAction* runAction = nullptr;
  QAction* exportAction = nullptr;
  QAction* saveViewAction = nullptr;
  QAction* overlayAction = nullptr;
  QAction* darkAction = nullptr;
  QAction* gridAction = nullptr;
  QActionGroup* colorActions = nullptr;

  PipelineOutcome shown;
  PipelineOutcome partial; ///< shown if the run takes long or does not come to its end
  QTimer partialTimer;
  widgets::BranchId selectedBranch;
  StrategyTimes strategyTimes;
};

} // namespace hinesight::app
