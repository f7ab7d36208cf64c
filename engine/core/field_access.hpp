#pragma once

#include "core/fields.hpp"
#include "core/text.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

// How fieldsOf reaches the values behind fields. Nobody includes it but fields.hpp.

namespace hinesight::field_access {

/// Parses the number into `value`. Throws Error(BadParameter) where it is a number that the type cannot hold. False:
/// it is no number.
bool readWhole(std::string_view text, std::int64_t least, std::int64_t greatest, std::int64_t& value);
bool readWhole(std::string_view text, std::uint64_t greatest, std::uint64_t& value);
bool readReal(std::string_view text, double& value);
bool readSwitch(std::string_view text, bool& value);
/// The index of the choice of that name.
bool readChoice(std::string_view text, std::span<const Choice> choices, std::size_t& index);

/// Items as one text, a comma between two of them. In an item a comma, a line break and a backslash stand behind a
/// backslash. A comma at the end ends the last item: it tells one empty item from none.
std::string joinItems(std::span<const std::string> items);
std::vector<std::string> divideItems(std::string_view text);
/// Apart by commas or blanks.
std::vector<std::string> divideNumbers(std::string_view text);

template <typename Value>
struct IsVector : std::false_type
{};
template <typename Item>
struct IsVector<std::vector<Item>> : std::true_type
{};

/// A type that is no enumeration, but whose values stand in a table all the same: tableOf(Value), and
/// placeInTable(value) and choiceAt(Value, place) between the two.
template <typename Value>
concept Tabled = !std::is_enum_v<Value> && requires(const Value& value)
{
  tableOf(value);
  placeInTable(value);
};

template <typename Value>
std::size_t choicePlace(const Value& value)
{
  if constexpr (Tabled<Value>)
    return placeInTable(value);
  else
    return static_cast<std::size_t>(value);
}

template <typename Value>
Value choiceValue(std::size_t place)
{
  if constexpr (Tabled<Value>)
    return choiceAt(Value{}, place);
  else
    return static_cast<Value>(place);
}

/// Empty for a place that is not in the table.
constexpr std::string_view nameInTable(std::span<const Choice> table, std::size_t place)
{
  return place < table.size() ? table[place].name : std::string_view();
}

template <typename Value>
struct IsArray : std::false_type
{};
template <typename Item, std::size_t kCount>
struct IsArray<std::array<Item, kCount>> : std::true_type
{};

template <typename Value>
inline constexpr bool kHasItems = IsVector<Value>::value || IsArray<Value>::value;

template <typename Value>
inline constexpr bool kIsPlain =
    std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::is_same_v<Value, std::string>;

template <typename Value>
constexpr FieldKind kindOf()
{
  if constexpr (std::is_same_v<Value, bool>)
    return FieldKind::Switch;
  else if constexpr (std::is_integral_v<Value>)
    return FieldKind::Whole;
  else if constexpr (std::is_floating_point_v<Value>)
    return FieldKind::Real;
  else if constexpr (std::is_enum_v<Value> || Tabled<Value>)
    return FieldKind::Choice;
  else if constexpr (kHasItems<Value>)
    return kIsPlain<typename Value::value_type> ? FieldKind::Series : FieldKind::List;
  else {
    static_assert(std::is_same_v<Value, std::string>, "a field is a number, a switch, a choice, a text or a vector");
    return FieldKind::Text;
  }
}

template <typename Value>
std::string valueText(const void* address)
{
  const Value& value = *static_cast<const Value*>(address);
  if constexpr (kindOf<Value>() == FieldKind::Switch)
    return value ? "true" : "false";
  else if constexpr (kindOf<Value>() == FieldKind::Choice)
    return std::string(nameInTable(tableOf(value), choicePlace(value)));
  else if constexpr (kindOf<Value>() == FieldKind::Text)
    return value;
  else if constexpr (kindOf<Value>() == FieldKind::Series) {
    std::vector<std::string> items;
    for (const auto& item : value)
      items.push_back(valueText<typename Value::value_type>(&item));
    return joinItems(items);
  } else if constexpr (kindOf<Value>() == FieldKind::List)
    return {};
  else
    return textOf(value);
}

template <typename Value>
bool setValueText(void* address, std::string_view text, std::span<const Choice> choices)
{
  Value& value = *static_cast<Value*>(address);
  if constexpr (kindOf<Value>() == FieldKind::Switch) {
    return readSwitch(text, value);
  } else if constexpr (kindOf<Value>() == FieldKind::Choice) {
    std::size_t index = 0;
    if (!readChoice(text, choices, index))
      return false;
    value = choiceValue<Value>(index);
    return true;
  } else if constexpr (kindOf<Value>() == FieldKind::Text) {
    value = std::string(text);
    return true;
  } else if constexpr (kindOf<Value>() == FieldKind::Series) {
    using Item = typename Value::value_type;
    const std::vector<std::string> items = std::is_arithmetic_v<Item> ? divideNumbers(text) : divideItems(text);
    Value read{};
    if constexpr (IsVector<Value>::value)
      read.resize(items.size());
    if (read.size() != items.size())
      return false;
    for (std::size_t k = 0; k < items.size(); ++k)
      if (!setValueText<Item>(&read[k], items[k], choices))
        return false;
    value = std::move(read);
    return true;
  } else if constexpr (kindOf<Value>() == FieldKind::List) {
    return false;
  } else if constexpr (kindOf<Value>() == FieldKind::Real) {
    double read = 0;
    if (!readReal(text, read))
      return false;
    value = static_cast<Value>(read);
    return true;
  } else {
    using Limits = std::numeric_limits<Value>;
    if constexpr (std::is_signed_v<Value>) {
      std::int64_t read = 0;
      if (!readWhole(text, Limits::min(), Limits::max(), read))
        return false;
      value = static_cast<Value>(read);
    } else {
      std::uint64_t read = 0;
      if (!readWhole(text, Limits::max(), read))
        return false;
      value = static_cast<Value>(read);
    }
    return true;
  }
}

template <typename Value>
double valueNumber(const void* address)
{
  if constexpr (kindOf<Value>() == FieldKind::Choice)
    return static_cast<double>(choicePlace(*static_cast<const Value*>(address)));
  else if constexpr (std::is_arithmetic_v<Value>)
    return static_cast<double>(*static_cast<const Value*>(address));
  else
    return 0;
}

/// The whole number that is nearest; the least or greatest of the type for what it cannot hold.
template <typename Value>
Value nearestWhole(double number)
{
  using Limits = std::numeric_limits<Value>;
  // The greatest may be rounded up to a power of two, which the type cannot hold.
  if (number >= static_cast<double>(Limits::max()))
    return Limits::max();
  return number > static_cast<double>(Limits::min()) ? static_cast<Value>(std::round(number)) : Limits::min();
}

template <typename Value>
void setValueNumber(void* address, double number)
{
  Value& value = *static_cast<Value*>(address);
  if constexpr (kindOf<Value>() == FieldKind::Switch)
    value = number != 0;
  else if constexpr (kindOf<Value>() == FieldKind::Choice)
    value = choiceValue<Value>(static_cast<std::size_t>(number));
  else if constexpr (kindOf<Value>() == FieldKind::Whole)
    value = nearestWhole<Value>(number);
  else if constexpr (kindOf<Value>() == FieldKind::Real)
    value = static_cast<Value>(number);
}

template <typename Value>
std::size_t vectorSize(const void* address)
{
  if constexpr (kHasItems<Value>)
    return static_cast<const Value*>(address)->size();
  else
    return 0;
}

template <typename Value>
void resizeVector(void* address, std::size_t items)
{
  if constexpr (IsVector<Value>::value)
    static_cast<Value*>(address)->resize(items);
}

template <typename Value>
std::vector<BoundField> fieldsOfItem(void* address, std::size_t index);

template <typename Value>
inline constexpr BoundField::Access kAccess = {
    valueText<Value>,
    setValueText<Value>,
    valueNumber<Value>,
    setValueNumber<Value>,
    [](const void* a, const void* b) { return *static_cast<const Value*>(a) == *static_cast<const Value*>(b); },
    [](void* a, const void* b) { *static_cast<Value*>(a) = *static_cast<const Value*>(b); },
    vectorSize<Value>,
    resizeVector<Value>,
    fieldsOfItem<Value>};

template <typename Value>
BoundField bindField(const Field& about, std::string name, std::vector<FieldGroup> groups, Value& value)
{
  BoundField field;
  field.about = about;
  field.name = std::move(name);
  field.groups = std::move(groups);
  field.kind = kindOf<Value>();
  if constexpr (kindOf<Value>() == FieldKind::Choice)
    field.choices = tableOf(value);
  if constexpr (kindOf<Value>() == FieldKind::Series) {
    using Item = typename Value::value_type;
    field.itemKind = kindOf<Item>();
    if constexpr (std::is_enum_v<Item>)
      field.choices = tableOf(Item{});
  }
  field.access = &kAccess<Value>;
  field.value = &value;
  field.standard = &value;
  return field;
}

/// Collects the fields of a struct and of those in it.
class FieldCollector
{
public:
  explicit FieldCollector(std::vector<BoundField>& into) : fields(into) {}

