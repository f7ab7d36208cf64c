#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// Tables whose every row visits its fields, visit(name, value) for each, and that are written as CSV and JSON alike.

namespace hinesight::io {

/// What a field holds; the first: nothing.
using FieldValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

template <typename Value>
FieldValue fieldValue(const Value& value)
{
  if constexpr (!std::is_integral_v<Value>)
    return value;
  else if constexpr (std::is_signed_v<Value>)
    return std::int64_t{value};
  else
    return std::uint64_t{value};
}

template <typename Value>
FieldValue fieldValue(const std::optional<Value>& value)
{
  return value ? fieldValue(*value) : FieldValue();
}

/// A table as it is written.
struct FieldTable
{
  std::vector<std::string> names;
  std::vector<std::vector<FieldValue>> rows; ///< a value a name
};

/// visitFields(row, visit) names the fields.
template <typename Row>
FieldTable fieldTable(std::span<const Row> rows)
{
  FieldTable table;
  visitFields(Row(), [&](const char* name, const auto&) { table.names.emplace_back(name); });
  for (const Row& row : rows) {
    std::vector<FieldValue>& values = table.rows.emplace_back();
    visitFields(row, [&](const char*, const auto& value) { values.push_back(fieldValue(value)); });
  }
  return table;
}

/// A header and one line a row, quoted as RFC 4180 says; empty where there is nothing.
void writeCsv(const FieldTable& table, std::ostream& stream);

/// An object: the table as an array of that name, of an object a row, and what comes with it. null where there is
/// nothing; what JSON has no number for is a string; bytes that are no UTF-8, which file names may hold, are replaced.
void writeJson(const char* name, const FieldTable& table, std::ostream& stream,
               std::initializer_list<std::pair<const char*, FieldValue>> more = {});

} // namespace hinesight::io
