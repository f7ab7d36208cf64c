#pragma once

#include "widgets/charts/titled_chart.hpp"

#include <QColor>
#include <QPointF>
#include <QPolygonF>
#include <QString>

#include <optional>
#include <vector>

namespace hinesight::widgets {

/// Numbers over a quantity, such as crossings over radius or branches over length, for one cell or for two: as a line
/// through points, or as a stair of classes. Both axes begin at 0. A click picks a point or a class, a drag those that
/// it passes. Of two curves it is the one that is drawn nearer there. With the keyboard, Left and Right go from one to
/// the next, Up and Down from curve to curve, and Space or Enter picks.
class ProfileChart : public TitledChart
{
  Q_OBJECT

public:
  struct Curve
  {
    QString name;
    std::vector<double> values; ///< value k: at (k + 1) width as a line, from k to k + 1 widths as a stair
  };

  /// Values of a curve, side by side.
  struct Stretch
  {
    std::size_t curve = 0;
    std::size_t begin = 0;
    std::size_t end = 0; ///< the one after the last

    std::size_t size() const { return end - begin; }
    bool operator==(const Stretch&) const = default;
  };

  explicit ProfileChart(const QString& name, QWidget* parent);

  /// `width`: of a class, or from one point to the next. `unit`: of the quantity. Nothing of it is selected.
  void setCurves(std::vector<Curve> curves, double width, const QString& unit, bool isStair);
  /// How much of each value is selected, per curve; what is missing is 0.
  void setSelected(std::vector<std::vector<double>> ofCurves);
  const std::vector<std::vector<double>>& selected() const { return chosen; }
  /// What the axes show, with units.
  void setAxisTitles(const QString& ofQuantity, const QString& ofNumbers);
  const QString& quantityTitle() const { return across; }
  const QString& numberTitle() const { return upwards; }
  /// A sentence in place of the plot, which says why there is nothing to draw; empty: none.
  void setNotice(const QString& sentence);
  const QString& notice() const { return instead; }
  /// None of a type of neurite, which curves of whole cells are not of.
  static QColor colorOf(std::size_t curve);
  const std::vector<Curve>& curves() const { return shown; }
  /// Where a value is drawn: a point of a line, or the middle of the upper end of a class.
  QPointF pointOf(std::size_t curve, std::size_t place) const;
  QSize minimumSizeHint() const override { return {150, 110}; }
  void paintPart(QPainter& painter, const FigureArea& area) override;

signals:
  /// Of size 0: beside all values.
  void picked(const hinesight::widgets::ProfileChart::Stretch& places, Qt::KeyboardModifiers modifiers);

protected:
  void paintChart(QPainter& painter) override;
  std::vector<LineName> namesWithoutRoom() const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

private:
  /// A value that the keyboard is at.
  struct Mark
  {
    std::size_t curve = 0;
    std::size_t place = 0;
  };

  /// The left button is down.
  struct Press
  {
    QPointF at;
    std::optional<std::size_t> first; ///< the place there; none: it is beside all
    std::size_t last = 0;             ///< the place that it was dragged to
    bool isDrag = false;
  };

  void refreshHighest();
  QRectF plot() const;
  std::size_t places() const;
  double valueOf(std::size_t curve, std::size_t place) const;
  double selectedOf(std::size_t curve, std::size_t place) const;
  double heightOf(double value, const QRectF& area) const;
  std::optional<std::size_t> placeAt(const QPointF& point) const;
  std::size_t placeOver(double x) const;
  std::optional<std::size_t> curveNear(std::size_t place, double y) const;
  Stretch stretchOf(const Press& of) const;
  QString describe(std::size_t place) const;
  std::optional<Mark> firstMark() const;
  void setMark(Mark wanted);
  void walk(int along, int acrossCurves);
  void goTo(bool isLast);
  void pickMark(Qt::KeyboardModifiers modifiers);
  QPolygonF pathOf(const std::vector<double>& values, const QRectF& area) const;
  double roomForNames() const;
  double widthOfNames() const;
  void paintLegend(QPainter& painter) const;
  void paintNotice(QPainter& painter) const;
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintCurve(QPainter& painter, const QRectF& area, std::size_t curve) const;
  void paintSelected(QPainter& painter, const QRectF& area, std::size_t curve) const;
  void paintBand(QPainter& painter, const QRectF& area, const Stretch& places) const;
  void paintMark(QPainter& painter) const;

  std::vector<Curve> shown;
  std::vector<std::vector<double>> chosen; ///< per curve
  double width = 1;
  double highest = 1; ///< of the numbers, in the plot
  QString unit;
  QString across;  ///< title of the quantity
  QString upwards; ///< title of the numbers
  QString instead; ///< of the plot
  bool isStair = false;
  std::optional<Mark> mark;
  std::optional<Press> press;
};

} // namespace hinesight::widgets
