#include "io/networks/relearn_files.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/compressed.hpp"
#include "io/networks/network_files.hpp"
#include "io/text_lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <system_error>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using detail::parseWhole;
using detail::takeWord;
using detail::TextLines;
using detail::TextRows;
using synapse::NeuronPopulation;

constexpr std::string_view kPositionsRow = "id x y z area ex|in";
constexpr std::string_view kNetworkRow = "target_rank target_id source_rank source_id weight plastic";
constexpr std::string_view kPositions = "positions";
constexpr std::string_view kInNetwork = "in_network";
constexpr std::string_view kOutNetwork = "out_network";

/// The R of "rank_R_...", none where the name has another form.
std::optional<std::uint32_t> rankOf(const fs::path& path)
{
  const std::string name = path.filename().string();
  constexpr std::string_view kPrefix = "rank_";
  std::uint32_t rank = 0;
  const std::size_t end = name.find('_', kPrefix.size());
  if (!name.starts_with(kPrefix) || end == std::string::npos ||
      !parseWhole(std::string_view(name).substr(kPrefix.size(), end - kPrefix.size()), rank))
    return std::nullopt;
  return rank;
}

/// Whether the name of a file says that it holds neurons or synapses of that kind.
bool isOfKind(const fs::path& path, std::string_view kind)
{
  const std::string name = path.filename().string();
  return name.find(kind) != std::string::npos && (name.ends_with(".txt") || name.ends_with(".txt.gz"));
}

/// The files of a folder whose names hold `kind`, by rank; 0, 1, 2 and so on.
std::vector<fs::path> filesOfRanks(const fs::path& folder, std::string_view kind)
{
  std::map<std::uint32_t, fs::path> byRank;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    if (!isOfKind(entry->path(), kind))
      continue;
    const auto rank = rankOf(entry->path());
    if (rank && !byRank.emplace(*rank, entry->path()).second)
      throw Error(ErrorCode::BadFormat,
                  "holds two files of " + std::string(kind) + " of rank " + std::to_string(*rank) + "; keep one",
                  folder.string());
  }
  if (failure)
    throw Error(ErrorCode::FileUnreadable, "cannot be read: " + failure.message(), folder.string());
  std::vector<fs::path> files;
  for (const auto& [rank, path] : byRank) {
    if (rank != files.size())
      throw Error(ErrorCode::BadFormat,
                  "holds no file of " + std::string(kind) + " of rank " + std::to_string(files.size()) +
                      ", but one of rank " + std::to_string(rank),
                  folder.string());
    files.push_back(path);
  }
  return files;
}

/// The number behind "# NAME: " in a comment.
bool takeComment(std::string_view line, std::string_view name, std::uint64_t& value)
{
  line.remove_prefix(std::min<std::size_t>(line.size(), 2));
  if (!line.starts_with(name) || !line.substr(name.size()).starts_with(": "))
    return false;
  line.remove_prefix(name.size() + 2);
  return parseWhole(takeWord(line), value);
}

// Positions.

class PositionsReader
{
public:
  explicit PositionsReader(const RunControl& runControl) : control(runControl) {}

  void addFile(const std::string& text, const fs::path& path)
  {
    TextLines lines(text, path.string(), control);
    std::uint64_t count = 0;
    std::optional<std::uint64_t> promised;
    while (lines.next()) {
      if (lines.line().empty())
        continue;
      if (lines.line().front() == '#') {
        takeSizes(lines, promised);
        continue;
      }
      addRow(lines, ++count);
    }
    if (promised && *promised != count)
      throw Error(ErrorCode::BadFormat,
                  "holds " + std::to_string(count) + " neurons where its first line says " + std::to_string(*promised) +
                      "; was it cut short?",
                  path.string());
  }

  NeuronPopulation take(const fs::path& path)
  {
    if (population.position.empty())
      throw Error(ErrorCode::BadFormat, "holds no neurons; lines \"" + std::string(kPositionsRow) + "\" are needed",
                  path.string());
    if (total && *total != population.size())
      throw Error(ErrorCode::BadFormat,
                  "holds " + std::to_string(population.size()) + " of " + std::to_string(*total) +
                      " neurons; open the folder with the files of all ranks",
                  path.string());
    population.areaNames = areas.take();
    return std::move(population);
  }

private:
  /// "# 10 of 40": neurons of this rank, of all.
  void takeSizes(const TextLines& lines, std::optional<std::uint64_t>& promised)
  {
    std::string_view rest = lines.line();
    std::uint64_t here = 0, all = 0;
    if (takeWord(rest) != "#" || !parseWhole(takeWord(rest), here) || takeWord(rest) != "of" ||
        !parseWhole(takeWord(rest), all))
      return;
    if (total && *total != all)
      lines.fail("says that there are " + std::to_string(all) + " neurons, the file of another rank " +
                 std::to_string(*total));
    promised = here;
    total = all;
  }

