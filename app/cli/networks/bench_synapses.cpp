#include "app/cli/commands.hpp"
#include "app/cli/measurements.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "io/runs/formation_benchmark_report.hpp"
#include "io/runs/run_record.hpp"
#include "synapse/formation/benchmark.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

using namespace synapse;

struct BenchSynapsesOptions
{
  BenchmarkParameters parameters;
  std::vector<std::string> outputs;
  Option backendOption;
};

void printText(std::ostream& stream, const BenchmarkParameters& parameters, std::span<const BenchmarkPoint> points)
{
  stream << "One connectivity update: random neurons " << formatNumber(parameters.spacing, 6) << " um apart, kernel "
         << kernelName(parameters.kernel.kind) << "; as many vacant dendrites as axons; medians in ms\n";
  for (const Backend backend : parameters.backends)
    for (const BenchmarkPoint& point : points)
      if (point.backend == backend) {
        stream << backendName(backend) << ": " << point.device << '\n';
        break;
      }
  Table table;
  table.add({"search", "backend", "theta", "neurons", "axons", "update", "us/axon", "tree", "vacant", "search",
             "resolve", "edges", "synapses"});
  for (const BenchmarkPoint& point : points) {
    const auto stage = [&point](const char* name) { return formatNumber(point.timings.of(name), 4); };
    table.add({std::string(searchName(point.kind)), std::string(backendName(point.backend)),
               formatNumber(point.theta, 3), formatCount(static_cast<std::int64_t>(point.neurons)),
               std::to_string(point.axons), formatNumber(point.milliseconds.median, 4),
               formatNumber(point.microsecondsPerAxon(), 3), stage("tree"), stage("vacant"), stage("search"),
               stage("resolve"), stage("edges"), formatCount(static_cast<std::int64_t>(point.synapses))});
  }
  table.print(stream);
}

int runBenchSynapses(const BenchSynapsesOptions& options, Session& session)
{
  BenchmarkParameters parameters = options.parameters;
  if (!options.backendOption.isGiven() && !cudaDevices().empty())
    parameters.backends = {Backend::Cpu, Backend::Cuda};
  const auto points = measureSynapses(parameters, options.outputs, session);
  if (session.json)
    io::writeFormationBenchmarkJson(points, session.results());
  return 0;
}

} // namespace

std::vector<synapse::BenchmarkPoint> measureSynapses(const synapse::BenchmarkParameters& parameters,
                                                     const std::vector<std::string>& outputs, Session& session)
{
  for (const std::string& path : outputs)
    io::requireTimingsExtension(path);
  const auto points = synapse::runBenchmark(parameters, {}, session.control());
  for (const std::string& path : outputs)
    io::writeFormationBenchmark(points, path);
  if (!session.json)
    printText(session.results(), parameters, points);
  return points;
}

void addBenchSynapsesCommand(Command& bench, Session& session)
{
  auto options = std::make_shared<BenchSynapsesOptions>();
  Command& command =
      addCommand(bench, session, "synapses", "Time connectivity updates by neurons, axons, theta, search and backend",
                 [options, &session] { return runBenchSynapses(*options, session); });
  addFieldOptions(command, fieldsOf(options->parameters), "Benchmark");
  options->backendOption = command.option("--backend").defaultText("both if there is a device");
  command.addOutput("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      .takesOneArgument();
}

} // namespace hinesight::cli
