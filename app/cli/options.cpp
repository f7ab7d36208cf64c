#include "app/cli/options.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hinesight::cli {

namespace {

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
    throw UsageError(option, problem.what());
  } catch (const Error& error) {
    throw Error(error.code(), option + " is " + error.message());
  }
}

Option addFieldOption(Command& command, const BoundField& field, const std::vector<BoundField>& all,
                      const std::string& title)
{
  const std::string names = optionNames(field);
  const std::string group = field.groups.empty() ? title : std::string(field.groups.back().title);
  if (field.kind == FieldKind::Switch)
    return command
        .addSwitch(
            names, [bound = field](bool isOn) mutable { bound.setNumber(isOn ? 1 : 0); }, optionHelp(field))
        .group(group);
  const std::string name = "--" + field.name;
  Option option = command.addOption(
      names, [name, field, all](const std::string& text) { take(name, field, all, text); }, optionHelp(field));
  // A series may be given in parts.
  if (field.kind == FieldKind::Series)
    option.joinsWithCommas();
  return option.defaultText(field.text()).typeName(typeName(field)).group(group);
}

} // namespace

bool isOption(const BoundField& field)
{
  return field.kind != FieldKind::List && field.about.concern != Concern::Picture;
}

void addFieldOptions(Command& command, const std::vector<BoundField>& fields, const std::string& title)
{
  for (const BoundField& field : fields)
    if (isOption(field))
      addFieldOption(command, field, fields, title);
}

Option addFieldOption(Command& command, const BoundField& field, const std::string& title)
{
  return addFieldOption(command, field, {}, title);
}

Option addSharedOption(Command& command, const std::vector<BoundField>& fields, const std::string& title)
{
  const BoundField& first = fields.front();
  const std::string name = "--" + std::string(first.about.name);
  const bool isOne =
      std::all_of(fields.begin(), fields.end(), [&](const BoundField& field) { return field.text() == first.text(); });
  return command
      .addOption(
          name,
          [name, fields](const std::string& text) {
            for (const BoundField& field : fields)
              take(name, field, {}, text);
          },
          optionHelp(first))
      .defaultText(isOne ? first.text() : "by kind")
      .typeName(typeName(first))
      .group(title);
}

Command& addCommand(Command& parent, Session& session, const std::string& name, const std::string& description,
                    std::function<int()> run)
{
  Command& command = parent.addCommand(name, description);
  command.addFlag("--json", session.json, "Print results to stdout, and an error to stderr, as JSON");
  command.whenGiven([&session, run = std::move(run)] { session.command = run; });
  return command;
}

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
    throw UsageError(option, "'" + text + "' is no " + (std::is_integral_v<Number> ? "whole number" : "number"));
  return value;
}

template <typename Number>
Option addNumber(Command& command, const std::string& name, Number& value, const std::string& description)
{
  return command
      .addOption(
          name, [name, &value](const std::string& text) { value = parseNumber<Number>(name, text); }, description)
      .defaultText(textOf(value))
      .typeName(std::is_integral_v<Number> ? "INT" : "NUMBER");
}

template double parseNumber(const std::string&, const std::string&);
template std::int32_t parseNumber(const std::string&, const std::string&);
template std::int64_t parseNumber(const std::string&, const std::string&);
template std::uint32_t parseNumber(const std::string&, const std::string&);
template std::uint64_t parseNumber(const std::string&, const std::string&);

template Option addNumber(Command&, const std::string&, double&, const std::string&);
template Option addNumber(Command&, const std::string&, std::int32_t&, const std::string&);
template Option addNumber(Command&, const std::string&, std::int64_t&, const std::string&);
template Option addNumber(Command&, const std::string&, std::uint32_t&, const std::string&);
template Option addNumber(Command&, const std::string&, std::uint64_t&, const std::string&);

} // namespace hinesight::cli
