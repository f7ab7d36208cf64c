#include "projection/rows/device_rows.cuh"

#include "core/stage_timings.hpp"
#include "projection/rows/device_cells.cuh"

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

/// A warp looks at the flag before its first step of 32 candidates, so that those that have yet to start end at once,
/// and after so many more.
constexpr unsigned kStepsBetweenLooks = 64;

/// What a warp asks now and then; the same for all of its lanes, which all ask.
class StopWatch
{
public:
  __device__ explicit StopWatch(const unsigned* stopFlag) : flag(stopFlag) {}

  __device__ bool isStopped()
  {
    if (steps++ % kStepsBetweenLooks != 0)
      return false;
    return __any_sync(kAllLanes, *static_cast<const volatile unsigned*>(flag) != 0);
  }

private:
  const unsigned* flag;
  unsigned steps = 0;
};

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
/// shorten a row. Ends early where `stop` says so.
template <typename Prepare, typename Body>
__device__ void forWarpCandidates(const ProblemView& problem, const SourceView& source, WarpRows& shared,
                                  const unsigned* stop, Prepare prepare, Body body)
{
  StopWatch watch(stop);
  const unsigned lane = laneIndex();
  const std::uint32_t rows = rowsOf(problem, source);
  for (std::uint32_t first = 0; first < rows; first += kWarp) {
    if (watch.isStopped())
      return;
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
      if (watch.isStopped())
        return;
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
    countKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem, std::uint32_t begin,
                std::uint32_t end, std::uint64_t* counts, CountFindings* findings, const unsigned* stop)
{
  __shared__ WarpRows shared[kWarpsOfBlock];
  const std::uint32_t index = sourceOfWarp(begin);
  if (index >= end)
    return;
  const SourceView source = makeSource(problem, index);
  unsigned long long rows = 0;
  unsigned long long negative = 0;
  bool isFinite = true; // of this lane's pairs
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
        problem, source, shared[threadIdx.x / kWarp], stop, [](RowView&) {},
        [&](bool active, const RowView& row, std::uint32_t slot) {
          bool kept = false;
          bool isNegative = false;
          if (active) {
            const Target target = targetIn<Form>(problem, source, row, slot);
            const double value = Form::kMonotone && !problem.random ? 0 : form.value(source, target);
            kept = hasRow(form, problem, source, target, value);
            isNegative = isNegativeProbability(problem, value) && isAsked(form, problem, source, target);
            if (!Form::kAlwaysFinite && !isFiniteWeight(value) && isAsked(form, problem, source, target))
              isFinite = false;
          }
          rows += __popc(__ballot_sync(kAllLanes, kept));
          if (problem.random)
            negative += __popc(__ballot_sync(kAllLanes, isNegative));
        });
  }
  if (!Form::kAlwaysFinite && !isFinite)
    atomicMin(&findings->notFiniteSource, index);
  if (laneIndex() != 0)
    return;
  counts[index] = rows;
  if (negative > 0)
    atomicAdd(&findings->negative, negative);
}

