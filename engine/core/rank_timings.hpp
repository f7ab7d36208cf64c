#pragma once

#include "core/communicator.hpp"
#include "core/stage_timings.hpp"

#include <string>

namespace hinesight {

/// Rank 0 gets what each rank took as the devices of its timings, with how long each waited; `device`: what this one is
/// called. Collective.
void gatherDevices(Communicator& ranks, const std::string& device, StageTimings& timings);

} // namespace hinesight
