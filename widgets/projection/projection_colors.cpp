#include "widgets/projection/projection_colors.hpp"

#include "widgets/theme.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr int kLevels = 256;
constexpr int kZero = 128;      // of a signed table
constexpr double kFaint = 0.35; // how much of the hairline colour the empty level has

QColor emptyColor()
{
  const QColor canvas = theme().canvas;
  const QColor line = theme().hairline;
  const auto mix = [](int a, int b) { return static_cast<int>(std::lround(a + kFaint * (b - a))); };
  return {mix(canvas.red(), line.red()), mix(canvas.green(), line.green()), mix(canvas.blue(), line.blue())};
}

} // namespace

std::vector<QRgb> levelColors(bool isSigned)
{
  std::vector<QRgb> colors(kLevels);
  for (int level = 0; level < kLevels; ++level) {
    colors[static_cast<std::size_t>(level)] =
        isSigned ? mapColor(ColorMap::Diverging, 0.5 + (level - kZero) / (2.0 * (kLevels - 1 - kZero))).rgb()
                 : mapColor(ColorMap::Viridis, (level - 1) / (kLevels - 2.0)).rgb();
  }
  colors[isSigned ? kZero : 0] = emptyColor().rgb();
  return colors;
}

std::uint8_t levelOf(double share)
{
  return share <= 0 ? 0 : static_cast<std::uint8_t>(1 + std::lround(std::min(share, 1.0) * (kLevels - 2)));
}

std::uint8_t signedLevelOf(double share)
{
  const double level = kZero + std::clamp(share, -1.0, 1.0) * (kLevels - 1 - kZero);
  if (share == 0) {
    return kZero;
  }
  // The least of weights still has a colour.
  const auto rounded = static_cast<int>(std::lround(level));
  return static_cast<std::uint8_t>(rounded == kZero ? kZero + (share > 0 ? 1 : -1) : rounded);
}

} // namespace hinesight::widgets
