#pragma once

#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/projection/projection_layer.hpp"
#include "widgets/projection/projection_types.hpp"

#include <QColor>
#include <QRectF>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class vtkRenderer;

namespace hinesight::widgets {

/// A source whose weights are shown.
struct ChosenSource
{
  std::uint32_t index = 0;
  std::optional<projection::Position> centre;      ///< of its destinations by magnitude of weight; none without rows
  std::vector<projection::ContourSegment> contour; ///< at the cut, on the destination layer
};

/// What the projection view draws: a table's populations as two layers, the source above, the chosen sources with the
/// heat map of their weights, and the camera. Knows nothing of widgets and gestures.
class ProjectionScene
{
public:
  /// Adds its actors to the renderer, which must outlive it.
  explicit ProjectionScene(vtkRenderer& renderer);

  /// Null: nothing. Keeps the chosen sources as far as they exist, and chooses three where there are none. Returns
  /// whether the populations are others than before. `hasCut`: whether the table's parameters say where its rows end.
  bool setTable(std::shared_ptr<const projection::WeightTable> table,
                std::shared_ptr<const projection::TableSummary> summary, bool hasCut);
  /// The neurons of the layers as cells, of the table that is shown; null: as points.
  void setCells(std::shared_ptr<const PlacedCellLines> sources, std::shared_ptr<const PlacedCellLines> destinations);
  const projection::WeightTable* table() const { return shown.get(); }
  const projection::TableSummary& summary() const { return *sums; }

  /// Those that do not exist, and all but the first of equal ones, are left out; of too many the last are taken.
  void setSources(const std::vector<std::uint32_t>& sources);
  /// Another one; where there are too many it takes the place of the first. Returns false for one that is chosen.
  bool addSource(std::uint32_t source);
  void removeSource(std::size_t place);
  /// Returns false where that source is chosen already.
  bool replaceSource(std::size_t place, std::uint32_t source);
  const std::vector<ChosenSource>& sources() const { return chosen; }
  std::vector<std::uint32_t> sourceIndices() const;
  /// Three that lie apart.
  void chooseFirstSources();
  /// Neurons of a layer that a person picked; those that do not exist are left out. One of the upper layer that is
  /// a source is picked as long as it is one.
  void setPicked(bool isSource, std::vector<std::uint32_t> neurons);
  const std::vector<std::uint32_t>& picked(bool isSource) const
  {
    return isSource ? pickedSources : pickedDestinations;
  }
  /// These are neither drawn nor picked, of the table that is shown. Returns whether others were before.
  bool setHidden(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations);
  static QColor markerColor(std::size_t place);

  /// Of the chosen sources' rows to a destination the weight that is largest in magnitude; 0: none.
  float shownWeight(std::uint32_t destination) const;
  /// The largest magnitude of a weight of the table, and whether there are negative ones.
  double highestWeight() const;
  bool isSigned() const;
  /// Colours the layers by the current theme.
  void repaint();

  const ProjectionLayer& sourceLayer() const { return source; }
  const ProjectionLayer& destinationLayer() const { return destination; }

  OrbitCamera& camera() { return eye; }
  const OrbitCamera& camera() const { return eye; }
  /// Looks from the front and above so that both layers lie in a part of the viewport, pixels.
  void fit(const QRectF& room);
  /// Rendered pixels a logical pixel.
  void setPixelRatio(double ratio);
  /// Sets the renderer's camera.
  void applyCamera(vtkRenderer& renderer) const;
  QPointF pixelOf(const Vec3& point) const;
  /// Around both layers, pixels; null without a table.
  QRectF pictureOfLayers() const;

  /// The neuron of a layer under a pixel.
  std::optional<std::uint32_t> neuronAt(const ProjectionLayer& layer, const QPointF& pixel) const;
  /// The place of the chosen source whose marker is near a pixel.
  std::optional<std::size_t> markerAt(const QPointF& pixel) const;

private:
  void placeLayers();
  void hideInLayers();
  void keepSources();
  void dropPicked(const std::vector<std::uint32_t>& before);
  ChosenSource choose(std::uint32_t index) const;
  std::optional<projection::Position> centreOfRows(std::uint32_t index) const;
  std::vector<projection::ContourSegment> contourOf(std::uint32_t index) const;
  projection::ContourRegion contourRegion(std::uint32_t index) const;
  std::vector<float> heat() const;
  void paintSourceLayer();
  void paintHeat();
  Vec3 directionAt(const QPointF& pixel) const;

  OrbitCamera eye;
  ProjectionLayer destination;
  ProjectionLayer source;
  std::shared_ptr<const projection::WeightTable> shown;
  std::shared_ptr<const projection::TableSummary> sums;
  std::shared_ptr<const PlacedCellLines> sourceCells, destinationCells; ///< null: points
  bool cutIsKnown = false;
  std::vector<ChosenSource> chosen;
  std::vector<std::uint32_t> pickedSources, pickedDestinations;
  std::vector<std::uint32_t> hiddenSources, hiddenDestinations;
};

} // namespace hinesight::widgets
