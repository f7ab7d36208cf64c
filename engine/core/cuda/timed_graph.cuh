#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"

#include <cuda_runtime.h>

namespace hinesight::cuda {

/// Launches recorded once and timed by events, so that the host's launch times stay out. Belongs to the device that is
/// current when it is made, and must be used while that one is.
class TimedGraph
{
public:
  TimedGraph()
  {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
    check(cudaEventCreate(&first), "create an event");
    check(cudaEventCreate(&last), "create an event");
  }
  TimedGraph(const TimedGraph&) = delete;
  TimedGraph& operator=(const TimedGraph&) = delete;
  ~TimedGraph()
  {
    if (executable)
      cudaGraphExecDestroy(executable);
    cudaEventDestroy(last);
    cudaEventDestroy(first);
    cudaStreamDestroy(stream);
  }

  /// Records what `launch`, called with the stream, puts on it.
  template <typename Launch>
  void record(Launch launch)
  {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record the launches");
    try {
      launch(stream);
    } catch (...) {
      endCapture();
      throw;
    }
    cudaGraph_t graph = endCapture();
    const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "record the launches");
  }

  /// Starts the recorded launches; everything else on the device must have ended.
  void start()
  {
    check(cudaEventRecord(first, stream), "record an event");
    check(cudaGraphLaunch(executable, stream), "launch the solver");
    check(cudaEventRecord(last, stream), "record an event");
  }
  /// Waits for what was started and returns its time in ms.
  double finish()
  {
    check(cudaEventSynchronize(last), "run the solver");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first, last), "read an event");
    return milliseconds;
  }

private:
  cudaGraph_t endCapture()
  {
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "record the launches");
    return graph;
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t first = nullptr;
  cudaEvent_t last = nullptr;
  cudaGraphExec_t executable = nullptr;
};

} // namespace hinesight::cuda
