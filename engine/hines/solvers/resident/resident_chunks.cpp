#include "hines/solvers/resident/resident_chunks.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kLanes = 32;

/// A lane's piece by what it takes: values [begin, end) of a unit whose cells follow one another.
struct TakenPiece
{
  std::size_t lane = 0; ///< of the rank
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::int32_t cell = 0;

  std::int32_t length() const { return end - begin; }
};

/// The pieces of a rank as they lie in the batch; none where one does not lie in one.
std::optional<std::vector<TakenPiece>> takenPieces(const ResidentSchedule& schedule, const ResidentRank& rank,
                                                   std::span<const std::int32_t> cellBegin)
{
  std::vector<TakenPiece> taken;
  for (std::int32_t p = 0; p < rank.groupCount * kLanes; ++p) {
    const ResidentPiece& piece = schedule.pieces[static_cast<std::size_t>(rank.groupBegin * kLanes + p)];
    if (piece.length == 0)
      continue;
    const std::int32_t row = schedule.rowBegin[static_cast<std::size_t>(rank.groupBegin + p / kLanes)];
    const auto slotOf = [&](std::int32_t k) {
      return static_cast<std::size_t>(rank.slotBegin + schedule.rowSlot[static_cast<std::size_t>(row + k)] +
                                      p % kLanes);
    };
    const std::int32_t far = schedule.slotCompartment[slotOf(0)];
    for (std::int32_t k = 1; k < piece.length; ++k)
      if (schedule.slotCompartment[slotOf(k)] != far - k)
        return std::nullopt;
    const std::int32_t cell = schedule.slotCell[slotOf(0)];
    const std::int32_t end = cellBegin[static_cast<std::size_t>(cell)] + far + 1;
    taken.push_back({static_cast<std::size_t>(p), end - piece.length, end, cell});
  }
  std::ranges::sort(taken, {}, &TakenPiece::begin);
  return taken;
}

/// Puts pieces into runs, and these into chunks, as they lie in the batch.
class Chunker
{
public:
  Chunker(std::span<const std::int32_t> beginOfCells, bool cellsAreJoined, std::int32_t alignedTo, std::int32_t most,
          std::size_t lanes)
      : cellBegin(beginOfCells), joined(cellsAreJoined), alignment(alignedTo), capacity(most)
  {
    chunks.places.resize(lanes);
  }

  void take(const TakenPiece& piece)
  {
    const bool goesOn = !chunks.runs.empty() && piece.begin == end && (joined || piece.cell == lastCell);
    if (goesOn && chunks.runs.back().at + room(chunks.runs.back().count + piece.length()) <= capacity)
      chunks.runs.back().count += piece.length();
    else
      begin(piece);
    const ResidentRun& run = chunks.runs.back();
    chunks.places[piece.lane] = {static_cast<std::int32_t>(chunks.runs.size()) - 1, run.at + run.count - 1};
    end = piece.end;
    lastCell = piece.cell;
  }

  ResidentChunks chunks;

private:
  /// Of so many values, wherever they begin.
  std::int32_t room(std::int32_t count) const { return (count + 2 * alignment - 2) / alignment * alignment; }

  void begin(const TakenPiece& piece)
  {
    ResidentRun run;
    run.cell = piece.cell;
    run.compartment = piece.begin - cellBegin[static_cast<std::size_t>(piece.cell)];
    run.count = piece.length();
    if (!chunks.runs.empty()) {
      const ResidentRun& before = chunks.runs.back();
      run.chunk = before.chunk;
      run.at = before.at + room(before.count);
    }
    if (run.at + room(run.count) > capacity) {
      ++run.chunk;
      run.at = 0;
    }
    chunks.count = run.chunk + 1;
    chunks.runs.push_back(run);
  }

  std::span<const std::int32_t> cellBegin;
  bool joined;
  std::int32_t alignment;
  std::int32_t capacity;
  std::int32_t end = -1; ///< of what was taken last
  std::int32_t lastCell = -1;
};

} // namespace

std::int32_t residentRunAlignment(Precision precision)
{
  return static_cast<std::int32_t>(16 / bytesOf(precision));
}

bool followOneAnother(const ResidentPlan& plan, std::size_t schedule)
{
  const std::size_t cells = plan.schedules[schedule].cellShape.size();
  return std::ranges::all_of(plan.units, [&](const ResidentUnit& unit) {
    if (unit.schedule != schedule)
      return true;
    const std::uint32_t* first = plan.cellOrder.data() + unit.cellBegin;
    for (std::size_t k = 1; k < cells; ++k)
      if (first[k] != first[k - 1] + 1)
        return false;
    return true;
  });
}

std::vector<std::int32_t> residentCellBegins(const HinesBatch& batch, const ResidentSchedule& schedule)
{
  std::vector<std::int32_t> begins{0};
  for (const std::uint32_t shape : schedule.cellShape)
    begins.push_back(begins.back() + static_cast<std::int32_t>(batch.shapes[shape]->size()));
  return begins;
}

std::optional<ResidentChunks> residentChunks(const ResidentSchedule& schedule, std::size_t rank, Precision precision,
                                             std::span<const std::int32_t> cellBegin, bool joined,
                                             std::int32_t capacity)
{
  const ResidentRank& r = schedule.ranks[rank];
  const auto pieces = takenPieces(schedule, r, cellBegin);
  const std::int32_t alignment = residentRunAlignment(precision);
  if (!pieces || capacity < kMostResidentRows + 2 * alignment)
    return std::nullopt;
  Chunker chunker(cellBegin, joined, alignment, capacity, static_cast<std::size_t>(r.groupCount * kLanes));
  for (const TakenPiece& piece : *pieces)
    chunker.take(piece);
  if (chunker.chunks.runs.size() > kMostResidentRuns)
    return std::nullopt;
  return std::move(chunker.chunks);
}

} // namespace hinesight::hines
