#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A batch that does not fit into the memory of its device goes through it in slabs of cells, one after another.

namespace hinesight::hines {

/// Cells [begin, end) of a batch.
struct CellRange
{
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t cells() const { return end - begin; }
  bool operator==(const CellRange&) const = default;
};

/// The cells from `begin` on in the fewest ranges of at most `most` compartments each, the largest as small as that
/// number of ranges allows. A cell of more compartments is a range of its own.
std::vector<CellRange> cutIntoSlabs(const HinesBatch& batch, std::size_t begin, std::size_t most);

/// The cells of the range as a batch of their own, which shares their shapes. Throws Error(OutOfMemory).
std::shared_ptr<const HinesBatch> partOf(const HinesBatch& batch, CellRange range);

/// A cell that could not be prepared alone, for lack of memory.
struct CellWithoutRoom
{
  std::size_t cell = 0; ///< of the batch
  std::size_t compartments = 0;
  std::string_view solver;
  std::size_t free = 0; ///< bytes of the device, or of main memory
  bool isOnDevice = false;
};

/// A sentence with the size that does fit; where the cell is no larger, with `lack`: the sentence of the solver.
std::string whyNoRoom(const CellWithoutRoom& refused, const std::string& lack);

/// As prepare, in slabs of at most `most` compartments, or fewer where those do not fit either: what fits is found by
/// trying. The first slab is planned and uploaded now. Each of the others follows when it is solved, and its solution
/// is downloaded then: PreparedSolver::read adds these stages (plan, upload, permute, download) of the last solve.
/// Schedules and values of slabs are kept in main memory for the next solve. Of the solvers that
/// run on CUDA, a cell's solution has the same bytes as in the whole batch, but where the resident solver has to give
/// units of other cells another form, and but for further right-hand sides (readAll), which are drawn by slab. `whole`:
/// of the whole batch. Throws as prepare; Error(OutOfMemory) also where a single cell does not fit, as whyNoRoom says.
std::unique_ptr<PreparedSolver> prepareInSlabs(const Schedule& whole, const SolveParameters& parameters,
                                               std::size_t most, StageTimings& timings, const RunControl& control = {});

} // namespace hinesight::hines
