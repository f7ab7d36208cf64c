#include "app/cli/cells/batch_options.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/sessions/session_options.hpp"
#include "app/cli/simulation/simulation_run.hpp"
#include "core/error.hpp"
#include "io/runs/run_record.hpp"
#include "io/sonata/simulation_writer.hpp"
#include "model/session_file.hpp"
#include "study/cells/cell_study.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/simulation/session_export.hpp"
#include "study/simulation/session_simulation.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

namespace fs = std::filesystem;

/// What of a session is done.
enum class SessionStudy
{
  Circuit,
  Solve,
  Simulation
};
const std::vector<SessionStudy> kSessionStudies = {SessionStudy::Circuit, SessionStudy::Solve,
                                                   SessionStudy::Simulation};

std::string_view studyName(SessionStudy study)
{
  constexpr std::string_view kNames[] = {"circuit", "solve", "simulation"};
  return kNames[static_cast<std::size_t>(study)];
}

struct RunOptions : SessionOptions
{
  std::vector<SessionStudy> studies; ///< empty: all that the session has something for
  std::string folder;
};

Json toJson(const study::Circuit& circuit)
{
  Json populations = Json::array();
  for (const auto& neurons : circuit.neurons)
    populations.push_back({{"name", neurons->name()}, {"neurons", neurons->count()}});
  Json connections = Json::array();
  for (const study::MadeConnection& made : circuit.connections)
    connections.push_back({{"name", made.name},
                           {"edges", made.rows},
                           {"synapses", made.synapses},
                           {"backend", backendName(made.timings.backend)},
                           {"device", made.timings.device},
                           {"stages", jsonStages(made.timings)},
                           {"milliseconds", jsonNumber(made.timings.total())}});
  return {{"populations", std::move(populations)}, {"connections", std::move(connections)}};
}

void printText(std::ostream& stream, const study::Circuit& circuit)
{
  Table populations;
  populations.add({"population", "neurons"});
  for (const auto& neurons : circuit.neurons)
    populations.add({neurons->name(), formatCount(static_cast<std::int64_t>(neurons->count()))});
  populations.print(stream);
  if (circuit.connections.empty())
    return;
  stream << '\n';
  Table connections;
  connections.add({"connection", "synapses", "edges", "time"});
  const auto count = [](std::uint64_t number) { return formatCount(static_cast<std::int64_t>(number)); };
  for (const study::MadeConnection& made : circuit.connections)
    connections.add({made.name, made.synapses > 0 ? count(made.synapses) : "-", count(made.rows),
                     formatMilliseconds(made.timings.total())});
  connections.print(stream);
}

study::CellRequest requestOf(const model::Project& project)
{
  study::CellRequest request;
  request.parameters = project.solve;
  for (const model::Cell& cell : project.cells)
    request.cells.push_back({.id = request.cells.size() + 1, .path = cell.file, .scale = cell.scale});
  return request;
}

/// Whether the session has something to solve.
bool hasBatch(const model::Project& project)
{
  const study::BatchParameters& batch = project.solve.batch;
  const bool takesTrees = batch.source != study::BatchSource::OpenCells && batch.distinctTrees > 0;
  return takesTrees || (batch.source != study::BatchSource::RandomTrees && !project.cells.empty());
}

bool isAsked(const RunOptions& options, SessionStudy study, bool hasSomething)
{
  if (options.studies.empty())
    return hasSomething;
  const bool isNamed = std::ranges::find(options.studies, study) != options.studies.end();
  if (isNamed && !hasSomething)
    throw Error(ErrorCode::BadParameter,
                "The session has nothing for the study \"" + std::string(studyName(study)) + "\".", options.file);
  return isNamed;
}

/// As a simulation where it has one. What cannot be exported is printed.
void exportCircuit(const study::Circuit& circuit, const fs::path& folder, Session& session)
{
  if (!circuit.project.simulate) {
    study::exportSonata(circuit, folder, session.control());
    return;
  }
  for (const std::string& note : study::exportSimulation(circuit, folder, session.control()))
    session.printWarning(note);
}

