#include "projection/benchmark.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace hinesight::projection {

namespace {

struct TimedTable
{
  Spread milliseconds;
  double download = 0; ///< of the rows, ms; median
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string device;
};

/// The main memory that a table is made in.
enum class Room
{
  New,
  Used ///< by the table before
};

/// The whole table in main memory, from the populations on.
TimedTable timeTable(const Projection& projection, const ComputeParameters& compute, Room room, int repetitions,
                     const RunControl& control)
{
  TimedTable timed;
  std::vector<double> times, downloads;
  TableMemory kept;
  for (int i = room == Room::Used ? -1 : 0; i < repetitions; ++i) {
    TableMemory fresh;
    const Stopwatch stopwatch;
    const auto table = makeTable(*prepare(projection, compute, control.silenced()), room == Room::New ? fresh : kept,
                                 control.silenced());
    if (i < 0)
      continue;
    times.push_back(stopwatch.elapsed());
    downloads.push_back(table->timings.of("download"));
    timed.rows = table->rows();
    timed.bytes = table->bytes();
    timed.device = table->timings.device;
  }
  timed.milliseconds = spreadOf(std::move(times));
  timed.download = spreadOf(std::move(downloads)).median;
  return timed;
}

/// What writing as many bytes as the rows have takes at least, into memory that is there already.
double writeFloor(std::uint64_t rows, int threads, int repetitions, const RunControl& control)
{
  constexpr std::size_t kBytesOfRow = sizeof(std::uint32_t) + sizeof(float);
  constexpr std::size_t kGrain = std::size_t{1} << 20;
  HostArray<std::byte> memory(rows * kBytesOfRow);
  const auto setAll = [&] {
    parallelFor(
        memory.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (; begin < end; begin += kGrain) {
            control.checkpoint();
            std::memset(memory.data() + begin, 1, std::min(kGrain, end - begin));
          }
        },
        threads);
  };
  setAll();
  double best = 0;
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch stopwatch;
    setAll();
    const double took = stopwatch.elapsed();
    best = i == 0 ? took : std::min(best, took);
  }
  return best;
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
    const double sigma = p.kernel == KernelKind::Gaussian ? p.sigma : wideningSigma(p, side, y[s]);
    const double scale = -1 / (2 * sigma * sigma);
    const double centreX = x[s] + p.offsetX, centreY = y[s] + p.offsetY;
    for (std::size_t t = 0; t < x.size(); ++t) {
      const double dx = x[t] - centreX, dy = y[t] - centreY;
      rows += std::exp(scale * (dx * dx + dy * dy)) > p.cut ? 1 : 0;
    }
  }
  return {stopwatch.elapsed(), rows};
}

/// Takes how many rows one of the measurements found; all must agree.
void takeRows(BenchmarkPoint& point, std::uint64_t found, const std::string& who)
{
  const bool isFirst = point.bytes == 0;
  if (isFirst)
    point.rows = found;
  if (found != point.rows)
    throw Error(ErrorCode::VerificationFailed, who + " counts " + std::to_string(found) + " rows for a side of " +
                                                   std::to_string(point.side) + ", but the measurement before has " +
                                                   std::to_string(point.rows) + "; one of them has a defect.");
}

void measureCpu(const Projection& projection, const BenchmarkParameters& parameters, BenchmarkPoint& point,
                const RunControl& control)
{
  const TimedTable timed =
      timeTable(projection, {Backend::Cpu, parameters.threads}, Room::New, parameters.repetitions, control);
  point.cpuDevice = timed.device;
  point.cpu = timed.milliseconds;
  takeRows(point, timed.rows, "The CPU");
  point.bytes = timed.bytes;
  point.cpuWriteFloor = writeFloor(timed.rows, parameters.threads, parameters.repetitions, control);
  if (point.side > parameters.loopSide)
    return;
  const LoopRun loop = loopOverAllPairs(point.side, projection.parameters, control);
  takeRows(point, loop.rows, "The loop over all pairs");
  point.loop = loop.milliseconds;
}

void measureCuda(const Projection& projection, const BenchmarkParameters& parameters, BenchmarkPoint& point,
                 const RunControl& control)
{
  const TimedTable timed = timeTable(projection, {Backend::Cuda}, Room::New, parameters.repetitions, control);
  point.cudaDevice = timed.device;
  point.cuda = timed.milliseconds;
  point.download = timed.download;
  const TimedTable again = timeTable(projection, {Backend::Cuda}, Room::Used, parameters.repetitions, control);
  point.cudaAgain = again.milliseconds;
  point.downloadAgain = again.download;
  takeRows(point, timed.rows, "CUDA");
  point.bytes = timed.bytes;
  point.resident = detail::measureResident(projection, parameters.repetitions, control);
}

