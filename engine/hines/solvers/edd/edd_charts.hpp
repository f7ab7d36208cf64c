#pragma once

#include "hines/lane_chart.hpp"
#include "hines/solvers/edd/edd_plan.hpp"

#include <memory>

namespace hinesight::hines {

/// The schedule of a plan of exact domain decomposition, unit by unit: one band a recursion, in which each lane
/// eliminates the chain of one piece, and a last one in which one lane a cell sweeps over the junctions that are left.
/// One step is one row. A device may run several pieces one after another in the same lane.
std::shared_ptr<const LaneCharts> makeEddCharts(std::shared_ptr<const EddPlan> plan);

} // namespace hinesight::hines
