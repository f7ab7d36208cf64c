#include "hines/solvers/fine/fine_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/stream.cuh"
#include "core/device.hpp"
#include "hines/device_upload.cuh"
#include "hines/elimination.hpp"
#include "hines/permutation.cuh"

#include <algorithm>
#include <limits>
#include <vector>

// The fine-grained solver of huber 2018, sections 3 to 5: one block of threads executes one planned block, one thread a
// branch, levels separated by block-wide barriers. A level with more branches than threads is run in passes. What the
// branches that hang on one compartment add to it is gathered in a fixed order, so the result does not depend on
// timing.

namespace hinesight::hines {

namespace {

using cuda::Buffer;

/// One BlockSchedule in the concatenated device arrays.
struct DeviceSchedule
{
  std::int32_t levelBegin;
  std::int32_t levelCount;
  std::size_t branchBegin; ///< into the branch arrays; childBegin has one entry more a schedule
  std::size_t childBegin;  ///< into the childBegin array
};

struct DeviceBlock
{
  std::uint32_t schedule;
  std::size_t slotBegin;
  std::size_t branchBegin; ///< into the contributions
};

/// Every schedule of the plan, by value to the kernels.
struct Tables
{
  const DeviceSchedule* schedules;
  const DeviceBlock* blocks;
  const PlannedLevel* levels;
  const std::int32_t* branchLength;
  const std::int32_t* parentSlot;
  const std::int32_t* childBegin;
  const std::int32_t* child;
};

/// Both sweeps in one launch. The excess and b are overwritten; on return b holds the solution.
__global__ void solveKernel(Tables t, double* excessAll, const double* uAll, double* bAll, Contribution* contributions)
{
  const DeviceBlock block = t.blocks[blockIdx.x];
  const DeviceSchedule schedule = t.schedules[block.schedule];
  const PlannedLevel* levels = t.levels + schedule.levelBegin;
  const std::int32_t* branchLength = t.branchLength + schedule.branchBegin;
  const std::int32_t* parentSlot = t.parentSlot + schedule.branchBegin;
  const std::int32_t* childBegin = t.childBegin + schedule.childBegin;
  const std::int32_t* child = t.child + schedule.branchBegin;
  double* excess = excessAll + block.slotBegin;
  const double* u = uAll + block.slotBegin;
  double* b = bAll + block.slotBegin;
  Contribution* contribution = contributions + block.branchBegin;

  for (std::int32_t l = schedule.levelCount - 1; l >= 0; --l) {
    const PlannedLevel level = levels[l];
    for (std::int32_t lane = threadIdx.x; lane < level.branchCount; lane += blockDim.x) {
      const std::int32_t branch = level.branchBegin + lane;
      const std::int32_t length = branchLength[branch];
      Contribution carried{0, 0};
      std::int32_t slot = level.slotOffset + (length - 1) * level.stride + lane;
      double rowExcess = excess[slot];
      double rightHandSide = b[slot];
      for (std::int32_t c = childBegin[branch]; c < childBegin[branch + 1]; ++c) {
        rowExcess -= contribution[child[c]].excess;
        rightHandSide -= contribution[child[c]].b;
      }
      for (std::int32_t k = length - 1; k > 0; --k) {
        excess[slot] = rowExcess;
        b[slot] = rightHandSide;
        carried = eliminate(rowExcess, u[slot], rightHandSide);
        slot -= level.stride;
        rowExcess = excess[slot] - carried.excess;
        rightHandSide = b[slot] - carried.b;
      }
      excess[slot] = rowExcess;
      b[slot] = rightHandSide;
      contribution[branch] = eliminate(rowExcess, u[slot], rightHandSide);
    }
    // Every thread meets its own branches of the root level again on the way down.
    if (l > 0)
      __syncthreads();
  }

  for (std::int32_t l = 0; l < schedule.levelCount; ++l) {
    const PlannedLevel level = levels[l];
    for (std::int32_t lane = threadIdx.x; lane < level.branchCount; lane += blockDim.x) {
      const std::int32_t branch = level.branchBegin + lane;
      const std::int32_t length = branchLength[branch];
      const std::int32_t parent = parentSlot[branch];
      std::int32_t slot = level.slotOffset + lane;
      double value = parent >= 0 ? substitute(excess[slot], u[slot], b[slot], b[parent]) : b[slot] / excess[slot];
      b[slot] = value;
      for (std::int32_t k = 1; k < length; ++k) {
        slot += level.stride;
        value = substitute(excess[slot], u[slot], b[slot], value);
        b[slot] = value;
      }
    }
    if (l + 1 < schedule.levelCount)
      __syncthreads();
  }
}

/// The plan's tables in device memory.
class DevicePlan
{
public:
  explicit DevicePlan(const SolvePlan& plan)
  {
    std::vector<DeviceSchedule> scheduleHeads;
    std::vector<PlannedLevel> allLevels;
    std::vector<std::int32_t> length, parent, begin, children;
    for (const BlockSchedule& schedule : plan.schedules) {
      scheduleHeads.push_back({static_cast<std::int32_t>(allLevels.size()),
                               static_cast<std::int32_t>(schedule.levels.size()), length.size(), begin.size()});
      allLevels.insert(allLevels.end(), schedule.levels.begin(), schedule.levels.end());
      length.insert(length.end(), schedule.branchLength.begin(), schedule.branchLength.end());
      parent.insert(parent.end(), schedule.parentSlot.begin(), schedule.parentSlot.end());
      begin.insert(begin.end(), schedule.childBegin.begin(), schedule.childBegin.end());
      children.insert(children.end(), schedule.child.begin(), schedule.child.end());
      // Roots have no entry in `child`: pad, so that it advances with the branches.
      children.resize(length.size(), -1);
    }
    std::vector<DeviceBlock> blockHeads;
    blockHeads.reserve(plan.blocks.size());
    for (const PlannedBlock& block : plan.blocks) {
      blockHeads.push_back({block.schedule, block.slotBegin, branchTotal});
      branchTotal += static_cast<std::size_t>(plan.schedules[block.schedule].branches());
    }
    schedules = Buffer<DeviceSchedule>(scheduleHeads);
    blocks = Buffer<DeviceBlock>(blockHeads);
    levels = Buffer<PlannedLevel>(allLevels);
    branchLength = Buffer<std::int32_t>(length);
    parentSlot = Buffer<std::int32_t>(parent);
    childBegin = Buffer<std::int32_t>(begin);
    child = Buffer<std::int32_t>(children);
  }

