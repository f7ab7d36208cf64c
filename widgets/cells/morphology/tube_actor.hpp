#pragma once

#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QColor>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

class vtkRenderer;

namespace hinesight::widgets {

/// How the tubes of a branch are drawn, as the shaders know it.
enum class TubeMark : std::uint8_t
{
  Plain,
  Selected, ///< with an outline
  Hidden,   ///< not at all
  Lit       ///< with a thin outline, which leaves its colours to be seen
};

/// The box around the axes of all tubes.
struct TubeBox
{
  Vec3 centre{};
  Vec3 halfSize{};
  double reach = 1; ///< radius of a sphere around it and the tubes
};
TubeBox boxAround(const TubeGeometry& geometry);

/// Tubes with what they are drawn with. It does not change once it is drawn.
struct TubeDrawing
{
  std::shared_ptr<const TubeGeometry> geometry;
  TubeBox box;
  std::vector<std::int32_t> branches; ///< of each tube; -1: none
  std::vector<std::uint32_t> colors;  ///< two a tube, at A and at B: red, green, blue, nothing, byte by byte
  std::vector<std::int32_t> places;   ///< in place of colours, of the values that have them; empty: of colours
  std::vector<std::vector<std::uint32_t>> lines; ///< lineLevels of the geometry
};

/// How tubes are drawn besides their geometry and colours. Changing it costs a frame, not an upload.
struct TubeStyle
{
  bool anySelected = false;        ///< tubes that are not selected are dimmed
  std::int32_t hoveredBranch = -1; ///< of TubeDrawing::branches
  QColor background;
  QColor selection;
  double clipDepth = -1; ///< what is nearer to the camera is cut away, scene units; negative: nothing
};

/// All tubes of a scene: a quad a tube, on which shaders/tube_fragment.glsl casts the round cone; or the same as GL
/// lines, for frames that must be fast. Places, colours and branches are in buffers of the graphics device once for
/// each tube; the shaders find them by the number of the vertex.
class TubeActor
{
public:
  /// Adds itself to the renderer, which must outlive it.
  explicit TubeActor(vtkRenderer* renderer);
  ~TubeActor();
  TubeActor(const TubeActor&) = delete;
  TubeActor& operator=(const TubeActor&) = delete;

  /// Of the geometry that is drawn already, only what else there is comes to the device.
  void setDrawing(std::shared_ptr<const TubeDrawing> drawing);
  /// Per branch.
  void setMarks(const std::vector<TubeMark>& marks);
  void setStyle(const TubeStyle& style);
  /// The colours of TubeDrawing::places, as often as a frame: one byte for each place, and the colour of each byte.
  void setValues(std::vector<std::uint8_t> values);
  void setPalette(std::vector<std::uint32_t> palette);
  /// Also sets the renderer's camera. `part`: of the picture that is drawn, which runs from (0, 0) to (1, 1).
  void setCamera(const OrbitCamera& camera, const QRectF& part = {0, 0, 1, 1});
  /// Whether a frame has to bring tubes to the device first. It brings all of them, or only some where it was told to
  /// show nothing.
  bool hasToUpload() const;
  /// Bytes that the last frame reserved on the device or brought to it.
  std::size_t uploadedBytes() const;
  void showNothing();
  /// The next frames show lines: all tubes at -1, else those of a level of TubeDrawing::lines.
  void showLines(int level = -1);
  /// The next frames show all tubes.
  void showTubes();
  /// The next frame shows those from `first` to before `end`, the frames after it all.
  void showTubes(std::size_t first, std::size_t end);
  /// The end of the tubes from `first` on of which about `count` may be seen, with the camera as it is.
  std::size_t endOfSeen(std::size_t first, std::size_t count) const;

private:
  class Private;
  std::unique_ptr<Private> d;
};

} // namespace hinesight::widgets
