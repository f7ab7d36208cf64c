#pragma once

#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/projection/placed_cell_lines.hpp"
#include "widgets/projection/projection_types.hpp"

#include <QColor>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class vtkRenderer;

namespace hinesight::widgets {

class AreaMask;

/// A population as a layer of the projection view: a flat grid as a picture with a pixel for each neuron, or for a
/// square of them; any other as points. A pixel or point is called a cell. x lies to the right, y into the picture and
/// z upward, above the height at which the layer is put.
class ProjectionLayer
{
public:
  /// Adds its actor to the renderer, which must outlive it.
  explicit ProjectionLayer(vtkRenderer& renderer);
  ~ProjectionLayer();
  ProjectionLayer(const ProjectionLayer&) = delete;
  ProjectionLayer& operator=(const ProjectionLayer&) = delete;

  /// Null: nothing is drawn.
  void setPopulation(std::shared_ptr<const projection::Population> population, double height);
  const projection::Population& population() const { return *shown; }
  /// The neurons as cells, beside the points that they are picked by; null: as points alone. They are drawn in the
  /// colours of their neurons.
  void setCells(std::shared_ptr<const PlacedCellLines> cells);
  const PlacedCellLines* cellLines() const { return lines.get(); }
  /// These are neither drawn nor picked, of the population that is shown; to be painted after that.
  void setHidden(const std::vector<std::uint32_t>& neurons);
  bool isHidden(std::uint64_t neuron) const { return !hidden.empty() && hidden[static_cast<std::size_t>(neuron)]; }
  bool hidesAny() const { return !hidden.empty(); }
  std::uint64_t hiddenNeurons() const;
  /// Neurons whose cells are drawn; 0 where they are points alone.
  std::uint64_t drawnCells() const;
  void setTranslucent(bool translucent);
  /// Rendered pixels a logical pixel: points look as large on every screen.
  void setPixelRatio(double ratio);
  /// A colour a cell.
  void paint(const std::vector<QRgb>& colors);

  bool isPlate() const; ///< a flat grid
  std::size_t cells() const { return cellCount; }
  std::size_t cellOf(std::uint64_t neuron) const;

  Vec3 world(const projection::Position& position) const;
  Vec3 worldOf(std::uint64_t neuron) const { return world(shown->position(neuron)); }
  /// Of the box around the neurons and their cells.
  std::array<Vec3, 8> corners() const;
  /// Points that what is drawn lies between: the corners, or of cells some of their samples, which the box around them
  /// is far larger than.
  std::vector<Vec3> reach() const;
  /// The lowest and highest x and y that are drawn: half a spacing around the outer neurons of a plate.
  std::array<std::array<double, 2>, 2> extent() const;
  /// The corners of its floor, in order around the layer.
  std::array<Vec3, 4> outline() const;

  /// The neuron of a plate where a line of sight meets it.
  std::optional<std::uint32_t> hit(const Vec3& eye, const Vec3& direction) const;
  /// The drawn neuron that is nearest to a pixel, within a few.
  std::optional<std::uint32_t> nearest(const OrbitCamera& camera, const QPointF& pixel) const;
  /// The neurons that are seen in an area, ascending, whatever is in front of them.
  std::vector<std::uint32_t> inside(const OrbitCamera& camera, const AreaMask& area) const;

private:
  class Actor;

  std::unique_ptr<Actor> actor;
  void makeLines();
  void paintCells();

  std::shared_ptr<const projection::Population> shown;
  std::shared_ptr<const PlacedCellLines> lines; ///< null: none
  std::vector<std::size_t> drawnLines;          ///< of `lines`: those of neurons that are not hidden
  std::vector<bool> hidden;                     ///< per neuron; empty: none
  std::vector<bool> emptyCells;                 ///< per cell: all of its neurons are hidden; empty: of none
  std::vector<QRgb> painted;                    ///< a colour a cell
  double lift = 0;
  std::size_t cellCount = 0;
  std::uint32_t coarseness = 1; ///< neurons along a side of a pixel
  std::uint32_t width = 0;      ///< pixels
  std::uint64_t stride = 1;     ///< every so manieth neuron is drawn as a point
};

} // namespace hinesight::widgets
