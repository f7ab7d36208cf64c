#include "projection/benchmark.hpp"

#include "core/device.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::projection {

namespace {

double medianOf(std::vector<double> values)
{
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct TimedTable
{
  double milliseconds = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string device;
};

/// The whole table in main memory, from the populations on.
TimedTable timeTable(const Projection& projection, const ComputeParameters& compute, int repetitions,
                     const RunControl& control)
{
  TimedTable timed;
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch stopwatch;
    const auto table = project(projection, compute, control.silenced());
    times.push_back(stopwatch.elapsed());
    timed.rows = table->rows();
    timed.bytes = table->bytes();
    timed.device = table->timings.device;
  }
  timed.milliseconds = medianOf(times);
  return timed;
}

struct LoopRun
{
  double milliseconds;
  std::uint64_t rows;
};

/// What a program without any thought does: one thread, every pair, exp, a comparison; it only counts.
LoopRun loopOverAllPairs(std::uint32_t side, const ProjectionParameters& p, const RunControl& control)
{
  std::vector<double> x, y;
  for (std::uint32_t row = 0; row < side; ++row)
    for (std::uint32_t column = 0; column < side; ++column) {
      x.push_back(column);
      y.push_back(row);
    }
  const Stopwatch stopwatch;
  std::uint64_t rows = 0;
  for (std::size_t s = 0; s < x.size(); ++s) {
    control.checkpoint();
    const double sigma = wideningSigma(p, side, y[s]);
    const double scale = -1 / (2 * sigma * sigma);
    const double centreX = x[s] + p.offsetX, centreY = y[s] + p.offsetY;
    for (std::size_t t = 0; t < x.size(); ++t) {
      const double dx = x[t] - centreX, dy = y[t] - centreY;
      rows += std::exp(scale * (dx * dx + dy * dy)) > p.cut ? 1 : 0;
    }
  }
  return {stopwatch.elapsed(), rows};
}

void requireSameRows(std::uint64_t found, std::uint64_t expected, const std::string& who, std::uint32_t side)
{
  if (found != expected)
    throw Error(ErrorCode::VerificationFailed, who + " counts " + std::to_string(found) + " rows for a side of " +
                                                   std::to_string(side) + ", but the CPU makes " +
                                                   std::to_string(expected) + "; one of them has a defect.");
}

/// Where the lines through the logarithms of two points' times meet; empty unless CUDA overtakes between them.
std::optional<double> crossoverBetween(const BenchmarkPoint& a, const BenchmarkPoint& b)
{
  const double before = std::log(*a.cuda / a.cpu);
  const double after = std::log(*b.cuda / b.cpu);
  if (!(before > 0 && after <= 0))
    return {};
  const double low = std::log(static_cast<double>(a.pairs)), high = std::log(static_cast<double>(b.pairs));
  return std::exp(low + (high - low) * before / (before - after));
}

void requireSides(const BenchmarkParameters& parameters)
{
  constexpr std::uint32_t kLargest = 10'000;
  if (parameters.sides.empty())
    throw Error(ErrorCode::BadParameter, "No side is given; choose one or more.");
  for (const std::uint32_t side : parameters.sides)
    if (side == 0 || side > kLargest)
      throw Error(ErrorCode::BadParameter,
                  "A side is " + std::to_string(side) + "; choose 1 to " + std::to_string(kLargest) + ".");
  if (parameters.repetitions < 1)
    throw Error(ErrorCode::BadParameter,
                "repetitions is " + std::to_string(parameters.repetitions) + "; choose 1 or more.");
}

} // namespace

ProjectionParameters paperParameters()
{
  ProjectionParameters p;
  p.kernel = KernelKind::WideningGaussian;
  p.sigmaM = 100;
  p.e2 = 2.5;
  p.sigma0 = 3;
  p.fshift = 4;
  p.cut = 0.008;
  p.offsetX = 25;
  return p;
}

Benchmark runBenchmark(const BenchmarkParameters& parameters, const std::function<void(const BenchmarkPoint&)>& take,
                       const RunControl& control)
{
  requireSides(parameters);
  if (parameters.cuda)
    requireCudaDevice();
  Benchmark benchmark;
  for (std::size_t i = 0; i < parameters.sides.size(); ++i) {
    control.report("bench", static_cast<double>(i) / static_cast<double>(parameters.sides.size()));
    const std::uint32_t side = parameters.sides[i];
    PopulationParameters grid;
    grid.size = {side, side, 1};
    const auto population = makePopulation(grid);
    const Projection projection{population, population, parameters.projection};
    BenchmarkPoint point;
    point.side = side;
    point.pairs = population->count() * population->count();
    const TimedTable cpu = timeTable(projection, {Backend::Cpu, parameters.threads}, parameters.repetitions, control);
    benchmark.cpuDevice = cpu.device;
    point.cpu = cpu.milliseconds;
    point.rows = cpu.rows;
    point.bytes = cpu.bytes;
    if (side <= parameters.loopSide) {
      const LoopRun loop = loopOverAllPairs(side, parameters.projection, control);
      requireSameRows(loop.rows, cpu.rows, "The loop over all pairs", side);
      point.loop = loop.milliseconds;
    }
    if (parameters.cuda) {
      const TimedTable cuda = timeTable(projection, {Backend::Cuda}, parameters.repetitions, control);
      requireSameRows(cuda.rows, cpu.rows, "CUDA", side);
      benchmark.cudaDevice = cuda.device;
      point.cuda = cuda.milliseconds;
      point.resident = detail::measureResident(projection, parameters.repetitions, control);
      if (!benchmark.points.empty() && !benchmark.crossover)
        benchmark.crossover = crossoverBetween(benchmark.points.back(), point);
    }
    benchmark.points.push_back(point);
    take(point);
  }
  return benchmark;
}

} // namespace hinesight::projection
