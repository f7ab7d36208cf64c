#pragma once

#include "cable/discretization.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/branch/branch_map.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "io/runs/run_record.hpp"
#include "morphology/branches.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/morphology.hpp"
#include "morphology/morphometry.hpp"
#include "study/cells/parameters.hpp"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::study {

/// A file of a cell. `id` is its identity: the same file given again under another one is read again.
struct CellSource
{
  std::uint64_t id = 0; ///< not 0
  std::string path;
  std::shared_ptr<const std::string> content = {}; ///< of what is no file, but called `path`; null: it is read
  double scale = morphology::kMicrometres.scale;   ///< µm per unit of the file
  morphology::CellPlace place = {};                ///< where it is brought

  bool operator==(const CellSource&) const = default;
};

/// Sources with the ids 1, 2, ... Throws Error(BadParameter) unless there is one scale, or one for each file.
std::vector<CellSource> sourcesOf(const std::vector<std::string>& files, const FileParameters& parameters);
/// The other way round: one scale where all are alike.
FileParameters fileParametersOf(const std::vector<double>& scales);

/// What reading a source gave: a morphology with its branches and figures, or the error that says why not.
struct CellReading
{
  std::uint64_t id = 0; ///< of the source
  std::string path;     ///< of it
  std::string modified; ///< modificationTime of its file as that was read; empty: not known
  std::shared_ptr<const morphology::Morphology> morphology;
  std::shared_ptr<const morphology::Morphology>
      unplaced; ///< µm, where its file has it; `morphology` if that is its place
  std::shared_ptr<const morphology::BranchTree> branches;
  morphology::MorphologyMetrics metrics;
  std::vector<morphology::TypeMeasures> types;
  std::optional<Error> error;
};

struct CellRequest
{
  std::vector<CellSource> cells;
  CellParameters parameters;
  bool strict = false;     ///< refuses files that would be repaired with a warning
  bool solveAgain = false; ///< solve even if nothing changed since the last solve
  /// Plans branches whatever solves, for who looks at them.
  bool plansBranches = false;
};

/// A cell of a batch. Cell i is shape i of the batch, until the shapes are through.
struct StudiedCell
{
  std::string name;
  std::uint64_t source = 0;                                    ///< CellSource::id; 0 of random trees
  std::shared_ptr<const cable::Discretization> discretization; ///< null of random trees
  morphology::MorphologyMetrics metrics;
};

/// How far a request has come: what there is so far, the rest is null or empty.
struct CellResult
{
  CellRequest request;  ///< that it is of
  bool isWhole = false; ///< the study came to its end
  std::vector<StudiedCell> cells;
  std::shared_ptr<const hines::HinesBatch> batch;
  std::shared_ptr<const hines::SolvePlan> plan;
  hines::BranchMap branchOfCompartment; ///< of `plan`
  std::shared_ptr<const hines::Solution> solution;
  hines::Accuracy accuracy;
  std::optional<io::RunRecord> record; ///< only of a study that came to its end; stages are those that ran
  /// Of the run that made `solution`: an earlier one where nothing was to be solved again, whose result may have been
  /// taken by nobody.
  std::optional<io::RunRecord> solved;
  double floorFraction = -1; ///< time that the memory traffic alone takes over the solve's; < 0: unknown
};

/// What a study tells while it runs; called on the thread of `run`. Each may be empty, and may throw to end it.
struct CellObserver
{
  std::function<void(const std::vector<CellReading>&)> cellsRead; ///< every source of the request, in its order
  std::function<void(const CellResult&)> advanced;                ///< there is more to draw, no figures of a solve yet
  /// Reading was cancelled; with the sources that were read by then.
  std::function<void(const std::vector<CellReading>&)> readingEnded = {};
};

