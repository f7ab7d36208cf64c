#pragma once

#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QFont>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <vector>

class QPainter;

namespace hinesight::widgets {

/// A sample of a cell of a scene.
struct SamplePoint
{
  std::int32_t cell = -1; ///< -1: none
  std::int32_t sample = -1;

  bool isNull() const { return cell < 0; }
  bool operator==(const SamplePoint&) const = default;
};

/// A way through a scene, with what it measures.
struct DrawnPath
{
  std::vector<Vec3> points;
  QString label; ///< at the last one

  /// As it is on the screen, for a camera of an area, and no part of it outside. The label keeps off what is taken, as
  /// far as it can. On any thread.
  void paint(QPainter& painter, const OrbitCamera& camera, const QFont& font,
             const std::vector<QRectF>& taken = {}) const;
};

/// The way between two samples over the picture of the cells, with what it measures. Takes no mouse events.
class PathOverlay : public QWidget
{
  Q_OBJECT

public:
  explicit PathOverlay(QWidget* canvas);

  void setCamera(const OrbitCamera& camera);
  /// The samples along it; `text` stands at the last one. Empty: nothing is shown.
  void setPath(std::vector<SamplePoint> samples, const QString& text);
  /// Where the samples are from now on; those that are not drawn are left out.
  void setPlaces(const TubeGeometry& geometry);
  /// What else lies over the picture, which the text keeps off.
  void setTaken(std::vector<QRectF> areas);
  const std::vector<SamplePoint>& samples() const { return along; }
  const QString& text() const { return path.label; }
  /// Empty where none is shown.
  const DrawnPath& drawn() const { return path; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  std::vector<SamplePoint> along;
  DrawnPath path;
  OrbitCamera eye;
  std::vector<QRectF> taken;
};

} // namespace hinesight::widgets
