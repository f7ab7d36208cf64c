#pragma once

#include "io/sonata/node_sets.hpp"
#include "io/sonata/simulation_configuration.hpp"

namespace hinesight::io {

/// The "inputs" of a configuration in both dialects: that of the SONATA Developer Guide and BMTK, whose clamps have
/// lists of amplitudes, and that of the SONATA extension (Blue Brain Project), whose modules are linear, pulse,
/// sinusoidal, noise and ornstein_uhlenbeck. Adds them, and what of them has no effect to the notes. Throws
/// Error(BadFormat) with the input that cannot be honoured.
void readInputs(const SonataConfiguration& config, const NodeSetReader& nodeSets, SimulationConfiguration& made);

} // namespace hinesight::io
