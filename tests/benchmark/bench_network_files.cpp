// How fast networks are written and read: usage: bench_network_files [NEURONS].
// Writes and reads a synthetic network of 400,000 neurons and a million synapses in every format, in a temporary
// folder. Exit 1 where synapses take longer than a second each way.

#include "core/philox.hpp"
#include "core/stage_timings.hpp"
#include "io/networks/network_files.hpp"
#include "limits.hpp"
#include "synapse/formation/formation.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace {

using namespace hinesight;

constexpr double kMost = 1'000; // ms, each way

io::StoredNetwork makeNetwork(std::uint32_t neurons)
{
  constexpr std::uint64_t kMostTargets = 6;
  const auto draw = [](std::uint64_t source, std::uint32_t which) { return randomBits(1, source, which, 0).word[0]; };
  io::StoredNetwork network;
  network.plastic.neurons = neurons;
  for (std::uint32_t source = 0; source < neurons; ++source)
    for (std::uint32_t k = 0; k < draw(source, 0) % kMostTargets; ++k)
      network.plastic.synapses.push_back(
          {source, draw(source, 2 * k + 1) % neurons, static_cast<std::int32_t>(1 + draw(source, 2 * k + 2) % 3)});
  std::ranges::sort(network.plastic.synapses);
  const auto again = std::ranges::unique(network.plastic.synapses, [](const auto& a, const auto& b) {
    return a.source == b.source && a.target == b.target;
  });
  network.plastic.synapses.erase(again.begin(), again.end());
  return network;
}

/// A folder that is gone in the end.
class TemporaryFolder
{
public:
  TemporaryFolder()
      : path(std::filesystem::temp_directory_path() / ("bench_network_files." + std::to_string(::getpid())))
  {
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path path;
};

void measure(const std::filesystem::path& file, const io::StoredNetwork& network,
             const synapse::NeuronPopulation& population, bench::Limits& limits)
{
  const std::string of = file.filename().string();
  Stopwatch stopwatch;
  io::writeNetwork(network, population, file);
  limits.atMost(kMost, of + ", synapses written", stopwatch.lap(), "ms");
  io::readNetwork(file);
  limits.atMost(kMost, of + ", synapses read", stopwatch.lap(), "ms");
  io::writeNeuronPopulation(population, file);
  limits.atMost(kMost, of + ", neurons written", stopwatch.lap(), "ms");
  io::readNeuronPopulation(file);
  limits.atMost(kMost, of + ", neurons read", stopwatch.lap(), "ms");
}

} // namespace

int main(int count, char** arguments)
{
  try {
    const auto neurons = static_cast<std::uint32_t>(count > 1 ? std::max(2, std::atoi(arguments[1])) : 400'000);
    const auto population = synapse::makeRandomPopulation(neurons, 26, 1, 1);
    const io::StoredNetwork network = makeNetwork(neurons);
    std::printf("%u neurons, %zu synapses\n", neurons, network.plastic.synapses.size());
    const TemporaryFolder folder;
    bench::Limits limits;
    for (const char* name : {"network.txt", "network.csv", "network.h5"})
      measure(folder.path / name, network, *population, limits);
    return limits.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
