#pragma once

#include "widgets/figure/figure_options.hpp"
#include "widgets/legend.hpp"

#include <QFont>
#include <QPointF>
#include <QSizeF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace hinesight::widgets {

inline constexpr double kFigureMargin = 10; ///< around title and legend, in 1/96 inch

/// A legend as it stands in a figure, from (0, 0) on, in 1/96 inch.
struct FigureLegend
{
  struct Place
  {
    QPointF at; ///< top left, of the swatch where there is one
    QString text;
    std::optional<std::size_t> entry = {}; ///< none: the line that counts those that are left out
  };

  QFont font;
  double scale = 1;          ///< of swatches, the colour bar and gaps
  std::vector<Place> places; ///< below the title
  double barWidth = 0;       ///< of a quantity
  QSizeF size;
  bool isCut = false;      ///< some text is longer than its room
  std::size_t leftOut = 0; ///< entries

  /// What it was laid out of, in the colours of theme().
  void paint(QPainter& painter, const Legend& legend) const;
};

/// In the letters of `font`, whose size is in pixels, where all entries have room so; else in smaller ones, of 6 pt at
/// the least. What even these have no room for is left out and counted. `top`: where the title of the figure ends.
FigureLegend layOutLegend(const Legend& legend, const FigureOptions& options, const QFont& font, double top);

/// The least height, in whole units of the options, of a figure with all entries; none: it is above `tallest`.
std::optional<int> heightForLegend(const Legend& legend, const FigureOptions& options, const QFont& font, double top,
                                   int tallest);

} // namespace hinesight::widgets
