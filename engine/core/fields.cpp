#include "core/fields.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace hinesight {

namespace {

bool isAllowed(const Field& about, double value)
{
  if (!about.special.word.empty() && value == about.special.value)
    return true;
  const Range& range = about.range;
  const bool below = range.greatest >= kBoundless ? std::isfinite(value) : value <= range.greatest;
  const bool within = below && value >= range.least && !(range.above && value == range.least);
  if (about.multipleOf <= 0 || !within)
    return within;
  if (about.powersOfTwoBelow && value > 0 && value < about.multipleOf)
    return std::exp2(std::round(std::log2(value))) == value;
  return std::fmod(value, about.multipleOf) == 0;
}

std::string withUnit(std::string text, std::string_view unit)
{
  if (!unit.empty())
    text += " " + std::string(unit);
  return text;
}

[[noreturn]] void refuse(const BoundField& field, const std::string& value, const std::string& choices)
{
  throw Error(ErrorCode::BadParameter, field.label() + " is " + value + "; choose " + choices + ".");
}

/// 1,000,000 for whole numbers, else the shortest text.
std::string rangeNumber(double value)
{
  constexpr double kMostInFull = 1e9;
  if (std::abs(value) > kMostInFull || std::round(value) != value)
    return textOf(value);
  std::string digits = std::to_string(std::llround(std::abs(value)));
  for (std::ptrdiff_t k = static_cast<std::ptrdiff_t>(digits.size()) - 3; k > 0; k -= 3)
    digits.insert(static_cast<std::size_t>(k), ",");
  return (value < 0 ? "-" : "") + digits;
}

std::string choiceNames(std::span<const Choice> choices)
{
  std::string names;
  for (const Choice& choice : choices)
    names += (names.empty() ? "" : "|") + std::string(choice.name) +
             (choice.argument.empty() ? "" : "[:" + std::string(choice.argument) + "]");
  return names;
}

} // namespace

std::string BoundField::label() const
{
  std::string label(about.label);
  for (const FieldGroup& group : groups)
    if (!group.whose.empty())
      label += " of " + std::string(group.whose);
  return label;
}

void BoundField::setText(std::string_view text)
{
  const bool isNumber = kind == FieldKind::Whole || kind == FieldKind::Real;
  if (isNumber && !text.empty() && text == about.special.word) {
    setNumber(about.special.value);
    return;
  }
  if (access->setText(value, text, choices))
    return;
  constexpr std::size_t kMostShown = 40; // of what a damaged file holds
  const std::string given = "'" + std::string(text.substr(0, kMostShown)) + "' is ";
  const auto describe = [&](std::string_view number) {
    return given +
           (kind == FieldKind::Series ? "no list of " + std::string(number) + "s" : "no " + std::string(number));
  };
  switch (kind == FieldKind::Series ? itemKind : kind) {
  case FieldKind::Switch:
    throw std::invalid_argument(given + "neither true nor false");
  case FieldKind::Choice:
    throw std::invalid_argument(given + "none of " + choiceNames(choices));
  case FieldKind::Whole:
    throw std::invalid_argument(describe("whole number"));
  default:
    throw std::invalid_argument(describe("number"));
  }
}

void BoundField::validate() const
{
  switch (kind) {
  case FieldKind::Switch:
  case FieldKind::Text:
    return;
  case FieldKind::Choice:
    if (text().empty())
      refuse(*this, textOf(number()), choiceNames(choices));
    return;
  case FieldKind::Series:
    for (std::size_t k = 0; k < size(); ++k) {
      BoundField one = item(k).front();
      one.about = about;
      one.groups = groups;
      one.validate();
    }
    return;
  case FieldKind::List:
    for (std::size_t k = 0; k < size(); ++k) {
      std::vector<BoundField> parts = item(k);
      for (BoundField& part : parts)
        part.groups.push_back({.whose = about.item});
      validateFields(parts);
    }
    return;
  case FieldKind::Whole:
  case FieldKind::Real:
    if (!isAllowed(about, number()))
      refuse(*this, withUnit(text(), about.unit), rangeText(*this));
    return;
  }
}

void validateFields(std::span<const BoundField> fields)
{
  for (const BoundField& field : fields)
    if (field.about.applies)
      field.validate();
}

void validateAllFields(std::span<const BoundField> fields)
{
  for (const BoundField& field : fields)
    field.validate();
}

std::vector<BoundField> scienceOf(std::vector<BoundField> fields)
{
  std::erase_if(fields, [](const BoundField& field) { return field.about.concern != Concern::Science; });
  return fields;
}

