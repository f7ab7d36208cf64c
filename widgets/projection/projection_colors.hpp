#pragma once

#include <QColor>
#include <QImage>

#include <cstdint>
#include <vector>

// Pictures whose pixels are shares of a range, coloured when they are shown, so that a new theme costs nothing.

namespace hinesight::widgets {

/// The table of 256 colours from the lowest to the highest value: level 0 is the canvas (nothing there), the others a
/// sequential map; or, for signed values, a diverging map whose middle, level 128, is zero.
std::vector<QRgb> levelColors(bool isSigned);

/// Level of a share of the highest value, 0 to 1: 0 for 0, else 1 to 255.
std::uint8_t levelOf(double share);
/// Level of a signed share, -1 to 1.
std::uint8_t signedLevelOf(double share);

} // namespace hinesight::widgets
