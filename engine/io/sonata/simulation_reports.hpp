#pragma once

#include "io/sonata/node_sets.hpp"
#include "io/sonata/simulation_configuration.hpp"

namespace hinesight::io {

/// The "reports" of a configuration in both dialects: those of BMTK have a module, those of the SONATA extension a
/// type. Adds those that can be made, and to the notes what is not made or has no effect. Throws Error(BadFormat) for
/// sections and times that cannot be.
void readReports(const SonataConfiguration& config, const NodeSetReader& nodeSets, SimulationConfiguration& made);

} // namespace hinesight::io
