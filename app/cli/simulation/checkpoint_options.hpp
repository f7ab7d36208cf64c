#pragma once

#include "app/cli/options.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/simulation_checkpoint.hpp"

#include <string>

namespace hinesight::cli {

/// Where a simulation is kept, so that a later run can go on with it.
struct CheckpointOptions
{
  std::string file;   ///< empty: it is not kept
  double every = 0;   ///< ms of simulated time from one to the next; 0: at the end alone
  std::string resume; ///< that it goes on from; empty: it begins
  bool overwrite = false;
};

void addCheckpointOptions(Command& command, CheckpointOptions& options);

/// Throws for options that contradict each other, and for a file that cannot be written or must not be lost.
void requireConsistent(const CheckpointOptions& options);

/// Runs it to `stop`, ms, from where it was kept, and keeps it, also when it is interrupted. `network`: the sums of
/// what is simulated (study::checkSumOf, where there is a checkpoint). Returns from when on it ran, ms.
double runWithCheckpoints(simulation::Simulation& simulation, const simulation::SimulationParameters& parameters,
                          const study::NetworkSum& network, double stop, const CheckpointOptions& options,
                          const RunControl& control);

} // namespace hinesight::cli
