#include "widgets/cells/morphology/tube_actor.hpp"

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
/// So many tubes are laid out for the device at once.
constexpr std::size_t kTubesOfUpload = 65'536;

constexpr std::size_t kFloatsOfTube = 8; // its ends and their radii
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// What the shaders read, by its unit.
enum Unit : std::size_t
{
  Ends,
  Colors,
  Branches,
  Marks,
  Places,
  Values,
  Palette,
  kUnits
};
constexpr std::array<const char*, kUnits> kUnitNames{"ends",   "colors", "branches", "marks",
                                                     "places", "values", "palette"};
constexpr std::array<GLenum, kUnits> kUnitFormats{GL_RGBA32F, GL_RGBA8, GL_R32I, GL_R8UI, GL_R32I, GL_R8UI, GL_RGBA8};

/// Draws tubes with OpenGL itself: VTK's own mappers would copy what a tube has for each of its corners, and keep it in
/// memory once more.
class TubeProp : public vtkProp
{
public:
  static TubeProp* New();
  vtkTypeMacro(TubeProp, vtkProp)

      std::shared_ptr<const TubeDrawing> drawing;
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

  void drawingChanged() { uploaded = 0; }
  bool hasToUpload() const { return drawing && uploaded < steps(); }
  void marksChanged() { areMarksUploaded = false; }
  void valuesChanged() { areValuesUploaded = false; }
  void paletteChanged() { isPaletteUploaded = false; }

