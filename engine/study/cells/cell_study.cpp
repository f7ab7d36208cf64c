#include "study/cells/cell_study.hpp"

#include "cable/assembly.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/time_text.hpp"
#include "hines/choice/cost_cache.hpp"
#include "morphology/memory.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"
#include "study/cells/schedule_study.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

namespace hinesight::study {

namespace {

/// In the unit of its file.
std::shared_ptr<const morphology::Morphology> readSource(const CellSource& source, bool strict,
                                                         const RunControl& control)
{
  const morphology::SwcOptions options{.strict = strict};
  return source.content ? morphology::parseSwc(*source.content, source.path, options, control)
                        : morphology::readSwc(source.path, options, control);
}

CellReading measureCell(const CellSource& source, const std::shared_ptr<const morphology::Morphology>& asRead,
                        const RunControl& control)
{
  CellReading reading;
  reading.id = source.id;
  reading.path = source.path;
  reading.unplaced = morphology::inMicrometres(asRead, source.scale, control);
  reading.morphology = morphology::placed(reading.unplaced, source.place, control);
  reading.branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*reading.morphology));
  reading.metrics = morphology::measure(*reading.morphology, *reading.branches);
  reading.types =
      morphology::totalsByType(morphology::measureBranches(*reading.morphology, *reading.branches, control));
  return reading;
}

/// A stage of `count` cells, which are independent of one another, on up to `threads` threads (0: all). Its progress is
/// how many are done, and a single cell's its own. Nothing happens where there are none.
void forEachCell(std::size_t count, const std::string& stage, const RunControl& control, int threads,
                 StageTimings& timings, const std::function<void(std::size_t, const RunControl&)>& work)
{
  if (count == 0)
    return;
  control.report(stage, 0);
  const Stopwatch watch;
  if (count == 1) {
    work(0, control);
    timings.add(stage, watch.elapsed());
    return;
  }
  const RunControl ofCell = control.silenced();
  std::mutex mutex; // progress goes forwards
  std::size_t done = 0;
  const auto workOn = [&](std::size_t begin, std::size_t end) {
    for (std::size_t cell = begin; cell < end; ++cell) {
      control.checkpoint();
      work(cell, ofCell);
      const std::lock_guard lock(mutex);
      control.report(stage, static_cast<double>(++done) / static_cast<double>(count));
    }
  };
  parallelFor(count, 1, workOn, threads);
  timings.add(stage, watch.elapsed());
}

/// The part of the parameters that random trees are made from.
BatchParameters treeParametersOf(const BatchParameters& parameters)
{
  BatchParameters trees;
  trees.distinctTrees = parameters.distinctTrees;
  trees.randomTree = parameters.randomTree;
  return trees;
}

bool hasOpenCells(const BatchParameters& parameters)
{
  return parameters.source != BatchSource::RandomTrees;
}

bool hasRandomTrees(const BatchParameters& parameters)
{
  return parameters.source != BatchSource::OpenCells && parameters.distinctTrees > 0;
}

} // namespace

std::vector<CellSource> sourcesOf(const std::vector<std::string>& files, const FileParameters& parameters)
{
  const std::vector<double>& scales = parameters.scale;
  if (scales.size() != 1 && scales.size() != files.size())
    throw Error(ErrorCode::BadParameter, "There are " + std::to_string(scales.size()) + " scales for " +
                                             std::to_string(files.size()) +
                                             " files; give one for all, or one for each.");
  std::vector<CellSource> sources;
  for (const std::string& file : files) {
    const std::size_t index = sources.size();
    sources.push_back({.id = index + 1, .path = file, .scale = scales[scales.size() == 1 ? 0 : index]});
  }
  return sources;
}

FileParameters fileParametersOf(const std::vector<double>& scales)
{
  FileParameters parameters;
  const bool areAlike = std::ranges::adjacent_find(scales, std::ranges::not_equal_to()) == scales.end();
  if (!scales.empty())
    parameters.scale = areAlike ? std::vector<double>{scales.front()} : scales;
  return parameters;
}

SourcedBatch CellStudy::makeBatch(const CellRequest& request, const RunControl& control, const CellObserver& observer)
{
  SourcedBatch result;
  assemble(request, control, observer, result.timings);
  result.source = sourceOf(request);
  result.batch = batch;
  return result;
}

