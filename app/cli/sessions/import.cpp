#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "study/circuit/sonata_import.hpp"

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct ImportOptions
{
  std::string configuration;
  std::string output;
};

int runImport(const ImportOptions& options, Session& session)
{
  requireWritable(options.output);
  const study::ImportedSonata imported = study::importSonata(options.configuration, session.control());
  model::writeSession(imported.project, options.output);
  for (const std::string& warning : imported.warnings)
    session.printWarning(warning);
  const model::Project& project = imported.project;
  if (session.json) {
    printJson(session.results(), {{"session", options.output},
                                  {"cells", project.cells.size()},
                                  {"populations", project.populations.size()},
                                  {"connections", project.connections.size()},
                                  {"warnings", imported.warnings}});
    return 0;
  }
  const auto print = [&](const char* part, std::size_t count) {
    printField(session.results(), part, formatCount(static_cast<std::int64_t>(count)));
  };
  print("cells", project.cells.size());
  print("populations", project.populations.size());
  print("connections", project.connections.size());
  return 0;
}

} // namespace

void addImportCommand(Command& program, Session& session)
{
  auto options = std::make_shared<ImportOptions>();
  Command& command = addCommand(program, session, "import", "Make a session of a SONATA circuit",
                                [options, &session] { return runImport(*options, session); });
  command.addInput("CONFIG", options->configuration, "The configuration of the circuit, such as circuit_config.json")
      .required();
  command
      .addOutput("--out", options->output,
                 "The session to write, FILE" + std::string(model::kSessionEnding) +
                     "; it refers to the files of the circuit")
      .required();
}

} // namespace hinesight::cli
