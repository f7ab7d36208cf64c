#include "app/cli/cells/batch_options.hpp"

#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "cable/assembly.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "morphology/branches.hpp"
#include "morphology/swc.hpp"

#include <filesystem>

namespace hinesight::cli {

namespace {

using Systems = std::vector<std::shared_ptr<const cable::HinesSystem>>;

constexpr std::int64_t kMostRandomTrees = 1'000'000;

void addCellOptions(CLI::App& command, BatchOptions& options)
{
  command.add_option("FILE", options.files, "SWC files; several make a mixed batch")->type_name("");
  command.add_flag("--strict", options.strict, "Refuse files that would be repaired with a warning");
  command
      .add_option_function<std::string>(
          "--cells",
          [&options](const std::string& text) {
            options.cells = parseNumber<std::int64_t>("--cells", text);
            options.cellsGiven = true;
          },
          "Cells of the batch: copies of the files' and the random trees, taken in turn [one of each]")
      ->type_name("INT");
  addNumber(command, "--seed", options.seed, "Seed of the random trees and of the copies' right-hand sides");
}

void addRandomTreeOptions(CLI::App& command, BatchOptions& options)
{
  const std::string group = "Random trees";
  cable::RandomTreeParameters& tree = options.tree;
  addNumber(command, "--random-trees", options.randomTrees, "How many different synthetic trees to add")->group(group);
  addNumber(command, "--tree-levels", tree.levels, "Levels, 1 to 30")->group(group);
  addNumber(command, "--tree-probability", tree.branchingProbability, "That a branch splits in two, 0 to 1")
      ->group(group);
  addNumber(command, "--tree-compartments", tree.compartmentsPerBranch, "Per branch of the first level, 1 to 10000")
      ->group(group);
  addNumber(command, "--tree-length", tree.branchLength, "Branch length on the first level, um")->group(group);
  addNumber(command, "--tree-decay", tree.lengthDecay, "Factor of length and compartments from level to level")
      ->group(group);
}

void addDiscretizationOptions(CLI::App& command, cable::DiscretizationParameters& parameters)
{
  using Policy = cable::DiscretizationPolicy;
  const std::string group = "Discretization";
  addChoice(command, "--discretize", parameters.policy,
            {Policy::Sample, Policy::FixedNumber, Policy::MaximumLength, Policy::DLambda}, cable::policyName,
            "How cells are cut into compartments")
      ->group(group);
  addNumber(command, "--compartments", parameters.compartmentsPerBranch, "Per branch, with fixed")->group(group);
  addNumber(command, "--max-length", parameters.maximumLength, "Of a compartment in um, with length")->group(group);
  addNumber(command, "--d-lambda", parameters.dLambda, "Fraction of the length constant at 100 Hz, with d-lambda")
      ->group(group);
  addNumber(command, "--resolution", parameters.resolution, "Splits each compartment in so many")->group(group);
  addNumber(command, "--capacitance", parameters.membraneCapacitance, "uF/cm2")->group(group);
  addNumber(command, "--axial-resistivity", parameters.axialResistivity, "ohm cm")->group(group);
  addNumber(command, "--leak-conductance", parameters.leakConductance, "S/cm2")->group(group);
  addNumber(command, "--leak-reversal", parameters.leakReversal, "mV")->group(group);
  addNumber(command, "--time-step", parameters.timeStep, "ms")->group(group);
  addNumber(command, "--soma-current", parameters.somaCurrent, "nA into the root of each tree")->group(group);
}

/// "none", "level-average", "block-average" or "fixed:K".
void parseSplit(const std::string& text, hines::PlanParameters& plan)
{
  using Split = hines::SplitStrategy;
  const std::string fixed = std::string(hines::splitName(Split::FixedLength)) + ":";
  if (text.starts_with(fixed)) {
    plan.splitLength = parseNumber<std::int32_t>("--split", text.substr(fixed.size()));
    plan.split = Split::FixedLength;
    return;
  }
  const std::vector<Split> others = {Split::None, Split::LevelAverage, Split::BlockAverage};
  for (const Split split : others)
    if (hines::splitName(split) == text) {
      plan.split = split;
      return;
    }
  throw CLI::ValidationError("--split",
                             "'" + text + "' is none of " + choiceNames(others, hines::splitName) + "|" + fixed + "K");
}

void addPlanOptions(CLI::App& command, hines::PlanParameters& plan)
{
  using Balance = hines::BalanceMeasure;
  using Split = hines::SplitStrategy;
  using Pack = hines::PackStrategy;
  const std::string group = "Plan";
  addChoice(command, "--balance", plan.balance, {Balance::None, Balance::Branches, Balance::Compartments},
            hines::balanceName, "What the root is moved for")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--split", [&plan](const std::string& text) { parseSplit(text, plan); },
          "Which branches are cut in two; fixed:K cuts those of more than K compartments")
      ->default_str(std::string(hines::splitName(plan.split)))
      ->type_name(choiceNames<Split>({Split::None, Split::LevelAverage, Split::BlockAverage}, hines::splitName) +
                  "|fixed:K")
      ->group(group);
  addChoice(command, "--pack", plan.pack, {Pack::Greedy, Pack::FirstFit, Pack::LevelShift}, hines::packName,
            "How cells are put into blocks")
      ->group(group);
  addNumber(command, "--block-size", plan.blockSize, "Threads of a block: 32 to 1024, a multiple of 32")->group(group);
  command
      .add_flag_callback(
          "--no-sort", [&plan] { plan.sortByLength = false; },
          "Keep the branches of a level in the order of their cells")
      ->group(group);
}

/// Runs `work` and adds its wall-clock time to the stage.
template <typename Work>
auto timed(StageTimings& timings, std::string_view stage, const Work& work)
{
  const Stopwatch watch;
  auto result = work();
  timings.add(stage, watch.elapsed());
  return result;
}

std::shared_ptr<const cable::HinesSystem> readSystem(const std::string& file, const BatchOptions& options,
                                                     Session& session, StageTimings& timings)
{
  const RunControl& control = session.control();
  const auto morphology =
      timed(timings, "read", [&] { return morphology::readSwc(file, {.strict = options.strict}, control); });
  if (!session.json)
    for (const morphology::Warning& warning : morphology->warnings)
      session.messages() << describeWarning(file, warning) << '\n';
  return timed(timings, "discretize",
               [&] {
                 auto branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*morphology));
                 return cable::discretize(morphology, branches, options.discretization, control);
               })
      ->system;
}

