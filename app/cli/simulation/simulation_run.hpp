#pragma once

#include "app/cli/report.hpp"
#include "app/cli/session.hpp"
#include "app/cli/simulation/checkpoint_options.hpp"
#include "core/stage_timings.hpp"
#include "simulation/parameters.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/simulation/circuit_simulation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hinesight::cli {

/// A circuit that is to be simulated, and what was spent on reading it.
struct SimulationRun
{
  study::CircuitSimulation circuit;
  simulation::SimulationParameters parameters;
  double stop = 0; ///< ms
  std::string spikesFile = "spikes.h5";
  StageTimings timings;
};

/// What came of it.
struct SimulationSummary
{
  struct Spikes
  {
    std::string population;
    std::size_t count;
  };

  std::uint64_t cells, pointNeurons, compartments, synapses, junctions;
  double bytesOfSynapse; ///< 0: there are none
  std::vector<Spikes> spikes;
  double time;      ///< ms, that it stands at
  double simulated; ///< ms of it, by this run
  double spent;     ///< ms
  double compartmentStepsPerSecond;
  double realTimeFactor;
  StageTimings timings;
  std::vector<Setting> settings;
  std::vector<std::string> notes;
  std::vector<std::string> files; ///< in the folder
};

/// The circuit of a session, as it says it is simulated. Throws as study::buildSimulation.
SimulationRun runOf(const study::Circuit& circuit, const RunControl& control);

/// Throws Error(BadParameter) for a time to stop that is not from 0 to 1e9 ms.
void requireStop(double stop);

/// Simulates it, and writes spikes and reports to a folder, unless that is empty. Prints what is not honoured. Throws
/// as Simulation and study::writeSimulation, Error(BadParameter) for a time to stop that is not above 0.
SimulationSummary simulate(SimulationRun run, const std::filesystem::path& folder, Session& session,
                           const CheckpointOptions& checkpoint = {});

Json toJson(const SimulationSummary& summary);
void printText(std::ostream& stream, const SimulationSummary& summary, const std::filesystem::path& folder);

} // namespace hinesight::cli
