#include "core/cuda/cuda_support.cuh"
#include "core/cuda/host_copies.cuh"
#include "core/cuda/stream.cuh"
#include "core/device.hpp"
#include "projection/projection.hpp"
#include "projection/ranks/table_ranks.hpp"
#include "projection/rows/device_rows.cuh"

#include <algorithm>
#include <utility>

#include <cub/device/device_segmented_sort.cuh>

// The table on a GPU: a warp counts the rows of a source, CUB adds the counts up, a warp writes the rows of a source.
// Where a table, or the part of it that is asked for, is larger than the memory of the device, it is made in slabs.

namespace hinesight::projection {

namespace {

using cuda::Buffer;
using cuda::check;

/// Memory of the device that holds the rows of a slab.
struct SlabBuffers
{
  Buffer<std::uint32_t> destination;
  Buffer<std::uint32_t> unsorted; ///< where slots are not in order
  Buffer<float> weight;
  Buffer<float> delay;
  Buffer<unsigned char> sortSpace;

  std::size_t rows() const { return destination.size(); }
};

class CudaProjection final : public PreparedProjection
{
public:
  /// `exchange`: that of `tableRanks`; both are null where the table is made here alone.
  CudaProjection(std::unique_ptr<const Problem> prepared, StageTimings timings, std::uint64_t slab,
                 std::unique_ptr<TableRanks> tableRanks, cuda::DeviceExchange* exchange, const RunControl& control)
      : PreparedProjection(std::move(prepared)), slabRows(slab), ranks(std::move(tableRanks))
  {
    stages = std::move(timings);
    cuda::together(exchange, [&] { upload(exchange, control); });
    const detail::CountTimes took = counter->run(*device, control);
    stages.add("count", took.count);
    if (exchange)
      stages.add("exchange", took.exchange);
    stages.add("scan", took.scan);
    CountFindings found;
    cuda::together(exchange, [&] {
      control.report("count", 1);
      found = device->findings();
      const Stopwatch stopwatch;
      copies.add(counter->offsets().data(), counter->offsets().size(), rowOffsets);
      copies.run(control);
      stages.add("download", stopwatch.elapsed());
    });
    if (ranks)
      ranks->gatherFindings(found);
    cuda::together(exchange, [&] { take(found); });
  }

  void write(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) override
  {
    if (!ranks)
      return writeHere(begin, end, out, control);
    const Stopwatch whole;
    double own = 0;
    ranks->write(rowOffsets, {begin, end}, out, hasDelays(), [&](SourceRange sources, const RowsOut& place) {
      const Stopwatch stopwatch;
      writeHere(sources.begin, sources.end, place, control);
      own = stopwatch.elapsed();
    });
    stages.add("wait", whole.elapsed() - own); // for the slowest
    cuda::DeviceExchange::of(ranks->communicator()).gatherDevices(stages);
  }

  void writeHere(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) override
  {
    const std::uint64_t rows = rowOffsets[end] - rowOffsets[begin];
    const std::uint64_t most = std::min(rows, mostRowsOfSlab());
    grow(most);
    std::uint64_t first = begin;
    while (first < end) {
      control.report("compact", static_cast<double>(first - begin) / static_cast<double>(end - begin));
      const std::uint64_t last = std::min(end, slabEnd(rowOffsets, first, most));
      writeSlab(first, last, at(out, rowOffsets[first] - rowOffsets[begin]), control);
      first = last;
    }
    control.report("compact", 1);
  }

  const TableRanks* tableRanks() const override { return ranks.get(); }

private:
  void upload(cuda::DeviceExchange* exchange, const RunControl& control)
  {
    const Stopwatch stopwatch;
    requireMemoryForPopulations();
    device = std::make_unique<detail::DeviceProblem>(*problem, control);
    check(cudaDeviceSynchronize(), "upload the populations");
    stages.add("upload", stopwatch.elapsed() - device->binTime());
    stages.add("bin", device->binTime());
    counter = std::make_unique<detail::RowCounter>(problem->view.sources, exchange);
  }

  /// What stays there while slabs of rows come and go.
  void requireMemoryForPopulations() const
  {
    constexpr std::size_t kCountBytes = 2 * sizeof(std::uint64_t); // of a source: its rows, and where they begin
    constexpr std::size_t kPlaceBytes = 3 * sizeof(double);
    constexpr std::size_t kCellBytes = kPlaceBytes + 5 * sizeof(std::uint32_t); // of a destination that is sorted
    const Projection& projection = problem->projection;
    const std::size_t sources = projection.source->count();
    const std::size_t destinations = projection.destination->count();
    std::size_t bytes = kCountBytes * sources + sizeof(SourceTerms) * problem->terms.size();
    if (!projection.source->isGrid())
      bytes += kPlaceBytes * sources;
    if (!projection.destination->isGrid())
      bytes += (projection.destination == projection.source ? kCellBytes : kPlaceBytes + kCellBytes) * destinations;
    requireDeviceMemory(projection.destination == projection.source ? sources : sources + destinations, bytes,
                        cuda::freeMemory());
  }

  bool inOrder() const { return problem->view.destination.inOrder; }