CellResult CellStudy::run(const CellRequest& request, const RunControl& control, const CellObserver& observer)
{
  StageTimings timings;
  assemble(request, control, observer, timings);
  if (!batch) {
    CellResult nothing = resultSoFar(request);
    nothing.isWhole = true;
    return nothing;
  }
  const auto planBefore = plan;
  if (request.plansBranches) {
    control.report("plan", 0);
    makePlan(request, control);
  }
  // Told before the solve: a solve that fails or takes long hides nothing of what is known already.
  if (observer.advanced && (solvedBatch != batch || plan != planBefore))
    observer.advanced(resultSoFar(request));
  hines::validate(request.parameters.solve);
  hines::requireDevice(request.parameters.solve);
  control.report("solve", 0);
  solve(request, control, timings);
  const io::RunRecord record = recordOf(request, timings, control);
  if (timings.has("solve"))
    solved = record;
  control.checkpoint();

  CellResult result = resultSoFar(request);
  result.isWhole = true;
  result.record = record;
  result.solved = solved;
  result.floorFraction = floorFraction();
  return result;
}

void CellStudy::assemble(const CellRequest& request, const RunControl& control, const CellObserver& observer,
                         StageTimings& timings)
{
  const BatchParameters& wanted = request.parameters.batch;
  std::vector<double> scales;
  for (const CellSource& source : request.cells)
    scales.push_back(source.scale);
  validateAllFields(fieldsOf(fileParametersOf(scales)));
  control.report("read", 0);
  try {
    read(request, control, timings);
  } catch (const Error&) {
    if (observer.readingEnded)
      observer.readingEnded(readingsOf(request));
    throw;
  }
  if (observer.cellsRead)
    observer.cellsRead(readingsOf(request));

  validateAllFields(fieldsOf(request.parameters));
  if (hasOpenCells(wanted))
    discretize(request, control, timings);
  if (hasRandomTrees(wanted))
    makeRandomTrees(wanted, control);

  const auto systems = systemsOf(request);
  if (systems != batchSystems && observer.advanced)
    observer.advanced(resultSoFar(request));
  if (systems.empty())
    return forgetBatch();
  if (batch && systems == batchSystems && wanted == batchOf)
    return;
  control.report("batch", 0);
  // The old batch goes first, so that the largest batch that fits does not depend on the one before it.
  forgetBatch();
  const std::int64_t number =
      wanted.cells >= 0 ? wanted.cells : static_cast<std::int64_t>(systems.size()) * wanted.copies;
  batch = timed(timings, "batch",
                [&] { return hines::makeBatchOfCells(systems, number, wanted.randomTree.seed, control); });
  batchSystems = systems;
  batchOf = wanted;
}

/// Cells that are not wanted now may be wanted again, as when a person undoes their removal.
void CellStudy::setAside(const CellRequest& request)
{
  std::set<std::uint64_t> wanted;
  for (const CellSource& source : request.cells)
    wanted.insert(source.id);
  if (std::exchange(readStrictly, request.strict) != request.strict) {
    cells.clear();
    aside.clear();
  }
  for (auto known = aside.begin(); known != aside.end();)
    if (wanted.contains(known->first)) {
      cells.insert(std::move(*known));
      known = aside.erase(known);
    } else
      ++known;
  const std::size_t asideBefore = aside.size();
  for (auto known = cells.begin(); known != cells.end();)
    if (wanted.contains(known->first)) {
      ++known;
    } else {
      if (known->second.asRead) {
        known->second.discretization.reset(); // large, and soon made
        aside.emplace_front(known->first, std::move(known->second));
      }
      known = cells.erase(known);
    }
  if (aside.size() == asideBefore)
    return;
  const std::uint64_t most = availableMemoryBytes() / 8;
  std::uint64_t held = 0;
  const auto isBeyond = [&](const auto& known) {
    held += morphology::bytesOf(*known.second.asRead);
    if (known.second.reading.morphology != known.second.asRead)
      held += morphology::bytesOf(*known.second.asRead);
    return held > most;
  };
  aside.erase(std::ranges::find_if(aside, isBeyond), aside.end());
}

