#pragma once

#include <QOpenGLExtraFunctions>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

class vtkOpenGLState;

namespace hinesight::widgets {

struct TubeDrawing;

/// What the shaders read of each tube, by its unit. Further units are free for others.
enum TubeUnit : std::size_t
{
  TubeEnds,
  TubeColors,
  TubeBranches,
  TubePlaces
};
inline constexpr std::size_t kTubeUnits = TubePlaces + 1;

/// A buffer that shaders read through a texture.
struct TextureBuffer
{
  GLuint buffer = 0; ///< 0: there is none
  GLuint texture = 0;

  void make(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, std::size_t unit, GLenum format);
  void bind(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, std::size_t unit) const;
  void drop(QOpenGLExtraFunctions& gl);
};

/// The tubes of a drawing on the device, in parts that follow one another: to reserve a buffer for millions of tubes
/// takes longer than a frame. They come in steps, each of a frame's time.
class TubeBuffers
{
public:
  /// Tubes with buffers of their own.
  struct Part
  {
    std::size_t begin = 0; ///< of the drawing's
    std::size_t end = 0;

    std::size_t tubes() const { return end - begin; }

  private:
    friend TubeBuffers;
    std::array<TextureBuffer, kTubeUnits> units;
    /// Tubes of parts before in which lines of this one begin, ascending. They are here once more, after its own.
    std::vector<std::uint32_t> guests;
    std::vector<GLuint> levels;       ///< of lines: their ends, as they are numbered here
    std::vector<GLsizei> endsOfLevel; ///< how many
    bool hasEnds = false; ///< all of it was on the device; colours, places and branches may be others by now
  };

  /// Tubes that are on the device stay there if the geometry is the same.
  void setDrawing(std::shared_ptr<const TubeDrawing> drawing);
  bool hasToUpload() const { return nextPart < count; }
  /// Takes the next step, or all that are left. Returns the bytes that it reserved or brought.
  std::size_t upload(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, bool all);
  /// Null: the context has gone, with all that was in it.
  void release(QOpenGLExtraFunctions* gl);

  /// After `upload` of all.
  std::span<const Part> parts() const { return {made.data(), count}; }
  /// A tube has its place in the part as its number.
  static void bind(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, const Part& part);
  /// With the part bound. `level`: of TubeDrawing::lines; -1: a line a tube.
  static void drawLines(QOpenGLExtraFunctions& gl, const Part& part, int level);

private:
  void takeStep(QOpenGLExtraFunctions& gl, vtkOpenGLState& state);
  void makeRoom(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, Part& part);
  void fillEnds(QOpenGLExtraFunctions& gl, const Part& part, std::size_t from, std::size_t to);
  void fillColors(QOpenGLExtraFunctions& gl, const Part& part, std::size_t from, std::size_t to);
  void fillGuests(QOpenGLExtraFunctions& gl, const Part& part);
  void fillGuestColors(QOpenGLExtraFunctions& gl, const Part& part);
  void fillLevels(QOpenGLExtraFunctions& gl, Part& part);
  template <typename Visit>
  void forColors(Visit visit) const;
  template <typename Value>
  void fill(QOpenGLExtraFunctions& gl, const TextureBuffer& into, std::size_t place, std::span<const Value> values);
  void addEnds(std::vector<float>& to, std::size_t tube) const;
  std::vector<std::uint32_t> guestsOf(const Part& part) const;
  static void drop(QOpenGLExtraFunctions* gl, Part& part);

  std::shared_ptr<const TubeDrawing> drawing;
  std::vector<Part> made;   ///< more than the drawing has, until the next upload, where one before was larger
  std::size_t count = 0;    ///< of the drawing's
  std::size_t nextPart = 0; ///< that comes to the device
  std::size_t nextTube = 0; ///< the same; not beyond that part
  std::size_t bytes = 0;
};

} // namespace hinesight::widgets
