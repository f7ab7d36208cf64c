#include "widgets/cells/scene.hpp"

#include "hines/solvers/fine/fine.hpp"
#include "morphology/morphometry.hpp"
#include "selection/branch_table.hpp"
#include "widgets/theme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace hinesight::widgets {

namespace {

/// Whether a solver executed a plan of branches.
bool isOfBranches(const hines::Schedule* schedule)
{
  return dynamic_cast<const hines::SolvePlan*>(schedule) != nullptr;
}

/// Whether the solver that ran executed that schedule.
bool wasExecuted(const Scene& scene, const study::PlannedSchedule& planned)
{
  const auto& solution = scene.solution;
  return planned.schedule && solution && solution->schedule && solution->schedule->batch == planned.schedule->batch &&
         hines::planAlike(solution->parameters, planned.parameters);
}

std::string inMilliseconds(double value)
{
  return formatMilliseconds(value).toStdString();
}

/// Samples of a branch: those whose compartment belongs to it.
std::vector<std::int32_t> samplesOf(const Scene& scene, BranchId id)
{
  std::vector<std::int32_t> samples;
  const auto& discretization = scene.cells[static_cast<std::size_t>(id.cell)].discretization;
  if (!discretization) {
    return samples;
  }
  const auto& branchOf = scene.branchOfCompartment[static_cast<std::size_t>(id.cell)];
  for (std::size_t sample = 0; sample < discretization->ofSample.size(); ++sample) {
    if (branchOf[static_cast<std::size_t>(discretization->ofSample[sample])] == id.branch) {
      samples.push_back(static_cast<std::int32_t>(sample));
    }
  }
  return samples;
}

std::string inMicrometres(double value)
{
  return formatNumber(value).toStdString() + " \u00b5m";
}

std::string range(double low, double high)
{
  return low == high ? inMicrometres(low) : formatNumber(low).toStdString() + " to " + inMicrometres(high);
}

/// Type, radii, order and path distances, from the samples of the branch.
void describeShape(const Scene& scene, BranchId id, std::ostream& text)
{
  const auto samples = samplesOf(scene, id);
  if (samples.empty()) {
    return;
  }
  const auto& discretization = *scene.cells[static_cast<std::size_t>(id.cell)].discretization;
  const auto& morphology = *discretization.morphology;
  const auto& branches = *discretization.branches;
  double thin = std::numeric_limits<double>::infinity();
  double thick = 0;
  double near = std::numeric_limits<double>::infinity();
  double far = 0;
  for (const std::int32_t sample : samples) {
    const auto i = static_cast<std::size_t>(sample);
    thin = std::min(thin, morphology.solvedRadius[i]);
    thick = std::max(thick, morphology.solvedRadius[i]);
    const std::int32_t parent = morphology.parent[i];
    near = std::min(near, branches.pathDistance[parent < 0 ? i : static_cast<std::size_t>(parent)]);
    far = std::max(far, branches.pathDistance[i]);
  }
  const auto last = static_cast<std::size_t>(samples.back());
  text << "type: " << morphology::typeName(morphology.type[last]) << '\n';
  if (const std::int32_t chain = branches.ofSample[last]; chain >= 0) {
    text << "branch order: " << branches.order[static_cast<std::size_t>(chain)] << '\n';
  }
  text << "samples: " << formatNumber(static_cast<double>(samples.size())).toStdString() << '\n';
  text << "radius: " << range(thin, thick) << '\n';
  text << "path distance: " << range(near, far) << '\n';
}

/// The length as tables of morphometry have it, and the segment that joins the branch with the soma, which is not in
/// it.
void describeLength(const Scene& scene, BranchId id, std::ostream& text)
{
  const auto samples = samplesOf(scene, id);
  double length = 0;
  double stem = 0;
  for (const std::int32_t sample : samples) {
    const auto& morphology = *scene.cells[static_cast<std::size_t>(id.cell)].discretization->morphology;
    const std::int32_t parent = morphology.parent[static_cast<std::size_t>(sample)];
    if (parent >= 0)
      (morphology::isStem(morphology, sample) ? stem : length) +=
          morphology::sampleDistance(morphology, sample, parent);
  }
  if (length > 0 || stem > 0)
    text << "length: " << inMicrometres(length) << '\n';
  if (stem > 0)
    text << "segment to the soma: " << inMicrometres(stem) << '\n';
}

/// The tree as read that has the branch; null where there is none.
const hines::DependencyTree* treeOf(const Scene& scene, BranchId id)
{
  const auto cell = static_cast<std::size_t>(id.cell);
  const hines::PlannedShape* shape = id.isNull() ? nullptr : asReadShape(scene, cell);
  const bool known =
      shape && cell < scene.branchOfCompartment.size() && static_cast<std::size_t>(id.branch) < shape->tree.branches();
  return known ? &shape->tree : nullptr;
}

} // namespace

bool isLarge(const Scene& scene)
{
  constexpr std::size_t kSamplesOfFrame = 200'000;
  std::size_t samples = 0;
  for (const SceneCell& cell : scene.cells)
    samples += cell.discretization ? cell.discretization->morphology->samples() : 0;
  return samples > kSamplesOfFrame;
}

const study::PlannedSchedule* chosenSchedule(const Scene& scene)
{
  const study::PlannedSchedule* planned = scene.planned.get();
  if (!planned || !scene.plan)
    return nullptr;
  // Another run may have brought other cells.
  return !planned->schedule || planned->schedule->batch == scene.plan->batch ? planned : nullptr;
}

