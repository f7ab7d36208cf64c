#include "app/cli/simulation/simulation_run.hpp"

#include "core/error.hpp"
#include "core/fields.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulation_checkpoint.hpp"
#include "study/simulation/simulation_output.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

/// The stages of the simulation itself, as far as it tells them, and the rest of what it took.
void addSimulated(StageTimings& timings, const StageTimings& ofSimulation, double spent)
{
  timings.add(ofSimulation);
  timings.add("simulate", std::max(0.0, spent - ofSimulation.total()));
}

SimulationSummary summaryOf(const study::CircuitSimulation& circuit)
{
  const simulation::Network& network = circuit.network;
  SimulationSummary summary{};
  summary.cells = network.cells();
  summary.pointNeurons = network.pointNeurons.size();
  for (const std::uint32_t model : network.modelOf)
    summary.compartments += network.models[model]->cut.nodes();
  summary.synapses = circuit.synapses;
  summary.junctions = circuit.junctions;
  if (circuit.synapses > 0)
    summary.bytesOfSynapse =
        static_cast<double>(study::bytesOfSynapses(network)) / static_cast<double>(circuit.synapses);
  summary.notes = circuit.notes;
  return summary;
}

/// The network; its connections, of which there may be many, are not kept.
simulation::Network takeNetwork(study::CircuitSimulation& circuit)
{
  std::vector<simulation::Connection> connections;
  connections.swap(circuit.network.connections);
  simulation::Network network = circuit.network;
  network.connections = std::move(connections);
  return network;
}

} // namespace

SimulationRun runOf(const study::Circuit& circuit, const RunControl& control)
{
  const Stopwatch watch;
  SimulationRun run;
  run.circuit = study::buildSimulation(circuit, control);
  for (const std::string& name : run.circuit.withoutSynapses) {
    const std::string note = study::noteOfLeftOut(name);
    std::ranges::replace(run.circuit.notes, note,
                         note + " Its field synapse-place says where they are: in the session, or by run --set " +
                             quoteForShell("connections." + name + ".synapse-place=soma") + ", for example.");
  }
  run.parameters = circuit.project.simulate->parameters;
  run.stop = circuit.project.simulate->stop;
  run.timings.add("network", watch.elapsed());
  return run;
}

void requireStop(double stop)
{
  constexpr double kLongestSimulation = 1e9; // ms
  if (!(stop >= 0 && stop <= kLongestSimulation))
    throw Error(ErrorCode::BadParameter, "--tstop is " + formatNumber(stop, 6) + "; 0 to 1e9 ms are possible.");
}

SimulationSummary simulate(SimulationRun run, const std::filesystem::path& folder, Session& session,
                           const CheckpointOptions& checkpoint)
{
  if (!(run.stop > 0))
    throw Error(ErrorCode::BadParameter, "The simulation would stop at 0 ms; --tstop says when.");
  study::requireMemoryOfRecords(run.circuit.network, run.stop, run.parameters.timeStep);
  if (!folder.empty())
    study::makeOutputFolder(folder);
  for (const std::string& note : run.circuit.notes)
    session.printWarning(note);
  SimulationSummary summary = summaryOf(run.circuit);
  summary.settings = settingsOf(fieldsOf(run.parameters));
  StageTimings& timings = summary.timings = std::move(run.timings);
  timings.backend = run.parameters.backend;
  Stopwatch watch;
  const bool hasCheckpoint = !checkpoint.file.empty() || !checkpoint.resume.empty();
  const auto sum =
      hasCheckpoint ? study::checkSumOf(run.circuit.network, run.stop, checkpoint.resume) : study::NetworkSum();
  simulation::Simulation simulation(takeNetwork(run.circuit), run.parameters);
  timings.device = simulation.stages().device;
  timings.add("prepare", watch.elapsed());
  watch = Stopwatch();
  const double begin = runWithCheckpoints(simulation, run.parameters, sum, run.stop, checkpoint, session.control());
  summary.spent = watch.elapsed();
  addSimulated(timings, simulation.stages(), summary.spent);
  watch = Stopwatch();
  if (!folder.empty()) {
    summary.files = study::writeSimulation(run.circuit, simulation, run.spikesFile, run.parameters.timeStep, folder,
                                           session.control());
    timings.add("export", watch.elapsed());
  }
  constexpr double kMillisecondsOfSecond = 1e3;
  summary.time = simulation.time();
  summary.simulated = simulation.time() - begin;
  summary.compartmentStepsPerSecond = static_cast<double>(summary.compartments) * summary.simulated /
                                      run.parameters.timeStep / summary.spent * kMillisecondsOfSecond;
  summary.realTimeFactor = summary.simulated / summary.spent;
  for (const io::PopulationSpikes& each : study::spikesOf(run.circuit, simulation))
    summary.spikes.push_back({each.population, each.time.size()});
  return summary;
}

Json toJson(const SimulationSummary& summary)
{
  Json populations = Json::array();
  for (const SimulationSummary::Spikes& each : summary.spikes)
    populations.push_back({{"name", each.population}, {"spikes", each.count}});
  return {{"cells", summary.cells},
          {"pointNeurons", summary.pointNeurons},
          {"compartments", summary.compartments},
          {"synapses", summary.synapses},
          {"bytesOfSynapse", jsonNumber(summary.bytesOfSynapse)},
          {"gapJunctions", summary.junctions},
          {"populations", std::move(populations)},
          {"milliseconds", jsonNumber(summary.time)},
          {"backend", backendName(summary.timings.backend)},
          {"device", summary.timings.device},
          {"settings", jsonSettings(summary.settings)},
          {"stages", jsonStages(summary.timings)},
          {"compartmentStepsPerSecond", jsonNumber(summary.compartmentStepsPerSecond)},
          {"realTimeFactor", jsonNumber(summary.realTimeFactor)},
          {"files", summary.files},
          {"warnings", summary.notes}};
}

void printText(std::ostream& stream, const SimulationSummary& summary, const std::filesystem::path& folder)
{
  const auto count = [](std::uint64_t number) { return formatCount(static_cast<std::int64_t>(number)); };
  printField(stream, "cells", count(summary.cells) + " (" + count(summary.compartments) + " compartments)");
  if (summary.pointNeurons > 0)
    printField(stream, "point neurons", count(summary.pointNeurons));
  if (summary.synapses > 0)
    printField(stream, "synapses",
               count(summary.synapses) + ", " + formatNumber(summary.bytesOfSynapse, 3) + " bytes of memory each");
  if (summary.junctions > 0)
    printField(stream, "gap junctions", count(summary.junctions));
  printField(stream, "simulated", formatNumber(summary.time, 8) + " ms");
  for (const SimulationSummary::Spikes& each : summary.spikes)
    printField(stream, "spikes", count(each.count) + " (" + each.population + ")");
  printField(stream, "speed",
             formatNumber(summary.compartmentStepsPerSecond / 1e6, 4) + " M compartment-steps/s, " +
                 formatNumber(summary.realTimeFactor, 3) + " x real time");
  printField(stream, "run on", std::string(backendName(summary.timings.backend)) + " (" + summary.timings.device + ")");
  for (const std::string& file : summary.files)
    printField(stream, "wrote", (folder / file).string());
  stream << '\n';
  printStages(stream, summary.timings);
}

} // namespace hinesight::cli
