#pragma once

#include "simulation/simulation.hpp"

#include <cstdint>
#include <filesystem>

namespace hinesight::study {

// A simulation that was stopped is gone on with by another process, to the same bytes as without a stop: the file holds
// its state and all spikes and records until then.

/// Numbers that tell networks apart: of all that is simulated.
struct NetworkSum
{
  std::uint64_t withoutTrains = 0; ///< but for the times of spike sources, which a later stop makes longer
  std::uint64_t whole = 0;         ///< of files of the first format; 0: not known
};
/// `toRead`: the file that is read next, for one of the first format has another sum, of all spikes by chance until the
/// end of the run, `stop` in ms; empty or missing: none is. Takes some ns a number of the network.
NetworkSum checkSumOf(const simulation::Network& network, double stop, const std::filesystem::path& toRead);

/// `network`: checkSumOf what is simulated. Atomic: under the name there is the old file or the whole new one. Throws
/// Error(WriteFailed).
void writeSimulationCheckpoint(const simulation::Simulation& simulation,
                               const simulation::SimulationParameters& parameters, const NetworkSum& network,
                               const std::filesystem::path& path);

/// Takes a simulation to where the file was written. `network`: checkSumOf with this file. `latest`: the end of the
/// run, ms. Throws Error(BadFormat) for what is damaged, no checkpoint or one of another version, Error(BadParameter)
/// for one of another network, of a time after `latest`, or of other parameters, which it names; then the simulation is
/// as before.
void readSimulationCheckpoint(simulation::Simulation& simulation, const simulation::SimulationParameters& parameters,
                              const NetworkSum& network, double latest, const std::filesystem::path& path);

} // namespace hinesight::study
