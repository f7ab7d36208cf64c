#pragma once

#include "app/cli/command.hpp"
#include "app/cli/session.hpp"
#include "core/fields.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::cli {

/// A command below another, or below the program, with the options that all have.
Command& addCommand(Command& parent, Session& session, const std::string& name, const std::string& description,
                    std::function<int()> run);

/// Whether a command has an option for a parameter: lists come from files, and what only a picture shows is of the
/// window.
bool isOption(const BoundField& field);

/// An option for every field that is one: `--name`, and `--no-name` for a switch. A field in a group stands under
/// the group's title, the others under `title`. The struct behind the fields holds the defaults and outlives the
/// command.
void addFieldOptions(Command& command, const std::vector<BoundField>& fields, const std::string& title);
/// The one of a field.
Option addFieldOption(Command& command, const BoundField& field, const std::string& title);
/// `--name` of a field, without the prefixes of its groups, that sets all of these fields alike. Add it before the
/// options of the single ones, which then have the last word: options take effect in the order in which they are added.
Option addSharedOption(Command& command, const std::vector<BoundField>& fields, const std::string& title);

/// The number that `text` is. Throws UsageError for what is no number, and Error(BadParameter) for a number that the
/// type cannot hold: an absurd value is no wrong usage. `Number`: double, or an integer of 32 or 64 bits.
template <typename Number>
Number parseNumber(const std::string& option, const std::string& text);

/// An option that takes a number, parsed by parseNumber; `value` holds the default.
template <typename Number>
Option addNumber(Command& command, const std::string& name, Number& value, const std::string& description);

/// The names of `values`, such as "none|branches".
template <typename Value>
std::string choiceNames(const std::vector<Value>& values, std::string_view (*nameOf)(Value))
{
  std::string names;
  for (const Value value : values)
    names += (names.empty() ? "" : "|") + std::string(nameOf(value));
  return names;
}

/// The value of that name. Throws UsageError that lists the names.
template <typename Value>
Value parseChoice(const std::string& option, const std::string& text, const std::vector<Value>& values,
                  std::string_view (*nameOf)(Value))
{
  for (const Value value : values)
    if (nameOf(value) == text)
      return value;
  throw UsageError(option, "'" + text + "' is none of " + choiceNames(values, nameOf));
}

/// An option that takes one of the names of `values`; `value` holds the default.
template <typename Value>
Option addChoice(Command& command, const std::string& name, Value& value, const std::vector<Value>& values,
                 std::string_view (*nameOf)(Value), const std::string& description)
{
  return command
      .addOption(
          name, [=, &value](const std::string& text) { value = parseChoice(name, text, values, nameOf); }, description)
      .defaultText(std::string(nameOf(value)))
      .typeName(choiceNames(values, nameOf));
}

} // namespace hinesight::cli
