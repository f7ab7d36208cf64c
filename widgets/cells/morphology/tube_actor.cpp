#include "widgets/cells/morphology/tube_actor.hpp"

#include "widgets/cells/morphology/tube_buffers.hpp"

#include <QFile>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>

#include <vtkCamera.h>
#include <vtkCullerCollection.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkProp.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

/// A static library's resources are dropped by the linker unless something asks for them; the macro wants no namespace.
static void loadShaders()
{
  Q_INIT_RESOURCE(shaders);
}

namespace hinesight::widgets {

namespace {

constexpr float kOutlinePixels = 2.5f;
constexpr float kHoverPixels = 1.2f;
constexpr float kLitPixels = 2.4f; // the gap and the line
constexpr float kDimming = 0.35f;
constexpr float kFogStrength = 0.4f;
constexpr double kShallow = 0.35; // half depth over reach below which the depth cue weakens

std::string shaderText(const char* name)
{
  loadShaders();
  QFile file(QStringLiteral(":/shaders/") + QLatin1String(name));
  file.open(QIODevice::ReadOnly);
  return file.readAll().toStdString();
}

std::array<float, 3> components(const QColor& color)
{
  return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF())};
}

/// The four corners of a tube's quad: 0 and 1 at end A, 2 and 3 at end B. The vertex shader tells them apart by number.
constexpr std::size_t kCorners = 4;
constexpr std::array<std::uint16_t, 6> kTriangles{0, 1, 2, 1, 3, 2};
/// So many tubes are drawn by one call, whose corners 16 bits can number.
constexpr std::size_t kTubesOfCall = 65'536 / kCorners;
/// So many tubes that are not seen are drawn with those around them rather than begin another call.
constexpr std::size_t kShortGap = 1'024;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// What the shaders read, by its unit: after what there is of each tube, what all have.
enum Unit : std::size_t
{
  Marks = kTubeUnits,
  Values,
  Palette
};
constexpr std::size_t kUnits = Palette + 1;
constexpr std::array<const char*, kUnits> kUnitNames{"ends",  "colors", "branches", "places",
                                                     "marks", "values", "palette"};

/// Draws tubes with OpenGL itself: VTK's own mappers would copy what a tube has for each of its corners, and keep it in
/// memory once more.
class TubeProp : public vtkProp
{
public:
  static TubeProp* New();
  vtkTypeMacro(TubeProp, vtkProp)

      std::shared_ptr<const TubeDrawing> drawing; ///< of setDrawing
  std::vector<TubeMark> marks{TubeMark::Plain};
  std::vector<std::uint8_t> values{0};
  std::vector<std::uint32_t> palette{0};
  std::function<void(vtkShaderProgram&)> setUniforms;
  bool asLines = false;
  int level = -1;
  std::size_t first = 0; ///< of the tubes of the next frame
  std::size_t end = kAll;

  bool uploadsOnly = false; ///< the next frame
  OrbitCamera camera;
  QRectF seenArea; ///< of the camera's screen, with room for outlines

  void setDrawing(std::shared_ptr<const TubeDrawing> next)
  {
    drawing = next;
    buffers.setDrawing(std::move(next));
  }
  bool hasToUpload() const { return buffers.hasToUpload(); }
  std::size_t uploadedBytes() const { return bytes; }
  void marksChanged() { areMarksUploaded = false; }
  void valuesChanged() { areValuesUploaded = false; }
  void paletteChanged() { isPaletteUploaded = false; }

