#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hinesight::manual {

enum class ValueKind
{
  None,
  Text,
  Choice,
  File,
  Folder
};

/// An option of a command, or an operand, as its declaration says.
struct Option
{
  std::vector<std::string> names; ///< with their dashes; none for an operand
  std::string value;              ///< such as "FILE"; empty where the option takes none
  ValueKind kind = ValueKind::None;
  std::vector<std::string> choices;
  std::string preset; ///< what it is where it is not given; empty where that is not said
  std::string description;
  std::string group;                 ///< empty for those without one of their own
  std::vector<std::string> excludes; ///< options that it cannot be given with
  bool isRequired = false;
  bool isRepeated = false; ///< an operand that may stand several times
};

/// A program, or one of its commands.
struct Command
{
  std::vector<std::string> path; ///< "hinesight-cli", "bench", "hines"
  std::string description;
  std::string footer;
  std::vector<Option> operands;
  std::vector<Option> options;
  std::vector<Command> commands;

  /// The words of the path, such as "hinesight-cli bench hines" with a space between them.
  std::string name(const std::string& between) const;
};

/// What a program says of itself, without what it hides.
Command describe(const CLI::App& program);

/// The command and all below it.
std::vector<const Command*> allCommands(const Command& program);

} // namespace hinesight::manual
