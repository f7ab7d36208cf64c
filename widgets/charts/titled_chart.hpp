#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QColor>
#include <QMarginsF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace hinesight::widgets {

/// What small charts have in common: a title above a plot. Without room for a plot the title stands alone.
class TitledChart : public QWidget, public FigurePart
{
  Q_OBJECT

public:
  TitledChart(const QString& name, QWidget* parent);
  QSize sizeHint() const override { return {220, 220}; }
  QSize minimumSizeHint() const override { return {150, 150}; }
  void paintPart(QPainter& painter, const FigureArea& area) override;
  QString partName() const override { return heading; }
  bool takesAnySize() const override { return true; }
  QSizeF leastSize(double) const override { return minimumSizeHint(); }

protected:
  struct LineName
  {
    QString text;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
  };

  /// On the screen or in a figure, in the size of chartSize.
  virtual void paintChart(QPainter& painter) = 0;
  /// Names of lines that have no room where they are on the screen. A figure has them below the plot, in smaller
  /// letters where there are many.
  virtual std::vector<LineName> namesWithoutRoom() const { return {}; }
  /// While a figure with such names is painted.
  bool hasNamesBelow() const { return !namesBelow.empty(); }
  /// While a figure is painted.
  bool isInFigure() const { return sizeInFigure.has_value(); }
  QSizeF chartSize() const { return sizeInFigure.value_or(QSizeF(size())); }
  /// The title, and `text` behind it in a quieter colour; as much of it as fits.
  void paintTitle(QPainter& painter, const QString& text) const;
  /// Where that ends, were there room for all of it, pixels.
  double titleEnd(const QString& text) const;
  /// Lines across the plot at round values from 0, at its bottom, to `top`, with the values beside them, of which a low
  /// plot has no room for all. Leaves the pen of axis labels.
  void paintHeights(QPainter& painter, const QRectF& area, double top) const;
  /// Of the widest of these values, pixels.
  double widthOfHeights(double top) const;
  /// As much of a text as a room of so many pixels holds; empty where that is no more than the dots.
  QString fitting(const QString& text, Qt::TextElideMode mode, double room) const;
  static constexpr int kTickGap = 4; ///< pixels between plot and labels
  QRectF plotArea(const QMarginsF& margins) const;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct NamesInRoom
  {
    std::vector<LineName> names;
    bool areAll = true; ///< else the last one counts the others
  };

  std::vector<QPointF> placesOf(const std::vector<LineName>& names) const;
  double heightOf(const std::vector<LineName>& names) const;
  std::vector<LineName> shortened(std::vector<LineName> names, double most) const;
  NamesInRoom inRoom(std::vector<LineName> names) const;
  bool takeNamesBelow();
  void leaveNamesBelow();
  void paintNamesBelow(QPainter& painter) const;

  QString heading;
  bool isTransparent = false;         ///< painted without a ground
  std::optional<QSizeF> sizeInFigure; ///< none: on the screen
  std::vector<LineName> namesBelow;
  double heightBelow = 0; ///< of these
};

} // namespace hinesight::widgets
