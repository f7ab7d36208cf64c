#include "io/sonata/spike_files.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"
#include "io/sonata/sonata_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;

void requireFinite(double time, const std::string& path, std::int64_t line = 0)
{
  if (!(std::isfinite(time) && time >= 0))
    throw Error(ErrorCode::BadFormat, "has a spike at " + textOf(time) + " ms; times are 0 or more", path, line);
}

PopulationSpikes readGroup(const Hdf5Reader& file, const std::string& group, const char* nodes, const std::string& path)
{
  PopulationSpikes spikes;
  const std::uint64_t count = file.count(group + "/timestamps");
  if (file.count(group + nodes) != count)
    throw Error(ErrorCode::BadFormat, group + nodes + " does not have a value for each spike", path);
  requireMemory(count * (sizeof(double) + 2 * sizeof(std::int64_t)), std::to_string(count) + " spikes", path);
  spikes.time.resize(count);
  file.read(group + "/timestamps", 0, std::span(spikes.time));
  std::vector<std::int64_t> ids(count);
  file.read(group + nodes, 0, std::span(ids));
  for (const double time : spikes.time)
    requireFinite(time, path);
  if (std::ranges::any_of(ids, [](std::int64_t id) { return id < 0; }))
    throw Error(ErrorCode::BadFormat, group + nodes + " has ids below 0", path);
  spikes.node.assign(ids.begin(), ids.end());
  return spikes;
}

std::vector<PopulationSpikes> readHdf5(const fs::path& path)
{
  const Hdf5Reader file(path);
  if (!file.has("/spikes"))
    throw Error(ErrorCode::BadFormat, "has no /spikes; is it a SONATA file of spikes?", path.string());
  if (file.has("/spikes/timestamps"))
    return {readGroup(file, "/spikes", file.has("/spikes/gids") ? "/gids" : "/node_ids", path.string())};
  std::vector<PopulationSpikes> all;
  for (const std::string& name : file.namesIn("/spikes")) {
    all.push_back(readGroup(file, "/spikes/" + name, "/node_ids", path.string()));
    all.back().population = name;
  }
  return all;
}

std::vector<std::string_view> wordsOf(std::string_view line)
{
  constexpr std::string_view kBetween = " \t,;\r";
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBetween, end);
  }
  return words;
}

/// Which columns of a CSV file are which.
struct Columns
{
  std::size_t time = 0, node = 2, population = 1;
  bool hasPopulation = true;
};

Columns columnsOf(const std::vector<std::string_view>& names, const std::string& path)
{
  const auto find = [&](std::initializer_list<std::string_view> known) {
    return static_cast<std::size_t>(std::ranges::find_first_of(names, known) - names.begin());
  };
  const Columns columns{find({"timestamps", "spike-times"}), find({"node_ids", "gid", "gids"}),
                        find({"population", "populations"}), false};
  if (columns.time == names.size() || columns.node == names.size())
    throw Error(ErrorCode::BadFormat, "has no columns \"timestamps\" and \"node_ids\" in its first line", path, 1);
  return {columns.time, columns.node, columns.population, columns.population < names.size()};
}

std::vector<PopulationSpikes> readCsv(const std::string& text, const std::string& path, const RunControl& control)
{
  constexpr std::int64_t kLinesBetweenLooks = 1 << 12;
  std::map<std::string, PopulationSpikes, std::less<>> byName;
  std::string_view rest = text;
  Columns columns;
  for (std::int64_t line = 1; !rest.empty(); ++line) {
    if (line % kLinesBetweenLooks == 0)
      control.checkpoint();
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<std::string_view> words = wordsOf(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line == 1) {
      columns = columnsOf(words, path);
      continue;
    }
    if (words.empty())
      continue;
    const std::size_t needed = std::max({columns.time, columns.node, columns.hasPopulation ? columns.population : 0});
    const auto time = words.size() > needed ? numberOf<double>(words[columns.time]) : std::nullopt;
    const auto node = words.size() > needed ? numberOf<std::uint64_t>(words[columns.node]) : std::nullopt;
    if (!time || !node)
      throw Error(ErrorCode::BadFormat, "is no spike: a time and the id of a node are needed", path, line);
    requireFinite(*time, path, line);
    PopulationSpikes& spikes = byName[columns.hasPopulation ? std::string(words[columns.population]) : std::string()];
    spikes.time.push_back(*time);
    spikes.node.push_back(*node);
  }
  std::vector<PopulationSpikes> all;
  for (auto& [name, spikes] : byName) {
    spikes.population = name;
    all.push_back(std::move(spikes));
  }
  return all;
}

} // namespace

std::vector<PopulationSpikes> readSpikes(const fs::path& path, const RunControl& control)
{
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  const std::string text = readFile(path);
  return text.starts_with(kSignature) ? readHdf5(path) : readCsv(text, path.string(), control);
}

void writeSpikesHdf5(std::span<const PopulationSpikes> spikes, const fs::path& path)
{
  replaceFileAtomically(path, [&](const fs::path& temporary) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places; // of times and ids
    {
      Hdf5Layout layout(temporary, path.string());
      detail::addSonataRoot(layout);
      layout.addGroup("/spikes");
      for (const PopulationSpikes& each : spikes) {
        const std::string group = "/spikes/" + each.population;
        layout.addGroup(group);
        layout.addAttribute(group, "sorting", "by_time", StoredText::Variable);
        const std::uint64_t times = layout.addColumn(group + "/timestamps", StoredNumber::Float64, each.time.size());
        layout.addAttribute(group + "/timestamps", "units", "milliseconds", StoredText::Variable);
        places.emplace_back(times, layout.addColumn(group + "/node_ids", StoredNumber::UInt64, each.node.size()));
      }
      layout.close();
    }
    const RowFile file(temporary, path.string());
    for (std::size_t k = 0; k < spikes.size(); ++k) {
      file.write(places[k].first, spikes[k].time.data(), spikes[k].time.size() * sizeof(double));
      file.write(places[k].second, spikes[k].node.data(), spikes[k].node.size() * sizeof(std::uint64_t));
    }
  });
}

void writeSpikesCsv(std::span<const PopulationSpikes> spikes, const fs::path& path)
{
  std::vector<std::pair<std::size_t, std::size_t>> order; // population, spike
  for (std::size_t k = 0; k < spikes.size(); ++k)
    for (std::size_t i = 0; i < spikes[k].time.size(); ++i)
      order.emplace_back(k, i);
  std::ranges::stable_sort(order, {}, [&](const auto& at) { return spikes[at.first].time[at.second]; });
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream << "timestamps population node_ids\n";
    for (const auto& [k, i] : order)
      stream << textOf(spikes[k].time[i]) << ' ' << spikes[k].population << ' ' << spikes[k].node[i] << '\n';
  });
}

} // namespace hinesight::io
