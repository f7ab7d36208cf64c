#include "app/cli/commands.hpp"
#include "app/cli/networks/formation_options.hpp"
#include "app/cli/networks/network_runs.hpp"
#include "app/cli/networks/plasticity_options.hpp"
#include "app/cli/options.hpp"
#include "app/cli/ranks.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "io/networks/network_files.hpp"
#include "io/runs/plasticity_log.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

using synapse::PlasticityModel;
using synapse::StepRecord;

/// What the command line says of the model beside GrowOptions.
struct GrowCommand
{
  GrowOptions run;
  PlasticityOptions model;
  const Command* command = nullptr; ///< knows what the command line gives
};

/// Files that get rows while a model runs.
class Monitors
{
public:
  Monitors(const GrowOptions& options, const PlasticityModel& model, bool resumed)
      : monitored(options.monitored), monitorEvery(options.monitorEvery)
  {
    for (const std::uint32_t neuron : monitored)
      if (neuron >= model.population().size())
        throw Error(ErrorCode::BadParameter, "Neuron " + std::to_string(neuron) +
                                                 " is to be monitored, but there are " +
                                                 formatCount(static_cast<std::int64_t>(model.population().size())) +
                                                 " neurons; they count from 0.");
    const auto open = [&](std::optional<io::StepLog>& log, const std::string& path, std::string_view columns) {
      if (path.empty())
        return;
      const std::string head =
          io::logHead(model, columns, options.start ? options.start->name : options.source.network);
      if (resumed)
        log.emplace(path, head, model.step());
      else
        log.emplace(path, head);
    };
    open(records, options.records, io::recordColumns());
    open(neurons, options.neuronLog, io::neuronColumns());
    open(areas, options.areaLog, io::areaColumns());
  }

  void add(const std::vector<StepRecord>& added)
  {
    for (const StepRecord& record : added)
      if (records)
        records->write(io::recordRow(record));
  }

  /// The next step after which neurons or areas are looked at.
  std::uint32_t nextAfter(std::uint32_t step) const
  {
    return neurons || areas ? step + monitorEvery - step % monitorEvery : UINT32_MAX;
  }
  void look(const PlasticityModel& model)
  {
    if ((!neurons && !areas) || model.step() % monitorEvery != 0)
      return;
    const synapse::NeuronState state = model.state();
    if (neurons)
      neurons->write(io::neuronRows(model.step(), state, monitored));
    if (areas)
      areas->write(io::areaRows(model.step(), state, model.population()));
  }

  std::vector<io::StepLog*> logs()
  {
    std::vector<io::StepLog*> open;
    for (std::optional<io::StepLog>* log : {&records, &neurons, &areas})
      if (*log)
        open.push_back(&**log);
    return open;
  }

private:
  std::vector<std::uint32_t> monitored;
  std::uint32_t monitorEvery;
  std::optional<io::StepLog> records, neurons, areas;
};

std::uint64_t createdUpTo(std::uint32_t step, const std::vector<synapse::Interrupt>& interrupts)
{
  std::uint64_t created = 0;
  for (const synapse::Interrupt& interrupt : interrupts)
    created += interrupt.step <= step ? interrupt.count : 0;
  return created;
}

study::NeuronSource sourceOf(const GrowOptions& options, const synapse::PlasticityParameters& model)
{
  study::NeuronSource source = options.source;
  source.seed = model.search.seed;
  return source;
}

/// Throws where a checkpoint is of another model than the command line describes, as far as it describes one.
void requireSame(const PlasticityModel& checkpoint, const Command& command, const GrowOptions& options,
                 const synapse::PlasticityParameters& described, const RunControl& control)
{
  synapse::PlasticityParameters found = checkpoint.parameters();
  found.backend = described.backend;
  found.threads = described.threads;
  found.devices = described.devices;
  bool same = !command.givesAnyOf(modelGroups()) || found == described;
  if (same && command.givesAnyOf({"Neurons"})) {
    const auto population = study::makeNeurons(sourceOf(options, found), control);
    // Interrupts may have created more.
    const auto beginsWith = [](const auto& all, const auto& first) {
      return all.size() >= first.size() && std::equal(first.begin(), first.end(), all.begin());
    };
    const synapse::NeuronPopulation& there = checkpoint.population();
    same = there.size() == population->size() + createdUpTo(checkpoint.step(), found.interrupts) &&
           beginsWith(there.position, population->position) && beginsWith(there.isInhibitory, population->isInhibitory);
  }
  if (!same)
    throw Error(ErrorCode::BadParameter,
                "is the checkpoint of a model with other neurons or parameters; repeat those it was made with, or give "
                "none of them",
                options.checkpoint);
}

