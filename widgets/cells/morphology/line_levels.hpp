#pragma once

#include "widgets/cells/morphology/tube_geometry.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// The cells in fewer and fewer lines, for frames that must be fast. Each level has two ends of tubes a line: 2 t is
/// the proximal end of tube t, 2 t + 1 its distal one. Tubes that follow one another without a bifurcation are drawn as
/// one line, 2, 4, 8 and so on of them; where there is little left to join, only the longer half of the lines stays.
/// Level 0 is the first that leaves something out. Lines come in the order of the tubes that they end in, and begin in
/// none after it. The same geometry has the same levels.
std::vector<std::vector<std::uint32_t>> lineLevels(const TubeGeometry& geometry);

} // namespace hinesight::widgets
