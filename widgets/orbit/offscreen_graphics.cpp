#include "widgets/orbit/offscreen_graphics.hpp"

#include "core/error.hpp"
#include "core/stage_timings.hpp"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QThread>

#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace hinesight::widgets {

namespace {

constexpr int kLargestTile = 1024;  // pixels that are rendered at once each way, before they are averaged
constexpr int kAveraged = 2;        // pixels each way for one of a picture
constexpr double kLeastTime = 1e-3; // ms, of a piece
constexpr double kLongTime = 4;     // ms, of a piece after which others have their turn
constexpr int kMostPatience = 500;  // ms, that a picture waits for windows

std::atomic<int> windowsThatPaint{0};

void letWindowsPaint()
{
  QThread::msleep(1); // whoever waits for software OpenGL would else find it taken again
  for (int waited = 0; waited < kMostPatience && windowsThatPaint > 0; ++waited)
    QThread::msleep(1);
}

Error outOfMemory()
{
  return {ErrorCode::OutOfMemory, "The figure needs more memory than is free; make it smaller."};
}

/// A window of VTK's that renders into memory, in a context of its own. Lives and dies on one thread.
class OffscreenWindow
{
public:
  OffscreenWindow(QOffscreenSurface& target, vtkRenderer& shown) : surface(target), scene(shown)
  {
    context.setFormat(surface.requestedFormat());
    if (!context.create() || !context.makeCurrent(&surface))
      throw Error(ErrorCode::DeviceFailure, "OpenGL gives no more graphics for a figure; close other windows.");
    window->SetOwnContext(0);
    window->SetMultiSamples(0);
    window->SetFrameBlitModeToNoBlit();
    observers = {window->AddObserver(vtkCommand::WindowMakeCurrentEvent, this, &OffscreenWindow::makeCurrent),
                 window->AddObserver(vtkCommand::WindowIsCurrentEvent, this, &OffscreenWindow::tellCurrent)};
    window->SetReadyForRendering(true);
    window->InitializeFromCurrentContext();
    window->AddRenderer(&scene);
  }

  ~OffscreenWindow()
  {
    window->RemoveRenderer(&scene);
    scene.ReleaseGraphicsResources(window);
    window->Finalize();
    window->SetReadyForRendering(false);
    for (const unsigned long observer : observers)
      window->RemoveObserver(observer);
    context.doneCurrent();
  }

  OffscreenWindow(const OffscreenWindow&) = delete;
  OffscreenWindow& operator=(const OffscreenWindow&) = delete;

  /// What the scene shows in so many pixels, each the mean of several.
  QImage render(const QSize& size, const std::function<bool(double lastTook)>& next, const RunControl& control)
  {
    const QSize rendered = kAveraged * size;
    window->SetSize(rendered.width(), rendered.height());
    vtkOpenGLState* state = window->GetState();
    state->vtkglEnable(GL_DEPTH_TEST);
    state->vtkglDepthFunc(GL_LEQUAL);
    double lastTook = 0;
    for (bool hasMore = true; hasMore;) {
      control.checkpoint();
      const Stopwatch watch;
      scene.SetErase(lastTook == 0);
      hasMore = next(lastTook);
      window->Render();
      context.functions()->glFinish(); // drivers only queue the work
      lastTook = std::max(watch.elapsed(), kLeastTime);
      if (lastTook > kLongTime)
        letWindowsPaint();
    }
    window->GetRGBACharPixelData(0, 0, rendered.width() - 1, rendered.height() - 1, 0, bytes);
    const QImage upsideDown(bytes->GetPointer(0), rendered.width(), rendered.height(), 4 * rendered.width(),
                            QImage::Format_RGBA8888);
    return upsideDown.mirrored()
        .convertToFormat(QImage::Format_ARGB32_Premultiplied)
        .scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  }

private:
  void makeCurrent(vtkObject*, unsigned long, void*)
  {
    if (QOpenGLContext::currentContext() != &context)
      context.makeCurrent(&surface);
  }

  void tellCurrent(vtkObject*, unsigned long, void* answer)
  {
    *static_cast<bool*>(answer) = QOpenGLContext::currentContext() == &context;
  }

  QOffscreenSurface& surface;
  vtkRenderer& scene;
  QOpenGLContext context;
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkUnsignedCharArray> bytes;
  std::array<unsigned long, 2> observers{};
};

} // namespace

WindowPainting::WindowPainting()
{
  ++windowsThatPaint;
}

WindowPainting::~WindowPainting()
{
  --windowsThatPaint;
}

/// The surface dies on the thread of the window, wherever the last that knows of it is.
OffscreenGraphics::OffscreenGraphics()
    : surface(new QOffscreenSurface, [](QOffscreenSurface* made) {
        if (made->thread() == QThread::currentThread())
          delete made;
        else
          made->deleteLater();
      })
{
  surface->setFormat(QSurfaceFormat::defaultFormat());
  surface->create();
}

QImage OffscreenGraphics::render(vtkRenderer& scene, const QSize& pixels, const Steps& steps,
                                 const RunControl& control) const
{
  QImage whole(pixels, QImage::Format_ARGB32_Premultiplied);
  if (whole.isNull())
    throw outOfMemory();
  whole.fill(Qt::transparent);
  OffscreenWindow window(*surface, scene);
  QPainter painter(&whole);
  painter.setCompositionMode(QPainter::CompositionMode_Source);
  constexpr int kTile = kLargestTile / kAveraged;
  for (int top = 0; top < pixels.height(); top += kTile) {
    for (int left = 0; left < pixels.width(); left += kTile) {
      const QRect tile(left, top, std::min(kTile, pixels.width() - left), std::min(kTile, pixels.height() - top));
      steps.aim({static_cast<double>(left) / pixels.width(), static_cast<double>(top) / pixels.height(),
                 static_cast<double>(tile.width()) / pixels.width(),
                 static_cast<double>(tile.height()) / pixels.height()});
      painter.drawImage(tile.topLeft(), window.render(tile.size(), steps.next, control));
    }
    control.report("figure", static_cast<double>(std::min(top + kTile, pixels.height())) / pixels.height());
  }
  return whole;
}

} // namespace hinesight::widgets
