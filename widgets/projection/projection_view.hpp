#pragma once

#include "widgets/figure/figure_part.hpp"
#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/pick_mode.hpp"
#include "widgets/projection/placed_cell_lines.hpp"
#include "widgets/projection/projection_types.hpp"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {

class LegendOverlay;
class TimingCard;
class VtkWidget;
enum class AreaShape;

/// "Who talks to whom, how strongly?": two populations as layers in perspective, the source above. Chosen sources are
/// large markers; the weights of their rows are a heat map on the destination layer, with a contour at the cut. A click
/// on the source layer adds a source, a click on a marker takes it back, a marker can be dragged over its layer. A
/// click on the destination layer picks a neuron, another one on it ends that. What a person picked has a ring. A drag
/// elsewhere turns the picture, with the right button it moves it, with Shift it draws a box that picks in both layers,
/// with Shift and the right button a loop; the wheel zooms, F fits.
class ProjectionView : public QWidget, public FigurePart
{
  Q_OBJECT

public:
  explicit ProjectionView(QWidget* parent = nullptr);
  ~ProjectionView() override;

  /// Null: nothing. Keeps the chosen sources as far as they exist, and chooses three where there are none. `hasCut`:
  /// whether the table was made by its parameters, so that a contour can say where the cut lies.
  void setTable(std::shared_ptr<const projection::WeightTable> table,
                std::shared_ptr<const projection::TableSummary> summary, bool hasCut = true);
  const projection::WeightTable* table() const;
  /// The neurons of both layers as cells at their places, of the populations of the table that is shown; null: as
  /// points alone.
  void setCells(std::shared_ptr<const PlacedCellLines> sources, std::shared_ptr<const PlacedCellLines> destinations);
  const PlacedCellLines* cells(bool isSource) const;

  /// Indices of source neurons, each at most once; those that do not exist are left out, and of too many the first.
  void setSources(const std::vector<std::uint32_t>& sources);
  std::vector<std::uint32_t> sources() const;
  /// Three that lie apart, as where there are none.
  void chooseFirstSources();
  /// Neurons of both layers that a person picked, here or elsewhere; those that do not exist are left out.
  void setPicked(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations);
  const std::vector<std::uint32_t>& picked(bool isSource) const;
  /// Neurons of both layers of the table that is shown, which are neither drawn nor picked.
  void setHidden(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations);
  /// The next drag with the left button draws that; nullopt: it turns the picture.
  void awaitArea(std::optional<AreaShape> shape);
  /// The contour at the cut of the chosen source at a place of `sources()`, on the destination layer.
  const std::vector<projection::ContourSegment>& contour(std::size_t place) const;
  /// The destination's weight in the heat map: of the chosen sources' rows that which is largest in magnitude; 0: none.
  float shownWeight(std::uint32_t destination) const;

  /// Where a neuron of a layer is on the canvas, pixels.
  QPointF pixelOf(bool isSource, std::uint32_t neuron) const;
  /// The same of a position on the destination layer.
  QPointF pixelOnDestination(const projection::Position& position) const;
  /// The source neuron under a pixel of the canvas.
  std::optional<std::uint32_t> sourceAt(const QPointF& pixel) const;

  void fit();
  QImage grabPicture();
  void paintPart(QPainter& painter, const FigureArea& area) override;
  QString partName() const override { return tr("Layers"); }
  Legend partLegend() const override;
  VtkWidget* canvas() const;
  TimingCard* timingCard() const;
  void setTimingsShown(bool shown);

signals:
  void sourcesChanged(); ///< by a person
  void pickedChanged();  ///< by a person, after `sourcesChanged`
  /// A person drew a box or a loop around these.
  void areaPicked(const std::vector<std::uint32_t>& sources, const std::vector<std::uint32_t>& destinations,
                  hinesight::widgets::PickMode how);
  /// The one that awaitArea waited for was drawn, or Escape was pressed.
  void areaEnded();

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d;
};

} // namespace hinesight::widgets
