#include "projection/device_rows.cuh"

#include <array>
#include <vector>

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace hinesight::projection::detail {

using cuda::Buffer;
using cuda::check;

namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kWarpsOfBlock = 8;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// The rows of destinations that a warp works on: one a lane was made by, all are read by every lane.
struct WarpRows
{
  RowView row[kWarp];
  std::uint32_t end[kWarp]; ///< candidates up to the end of the row
};

__device__ unsigned laneIndex()
{
  return threadIdx.x % kWarp;
}

__device__ std::uint32_t sumUpTo(std::uint32_t value)
{
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(kAllLanes, value, distance);
    value += laneIndex() >= distance ? before : 0;
  }
  return value;
}

/// Calls body(active, row, slot) with every candidate of a source in turn, 32 at a time: the rows are lined up, so that
/// short ones do not leave lanes idle. All lanes call it, `active` says which have a candidate. `prepare(row)` may
/// shorten a row.
template <typename Prepare, typename Body>
__device__ void forWarpCandidates(const ProblemView& problem, const SourceView& source, WarpRows& shared,
                                  Prepare prepare, Body body)
{
  const unsigned lane = laneIndex();
  const std::uint32_t rows = rowsOf(problem, source);
  for (std::uint32_t first = 0; first < rows; first += kWarp) {
    std::uint32_t length = 0;
    if (first + lane < rows) {
      RowView row = makeRow(problem, source, first + lane);
      prepare(row);
      shared.row[lane] = row;
      length = lengthOf(row.span);
    }
    const std::uint32_t end = sumUpTo(length);
    shared.end[lane] = end;
    const std::uint32_t total = __shfl_sync(kAllLanes, end, kWarp - 1);
    __syncwarp();
    unsigned mine = 0;
    for (std::uint32_t begin = 0; begin < total; begin += kWarp) {
      const std::uint32_t candidate = begin + lane;
      const bool active = candidate < total;
      while (active && shared.end[mine] <= candidate)
        ++mine;
      const RowView& row = shared.row[mine];
      const std::uint32_t inRow = candidate - (mine > 0 ? shared.end[mine - 1] : 0);
      body(active, row, indexIn(row.span, inRow));
    }
    __syncwarp();
  }
}

__device__ std::uint32_t sourceOfWarp(std::uint32_t begin)
{
  return begin + blockIdx.x * kWarpsOfBlock + threadIdx.x / kWarp;
}

template <typename Form>
__device__ Target targetIn(const ProblemView& problem, const SourceView& source, const RowView& row, std::uint32_t slot)
{
  return problem.destination.cellBegin == nullptr ? targetAt<true>(problem, source, row, slot)
                                                  : targetAt<false>(problem, source, row, slot);
}

template <typename Form>
__global__ void __launch_bounds__(kWarp* kWarpsOfBlock)
    countKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem, std::uint64_t* counts)
{
  __shared__ WarpRows shared[kWarpsOfBlock];
  const std::uint32_t index = sourceOfWarp(0);
  if (index >= problem.sources)
    return;
  const SourceView source = makeSource(problem, index);
  unsigned long long rows = 0;
  if (hasIntervals<Form>(problem)) {
    const std::uint32_t lines = rowsOf(problem, source);
    for (std::uint32_t r = laneIndex(); r < lines; r += kWarp) {
      RowView row = makeRow(problem, source, r);
      trimRow(form, problem, source, row);
      rows += lengthOf(row.span);
    }
    for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
      rows += __shfl_xor_sync(kAllLanes, rows, distance);
  } else {
    forWarpCandidates(
        problem, source, shared[threadIdx.x / kWarp], [](RowView&) {},
        [&](bool active, const RowView& row, std::uint32_t slot) {
          bool kept = false;
          if (active) {
            const Target target = targetIn<Form>(problem, source, row, slot);
            const double value = Form::kMonotone && !problem.random ? 0 : form.value(source, target);
            kept = hasRow(form, problem, source, target, value);
          }
          rows += __popc(__ballot_sync(kAllLanes, kept));
        });
  }
  if (laneIndex() == 0)
    counts[index] = rows;
}

