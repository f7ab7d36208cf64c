#include "hines/solvers/tridiagonal/tridiagonal_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/shared_copies.cuh"
#include "core/cuda/timed_graph.cuh"
#include "core/device.hpp"
#include "hines/batch_vector.cuh"
#include "hines/device_upload.cuh"
#include "hines/solvers/tridiagonal/tridiagonal_step.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

// A warp solves 32 / lanes chains. Their rows come to shared memory, from where every lane takes its piece into
// registers; the solution goes back the same way. Each number crosses the memory bus once, and no warp waits for
// another.

namespace hinesight::hines {

namespace {

constexpr unsigned kFullWarp = 0xffffffff;
constexpr int kMostWarps = 4; ///< of a block

/// By value to the kernel.
struct ChainLayout
{
  std::size_t systems;
  std::int32_t rows;
  std::int32_t lanes;        ///< of a system, a power of two
  std::uint32_t vectorBytes; ///< of shared memory for one vector of one warp, a multiple of 16
};

/// The numbers that a warp reads: those of its systems, widened to whole 16 bytes at both ends.
template <typename Real>
struct WarpRange
{
  static constexpr std::size_t kAligned = 16 / sizeof(Real);

  __device__ WarpRange(const ChainLayout& layout, std::size_t warp)
  {
    const std::size_t perWarp = 32 / layout.lanes;
    begin = warp * perWarp * layout.rows;
    systems = static_cast<int>(min(perWarp, layout.systems - warp * perWarp));
    count = static_cast<std::uint32_t>(systems * layout.rows);
    alignedBegin = begin / kAligned * kAligned;
    lead = static_cast<std::uint32_t>(begin - alignedBegin);
    bytes = static_cast<std::uint32_t>((lead + count + kAligned - 1) / kAligned * 16);
  }
  /// Whether nothing of other warps lies in the bytes.
  __device__ bool isExact() const { return lead == 0 && bytes == count * sizeof(Real); }

