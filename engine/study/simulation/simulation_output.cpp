#include "study/simulation/simulation_output.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/sonata/membrane_report.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <span>
#include <system_error>
#include <utility>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;

/// The last part of a name, so that nothing is written outside of the folder.
std::string fileName(const std::string& name, const char* ending)
{
  std::string plain = fs::path(name).filename().string();
  if (plain.empty() || plain == "." || plain == "..")
    plain = "report";
  return fs::path(plain).has_extension() ? plain : plain + ending;
}

const char* unitOf(io::ReportRequest::Quantity quantity)
{
  using enum io::ReportRequest::Quantity;
  switch (quantity) {
  case Potential:
    return "mV";
  case Calcium:
    return "mM";
  case MembraneCurrent:
  case ClampCurrent:
    return "nA";
  case State:
    break;
  }
  return "1";
}

/// Which of the recorded values, one a step, are frames of a report.
struct Frames
{
  std::size_t first, stride, count;
  double start, interval; ///< ms

  Frames(const io::ReportRequest& request, std::size_t recorded, double timeStep)
  {
    constexpr double kRounding = 1e-6; // of a step
    const auto stepsIn = [&](double time) { return static_cast<std::size_t>(std::floor(time / timeStep + kRounding)); };
    stride = std::max<std::size_t>(1, stepsIn(request.interval.value_or(timeStep)));
    const std::size_t before = std::min(recorded, stepsIn(request.start));
    const std::size_t end = request.stop ? std::min(recorded, stepsIn(*request.stop)) : recorded;
    count = end > before ? (end - before) / stride : 0;
    first = count > 0 ? before + stride - 1 : 0;
    start = static_cast<double>(before) * timeStep;
    interval = static_cast<double>(stride) * timeStep;
  }
};

/// Reports by population. What is not recorded as it is written is kept in `made`.
class ReportMaker
{
public:
  ReportMaker(const SimulatedReport& simulated, const CircuitSimulation& of, const simulation::Simulation& ran,
              double step)
      : report(simulated), circuit(of), simulation(ran), timeStep(step)
  {}

  std::vector<io::MembraneReport> make()
  {
    std::size_t population = circuit.populations.size(); // none
    for (const ReportedNode& node : report.nodes) {
      if (node.population != population) {
        population = node.population;
        begin(circuit.populations[population].name, framesOf(node));
      }
      add(node);
    }
    return std::move(reports);
  }

private:
  const std::vector<double>& recordOf(const ReportedNode& node, std::size_t element) const
  {
    return simulation.records()[node.firstProbe + element];
  }
  Frames framesOf(const ReportedNode& node) const { return {report.request, recordOf(node, 0).size(), timeStep}; }

  void begin(const std::string& population, const Frames& frames)
  {
    io::MembraneReport made{};
    made.population = population;
    made.variable = report.request.variable;
    made.unit = unitOf(report.request.quantity);
    made.timeStep = frames.interval;
    made.start = frames.start;
    made.stop = frames.start + static_cast<double>(frames.count) * frames.interval;
    made.firstElement = {0};
    reports.push_back(std::move(made));
  }

  void add(const ReportedNode& node)
  {
    io::MembraneReport& into = reports.back();
    into.node.push_back(node.id);
    const std::size_t elements = node.section.size();
    if (report.request.isSummed) {
      std::vector<double> sum = valuesOf(node, 0);
      for (std::size_t k = 1; k < elements; ++k) {
        const std::vector<double> values = valuesOf(node, k);
        for (std::size_t frame = 0; frame < sum.size(); ++frame)
          sum[frame] += values[frame];
      }
      into.section.push_back(0);
      into.position.push_back(0.5);
      into.values.emplace_back(keep(std::move(sum)));
    } else {
      into.section.insert(into.section.end(), node.section.begin(), node.section.end());
      into.position.insert(into.position.end(), node.position.begin(), node.position.end());
      for (std::size_t k = 0; k < elements; ++k) {
        const std::vector<double>& record = recordOf(node, k);
        const Frames frames = framesOf(node);
        into.values.emplace_back(frames.stride == 1 ? std::span(record).subspan(frames.first, frames.count)
                                                    : std::span<const double>(keep(valuesOf(node, k))));
      }
    }
    into.firstElement.push_back(into.section.size());
  }

