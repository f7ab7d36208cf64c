#pragma once

#include "widgets/cells/morphology/morphology_look.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QRectF>

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// The visible cells of a scene as tubes in one space: between each sample and its parent a round cone, the soma a tube
/// of no length. Coordinates are relative to the scene's centre, so that single precision holds them even where a file
/// counts nanometres from the corner of a brain.
struct TubeGeometry
{
  /// Where a cell lies in the scene, with what lies around its name.
  struct Placement
  {
    std::int32_t cell = -1;
    Vec3 lower{};
    Vec3 upper{};
  };

  /// A sphere and a box around so many tubes that follow one another, which lie together as branches do.
  /// The last of a cell and the first of the next one may lie far apart: then the sphere is much larger than the box.
  struct Block
  {
    static constexpr std::size_t kTubes = 64;
    Vec3 centre{};
    double radius = 0;
    Vec3 reach{}; ///< of the box from the centre, along each axis
  };

  // Per tube; 3 coordinates each, proximal (A) and distal (B) end.
  std::vector<float> endA, endB;
  std::vector<float> radiusA, radiusB;
  std::vector<std::int32_t> cell;
  std::vector<std::int32_t> sampleA, sampleB; ///< whose colours the ends have
  std::vector<Placement> placements;          ///< of the cells drawn
  std::vector<Block> blocks;                  ///< block i has the tubes from i * Block::kTubes

  std::size_t tubes() const { return radiusA.size(); }
};

/// How far from the origin of its file a cell may reach, um: a million kilometres. Farther out there is no neuron, only
/// a wrong unit or a damaged number, and beside such a cell single precision would hold none of the others.
constexpr double kFarthestDrawn = 1e15;
/// How much a cell may span along an axis, um: a kilometre. Beside a longer one all others would be dots.
constexpr double kLongestDrawn = 1e9;

/// Whether no sample of a cell, with its radius, lies farther out than that, and it spans no more.
bool canDraw(const morphology::Morphology& cell);

/// Whether the visible cells are better laid side by side than shown where their files put them: their boxes overlap by
/// much, or they lie so far apart that each would be a dot.
bool shouldSpread(const Scene& scene);

/// Tubes of all visible cells that have a morphology and can be drawn. Suited places are those of shouldSpread.
TubeGeometry buildTubes(const Scene& scene, CellPlaces places);

/// Makes the blocks of the tubes, which are all there.
void addBlocks(TubeGeometry& geometry);

/// Radius that `radius` is drawn with at a place where a pixel is `pixel` wide: thin tubes stay visible, and a thicker
/// one still looks thicker. As in shaders/tube_vertex.glsl.
double drawnRadius(double radius, double pixel);

/// Whether what lies in a block may be drawn in an area of the screen. Never false where it is, outlines aside.
bool mayReach(const QRectF& area, const TubeGeometry::Block& block, const OrbitCamera& camera);
/// Whether all that lies in a block is in front of the camera, or beside it in a parallel projection, and drawn in an
/// area of the screen. Never true where it is not.
bool liesIn(const QRectF& area, const TubeGeometry::Block& block, const OrbitCamera& camera);

/// Half the least width of a tube on the screen, logical pixels.
constexpr double kLeastRadiusPixels = 0.85;

} // namespace hinesight::widgets
