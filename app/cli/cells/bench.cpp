#include "app/cli/cells/batch_options.hpp"
#include "app/cli/cells/fit.hpp"
#include "app/cli/cells/solver_choice.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/measurements.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/stage_timings.hpp"
#include "hines/bench/benchmark.hpp"
#include "hines/bench/benchmark_tables.hpp"
#include "io/runs/benchmark_report.hpp"
#include "io/runs/run_record.hpp"
#include "study/cells/solver_benchmark.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct BenchOptions
{
  std::vector<std::string> files;
  study::FileParameters fileParameters;
  std::vector<std::string> tables; ///< empty or "all": all
  std::vector<std::string> solvers;
  std::vector<std::string> outputs;
  Backend backend = Backend::Cpu;
  Option backendOption;
  hines::BenchmarkScope scope;
  hines::BenchmarkParameters parameters;
};

std::string tableHelp()
{
  std::string help = "Tables, separated by commas, or all:";
  for (const hines::BenchmarkTable& table : hines::benchmarkTables())
    help += "\n" + std::string(table.name) + ": " + std::string(table.help);
  return help;
}

/// CUDA where there is a device and nothing else was said.
Backend chosenBackend(const BenchOptions& options)
{
  if (options.backendOption.isGiven())
    return options.backend;
  return cudaDevices().empty() ? Backend::Cpu : Backend::Cuda;
}

/// Files that a table does not measure are not left out without a word.
void noteUnusedFiles(const BenchOptions& options, Session& session)
{
  if (options.files.empty() || options.tables.empty())
    return;
  for (const hines::BenchmarkTable& table : hines::benchmarkTables())
    if (table.hasOwnCells && std::ranges::find(options.tables, table.name) != options.tables.end())
      session.messages() << "note: table " << table.name << " has cells of its own; the files are not measured in it\n";
}

/// Fixed columns, so that rows can be printed as they come.
class RowPrinter
{
public:
  explicit RowPrinter(Session& ofCommand) : session(ofCommand) {}

  void print(const hines::BenchmarkRow& row)
  {
    std::ostream& stream = session.results();
    if (row.table != table || row.what != what) {
      stream << (table.empty() ? "" : "\n") << row.table << ": " << row.what << deviceOf(row) << '\n';
      printLine(stream, {"solver", "backend", "precision", "cells", "compartments", "median ms", "quartiles ms",
                         "predicted", "permute ms", "ratio", "G/s", "of copy", "difference", "memory"});
      table = row.table;
      what = row.what;
    }
    printLine(stream, cellsOf(row));
    stream << std::flush;
  }

private:
  using Line = std::array<std::string, 14>;

  /// ", NVIDIA H200 (580.159.03, CUDA 13.0), copies 4.25 TB/s"; nothing of a case that came to no machine.
  static std::string deviceOf(const hines::BenchmarkRow& row)
  {
    if (row.device.empty())
      return {};
    return ", " + row.device + " (" + row.driver + "), copies " +
           formatBytes(static_cast<std::size_t>(row.copyBandwidth)) + "/s";
  }

  static Line cellsOf(const hines::BenchmarkRow& row)
  {
    Line line = {
        row.label, std::string(backendName(row.solve.backend)), std::string(hines::precisionName(row.solve.precision)),
        formatCount(static_cast<std::int64_t>(row.cells)), formatCount(static_cast<std::int64_t>(row.compartments))};
    if (row.repetitions.empty()) {
      line[5] = row.error;
      return line;
    }
    const Spread& ms = row.milliseconds;
    line[5] = formatNumber(ms.median, 3);
    line[6] = formatNumber(ms.lowerQuartile, 3) + ".." + formatNumber(ms.upperQuartile, 3);
    if (row.predicted > 0)
      line[7] = formatNumber(row.predicted, 3);
    if (row.permute > 0)
      line[8] = formatNumber(row.permute, 3);
    if (row.ratio > 0)
      line[9] = formatNumber(row.ratio, 3);
    line[10] = formatNumber(row.compartmentsPerSecond * 1e-9, 3);
    line[11] = formatPercent(row.bandwidthFraction);
    line[12] = formatNumber(row.accuracy.maxRelativeDifference, 2) + (row.failed() ? " FAILED" : "");
    line[13] = formatBytes(row.memoryBytes);
    return line;
  }