  std::size_t begin, alignedBegin;
  std::uint32_t lead, count, bytes;
  int systems;
};

template <typename Real>
__device__ JunctionRow<Real> fromLaneBefore(const JunctionRow<Real>& row, int distance, int lanes)
{
  // Behind is not needed.
  return {__shfl_up_sync(kFullWarp, row.excess, distance, lanes), __shfl_up_sync(kFullWarp, row.b, distance, lanes),
          __shfl_up_sync(kFullWarp, row.before, distance, lanes), 0};
}

template <typename Real>
__device__ JunctionRow<Real> fromLaneBehind(const JunctionRow<Real>& row, int distance, int lanes)
{
  return {__shfl_down_sync(kFullWarp, row.excess, distance, lanes), __shfl_down_sync(kFullWarp, row.b, distance, lanes),
          0, __shfl_down_sync(kFullWarp, row.behind, distance, lanes)};
}

/// One lane's piece of `count` rows, at most kRows, from elimination to solution; all lanes of the warp together. The
/// solution is left in place of b.
template <typename Real, int kRows>
__device__ void solvePiece(const Real* excess, const Real* u, Real* b, int count, int place, int lanes)
{
  JunctionRow<Real> junction;
  Real coupling = 0;
  if (count > 0) {
    junction.excess = excess[0];
    junction.b = b[0];
    coupling = u[0];
  }
  ChainSweep<Real> sweep;
  const Real couplingBehind = __shfl_down_sync(kFullWarp, coupling, 1, lanes);
  sweep.fill = place + 1 < lanes ? couplingBehind : Real{0};
  EliminatedRow<Real> eliminated[kRows];
#pragma unroll
  for (int row = kRows - 1; row > 0; --row) {
    const bool mine = row < count;
    eliminated[row] = eliminateInChain<TridiagonalRounding>(sweep, mine ? excess[row] : Real{1},
                                                            mine ? u[row] : Real{0}, mine ? b[row] : Real{0});
  }
  const Real endExcess = __shfl_up_sync(kFullWarp, sweep.endExcess, 1, lanes);
  const Real endB = __shfl_up_sync(kFullWarp, sweep.endB, 1, lanes);
  const Real before = __shfl_up_sync(kFullWarp, sweep.fill, 1, lanes);
  junction.excess -= sweep.excess;
  junction.b -= sweep.b;
  junction.behind = sweep.fill;
  if (place > 0) {
    junction.excess -= endExcess;
    junction.b -= endB;
    junction.before = before;
  }
  for (int distance = 1; distance < lanes; distance *= 2) {
    const JunctionRow<Real> mine = scaled(junction);
    junction = reduced(junction, fromLaneBefore(mine, distance, lanes), fromLaneBehind(mine, distance, lanes));
  }
  Real value = scaled(junction).b;
  const Real valueBehind = __shfl_down_sync(kFullWarp, value, 1, lanes);
  const Real end = place + 1 < lanes ? valueBehind : Real{0};
  if (count > 0)
    b[0] = value;
#pragma unroll
  for (int row = 1; row < kRows; ++row) {
    value = substituteInChain(eliminated[row], value, end);
    if (row < count)
      b[row] = value;
  }
}

template <cuda::Movement kMovement, typename Real, int kRows>
__device__ __forceinline__ void solveChains(const ChainLayout& layout, const Real* excess, const Real* u, const Real* b,
                                            Real* x)
{
  using Incoming = cuda::Incoming<kMovement, cuda::WarpThreads>;
  extern __shared__ __align__(16) unsigned char sharedBytes[];
  __shared__ std::uint64_t barriers[kMostWarps];
  const unsigned warpOfBlock = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const std::size_t warp = static_cast<std::size_t>(blockIdx.x) * (blockDim.x / 32) + warpOfBlock;
  if (warp * (32 / layout.lanes) >= layout.systems)
    return;
  const WarpRange<Real> range(layout, warp);
  unsigned char* const mine = sharedBytes + warpOfBlock * 3 * layout.vectorBytes;
  auto* const sharedExcess = reinterpret_cast<Real*>(mine);
  auto* const sharedU = reinterpret_cast<Real*>(mine + layout.vectorBytes);
  auto* const sharedB = reinterpret_cast<Real*>(mine + 2 * layout.vectorBytes);
  const Incoming rowsCome(&barriers[warpOfBlock]);
  if (Incoming::copies()) {
    rowsCome.setUp();
    Incoming::publish();
    rowsCome.expect(3 * range.bytes);
    rowsCome.fetch(sharedExcess, excess + range.alignedBegin, range.bytes);
    rowsCome.fetch(sharedU, u + range.alignedBegin, range.bytes);
    rowsCome.fetch(sharedB, b + range.alignedBegin, range.bytes);
  }
  __syncwarp();
  rowsCome.wait();

  const int system = lane / layout.lanes;
  const int place = lane % layout.lanes;
  const int firstRow = place * kRows;
  const int count = system < range.systems ? max(0, min(kRows, layout.rows - firstRow)) : 0;
  const std::uint32_t at = range.lead + system * layout.rows + firstRow;
  solvePiece<Real, kRows>(sharedExcess + at, sharedU + at, sharedB + at, count, place, layout.lanes);

  if constexpr (kMovement == cuda::Movement::Bulk)
    if (range.isExact()) {
      cuda::fenceBulkCopies();
      __syncwarp();
      if (lane == 0)
        cuda::storeBulk(x + range.begin, sharedB, range.bytes);
      return;
    }
  __syncwarp();
  for (std::uint32_t i = lane; i < range.count; i += 32)
    x[range.begin + i] = sharedB[range.lead + i];
}

template <cuda::Movement kMovement, typename Real, int kRows>
__global__ void __launch_bounds__(32 * kMostWarps)
    chainKernel(ChainLayout layout, const Real* excess, const Real* u, const Real* b, Real* x)
{
  if constexpr (cuda::kCanMove<kMovement>)
    solveChains<kMovement, Real, kRows>(layout, excess, u, b, x);
}

template <typename Real>
using ChainKernel = void (*)(ChainLayout, const Real*, const Real*, const Real*, Real*);

template <cuda::Movement kMovement, typename Real>
ChainKernel<Real> kernelOf(std::int32_t rowsPerLane)
{
  switch (rowsPerLane) {
  case 1:
    return chainKernel<kMovement, Real, 1>;
  case 3:
    return chainKernel<kMovement, Real, 3>;
  case 5:
    return chainKernel<kMovement, Real, 5>;
  case 9:
    return chainKernel<kMovement, Real, 9>;
  case 17:
    return chainKernel<kMovement, Real, 17>;
  default:
    return chainKernel<kMovement, Real, kMostRowsPerLane>;
  }
}

template <typename Real>
class TridiagonalCudaSolver final : public PreparedSolver
{
public:
  TridiagonalCudaSolver(std::shared_ptr<const TridiagonalPlan> tridiagonalPlan, const DeviceModel& plannedFor)
      : plan(std::move(tridiagonalPlan)), device(plannedFor), excess(plan->batch->excess), u(plan->batch->u),
        b(plan->batch->b), x(plan->batch->compartments())
  {
    recordSolve();
  }

