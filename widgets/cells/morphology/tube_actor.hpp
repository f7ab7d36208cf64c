#pragma once

#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QColor>
#include <QRectF>

#include <cstdint>
#include <memory>
#include <vector>

class vtkRenderer;

namespace hinesight::widgets {

/// How a tube is drawn: what the shaders find as its colours' alpha. The tube is opaque whatever it says.
enum class TubeMark : int
{
  Plain = 255,
  Selected = 254, ///< with an outline
  Hidden = 253    ///< not at all
};

/// How tubes are drawn besides their geometry and colours. Changing it costs a frame, not an upload.
struct TubeStyle
{
  bool anySelected = false;        ///< tubes that are not selected are dimmed
  std::int32_t hoveredBranch = -1; ///< of the ids given to TubeActor::setBranches
  std::int32_t litFirst = 0;       ///< ids of the branches of the cell that is lit: from here
  std::int32_t litEnd = 0;         ///< to before here
  QColor background;
  QColor selection;
  double clipDepth = -1; ///< what is nearer to the camera is cut away, scene units; negative: nothing
};

/// All tubes of a scene in one VTK actor: a quad a tube, on which shaders/tube_fragment.glsl casts the round cone; and
/// the same as GL lines in a second actor, for frames that must be fast.
class TubeActor
{
public:
  /// Adds its actors to the renderer, which must outlive it.
  explicit TubeActor(vtkRenderer* renderer);
  ~TubeActor();
  TubeActor(const TubeActor&) = delete;
  TubeActor& operator=(const TubeActor&) = delete;

  void setGeometry(const TubeGeometry& geometry);
  /// Two colours a tube: at A, at B. Their alpha is its TubeMark.
  void setColors(const std::vector<QRgb>& colors);
  /// One id a tube; below 2^24, -1: none.
  void setBranches(const std::vector<std::int32_t>& branches);
  void setStyle(const TubeStyle& style);
  /// Also sets the renderer's camera. `part`: of the picture that is drawn, which runs from (0, 0) to (1, 1).
  void setCamera(const OrbitCamera& camera, const QRectF& part = {0, 0, 1, 1});
  void setLines(bool asLines);

private:
  class Private;
  std::unique_ptr<Private> d;
};

} // namespace hinesight::widgets
