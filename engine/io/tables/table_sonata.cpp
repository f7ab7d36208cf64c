#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/tables/projection_export.hpp"
#include "io/tables/table_records.hpp"

#include <algorithm>
#include <bit>

// A weight table as SONATA edges and nodes in one HDF5 file (SONATA Developer Guide, "Representing nodes" and
// "Representing edges"): /nodes/NAME with positions, /edges/SOURCE_to_DESTINATION with one edge group, and the indices
// from sources and from targets to edges. The tables of types lie beside the file. The metadata are attributes of the
// edges, "hinesight:NAME". The library lays the file out; the columns are then written by all threads and ranks.

namespace hinesight::io::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they lie in memory");

constexpr const char* kMetadataPrefix = "hinesight:";
// The names of the two populations once more, as text of fixed length.
constexpr const char* kSourceNodes = kTableAttribute;
constexpr const char* kTargetNodes = "target_population";
constexpr std::uint64_t kRowsOfPiece = 1 << 15;

/// Where the columns of the edges begin in the file.
struct RowColumns : EdgeColumns
{
  std::uint64_t delay = 0; ///< of tables with a delay for each row
  IndexColumns targets{};
};

/// The names of the populations in the file.
struct Names
{
  std::string source, destination, edges;

  explicit Names(const projection::Projection& projection)
  {
    const auto [first, second] = distinctNames(projection);
    source = groupName(first);
    destination = groupName(second);
    edges = source + "_to_" + destination;
  }

  /// Of nodes, each once.
  std::vector<std::string> nodes() const
  {
    return source == destination ? std::vector{source} : std::vector{source, destination};
  }

private:
  /// "." would be the group that it is in.
  static std::string groupName(const std::string& population) { return population == "." ? "_." : population; }
};

struct Layout
{
  std::vector<std::pair<const projection::Population*, NodeColumns>> nodes;
  RowColumns edges;
};

RowColumns layOutEdges(Hdf5Layout& file, const TableSource& table, const Names& names)
{
  const std::string edges = "/edges/" + names.edges;
  const std::uint64_t rows = table.rows();
  file.addGroup(edges);
  for (const auto& [name, value] : metadataOf(table))
    file.addAttribute(edges, kMetadataPrefix + name, value, StoredText::Fixed);
  file.addAttribute(edges, kSourceNodes, names.source, StoredText::Fixed);
  file.addAttribute(edges, kTargetNodes, names.destination, StoredText::Fixed);
  RowColumns columns{addEdgeColumns(file, edges, rows, names.source, names.destination, StoredText::Variable)};
  if (table.hasDelays)
    columns.delay = file.addColumn(edges + "/0/delay", StoredNumber::Float64, rows);
  else
    file.addConstantColumn(edges + "/0/delay", StoredNumber::Float64, rows, table.constantDelay);
  addSourceIndex(file, edges, table.offsets);
  columns.targets = layOutTargetIndex(file, edges, rows, table.projection.destination->count());
  return columns;
}

Layout layOut(const TableSource& table, const Names& names, const std::filesystem::path& temporary,
              const std::string& path)
{
  const projection::Projection& projection = table.projection;
  Hdf5Layout file(temporary, path);
  addSonataRoot(file);
  Layout layout{};
  layout.nodes.emplace_back(projection.source.get(), layOutNodes(file, names.source, projection.source->count()));
  if (names.destination != names.source)
    layout.nodes.emplace_back(projection.destination.get(),
                              layOutNodes(file, names.destination, projection.destination->count(), nullptr, 1));
  layout.edges = layOutEdges(file, table, names);
  file.close();
  return layout;
}

void writeNodes(const RowFile& file, const projection::Population& population, const NodeColumns& columns,
                const RunControl& control)
{
  parallelFor(population.count(), kRowsOfPiece, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> numbers;
    std::vector<double> positions;
    for (std::size_t from = begin; from < end; from += kRowsOfPiece) {
      control.checkpoint();
      const std::size_t to = std::min<std::size_t>(end, from + kRowsOfPiece);
      const auto itself = [](std::uint64_t i) { return i; };
      writeColumn(file, columns.id, from, to, numbers, itself);
      writeColumn(file, columns.groupIndex, from, to, numbers, itself);
      for (std::size_t axis = 0; axis < 3; ++axis)
        writeColumn(file, columns.position[axis], from, to, positions,
                    [&](std::uint64_t i) { return population.position(i)[axis]; });
    }
  });
}

