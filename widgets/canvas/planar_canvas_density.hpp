#pragma once

#include "widgets/canvas/planar_canvas.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// Sums up what is too small to be drawn as a shape of its own: every cell of a grid of square cells keeps how much of
/// it is covered and by which colours. Coordinates in device pixels, y downward.
class DensityGrid
{
public:
  static constexpr int kCell = 2; ///< pixels

  /// Empties the grid and gives it room for `width` x `height` pixels.
  void clear(int width, int height);
  /// Adds a rectangle, clipped to the grid.
  void add(double left, double top, double right, double bottom, QRgb color);

  bool isEmpty() const { return empty; }
  int columns() const { return gridColumns; }
  int rows() const { return gridRows; }
  /// Covered part of a cell, 0 to 1 and above where rectangles overlap.
  float coverage(int column, int row) const { return sums[index(column, row)].area; }
  /// Writes the mean colour of each cell, mixed with the background where it is not fully covered: red, green, blue and
  /// opacity, one byte each, row after row from the top. Untouched cells are transparent, all others opaque.
  /// `out`: columns * rows * 4 bytes.
  void paint(std::uint8_t* out, QRgb background) const;

private:
  struct Sum
  {
    float area = 0;
    float red = 0, green = 0, blue = 0; ///< weighted by area
  };

  std::size_t index(int column, int row) const
  {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(gridColumns) + static_cast<std::size_t>(column);
  }

  std::vector<Sum> sums;
  int gridColumns = 0;
  int gridRows = 0;
  bool empty = true;
};

} // namespace hinesight::widgets
