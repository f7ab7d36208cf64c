#include "app/cli/options.hpp"

#include "app/files/file_name.hpp"
#include "core/files.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

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

/// "--name,--former-name", for a switch "--name,!--no-name".
std::string optionNames(const BoundField& field)
{
  std::vector<std::string> names = {field.name};
  if (!field.about.former.empty())
    names.emplace_back(field.about.former);
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "--" : ",--") + name;
    if (field.kind == FieldKind::Switch)
      text += ",!--no-" + name;
  }
  return text;
}

std::string optionHelp(const BoundField& field)
{
  std::string help(field.about.help);
  if (!help.empty() && help.back() == '.')
    help.pop_back();
  std::string range = rangeText(field);
  if (field.kind == FieldKind::Series)
    for (const Choice& choice : field.choices)
      range += (range.empty() ? "" : ", ") + std::string(choice.name);
  return help + (range.empty() ? "" : "; " + range);
}

std::string typeName(const BoundField& field)
{
  switch (field.kind) {
  case FieldKind::Whole:
    return "INT";
  case FieldKind::Real:
    return "NUMBER";
  case FieldKind::Series:
    return field.itemKind == FieldKind::Whole ? "INTS" : field.itemKind == FieldKind::Real ? "NUMBERS" : "NAMES";
  case FieldKind::Choice: {
    std::string names;
    for (const Choice& choice : field.choices)
      names += (names.empty() ? "" : "|") + std::string(choice.name) + (choice.argument.empty() ? "" : ":K");
    return names;
  }
  default:
    return "TEXT";
  }
}

/// Sets a field from the command line. "fixed:16" sets the field that the choice names too.
void take(const std::string& option, BoundField field, std::vector<BoundField> others, const std::string& text)
{
  try {
    const std::size_t colon = text.find(':');
    if (field.kind == FieldKind::Choice && colon != std::string::npos)
      for (const Choice& choice : field.choices)
        if (choice.name == text.substr(0, colon) && !choice.argument.empty())
          if (BoundField* argument = findField(others, choice.argument)) {
            field.setText(choice.name);
            argument->setText(text.substr(colon + 1));
            return;
          }
    field.setText(text);
  } catch (const std::invalid_argument& problem) {
    throw CLI::ValidationError(option, problem.what());
  } catch (const Error& error) {
    throw Error(error.code(), option + " is " + error.message());
  }
}

CLI::Option* addFieldOption(CLI::App& command, const BoundField& field, const std::vector<BoundField>& all,
                            const std::string& title)
{
  const std::string names = optionNames(field);
  const std::string group = field.groups.empty() ? title : std::string(field.groups.back().title);
  if (field.kind == FieldKind::Switch)
    return command
        .add_flag_function(
            names, [bound = field](std::int64_t count) mutable { bound.setNumber(count > 0 ? 1 : 0); },
            optionHelp(field))
        ->group(group);
  const std::string name = "--" + field.name;
  CLI::Option* const option = command.add_option_function<std::string>(
      names, [name, field, all](const std::string& text) { take(name, field, all, text); }, optionHelp(field));
  // A series may be given in parts.
  if (field.kind == FieldKind::Series)
    option->join(',');
  return option->default_str(field.text())->type_name(typeName(field))->group(group);
}

} // namespace

bool isOption(const BoundField& field)
{
  return field.kind != FieldKind::List && field.about.concern != Concern::Picture;
}

void addFieldOptions(CLI::App& command, const std::vector<BoundField>& fields, const std::string& title)
{
  for (const BoundField& field : fields)
    if (isOption(field))
      addFieldOption(command, field, fields, title);
}

CLI::Option* addFieldOption(CLI::App& command, const BoundField& field, const std::string& title)
{
  return addFieldOption(command, field, {}, title);
}

CLI::Option* addSharedOption(CLI::App& command, const std::vector<BoundField>& fields, const std::string& title)
{
  const BoundField& first = fields.front();
  const std::string name = "--" + std::string(first.about.name);
  const bool isOne =
      std::all_of(fields.begin(), fields.end(), [&](const BoundField& field) { return field.text() == first.text(); });
  return command
      .add_option_function<std::string>(
          name,
          [name, fields](const std::string& text) {
            for (const BoundField& field : fields)
              take(name, field, {}, text);
          },
          optionHelp(first))
      ->default_str(isOne ? first.text() : "by kind")
      ->type_name(typeName(first))
      ->group(title);
}

Command::Command(CLI::App& program, const std::string& name, const std::string& description)
    : CLI::App(description, name, &program)
{}

CLI::Option* Command::addFile(CLI::Option* option, const std::string& name, bool isWritten)
{
  const bool isOperand = name.find('-') == std::string::npos;
  fileOptions.push_back({option, isWritten});
  return option->type_name(isOperand ? "" : "FILE")->check([isOperand](const std::string& argument) {
    return fileNameProblem(argument, isOperand);
  });
}

void Command::requireDistinctFiles() const
{
  std::vector<NamedFile> files;
  for (const auto& [option, isWritten] : fileOptions)
    for (const std::string& name : option->results()) {
      files.push_back({option->get_name(), name, isWritten});
      // FILE:POPULATION reads FILE.
      if (const std::size_t colon = name.rfind(':'); !isWritten && colon != std::string::npos)
        files.push_back({option->get_name(), name.substr(0, colon), isWritten});
    }
  for (auto later = files.begin(); later != files.end(); ++later) {
    const auto earlier =
        std::find_if(files.begin(), later, [&](const NamedFile& file) { return collide(file, *later); });
    if (earlier != later)
      throw CLI::ValidationError(
          earlier->text() + " and " + later->text() +
          " name one file, and the later output would replace the earlier one; give each its own");
  }
}

Command& addCommand(CLI::App& program, Session& session, const std::string& name, const std::string& description,
                    std::function<int()> run)
{
  const auto command = std::make_shared<Command>(program, name, description);
  program.add_subcommand(command);
  command->add_flag("--json", session.json, "Print results to stdout, and an error to stderr, as JSON");
  // A command may have commands below it: the one that was chosen is called first.
  command->callback([chosen = command.get(), &session, run = std::move(run)] {
    if (!chosen->get_subcommands().empty())
      return;
    chosen->requireDistinctFiles();
    session.command = run;
  });
  return *command;
}

} // namespace hinesight::cli