void CellStudy::read(const CellRequest& request, const RunControl& control, StageTimings& timings)
{
  setAside(request);
  std::vector<const CellSource*> unread, unscaled; // or in another place
  for (const CellSource& source : request.cells) {
    const auto known = cells.find(source.id);
    if (known == cells.end())
      unread.push_back(&source);
    else if (known->second.asRead &&
             (known->second.reading.morphology->unitScale != source.scale || known->second.place != source.place))
      unscaled.push_back(&source);
  }
  // Cells that were read before a cancellation are kept: they are not read again.
  std::vector<Cell> fresh(unread.size());
  const auto keepFresh = [&] {
    for (std::size_t i = 0; i < fresh.size(); ++i)
      if (fresh[i].reading.id != 0)
        cells[unread[i]->id] = std::move(fresh[i]);
  };
  const int threads = request.parameters.solve.threads;
  try {
    forEachCell(unread.size(), "read", control, threads, timings, [&](std::size_t i, const RunControl& ofCell) {
      fresh[i] = readCell(*unread[i], request.strict, ofCell);
    });
  } catch (const Error&) {
    keepFresh();
    throw;
  }
  keepFresh();
  forEachCell(unscaled.size(), "scale", control, threads, timings, [&](std::size_t i, const RunControl& ofCell) {
    Cell& cell = cells.at(unscaled[i]->id);
    std::string modified = std::move(cell.reading.modified);
    cell = Cell{cell.asRead, measureCell(*unscaled[i], cell.asRead, ofCell), nullptr, unscaled[i]->place};
    cell.reading.modified = std::move(modified);
  });
}

/// Of the sources that were read.
std::vector<CellReading> CellStudy::readingsOf(const CellRequest& request) const
{
  std::vector<CellReading> readings;
  for (const CellSource& source : request.cells)
    if (const auto known = cells.find(source.id); known != cells.end())
      readings.push_back(known->second.reading);
  return readings;
}

CellStudy::Cell CellStudy::readCell(const CellSource& source, bool strict, const RunControl& control)
{
  try {
    std::string modified = source.content ? std::string() : modificationTime(source.path); // not of what comes later
    const auto asRead = readSource(source, strict, control);
    Cell cell{asRead, measureCell(source, asRead, control), nullptr, source.place};
    cell.reading.modified = std::move(modified);
    return cell;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    Cell unreadable;
    unreadable.reading.id = source.id;
    unreadable.reading.path = source.path;
    unreadable.reading.error = error;
    return unreadable;
  }
}

void CellStudy::discretize(const CellRequest& request, const RunControl& control, StageTimings& timings)
{
  const auto& parameters = request.parameters.discretization;
  std::vector<Cell*> changed;
  for (const CellSource& source : request.cells) {
    Cell& cell = cells.at(source.id);
    if (!cell.reading.error && !(cell.discretization && cell.discretization->parameters == parameters))
      changed.push_back(&cell);
  }
  forEachCell(changed.size(), "discretize", control, request.parameters.solve.threads, timings,
              [&](std::size_t i, const RunControl& ofCell) {
                Cell& cell = *changed[i];
                cell.discretization =
                    cable::discretize(cell.reading.morphology, cell.reading.branches, parameters, ofCell);
              });
}

void CellStudy::makeRandomTrees(const BatchParameters& parameters, const RunControl& control)
{
  if (randomTreesOf == treeParametersOf(parameters))
    return;
  const auto count = static_cast<std::uint64_t>(parameters.distinctTrees);
  std::vector<std::shared_ptr<const cable::HinesSystem>> trees;
  std::size_t bytes = 0;
  for (std::uint64_t index = 0; index < count; ++index) {
    control.report("random trees", static_cast<double>(index) / static_cast<double>(count));
    trees.push_back(cable::makeRandomTree(parameters.randomTree, index));
    bytes += trees.back()->size() * cable::kSystemBytes;
    // Now and then, what the rest will need by what those so far have taken.
    if ((index & (index + 1)) == 0)
      requireMemory(bytes / (index + 1) * (count - index - 1), std::to_string(count) + " random trees");
  }
  randomTrees = std::move(trees);
  randomTreesOf = treeParametersOf(parameters);
}

std::vector<std::shared_ptr<const cable::HinesSystem>> CellStudy::systemsOf(const CellRequest& request) const
{
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  if (hasOpenCells(request.parameters.batch))
    for (const CellSource& source : request.cells)
      if (const auto& discretization = cells.at(source.id).discretization)
        systems.push_back(discretization->system);
  if (hasRandomTrees(request.parameters.batch))
    systems.insert(systems.end(), randomTrees.begin(), randomTrees.end());
  return systems;
}

void CellStudy::forgetBatch()
{
  batchSystems.clear();
  batch.reset();
  plan.reset();
  branchOfCompartment = {};
  planTime = 0;
  solvedBatch.reset();
  solution.reset();
}

void CellStudy::makePlan(const CellRequest& request, const RunControl& control)
{
  const auto& parameters = request.parameters.solve.of<hines::PlanParameters>();
  if (plan && plan->batch == batch && plan->parameters == parameters)
    return;
  const Stopwatch watch;
  plan = hines::makePlan(batch, parameters, control);
  planTime = watch.elapsed();
  branchOfCompartment = hines::BranchMap(*plan, batchSystems.size());
}

