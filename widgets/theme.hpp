#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>
#include <cstdint>
#include <vector>

namespace hinesight::widgets {

enum class ThemeMode
{
  Dark,
  Light
};

/// Colours of the canvas and of what is drawn on it.
struct Theme
{
  ThemeMode mode;
  QColor canvas; ///< #12151b dark, nearly white light
  QColor panel;  ///< behind cards and legends, slightly transparent
  QColor text;
  QColor secondaryText;
  QColor hairline;  ///< grids, barriers
  QColor accent;    ///< the one accent
  QColor selection; ///< selection outline; used for nothing else
  QColor warning;
};

const Theme& theme();
/// Sets the application's palette too. Views repaint themselves on QEvent::PaletteChange.
void setTheme(ThemeMode mode);

/// Okabe-Ito: `index` modulo the palette (black left out on the dark canvas).
QColor categoryColor(std::int64_t index);
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
QString colorByName(ColorBy colorBy);
std::vector<ColorBy> allColorBys();

} // namespace hinesight::widgets
