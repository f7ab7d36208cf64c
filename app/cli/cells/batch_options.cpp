#include "app/cli/cells/batch_options.hpp"

#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "cable/assembly.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "morphology/branches.hpp"
#include "morphology/swc.hpp"

#include <filesystem>

namespace hinesight::cli {

namespace {

using Systems = std::vector<std::shared_ptr<const cable::HinesSystem>>;

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
                 return cable::discretize(morphology, branches, options.parameters.discretization, control);
               })
      ->system;
}

void addRandomTrees(Systems& systems, const BatchOptions& options, const RunControl& control)
{
  const study::BatchParameters& batch = options.parameters.batch;
  const auto count = static_cast<std::uint64_t>(batch.distinctTrees);
  std::size_t bytes = 0;
  for (std::uint64_t index = 0; index < count; ++index) {
    control.report("random trees", static_cast<double>(index) / static_cast<double>(count));
    systems.push_back(cable::makeRandomTree(batch.randomTree, index));
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
  if (const std::int32_t trees = options.parameters.batch.distinctTrees; trees > 0)
    source += (source.empty() ? "" : ", ") + std::to_string(trees) + " random trees";
  return source;
}

} // namespace

study::CellParameters BatchOptions::commandDefaults()
{
  study::CellParameters parameters;
  parameters.batch.source = study::BatchSource::Both;
  parameters.batch.distinctTrees = 0;
  return parameters;
}

void addBatchOptions(Command& command, BatchOptions& options)
{
  command.addInput("FILE", options.files, "SWC files; several make a mixed batch");
  command.add_flag("--strict", options.strict, "Refuse files that would be repaired with a warning");
  // Files and random trees are taken as they are given: nothing is left to choose.
  std::vector<BoundField> batch = fieldsOf(options.parameters.batch);
  std::erase_if(batch, [](const BoundField& field) { return field.name == "source"; });
  addFieldOptions(command, batch, "Batch");
  // As many as the copies come to is not said by a number.
  command.get_option("--cells")->each([](const std::string& text) {
    if (const auto number = numberOf<std::int64_t>(text); number && *number < 1)
      throw Error(ErrorCode::BadParameter, "The number of cells is " + text + "; it must be at least 1.");
  });
  addFieldOptions(command, fieldsOf(options.parameters.discretization), "Discretization");
}

SourcedBatch makeBatch(const BatchOptions& options, Session& session)
{
  const study::BatchParameters& wanted = options.parameters.batch;
  if (options.files.empty() && wanted.distinctTrees == 0)
    throw CLI::RequiredError("FILE or --random-trees");
  validateAllFields(fieldsOf(options.parameters));
  const RunControl& control = session.control();

  SourcedBatch result;
  result.source = describeSource(options);
  Systems systems;
  for (const std::string& file : options.files) {
    control.report("read", static_cast<double>(systems.size()) / static_cast<double>(options.files.size()));
    systems.push_back(readSystem(file, options, session, result.timings));
  }
  addRandomTrees(systems, options, control);
  const std::int64_t cells =
      wanted.cells >= 0 ? wanted.cells : static_cast<std::int64_t>(systems.size()) * wanted.copies;
  result.batch = timed(result.timings, "batch",
                       [&] { return hines::makeBatchOfCells(systems, cells, wanted.randomTree.seed, control); });
  return result;
}

} // namespace hinesight::cli
