#pragma once

#include "study/simulation/circuit_nodes.hpp"

namespace hinesight::study {

/// Adds a probe for each place that a report of the configuration asks for; to the notes what is not made.
void addReports(const io::SimulationConfiguration& config, const CircuitNodes& nodes, CircuitSimulation& made);

} // namespace hinesight::study