void addRandomTrees(Systems& systems, const BatchOptions& options, const RunControl& control)
{
  if (options.randomTrees < 0 || options.randomTrees > kMostRandomTrees)
    throw Error(ErrorCode::BadParameter, "--random-trees is " + std::to_string(options.randomTrees) +
                                             "; it must be 0 to " + std::to_string(kMostRandomTrees) + ".");
  cable::RandomTreeParameters parameters = options.tree;
  parameters.seed = options.seed;
  cable::validate(parameters);
  const auto count = static_cast<std::uint64_t>(options.randomTrees);
  std::size_t bytes = 0;
  for (std::uint64_t index = 0; index < count; ++index) {
    control.report("random trees", static_cast<double>(index) / static_cast<double>(count));
    systems.push_back(cable::makeRandomTree(parameters, index));
    bytes += systems.back()->size() * cable::kSystemBytes;
    // Now and then, what the rest will need by what those so far have taken.
    if ((index & (index + 1)) == 0)
      requireMemory(bytes / (index + 1) * (count - index - 1), std::to_string(count) + " random trees");
  }
}

std::string describeSource(const BatchOptions& options)
{
  std::string source;
  for (const std::string& file : options.files)
    source += (source.empty() ? "" : ", ") + std::filesystem::path(file).filename().string();
  if (options.randomTrees > 0)
    source += (source.empty() ? "" : ", ") + std::to_string(options.randomTrees) + " random trees";
  return source;
}

} // namespace

void addBatchOptions(CLI::App& command, BatchOptions& options)
{
  addCellOptions(command, options);
  addDiscretizationOptions(command, options.discretization);
  addPlanOptions(command, options.plan);
  addRandomTreeOptions(command, options);
}

PlannedBatch planBatch(const BatchOptions& options, Session& session)
{
  if (options.files.empty() && options.randomTrees == 0)
    throw CLI::RequiredError("FILE or --random-trees");
  cable::validate(options.discretization);
  hines::validate(options.plan);
  const RunControl& control = session.control();

  PlannedBatch result;
  result.source = describeSource(options);
  Systems systems;
  for (const std::string& file : options.files) {
    control.report("read", static_cast<double>(systems.size()) / static_cast<double>(options.files.size()));
    systems.push_back(readSystem(file, options, session, result.timings));
  }
  addRandomTrees(systems, options, control);
  const std::int64_t cells = options.cellsGiven ? options.cells : static_cast<std::int64_t>(systems.size());
  const auto batch =
      timed(result.timings, "batch", [&] { return hines::makeBatchOfCells(systems, cells, options.seed, control); });
  result.plan = timed(result.timings, "plan", [&] { return hines::makePlan(batch, options.plan, control); });
  return result;
}

} // namespace hinesight::cli
