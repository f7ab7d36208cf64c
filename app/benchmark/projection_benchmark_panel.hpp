#pragma once

#include "app/benchmark/benchmark_panel.hpp"

#include <cstddef>

class QCheckBox;
class QLineEdit;
class QSpinBox;

namespace hinesight::widgets {
class ProjectionBenchmarkPlot;
}

namespace hinesight::app {

/// "From what size on does the GPU pay?": James 2021, figures 1B and 1C, on the devices at hand. The time of a weight
/// table between two square populations by their side, CPU beside CUDA.
class ProjectionBenchmarkPanel final : public BenchmarkPanel
{
  Q_OBJECT

public:
  explicit ProjectionBenchmarkPanel(QWidget* parent = nullptr);

  void setDevices(const DeviceReport& report);
  void takePoint(const projection::BenchmarkPoint& point);

  /// What a run measures. Throws Error(BadParameter) for sides that are none.
  projection::BenchmarkParameters chosen() const;
  /// The fields say this, as far as there are any for it.
  void show(const projection::BenchmarkParameters& wanted);

  const widgets::ProjectionBenchmarkPlot& plot() const { return *chart; }
  void saveTable(const QString& path) const override;

signals:
  void runRequested(const hinesight::app::ProjectionBenchmarkRequest& request);

protected:
  QString missing() const override;
  void requestRun() override;

private:
  ProjectionBenchmarkPanel(widgets::ProjectionBenchmarkPlot* plot, QWidget* parent);

  void addOptions();

  std::size_t wantedPoints = 0;
  widgets::ProjectionBenchmarkPlot* chart;
  QLineEdit* sides;
  QCheckBox* cpu;
  QCheckBox* cuda;
  QSpinBox* loopSide;
  QSpinBox* repetitions;
};

} // namespace hinesight::app
