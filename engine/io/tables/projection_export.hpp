#pragma once

#include "core/run_control.hpp"
#include "io/tables/table_metadata.hpp"
#include "projection/projection.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::io {

namespace detail {
class RankWriters;
}

/// A weight table as a writer sees it: sizes first, then the rows, slab by slab in order.
struct TableSource
{
  const projection::Projection& projection;
  const std::vector<std::uint64_t>& offsets; ///< as WeightTable::offsets
  bool hasDelays;                            ///< a delay a row, else constantDelay
  float constantDelay;                       ///< ms
  /// Calls its argument with every slab.
  std::function<void(const std::function<void(const projection::TableSlab&)>&)> forSlabs;
  bool hasParameters = true; ///< false: those of the projection are not known
  /// Those who can write the rows as records too; null: there are none.
  detail::RankWriters* ranks = nullptr;

  std::uint64_t rows() const { return offsets.back(); }
};

/// What files carry beside the rows: the populations' names and sizes, how they are made, and every parameter of the
/// projection that applies, where these are known.
Metadata metadataOf(const TableSource& table);

/// A table that was read from a file, with the parameters that the file names. Its populations are made again from what
/// the file says: they are null where it does not hold their positions (of a file or of somata, in any format but
/// SONATA).
struct ImportedTable
{
  std::uint64_t destinations = 0; ///< how many the destination population has; sources are table.sources()
  Metadata metadata;
  projection::WeightTable table;
};

/// ".csv, .npy, .h5, .spineml, .xml": what exportTable knows.
std::string tableExtensions();
/// Throws Error(BadParameter) unless the path ends in one of them.
void requireTableExtension(const std::filesystem::path& path);

/// Writes a table by the extension of the path: to a temporary file that is renamed when it is complete. Throws as
/// requireTableExtension, Error(WriteFailed), Error(Cancelled). `hasParameters`: false for a table from a file that
/// does not say how it was made; neither does what is written then.
void exportTable(const projection::WeightTable& table, const std::filesystem::path& path,
                 const RunControl& control = {}, bool hasParameters = true);
/// The same of rows that are made slab by slab, of at most `slabRows` rows (0: as projection::rowsOfSlab), for tables
/// larger than main memory. Ranks that share the table each write their part of the rows to a binary file that all of
/// them can open; else they send slab after slab here. Returns sentences about what a person may not expect. Throws as
/// streamTable too.
std::vector<std::string> exportStreamed(projection::PreparedProjection& prepared, const std::filesystem::path& path,
                                        const RunControl& control = {}, std::uint64_t slabRows = 0);

/// Reads what exportTable wrote, by the extension. Rows must be ordered by source, then destination. Throws as
/// readFile, Error(BadFormat) with what is wrong where, Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<ImportedTable> importTable(const std::filesystem::path& path, const RunControl& control = {});

namespace detail {

void writeTableCsv(const TableSource& table, const std::filesystem::path& path, const RunControl& control);
std::shared_ptr<ImportedTable> readTableCsv(const std::filesystem::path& path, const RunControl& control);
void writeTableNpy(const TableSource& table, const std::filesystem::path& path, const RunControl& control);
std::shared_ptr<ImportedTable> readTableNpy(const std::filesystem::path& path, const RunControl& control);
void writeTableSonata(const TableSource& table, const std::filesystem::path& path, const RunControl& control);
std::shared_ptr<ImportedTable> readTableSonata(const std::filesystem::path& path, const RunControl& control);
/// SpineML with every connection in the document.
void writeTableXml(const TableSource& table, const std::filesystem::path& path, const RunControl& control);
/// SpineML with binary files beside the document.
void writeTableSpineml(const TableSource& table, const std::filesystem::path& path, const RunControl& control);
/// Either of them.
std::shared_ptr<ImportedTable> readTableSpineml(const std::filesystem::path& path, const RunControl& control);

/// Takes the rows of a file in their order and says what is wrong with them.
class TableBuilder
{
public:
  /// For exactly `rows` rows. Throws Error(OutOfMemory).
  TableBuilder(std::string file, std::uint64_t sources, std::uint64_t destinations, std::uint64_t rows);
  /// `line` is 0 where the file has none. Throws Error(BadFormat).
  void add(std::uint64_t source, std::uint64_t destination, float weight, float delay, std::int64_t line = 0);
  /// Positions that the file holds, for populations that its metadata do not make; empty where it has none.
  void place(std::array<std::vector<double>, 3> sources, std::array<std::vector<double>, 3> destinations);
  std::shared_ptr<ImportedTable> finish(Metadata metadata, const RunControl& control);

private:
  [[noreturn]] void fail(const std::string& what, std::int64_t line) const;

  std::shared_ptr<const projection::Population> populationOf(const char* role, std::uint64_t count,
                                                             std::array<std::vector<double>, 3>& positions,
                                                             const RunControl& control) const;

  std::string path;
  std::shared_ptr<ImportedTable> imported;
  std::array<std::vector<double>, 3> sourcePositions, destinationPositions;
  std::uint64_t row = 0;
  std::uint64_t lastSource = 0;
  bool delaysDiffer = false;
};

/// The names of source and destination for formats that tell populations apart by them: where two populations have
/// one name, the destination's is "NAME_destination".
std::pair<std::string, std::string> distinctNames(const projection::Projection& projection);

/// Calls body(row, source) for rows [begin, end) of a slab, counted from its first.
template <typename Body>
void forRows(const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end, const Body& body)
{
  const std::uint64_t first = slab.offsets[slab.sourceBegin];
  std::uint64_t source = slab.sourceBegin;
  // The source of the first row, by bisection.
  for (std::uint64_t last = slab.sourceEnd; last - source > 1;) {
    const std::uint64_t middle = source + (last - source) / 2;
    (slab.offsets[middle] - first <= begin ? source : last) = middle;
  }
  for (std::uint64_t row = begin; row < end; ++row) {
    while (slab.offsets[source + 1] - first <= row)
      ++source;
    body(row, source);
  }
}

/// Writes the bytes that `format(begin, end, bytes)` appends for rows [begin, end) of every slab: formatted by all
/// threads, written in order.
void writeRows(
    const TableSource& table, std::ostream& stream, const RunControl& control,
    const std::function<void(const projection::TableSlab&, std::uint64_t, std::uint64_t, std::string&)>& format);

} // namespace detail

} // namespace hinesight::io