/// What stands in the columns of the edges: numbers in double precision, which holds ours exactly, as SONATA files of
/// the field have them.
std::vector<RowRecords> recordsOf(const RowColumns& columns, bool hasDelays)
{
  const auto column = [](std::uint64_t begin, RowValue value) { return RowRecords{0, begin, {{{value, 8}}}}; };
  std::vector<RowRecords> records = {
      column(columns.source, RowValue::Source), column(columns.target, RowValue::Destination),
      column(columns.groupIndex, RowValue::Row), column(columns.weight, RowValue::Weight)};
  if (hasDelays)
    records.push_back(column(columns.delay, RowValue::Delay));
  return records;
}

/// That sorting the edges by target may take: a quarter of what the table takes, so that the targets are read a few
/// times at most, but enough for tables of some millions of rows at once.
std::uint64_t memoryOfIndex(std::uint64_t rows)
{
  constexpr std::uint64_t kEnough = 128 << 20, kBytesOfRow = 2;
  return std::min<std::uint64_t>(std::max(kEnough, kBytesOfRow * rows), availableMemoryBytes() / 4);
}

/// Reads the edges of a file whose edges are one population.
class SonataTableReader
{
public:
  explicit SonataTableReader(const std::filesystem::path& file)
      : path(file.string()), reader(file), edges("/edges/" + onlyName(reader, "/edges", path)),
        sourceNodes(nodesOf(kSourceNodes, "/source_node_id")), targetNodes(nodesOf(kTargetNodes, "/target_node_id"))
  {}

  std::shared_ptr<ImportedTable> read(const RunControl& control)
  {
    const std::uint64_t rows = countEdges(reader, edges, {"/target_node_id", "/0/syn_weight", "/0/delay"}, path);
    const std::uint64_t sources = reader.count(sourceNodes + "/node_id");
    const std::uint64_t targets = reader.count(targetNodes + "/node_id");
    TableBuilder builder(path, sources, targets, rows);
    addRows(builder, rows, control);
    builder.place(readNodes(reader, sourceNodes, sources, path), readNodes(reader, targetNodes, targets, path));
    return builder.finish(metadata(), control);
  }

private:
  /// Ours begin with "source". The attributes of other files are not even listed: that crashes the library where they
  /// are damaged in ways that depend on what its memory held before.
  Metadata metadata() const
  {
    Metadata metadata;
    if (reader.hasAttribute(edges, kMetadataPrefix + std::string("source")))
      for (auto& [name, text] : reader.textAttributes(edges, kMetadataPrefix))
        metadata.push_back({name, text});
    return metadata;
  }

  std::string nodesOf(const char* own, const char* column) const
  {
    return "/nodes/" + (reader.hasAttribute(edges, own) ? reader.textAttribute(edges, own)
                                                        : reader.textAttribute(edges + column, "node_population"));
  }

  void addRows(TableBuilder& builder, std::uint64_t rows, const RunControl& control)
  {
    constexpr std::uint64_t kRowsAtATime = 1 << 18;
    std::vector<std::int64_t> source, target;
    std::vector<float> weight, delay;
    for (std::uint64_t begin = 0; begin < rows; begin += kRowsAtATime) {
      control.report("read", static_cast<double>(begin) / static_cast<double>(rows));
      const std::uint64_t count = std::min(kRowsAtATime, rows - begin);
      source.resize(count);
      target.resize(count);
      weight.resize(count);
      delay.resize(count);
      reader.read(edges + "/source_node_id", begin, std::span(source));
      reader.read(edges + "/target_node_id", begin, std::span(target));
      reader.read(edges + "/0/syn_weight", begin, std::span(weight));
      reader.read(edges + "/0/delay", begin, std::span(delay));
      // A negative number becomes one that is above every population's size.
      for (std::size_t i = 0; i < count; ++i)
        builder.add(static_cast<std::uint64_t>(source[i]), static_cast<std::uint64_t>(target[i]), weight[i], delay[i]);
    }
  }

  std::string path;
  Hdf5Reader reader;
  std::string edges, sourceNodes, targetNodes;
};

} // namespace

void writeTableSonata(const TableSource& table, const std::filesystem::path& path, const RunControl& control)
{
  const Names names(table.projection);
  replaceFileAtomically(path, [&](const std::filesystem::path& temporary) {
    const RecordWriter rows(table, {recordFile(temporary, path)});
    const Layout layout = layOut(table, names, temporary, path.string());
    for (const auto& [population, columns] : layout.nodes)
      writeNodes(RowFile(temporary, path.string()), *population, columns, control);
    rows.write(recordsOf(layout.edges, table.hasDelays), control);
    writeTargetIndex(RowFile(temporary, path.string()), layout.edges.targets, layout.edges.target, table.rows(),
                     table.projection.destination->count(), memoryOfIndex(table.rows()), control);
  });
  writeTypesBeside(path, names.nodes(), {names.edges});
}

std::shared_ptr<ImportedTable> readTableSonata(const std::filesystem::path& path, const RunControl& control)
{
  return SonataTableReader(path).read(control);
}

} // namespace hinesight::io::detail
