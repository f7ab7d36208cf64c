#pragma once

#include "app/benchmark/benchmark_panel.hpp"
#include "app/document/session_work.hpp"
#include "hines/bench/benchmark.hpp"
#include "hines/bench/benchmark_tables.hpp"
#include "study/cells/cell_study.hpp"
#include "widgets/cells/scene.hpp"

#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace hinesight::model {
struct SolverBenchmark;
}
namespace hinesight::widgets {
class BenchmarkPlot;
}

namespace hinesight::app {

/// "Which solver should I use?": chosen solvers are measured on batches of chosen sizes, and their times and speedups
/// plotted as they come.
class HinesBenchmarkPanel final : public BenchmarkPanel
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

  /// Of the numbers; a solver without single precision is measured in double.
  enum class Precisions
  {
    Double,
    Single,
    Both
  };

  explicit HinesBenchmarkPanel(QWidget* parent = nullptr);

  /// The window's cells and parameters, which the next run takes.
  void setScene(std::shared_ptr<const widgets::Scene> scene);
  void setParameters(const study::CellParameters& parameters);
  void setDevices(const DeviceReport& report);
  /// Everything is to be computed there.
  void setBackend(Backend wanted);
  void takeRow(const hines::BenchmarkRow& row);

  /// What a run measures. Throws Error(BadParameter) for numbers of cells that are none.
  model::SolverBenchmark chosen() const;
  /// The fields say this; tables are none of theirs.
  void show(const model::SolverBenchmark& wanted);
  /// What 'hinesight-cli run' is told to measure the same. Throws Error(BadParameter) for numbers of cells that are
  /// none.
  SessionWork work() const;

  const widgets::BenchmarkPlot& plot() const { return *chart; }
  void saveTable(const QString& path) const override;

signals:
  void runRequested(const hinesight::app::BenchmarkRequest& request);
  /// A point was chosen: the parameters that solve this batch in the window.
  void parametersChosen(const hinesight::study::CellParameters& parameters, const QString& what);

protected:
  QString missing() const override;
  void requestRun() override;
  void refreshState() override;

private:
  HinesBenchmarkPanel(widgets::BenchmarkPlot* plot, QWidget* parent);

  void addOptions();
  QWidget* makeSolverList();
  void refreshSolvers();
  void refreshHidden();
  void refreshFailures();
  std::shared_ptr<const hines::BenchmarkSource> chosenSource() const;
  std::vector<std::int64_t> chosenCells() const;
  /// The chosen solvers in the chosen precisions on one batch; in single precision the label says so.
  std::vector<hines::BenchmarkCase> casesOf(const std::shared_ptr<const hines::BenchmarkSource>& cells,
                                            std::int64_t count) const;
  BenchmarkRequest makeRequest() const;
  void chooseRow(std::size_t row);

  std::shared_ptr<const widgets::Scene> scene;
  study::CellParameters parameters;
  Source measured = Source::ShownCells; ///< what the rows are of
  std::size_t wantedRows = 0;

  struct SolverBox
  {
    hines::SolverId solver;
    QCheckBox* box;
  };
  std::vector<SolverBox> solverBoxes;
  widgets::BenchmarkPlot* chart;
  widgets::ChoiceBox* source;
  QLineEdit* cells;
  widgets::ChoiceBox* backend;
  bool isBackendChosen = false; ///< by a person; else it is what the machine has
  widgets::ChoiceBox* precision;
  QSpinBox* repetitions;
  QCheckBox* permute;
  QLabel* failures;
};

} // namespace hinesight::app
