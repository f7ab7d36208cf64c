#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/sonata/circuit_files.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/sonata/type_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace hinesight::io {

namespace {

struct EdgeRows
{
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> target;
  std::vector<float> weight, delay;
};

/// A number that each edge has: in its column, else by its type, else `otherwise`.
class EdgeValue
{
public:
  EdgeValue(const Hdf5Reader& file, const std::string& edges, const std::string& name, const TypeTable& types,
            float otherwise, const std::string& typesFile)
      : reader(file), fallback(otherwise)
  {
    if (file.has(edges + "/0/" + name)) {
      column = edges + "/0/" + name;
      return;
    }
    for (const auto& [type, values] : types.rows)
      if (const std::string text = types.valueOf(type, name); !text.empty()) {
        const std::optional<float> value = numberOf<float>(text);
        if (!value || !std::isfinite(*value))
          throw Error(ErrorCode::BadFormat, "\"" + text + "\" is no " + name + " of the type " + std::to_string(type),
                      typesFile);
        ofType[type] = *value;
      }
  }

  bool needsTypes() const { return !ofType.empty(); }

  void read(std::uint64_t begin, std::span<const std::int64_t> types, std::span<float> values) const
  {
    if (!column.empty())
      return reader.read(column, begin, values);
    std::ranges::fill(values, fallback);
    if (needsTypes())
      for (std::size_t k = 0; k < values.size(); ++k)
        if (const auto found = ofType.find(types[k]); found != ofType.end())
          values[k] = found->second;
  }

private:
  const Hdf5Reader& reader;
  std::string column; ///< empty: there is none
  std::map<std::int64_t, float> ofType;
  float fallback;
};

/// Rows of edges, in any order, by source: those of a source in the order of the file.
std::shared_ptr<EdgeRows> orderBySource(const std::vector<std::uint32_t>& sourceOf, const EdgeRows& read,
                                        std::uint64_t sources, const RunControl& control)
{
  auto rows = std::make_shared<EdgeRows>();
  rows->offsets.assign(sources + 1, 0);
  for (const std::uint32_t source : sourceOf)
    ++rows->offsets[source + 1];
  for (std::uint64_t source = 0; source < sources; ++source)
    rows->offsets[source + 1] += rows->offsets[source];
  control.checkpoint();
  std::vector<std::uint64_t> next(rows->offsets.begin(), rows->offsets.end() - 1);
  rows->target.resize(sourceOf.size());
  rows->weight.resize(sourceOf.size());
  rows->delay.resize(sourceOf.size());
  for (std::size_t row = 0; row < sourceOf.size(); ++row) {
    const std::uint64_t place = next[sourceOf[row]]++;
    rows->target[place] = read.target[row];
    rows->weight[place] = read.weight[row];
    rows->delay[place] = read.delay[row];
  }
  return rows;
}

} // namespace

