#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/ranks.hpp"
#include "app/cli/report.hpp"
#include "app/cli/sessions/session_options.hpp"
#include "app/cli/simulation/checkpoint_options.hpp"
#include "app/cli/simulation/simulation_run.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/runs/history_records.hpp"
#include "model/session_file.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/single_cell.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

namespace fs = std::filesystem;

const std::string kChange = "set."; ///< of a session, in records

struct SimulateOptions
{
  SessionOptions session; ///< its file may be a configuration or a cell
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
  // What the command line gave; the rest is the file's.
  std::map<std::string, Option> ofFields; ///< by their names
  Option stopOption, currentOption, morphology, seedOption, mechanisms, setOption;
};

bool isGiven(const SimulateOptions& options, const std::string& field)
{
  return options.ofFields.at(field).isGiven();
}

/// What it takes to run it again, besides files and parameters.
std::vector<Setting> settingsOf(const SimulateOptions& options, const SimulationRun& run)
{
  std::vector<Setting> settings = {{"tstop", textOf(run.stop)}, {"seed", textOf(run.circuit.seed)}};
  if (!options.cell.mechanisms.empty())
    settings.push_back({"mechanisms", options.cell.mechanisms});
  if (!options.cell.morphology.empty())
    settings.push_back({"morphology", options.cell.morphology});
  if (!options.current.empty())
    settings.push_back(
        {"current", textOf(options.current[0]) + "," + textOf(options.current[1]) + "," + textOf(options.current[2])});
  for (std::size_t k = 0; k < options.session.changes.size(); ++k)
    settings.push_back({kChange + std::to_string(k), options.session.changes[k]});
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
    else if (name.starts_with(kChange))
      options.session.changes.push_back(text);
    else
      throw Error(ErrorCode::BadFormat, "has a parameter that this version does not know: " + name, path);
  }
  options.session.file = run->files.front();
  options.isRepetition = true;
}

/// Refuses options that a file of its kind has no use for.
void requireNone(std::initializer_list<Option> options, const std::string& file)
{
  for (const Option& option : options)
    if (option.isGiven())
      throw UsageError(option.name(), "has no effect on a " + file);
}

void readSingleCell(const SimulateOptions& options, SimulationRun& run)
{
  requireNone({options.setOption}, "single cell");
  study::SingleCell cell = options.cell;
  cell.file = options.session.file;
  if (options.current.size() == 3)
    cell.current = {options.current[0], options.current[1], options.current[2]};
  run.circuit = study::buildSingleCell(cell);
  run.stop = options.stop;
}

void readConfiguration(const SimulateOptions& options, SimulationRun& run, const RunControl& control)
{
  requireNone({options.currentOption, options.morphology, options.mechanisms, options.setOption},
              "configuration, which says it itself");
  const io::SimulationConfiguration configuration = io::readSimulationConfiguration(options.session.file);
  const bool hasSeed = options.seedOption.isGiven() || options.isRepetition;
  run.circuit = study::buildSimulation(configuration, hasSeed ? std::optional(options.seed) : std::nullopt, control);
  run.stop = options.stopOption.isGiven() || options.isRepetition ? options.stop : configuration.stop;
  run.spikesFile = configuration.spikesFile;
  if (!isGiven(options, "dt") && !options.isRepetition)
    run.parameters.timeStep = configuration.timeStep;
}

SimulationRun readSession(const SimulateOptions& options, Session& session)
{
  requireNone({options.currentOption, options.morphology, options.mechanisms, options.seedOption},
              "session, which has stimuli, cells and seeds of its own");
  const Stopwatch watch;
  model::Project project = readProject(options.session, session);
  if (!project.simulate)
    project.simulate.emplace();
  if (options.stopOption.isGiven() || options.isRepetition)
    project.simulate->stop = options.stop;
  std::vector<BoundField> fields = fieldsOf(project.simulate->parameters);
  for (const BoundField& given : fieldsOf(options.parameters))
    if (isGiven(options, given.name) || options.isRepetition)
      findField(fields, given.name)->setText(given.text());
  study::requireSimulable(project, session.control());
  const study::Circuit circuit = study::makeCircuit(project, session.control());
  const double spent = watch.elapsed();
  SimulationRun run = runOf(circuit, session.control());
  run.timings.stages.insert(run.timings.stages.begin(), {"circuit", spent});
  return run;
}

