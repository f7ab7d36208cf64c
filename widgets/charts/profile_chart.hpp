#pragma once

#include "widgets/charts/titled_chart.hpp"

#include <QColor>
#include <QString>

#include <vector>

namespace hinesight::widgets {

/// Numbers over a quantity, such as crossings over radius or branches over length, for one cell or for two: as a line
/// through points, or as a stair of classes. Both axes begin at 0.
class ProfileChart : public TitledChart
{
  Q_OBJECT

public:
  struct Curve
  {
    QString name;
    std::vector<double> values; ///< value k: at (k + 1) width as a line, from k to k + 1 widths as a stair
  };

  explicit ProfileChart(const QString& name, QWidget* parent);

  /// `width`: of a class, or from one point to the next. `unit`: of the quantity.
  void setCurves(std::vector<Curve> curves, double width, const QString& unit, bool isStair);
  /// What the axes show, with units.
  void setAxisTitles(const QString& ofQuantity, const QString& ofNumbers);
  const QString& quantityTitle() const { return across; }
  const QString& numberTitle() const { return upwards; }
  /// None of a type of neurite, which curves of whole cells are not of.
  static QColor colorOf(std::size_t curve);
  const std::vector<Curve>& curves() const { return shown; }
  QSize minimumSizeHint() const override { return {150, 110}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  QRectF plot() const;
  double highest() const;
  std::size_t places() const;
  void paintLegend(QPainter& painter) const;
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintCurve(QPainter& painter, const QRectF& area, std::size_t curve) const;

  std::vector<Curve> shown;
  double width = 1;
  QString unit;
  QString across;  ///< title of the quantity
  QString upwards; ///< title of the numbers
  bool isStair = false;
};

} // namespace hinesight::widgets
