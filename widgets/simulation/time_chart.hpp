#pragma once

#include "widgets/charts/titled_chart.hpp"
#include "widgets/simulation/time_axis.hpp"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace hinesight::widgets {

/// What charts over time have in common: the axis that they share, so that they stand below each other, the times of
/// changes, and the time that is looked at. A press with the left button looks at a time, a drag goes on; a drag with
/// another button or Shift moves the axis, the wheel zooms it, a double click ends both: as TimeAxis::showUsual.
class TimeChart : public TitledChart
{
  Q_OBJECT

public:
  /// The axis must outlive it.
  TimeChart(const QString& name, TimeAxis* axis, QWidget* parent);

  TimeAxis& axis() const { return *time; }
  QRectF plot() const;
  double xOf(double milliseconds) const;
  double timeAt(double x) const;

  static constexpr int kLeft = 52; ///< pixels beside the plot, for the numbers of all charts

protected:
  /// The title, and at its right the names of lines with their colours: shorter where there is no room, and of too many
  /// the last ones. Not of a figure that has them below the plot.
  void paintTitle(QPainter& painter, const QString& text, const std::vector<LineName>& names) const;
  using TitledChart::paintTitle;
  /// Whether all are whole there.
  bool hasRoomFor(const std::vector<LineName>& names, const QString& text) const;
  /// Of the lines at the bottom.
  void paintTimes(QPainter& painter) const;
  /// Over what the chart drew.
  void paintMarks(QPainter& painter) const;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;
  /// What a tooltip says at a pixel of the plot.
  virtual QString describe(const QPointF& pixel) const = 0;

private:
  void look(double x);

  TimeAxis* time;
  std::optional<QPointF> grabbed; ///< the axis is being moved
  bool looks = false;
};

} // namespace hinesight::widgets
