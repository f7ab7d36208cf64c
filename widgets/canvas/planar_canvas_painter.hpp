#pragma once

#include "widgets/canvas/planar_canvas.hpp"

#include <memory>

class QPainter;
class vtkRenderer;

namespace hinesight::widgets {

/// What is drawn where. Pixels are device-independent, `ratio` device pixels each.
struct PlanarFrame
{
  const PlanarDrawing& drawing;
  const PlanarTransform& view;
  const std::vector<bool>& emphasis; ///< per item; empty: none
  QRectF plot;
  QSize size;
  double ratio = 1;
};

/// Turns the visible part of a planar drawing into shapes on whole device pixels: what is behind the bars, the density
/// bands of what is too small, the bars and marks. Three actors, however much there is.
class PlanarPainter
{
public:
  explicit PlanarPainter(vtkRenderer& renderer);
  ~PlanarPainter();

  /// Sets up camera and actors for the next rendering.
  void paint(const PlanarFrame& frame);

  /// Dots of a drawing up to this number are round, and need several samples a pixel.
  static constexpr std::size_t kSmoothDots = 4'000;

private:
  class Private;
  std::unique_ptr<Private> d;
};

/// The same shapes without OpenGL; the density bands are a picture. On a canvas that is painted already.
void paintPlanar(QPainter& painter, const PlanarFrame& frame);

} // namespace hinesight::widgets
