#include "io/tables/rank_writers.hpp"

#include "projection/ranks/table_ranks.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>

namespace hinesight::io {

namespace {

using namespace detail;

constexpr const char* kOpen = "table file: open";
constexpr const char* kWrite = "table file: write";

/// A number that no file holds by chance.
std::uint64_t makeToken()
{
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

bool canOpenHere(const std::string& file, std::uint64_t token)
{
  try {
    std::uint64_t found = 0;
    RowFile(file, file).read(0, &found, sizeof found);
    return found == token;
  } catch (...) {
    return false;
  }
}

/// How many ranks cannot open the file with that token; both are rank 0's. Collective.
std::uint64_t countBlind(Communicator& ranks, std::string file, std::uint64_t token)
{
  ranks.broadcast(file, 0);
  ranks.broadcast(token, 0);
  return ranks.allReduce(std::uint64_t{!canOpenHere(file, token)}, Reduction::Sum);
}

/// What all ranks write, and where.
struct WriteOrder
{
  std::uint64_t table = 0; ///< its number
  std::uint64_t slabRows = 0;
  std::vector<RecordFile> files;
  std::vector<RowRecords> records;
};

/// Gives all ranks that of rank 0. Collective.
void broadcast(Communicator& ranks, WriteOrder& order)
{
  std::uint64_t files = order.files.size();
  ranks.broadcast(order.table, 0);
  ranks.broadcast(order.slabRows, 0);
  ranks.broadcast(files, 0);
  order.files.resize(files);
  for (RecordFile& file : order.files) {
    ranks.broadcast(file.temporary, 0);
    ranks.broadcast(file.shown, 0);
  }
  ranks.broadcast(order.records, 0);
}

/// Writes this rank's share. Collective; no rank is more than a slab ahead of one that fails.
void writeShare(projection::PreparedProjection& prepared, const WriteOrder& order, const RunControl& control)
{
  Communicator& ranks = prepared.tableRanks()->communicator();
  std::deque<RowFile> files;
  std::optional<projection::SlabStream> share;
  together(ranks, [&] {
    files = openFiles(order.files);
    const projection::SourceRange own = prepared.tableRanks()->share(prepared.offsets());
    share.emplace(prepared, own.begin, own.end, order.slabRows, projection::SlabMaker::ThisRank);
  });
  const int threads = threadsOfRank(ranks, 0);
  for (bool goesOn = true; goesOn;) {
    together(ranks, [&] {
      if (!share->isAtEnd())
        writeSlab(files, order.records, share->take(control), threads, [&](std::uint64_t) { control.checkpoint(); });
    });
    goesOn = ranks.allReduce(std::uint64_t{!share->isAtEnd()}, Reduction::Most) != 0;
  }
  together(ranks, [&] {
    for (const RowFile& file : files)
      file.flush();
  });
}

/// Makes the files as long as they will be, and brings what is in them to the disk: no rank then writes at their end,
/// nor where another one's cache has something else.
void makeReady(std::span<const RecordFile> files, std::span<const RowRecords> records, std::uint64_t rows)
{
  const std::deque<RowFile> open = openFiles(files);
  for (const RowRecords& each : records)
    open[each.file].growTo(each.begin + rows * each.bytes());
  for (const RowFile& file : open)
    file.flush();
}

} // namespace

namespace detail {

RankWriters::RankWriters(projection::PreparedProjection& table, std::uint64_t slabRows, const RunControl& ofRows)
    : prepared(table), mostRows(slabRows > 0 ? slabRows : projection::rowsOfSlab(table)), control(ofRows)
{}

bool RankWriters::canOpen(const RecordFile& file)
{
  Communicator& ranks = prepared.tableRanks()->communicator();
  const RowFile opened(file.temporary, file.shown);
  const std::uint64_t token = makeToken();
  opened.write(0, &token, sizeof token);
  opened.flush();
  std::uint64_t blind = 0;
  {
    const TaskScope task(ranks, kOpen);
    blind = countBlind(ranks, file.temporary, token);
  }
  opened.resize(0);
  if (blind > 0)
    sentences.push_back(std::to_string(blind) + " of " + ranksInWords(ranks) + " cannot open " + file.shown +
                        ", so that rank 0 wrote all rows; name a file in a folder that all ranks share.");
  return blind == 0;
}

void RankWriters::write(std::span<const RecordFile> files, std::span<const RowRecords> records)
{
  makeReady(files, records, prepared.rows());
  const projection::TableRanks& table = *prepared.tableRanks();
  WriteOrder order{table.number(), mostRows, {files.begin(), files.end()}, {records.begin(), records.end()}};
  const TaskScope task(table.communicator(), kWrite);
  broadcast(table.communicator(), order);
  writeShare(prepared, order, control);
}

} // namespace detail

std::vector<RankTask> rankTasks(const RunControl& control)
{
  const auto tables = std::make_shared<projection::ReadyTables>();
  std::vector<RankTask> tasks = projection::rankTasks(control, tables);
  tasks.push_back({kOpen, [](Communicator& ranks) { countBlind(ranks, {}, 0); }});
  tasks.push_back({kWrite, [tables, control](Communicator& ranks) {
                     WriteOrder order;
                     broadcast(ranks, order);
                     writeShare(*tables->at(order.table), order, control.silenced());
                   }});
  return tasks;
}

} // namespace hinesight::io
