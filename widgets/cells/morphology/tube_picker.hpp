#pragma once

#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hinesight::widgets {

/// Finds the tube under the cursor from the projected axes of tubes: exact to a pixel, without a frame rendered. Only
/// the blocks of tubes that come near to the cursor are looked into.
class TubePicker
{
public:
  /// Looks at tubes through a camera. `hidden`: per tube, whether it is not found; null or empty: none is. Both must
  /// outlive this object or the next call.
  void aim(const TubeGeometry& geometry, const OrbitCamera& camera, const std::vector<bool>* hidden = nullptr);

  struct Pick
  {
    std::int64_t tube = -1; ///< -1: none
    double depth = 0;       ///< of its surface under the cursor, scene units
  };

  /// The front tube under the cursor; where there is none, of the nearest one at most `tolerance` pixels away.
  /// Parts nearer than `clipDepth` are cut away and not found.
  Pick pick(QPointF cursor, double tolerance = 4, double clipDepth = -std::numeric_limits<double>::infinity()) const;

  /// The tubes whose axes cross or touch a box, in front of one another or not, as far as they are not cut away.
  std::vector<std::size_t> inside(const QRectF& box, double clipDepth = -std::numeric_limits<double>::infinity()) const;
  /// The same of a loop, to a pixel.
  std::vector<std::size_t> inside(const QPolygonF& loop,
                                  double clipDepth = -std::numeric_limits<double>::infinity()) const;

private:
  struct Projected
  {
    float xA, yA, xB, yB;   ///< pixels
    float radiusA, radiusB; ///< pixels
    float depthA, depthB;   ///< scene units
  };
  Projected projected(std::size_t tube) const;
  bool isHidden(std::size_t tube) const { return hidden && (*hidden)[tube]; }
  /// Calls `visit` with those blocks that may come into an area of the screen, and the range of their tubes.
  template <typename Visit>
  void visitBlocks(const QRectF& area, Visit visit) const;
  /// Calls `look` with those tubes, projected, that may come into an area of the screen.
  template <typename Look>
  void lookInto(const QRectF& area, Look look) const;
  /// Depth of the surface where the cursor's ray meets the tube.
  float surfaceDepth(const Projected& tube, float part, float radius, float offAxis) const;

  const TubeGeometry* geometry = nullptr;
  const std::vector<bool>* hidden = nullptr;
  OrbitCamera camera;
  float pixelUnit = 1; ///< scene units a pixel, at depth 1 where the projection is perspective
  bool isParallel = false;
};

} // namespace hinesight::widgets
