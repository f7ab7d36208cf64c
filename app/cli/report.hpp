#pragma once

#include "core/error.hpp"
#include "core/fields.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "io/runs/json_values.hpp"
#include "morphology/morphology.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hinesight::cli {

using Json = nlohmann::ordered_json;

/// Prints JSON, indented. File names may hold bytes that are no UTF-8: those are replaced.
void printJson(std::ostream& stream, const Json& json);

using io::jsonNumber;
using io::jsonSettings;
using io::jsonStages;

/// 12,345,678.
std::string formatCount(std::int64_t value);
/// With so many significant digits, such as "1.2e-13" or "841.03".
std::string formatNumber(double value, int digits);
/// Milliseconds with three decimals, such as "1.250 ms".
std::string formatMilliseconds(double milliseconds);
std::string formatPercent(double fraction);

/// "cell.swc:12: warning: ...".
std::string describeWarning(const std::string& file, const morphology::Warning& warning);

/// With blanks behind the text, or before it, to so many characters on the screen.
std::string pad(const std::string& text, std::size_t width, bool toTheRight);

/// Rows of text in aligned columns: the first to the left, the others to the right. Trailing blanks are left out.
class Table
{
public:
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  void print(std::ostream& stream) const;

private:
  std::vector<std::vector<std::string>> rows;
};

/// A label and a value as a line: "cells             3".
void printField(std::ostream& stream, const std::string& label, const std::string& value);

/// The stages with their times and shares, and the total, as a table.
void printStages(std::ostream& stream, const StageTimings& timings);

/// What a batch is, in a few lines.
void printBatch(std::ostream& stream, const std::string& source, const hines::HinesBatch& batch);

} // namespace hinesight::cli
