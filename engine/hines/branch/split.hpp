#pragma once

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// The branches of one level of all cells together.
struct LevelSum
{
  double branches = 0;
  double compartments = 0;
};

/// Longest branch that a level keeps uncut, given what is on it; below 1 counts as 1.
using ThresholdRule = std::function<double(const LevelSum&)>;

struct CutShapes
{
  std::vector<PlannedShape> shapes;   ///< as given, cut
  std::vector<double> levelThreshold; ///< per level of the cut trees
};

/// Cuts shapes level by level, top down (huber 2018, section 6): a branch longer than the level's threshold keeps as
/// many compartments as the threshold allows, the rest moves one level down with everything below it. Each cut leaves a
/// compartment or more on its level, so there are never more levels than compartments on the longest path.
/// `copies` counts the cells of each shape: what `rule` sees is weighted with it.
CutShapes cutByLevel(std::span<const PlannedShape* const> shapes, std::span<const std::size_t> copies,
                     const ThresholdRule& rule, const RunControl& control);

} // namespace hinesight::hines::detail