  void addRow(const TextLines& lines, std::uint64_t expected)
  {
    std::string_view rest = lines.line();
    std::uint64_t id = 0;
    if (!parseWhole(takeWord(rest), id))
      lines.fail(detail::quoteLine(lines.line()) + " is no row \"" + std::string(kPositionsRow) + "\"");
    if (id != expected)
      lines.fail("is of neuron " + std::to_string(id) + " where " + std::to_string(expected) +
                 " is expected; ids count from 1");
    synapse::Position position;
    for (double& x : position) {
      const std::string_view word = takeWord(rest);
      if (!parseWhole(word, x) || !std::isfinite(x))
        lines.fail(detail::quoteLine(word) + " is no finite coordinate of neuron " + std::to_string(id));
    }
    const std::string_view area = takeWord(rest);
    const std::string_view type = takeWord(rest);
    if ((type != "ex" && type != "in") || !takeWord(rest).empty())
      lines.fail(detail::quoteLine(lines.line()) + " does not end in an area and \"ex\" or \"in\"");
    population.position.push_back(position);
    population.isInhibitory.push_back(type == "in" ? 1 : 0);
    population.area.push_back(areas.indexOf(area));
  }

  const RunControl& control;
  std::optional<std::uint64_t> total; ///< neurons of all ranks
  NeuronPopulation population;
  detail::AreaNames areas;
};

std::array<synapse::Position, 2> boundsOf(const std::vector<synapse::Position>& positions)
{
  std::array<synapse::Position, 2> bounds = {};
  if (!positions.empty())
    bounds = {positions.front(), positions.front()};
  for (const synapse::Position& position : positions)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds[0][axis] = std::min(bounds[0][axis], position[axis]);
      bounds[1][axis] = std::max(bounds[1][axis], position[axis]);
    }
  return bounds;
}

void writeHead(TextRows& text, const NeuronPopulation& population)
{
  const auto bounds = boundsOf(population.position);
  const auto writePoint = [&](const synapse::Position& p) {
    text << '(' << p[0] << ", " << p[1] << ", " << p[2] << ')';
  };
  text << "# " << population.size() << " of " << population.size();
  text.endRow();
  for (std::size_t end = 0; end < 2; ++end)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      text << (end == 0 ? "# Minimum " : "# Maximum ") << "xyz"[axis] << ": " << bounds[end][axis];
      text.endRow();
    }
  text << "# <local id> <pos x> <pos y> <pos z> <area> <type>\n# Number of local subdomains: 1\n"
       << "# Local subdomain 0 boundaries ";
  writePoint(bounds[0]);
  text << " - ";
  writePoint(bounds[1]);
  text.endRow();
}

// Networks.

struct NetworkHead
{
  std::uint64_t total = 0, local = 0, ranks = 0, step = 0;
};

/// One rank's file: its text, and what its comments say.
struct NetworkFile
{
  fs::path path;
  std::string text;
  NetworkHead head;
};

NetworkFile openNetwork(const fs::path& path)
{
  NetworkFile file{path, readUnpacked(path), {}};
  TextLines lines(file.text, path.string());
  while (lines.next() && lines.line().starts_with('#')) {
    takeComment(lines.line(), "Total number neurons", file.head.total);
    takeComment(lines.line(), "Local number neurons", file.head.local);
    takeComment(lines.line(), "Number MPI ranks", file.head.ranks);
    takeComment(lines.line(), "Current simulation step", file.head.step);
  }
  if (file.head.total == 0)
    throw Error(ErrorCode::BadFormat,
                "does not begin with \"# Total number neurons: N\"; is it a network file of RELeARN?", path.string(),
                1);
  return file;
}

