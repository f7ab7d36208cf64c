#include "io/tables/projection_export.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/memory_limits.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "io/tables/rank_writers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace hinesight::io {

namespace {

struct TableFormat
{
  std::string_view extension;
  void (*write)(const TableSource&, const std::filesystem::path&, const RunControl&);
  std::shared_ptr<ImportedTable> (*read)(const std::filesystem::path&, const RunControl&);
};

constexpr std::array<TableFormat, 5> kFormats = {{{".csv", detail::writeTableCsv, detail::readTableCsv},
                                                  {".npy", detail::writeTableNpy, detail::readTableNpy},
                                                  {".h5", detail::writeTableSonata, detail::readTableSonata},
                                                  {".spineml", detail::writeTableSpineml, detail::readTableSpineml},
                                                  {".xml", detail::writeTableXml, detail::readTableSpineml}}};

const TableFormat& formatOf(const std::filesystem::path& path)
{
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const TableFormat& format : kFormats)
    if (format.extension == extension)
      return format;
  throw Error(ErrorCode::BadParameter,
              "weight tables have the extensions " + tableExtensions() + "; give the file such a name", path.string());
}

} // namespace

std::string tableExtensions()
{
  std::string names;
  for (const TableFormat& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.extension);
  return names;
}

void requireTableExtension(const std::filesystem::path& path)
{
  formatOf(path);
}

Metadata metadataOf(const TableSource& table)
{
  const projection::Projection& projection = table.projection;
  projection::ProjectionParameters parameters = projection.parameters;
  parameters.selfConnections = !projection::leavesSelfOut(projection);
  Metadata metadata = {{"source", projection.source->name()},
                       {"sources", std::to_string(projection.source->count())},
                       {"destination", projection.destination->name()},
                       {"destinations", std::to_string(projection.destination->count())},
                       {"rows", std::to_string(table.rows())}};
  for (const Metadata& part :
       {describePopulation("source", *projection.source), describePopulation("destination", *projection.destination),
        table.hasParameters ? projection::describe(parameters) : Metadata()})
    metadata.insert(metadata.end(), part.begin(), part.end());
  return metadata;
}

void exportTable(const projection::WeightTable& table, const std::filesystem::path& path, const RunControl& control,
                 bool hasParameters)
{
  const TableSource source{table.projection,
                           table.offsets,
                           !table.delay.empty(),
                           table.constantDelay,
                           [&](const auto& sink) { sink(projection::slabOf(table)); },
                           hasParameters};
  control.report("export", 0);
  formatOf(path).write(source, path, control);
  control.report("export", 1);
}

std::vector<std::string> exportStreamed(projection::PreparedProjection& prepared, const std::filesystem::path& path,
                                        const RunControl& control, std::uint64_t slabRows)
{
  std::optional<detail::RankWriters> ranks;
  if (prepared.tableRanks())
    ranks.emplace(prepared, slabRows, control);
  const TableSource source{prepared.projection(),
                           prepared.offsets(),
                           prepared.hasDelays(),
                           prepared.constantDelay(),
                           [&](const auto& sink) { projection::streamTable(prepared, slabRows, sink, control); },
                           true,
                           ranks ? &*ranks : nullptr};
  control.report("export", 0);
  formatOf(path).write(source, path, control.silenced());
  control.report("export", 1);
  return ranks ? ranks->warnings() : std::vector<std::string>();
}

std::shared_ptr<ImportedTable> importTable(const std::filesystem::path& path, const RunControl& control)
{
  control.report("read", 0);
  return formatOf(path).read(path, control);
}

