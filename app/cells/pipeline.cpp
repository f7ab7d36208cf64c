#include "app/cells/pipeline.hpp"

#include "core/device.hpp"
#include "core/files.hpp"
#include "hines/choice/cost_cache.hpp"
#include "morphology/swc.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"

#include <QFile>

#include <algorithm>
#include <set>
#include <utility>

namespace hinesight::app {

namespace {

/// SWC text of a resource of the program.
std::string resourceText(const std::string& path)
{
  QFile file(QString::fromStdString(path));
  if (!file.open(QIODevice::ReadOnly))
    throw Error(ErrorCode::FileNotFound, "is no resource of this program; open a file instead", path);
  return file.readAll().toStdString();
}

std::shared_ptr<const morphology::Morphology> readMorphology(const std::string& path, const RunControl& control)
{
  if (path.rfind(":/", 0) == 0)
    return morphology::parseSwc(resourceText(path), path, {}, control);
  return morphology::readSwc(path, {}, control);
}

CellReading readCell(const CellSource& source, const RunControl& control)
{
  CellReading reading;
  reading.id = source.id;
  try {
    reading.morphology = readMorphology(source.path, control);
    reading.branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*reading.morphology));
    reading.metrics = morphology::measure(*reading.morphology, *reading.branches);
    reading.canBeDrawn = widgets::canDraw(*reading.morphology);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    reading.error = error;
  }
  return reading;
}

/// Of item `index` of `count` of a stage.
RunControl partOf(const RunControl& control, std::size_t index, std::size_t count)
{
  const auto all = static_cast<double>(count);
  return control.part(static_cast<double>(index) / all, static_cast<double>(index + 1) / all);
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
  return parameters.source != BatchSource::OpenCells;
}

/// Every shape is drawn.
void requireDrawable(const BatchParameters& parameters)
{
  constexpr std::int32_t kMostDrawn = 256;
  if (hasRandomTrees(parameters) && parameters.distinctTrees > kMostDrawn)
    throw Error(ErrorCode::BadParameter, "Distinct trees is " + std::to_string(parameters.distinctTrees) +
                                             "; the window draws at most " + std::to_string(kMostDrawn) +
                                             ": choose fewer, and more copies of each.");
}

} // namespace

/// Runs `work` and adds its wall-clock time to the stage.
template <typename Work>
auto Pipeline::Measured::stage(std::string_view name, const Work& work)
{
  const Stopwatch watch;
  auto result = work();
  timings.add(name, watch.elapsed());
  return result;
}

PipelineOutcome Pipeline::run(const PipelineRequest& request, const RunControl& control,
                              const PipelineObserver& observer)
{
  const BatchParameters& wanted = request.parameters.batch;
  Measured measured;

  control.report("read", 0);
  read(request, control, measured);
  std::vector<CellReading> readings;
  for (const CellSource& source : request.cells)
    readings.push_back(cells.at(source.id).reading);
  observer.cellsRead(readings);

  validateAllFields(fieldsOf(request.parameters));
  requireDrawable(wanted);
  if (hasOpenCells(wanted))
    discretize(request, control, measured);
  if (hasRandomTrees(wanted))
    makeRandomTrees(wanted, control);

  const auto systems = systemsOf(request);
  if (systems != batchSystems)
    observer.sceneReady(outcomeSoFar(request));
  if (systems.empty()) {
    forgetBatch();
    PipelineOutcome nothing = outcomeSoFar(request);
    nothing.isWhole = true;
    return nothing;
  }

  control.report("batch", 0);
  assemble(request, control, measured);
  control.report("plan", 0);
  makePlan(request, control, measured);
  // Told before the solve: a solve that fails or takes long hides nothing of what is known already.
  if (solvedPlan != plan)
    observer.sceneReady(outcomeSoFar(request));
  hines::validate(request.parameters.solve);
  hines::requireDevice(request.parameters.solve);
  control.report("solve", 0);
  solve(request, control, measured);
  control.checkpoint();

  PipelineOutcome outcome = outcomeSoFar(request);
  outcome.isWhole = true;
  outcome.record = recordOf(request, measured.timings, control);
  outcome.floorFraction = floorFraction();
  return outcome;
}

void Pipeline::read(const PipelineRequest& request, const RunControl& control, Measured& measured)
{
  std::set<std::uint64_t> wanted;
  for (const CellSource& source : request.cells)
    wanted.insert(source.id);
  std::erase_if(cells, [&](const auto& entry) { return !wanted.count(entry.first); });

  std::size_t done = 0;
  for (const CellSource& source : request.cells) {
    const RunControl part = partOf(control, done++, request.cells.size());
    part.report("read", 0);
    if (cells.count(source.id))
      continue;
    CellReading reading = measured.stage("read", [&] { return readCell(source, part); });
    cells[source.id] = {std::move(reading), nullptr};
  }
}

void Pipeline::discretize(const PipelineRequest& request, const RunControl& control, Measured& measured)
{
  const auto& parameters = request.parameters.discretization;
  std::size_t done = 0;
  for (const CellSource& source : request.cells) {
    const RunControl part = partOf(control, done++, request.cells.size());
    part.report("discretize", 0);
    Cell& cell = cells.at(source.id);
    if (cell.reading.error || (cell.discretization && cell.discretization->parameters == parameters))
      continue;
    cell.discretization = measured.stage("discretize", [&] {
      return cable::discretize(cell.reading.morphology, cell.reading.branches, parameters, part);
    });
  }
}

