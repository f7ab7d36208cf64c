#include "widgets/cells/morphology/tube_colors.hpp"

#include "widgets/cells/coloring.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"

#include <QColor>

#include <cstddef>

namespace hinesight::widgets {

std::vector<std::uint32_t> tubeColors(const TubeGeometry& geometry, const Coloring& coloring)
{
  const auto bytes = [](const QColor& color) {
    const QRgb rgb = color.rgb();
    return static_cast<std::uint32_t>(qRed(rgb)) | static_cast<std::uint32_t>(qGreen(rgb)) << 8 |
           static_cast<std::uint32_t>(qBlue(rgb)) << 16;
  };
  std::vector<std::uint32_t> colors(2 * geometry.tubes());
  // Categories end at the sample, quantities run on.
  const bool blends = coloring.legend().isQuantity && coloring.colorBy() != ColorBy::Order;
  for (std::size_t tube = 0; tube < geometry.tubes(); ++tube) {
    const std::uint32_t far = bytes(coloring.ofSample(geometry.cell[tube], geometry.sampleB[tube]));
    colors[2 * tube] = blends ? bytes(coloring.ofSample(geometry.cell[tube], geometry.sampleA[tube])) : far;
    colors[2 * tube + 1] = far;
  }
  return colors;
}

} // namespace hinesight::widgets