SimulationRun readRun(const SimulateOptions& options, Session& session)
{
  if (model::isSession(options.session.file))
    return readSession(options, session);
  const Stopwatch watch;
  SimulationRun run;
  run.parameters = options.parameters;
  if (study::isSingleCell(options.session.file))
    readSingleCell(options, run);
  else
    readConfiguration(options, run, session.control());
  if (!isGiven(options, "celsius") && !options.isRepetition)
    run.parameters.celsius = run.circuit.celsius;
  if (isNeurons(run.parameters.rules) && !isGiven(options, "scheme"))
    run.parameters.scheme = simulation::Scheme::BackwardEuler;
  else if (run.circuit.scheme && !isGiven(options, "scheme") && !options.isRepetition)
    run.parameters.scheme = *run.circuit.scheme;
  run.timings.add("read", watch.elapsed());
  return run;
}

int runSimulate(const SimulateOptions& options, Session& session)
{
  if (options.session.file.empty())
    throw UsageError("FILE is required");
  validateFields(fieldsOf(options.parameters));
  requireConsistent(options.checkpoint);
  if (!options.timingsFile.empty()) {
    io::requireTimingsExtension(options.timingsFile);
    requireWritable(options.timingsFile);
  }
  requireStop(options.stop);
  SimulationRun run = readRun(options, session);
  if (!options.cableCell.empty())
    io::writeCableCell(study::cableCellOf(run.circuit), options.cableCell);
  const simulation::SimulationParameters parameters = run.parameters;
  const std::vector<Setting> settings = settingsOf(options, run);
  const SimulationSummary summary = simulate(std::move(run), options.output, session, options.checkpoint);
  if (!options.timingsFile.empty())
    io::writeTimings({io::recordOfSimulation({fs::path(options.session.file).filename().string(),
                                              {options.session.file},
                                              summary.cells,
                                              summary.compartments,
                                              summary.simulated},
                                             parameters, settings, summary.spent, summary.timings)},
                     options.timingsFile);
  if (session.json)
    printJson(session.results(), toJson(summary));
  else
    printText(session.results(), summary, options.output);
  return 0;
}

} // namespace

void addSimulateCommand(Command& program, Session& session)
{
  auto options = std::make_shared<SimulateOptions>();
  Command& command =
      addCommand(program, session, "simulate", "Simulate cells with channels: a session, a SONATA circuit, or one cell",
                 [options, &session] { return runSimulate(*options, session); });
  options->stop = 1000;
  command
      .addInput(
          "--from", [options](const std::string& path) { takeRecord(path, *options); },
          "Repeat the last simulation of a file that --timings wrote; other options change it")
      .typeName("RECORD");
  command.addInput(
      "FILE", options->session.file,
      "A session, a SONATA simulation configuration, a *_fit.json of the Allen Cell Types database, or an ACC file "
      "of Arbor");
  options->stopOption =
      addNumber(command, "--tstop", options->stop, "Until when, ms; a session and a configuration say it themselves");
  for (const BoundField& field : fieldsOf(options->parameters))
    options->ofFields[field.name] = addFieldOption(command, field, "Simulation");
  options->setOption = addSetOption(command, options->session);
  options->morphology = command.addInput("--morphology", options->cell.morphology,
                                         "Of a single cell: its SWC file; else the only one beside it");
  options->mechanisms = command.addInput("--mechanisms", options->cell.mechanisms,
                                         "Of a single cell: a JSON file of mechanisms of your own; a circuit has them "
                                         "in its mechanisms_dir");
  options->currentOption = command
                               .addOption("--current", options->current,
                                          "Of a single cell: a current into its soma, in nA, from and for how many ms")
                               .splitsAtCommas()
                               .typeName("NA,MS,MS")
                               .takes(3);
  options->seedOption =
      addNumber(command, "--seed", options->seed,
                "Of all that is by chance: noise, Poisson spikes, places of synapses that the edges do "
                "not say; a configuration may say it itself");
  command.addOutput("--acc", options->cableCell, "Write the cell as Arbor has it, with what is placed on it");
  command.addOutputFolder("--out", options->output, "The folder to write spikes.h5, spikes.csv and the reports to");
  command.addOutput("--timings", options->timingsFile, "Write the run to a .csv or .json file");
  addCheckpointOptions(command, options->checkpoint);
  addRanksOption(command, session, "Simulation");
}

} // namespace hinesight::cli