/// A time of a point on CUDA, ms; 0 where there is none.
using CudaTime = double (*)(const BenchmarkPoint&);

/// Where the lines through the logarithms of two points' times meet; empty unless CUDA overtakes between them.
std::optional<double> crossoverBetween(const BenchmarkPoint& a, const BenchmarkPoint& b, CudaTime timeOf)
{
  const double before = std::log(timeOf(a) / a.cpu->median);
  const double after = std::log(timeOf(b) / b.cpu->median);
  if (!(before > 0 && after <= 0))
    return {};
  const double low = std::log(static_cast<double>(a.pairs)), high = std::log(static_cast<double>(b.pairs));
  return std::exp(low + (high - low) * before / (before - after));
}

std::optional<double> firstCrossover(std::span<const BenchmarkPoint> points, CudaTime timeOf)
{
  std::vector<BenchmarkPoint> both;
  for (const BenchmarkPoint& point : points)
    if (point.cpu && timeOf(point) > 0)
      both.push_back(point);
  std::ranges::sort(both, {}, &BenchmarkPoint::side);
  for (std::size_t i = 1; i < both.size(); ++i)
    if (const auto pairs = crossoverBetween(both[i - 1], both[i], timeOf))
      return pairs;
  return {};
}

void requireMeasurable(const BenchmarkParameters& parameters)
{
  validateFields(fieldsOf(parameters));
  if (parameters.backends.empty())
    throw Error(ErrorCode::BadParameter, "No backend is chosen; choose the CPU, CUDA or both.");
  if (parameters.sides.empty())
    throw Error(ErrorCode::BadParameter, "No side is given; choose one or more.");
}

/// The widening Gaussian of the paper's figure 1A: 22,208,750 rows for a side of 150. Or a Gaussian of the same width
/// for every source, with its cut: the rows of a source do not grow with the side.
ProjectionParameters projectionOf(const BenchmarkParameters& parameters)
{
  ProjectionParameters p;
  p.cut = 0.008;
  if (parameters.sigma > 0) {
    p.kernel = KernelKind::Gaussian;
    p.sigma = parameters.sigma;
    return p;
  }
  p.kernel = KernelKind::WideningGaussian;
  p.sigmaM = 100;
  p.e2 = 2.5;
  p.sigma0 = 3;
  p.fshift = 4;
  p.offsetX = 25;
  return p;
}

/// About how long the measurements of a side take, in any unit: the loop's time follows the pairs, all else the rows,
/// and these the neurons.
double effortOf(std::uint32_t side, const BenchmarkParameters& parameters)
{
  constexpr double kRowsOfSource = 600;
  const double sources = static_cast<double>(side) * side;
  const bool loops = parameters.measures(Backend::Cpu) && side <= parameters.loopSide;
  return sources * (parameters.repetitions * kRowsOfSource + (loops ? sources : 0));
}

} // namespace

bool BenchmarkParameters::measures(Backend backend) const
{
  return std::ranges::find(backends, backend) != backends.end();
}

std::optional<double> crossoverPairs(std::span<const BenchmarkPoint> points)
{
  return firstCrossover(points, [](const BenchmarkPoint& point) { return point.cuda ? point.cuda->median : 0; });
}

std::optional<double> residentCrossoverPairs(std::span<const BenchmarkPoint> points)
{
  return firstCrossover(
      points, [](const BenchmarkPoint& point) { return point.resident ? point.resident->milliseconds.median : 0; });
}

std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         const std::function<void(const BenchmarkPoint&)>& take,
                                         const RunControl& control)
{
  requireMeasurable(parameters);
  if (parameters.measures(Backend::Cuda))
    requireCudaDevice();
  double all = 0, done = 0;
  for (const std::uint32_t side : parameters.sides)
    all += effortOf(side, parameters);
  std::vector<BenchmarkPoint> points;
  for (const std::uint32_t side : parameters.sides) {
    control.report("benchmark", done / all);
    PopulationParameters grid;
    grid.size = {side, side, 1};
    const auto population = makePopulation(grid, control.silenced());
    const Projection projection{population, population, projectionOf(parameters)};
    BenchmarkPoint point;
    point.side = side;
    point.pairs = population->count() * population->count();
    point.settings = settingsOf(fieldsOf(projection.parameters));
    addMissing(point.settings, settingsOf(fieldsOf(parameters)));
    if (parameters.measures(Backend::Cpu))
      measureCpu(projection, parameters, point, control);
    if (parameters.measures(Backend::Cuda))
      measureCuda(projection, parameters, point, control);
    points.push_back(point);
    if (take)
      take(point);
    done += effortOf(side, parameters);
  }
  control.report("benchmark", 1);
  return points;
}

} // namespace hinesight::projection
