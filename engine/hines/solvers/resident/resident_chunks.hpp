#pragma once

#include "hines/precision.hpp"
#include "hines/solvers/resident/resident_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// How a thread block takes its values in the order of the batch: in chunks, each of a few runs of values that follow
// one another there. A chunk comes to shared memory as it is, and every lane takes its pieces out of it. The solution
// goes back the same way.

namespace hinesight::hines {

/// Values that follow one another in the batch.
struct ResidentRun
{
  std::int32_t cell = 0; ///< of the unit, in which it begins
  std::int32_t compartment = 0;
  std::int32_t count = 0;
  std::int32_t chunk = 0; ///< that it comes in; a chunk's runs follow one another
  std::int32_t at = 0;    ///< where it begins in its chunk, if the run begins at an aligned address of the batch
};

/// Where a lane finds its piece: row k is at `at` - k, and so much farther as the run's first value is behind an
/// aligned address.
struct ResidentPlace
{
  std::int32_t run = -1; ///< -1: the lane has no piece
  std::int32_t at = 0;
};

/// What a thread block takes.
struct ResidentChunks
{
  std::vector<ResidentRun> runs;
  std::vector<ResidentPlace> places; ///< of each lane of each of the block's groups
  std::int32_t count = 0;            ///< chunks
};

/// Values that begin at multiples of so many are at aligned addresses: 16 bytes, as the bulk copy engine wants them.
std::int32_t residentRunAlignment(Precision precision);

/// Most runs of a block, and chunks: more are too short to be worth their copies.
inline constexpr std::size_t kMostResidentRuns = 128;

/// Whether the cells of every unit of a schedule follow one another in the batch: then its runs go on from cell to
/// cell.
bool followOneAnother(const ResidentPlan& plan, std::size_t schedule);

/// The chunks of a rank, of at most `capacity` values each. `cellBegin`: where each cell of a unit begins if all follow
/// one another; `joined`: they do. None where the layout does not allow it: a piece whose compartments do not follow
/// one another, more than kMostResidentRuns, or a piece longer than a chunk.
std::optional<ResidentChunks> residentChunks(const ResidentSchedule& schedule, std::size_t rank, Precision precision,
                                             std::span<const std::int32_t> cellBegin, bool joined,
                                             std::int32_t capacity);

/// Where each cell of a schedule's units begins in its unit; one more, for the end.
std::vector<std::int32_t> residentCellBegins(const HinesBatch& batch, const ResidentSchedule& schedule);

} // namespace hinesight::hines
