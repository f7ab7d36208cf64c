#include "io/sonata/sonata_parts.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "io/sonata/circuit_files.hpp"
#include "projection/populations/population.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::io::detail {

namespace {

// Of an index. The specification says "ranges", the files of others "range"; readers look for either.
constexpr const char* kRangesOfNode = "/node_id_to_ranges";
constexpr const char* kOtherRangesOfNode = "/node_id_to_range";
constexpr const char* kEdgesOfRange = "/range_to_edge_id";

} // namespace

void addSonataRoot(Hdf5Layout& file)
{
  constexpr std::uint32_t kMagic = 0x0A7A;
  constexpr std::array<std::uint32_t, 2> kVersion = {0, 1};
  file.addAttribute("/", "magic", std::span(&kMagic, 1));
  file.addAttribute("/", "version", kVersion);
}

NodeColumns layOutNodes(Hdf5Layout& file, const std::string& name, std::uint64_t count, std::uint64_t* type,
                        std::uint32_t typeOfAll)
{
  const std::string nodes = "/nodes/" + name;
  file.addGroup(nodes + "/0");
  if (type)
    *type = file.addColumn(nodes + "/node_type_id", StoredNumber::UInt64, count);
  else
    file.addConstantColumn(nodes + "/node_type_id", StoredNumber::UInt64, count, typeOfAll);
  file.addConstantColumn(nodes + "/node_group_id", StoredNumber::UInt32, count, 0);
  return {file.addColumn(nodes + "/node_id", StoredNumber::UInt64, count),
          file.addColumn(nodes + "/node_group_index", StoredNumber::UInt64, count),
          {file.addColumn(nodes + "/0/x", StoredNumber::Float64, count),
           file.addColumn(nodes + "/0/y", StoredNumber::Float64, count),
           file.addColumn(nodes + "/0/z", StoredNumber::Float64, count)}};
}