/// Where the rows are intervals: every candidate is a row of the table.
template <typename Form>
__global__ void __launch_bounds__(kWarp* kWarpsOfBlock)
    compactIntervalsKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem,
                           SlabRange range, DeviceRows out)
{
  __shared__ WarpRows shared[kWarpsOfBlock];
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  std::uint64_t at = range.offsets[index] - range.firstRow + laneIndex();
  forWarpCandidates(
      problem, source, shared[threadIdx.x / kWarp], [&](RowView& row) { trimRow(form, problem, source, row); },
      [&](bool active, const RowView& row, std::uint32_t slot) {
        if (active) {
          const Target target = targetAt<true>(problem, source, row, slot);
          out.destination[at] = slot;
          out.weight[at] = static_cast<float>(form.value(source, target));
        }
        at += __popc(__ballot_sync(kAllLanes, active));
      });
}

template <typename Form>
__global__ void __launch_bounds__(kWarp* kWarpsOfBlock)
    compactKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem, SlabRange range,
                  DeviceRows out)
{
  __shared__ WarpRows shared[kWarpsOfBlock];
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  std::uint64_t begin = range.offsets[index] - range.firstRow;
  forWarpCandidates(
      problem, source, shared[threadIdx.x / kWarp], [](RowView&) {},
      [&](bool active, const RowView& row, std::uint32_t slot) {
        bool kept = false;
        double value = 0;
        std::uint32_t destination = 0;
        if (active) {
          const Target target = targetIn<Form>(problem, source, row, slot);
          value = form.value(source, target);
          destination = target.index;
          kept = hasRow(form, problem, source, target, value);
        }
        const unsigned all = __ballot_sync(kAllLanes, kept);
        const std::uint64_t at = begin + __popc(all & ((1u << laneIndex()) - 1));
        if (kept) {
          out.destination[at] = destination;
          if (out.weight != nullptr)
            out.weight[at] = weightOf(problem, value);
        }
        begin += __popc(all);
      });
}

template <typename Form>
__global__ void weighKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem,
                            SlabRange range, DeviceRows rows)
{
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  const std::uint64_t end = range.offsets[index + 1] - range.firstRow;
  for (std::uint64_t at = range.offsets[index] - range.firstRow + laneIndex(); at < end; at += kWarp)
    rows.weight[at] = weightOf(problem, form.value(source, targetOf(problem, source, rows.destination[at])));
}

__global__ void delayKernel(const __grid_constant__ ProblemView problem, SlabRange range, DeviceRows rows)
{
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  const std::uint64_t end = range.offsets[index + 1] - range.firstRow;
  for (std::uint64_t at = range.offsets[index] - range.firstRow + laneIndex(); at < end; at += kWarp)
    rows.delay[at] = delayOf(problem, source, rows.destination[at]);
}

unsigned blocksFor(std::uint32_t sources)
{
  return sources / kWarpsOfBlock + (sources % kWarpsOfBlock != 0 ? 1 : 0);
}

/// A row of the table that DeviceSelect makes. Its destination is kNoRow where the pair has none.
struct SelectedRow
{
  std::uint32_t source, destination;
  float weight;
};
constexpr std::uint32_t kNoRow = 0xFFFFFFFFu;

template <typename Form>
struct EvaluatePair
{
  Form form;
  ProblemView problem;
  __device__ SelectedRow operator()(std::int64_t pair) const
  {
    const auto index = static_cast<std::uint32_t>(pair);
    const std::uint32_t s = index / problem.destination.count;
    const SourceView source = makeSource(problem, s);
    const Target target = targetOf(problem, source, index - s * problem.destination.count);
    const double value = form.value(source, target);
    return {s, magnitude(value) > problem.cut ? target.index : kNoRow, static_cast<float>(value)};
  }
};

struct IsRow
{
  __device__ bool operator()(const SelectedRow& row) const { return row.destination != kNoRow; }
};

} // namespace

/// The device's copies, and the view that points to them.
struct DeviceProblem::Held
{
  KernelForm form;
  ProblemView view;
  Buffer<SourceTerms> terms;
  Buffer<std::uint32_t> cellBegin, slotIndex;
  std::array<Buffer<double>, 3> source, destination, slotPosition;

  explicit Held(const Problem& problem)
      : form(problem.form), view(problem.view), terms(problem.terms), cellBegin(problem.cellBegin),
        slotIndex(problem.slotIndex)
  {
    const Projection& projection = problem.projection;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int a = static_cast<int>(axis);
      source[axis] = Buffer<double>(projection.source->coordinates(a));
      destination[axis] = projection.destination == projection.source
                              ? Buffer<double>()
                              : Buffer<double>(projection.destination->coordinates(a));
      slotPosition[axis] = Buffer<double>(problem.slotPosition[axis]);
      view.source.held[axis] = source[axis].data();
      view.destination.positions.held[axis] =
          projection.destination == projection.source ? source[axis].data() : destination[axis].data();
      view.destination.slotPosition[axis] = slotPosition[axis].data();
    }
    view.terms = terms.data();
    view.destination.cellBegin = cellBegin.data();
    view.destination.slotIndex = slotIndex.data();
  }
};

