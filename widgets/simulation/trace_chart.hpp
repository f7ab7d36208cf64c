#pragma once

#include "study/simulation/trace.hpp"
#include "widgets/simulation/time_chart.hpp"

#include <QColor>
#include <QString>

#include <vector>

namespace hinesight::widgets {

/// The colour of the trace and the mark of place `number`.
QColor placeColor(std::size_t number);

/// Potentials at places over time: of each pixel the least and the greatest, so that no spike is lost. From -90 to
/// 40 mV, and farther where one goes beyond.
class TraceChart : public TimeChart
{
  Q_OBJECT

public:
  TraceChart(TimeAxis* axis, QWidget* parent);

  struct Line
  {
    QString name;
    QColor color;
    study::Trace trace;
  };
  /// Its lines; call `update` after a change.
  std::vector<Line>& lines() { return all; }
  const std::vector<Line>& lines() const { return all; }
  /// Where a potential stands, pixels.
  double yOf(double potential) const;
  QSize sizeHint() const override { return {320, 200}; }
  QSize minimumSizeHint() const override { return {150, 118}; }

protected:
  void paintChart(QPainter& painter) override;
  std::vector<LineName> namesWithoutRoom() const override;
  QString describe(const QPointF& pixel) const override;

private:
  struct Span
  {
    double least, greatest; ///< mV
  };
  Span span() const;
  std::vector<LineName> names() const;
  QString note() const;
  void paintHeights(QPainter& painter, const Span& heights) const;
  void paintLine(QPainter& painter, const Line& line, const Span& heights) const;

  std::vector<Line> all;
};

} // namespace hinesight::widgets
