#pragma once

#include "widgets/canvas/planar_canvas.hpp"

#include <QFontMetricsF>
#include <QLineF>
#include <QWidget>

#include <vector>

namespace hinesight::widgets {

/// Texts, axis numbers and outlines above the picture of a PlanarCanvas. Transparent to the mouse.
class PlanarOverlay : public QWidget
{
public:
  explicit PlanarOverlay(PlanarCanvas& canvas);

  struct Outline
  {
    QRectF pixels;
    bool round = false;
  };
  std::vector<Outline> selected;
  std::vector<Outline> hovered;
  std::int32_t activeHandle = -1; ///< drawn bold

  QStringList texts;         ///< what the last painting showed
  std::vector<QRectF> rects; ///< where, one per text

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void paintOutlines(QPainter& painter) const;
  void paintHandles(QPainter& painter) const;

  PlanarCanvas& canvas;
};

inline constexpr double kHandleWidth = 1.5; // pixels

/// Draws the visible part of a handle's line; returns it, null where the line is out of sight.
QLineF paintHandle(QPainter& painter, const PlanarHandle& handle, const PlanarTransform& transform, const QRectF& plot,
                   double width = kHandleWidth);

/// The axes and labels of a drawing, none of which touches another.
class PlanarTexts
{
public:
  struct Frame
  {
    const PlanarDrawing& drawing;
    const PlanarTransform& transform;
    QRectF plot;
    QSizeF size;
    QFont font;
  };

  explicit PlanarTexts(const Frame& shown) : frame(shown) {}

  void paint(QPainter& painter);

  QStringList texts;         ///< what was painted
  std::vector<QRectF> rects; ///< where, one per text

private:
  struct LabelFont
  {
    explicit LabelFont(const QFont& used) : font(used), metrics(used) {}
    QFont font;
    QFontMetricsF metrics;
  };

  void paintAxis(QPainter& painter, const PlanarAxis& axis);
  void paintAxisTitle(QPainter& painter, const PlanarAxis& axis, const QRectF& span);
  void paintLabel(QPainter& painter, const PlanarLabel& label, const LabelFont& labelFont);
  /// Where a text of that size would stand, pixels.
  QRectF placeOf(const PlanarLabel& label, const QSizeF& size) const;
  /// The width that a label may have. `visible`: the visible part of its area, pixels.
  double roomFor(const PlanarLabel& label, const QRectF& visible) const;
  /// Whether a text there would touch one that is painted already.
  bool collides(const QRectF& rect) const;
  /// Draws the text unless it touches another one; says whether it did.
  bool paintText(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color);

  Frame frame;
};

/// The visible pixels between which an axis holds, along its edge; empty when it is out of sight.
struct PixelSpan
{
  double low = 0;
  double high = 0;
  bool isEmpty() const { return !(low < high); }
};
PixelSpan axisSpan(const PlanarAxis& axis, const PlanarTransform& transform, const QRectF& plot);

/// Round values in the visible part of an axis, at least `leastPixels` apart.
std::vector<double> axisTicks(const PlanarAxis& axis, const PlanarTransform& transform, const QRectF& plot,
                              double leastPixels);

/// The multiples of `step` in the visible part of a linear axis; empty where they would be closer than a few pixels.
std::vector<double> multiplesInSight(const PlanarAxis& axis, const PlanarTransform& transform, const QRectF& plot,
                                     double step);

} // namespace hinesight::widgets