  static RowsOut at(const RowsOut& out, std::uint64_t row)
  {
    return {out.destination + row, out.weight + row, out.delay ? out.delay + row : nullptr};
  }

  /// What fits into three quarters of the memory that is free or held by the buffers already, and not more than is
  /// sorted, which cannot be interrupted, within some 10 ms.
  std::uint64_t mostRowsOfSlab() const
  {
    constexpr std::uint64_t kMostRows = std::uint64_t{1} << 26;
    if (slabRows > 0)
      return slabRows;
    // Sorting takes a second array of destinations, and CUB as much again.
    const std::size_t bytesOfRow = (inOrder() ? 8 : 16) + (hasDelays() ? 4 : 0);
    return std::min(kMostRows, buffers.rows() + cuda::freeMemory() / 4 * 3 / bytesOfRow);
  }

  void grow(std::size_t rows)
  {
    if (rows <= buffers.rows())
      return;
    const Stopwatch stopwatch;
    buffers = {};
    buffers.destination = Buffer<std::uint32_t>(rows);
    buffers.weight = Buffer<float>(rows);
    if (!inOrder())
      buffers.unsorted = Buffer<std::uint32_t>(rows);
    if (hasDelays())
      buffers.delay = Buffer<float>(rows);
    stages.add("allocate", stopwatch.elapsed());
  }

  void writeSlab(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control)
  {
    const std::size_t rows = rowOffsets[end] - rowOffsets[begin];
    if (rows == 0)
      return;
    grow(rows);
    stages.add("compact", makeSlab(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), rows, control));
    const Stopwatch stopwatch;
    copies.add(buffers.destination.data(), rows, out.destination);
    copies.add(buffers.weight.data(), rows, out.weight);
    if (out.delay)
      copies.add(buffers.delay.data(), rows, out.delay);
    copies.run(control);
    stages.add("download", stopwatch.elapsed());
  }

  /// The rows of a slab in device memory; returns the time in ms.
  double makeSlab(std::uint32_t begin, std::uint32_t end, std::size_t rows, const RunControl& control)
  {
    const detail::DeviceRows to{buffers.destination.data(), buffers.weight.data(),
                                hasDelays() ? buffers.delay.data() : nullptr};
    const auto rangeOf = [&](std::uint32_t first, std::uint32_t last) {
      return detail::SlabRange{first, last, rowOffsets[begin], counter->offsets().data()};
    };
    const auto forSources = [&](const auto& launch) {
      return device->forSources(begin, end, timer, control,
                                [&](std::uint32_t first, std::uint32_t last) { launch(rangeOf(first, last)); });
    };
    double milliseconds = 0;
    if (inOrder()) {
      milliseconds += forSources([&](const detail::SlabRange& range) { device->compact(range, to); });
    } else {
      milliseconds += forSources([&](const detail::SlabRange& range) {
        device->compact(range, {buffers.unsorted.data(), nullptr, nullptr});
      });
      timer.start();
      sortDestinations(rangeOf(begin, end), rows);
      milliseconds += device->wait(timer, control);
      milliseconds += forSources([&](const detail::SlabRange& range) { device->weigh(range, to); });
    }
    if (hasDelays())
      milliseconds += forSources([&](const detail::SlabRange& range) { device->delays(range, to); });
    return milliseconds;
  }

  /// The destinations of each source in order.
  void sortDestinations(const detail::SlabRange& range, std::size_t rows)
  {
    // Segments in 32 bits each; a slab has fewer rows than CUB counts.
    const auto offset = detail::slabOffsets(range);
    const auto count = static_cast<std::int64_t>(rows);
    const auto segments = static_cast<std::int64_t>(range.end - range.begin);
    const auto sort = [&](void* space, std::size_t& bytes) {
      check(cub::DeviceSegmentedSort::SortKeys(space, bytes, buffers.unsorted.data(), buffers.destination.data(), count,
                                               segments, offset, offset + 1),
            "sort the destinations");
    };
    std::size_t bytes = 0;
    sort(nullptr, bytes);
    if (bytes > buffers.sortSpace.size())
      buffers.sortSpace = Buffer<unsigned char>(bytes);
    sort(buffers.sortSpace.data(), bytes);
  }

  std::uint64_t slabRows;
  std::unique_ptr<TableRanks> ranks; ///< that share the table; null: it is made here alone
  cuda::HostCopies copies;
  std::unique_ptr<detail::DeviceProblem> device;
  std::unique_ptr<detail::RowCounter> counter;
  SlabBuffers buffers;
  cuda::Timer timer;
};

} // namespace

std::unique_ptr<PreparedProjection> detail::prepareCuda(std::unique_ptr<const Problem> problem, StageTimings timings,
                                                        const ComputeParameters& parameters,
                                                        std::unique_ptr<TableRanks> ranks, const RunControl& control)
{
  cuda::DeviceExchange* const exchange = ranks ? &cuda::DeviceExchange::of(ranks->communicator()) : nullptr;
  timings.backend = Backend::Cuda;
  timings.device = cuda::deviceNameOn(exchange);
  return std::make_unique<CudaProjection>(std::move(problem), std::move(timings), parameters.slabRows, std::move(ranks),
                                          exchange, control);
}

} // namespace hinesight::projection
