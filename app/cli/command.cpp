#include "app/cli/command.hpp"

#include "app/files/file_name.hpp"
#include "core/files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

namespace hinesight::cli {

namespace {

/// A file as the command line names it.
struct NamedFile
{
  std::string option, name;
  bool isWritten = false;

  std::string text() const { return option + " " + name; }
};

/// Whether one is written over the other.
bool collide(const NamedFile& a, const NamedFile& b)
{
  std::error_code failure;
  if (!a.isWritten && !b.isWritten)
    return false;
  // What is written into a folder has other names than what is read from it.
  if (a.isWritten != b.isWritten && std::filesystem::is_directory(a.name, failure))
    return false;
  return nameSameFile(a.name, b.name);
}

} // namespace

Option& Option::typeName(const std::string& name)
{
  declared->type_name(name);
  return *this;
}

Option& Option::defaultText(const std::string& text)
{
  declared->default_str(text);
  return *this;
}

Option& Option::group(const std::string& title)
{
  declared->group(title);
  return *this;
}

Option& Option::required()
{
  declared->required();
  return *this;
}

Option& Option::excludes(const Option& other)
{
  declared->excludes(other.declared);
  return *this;
}

Option& Option::needs(const Option& other)
{
  declared->needs(other.declared);
  return *this;
}

Option& Option::takes(int least, int most)
{
  declared->expected(least, most);
  return *this;
}

Option& Option::takesOneArgument()
{
  declared->allow_extra_args(false);
  return *this;
}

Option& Option::splitsAtCommas()
{
  declared->delimiter(',');
  return *this;
}

Option& Option::joinsWithCommas()
{
  declared->join(',');
  return *this;
}

Option& Option::oneOf(const std::vector<std::string>& names)
{
  declared->check(CLI::IsMember(names).description(""));
  return *this;
}

Option& Option::within(std::int64_t least, std::int64_t greatest)
{
  declared->check(CLI::Range(least, greatest).description(""));
  return *this;
}

Option& Option::each(const std::function<void(const std::string&)>& take)
{
  declared->each(take);
  return *this;
}

bool Option::isGiven() const
{
  return declared->count() > 0;
}

std::string Option::name() const
{
  return declared->get_name();
}

Command::Command(CLI::App& parsed) : app(parsed) {}

Command::~Command() = default;

Command& Command::addCommand(const std::string& name, const std::string& description)
{
  return *commands.emplace_back(std::make_unique<Command>(*app.add_subcommand(name, description)));
}

void Command::requireCommand()
{
  app.require_subcommand(1);
}

void Command::whenGiven(std::function<void()> act)
{
  app.callback([this, act = std::move(act)] {
    // Those above the one that was given are called too.
    if (!app.get_subcommands().empty())
      return;
    requireDistinctFiles();
    act();
  });
}

void Command::footer(const std::string& text)
{
  app.footer(text);
}

Option Command::addFlag(const std::string& names, bool& value, const std::string& description)
{
  return Option(app.add_flag(names, value, description));
}

Option Command::addFlag(const std::string& names, const std::function<void()>& act, const std::string& description)
{
  return Option(app.add_flag_callback(names, act, description));
}

Option Command::addSwitch(const std::string& names, const std::function<void(bool)>& take,
                          const std::string& description)
{
  return Option(app.add_flag_function(
      names, [take](std::int64_t count) { take(count > 0); }, description));
}

template <OptionValue Value>
Option Command::addOption(const std::string& names, Value& value, const std::string& description)
{
  return Option(app.add_option(names, value, description));
}

template Option Command::addOption(const std::string&, std::string&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<double>&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<std::int32_t>&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<std::int64_t>&, const std::string&);
template Option Command::addOption(const std::string&, std::vector<std::uint32_t>&, const std::string&);

Option Command::addOption(const std::string& names, const std::function<void(const std::string&)>& take,
                          const std::string& description)
{
  return Option(app.add_option_function<std::string>(names, take, description));
}

Option Command::addOption(const std::string& names, const std::function<void(const std::vector<std::string>&)>& take,
                          const std::string& description)
{
  return Option(app.add_option_function<std::vector<std::string>>(names, take, description));
}

Option Command::option(const std::string& name) const
{
  return Option(app.get_option(name));
}

bool Command::givesAnyOf(const std::vector<std::string>& groups) const
{
  return std::ranges::any_of(app.get_options(), [&](const CLI::Option* option) {
    return option->count() > 0 && std::ranges::find(groups, option->get_group()) != groups.end();
  });
}

Option Command::addFile(Option option, const std::string& names, bool isWritten)
{
  const bool isOperand = names.find('-') == std::string::npos;
  fileOptions.push_back({option, isWritten});
  option.declared->check([isOperand](const std::string& argument) { return fileNameProblem(argument, isOperand); });
  return option.typeName(isOperand ? "" : "FILE");
}

void Command::requireDistinctFiles() const
{
  std::vector<NamedFile> files;
  for (const auto& [option, isWritten] : fileOptions)
    for (const std::string& name : option.declared->results()) {
      files.push_back({option.name(), name, isWritten});
      // FILE:POPULATION reads FILE.
      if (const std::size_t colon = name.rfind(':'); !isWritten && colon != std::string::npos)
        files.push_back({option.name(), name.substr(0, colon), isWritten});
    }
  for (auto later = files.begin(); later != files.end(); ++later) {
    const auto earlier =
        std::find_if(files.begin(), later, [&](const NamedFile& file) { return collide(file, *later); });
    if (earlier != later)
      throw UsageError(earlier->text() + " and " + later->text() +
                       " name one file, and the later output would replace the earlier one; give each its own");
  }
}

} // namespace hinesight::cli
