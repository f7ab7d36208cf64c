#include "core/files.hpp"
#include "hdf5_mutation.hpp"
#include "io/sonata/circuit_files.hpp"
#include "io/sonata/spike_files.hpp"
#include "io/sonata/synapse_edges.hpp"
#include "sound_networks.hpp"
#include "sound_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <pthread.h>

// SONATA's files in HDF5, on their whole way: what crashes the HDF5 library is to be caught by the process that goes
// before. The last byte of an input says what the file is read as. Half of the mutations are of its bytes, half go
// through the HDF5 library.

using namespace hinesight;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t mostBytes);
extern "C" void __sanitizer_set_death_callback(void (*)());

namespace {

std::vector<std::string>& soundFiles()
{
  static std::vector<std::string> files;
  return files;
}

const fuzz::Folder& folder()
{
  static const fuzz::Folder one;
  return one;
}

void readTable(const std::filesystem::path& file)
{
  const auto table = io::importTable(file);
  fuzz::requireSound(*table);
  fuzz::requireSameAgain(*table, folder() / "again.csv");
}

void readNetwork(const std::filesystem::path& file)
{
  const io::StoredNetwork network = io::readNetwork(file);
  fuzz::requireSound(network);
  fuzz::requireSameAgain(network, folder() / "again.csv");
}

void readNeurons(const std::filesystem::path& file)
{
  const synapse::NeuronPopulation population = io::readNeuronPopulation(file);
  fuzz::requireSound(population);
  fuzz::requireSameAgain(population, folder() / "again.csv");
}

void readCircuitEdges(const std::filesystem::path& file)
{
  constexpr std::uint64_t kSources = 12, kTargets = 9;
  const io::CircuitEdges edges = io::readCircuitEdges({file.string(), {}, {}}, kSources, kTargets);
  fuzz::require(edges.offsets.size() == kSources + 1 && edges.offsets.back() == edges.rows() &&
                    std::ranges::is_sorted(edges.offsets),
                "offsets that are none");
  for (std::uint64_t row = 0; row < edges.rows(); ++row) {
    fuzz::require(edges.targetOfRow[row] < kTargets, "a target that is not there");
    fuzz::require(std::isfinite(edges.weight[row]), "a weight that is none");
    fuzz::require(edges.delay.empty() || (std::isfinite(edges.delay[row]) && edges.delay[row] >= 0),
                  "a delay that is none");
  }
}

void readSynapseEdges(const std::filesystem::path& file)
{
  for (const io::SynapseEdges& edges : io::readSynapseEdges(file))
    fuzz::require(edges.sourceNode.size() == edges.count() && edges.targetNode.size() == edges.count() &&
                      edges.weight.size() == edges.count() && edges.delay.size() == edges.count() &&
                      edges.synapses.size() == edges.count(),
                  "columns of other sizes");
}

void readNodes(const std::filesystem::path& file)
{
  for (const io::SonataNodes& nodes : io::readSonataNodes(file)) {
    fuzz::require(nodes.id.size() == nodes.type.size(), "columns of other sizes");
    io::readNodeTypes(file.string(), nodes.population);
    io::readAngles(file.string(), nodes.population);
  }
}

void readSpikes(const std::filesystem::path& file)
{
  for (const io::PopulationSpikes& spikes : io::readSpikes(file)) {
    fuzz::require(spikes.time.size() == spikes.node.size(), "columns of other sizes");
    for (const double time : spikes.time)
      fuzz::require(std::isfinite(time) && time >= 0, "a time that is none");
  }
}

void readContent(const std::filesystem::path& file)
{
  io::sonataContent(file);
  io::sonataPopulations(file);
  io::leftBehind({file.string(), {}});
}

constexpr std::array kReaders = {readTable,        readNetwork, readNeurons, readCircuitEdges,
                                 readSynapseEdges, readNodes,   readSpikes,  readContent};

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
  // A crash of the process that goes before is no finding.
  ::pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback(nullptr); });
  if (const char* const seeds = fuzz::seedFolder())
    for (const auto& entry : std::filesystem::directory_iterator(seeds))
      soundFiles().push_back(readFile(entry.path()));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t mostBytes,
                                               unsigned seed)
{
  std::mt19937 random(seed);
  if (soundFiles().empty() || random() % 2 == 0)
    return LLVMFuzzerMutate(bytes, size, mostBytes);
  const std::string& sound = soundFiles()[random() % soundFiles().size()];
  const std::filesystem::path file = folder().write("mutated.h5", std::string_view(sound).substr(0, sound.size() - 1));
  fuzz::mutateHdf5(file.string(), random);
  std::string mutated = readFile(file);
  mutated += random() % 8 == 0 ? static_cast<char>(random()) : sound.back();
  if (mutated.size() > mostBytes)
    return LLVMFuzzerMutate(bytes, size, mostBytes);
  std::memcpy(bytes, mutated.data(), mutated.size());
  return mutated.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  if (size == 0)
    return 0;
  return fuzz::attempt([&] {
    const std::filesystem::path file = folder().write("file.h5", fuzz::textOf(bytes, size - 1));
    kReaders[bytes[size - 1] % kReaders.size()](file);
  });
}