std::vector<BoundField> applyingOf(std::span<const BoundField> fields)
{
  std::vector<BoundField> applying;
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(applying),
               [](const BoundField& field) { return field.about.applies; });
  return applying;
}

BoundField* findField(std::span<BoundField> fields, std::string_view name)
{
  for (BoundField& field : fields)
    if (field.name == name || (!field.about.former.empty() && field.about.former == name))
      return &field;
  return nullptr;
}

namespace {

std::string itemPrefix(const std::string& list, std::size_t index)
{
  return list + "." + std::to_string(index) + ".";
}

} // namespace

std::vector<Setting> settingsOf(std::span<const BoundField> fields)
{
  std::vector<Setting> settings;
  for (const BoundField& field : fields) {
    if (field.kind != FieldKind::List) {
      settings.push_back({field.name, field.text()});
      continue;
    }
    settings.push_back({field.name, std::to_string(field.size())});
    for (std::size_t k = 0; k < field.size(); ++k)
      for (Setting& part : settingsOf(field.item(k)))
        settings.push_back({itemPrefix(field.name, k) + part.name, std::move(part.text)});
  }
  return settings;
}

std::vector<std::string> applySettings(std::span<BoundField> fields, std::span<const Setting> settings)
{
  std::vector<std::string> unknown;
  const auto refuse = [](const Setting& setting, const std::string& problem) {
    throw Error(ErrorCode::BadFormat, "The value of " + setting.name + ", " + problem + ".");
  };
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const Setting& setting = settings[k];
    BoundField* const field = findField(fields, setting.name);
    if (!field) {
      unknown.push_back(setting.name);
      continue;
    }
    if (field->kind != FieldKind::List) {
      try {
        field->setText(setting.text);
      } catch (const std::invalid_argument& problem) {
        refuse(setting, problem.what());
      } catch (const Error&) {
        refuse(setting, "'" + setting.text + "', is out of range");
      }
      continue;
    }
    const auto count = numberOf<std::size_t>(setting.text);
    if (!count || *count > settings.size())
      refuse(setting, "'" + setting.text + "', is no number of items that follow");
    field->resize(*count);
    // The items' settings follow in their order.
    for (std::size_t item = 0; item < *count; ++item) {
      const std::string prefix = itemPrefix(field->name, item);
      std::vector<Setting> parts;
      for (; k + 1 < settings.size() && settings[k + 1].name.starts_with(prefix); ++k)
        parts.push_back({settings[k + 1].name.substr(prefix.size()), settings[k + 1].text});
      std::vector<BoundField> itemFields = field->item(item);
      for (const std::string& name : applySettings(itemFields, parts))
        unknown.push_back(prefix + name);
    }
  }
  return unknown;
}

void addMissing(std::vector<Setting>& settings, std::span<const Setting> others)
{
  const std::size_t known = settings.size();
  for (const Setting& other : others)
    if (std::none_of(settings.begin(), settings.begin() + static_cast<std::ptrdiff_t>(known),
                     [&](const Setting& setting) { return setting.name == other.name; }))
      settings.push_back(other);
}

std::string linesOf(std::span<const Setting> settings)
{
  std::string lines;
  for (const Setting& setting : settings) {
    if (!lines.empty())
      lines += '\n';
    lines += setting.name + "=";
    for (const char c : setting.text) {
      if (c == '\\' || c == '\n' || c == '\r')
        lines += '\\';
      lines += c == '\n' ? 'n' : c == '\r' ? 'r' : c;
    }
  }
  return lines;
}

std::vector<Setting> settingsOfLines(std::string_view lines)
{
  std::vector<Setting> settings;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t equals = std::min(line.find('='), line.size());
    Setting& setting = settings.emplace_back(Setting{std::string(line.substr(0, equals)), {}});
    for (std::size_t i = equals + 1; i < line.size(); ++i) {
      const bool isEscaped = line[i] == '\\' && i + 1 < line.size();
      const char c = isEscaped ? line[++i] : line[i];
      setting.text += isEscaped && c == 'n' ? '\n' : isEscaped && c == 'r' ? '\r' : c;
    }
  }
  return settings;
}

std::string quoteForShell(std::string text)
{
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,+-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos)
    return text;
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string commandText(std::span<const BoundField> fields)
{
  std::string command;
  for (const BoundField& field : fields) {
    if (!field.about.applies || field.kind == FieldKind::List || field.isDefault())
      continue;
    if (field.kind == FieldKind::Switch) {
      command += (field.number() != 0 ? " --" : " --no-") + field.name;
      continue;
    }
    command += " --" + field.name + " " + quoteForShell(field.text());
  }
  return command;
}