void resume(study::GrowthStudy& study, const std::string& checkpoint, const synapse::PlasticityParameters& parameters,
            Session& session)
{
  std::vector<std::string> unknown;
  study.open(checkpoint, parameters, &unknown, session.control());
  for (const std::string& name : unknown)
    session.messages() << checkpoint << ": warning: has a parameter that this version does not know, " << name
                       << "; the model goes on without it\n";
}

/// A long run's only copy is not written over by a command that was meant to go on from it.
void requireNoCheckpoint(const std::string& path)
{
  if (isThere(path))
    throw Error(ErrorCode::BadParameter,
                "is there already; go on from it with --resume, name another file, or start a new run with --overwrite",
                path);
}

/// Where records are written from the first step, the checkpoint of the run before does not stay beside them until
/// there is another: it could be resumed, and would not fit them.
void removeCheckpoint(const std::string& path)
{
  std::error_code failure;
  std::filesystem::remove(std::filesystem::canonical(path, failure), failure);
}

std::uint64_t synapsesIn(const synapse::Network& network)
{
  std::uint64_t count = 0;
  for (const synapse::Synapse& synapse : network.synapses)
    count += static_cast<std::uint64_t>(std::abs(synapse.weight));
  return count;
}

class Growth
{
public:
  Growth(const GrowOptions& growOptions, study::GrowthStudy& growthStudy, bool resumed)
      : options(growOptions), study(growthStudy), model(*study.model()), monitors(options, model, resumed)
  {}

  GrowRun run(const RunControl& control)
  {
    GrowRun result;
    const std::uint32_t first = model.step();
    bool pending = takeStart(result);
    for (; pending || model.step() < options.steps; pending = false) {
      const std::uint32_t next = pending ? model.step() : nextBreak(model.step());
      runTo(next, control.part(fraction(first, model.step()), fraction(first, next)), result);
      monitors.look(model);
      if (options.checkpointEvery > 0 && model.step() % options.checkpointEvery == 0 && model.step() < options.steps)
        keep();
    }
    if (options.keepsModel())
      keep();
    for (io::StepLog* const log : monitors.logs())
      log->flush();
    const synapse::PlasticityProgress end = model.progress();
    result.steps = end.step - first;
    result.created += end.created;
    result.deleted += end.deleted;
    return result;
  }

private:
  /// Leaves out what was created and deleted before; returns whether an update was cancelled.
  bool takeStart(GrowRun& result) const
  {
    const synapse::PlasticityProgress start = model.progress();
    result.created = 0 - start.created;
    result.deleted = 0 - start.deleted;
    return start.updatePending;
  }

  double fraction(std::uint32_t first, std::uint32_t step) const
  {
    return options.steps > first ? static_cast<double>(step - first) / (options.steps - first) : 1;
  }

  /// The next step after which there is something to be done.
  std::uint32_t nextBreak(std::uint32_t step) const
  {
    constexpr std::uint32_t kMostRecords = 10'000; // that are held before they are written
    std::uint64_t next = std::min<std::uint64_t>(options.steps, std::uint64_t{step} + kMostRecords);
    next = std::min<std::uint64_t>(next, monitors.nextAfter(step));
    if (options.checkpointEvery > 0)
      next =
          std::min<std::uint64_t>(next, std::uint64_t{step} + options.checkpointEvery - step % options.checkpointEvery);
    return static_cast<std::uint32_t>(next);
  }

  void runTo(std::uint32_t step, const RunControl& control, GrowRun& result)
  {
    study::GrowthStretch done;
    const auto takeRecords = [&] {
      monitors.add(done.records);
      for (const StepRecord& record : done.records) {
        result.created += record.created;
        result.deleted += record.deleted;
      }
    };
    try {
      study.advance(step - model.step(), done, control, options.recordEvery);
    } catch (const Error&) {
      takeRecords();
      // An interrupted run can be resumed where it was.
      if (options.keepsModel() && control.isCancelled())
        keep();
      throw;
    }
    takeRecords();
  }

  void keep() { io::writeCheckpoint(model, options.checkpoint, monitors.logs()); }

  const GrowOptions& options;
  study::GrowthStudy& study;
  const PlasticityModel& model; ///< of the study
  Monitors monitors;
};

