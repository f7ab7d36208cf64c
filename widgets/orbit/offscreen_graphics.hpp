#pragma once

#include "core/run_control.hpp"

#include <QImage>
#include <QRectF>
#include <QSize>

#include <functional>
#include <memory>

class QOffscreenSurface;
class vtkRenderer;

namespace hinesight::widgets {

/// A window that paints itself while one of these lives. Software OpenGL draws for one thread at a time, and who is
/// next is left to chance: pictures without a window wait for it before their next piece.
class WindowPainting
{
public:
  WindowPainting();
  ~WindowPainting();
  WindowPainting(const WindowPainting&) = delete;
  WindowPainting& operator=(const WindowPainting&) = delete;
};

/// OpenGL without a window, for pictures that take longer than a frame: it is made on the thread of the window, and
/// renders on any other thread.
class OffscreenGraphics
{
public:
  OffscreenGraphics();

  /// What a picture is made of: parts that are aimed at, and each of pieces.
  struct Steps
  {
    /// Points the camera of the scene at a part of the picture, given from (0, 0) to (1, 1).
    std::function<void(const QRectF& part)> aim;
    /// The next frame is the next piece of the part; returns whether there is another one. `lastTook`: ms of the last
    /// one; 0: the part begins.
    std::function<bool(double lastTook)> next;
  };

  /// A scene in so many pixels, each the mean of several, in tiles where it is large. Scene and picture are of the
  /// calling thread alone. Software OpenGL draws for one thread at a time: short pieces let the window have its turn.
  /// Throws Error(OutOfMemory), Error(Cancelled), Error(DeviceFailure).
  QImage render(vtkRenderer& scene, const QSize& pixels, const Steps& steps, const RunControl& control = {}) const;

private:
  std::shared_ptr<QOffscreenSurface> surface;
};

} // namespace hinesight::widgets
