#pragma once

#include "cable/discretization.hpp"
#include "hines/branch/branch_map.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "morphology/branches.hpp"
#include "selection/branch_id.hpp"
#include "study/cells/schedule_study.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::widgets {

class BranchColors;

/// One cell of the window. Cell i is shape i of the plan's batch. A random tree has no discretization and no
/// morphology.
struct SceneCell
{
  std::string name;
  bool visible = true;
  std::shared_ptr<const cable::Discretization> discretization; ///< with its morphology and branches; may be null
  morphology::MorphologyMetrics metrics;
};

/// Everything that the views draw: the engine's own result objects, immutable, shared between views. `plan`, `solution`
/// and later members are null until the first run has come so far.
struct Scene
{
  std::vector<SceneCell> cells;
  std::shared_ptr<const hines::SolvePlan> plan;
  hines::BranchMap branchOfCompartment; ///< of `plan`: the identity of a branch in all views
  std::shared_ptr<const hines::Solution> solution;
  hines::Accuracy accuracy;
  /// What a person chose to look at in place of the schedule that ran. Null: as solved.
  std::shared_ptr<const study::PlannedSchedule> planned;
  std::shared_ptr<BranchColors> branchColors; ///< null: each view makes its own
};

/// Whether it takes longer than a frame to look at each sample of its cells.
bool isLarge(const Scene& scene);

/// What a person chose to look at, in place of what ran: Scene::planned, while it is of the plan's batch; else null.
const study::PlannedSchedule* chosenSchedule(const Scene& scene);
/// The schedule that views draw: the chosen one, which is null where it cannot be made; else that of the solver that
/// ran, where several lanes share a cell, else the plan of branches, since a lane a cell shows nothing of it. Null
/// without a plan.
std::shared_ptr<const hines::Schedule> drawnSchedule(const Scene& scene);
/// The solver that drawnSchedule is of, with its parameters; of a plan of branches that has not run, the fine solver.
hines::SolveParameters drawnParameters(const Scene& scene);
/// Whether what drawnSchedule gives is what the solver that ran executed.
bool hasRun(const Scene& scene);
/// Whether the plan of branches is.
bool planHasRun(const Scene& scene);
/// What it is: "Resident on CUDA, as it ran: 0.29 ms"; of a chosen one "Not run: 0.31 ms predicted for an NVIDIA T4
/// (not checked against one)". Empty without a plan.
std::string describeDrawnSchedule(const Scene& scene);

/// A branch in all views.
using selection::BranchId;

/// Index of a cell's shape in the plan's asRead (and, balanced and split, in its shapes); -1 where there is no plan.
std::int32_t shapeOfCell(const Scene& scene, std::size_t cell);
/// The first cell of a shape of the batch; -1: none.
std::int32_t cellOfShape(const Scene& scene, std::uint32_t batchShape);
/// A cell as its file has it, as planned compartments; null where there is no plan.
const hines::PlannedShape* asReadShape(const Scene& scene, std::size_t cell);

/// The figures of a branch as the data panel shows them, one "name: value" a line.
std::string describeBranch(const Scene& scene, BranchId id);
/// The same in two lines, for tooltips: "pyramidal, branch 12 of 177" and "apical dendrite, level 3, 16 compartments".
std::string describeBranchBriefly(const Scene& scene, BranchId id);

} // namespace hinesight::widgets