  int RenderOpaqueGeometry(vtkViewport* viewport) override
  {
    bytes = 0;
    if (!drawing || drawing->geometry->tubes() == 0)
      return 0;
    auto* window = static_cast<vtkOpenGLRenderWindow*>(static_cast<vtkRenderer*>(viewport)->GetRenderWindow());
    vtkShaderProgram* program = window->GetShaderCache()->ReadyShaderProgram(
        (asLines ? lineVertex : tubeVertex).c_str(), (asLines ? lineFragment : tubeFragment).c_str(), "");
    if (!program)
      return 0;
    // Buffers and arrays are not among what VTK remembers of the state.
    auto* gl = QOpenGLContext::currentContext()->extraFunctions();
    vtkOpenGLState* state = window->GetState();
    const bool isSeen = !std::exchange(uploadsOnly, false);
    upload(*gl, *state, isSeen);
    if (!isSeen)
      return 0;
    state->vtkglDepthMask(GL_TRUE);
    for (std::size_t unit = 0; unit < kUnits; ++unit)
      if (program->IsUniformUsed(kUnitNames[unit]))
        program->SetUniformi(kUnitNames[unit], static_cast<int>(unit));
    for (std::size_t unit = kTubeUnits; unit < kUnits; ++unit)
      common[unit - kTubeUnits].bind(*gl, *state, unit);
    setUniforms(*program);
    gl->glBindVertexArray(vertexArray);
    for (const TubeBuffers::Part& part : buffers.parts())
      draw(*gl, *state, part);
    first = 0;
    end = kAll;
    gl->glBindVertexArray(0);
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      state->vtkglActiveTexture(static_cast<unsigned>(GL_TEXTURE0 + unit));
      gl->glBindTexture(GL_TEXTURE_BUFFER, 0);
    }
    state->vtkglActiveTexture(GL_TEXTURE0);
    return 1;
  }

  /// The context that VTK made current is to go.
  void ReleaseGraphicsResources(vtkWindow*) override
  {
    if (vertexArray == 0)
      return;
    if (QOpenGLContext* context = QOpenGLContext::currentContext()) {
      auto* gl = context->extraFunctions();
      gl->glDeleteVertexArrays(1, &vertexArray);
      gl->glDeleteBuffers(1, &triangles);
      for (TextureBuffer& unit : common)
        unit.drop(*gl);
      buffers.release(gl);
    } else {
      buffers.release(nullptr);
    }
    vertexArray = 0;
    areMarksUploaded = areValuesUploaded = isPaletteUploaded = false;
  }

  /// The end of the tubes from `from` on of which about `count` may be seen.
  std::size_t endOfSeen(std::size_t from, std::size_t count) const
  {
    constexpr std::size_t kTubes = TubeGeometry::Block::kTubes;
    const std::vector<TubeGeometry::Block>& blocks = drawing->geometry->blocks;
    const std::size_t tubes = drawing->geometry->tubes();
    std::size_t seen = 0;
    for (std::size_t block = from / kTubes; block * kTubes < tubes; ++block) {
      if (!mayReach(seenArea, blocks[block], camera))
        continue;
      const std::size_t begin = std::max(from, block * kTubes);
      const std::size_t blockEnd = std::min(tubes, (block + 1) * kTubes);
      if (seen + (blockEnd - begin) >= count)
        return std::min(blockEnd, begin + (count - seen));
      seen += blockEnd - begin;
    }
    return tubes;
  }