  std::vector<double> valuesOf(const ReportedNode& node, std::size_t element) const
  {
    const Frames frames = framesOf(node);
    const std::vector<double>& record = recordOf(node, element);
    std::vector<double> values;
    for (std::size_t frame = 0; frame < frames.count; ++frame)
      values.push_back(record[frames.first + frame * frames.stride]);
    return values;
  }

  const std::vector<double>& keep(std::vector<double> values)
  {
    kept.push_back(std::move(values));
    return kept.back();
  }

  const SimulatedReport& report;
  const CircuitSimulation& circuit;
  const simulation::Simulation& simulation;
  const double timeStep;
  std::vector<io::MembraneReport> reports;
  std::deque<std::vector<double>> kept;
};

} // namespace

std::vector<io::PopulationSpikes> spikesOf(const CircuitSimulation& circuit, const simulation::Simulation& simulation)
{
  return spikesOf(circuit, simulation.spikes());
}

std::vector<io::PopulationSpikes> spikesOf(const CircuitSimulation& circuit, std::span<const simulation::Spike> spikes)
{
  const std::size_t cells = circuit.network.cells();
  std::vector<std::pair<std::size_t, std::uint64_t>> nodeOf(cells + circuit.network.pointNeurons.size());
  std::vector<io::PopulationSpikes> all;
  std::vector<std::size_t> place(circuit.populations.size());
  for (std::size_t p = 0; p < circuit.populations.size(); ++p) {
    const SimulatedPopulation& population = circuit.populations[p];
    bool isSimulated = false;
    for (std::size_t i = 0; i < population.nodes.size(); ++i) {
      const SimulatedNode node = population.nodes[i];
      if (node.kind == SimulatedNode::Kind::Train)
        continue;
      isSimulated = true;
      nodeOf[node.kind == SimulatedNode::Kind::Cell ? node.index : cells + node.index] = {p, population.ids[i]};
    }
    place[p] = all.size();
    if (isSimulated)
      all.push_back({population.name, {}, {}});
  }
  for (const simulation::Spike& spike : spikes) {
    const auto& [population, id] = nodeOf[spike.cell];
    all[place[population]].time.push_back(spike.time);
    all[place[population]].node.push_back(id);
  }
  return all;
}

void makeOutputFolder(const fs::path& folder)
{
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorCode::WriteFailed, "The folder cannot be made: " + failure.message(), folder.string());
  requireWritable(folder / "spikes.csv");
}

std::vector<std::string> writeSimulation(const CircuitSimulation& circuit, const simulation::Simulation& simulation,
                                         const std::string& spikesFile, double timeStep, const fs::path& folder,
                                         const RunControl& control)
{
  const std::vector<io::PopulationSpikes> spikes = spikesOf(circuit, simulation);
  std::vector<std::string> files = {fileName(spikesFile, ".h5"), "spikes.csv"};
  io::writeSpikesHdf5(spikes, folder / files[0]);
  io::writeSpikesCsv(spikes, folder / files[1]);
  for (const SimulatedReport& report : circuit.reports) {
    files.push_back(fileName(report.request.file, ".h5"));
    if (std::find(files.begin(), files.end() - 1, files.back()) != files.end() - 1)
      files.back() = fileName(report.request.name, ".h5"); // another report has that file
    ReportMaker maker(report, circuit, simulation, timeStep);
    io::writeMembraneReports(maker.make(), folder / files.back(), control);
  }
  return files;
}

void requireMemoryOfRecords(const simulation::Network& network, double stop, double timeStep)
{
  const double bytes = std::ceil(stop / timeStep) * static_cast<double>(network.probes.size()) * sizeof(double);
  constexpr double kMost = 1e18;
  requireMemory(static_cast<std::size_t>(std::min(bytes, kMost)),
                "The record of " + std::to_string(network.probes.size()) + " places");
}

} // namespace hinesight::study
