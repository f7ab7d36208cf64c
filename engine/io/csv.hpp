#pragma once

#include "core/fields.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// A row of a CSV file and the line on which it begins, 1-based.
struct CsvRow
{
  std::int64_t line = 0;
  std::vector<std::string> fields;
};

/// The field, in quotes where RFC 4180 wants them.
std::string quoteCsv(std::string_view field);

/// The rows of a CSV text (RFC 4180; LF and CRLF line ends; empty lines skipped). Throws Error(BadFormat) with `path`
/// and line for a quote that is not closed or that stands in the middle of a field.
std::vector<CsvRow> parseCsv(std::string_view text, const std::string& path);

/// Parameters as comments before the columns, as files of networks and records of growth have them: a line
/// "# parameter NAME=TEXT" each, as of linesOf.
std::string parameterComments(std::span<const Setting> settings);
/// Adds the parameter that a line is such a comment of, if it is one.
void takeParameter(std::string_view line, std::vector<Setting>& settings);

} // namespace hinesight::io
