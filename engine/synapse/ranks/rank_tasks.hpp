#pragma once

#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"

#include <vector>

namespace hinesight::synapse {

/// What ranks but 0 join of this folder's work (core/rank_tasks.hpp). `control` cancels what they do. Each rank has
/// tasks of its own: they keep the state of its neurons from one task to the next.
std::vector<RankTask> rankTasks(const RunControl& control = {});

} // namespace hinesight::synapse
