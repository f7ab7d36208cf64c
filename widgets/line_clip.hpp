#pragma once

#include <QPointF>
#include <QRectF>

#include <algorithm>
#include <optional>
#include <utility>

namespace hinesight::widgets {

/// The part of the line from a to b that lies in a box, as parts of its length; nullopt: none. (Liang and Barsky 1984)
inline std::optional<std::pair<double, double>> clipLine(const QRectF& box, const QPointF& a, const QPointF& b)
{
  double from = 0;
  double to = 1;
  const auto cut = [&](double start, double step, double low, double high) {
    if (step == 0)
      return start >= low && start <= high;
    const double first = (low - start) / step;
    const double last = (high - start) / step;
    from = std::max(from, std::min(first, last));
    to = std::min(to, std::max(first, last));
    return from <= to;
  };
  const bool isInside =
      cut(a.x(), b.x() - a.x(), box.left(), box.right()) && cut(a.y(), b.y() - a.y(), box.top(), box.bottom());
  return isInside ? std::optional(std::pair(from, to)) : std::nullopt;
}

} // namespace hinesight::widgets
