#pragma once

#include "io/sonata/simulation_configuration.hpp"

#include <filesystem>

namespace hinesight::io {

/// Names of the files of a configuration that is written.
inline constexpr const char* kSimulationConfigurationFile = "simulation_config.json";
inline constexpr const char* kCircuitConfigurationFile = "circuit_config.json";
inline constexpr const char* kNodeSetsFile = "node_sets.json";

/// Writes a configuration to a folder as these three files, so that it reads as this. The files that it names stay
/// where they are: those below the folder are named as seen from there. Throws Error(WriteFailed).
void writeSimulationConfiguration(const SimulationConfiguration& configuration, const std::filesystem::path& folder);

} // namespace hinesight::io