CircuitEdges readCircuitEdges(const SonataEdges& from, std::uint64_t sources, std::uint64_t targets,
                              const RunControl& control)
{
  constexpr std::uint64_t kRowsAtATime = 1 << 18;
  constexpr float kWeight = 1, kDelay = 1; // where a file has neither
  const Hdf5Reader reader(from.file);
  const std::string edges =
      "/edges/" + (from.population.empty() ? detail::onlyName(reader, "/edges", from.file) : from.population);
  if (!reader.has(edges))
    throw Error(ErrorCode::BadFormat, "has no edges \"" + from.population + "\"", from.file);
  const TypeTable types = from.types.empty() ? TypeTable() : readTypeTable(from.types, "edge_type_id");
  const EdgeValue weight(reader, edges, "syn_weight", types, kWeight, from.types);
  const EdgeValue delay(reader, edges, "delay", types, kDelay, from.types);
  const bool needsTypes = weight.needsTypes() || delay.needsTypes();
  const std::uint64_t rows = detail::countEdges(reader, edges, {"/target_node_id"}, from.file);
  if (needsTypes)
    detail::countEdges(reader, edges, {"/edge_type_id"}, from.file);
  for (const char* const column : {"/0/syn_weight", "/0/delay"})
    if (reader.has(edges + column))
      detail::countEdges(reader, edges, {column}, from.file);
  constexpr std::uint64_t kBytesOfRow = 3 * sizeof(std::uint32_t) + 4 * sizeof(float) + sizeof(std::uint64_t);
  if (rows > availableMemoryBytes() / kBytesOfRow)
    throw Error(ErrorCode::OutOfMemory, "has " + std::to_string(rows) + " edges, more than fit into main memory",
                from.file);
  std::vector<std::uint32_t> sourceOf(rows);
  EdgeRows read;
  read.target.resize(rows);
  read.weight.resize(rows);
  read.delay.resize(rows);
  std::vector<std::int64_t> numbers, typeOf;
  const auto takeNodes = [&](const char* column, std::uint64_t begin, std::uint64_t count, std::uint64_t nodes,
                             std::vector<std::uint32_t>& taken) {
    numbers.resize(count);
    reader.read(edges + column, begin, std::span(numbers));
    for (std::uint64_t k = 0; k < count; ++k) {
      if (numbers[k] < 0 || static_cast<std::uint64_t>(numbers[k]) >= nodes)
        throw Error(ErrorCode::BadFormat,
                    edges + column + " of edge " + std::to_string(begin + k) + " is " + std::to_string(numbers[k]) +
                        " where there are " + std::to_string(nodes) + " neurons",
                    from.file);
      taken[begin + k] = static_cast<std::uint32_t>(numbers[k]);
    }
  };
  for (std::uint64_t begin = 0; begin < rows; begin += kRowsAtATime) {
    control.report("read", static_cast<double>(begin) / static_cast<double>(rows));
    const std::uint64_t count = std::min(kRowsAtATime, rows - begin);
    takeNodes("/source_node_id", begin, count, sources, sourceOf);
    takeNodes("/target_node_id", begin, count, targets, read.target);
    if (needsTypes) {
      typeOf.resize(count);
      reader.read(edges + "/edge_type_id", begin, std::span(typeOf));
    }
    weight.read(begin, typeOf, std::span(read.weight).subspan(begin, count));
    delay.read(begin, typeOf, std::span(read.delay).subspan(begin, count));
    for (std::uint64_t row = begin; row < begin + count; ++row)
      if (!std::isfinite(read.weight[row]) || !(std::isfinite(read.delay[row]) && read.delay[row] >= 0))
        throw Error(ErrorCode::BadFormat,
                    edges + ": edge " + std::to_string(row) + " has the weight " + textOf(read.weight[row]) +
                        " and the delay " + textOf(read.delay[row]) +
                        " ms; finite numbers are needed, and delays of 0 or more",
                    from.file);
  }
  const auto ordered = orderBySource(sourceOf, read, sources, control);
  CircuitEdges made;
  made.targets = targets;
  made.offsets = ordered->offsets;
  made.targetOfRow = ordered->target;
  made.weight = ordered->weight;
  // As tables have them: one number where all are alike.
  const bool isConstant = std::ranges::adjacent_find(ordered->delay, std::not_equal_to()) == ordered->delay.end();
  made.constantDelay = isConstant && rows > 0 ? ordered->delay.front() : isConstant ? kDelay : 0;
  if (!isConstant)
    made.delay = ordered->delay;
  made.owner = ordered;
  return made;
}

std::vector<std::int64_t> readNodeTypes(const std::string& file, const std::string& population)
{
  const Hdf5Reader reader(file);
  const std::string nodes = detail::nodesNamed(reader, population, file);
  const std::uint64_t count = detail::countNodes(reader, nodes);
  if (reader.count(nodes + "/node_type_id") != count)
    throw Error(ErrorCode::BadFormat, nodes + "/node_type_id does not have a value for each node", file);
  requireMemory(count * sizeof(std::int64_t), "The types of " + std::to_string(count) + " nodes", file);
  std::vector<std::int64_t> types(count);
  reader.read(nodes + "/node_type_id", 0, std::span(types));
  return types;
}

SonataAngles readAngles(const std::string& file, const std::string& population)
{
  const Hdf5Reader reader(file);
  const std::string nodes = detail::nodesNamed(reader, population, file);
  const std::uint64_t count = detail::countNodes(reader, nodes);
  SonataAngles angles;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string column = nodes + "/0/" + detail::kAngleColumns[axis];
    if (!reader.has(column))
      continue;
    if (reader.count(column) != count)
      throw Error(ErrorCode::BadFormat, column + " does not have a value for each node", file);
    requireMemory(count * sizeof(double), "The angles of " + std::to_string(count) + " nodes", file);
    angles[axis].resize(count);
    reader.read(column, 0, std::span(angles[axis]));
    if (const auto found = std::ranges::find_if_not(angles[axis], [](double angle) { return std::isfinite(angle); });
        found != angles[axis].end())
      throw Error(ErrorCode::BadFormat,
                  column + " of node " + std::to_string(found - angles[axis].begin()) + " is not finite", file);
  }
  return angles;
}

} // namespace hinesight::io
