#include "hines/solvers/coarse/coarse_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/timed_graph.cuh"
#include "core/device.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// One thread a system (martinez 2018, sections 3.1 to 3.3). Multiplication and subtraction are not contracted in this
// project (cmake/warnings.cmake) and division is IEEE's, so that the result is the serial sweep's to the last bit.

namespace hinesight::hines {

namespace {

using cuda::Buffer;

constexpr int kTile = 32;     ///< rows and lanes that are transposed at once
constexpr int kTileWarps = 8; ///< by as many warps

/// A share of the plan, by value to the kernels.
struct Tables
{
  const CoarseLane* lanes;
  const CoarseWarp* warps;
  const std::int32_t* parent;
  const std::size_t* offset; ///< of each lane's first compartment in the order of the batch
  CoarseStrides strides;
  std::uint32_t laneCount;
  std::uint32_t warpLanes;
  bool padded;
};

template <typename Real>
__device__ LaneSystem<Real> systemOf(const Tables& t, std::uint32_t lane, Real* values)
{
  return detail::laneSystem(t.lanes[lane], t.warps[lane / t.warpLanes], t.strides, t.padded, values, t.parent);
}

template <typename Real>
__global__ void sweepKernel(Tables t, Real* values)
{
  const std::uint32_t lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane < t.laneCount)
    sweepLane(systemOf(t, lane, values));
}

/// BlockShared: each thread keeps its right-hand side in a column of shared memory, which no other thread touches.
template <typename Real>
__global__ void sweepSharedKernel(Tables t, Real* values)
{
  extern __shared__ unsigned char sharedBytes[];
  const std::uint32_t lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= t.laneCount)
    return;
  LaneSystem<Real> system = systemOf(t, lane, values);
  Real* const b = system.b;
  system.b = reinterpret_cast<Real*>(sharedBytes) + threadIdx.x;
  system.strideOfB = blockDim.x;
  for (std::int32_t row = 0; row < system.computedRows; ++row)
    system.b[row * system.strideOfB] = b[row * system.stride];
  sweepLane(system);
  for (std::int32_t row = 0; row < system.rows; ++row)
    b[row * system.stride] = system.b[row * system.strideOfB];
}

/// Brings a vector of the batch, or of its share, into the layout. Tiles of 32 lanes and rows go through shared memory,
/// so that both sides are read and written row by row. blockIdx.x: 32 lanes, blockIdx.y: part of their rows.
template <typename Real>
__global__ void fillKernel(Tables t, const double* from, int vector, double padding, Real* values)
{
  __shared__ Real tile[kTile][kTile + 1];
  const std::uint32_t firstLane = blockIdx.x * kTile;
  const std::int32_t mostRows = t.warps[firstLane / t.warpLanes].startRow; // the first is the largest
  for (std::int32_t firstRow = blockIdx.y * kTile; firstRow < mostRows; firstRow += gridDim.y * kTile) {
    for (int k = threadIdx.y; k < kTile && firstLane + k < t.laneCount; k += kTileWarps) {
      const std::int32_t row = firstRow + threadIdx.x;
      const std::uint32_t lane = firstLane + k;
      tile[k][threadIdx.x] = static_cast<Real>(row < t.lanes[lane].rows ? from[t.offset[lane] + row] : padding);
    }
    __syncthreads();
    const std::uint32_t lane = firstLane + threadIdx.x;
    if (lane < t.laneCount) {
      const LaneSystem<Real> system = systemOf(t, lane, values);
      Real* const to = system.excess + vector * t.strides.vector;
      for (int k = threadIdx.y; k < kTile && firstRow + k < system.computedRows; k += kTileWarps)
        to[(firstRow + k) * system.stride] = tile[threadIdx.x][k];
    }
    __syncthreads();
  }
}

/// The solution back into the order of the batch; as fillKernel.
template <typename Real>
__global__ void readKernel(Tables t, Real* values, double* x)
{
  __shared__ Real tile[kTile][kTile + 1];
  const std::uint32_t firstLane = blockIdx.x * kTile;
  const std::int32_t mostRows = t.lanes[firstLane].rows;
  for (std::int32_t firstRow = blockIdx.y * kTile; firstRow < mostRows; firstRow += gridDim.y * kTile) {
    const std::uint32_t column = firstLane + threadIdx.x;
    if (column < t.laneCount) {
      const LaneSystem<Real> system = systemOf(t, column, values);
      for (int k = threadIdx.y; k < kTile && firstRow + k < system.rows; k += kTileWarps)
        tile[threadIdx.x][k] = system.b[(firstRow + k) * system.strideOfB];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < kTile && firstLane + k < t.laneCount; k += kTileWarps) {
      const std::int32_t row = firstRow + threadIdx.x;
      const std::uint32_t lane = firstLane + k;
      if (row < t.lanes[lane].rows)
        x[t.offset[lane] + row] = tile[k][threadIdx.x];
    }
    __syncthreads();
  }
}

