#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "io/runs/projection_benchmark_report.hpp"
#include "io/runs/run_record.hpp"
#include "projection/benchmark.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct BenchProjectionsOptions
{
  projection::BenchmarkParameters parameters;
  Backend backend = Backend::Cpu;
  bool backendGiven = false;
  double sigma = 0; ///< 0: the paper's widening Gaussian
  std::vector<std::string> outputs;
};

std::string shown(const std::optional<double>& milliseconds)
{
  return milliseconds ? formatNumber(*milliseconds, 4) : "-";
}

void printText(std::ostream& stream, const projection::ProjectionParameters& kernel,
               std::span<const projection::BenchmarkPoint> points)
{
  const projection::BenchmarkPoint& first = points.front();
  stream << (kernel.kernel == projection::KernelKind::Gaussian
                 ? "Gaussian of sigma " + formatNumber(kernel.sigma, 6) + " between square populations"
                 : "Widening Gaussian between square populations (James 2021, figures 1B and 1C)")
         << "; medians in ms\n"
         << "cpu: the whole table in memory, " << first.cpuDevice << "; floor: setting as many bytes;\n"
         << "loop: one thread counts over all pairs\n";
  if (!first.cudaDevice.empty())
    stream << "cuda: the whole table in memory, " << first.cudaDevice
           << "; resident: left on the device; floor: setting as many bytes there;\n"
           << "select: cub::DeviceSelect over all pairs\n";
  Table table;
  table.add({"side", "pairs", "rows", "cpu", "ns/row", "floor", "loop", "loop/cpu", "cuda", "cpu/cuda", "resident",
             "floor", "select"});
  for (const projection::BenchmarkPoint& point : points) {
    const double cpu = point.cpu->median;
    const auto& r = point.resident;
    table.add({std::to_string(point.side), formatCount(static_cast<std::int64_t>(point.pairs)),
               formatCount(static_cast<std::int64_t>(point.rows)), formatNumber(cpu, 4),
               point.rows > 0 ? formatNumber(1e6 * cpu / static_cast<double>(point.rows), 3) : "-",
               shown(point.cpuWriteFloor), shown(point.loop), point.loop ? formatNumber(*point.loop / cpu, 3) : "-",
               point.cuda ? formatNumber(point.cuda->median, 4) : "-",
               point.cuda ? formatNumber(cpu / point.cuda->median, 3) : "-",
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
  for (const std::string& path : options.outputs)
    io::requireTimingsExtension(path);
  projection::BenchmarkParameters parameters = options.parameters;
  parameters.projection =
      options.sigma == 0 ? projection::paperParameters() : projection::fixedReachParameters(options.sigma);
  parameters.cuda = options.backendGiven ? options.backend == Backend::Cuda : !cudaDevices().empty();
  const auto points = projection::runBenchmark(parameters, {}, session.control());
  for (const std::string& path : options.outputs)
    io::writeProjectionBenchmark(points, path);
  if (session.json)
    io::writeProjectionBenchmarkJson(points, session.results());
  else
    printText(session.results(), parameters.projection, points);
  return 0;
}

} // namespace

void addBenchProjectionsCommand(CLI::App& bench, Session& session)
{
  auto options = std::make_shared<BenchProjectionsOptions>();
  Command& command =
      addCommand(bench, session, "projections", "Time weight tables by the size of their populations, CPU and CUDA",
                 [options, &session] { return runBenchProjections(*options, session); });
  addChoice(command, "--backend", options->backend, {Backend::Cpu, Backend::Cuda}, backendName,
            "cuda: CUDA beside the CPU [if there is a device]")
      ->each([options](const std::string&) { options->backendGiven = true; })
      ->default_str("");
  addNumber(command, "--sigma", options->sigma,
            "Width of one Gaussian for all sources, with which time grows with the neurons; 0 for the paper's kernel");
  // --backend says which.
  std::vector<BoundField> fields = fieldsOf(options->parameters);
  std::erase_if(fields, [](const BoundField& field) { return field.name == "cpu" || field.name == "cuda"; });
  addFieldOptions(command, fields, "Options");
  command.addOutput("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      ->allow_extra_args(false);
}

} // namespace hinesight::cli
