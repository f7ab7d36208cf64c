#pragma once

#include "core/error.hpp"
#include "core/stage_timings.hpp"

// What simulations do not have yet.

namespace hinesight::simulation {

StageTimings stagesOf(const auto& simulation)
{
  if constexpr (requires { simulation.stages(); })
    return simulation.stages();
  else
    return {};
}

void setBackend(auto& parameters, Backend backend)
{
  if constexpr (requires { parameters.backend; })
    parameters.backend = backend;
  else if (backend == Backend::Cuda)
    throw Error(ErrorCode::NoDevice, "Simulations do not run on CUDA yet; choose the CPU.");
}

} // namespace hinesight::simulation
