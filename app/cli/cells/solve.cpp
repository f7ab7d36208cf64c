#include "app/cli/cells/batch_options.hpp"
#include "app/cli/cells/fit.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "hines/solver.hpp"
#include "io/runs/run_record.hpp"

#include <memory>
#include <string>

namespace hinesight::cli {

namespace {

struct SolveOptions
{
  BatchOptions batch;
  std::string timingsFile; ///< empty: none
};

Json toJson(const io::RunRecord& run)
{
  return {{"cells", run.cells},
          {"compartments", run.compartments},
          {"solver", run.solver},
          {"precision", run.precision},
          {"parameters", run.parameters},
          {"choice", run.choice},
          {"backend", backendName(run.timings.backend)},
          {"device", run.timings.device},
          {"maxRelativeDifference", jsonNumber(run.accuracy.maxRelativeDifference)},
          {"relativeResidual", jsonNumber(run.accuracy.relativeResidual)},
          {"repetitions", run.repetitions},
          {"stages", jsonStages(run.timings)},
          {"milliseconds", jsonNumber(run.timings.total())}};
}

void printText(std::ostream& stream, const study::CellResult& result, std::int32_t repeat)
{
  const io::RunRecord& run = *result.record;
  printBatch(stream, run.source, *result.batch);
  printField(stream, "solver",
             run.solver + (run.precision == "double" ? "" : ", " + run.precision + " precision") + " on " +
                 std::string(backendName(run.timings.backend)) + " (" + run.timings.device + ")");
  if (!run.parameters.empty())
    printField(stream, "set to", run.parameters);
  if (!run.choice.empty())
    printField(stream, "chosen", run.choice);
  printField(stream, "greatest difference",
             formatNumber(run.accuracy.maxRelativeDifference, 3) + " relative to the serial sweep");
  printField(stream, "greatest residual", formatNumber(run.accuracy.relativeResidual, 3) + " relative");
  const double seconds = run.timings.of("solve") * 1e-3;
  if (seconds > 0)
    printField(stream, "throughput",
               formatNumber(static_cast<double>(run.compartments) / seconds * 1e-6, 4) + " million compartments/s" +
                   (repeat > 1 ? " in the fastest of " + std::to_string(repeat) + " solves" : ""));
  stream << '\n';
  printStages(stream, run.timings);
}

void requireAccuracy(const hines::Accuracy& accuracy, hines::Precision precision)
{
  if (!accuracy.isWithinLimit(precision))
    throw Error(ErrorCode::VerificationFailed,
                "The solution differs from the serial sweep by " + formatNumber(accuracy.maxRelativeDifference, 3) +
                    " and leaves a residual of " + formatNumber(accuracy.relativeResidual, 3) +
                    ", relative; more than " + formatNumber(hines::accuracyLimit(precision), 3) +
                    " means an ill-conditioned system or a defect: try the serial solver on the same batch.");
}

int runSolve(const SolveOptions& options, Session& session)
{
  const hines::SolveParameters& parameters = options.batch.parameters.solve;
  hines::validate(parameters);
  hines::requireDevice(parameters);
  if (!options.timingsFile.empty()) {
    io::requireTimingsExtension(options.timingsFile);
    requireWritable(options.timingsFile);
  }
  study::CellObserver observer;
  observer.cellsRead = requireReadings(session);
  observer.advanced = [&](const study::CellResult& soFar) {
    if (soFar.batch)
      fitCostsIfNeeded(parameters, session);
  };
  study::CellStudy study;
  const study::CellResult result = study.run(requestOf(options.batch), session.control(), observer);
  const io::RunRecord& run = *result.record;

  if (session.json)
    printJson(session.results(), toJson(run));
  else
    printText(session.results(), result, parameters.repeat);
  if (!options.timingsFile.empty())
    io::writeTimings({run}, options.timingsFile);
  requireAccuracy(result.accuracy, parameters.precision);
  return 0;
}

/// Takes files and parameters of the last run of a record; options beside it have the last word.
void takeRecord(const std::string& path, BatchOptions& options)
{
  const std::vector<io::RunRecord> runs = io::readTimings(path);
  if (runs.empty() || runs.back().settings.empty())
    throw Error(ErrorCode::BadFormat,
                "holds no run with its parameters; it may be of an earlier version, whose runs cannot be repeated",
                path);
  std::vector<BoundField> fields = fieldsOf(options.parameters);
  const std::vector<std::string> unknown = applySettings(fields, runs.back().settings);
  if (!unknown.empty())
    throw Error(ErrorCode::BadFormat, "has a parameter that this version does not know: " + unknown.front(), path);
  options.files = runs.back().files;
}

} // namespace

void addSolveCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<SolveOptions>();
  Command& command =
      addCommand(program, session, "solve",
                 "Plan and solve a batch of cells, compare it with the serial sweep, and time each stage",
                 [options, &session] { return runSolve(*options, session); });
  command
      .addInput(
          "--from", [options](const std::string& path) { takeRecord(path, options->batch); },
          "Repeat the last run of a file that --timings or the window's export wrote; other options change it")
      ->type_name("RECORD");
  addBatchOptions(command, options->batch);
  const std::string group = "Solver";
  addFieldOptions(command, fieldsOf(options->batch.parameters.solve), group);
  command.addOutput("--timings", options->timingsFile, "Write the run to a .csv or .json file")->group(group);
}

} // namespace hinesight::cli
