#include "projection/benchmark.hpp"

#include "projection/rows/device_rows.cuh"

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::projection {

namespace {

using cuda::Buffer;
using cuda::check;

/// Times of one run, ms.
struct ResidentRun
{
  double milliseconds, count, scan, compact;
};

/// Everything that a table left on the device needs, made once.
class ResidentTable
{
public:
  ResidentTable(const Problem& problem, const RunControl& runControl)
      : view(problem.view), control(runControl), device(problem, control), counter(view.sources)
  {
    makeTable(); // how large the buffers are, and warm caches
  }

  std::uint64_t rows() const { return total; }

  /// One run.
  ResidentRun run()
  {
    const Stopwatch stopwatch;
    const detail::CountTimes counted = makeTable();
    return {stopwatch.elapsed(), counted.count, counted.scan, compactTime};
  }

  double writeFloor(int repetitions)
  {
    double best = 0;
    for (int i = 0; i < repetitions; ++i) {
      timer.start();
      check(cudaMemsetAsync(destination.data(), 1, destination.size() * sizeof(std::uint32_t)), "write memory");
      check(cudaMemsetAsync(weight.data(), 1, weight.size() * sizeof(float)), "write memory");
      const double took = timer.stop();
      best = i == 0 ? took : std::min(best, took);
    }
    return best;
  }

  const detail::DeviceProblem& problem() const { return device; }

private:
  detail::CountTimes makeTable()
  {
    const detail::CountTimes counted = counter.run(device, control);
    check(cudaMemcpy(&total, counter.offsets().data() + view.sources, sizeof total, cudaMemcpyDeviceToHost),
          "read the number of rows");
    if (total > destination.size()) {
      destination = Buffer<std::uint32_t>(total);
      weight = Buffer<float>(total);
    }
    compactTime = device.forSources(0, view.sources, timer, control, [&](std::uint32_t begin, std::uint32_t end) {
      device.compact({begin, end, 0, counter.offsets().data()}, {destination.data(), weight.data(), nullptr});
    });
    return counted;
  }

  ProblemView view;
  RunControl control;
  detail::DeviceProblem device;
  detail::RowCounter counter;
  Buffer<std::uint32_t> destination;
  Buffer<float> weight;
  std::uint64_t total = 0;
  double compactTime = 0;
  cuda::Timer timer;
};

} // namespace

ResidentTimes detail::measureResident(const Projection& projection, int repetitions, const RunControl& control)
{
  constexpr std::uint64_t kMostSelected = std::uint64_t{1} << 31;
  const auto problem = makeProblem(projection, Backend::Cuda, 0, control);
  ResidentTable table(*problem, control.silenced());
  std::vector<ResidentRun> runs;
  std::vector<double> milliseconds;
  for (int i = 0; i < repetitions; ++i) {
    control.checkpoint();
    runs.push_back(table.run());
    milliseconds.push_back(runs.back().milliseconds);
  }
  std::sort(runs.begin(), runs.end(),
            [](const ResidentRun& a, const ResidentRun& b) { return a.milliseconds < b.milliseconds; });
  const ResidentRun& median = runs[runs.size() / 2];
  ResidentTimes times;
  times.milliseconds = spreadOf(std::move(milliseconds));
  times.count = median.count;
  times.scan = median.scan;
  times.compact = median.compact;
  times.writeFloor = table.writeFloor(repetitions);
  if (projection.source->count() * projection.destination->count() < kMostSelected) {
    const auto selected = table.problem().selectFromAllPairs(table.rows(), repetitions);
    if (selected.rows != table.rows())
      throw Error(ErrorCode::VerificationFailed, "Selecting from all pairs gives " + std::to_string(selected.rows) +
                                                     " rows, but the table has " + std::to_string(table.rows()) +
                                                     "; one of them has a defect.");
    times.select = selected.milliseconds;
  }
  return times;
}

} // namespace hinesight::projection
