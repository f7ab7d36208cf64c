#include "widgets/cells/morphology/tube_actor.hpp"

#include <QFile>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCommand.h>
#include <vtkCullerCollection.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkOpenGLVertexBufferObject.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>
#include <vtkShaderProperty.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

/// A static library's resources are dropped by the linker unless something asks for them; the macro wants no namespace.
static void loadShaders()
{
  Q_INIT_RESOURCE(shaders);
}

namespace hinesight::widgets {

namespace {

constexpr float kOutlinePixels = 2.5f;
constexpr float kHoverPixels = 1.2f;
constexpr float kDimming = 0.35f;
constexpr float kFogStrength = 0.4f;
constexpr double kShallow = 0.35; // half depth over reach below which the depth cue weakens

std::string shaderText(const char* name)
{
  QFile file(QStringLiteral(":/shaders/") + QLatin1String(name));
  file.open(QIODevice::ReadOnly);
  return file.readAll().toStdString();
}

std::array<float, 3> components(const QColor& color)
{
  return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF())};
}

/// The four corners of a tube's quad: 0 and 1 at end A, 2 and 3 at end B. The vertex shader tells them apart by index.
constexpr int kCorners = 4;

vtkNew<vtkFloatArray> makeArray(const char* name, int components)
{
  vtkNew<vtkFloatArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  return array;
}

/// Cells of `size` successive points each, all of them used once.
vtkNew<vtkCellArray> makeCells(std::size_t count, int size)
{
  vtkNew<vtkTypeInt32Array> points;
  vtkNew<vtkTypeInt32Array> begin;
  const auto pointCount = static_cast<vtkIdType>(size * count);
  std::int32_t* point = points->WritePointer(0, pointCount);
  std::iota(point, point + pointCount, 0);
  std::int32_t* first = begin->WritePointer(0, static_cast<vtkIdType>(count + 1));
  for (std::size_t cell = 0; cell <= count; ++cell) {
    first[cell] = static_cast<std::int32_t>(size * cell);
  }
  vtkNew<vtkCellArray> cells;
  cells->SetData(begin, points);
  return cells;
}

} // namespace

class TubeActor::Private
{
public:
  explicit Private(vtkRenderer* target) : renderer(target)
  {
    loadShaders();
    // Tubes reach beyond the box of their axes, so that VTK must not judge by it what can be left out.
    renderer->GetCullers()->RemoveAllItems();
    prepare(tubes, "tube_vertex.glsl", "tube_fragment.glsl");
    prepare(lines, "line_vertex.glsl", "line_fragment.glsl");
    tubes.mapper->MapDataArrayToVertexAttribute("otherEnd", "otherEnd", vtkDataObject::FIELD_ASSOCIATION_POINTS, -1);
    tubes.mapper->MapDataArrayToVertexAttribute("radii", "radii", vtkDataObject::FIELD_ASSOCIATION_POINTS, -1);
    lines.actor->VisibilityOff();
  }

  ~Private()
  {
    renderer->RemoveActor(tubes.actor);
    renderer->RemoveActor(lines.actor);
  }

  /// What one actor draws.
  struct Part
  {
    vtkNew<vtkPolyData> data;
    vtkNew<vtkOpenGLPolyDataMapper> mapper;
    vtkNew<vtkActor> actor;
  };

  void prepare(Part& part, const char* vertexShader, const char* fragmentShader)
  {
    part.mapper->SetInputData(part.data);
    part.mapper->SetVBOShiftScaleMethod(vtkOpenGLVertexBufferObject::DISABLE_SHIFT_SCALE);
    part.mapper->SetColorModeToDirectScalars();
    part.mapper->SetScalarModeToUsePointData();
    part.mapper->ScalarVisibilityOn();
    part.mapper->MapDataArrayToVertexAttribute("branch", "branch", vtkDataObject::FIELD_ASSOCIATION_POINTS, -1);
    part.mapper->AddObserver(vtkCommand::UpdateShaderEvent, this, &Private::setUniforms);
    part.actor->SetMapper(part.mapper);
    part.actor->ForceOpaqueOn();
    part.actor->GetShaderProperty()->SetVertexShaderCode(shaderText(vertexShader).c_str());
    part.actor->GetShaderProperty()->SetFragmentShaderCode(shaderText(fragmentShader).c_str());
    renderer->AddActor(part.actor);
  }