GrowReport report(std::shared_ptr<const study::GrowthStudy> study, const GrowRun& run)
{
  const PlasticityModel& model = *study->model();
  const synapse::NeuronState state = model.state();
  GrowReport report{std::move(study), run, synapsesIn(model.network()), 0, 0, 0, model.timings()};
  for (std::size_t i = 0; i < state.calcium.size(); ++i) {
    if (state.enabled[i] == 0)
      continue;
    ++report.enabled;
    report.meanCalcium += state.calcium[i];
    report.meanTarget += state.target[i];
  }
  const auto enabled = static_cast<double>(std::max<std::size_t>(report.enabled, 1));
  report.meanCalcium /= enabled;
  report.meanTarget /= enabled;
  return report;
}

/// Throws for options that have no effect without another.
void requireEffect(const Command& command, const GrowOptions& options)
{
  const auto require = [&](const char* option, bool hasEffect, const std::string& others) {
    if (command.option(option).isGiven() && !hasEffect)
      throw UsageError(option, "has no effect without " + others + "; give that too, or leave it out");
  };
  require("--record-every", !options.records.empty(), "--records");
  require("--monitor-every", !options.neuronLog.empty() || !options.areaLog.empty(), "--monitors or --areas");
  require("--overwrite", options.keepsModel(), "--checkpoint");
}

/// Throws for options that contradict each other or that are found wrong only at the end of a long run.
void requireConsistent(const GrowOptions& options)
{
  if (options.resume && options.overwrite)
    throw UsageError("--overwrite", "starts a new run, where --resume goes on; give one of them");
  if (options.monitorEvery == 0)
    throw Error(ErrorCode::BadParameter, "--monitor-every is 0; choose at least 1 step.");
  if (options.neuronLog.empty() != options.monitored.empty())
    throw UsageError("--monitors", "and --monitor-neurons belong together; give both or none");
  if ((options.resume || options.checkpointEvery > 0) && options.checkpoint.empty())
    throw UsageError("--checkpoint", "is missing: it names the file of --checkpoint-every and --resume");
  if (!options.output.empty())
    io::requireNetworkEnding(options.output);
  if (options.keepsModel() && !options.resume && !options.overwrite)
    requireNoCheckpoint(options.checkpoint);
  if (options.keepsModel())
    requireWritable(options.checkpoint);
}

/// `requireDescribed`: throws where a checkpoint is of another model than was asked for.
GrowReport growAs(const GrowOptions& options, const synapse::PlasticityParameters& parameters,
                  const std::function<void(const PlasticityModel&)>& requireDescribed, Session& session)
{
  const RunControl& control = session.control();
  const bool resumed = options.resume && isThere(options.checkpoint);
  auto study = std::make_shared<study::GrowthStudy>();
  if (resumed)
    resume(*study, options.checkpoint, parameters, session);
  else
    study->begin({sourceOf(options, parameters), parameters, options.start}, control);
  const PlasticityModel& model = *study->model();
  if (resumed)
    requireDescribed(model);
  if (model.step() > options.steps)
    throw Error(ErrorCode::BadParameter, "is at step " + std::to_string(model.step()) + " already; choose more --steps",
                options.checkpoint);
  if (options.overwrite)
    removeCheckpoint(options.checkpoint);
  const GrowRun run = Growth(options, *study, resumed).run(control);
  if (!options.output.empty())
    study::exportNetwork(model, options.output, control);
  return report(std::move(study), run);
}

int runGrow(const GrowCommand& options, Session& session)
{
  requireEffect(*options.command, options.run);
  requireConsistent(options.run);
  warnOfUnusedDevices(options.model.parameters.backend, options.model.parameters.devices, session);
  requireDevice(options.model.parameters.backend);
  const synapse::PlasticityParameters parameters = parametersOf(options.model);
  const auto requireDescribed = [&](const PlasticityModel& checkpoint) {
    requireSame(checkpoint, *options.command, options.run, parameters, session.control());
  };
  const GrowReport made = growAs(options.run, parameters, requireDescribed, session);
  if (session.json)
    printJson(session.results(), toJson(made));
  else
    printText(session.results(), made);
  return 0;
}