/// Where the rows are intervals: every candidate is a row of the table.
template <typename Form>
__global__ void __launch_bounds__(kWarp* kWarpsOfBlock)
    compactIntervalsKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem,
                           SlabRange range, DeviceRows out, const unsigned* stop)
{
  __shared__ WarpRows shared[kWarpsOfBlock];
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  std::uint64_t at = range.offsets[index] - range.firstRow + laneIndex();
  forWarpCandidates(
      problem, source, shared[threadIdx.x / kWarp], stop, [&](RowView& row) { trimRow(form, problem, source, row); },
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
                  DeviceRows out, const unsigned* stop)
{
  __shared__ WarpRows shared[kWarpsOfBlock];
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  std::uint64_t begin = range.offsets[index] - range.firstRow;
  forWarpCandidates(
      problem, source, shared[threadIdx.x / kWarp], stop, [](RowView&) {},
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

/// Calls body(at) with every row of a source, counted from the slab's first; all lanes call it.
template <typename Body>
__device__ void forRowsOfSource(const SlabRange& range, std::uint32_t source, const unsigned* stop, Body body)
{
  StopWatch watch(stop);
  const std::uint64_t end = range.offsets[source + 1] - range.firstRow;
  for (std::uint64_t begin = range.offsets[source] - range.firstRow; begin < end; begin += kWarp) {
    if (watch.isStopped())
      return;
    if (const std::uint64_t at = begin + laneIndex(); at < end)
      body(at);
  }
}

template <typename Form>
__global__ void weighKernel(const __grid_constant__ Form form, const __grid_constant__ ProblemView problem,
                            SlabRange range, DeviceRows rows, const unsigned* stop)
{
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  forRowsOfSource(range, index, stop, [&](std::uint64_t at) {
    rows.weight[at] = weightOf(problem, form.value(source, targetOf(problem, source, rows.destination[at])));
  });
}

__global__ void delayKernel(const __grid_constant__ ProblemView problem, SlabRange range, DeviceRows rows,
                            const unsigned* stop)
{
  const std::uint32_t index = sourceOfWarp(range.begin);
  if (index >= range.end)
    return;
  const SourceView source = makeSource(problem, index);
  forRowsOfSource(range, index, stop,
                  [&](std::uint64_t at) { rows.delay[at] = delayOf(problem, source, rows.destination[at]); });
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

StopFlag::StopFlag() : flag(1), stream(cuda::priorityRange().greatest)
{
  pinned.grow(1);
  set(0);
}

/// A copy, which needs no multiprocessor: all of them may be busy.
void StopFlag::set(unsigned value)
{
  pinned[0] = value;
  check(cudaMemcpyAsync(flag.data(), pinned.data(), sizeof value, cudaMemcpyHostToDevice, stream.get()),
        "tell its kernels to end");
  check(cudaStreamSynchronize(stream.get()), "tell its kernels to end");
}

double StopFlag::wait(cuda::Timer& timer, const RunControl& control)
{
  timer.end();
  watch(timer, control);
  control.checkpoint();
  return timer.elapsed();
}

void StopFlag::watch(const cuda::Timer& timer, const RunControl& control)
{
  bool isRaised = false;
  while (!timer.isDone())
    if (!isRaised && control.isCancelled()) {
      set(1);
      isRaised = true;
    }
  if (isRaised)
    set(0);
}

/// The device's copies, and the view that points to them.
struct DeviceProblem::Held
{
  KernelForm form;
  ProblemView view;
  Buffer<SourceTerms> terms;
  std::array<Buffer<double>, 3> source, destination;
  DeviceCells cells; ///< empty where the destinations are on a lattice
  Buffer<CountFindings> findings;
  StopFlag stop;
  double binTime = 0;

  Held(const Problem& problem, const RunControl& control)
      : form(problem.form), view(problem.view), terms(problem.terms), findings(std::vector<CountFindings>(1))
  {
    view.terms = terms.data();
    uploadPositions(problem.projection, control);
    if (problem.projection.destination->isGrid())
      return;
    const Stopwatch stopwatch;
    cells = sortIntoCells(view.destination);
    view.destination.cellBegin = cells.cellBegin.data();
    view.destination.slotIndex = cells.slotIndex.data();
    for (std::size_t axis = 0; axis < 3; ++axis)
      view.destination.slotPosition[axis] = cells.slotPosition[axis].data();
    binTime = stopwatch.elapsed();
  }

private:
  /// Positions that are held, of both populations, or once where they are one.
  void uploadPositions(const Projection& projection, const RunControl& control)
  {
    const bool isOne = projection.destination == projection.source;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      control.checkpoint(); // between uploads, each of some 10 ms where there are millions of neurons
      const int a = static_cast<int>(axis);
      source[axis] = Buffer<double>(projection.source->coordinates(a));
      if (!isOne)
        destination[axis] = Buffer<double>(projection.destination->coordinates(a));
      view.source.held[axis] = source[axis].data();
      view.destination.positions.held[axis] = isOne ? source[axis].data() : destination[axis].data();
    }
  }
};

DeviceProblem::DeviceProblem(const Problem& problem, const RunControl& control)
    : held(std::make_unique<Held>(problem, control))
{}

DeviceProblem::~DeviceProblem() = default;

double DeviceProblem::binTime() const
{
  return held->binTime;
}

double DeviceProblem::wait(cuda::Timer& timer, const RunControl& control) const
{
  return held->stop.wait(timer, control);
}

void DeviceProblem::watch(const cuda::Timer& timer, const RunControl& control) const
{
  held->stop.watch(timer, control);
}

void DeviceProblem::count(std::uint32_t begin, std::uint32_t end, std::uint64_t* counts) const
{
  const ProblemView& view = held->view;
  std::visit(
      [&]<typename Form>(const Form& form) {
        countKernel<<<blocksFor(end - begin), kWarp * kWarpsOfBlock>>>(form, view, begin, end, counts,
                                                                       held->findings.data(), held->stop.word());
      },
      held->form);
  check(cudaGetLastError(), "launch the count");
}

CountFindings DeviceProblem::findings() const
{
  CountFindings found;
  held->findings.download(&found);
  return found;
}

void DeviceProblem::compact(const SlabRange& range, const DeviceRows& rows) const
{
  const ProblemView& view = held->view;
  const unsigned blocks = blocksFor(range.end - range.begin);
  std::visit(
      [&]<typename Form>(const Form& form) {
        if constexpr (Form::kMonotone)
          if (hasIntervals<Form>(view)) {
            compactIntervalsKernel<<<blocks, kWarp * kWarpsOfBlock>>>(form, view, range, rows, held->stop.word());
            return;
          }
        compactKernel<<<blocks, kWarp * kWarpsOfBlock>>>(form, view, range, rows, held->stop.word());
      },
      held->form);
  check(cudaGetLastError(), "launch the compaction");
}

void DeviceProblem::weigh(const SlabRange& range, const DeviceRows& rows) const
{
  const ProblemView& view = held->view;
  std::visit(
      [&]<typename Form>(const Form& form) {
        weighKernel<<<blocksFor(range.end - range.begin), kWarp * kWarpsOfBlock>>>(form, view, range, rows,
                                                                                   held->stop.word());
      },
      held->form);
  check(cudaGetLastError(), "launch the weights");
}

void DeviceProblem::delays(const SlabRange& range, const DeviceRows& rows) const
{
  delayKernel<<<blocksFor(range.end - range.begin), kWarp * kWarpsOfBlock>>>(held->view, range, rows,
                                                                             held->stop.word());
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

RowCounter::RowCounter(std::uint32_t sourceCount, cuda::DeviceExchange* withOthers)
    : sources(sourceCount), exchange(withOthers), begin(0), end(sourceCount), part(sourceCount)
{
  std::size_t room = sources;
  if (exchange) {
    const auto ranks = static_cast<std::size_t>(exchange->ranks().size());
    const auto rank = static_cast<std::size_t>(exchange->ranks().rank());
    part = (room + ranks - 1) / ranks;
    begin = static_cast<std::uint32_t>(std::min(room, rank * part));
    end = static_cast<std::uint32_t>(std::min(room, (rank + 1) * part));
    room = part * ranks;
  }
  counts = Buffer<std::uint64_t>(room + 1);
  sums = Buffer<std::uint64_t>(std::size_t{sources} + 1);
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts.data(), sums.data(), std::int64_t{sources} + 1),
        "scan the counts");
  space = Buffer<unsigned char>(bytes);
  check(cudaMemset(counts.data(), 0, counts.size() * sizeof(std::uint64_t)), "clear the counts");
}

CountTimes RowCounter::run(const DeviceProblem& problem, const RunControl& control)
{
  CountTimes took{};
  const auto launch = [&](std::uint32_t first, std::uint32_t last) {
    control.report("count", static_cast<double>(first - begin) / (end - begin));
    problem.count(first, last, counts.data());
  };
  cuda::together(exchange, [&] {
    const std::uint32_t last = end - std::min(end - begin, DeviceProblem::kMostSources);
    took.count = problem.forSources(begin, last, timer, control, launch);
    timer.start();
    if (last < end)
      launch(last, end);
    timer.end();
  });
  // The exchange and the scan are put behind the last launch without waiting for it, so that the GPU need not wait for
  // the host. Where it is cancelled they do as if the counts were right.
  if (exchange && exchange->waits())
    problem.watch(timer, control);
  if (exchange) {
    exchangeTimer.start();
    exchange->allGather(counts.data(), part * sizeof(std::uint64_t));
    exchangeTimer.end();
  }
  scanTimer.start();
  std::size_t bytes = space.size();
  check(cub::DeviceScan::ExclusiveSum(space.data(), bytes, counts.data(), sums.data(), std::int64_t{sources} + 1),
        "scan the counts");
  scanTimer.end();
  problem.watch(timer, control);
  if (exchange)
    exchange->wait("scan the counts");
  took.scan = scanTimer.finish("scan the counts");
  took.exchange = exchange ? exchangeTimer.elapsed() : 0;
  cuda::together(exchange, [&] { control.checkpoint(); });
  took.count += timer.elapsed();
  return took;
}

} // namespace hinesight::projection::detail
