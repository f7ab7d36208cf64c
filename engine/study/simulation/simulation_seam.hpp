#pragma once

#include "core/error.hpp"
#include "core/stage_timings.hpp"
#include "simulation/simulation.hpp"

#include <any>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// What is asked of a simulation that runs, where the engine has it.

namespace hinesight::study::seam {

[[noreturn]] inline void failAsMissing(const char* what)
{
  throw Error(ErrorCode::BadParameter, std::string(what) + " while a simulation runs is not possible yet; reset it.");
}

/// Whether it could be done.
template <class Simulation>
bool addProbe(Simulation& simulation, const simulation::Probe& probe)
{
  if constexpr (requires { simulation.addProbe(probe); }) {
    simulation.addProbe(probe);
    return true;
  }
  return false;
}

template <class Simulation>
void adjust(Simulation& simulation, const std::vector<double>& conductance, double stimuli, double weights,
            const std::optional<double>& celsius)
{
  if constexpr (requires { simulation.adjust({conductance, stimuli, weights, celsius}); })
    simulation.adjust({conductance, stimuli, weights, celsius});
  else
    failAsMissing("To change a parameter");
}

template <class Simulation>
std::vector<simulation::Spike> spikesFrom(const Simulation& simulation, std::size_t from)
{
  if constexpr (requires { simulation.newSpikes(from); }) {
    const std::span<const simulation::Spike> found = simulation.newSpikes(from);
    return {found.begin(), found.end()};
  } else {
    const std::vector<simulation::Spike> all = simulation.spikes();
    return {all.begin() + static_cast<std::ptrdiff_t>(from), all.end()};
  }
}

template <class Simulation>
std::any checkpoint(const Simulation& simulation)
{
  if constexpr (requires { simulation.checkpoint(); })
    return simulation.checkpoint();
  else
    return {};
}

template <class Simulation>
void restore(Simulation& simulation, const std::any& checkpoint)
{
  if constexpr (requires { simulation.checkpoint(); })
    simulation.restore(std::any_cast<const decltype(simulation.checkpoint())&>(checkpoint));
}

template <class Simulation>
StageTimings stages(const Simulation& simulation)
{
  if constexpr (requires { simulation.stages(); })
    return simulation.stages();
  else
    return {};
}

template <class Simulation>
std::optional<double> compartmentSteps(const Simulation& simulation)
{
  if constexpr (requires { simulation.compartmentSteps(); })
    return simulation.compartmentSteps();
  else
    return std::nullopt;
}

} // namespace hinesight::study::seam
