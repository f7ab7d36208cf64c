#include "io/benchmark_report.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "io/run_record.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using hines::BenchmarkRow;
using Json = nlohmann::ordered_json;

/// Every field with its name, for the writers of both formats.
template <typename Visitor>
void visitFields(const BenchmarkRow& row, Visitor&& visit)
{
  visit("table", row.table);
  visit("what", row.what);
  visit("label", row.label);
  visit("cells", row.cells);
  visit("shapes", row.shapes);
  visit("compartments", row.compartments);
  visit("solver", std::string(hines::solverName(row.solve.solver)));
  visit("parameters", row.parameters);
  visit("choice", row.choice);
  visit("backend", std::string(backendName(row.solve.backend)));
  visit("device", row.device);
  visit("driver", row.driver);
  visit("precision", std::string(hines::precisionName(row.solve.precision)));
  visit("repetitions", row.repetitions);
  visit("medianMs", row.milliseconds.median);
  visit("minMs", row.milliseconds.min);
  visit("lowerQuartileMs", row.milliseconds.lowerQuartile);
  visit("upperQuartileMs", row.milliseconds.upperQuartile);
  visit("maxMs", row.milliseconds.max);
  visit("permuteMs", row.permute);
  visit("preparationMs", row.preparation);
  visit("compartmentsPerSecond", row.compartmentsPerSecond);
  visit("bytesMoved", row.bytesMoved);
  visit("copyBandwidth", row.copyBandwidth);
  visit("bandwidthFraction", row.bandwidthFraction);
  visit("maxRelativeDifference", row.accuracy.maxRelativeDifference);
  visit("relativeResidual", row.accuracy.relativeResidual);
  visit("memoryBytes", row.memoryBytes);
  visit("error", row.error);
}

std::string toText(const std::string& value)
{
  return value;
}

/// The shortest text that reads back to the same number; "nan", "inf", "-inf".
template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>, std::string> toText(Number value)
{
  std::array<char, 32> text{};
  const auto [end, failure] = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), failure == std::errc{} ? end : text.data());
}

template <typename Value>
Json toJson(const Value& value)
{
  if constexpr (std::is_floating_point_v<Value>) {
    if (!std::isfinite(value))
      return toText(value);
  }
  return value;
}

bool isJsonPath(const std::filesystem::path& path)
{
  std::string extension = path.extension().string();
  for (char& c : extension)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".json";
}

} // namespace

void writeBenchmarkCsv(std::span<const BenchmarkRow> rows, std::ostream& stream)
{
  const auto writeLine = [&stream](const BenchmarkRow& row, const auto& textOf) {
    bool first = true;
    visitFields(row, [&](const char* name, const auto& value) {
      stream << (first ? "" : ",") << quoteCsv(textOf(name, value));
      first = false;
    });
    stream << '\n';
  };
  writeLine({}, [](const char* name, const auto&) { return std::string(name); });
  for (const BenchmarkRow& row : rows)
    writeLine(row, [](const char*, const auto& value) { return toText(value); });
}

void writeBenchmarkJson(std::span<const BenchmarkRow> rows, std::ostream& stream)
{
  Json array = Json::array();
  for (const BenchmarkRow& row : rows) {
    Json object = Json::object();
    visitFields(row, [&](const char* name, const auto& value) { object[name] = toJson(value); });
    array.push_back(std::move(object));
  }
  const Json document = {{"rows", std::move(array)}};
  stream << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void writeBenchmark(std::span<const BenchmarkRow> rows, const std::filesystem::path& path)
{
  requireTimingsExtension(path);
  writeFileAtomically(path, [&](std::ostream& stream) {
    isJsonPath(path) ? writeBenchmarkJson(rows, stream) : writeBenchmarkCsv(rows, stream);
  });
}

} // namespace hinesight::io
