#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "core/spread.hpp"

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace hinesight::widgets {

/// A measurement: a point of the line that has its label.
struct ChartPoint
{
  QString label;
  QColor color;
  bool dotted = false; ///< the whole line, as its first point says
  bool square = false; ///< its marks, as its first point says
  double x = 0;
  Spread milliseconds; ///< median 0: nothing was measured, and nothing is drawn
  double floor = 0;    ///< ms that cannot be undercut; 0: unknown
};

/// A place on the horizontal axis that has a name.
struct ChartMark
{
  double x = 0;
  QString text;
};

/// What benchmarks are drawn with: above, times over the size of what was measured, both logarithmic, one line a label,
/// the quartiles as a band, the floor dashed; below, the speedup over a baseline, a label that can be chosen. Who
/// derives from it says what the points are.
///
/// Arrow keys walk from point to point; a point that is clicked, or is current when Enter is pressed, is chosen.
class BenchmarkChart : public QWidget, public FigurePart
{
  Q_OBJECT

public:
  /// The labels that have a point, in the order of their first point.
  QStringList labels() const;
  /// Lines that are left out.
  void setHiddenLabels(const QStringList& labels);
  /// The label whose times are divided by the others'; empty: the first label.
  void setBaseline(const QString& label);
  QString baseline() const;

  /// Draws everything into `area`: on the screen, into a picture or onto a page.
  void paint(QPainter& painter, const QRectF& area, bool isTransparent = false) const;
  void paintPart(QPainter& painter, const FigureArea& area) override;
  bool takesAnySize() const override { return true; }
  QSizeF leastSize(double) const override { return minimumSize(); }
  const std::vector<ChartPoint>& points() const { return all; }
  /// The point of either chart that is nearest to `position` and at most 10 px away.
  std::optional<std::size_t> pointAt(const QPointF& position) const;
  /// Where a point is in the chart of times; null where it is not drawn.
  std::optional<QPointF> timePosition(std::size_t point) const;
  std::optional<QPointF> speedupPosition(std::size_t point) const;
  /// Where the titles of both charts and that of the horizontal axis are painted, as far as they fit.
  std::vector<QRectF> titlePlaces() const;
  /// The time of the baseline over the point's; null where the baseline has no point of the same x.
  std::optional<double> speedup(std::size_t point) const;

signals:
  void pointChosen(std::size_t point);

protected:
  struct Texts
  {
    QString empty; ///< while there are no points
    QString timeTitle;
    QString horizontalAxis;
    bool choosable; ///< whether choosing a point does anything
  };
  BenchmarkChart(Texts texts, QWidget* parent);

  void setPoints(std::vector<ChartPoint> points);
  void setMarks(std::vector<ChartMark> marks);
  void setTimeTitle(const QString& title);
  /// Gives points and marks anew, in the colours of the theme.
  virtual void refresh() = 0;
  /// The tooltip of a point, HTML.
  virtual QString describe(std::size_t point) const = 0;

  void changeEvent(QEvent* event) override;
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

    QPointF at(double x, double value) const;
  };
  struct Layout
  {
    Chart times, speedups;
    QRectF area; ///< of all
  };
  /// The drawn points of a label, from left to right.
  struct Line
  {
    QString label;
    std::vector<std::size_t> points;
  };

  Layout layOut(const QRectF& area) const;
  bool isDrawn(std::size_t point) const;
  std::vector<Line> lines() const;
  QString speedupTitle() const;
  QRectF titlePlace(const Layout& layout, const Chart& chart, const QString& title) const;
  QRectF axisPlace(const Layout& layout) const;
  void paintTitle(QPainter& painter, const QRectF& place, const QString& title) const;
  void paintScale(QPainter& painter, const Chart& chart, QString (*textOf)(double)) const;
  void paintHorizontalAxis(QPainter& painter, const Layout& layout) const;
  void paintMarks(QPainter& painter, const Layout& layout) const;
  void paintTimes(QPainter& painter, const Chart& chart) const;
  void paintSpeedups(QPainter& painter, const Chart& chart) const;
  void paintFloor(QPainter& painter, const Chart& chart) const;
  void paintLine(QPainter& painter, const ChartPoint& style, const std::vector<QPointF>& places) const;
  void paintLabels(QPainter& painter, const Layout& layout) const;
  void paintCurrent(QPainter& painter, const Layout& layout) const;
  void setCurrent(std::optional<std::size_t> point);
  void choose();
  void walk(int alongLine, int acrossLines);

  Texts texts;
  std::vector<ChartPoint> all;
  std::vector<ChartMark> marks;
  QStringList hidden;
  QString chosenBaseline;
  std::optional<std::size_t> current; ///< under the pointer, or where the keys are
};

/// "3.1 ×".
QString timesText(double factor);

} // namespace hinesight::widgets
