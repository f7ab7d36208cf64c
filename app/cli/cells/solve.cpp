#include "app/cli/cells/batch_options.hpp"
#include "app/cli/cells/fit.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/gpu_option.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "core/measured.hpp"
#include "hines/solver.hpp"
#include "io/runs/run_record.hpp"
#include "study/cells/schedule_study.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct SolveOptions
{
  BatchOptions batch;
  std::string timingsFile;    ///< empty: none
  std::optional<Gpu> predict; ///< plan for that one and solve nothing
};

Json toJson(const study::PlannedSchedule& planned, const std::optional<hines::ScheduleFigures>& figures)
{
  const hines::HinesBatch& batch = *planned.schedule->batch;
  Json json = {{"cells", batch.cells()},
               {"compartments", batch.compartments()},
               {"solver", hines::solverName(planned.parameters.solver)},
               {"precision", hines::precisionName(planned.parameters.precision)},
               {"parameters", hines::describeParameters(planned.parameters, batch.cells())},
               {"backend", backendName(planned.parameters.backend)},
               {"device", planned.device},
               {"unit", planned.schedule->unitName()},
               {"units", planned.schedule->unitCount()},
               {"predictedMilliseconds", planned.predicted ? jsonNumber(planned.predicted->milliseconds) : Json()},
               {"predictionChecked", planned.predicted && planned.predicted->checked}};
  if (figures)
    json.update({{"rounds", figures->rounds},
                 {"barriers", figures->barriers},
                 {"criticalPath", figures->criticalPath},
                 {"occupancy", jsonNumber(figures->occupancy)},
                 {"paddingBytes", figures->paddingBytes},
                 {"bytesMoved", figures->bytesMoved}});
  return json;
}

void printText(std::ostream& stream, const std::string& source, const study::PlannedSchedule& planned,
               const std::optional<hines::ScheduleFigures>& figures)
{
  const hines::HinesBatch& batch = *planned.schedule->batch;
  printBatch(stream, source, batch);
  printField(stream, "solver", std::string(hines::solverName(planned.parameters.solver)) + " on cuda, not run");
  if (const std::string set = hines::describeParameters(planned.parameters, batch.cells()); !set.empty())
    printField(stream, "set to", set);
  printField(stream, "planned for", planned.device + (planned.deviceIsHere ? "" : ", which is not here"));
  printField(stream, "schedule",
             formatCount(static_cast<std::int64_t>(planned.schedule->unitCount())) + " x " +
                 std::string(planned.schedule->unitName()));
  if (figures) {
    printField(stream, "rounds", formatCount(figures->rounds));
    printField(stream, "barriers", formatCount(figures->barriers));
    printField(stream, "steps",
               formatCount(figures->criticalPath) + " of the longest " + std::string(planned.schedule->unitName()));
    printField(stream, "occupancy", formatPercent(figures->occupancy));
    printField(stream, "padding", formatBytes(figures->paddingBytes));
    printField(stream, "moved by a solve", formatBytes(figures->bytesMoved));
  }
  printField(stream, "solve",
             planned.predicted
                 ? formatMilliseconds(planned.predicted->milliseconds) + " " + originText(*planned.predicted)
                 : "nothing: such a solve has no costs on CUDA");
}

/// Needs no GPU.
int runPrediction(const SolveOptions& options, Session& session)
{
  hines::SolveParameters parameters = options.batch.parameters.solve;
  parameters.backend = Backend::Cuda;
  parameters.gpu = *options.predict;
  hines::validate(parameters);
  const study::SourcedBatch sourced = makeBatch(options.batch, session);
  const study::PlannedSchedule planned = study::planSchedule(sourced.batch, parameters, session.control());
  if (!planned.schedule)
    throw Error(ErrorCode::BadParameter, planned.problem);
  const auto figures = planned.schedule->summary(session.control());
  if (session.json)
    printJson(session.results(), toJson(planned, figures));
  else
    printText(session.results(), sourced.source, planned, figures);
  return 0;
}

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
          {"processorsOfOthers", run.others},
          {"plannedFor", run.plannedFor},
          {"predictedMilliseconds", run.predicted > 0 ? jsonNumber(run.predicted) : Json()},
          {"stages", jsonStages(run.timings)},
          {"milliseconds", jsonNumber(run.timings.total())}};
}

