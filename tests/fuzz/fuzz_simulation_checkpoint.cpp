#include "checkpoint_mutation.hpp"
#include "core/files.hpp"
#include "fuzzing.hpp"
#include "simulation/samples/sample_networks.hpp"
#include "study/simulation/simulation_checkpoint.hpp"

#include <algorithm>
#include <cmath>

// Checkpoints of a simulation of six small cells. An input is a file without its check sum, which is always made right.
// What is accepted has spikes and records of these cells until then, is the same when it is written and read again, and
// goes on.

using namespace hinesight;

namespace {

constexpr double kSeedTime = 6;  // ms
constexpr double kLatest = 1e12; // the sources are listed: no spikes are drawn until then

simulation::Network makeNetwork()
{
  namespace samples = simulation::samples;
  simulation::Network network = samples::ring(4, 5);
  network.synapses.push_back({.cell = 0, .node = 0, .tau1 = 0.5, .tau2 = 3, .magnesium = 1});
  network.pointNeurons.resize(2);
  network.trains.push_back({0.5, 3, 6, 13, 14});
  const auto train = static_cast<std::uint32_t>(network.cells() + network.trains.size() - 1);
  const auto synapse = static_cast<std::uint32_t>(network.synapses.size() - 1);
  network.connections.push_back({train, synapse, 0.01, 1.5});
  network.connections.push_back({train, synapse + 1, 1.5, 0.5});
  network.connections.push_back({train + 1, synapse + 2, 0.7, 2});
  network.noises.push_back({.cell = 1, .node = 0, .mean = 0, .deviation = 0.001, .tau = 2});
  network.junctions.push_back({{0, 0}, {2, 0}, 1e-4});
  network.probes.push_back({.cell = 0, .node = 0});
  network.probes.push_back({.cell = 1, .node = 0, .quantity = simulation::Quantity::MembraneCurrent});
  return network;
}

const simulation::Network& network()
{
  static const simulation::Network one = makeNetwork();
  return one;
}

simulation::SimulationParameters parameters()
{
  simulation::SimulationParameters p;
  p.timeStep = 0.1;
  p.threads = 1;
  return p;
}

study::NetworkSum networkSum()
{
  static const study::NetworkSum sum = study::checkSumOf(network(), 0, {});
  return sum;
}

void requireSound(const simulation::Simulation& simulation)
{
  const std::size_t neurons = network().cells() + network().pointNeurons.size();
  const double latest = simulation.time() + parameters().timeStep;
  for (const simulation::Spike& spike : simulation.spikes())
    fuzz::require(spike.cell < neurons && spike.time >= 0 && spike.time <= latest, "a spike of no cell or of no time");
  const auto steps = static_cast<std::int64_t>(std::lround(simulation.time() / parameters().timeStep));
  for (std::size_t probe = 0; probe < simulation.records().size(); ++probe) {
    const std::int64_t first = simulation.firstRecordedStep(probe) - 1;
    fuzz::require(first >= 0 && std::ssize(simulation.records()[probe]) == std::max<std::int64_t>(0, steps - first),
                  "records of other steps");
  }
}

std::string write(const simulation::Simulation& simulation, const std::filesystem::path& file)
{
  study::writeSimulationCheckpoint(simulation, parameters(), networkSum(), file);
  return readFile(file);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
  if (const char* const seeds = fuzz::seedFolder()) {
    simulation::Simulation simulation(network(), parameters());
    simulation.runUntil(kSeedTime);
    const std::filesystem::path file = std::filesystem::path(seeds) / "own";
    const std::string content = write(simulation, file);
    writeFileAtomically(file,
                        [&](std::ostream& out) { out << content.substr(0, content.size() - sizeof(std::uint64_t)); });
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  static const simulation::Checkpoint start = simulation::Simulation(network(), parameters()).checkpoint(true);
  static simulation::Simulation simulation(network(), parameters());
  return fuzz::attempt([&] {
    simulation.restore(start);
    study::readSimulationCheckpoint(simulation, parameters(), networkSum(), kLatest,
                                    folder.write("a.checkpoint", fuzz::withCheckSum(fuzz::textOf(bytes, size))));
    requireSound(simulation);
    const std::filesystem::path again = folder / "again.checkpoint";
    const std::string written = write(simulation, again);
    fuzz::whenAccepted([&] {
      simulation.restore(start);
      study::readSimulationCheckpoint(simulation, parameters(), networkSum(), kLatest, again);
      fuzz::require(write(simulation, again) == written, "another state when written and read again");
    });
    simulation.runUntil(simulation.time() + 1);
    requireSound(simulation);
  });
}
