#include "app/cli/commands.hpp"
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
  std::vector<std::string> kinds;
  std::vector<std::string> backends;
  std::vector<std::string> outputs;
};

const std::vector<SearchKind> kKinds = {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Inverse,
                                        SearchKind::Exact};
const std::vector<Backend> kBackends = {Backend::Cpu, Backend::Cuda};

template <typename Value>
std::vector<Value> choicesOf(const std::string& option, const std::vector<std::string>& names,
                             const std::vector<Value>& values, std::string_view (*nameOf)(Value))
{
  std::vector<Value> chosen;
  for (const std::string& name : names)
    chosen.push_back(parseChoice(option, name, values, nameOf));
  return chosen;
}

BenchmarkParameters parametersOf(const BenchSynapsesOptions& options)
{
  BenchmarkParameters parameters = options.parameters;
  if (!options.kinds.empty())
    parameters.kinds = choicesOf("--search", options.kinds, kKinds, searchName);
  if (!options.backends.empty())
    parameters.backends = choicesOf("--backend", options.backends, kBackends, backendName);
  else if (!cudaDevices().empty())
    parameters.backends = kBackends;
  return parameters;
}

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
  for (const std::string& path : options.outputs)
    io::requireTimingsExtension(path);
  const BenchmarkParameters parameters = parametersOf(options);
  const auto points = runBenchmark(parameters, {}, session.control());
  for (const std::string& path : options.outputs)
    io::writeFormationBenchmark(points, path);
  if (session.json)
    io::writeFormationBenchmarkJson(points, session.results());
  else
    printText(session.results(), parameters, points);
  return 0;
}

} // namespace

void addBenchSynapsesCommand(CLI::App& bench, Session& session)
{
  auto options = std::make_shared<BenchSynapsesOptions>();
  CLI::App& command =
      addCommand(bench, session, "synapses", "Time connectivity updates by neurons, axons, theta, search and backend",
                 [options, &session] { return runBenchSynapses(*options, session); });
  BenchmarkParameters& parameters = options->parameters;
  const auto addList = [&command](const char* name, auto& values, const char* text, const char* type) {
    command.add_option(name, values, text)->delimiter(',')->allow_extra_args(false)->type_name(type);
  };
  addList("--neurons", parameters.neurons, "Sizes of the populations, separated by commas", "INTS");
  addList("--axons", parameters.axons, "Vacant axons and dendrites of each neuron", "INTS");
  addList("--theta", parameters.thetas, "A cell of edge L at distance d counts as a whole where L < theta d",
          "NUMBERS");
  addList("--search", options->kinds, "naive, barnes-hut, inverse, exact [barnes-hut]", "NAMES");
  addList("--backend", options->backends, "cpu, cuda [both if there is a device]", "NAMES");
  addNumber(command, "--spacing", parameters.spacing, "Of the neurons [um]");
  addNumber(command, "--sigma", parameters.kernel.sigma, "Width of the Gaussian kernel [um]");
  addNumber(command, "--seed", parameters.seed, "Of everything that is drawn");
  addNumber(command, "--threads", parameters.threads, "CPU threads, 0 for all");
  addNumber(command, "--repetitions", parameters.repetitions, "Of each measurement; the median counts");
  command.add_option("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

} // namespace hinesight::cli