/// Where the first compartment of each lane's cell is in the batch.
std::vector<std::size_t> offsetsOf(const CoarsePlan& plan)
{
  std::vector<std::size_t> offsets;
  for (const CoarseLane& lane : plan.table.lanes)
    offsets.push_back(plan.batch->offset[lane.cell]);
  return offsets;
}

template <typename Real>
class CoarseCudaSolver final : public PreparedSolver
{
public:
  explicit CoarseCudaSolver(std::shared_ptr<const CoarsePlan> plan)
      : lanes(plan->table.lanes), warps(plan->table.warps), parent(plan->table.parent), offset(offsetsOf(*plan)),
        excess(plan->batch->excess), u(plan->batch->u), b(plan->batch->b), x(plan->batch->compartments()),
        values(plan->table.values)
  {
    const CoarseTable& table = plan->table;
    tables = {lanes.data(),
              warps.data(),
              parent.data(),
              offset.data(),
              table.strides,
              static_cast<std::uint32_t>(table.lanes.size()),
              static_cast<std::uint32_t>(plan->warpLanes),
              plan->computesPadding()};
    const auto tiles = std::clamp((table.mostRows + kTile - 1) / kTile, 1, 65535);
    permuteGrid = dim3((tables.laneCount + kTile - 1) / kTile, static_cast<unsigned>(tiles));
    recordSweep(*plan);
    cuda::check(cudaDeviceSynchronize(), "upload the batch");
  }

  void setRightHandSide(std::span<const double> rightHandSide) override { b.upload(rightHandSide.data()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    const dim3 block(kTile, kTileWarps);
    timer.start();
    fillKernel<<<permuteGrid, block>>>(tables, excess.data(), 0, 1.0, values.data());
    fillKernel<<<permuteGrid, block>>>(tables, u.data(), 1, 0.0, values.data());
    fillKernel<<<permuteGrid, block>>>(tables, b.data(), 2, 0.0, values.data());
    cuda::check(cudaGetLastError(), "launch the permutation");
    SolveTimes took;
    took.permute = timer.stop();
    sweep.start();
    took.solve = sweep.finish();
    return took;
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    timer.start();
    readKernel<<<permuteGrid, dim3(kTile, kTileWarps)>>>(tables, values.data(), x.data());
    cuda::check(cudaGetLastError(), "launch the permutation");
    timings.add("permute", timer.stop());
    const Stopwatch watch;
    x.download(solution.data());
    timings.add("download", watch.elapsed());
  }

private:
  void recordSweep(const CoarsePlan& plan)
  {
    const auto threads = static_cast<unsigned>(plan.parameters.blockSize);
    const unsigned grid = (tables.laneCount + threads - 1) / threads;
    const std::size_t shared = plan.sharedBytes(sizeof(Real));
    if (shared > 0)
      cuda::check(cudaFuncSetAttribute(sweepSharedKernel<Real>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shared)),
                  "set a kernel's shared memory");
    sweep.record([&](cudaStream_t stream) {
      if (shared > 0)
        sweepSharedKernel<<<grid, threads, shared, stream>>>(tables, values.data());
      else
        sweepKernel<<<grid, threads, 0, stream>>>(tables, values.data());
      cuda::check(cudaGetLastError(), "launch the coarse solver");
    });
  }

  Buffer<CoarseLane> lanes;
  Buffer<CoarseWarp> warps;
  Buffer<std::int32_t> parent;
  Buffer<std::size_t> offset;
  Buffer<double> excess, u, b, x; ///< in the order of the batch
  Buffer<Real> values;
  Tables tables{};
  dim3 permuteGrid;
  cuda::Timer timer;
  cuda::TimedGraph sweep;
};

void requireSharedMemory(const CoarsePlan& plan, std::size_t bytes)
{
  const std::size_t needed = plan.sharedBytes(bytes);
  const std::size_t most = planningDevice().sharedBytesPerBlock;
  if (needed > most)
    throw Error(ErrorCode::BadParameter, "A block of " + std::to_string(plan.parameters.blockSize) +
                                             " cells, the largest of " + std::to_string(plan.table.mostRows) +
                                             " compartments, needs " + formatBytes(needed) +
                                             " of shared memory for its right-hand sides, but the GPU has " +
                                             formatBytes(most) + "; choose smaller blocks or another layout.");
}

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareCoarseCuda(std::shared_ptr<const CoarsePlan> plan,
                                                          const SolveParameters& parameters, StageTimings& timings,
                                                          const RunControl& control)
{
  requireSharedMemory(*plan, bytesOf(parameters.precision));
  control.report("upload", 0);
  timings.device = cuda::currentDeviceName();
  const Stopwatch stopwatch;
  std::unique_ptr<PreparedSolver> prepared;
  if (parameters.precision == Precision::Single)
    prepared = std::make_unique<CoarseCudaSolver<float>>(std::move(plan));
  else
    prepared = std::make_unique<CoarseCudaSolver<double>>(std::move(plan));
  timings.add("upload", stopwatch.elapsed());
  return prepared;
}

} // namespace hinesight::hines
