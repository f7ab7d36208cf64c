#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "projection/benchmark.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct BenchProjectionsOptions
{
  projection::BenchmarkParameters parameters;
  Backend backend = Backend::Cpu;
  bool backendGiven = false;
  std::vector<std::string> outputs;
};

Json optionalNumber(const std::optional<double>& value)
{
  return value ? jsonNumber(*value) : Json(nullptr);
}

Json toJson(const projection::BenchmarkPoint& point)
{
  Json json = {{"side", point.side},
               {"pairs", point.pairs},
               {"rows", point.rows},
               {"bytes", point.bytes},
               {"cpuMs", jsonNumber(point.cpu)},
               {"loopMs", optionalNumber(point.loop)},
               {"cudaMs", optionalNumber(point.cuda)},
               {"speedup", point.cuda ? jsonNumber(point.cpu / *point.cuda) : Json(nullptr)}};
  if (const auto& resident = point.resident)
    json["resident"] = {{"milliseconds", jsonNumber(resident->milliseconds)},
                        {"countMs", jsonNumber(resident->count)},
                        {"scanMs", jsonNumber(resident->scan)},
                        {"compactMs", jsonNumber(resident->compact)},
                        {"writeFloorMs", jsonNumber(resident->writeFloor)},
                        {"deviceSelectMs", optionalNumber(resident->select)}};
  return json;
}

Json toJson(const projection::Benchmark& benchmark)
{
  Json points = Json::array();
  for (const projection::BenchmarkPoint& point : benchmark.points)
    points.push_back(toJson(point));
  return {{"cpuDevice", benchmark.cpuDevice},
          {"cudaDevice", benchmark.cudaDevice},
          {"points", std::move(points)},
          {"crossoverPairs", optionalNumber(benchmark.crossover)}};
}

std::string csvNumber(const std::optional<double>& value)
{
  return value ? formatNumber(*value, 9) : std::string();
}

void writeCsv(std::ostream& stream, const projection::Benchmark& benchmark)
{
  stream
      << "side,pairs,rows,bytes,cpuMs,loopMs,cudaMs,residentMs,countMs,scanMs,compactMs,writeFloorMs,deviceSelectMs\n";
  for (const projection::BenchmarkPoint& point : benchmark.points) {
    stream << point.side << ',' << point.pairs << ',' << point.rows << ',' << point.bytes << ','
           << formatNumber(point.cpu, 9) << ',' << csvNumber(point.loop) << ',' << csvNumber(point.cuda);
    if (const auto& r = point.resident)
      for (const double value : {r->milliseconds, r->count, r->scan, r->compact, r->writeFloor})
        stream << ',' << formatNumber(value, 9);
    else
      stream << ",,,,,";
    stream << ',' << (point.resident ? csvNumber(point.resident->select) : std::string()) << '\n';
  }
}

bool isCsv(const std::string& path)
{
  return path.ends_with(".csv");
}

void requireExtension(const std::string& path)
{
  if (!isCsv(path) && !path.ends_with(".json"))
    throw Error(ErrorCode::BadParameter, "timings are written as .csv or .json; give the file such a name", path);
}

void writeBenchmark(const projection::Benchmark& benchmark, const std::string& path)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    if (isCsv(path))
      writeCsv(stream, benchmark);
    else
      printJson(stream, toJson(benchmark));
  });
}

std::string shown(const std::optional<double>& milliseconds)
{
  return milliseconds ? formatNumber(*milliseconds, 4) : "-";
}

void printText(std::ostream& stream, const projection::Benchmark& benchmark)
{
  stream << "Widening Gaussian between square populations (James 2021, figures 1B and 1C); times in ms\n"
         << "cpu: the whole table in memory, " << benchmark.cpuDevice << "; loop: one thread counts over all pairs\n";
  if (!benchmark.cudaDevice.empty())
    stream
        << "cuda: the whole table in memory, " << benchmark.cudaDevice
        << "; resident: left on the device; floor: writing as many bytes;\nselect: cub::DeviceSelect over all pairs\n";
  Table table;
  table.add({"side", "pairs", "rows", "cpu", "loop", "loop/cpu", "cuda", "cpu/cuda", "resident", "floor", "select"});
  for (const projection::BenchmarkPoint& point : benchmark.points) {
    const auto& r = point.resident;
    table.add({std::to_string(point.side), formatCount(static_cast<std::int64_t>(point.pairs)),
               formatCount(static_cast<std::int64_t>(point.rows)), formatNumber(point.cpu, 4), shown(point.loop),
               point.loop ? formatNumber(*point.loop / point.cpu, 3) : "-", shown(point.cuda),
               point.cuda ? formatNumber(point.cpu / *point.cuda, 3) : "-",
               r ? formatNumber(r->milliseconds, 3) + " (" + formatNumber(r->count, 3) + " + " +
                       formatNumber(r->scan, 3) + " + " + formatNumber(r->compact, 3) + ")"
                 : "-",
               r ? formatNumber(r->writeFloor, 3) : "-", r ? shown(r->select) : "-"});
  }
  table.print(stream);
  if (benchmark.crossover)
    stream << "CUDA is faster from " << formatNumber(*benchmark.crossover, 3) << " pairs on\n";
}

int runBenchProjections(const BenchProjectionsOptions& options, Session& session)
{
  for (const std::string& path : options.outputs)
    requireExtension(path);
  projection::BenchmarkParameters parameters = options.parameters;
  parameters.projection = projection::paperParameters();
  parameters.cuda = options.backendGiven ? options.backend == Backend::Cuda : !cudaDevices().empty();
  const auto benchmark = projection::runBenchmark(
      parameters, [](const projection::BenchmarkPoint&) {}, session.control());
  for (const std::string& path : options.outputs)
    writeBenchmark(benchmark, path);
  if (session.json)
    printJson(session.results(), toJson(benchmark));
  else
    printText(session.results(), benchmark);
  return 0;
}

} // namespace

void addBenchProjectionsCommand(CLI::App& bench, Session& session)
{
  auto options = std::make_shared<BenchProjectionsOptions>();
  CLI::App& command =
      addCommand(bench, session, "projections", "Time weight tables by the size of their populations, CPU and CUDA",
                 [options, &session] { return runBenchProjections(*options, session); });
  addChoice(command, "--backend", options->backend, {Backend::Cpu, Backend::Cuda}, backendName,
            "cuda: beside the CPU [if there is one]")
      ->each([options](const std::string&) { options->backendGiven = true; })
      ->default_str("");
  addNumber(command, "--threads", options->parameters.threads, "CPU threads, 0 for all");
  addNumber(command, "--repetitions", options->parameters.repetitions, "Of each measurement; the median counts");
  addNumber(command, "--loop-side", options->parameters.loopSide,
            "Largest side for which the loop over all pairs is timed");
  command.add_option("--sides", options->parameters.sides, "Sides of the populations, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("INTS");
  command.add_option("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

} // namespace hinesight::cli
