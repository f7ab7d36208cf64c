#pragma once

#include "simulation/cells/views.hpp"

#include <cstdint>

namespace hinesight::simulation {

/// An event on its way to a synapse.
struct PendingEvent
{
  double time; ///< ms
  std::int64_t step;
  std::uint32_t synapse; ///< of the block
  double weight;         ///< uS
};

/// What an event adds to its synapse, to be taken in step `from` + step.
HINESIGHT_FORMULA StepEvent stepEventOf(const PendingEvent& event, const SynapseKind& kind, const StepRules& rules,
                                        std::int64_t from)
{
  const double weight = event.weight * kind.norm;
  const bool rises = kind.tau1 > 0;
  StepEvent result = {static_cast<std::uint32_t>(event.step - from), event.synapse, rises ? weight : 0.0, weight, 0.0};
  if (rules.asNeuron)
    return result;
  const double rest = static_cast<double>(event.step + 1) * rules.dt - event.time;
  const double left2 = fixedExp(-rest / kind.tau2);
  result.falling = weight * left2;
  result.mean = weight * (kind.tau2 / rules.dt) * (1 - left2);
  if (rises) {
    const double left1 = fixedExp(-rest / kind.tau1);
    result.rising = weight * left1;
    result.mean -= weight * (kind.tau1 / rules.dt) * (1 - left1);
  }
  return result;
}

} // namespace hinesight::simulation
