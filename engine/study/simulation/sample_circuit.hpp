#pragma once

#include "study/simulation/circuit_simulation.hpp"

namespace hinesight::study {

/// A circuit that comes with the program: pyramidal and stellate cells that excite and inhibit one another, driven by
/// random spikes into the dendrites. Always the same.
CircuitSimulation buildSampleCircuit();

inline constexpr const char* kSampleCircuit = ":/samples/synthetic_circuit";

} // namespace hinesight::study