  void setRightHandSide(std::span<const double> rightHandSide) override { b.set(rightHandSide); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    solveGraph.start();
    return {0, solveGraph.finish()};
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    const Stopwatch watch;
    x.get(solution);
    timings.add("download", watch.elapsed());
  }

private:
  /// Few warps are spread over the multiprocessors, many share blocks, as far as shared memory allows.
  int warpsPerBlock(std::size_t warps, std::size_t bytesOfWarp) const
  {
    const auto multiprocessors = static_cast<std::size_t>(device.multiprocessors);
    const std::size_t most = std::clamp<std::size_t>(device.sharedBytesPerBlock / bytesOfWarp, 1, kMostWarps);
    return static_cast<int>(std::clamp<std::size_t>(warps / multiprocessors, 1, most));
  }

  void recordSolve()
  {
    const auto inWarp = static_cast<std::size_t>(plan->systemsPerWarp()) * static_cast<std::size_t>(plan->rows);
    // What is widened to whole 16 bytes may begin and end inside them.
    const std::size_t vectorBytes = (inWarp * sizeof(Real) + 30) / 16 * 16;
    const ChainLayout layout{plan->batch->cells(), plan->rows, plan->lanes, static_cast<std::uint32_t>(vectorBytes)};
    const int warps = warpsPerBlock(plan->warps(), 3 * vectorBytes);
    const std::size_t blocks = (plan->warps() + warps - 1) / warps;
    if (blocks > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw Error(ErrorCode::BadParameter, "The batch has more chains than one launch can solve; choose fewer.");
    const std::size_t shared = 3 * vectorBytes * warps;
    const ChainKernel<Real> kernel = cuda::movementFor(device) == cuda::Movement::Bulk
                                         ? kernelOf<cuda::Movement::Bulk, Real>(plan->rowsPerLane)
                                         : kernelOf<cuda::Movement::Threads, Real>(plan->rowsPerLane);
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
                "set a kernel's shared memory");
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
        "set a kernel's shared memory");
    solveGraph.record([&](cudaStream_t stream) {
      kernel<<<static_cast<unsigned>(blocks), 32 * warps, shared, stream>>>(layout, excess.data(), u.data(), b.data(),
                                                                            x.data());
      cuda::check(cudaGetLastError(), "launch the tridiagonal solver");
    });
  }

  std::shared_ptr<const TridiagonalPlan> plan;
  DeviceModel device; ///< that is planned for
  detail::BatchVector<Real> excess, u, b, x;
  cuda::TimedGraph solveGraph;
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareTridiagonalCuda(std::shared_ptr<const TridiagonalPlan> plan,
                                                               const SolveParameters& parameters, StageTimings& timings,
                                                               const RunControl& control)
{
  return timedUpload(timings, control, [&] {
    return makeInPrecision<PreparedSolver, TridiagonalCudaSolver>(parameters.precision, std::move(plan),
                                                                  planningDevice(parameters.gpu));
  });
}

} // namespace hinesight::hines
