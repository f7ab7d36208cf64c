#include "app/cli/sessions/session_options.hpp"

#include "model/moved_files.hpp"
#include "model/session_file.hpp"

namespace hinesight::cli {

Option addSetOption(Command& command, SessionOptions& options)
{
  return command
      .addOption("--set", options.changes,
                 "Change a parameter first, such as connections.NAME.sigma=4 or solve.copies=100; may be repeated")
      .typeName("PATH=VALUE")
      .takesOneArgument();
}

void addSessionOptions(Command& command, SessionOptions& options)
{
  command.addInput("SESSION", options.file, "A session, FILE.hinesight").required();
  addSetOption(command, options);
}

model::Project readProject(const SessionOptions& options, Session& session)
{
  model::ReadSession read = model::readSession(options.file);
  for (const std::string& warning : read.warnings)
    session.printWarning(options.file + ": " + warning);
  for (const std::string& change : options.changes)
    model::setByPath(read.project, change);
  for (const std::string& warning : model::changedCells(read.project))
    session.printWarning(warning);
  model::validate(read.project);
  return std::move(read.project);
}

} // namespace hinesight::cli
