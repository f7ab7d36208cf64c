#include "io/sonata/sonata_parts.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "projection/populations/population.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::io::detail {

void addSonataRoot(Hdf5Layout& file)
{
  constexpr std::uint32_t kMagic = 0x0A7A;
  constexpr std::array<std::uint32_t, 2> kVersion = {0, 1};
  file.addAttribute("/", "magic", std::span(&kMagic, 1));
  file.addAttribute("/", "version", kVersion);
}

NodeColumns layOutNodes(Hdf5Layout& file, const std::string& name, std::uint64_t count, std::uint64_t* type)
{
  const std::string nodes = "/nodes/" + name;
  file.addGroup(nodes + "/0");
  if (type)
    *type = file.addColumn(nodes + "/node_type_id", StoredNumber::UInt64, count);
  else
    file.addConstantColumn(nodes + "/node_type_id", StoredNumber::UInt64, count, 0);
  file.addConstantColumn(nodes + "/node_group_id", StoredNumber::UInt32, count, 0);
  return {file.addColumn(nodes + "/node_id", StoredNumber::UInt64, count),
          file.addColumn(nodes + "/node_group_index", StoredNumber::UInt64, count),
          {file.addColumn(nodes + "/0/x", StoredNumber::Float64, count),
           file.addColumn(nodes + "/0/y", StoredNumber::Float64, count),
           file.addColumn(nodes + "/0/z", StoredNumber::Float64, count)}};
}

EdgeColumns addEdgeColumns(Hdf5Layout& file, const std::string& edges, std::uint64_t rows, const std::string& source,
                           const std::string& target, StoredText text, std::uint64_t* type)
{
  EdgeColumns columns{};
  columns.source = file.addColumn(edges + "/source_node_id", StoredNumber::UInt64, rows);
  file.addAttribute(edges + "/source_node_id", "node_population", source, text);
  columns.target = file.addColumn(edges + "/target_node_id", StoredNumber::UInt64, rows);
  file.addAttribute(edges + "/target_node_id", "node_population", target, text);
  if (type)
    *type = file.addColumn(edges + "/edge_type_id", StoredNumber::UInt64, rows);
  else
    file.addConstantColumn(edges + "/edge_type_id", StoredNumber::UInt32, rows, 0);
  file.addConstantColumn(edges + "/edge_group_id", StoredNumber::UInt32, rows, 0);
  columns.groupIndex = file.addColumn(edges + "/edge_group_index", StoredNumber::UInt64, rows);
  columns.weight = file.addColumn(edges + "/0/syn_weight", StoredNumber::Float64, rows);
  return columns;
}

void addSourceIndex(Hdf5Layout& file, const std::string& edges, const std::vector<std::uint64_t>& offsets)
{
  std::vector<std::array<std::uint64_t, 2>> ofNode, ofRange;
  ofNode.reserve(offsets.size() - 1);
  for (std::size_t source = 0; source + 1 < offsets.size(); ++source) {
    const std::uint64_t range = ofRange.size();
    if (offsets[source] < offsets[source + 1])
      ofRange.push_back({offsets[source], offsets[source + 1]});
    ofNode.push_back({range, ofRange.size()});
  }
  addIndex(file, edges + "/indices/source_to_target", ofNode, ofRange);
}

void addTargetIndex(Hdf5Layout& file, const std::string& edges, std::span<const std::uint32_t> targetOfRow,
                    std::uint64_t targets, const RunControl& control)
{
  std::vector<std::uint64_t> begin(targets + 1, 0); // of the runs of each target
  const auto startsRun = [&](std::uint64_t row) { return row == 0 || targetOfRow[row] != targetOfRow[row - 1]; };
  for (std::uint64_t row = 0; row < targetOfRow.size(); ++row)
    if (startsRun(row))
      ++begin[targetOfRow[row] + 1];
  for (std::uint64_t target = 0; target < targets; ++target)
    begin[target + 1] += begin[target];
  control.checkpoint();
  std::vector<std::array<std::uint64_t, 2>> ofRange(begin.back()), ofNode(targets);
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (std::uint64_t row = 0; row < targetOfRow.size();) {
    const std::uint64_t first = row++;
    while (row < targetOfRow.size() && !startsRun(row))
      ++row;
    ofRange[next[targetOfRow[first]]++] = {first, row};
  }
  for (std::uint64_t target = 0; target < targets; ++target)
    ofNode[target] = {begin[target], begin[target + 1]};
  control.checkpoint();
  addIndex(file, edges + "/indices/target_to_source", ofNode, ofRange);
}

