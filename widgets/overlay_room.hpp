#pragma once

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace hinesight::widgets {

/// Where content of that shape is seen largest in a canvas without being covered by any of the overlays, pixels; null
/// where they leave nothing.
QRectF freeRoom(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content);

/// A part of a canvas that content may be fitted into.
struct Room
{
  QRectF place;
  double scale = 0;    ///< of the content in it
  bool isFree = false; ///< of all overlays; else content must leave some of it empty
};

/// Rooms for content of that size, which stay a margin away from the ends of the canvas and from overlays. The largest
/// is the first; of those that are about as large, the one nearest to the middle of the canvas. The last one is free of
/// all overlays; those before it are free of some. Empty: nothing is free.
std::vector<Room> roomsFor(const QSizeF& canvas, const std::vector<QRectF>& overlays, const QSizeF& content,
                           double margin);

/// Where the middle of content of that size stands in a room: as near to the middle of the canvas as the room lets it.
QPointF middleIn(const QRectF& room, const QSizeF& content, const QSizeF& canvas);

/// Which parts of a canvas have anything drawn, as coarse as an overlay needs to know.
class CoveredParts
{
public:
  /// Of an empty canvas of so many pixels.
  explicit CoveredParts(const QSizeF& canvas = {});

  void add(const QPointF& pixel); ///< outside of the canvas: nothing
  void add(const QRectF& area);   ///< the same of what is outside
  bool isUnder(const QRectF& overlay) const;
  /// Each part that has anything.
  std::vector<QRectF> covered() const;

private:
  static constexpr int kParts = 64; ///< each way

  QRectF part(int row, int column) const;
  void mark(int row, int column);

  QSizeF size;
  std::vector<bool> parts;
};

} // namespace hinesight::widgets
