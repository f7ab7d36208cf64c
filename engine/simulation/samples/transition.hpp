#pragma once

#include "core/error.hpp"
#include "core/stage_timings.hpp"

#include <cstddef>
#include <span>
#include <vector>

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

Backend backendOf(const auto& parameters)
{
  if constexpr (requires { parameters.backend; })
    return parameters.backend;
  else
    return Backend::Cpu;
}

/// All that a simulation needs to go on.
std::vector<std::byte> stateOf(const auto& simulation)
{
  if constexpr (requires { simulation.checkpoint(true).bytes; })
    return simulation.checkpoint(true).bytes;
  else
    throw Error(ErrorCode::BadParameter, "Simulations cannot be kept yet; leave out --checkpoint.");
}

void restoreState(auto& simulation, std::span<const std::byte> bytes)
{
  if constexpr (requires { simulation.checkpoint(true); }) {
    auto checkpoint = simulation.checkpoint();
    checkpoint.bytes.assign(bytes.begin(), bytes.end());
    simulation.restore(checkpoint);
  } else
    throw Error(ErrorCode::BadParameter, "Simulations cannot be kept yet; leave out --resume.");
}

} // namespace hinesight::simulation