void addOutputOptions(Command& command, GrowOptions& options)
{
  const std::string group = "Output";
  const auto addFile = [&](const std::string& name, std::string& path, const std::string& text) {
    command.addOutput(name, path, text).group(group);
  };
  addFile("--records", options.records, "Spikes, calcium, elements and synapses of all neurons as CSV");
  addNumber(command, "--record-every", options.recordEvery, "Steps from one record to the next").group(group);
  addFile("--monitors", options.neuronLog, "The state of --monitor-neurons as CSV");
  command.addOption("--monitor-neurons", options.monitored, "Neurons to monitor, from 0: 3,17,1000")
      .splitsAtCommas()
      .typeName("INTS")
      .group(group);
  addFile("--areas", options.areaLog, "The state of each area as CSV");
  addNumber(command, "--monitor-every", options.monitorEvery, "Steps from one state of neurons and areas to the next")
      .group(group);
  addFile("--out", options.output, "Write the network to a file at the end: " + io::networkEndings());
  addFile("--checkpoint", options.checkpoint,
          "Keep the model in a file, at the end and when it is interrupted, so that a later run goes on");
  addNumber(command, "--checkpoint-every", options.checkpointEvery, "Keep it after every so many steps too, 0 for none")
      .group(group);
  command
      .addFlag("--resume", options.resume,
               "Go on from the checkpoint, to the same results as without a stop; start a run if there is none")
      .group(group);
  command.addFlag("--overwrite", options.overwrite, "Start a new run although the checkpoint exists, and replace it")
      .group(group);
}

} // namespace

GrowReport grow(const GrowOptions& options, const synapse::PlasticityParameters& parameters, Session& session)
{
  requireConsistent(options);
  requireDevice(parameters.backend);
  return growAs(
      options, parameters, [](const PlasticityModel&) {}, session);
}

Json toJson(const GrowReport& r)
{
  const PlasticityModel& model = *r.study->model();
  std::vector<Setting> settings = settingsOf(fieldsOf(model.parameters()));
  addMissing(settings, model.population().origin);
  return {{"neurons", model.population().size()},
          {"model", neuronModelName(model.parameters().model)},
          {"step", model.step()},
          {"steps", r.run.steps},
          {"synapses", r.synapses},
          {"created", r.run.created},
          {"deleted", r.run.deleted},
          {"enabled", r.enabled},
          {"meanCalcium", jsonNumber(r.meanCalcium)},
          {"meanTarget", jsonNumber(r.meanTarget)},
          {"backend", backendName(r.timings.backend)},
          {"device", r.timings.device},
          {"settings", jsonSettings(settings)},
          {"stepsPerSecond", jsonNumber(r.stepsPerSecond())},
          {"stages", jsonStages(r.timings)},
          {"milliseconds", jsonNumber(r.timings.total())}};
}

void printText(std::ostream& stream, const GrowReport& r)
{
  const auto count = [](std::uint64_t n) { return formatCount(static_cast<std::int64_t>(n)); };
  const PlasticityModel& model = *r.study->model();
  const std::size_t neurons = model.population().size();
  printField(stream, "neurons",
             count(neurons) + (r.enabled < neurons ? " (" + count(r.enabled) + " enabled)" : std::string()));
  printField(stream, "steps", count(r.run.steps) + " (now " + count(model.step()) + ")");
  printField(stream, "synapses",
             count(r.synapses) + " (" + count(r.run.created) + " created, " + count(r.run.deleted) + " deleted)");
  printField(stream, "mean calcium",
             formatNumber(r.meanCalcium, 6) + " (target " + formatNumber(r.meanTarget, 6) + ")");
  printField(stream, "run on", std::string(backendName(r.timings.backend)) + " (" + r.timings.device + ")");
  printField(stream, "steps per second", formatNumber(r.stepsPerSecond(), 6) + " between connectivity updates");
  stream << '\n';
  printStages(stream, r.timings);
}

void addGrowCommand(Command& program, Session& session)
{
  auto options = std::make_shared<GrowCommand>();
  Command& command = addCommand(program, session, "grow", "Let neurons form and lose synapses as their activity asks",
                                [options, &session] { return runGrow(*options, session); });
  options->command = &command;
  addNumber(command, "--steps", options->run.steps, "Steps of 1 ms, those of a resumed run included").required();
  addNeuronOptions(command, options->run.source);
  command
      .addInput("--network", options->run.source.network,
                "Synapses to start with, static and plastic: " + io::networkEndings())
      .group("Neurons");
  addPlasticityOptions(command, options->model);
  addRanksOption(command, session, "Run");
  addTreeOption(command, session, "Run");
  addOutputOptions(command, options->run);
}

} // namespace hinesight::cli
