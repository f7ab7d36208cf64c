#pragma once

#include "cable/hines_system.hpp"

#include <vector>

namespace hinesight::hines {

/// The row sums of a system's matrix: by how much each diagonal element exceeds the couplings of its row, in the units
/// of d. Summed in twice the working precision and rounded once, because in a finely cut cell d and the couplings
/// cancel to a thousandth or a millionth of either. The solvers eliminate with it (see elimination.hpp).
std::vector<double> diagonalExcess(const cable::HinesSystem& system);

} // namespace hinesight::hines
