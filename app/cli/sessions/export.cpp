#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/sessions/circuit_report.hpp"
#include "app/cli/sessions/session_options.hpp"
#include "core/error.hpp"
#include "io/sonata/configuration.hpp"
#include "io/sonata/simulation_writer.hpp"
#include "model/session_file.hpp"
#include "study/circuit/circuit_study.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

namespace fs = std::filesystem;

struct ExportOptions : SessionOptions
{
  std::string folder;
};

/// A circuit without its simulation is SONATA already, and the window alone makes a session of it.
void refuseCircuit(const std::string& path)
{
  const io::SonataConfiguration given(path);
  const Json& entries = given.root();
  if (entries.contains("networks") && !entries.contains("run") && !entries.contains("simulation"))
    given.fail("describes a SONATA circuit without its simulation; give the simulation_config.json that names this "
               "circuit, or open the circuit in the window, save it as a session and export that");
}

/// A configuration of a simulation that is read and written again; its other files stay where they are.
int exportConfiguration(const ExportOptions& options, Session& session)
{
  if (!options.changes.empty())
    throw UsageError("--set", "has no effect on a configuration");
  refuseCircuit(options.file);
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

int exportSession(const ExportOptions& options, Session& session)
{
  if (!model::isSession(options.file))
    return exportConfiguration(options, session);
  const model::Project project = readProject(options, session);
  if (project.populations.empty())
    throw Error(ErrorCode::BadParameter, "The session has no population; there is no circuit to export.", options.file);
  study::makeFolder(options.folder);
  const study::Circuit circuit = study::makeCircuit(project, session.control());
  printWarnings(circuit, session);
  exportCircuit(circuit, options.folder, session);
  if (session.json)
    printJson(session.results(), toJson(circuit));
  else
    printText(session.results(), circuit);
  return 0;
}

} // namespace

void addExportCommand(Command& program, Session& session)
{
  auto options = std::make_shared<ExportOptions>();
  Command& command =
      addCommand(program, session, "export", "Write the circuit of a session, and how it is simulated, to files",
                 [options, &session] { return exportSession(*options, session); });
  command.addInput("SESSION", options->file, "A session, FILE.hinesight, or a SONATA simulation configuration")
      .required();
  addSetOption(command, *options);
  command
      .addOutputFolder("--sonata", options->folder,
                       "The folder of the SONATA circuit; below it, simulation has how it is simulated")
      .required();
}

} // namespace hinesight::cli
