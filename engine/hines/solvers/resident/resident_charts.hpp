#pragma once

#include "hines/lane_chart.hpp"
#include "hines/solvers/resident/resident_plan.hpp"

#include <memory>

namespace hinesight::hines {

/// The schedule of a resident plan, unit by unit. First every lane runs down its piece, in groups of 32, the groups of
/// several thread blocks side by side; one step is one compartment. Then the junctions are eliminated in rounds, one
/// step each, in the lanes of the first thread block; rounds that fit into a warp need no barrier between them. A
/// device may run several groups one after another in the same warp.
std::shared_ptr<const LaneCharts> makeResidentCharts(std::shared_ptr<const ResidentPlan> plan);

} // namespace hinesight::hines
