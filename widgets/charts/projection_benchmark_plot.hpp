#pragma once

#include "widgets/charts/benchmark_chart.hpp"

#include "projection/benchmark.hpp"

#include <cstddef>
#include <vector>

namespace hinesight::widgets {

/// Figures 1B and 1C of James 2021: the time of a weight table over the side d of two square populations, on the CPU,
/// on CUDA (downloaded, and left on the device), and of two programs that look at all pairs: a plain loop and
/// cub::DeviceSelect. The floor is that of writing the rows. Where CUDA overtakes the CPU is marked.
class ProjectionBenchmarkPlot : public BenchmarkChart
{
  Q_OBJECT

public:
  explicit ProjectionBenchmarkPlot(QWidget* parent = nullptr);

  void setMeasured(std::vector<projection::BenchmarkPoint> points);
  void addMeasured(const projection::BenchmarkPoint& point);
  const std::vector<projection::BenchmarkPoint>& measured() const { return all; }

protected:
  void refresh() override;
  QString describe(std::size_t point) const override;

private:
  std::vector<projection::BenchmarkPoint> all;
  std::vector<std::size_t> measuredOf; ///< by point of the chart
};

/// The side of two square populations that have so many pairs.
double sideOfPairs(double pairs);

} // namespace hinesight::widgets