private:
  void make(QOpenGLExtraFunctions& gl, vtkOpenGLState& state)
  {
    gl.glGenVertexArrays(1, &vertexArray);
    gl.glGenBuffers(1, &triangles);
    constexpr std::array<GLenum, kUnits - kTubeUnits> kFormats{GL_R8UI, GL_R8UI, GL_RGBA8};
    for (std::size_t unit = kTubeUnits; unit < kUnits; ++unit)
      common[unit - kTubeUnits].make(gl, state, unit, kFormats[unit - kTubeUnits]);
    std::vector<std::uint16_t> corners;
    corners.reserve(kTriangles.size() * kTubesOfCall);
    for (std::size_t tube = 0; tube < kTubesOfCall; ++tube)
      for (const std::uint16_t corner : kTriangles)
        corners.push_back(static_cast<std::uint16_t>(kCorners * tube + corner));
    gl.glBindVertexArray(vertexArray);
    fill(gl, GL_ELEMENT_ARRAY_BUFFER, triangles, corners);
    gl.glBindVertexArray(0);
  }

  template <typename Value>
  void fill(QOpenGLExtraFunctions& gl, GLenum target, GLuint buffer, const std::vector<Value>& with)
  {
    gl.glBindBuffer(target, buffer);
    gl.glBufferData(target, static_cast<GLsizeiptr>(with.size() * sizeof(Value)), with.data(), GL_STATIC_DRAW);
    bytes += with.size() * sizeof(Value);
  }

  /// The next step of the tubes, or all that are left.
  void upload(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, bool all)
  {
    if (vertexArray == 0)
      make(gl, state);
    const auto fillCommon = [&](Unit unit, const auto& with) {
      fill(gl, GL_TEXTURE_BUFFER, common[unit - kTubeUnits].buffer, with);
    };
    if (!std::exchange(areMarksUploaded, true))
      fillCommon(Marks, marks);
    if (!std::exchange(areValuesUploaded, true))
      fillCommon(Values, values);
    if (!std::exchange(isPaletteUploaded, true))
      fillCommon(Palette, palette);
    bytes += buffers.upload(gl, state, all);
  }

  void draw(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, const TubeBuffers::Part& part) const
  {
    const std::size_t from = std::max(first, part.begin);
    const std::size_t to = std::min(end, part.end);
    if (!asLines && from >= to)
      return;
    TubeBuffers::bind(gl, state, part);
    if (asLines)
      TubeBuffers::drawLines(gl, part, level);
    else
      drawTubes(gl, part, from, to);
  }

  /// Leaves out blocks beside what is seen: of a large figure in tiles, each would cost as much as the whole.
  void drawTubes(QOpenGLExtraFunctions& gl, const TubeBuffers::Part& part, std::size_t from, std::size_t to) const
  {
    constexpr std::size_t kTubes = TubeGeometry::Block::kTubes;
    const std::vector<TubeGeometry::Block>& blocks = drawing->geometry->blocks;
    gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, triangles);
    std::size_t begin = from; // of what is seen and not yet drawn
    std::size_t seenEnd = from;
    for (std::size_t block = from / kTubes; block * kTubes < to; ++block) {
      if (!mayReach(seenArea, blocks[block], camera))
        continue;
      const std::size_t blockBegin = std::max(from, block * kTubes);
      if (blockBegin > seenEnd + kShortGap) {
        drawRun(gl, part, begin, seenEnd);
        begin = blockBegin;
      }
      seenEnd = std::min(to, (block + 1) * kTubes);
    }
    drawRun(gl, part, begin, seenEnd);
  }

  static void drawRun(QOpenGLExtraFunctions& gl, const TubeBuffers::Part& part, std::size_t from, std::size_t to)
  {
    for (std::size_t tube = from; tube < to; tube += kTubesOfCall)
      gl.glDrawElementsBaseVertex(GL_TRIANGLES,
                                  static_cast<GLsizei>(kTriangles.size() * std::min(kTubesOfCall, to - tube)),
                                  GL_UNSIGNED_SHORT, nullptr, static_cast<GLint>(kCorners * (tube - part.begin)));
  }

  const std::string tubeVertex = shaderText("tube_vertex.glsl");
  const std::string tubeFragment = shaderText("tube_fragment.glsl");
  const std::string lineVertex = shaderText("line_vertex.glsl");
  const std::string lineFragment = shaderText("line_fragment.glsl");
  GLuint vertexArray = 0; ///< 0: there is nothing in the context
  TubeBuffers buffers;
  std::array<TextureBuffer, kUnits - kTubeUnits> common;
  GLuint triangles = 0;
  std::size_t bytes = 0; ///< that the last frame reserved or brought
  bool areMarksUploaded = false;
  bool areValuesUploaded = false;
  bool isPaletteUploaded = false;
};

vtkStandardNewMacro(TubeProp);

} // namespace

class TubeActor::Private
{
public:
  explicit Private(vtkRenderer* target) : renderer(target)
  {
    // Tubes reach beyond the box of their axes, so that VTK must not judge by it what can be left out.
    renderer->GetCullers()->RemoveAllItems();
    prop->setUniforms = [this](vtkShaderProgram& program) { setUniforms(&program); };
    renderer->AddViewProp(prop);
  }

  ~Private() { renderer->RemoveViewProp(prop); }

