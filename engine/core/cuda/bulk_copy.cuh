#pragma once

// For .cu files only: the bulk copy engine of Hopper and later (PTX ISA, cp.async.bulk), which moves contiguous bytes
// between global and shared memory without registers. Addresses and sizes are multiples of 16.

#include <cstdint>

namespace hinesight::cuda {

__device__ inline std::uint32_t sharedAddress(const void* p)
{
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// Tells the bulk copy engine's view of shared memory what this thread wrote there, and the other way round.
__device__ inline void fenceBulkCopies()
{
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// One thread sets up a barrier that counts the bytes that come: it initializes it, publishes it, with others perhaps,
// and says how many bytes to expect; this again before each further use.

/// `threads`: that say how many bytes to expect, each of its own.
__device__ inline void initializeBarrier(std::uint64_t* barrier, std::uint32_t threads = 1)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(threads));
}

__device__ inline void publishBarriers()
{
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void expectBytes(std::uint64_t* barrier, std::uint32_t bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes)
               : "memory");
}

/// One of the threads that a barrier counts is done with what came; it expects nothing.
__device__ inline void arriveAt(std::uint64_t* barrier)
{
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}

/// All of it for one barrier.
__device__ inline void expectBulkBytes(std::uint64_t* barrier, std::uint32_t bytes)
{
  initializeBarrier(barrier);
  publishBarriers();
  expectBytes(barrier, bytes);
}

/// By the same thread: begins to copy; the barrier counts what has come.
__device__ inline void fetchBulk(void* shared, const void* global, std::uint32_t bytes, std::uint64_t* barrier)
{
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(shared)),
               "l"(global), "r"(bytes), "r"(sharedAddress(barrier))
               : "memory");
}

/// Brings what will be fetched later from the device's memory into its L2 cache.
__device__ inline void prefetchBulk(const void* global, std::uint32_t bytes)
{
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(global), "r"(bytes) : "memory");
}

/// By every thread that reads what comes, after the barrier was set up; `parity` is that of how often it was used
/// before.
__device__ inline void waitForBulkBytes(std::uint64_t* barrier, std::uint32_t parity = 0)
{
  std::uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier)), "r"(parity)
                 : "memory");
}

/// By one thread: begins to write; the shared memory may be used again after waitForBulkStores.
__device__ inline void startBulkStore(void* global, const void* shared, std::uint32_t bytes)
{
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global), "r"(sharedAddress(shared)),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Until what this thread began to write has been read.
__device__ inline void waitForBulkStores()
{
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/// Both.
__device__ inline void storeBulk(void* global, const void* shared, std::uint32_t bytes)
{
  startBulkStore(global, shared, bytes);
  waitForBulkStores();
}

} // namespace hinesight::cuda
