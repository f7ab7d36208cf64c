#pragma once

#include "core/run_control.hpp"
#include "io/sonata/spike_files.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/circuit_simulation.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace hinesight::study {

/// The spikes of a simulation by population, those without spikes too, each ordered by time; virtual populations are
/// left out.
std::vector<io::PopulationSpikes> spikesOf(const CircuitSimulation& circuit, const simulation::Simulation& simulation);

/// The same of some of its spikes, by time.
std::vector<io::PopulationSpikes> spikesOf(const CircuitSimulation& circuit, std::span<const simulation::Spike> spikes);

/// Makes the folder, for the beginning of long work whose results go there. Throws Error(WriteFailed).
void makeOutputFolder(const std::filesystem::path& folder);

/// Writes the spikes (`spikesFile` and spikes.csv) and every report into a folder that is there. Returns the names of
/// the files. Throws Error(WriteFailed), Error(Cancelled).
std::vector<std::string> writeSimulation(const CircuitSimulation& circuit, const simulation::Simulation& simulation,
                                         const std::string& spikesFile, double timeStep,
                                         const std::filesystem::path& folder, const RunControl& control = {});

/// Throws Error(OutOfMemory) where what is recorded does not fit into memory.
void requireMemoryOfRecords(const simulation::Network& network, double stop, double timeStep);

} // namespace hinesight::study
