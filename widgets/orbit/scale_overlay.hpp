#pragma once

#include "widgets/figure/figure_options.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QRectF>
#include <QStringList>
#include <QWidget>

namespace hinesight::widgets {

struct FigureArea;

/// Scale bar and axes of a scene in space, bottom right of its canvas. In perspective the bar says where it holds.
/// Takes no mouse events.
class ScaleOverlay : public QWidget
{
  Q_OBJECT

public:
  explicit ScaleOverlay(QWidget* parent = nullptr);

  /// The bar holds at the focal depth of the camera.
  void setCamera(const OrbitCamera& camera);
  /// In which this stands; the axes are nearer to the side of the canvas than the bar.
  void setCorner(Corner corner);

  /// Length of the bar, um: 1, 2 or 5 times a power of ten.
  double barLength() const { return length; }
  /// The same in pixels.
  double barPixels() const { return length / unit; }
  QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  OrbitCamera shown;
  Corner place = Corner::BottomRight;
  double unit = 1; ///< um a pixel
  double length = 100;
};

/// Paints a scale bar and axes for a camera, in a corner of (0, 0) to `size`. Where there is
/// little room, the bar is shorter, and there are no axes.
void paintScale(QPainter& painter, const OrbitCamera& camera, const QSizeF& size, const QFont& font,
                Corner corner = Corner::BottomRight);
/// The same in a figure, in the corner that it is wanted in.
void paintScale(QPainter& painter, const OrbitCamera& camera, const FigureArea& area);
/// What they need.
QSize scaleSize(const QFont& font);
/// The same in a figure, and where that is.
QRectF placeOfScale(const FigureArea& area);

/// What is written at a bar: its length, and in perspective the depth at which it is that long. In one line where it is
/// no longer than `width`, else in two.
QStringList scaleLines(const OrbitCamera& camera, double length, const QFont& font, double width);

/// The greatest of 1, 2 and 5 times a power of ten that is at most `limit`, which is above 0.
double roundLength(double limit);

/// "50 µm", "2 mm", "20 nm".
QString formatLength(double micrometres);

} // namespace hinesight::widgets