namespace detail {

TableBuilder::TableBuilder(std::string file, std::uint64_t sources, std::uint64_t destinations, std::uint64_t rows)
    : path(std::move(file)), imported(std::make_shared<ImportedTable>())
{
  if (sources > projection::kMaxNeurons || destinations > projection::kMaxNeurons)
    throw Error(ErrorCode::BadFormat,
                "has a population of more than " + std::to_string(projection::kMaxNeurons) + " neurons", path);
  // A number in a file takes no memory that its rows do not explain.
  constexpr std::uint64_t kAlwaysExplained = std::uint64_t{1} << 24, kMostWithoutRow = 1000;
  for (const std::uint64_t neurons : {sources, destinations})
    if (neurons > kAlwaysExplained && neurons / kMostWithoutRow > rows)
      throw Error(ErrorCode::BadFormat,
                  "claims " + std::to_string(neurons) + " neurons for " + std::to_string(rows) + " rows", path);
  const std::uint64_t ofRow = projection::bytesOfRow(true);
  if (rows > kLittle / ofRow && rows > availableMemoryBytes() / ofRow)
    throw Error(ErrorCode::OutOfMemory,
                "has " + std::to_string(rows) + " rows, more than fit into the " + formatBytes(availableMemoryBytes()) +
                    " of main memory that are free",
                path);
  requireMemory(sources * sizeof(std::uint64_t) + rows * ofRow, "The table", path);
  imported->destinations = destinations;
  projection::WeightTable& table = imported->table;
  table.offsets.assign(sources + 1, 0);
  table.destination = projection::HostArray<std::uint32_t>(rows);
  table.weight = projection::HostArray<float>(rows);
  table.delay = projection::HostArray<float>(rows);
}

void TableBuilder::fail(const std::string& what, std::int64_t line) const
{
  throw Error(ErrorCode::BadFormat, line > 0 ? what : "row " + std::to_string(row + 1) + " " + what, path, line);
}

void TableBuilder::add(std::uint64_t source, std::uint64_t destination, float weight, float delay, std::int64_t line)
{
  projection::WeightTable& table = imported->table;
  if (row == table.rows())
    fail("has more rows than it says", line);
  if (source >= table.sources())
    fail("names source " + std::to_string(source) + " of " + std::to_string(table.sources()), line);
  if (destination >= imported->destinations)
    fail("names destination " + std::to_string(destination) + " of " + std::to_string(imported->destinations), line);
  if (!std::isfinite(weight) || !std::isfinite(delay))
    fail("has a weight or delay that is not finite", line);
  if (delay < 0)
    fail("has a delay of " + textOf(delay) + " ms; delays are 0 or more", line);
  const bool follows =
      row == 0 || source > lastSource || (source == lastSource && destination > table.destination[row - 1]);
  if (!follows)
    fail("does not follow the one before it; rows are to be ordered by source, then destination", line);
  table.destination.data()[row] = static_cast<std::uint32_t>(destination);
  table.weight.data()[row] = weight;
  table.delay.data()[row] = delay;
  delaysDiffer = delaysDiffer || delay != table.delay[0];
  ++table.offsets[source + 1];
  lastSource = source;
  ++row;
}

void TableBuilder::place(std::array<std::vector<double>, 3> sources, std::array<std::vector<double>, 3> destinations)
{
  sourcePositions = std::move(sources);
  destinationPositions = std::move(destinations);
}

std::shared_ptr<const projection::Population> TableBuilder::populationOf(const char* role, std::uint64_t count,
                                                                         std::array<std::vector<double>, 3>& positions,
                                                                         const RunControl& control) const
{
  const Metadata& metadata = imported->metadata;
  auto restored = restorePopulation(metadata, role, count, path, control);
  if (restored || positions[0].empty())
    return restored;
  try {
    const std::string name = valueOf(metadata, role);
    return projection::populationAt(name.empty() ? role : name, std::move(positions));
  } catch (const Error& error) {
    throw Error(ErrorCode::BadFormat, "holds no population: " + error.message(), path);
  }
}

std::shared_ptr<ImportedTable> TableBuilder::finish(Metadata metadata, const RunControl& control)
{
  projection::WeightTable& table = imported->table;
  if (row != table.rows())
    throw Error(ErrorCode::BadFormat,
                "ends after " + std::to_string(row) + " of " + std::to_string(table.rows()) + " rows", path);
  for (std::size_t source = 1; source < table.offsets.size(); ++source)
    table.offsets[source] += table.offsets[source - 1];
  imported->metadata = std::move(metadata);
  projection::Projection& projection = table.projection;
  projection.parameters = restoreParameters(imported->metadata, path);
  projection.source = populationOf("source", table.sources(), sourcePositions, control);
  projection.destination = populationOf("destination", imported->destinations, destinationPositions, control);
  if (!delaysDiffer && projection.parameters.velocity == 0) {
    table.constantDelay = row > 0 ? table.delay[0] : static_cast<float>(projection.parameters.delay);
    table.delay = {};
  }
  return imported;
}

std::pair<std::string, std::string> distinctNames(const projection::Projection& projection)
{
  const projection::Population& a = *projection.source;
  const projection::Population& b = *projection.destination;
  const bool areTold = a.name() != b.name() || projection::isSamePopulation(a, b);
  return {a.name(), areTold ? b.name() : b.name() + "_destination"};
}

void writeRows(
    const TableSource& table, std::ostream& stream, const RunControl& control,
    const std::function<void(const projection::TableSlab&, std::uint64_t, std::uint64_t, std::string&)>& format)
{
  constexpr std::uint64_t kRowsOfPiece = 1 << 15;
  const auto pieces = static_cast<std::size_t>(2 * hardwareThreads());
  std::vector<std::string> bytes(pieces);
  table.forSlabs([&](const projection::TableSlab& slab) {
    const std::uint64_t rows = slab.destination.size();
    for (std::uint64_t begin = 0; begin < rows; begin += pieces * kRowsOfPiece) {
      const std::uint64_t done = slab.offsets[slab.sourceBegin] + begin;
      control.report("export", static_cast<double>(done) / static_cast<double>(table.rows()));
      const std::uint64_t left = (rows - begin + kRowsOfPiece - 1) / kRowsOfPiece;
      const auto next = static_cast<std::size_t>(std::min<std::uint64_t>(pieces, left));
      parallelFor(next, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t piece = first; piece < last; ++piece) {
          bytes[piece].clear();
          const std::uint64_t from = begin + piece * kRowsOfPiece;
          format(slab, from, std::min(rows, from + kRowsOfPiece), bytes[piece]);
        }
      });
      for (std::size_t piece = 0; piece < next; ++piece)
        stream.write(bytes[piece].data(), static_cast<std::streamsize>(bytes[piece].size()));
      // A full disk ends the export at once; what the caller throws for it says why.
      if (!stream)
        return;
    }
  });
}

} // namespace detail

} // namespace hinesight::io
