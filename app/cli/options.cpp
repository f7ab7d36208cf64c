#include "app/cli/options.hpp"

#include <utility>

namespace hinesight::cli {

CLI::App& addCommand(CLI::App& program, Session& session, const std::string& name, const std::string& description,
                     std::function<int()> run)
{
  CLI::App* command = program.add_subcommand(name, description);
  command->add_flag("--json", session.json, "Print results to stdout, and an error to stderr, as JSON");
  // A command may have commands below it: the one that was chosen is called first.
  command->callback([command, &session, run = std::move(run)] {
    if (command->get_subcommands().empty())
      session.command = run;
  });
  return *command;
}

} // namespace hinesight::cli