class NetworkReader
{
public:
  /// Files of ranks 0, 1, ... or a single one, of rank `firstRank`.
  NetworkReader(std::vector<NetworkFile> rankFiles, std::uint32_t lowestRank, const RunControl& runControl)
      : files(std::move(rankFiles)), firstRank(lowestRank), control(runControl),
        builder(files.front().path.string(), files.front().head.total)
  {
    for (const NetworkFile& file : files) {
      const NetworkHead& head = file.head;
      if (head.total != files.front().head.total)
        fail(file, "says that there are " + std::to_string(head.total) + " neurons, the file of another rank " +
                       std::to_string(files.front().head.total));
      if (head.ranks > files.size())
        fail(file, "is of a run with " + std::to_string(head.ranks) + " ranks, of which " +
                       std::to_string(files.size()) + " are here; open the folder with the files of all of them");
      offset.push_back(offset.back() + (head.local > 0 || head.ranks > 1 ? head.local : head.total));
    }
    if (offset.back() != files.front().head.total)
      fail(files.front(), "says that there are " + std::to_string(files.front().head.total) +
                              " neurons, its ranks have " + std::to_string(offset.back()));
  }

  StoredNetwork read()
  {
    for (const NetworkFile& file : files) {
      TextLines lines(file.text, file.path.string(), control);
      while (lines.next())
        if (!lines.line().empty() && lines.line().front() != '#')
          addRow(lines);
    }
    constexpr std::uint64_t kMostSteps = 0xFFFFFFFF;
    return builder.finish(static_cast<std::uint32_t>(std::min(files.front().head.step, kMostSteps)));
  }

private:
  [[noreturn]] static void fail(const NetworkFile& file, const std::string& what)
  {
    throw Error(ErrorCode::BadFormat, what, file.path.string());
  }

  void addRow(const TextLines& lines)
  {
    std::string_view rest = lines.line();
    std::array<std::uint64_t, 4> ids; // target rank and id, source rank and id
    bool isRow = true;
    for (std::uint64_t& id : ids)
      isRow = isRow && parseWhole(takeWord(rest), id);
    double weight = 0;
    isRow = isRow && parseWhole(takeWord(rest), weight);
    const std::string_view plastic = takeWord(rest);
    if (!isRow || (plastic != "0" && plastic != "1") || !takeWord(rest).empty())
      lines.fail(detail::quoteLine(lines.line()) + " is no row \"" + std::string(kNetworkRow) + "\"");
    const std::uint64_t target = indexOf(lines, ids[0], ids[1]);
    const std::uint64_t source = indexOf(lines, ids[2], ids[3]);
    builder.add(source, target, weight, plastic == "1", lines.number());
  }

  std::uint64_t indexOf(const TextLines& lines, std::uint64_t rank, std::uint64_t id) const
  {
    if (rank < firstRank || rank - firstRank >= files.size())
      lines.fail("names rank " + std::to_string(rank) + ", of which there is no file");
    const std::uint64_t place = rank - firstRank;
    const std::uint64_t count = offset[place + 1] - offset[place];
    if (id < 1 || id > count)
      lines.fail("names neuron " + std::to_string(id) + " of rank " + std::to_string(rank) +
                 ", which has neurons 1 to " + std::to_string(count));
    return offset[place] + id - 1;
  }

  std::vector<NetworkFile> files;
  std::uint32_t firstRank;
  const RunControl& control;
  std::vector<std::uint64_t> offset = {0}; ///< first neuron of each rank
  detail::NetworkBuilder builder;
};

/// None where the folder has no such files.
std::optional<StoredNetwork> readRanks(const fs::path& folder, std::string_view kind, const RunControl& control)
{
  std::vector<NetworkFile> files;
  for (const fs::path& path : filesOfRanks(folder, kind))
    files.push_back(openNetwork(path));
  if (files.empty())
    return std::nullopt;
  return NetworkReader(std::move(files), 0, control).read();
}

StoredNetwork readFolder(const fs::path& folder, const RunControl& control)
{
  auto in = readRanks(folder, kInNetwork, control);
  auto out = readRanks(folder, kOutNetwork, control);
  if (!in && !out)
    throw Error(ErrorCode::BadFormat, "holds no files rank_R_in_network.txt or rank_R_out_network.txt",
                folder.string());
  if (in && out && (in->plastic.synapses != out->plastic.synapses || in->fixed != out->fixed))
    throw Error(ErrorCode::BadFormat,
                "holds in-networks and out-networks that are not of the same synapses; remove the ones that are out of "
                "date",
                folder.string());
  return in ? std::move(*in) : std::move(*out);
}

/// By target, then source.
template <typename Synapse>
std::vector<Synapse> orderByTarget(std::vector<Synapse> synapses)
{
  std::sort(synapses.begin(), synapses.end(), [](const Synapse& a, const Synapse& b) {
    return a.target != b.target ? a.target < b.target : a.source < b.source;
  });
  return synapses;
}

