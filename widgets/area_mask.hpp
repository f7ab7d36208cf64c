#pragma once

#include "widgets/pixel_mask.hpp"
#include "widgets/selection_outline.hpp"

#include <QPointF>
#include <QRectF>

#include <optional>

namespace hinesight::widgets {

/// Which pixels lie in an area that was drawn: asked of very many things.
class AreaMask
{
public:
  explicit AreaMask(const DrawnArea& area) : box(area.box())
  {
    if (area.isLoop)
      loop.emplace(area.outline);
  }

  bool contains(const QPointF& pixel) const { return box.contains(pixel) && (!loop || loop->contains(pixel)); }

private:
  QRectF box;
  std::optional<PixelMask> loop;
};

} // namespace hinesight::widgets
