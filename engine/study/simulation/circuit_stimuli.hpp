#pragma once

#include "core/run_control.hpp"
#include "study/simulation/circuit_nodes.hpp"

namespace hinesight::study {

/// Adds the inputs of a configuration to the network: trains of spikes, currents, clamps. `seed`: of those by chance,
/// where they have none of their own. What has no effect goes to the notes. Throws Error(BadFormat) with the input.
void addStimuli(const io::SimulationConfiguration& config, const CircuitNodes& nodes, std::uint64_t seed,
                CircuitSimulation& made, const RunControl& control);

} // namespace hinesight::study
