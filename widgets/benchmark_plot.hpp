#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>

// Qt's keyword macro would hide the members of that name.
#pragma push_macro("slots")
#undef slots
#include "hines/benchmark.hpp"
#pragma pop_macro("slots")

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace hinesight::widgets {

/// "Which solver should I use?": above, the time of a solve over the number of cells, both logarithmic, one line a
/// label, the quartiles as a band, the traffic floor dashed, peers with square marks; below, the speedup over a
/// baseline. A variant ("fine, as read") has its solver's colour and a dotted line. Failed rows are not drawn.
///
/// A click on a point chooses its row; arrow keys walk from point to point and Enter chooses.
class BenchmarkPlot : public QWidget
{
  Q_OBJECT

public:
  explicit BenchmarkPlot(QWidget* parent = nullptr);

  void setRows(std::vector<hines::BenchmarkRow> rows);
  void addRow(const hines::BenchmarkRow& row);
  const std::vector<hines::BenchmarkRow>& rows() const { return all; }
  /// The labels that have a point, in the order of their first row.
  QStringList labels() const;
  /// Lines that are left out.
  void setHiddenLabels(const QStringList& labels);
  /// The label whose times are divided by the others'; empty: the first label.
  void setBaseline(const QString& label);
  QString baseline() const;
  /// Whether the time of bringing a batch into the solver's layout counts too (as in huber 2018, figure 7.1); yes.
  void setPermuteCounted(bool counted);

  /// Draws everything into `area`: on the screen, into a picture or onto a page.
  void paint(QPainter& painter, const QRectF& area) const;
  /// The row whose point of either chart is nearest to `position` and at most 10 px away.
  std::optional<std::size_t> rowAt(const QPointF& position) const;
  /// Where the point of a row is in the chart of times; null where it is not drawn.
  std::optional<QPointF> timePosition(std::size_t row) const;
  std::optional<QPointF> speedupPosition(std::size_t row) const;
  /// The time of the baseline over the row's; null where the baseline has no row of as many cells.
  std::optional<double> speedup(std::size_t row) const;

signals:
  void rowChosen(std::size_t row);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

private:
  /// A chart with its ranges in logarithms of base 10.
  struct Chart
  {
    QRectF area;
    double left = 0, right = 1, bottom = 0, top = 1;

    QPointF at(double cells, double value) const;
  };
  struct Layout
  {
    Chart times, speedups;
  };
  /// The drawn rows of a label, by number of cells.
  struct Line
  {
    QString label;
    std::vector<std::size_t> rows;
  };

  Layout layOut(const QRectF& area) const;
  bool isDrawn(std::size_t row) const;
  std::vector<Line> lines() const;
  double floorOf(const hines::BenchmarkRow& row) const;
  /// ms, with the permutation where that counts.
  hines::Spread timeOf(const hines::BenchmarkRow& row) const;
  void paintFrame(QPainter& painter, const Chart& chart, const QString& title, QString (*textOf)(double)) const;
  void paintCells(QPainter& painter, const Layout& layout) const;
  void paintTimes(QPainter& painter, const Chart& chart) const;
  void paintSpeedups(QPainter& painter, const Chart& chart) const;
  void paintFloor(QPainter& painter, const Chart& chart) const;
  void paintLine(QPainter& painter, const Line& line, const std::vector<QPointF>& points) const;
  void paintLabels(QPainter& painter, const Chart& chart) const;
  void paintCurrent(QPainter& painter, const Layout& layout) const;
  void setCurrent(std::optional<std::size_t> row);
  void walk(int alongLine, int acrossLines);
  QString describe(std::size_t row) const;

  std::vector<hines::BenchmarkRow> all;
  QStringList hidden;
  QString chosenBaseline;
  bool permuteCounted = true;
  std::optional<std::size_t> current; ///< under the pointer, or where the keys are
};

/// The colour of a solver in every chart of benchmarks.
QColor solverColor(hines::SolverKind solver);

} // namespace hinesight::widgets