  int RenderOpaqueGeometry(vtkViewport* viewport) override
  {
    const std::size_t count = drawing ? drawing->geometry->tubes() : 0;
    if (count == 0)
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
    upload(*gl, *state, isSeen ? steps() : uploaded + 1);
    if (!isSeen)
      return 0;
    state->vtkglDepthMask(GL_TRUE);
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      bind(*gl, *state, unit);
      if (program->IsUniformUsed(kUnitNames[unit]))
        program->SetUniformi(kUnitNames[unit], static_cast<int>(unit));
    }
    setUniforms(*program);
    gl->glBindVertexArray(vertexArray);
    if (asLines)
      drawLines(*gl, count);
    else
      drawTubes(*gl, std::min(first, count), std::min(end, count));
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
      gl->glDeleteBuffers(kUnits, buffers.data());
      gl->glDeleteTextures(kUnits, textures.data());
      gl->glDeleteBuffers(1, &triangles);
      gl->glDeleteBuffers(static_cast<GLsizei>(levels.size()), levels.data());
    }
    vertexArray = 0;
    levels.clear();
    uploaded = 0;
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
    gl.glGenBuffers(kUnits, buffers.data());
    gl.glGenTextures(kUnits, textures.data());
    gl.glGenBuffers(1, &triangles);
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      bind(gl, state, unit);
      gl.glBindBuffer(GL_TEXTURE_BUFFER, buffers[unit]);
      gl.glTexBuffer(GL_TEXTURE_BUFFER, kUnitFormats[unit], buffers[unit]);
    }
    std::vector<std::uint16_t> corners;
    corners.reserve(kTriangles.size() * kTubesOfCall);
    for (std::size_t tube = 0; tube < kTubesOfCall; ++tube)
      for (const std::uint16_t corner : kTriangles)
        corners.push_back(static_cast<std::uint16_t>(kCorners * tube + corner));
    gl.glBindVertexArray(vertexArray);
    fill(gl, GL_ELEMENT_ARRAY_BUFFER, triangles, corners);
    gl.glBindVertexArray(0);
  }

  void bind(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, std::size_t unit) const
  {
    state.vtkglActiveTexture(static_cast<unsigned>(GL_TEXTURE0 + unit));
    gl.glBindTexture(GL_TEXTURE_BUFFER, textures[unit]);
  }

  template <typename Value>
  static void fill(QOpenGLExtraFunctions& gl, GLenum target, GLuint buffer, const std::vector<Value>& values)
  {
    gl.glBindBuffer(target, buffer);
    gl.glBufferData(target, static_cast<GLsizeiptr>(values.size() * sizeof(Value)), values.data(), GL_STATIC_DRAW);
  }

  /// In which tubes come to the device, one part after the other, and the lines at last.
  std::size_t steps() const { return parts() + 1 + drawing->lines.size(); }
  std::size_t parts() const { return (drawing->geometry->tubes() + kTubesOfUpload - 1) / kTubesOfUpload; }

  /// Takes the steps that are left up to before `until`.
  void upload(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, std::size_t until)
  {
    if (vertexArray == 0)
      make(gl, state);
    if (!std::exchange(areMarksUploaded, true))
      fill(gl, GL_TEXTURE_BUFFER, buffers[Marks], marks);
    if (!std::exchange(areValuesUploaded, true))
      fill(gl, GL_TEXTURE_BUFFER, buffers[Values], values);
    if (!std::exchange(isPaletteUploaded, true))
      fill(gl, GL_TEXTURE_BUFFER, buffers[Palette], palette);
    for (; uploaded < std::min(until, steps()); ++uploaded) {
      if (uploaded == 0)
        makeRoom(gl);
      if (uploaded < parts()) {
        const std::size_t begin = uploaded * kTubesOfUpload;
        const std::size_t last = std::min(begin + kTubesOfUpload, drawing->geometry->tubes());
        fillEnds(gl, begin, last);
        fillPart(gl, buffers[Colors], drawing->colors, 2 * begin, 2 * last);
        fillPart(gl, buffers[Places], drawing->places, 2 * begin, 2 * last);
        fillPart(gl, buffers[Branches], drawing->branches, begin, last);
      } else if (uploaded == parts()) {
        gl.glDeleteBuffers(static_cast<GLsizei>(levels.size()), levels.data());
        levels.assign(drawing->lines.size(), 0);
        gl.glGenBuffers(static_cast<GLsizei>(levels.size()), levels.data());
      } else {
        const std::size_t which = uploaded - parts() - 1;
        gl.glBindVertexArray(vertexArray);
        fill(gl, GL_ELEMENT_ARRAY_BUFFER, levels[which], drawing->lines[which]);
        gl.glBindVertexArray(0);
      }
    }
  }

  void makeRoom(QOpenGLExtraFunctions& gl) const
  {
    const auto make = [&](Unit unit, std::size_t bytesOfTube) {
      gl.glBindBuffer(GL_TEXTURE_BUFFER, buffers[unit]);
      gl.glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(bytesOfTube * drawing->geometry->tubes()), nullptr,
                      GL_STATIC_DRAW);
    };
    make(Ends, kFloatsOfTube * sizeof(float));
    make(Colors, 2 * sizeof(std::uint32_t));
    if (!drawing->places.empty())
      make(Places, 2 * sizeof(std::int32_t));
    make(Branches, sizeof(std::int32_t));
  }

  template <typename Value>
  static void fillPart(QOpenGLExtraFunctions& gl, GLuint buffer, const std::vector<Value>& values, std::size_t begin,
                       std::size_t last)
  {
    if (values.empty())
      return;
    gl.glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    gl.glBufferSubData(GL_TEXTURE_BUFFER, static_cast<GLintptr>(sizeof(Value) * begin),
                       static_cast<GLsizeiptr>(sizeof(Value) * (last - begin)), &values[begin]);
  }

  void fillEnds(QOpenGLExtraFunctions& gl, std::size_t begin, std::size_t last) const
  {
    const TubeGeometry& geometry = *drawing->geometry;
    std::vector<float> part(kFloatsOfTube * (last - begin));
    float* target = part.data();
    for (std::size_t i = begin; i < last; ++i) {
      target = std::copy_n(&geometry.endA[3 * i], 3, target);
      *target++ = geometry.radiusA[i];
      target = std::copy_n(&geometry.endB[3 * i], 3, target);
      *target++ = geometry.radiusB[i];
    }
    gl.glBindBuffer(GL_TEXTURE_BUFFER, buffers[Ends]);
    gl.glBufferSubData(GL_TEXTURE_BUFFER, static_cast<GLintptr>(kFloatsOfTube * sizeof(float) * begin),
                       static_cast<GLsizeiptr>(sizeof(float) * part.size()), part.data());
  }

  /// Leaves out blocks beside what is seen: of a large figure in tiles, each would cost as much as the whole.
  void drawTubes(QOpenGLExtraFunctions& gl, std::size_t from, std::size_t to) const
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
        drawRun(gl, begin, seenEnd);
        begin = blockBegin;
      }
      seenEnd = std::min(to, (block + 1) * kTubes);
    }
    drawRun(gl, begin, seenEnd);
  }

  static void drawRun(QOpenGLExtraFunctions& gl, std::size_t from, std::size_t to)
  {
    for (std::size_t tube = from; tube < to; tube += kTubesOfCall)
      gl.glDrawElementsBaseVertex(GL_TRIANGLES,
                                  static_cast<GLsizei>(kTriangles.size() * std::min(kTubesOfCall, to - tube)),
                                  GL_UNSIGNED_SHORT, nullptr, static_cast<GLint>(kCorners * tube));
  }

  void drawLines(QOpenGLExtraFunctions& gl, std::size_t count) const
  {
    if (level < 0 || static_cast<std::size_t>(level) >= levels.size()) {
      gl.glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(2 * count));
      return;
    }
    gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, levels[static_cast<std::size_t>(level)]);
    gl.glDrawElements(GL_LINES, static_cast<GLsizei>(drawing->lines[static_cast<std::size_t>(level)].size()),
                      GL_UNSIGNED_INT, nullptr);
  }

  const std::string tubeVertex = shaderText("tube_vertex.glsl");
  const std::string tubeFragment = shaderText("tube_fragment.glsl");
  const std::string lineVertex = shaderText("line_vertex.glsl");
  const std::string lineFragment = shaderText("line_fragment.glsl");
  GLuint vertexArray = 0; ///< 0: there is nothing in the context
  std::array<GLuint, kUnits> buffers{};
  std::array<GLuint, kUnits> textures{};
  GLuint triangles = 0;
  std::vector<GLuint> levels; ///< of lines
  std::size_t uploaded = 0;   ///< steps
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
  d->prop->drawing = std::move(drawing);
  d->prop->drawingChanged();
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
