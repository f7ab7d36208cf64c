#include "app/manual/completion.hpp"

#include <algorithm>
#include <cctype>

namespace hinesight::manual {

namespace {

constexpr const char* kOrigin = " completion of the options of ";

std::string joined(const std::vector<std::string>& words, const std::string& between)
{
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

std::string replaced(const std::string& text, char from, const std::string& to)
{
  std::string result;
  for (const char c : text)
    if (c == from)
      result += to;
    else
      result += c;
  return result;
}

/// In single quotes, for a shell.
std::string quoted(const std::string& text)
{
  return "'" + replaced(text, '\'', "'\\''") + "'";
}

/// The name of a shell function.
std::string functionName(const Command& command)
{
  return "_" + replaced(command.name("_"), '-', "_");
}

std::vector<std::string> namesOf(const std::vector<Command>& commands)
{
  std::vector<std::string> names;
  for (const Command& command : commands)
    names.push_back(command.path.back());
  return names;
}

/// "solve", "bench hines"; empty for the program.
std::string belowProgram(const Command& command)
{
  return joined({command.path.begin() + 1, command.path.end()}, " ");
}

// ---- bash

/// What stands behind the option's name in a case of bash.
std::string bashValue(const Option& option)
{
  switch (option.kind) {
  case ValueKind::Choice:
    return "words=" + quoted(joined(option.choices, " ")) + " files=";
  case ValueKind::File:
    return "words= files=-f";
  case ValueKind::Folder:
    return "words= files=-d";
  default:
    return "words= files=";
  }
}

std::string bashCase(const Command& command)
{
  std::vector<std::string> names;
  std::vector<std::string> unlisted; // whose values nobody can list
  std::string values;
  for (const Option& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.kind == ValueKind::Text)
      unlisted.insert(unlisted.end(), option.names.begin(), option.names.end());
    else if (option.kind != ValueKind::None)
      values += "        " + joined(option.names, " | ") + ") " + bashValue(option) + " ;;\n";
  }
  if (!unlisted.empty())
    values += "        " + joined(unlisted, " | ") + ") words= files= ;;\n";
  std::string text = "    " + quoted(belowProgram(command)) + ")\n";
  text += "      options=" + quoted(joined(names, " ")) + "\n";
  text += "      words=" + quoted(joined(namesOf(command.commands), " ")) + "\n";
  for (const Option& operand : command.operands)
    if (operand.kind == ValueKind::Choice)
      text += "      words+=" + quoted(" " + joined(operand.choices, " ")) + "\n";
    else
      text += "      files=-f\n";
  if (!values.empty())
    text += "      case $previous in\n" + values + "        *) return 1 ;;\n      esac\n";
  else
    text += "      return 1\n";
  return text + "      ;;\n";
}

// ---- zsh

/// Text inside the brackets of _arguments.
std::string zshText(const std::string& text)
{
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

std::string zshValue(const Option& option)
{
  std::string text = ":" + zshText(option.value) + ":";
  switch (option.kind) {
  case ValueKind::Choice:
    return text + "(" + joined(option.choices, " ") + ")";
  case ValueKind::File:
    return text + "_files";
  case ValueKind::Folder:
    return text + "_files -/";
  default:
    return text + " ";
  }
}

std::string zshFunction(const Command& command)
{
  std::string text = functionName(command) + "()\n{\n";
  if (!command.commands.empty())
    text += "  local curcontext=$curcontext state line\n  local -a commands\n";
  text += "  _arguments -C";
  for (const Option& option : command.options)
    for (const std::string& name : option.names) {
      const bool isLong = name.starts_with("--");
      const std::string behind = option.kind == ValueKind::None ? "" : isLong ? "=" : "+";
      text += " \\\n    " + quoted(name + behind + "[" + zshText(option.description) + "]" +
                                   (option.kind == ValueKind::None ? "" : zshValue(option)));
    }
  if (!command.commands.empty())
    text += " \\\n    '1: :->command' '*::argument:->arguments'";
  else
    for (const Option& operand : command.operands)
      text += " \\\n    " + quoted((operand.isRepeated ? "*" : "") + zshValue(operand));
  text += "\n";
  if (!command.commands.empty()) {
    text += "  case $state in\n    command)\n      commands=(\n";
    for (const Command& below : command.commands)
      text += "        " + quoted(replaced(below.path.back(), ':', "\\:") + ":" + below.description) + "\n";
    text += "      )\n      _describe command commands\n      ;;\n    arguments)\n      case $line[1] in\n";
    for (const Command& below : command.commands)
      text += "        " + below.path.back() + ") " + functionName(below) + " ;;\n";
    text += "      esac\n      ;;\n  esac\n";
  }
  return text + "}\n\n";
}

// ---- fish

/// The condition under which a command is the one that is being written.
std::string fishCondition(const Command& command, bool isForItsCommands)
{
  std::vector<std::string> terms;
  for (std::size_t k = 1; k < command.path.size(); ++k)
    terms.push_back("__fish_seen_subcommand_from " + command.path[k]);
  if (!command.commands.empty() && (isForItsCommands || command.path.size() > 1))
    terms.push_back("not __fish_seen_subcommand_from " + joined(namesOf(command.commands), " "));
  return terms.empty() ? "" : " -n " + quoted(joined(terms, "; and "));
}

std::string fishOption(const Command& command, const Option& option)
{
  std::string text = "complete -c " + command.path.front() + fishCondition(command, true);
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  switch (option.kind) {
  case ValueKind::None:
    break;
  case ValueKind::Choice:
    text += " -x -a " + quoted(joined(option.choices, " "));
    break;
  case ValueKind::File:
    text += " -r -F";
    break;
  case ValueKind::Folder:
    text += " -x -a '(__fish_complete_directories)'";
    break;
  case ValueKind::Text:
    text += " -x";
    break;
  }
  return text + " -d " + quoted(option.description) + "\n";
}

} // namespace

std::string bashCompletion(const Command& program)
{
  const std::string name = program.path.front();
  const std::string function = functionName(program);
  std::string known;
  std::string cases;
  for (const Command* command : allCommands(program)) {
    if (command->path.size() > 1)
      known += (known.empty() ? "" : " | ") + quoted(belowProgram(*command));
    cases += bashCase(*command);
  }
  std::string text = "# bash" + std::string(kOrigin) + name + "\n\n";
  text +=
      "# Sets options, words and files to what the command `path` offers behind the word `previous`. Returns 1 where\n"
      "# that word is no option that takes a value.\n" +
      function + "_offers()\n{\n  case $path in\n" + cases + "  esac\n}\n\n";
  text += function + "()\n{\n"
                     "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
                     "  local path= options= words= files= i next\n"
                     "  COMPREPLY=()\n"
                     "  # bash takes the = of --option=value for a word.\n"
                     "  if [[ $current == = ]]; then\n"
                     "    current=\n"
                     "  elif [[ $previous == = ]]; then\n"
                     "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
                     "  fi\n";
  if (!known.empty())
    text += "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
            "    next=\"$path${path:+ }${COMP_WORDS[i]}\"\n"
            "    case $next in\n      " +
            known + ") path=$next ;;\n    esac\n  done\n";
  text += "  " + function +
          "_offers\n"
          "  case $?:$current in\n"
          "    1:-*) words=$options files= ;;\n"
          "  esac\n"
          "  if [[ -n $files ]]; then\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    mapfile -t COMPREPLY < <(compgen $files -- \"$current\")\n"
          "  fi\n"
          "  [[ -z $words ]] || COMPREPLY+=($(compgen -W \"$words\" -- \"$current\"))\n"
          "}\n\ncomplete -F " +
          function + " " + name + "\n";
  return text;
}

std::string zshCompletion(const Command& program)
{
  const std::string name = program.path.front();
  std::string text = "#compdef " + name + "\n# zsh" + kOrigin + name + "\n\n";
  for (const Command* command : allCommands(program))
    text += zshFunction(*command);
  return text + functionName(program) + " \"$@\"\n";
}

std::string fishCompletion(const Command& program)
{
  const std::string name = program.path.front();
  std::string text = "# fish" + std::string(kOrigin) + name + "\n\n";
  for (const Command* command : allCommands(program)) {
    const bool takesFiles = std::any_of(command->operands.begin(), command->operands.end(),
                                        [](const Option& operand) { return operand.kind == ValueKind::File; });
    if (!takesFiles)
      text += "complete -c " + name + fishCondition(*command, true) + " -f\n";
    for (const Option& option : command->options)
      text += fishOption(*command, option);
    for (const Option& operand : command->operands)
      if (operand.kind == ValueKind::Choice)
        text += "complete -c " + name + fishCondition(*command, true) + " -a " + quoted(joined(operand.choices, " ")) +
                "\n";
    for (const Command& below : command->commands)
      text += "complete -c " + name + fishCondition(*command, true) + " -a " + below.path.back() + " -d " +
              quoted(below.description) + "\n";
  }
  return text;
}

} // namespace hinesight::manual
