#pragma once

#include "app/cli/session.hpp"
#include "core/error.hpp"
#include "core/fields.hpp"
#include "core/text.hpp"

#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace hinesight::cli {

/// A command of the program. It knows which of its options name files, so that what holds for all files is said once: a
/// name is not empty, and a file that is written has one option only.
class Command : public CLI::App
{
public:
  Command(CLI::App& program, const std::string& name, const std::string& description);

  /// An option, or an operand (a name without dashes), that takes a file or folder to read; several, where `names` is a
  /// vector.
  template <typename Names>
  CLI::Option* addInput(const std::string& option, Names& names, const std::string& description)
  {
    return addFile(add_option(option, names, description), option, false);
  }
  /// The same, read by `take` as soon as it is parsed.
  CLI::Option* addInput(const std::string& option, std::function<void(const std::string&)> take,
                        const std::string& description)
  {
    return addFile(add_option_function<std::string>(option, std::move(take), description), option, false);
  }
  /// The same of a file or folder to write.
  template <typename Names>
  CLI::Option* addOutput(const std::string& option, Names& names, const std::string& description)
  {
    return addFile(add_option(option, names, description), option, true);
  }
  /// The same of what is always a folder.
  template <typename Names>
  CLI::Option* addOutputFolder(const std::string& option, Names& names, const std::string& description)
  {
    return addOutput(option, names, description)->type_name("FOLDER");
  }

  /// Throws CLI::ValidationError where two files that are written are one, or one that is written is also read: only
  /// the last to be written would be left.
  void requireDistinctFiles() const;

private:
  struct FileOption
  {
    const CLI::Option* option;
    bool isWritten;
  };

  CLI::Option* addFile(CLI::Option* option, const std::string& name, bool isWritten);

  std::vector<FileOption> fileOptions;
};

/// A command of the program with the options that all have.
Command& addCommand(CLI::App& program, Session& session, const std::string& name, const std::string& description,
                    std::function<int()> run);

/// Whether a command has an option for a parameter: lists come from files, and what only a picture shows is of the
/// window.
bool isOption(const BoundField& field);

/// An option for every field that is one: `--name`, and `--no-name` for a switch. A field in a group stands under
/// the group's title, the others under `title`. The struct behind the fields holds the defaults and outlives the
/// command.
void addFieldOptions(CLI::App& command, const std::vector<BoundField>& fields, const std::string& title);
/// The one of a field.
CLI::Option* addFieldOption(CLI::App& command, const BoundField& field, const std::string& title);
/// `--name` of a field, without the prefixes of its groups, that sets all of these fields alike. Add it before the
/// options of the single ones, which then have the last word: options take effect in the order in which they are added.
CLI::Option* addSharedOption(CLI::App& command, const std::vector<BoundField>& fields, const std::string& title);

/// The number that `text` is. Throws CLI::ValidationError (wrong usage) for what is no number, and Error(BadParameter)
/// for a number that the type cannot hold: an absurd value is no wrong usage.
template <typename Number>
Number parseNumber(const std::string& option, const std::string& text)
{
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  const bool negativeOfUnsigned = std::is_unsigned_v<Number> && text.size() > 1 && text[0] == '-' &&
                                  text.find_first_not_of("0123456789", 1) == std::string::npos;
  if (negativeOfUnsigned || (stop == end && failure == std::errc::result_out_of_range))
    throw Error(ErrorCode::BadParameter, option + " is " + text + "; that is out of range.");
  if (stop != end || failure != std::errc{})
    throw CLI::ValidationError(option,
                               "'" + text + "' is no " + (std::is_integral_v<Number> ? "whole number" : "number"));
  return value;
}

/// An option that takes a number, parsed by parseNumber; `value` holds the default.
template <typename Number>
CLI::Option* addNumber(CLI::App& command, const std::string& name, Number& value, const std::string& description)
{
  CLI::Option* option = command.add_option_function<std::string>(
      name, [name, &value](const std::string& text) { value = parseNumber<Number>(name, text); }, description);
  option->default_str(textOf(value));
  return option->type_name(std::is_integral_v<Number> ? "INT" : "NUMBER");
}

/// The names of `values`, such as "none|branches".
template <typename Value>
std::string choiceNames(const std::vector<Value>& values, std::string_view (*nameOf)(Value))
{
  std::string names;
  for (const Value value : values)
    names += (names.empty() ? "" : "|") + std::string(nameOf(value));
  return names;
}

/// The value of that name. Throws CLI::ValidationError that lists the names.
template <typename Value>
Value parseChoice(const std::string& option, const std::string& text, const std::vector<Value>& values,
                  std::string_view (*nameOf)(Value))
{
  for (const Value value : values)
    if (nameOf(value) == text)
      return value;
  throw CLI::ValidationError(option, "'" + text + "' is none of " + choiceNames(values, nameOf));
}

/// An option that takes one of the names of `values`; `value` holds the default.
template <typename Value>
CLI::Option* addChoice(CLI::App& command, const std::string& name, Value& value, const std::vector<Value>& values,
                       std::string_view (*nameOf)(Value), const std::string& description)
{
  const auto parse = [=, &value](const std::string& text) { value = parseChoice(name, text, values, nameOf); };
  CLI::Option* option = command.add_option_function<std::string>(name, parse, description);
  return option->default_str(std::string(nameOf(value)))->type_name(choiceNames(values, nameOf));
}

} // namespace hinesight::cli
