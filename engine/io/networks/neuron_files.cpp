#include "io/networks/neuron_files.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/compressed.hpp"
#include "io/networks/bare_positions.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/relearn_files.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/text_lines.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>
#include <utility>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using synapse::NeuronPopulation;
using Positions = std::array<std::vector<double>, 3>;

constexpr std::string_view kSonata = ".h5";

std::string lowerCase(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The ending of the name, of what is packed where it is.
std::string endingOf(const fs::path& path)
{
  return lowerCase((isCompressed(path) ? path.stem() : path).extension().string());
}

enum class NeuronText
{
  Bare,
  Own,
  Relearn
};

bool isNumber(std::string_view word)
{
  double value = 0;
  return detail::parseWhole(word, value);
}

/// A row "id x y z area ex|in", or the first one of a file that nearly is.
bool isRelearnRow(std::string_view line)
{
  std::vector<std::string_view> words;
  for (std::string_view word = detail::takeWord(line); !word.empty(); word = detail::takeWord(line))
    words.push_back(word);
  constexpr std::size_t kArea = 4, kType = 5;
  if (words.size() == kType + 1 && (words[kType] == "ex" || words[kType] == "in"))
    return true;
  return words.size() > kArea && words[0] == "1" && !isNumber(words[kArea]);
}

NeuronText kindOf(std::string_view text, const fs::path& path)
{
  const std::string file = path.string();
  const std::string ending = endingOf(path);
  if (ending == ".swc")
    detail::refuseSwc(file);
  detail::TextLines lines(text, file);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with("# Total number neurons"))
      throw Error(ErrorCode::BadFormat, "is a network of RELeARN and holds no positions of neurons", file);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#'))
      continue;
    if (line == detail::kNeuronColumns)
      return NeuronText::Own;
    return isRelearnRow(line) ? NeuronText::Relearn : NeuronText::Bare;
  }
  // Nothing but comments: each format says in its own words what it lacks.
  return ending == ".txt" ? NeuronText::Relearn : NeuronText::Bare;
}

NeuronPopulation withoutTypes(const Positions& positions)
{
  NeuronPopulation population;
  const auto& [x, y, z] = positions;
  population.position.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    population.position.push_back({x[i], y[i], z[i]});
  population.isInhibitory.assign(x.size(), 0);
  population.area.assign(x.size(), 0);
  return population;
}

Positions positionsOf(const NeuronPopulation& population)
{
  Positions positions;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    positions[axis].reserve(population.size());
    for (const synapse::Position& position : population.position)
      positions[axis].push_back(position[axis]);
  }
  return positions;
}

Positions readSonataPositions(const NeuronFile& file)
{
  const Hdf5Reader reader(file.path);
  return detail::readPlacedNodes(reader, detail::nodesNamed(reader, file.population, file.path), file.path);
}

/// Calls either with the text of positions alone, or with whole neurons.
template <typename TakeBare, typename TakeNeurons>
auto readText(const fs::path& path, const RunControl& control, const TakeBare& takeBare, const TakeNeurons& takeNeurons)
{
  if (isFolder(path))
    return takeNeurons(readRelearnPositions(path, control));
  const std::string text = readUnpacked(path);
  switch (kindOf(text, path)) {
  case NeuronText::Own:
    return takeNeurons(detail::parseNeuronsCsv(text, path.string(), control));
  case NeuronText::Relearn:
    return takeNeurons(detail::parseRelearnPositions(text, path, control));
  case NeuronText::Bare:
    break;
  }
  return takeBare(detail::parseBarePositions(text, path.string(), control));
}

} // namespace

NeuronFile parseNeuronFile(const std::string& text)
{
  const std::size_t found = lowerCase(text).rfind(std::string(kSonata) + ':');
  if (found == std::string::npos)
    return {text, {}};
  const std::size_t colon = found + kSonata.size();
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string neuronFileHelp()
{
  return "text, .txt or .csv, packed (.gz) or not; SONATA nodes, FILE.h5 or FILE.h5:POPULATION; or a folder of "
         "RELeARN's";
}

bool isSonataFile(const fs::path& path)
{
  return lowerCase(path.extension().string()) == kSonata;
}

NeuronPopulation readNeuronPopulation(const NeuronFile& file, const RunControl& control)
{
  control.report("read", 0);
  const bool isSonata = isSonataFile(file.path) && !isFolder(file.path);
  NeuronPopulation population = isSonata ? detail::readNeuronsSonata(file.path, file.population, control)
                                         : readText(file.path, control, withoutTypes, std::identity());
  population.origin = {{"positions", file.population.empty() ? file.path : file.path + ":" + file.population}};
  return population;
}

NeuronPopulation readNeuronPopulation(const fs::path& path, const RunControl& control)
{
  return readNeuronPopulation(NeuronFile{path.string(), {}}, control);
}

Positions readPositions(const NeuronFile& file, const RunControl& control)
{
  control.report("read", 0);
  if (isSonataFile(file.path) && !isFolder(file.path))
    return readSonataPositions(file);
  return readText(file.path, control, std::identity(), positionsOf);
}

std::string leftBehind(const NeuronFile& file)
{
  if (!isSonataFile(file.path) || isFolder(file.path))
    return {};
  const Hdf5Reader reader(file.path);
  std::uint64_t edges = 0;
  if (reader.has("/edges"))
    for (const std::string& name : reader.namesIn("/edges"))
      edges += reader.count("/edges/" + name + "/source_node_id");
  if (edges == 0)
    return {};
  return "only its neurons are read; its " + std::to_string(edges) + " connections and their weights are not";
}

std::vector<std::string> sonataPopulations(const fs::path& path)
{
  const Hdf5Reader file(path);
  std::vector<std::string> names = file.has("/nodes") ? file.namesIn("/nodes") : std::vector<std::string>();
  if (names.empty())
    throw Error(ErrorCode::BadFormat, "has no populations in /nodes; is it a SONATA file?", path.string());
  return names;
}

std::shared_ptr<const projection::Population> makePopulation(const projection::PopulationParameters& parameters,
                                                             const std::string& nodes, const RunControl& control)
{
  if (parameters.kind != projection::PopulationKind::File)
    return projection::makePopulation(parameters, control);
  projection::validate(parameters);
  auto positions = readPositions({parameters.file, nodes}, control);
  // The nodes of a SONATA file are known by the table that they are in, not by where they came from.
  if (isSonataFile(parameters.file))
    return projection::populationAt(parameters.name, std::move(positions));
  return projection::populationAt(parameters, std::move(positions));
}

} // namespace hinesight::io
