#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace hinesight::cli {

// CLI11 parses the command line. Only command.cpp and program.cpp include it: a file that does takes seconds longer to
// compile. All others declare their options through what is here.

/// Wrong usage of the command line. The program prints it and ends with status 2.
class UsageError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
  /// Of an option or operand: "--side: is negative".
  UsageError(const std::string& option, const std::string& problem) : std::runtime_error(option + ": " + problem) {}
};

/// What an option can set by itself.
template <typename Value>
concept OptionValue = std::same_as<Value, std::string> || std::same_as<Value, std::vector<std::string>> ||
    std::same_as<Value, std::vector<double>> || std::same_as<Value, std::vector<std::int32_t>> ||
    std::same_as<Value, std::vector<std::int64_t>> || std::same_as<Value, std::vector<std::uint32_t>>;

/// An option of a command, or an operand (a name without dashes). All copies stand for one option, which its command
/// owns.
class Option
{
public:
  /// None, to assign another to.
  Option() = default;

  /// What stands for its value in the help, such as "NUMBER".
  Option& typeName(const std::string& name);
  /// What the help calls its default.
  Option& defaultText(const std::string& text);
  /// The title that it stands under in the help.
  Option& group(const std::string& title);

  Option& required();
  /// It is not given together with the other.
  Option& excludes(const Option& other);
  /// It is not given without the other.
  Option& needs(const Option& other);

  /// How many values it takes.
  Option& takes(int least, int most);
  Option& takes(int count) { return takes(count, count); }
  /// It takes one argument each time that it is given; else all that follow, up to the next option.
  Option& takesOneArgument();
  /// An argument may hold several values, with commas between them.
  Option& splitsAtCommas();
  /// Given several times, its values count as one text, with commas between them.
  Option& joinsWithCommas();

  /// Its values are among these names.
  Option& oneOf(const std::vector<std::string>& names);
  /// Its values are whole numbers from `least` to `greatest`.
  Option& within(std::int64_t least, std::int64_t greatest);
  /// Calls this with each value as soon as it is parsed.
  Option& each(const std::function<void(const std::string&)>& take);

  /// Whether the command line gives it.
  bool isGiven() const;
  /// With its dashes.
  std::string name() const;

private:
  friend class Command;
  explicit Option(CLI::Option* option) : declared(option) {}

  CLI::Option* declared = nullptr;
};

/// A program, or one of its commands. It knows which of its options name files, so that what holds for all files is
/// said once: a name is not empty, and a file that is written has one option only.
class Command
{
public:
  /// The program that `app` parses the command line of. `app` outlives it.
  explicit Command(CLI::App& app);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// A command below it, which it owns.
  Command& addCommand(const std::string& name, const std::string& description);
  /// It does nothing by itself: the command line gives one of the commands below it.
  void requireCommand();
  /// Calls this where the command line gives it, and none of the commands below it. Throws UsageError before where two
  /// files that are written are one, or one that is written is also read: only the last to be written would be left.
  void whenGiven(std::function<void()> act);
  /// What the help ends with.
  void footer(const std::string& text);

  /// An option that says yes.
  Option addFlag(const std::string& names, bool& value, const std::string& description);
  /// The same, where `act` is called.
  Option addFlag(const std::string& names, const std::function<void()>& act, const std::string& description);
  /// An option that says yes or, by other names, no: "--name,!--no-name".
  Option addSwitch(const std::string& names, const std::function<void(bool)>& take, const std::string& description);

  /// An option or operand; `value` holds what it is where it is not given.
  template <OptionValue Value>
  Option addOption(const std::string& names, Value& value, const std::string& description);
  /// The same, which `take` reads as soon as it is parsed.
  Option addOption(const std::string& names, const std::function<void(const std::string&)>& take,
                   const std::string& description);
  Option addOption(const std::string& names, const std::function<void(const std::vector<std::string>&)>& take,
                   const std::string& description);

  /// An option or operand that takes a file or folder to read; several, where `files` is a vector.
  template <OptionValue Files>
  Option addInput(const std::string& names, Files& files, const std::string& description)
  {
    return addFile(addOption(names, files, description), names, false);
  }
  /// The same, which `take` reads as soon as it is parsed.
  Option addInput(const std::string& names, const std::function<void(const std::string&)>& take,
                  const std::string& description)
  {
    return addFile(addOption(names, take, description), names, false);
  }
  /// The same of a file or folder to write.
  template <OptionValue Files>
  Option addOutput(const std::string& names, Files& files, const std::string& description)
  {
    return addFile(addOption(names, files, description), names, true);
  }
  /// The same of what is always a folder.
  template <OptionValue Files>
  Option addOutputFolder(const std::string& names, Files& files, const std::string& description)
  {
    return addOutput(names, files, description).typeName("FOLDER");
  }

  /// The option of that name, which has been added.
  Option option(const std::string& name) const;
  /// Whether the command line gives an option of one of these groups.
  bool givesAnyOf(const std::vector<std::string>& groups) const;

private:
  struct FileOption
  {
    Option option;
    bool isWritten;
  };

  Option addFile(Option option, const std::string& names, bool isWritten);
  void requireDistinctFiles() const;

  CLI::App& app;
  std::vector<std::unique_ptr<Command>> commands;
  std::vector<FileOption> fileOptions;
};

} // namespace hinesight::cli
