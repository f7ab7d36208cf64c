#include "core/cuda/host_copies.cuh"

#include "core/cuda/stream.cuh"
#include "core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>

namespace hinesight::cuda {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{2} << 20;
/// Threads that take pieces out of pinned memory: as many as keep up with the link to the GPU.
constexpr int kMostThreads = 12;

/// Pinned memory for one piece, and when it has come.
class Stage
{
public:
  Stage()
  {
    const cudaError_t failure = cudaMallocHost(&pinned, kPieceBytes);
    if (failure == cudaErrorMemoryAllocation) {
      cudaGetLastError(); // clears it, as check does
      throw Error(ErrorCode::OutOfMemory, "There is too little main memory that can be pinned to download results from "
                                          "the GPU; close other programs, or choose fewer cells or neurons.");
    }
    check(failure, "allocate pinned memory");
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { cudaFreeHost(pinned); }

  void fetch(const std::byte* from, std::size_t bytes, const Stream& stream)
  {
    check(cudaMemcpyAsync(pinned, from, bytes, cudaMemcpyDeviceToHost, stream.get()), "download results");
    arrived.record(stream.get());
  }

  /// Waits for what was fetched.
  void empty(std::byte* to, std::size_t bytes) const
  {
    arrived.wait("download results");
    std::memcpy(to, pinned, bytes);
  }

private:
  Event arrived;
  void* pinned = nullptr;
};

struct Piece
{
  const std::byte* from;
  std::byte* to;
  std::size_t bytes;
};

/// What one thread copies through: while one stage is emptied, the next piece comes to the other.
class Lane
{
public:
  ~Lane() { cudaStreamSynchronize(stream.get()); } // nothing is written to the stages any more

  void copy(const Piece* pieces, std::size_t count, const RunControl& control)
  {
    const auto fetch = [&](std::size_t i) { stages[i % 2].fetch(pieces[i].from, pieces[i].bytes, stream); };
    fetch(0);
    for (std::size_t i = 0; i < count; ++i) {
      control.checkpoint();
      if (i + 1 < count)
        fetch(i + 1);
      stages[i % 2].empty(pieces[i].to, pieces[i].bytes);
    }
  }

private:
  std::array<Stage, 2> stages;
  Stream stream;
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

void copyPieces(const std::vector<Piece>& pieces, const RunControl& control)
{
  int device = 0;
  check(cudaGetDevice(&device), "find the GPU");
  check(cudaStreamSynchronize(nullptr), "download results");
  constexpr std::size_t kGrain = 4;
  parallelFor(
      pieces.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        check(cudaSetDevice(device), "use the GPU");
        std::unique_ptr<Lane> lane = LanePool::instance().take(device);
        lane->copy(pieces.data() + begin, end - begin, control);
        LanePool::instance().giveBack(device, std::move(lane));
      },
      std::min(kMostThreads, hardwareThreads()));
}

} // namespace

void HostCopies::run(const RunControl& control)
{
  std::vector<void*> room(copies.size());
  parallelFor(copies.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      room[i] = copies[i].makeRoom();
  });
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (std::size_t at = 0; at < copies[i].bytes; at += kPieceBytes)
      pieces.push_back({static_cast<const std::byte*>(copies[i].from) + at, static_cast<std::byte*>(room[i]) + at,
                        std::min(kPieceBytes, copies[i].bytes - at)});
  if (!pieces.empty())
    copyPieces(pieces, control);
  copies.clear();
}

} // namespace hinesight::cuda
