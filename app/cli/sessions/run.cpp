#include "app/cli/cells/batch_options.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/measurements.hpp"
#include "app/cli/networks/network_runs.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/sessions/circuit_report.hpp"
#include "app/cli/sessions/session_options.hpp"
#include "app/cli/simulation/simulation_run.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "io/runs/benchmark_report.hpp"
#include "io/runs/formation_benchmark_report.hpp"
#include "io/runs/projection_benchmark_report.hpp"
#include "io/runs/run_record.hpp"
#include "io/runs/simulation_benchmark_report.hpp"
#include "study/cells/cell_study.hpp"
#include "study/cells/solver_benchmark.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/simulation/session_simulation.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

namespace fs = std::filesystem;
using model::Connection;
using model::ConnectionKind;

/// What of a session is done, in this order.
enum class SessionStudy
{
  Circuit,
  Projection,
  Formation,
  Growth,
  Simulation,
  Solve,
  Benchmark
};
const std::vector<SessionStudy> kSessionStudies = {
    SessionStudy::Circuit,    SessionStudy::Projection, SessionStudy::Formation, SessionStudy::Growth,
    SessionStudy::Simulation, SessionStudy::Solve,      SessionStudy::Benchmark};

std::string_view studyName(SessionStudy study)
{
  constexpr std::string_view kNames[] = {"circuit",    "projection", "formation", "growth",
                                         "simulation", "solve",      "benchmark"};
  return kNames[static_cast<std::size_t>(study)];
}

struct RunOptions : SessionOptions
{
  std::vector<SessionStudy> studies;    ///< empty: all that the session has something for
  std::vector<std::string> connections; ///< of Projection and Formation; empty: all
  std::string folder;
};

study::CellRequest requestOf(const model::Project& project)
{
  study::CellRequest request;
  request.parameters = project.solve;
  for (const model::Cell& cell : project.cells)
    request.cells.push_back(
        {.id = request.cells.size() + 1, .path = cell.file, .scale = cell.scale, .place = cell.place});
  return request;
}

/// Whether the session has something to solve.
bool hasBatch(const model::Project& project)
{
  const study::BatchParameters& batch = project.solve.batch;
  const bool takesTrees = batch.source != study::BatchSource::OpenCells && batch.distinctTrees > 0;
  return takesTrees || (batch.source != study::BatchSource::RandomTrees && !project.cells.empty());
}

bool hasBenchmark(const model::Project& project)
{
  return project.solverBenchmark || project.projectionBenchmark || project.synapseBenchmark ||
         project.simulationBenchmark;
}

/// The studies of a session, one after another. Results are printed as each is there, or all at the end as JSON.
class SessionRun
{
public:
  SessionRun(const RunOptions& runOptions, const model::Project& ofSession, Session& runningSession)
      : options(runOptions), project(ofSession), session(runningSession), folder(runOptions.folder)
  {
    for (const std::string& name : options.connections)
      if (std::ranges::find(project.connections, name, &Connection::name) == project.connections.end())
        throw Error(ErrorCode::BadParameter, "The session has no connection \"" + name + "\".", options.file);
  }

  void run()
  {
    std::vector<SessionStudy> wanted;
    for (const SessionStudy study : kSessionStudies)
      if (isWanted(study))
        wanted.push_back(study);
    if (wanted.empty())
      throw Error(ErrorCode::BadParameter, "The session holds nothing to run: no population and no cell.",
                  options.file);
    if (!options.folder.empty())
      study::makeFolder(folder);
    if (std::ranges::find(wanted, SessionStudy::Simulation) != wanted.end())
      study::requireSimulable(project, session.control()); // before all that takes long
    for (const SessionStudy study : wanted)
      carryOut(study);
    if (session.json)
      printJson(session.results(), json);
  }

private:
  /// Whether the session has something for a study. Whoever names no study wants none that was made otherwise: tables
  /// of projections and networks of formed connections are part of the circuit.
  bool hasSomethingFor(SessionStudy study, bool isNamed) const
  {
    switch (study) {
    case SessionStudy::Circuit:
      return !project.populations.empty();
    case SessionStudy::Projection:
      return isNamed && !connectionsOf(ConnectionKind::Projection).empty();
    case SessionStudy::Formation:
      return (formsOwn() && (isNamed || project.form->isRun)) ||
             (isNamed && !connectionsOf(ConnectionKind::Formed).empty());
    case SessionStudy::Growth:
      return project.grow && (isNamed || project.grow->steps > 0);
    case SessionStudy::Simulation:
      return project.simulate.has_value();
    case SessionStudy::Solve:
      return hasBatch(project);
    case SessionStudy::Benchmark:
      return hasBenchmark(project);
    }
    return false;
  }

