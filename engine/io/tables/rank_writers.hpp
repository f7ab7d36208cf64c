#pragma once

#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "io/tables/table_records.hpp"
#include "projection/projection.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hinesight::io {

namespace detail {

/// The ranks that share a table, who write it together: each the rows of its share. Of rank 0.
class RankWriters
{
public:
  /// `control`: of the making of the rows. `slabRows`: of a rank at a time; 0: as projection::rowsOfSlab.
  RankWriters(projection::PreparedProjection& table, std::uint64_t slabRows, const RunControl& control);

  /// Whether every rank can open an empty file that this one has made; a sentence says where one cannot. Throws as
  /// RowFile.
  bool canOpen(const RecordFile& file);
  /// Writes the records of all rows, and brings them to the disk. Ranks stop together between slabs where one of them
  /// fails: then throws FailedTogether. Throws as RowFile.
  void write(std::span<const RecordFile> files, std::span<const RowRecords> records);

  const std::vector<std::string>& warnings() const { return sentences; }

private:
  projection::PreparedProjection& prepared;
  const std::uint64_t mostRows;
  const RunControl& control;
  std::vector<std::string> sentences;
};

} // namespace detail

/// What ranks but 0 join of weight tables: they make them, and write them to files. `control` cancels their work.
std::vector<RankTask> rankTasks(const RunControl& control = {});

} // namespace hinesight::io
