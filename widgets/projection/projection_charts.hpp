#pragma once

#include "widgets/charts/titled_chart.hpp"
#include "widgets/pick_mode.hpp"
#include "widgets/projection/projection_types.hpp"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace hinesight::widgets {

/// The number of rows of every neuron of a population, seen from above: a grid's neurons or small squares of them, also
/// of a grid whose positions a file holds; any other population in squares over x and y. A pixel is the mean of its
/// neurons over all z.
struct FanPicture
{
  QImage levels; ///< 8 bits, as levelColors; level 0: no neuron; row 0 has the least y
  double lowest = 0;
  double highest = 0;
  double mean = 0;
};

/// On any thread. `rows`: per neuron.
FanPicture makeFanPicture(const projection::Population& population, const std::vector<std::uint32_t>& rows);

/// Fan-in or fan-out of every neuron of a layer.
class FanMap : public TitledChart
{
  Q_OBJECT

public:
  FanMap(const QString& name, QWidget* parent) : TitledChart(name, parent) {}
  void setPicture(const FanPicture& picture);
  const FanPicture& picture() const { return shown; }
  /// What stands beside the title; empty without a picture.
  QString note() const;
  /// Where the picture is painted: in its own proportions, but never as thin as a line.
  QRectF pictureRect() const;
  /// The scale of colours beside it, with room for its labels where the chart has that.
  QRectF barRect() const;
  /// Whether both ends of the scale are labelled: where the labels would overlap, the upper one alone is.
  bool labelsBothEnds() const;

protected:
  void paintChart(QPainter& painter) override;

private:
  FanPicture shown;
};

/// How many rows have which weight, counts on a logarithmic scale, with the cut as a dashed line.
class WeightChart : public TitledChart
{
  Q_OBJECT

public:
  explicit WeightChart(QWidget* parent);
  void setHistogram(const projection::WeightHistogram& histogram, double cut);
  const projection::WeightHistogram& histogram() const { return shown; }

protected:
  void paintChart(QPainter& painter) override;
  bool event(QEvent* event) override;

private:
  double xOf(const QRectF& plot, double weight) const;
  double yOf(const QRectF& plot, double count) const;
  QRectF plot() const;

  projection::WeightHistogram shown;
  double cut = 0;
};

/// The matrix of sources (downward) and destinations (to the right): a pixel's colour is the share of its pairs that
/// have a row. Rows and columns of selected neurons are marked. Click: pick the sources of a row; above the matrix the
/// destinations of a column. A drag beside or above the matrix picks those of several rows or columns; with Shift in it
/// too, rows where it goes rather downward, else columns; with Ctrl they are added. Wheel: zoom to the pointer; drag:
/// move; double click: the whole matrix. Counting takes its time, so the chart asks for the part that it wants and
/// shows what it has until then.
class AdjacencyChart : public TitledChart
{
  Q_OBJECT

public:
  explicit AdjacencyChart(QWidget* parent);
  /// Of a new table: the whole matrix.
  void setWhole(const projection::AdjacencyBins& bins);
  /// The part that was asked for.
  void setPart(const projection::AdjacencyBins& bins);
  const projection::AdjacencyBins& bins() const { return shown; }
  projection::IndexRange wantedSources() const { return sources; }
  projection::IndexRange wantedDestinations() const { return destinations; }
  QRectF plot() const;
  /// Sources and destinations whose rows and columns are marked.
  void setMarked(const std::vector<std::uint32_t>& ofSources, const std::vector<std::uint32_t>& ofDestinations);

signals:
  /// By a person.
  void sourcesPicked(hinesight::projection::IndexRange picked, hinesight::widgets::PickMode how);
  /// The same.
  void destinationsPicked(hinesight::projection::IndexRange picked, hinesight::widgets::PickMode how);
  /// wantedSources and wantedDestinations changed.
  void partWanted();

protected:
  void paintChart(QPainter& painter) override;
  bool event(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
  void want(projection::IndexRange newSources, projection::IndexRange newDestinations);
  void refreshImage();
  void paintMarked(QPainter& painter, const QRectF& area) const;
  void pickUntil(const QPointF& pixel, PickMode how);
  int labelHeight() const;
  bool isAbove(const QPointF& pixel) const;
  bool isBeside(const QPointF& pixel) const;
  QString describe(const QPointF& pixel) const;

  projection::AdjacencyBins shown;
  QImage image; ///< of `shown`
  double densest = 0;
  projection::IndexRange sources;      ///< wanted
  projection::IndexRange destinations; ///< wanted
  projection::IndexRange allSources;
  projection::IndexRange allDestinations;
  std::vector<std::uint32_t> markedSources, markedDestinations;
  QPointF pressedAt;
  QPointF lastPixel;
  bool picks = false; ///< what is dragged; else the part that is seen is moved
  bool isDrag = false;
};

} // namespace hinesight::widgets
