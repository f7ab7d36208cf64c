#include "app/cli/report.hpp"

#include "hines/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values)
{
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), pattern, values...);
  return text.data();
}

/// Characters on the screen, not bytes: file names may be UTF-8.
std::size_t displayWidth(const std::string& text)
{
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

void printJson(std::ostream& stream, const Json& json)
{
  stream << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string formatCount(std::int64_t value)
{
  std::string text = std::to_string(value);
  const std::ptrdiff_t first = value < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > first; at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string formatNumber(double value, int digits)
{
  return format("%.*g", digits, value);
}

std::string formatMilliseconds(double milliseconds)
{
  return format("%.3f ms", milliseconds);
}

std::string formatPercent(double fraction)
{
  return format("%.1f %%", 100 * fraction);
}

std::string describeWarning(const std::string& file, const morphology::Warning& warning)
{
  const std::string place = warning.line > 0 ? file + ":" + std::to_string(warning.line) : file;
  return place + ": warning: " + warning.message;
}

std::string pad(const std::string& text, std::size_t width, bool toTheRight)
{
  const std::string blanks(width - std::min(width, displayWidth(text)), ' ');
  return toTheRight ? blanks + text : text + blanks;
}

void Table::print(std::ostream& stream) const
{
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], displayWidth(row[column]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column)
      line += (column == 0 ? "" : "  ") + pad(row[column], widths[column], column > 0);
    line.erase(line.find_last_not_of(' ') + 1);
    stream << line << '\n';
  }
}

void printField(std::ostream& stream, const std::string& label, const std::string& value)
{
  constexpr std::size_t kLabelWidth = 22;
  stream << pad(label, kLabelWidth, false) << "  " << value << '\n';
}

void printStages(std::ostream& stream, const StageTimings& timings)
{
  const double total = timings.total();
  Table table;
  for (const Stage& stage : timings.stages)
    table.add({stage.name, formatMilliseconds(stage.milliseconds),
               total > 0 ? formatPercent(stage.milliseconds / total) : std::string()});
  table.add({"total", formatMilliseconds(total)});
  table.print(stream);
}

void printBatch(std::ostream& stream, const std::string& source, const hines::HinesBatch& batch)
{
  const auto shapes = static_cast<std::int64_t>(batch.shapes.size());
  printField(stream, "batch", source);
  printField(stream, "cells",
             formatCount(static_cast<std::int64_t>(batch.cells())) + " (" + formatCount(shapes) +
                 (shapes == 1 ? " shape)" : " shapes)"));
  printField(stream, "compartments", formatCount(static_cast<std::int64_t>(batch.compartments())));
}

} // namespace hinesight::cli
