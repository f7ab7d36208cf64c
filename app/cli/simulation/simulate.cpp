#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/simulation/checkpoint_options.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/stage_timings.hpp"
#include "io/runs/history_records.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_checkpoint.hpp"
#include "study/simulation/simulation_output.hpp"
#include "study/simulation/single_cell.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
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
  std::string cableCell;
  study::SingleCell cell;
  std::vector<double> current; ///< nA, ms, ms
  CheckpointOptions checkpoint;
  std::string timingsFile;   ///< empty: none
  bool isRepetition = false; ///< of a recorded run, whose parameters are all given
  // What the command line gave; the rest is the configuration's.
  const CLI::Option *timeStep = nullptr, *scheme = nullptr, *celsius = nullptr, *stopOption = nullptr,
                    *currentOption = nullptr, *morphology = nullptr, *seedOption = nullptr, *mechanisms = nullptr;
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

/// What it takes to run it again, besides files and parameters.
std::vector<Setting> settingsOf(const SimulateOptions& options, const Run& run)
{
  std::vector<Setting> settings = {{"tstop", textOf(run.stop)}, {"seed", textOf(run.circuit.seed)}};
  if (!options.cell.mechanisms.empty())
    settings.push_back({"mechanisms", options.cell.mechanisms});
  if (!options.cell.morphology.empty())
    settings.push_back({"morphology", options.cell.morphology});
  if (!options.current.empty())
    settings.push_back(
        {"current", textOf(options.current[0]) + "," + textOf(options.current[1]) + "," + textOf(options.current[2])});
  return settings;
}

/// Of "0.2,500,500".
std::vector<double> numbersOf(const std::string& option, const std::string& text)
{
  std::vector<double> numbers;
  std::istringstream stream(text);
  for (std::string each; std::getline(stream, each, ',');)
    numbers.push_back(parseNumber<double>(option, each));
  return numbers;
}

/// Takes files and parameters of the last simulation of a record; options beside it have the last word.
void takeRecord(const std::string& path, SimulateOptions& options)
{
  const std::vector<io::RunRecord> runs = io::readTimings(path);
  const auto run = std::ranges::find(runs.rbegin(), runs.rend(), io::RunKind::Simulation, &io::RunRecord::kind);
  if (run == runs.rend() || run->files.empty())
    throw Error(ErrorCode::BadFormat, "holds no simulation with its file", path);
  std::vector<BoundField> fields = fieldsOf(options.parameters);
  for (const std::string& name : applySettings(fields, run->settings)) {
    const std::string& text = std::ranges::find(run->settings, name, &Setting::name)->text;
    if (name == "tstop")
      options.stop = parseNumber<double>("--tstop", text);
    else if (name == "seed")
      options.seed = parseNumber<std::uint64_t>("--seed", text);
    else if (name == "morphology")
      options.cell.morphology = text;
    else if (name == "mechanisms")
      options.cell.mechanisms = text;
    else if (name == "current")
      options.current = numbersOf("--current", text);
    else
      throw Error(ErrorCode::BadFormat, "has a parameter that this version does not know: " + name, path);
  }
  options.file = run->files.front();
  options.isRepetition = true;
}

Run readRun(const SimulateOptions& options, const RunControl& control)
{
  Run run;
  run.parameters = options.parameters;
  if (study::isSingleCell(options.file)) {
    study::SingleCell cell = options.cell;
    cell.file = options.file;
    if (options.current.size() == 3)
      cell.current = {options.current[0], options.current[1], options.current[2]};
    run.circuit = study::buildSingleCell(cell);
    run.stop = options.stop;
  } else {
    for (const CLI::Option* option : {options.currentOption, options.morphology, options.mechanisms})
      if (isGiven(option))
        throw CLI::ValidationError(option->get_name(), "has no effect on a configuration, which says it itself");
    const io::SimulationConfiguration configuration = io::readSimulationConfiguration(options.file);
    const bool hasSeed = isGiven(options.seedOption) || options.isRepetition;
    run.circuit = study::buildSimulation(configuration, hasSeed ? std::optional(options.seed) : std::nullopt, control);
    run.stop = isGiven(options.stopOption) || options.isRepetition ? options.stop : configuration.stop;
    run.spikesFile = configuration.spikesFile;
    if (!isGiven(options.timeStep) && !options.isRepetition)
      run.parameters.timeStep = configuration.timeStep;
  }
  if (!isGiven(options.celsius) && !options.isRepetition)
    run.parameters.celsius = run.circuit.celsius;
  if (isNeurons(run.parameters.rules) && !isGiven(options.scheme))
    run.parameters.scheme = simulation::Scheme::BackwardEuler;
  else if (run.circuit.scheme && !isGiven(options.scheme) && !options.isRepetition)
    run.parameters.scheme = *run.circuit.scheme;
  return run;
}

/// "NVIDIA H200", or "AMD EPYC, 2 threads".
std::string deviceText(Backend backend, int threads)
{
  if (backend == Backend::Cuda)
    return planningDevice().name;
  const int count = threads > 0 ? threads : hardwareThreads();
  return processorName() + ", " + std::to_string(count) + (count == 1 ? " thread" : " threads");
}

