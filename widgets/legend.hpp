#pragma once

#include "widgets/theme.hpp"

#include <QColor>
#include <QString>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::widgets {

/// What a legend shows: swatches for categories, a colour bar from `low` to `high` for a quantity.
struct Legend
{
  struct Entry
  {
    QColor color;
    QString label;
    std::string expression = {}; ///< of docs/selection.md: what has that colour; empty: it cannot be selected
  };
  QString title; ///< with unit; empty: no legend
  std::vector<Entry> entries;
  bool isQuantity = false;
  ColorMap map = ColorMap::Viridis;
  double low = 0;
  double high = 0;
  std::string figure = {}; ///< the quantity in an expression; empty: it cannot be selected
  bool isWhole = false;    ///< it is a whole number
  bool clamped = false;    ///< some values lie above `high` and have its colour
};

/// Without the entries that are hidden, as LegendOverlay::setHiddenEntries has them; where none is left, no legend.
inline Legend withoutHidden(Legend legend, const std::vector<bool>& hidden)
{
  std::vector<Legend::Entry> entries;
  for (std::size_t entry = 0; entry < legend.entries.size(); ++entry)
    if (entry >= hidden.size() || !hidden[entry])
      entries.push_back(legend.entries[entry]);
  if (entries.empty() && !legend.entries.empty() && !legend.isQuantity)
    return {};
  legend.entries = std::move(entries);
  return legend;
}

} // namespace hinesight::widgets
