#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/files.hpp"
#include "core/stage_timings.hpp"
#include "io/models/allen_fit.hpp"
#include "morphology/swc.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_output.hpp"
#include "study/simulation/single_cell.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

namespace fs = std::filesystem;

constexpr double kLongestSimulation = 1e9; // ms

struct SimulateOptions
{
  std::string file;
  simulation::SimulationParameters parameters;
  double stop = 0;
  std::uint64_t seed = 1;
  std::string output;
  study::SingleCell cell;
  std::vector<double> current; ///< nA, ms, ms
  // What the command line gave; the rest is the configuration's.
  const CLI::Option *timeStep = nullptr, *scheme = nullptr, *celsius = nullptr, *stopOption = nullptr,
                    *currentOption = nullptr, *morphology = nullptr;
};

struct Run
{
  study::CircuitSimulation circuit;
  simulation::SimulationParameters parameters;
  double stop = 0;
  std::string spikesFile = "spikes.h5";
};

bool isGiven(const CLI::Option* option)
{
  return option->count() > 0;
}

Run readRun(const SimulateOptions& options, const RunControl& control)
{
  Run run;
  run.parameters = options.parameters;
  if (study::isAllenFit(options.file)) {
    study::SingleCell cell = options.cell;
    cell.fit = options.file;
    if (isGiven(options.currentOption))
      cell.current = {options.current[0], options.current[1], options.current[2]};
    run.circuit = study::buildSingleCell(cell);
    run.stop = options.stop;
  } else {
    for (const CLI::Option* option : {options.currentOption, options.morphology})
      if (isGiven(option))
        throw CLI::ValidationError(option->get_name(), "has no effect on a configuration, which says it itself");
    const io::SimulationConfiguration configuration = io::readSimulationConfiguration(options.file);
    run.circuit = study::buildSimulation(configuration, options.seed, control);
    run.stop = isGiven(options.stopOption) ? options.stop : configuration.stop;
    run.spikesFile = configuration.spikesFile;
    if (!isGiven(options.timeStep))
      run.parameters.timeStep = configuration.timeStep;
  }
  if (!isGiven(options.celsius))
    run.parameters.celsius = run.circuit.celsius;
  if (isNeurons(run.parameters.rules) && !isGiven(options.scheme))
    run.parameters.scheme = simulation::Scheme::BackwardEuler;
  return run;
}

int runSimulate(const SimulateOptions& options, Session& session)
{
  validateFields(fieldsOf(options.parameters));
  if (!(options.stop >= 0 && options.stop <= kLongestSimulation))
    throw Error(ErrorCode::BadParameter, "--tstop is " + formatNumber(options.stop, 6) + "; 0 to 1e9 ms are possible.");
  const RunControl& control = session.control();
  StageTimings timings;
  Stopwatch watch;
  Run run = readRun(options, control);
  if (!(run.stop > 0))
    throw Error(ErrorCode::BadParameter, "The simulation would stop at 0 ms; --tstop says when.");
  study::requireMemoryOfRecords(run.circuit.network, run.stop, run.parameters.timeStep);
  if (!options.output.empty())
    study::makeOutputFolder(options.output);
  for (const std::string& note : run.circuit.notes)
    session.printWarning(note);
  simulation::Simulation simulation(run.circuit.network, run.parameters);
  timings.add("read", watch.elapsed());
  watch = Stopwatch();
  simulation.runUntil(run.stop, control);
  const double spent = watch.elapsed();
  timings.add("simulate", spent);
  watch = Stopwatch();
  std::vector<std::string> files;
  if (!options.output.empty()) {
    files = study::writeSimulation(run.circuit, simulation, run.spikesFile, run.parameters.timeStep, options.output,
                                   control);
    timings.add("export", watch.elapsed());
  }

  const simulation::Network& network = run.circuit.network;
  std::uint64_t compartments = 0;
  for (const std::uint32_t model : network.modelOf)
    compartments += network.models[model]->cut.nodes();
  const double steps = simulation.time() / run.parameters.timeStep;
  const double rate = static_cast<double>(compartments) * steps / spent * 1e3;
  const std::vector<io::PopulationSpikes> spikes = study::spikesOf(run.circuit, simulation);
  if (session.json) {
    Json populations = Json::array();
    for (const io::PopulationSpikes& each : spikes)
      populations.push_back({{"name", each.population}, {"spikes", each.time.size()}});
    printJson(session.results(), {{"cells", network.cells()},
                                  {"pointNeurons", network.pointNeurons.size()},
                                  {"compartments", compartments},
                                  {"synapses", run.circuit.synapses},
                                  {"populations", std::move(populations)},
                                  {"milliseconds", jsonNumber(simulation.time())},
                                  {"settings", jsonSettings(settingsOf(fieldsOf(run.parameters)))},
                                  {"stages", jsonStages(timings)},
                                  {"compartmentStepsPerSecond", jsonNumber(rate)},
                                  {"realTimeFactor", jsonNumber(simulation.time() / spent)},
                                  {"files", files},
                                  {"warnings", run.circuit.notes}});
    return 0;
  }
  std::ostream& out = session.results();
  printField(out, "cells",
             formatCount(static_cast<std::int64_t>(network.cells())) + " (" +
                 formatCount(static_cast<std::int64_t>(compartments)) + " compartments)");
  if (!network.pointNeurons.empty())
    printField(out, "point neurons", formatCount(static_cast<std::int64_t>(network.pointNeurons.size())));
  if (run.circuit.edges > 0)
    printField(out, "synapses", formatCount(static_cast<std::int64_t>(run.circuit.synapses)));
  printField(out, "simulated", formatNumber(simulation.time(), 8) + " ms");
  for (const io::PopulationSpikes& each : spikes)
    printField(out, "spikes", formatCount(static_cast<std::int64_t>(each.time.size())) + " (" + each.population + ")");
  printField(out, "speed",
             formatNumber(rate / 1e6, 4) + " M compartment-steps/s, " + formatNumber(simulation.time() / spent, 3) +
                 " x real time");
  for (const std::string& file : files)
    printField(out, "wrote", (fs::path(options.output) / file).string());
  out << '\n';
  printStages(out, timings);
  return 0;
}

} // namespace

void addSimulateCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<SimulateOptions>();
  Command& command =
      addCommand(program, session, "simulate", "Simulate cells with channels: a SONATA circuit, or one Allen cell",
                 [options, &session] { return runSimulate(*options, session); });
  command
      .addInput("FILE", options->file,
                "A SONATA simulation configuration, or a *_fit.json of the Allen Cell Types database")
      ->required();
  options->stop = 1000;
  options->stopOption = addNumber(command, "--tstop", options->stop, "Until when, ms; a configuration says it itself");
  for (const BoundField& field : fieldsOf(options->parameters)) {
    const CLI::Option* option = addFieldOption(command, field, "Simulation");
    if (option->check_lname("dt"))
      options->timeStep = option;
    else if (option->check_lname("scheme"))
      options->scheme = option;
    else if (option->check_lname("celsius"))
      options->celsius = option;
  }
  options->morphology = command.addInput("--morphology", options->cell.morphology,
                                         "Of a fit: the SWC file of its cell; else the only one beside it");
  options->currentOption = command
                               .add_option("--current", options->current,
                                           "Of a fit: a current into its soma, in nA, from and for how many ms")
                               ->delimiter(',')
                               ->type_name("NA,MS,MS")
                               ->expected(3);
  addNumber(command, "--seed", options->seed, "For places of synapses that the edges do not say");
  command.addOutput("--out", options->output, "The folder to write spikes.h5, spikes.csv and the reports to");
}

} // namespace hinesight::cli