  bool isWanted(SessionStudy study) const
  {
    const bool isNamed = std::ranges::find(options.studies, study) != options.studies.end();
    if (!options.studies.empty() && !isNamed)
      return false;
    const bool hasSomething = hasSomethingFor(study, isNamed);
    if (isNamed && !hasSomething)
      throw Error(ErrorCode::BadParameter,
                  "The session has nothing for the study \"" + std::string(studyName(study)) + "\".", options.file);
    return hasSomething;
  }

  /// The neurons of "form" itself. Where connections are named it is none of them.
  bool formsOwn() const { return project.form && options.connections.empty(); }

  std::vector<const Connection*> connectionsOf(ConnectionKind kind) const
  {
    std::vector<const Connection*> found;
    for (const Connection& connection : project.connections)
      if (connection.kind == kind &&
          (options.connections.empty() ||
           std::ranges::find(options.connections, connection.name) != options.connections.end()))
        found.push_back(&connection);
    return found;
  }

  void carryOut(SessionStudy study)
  {
    switch (study) {
    case SessionStudy::Circuit:
      return makeCircuit();
    case SessionStudy::Projection:
      return makeProjections();
    case SessionStudy::Formation:
      return formAll();
    case SessionStudy::Growth:
      return growOwn();
    case SessionStudy::Simulation:
      return simulateCircuit();
    case SessionStudy::Solve:
      return solve();
    case SessionStudy::Benchmark:
      return measure();
    }
  }

  /// Where text of the next result is printed, after a blank line; it has a title where a study has several.
  std::ostream& begin(const std::string& title = {})
  {
    std::ostream& stream = session.results();
    if (isBegun)
      stream << '\n';
    isBegun = true;
    if (!title.empty())
      stream << title << '\n';
    return stream;
  }

  /// A file of the folder; empty where nothing is written. The folder that it is in is made.
  std::string fileOf(const std::string& name) const
  {
    if (options.folder.empty())
      return {};
    const fs::path file = folder / name;
    study::makeFolder(file.parent_path());
    return file.string();
  }

  /// Kept for the simulation, which needs it too.
  const study::Circuit& circuit()
  {
    if (!made)
      made = std::make_unique<study::Circuit>(study::makeCircuit(project, session.control()));
    return *made;
  }

  void makeCircuit()
  {
    printWarnings(circuit(), session);
    if (!options.folder.empty()) {
      exportCircuit(circuit(), folder / "circuit", session);
      study::writeTimings(circuit(), folder / "connections.csv");
    }
    json["circuit"] = toJson(circuit());
    if (!session.json)
      printText(begin(), circuit());
  }

  /// Each projection as the command `project` makes it, which knows no roles.
  void makeProjections()
  {
    requireDevice(project.compute.backend);
    for (const Connection* const connection : connectionsOf(ConnectionKind::Projection)) {
      const model::Project part = study::partWith(project, study::populationsOf(*connection));
      const study::Circuit neurons = study::makeCircuit(part, session.control());
      const projection::Projection wanted{neurons.neurons.front(), neurons.neurons.back(), connection->projection};
      const study::WrittenTable written = study::writeTable(
          wanted, project.compute, fileOf("projections/" + connection->name + ".h5"), session.control());
      for (const std::string& warning : written.warnings)
        session.printWarning(connection->name + ": " + warning);
      json["projections"][connection->name] = toJson(written, written.warnings);
      if (!session.json)
        printText(begin(connection->name), written);
    }
  }

  /// The neurons of populations, where it is of these.
  void place(study::NeuronSource& source) const
  {
    if (!source.populations.empty())
      source.given = study::neuronsOf(project, source.populations, session.control());
  }

  void formAll()
  {
    if (formsOwn()) {
      study::FormationRequest request = *project.form;
      place(request.source);
      report("formation", {}, formOne(std::move(request), "formation.h5"));
    }
    if (std::ranges::find(options.studies, SessionStudy::Formation) == options.studies.end())
      return;
    for (const Connection* const connection : connectionsOf(ConnectionKind::Formed)) {
      study::FormationRequest request;
      request.source.populations = connection->between;
      place(request.source);
      request.formation = connection->formation;
      report("formed", connection->name, formOne(std::move(request), "formed/" + connection->name + ".h5"));
    }
  }

  FormationSummary formOne(study::FormationRequest request, const std::string& file)
  {
    request.formation.keepsTree = false; // nobody draws it
    return form(std::move(request), fileOf(file), session);
  }

  /// `name`: of the connection that was formed; empty: of none.
  void report(const char* key, const std::string& name, const FormationSummary& summary)
  {
    (name.empty() ? json[key] : json[key][name]) = toJson(summary);
    if (!session.json)
      printText(begin(name), summary);
    for (const std::string& warning : summary.warnings)
      session.printWarning(warning);
  }