DeviceProblem::DeviceProblem(const Problem& problem) : held(std::make_unique<Held>(problem)) {}

DeviceProblem::~DeviceProblem() = default;

void DeviceProblem::count(std::uint64_t* counts) const
{
  const ProblemView& view = held->view;
  std::visit(
      [&]<typename Form>(const Form& form) {
        countKernel<<<blocksFor(view.sources), kWarp * kWarpsOfBlock>>>(form, view, counts);
      },
      held->form);
  check(cudaGetLastError(), "launch the count");
}

void DeviceProblem::compact(const SlabRange& range, const DeviceRows& rows) const
{
  const ProblemView& view = held->view;
  const unsigned blocks = blocksFor(range.end - range.begin);
  std::visit(
      [&]<typename Form>(const Form& form) {
        if constexpr (Form::kMonotone)
          if (hasIntervals<Form>(view)) {
            compactIntervalsKernel<<<blocks, kWarp * kWarpsOfBlock>>>(form, view, range, rows);
            return;
          }
        compactKernel<<<blocks, kWarp * kWarpsOfBlock>>>(form, view, range, rows);
      },
      held->form);
  check(cudaGetLastError(), "launch the compaction");
}

void DeviceProblem::weigh(const SlabRange& range, const DeviceRows& rows) const
{
  const ProblemView& view = held->view;
  std::visit(
      [&]<typename Form>(const Form& form) {
        weighKernel<<<blocksFor(range.end - range.begin), kWarp * kWarpsOfBlock>>>(form, view, range, rows);
      },
      held->form);
  check(cudaGetLastError(), "launch the weights");
}

void DeviceProblem::delays(const SlabRange& range, const DeviceRows& rows) const
{
  delayKernel<<<blocksFor(range.end - range.begin), kWarp * kWarpsOfBlock>>>(held->view, range, rows);
  check(cudaGetLastError(), "launch the delays");
}

DeviceProblem::SelectTimes DeviceProblem::selectFromAllPairs(std::uint64_t rows, int repetitions) const
{
  const auto* const form = std::get_if<RadialForm>(&held->form);
  const std::uint64_t pairs = std::uint64_t{held->view.sources} * held->view.destination.count;
  if (!form || pairs >= std::uint64_t{1} << 31)
    throw Error(ErrorCode::BadParameter,
                "Selecting from all pairs is measured for a Gaussian and less than 2^31 pairs; choose a smaller case.");
  Buffer<SelectedRow> selected(rows);
  Buffer<std::uint64_t> found(1);
  const auto evaluated = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                                         EvaluatePair<RadialForm>{*form, held->view});
  const auto select = [&](void* space, std::size_t& bytes) {
    check(cub::DeviceSelect::If(space, bytes, evaluated, selected.data(), found.data(),
                                static_cast<std::int64_t>(pairs), IsRow{}),
          "select from all pairs");
  };
  std::size_t bytes = 0;
  select(nullptr, bytes);
  Buffer<unsigned char> space(bytes);
  SelectTimes best{0, 0};
  cuda::Timer timer;
  for (int i = 0; i < repetitions; ++i) {
    timer.start();
    select(space.data(), bytes);
    const double took = timer.stop();
    best.milliseconds = i == 0 ? took : std::min(best.milliseconds, took);
  }
  found.download(&best.rows);
  return best;
}

RowCounter::RowCounter(std::uint32_t sourceCount)
    : sources(sourceCount), counts(std::size_t{sourceCount} + 1), sums(std::size_t{sourceCount} + 1)
{
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts.data(), sums.data(), std::int64_t{sources} + 1),
        "scan the counts");
  space = Buffer<unsigned char>(bytes);
  check(cudaMemset(counts.data(), 0, counts.size() * sizeof(std::uint64_t)), "clear the counts");
}

CountTimes RowCounter::run(const DeviceProblem& problem)
{
  CountTimes took{};
  timer.start();
  problem.count(counts.data());
  took.count = timer.stop();
  timer.start();
  std::size_t bytes = space.size();
  check(cub::DeviceScan::ExclusiveSum(space.data(), bytes, counts.data(), sums.data(), std::int64_t{sources} + 1),
        "scan the counts");
  took.scan = timer.stop();
  return took;
}

} // namespace hinesight::projection::detail
