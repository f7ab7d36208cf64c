#include "core/cuda/host_copies.cuh"

#include "core/cuda/stream.cuh"
#include "core/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>

namespace hinesight::cuda {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20; ///< that come to pinned memory at a time
constexpr std::size_t kStages = 2;                        ///< pieces that a thread has pinned memory for
/// Threads that take pieces out of pinned memory: as many as keep up with the link to the GPU where pages are new.
constexpr int kMostThreads = 24;

/// A part of a copy that ends where a large page of main memory does: no two threads make the same one.
struct Part
{
  const std::byte* from;
  std::byte* to;
  std::size_t bytes;
  std::size_t end;                              ///< of the part in its copy, bytes
  double place;                                 ///< its beginning in its copy, 0 to 1
  const std::function<void(std::size_t)>* hold; ///< as Copy::hold

  /// Makes its memory ready to be written to.
  void prepare() const
  {
    makePages(to, bytes, 1);
    if (*hold)
      (*hold)(end);
  }
};

std::size_t bytesToLargePage(const std::byte* at)
{
  return kLargePageBytes - reinterpret_cast<std::uintptr_t>(at) % kLargePageBytes;
}

/// Parts that threads take, one after the other.
class PartQueue
{
public:
  explicit PartQueue(const std::vector<Part>& all) : parts(all) {}

  /// Null: there is none left.
  const Part* take()
  {
    const std::size_t part = next.fetch_add(1, std::memory_order_relaxed);
    return part < parts.size() ? &parts[part] : nullptr;
  }
  bool isEmpty() const { return next.load(std::memory_order_relaxed) >= parts.size(); }
  void clear() { next.store(parts.size(), std::memory_order_relaxed); }

private:
  const std::vector<Part>& parts;
  std::atomic<std::size_t> next = 0;
};

struct Piece
{
  const Part* part;
  std::size_t begin, bytes; ///< in its part

  bool isFirst() const { return begin == 0; }
};

/// The pieces of the parts that a thread takes.
class Pieces
{
public:
  explicit Pieces(PartQueue& queue) : parts(queue) {}

  /// False: there is none left.
  bool take(Piece& piece)
  {
    if (!part || next == part->bytes) {
      part = parts.take();
      next = 0;
    }
    if (!part)
      return false;
    piece = {part, next, std::min(kPieceBytes, part->bytes - next)};
    next += piece.bytes;
    return true;
  }

private:
  PartQueue& parts;
  const Part* part = nullptr;
  std::size_t next = 0;
};

/// What one thread copies through: while a piece is taken out of pinned memory, the next one comes there.
class Lane
{
public:
  Lane()
  {
    const cudaError_t failure = cudaMallocHost(reinterpret_cast<void**>(&pinned), kStages * kPieceBytes);
    if (failure == cudaErrorMemoryAllocation) {
      cudaGetLastError(); // clears it, as check does
      throw Error(ErrorCode::OutOfMemory, "There is too little main memory that can be pinned to download results from "
                                          "the GPU; close other programs, or choose fewer cells or neurons.");
    }
    check(failure, "allocate pinned memory");
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane()
  {
    cudaStreamSynchronize(stream.get()); // nothing is written to the pinned memory any more
    cudaFreeHost(pinned);
  }

  void copy(Pieces& pieces, const RunControl& control)
  {
    std::array<Piece, kStages> coming{};
    std::size_t fetched = 0;
    for (std::size_t taken = 0;; ++taken) {
      for (; fetched < taken + kStages && pieces.take(coming[fetched % kStages]); ++fetched)
        fetch(coming[fetched % kStages], fetched % kStages);
      if (taken == fetched)
        return;
      control.checkpoint();
      takeOut(coming[taken % kStages], taken % kStages);
    }
  }

private:
  std::byte* memoryOf(std::size_t stage) const { return pinned + stage * kPieceBytes; }

  void fetch(const Piece& piece, std::size_t stage)
  {
    check(cudaMemcpyAsync(memoryOf(stage), piece.part->from + piece.begin, piece.bytes, cudaMemcpyDeviceToHost,
                          stream.get()),
          "download results");
    arrived[stage].record(stream.get());
  }

  void takeOut(const Piece& piece, std::size_t stage) const
  {
    const Part& part = *piece.part;
    if (piece.isFirst())
      part.prepare();
    arrived[stage].wait("download results");
    std::memcpy(part.to + piece.begin, memoryOf(stage), piece.bytes);
  }

  Stream stream;
  std::array<Event, kStages> arrived;
  std::byte* pinned = nullptr;
};

/// Lanes that nobody uses: to pin memory takes longer than to copy it. They stay as long as the program runs.
class LanePool
{
public:
  static LanePool& instance()
  {
    static LanePool& pool = *new LanePool; // the driver may be gone before what is destroyed last
    return pool;
  }

  /// Of the device that the calling thread uses.
  std::unique_ptr<Lane> take(int device)
  {
    {
      const std::lock_guard lock(mutex);
      std::vector<std::unique_ptr<Lane>>& lanes = idle[device];
      if (!lanes.empty()) {
        std::unique_ptr<Lane> lane = std::move(lanes.back());
        lanes.pop_back();
        return lane;
      }
    }
    return std::make_unique<Lane>();
  }

  void giveBack(int device, std::unique_ptr<Lane> lane)
  {
    const std::lock_guard lock(mutex);
    idle[device].push_back(std::move(lane));
  }

private:
  std::mutex mutex;
  std::map<int, std::vector<std::unique_ptr<Lane>>> idle;
};

/// One thread's share: parts as long as there are some.
void copyFrom(PartQueue& queue, int device, const RunControl& control)
{
  if (queue.isEmpty())
    return;
  try {
    check(cudaSetDevice(device), "use the GPU");
    std::unique_ptr<Lane> lane = LanePool::instance().take(device);
    Pieces pieces(queue);
    lane->copy(pieces, control);
    LanePool::instance().giveBack(device, std::move(lane));
  } catch (...) {
    queue.clear(); // nobody begins another part
    throw;
  }
}

void copyParts(const std::vector<Part>& parts, const RunControl& control)
{
  int device = 0;
  check(cudaGetDevice(&device), "find the GPU");
  check(cudaStreamSynchronize(nullptr), "download results");
  PartQueue queue(parts);
  const auto threads = std::min(parts.size(), static_cast<std::size_t>(std::min(kMostThreads, hardwareThreads())));
  parallelFor(
      threads, 1, [&](std::size_t, std::size_t) { copyFrom(queue, device, control); }, static_cast<int>(threads));
}

} // namespace

void HostCopies::run(const RunControl& control)
{
  const std::vector<Copy> all = std::exchange(copies, {});
  std::vector<Part> parts;
  for (const Copy& copy : all) {
    const auto* const from = static_cast<const std::byte*>(copy.from);
    auto* const to = static_cast<std::byte*>(copy.makeRoom());
    for (std::size_t at = 0, end = 0; at < copy.bytes; at = end) {
      end = at + std::min(copy.bytes - at, bytesToLargePage(to + at));
      parts.push_back(
          {from + at, to + at, end - at, end, static_cast<double>(at) / static_cast<double>(copy.bytes), &copy.hold});
    }
  }
  // All arrays at once: who holds values of one does not keep those of another waiting.
  std::ranges::stable_sort(parts, {}, &Part::place);
  if (!parts.empty())
    copyParts(parts, control);
}

} // namespace hinesight::cuda
