#include "app/manual/command_table.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace hinesight::manual {

namespace {

constexpr const char* kPlainGroup = "Options"; ///< CLI11's name for the group of options without one

/// How options call a file that they take.
constexpr const char* kFileTypes[] = {"FILE", "RECORD", "SESSION", "CONFIG"};

std::vector<std::string> split(const std::string& text, char separator)
{
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// The names that a type lists: "cpu|cuda", or "TEXT:{cpu,cuda}" of CLI11's own check. Of "fixed:K" it is "fixed".
std::vector<std::string> choicesOf(const std::string& type)
{
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  std::vector<std::string> names;
  if (open != std::string::npos && close != std::string::npos && open < close)
    names = split(type.substr(open + 1, close - open - 1), ',');
  else if (type.find('|') != std::string::npos)
    names = split(type, '|');
  for (std::string& name : names)
    name = name.substr(0, name.find(':'));
  return names;
}

bool isName(const std::string& name)
{
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

void describeValue(Option& option, const CLI::Option& declared)
{
  if (declared.get_items_expected_max() == 0)
    return;
  const std::string type = declared.get_type_name();
  option.choices = choicesOf(type);
  if (!std::all_of(option.choices.begin(), option.choices.end(), isName))
    option.choices.clear();
  // What follows a colon is CLI11's own words for a check.
  option.value = option.choices.empty() ? type.substr(0, type.find(':')) : "NAME";
  if (!option.choices.empty())
    option.kind = ValueKind::Choice;
  else if (std::count(std::begin(kFileTypes), std::end(kFileTypes), option.value) > 0)
    option.kind = ValueKind::File;
  else if (option.value == "FOLDER")
    option.kind = ValueKind::Folder;
  else
    option.kind = ValueKind::Text;
  option.preset = declared.get_default_str();
}

Option describe(const CLI::Option& declared)
{
  Option option;
  for (const std::string& name : declared.get_snames())
    option.names.push_back("-" + name);
  for (const std::string& name : declared.get_lnames())
    option.names.push_back("--" + name);
  describeValue(option, declared);
  if (declared.get_positional() && !declared.nonpositional()) {
    option.value = declared.get_name(true);
    if (option.kind != ValueKind::Choice)
      option.kind = ValueKind::File;
    option.preset.clear();
    option.isRepeated = declared.get_items_expected_max() > 1;
  }
  option.description = declared.get_description();
  option.group = declared.get_group() == kPlainGroup ? "" : declared.get_group();
  for (const CLI::Option* excluded : declared.get_excludes())
    option.excludes.push_back(excluded->get_name());
  std::sort(option.excludes.begin(), option.excludes.end());
  option.isRequired = declared.get_required();
  return option;
}

Command describe(const CLI::App& app, std::vector<std::string> path)
{
  Command command;
  command.path = std::move(path);
  command.path.push_back(app.get_name());
  command.description = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* declared : app.get_options()) {
    if (declared->get_group().empty()) // hidden
      continue;
    Option option = describe(*declared);
    (option.names.empty() ? command.operands : command.options).push_back(std::move(option));
  }
  for (const CLI::App* below : app.get_subcommands({}))
    if (!below->get_group().empty())
      command.commands.push_back(describe(*below, command.path));
  return command;
}

} // namespace

std::string Command::name(const std::string& between) const
{
  std::string text;
  for (const std::string& word : path)
    text += (text.empty() ? "" : between) + word;
  return text;
}

Command describe(const CLI::App& program)
{
  return describe(program, {});
}

std::vector<const Command*> allCommands(const Command& program)
{
  std::vector<const Command*> all = {&program};
  for (const Command& below : program.commands)
    for (const Command* command : allCommands(below))
      all.push_back(command);
  return all;
}

} // namespace hinesight::manual