/// " in the median of 34 solves, ± 0.9 %".
std::string repetitionsText(const io::RunRecord& run)
{
  if (run.repetitions.size() <= 1)
    return {};
  const Measured measured = timeOf(run);
  std::string text = " in the median of " + std::to_string(measured.samples) + " solves";
  if (const auto uncertainty = measured.uncertainty())
    text += ", ± " + formatPercent(*uncertainty);
  if (doubtOf(measured) == Doubt::BusyMachine)
    text += "; other programs kept " + formatNumber(run.others, 2) + " of the processors busy";
  return text;
}

void printText(std::ostream& stream, const study::CellResult& result)
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
  if (!run.plannedFor.empty())
    printField(stream, "carried out",
               "the plan for " + run.plannedFor +
                   (run.predicted > 0 ? ", predicted to take " + formatMilliseconds(run.predicted) + " there" : ""));
  printField(stream, "greatest difference",
             formatNumber(run.accuracy.maxRelativeDifference, 3) + " relative to the serial sweep");
  printField(stream, "greatest residual", formatNumber(run.accuracy.relativeResidual, 3) + " relative");
  const double seconds = run.timings.of("solve") * 1e-3;
  if (seconds > 0)
    printField(stream, "throughput",
               formatNumber(static_cast<double>(run.compartments) / seconds * 1e-6, 4) + " million compartments/s" +
                   repetitionsText(run));
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
  if (options.predict)
    return runPrediction(options, session);
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
  const study::CellResult result = study.run(requestOf(options.batch, session), session.control(), observer);
  const io::RunRecord& run = *result.record;

  if (session.json)
    printJson(session.results(), toJson(run));
  else
    printText(session.results(), result);
  if (!options.timingsFile.empty())
    io::writeTimings({run}, options.timingsFile);
  requireAccuracy(result.accuracy, parameters.precision);
  return 0;
}

/// Takes files and parameters of the last solve of a record; options beside it have the last word.
void takeRecord(const std::string& path, BatchOptions& options)
{
  const std::vector<io::RunRecord> runs = io::readTimings(path);
  const auto solve = std::ranges::find(runs.rbegin(), runs.rend(), io::RunKind::Solve, &io::RunRecord::kind);
  if (solve == runs.rend() || solve->settings.empty())
    throw Error(ErrorCode::BadFormat,
                "holds no solve with its parameters; it may be of an earlier version, whose runs cannot be repeated",
                path);
  std::vector<BoundField> fields = fieldsOf(options.parameters);
  std::ranges::copy(fieldsOf(options.fileParameters), std::back_inserter(fields));
  const std::vector<std::string> unknown = applySettings(fields, solve->settings);
  if (!unknown.empty())
    throw Error(ErrorCode::BadFormat, "has a parameter that this version does not know: " + unknown.front(), path);
  options.files = solve->files;
}

} // namespace

void addSolveCommand(Command& program, Session& session)
{
  auto options = std::make_shared<SolveOptions>();
  Command& command =
      addCommand(program, session, "solve",
                 "Plan and solve a batch of cells, compare it with the serial sweep, and time each stage",
                 [options, &session] { return runSolve(*options, session); });
  command
      .addInput(
          "--from", [options](const std::string& path) { takeRecord(path, options->batch); },
          "Repeat the last solve of a file that --timings or the window's export wrote; other options change it")
      .typeName("RECORD");
  addBatchOptions(command, options->batch);
  const std::string group = "Solver";
  addFieldOptions(command, fieldsOf(options->batch.parameters.solve), group);
  addGpuOption(
      command, "--predict", [options](Gpu gpu) { options->predict = gpu; },
      "Plan for that GPU, here or not, and print what a solve on it is predicted to take; solve nothing")
      .group(group);
  command.addOutput("--timings", options->timingsFile, "Write the run to a .csv or .json file").group(group);
}

} // namespace hinesight::cli