  void setUniforms(vtkObject*, unsigned long, void* callData)
  {
    auto* program = static_cast<vtkShaderProgram*>(callData);
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
    setInteger("litFirst", style.litFirst);
    setInteger("litEnd", style.litEnd);
    setFloat("pixelUnit", pixelUnit);
    setFloat("leastRadius", static_cast<float>(kLeastRadiusPixels));
    setFloat("outlineWidth", kOutlinePixels);
    setFloat("hoverWidth", kHoverPixels);
    setFloat("fogStrength", kFogStrength);
    setFloat("dimming", kDimming);
    setFloat("clipDepth", static_cast<float>(style.clipDepth));
    setColor("backgroundColor", style.background);
    setColor("selectionColor", style.selection);
  }

  /// The box around the axes of all tubes, and how far they reach around its centre.
  void measure(const TubeGeometry& geometry)
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
    centre = 0.5 * (low + high);
    halfSize = 0.5 * (high - low);
    reach = std::max(norm(halfSize) + thickest, 1e-9);
  }

  void uploadTubes(const TubeGeometry& geometry)
  {
    const std::size_t count = geometry.tubes();
    const auto corners = static_cast<vtkIdType>(count * kCorners);
    const auto ownEnds = makeArray("Points", 3);
    const auto otherEnds = makeArray("otherEnd", 3);
    const auto radii = makeArray("radii", 2);
    float* own = ownEnds->WritePointer(0, 3 * corners);
    float* other = otherEnds->WritePointer(0, 3 * corners);
    float* radius = radii->WritePointer(0, 2 * corners);
    for (std::size_t i = 0; i < count; ++i) {
      const float* a = &geometry.endA[3 * i];
      const float* b = &geometry.endB[3 * i];
      for (int corner = 0; corner < kCorners; ++corner) {
        const bool isEndB = corner >= 2;
        own = std::copy_n(isEndB ? b : a, 3, own);
        other = std::copy_n(isEndB ? a : b, 3, other);
        *radius++ = isEndB ? geometry.radiusB[i] : geometry.radiusA[i];
        *radius++ = isEndB ? geometry.radiusA[i] : geometry.radiusB[i];
      }
    }
    install(tubes, ownEnds);
    // Strips: VTK drops polygons of which two corners coincide, as they do here until the shader moves them.
    tubes.data->SetStrips(makeCells(count, kCorners));
    tubes.data->GetPointData()->AddArray(otherEnds);
    tubes.data->GetPointData()->AddArray(radii);
  }

  void uploadLines(const TubeGeometry& geometry)
  {
    const auto lineEnds = makeArray("Points", 3);
    float* ends = lineEnds->WritePointer(0, static_cast<vtkIdType>(6 * geometry.tubes()));
    for (std::size_t i = 0; i < geometry.tubes(); ++i) {
      ends = std::copy_n(&geometry.endA[3 * i], 3, ends);
      ends = std::copy_n(&geometry.endB[3 * i], 3, ends);
    }
    install(lines, lineEnds);
    lines.data->SetLines(makeCells(geometry.tubes(), 2));
  }

  static void install(Part& part, vtkFloatArray* positions)
  {
    part.data->Initialize();
    vtkNew<vtkPoints> points;
    points->SetData(positions);
    part.data->SetPoints(points);
  }

  vtkRenderer* renderer;
  Part tubes;
  Part lines;
  TubeStyle style;
  Vec3 centre{};    ///< of the box around all tubes
  Vec3 halfSize{};  ///< of that box
  double reach = 1; ///< radius of a sphere around it

  bool isParallel = false;
  float pixelUnit = 1;
  std::array<float, 2> fogRange{0, 1};
  std::array<float, 16> sceneToView{}; ///< column after column
  std::array<float, 16> viewToClip{};
};

