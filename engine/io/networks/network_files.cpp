#include "io/networks/network_files.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/compressed.hpp"
#include "io/networks/relearn_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

namespace hinesight::io {

namespace {

using synapse::NeuronPopulation;

struct Format : NetworkFormat
{
  bool hasFolders; ///< it is the one of folders
  NetworkContent (*contentOf)(const std::filesystem::path&);
  StoredNetwork (*readNetwork)(const std::filesystem::path&, const RunControl&);
  void (*writeNetwork)(const StoredNetwork&, const NeuronPopulation&, const std::filesystem::path&, const RunControl&);
  void (*writeNeurons)(const NeuronPopulation&, const std::filesystem::path&, const RunControl&);
};

void writeRelearn(const StoredNetwork& network, const NeuronPopulation&, const std::filesystem::path& path,
                  const RunControl& control)
{
  writeRelearnNetwork(network, path, control);
}

constexpr std::array<Format, 3> kFormats = {{{{"CSV", ".csv", false},
                                              false,
                                              detail::contentOfCsv,
                                              detail::readNetworkCsv,
                                              detail::writeNetworkCsv,
                                              detail::writeNeuronsCsv},
                                             {{"SONATA", ".h5", true},
                                              false,
                                              detail::contentOfSonata,
                                              detail::readNetworkSonata,
                                              detail::writeNetworkSonata,
                                              detail::writeNeuronsSonata},
                                             {{"RELeARN", ".txt", false},
                                              true,
                                              detail::contentOfRelearn,
                                              readRelearnNetwork,
                                              writeRelearn,
                                              writeRelearnPositions}}};

/// Null where no format has the ending.
const Format* findFormat(const std::filesystem::path& path)
{
  const bool isOfFolder = !path.has_filename() || isFolder(path);
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return isOfFolder ? format.hasFolders : format.ending == ending;
  });
  return found == kFormats.end() ? nullptr : &*found;
}

const Format& formatOf(const std::filesystem::path& path)
{
  if (const Format* format = findFormat(path))
    return *format;
  throw Error(ErrorCode::BadParameter,
              "neurons and networks are in files " + networkEndings() + "; give the file such a name", path.string());
}

/// Text files may be packed.
const Format& formatToRead(const std::filesystem::path& path)
{
  const std::filesystem::path unpacked = path.stem();
  const bool isPackedText = isCompressed(path) && unpacked.extension() == ".txt";
  return formatOf(isPackedText ? unpacked : path);
}

std::string_view trimmed(std::string_view text)
{
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

} // namespace

std::vector<NetworkFormat> networkFormats()
{
  return {kFormats.begin(), kFormats.end()};
}

std::string networkEndings()
{
  std::string names;
  for (const NetworkFormat& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.ending);
  return names + " or a folder";
}

NetworkContent networkContent(const std::filesystem::path& path)
{
  const Format* format = findFormat(path);
  return format && !isFolder(path) ? format->contentOf(path) : NetworkContent::Other;
}

std::string detail::firstRow(const std::filesystem::path& path)
{
  constexpr std::size_t kHead = 1 << 16;
  std::string text(2 * kHead, '\0'); // whole lines
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  for (std::size_t begin = 0; begin < std::min(text.size(), kHead);) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(begin, end - begin));
    if (!line.empty() && line.front() != '#')
      return std::string(line);
    begin = end + 1;
  }
  return {};
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
  const auto found = indices.find(name);
  last = found != indices.end() ? found->second : static_cast<std::uint32_t>(names.size());
  if (found == indices.end()) {
    names.emplace_back(name);
    indices.emplace(name, last);
  }
  return last;
}

} // namespace hinesight::io