int runSession(const RunOptions& options, Session& session)
{
  const model::Project project = readProject(options, session);
  const bool makesCircuit = isAsked(options, SessionStudy::Circuit, !project.populations.empty());
  const bool solves = isAsked(options, SessionStudy::Solve, hasBatch(project));
  const bool simulates = isAsked(options, SessionStudy::Simulation, project.simulate.has_value());
  if (!makesCircuit && !solves && !simulates)
    throw Error(ErrorCode::BadParameter, "The session holds nothing to run: no population and no cell.", options.file);
  const fs::path folder = options.folder;
  if (!options.folder.empty())
    study::makeFolder(folder);
  Json json = Json::object();
  if (simulates)
    study::requireSimulable(project, session.control());
  if (makesCircuit || simulates) {
    const study::Circuit circuit = study::makeCircuit(project, session.control());
    if (makesCircuit && !options.folder.empty()) {
      exportCircuit(circuit, folder / "circuit", session);
      study::writeTimings(circuit, folder / "connections.csv");
    }
    if (makesCircuit)
      json["circuit"] = toJson(circuit);
    if (makesCircuit && !session.json)
      printText(session.results(), circuit);
    if (simulates) {
      const fs::path output = options.folder.empty() ? fs::path() : folder / "simulation";
      const SimulationSummary summary = simulate(runOf(circuit, session.control()), output, session);
      json["simulation"] = toJson(summary);
      if (!session.json) {
        session.results() << (makesCircuit ? "\n" : "");
        printText(session.results(), summary, output);
      }
    }
  }
  if (solves) {
    hines::requireDevice(project.solve.solve);
    study::CellStudy study;
    const study::CellResult result = study.run(requestOf(project), session.control(), {requireReadings(session), {}});
    if (!options.folder.empty())
      io::writeTimingsJson({*result.record}, folder / "solve.json");
    json["solve"] = {{"cells", result.record->cells},
                     {"compartments", result.record->compartments},
                     {"solver", result.record->solver},
                     {"maxRelativeDifference", jsonNumber(result.record->accuracy.maxRelativeDifference)},
                     {"stages", jsonStages(result.record->timings)}};
    if (!session.json) {
      session.results() << (makesCircuit || simulates ? "\n" : "");
      printBatch(session.results(), result.record->source, *result.batch);
      printField(session.results(), "solver", result.record->solver);
      session.results() << '\n';
      printStages(session.results(), result.record->timings);
    }
  }
  if (session.json)
    printJson(session.results(), json);
  return 0;
}

/// A configuration of a simulation that is read and written again; its other files stay where they are.
int exportConfiguration(const RunOptions& options, Session& session)
{
  if (!options.changes.empty())
    throw CLI::ValidationError("--set", "has no effect on a configuration");
  const io::SimulationConfiguration configuration = io::readSimulationConfiguration(options.file);
  for (const std::string& note : configuration.notes)
    session.printWarning(note);
  study::makeFolder(options.folder);
  io::writeSimulationConfiguration(configuration, options.folder);
  const Json files = {io::kSimulationConfigurationFile, io::kCircuitConfigurationFile, io::kNodeSetsFile};
  if (session.json)
    printJson(session.results(), {{"files", files}, {"warnings", configuration.notes}});
  else
    for (const Json& file : files)
      printField(session.results(), "wrote", (fs::path(options.folder) / file.get<std::string>()).string());
  return 0;
}

int exportSession(const RunOptions& options, Session& session)
{
  if (!model::isSession(options.file))
    return exportConfiguration(options, session);
  const model::Project project = readProject(options, session);
  if (project.populations.empty())
    throw Error(ErrorCode::BadParameter, "The session has no population; there is no circuit to export.", options.file);
  if (project.simulate)
    study::requireSimulable(project, session.control());
  study::makeFolder(options.folder);
  const study::Circuit circuit = study::makeCircuit(project, session.control());
  exportCircuit(circuit, options.folder, session);
  if (session.json)
    printJson(session.results(), toJson(circuit));
  else
    printText(session.results(), circuit);
  return 0;
}

} // namespace

void addRunCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<RunOptions>();
  Command& command =
      addCommand(program, session, "run", "Make the circuit of a session, solve its cells, simulate it, and time all",
                 [options, &session] { return runSession(*options, session); });
  addSessionOptions(command, *options);
  command
      .add_option_function<std::vector<std::string>>(
          "--study",
          [options](const std::vector<std::string>& names) {
            for (const std::string& name : names)
              options->studies.push_back(parseChoice("--study", name, kSessionStudies, studyName));
          },
          "What is done: the circuit, the solve of the cells or the simulation; may be repeated [what the session has]")
      ->type_name("circuit|solve|simulation")
      ->allow_extra_args(false);
  command.addOutput("--out", options->folder,
                    "Write to a folder: circuit (SONATA), connections.csv with the times, solve.json, simulation");
}

void addExportCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<RunOptions>();
  Command& command =
      addCommand(program, session, "export", "Write the circuit of a session, and how it is simulated, to files",
                 [options, &session] { return exportSession(*options, session); });
  command.addInput("SESSION", options->file, "A session, FILE.hinesight, or a SONATA simulation configuration")
      ->required();
  addSetOption(command, *options);
  command.addOutput("--sonata", options->folder, "The folder of the SONATA circuit")->required();
}

} // namespace hinesight::cli