void CellStudy::solve(const CellRequest& request, const RunControl& control, StageTimings& timings)
{
  const auto& parameters = request.parameters.solve;
  if (solution && solvedBatch == batch && solvedAs == parameters && !request.solveAgain)
    return;
  solution.reset();
  hines::fitCostsForAuto(parameters, control);
  const auto outcome = hines::solve(batch, parameters, control, plan);
  if (const double spent = std::exchange(planTime, 0); spent > 0 && outcome->schedule == plan)
    timings.add("plan", spent);
  timings.add(outcome->timings);
  control.report("check", 0);
  accuracy = hines::checkAccuracy(*batch, outcome->x, control, parameters.threads);
  if (parameters.backend == Backend::Cuda && copyBandwidth == 0)
    copyBandwidth = measureCopyBandwidth();
  predictOnGpu(*outcome, control);
  solution = outcome;
  solvedBatch = batch;
  solvedAs = parameters;
}

/// What a GPU would take for its plan, where the CPU has carried out one.
void CellStudy::predictOnGpu(const hines::Solution& outcome, const RunControl& control)
{
  plannedFor.clear();
  predicted = 0;
  hines::SolveParameters asked = outcome.parameters;
  if (asked.backend != Backend::Cpu || !hines::traitsOf(asked.solver).onCuda)
    return;
  asked.backend = Backend::Cuda;
  const PlannedSchedule planned = planSchedule(batch, asked, control, outcome.schedule);
  plannedFor = planned.device;
  predicted = planned.predicted ? planned.predicted->milliseconds : 0;
}

CellResult CellStudy::resultSoFar(const CellRequest& request) const
{
  CellResult result;
  result.request = request;
  if (hasOpenCells(request.parameters.batch))
    for (const CellSource& source : request.cells) {
      const Cell& cell = cells.at(source.id);
      if (cell.discretization)
        result.cells.push_back({cell.reading.morphology->name, source.id, cell.discretization, cell.reading.metrics});
    }
  if (hasRandomTrees(request.parameters.batch))
    for (std::size_t i = 0; i < randomTrees.size(); ++i)
      result.cells.push_back({"random tree " + std::to_string(i + 1), 0, nullptr, {}});
  if (batch && systemsOf(request) == batchSystems && request.parameters.batch == batchOf) {
    result.batch = batch;
    result.plan = plan;
    result.branchOfCompartment = branchOfCompartment;
    const bool isOfPlan = !plan || solvedAs.of<hines::PlanParameters>() == plan->parameters;
    if (solvedBatch == batch && isOfPlan) {
      result.solution = solution;
      result.accuracy = accuracy;
    }
  }
  return result;
}

std::string CellStudy::sourceOf(const CellRequest& request) const
{
  std::vector<std::string> names;
  if (hasOpenCells(request.parameters.batch))
    for (const CellSource& cell : request.cells)
      if (!cells.at(cell.id).reading.error)
        names.push_back(std::filesystem::path(cell.path).filename().string());
  if (hasRandomTrees(request.parameters.batch)) {
    const std::int32_t trees = request.parameters.batch.distinctTrees;
    names.push_back(std::to_string(trees) + (trees == 1 ? " random tree" : " random trees"));
  }
  return describeSources(names);
}

io::RunRecord CellStudy::recordOf(const CellRequest& request, StageTimings timings, const RunControl& control) const
{
  timings.backend = solution->timings.backend;
  timings.device = solution->timings.device;
  io::RunRecord record = io::recordRun(sourceOf(request), *solution, accuracy, std::move(timings), control);
  record.plannedFor = plannedFor;
  record.predicted = predicted;
  std::vector<double> scales;
  if (hasOpenCells(request.parameters.batch))
    for (const CellSource& cell : request.cells)
      if (!cells.at(cell.id).reading.error) {
        record.files.push_back(cell.path);
        scales.push_back(cell.scale);
      }
  record.settings = settingsOf(fieldsOf(fileParametersOf(scales)));
  addMissing(record.settings, settingsOf(fieldsOf(request.parameters)));
  return record;
}

double CellStudy::floorFraction() const
{
  const double milliseconds = solution->timings.of("solve");
  if (solution->parameters.backend != Backend::Cuda || copyBandwidth <= 0 || milliseconds <= 0)
    return -1;
  // Reading d, u, b and writing x once, in double precision: 32 bytes a compartment.
  const double floorMilliseconds = 32.0 * static_cast<double>(batch->compartments()) / copyBandwidth * 1000;
  return floorMilliseconds / milliseconds;
}

std::string describeSources(const std::vector<std::string>& names)
{
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNamed)
    text += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return text;
}

} // namespace hinesight::study