void Pipeline::makeRandomTrees(const BatchParameters& parameters, const RunControl& control)
{
  if (randomTreesOf == treeParametersOf(parameters))
    return;
  std::vector<std::shared_ptr<const cable::HinesSystem>> trees;
  for (std::int32_t i = 0; i < parameters.distinctTrees; ++i) {
    control.report("generate", static_cast<double>(i) / parameters.distinctTrees);
    trees.push_back(cable::makeRandomTree(parameters.randomTree, static_cast<std::uint64_t>(i)));
  }
  randomTrees = std::move(trees);
  randomTreesOf = treeParametersOf(parameters);
}

std::vector<std::shared_ptr<const cable::HinesSystem>> Pipeline::systemsOf(const PipelineRequest& request) const
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

void Pipeline::forgetBatch()
{
  batchSystems.clear();
  batch.reset();
  plan.reset();
  solvedPlan.reset();
  solution.reset();
}

void Pipeline::assemble(const PipelineRequest& request, const RunControl& control, Measured& measured)
{
  const auto systems = systemsOf(request);
  const BatchParameters& wanted = request.parameters.batch;
  if (batch && systems == batchSystems && wanted == batchOf)
    return;
  // The old batch goes first, so that the largest batch that fits does not depend on the one before it.
  forgetBatch();
  const std::int64_t number =
      wanted.cells >= 0 ? wanted.cells : static_cast<std::int64_t>(systems.size()) * wanted.copies;
  batch = measured.stage("batch",
                         [&] { return hines::makeBatchOfCells(systems, number, wanted.randomTree.seed, control); });
  batchSystems = systems;
  batchOf = wanted;
}

void Pipeline::makePlan(const PipelineRequest& request, const RunControl& control, Measured& measured)
{
  const auto& parameters = request.parameters.solve.of<hines::PlanParameters>();
  if (plan && plan->batch == batch && plan->parameters == parameters)
    return;
  const Stopwatch watch;
  plan = hines::makePlan(batch, parameters, control);
  measured.plan = watch.elapsed();
  widgets::Scene scene;
  scene.cells.resize(batchSystems.size());
  scene.plan = plan;
  widgets::identifyBranches(scene);
  branchOfCompartment = std::move(scene.branchOfCompartment);
}

void Pipeline::solve(const PipelineRequest& request, const RunControl& control, Measured& measured)
{
  const auto& parameters = request.parameters.solve;
  if (solution && solvedPlan == plan && solvedAs == parameters && !request.solveAgain)
    return;
  solution.reset();
  hines::fitCostsForAuto(parameters, control);
  const auto solved = hines::solve(batch, parameters, control, plan);
  if (solved->schedule == plan && measured.plan > 0)
    measured.timings.add("plan", measured.plan);
  for (const Stage& stage : solved->timings.stages)
    measured.timings.add(stage.name, stage.milliseconds);
  control.report("check", 0);
  accuracy = hines::checkAccuracy(*batch, solved->x, control, parameters.threads);
  if (parameters.backend == Backend::Cuda && copyBandwidth == 0)
    copyBandwidth = measureCopyBandwidth();
  solution = solved;
  solvedPlan = plan;
  solvedAs = parameters;
}

PipelineOutcome Pipeline::outcomeSoFar(const PipelineRequest& request) const
{
  auto scene = std::make_shared<widgets::Scene>();
  PipelineOutcome outcome;
  outcome.request = request;
  if (hasOpenCells(request.parameters.batch))
    for (const CellSource& source : request.cells) {
      const Cell& cell = cells.at(source.id);
      if (!cell.discretization)
        continue;
      scene->cells.push_back({cell.reading.morphology->name, true, cell.discretization, cell.reading.metrics});
      outcome.cellIds.push_back(source.id);
    }
  if (hasRandomTrees(request.parameters.batch))
    for (std::size_t i = 0; i < randomTrees.size(); ++i) {
      widgets::SceneCell cell;
      cell.name = "random tree " + std::to_string(i + 1);
      scene->cells.push_back(std::move(cell));
      outcome.cellIds.push_back(0);
    }
  if (plan && systemsOf(request) == batchSystems && request.parameters.batch == batchOf) {
    scene->plan = plan;
    scene->branchOfCompartment = branchOfCompartment;
    if (solvedPlan == plan) {
      scene->solution = solution;
      scene->accuracy = accuracy;
    }
  }
  outcome.scene = std::move(scene);
  return outcome;
}

io::RunRecord Pipeline::recordOf(const PipelineRequest& request, StageTimings timings, const RunControl& control) const
{
  timings.backend = solution->timings.backend;
  timings.device = solution->timings.device;
  std::vector<std::string> names;
  std::vector<std::string> files;
  if (hasOpenCells(request.parameters.batch))
    for (const CellSource& cell : request.cells)
      if (const auto& morphology = cells.at(cell.id).reading.morphology) {
        names.push_back(morphology->name);
        files.push_back(cell.path);
      }
  std::string source = describeSources(names);
  if (hasRandomTrees(request.parameters.batch))
    source += source.empty() ? "random trees" : " and random trees";
  io::RunRecord record = io::recordRun(std::move(source), *solution, accuracy, std::move(timings), control);
  record.files = std::move(files);
  record.settings = settingsOf(fieldsOf(request.parameters));
  return record;
}

double Pipeline::floorFraction() const
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

} // namespace hinesight::app