TubeActor::TubeActor(vtkRenderer* renderer) : d(std::make_unique<Private>(renderer)) {}

TubeActor::~TubeActor() = default;

void TubeActor::setGeometry(const TubeGeometry& geometry)
{
  d->measure(geometry);
  d->uploadTubes(geometry);
  d->uploadLines(geometry);
}

void TubeActor::setColors(const std::vector<QRgb>& colors)
{
  const auto paint = [&](Private::Part& part, std::size_t perEnd) {
    vtkNew<vtkUnsignedCharArray> array;
    array->SetName("color");
    array->SetNumberOfComponents(4);
    unsigned char* target = array->WritePointer(0, static_cast<vtkIdType>(4 * perEnd * colors.size()));
    for (const QRgb color : colors) {
      for (std::size_t vertex = 0; vertex < perEnd; ++vertex) {
        *target++ = static_cast<unsigned char>(qRed(color));
        *target++ = static_cast<unsigned char>(qGreen(color));
        *target++ = static_cast<unsigned char>(qBlue(color));
        *target++ = static_cast<unsigned char>(qAlpha(color));
      }
    }
    part.data->GetPointData()->SetScalars(array);
  };
  paint(d->tubes, 2);
  paint(d->lines, 1);
}

void TubeActor::setBranches(const std::vector<std::int32_t>& branches)
{
  const auto label = [&](Private::Part& part, std::size_t perTube) {
    vtkNew<vtkFloatArray> array;
    array->SetName("branch");
    float* target = array->WritePointer(0, static_cast<vtkIdType>(perTube * branches.size()));
    for (const std::int32_t branch : branches) {
      target = std::fill_n(target, perTube, static_cast<float>(branch));
    }
    part.data->GetPointData()->AddArray(array);
  };
  label(d->tubes, kCorners);
  label(d->lines, 2);
}

void TubeActor::setStyle(const TubeStyle& style)
{
  d->style = style;
}

void TubeActor::setLines(bool asLines)
{
  d->tubes.actor->SetVisibility(!asLines);
  d->lines.actor->SetVisibility(asLines);
}

void TubeActor::setCamera(const OrbitCamera& camera, const QRectF& part)
{
  const Vec3 eye = camera.position();
  const double middle = dot(eye - d->centre, camera.backward());
  const double farthest = std::max(middle + 1.01 * d->reach, 1e-6 * d->reach);
  const double nearest =
      camera.parallel() ? middle - 1.01 * d->reach : std::max(middle - 1.01 * d->reach, 1e-4 * farthest);
  d->isParallel = camera.parallel();
  d->pixelUnit = static_cast<float>(camera.pixelSize(1));
  // The cue runs over the depth of the box from here; in a shallow one it stays faint.
  const Vec3 back = camera.backward();
  const double halfDepth =
      std::abs(back[0]) * d->halfSize[0] + std::abs(back[1]) * d->halfSize[1] + std::abs(back[2]) * d->halfSize[2];
  const double cueBegin = middle - halfDepth;
  d->fogRange = {static_cast<float>(cueBegin),
                 static_cast<float>(cueBegin + 2 * std::max(halfDepth, kShallow * d->reach))};

  const Vec3 axes[] = {camera.right(), camera.up(), camera.backward()};
  d->sceneToView.fill(0);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      d->sceneToView[4 * column + row] = static_cast<float>(axes[row][column]);
    }
    d->sceneToView[12 + row] = static_cast<float>(-dot(axes[row], eye));
  }
  d->sceneToView[15] = 1;

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
