#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/sonata/synapse_edges.hpp"

#include <algorithm>

namespace hinesight::io {

namespace {

/// Where the columns of edges begin in the file.
struct Room
{
  detail::EdgeColumns columns{};
  std::uint64_t type = 0, delay = 0, section = 0, position = 0;
};

Room layOut(const SynapseEdges& edges, std::uint64_t sources, std::uint64_t targets, const std::filesystem::path& file,
            const std::string& path, const RunControl& control)
{
  Hdf5Layout layout(file, path);
  detail::addSonataRoot(layout);
  const std::string group = "/edges/" + edges.population;
  const std::uint64_t rows = edges.count();
  layout.addGroup(group);
  Room room;
  room.columns =
      detail::addEdgeColumns(layout, group, rows, edges.source, edges.target, StoredText::Variable, &room.type);
  room.delay = layout.addColumn(group + "/0/delay", StoredNumber::Float64, rows);
  if (!edges.section.empty()) {
    room.section = layout.addColumn(group + "/0/afferent_section_id", StoredNumber::UInt64, rows);
    room.position = layout.addColumn(group + "/0/afferent_section_pos", StoredNumber::Float64, rows);
  }
  std::vector<std::uint64_t> offsets(sources + 1, 0);
  for (const std::uint64_t source : edges.sourceNode)
    ++offsets[source + 1];
  for (std::uint64_t source = 0; source < sources; ++source)
    offsets[source + 1] += offsets[source];
  detail::addSourceIndex(layout, group, offsets);
  const std::vector<std::uint32_t> targetOfRow(edges.targetNode.begin(), edges.targetNode.end());
  detail::addTargetIndex(layout, group, targetOfRow, targets, control);
  layout.close();
  return room;
}

void writeRows(const RowFile& file, const SynapseEdges& edges, const Room& room, const RunControl& control)
{
  constexpr std::uint64_t kRowsOfPiece = 1 << 16;
  std::vector<std::uint64_t> numbers;
  std::vector<double> values;
  for (std::uint64_t begin = 0; begin < edges.count(); begin += kRowsOfPiece) {
    control.report("export", static_cast<double>(begin) / static_cast<double>(edges.count()));
    const std::uint64_t end = std::min(edges.count(), begin + kRowsOfPiece);
    const auto write = [&](std::uint64_t column, const auto& from, auto& buffer) {
      detail::writeColumn(file, column, begin, end, buffer, [&](std::uint64_t row) {
        return static_cast<typename std::decay_t<decltype(buffer)>::value_type>(from[row]);
      });
    };
    write(room.columns.source, edges.sourceNode, numbers);
    write(room.columns.target, edges.targetNode, numbers);
    write(room.type, edges.type, numbers);
    detail::writeColumn(file, room.columns.groupIndex, begin, end, numbers, [](std::uint64_t row) { return row; });
    write(room.columns.weight, edges.weight, values);
    write(room.delay, edges.delay, values);
    if (!edges.section.empty()) {
      write(room.section, edges.section, numbers);
      write(room.position, edges.position, values);
    }
  }
}

} // namespace

void writeSynapseEdges(const SynapseEdges& edges, std::uint64_t sources, std::uint64_t targets,
                       const std::vector<SonataType>& types, const std::filesystem::path& folder,
                       const RunControl& control)
{
  const std::filesystem::path path = folder / (edges.population + "_edges.h5");
  replaceFileAtomically(path, [&](const std::filesystem::path& temporary) {
    const Room room = layOut(edges, sources, targets, temporary, path.string(), control);
    writeRows(RowFile(temporary, path.string()), edges, room, control);
  });
  writeTypes(folder / (edges.population + "_edge_types.csv"), "edge_type_id", types);
}

} // namespace hinesight::io
