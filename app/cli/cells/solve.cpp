#include "app/cli/cells/batch_options.hpp"
#include "app/cli/cells/fit.hpp"
#include "app/cli/cells/solver_choice.hpp"
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
  hines::SolveParameters solve;
  std::string timingsFile; ///< empty: none
};

Json toJson(const io::RunRecord& run)
{
  Json stages = Json::array();
  for (const Stage& stage : run.timings.stages)
    stages.push_back({{"name", stage.name}, {"milliseconds", jsonNumber(stage.milliseconds)}});
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
          {"stages", std::move(stages)},
          {"milliseconds", jsonNumber(run.timings.total())}};
}

void printText(std::ostream& stream, const PlannedBatch& planned, const io::RunRecord& run, std::int32_t repeat)
{
  printBatch(stream, planned.source, *planned.plan);
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
  const hines::SolveParameters& parameters = options.solve;
  hines::validate(parameters);
  if (!options.timingsFile.empty()) {
    io::requireTimingsExtension(options.timingsFile);
    requireWritable(options.timingsFile);
  }
  const PlannedBatch planned = planBatch(options.batch, session);
  fitCostsIfNeeded(parameters, session);
  const auto solution = hines::solve(planned.plan, parameters, session.control());
  const hines::Accuracy accuracy =
      hines::checkAccuracy(*planned.plan->batch, solution->x, session.control(), parameters.threads);

  StageTimings timings = solution->timings;
  timings.stages = planned.timings.stages;
  for (const Stage& stage : solution->timings.stages)
    timings.add(stage.name, stage.milliseconds);
  const io::RunRecord run = io::recordRun(planned.source, *planned.plan, *solution, accuracy, timings);

  if (session.json)
    printJson(session.results(), toJson(run));
  else
    printText(session.results(), planned, run, parameters.repeat);
  if (!options.timingsFile.empty())
    io::writeTimings({run}, options.timingsFile);
  requireAccuracy(accuracy, parameters.precision);
  return 0;
}

void addCoarseOptions(CLI::App& command, hines::CoarseParameters& coarse)
{
  const std::string group = "Coarse solver";
  addChoice(command, "--coarse-layout", coarse.layout, kCoarseLayouts, hines::layoutName, "How the cells lie in memory")
      ->group(group);
  addChoice(command, "--coarse-padding", coarse.padding, kCoarsePaddings, hines::paddingName,
            "What is done with rows that interleaving adds to smaller cells")
      ->group(group);
  addNumber(command, "--coarse-block", coarse.blockSize,
            "Threads of a block and cells that are interleaved: 1, 2, 4, 8, 16 or a multiple of 32 to 1024")
      ->group(group);
  addNumber(command, "--devices", coarse.devices, "GPUs that share the cells, 0 for all")->group(group);
}

void addEddOptions(CLI::App& command, hines::EddParameters& edd)
{
  const std::string group = "Exact domain decomposition (--solver edd)";
  addChoice(
      command, "--edd-method", edd.method, kEddMethods, hines::eddMethodName,
      "Junctions: every K-th compartment too (fine) or bifurcations only, chains by a thread each (min-tpt) or by "
      "cuSPARSE (min-trsv)")
      ->group(group);
  addNumber(command, "--edd-k", edd.chainLength,
            "Compartments from junction to junction, 0 to choose by the number of cells")
      ->group(group);
  addNumber(command, "--edd-depth", edd.depth, "Recursions before the serial sweep, -1 for until the threshold")
      ->group(group);
  addNumber(command, "--edd-threshold", edd.threshold, "Rows left to the serial sweep, 0 for the fitted number")
      ->group(group);
  addNumber(command, "--edd-rhs", edd.rightHandSides, "Right-hand sides solved with one factorization")->group(group);
  addNumber(command, "--edd-refinements", edd.refinements,
            "How often min-trsv corrects its solution by the residual; 0 as published")
      ->group(group);
  command.add_flag("--edd-keep-factors", edd.keepFactors, "Factorize once, before the solves")->group(group);
}

void addTridiagonalOptions(CLI::App& command, hines::SolveParameters& parameters)
{
  const std::string group = "Batches of chains";
  addNumber(command, "--chain-lanes", parameters.tridiagonal.lanes,
            "Lanes that share a chain in the tridiagonal solver: 1, 2, 4, 8, 16 or 32; 0 for the fastest")
      ->group(group);
  addNumber(command, "--gtsv-algorithm", parameters.gtsv.algorithm,
            "Of gtsv-interleaved: 0 Thomas, 1 LU with pivoting, 2 QR")
      ->group(group);
}

} // namespace

void addSolveCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<SolveOptions>();
  CLI::App& command =
      addCommand(program, session, "solve",
                 "Plan and solve a batch of cells, compare it with the serial sweep, and time each stage",
                 [options, &session] { return runSolve(*options, session); });
  addBatchOptions(command, options->batch);
  const std::string group = "Solver";
  addChoice(command, "--solver", options->solve.solver, kSolvers, hines::solverName,
            "How the batch is solved; auto: as is expected to be the fastest")
      ->group(group);
  addChoice(command, "--backend", options->solve.backend, kBackends, backendName, "Where it is solved")->group(group);
  addChoice(command, "--precision", options->solve.precision, kPrecisions, hines::precisionName,
            "Of the numbers that are read, worked with and written")
      ->group(group);
  addNumber(command, "--repeat", options->solve.repeat, "Solves; the fastest is reported")->group(group);
  addNumber(command, "--threads", options->solve.threads, "CPU threads, 0 for all")->group(group);
  addCoarseOptions(command, options->solve.coarse);
  addEddOptions(command, options->solve.edd);
  addTridiagonalOptions(command, options->solve);
  command.add_option("--timings", options->timingsFile, "Write the run to a .csv or .json file")
      ->type_name("FILE")
      ->group(group);
}

} // namespace hinesight::cli
