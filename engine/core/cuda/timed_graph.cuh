#pragma once

// For .cu files only.

#include "core/cuda/stream.cuh"

#include <cuda_runtime.h>

namespace hinesight::cuda {

/// Launches recorded once and timed by events, so that the host's launch times stay out. Belongs to the device that is
/// current when it is made, and must be used while that one is.
class TimedGraph
{
public:
  TimedGraph() = default;
  TimedGraph(const TimedGraph&) = delete;
  TimedGraph& operator=(const TimedGraph&) = delete;
  ~TimedGraph()
  {
    if (executable)
      cudaGraphExecDestroy(executable);
  }

  /// Records what `launch`, called with the stream, puts on it and on streams that it forks from it.
  template <typename Launch>
  void record(Launch launch)
  {
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "record the launches");
    cudaGraph_t graph = nullptr;
    try {
      launch(stream.get());
    } catch (...) {
      cudaStreamEndCapture(stream.get(), &graph); // may fail too; what was thrown says why
      if (graph)
        cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    check(cudaStreamEndCapture(stream.get(), &graph), "record the launches");
    const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "record the launches");
  }

  /// Starts the recorded launches; everything else on the device must have ended.
  void start()
  {
    timer.start(stream.get());
    check(cudaGraphLaunch(executable, stream.get()), "launch the solver");
    timer.end(stream.get());
  }
  /// Waits for what was started and returns its time in ms.
  double finish() { return timer.finish("run the solver"); }

private:
  Stream stream;
  Timer timer;
  cudaGraphExec_t executable = nullptr;
};

} // namespace hinesight::cuda
