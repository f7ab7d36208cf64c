#pragma once

// For .cu files only: copies from global to shared memory that nobody waits for at once, by the bulk copy engine or by
// threads.

#include "core/cuda/bulk_copy.cuh"
#include "core/device_model.hpp"

#include <cstdint>

namespace hinesight::cuda {

/// How bytes come to shared memory, and messages from block to block. What is computed does not depend on it.
enum class Movement
{
  Bulk,    ///< the bulk copy engine, barriers that count bytes, clusters: from compute capability 9.0 on
  Threads, ///< threads: asynchronous copies from 8.0 on, else loads and stores; messages through global memory
};

/// Of a launch that is planned for such a GPU: what that GPU, the present device and the code that it runs all can do.
Movement movementFor(const DeviceModel& planned);

/// Whether the code that is compiled at present can have kernels that move so; the host knows of both.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <Movement kMovement>
constexpr bool kCanMove = kMovement == Movement::Threads;
#else
template <Movement kMovement>
constexpr bool kCanMove = true;
#endif

/// The threads that copy and wait together.
struct BlockThreads
{
  static __device__ unsigned rank() { return threadIdx.x; }
  static __device__ unsigned size() { return blockDim.x; }
  static __device__ void sync() { __syncthreads(); }
};
struct WarpThreads
{
  static __device__ unsigned rank() { return threadIdx.x % 32; }
  static __device__ unsigned size() { return 32; }
  static __device__ void sync() { __syncwarp(); }
};

/// Something that comes to shared memory and is waited for. Those threads that say `copies` set it up, announce how
/// many bytes come, and fetch them; every thread of the group waits. Addresses and sizes are multiples of 16.
template <Movement kMovement, typename Group = BlockThreads>
class Incoming;

template <typename Group>
class Incoming<Movement::Bulk, Group>
{
public:
  __device__ explicit Incoming(std::uint64_t* ofGroup) : barrier(ofGroup) {}

  static __device__ bool copies() { return Group::rank() == 0; }
  /// After all are set up.
  static __device__ void publish() { publishBarriers(); }
  __device__ void setUp() const { initializeBarrier(barrier); }
  __device__ void expect(std::uint32_t bytes) const { expectBytes(barrier, bytes); }
  __device__ void fetch(void* shared, const void* global, std::uint32_t bytes) const
  {
    if (bytes > 0)
      fetchBulk(shared, global, bytes, barrier);
  }
  /// `use`: how often it was waited for before.
  __device__ void wait(std::uint32_t use = 0) const { waitForBulkBytes(barrier, use & 1); }

private:
  std::uint64_t* barrier;
};

template <typename Group>
class Incoming<Movement::Threads, Group>
{
public:
  __device__ explicit Incoming(std::uint64_t* /*ofGroup*/) {}

  static __device__ bool copies() { return true; }
  static __device__ void publish() {}
  __device__ void setUp() const {}
  __device__ void expect(std::uint32_t /*bytes*/) const {}
  __device__ void fetch(void* shared, const void* global, std::uint32_t bytes) const
  {
    auto* to = static_cast<uint4*>(shared);
    const auto* from = static_cast<const uint4*>(global);
    for (unsigned k = Group::rank(); k < bytes / sizeof(uint4); k += Group::size())
      copy(to + k, from + k);
  }
  /// For all that the threads have asked for.
  __device__ void wait(std::uint32_t /*use*/ = 0) const
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    Group::sync();
  }

private:
  static __device__ void copy(uint4* shared, const uint4* global)
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(shared)), "l"(global) : "memory");
#else
    *shared = __ldg(global);
#endif
  }
};

/// Brings what will be read later from the device's memory into its L2 cache; by the threads that copy.
template <Movement kMovement>
__device__ void prefetch(const void* global, std::uint32_t bytes)
{
  if constexpr (kMovement == Movement::Bulk)
    prefetchBulk(global, bytes);
  else {
    constexpr unsigned kLine = 128;
    const auto* from = static_cast<const unsigned char*>(global);
    for (unsigned at = kLine * threadIdx.x; at < bytes; at += kLine * blockDim.x)
      asm volatile("prefetch.global.L2 [%0];" ::"l"(from + at));
  }
}

/// Between what threads did to shared memory and the next copy there.
template <Movement kMovement>
__device__ void fenceCopies()
{
  if constexpr (kMovement == Movement::Bulk)
    fenceBulkCopies();
}

} // namespace hinesight::cuda