  void growOwn()
  {
    const model::GrowthRun& wanted = *project.grow;
    if (wanted.steps == 0)
      throw Error(ErrorCode::BadParameter,
                  "The session does not say how far its network grows; give --set grow.steps=1000.", options.file);
    GrowOptions grown;
    grown.source = wanted.source;
    if (wanted.connection.empty())
      place(grown.source);
    else
      grown.start = study::startFrom(project, wanted.connection, session.control());
    grown.steps = wanted.steps;
    grown.recordEvery = wanted.recordEvery;
    grown.output = fileOf("growth.h5");
    grown.records = fileOf("growth.csv");
    const GrowReport grownNow = grow(grown, wanted.model, session);
    json["growth"] = toJson(grownNow);
    if (!session.json)
      printText(begin(), grownNow);
  }

  void simulateCircuit()
  {
    const fs::path output = options.folder.empty() ? fs::path() : folder / "simulation";
    const SimulationSummary summary = simulate(runOf(circuit(), session.control()), output, session);
    json["simulation"] = toJson(summary);
    if (!session.json)
      printText(begin(), summary, output);
  }

  void solve()
  {
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
    if (session.json)
      return;
    printBatch(begin(), result.record->source, *result.batch);
    printField(session.results(), "solver", result.record->solver);
    session.results() << '\n';
    printStages(session.results(), result.record->timings);
  }

  /// As .csv and .json; none where nothing is written.
  std::vector<std::string> tablesOf(const std::string& name) const
  {
    if (options.folder.empty())
      return {};
    return {fileOf(name + ".csv"), fileOf(name + ".json")};
  }

  void measure()
  {
    const auto keep = [&](const char* name, const auto& rows, auto write) {
      std::ostringstream text;
      write(rows, text);
      json["benchmark"][name] = Json::parse(text.str());
    };
    const auto separate = [&] {
      if (!session.json)
        begin();
    };
    if (const auto& wanted = project.solverBenchmark) {
      requireDevice(wanted->backend);
      const auto cases = study::benchmarkCases(project, session.control());
      hines::BenchmarkParameters measurement = wanted->measurement;
      if (wanted->quick)
        measurement.warmUp = measurement.duration = 0;
      separate();
      const auto rows = measureSolvers(cases, measurement, tablesOf("bench-hines"), session);
      keep("hines", rows, [](const auto& all, std::ostream& stream) { io::writeBenchmarkJson(all, stream); });
      requireAnyMeasured(rows);
    }
    if (const auto& wanted = project.projectionBenchmark) {
      separate();
      keep("projections", measureProjections(*wanted, tablesOf("bench-projections"), session),
           [](const auto& all, std::ostream& stream) { io::writeProjectionBenchmarkJson(all, stream); });
    }
    if (const auto& wanted = project.synapseBenchmark) {
      separate();
      keep("synapses", measureSynapses(*wanted, tablesOf("bench-synapses"), session),
           [](const auto& all, std::ostream& stream) { io::writeFormationBenchmarkJson(all, stream); });
    }
    if (const auto& wanted = project.simulationBenchmark) {
      separate();
      const auto points = measureSimulations(*wanted, {}, tablesOf("bench-simulation"), session);
      keep("simulation", points,
           [](const auto& all, std::ostream& stream) { io::writeSimulationBenchmarkJson(all, stream); });
      requireAnyMeasured(points);
    }
  }

  const RunOptions& options;
  const model::Project& project;
  Session& session;
  fs::path folder;
  std::unique_ptr<study::Circuit> made;
  Json json = Json::object();
  bool isBegun = false; ///< something was printed
};

int runSession(const RunOptions& options, Session& session)
{
  const model::Project project = readProject(options, session);
  SessionRun(options, project, session).run();
  return 0;
}

} // namespace

void addRunCommand(Command& program, Session& session)
{
  auto options = std::make_shared<RunOptions>();
  Command& command = addCommand(program, session, "run", "Carry out the studies of a session, and time them",
                                [options, &session] { return runSession(*options, session); });
  addSessionOptions(command, *options);
  command
      .addOption(
          "--study",
          [options](const std::vector<std::string>& names) {
            for (const std::string& name : names)
              options->studies.push_back(parseChoice("--study", name, kSessionStudies, studyName));
          },
          "What is done; may be repeated [what the session has, its tables and formed networks as parts of the "
          "circuit]")
      .typeName(choiceNames(kSessionStudies, studyName))
      .takesOneArgument();
  command
      .addOption("--connection", options->connections,
                 "Of the studies projection and formation: the connection that is made; may be repeated [all]")
      .typeName("NAME")
      .takesOneArgument();
  command.addOutputFolder("--out", options->folder,
                          "Write to a folder: circuit (SONATA, as export writes it), connections.csv with the times, "
                          "solve.json, simulation, projections, formed, formation.h5, growth.h5, growth.csv, and a "
                          "table of each benchmark");
}

} // namespace hinesight::cli
