#pragma once

#include <QPointF>

#include <vector>

class QPainter;

namespace hinesight::widgets {

/// Marks selected neurons at these places, pixels: a ring of that radius around each, or where there are very many a
/// square, which takes less time.
void paintRings(QPainter& painter, const std::vector<QPointF>& middles, double radius);

} // namespace hinesight::widgets
