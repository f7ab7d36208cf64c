#include "io/sonata/synapse_edges.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/sonata/sonata_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace hinesight::io {

namespace {

/// A column of whole numbers, one for each of `count`.
std::vector<std::int64_t> wholeNumbers(const Hdf5Reader& file, const std::string& column, std::uint64_t count,
                                       const std::string& path)
{
  if (file.count(column) != count)
    throw Error(ErrorCode::BadFormat,
                column + " holds " + std::to_string(file.count(column)) + " values where " + std::to_string(count) +
                    " are needed",
                path);
  std::vector<std::int64_t> values(count);
  file.read(column, 0, std::span(values));
  return values;
}

std::vector<std::uint64_t> ids(const Hdf5Reader& file, const std::string& column, std::uint64_t count,
                               const std::string& path)
{
  const std::vector<std::int64_t> values = wholeNumbers(file, column, count, path);
  if (std::ranges::any_of(values, [](std::int64_t id) { return id < 0; }))
    throw Error(ErrorCode::BadFormat, column + " has ids below 0", path);
  return {values.begin(), values.end()};
}

/// Reads the edges of a population: which group each is of, and its row there.
class EdgeReader
{
public:
  EdgeReader(const Hdf5Reader& reader, const std::string& name, std::string path)
      : file(reader), edges("/edges/" + name), shown(std::move(path))
  {
    made.file = shown;
    made.population = name;
  }

  SynapseEdges read(const RunControl& control)
  {
    made.source = file.textAttribute(edges + "/source_node_id", "node_population");
    made.target = file.textAttribute(edges + "/target_node_id", "node_population");
    const std::uint64_t count = file.count(edges + "/target_node_id");
    constexpr std::uint64_t kBytes = 14 * sizeof(double);
    requireMemory(count * kBytes, std::to_string(count) + " edges", shown);
    made.sourceNode = ids(file, edges + "/source_node_id", count, shown);
    made.targetNode = ids(file, edges + "/target_node_id", count, shown);
    made.type = wholeNumbers(file, edges + "/edge_type_id", count, shown);
    groupOf.assign(count, 0);
    rowOf.resize(count);
    std::iota(rowOf.begin(), rowOf.end(), std::int64_t{0});
    if (file.has(edges + "/edge_group_id"))
      groupOf = wholeNumbers(file, edges + "/edge_group_id", count, shown);
    if (file.has(edges + "/edge_group_index"))
      rowOf = wholeNumbers(file, edges + "/edge_group_index", count, shown);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    control.checkpoint();
    made.weight.assign(count, kNone);
    made.delay.assign(count, kNone);
    made.position.assign(count, kNone);
    made.section.assign(count, -1);
    made.sourceSection.assign(count, -1);
    made.sourcePosition.assign(count, kNone);
    made.synapses.assign(count, 1);
    std::vector<std::int64_t> groups(groupOf);
    std::ranges::sort(groups);
    groups.erase(std::ranges::unique(groups).begin(), groups.end());
    for (const std::int64_t group : groups) {
      take(group, {"syn_weight"}, made.weight);
      take(group, {"delay"}, made.delay);
      take(group, {"afferent_section_id", "sec_id"}, made.section);
      take(group, {"afferent_section_pos", "sec_x"}, made.position);
      take(group, {"efferent_section_id"}, made.sourceSection);
      take(group, {"efferent_section_pos"}, made.sourcePosition);
      take(group, {"nsyns"}, made.synapses);
      control.checkpoint();
    }
    return std::move(made);
  }

private:
  /// The first of these columns that the group has, to the edges of the group.
  template <typename Value>
  void take(std::int64_t group, std::initializer_list<const char*> names, std::vector<Value>& values) const
  {
    for (const char* const name : names) {
      const std::string column = edges + "/" + std::to_string(group) + "/" + name;
      if (!file.has(column))
        continue;
      std::vector<Value> rows(file.count(column));
      file.read(column, 0, std::span(rows));
      for (std::size_t edge = 0; edge < values.size(); ++edge) {
        if (groupOf[edge] != group)
          continue;
        if (rowOf[edge] < 0 || static_cast<std::size_t>(rowOf[edge]) >= rows.size())
          throw Error(ErrorCode::BadFormat,
                      edges + "/edge_group_index of edge " + std::to_string(edge) + " is " +
                          std::to_string(rowOf[edge]) + " where " + column + " has " + std::to_string(rows.size()) +
                          " values",
                      shown);
        values[edge] = rows[static_cast<std::size_t>(rowOf[edge])];
      }
      return;
    }
  }

  const Hdf5Reader& file;
  const std::string edges, shown;
  std::vector<std::int64_t> groupOf, rowOf;
  SynapseEdges made;
};

} // namespace

std::vector<SynapseEdges> readSynapseEdges(const std::filesystem::path& path, const RunControl& control)
{
  const Hdf5Reader file(path);
  if (!file.has("/edges"))
    throw Error(ErrorCode::BadFormat, "has no /edges; is it a SONATA file?", path.string());
  std::vector<SynapseEdges> all;
  for (const std::string& name : file.namesIn("/edges"))
    all.push_back(EdgeReader(file, name, path.string()).read(control));
  return all;
}

std::vector<SonataNodes> readSonataNodes(const std::filesystem::path& path)
{
  const Hdf5Reader file(path);
  if (!file.has("/nodes"))
    throw Error(ErrorCode::BadFormat, "has no /nodes; is it a SONATA file?", path.string());
  std::vector<SonataNodes> all;
  for (const std::string& name : file.namesIn("/nodes")) {
    const std::string nodes = "/nodes/" + name;
    const std::uint64_t count = detail::countNodes(file, nodes);
    requireMemory(count * 4 * sizeof(std::uint64_t), std::to_string(count) + " nodes", path.string());
    SonataNodes made{name, std::vector<std::uint64_t>(count),
                     wholeNumbers(file, nodes + "/node_type_id", count, path.string())};
    std::iota(made.id.begin(), made.id.end(), std::uint64_t{0});
    if (file.has(nodes + "/node_id"))
      made.id = ids(file, nodes + "/node_id", count, path.string());
    all.push_back(std::move(made));
  }
  return all;
}

} // namespace hinesight::io