  void setUniforms(vtkShaderProgram* program)
  {
    const auto setFloat = [program](const char* name, float value) {
      if (program->IsUniformUsed(name)) {
        program->SetUniformf(name, value);
      }
    };
    const auto setColor = [program](const char* name, const QColor& color) {
      if (program->IsUniformUsed(name)) {
        program->SetUniform3f(name, components(color).data());
      }
    };
    const auto setInteger = [program](const char* name, int value) {
      if (program->IsUniformUsed(name)) {
        program->SetUniformi(name, value);
      }
    };
    program->SetUniformMatrix4x4("sceneToView", sceneToView.data());
    program->SetUniformMatrix4x4("viewToClip", viewToClip.data());
    if (program->IsUniformUsed("fogRange")) {
      program->SetUniform2f("fogRange", fogRange.data());
    }
    setInteger("parallelProjection", isParallel);
    setInteger("anySelected", style.anySelected);
    setInteger("hoveredBranch", style.hoveredBranch);
    setInteger("coloredByValues", prop->drawing && !prop->drawing->places.empty());
    setFloat("pixelUnit", pixelUnit);
    setFloat("leastRadius", static_cast<float>(kLeastRadiusPixels));
    setFloat("outlineWidth", kOutlinePixels);
    setFloat("hoverWidth", kHoverPixels);
    setFloat("litWidth", kLitPixels);
    setFloat("fogStrength", kFogStrength);
    setFloat("dimming", kDimming);
    setFloat("clipDepth", static_cast<float>(style.clipDepth));
    setColor("backgroundColor", style.background);
    setColor("selectionColor", style.selection);
  }

  vtkRenderer* renderer;
  vtkNew<TubeProp> prop;
  TubeStyle style;

  bool isParallel = false;
  float pixelUnit = 1;
  std::array<float, 2> fogRange{0, 1};
  std::array<float, 16> sceneToView{}; ///< column after column
  std::array<float, 16> viewToClip{};
};

TubeBox boxAround(const TubeGeometry& geometry)
{
  Vec3 low{};
  Vec3 high{};
  double thickest = 0;
  for (std::size_t i = 0; i < geometry.tubes(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] = std::minmax(geometry.endA[3 * i + axis], geometry.endB[3 * i + axis]);
      low[axis] = i == 0 ? least : std::min<double>(low[axis], least);
      high[axis] = i == 0 ? most : std::max<double>(high[axis], most);
    }
    thickest = std::max<double>({thickest, geometry.radiusA[i], geometry.radiusB[i]});
  }
  TubeBox box;
  box.centre = 0.5 * (low + high);
  box.halfSize = 0.5 * (high - low);
  box.reach = std::max(norm(box.halfSize) + thickest, 1e-9);
  return box;
}

TubeActor::TubeActor(vtkRenderer* renderer) : d(std::make_unique<Private>(renderer)) {}

TubeActor::~TubeActor() = default;

void TubeActor::setDrawing(std::shared_ptr<const TubeDrawing> drawing)
{
  d->prop->setDrawing(std::move(drawing));
}

void TubeActor::setMarks(const std::vector<TubeMark>& marks)
{
  d->prop->marks = marks;
  if (marks.empty())
    d->prop->marks.push_back(TubeMark::Plain); // a buffer cannot be empty
  d->prop->marksChanged();
}

void TubeActor::setValues(std::vector<std::uint8_t> values)
{
  d->prop->values = std::move(values);
  d->prop->valuesChanged();
}

void TubeActor::setPalette(std::vector<std::uint32_t> palette)
{
  d->prop->palette = std::move(palette);
  d->prop->paletteChanged();
}

void TubeActor::setStyle(const TubeStyle& style)
{
  d->style = style;
}

bool TubeActor::hasToUpload() const
{
  return d->prop->hasToUpload();
}

std::size_t TubeActor::uploadedBytes() const
{
  return d->prop->uploadedBytes();
}

void TubeActor::showNothing()
{
  d->prop->uploadsOnly = true;
}

void TubeActor::showLines(int level)
{
  d->prop->asLines = true;
  d->prop->level = level;
}

void TubeActor::showTubes()
{
  showTubes(0, kAll);
}

