#include "io/sonata/circuit_files.hpp"

#include "core/files.hpp"
#include "core/text.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"
#include "io/sonata/sonata_parts.hpp"

#include <algorithm>
#include <array>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kRowsOfPiece = 1 << 16;

/// Calls body(begin, end) for one piece after the other.
template <typename Body>
void forPieces(std::uint64_t count, const RunControl& control, const Body& body)
{
  for (std::uint64_t begin = 0; begin < count; begin += kRowsOfPiece) {
    control.checkpoint();
    body(begin, std::min(count, begin + kRowsOfPiece));
  }
}

/// A value between the blanks of a table.
std::string quoted(const std::string& value)
{
  if (!value.empty() && value.find_first_of(" \t\"") == std::string::npos)
    return value;
  std::string text = "\"";
  for (const char c : value)
    text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

struct NodeRoom
{
  std::uint64_t type = 0; ///< of several types
  detail::NodeColumns columns;
  std::array<std::uint64_t, 3> angles{}; ///< about the axes that nodes are turned about
};

NodeRoom layOut(const CircuitNodes& nodes, const fs::path& file, const std::string& path)
{
  Hdf5Layout layout(file, path);
  detail::addSonataRoot(layout);
  NodeRoom room;
  const std::string name = nodes.neurons.name();
  const std::uint64_t count = nodes.neurons.count();
  room.columns = detail::layOutNodes(layout, name, count, nodes.typeOf.empty() ? nullptr : &room.type);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!nodes.angles[axis].empty())
      room.angles[axis] =
          layout.addColumn("/nodes/" + name + "/0/" + detail::kAngleColumns[axis], StoredNumber::Float64, count);
  layout.close();
  return room;
}

struct EdgeRoom
{
  detail::EdgeColumns columns;
  std::uint64_t delay = 0; ///< of edges with delays of their own
};

EdgeRoom layOut(const CircuitEdges& edges, const fs::path& file, const std::string& path, const RunControl& control)
{
  Hdf5Layout layout(file, path);
  detail::addSonataRoot(layout);
  const std::string group = "/edges/" + edges.name;
  layout.addGroup(group);
  EdgeRoom room{detail::addEdgeColumns(layout, group, edges.rows(), edges.source, edges.target, StoredText::Variable)};
  if (edges.delay.empty())
    layout.addConstantColumn(group + "/0/delay", StoredNumber::Float64, edges.rows(), edges.constantDelay);
  else
    room.delay = layout.addColumn(group + "/0/delay", StoredNumber::Float64, edges.rows());
  detail::addSourceIndex(layout, group, {edges.offsets.begin(), edges.offsets.end()});
  detail::addTargetIndex(layout, group, edges.targetOfRow, edges.targets, control);
  layout.close();
  return room;
}

void writeRows(const RowFile& file, const CircuitEdges& edges, const EdgeRoom& room, const RunControl& control)
{
  std::vector<std::uint64_t> numbers;
  std::vector<double> values;
  std::uint64_t source = 0;
  forPieces(edges.rows(), control, [&](std::uint64_t begin, std::uint64_t end) {
    control.report("export", static_cast<double>(begin) / static_cast<double>(edges.rows()));
    detail::writeColumn(file, room.columns.source, begin, end, numbers, [&](std::uint64_t row) {
      while (edges.offsets[source + 1] <= row)
        ++source;
      return source;
    });
    detail::writeColumn(file, room.columns.target, begin, end, numbers,
                        [&](std::uint64_t row) -> std::uint64_t { return edges.targetOfRow[row]; });
    detail::writeColumn(file, room.columns.groupIndex, begin, end, numbers, [](std::uint64_t row) { return row; });
    detail::writeColumn(file, room.columns.weight, begin, end, values,
                        [&](std::uint64_t row) -> double { return edges.weight[row]; });
    if (!edges.delay.empty())
      detail::writeColumn(file, room.delay, begin, end, values,
                          [&](std::uint64_t row) -> double { return edges.delay[row]; });
  });
}

} // namespace

void writeTypes(const fs::path& file, const std::string& id, const std::vector<SonataType>& types)
{
  std::vector<std::string> columns;
  for (const SonataType& type : types)
    for (const auto& [column, value] : type)
      if (std::ranges::find(columns, column) == columns.end())
        columns.push_back(column);
  writeFileAtomically(file, [&](std::ostream& stream) {
    stream << id;
    for (const std::string& column : columns)
      stream << ' ' << column;
    stream << '\n';
    for (std::size_t k = 0; k < types.size(); ++k) {
      stream << k;
      for (const std::string& column : columns) {
        const auto found = std::ranges::find(types[k], column, &std::pair<std::string, std::string>::first);
        stream << ' ' << (found == types[k].end() ? "NULL" : quoted(found->second));
      }
      stream << '\n';
    }
  });
}

void writeCircuitNodes(const CircuitNodes& nodes, const fs::path& folder, const RunControl& control)
{
  const projection::Population& neurons = nodes.neurons;
  const fs::path path = folder / (neurons.name() + "_nodes.h5");
  replaceFileAtomically(path, [&](const fs::path& temporary) {
    const NodeRoom room = layOut(nodes, temporary, path.string());
    const RowFile file(temporary, path.string());
    std::vector<std::uint64_t> numbers;
    std::vector<double> values;
    forPieces(neurons.count(), control, [&](std::uint64_t begin, std::uint64_t end) {
      const auto itself = [](std::uint64_t i) { return i; };
      detail::writeColumn(file, room.columns.id, begin, end, numbers, itself);
      detail::writeColumn(file, room.columns.groupIndex, begin, end, numbers, itself);
      if (room.type)
        detail::writeColumn(file, room.type, begin, end, numbers,
                            [&](std::uint64_t i) -> std::uint64_t { return nodes.typeOf[i]; });
      for (std::size_t axis = 0; axis < 3; ++axis)
        detail::writeColumn(file, room.columns.position[axis], begin, end, values,
                            [&](std::uint64_t i) { return neurons.position(i)[axis]; });
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (room.angles[axis])
          detail::writeColumn(file, room.angles[axis], begin, end, values,
                              [&](std::uint64_t i) { return nodes.angles[axis][i]; });
    });
  });
  writeTypes(folder / (neurons.name() + "_node_types.csv"), "node_type_id", nodes.types);
}

void writeCircuitEdges(const CircuitEdges& edges, const fs::path& folder, const RunControl& control)
{
  const fs::path path = folder / (edges.name + "_edges.h5");
  replaceFileAtomically(path, [&](const fs::path& temporary) {
    const EdgeRoom room = layOut(edges, temporary, path.string(), control);
    writeRows(RowFile(temporary, path.string()), edges, room, control);
  });
  writeTypes(folder / (edges.name + "_edge_types.csv"), "edge_type_id",
             {{{"population", edges.name}, {"source_query", "*"}, {"target_query", "*"}, {"model_template", "NULL"}}});
}

} // namespace hinesight::io
