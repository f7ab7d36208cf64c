#include "hines/solvers/cusparse/gtsv_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/cusparse.cuh"
#include "core/cuda/timed_graph.cuh"
#include "core/device.hpp"
#include "hines/chains.hpp"
#include "hines/device_upload.cuh"
#include "hines/solvers/cusparse/gtsv_parameters.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

// cuSPARSE's batched tridiagonal solvers as peers of ours. They take the textbook's diagonal, not the excess.

namespace hinesight::hines {

namespace {

using cuda::Buffer;
using cuda::TridiagonalBatch;

/// Where row i of system k lies: at i * rowStride + k * systemStride.
struct GtsvLayout
{
  std::size_t rows, systems, rowStride, systemStride;
};

/// From the order of the batch into the layout, lower and upper couplings apart.
template <typename Real>
__global__ void fillKernel(GtsvLayout layout, const double* d, const double* u, const double* b,
                           TridiagonalBatch<Real> to)
{
  const std::size_t count = layout.rows * layout.systems;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const std::size_t row = i % layout.rows;
    const std::size_t at = row * layout.rowStride + i / layout.rows * layout.systemStride;
    to.lower[at] = static_cast<Real>(row > 0 ? u[i] : 0.0);
    to.diagonal[at] = static_cast<Real>(d[i]);
    to.upper[at] = static_cast<Real>(row + 1 < layout.rows ? u[i + 1] : 0.0);
    to.x[at] = static_cast<Real>(b[i]);
  }
}

template <typename Real>
__global__ void readKernel(GtsvLayout layout, const Real* from, double* x)
{
  const std::size_t count = layout.rows * layout.systems;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    x[i] = from[i % layout.rows * layout.rowStride + i / layout.rows * layout.systemStride];
}

template <typename Real>
class PreparedGtsv final : public PreparedSolver
{
public:
  PreparedGtsv(const HinesBatch& batch, const SolveParameters& parameters)
      : isInterleaved(parameters.solver == kGtsvInterleaved), algorithm(parameters.of<GtsvParameters>().algorithm),
        d(batch.d), u(batch.u), b(batch.b), x(batch.compartments()), lower(x.size()), diagonal(x.size()),
        upper(x.size()), solution(x.size())
  {
    layout.rows = static_cast<std::size_t>(chainLength(batch, solverName(parameters.solver)));
    layout.systems = batch.cells();
    layout.rowStride = isInterleaved ? layout.systems : 1;
    layout.systemStride = isInterleaved ? 1 : layout.rows;
    routine.rows = static_cast<int>(layout.rows);
    routine.systems = static_cast<int>(layout.systems);
    routine.lower = lower.data();
    routine.diagonal = diagonal.data();
    routine.upper = upper.data();
    routine.x = solution.data();
    scratch = Buffer<unsigned char>(isInterleaved ? cusparse.interleavedBufferBytes(routine, algorithm)
                                                  : cusparse.stridedBufferBytes(routine));
    graph.record([this](cudaStream_t stream) {
      cusparse.setStream(stream);
      if (isInterleaved)
        cusparse.solveInterleaved(routine, algorithm, scratch.data());
      else
        cusparse.solveStrided(routine, scratch.data());
    });
  }

  void setRightHandSide(std::span<const double> rightHandSide) override { b.upload(rightHandSide.data()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    SolveTimes took;
    timer.start();
    fillKernel<<<kBlocks, kThreads>>>(layout, d.data(), u.data(), b.data(), routine);
    cuda::check(cudaGetLastError(), "launch the permutation");
    took.permute = timer.stop();
    graph.start();
    took.solve = graph.finish();
    return took;
  }

  void read(std::span<double> to, StageTimings& timings) override
  {
    timer.start();
    readKernel<<<kBlocks, kThreads>>>(layout, solution.data(), x.data());
    cuda::check(cudaGetLastError(), "launch the permutation");
    timings.add("permute", timer.stop());
    timer.start();
    x.download(to.data());
    timings.add("download", timer.stop());
  }

private:
  static constexpr unsigned kBlocks = 4096;
  static constexpr unsigned kThreads = 256;

  bool isInterleaved;
  int algorithm;
  cuda::Cusparse cusparse;
  GtsvLayout layout{};
  Buffer<double> d, u, b, x; ///< in the order of the batch
  Buffer<Real> lower, diagonal, upper, solution;
  Buffer<unsigned char> scratch;
  TridiagonalBatch<Real> routine;
  cuda::Timer timer;
  cuda::TimedGraph graph;
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareGtsvCuda(const HinesBatch& batch, const SolveParameters& parameters,
                                                        StageTimings& timings, const RunControl& control)
{
  return timedUpload(timings, control, [&] {
    return makeInPrecision<PreparedSolver, PreparedGtsv>(parameters.precision, batch, parameters);
  });
}

} // namespace hinesight::hines
