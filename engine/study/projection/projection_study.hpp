#pragma once

#include "core/kept_ranks.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "io/file_stamp.hpp"
#include "projection/projection.hpp"
#include "projection/summary.hpp"
#include "projection/table_memory.hpp"
#include "study/projection/population_choice.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace hinesight::study {

/// Two populations, how they are joined, and where the table is made.
struct ProjectionRequest
{
  PopulationChoice source;
  PopulationChoice destination;
  projection::ProjectionParameters parameters;
  projection::ComputeParameters compute;
  std::uint64_t rowsAllowed = 0; ///< what a person has agreed to, of a table that is asked about

  bool operator==(const ProjectionRequest&) const = default;
};

/// Whether both make the same table in the same place.
bool makeTheSame(const ProjectionRequest& a, const ProjectionRequest& b);

/// A finished table and what it comes to.
struct ProjectionResult
{
  std::shared_ptr<const projection::WeightTable> table;
  std::shared_ptr<const projection::TableSummary> summary;
  /// Positions (where a population was made anew), bin, count, scan, compact, download; or read; and summary
  StageTimings timings;
  std::string file;              ///< that the table was read from; empty: it was made
  bool hasParameters = true;     ///< false: the file does not say how the table was made
  bool positionsAreKnown = true; ///< false: the file does not hold them, and its neurons are drawn in rows
  bool wasAskedAbout = false;    ///< a person has agreed to its size
};

/// The size of a table that nobody may have meant: it is large, or the kernel falls off and there is no cut.
struct SizeQuestion
{
  bool lacksCut = false; ///< the kernel falls off
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  bool isCounted = true; ///< false: `rows` are all pairs, which are too many to count
  bool fitsMemory = true;
};

/// A table that was read, and the populations that would make it again.
struct OpenedTable
{
  ProjectionResult result;
  PopulationChoice source;
  PopulationChoice destination;
};

/// A table that was written to a file, or only made.
struct WrittenTable
{
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;           ///< of the table, in memory or as it would be
  StageTimings timings;              ///< bin, count, scan, compact, download; and export
  std::vector<std::string> warnings; ///< as projection::WeightTable::warnings
};

/// Makes a table, whatever its size, and writes it by the ending of the path; empty: it is only made. One that memory
/// does not hold beside its export, or that ranks share, is made and written slab by slab. Throws as ranksFor, prepare,
/// makeTable and io::exportTable.
WrittenTable writeTable(const projection::Projection& projection, const projection::ComputeParameters& compute,
                        const std::string& path, const RunControl& control);

/// Makes populations and tables; a population is kept until another one is asked for, and so are GPUs that make a table
/// together. Not thread-safe: one thread uses
/// it at a time.
class ProjectionStudy
{
public:
  /// Makes the populations, or has them still. Throws as projection::validate and makePopulation.
  projection::Projection place(const ProjectionRequest& request, const RunControl& control);

  /// Makes the table, or asks first. Throws as place, ranksFor, prepare, makeTable and summarize.
  std::variant<ProjectionResult, SizeQuestion> run(const ProjectionRequest& request, const RunControl& control);

  /// Reads a table, by the ending of the path. Throws as io::importTable and summarize.
  OpenedTable open(const std::string& path, const RunControl& control);

  /// To be called while nothing waits: has memory ready for another table like the last one, which is still shown.
  /// Throws Error(Cancelled).
  void makeReady(const projection::WeightTable& last, const RunControl& control);

private:
  struct Made
  {
    PopulationChoice choice;
    std::shared_ptr<const projection::Population> population;
    io::FileStamp file = {}; ///< that its neurons were read from; one that has changed is read again
  };
  Made made(const PopulationChoice& choice, const RunControl& control) const;
  void summarize(ProjectionResult& outcome, int threads, const RunControl& control) const;

  Made source;
  Made destination;
  double making = 0; ///< ms that the newest `place` took to make populations; 0: they were kept
  projection::TableMemory memory;
  std::shared_ptr<KeptRanks> gpus; ///< of the newest table; null: one, or the CPU
};

} // namespace hinesight::study
