#pragma once

#include "core/communicator.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "projection/projection.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace hinesight::projection {

/// Sources [begin, end).
struct SourceRange
{
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// How the ranks share one table: each counts the rows of an equal share of the sources, all learn of all counts, and
/// each writes an equal share of the rows. Rank 0 has the table, the other ranks join its tasks. Not to be outlived by
/// the ranks' work: rank 0's destructor lets the others forget the table.
class TableRanks
{
public:
  /// `number`: of the table, on all ranks the same.
  TableRanks(Communicator& communicator, std::uint64_t number) : ranks(communicator), id(number) {}
  ~TableRanks();
  TableRanks(const TableRanks&) = delete;
  TableRanks& operator=(const TableRanks&) = delete;

  Communicator& communicator() const { return ranks; }
  std::uint64_t number() const { return id; }

  /// Whose rows this rank counts.
  SourceRange counted(std::uint64_t sources) const;
  /// Whose rows this rank has where each has its share of the whole table.
  SourceRange share(const std::vector<std::uint64_t>& offsets) const;
  /// Everybody gets everybody's counts, which are in offsets[source + 1]. Collective.
  void gatherCounts(std::vector<std::uint64_t>& offsets) const;
  /// Everybody gets what all have found. Collective.
  void gatherFindings(CountFindings& found) const;

  /// Writes the rows of a part of the sources, the first of them first, as PreparedProjection::write.
  using WriteRows = std::function<void(SourceRange sources, const RowsOut& out)>;
  /// Writes the rows of `sources` to `out` of rank 0, each rank those of its part, by `writeRows`; ranks that share
  /// memory write them right there. Rank 0 calls the others. Throws FailedTogether.
  void write(const std::vector<std::uint64_t>& offsets, SourceRange sources, const RowsOut& out, bool hasDelays,
             const WriteRows& writeRows) const;

private:
  Communicator& ranks;
  const std::uint64_t id;
};

/// Of each rank the sources whose rows it writes: as many rows as a cut between sources allows.
std::vector<SourceRange> cutByRows(const std::vector<std::uint64_t>& offsets, SourceRange sources, int ranks);

/// Of rank 0: the task in which the others make a table ready; leadTable and its count come next.
TaskScope callToTable(Communicator& ranks);

/// Of rank 0: the others make the same projection ready, and join its count.
std::unique_ptr<TableRanks> leadTable(Communicator& ranks, const Projection& projection,
                                      const ComputeParameters& parameters);

/// What the ranks but 0 have made ready, by the number of the table.
using ReadyTables = std::map<std::uint64_t, std::unique_ptr<PreparedProjection>>;

/// What the other ranks join; they keep what they count in `tables` between tasks. `control` cancels their work.
std::vector<RankTask> rankTasks(const RunControl& control = {},
                                const std::shared_ptr<ReadyTables>& tables = std::make_shared<ReadyTables>());

} // namespace hinesight::projection
