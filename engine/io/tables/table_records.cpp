#include "io/tables/table_records.hpp"

#include "core/parallel.hpp"
#include "io/tables/projection_export.hpp"
#include "io/tables/rank_writers.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace hinesight::io::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "records are written as they lie in memory");

/// Where one field of each record goes, record after record.
class FieldOut
{
public:
  FieldOut(char* first, std::size_t recordBytes, std::uint8_t fieldBytes)
      : at(first), record(recordBytes), isNarrow(fieldBytes == sizeof(std::uint32_t))
  {}

  void add(std::uint64_t number) { isNarrow ? put(static_cast<std::uint32_t>(number)) : put(number); }
  void add(float number) { isNarrow ? put(number) : put(static_cast<double>(number)); }

private:
  template <typename Value>
  void put(Value value)
  {
    std::memcpy(at, &value, sizeof value);
    at += record;
  }

  char* at;
  std::size_t record;
  bool isNarrow;
};

/// Of rows [begin, end) of a slab, counted from its first.
void putField(FieldOut out, RowValue value, const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end)
{
  const auto putAll = [&](const auto& valueOf) {
    for (std::uint64_t row = begin; row < end; ++row)
      out.add(valueOf(row));
  };
  const std::uint64_t first = slab.offsets[slab.sourceBegin];
  switch (value) {
  case RowValue::Source:
    return forRows(slab, begin, end, [&](std::uint64_t, std::uint64_t source) { out.add(source); });
  case RowValue::Destination:
    return putAll([&](std::uint64_t row) { return std::uint64_t{slab.destination[row]}; });
  case RowValue::Row:
    return putAll([&](std::uint64_t row) { return first + row; });
  case RowValue::Weight:
    return putAll([&](std::uint64_t row) { return slab.weight[row]; });
  case RowValue::Delay:
    return putAll([&](std::uint64_t row) { return slab.delay.empty() ? slab.constantDelay : slab.delay[row]; });
  }
}

/// `bytes` is room that is used again.
void writePiece(const RowFile& file, const RowRecords& records, const projection::TableSlab& slab, std::uint64_t begin,
                std::uint64_t end, std::vector<char>& bytes)
{
  const std::size_t record = records.bytes();
  bytes.resize((end - begin) * record);
  std::size_t place = 0;
  for (const RecordField& field : records.fields)
    if (field.bytes > 0) {
      putField({bytes.data() + place, record, field.bytes}, field.value, slab, begin, end);
      place += field.bytes;
    }
  file.write(records.begin + (slab.offsets[slab.sourceBegin] + begin) * record, bytes.data(), bytes.size());
}

} // namespace

std::size_t RowRecords::bytes() const
{
  std::size_t sum = 0;
  for (const RecordField& field : fields)
    sum += field.bytes;
  return sum;
}

RecordFile recordFile(const std::filesystem::path& temporary, const std::filesystem::path& path)
{
  return {std::filesystem::absolute(temporary).string(), path.string()};
}

std::deque<RowFile> openFiles(std::span<const RecordFile> files)
{
  std::deque<RowFile> open;
  for (const RecordFile& file : files)
    open.emplace_back(file.temporary, file.shown, RowFile::Use::Write);
  return open;
}

void writeSlab(const std::deque<RowFile>& files, std::span<const RowRecords> records, const projection::TableSlab& slab,
               int threads, const std::function<void(std::uint64_t)>& wrote)
{
  constexpr std::size_t kRowsOfPiece = 1 << 15;
  const auto writeRange = [&](std::size_t begin, std::size_t end) {
    std::vector<char> bytes;
    for (std::size_t from = begin; from < end; from += kRowsOfPiece) {
      const std::size_t to = std::min(end, from + kRowsOfPiece);
      for (const RowRecords& each : records)
        writePiece(files[each.file], each, slab, from, to, bytes);
      wrote(to - from);
    }
  };
  parallelFor(slab.destination.size(), kRowsOfPiece, writeRange, threads);
}

RecordWriter::RecordWriter(const TableSource& table, std::vector<RecordFile> files)
    : source(table), targets(std::move(files)), isShared(table.ranks && table.ranks->canOpen(targets.front()))
{}

void RecordWriter::write(const std::vector<RowRecords>& records, const RunControl& control) const
{
  if (isShared)
    return source.ranks->write(targets, records);
  const std::deque<RowFile> files = openFiles(targets);
  std::atomic<std::uint64_t> done{0};
  source.forSlabs([&](const projection::TableSlab& slab) {
    writeSlab(files, records, slab, 0, [&](std::uint64_t rows) {
      control.report("export", static_cast<double>(done += rows) / static_cast<double>(source.rows()));
    });
  });
}

} // namespace hinesight::io::detail
