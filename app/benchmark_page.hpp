#pragma once

#include "app/job_runner.hpp"
#include "app/pipeline.hpp"
#include "hines/benchmark.hpp"
#include "hines/benchmark_tables.hpp"
#include "widgets/scene.hpp"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace hinesight::widgets {
class BenchmarkPlot;
}

namespace hinesight::app {

/// "Which solver should I use?": chosen solvers are measured on batches of chosen sizes, and their times and speedups
/// plotted as they come. The page asks for a benchmark and is told its rows; it measures nothing itself.
class BenchmarkPage : public QWidget
{
  Q_OBJECT

public:
  /// What the cells of the batches are.
  enum class Source
  {
    ShownCells,  ///< those of the window, in turn
    RandomTrees, ///< with the window's parameters, all different up to 1,024
    Ca1Sized,    ///< one synthetic cell
    Mixed        ///< synthetic cells of many sizes
  };

  explicit BenchmarkPage(QWidget* parent = nullptr);

  static QString title();
  /// The window's cells and parameters, which the next run takes.
  void setScene(std::shared_ptr<const widgets::Scene> scene);
  void setParameters(const PipelineParameters& parameters);
  void setDevices(const DeviceReport& report);

  /// Asks for a run with what is chosen; says by `failed` what is wrong with it.
  void run();
  void takeStarted();
  void takeProgress(const QString& stage, double fraction);
  void takeRow(const hines::BenchmarkRow& row);
  /// The run came to its end, or was stopped: what was measured stays.
  void takeEnd();
  /// While something else runs, measuring has to wait.
  void setBusy(bool busy);

  const widgets::BenchmarkPlot& plot() const { return *chart; }
  void askWhereToSavePlot();
  /// A PNG picture or a PDF page, by the extension. Throws Error(BadParameter), Error(WriteFailed).
  void savePlot(const QString& path) const;
  /// Every row as CSV or JSON, by the extension. Throws as io::writeBenchmark.
  void saveTable(const QString& path) const;

signals:
  void runRequested(const hinesight::app::BenchmarkRequest& request);
  void cancelRequested();
  /// A point was chosen: the parameters that solve this batch in the window.
  void parametersChosen(const hinesight::app::PipelineParameters& parameters, const QString& what);
  void saved(const QString& path);
  void failed(const QString& sentence);

private:
  QWidget* makeHeader();
  QWidget* makeControls();
  QWidget* makeSolverList();
  void refreshSolvers();
  void refreshBaselines();
  void refreshHidden();
  void refreshState();
  std::shared_ptr<const hines::BenchmarkSource> chosenSource() const;
  std::vector<std::int64_t> chosenCells() const;
  BenchmarkRequest makeRequest() const;
  void chooseRow(std::size_t row);
  void askForFile(const char* name, const QString& title, const QString& proposal, const QStringList& filters,
                  void (BenchmarkPage::*save)(const QString&) const);

  std::shared_ptr<const widgets::Scene> scene;
  PipelineParameters parameters;
  DeviceReport devices;
  Source measured = Source::ShownCells; ///< what the rows are of
  std::size_t wantedRows = 0;
  bool running = false;
  bool busy = false;

  struct SolverBox
  {
    hines::SolverKind solver;
    QCheckBox* box;
  };
  std::vector<SolverBox> solverBoxes;
  widgets::BenchmarkPlot* chart;
  QLabel* headline = nullptr;
  QLabel* hint = nullptr;
  QLabel* failures = nullptr;
  QComboBox* source = nullptr;
  QLineEdit* cells = nullptr;
  QComboBox* backend = nullptr;
  QSpinBox* repetitions = nullptr;
  QComboBox* baseline = nullptr;
  QCheckBox* permute = nullptr;
  QPushButton* runButton = nullptr;
  QPushButton* cancelButton = nullptr;
  QPushButton* plotButton = nullptr;
  QPushButton* tableButton = nullptr;
  QProgressBar* progress = nullptr;
  QLabel* stage = nullptr;
};

} // namespace hinesight::app
