#pragma once

#include "core/fields.hpp"
#include "core/measured.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::io {

/// What was timed.
enum class RunKind
{
  Solve,
  Table,
  Formation,
  Growth,
  Simulation,
  Benchmark
};

inline constexpr Choice kRunKinds[] = {
    {"solve", "Solve", "A batch of cells was solved."},
    {"table", "Table", "A weight table was made or read."},
    {"formation", "Formation", "Synapses were formed or read."},
    {"growth", "Growth", "A network grew for some steps."},
    {"simulation", "Simulation", "Cells with channels ran for some time."},
    {"benchmark", "Benchmark", "A case of a benchmark was measured."},
};
inline std::span<const Choice> tableOf(RunKind)
{
  return kRunKinds;
}

/// One run as the timing table shows it and the exports hold it.
struct RunRecord
{
  std::string startedAt;        ///< ISO 8601, UTC, to the millisecond
  std::string source;           ///< file names or "random trees"
  std::size_t cells = 0;        ///< of the batch; neurons of what is no solve
  std::size_t compartments = 0; ///< 0 of what has none
  std::string solver;           ///< that was used; empty of what is no solve
  std::string precision;        ///< "double" or "single"; empty of what is no solve
  std::string parameters;       ///< what the solver, or the rule of connection, was set to, in words
  std::string choice;           ///< why `auto` chose it; empty where it was asked for
  // Of solvers by the plan of branches; else empty and 0.
  std::string balance;
  std::string split; ///< "fixed:16" with its length
  std::string pack;
  std::int32_t blockSize = 0;
  /// Of the schedule that was executed; nullopt where it is not known. Files call rounds levels and units blocks.
  std::optional<hines::ScheduleFigures> figures;
  hines::Accuracy accuracy;
  StageTimings timings; ///< the solve is that of the median repetition; in files of earlier versions the fastest
  std::vector<double> repetitions; ///< the solve of each, or the simulation, ms; empty in files of earlier versions
  /// The files and every parameter by its name (of a solve study::CellParameters): what it takes to repeat the run.
  /// Empty in files of earlier versions.
  std::vector<std::string> files;
  std::vector<Setting> settings;
  // Files of earlier versions have solves only, and nothing of what follows.
  RunKind kind = RunKind::Solve;
  std::string size;       ///< of what is no solve, in words: "900 x 100 neurons, 45,200 rows"
  std::string plannedFor; ///< the GPU whose plan the CPU carried out; else empty
  double predicted = 0;   ///< ms that a solve takes there, as far as the costs tell; 0: not known
  double others = 0;      ///< processors that other programs kept busy during the repetitions; 0 too where not known
  /// Of a case of a benchmark: all that was to be measured, by the paths that sessions have for it. CSV lacks it.
  std::vector<Setting> asked;
};

/// Oldest first.
using SharedRuns = std::vector<std::shared_ptr<const RunRecord>>;

/// A record that began as long ago as its stages took.
RunRecord startRecord(RunKind kind, std::string source, StageTimings timings);

/// What runs are compared by, ms: the solve with its repetitions; of other kinds all of the run, which is measured
/// once.
Measured timeOf(const RunRecord& run);
/// What was timed, and how much of it: "solve: 1000 cells, 27400 compartments". Only runs that agree in it are
/// compared.
std::string comparedAs(const RunRecord& run);
/// Whether two runs did the same by the same parameters, on the same device: then their times differ by what the
/// machine did besides, however narrow their intervals are. Never of runs whose parameters are not known.
bool areAlike(const RunRecord& a, const RunRecord& b);

/// The record of a run that has just ended: it started as long ago as its stages took. `timings` are those of every
/// stage, the solution's included. Throws Error(Cancelled), std::bad_alloc: the schedule is measured.
RunRecord recordRun(std::string source, const hines::Solution& solution, const hines::Accuracy& accuracy,
                    StageTimings timings, const RunControl& control = {});

/// One line a run; a column "NAME ms" for every stage that any run has, empty where a run has not that stage; quoted as
/// RFC 4180 says; numbers read back to the same bits. The last columns, medianLow and medianHigh, bound the 95 %
/// confidence interval of timeOf, ms; empty where there is none. Atomic. Throws Error(WriteFailed).
void writeTimingsCsv(const std::vector<RunRecord>& runs, const std::filesystem::path& path);
/// {"runs": [{..., "stages": [{"name", "milliseconds"}], "milliseconds", ..., "devices": [{"name", "stages"}], "asked":
/// {"name": "text"}}]}, with the devices, which CSV has not, only where several shared a run, and with what was asked
/// only of benchmarks. What JSON has no number for is a string: "nan", "inf" or "-inf". Atomic. Throws
/// Error(WriteFailed).
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
