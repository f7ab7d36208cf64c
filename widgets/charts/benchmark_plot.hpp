#pragma once

#include "hines/bench/benchmark.hpp"
#include "widgets/charts/benchmark_chart.hpp"

#include <cstddef>
#include <vector>

namespace hinesight::widgets {

/// "Which solver should I use?": the time of a solve over the number of cells, a line a label, the traffic floor
/// dashed, peers with square marks. A variant ("Fine, as read") has a dotted line in a colour that no solver and no
/// other variant has. Failed rows are not drawn. Point i of the chart is row i.
class BenchmarkPlot : public BenchmarkChart
{
  Q_OBJECT

public:
  explicit BenchmarkPlot(QWidget* parent = nullptr);

  void setRows(std::vector<hines::BenchmarkRow> rows);
  void addRow(const hines::BenchmarkRow& row);
  const std::vector<hines::BenchmarkRow>& rows() const { return all; }
  /// Whether the time of bringing a batch into the solver's layout counts too (as in huber 2018, figure 7.1); yes.
  void setPermuteCounted(bool counted);

protected:
  void refresh() override;
  QString describe(std::size_t point) const override;

private:
  ChartPoint pointOf(const hines::BenchmarkRow& row) const;

  std::vector<hines::BenchmarkRow> all;
  bool permuteCounted = true;
};

/// What a person reads of a row's label: "Domain decomposition, single" of "edd, single".
QString lineName(const hines::BenchmarkRow& row);

/// The colour of a solver in every chart of benchmarks.
QColor solverColor(hines::SolverId solver);

} // namespace hinesight::widgets