void writeNetworkFile(const StoredNetwork& network, bool isByTarget, const fs::path& path, const RunControl& control)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    TextRows text(stream, control);
    text << "# Total number neurons: " << network.neurons() << "\n# Local number neurons: " << network.neurons()
         << "\n# Number MPI ranks: 1\n# Current simulation step: " << network.step
         << "\n# <target rank> <target neuron id>\t<source rank> <source neuron id>\t<weight>\t<plastic>\n";
    const auto writeRows = [&](const auto& synapses, char plastic) {
      for (const auto& synapse : synapses) {
        text << "0 " << std::uint64_t{synapse.target} + 1 << "\t0 " << std::uint64_t{synapse.source} + 1 << '\t'
             << synapse.weight << '\t' << plastic;
        text.endRow();
      }
    };
    writeRows(isByTarget ? orderByTarget(network.fixed) : network.fixed, '0');
    writeRows(isByTarget ? orderByTarget(network.plastic.synapses) : network.plastic.synapses, '1');
  });
}

} // namespace

/// By a row of kNetworkRow or kPositionsRow.
NetworkContent detail::contentOfRelearn(const fs::path& path)
{
  const std::string row = firstRow(path);
  std::string_view rest = row;
  std::vector<std::string_view> words;
  for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest))
    words.push_back(word);
  if (words.size() != 6)
    return NetworkContent::Other;
  if (words.back() == "ex" || words.back() == "in")
    return NetworkContent::Neurons;
  double weight = 0; // of a static synapse, any
  const bool hasWeight = parseWhole(words[4], weight);
  words.erase(words.begin() + 4);
  const bool areWhole = std::all_of(words.begin(), words.end(), [](std::string_view word) {
    std::int64_t number = 0;
    return parseWhole(word, number);
  });
  return hasWeight && areWhole ? NetworkContent::Network : NetworkContent::Other;
}

bool holdsRelearnFiles(const fs::path& folder)
{
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    for (const std::string_view kind : {kPositions, kInNetwork, kOutNetwork})
      if (isOfKind(entry->path(), kind) && rankOf(entry->path()))
        return true;
  return false;
}

NeuronPopulation detail::parseRelearnPositions(const std::string& text, const fs::path& path, const RunControl& control)
{
  PositionsReader reader(control);
  reader.addFile(text, path);
  return reader.take(path);
}

NeuronPopulation readRelearnPositions(const fs::path& path, const RunControl& control)
{
  if (!isFolder(path))
    return detail::parseRelearnPositions(readUnpacked(path), path, control);
  PositionsReader reader(control);
  const std::vector<fs::path> files = filesOfRanks(path, kPositions);
  if (files.empty())
    throw Error(ErrorCode::BadFormat, "holds no files rank_R_positions.txt", path.string());
  for (const fs::path& file : files)
    reader.addFile(readUnpacked(file), file);
  return reader.take(path);
}

void writeRelearnPositions(const NeuronPopulation& population, const fs::path& path, const RunControl& control)
{
  for (const std::string& area : population.areaNames)
    if (area.empty() || area.find_first_of(" \t\r\n") != std::string::npos)
      throw Error(ErrorCode::BadParameter,
                  "The area \"" + area + "\" cannot be named in a RELeARN file; give it a name without blanks.",
                  path.string());
  const bool isIntoFolder = isFolder(path) || !path.has_filename();
  writeFileAtomically(isIntoFolder ? path / "rank_0_positions.txt" : path, [&](std::ostream& stream) {
    TextRows text(stream, control);
    writeHead(text, population);
    for (std::size_t i = 0; i < population.size(); ++i) {
      text << i + 1;
      for (const double x : population.position[i])
        text << ' ' << x;
      text << ' ' << population.areaNames[population.area[i]] << (population.isInhibitory[i] ? " in" : " ex");
      text.endRow();
    }
  });
}

StoredNetwork readRelearnNetwork(const fs::path& path, const RunControl& control)
{
  if (isFolder(path))
    return readFolder(path, control);
  std::vector<NetworkFile> files;
  files.push_back(openNetwork(path));
  return NetworkReader(std::move(files), rankOf(path).value_or(0), control).read();
}

void writeRelearnNetwork(const StoredNetwork& network, const fs::path& path, const RunControl& control)
{
  if (isFolder(path) || !path.has_filename()) {
    writeNetworkFile(network, true, path / "rank_0_in_network.txt", control);
    writeNetworkFile(network, false, path / "rank_0_out_network.txt", control);
    return;
  }
  const bool isOut = path.filename().string().find(kOutNetwork) != std::string::npos;
  writeNetworkFile(network, !isOut, path, control);
}

} // namespace hinesight::io
