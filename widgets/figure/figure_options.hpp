#pragma once

#include "core/fields.hpp"

#include <QSize>
#include <QSizeF>

#include <span>

namespace hinesight::widgets {

enum class FigureUnit
{
  Millimetres,
  Pixels
};

inline constexpr Choice kFigureUnits[] = {
    {"mm", "mm", "Millimetres on paper."},
    {"px", "px", "Pixels of the picture, at its resolution."},
};
inline std::span<const Choice> tableOf(FigureUnit)
{
  return kFigureUnits;
}

enum class FigureTheme
{
  Screen,
  Light
};

inline constexpr Choice kFigureThemes[] = {
    {"screen", "As on screen", "The colours of the window."},
    {"light", "Light, for print", "Dark lines and letters on white."},
};
inline std::span<const Choice> tableOf(FigureTheme)
{
  return kFigureThemes;
}

enum class Corner
{
  TopLeft,
  TopRight,
  BottomLeft,
  BottomRight
};

inline constexpr Choice kCorners[] = {
    {"top-left", "Top left", "Into the upper left corner of the view."},
    {"top-right", "Top right", "Into the upper right corner of the view."},
    {"bottom-left", "Bottom left", "Into the lower left corner of the view."},
    {"bottom-right", "Bottom right", "Into the lower right corner of the view."},
};
inline std::span<const Choice> tableOf(Corner)
{
  return kCorners;
}

constexpr bool isTop(Corner corner)
{
  return corner == Corner::TopLeft || corner == Corner::TopRight;
}
constexpr bool isLeft(Corner corner)
{
  return corner == Corner::TopLeft || corner == Corner::BottomLeft;
}

/// Beside the view, which has the rest of the figure.
enum class LegendPlace
{
  TopLeft,
  TopRight,
  BottomLeft,
  BottomRight,
  Right
};

inline constexpr Choice kLegendPlaces[] = {
    {"top-left", "Top left", "Above the view, on the left."},
    {"top-right", "Top right", "Above the view, on the right."},
    {"bottom-left", "Bottom left", "Below the view, on the left."},
    {"bottom-right", "Bottom right", "Below the view, on the right."},
    {"right", "Right", "Right of the view, from the top down."},
};
inline std::span<const Choice> tableOf(LegendPlace)
{
  return kLegendPlaces;
}

/// How a view is put into a file or on the clipboard; visitFields has the words.
struct FigureOptions
{
  FigureUnit unit = FigureUnit::Millimetres;
  double width = 160;
  double height = 100;
  int dotsPerInch = 300;
  bool isTransparent = false;
  FigureTheme theme = FigureTheme::Light;
  bool hasLegend = true;
  LegendPlace legendPlace = LegendPlace::BottomLeft;
  bool hasScaleBar = true;
  Corner scaleCorner = Corner::BottomRight;
  bool isParallel = false; ///< of what the view shows in perspective
  bool hasTitle = false;

  bool operator==(const FigureOptions&) const = default;

  QSize pixels() const; ///< of the picture, at least 1 each way
  QSizeF size() const;  ///< in 1/96 inch, the unit in which it is painted
};

template <typename Visitor>
void visitFields(FigureOptions& p, Visitor&& visit)
{
  visit(Field{.name = "unit",
              .label = "Unit",
              .help = "The unit of width and height.",
              .section = {.title = "Figure"},
              .concern = Concern::Picture},
        p.unit);
  visit(Field{.name = "width",
              .label = "Width",
              .range = from(10, 16384),
              .slider = {40, 400},
              .help = "Width of the figure, in mm or px.",
              .detail = "A column of a journal is about 85 mm wide, a page 180 mm.",
              .concern = Concern::Picture},
        p.width);
  visit(Field{.name = "height",
              .label = "Height",
              .range = from(10, 16384),
              .slider = {40, 400},
              .help = "Height of the figure, in mm or px.",
              .concern = Concern::Picture},
        p.height);
  visit(Field{.name = "dpi",
              .label = "Resolution",
              .unit = "dpi",
              .range = from(24, 1200),
              .slider = {72, 600},
              .help = "Pixels an inch of a PNG picture, and of the parts of a drawing that are pixels.",
              .concern = Concern::Picture},
        p.dotsPerInch);
  visit(Field{.name = "transparent",
              .label = "Transparent",
              .help = "Leaves the background out.",
              .concern = Concern::Picture},
        p.isTransparent);
  visit(Field{.name = "theme", .label = "Colours", .help = "The colours of the figure.", .concern = Concern::Picture},
        p.theme);
  visit(Field{.name = "legend",
              .label = "Legend",
              .help = "Says in the figure what its colours mean.",
              .concern = Concern::Picture},
        p.hasLegend);
  visit(Field{.name = "legend-place",
              .label = "Legend place",
              .help = "Where the legend stands. It covers nothing of the view.",
              .detail = "Where its entries have no room, its letters become smaller, of 6 pt at the least.",
              .concern = Concern::Picture}
            .when(p.hasLegend),
        p.legendPlace);
  visit(Field{.name = "scale-bar",
              .label = "Scale bar",
              .help = "Draws a scale bar and the axes into a view in space.",
              .concern = Concern::Picture},
        p.hasScaleBar);
  visit(Field{.name = "scale-bar-place",
              .label = "Scale bar place",
              .help = "The corner of the view in which scale bar and axes stand.",
              .concern = Concern::Picture}
            .when(p.hasScaleBar),
        p.scaleCorner);
  visit(Field{.name = "parallel",
              .label = "Parallel projection",
              .help = "The scale bar is true at all depths. The view keeps its perspective.",
              .detail = "In perspective, what is nearer looks larger, and the bar is true at the depth of the centre "
                        "only.",
              .concern = Concern::Picture},
        p.isParallel);
  visit(Field{.name = "title",
              .label = "Title",
              .help = "Writes above the figure what it shows.",
              .concern = Concern::Picture},
        p.hasTitle);
}

/// Throws Error(BadParameter) for a number out of its range, and for a picture of more than 16,384 pixels a side or
/// 100 million in all.
void validate(const FigureOptions& options);

} // namespace hinesight::widgets
