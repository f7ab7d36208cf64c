#include "app/cli/commands.hpp"
#include "app/cli/measurements.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "io/runs/projection_benchmark_report.hpp"
#include "io/runs/run_record.hpp"
#include "projection/benchmark.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct BenchProjectionsOptions
{
  projection::BenchmarkParameters parameters;
  std::vector<std::string> outputs;
  Option backendOption;
};

using Milliseconds = std::optional<double>; ///< none: not measured

Milliseconds medianOf(const std::optional<Spread>& spread)
{
  return spread ? Milliseconds(spread->median) : std::nullopt;
}

std::string shown(const Milliseconds& milliseconds)
{
  return milliseconds ? formatNumber(*milliseconds, 4) : "-";
}

std::string gigabytesASecond(std::uint64_t bytes, const Milliseconds& time)
{
  return time && *time > 0 ? formatNumber(1e-6 * static_cast<double>(bytes) / *time, 3) : "-";
}

std::string quotient(const Milliseconds& time, const Milliseconds& other)
{
  return time && other ? formatNumber(*time / *other, 3) : "-";
}

void printText(std::ostream& stream, double sigma, std::span<const projection::BenchmarkPoint> points)
{
  const projection::BenchmarkPoint& first = points.front();
  stream << (sigma > 0 ? "Gaussian of sigma " + formatNumber(sigma, 6) + " between square populations"
                       : "Widening Gaussian between square populations (James 2021, figures 1B and 1C)")
         << "; medians in ms\n";
  if (!first.cpuDevice.empty())
    stream << "cpu: the whole table in memory, " << first.cpuDevice << "; floor: setting as many bytes;\n"
           << "loop: one thread counts over all pairs\n";
  if (!first.cudaDevice.empty())
    stream << "cuda: the whole table in new memory, " << first.cudaDevice
           << "; again: in the memory of the table before; download: copying it there;\n"
           << "resident: left on the device; floor: setting as many bytes there; select: cub::DeviceSelect over all "
              "pairs\n";
  Table table;
  table.add({"side", "pairs", "rows", "cpu", "ns/row", "floor", "loop", "loop/cpu", "cuda", "cpu/cuda", "download",
             "GB/s", "again", "download", "GB/s", "resident", "floor", "select"});
  for (const projection::BenchmarkPoint& point : points) {
    const Milliseconds cpu = medianOf(point.cpu), cuda = medianOf(point.cuda);
    const auto& r = point.resident;
    table.add({std::to_string(point.side), formatCount(static_cast<std::int64_t>(point.pairs)),
               formatCount(static_cast<std::int64_t>(point.rows)), shown(cpu),
               cpu && point.rows > 0 ? formatNumber(1e6 * *cpu / static_cast<double>(point.rows), 3) : "-",
               shown(point.cpuWriteFloor), shown(point.loop), quotient(point.loop, cpu), shown(cuda),
               quotient(cpu, cuda), shown(point.download), gigabytesASecond(point.bytes, point.download),
               shown(medianOf(point.cudaAgain)), shown(point.downloadAgain),
               gigabytesASecond(point.bytes, point.downloadAgain),
               r ? formatNumber(r->milliseconds.median, 3) + " (" + formatNumber(r->count, 3) + " + " +
                       formatNumber(r->scan, 3) + " + " + formatNumber(r->compact, 3) + ")"
                 : "-",
               r ? formatNumber(r->writeFloor, 3) : "-", r ? shown(r->select) : "-"});
  }
  table.print(stream);
  if (const auto pairs = projection::crossoverPairs(points))
    stream << "CUDA is faster from " << formatNumber(*pairs, 3) << " pairs on\n";
  if (const auto pairs = projection::residentCrossoverPairs(points))
    stream << "CUDA, the table left on the device, is faster from " << formatNumber(*pairs, 3) << " pairs on\n";
}

int runBenchProjections(const BenchProjectionsOptions& options, Session& session)
{
  projection::BenchmarkParameters parameters = options.parameters;
  if (!options.backendOption.isGiven() && !cudaDevices().empty())
    parameters.backends = {Backend::Cpu, Backend::Cuda};
  const auto points = measureProjections(parameters, options.outputs, session);
  if (session.json)
    io::writeProjectionBenchmarkJson(points, session.results());
  return 0;
}

} // namespace

std::vector<projection::BenchmarkPoint> measureProjections(const projection::BenchmarkParameters& parameters,
                                                           const std::vector<std::string>& outputs, Session& session)
{
  for (const std::string& path : outputs)
    io::requireTimingsExtension(path);
  const auto points = projection::runBenchmark(parameters, {}, session.control());
  for (const std::string& path : outputs)
    io::writeProjectionBenchmark(points, path);
  if (!session.json)
    printText(session.results(), parameters.sigma, points);
  return points;
}

void addBenchProjectionsCommand(Command& bench, Session& session)
{
  auto options = std::make_shared<BenchProjectionsOptions>();
  Command& command =
      addCommand(bench, session, "projections", "Time weight tables by the size of their populations, CPU and CUDA",
                 [options, &session] { return runBenchProjections(*options, session); });
  addFieldOptions(command, fieldsOf(options->parameters), "Options");
  options->backendOption = command.option("--backend").defaultText("both if there is a device");
  command.addOutput("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      .takesOneArgument();
}

} // namespace hinesight::cli
