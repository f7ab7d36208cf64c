#pragma once

#include "core/choices.hpp"

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hinesight::widgets {

enum class ThemeMode
{
  Dark,
  Light,
  Print ///< of figures: light on white
};

/// Colours of the canvas and of what is drawn on it.
struct Theme
{
  ThemeMode mode;
  QColor canvas; ///< #12151b dark, nearly white light, white in print
  QColor panel;  ///< behind cards and legends, slightly transparent
  QColor text;
  QColor secondaryText;
  QColor hairline;  ///< grids, barriers
  QColor accent;    ///< the one accent
  QColor selection; ///< selection outline; used for nothing else
  QColor warning;
};

const Theme& theme();
/// Sets the application's palette too: dark or light. Views repaint themselves on QEvent::PaletteChange.
void setTheme(ThemeMode mode);
/// The same while a window is used: its widgets follow within the next moments, those that are seen first, a few at a
/// time.
void changeTheme(ThemeMode mode);

/// No two alike: first the seven of Okabe and Ito without black, then others; on light ground, darker ones of their
/// hues, with a contrast of 3 at least. Below 0 the seven, again and again.
QColor categoryColor(std::int64_t index);
/// Whether two colours are taken for the same in a mark or a thin line: they are less than 10 apart in CIELAB.
bool looksAlike(const QColor& a, const QColor& b);
/// A colour that was chosen, as the theme shows it: one of the first 28 categories, of dark or of light ground, is that
/// category; any other stays.
QColor shownColor(const QColor& chosen);
/// The colours of the entries of one legend: a chosen one is shown. An entry that has chosen none (not valid) has the
/// category of its place; where another has chosen what looks like that, the first category that no entry has. One more
/// such entry at the end changes none before it.
std::vector<QColor> entryColors(const std::vector<QColor>& chosen);
/// The fixed colour of an SWC type: the same in every view.
QColor typeColor(std::int32_t swcType);

enum class ColorMap
{
  Viridis,
  Cividis,
  Diverging
};
/// `fraction` 0 to 1, clamped. The sequential maps leave out the end that is as dark or as light as the canvas.
QColor mapColor(ColorMap map, double fraction);

/// A text of the engine, for the screen.
QString inText(std::string_view text);
/// Three significant figures with thousands separators where whole: "1,510", "0.312", "12.4".
QString formatNumber(double value);
/// "0.312 ms", "1.24 s", "8.3 µs": three significant figures in the unit that reads best.
QString formatMilliseconds(double milliseconds);

/// What a branch is coloured by, in every view.
enum class ColorBy
{
  Type,
  Branch,
  Level,
  Order,
  Block,
  Radius,
  PathDistance
};

inline constexpr Choice kColorBys[] = {
    {"type", "Type", "The SWC type: soma, axon, basal and apical dendrite."},
    {"branch", "Branch", "A colour for each branch, other than its neighbours'."},
    {"level", "Level", "The level of the dependency tree in which a branch is solved."},
    {"branch-order", "Branch order", "How many branch points lie between a branch and the root."},
    {"block", "Block", "The block of threads that solves a branch."},
    {"radius", "Radius", "The radius in \u00b5m."},
    {"path-distance", "Path distance", "The distance from the soma along the branches, \u00b5m."},
};
inline std::span<const Choice> tableOf(ColorBy)
{
  return kColorBys;
}
QString colorByName(ColorBy colorBy);
std::vector<ColorBy> allColorBys();

} // namespace hinesight::widgets