/// The stages of the simulation itself, as far as it tells them, and the rest of what it took.
void addSimulated(StageTimings& timings, const StageTimings& ofSimulation, double spent)
{
  double rest = spent;
  for (const Stage& stage : ofSimulation.stages) {
    timings.add(stage.name, stage.milliseconds);
    rest -= stage.milliseconds;
  }
  timings.add("simulate", std::max(0.0, rest));
}

int runSimulate(const SimulateOptions& options, Session& session)
{
  if (options.file.empty())
    throw CLI::RequiredError("FILE");
  validateFields(fieldsOf(options.parameters));
  requireConsistent(options.checkpoint);
  if (!options.timingsFile.empty()) {
    io::requireTimingsExtension(options.timingsFile);
    requireWritable(options.timingsFile);
  }
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
  if (!options.cableCell.empty())
    io::writeCableCell(study::cableCellOf(run.circuit), options.cableCell);
  const std::uint64_t sum = study::checkSumOf(run.circuit.network);
  simulation::Simulation simulation(run.circuit.network, run.parameters);
  timings.backend = run.parameters.backend;
  timings.device = deviceText(timings.backend, run.parameters.threads);
  timings.add("read", watch.elapsed());
  watch = Stopwatch();
  const double begin = runWithCheckpoints(simulation, run.parameters, sum, run.stop, options.checkpoint, control);
  const double spent = watch.elapsed();
  addSimulated(timings, simulation.stages(), spent);
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
  const double simulated = simulation.time() - begin; // ms, by this run
  const double steps = simulated / run.parameters.timeStep;
  const double rate = static_cast<double>(compartments) * steps / spent * 1e3;
  if (!options.timingsFile.empty())
    io::writeTimings(
        {io::recordOfSimulation(
            {fs::path(options.file).filename().string(), {options.file}, network.cells(), compartments, simulated},
            run.parameters, settingsOf(options, run), spent, timings)},
        options.timingsFile);
  const std::vector<io::PopulationSpikes> spikes = study::spikesOf(run.circuit, simulation);
  if (session.json) {
    Json populations = Json::array();
    for (const io::PopulationSpikes& each : spikes)
      populations.push_back({{"name", each.population}, {"spikes", each.time.size()}});
    printJson(session.results(), {{"cells", network.cells()},
                                  {"pointNeurons", network.pointNeurons.size()},
                                  {"compartments", compartments},
                                  {"synapses", run.circuit.synapses},
                                  {"gapJunctions", run.circuit.junctions},
                                  {"populations", std::move(populations)},
                                  {"milliseconds", jsonNumber(simulation.time())},
                                  {"backend", backendName(timings.backend)},
                                  {"device", timings.device},
                                  {"settings", jsonSettings(hinesight::settingsOf(fieldsOf(run.parameters)))},
                                  {"stages", jsonStages(timings)},
                                  {"compartmentStepsPerSecond", jsonNumber(rate)},
                                  {"realTimeFactor", jsonNumber(simulated / spent)},
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
  if (run.circuit.junctions > 0)
    printField(out, "gap junctions", formatCount(static_cast<std::int64_t>(run.circuit.junctions)));
  printField(out, "simulated", formatNumber(simulation.time(), 8) + " ms");
  for (const io::PopulationSpikes& each : spikes)
    printField(out, "spikes", formatCount(static_cast<std::int64_t>(each.time.size())) + " (" + each.population + ")");
  printField(out, "speed",
             formatNumber(rate / 1e6, 4) + " M compartment-steps/s, " + formatNumber(simulated / spent, 3) +
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
      addCommand(program, session, "simulate", "Simulate cells with channels: a SONATA circuit, or one cell",
                 [options, &session] { return runSimulate(*options, session); });
  options->stop = 1000;
  command
      .addInput(
          "--from", [options](const std::string& path) { takeRecord(path, *options); },
          "Repeat the last simulation of a file that --timings wrote; other options change it")
      ->type_name("RECORD");
  command.addInput("FILE", options->file,
                   "A SONATA simulation configuration, a *_fit.json of the Allen Cell Types database, or an ACC file "
                   "of Arbor");
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
                                         "Of a single cell: its SWC file; else the only one beside it");
  options->mechanisms = command.addInput("--mechanisms", options->cell.mechanisms,
                                         "Of a single cell: a JSON file of mechanisms of your own; a circuit has them "
                                         "in its mechanisms_dir");
  options->currentOption = command
                               .add_option("--current", options->current,
                                           "Of a single cell: a current into its soma, in nA, from and for how many ms")
                               ->delimiter(',')
                               ->type_name("NA,MS,MS")
                               ->expected(3);
  options->seedOption =
      addNumber(command, "--seed", options->seed,
                "Of all that is by chance: noise, Poisson spikes, places of synapses that the edges do "
                "not say; a configuration may say it itself");
  command.addOutput("--acc", options->cableCell, "Write the cell as Arbor has it, with what is placed on it");
  command.addOutput("--out", options->output, "The folder to write spikes.h5, spikes.csv and the reports to");
  command.addOutput("--timings", options->timingsFile, "Write the run to a .csv or .json file");
  addCheckpointOptions(command, options->checkpoint);
}

} // namespace hinesight::cli
