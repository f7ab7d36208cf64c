#include "widgets/canvas/planar_canvas_density.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

/// A single thin branch in an otherwise empty cell is still to be seen.
constexpr float kLeastOpacity = 0.3F;

} // namespace

void DensityGrid::clear(int width, int height)
{
  const int columns = (std::max(width, 1) + kCell - 1) / kCell;
  const int rows = (std::max(height, 1) + kCell - 1) / kCell;
  if (empty && columns == gridColumns && rows == gridRows) {
    return;
  }
  gridColumns = columns;
  gridRows = rows;
  sums.assign(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), {});
  empty = true;
}

void DensityGrid::add(double left, double top, double right, double bottom, QRgb color)
{
  left = std::max(left / kCell, 0.0);
  top = std::max(top / kCell, 0.0);
  right = std::min(right / kCell, static_cast<double>(gridColumns));
  bottom = std::min(bottom / kCell, static_cast<double>(gridRows));
  if (!(left < right && top < bottom)) {
    return;
  }
  empty = false;
  const auto red = static_cast<float>(qRed(color));
  const auto green = static_cast<float>(qGreen(color));
  const auto blue = static_cast<float>(qBlue(color));
  const int lastColumn = std::min(static_cast<int>(right), gridColumns - 1);
  const int lastRow = std::min(static_cast<int>(bottom), gridRows - 1);
  for (int row = static_cast<int>(top); row <= lastRow; ++row) {
    const double height = std::min(bottom, row + 1.0) - std::max(top, static_cast<double>(row));
    for (int column = static_cast<int>(left); column <= lastColumn; ++column) {
      const double width = std::min(right, column + 1.0) - std::max(left, static_cast<double>(column));
      const auto area = static_cast<float>(width * height);
      Sum& sum = sums[index(column, row)];
      sum.area += area;
      sum.red += area * red;
      sum.green += area * green;
      sum.blue += area * blue;
    }
  }
}

void DensityGrid::paint(std::uint8_t* out, QRgb background) const
{
  const auto byte = [](float value) { return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 255.0F))); };
  for (const Sum& sum : sums) {
    if (sum.area > 0) {
      const float opacity = std::clamp(sum.area, kLeastOpacity, 1.0F);
      const float share = opacity / sum.area;
      const float rest = 1 - opacity;
      out[0] = byte(share * sum.red + rest * static_cast<float>(qRed(background)));
      out[1] = byte(share * sum.green + rest * static_cast<float>(qGreen(background)));
      out[2] = byte(share * sum.blue + rest * static_cast<float>(qBlue(background)));
      out[3] = 255;
    } else {
      out[0] = out[1] = out[2] = out[3] = 0;
    }
    out += 4;
  }
}

} // namespace hinesight::widgets
