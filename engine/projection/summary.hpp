#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "projection/weight_table.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::projection {

/// How many rows have a weight in each of equally wide bins from `low` to `high`, the last bin closed.
struct WeightHistogram
{
  float low = 0;
  float high = 0;
  std::vector<std::uint64_t> counts;
};

/// Indices [begin, end) of a population.
struct IndexRange
{
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
  bool operator==(const IndexRange&) const = default;
};

/// The rows of a part of the matrix of sources and destinations, counted in bins. Bin k of a range of n indices has
/// those with (index - begin) * bins / n = k.
struct AdjacencyBins
{
  IndexRange sources;
  IndexRange destinations;
  std::uint32_t down = 0;            ///< bins of sources, at most as many as there are sources
  std::uint32_t across = 0;          ///< bins of destinations
  std::vector<std::uint32_t> counts; ///< bin (k, l) of sources and destinations at k * across + l

  /// The pairs of a bin that have a row, over all that there are; 0 to 1.
  double density(std::uint32_t binDown, std::uint32_t binAcross) const;
};

/// What a table comes to, for whoever looks at it: its rows are visited twice.
struct TableSummary
{
  std::vector<std::uint32_t> fanOut; ///< rows of each source
  std::vector<std::uint32_t> fanIn;  ///< rows of each destination
  WeightHistogram weights;
  AdjacencyBins adjacency; ///< of the whole table
};

/// Bins of the pictures that a summary holds.
struct SummaryParameters
{
  std::uint32_t weightBins = 64;
  std::uint32_t adjacencyBins = 192; ///< along each side
  int threads = 0;                   ///< 0: all of the machine
};

template <typename Visitor>
void visitFields(SummaryParameters& p, Visitor&& visit)
{
  visit(Field{.name = "weight-bins",
              .label = "Weight bins",
              .range = from(1, 65'536),
              .slider = {1, 1024, true},
              .help = "Bins of the histogram of weights.",
              .concern = Concern::Picture},
        p.weightBins);
  visit(Field{.name = "adjacency-bins",
              .label = "Adjacency bins",
              .range = from(1, 4'096),
              .slider = {1, 1024, true},
              .help = "Bins along each side of the matrix of sources and destinations.",
              .concern = Concern::Picture},
        p.adjacencyBins);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads that count.",
              .concern = Concern::Machine},
        p.threads);
}

/// The same on any number of threads. Throws Error(BadParameter) that names the parameter and its range,
/// Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<const TableSummary> summarize(const WeightTable& table, const SummaryParameters& parameters = {},
                                              const RunControl& control = {});

/// A part of the matrix; both ranges inside the table's and not empty. Throws as summarize.
AdjacencyBins binAdjacency(const WeightTable& table, IndexRange sources, IndexRange destinations, std::uint32_t bins,
                           int threads = 0, const RunControl& control = {});

} // namespace hinesight::projection
