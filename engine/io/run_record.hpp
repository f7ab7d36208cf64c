#pragma once

#include "core/stage_timings.hpp"
#include "hines/plan.hpp"
#include "hines/solver.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// One run as the timing table shows it and the exports hold it.
struct RunRecord
{
  std::string startedAt; ///< ISO 8601, UTC
  std::string source;    ///< file names or "random trees"
  std::size_t cells = 0;
  std::size_t compartments = 0;
  std::string solver;
  std::string balance;
  std::string split; ///< "fixed:16" with its length
  std::string pack;
  std::int32_t blockSize = 0;
  hines::PlanFigures figures;
  hines::Accuracy accuracy;
  StageTimings timings;
};

/// One line a run; columns for every stage that any run has; times in ms. Atomic. Throws Error(WriteFailed).
void writeTimingsCsv(const std::vector<RunRecord>& runs, const std::filesystem::path& path);
/// {"runs": [{..., "stages": [{"name", "milliseconds"}], "milliseconds"}]}. Atomic. Throws Error(WriteFailed).
void writeTimingsJson(const std::vector<RunRecord>& runs, const std::filesystem::path& path);
/// By the extension, .csv or .json; Error(BadParameter) for any other.
void writeTimings(const std::vector<RunRecord>& runs, const std::filesystem::path& path);

/// Read back what the writers wrote; Error(BadFormat) with the line.
std::vector<RunRecord> readTimingsJson(const std::filesystem::path& path);
std::vector<RunRecord> readTimingsCsv(const std::filesystem::path& path);

} // namespace hinesight::io
