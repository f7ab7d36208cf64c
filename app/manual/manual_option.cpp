#include "app/manual/manual_option.hpp"

#include "app/manual/command_table.hpp"
#include "app/manual/completion.hpp"
#include "app/manual/manual_page.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>

namespace hinesight::manual {

namespace {

void write(const std::filesystem::path& file, const std::string& text)
{
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush())
    throw CLI::FileError(file.string() + " cannot be written");
}

void writeManual(const CLI::App& app, const std::filesystem::path& folder)
{
  const Command program = describe(app);
  const std::string name = program.path.front();
  for (const Command* command : allCommands(program))
    write(folder / "man1" / (command->name("-") + ".1"), manualPage(*command, program));
  // As each shell looks for them.
  write(folder / "completion" / "bash" / name, bashCompletion(program));
  write(folder / "completion" / "zsh" / ("_" + name), zshCompletion(program));
  write(folder / "completion" / "fish" / (name + ".fish"), fishCompletion(program));
}

} // namespace

void addManualOption(CLI::App& program)
{
  const auto run = [&program](const std::string& folder) {
    writeManual(program, folder);
    throw CLI::Success();
  };
  program.add_option_function<std::string>("--write-manual", run)->group("");
}

} // namespace hinesight::manual
