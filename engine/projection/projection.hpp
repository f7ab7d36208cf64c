#pragma once

#include "core/devices_field.hpp"
#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "projection/table_memory.hpp"
#include "projection/weight_table.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::projection {

/// Where a table is made; visitFields has names and ranges.
struct ComputeParameters
{
  Backend backend = Backend::Cpu;
  int threads = 0;            ///< CPU threads, 0 for all of the machine
  std::uint64_t slabRows = 0; ///< most rows that are made at a time; 0: as many as memory holds
  std::int32_t devices = 1;   ///< GPUs that share the table, 0: all
  bool operator==(const ComputeParameters&) const = default;
};

/// All but the rows at a time, for which there is always a good answer.
template <typename Visitor>
void visitFields(ComputeParameters& p, Visitor&& visit)
{
  visit(Field{.name = "backend",
              .label = "Backend",
              .help = "Where the table is made; populations and files are made on the CPU.",
              .detail = "Both give the same table.",
              .section = {"Compute", "Where the table is made"},
              .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads that make the table.",
              .detail = "More threads than the machine has do not make it faster.",
              .concern = Concern::Machine}
            .when(p.backend == Backend::Cpu),
        p.threads);
  visit(
      devicesField("GPUs of this machine that share the table.",
                   "Each counts and writes the rows of a part of the sources. A table of fewer than 32,768 sources is "
                   "made on one; the device's name says so.")
          .when(p.backend == Backend::Cuda),
      p.devices);
}

class TableRanks;

/// A projection whose rows are counted: how many each source has is known, none is written yet.
class PreparedProjection
{
public:
  virtual ~PreparedProjection() = default;
  PreparedProjection(const PreparedProjection&) = delete;
  PreparedProjection& operator=(const PreparedProjection&) = delete;

  const Projection& projection() const { return problem->projection; }
  /// As WeightTable::offsets.
  const std::vector<std::uint64_t>& offsets() const { return rowOffsets; }
  std::uint64_t rows() const { return rowOffsets.back(); }
  bool hasDelays() const { return problem->view.inverseVelocity > 0; }
  /// ms; 0 where rows have delays of their own.
  float constantDelay() const { return hasDelays() ? 0.0F : static_cast<float>(problem->view.delay); }
  /// As WeightTable::warnings.
  std::vector<std::string> warnings() const;
  /// "bin", "count", "scan", and once rows were written "compact" and, on CUDA, "download".
  const StageTimings& timings() const { return stages; }

  /// Writes the rows of sources [begin, end), row offsets()[begin] first. Throws Error(Cancelled), Error(OutOfMemory),
  /// Error(DeviceFailure).
  virtual void write(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) = 0;
  /// The same by this rank alone, whoever shares the table.
  virtual void writeHere(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) = 0;
  /// The ranks that share the table; null: it is made here alone.
  virtual const TableRanks* tableRanks() const = 0;

protected:
  explicit PreparedProjection(std::unique_ptr<const Problem> prepared) : problem(std::move(prepared)) {}

  /// What the count found; throws where a value is no finite number.
  void take(const CountFindings& found);

  std::unique_ptr<const Problem> problem;
  std::vector<std::uint64_t> rowOffsets;
  StageTimings stages;

private:
  std::uint64_t negativeProbabilities = 0;
};

/// Sorts the destinations into cells where they are on no lattice, counts the rows of each source and adds them up. The
/// counts are the same on every backend and number of threads. Count and rows are split among ranks where there are
/// some (currentRanks), to the same bytes; on CUDA each rank has a GPU, and they are the devices of the timings. Who
/// wants `devices` has the ranks for them (ranksOfGpus). Throws as validate (parameters.hpp), as
/// refuseValueOf (problem.hpp), and Error(NoDevice), Error(OutOfMemory), Error(Cancelled), Error(DeviceFailure).
std::unique_ptr<PreparedProjection> prepare(const Projection& projection, const ComputeParameters& parameters,
                                            const RunControl& control = {});

/// The whole table in main memory. Throws as prepare, and Error(OutOfMemory) that says how large the table is.
std::shared_ptr<const WeightTable> project(const Projection& projection, const ComputeParameters& parameters = {},
                                           const RunControl& control = {});
/// The same of what was prepared; writes the rows.
std::shared_ptr<const WeightTable> makeTable(PreparedProjection& prepared, const RunControl& control = {});
/// The same in memory that is used again.
std::shared_ptr<const WeightTable> makeTable(PreparedProjection& prepared, TableMemory& memory,
                                             const RunControl& control = {});

enum class SlabMaker
{
  AllRanks, ///< those that share the table, for rank 0
  ThisRank
};

/// The rows of some of the sources a slab at a time, in memory that is used again.
class SlabStream
{
public:
  /// Of sources [begin, end). A slab has at most `slabRows` rows, or one source.
  SlabStream(PreparedProjection& projection, std::uint64_t begin, std::uint64_t end, std::uint64_t slabRows,
             SlabMaker by);

  bool isAtEnd() const { return next == last; }
  /// Makes the next slab, in place of the one before it. Throws as makeTable.
  TableSlab take(const RunControl& control);

private:
  PreparedProjection& prepared;
  const std::uint64_t first, last; ///< sources
  const std::uint64_t mostRows;
  const SlabMaker maker;
  std::uint64_t next;
  HostArray<std::uint32_t> destination;
  HostArray<float> weight, delay;
};

/// Rows of a slab where nobody asks for a number: a quarter of the free memory, and of a table that ranks share so few
/// that they soon learn of each other's failures.
std::uint64_t rowsOfSlab(const PreparedProjection& prepared);

/// Makes the table a slab of sources at a time and hands each to `sink`, in order: for tables larger than main memory.
/// A slab has at most `slabRows` rows (0: as rowsOfSlab), or one source. Throws as makeTable, and what `sink` throws.
void streamTable(PreparedProjection& prepared, std::uint64_t slabRows,
                 const std::function<void(const TableSlab&)>& sink, const RunControl& control = {});

/// Of the table in memory, as WeightTable::bytes.
std::uint64_t tableBytes(const PreparedProjection& prepared);
/// The same of a table with so many rows; the greatest number where they are more than that.
std::uint64_t tableBytes(const Projection& projection, std::uint64_t rows);
/// The most rows that a table can have, whatever the kernel's values are.
std::uint64_t mostRows(const Projection& projection);
/// Whether a table is so large that a person should be asked before it is made: more than a gigabyte, or than a quarter
/// of the memory that is free.
bool isLargeTable(std::uint64_t bytes);

/// The table as one slab.
TableSlab slabOf(const WeightTable& table);

/// For each source, the end of the longest run of sources from `begin` with at most `rows` rows; at least one source.
std::uint64_t slabEnd(const std::vector<std::uint64_t>& offsets, std::uint64_t begin, std::uint64_t rows);

namespace detail {
/// `ranks`: those that share the table; null: it is made here alone.
std::unique_ptr<PreparedProjection> prepareCpu(std::unique_ptr<const Problem> problem, StageTimings timings,
                                               const ComputeParameters& parameters, std::unique_ptr<TableRanks> ranks,
                                               const RunControl& control);
std::unique_ptr<PreparedProjection> prepareCuda(std::unique_ptr<const Problem> problem, StageTimings timings,
                                                const ComputeParameters& parameters, std::unique_ptr<TableRanks> ranks,
                                                const RunControl& control);
} // namespace detail

} // namespace hinesight::projection
