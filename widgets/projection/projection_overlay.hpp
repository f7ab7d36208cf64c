#pragma once

#include "widgets/projection/projection_scene.hpp"

#include <QWidget>

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// What is painted over the layers of a projection: their outlines and names, the markers of the chosen sources, the
/// lines from them down to the other layer, the contours of their weights at the cut, and rings around what a person
/// picked. Takes no mouse events.
class ProjectionOverlay : public QWidget
{
  Q_OBJECT

public:
  ProjectionOverlay(const ProjectionScene& scene, QWidget* parent);

  /// What is said of a layer below its name: its size, and how many of its neurons are hidden and drawn as cells, such
  /// as "40 neurons, 36 hidden, 4 of 40 cells drawn". Only where there is a table.
  QString describe(bool isSource) const;

  /// Room that the names need above the upper and below the lower layer, pixels.
  int nameHeight() const;

  /// Where other overlays are, under which no name or number lies.
  void setTaken(std::vector<QRectF> areas);

  /// Where the names of the layers, and the numbers of the sources and the picked neurons, were painted last; what has
  /// no room is not there.
  const std::vector<QRectF>& nameAreas() const { return names; }
  const std::vector<QRectF>& numberAreas() const { return numbers; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void paintOutline(QPainter& painter, const ProjectionLayer& layer, const QString& role, bool isUpper);
  QRectF roomFor(const QPointF& place, double height) const;
  void paintContours(QPainter& painter) const;
  void paintDrops(QPainter& painter) const;
  void paintMarkers(QPainter& painter);
  void paintPicked(QPainter& painter) const;
  QRectF markerOf(bool isSource, std::uint32_t neuron) const;

  const ProjectionScene& scene;
  std::vector<QRectF> others;  ///< where other overlays are
  std::vector<QRectF> names;   ///< where those of the layers were painted last
  std::vector<QRectF> numbers; ///< of the sources and the picked neurons
};

} // namespace hinesight::widgets