void addIndex(Hdf5Layout& file, const std::string& index, std::span<const std::array<std::uint64_t, 2>> ofNode,
              std::span<const std::array<std::uint64_t, 2>> ofRange)
{
  file.addPairs(index + "/node_id_to_ranges", ofNode);
  // The specification says "ranges", the files of others "range"; readers look for either.
  file.addHardLink(index + "/node_id_to_ranges", index + "/node_id_to_range");
  file.addPairs(index + "/range_to_edge_id", ofRange);
}

std::uint64_t countEdges(const Hdf5Reader& file, const std::string& edges, std::initializer_list<const char*> columns,
                         const std::string& path)
{
  const std::uint64_t rows = file.count(edges + "/source_node_id");
  for (const char* column : columns)
    if (const std::uint64_t held = file.count(edges + column); held != rows)
      throw Error(ErrorCode::BadFormat,
                  edges + column + " holds " + std::to_string(held) + " values for " + std::to_string(rows) + " edges",
                  path);
  return rows;
}

std::string onlyName(const Hdf5Reader& file, const std::string& group, const std::string& path)
{
  if (!file.has(group))
    throw Error(ErrorCode::BadFormat, "has no " + group + "; is it a SONATA file?", path);
  const std::vector<std::string> names = file.namesIn(group);
  if (names.size() != 1)
    throw Error(ErrorCode::BadFormat,
                "holds " + std::to_string(names.size()) + " populations in " + group + "; a file with one is needed",
                path);
  return names.front();
}

std::array<std::vector<double>, 3> readNodes(const Hdf5Reader& file, const std::string& nodes, std::uint64_t count,
                                             const std::string& path)
{
  static constexpr std::array<const char*, 3> kAxes = {"/0/x", "/0/y", "/0/z"};
  std::array<std::vector<double>, 3> positions;
  if (!file.has(nodes + kAxes[0]) || !file.has(nodes + kAxes[1]))
    return positions;
  if (count > projection::kMaxNeurons)
    throw Error(ErrorCode::BadFormat, "has more than " + std::to_string(projection::kMaxNeurons) + " nodes", path);
  requireMemory(3 * sizeof(double) * count, "The positions of " + std::to_string(count) + " nodes", path);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string column = nodes + kAxes[axis];
    const bool isFlat = axis == 2 && !file.has(column);
    if (!isFlat && file.count(column) != count)
      throw Error(ErrorCode::BadFormat,
                  column + " holds " + std::to_string(file.count(column)) + " values for " + std::to_string(count) +
                      " nodes",
                  path);
    positions[axis].resize(count);
    if (!isFlat)
      file.read(column, 0, std::span(positions[axis]));
  }
  return positions;
}

std::string nodesNamed(const Hdf5Reader& file, const std::string& population, const std::string& path)
{
  if (population.empty())
    return "/nodes/" + onlyName(file, "/nodes", path);
  const std::string nodes = "/nodes/" + population;
  if (file.has(nodes))
    return nodes;
  std::string known;
  for (const std::string& name : file.has("/nodes") ? file.namesIn("/nodes") : std::vector<std::string>())
    known += (known.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::BadFormat,
              "has no population \"" + population + "\" in /nodes; there are: " + (known.empty() ? "none" : known),
              path);
}

std::uint64_t countNodes(const Hdf5Reader& file, const std::string& nodes)
{
  return file.count(nodes + (file.has(nodes + "/node_id") ? "/node_id" : "/node_type_id"));
}

std::array<std::vector<double>, 3> readPlacedNodes(const Hdf5Reader& file, const std::string& nodes,
                                                   const std::string& path)
{
  auto positions = readNodes(file, nodes, countNodes(file, nodes), path);
  if (positions[0].empty())
    throw Error(ErrorCode::BadFormat, "holds no positions of " + nodes + ": x and y in its group 0 are needed", path);
  for (const std::vector<double>& axis : positions)
    if (const auto found = std::find_if(axis.begin(), axis.end(), [](double x) { return !std::isfinite(x); });
        found != axis.end())
      throw Error(ErrorCode::BadFormat,
                  "the position of node " + std::to_string(found - axis.begin()) + " of " + nodes + " is not finite",
                  path);
  return positions;
}

} // namespace hinesight::io::detail
