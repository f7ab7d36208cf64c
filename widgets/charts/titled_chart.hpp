#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QMarginsF>
#include <QRectF>
#include <QString>
#include <QWidget>

namespace hinesight::widgets {

/// What small charts have in common: a title above a plot.
class TitledChart : public QWidget, public FigurePart
{
  Q_OBJECT

public:
  TitledChart(const QString& name, QWidget* parent);
  QSize sizeHint() const override { return {220, 220}; }
  QSize minimumSizeHint() const override { return {150, 150}; }
  void paintPart(QPainter& painter, const FigureArea& area) override;

protected:
  /// The title, and `text` behind it in a quieter colour; as much of it as fits.
  void paintTitle(QPainter& painter, const QString& text) const;
  /// Where that ends, were there room for all of it, pixels.
  double titleEnd(const QString& text) const;
  /// Lines across the plot at round values from 0, at its bottom, to `top`, with the values beside them. Leaves the pen
  /// of axis labels.
  void paintHeights(QPainter& painter, const QRectF& area, double top) const;
  static constexpr int kTickGap = 4; ///< pixels between plot and labels
  QRectF plotArea(const QMarginsF& margins) const;
  void changeEvent(QEvent* event) override;

private:
  QString heading;
  bool isTransparent = false; ///< painted without a ground
};

} // namespace hinesight::widgets
