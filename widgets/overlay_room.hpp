#pragma once

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace hinesight::widgets {

/// Where content of that shape is seen largest in a canvas without being covered by any of the overlays, pixels; null
/// where they leave nothing.
QRectF freeRoom(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content);

/// Where the middle of content of that size stands in a room: as near to the middle of the canvas as the room lets it.
QPointF middleIn(const QRectF& room, const QSizeF& content, const QSizeF& canvas);

/// Which parts of a canvas have anything drawn, as coarse as an overlay needs to know.
class CoveredParts
{
public:
  /// Of an empty canvas of so many pixels.
  explicit CoveredParts(const QSizeF& canvas = {});

  void add(const QPointF& pixel); ///< outside of the canvas: nothing
  bool isUnder(const QRectF& overlay) const;

private:
  static constexpr int kParts = 64; ///< each way

  QSizeF size;
  std::vector<bool> parts;
};

} // namespace hinesight::widgets
