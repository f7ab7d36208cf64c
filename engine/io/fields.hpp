#pragma once

#include "core/text.hpp"
#include "io/csv.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <type_traits>

#include <nlohmann/json.hpp>

// Tables whose every row visits its fields, visit(name, value) for each, and that are written as CSV and JSON alike.
// For .cpp files only.

namespace hinesight::io {

using Json = nlohmann::ordered_json;

inline std::string toText(const std::string& value)
{
  return value;
}

template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>, std::string> toText(Number value)
{
  return textOf(value);
}

/// Empty where there is none.
template <typename Value>
std::string toText(const std::optional<Value>& value)
{
  return value ? toText(*value) : std::string();
}

/// What JSON has no number for is a string.
template <typename Value>
Json toJson(const Value& value)
{
  if constexpr (std::is_floating_point_v<Value>) {
    if (!std::isfinite(value))
      return toText(value);
  }
  return value;
}

/// null where there is none.
template <typename Value>
Json toJson(const std::optional<Value>& value)
{
  return value ? toJson(*value) : Json(nullptr);
}

/// A header and one line a row, quoted as RFC 4180 says; visitFields(row, visit) names the fields.
template <typename Row, typename Rows>
void writeFieldsAsCsv(const Rows& rows, std::ostream& stream)
{
  const auto writeLine = [&stream](const Row& row, const auto& textOf) {
    bool first = true;
    visitFields(row, [&](const char* name, const auto& value) {
      stream << (first ? "" : ",") << quoteCsv(textOf(name, value));
      first = false;
    });
    stream << '\n';
  };
  writeLine({}, [](const char* name, const auto&) { return std::string(name); });
  for (const Row& row : rows)
    writeLine(row, [](const char*, const auto& value) { return toText(value); });
}

/// An array of an object a row.
template <typename Rows>
Json fieldsAsJson(const Rows& rows)
{
  Json array = Json::array();
  for (const auto& row : rows) {
    Json object = Json::object();
    visitFields(row, [&](const char* name, const auto& value) { object[name] = toJson(value); });
    array.push_back(std::move(object));
  }
  return array;
}

/// Indented; bytes that are no UTF-8, which file names may hold, are replaced.
inline void printJson(const Json& document, std::ostream& stream)
{
  stream << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace hinesight::io
