#include "io/fields.hpp"

#include "core/text.hpp"
#include "io/csv.hpp"
#include "io/runs/json_values.hpp"

#include <cstddef>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

struct ToText
{
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& value) const { return value; }
  template <typename Number>
  std::string operator()(Number value) const
  {
    return textOf(value);
  }
};

struct ToJson
{
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(double value) const { return jsonNumber(value); }
  template <typename Value>
  Json operator()(const Value& value) const
  {
    return value;
  }
};

} // namespace

void writeCsv(const FieldTable& table, std::ostream& stream)
{
  for (std::size_t k = 0; k < table.names.size(); ++k)
    stream << (k == 0 ? "" : ",") << quoteCsv(table.names[k]);
  stream << '\n';
  for (const std::vector<FieldValue>& row : table.rows) {
    for (std::size_t k = 0; k < row.size(); ++k)
      stream << (k == 0 ? "" : ",") << quoteCsv(std::visit(ToText(), row[k]));
    stream << '\n';
  }
}

void writeJson(const char* name, const FieldTable& table, std::ostream& stream,
               std::initializer_list<std::pair<const char*, FieldValue>> more)
{
  Json rows = Json::array();
  for (const std::vector<FieldValue>& row : table.rows) {
    Json object = Json::object();
    for (std::size_t k = 0; k < row.size(); ++k)
      object[table.names[k]] = std::visit(ToJson(), row[k]);
    rows.push_back(std::move(object));
  }
  Json document = Json::object();
  document[name] = std::move(rows);
  for (const auto& [key, value] : more)
    document[key] = std::visit(ToJson(), value);
  stream << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace hinesight::io