/// A batch with what it was made of.
struct SourcedBatch
{
  std::string source;                             ///< in words: "a.swc, b.swc, 3 random trees"
  std::shared_ptr<const hines::HinesBatch> batch; ///< null where there is nothing to solve
  StageTimings timings;                           ///< of the stages that ran
};

/// Reads, discretizes, assembles, plans, solves and checks. The result of every stage is kept, and a stage runs again
/// only where its input or its parameters changed: a file that has another scale or place is not read again. What was
/// read of cells that are not asked for any more is kept too, the newest, up to an eighth of the memory that is
/// available. Not thread-safe: one thread uses it at a time.
class CellStudy
{
public:
  /// Throws the Error of the stage that failed; everything up to there was given to `observer` and is kept. A file that
  /// cannot be read is no failure: it is reported by `cellsRead`, and the study goes on with the others.
  CellResult run(const CellRequest& request, const RunControl& control, const CellObserver& observer = {});
  /// The part before anything is planned. Throws as `run`.
  SourcedBatch makeBatch(const CellRequest& request, const RunControl& control, const CellObserver& observer = {});

private:
  struct Cell
  {
    std::shared_ptr<const morphology::Morphology> asRead; ///< in the unit of the file; null where that is unreadable
    CellReading reading;
    std::shared_ptr<const cable::Discretization> discretization;
    morphology::CellPlace place = {};
  };

  void assemble(const CellRequest& request, const RunControl& control, const CellObserver& observer,
                StageTimings& timings);
  void forgetBatch();
  std::vector<CellReading> readingsOf(const CellRequest& request) const;
  static Cell readCell(const CellSource& source, bool strict, const RunControl& control);
  void setAside(const CellRequest& request);
  void read(const CellRequest& request, const RunControl& control, StageTimings& timings);
  void discretize(const CellRequest& request, const RunControl& control, StageTimings& timings);
  void makeRandomTrees(const BatchParameters& parameters, const RunControl& control);
  void makePlan(const CellRequest& request, const RunControl& control);
  void solve(const CellRequest& request, const RunControl& control, StageTimings& timings);
  void predictOnGpu(const hines::Solution& outcome, const RunControl& control);

  std::vector<std::shared_ptr<const cable::HinesSystem>> systemsOf(const CellRequest& request) const;
  std::string sourceOf(const CellRequest& request) const;
  CellResult resultSoFar(const CellRequest& request) const;
  io::RunRecord recordOf(const CellRequest& request, StageTimings timings, const RunControl& control) const;
  double floorFraction() const;

  std::map<std::uint64_t, Cell> cells;
  std::list<std::pair<std::uint64_t, Cell>> aside; ///< not asked for any more, the newest first
  bool readStrictly = false;

  std::optional<BatchParameters> randomTreesOf;
  std::vector<std::shared_ptr<const cable::HinesSystem>> randomTrees;

  std::vector<std::shared_ptr<const cable::HinesSystem>> batchSystems;
  BatchParameters batchOf; ///< that `batch` was made by
  std::shared_ptr<const hines::HinesBatch> batch;

  std::shared_ptr<const hines::SolvePlan> plan;
  hines::BranchMap branchOfCompartment; ///< of `plan`
  double planTime = 0;                  ///< ms of `plan` where it was made since the last solve

  std::shared_ptr<const hines::HinesBatch> solvedBatch;
  hines::SolveParameters solvedAs; ///< as asked for: the solution has what `auto` chose in its place
  std::shared_ptr<const hines::Solution> solution;
  hines::Accuracy accuracy;
  std::optional<io::RunRecord> solved; ///< as CellResult::solved
  std::string plannedFor;              ///< as RunRecord::plannedFor
  double predicted = 0;                ///< as RunRecord::predicted
  double copyBandwidth = 0;            ///< of the CUDA device, bytes per second; 0: not measured yet
};

/// A list for one line: "a.swc, b.swc, c.swc and 3 more".
std::string describeSources(const std::vector<std::string>& names);

} // namespace hinesight::study
