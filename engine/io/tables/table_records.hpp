#pragma once

#include "core/run_control.hpp"
#include "io/row_file.hpp"
#include "projection/weight_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hinesight::io {

struct TableSource;

namespace detail {

// Weight tables as records of one length in binary files: the place of each row is known before it is written, so that
// threads and ranks write them in any order.

/// What of a row stands in a record.
enum class RowValue : std::uint8_t
{
  Source,
  Destination,
  Row,
  Weight,
  Delay
};

/// A number of a record, in 4 bytes or in 8; weight and delay are of single or double precision, the others whole.
struct RecordField
{
  RowValue value = RowValue::Source;
  std::uint8_t bytes = 0; ///< 0: there is no such field
};

/// One record for each row of a table, one behind the other: the fields without padding.
struct RowRecords
{
  std::uint64_t file = 0;  ///< which of the table's files
  std::uint64_t begin = 0; ///< byte of the first record
  std::array<RecordField, 4> fields{};

  std::size_t bytes() const; ///< of a record
};

/// A file that is written beside its place.
struct RecordFile
{
  std::string temporary; ///< from the root on: ranks may work in other folders
  std::string shown;     ///< what it will be called
};

RecordFile recordFile(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// For writing. Throws as RowFile.
std::deque<RowFile> openFiles(std::span<const RecordFile> files);

/// Writes the records of a slab. Calls `wrote` with a number of rows again and again, on up to so many threads (0: all
/// of the machine).
void writeSlab(const std::deque<RowFile>& files, std::span<const RowRecords> records, const projection::TableSlab& slab,
               int threads, const std::function<void(std::uint64_t)>& wrote);

/// Writes the rows of a table to files: all ranks that share the table write theirs where each of them can open what
/// this one has made, else this one writes all.
class RecordWriter
{
public:
  /// Asks the ranks. The files are empty, and are empty afterwards. Throws as RowFile.
  RecordWriter(const TableSource& table, std::vector<RecordFile> files);
  /// Throws as RowFile, and what the rows are made with.
  void write(const std::vector<RowRecords>& records, const RunControl& control) const;

private:
  const TableSource& source;
  const std::vector<RecordFile> targets;
  const bool isShared;
};

} // namespace detail

} // namespace hinesight::io
