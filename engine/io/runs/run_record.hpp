#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::io {

/// One run as the timing table shows it and the exports hold it.
struct RunRecord
{
  std::string startedAt; ///< ISO 8601, UTC, to the millisecond
  std::string source;    ///< file names or "random trees"
  std::size_t cells = 0;
  std::size_t compartments = 0;
  std::string solver;     ///< that was used
  std::string precision;  ///< "double" or "single"
  std::string parameters; ///< what the solver was set to, in words
  std::string choice;     ///< why `auto` chose it; empty where it was asked for
  // Of solvers by the plan of branches; else empty and 0.
  std::string balance;
  std::string split; ///< "fixed:16" with its length
  std::string pack;
  std::int32_t blockSize = 0;
  /// Of the schedule that was executed; nullopt where it is not known. Files call rounds levels and units blocks.
  std::optional<hines::ScheduleFigures> figures;
  hines::Accuracy accuracy;
  StageTimings timings;            ///< the solve is that of the fastest repetition
  std::vector<double> repetitions; ///< the solve of each, ms; empty in files of earlier versions
  /// The SWC files and every parameter by its name (study::CellParameters): what it takes to repeat the run. Empty in
  /// files of earlier versions.
  std::vector<std::string> files;
  std::vector<Setting> settings;
};

/// The record of a run that has just ended: it started as long ago as its stages took. `timings` are those of every
/// stage, the solution's included. Throws Error(Cancelled), std::bad_alloc: the schedule is measured.
RunRecord recordRun(std::string source, const hines::Solution& solution, const hines::Accuracy& accuracy,
                    StageTimings timings, const RunControl& control = {});

/// One line a run; a column "NAME ms" for every stage that any run has, empty where a run has not that stage; quoted as
/// RFC 4180 says; numbers read back to the same bits. Atomic. Throws Error(WriteFailed).
void writeTimingsCsv(const std::vector<RunRecord>& runs, const std::filesystem::path& path);
/// {"runs": [{..., "stages": [{"name", "milliseconds"}], "milliseconds"}]}. What JSON has no number for is a string:
/// "nan", "inf" or "-inf". Atomic. Throws Error(WriteFailed).
void writeTimingsJson(const std::vector<RunRecord>& runs, const std::filesystem::path& path);
/// By the extension, .csv or .json. Throws as requireTimingsExtension.
void writeTimings(const std::vector<RunRecord>& runs, const std::filesystem::path& path);

/// Throws Error(BadParameter) unless `path` ends in .csv or .json, in upper or lower case.
void requireTimingsExtension(const std::filesystem::path& path);
/// Whether it is JSON that `path` asks for, and not CSV. Throws as requireTimingsExtension.
bool isTimingsJson(const std::filesystem::path& path);

/// Read back what the writers wrote. Earlier versions wrote the figures of a plan of branches also where the solver did
/// not execute it ("plan": "not executed"): these are read as not known. Error(BadFormat) with the line of a syntax
/// error or bad row; JSON that has another structure is refused with the number of the run and the key.
std::vector<RunRecord> readTimingsJson(const std::filesystem::path& path);
std::vector<RunRecord> readTimingsCsv(const std::filesystem::path& path);
/// By the extension. Throws as requireTimingsExtension.
std::vector<RunRecord> readTimings(const std::filesystem::path& path);

} // namespace hinesight::io
