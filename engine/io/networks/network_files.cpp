#include "io/networks/network_files.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/compressed.hpp"
#include "io/networks/relearn_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace hinesight::io {

namespace {

using synapse::NeuronPopulation;

struct NetworkFormat
{
  std::string_view ending;
  StoredNetwork (*readNetwork)(const std::filesystem::path&, const RunControl&);
  void (*writeNetwork)(const StoredNetwork&, const NeuronPopulation&, const std::filesystem::path&, const RunControl&);
  void (*writeNeurons)(const NeuronPopulation&, const std::filesystem::path&, const RunControl&);
};

void writeRelearn(const StoredNetwork& network, const NeuronPopulation&, const std::filesystem::path& path,
                  const RunControl& control)
{
  writeRelearnNetwork(network, path, control);
}

constexpr std::array<NetworkFormat, 3> kFormats = {
    {{".txt", readRelearnNetwork, writeRelearn, writeRelearnPositions},
     {".h5", detail::readNetworkSonata, detail::writeNetworkSonata, detail::writeNeuronsSonata},
     {".csv", detail::readNetworkCsv, detail::writeNetworkCsv, detail::writeNeuronsCsv}}};

const NetworkFormat& formatOf(const std::filesystem::path& path)
{
  if (!path.has_filename() || isFolder(path))
    return kFormats.front();
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const NetworkFormat& format : kFormats)
    if (format.ending == ending)
      return format;
  throw Error(ErrorCode::BadParameter,
              "neurons and networks are in files " + networkEndings() + "; give the file such a name", path.string());
}

/// Text files may be packed.
const NetworkFormat& formatToRead(const std::filesystem::path& path)
{
  const std::filesystem::path unpacked = path.stem();
  const bool isPackedText = isCompressed(path) && unpacked.extension() == ".txt";
  return formatOf(isPackedText ? unpacked : path);
}

} // namespace

std::string networkEndings()
{
  std::string names;
  for (const NetworkFormat& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.ending);
  return names + " or a folder";
}

void requireNetworkEnding(const std::filesystem::path& path)
{
  formatOf(path);
}

StoredNetwork readNetwork(const std::filesystem::path& path, const RunControl& control)
{
  control.report("read", 0);
  return formatToRead(path).readNetwork(path, control);
}

void writeNetwork(const StoredNetwork& network, const NeuronPopulation& population, const std::filesystem::path& path,
                  const RunControl& control)
{
  if (network.neurons() != population.size())
    throw Error(ErrorCode::BadParameter,
                "is to hold a network of " + std::to_string(network.neurons()) + " neurons with a population of " +
                    std::to_string(population.size()) + "; write it with its own population",
                path.string());
  control.report("write", 0);
  formatOf(path).writeNetwork(network, population, path, control);
}

void writeNeuronPopulation(const NeuronPopulation& population, const std::filesystem::path& path,
                           const RunControl& control)
{
  control.report("write", 0);
  formatOf(path).writeNeurons(population, path, control);
}

std::vector<Setting> detail::settingsOf(const StoredNetwork& network, const NeuronPopulation& population)
{
  std::vector<Setting> settings = network.settings;
  addMissing(settings, population.origin);
  return settings;
}

std::uint32_t detail::AreaNames::indexOf(std::string_view name)
{
  if (last < names.size() && names[last] == name)
    return last;
  const auto found = std::find(names.begin(), names.end(), name);
  last = static_cast<std::uint32_t>(found - names.begin());
  if (found == names.end())
    names.emplace_back(name);
  return last;
}

} // namespace hinesight::io