  Tables tables() const
  {
    return {schedules.data(),  blocks.data(),     levels.data(), branchLength.data(),
            parentSlot.data(), childBegin.data(), child.data()};
  }
  std::size_t branches() const { return branchTotal; }

private:
  Buffer<DeviceSchedule> schedules;
  Buffer<DeviceBlock> blocks;
  Buffer<PlannedLevel> levels;
  Buffer<std::int32_t> branchLength, parentSlot, childBegin, child;
  std::size_t branchTotal = 0;
};

detail::Permutation makePermutation(const SolvePlan& plan)
{
  std::vector<std::int32_t> cell, diagonal, coupling;
  std::vector<std::size_t> tableBegin;
  for (const BlockSchedule& schedule : plan.schedules) {
    tableBegin.push_back(cell.size());
    cell.insert(cell.end(), schedule.slotCell.begin(), schedule.slotCell.end());
    diagonal.insert(diagonal.end(), schedule.slotDiagonal.begin(), schedule.slotDiagonal.end());
    coupling.insert(coupling.end(), schedule.slotCoupling.begin(), schedule.slotCoupling.end());
  }
  std::vector<detail::PermutedBlock> blocks;
  blocks.reserve(plan.blocks.size());
  for (const PlannedBlock& block : plan.blocks)
    blocks.push_back({tableBegin[block.schedule], block.slotBegin, block.cellBegin,
                      static_cast<std::uint32_t>(plan.schedules[block.schedule].slotCount())});
  std::vector<std::size_t> offsets;
  offsets.reserve(plan.cellOrder.size());
  for (const std::uint32_t c : plan.cellOrder)
    offsets.push_back(plan.batch->offset[c]);
  return {blocks, cell, diagonal, coupling, offsets};
}

class FineCudaSolver final : public PreparedSolver
{
public:
  explicit FineCudaSolver(const SolvePlan& plan)
      : grid(gridOf(plan)), threads(static_cast<unsigned>(plan.parameters.blockSize)), devicePlan(plan),
        permutation(makePermutation(plan)), excess(plan.batch->excess), u(plan.batch->u), b(plan.batch->b),
        x(plan.batch->compartments()), plannedExcess(plan.slotCount), plannedU(plan.slotCount),
        plannedB(plan.slotCount), contributions(devicePlan.branches())
  {}

  void setRightHandSide(std::span<const double> rightHandSide) override { b.upload(rightHandSide.data()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    SolveTimes took;
    timer.start();
    permutation.toLayout(excess.data(), u.data(), b.data(), plannedExcess.data(), plannedU.data(), plannedB.data());
    took.permute = timer.stop();
    timer.start();
    solveKernel<<<grid, threads>>>(devicePlan.tables(), plannedExcess.data(), plannedU.data(), plannedB.data(),
                                   contributions.data());
    cuda::check(cudaGetLastError(), "launch the solver");
    took.solve = timer.stop();
    return took;
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    timer.start();
    permutation.toBatch(plannedB.data(), x.data());
    timings.add("permute", timer.stop());
    timer.start();
    x.download(solution.data());
    timings.add("download", timer.stop());
  }

private:
  static unsigned gridOf(const SolvePlan& plan)
  {
    if (plan.blocks.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw Error(ErrorCode::BadParameter, "The plan has more blocks than one launch can have; choose larger blocks.");
    return static_cast<unsigned>(plan.blocks.size());
  }

  unsigned grid;
  unsigned threads;
  DevicePlan devicePlan;
  detail::Permutation permutation;
  Buffer<double> excess, u, b, x; ///< in the order of the batch
  Buffer<double> plannedExcess, plannedU, plannedB;
  Buffer<Contribution> contributions;
  cuda::Timer timer;
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareFineCuda(std::shared_ptr<const SolvePlan> plan, StageTimings& timings,
                                                        const RunControl& control)
{
  return timedUpload(timings, control, [&] { return std::make_unique<FineCudaSolver>(*plan); });
}

} // namespace hinesight::hines
