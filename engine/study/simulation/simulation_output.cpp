#include "study/simulation/simulation_output.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/sonata/membrane_report.hpp"

#include <algorithm>
#include <cmath>
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

std::vector<io::MembraneReport> reportsOf(const SimulatedReport& report, const CircuitSimulation& circuit,
                                          const simulation::Simulation& simulation, double timeStep)
{
  std::vector<io::MembraneReport> made;
  std::size_t population = circuit.populations.size(); // none
  for (const ReportedNode& node : report.nodes) {
    if (node.population != population) {
      population = node.population;
      made.push_back({circuit.populations[population].name,
                      report.request.variable,
                      report.request.variable == "v" ? "mV" : "mM",
                      timeStep,
                      simulation.time(),
                      {},
                      {0},
                      {},
                      {},
                      {}});
    }
    io::MembraneReport& into = made.back();
    into.node.push_back(node.id);
    into.section.insert(into.section.end(), node.section.begin(), node.section.end());
    into.position.insert(into.position.end(), node.position.begin(), node.position.end());
    into.firstElement.push_back(into.section.size());
    for (std::size_t k = 0; k < node.section.size(); ++k)
      into.values.emplace_back(simulation.records()[node.firstProbe + k]);
  }
  return made;
}

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
    io::writeMembraneReports(reportsOf(report, circuit, simulation, timeStep), folder / files.back(), control);
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