  template <typename Value>
  void operator()(const Field& about, Value& value)
  {
    BoundField field = bindField(about, prefix + std::string(about.name), groups, value);
    field.about.applies = applies && about.applies;
    field.groupApplies = applies;
    fields.push_back(std::move(field));
  }

  template <typename Parameters>
  void operator()(const FieldGroup& group, Parameters& parameters)
  {
    FieldCollector inner(fields);
    inner.prefix = prefix + std::string(group.prefix);
    inner.groups = groups;
    inner.groups.push_back(group);
    inner.applies = applies && group.applies;
    visitFields(parameters, inner);
  }

  /// Fields that are bound already: of a part whose type is not known here.
  void operator()(const FieldGroup& group, std::vector<BoundField>&& bound)
  {
    for (BoundField& field : bound) {
      field.name = prefix + std::string(group.prefix) + field.name;
      field.groups.insert(field.groups.begin(), group);
      field.groups.insert(field.groups.begin(), groups.begin(), groups.end());
      field.about.applies = field.about.applies && group.applies && applies;
      field.groupApplies = field.groupApplies && group.applies && applies;
      fields.push_back(std::move(field));
    }
  }

private:
  std::vector<BoundField>& fields;
  std::string prefix;
  std::vector<FieldGroup> groups;
  bool applies = true;
};

template <typename Value>
std::vector<BoundField> fieldsOfItem(void* address, std::size_t index)
{
  if constexpr (kHasItems<Value>) {
    auto& item = (*static_cast<Value*>(address))[index];
    if constexpr (kindOf<Value>() == FieldKind::Series)
      return {bindField(Field{}, {}, {}, item)};
    else
      return fieldsOf(item);
  } else {
    return {};
  }
}

} // namespace hinesight::field_access

namespace hinesight {

template <typename Parameters>
std::vector<BoundField> fieldsOf(Parameters& parameters)
{
  static Parameters standard{};
  return fieldsOf(parameters, standard);
}

template <typename Parameters>
std::vector<BoundField> fieldsOf(Parameters& parameters, const Parameters& standard)
{
  // Both are visited in the same order: whatever the values are, every field is visited.
  std::vector<BoundField> defaults;
  visitFields(const_cast<Parameters&>(standard), field_access::FieldCollector(defaults));
  std::vector<BoundField> fields;
  fields.reserve(defaults.size());
  visitFields(parameters, field_access::FieldCollector(fields));
  for (std::size_t k = 0; k < fields.size(); ++k)
    fields[k].standard = defaults[k].value;
  return fields;
}

} // namespace hinesight