void TubeActor::showTubes(std::size_t first, std::size_t end)
{
  d->prop->asLines = false;
  d->prop->first = first;
  d->prop->end = end;
}

std::size_t TubeActor::endOfSeen(std::size_t first, std::size_t count) const
{
  return d->prop->drawing ? d->prop->endOfSeen(first, count) : first + count;
}

void TubeActor::setCamera(const OrbitCamera& camera, const QRectF& part)
{
  const TubeBox box = d->prop->drawing ? d->prop->drawing->box : TubeBox();
  const Vec3 eye = camera.position();
  const double middle = dot(eye - box.centre, camera.backward());
  const double farthest = std::max(middle + 1.01 * box.reach, 1e-6 * box.reach);
  const double nearest =
      camera.parallel() ? middle - 1.01 * box.reach : std::max(middle - 1.01 * box.reach, 1e-4 * farthest);
  d->isParallel = camera.parallel();
  d->pixelUnit = static_cast<float>(camera.pixelSize(1));
  // The cue runs over the depth of the box from here; in a shallow one it stays faint.
  const Vec3 back = camera.backward();
  const double halfDepth =
      std::abs(back[0]) * box.halfSize[0] + std::abs(back[1]) * box.halfSize[1] + std::abs(back[2]) * box.halfSize[2];
  const double cueBegin = middle - halfDepth;
  d->fogRange = {static_cast<float>(cueBegin),
                 static_cast<float>(cueBegin + 2 * std::max(halfDepth, kShallow * box.reach))};

  const Vec3 axes[] = {camera.right(), camera.up(), camera.backward()};
  d->sceneToView.fill(0);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      d->sceneToView[4 * column + row] = static_cast<float>(axes[row][column]);
    }
    d->sceneToView[12 + row] = static_cast<float>(-dot(axes[row], eye));
  }
  d->sceneToView[15] = 1;

  constexpr double kRoom = kOutlinePixels + 1;
  const QSize& screen = camera.viewport();
  d->prop->camera = camera;
  d->prop->seenArea = QRectF(part.x() * screen.width(), part.y() * screen.height(), part.width() * screen.width(),
                             part.height() * screen.height())
                          .adjusted(-kRoom, -kRoom, kRoom, kRoom);

  const double aspect = static_cast<double>(camera.viewport().width()) / camera.viewport().height();
  const double depth = farthest - nearest;
  d->viewToClip.fill(0);
  if (camera.parallel()) {
    const double scale = camera.parallelScale();
    d->viewToClip[0] = static_cast<float>(1 / (scale * aspect));
    d->viewToClip[5] = static_cast<float>(1 / scale);
    d->viewToClip[10] = static_cast<float>(-2 / depth);
    d->viewToClip[14] = static_cast<float>(-(farthest + nearest) / depth);
    d->viewToClip[15] = 1;
  } else {
    const double scale = camera.parallelScale() / camera.focalDistance();
    d->viewToClip[0] = static_cast<float>(1 / (scale * aspect));
    d->viewToClip[5] = static_cast<float>(1 / scale);
    d->viewToClip[10] = static_cast<float>(-(farthest + nearest) / depth);
    d->viewToClip[11] = -1;
    d->viewToClip[14] = static_cast<float>(-2 * farthest * nearest / depth);
  }
  // The part fills the clip space, whose y runs upward.
  const double scales[] = {1 / part.width(), 1 / part.height()};
  const double shifts[] = {(1 - 2 * part.center().x()) / part.width(), (2 * part.center().y() - 1) / part.height()};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 2; ++row) {
      float& entry = d->viewToClip[4 * column + row];
      entry = static_cast<float>(scales[row] * entry + shifts[row] * d->viewToClip[4 * column + 3]);
    }
  }

  vtkCamera* target = d->renderer->GetActiveCamera();
  target->SetParallelProjection(camera.parallel());
  target->SetViewAngle(camera.viewAngle());
  target->SetParallelScale(camera.parallelScale());
  target->SetFocalPoint(camera.focalPoint().data());
  target->SetPosition(eye.data());
  target->SetViewUp(camera.up().data());
  target->SetClippingRange(nearest, farthest);
}

} // namespace hinesight::widgets