double nearestAllowed(const Field& field, double number)
{
  if (field.multipleOf <= 0 || (!field.special.word.empty() && number == field.special.value))
    return number;
  if (field.powersOfTwoBelow && number > 0 && number < field.multipleOf)
    return std::exp2(std::round(std::log2(number)));
  return std::clamp(std::round(number / field.multipleOf) * field.multipleOf, field.range.least, field.range.greatest);
}

std::string inCamelCase(std::string_view name)
{
  std::string camel;
  bool raise = false;
  for (const char c : name) {
    if (c == '-') {
      raise = true;
      continue;
    }
    camel += raise ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    raise = false;
  }
  return camel;
}

std::string rangeText(const BoundField& field)
{
  const FieldKind kind = field.kind == FieldKind::Series ? field.itemKind : field.kind;
  if (kind != FieldKind::Whole && kind != FieldKind::Real)
    return {};
  const Field& about = field.about;
  const Range& range = about.range;
  std::string text;
  if (range.greatest >= kBoundless)
    text = withUnit((range.above ? "above " : "") + rangeNumber(range.least) + (range.above ? "" : " or more"),
                    about.unit);
  else
    text = (range.above ? "above " : "") + rangeNumber(range.least) + (range.above ? ", at most " : " to ") +
           withUnit(rangeNumber(range.greatest), about.unit);
  if (about.multipleOf > 0)
    text += std::string(", ") + (about.powersOfTwoBelow ? "a power of two or " : "") + "a multiple of " +
            rangeNumber(about.multipleOf);
  if (!about.special.word.empty())
    text += about.special.value < range.least
                ? ", or " + std::string(about.special.word)
                : ", " + rangeNumber(about.special.value) + " for " + std::string(about.special.word);
  return text;
}

namespace field_access {

namespace {

/// Whether it looks like a number, as one that is too large to be read does.
bool isNumeral(std::string_view text, bool real)
{
  if (!text.empty() && text[0] == '-')
    text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of(real ? "0123456789.eE+-" : "0123456789") == std::string_view::npos;
}

/// False, or an Error(BadParameter) for a number that the type cannot hold.
bool refuseUnlessNoNumber(std::string_view text, bool real = false)
{
  if (isNumeral(text, real))
    throw Error(ErrorCode::BadParameter, std::string(text) + "; that is out of range.");
  return false;
}

} // namespace

bool readWhole(std::string_view text, std::int64_t least, std::int64_t greatest, std::int64_t& value)
{
  const auto read = numberOf<std::int64_t>(text);
  if (!read || *read < least || *read > greatest)
    return refuseUnlessNoNumber(text);
  value = *read;
  return true;
}

bool readWhole(std::string_view text, std::uint64_t greatest, std::uint64_t& value)
{
  const auto read = numberOf<std::uint64_t>(text);
  if (!read || *read > greatest)
    return refuseUnlessNoNumber(text);
  value = *read;
  return true;
}

bool readReal(std::string_view text, double& value)
{
  const auto read = numberOf<double>(text);
  if (!read) {
    double any = 0;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), any);
    return failure == std::errc::result_out_of_range && refuseUnlessNoNumber(text, true);
  }
  value = *read;
  return true;
}

bool readSwitch(std::string_view text, bool& value)
{
  value = text == "true";
  return value || text == "false";
}

bool readChoice(std::string_view text, std::span<const Choice> choices, std::size_t& index)
{
  const auto choice = std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.name == text; });
  index = static_cast<std::size_t>(choice - choices.begin());
  return choice != choices.end();
}

std::string joinItems(std::span<const std::string> items)
{
  std::string text;
  for (const std::string& item : items) {
    if (&item != items.data())
      text += ',';
    for (const char c : item) {
      if (c == ',' || c == '\\' || c == '\n')
        text += '\\';
      text += c == '\n' ? 'n' : c;
    }
  }
  if (!items.empty() && items.back().empty())
    text += ',';
  return text;
}

std::vector<std::string> divideItems(std::string_view text)
{
  std::vector<std::string> items;
  if (text.empty())
    return items;
  items.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',')
      items.emplace_back();
    else if (text[i] == '\\' && i + 1 < text.size())
      items.back() += text[++i] == 'n' ? '\n' : text[i];
    else
      items.back() += text[i];
  }
  if (items.back().empty())
    items.pop_back();
  return items;
}

std::vector<std::string> divideNumbers(std::string_view text)
{
  std::vector<std::string> items;
  if (text.empty())
    return items;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find_first_of(", ", begin);
    items.emplace_back(text.substr(begin, end - begin));
  }
  return items;
}

} // namespace field_access

} // namespace hinesight
