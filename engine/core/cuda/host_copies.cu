#include "core/cuda/host_copies.cuh"

#include "core/cuda/stream.cuh"
#include "core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace hinesight::cuda {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

/// Pinned memory for one piece, and when it has come.
class Stage
{
public:
  explicit Stage(std::size_t bytes)
  {
    const cudaError_t failure = cudaMallocHost(&pinned, bytes);
    if (failure == cudaErrorMemoryAllocation) {
      cudaGetLastError(); // clears it, as check does
      throw Error(ErrorCode::OutOfMemory, "There is too little main memory that can be pinned to download results from "
                                          "the GPU; close other programs, or choose fewer cells or neurons.");
    }
    check(failure, "allocate pinned memory");
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage()
  {
    cudaEventSynchronize(arrived.get()); // nothing is written to the memory any more
    cudaFreeHost(pinned);
  }

  void fetch(const std::byte* from, std::size_t bytes)
  {
    check(cudaMemcpyAsync(pinned, from, bytes, cudaMemcpyDeviceToHost), "download results");
    arrived.record();
  }

  /// Waits for what was fetched.
  void empty(std::byte* to, std::size_t bytes) const
  {
    constexpr std::size_t kGrain = std::size_t{256} << 10;
    arrived.wait("download results");
    parallelFor(bytes, kGrain, [&](std::size_t begin, std::size_t end) {
      std::memcpy(to + begin, static_cast<const std::byte*>(pinned) + begin, end - begin);
    });
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

/// While one stage is emptied, the next piece comes to the other.
void copyInTurn(const std::vector<Piece>& pieces, std::size_t largest, const RunControl& control)
{
  std::array<Stage, 2> stages{Stage(largest), Stage(largest)};
  stages[0].fetch(pieces[0].from, pieces[0].bytes);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    control.checkpoint();
    if (i + 1 < pieces.size())
      stages[(i + 1) % 2].fetch(pieces[i + 1].from, pieces[i + 1].bytes);
    stages[i % 2].empty(pieces[i].to, pieces[i].bytes);
  }
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
  std::size_t largest = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    for (std::size_t at = 0; at < copies[i].bytes; at += kPieceBytes) {
      const std::size_t bytes = std::min(kPieceBytes, copies[i].bytes - at);
      pieces.push_back(
          {static_cast<const std::byte*>(copies[i].from) + at, static_cast<std::byte*>(room[i]) + at, bytes});
      largest = std::max(largest, bytes);
    }
  }
  if (!pieces.empty())
    copyInTurn(pieces, largest, control);
  copies.clear();
}

} // namespace hinesight::cuda
