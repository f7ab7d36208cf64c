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

/// Makes a device the current one for as long as it lives.
class CurrentDevice
{
public:
  explicit CurrentDevice(int device)
  {
    cuda::check(cudaGetDevice(&before), "tell which device is used");
    cuda::check(cudaSetDevice(device), "use a device");
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { cudaSetDevice(before); }

private:
  int before = 0;
};

/// One share on the device that is current when it is made. `gather` gives a vector of the batch in the order of
/// `offsets`, which has a lane's first compartment there.
template <typename Real>
class DeviceShare
{
public:
  template <typename Gather>
  DeviceShare(const CoarsePlan& plan, const CoarseShare& share, const std::vector<std::size_t>& offsets, Gather gather)
      : lanes(share.lanes), warps(share.warps), parent(share.parent), offset(offsets),
        excess(gather(plan.batch->excess)), u(gather(plan.batch->u)), b(gather(plan.batch->b)), x(excess.size()),
        values(share.values)
  {
    tables = {lanes.data(),
              warps.data(),
              parent.data(),
              offset.data(),
              share.strides,
              static_cast<std::uint32_t>(share.lanes.size()),
              static_cast<std::uint32_t>(plan.warpLanes),
              plan.computesPadding()};
    const auto tiles = std::clamp((share.mostRows + kTile - 1) / kTile, 1, 65535);
    permuteGrid = dim3((tables.laneCount + kTile - 1) / kTile, static_cast<unsigned>(tiles));
    recordSweep(plan);
  }

  void setRightHandSide(const std::vector<double>& rightHandSide) { b.upload(rightHandSide.data()); }

  double fill()
  {
    const dim3 block(kTile, kTileWarps);
    timer.start();
    fillKernel<<<permuteGrid, block>>>(tables, excess.data(), 0, 1.0, values.data());
    fillKernel<<<permuteGrid, block>>>(tables, u.data(), 1, 0.0, values.data());
    fillKernel<<<permuteGrid, block>>>(tables, b.data(), 2, 0.0, values.data());
    cuda::check(cudaGetLastError(), "launch the permutation");
    return timer.stop();
  }

  void start() { sweep.start(); }
  double finish() { return sweep.finish(); }

  double bringBack()
  {
    timer.start();
    readKernel<<<permuteGrid, dim3(kTile, kTileWarps)>>>(tables, values.data(), x.data());
    cuda::check(cudaGetLastError(), "launch the permutation");
    return timer.stop();
  }
  void download(double* to) const { x.download(to); }

  std::size_t size() const { return x.size(); }

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

template <typename Real>
class CoarseCudaSolver final : public PreparedSolver
{
public:
  explicit CoarseCudaSolver(std::shared_ptr<const CoarsePlan> coarsePlan) : plan(std::move(coarsePlan))
  {
    for (std::size_t k = 0; k < plan->shares.size(); ++k) {
      const CurrentDevice current(static_cast<int>(k));
      shares.push_back(std::make_unique<DeviceShare<Real>>(
          *plan, plan->shares[k], offsetsOf(k),
          [&](const std::vector<double>& values) { return Buffer<double>(isWhole() ? values : gathered(k, values)); }));
      cuda::check(cudaDeviceSynchronize(), "upload the batch");
    }
  }

  void setRightHandSide(std::span<const double> b) override
  {
    const std::vector<double> values(b.begin(), b.end());
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const CurrentDevice current(static_cast<int>(k));
      shares[k]->setRightHandSide(isWhole() ? values : gathered(k, values));
    }
  }

  /// The time from the first device's start to the last one's end.
  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    SolveTimes took;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const CurrentDevice current(static_cast<int>(k));
      took.permute += shares[k]->fill();
    }
    const Stopwatch sinceFirst;
    std::vector<double> startedAfter;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const CurrentDevice current(static_cast<int>(k));
      startedAfter.push_back(k == 0 ? 0 : sinceFirst.elapsed());
      shares[k]->start();
    }
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const CurrentDevice current(static_cast<int>(k));
      took.solve = std::max(took.solve, startedAfter[k] + shares[k]->finish());
    }
    return took;
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const CurrentDevice current(static_cast<int>(k));
      timings.add("permute", shares[k]->bringBack());
      const Stopwatch watch;
      if (isWhole())
        shares[k]->download(solution.data());
      else
        scatter(k, solution);
      timings.add("download", watch.elapsed());
    }
  }

private:
  /// One device takes the batch as it is; several get their own cells, in the order of their lanes.
  bool isWhole() const { return plan->shares.size() == 1; }

  std::vector<std::size_t> offsetsOf(std::size_t k) const
  {
    std::vector<std::size_t> offsets;
    std::size_t next = 0;
    for (const CoarseLane& lane : plan->shares[k].lanes) {
      offsets.push_back(isWhole() ? plan->batch->offset[lane.cell] : next);
      next += static_cast<std::size_t>(lane.rows);
    }
    return offsets;
  }

  std::vector<double> gathered(std::size_t k, const std::vector<double>& values) const
  {
    std::vector<double> mine;
    mine.reserve(plan->shares[k].compartments);
    for (const CoarseLane& lane : plan->shares[k].lanes) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(plan->batch->offset[lane.cell]);
      mine.insert(mine.end(), from, from + lane.rows);
    }
    return mine;
  }

  void scatter(std::size_t k, std::span<double> solution) const
  {
    std::vector<double> mine(shares[k]->size());
    shares[k]->download(mine.data());
    auto from = mine.begin();
    for (const CoarseLane& lane : plan->shares[k].lanes) {
      std::copy_n(from, lane.rows, solution.begin() + static_cast<std::ptrdiff_t>(plan->batch->offset[lane.cell]));
      from += lane.rows;
    }
  }

  std::shared_ptr<const CoarsePlan> plan;
  std::vector<std::unique_ptr<DeviceShare<Real>>> shares;
};

void requireSharedMemory(const CoarsePlan& plan, std::size_t bytes)
{
  const std::size_t needed = plan.sharedBytes(bytes);
  const std::size_t most = planningDevice().sharedBytesPerBlock;
  if (needed > most)
    throw Error(ErrorCode::BadParameter, "A block of " + std::to_string(plan.parameters.blockSize) +
                                             " cells, the largest of " + std::to_string(plan.shares.front().mostRows) +
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
  if (plan->shares.size() > 1)
    timings.device = std::to_string(plan->shares.size()) + " x " + timings.device;
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
