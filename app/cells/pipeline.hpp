#pragma once

#include "cable/discretization.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "io/runs/run_record.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"
#include "study/cells/parameters.hpp"
#include "widgets/cells/scene.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

using study::BatchParameters;
using study::BatchSource;
/// Everything that a person can set, in the order of the pipeline.
using PipelineParameters = study::CellParameters;

/// A file that the window has open. `id` is its identity: the same file opened again has another one and is read again.
struct CellSource
{
  std::uint64_t id = 0;
  std::string path; ///< of a file, or of a resource of the program (":/samples/...")

  bool operator==(const CellSource&) const = default;
};

/// What reading a source gave: a morphology with its branches and metrics, or the error that says why not.
struct CellReading
{
  std::uint64_t id = 0;
  std::shared_ptr<const morphology::Morphology> morphology;
  std::shared_ptr<const morphology::BranchTree> branches;
  morphology::MorphologyMetrics metrics;
  bool canBeDrawn = true;
  std::optional<Error> error;
};

struct PipelineRequest
{
  std::vector<CellSource> cells;
  PipelineParameters parameters;
  bool solveAgain = false; ///< solve even if nothing changed since the last solve
};

/// How far a request has come. The scene holds what exists so far.
struct PipelineOutcome
{
  PipelineRequest request; ///< that it is of
  bool isWhole = false;    ///< the run came to its end
  std::shared_ptr<const widgets::Scene> scene;
  std::vector<std::uint64_t> cellIds;  ///< per cell of the scene: its CellSource::id; 0 for random trees
  std::optional<io::RunRecord> record; ///< only of a run that came to its end; stages are those that ran
  double floorFraction = -1;           ///< time that the memory traffic alone takes over the solve's; < 0: unknown
};

/// What the pipeline tells while it runs; called on the thread of `run`.
struct PipelineObserver
{
  std::function<void(const std::vector<CellReading>&)> cellsRead; ///< every source of the request, in its order
  std::function<void(const PipelineOutcome&)> sceneReady;         ///< there is more to draw, no figures of a solve yet
};

/// Runs read -> discretize -> batch -> plan -> solve -> check. The result of every stage is kept, and a stage runs
/// again only where its input or its parameters changed. Not thread-safe: one thread uses it at a time.
class Pipeline
{
public:
  /// Throws the Error of the stage that failed; everything up to there was given to `observer` and is kept. A file that
  /// cannot be read is no failure of the run: it is reported by `cellsRead`, and the run goes on with the others.
  PipelineOutcome run(const PipelineRequest& request, const RunControl& control, const PipelineObserver& observer);

private:
  struct Cell
  {
    CellReading reading;
    std::shared_ptr<const cable::Discretization> discretization;
  };
  struct Measured
  {
    StageTimings timings;
    double plan = 0; ///< ms of the plan of branches, which the views want whatever solves; a stage where it is executed
    template <typename Work>
    auto stage(std::string_view name, const Work& work);
  };

  void forgetBatch();
  void read(const PipelineRequest& request, const RunControl& control, Measured& measured);
  void discretize(const PipelineRequest& request, const RunControl& control, Measured& measured);
  void makeRandomTrees(const BatchParameters& parameters, const RunControl& control);
  void assemble(const PipelineRequest& request, const RunControl& control, Measured& measured);
  void makePlan(const PipelineRequest& request, const RunControl& control, Measured& measured);
  void solve(const PipelineRequest& request, const RunControl& control, Measured& measured);

  std::vector<std::shared_ptr<const cable::HinesSystem>> systemsOf(const PipelineRequest& request) const;
  PipelineOutcome outcomeSoFar(const PipelineRequest& request) const;
  io::RunRecord recordOf(const PipelineRequest& request, StageTimings timings, const RunControl& control) const;
  double floorFraction() const;

  std::map<std::uint64_t, Cell> cells;

  std::optional<BatchParameters> randomTreesOf;
  std::vector<std::shared_ptr<const cable::HinesSystem>> randomTrees;

  std::vector<std::shared_ptr<const cable::HinesSystem>> batchSystems;
  BatchParameters batchOf; ///< that `batch` was made by
  std::shared_ptr<const hines::HinesBatch> batch;

  std::shared_ptr<const hines::SolvePlan> plan;
  std::vector<std::vector<std::int32_t>> branchOfCompartment; ///< of `plan`

  std::shared_ptr<const hines::SolvePlan> solvedPlan;
  hines::SolveParameters solvedAs; ///< as asked for: the solution has what `auto` chose in its place
  std::shared_ptr<const hines::Solution> solution;
  hines::Accuracy accuracy;
  double copyBandwidth = 0; ///< of the CUDA device, bytes per second; 0: not measured yet
};

/// Short names of files for one line: "a.swc, b.swc and 3 more".
std::string describeSources(const std::vector<std::string>& names);

} // namespace hinesight::app