EdgeColumns addEdgeColumns(Hdf5Layout& file, const std::string& edges, std::uint64_t rows, const std::string& source,
                           const std::string& target, StoredText text, std::uint64_t* type, std::uint32_t typeOfAll)
{
  EdgeColumns columns{};
  columns.source = file.addColumn(edges + "/source_node_id", StoredNumber::UInt64, rows);
  file.addAttribute(edges + "/source_node_id", "node_population", source, text);
  columns.target = file.addColumn(edges + "/target_node_id", StoredNumber::UInt64, rows);
  file.addAttribute(edges + "/target_node_id", "node_population", target, text);
  if (type)
    *type = file.addColumn(edges + "/edge_type_id", StoredNumber::UInt64, rows);
  else
    file.addConstantColumn(edges + "/edge_type_id", StoredNumber::UInt32, rows, typeOfAll);
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

IndexColumns layOutTargetIndex(Hdf5Layout& file, const std::string& edges, std::uint64_t rows, std::uint64_t targets)
{
  const std::string index = edges + "/indices/target_to_source";
  const std::uint64_t ofNode = file.addMatrix(index + kRangesOfNode, StoredNumber::UInt64, targets, 2);
  file.addHardLink(index + kRangesOfNode, index + kOtherRangesOfNode);
  return {ofNode, file.addMatrix(index + kEdgesOfRange, StoredNumber::UInt64, rows, 2)};
}

namespace {

constexpr std::uint64_t kRowsOfPiece = 1 << 16;
constexpr int kMostThreads = 8; ///< that sort edges

/// Calls body(row, target) for every row, in order.
template <typename Body>
void forTargets(const RowFile& file, std::uint64_t column, std::uint64_t rows, const RunControl& control,
                const Body& body)
{
  std::vector<std::uint64_t> piece;
  for (std::uint64_t begin = 0; begin < rows; begin += kRowsOfPiece) {
    control.checkpoint();
    piece.resize(std::min(kRowsOfPiece, rows - begin));
    file.read(column + begin * sizeof(std::uint64_t), piece.data(), piece.size() * sizeof(std::uint64_t));
    for (std::size_t k = 0; k < piece.size(); ++k)
      body(begin + k, piece[k]);
  }
}

/// Targets [from, to) that are sorted at once, with their ranges.
struct TargetBlock
{
  std::uint64_t from, to, firstRange, ranges;
};

/// Blocks of up to so many ranges, but of one target at least. `begin`: of the ranges of each target, and their end.
std::vector<TargetBlock> blocksOf(const std::vector<std::uint64_t>& begin, std::uint64_t mostRanges)
{
  std::vector<TargetBlock> blocks;
  const std::uint64_t targets = begin.size() - 1;
  for (std::uint64_t from = 0, to = 0; from < targets; from = to) {
    const auto beyond =
        std::upper_bound(begin.begin() + static_cast<std::ptrdiff_t>(from) + 1, begin.end(), begin[from] + mostRanges);
    to = std::max(from + 1, static_cast<std::uint64_t>(beyond - begin.begin()) - 1);
    if (begin[to] > begin[from])
      blocks.push_back({from, to, begin[from], begin[to] - begin[from]});
  }
  return blocks;
}

} // namespace

void writeTargetIndex(const RowFile& file, const IndexColumns& index, std::uint64_t targetColumn, std::uint64_t rows,
                      std::uint64_t targets, std::uint64_t memory, const RunControl& control)
{
  using Pair = std::array<std::uint64_t, 2>;
  requireMemory((targets + 1) * sizeof(std::uint64_t), "The index of " + std::to_string(targets) + " targets");
  std::vector<std::uint64_t> begin(targets + 1, 0); // of the ranges of each target
  forTargets(file, targetColumn, rows, control, [&](std::uint64_t, std::uint64_t target) { ++begin[target + 1]; });
  for (std::uint64_t target = 0; target < targets; ++target)
    begin[target + 1] += begin[target];
  std::vector<Pair> pairs;
  for (std::uint64_t from = 0; from < targets; from += kRowsOfPiece)
    writeColumn(file, index.ofNode, from, std::min(targets, from + kRowsOfPiece), pairs, [&](std::uint64_t target) {
      return Pair{begin[target], begin[target + 1]};
    });
  // Each thread reads all targets for each of its blocks: many threads would do little else. All blocks are alike.
  const int threads = std::min(hardwareThreads(), kMostThreads);
  const std::uint64_t rounds = 1 + rows / std::max<std::uint64_t>(1, memory / sizeof(Pair));
  const std::vector<TargetBlock> blocks = blocksOf(begin, 1 + rows / (rounds * static_cast<std::uint64_t>(threads)));
  const auto sortBlocks = [&](std::size_t firstBlock, std::size_t lastBlock) {
    std::vector<Pair> ranges;
    for (std::size_t k = firstBlock; k < lastBlock; ++k) {
      const TargetBlock& block = blocks[k];
      requireMemory(block.ranges * sizeof(Pair), "The index of " + std::to_string(block.ranges) + " edges");
      ranges.resize(block.ranges);
      // begin[target] is where the next edge of the target goes; each block has targets of its own.
      forTargets(file, targetColumn, rows, control, [&](std::uint64_t row, std::uint64_t target) {
        if (target >= block.from && target < block.to)
          ranges[begin[target]++ - block.firstRange] = {row, row + 1};
      });
      file.write(index.ofRange + block.firstRange * sizeof(Pair), ranges.data(), block.ranges * sizeof(Pair));
    }
  };
  parallelFor(blocks.size(), 1, sortBlocks, threads);
}

void writeTypesBeside(const std::filesystem::path& file, const std::vector<std::string>& nodePopulations,
                      const std::vector<std::string>& edgePopulations)
{
  const auto beside = [&](const char* ending) {
    return file.parent_path() / (file.stem().string() + std::string(ending));
  };
  std::vector<SonataType> types;
  for (const std::string& name : nodePopulations)
    types.push_back({{"population", name}, {"model_type", "point_neuron"}, {"model_template", "NULL"}});
  writeTypes(beside("_node_types.csv"), "node_type_id", types);
  types.clear();
  for (const std::string& name : edgePopulations)
    types.push_back({{"population", name}, {"source_query", "*"}, {"target_query", "*"}, {"model_template", "NULL"}});
  writeTypes(beside("_edge_types.csv"), "edge_type_id", types);
}

void addIndex(Hdf5Layout& file, const std::string& index, std::span<const std::array<std::uint64_t, 2>> ofNode,
              std::span<const std::array<std::uint64_t, 2>> ofRange)
{
  file.addPairs(index + kRangesOfNode, ofNode);
  file.addHardLink(index + kRangesOfNode, index + kOtherRangesOfNode);
  file.addPairs(index + kEdgesOfRange, ofRange);
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
