#pragma once

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

class Coloring;
struct TubeGeometry;

/// TubeDrawing::colors.
std::vector<std::uint32_t> tubeColors(const TubeGeometry& geometry, const Coloring& coloring);

} // namespace hinesight::widgets
