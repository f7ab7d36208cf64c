#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"

#include <cuda_runtime.h>

#include <utility>

namespace hinesight::cuda {

/// Priorities of streams and launches on the device that this thread uses; a smaller number goes first.
struct PriorityRange
{
  int least = 0;
  int greatest = 0;
};

inline PriorityRange priorityRange()
{
  PriorityRange range;
  check(cudaDeviceGetStreamPriorityRange(&range.least, &range.greatest), "read the priorities of launches");
  return range;
}

/// A stream. It does not wait for the default one, nor that for it, unless `flags` are cudaStreamDefault.
class Stream
{
public:
  explicit Stream(int priority = 0, unsigned flags = cudaStreamNonBlocking)
  {
    check(cudaStreamCreateWithPriority(&stream, flags, priority), "create a stream");
  }
  Stream(Stream&& other) noexcept : stream(std::exchange(other.stream, nullptr)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream()
  {
    if (stream)
      cudaStreamDestroy(stream);
  }
  cudaStream_t get() const { return stream; }

private:
  cudaStream_t stream = nullptr;
};

/// A point in a stream's work; without the time at which it was reached, unless `flags` are cudaEventDefault.
class Event
{
public:
  explicit Event(unsigned flags = cudaEventDisableTiming)
  {
    check(cudaEventCreateWithFlags(&event, flags), "create an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event); }
  cudaEvent_t get() const { return event; }

  void record(cudaStream_t stream = nullptr) { check(cudaEventRecord(event, stream), "record an event"); }
  /// What `stream` gets from now on starts after the event.
  void holdBack(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event), "order the launches"); }
  /// The host waits; `step` names the work before the event.
  void wait(const char* step) const { check(cudaEventSynchronize(event), step); }

private:
  cudaEvent_t event = nullptr;
};

/// A pair of events around work on a stream, by default the default stream.
class Timer
{
public:
  void start(cudaStream_t stream = nullptr) { first.record(stream); }
  /// Waits for the work since `start` and returns its time in ms.
  double stop()
  {
    end();
    return finish("run a kernel");
  }
  /// The same without waiting: `isDone` says whether the work has ended, `elapsed` then what it took, ms.
  void end(cudaStream_t stream = nullptr) { last.record(stream); }
  bool isDone() const
  {
    const cudaError_t status = cudaEventQuery(last.get());
    if (status == cudaErrorNotReady) {
      cudaGetLastError(); // no error, but remembered as one
      return false;
    }
    check(status, "run a kernel");
    return true;
  }
  double elapsed() const
  {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first.get(), last.get()), "read an event");
    return milliseconds;
  }
  /// Waits for what `end` closed, which `step` names, and returns its time in ms.
  double finish(const char* step) const
  {
    last.wait(step);
    return elapsed();
  }

private:
  Event first{cudaEventDefault};
  Event last{cudaEventDefault};
};

} // namespace hinesight::cuda