  static void printLine(std::ostream& stream, const Line& line)
  {
    // Negative: to the left.
    constexpr std::array<int, 14> kWidths = {-24, -7, -9, 8, 13, 9, 18, 9, 10, 5, 6, 7, 10, 7};
    std::string text;
    for (std::size_t column = 0; column < line.size(); ++column) {
      const auto width = static_cast<std::size_t>(std::abs(kWidths[column]));
      const std::string blanks(width - std::min(width, line[column].size()), ' ');
      text += (column == 0 ? "" : "  ") + (kWidths[column] < 0 ? line[column] + blanks : blanks + line[column]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    stream << text << '\n';
  }

  Session& session;
  std::string table, what;
};

/// Keeps the files up to date while rows come, so that a run that is killed leaves what it has measured.
class RowFiles
{
public:
  explicit RowFiles(std::vector<std::string> paths) : files(std::move(paths))
  {
    for (const std::string& file : files)
      io::requireTimingsExtension(file);
  }

  void add(const hines::BenchmarkRow& row)
  {
    constexpr double kMillisecondsBetween = 2'000;
    rows.push_back(row);
    if (rows.size() == 1 || sinceWritten.elapsed() >= kMillisecondsBetween)
      write();
  }

  void write()
  {
    for (const std::string& file : files)
      io::writeBenchmark(rows, file);
    sinceWritten.lap();
  }

private:
  std::vector<std::string> files;
  std::vector<hines::BenchmarkRow> rows;
  Stopwatch sinceWritten;
};

hines::SolverId solverNamed(const std::string& name)
{
  try {
    return study::benchmarkSolver(name);
  } catch (const Error& error) {
    throw UsageError("--solvers", error.message());
  }
}

int runBench(const BenchOptions& options, Session& session)
{
  hines::BenchmarkScope scope = options.scope;
  scope.backend = chosenBackend(options);
  requireDevice(scope.backend);
  for (const std::string& name : options.solvers)
    scope.solvers.push_back(solverNamed(name));
  hines::BenchmarkParameters parameters = options.parameters;
  if (scope.quick)
    parameters.warmUp = parameters.duration = 0;
  for (const std::string& output : options.outputs)
    io::requireTimingsExtension(output);
  validateAllFields(fieldsOf(options.fileParameters));
  study::takeCells(scope, study::sourcesOf(options.files, options.fileParameters), session.control());
  const std::vector<hines::BenchmarkCase> cases = study::casesOfTables(options.tables, scope);
  noteUnusedFiles(options, session);
  const auto rows = measureSolvers(cases, parameters, options.outputs, session);
  if (session.json)
    io::writeBenchmarkJson(rows, session.results());
  requireAnyMeasured(rows);
  return 0;
}

void addTableOptions(Command& command, BenchOptions& options)
{
  std::vector<std::string> names = study::benchmarkTableNames();
  names.emplace_back("all");
  command.addInput("FILE", options.files, "SWC files, one compartment per sample; without files, synthetic cells");
  addFileParameters(command, options.fileParameters);
  command.addOption("--table", options.tables, tableHelp())
      .splitsAtCommas()
      .takesOneArgument()
      .oneOf(names)
      .typeName("NAMES");
  command.addOption("--solvers", options.solvers, "Solvers, separated by commas [all of the backend]")
      .splitsAtCommas()
      .takesOneArgument()
      .typeName("NAMES");
  const Range cells = fieldsOf(options.scope).front().about.range;
  command.addOption("--cells", options.scope.cells, "Cells of the batches, separated by commas [the tables' own]")
      .splitsAtCommas()
      .takesOneArgument()
      .within(static_cast<std::int64_t>(cells.least), static_cast<std::int64_t>(cells.greatest))
      .typeName("INTS");
  command.addFlag("--quick", options.scope.quick, "Few small batches, no warm-up: to see that all works");
}

} // namespace

std::vector<hines::BenchmarkRow> measureSolvers(const std::vector<hines::BenchmarkCase>& cases,
                                                const hines::BenchmarkParameters& parameters,
                                                const std::vector<std::string>& outputs, Session& session)
{
  RowFiles files(outputs);
  for (const hines::BenchmarkCase& one : cases)
    fitCostsIfNeeded(one.solve, session);
  RowPrinter printer(session);
  const auto take = [&](const hines::BenchmarkRow& row) {
    if (!session.json)
      printer.print(row);
    files.add(row);
  };
  std::vector<hines::BenchmarkRow> rows;
  try {
    rows = hines::runBenchmark(cases, parameters, take, session.control());
  } catch (...) {
    files.write(); // what was measured until the interruption
    throw;
  }
  files.write();
  return rows;
}

void requireAnyMeasured(const std::vector<hines::BenchmarkRow>& rows)
{
  if (std::ranges::all_of(rows, &hines::BenchmarkRow::failed))
    throw Error(ErrorCode::BadParameter, "No case could be measured. The first: " + rows.front().error);
}

void addBenchCommand(Command& program, Session& session)
{
  Command& bench =
      program.addCommand("bench", "Measure solvers, projections, synapse formation and simulations side by side");
  bench.requireCommand();
  addBenchProjectionsCommand(bench, session);
  addBenchSynapsesCommand(bench, session);
  addBenchSimulationCommand(bench, session);
  addBenchScalingCommand(bench, session);
  auto options = std::make_shared<BenchOptions>();
  Command& command = addCommand(bench, session, "hines",
                                "Time the solvers of Hines systems, ours among them, on the tables of their papers",
                                [options, &session] { return runBench(*options, session); });
  addTableOptions(command, *options);
  options->backendOption = addChoice(command, "--backend", options->backend, kBackends, backendName,
                                     "Where it is solved [cuda if there is one]")
                               .defaultText("");
  addNumber(command, "--threads", options->scope.solve.threads, "CPU threads, 0 for all");
  addFieldOptions(command, fieldsOf(options->parameters), "Options");
  command.addOutput("--out", options->outputs, "Write the rows to a .csv or .json file; may be given for both")
      .takesOneArgument();
}

} // namespace hinesight::cli