std::shared_ptr<const hines::Schedule> drawnSchedule(const Scene& scene)
{
  if (!scene.plan)
    return nullptr;
  const auto solved = scene.solution ? scene.solution->schedule : nullptr;
  if (const study::PlannedSchedule* planned = chosenSchedule(scene))
    return wasExecuted(scene, *planned) ? solved : planned->schedule;
  return solved && solved->dividesCells() && !isOfBranches(solved.get()) ? solved : scene.plan;
}

hines::SolveParameters drawnParameters(const Scene& scene)
{
  if (const study::PlannedSchedule* planned = chosenSchedule(scene))
    return planned->parameters;
  hines::SolveParameters parameters;
  if (scene.solution)
    parameters = scene.solution->parameters;
  if (!scene.plan || drawnSchedule(scene) != scene.plan)
    return parameters;
  if (!planHasRun(scene))
    parameters.solver = hines::kFine;
  parameters.of<hines::PlanParameters>() = scene.plan->parameters;
  return parameters;
}

bool planHasRun(const Scene& scene)
{
  return scene.plan && scene.solution && isOfBranches(scene.solution->schedule.get());
}

bool hasRun(const Scene& scene)
{
  if (!scene.plan || !scene.solution)
    return false;
  if (const study::PlannedSchedule* planned = chosenSchedule(scene))
    return wasExecuted(scene, *planned);
  return drawnSchedule(scene) != scene.plan || planHasRun(scene);
}

std::string describeDrawnSchedule(const Scene& scene)
{
  if (!scene.plan)
    return {};
  const hines::SolveParameters parameters = drawnParameters(scene);
  const std::string title = study::scheduleTitle(parameters.solver, parameters.backend, " on ");
  if (hasRun(scene)) {
    const StageTimings& timings = scene.solution->timings;
    return title + ", as it ran" + (timings.has("solve") ? ": " + inMilliseconds(timings.of("solve")) : "");
  }
  const study::PlannedSchedule* planned = chosenSchedule(scene);
  if (planned && !planned->schedule)
    return "Cannot be planned";
  if (planned) // who reads it has just chosen what it is
    return planned->predicted
               ? "Not run: " + inMilliseconds(planned->predicted->milliseconds) + " " + originText(*planned->predicted)
               : "Not run: planned for " + planned->device + (planned->deviceIsHere ? "" : " (not in this machine)");
  std::string text = "plan of branches, has not run";
  if (scene.solution)
    text += " (the " + std::string(hines::solverName(scene.solution->parameters.solver)) + " solver did)";
  return text;
}

std::int32_t shapeOfCell(const Scene& scene, std::size_t cell)
{
  if (!scene.plan || cell >= scene.plan->batch->shapeOf.size()) {
    return -1;
  }
  return static_cast<std::int32_t>(scene.plan->batch->shapeOf[cell]);
}

std::int32_t cellOfShape(const Scene& scene, std::uint32_t batchShape)
{
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    if (shapeOfCell(scene, cell) == static_cast<std::int32_t>(batchShape)) {
      return static_cast<std::int32_t>(cell);
    }
  }
  return -1;
}

const hines::PlannedShape* asReadShape(const Scene& scene, std::size_t cell)
{
  const std::int32_t shape = shapeOfCell(scene, cell);
  return shape < 0 ? nullptr : &scene.plan->asRead[static_cast<std::size_t>(shape)];
}

std::string describeBranchBriefly(const Scene& scene, BranchId id)
{
  const hines::DependencyTree* tree = treeOf(scene, id);
  if (!tree) {
    return {};
  }
  const auto cell = static_cast<std::size_t>(id.cell);
  const auto branch = static_cast<std::size_t>(id.branch);
  std::ostringstream text;
  text << scene.cells[cell].name << ", branch or root " << formatNumber(id.branch + 1).toStdString() << " of "
       << formatNumber(static_cast<double>(tree->branches())).toStdString() << '\n';
  if (const auto samples = samplesOf(scene, id); !samples.empty()) {
    const auto& morphology = *scene.cells[cell].discretization->morphology;
    text << morphology::typeName(morphology.type[static_cast<std::size_t>(samples.back())]) << ", ";
  }
  const std::int32_t compartments = tree->length[branch];
  text << "level " << tree->level[branch] << ", " << formatNumber(compartments).toStdString()
       << (compartments == 1 ? " compartment" : " compartments");
  return text.str();
}

std::string describeBranch(const Scene& scene, BranchId id)
{
  const hines::DependencyTree* found = treeOf(scene, id);
  if (!found) {
    return {};
  }
  const hines::DependencyTree& tree = *found;
  const auto cell = static_cast<std::size_t>(id.cell);
  const auto branch = static_cast<std::size_t>(id.branch);
  std::ostringstream text;
  text << "cell: " << scene.cells[cell].name << '\n';
  text << "branch or root: " << formatNumber(id.branch + 1).toStdString() << " of "
       << formatNumber(static_cast<double>(tree.branches())).toStdString() << '\n';
  text << "level: " << tree.level[branch] << '\n';
  text << "compartments: " << formatNumber(tree.length[branch]).toStdString() << '\n';
  describeLength(scene, id, text);
  describeShape(scene, id, text);
  text << "block: " << selection::blockOfShape(*scene.plan)[static_cast<std::size_t>(shapeOfCell(scene, cell))] + 1
       << '\n';
  std::string result = text.str();
  result.pop_back();
  return result;
}

} // namespace hinesight::widgets
