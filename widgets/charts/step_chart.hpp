#pragma once

#include "widgets/charts/titled_chart.hpp"

#include <QColor>
#include <QString>
#include <QStringList>

#include <vector>

namespace hinesight::widgets {

/// Numbers over the steps of a simulation as lines that grow, on a linear scale from 0. While there are more steps than
/// can be told apart, neighbours are joined: a line is then drawn through the least and the greatest of each join.
class StepChart : public TitledChart
{
  Q_OBJECT

public:
  struct Line
  {
    QString name;
    int category = 0; ///< of categoryColor
    bool dashed = false;
  };

  /// `unit` stands behind the title.
  StepChart(const QString& name, const QString& unit, std::vector<Line> lines, QWidget* parent);

  /// A value for each line, of a later step than any before.
  void append(std::uint32_t step, const std::vector<double>& values);
  /// Values will come of steps behind `beginStep`, which is where the axis begins.
  void clear(std::uint32_t beginStep = 0);

  std::uint32_t beginStep() const { return begin; }
  std::uint32_t lastStep() const { return last; } ///< 0: none
  std::size_t points() const { return joined.size(); }
  /// A name above the plot, as it is painted.
  struct PaintedName
  {
    QString text;
    QRectF place; ///< of the text
  };
  /// One for each line, in a row or two; shortened in the middle where there is no room, empty where there is none for
  /// that either.
  std::vector<PaintedName> paintedNames() const;
  double lastValue(std::size_t line) const;
  QSize sizeHint() const override { return {220, minimumSizeHint().height()}; }
  QSize minimumSizeHint() const override;

protected:
  void paintChart(QPainter& painter) override;
  std::vector<LineName> namesWithoutRoom() const override;
  bool event(QEvent* event) override;

private:
  struct Range
  {
    double least = 0;
    double most = 0;
  };
  /// Steps up to and with one, joined.
  struct Join
  {
    std::uint32_t step = 0;
    std::uint32_t count = 0; ///< values in it
    std::vector<Range> ranges;
  };

  QRectF plot() const;
  double highest() const;
  /// Where a step lies in the area of the plot.
  double xOf(std::uint32_t step, const QRectF& area) const;
  void halve();
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintLines(QPainter& painter, const QRectF& area) const;
  std::vector<QStringList> rowsOfNames(double room) const;
  QStringList shortened(QStringList texts, double room) const;
  void paintNames(QPainter& painter) const;

  QString unit;
  std::vector<Line> lines;
  std::vector<Join> joined;
  std::uint32_t joinSize = 1; ///< values in a full join
  std::uint32_t begin = 0;    ///< the step at the left
  std::uint32_t last = 0;
  std::vector<double> lastValues;
};

} // namespace hinesight::widgets
