#include "projection/summary.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>

namespace hinesight::projection {

namespace {

constexpr std::uint64_t kRowsPerCheckpoint = 1 << 20;
constexpr std::size_t kMostCounterBytes = std::size_t{512} << 20; ///< of the counters that threads have of their own
constexpr std::uint16_t kOutside = 0xffff;

/// The rows of a table are read in parts, each by one thread with counters of its own, which are added up in the end:
/// whole numbers, so the sum does not depend on the parts.
struct Part
{
  std::uint64_t sourceBegin = 0;
  std::uint64_t sourceEnd = 0;
};

std::vector<Part> partsOf(const WeightTable& table, IndexRange sources, std::size_t most)
{
  const std::uint64_t first = table.offsets[sources.begin];
  const std::uint64_t rows = table.offsets[sources.end] - first;
  std::vector<Part> parts;
  std::uint64_t begin = sources.begin;
  for (std::size_t k = 0; k < most && begin < sources.end; ++k) {
    const std::uint64_t goal = first + rows / most * (k + 1);
    const auto from = table.offsets.begin();
    const auto found = std::lower_bound(from + static_cast<std::ptrdiff_t>(begin + 1),
                                        from + static_cast<std::ptrdiff_t>(sources.end), goal);
    const std::uint64_t end = k + 1 == most ? sources.end : static_cast<std::uint64_t>(found - from);
    parts.push_back({begin, end});
    begin = end;
  }
  return parts;
}

std::size_t partCount(int threads, std::size_t bytesOfCounters)
{
  const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : hardwareThreads());
  return std::clamp<std::size_t>(kMostCounterBytes / std::max<std::size_t>(1, bytesOfCounters), 1, wanted);
}

/// Calls visit(source, first row, end of rows) for every source of a part, with checkpoints in between.
template <typename Visit>
void visitSources(const WeightTable& table, const Part& part, const RunControl& control, const Visit& visit)
{
  std::uint64_t sinceCheckpoint = kRowsPerCheckpoint;
  for (std::uint64_t source = part.sourceBegin; source < part.sourceEnd; ++source) {
    const std::uint64_t end = table.offsets[source + 1];
    for (std::uint64_t begin = table.offsets[source]; begin < end;) {
      const std::uint64_t stop = std::min(end, begin + kRowsPerCheckpoint);
      sinceCheckpoint += stop - begin;
      if (sinceCheckpoint >= kRowsPerCheckpoint) {
        control.checkpoint();
        sinceCheckpoint = 0;
      }
      visit(source, begin, stop);
      begin = stop;
    }
  }
}

/// The bin of every index of a population; kOutside for those beyond the range.
std::vector<std::uint16_t> binsOfIndices(std::uint64_t count, IndexRange range, std::uint32_t bins)
{
  std::vector<std::uint16_t> bin(count, kOutside);
  for (std::uint64_t k = 0; k < range.size(); ++k)
    bin[range.begin + k] = static_cast<std::uint16_t>(k * bins / range.size());
  return bin;
}

template <typename Counter>
void addUp(std::vector<Counter>& sum, const std::vector<Counter>& part)
{
  for (std::size_t k = 0; k < sum.size(); ++k)
    sum[k] += part[k];
}

AdjacencyBins emptyBins(IndexRange sources, IndexRange destinations, std::uint32_t bins)
{
  AdjacencyBins adjacency;
  adjacency.sources = sources;
  adjacency.destinations = destinations;
  adjacency.down = static_cast<std::uint32_t>(std::min<std::uint64_t>(bins, sources.size()));
  adjacency.across = static_cast<std::uint32_t>(std::min<std::uint64_t>(bins, destinations.size()));
  adjacency.counts.assign(std::size_t{adjacency.down} * adjacency.across, 0);
  return adjacency;
}

std::uint32_t binDownOf(const AdjacencyBins& bins, std::uint64_t source)
{
  return static_cast<std::uint32_t>((source - bins.sources.begin) * bins.down / bins.sources.size());
}

/// Least and greatest weight; 0 and 0 of an empty table.
std::pair<float, float> weightRange(const WeightTable& table, int threads, const RunControl& control)
{
  const std::vector<Part> parts = partsOf(table, {0, table.sources()}, partCount(threads, 1));
  std::vector<std::pair<float, float>> ranges(parts.size(), {0, 0});
  parallelFor(
      parts.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          const std::uint64_t first = table.offsets[parts[k].sourceBegin];
          const std::uint64_t last = table.offsets[parts[k].sourceEnd];
          if (first == last)
            continue;
          // Several side by side, so that no row has to wait for the one before it.
          constexpr std::uint64_t kSideBySide = 16;
          std::array<float, kSideBySide> low;
          low.fill(table.weight[first]);
          std::array<float, kSideBySide> high = low;
          visitSources(table, parts[k], control, [&](std::uint64_t, std::uint64_t row, std::uint64_t stop) {
            const float* weight = table.weight.data();
            for (; row + kSideBySide <= stop; row += kSideBySide)
              for (std::uint64_t lane = 0; lane < kSideBySide; ++lane) {
                low[lane] = std::min(low[lane], weight[row + lane]);
                high[lane] = std::max(high[lane], weight[row + lane]);
              }
            for (; row < stop; ++row) {
              low[0] = std::min(low[0], weight[row]);
              high[0] = std::max(high[0], weight[row]);
            }
          });
          ranges[k] = {*std::ranges::min_element(low), *std::ranges::max_element(high)};
        }
      },
      threads);
  std::pair<float, float> whole{0, 0};
  bool any = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (table.offsets[parts[k].sourceBegin] == table.offsets[parts[k].sourceEnd])
      continue;
    whole =
        any ? std::pair(std::min(whole.first, ranges[k].first), std::max(whole.second, ranges[k].second)) : ranges[k];
    any = true;
  }
  return whole;
}

/// Rows that follow one another are counted apart: they are mostly of one bin, and an addition to a number in memory
/// has to wait for the one before it.
constexpr std::uint64_t kWeightCounters = 4;

/// Which bin each index of a range lies in, and where bins begin.
struct IndexBins
{
  IndexBins(std::uint64_t count, IndexRange range, std::uint32_t bins) : of(binsOfIndices(count, range, bins))
  {
    for (std::uint64_t bin = 0; bin <= bins; ++bin)
      begin.push_back(static_cast<std::uint32_t>(range.begin + (bin * range.size() + bins - 1) / bins));
  }

  std::vector<std::uint16_t> of;
  std::vector<std::uint32_t> begin; ///< one more than bins
};

/// Destinations of a source ascend, and on a grid they follow one another without a gap along a chord of what the
/// source reaches: so many rows are looked at together.
constexpr std::uint64_t kRowsAtATime = 16;
constexpr std::uint64_t kLeastRun = 4; ///< shorter ones cost less row by row

/// How many rows from `row` on, at least one, have destinations without a gap. Two that are as far apart as their rows
/// have no gap in between.
std::uint64_t lengthOfRun(const std::uint32_t* destination, std::uint64_t row, std::uint64_t stop)
{
  std::uint64_t length = 0;
  const auto goesOnFor = [&](std::uint64_t rows) {
    return row + length + rows <= stop && destination[row + length + rows - 1] - destination[row] == length + rows - 1;
  };
  while (goesOnFor(kRowsAtATime))
    length += kRowsAtATime;
  for (std::uint64_t rows = kRowsAtATime / 2; rows > 0; rows /= 2)
    if (goesOnFor(rows))
      length += rows;
  return length;
}

/// The counters of one part.
struct Counters
{
  std::vector<std::uint32_t> fanIn;       ///< of rows that were counted one by one
  std::vector<std::uint32_t> fanInChange; ///< of runs: from one destination to the next
  std::vector<std::uint64_t> weights;     ///< of a bin side by side
  std::vector<std::uint32_t> adjacency;

  /// `line`: of the adjacency. The rows of a run that lie in one bin are added at once.
  void addRun(std::uint32_t first, std::uint32_t end, const IndexBins& bins, std::uint32_t* line)
  {
    ++fanInChange[first];
    --fanInChange[end];
    while (first < end) {
      const std::uint16_t bin = bins.of[first];
      const std::uint32_t next = std::min(end, bins.begin[bin + std::size_t{1}]);
      line[bin] += next - first;
      first = next;
    }
  }

  /// The rows of one source.
  void addRows(const std::uint32_t* destination, std::uint64_t row, std::uint64_t stop, const IndexBins& bins,
               std::uint32_t* line)
  {
    while (row < stop) {
      if (const std::uint64_t length = lengthOfRun(destination, row, stop); length >= kLeastRun) {
        addRun(destination[row], destination[row + length - 1] + 1, bins, line);
        row += length;
        continue;
      }
      for (const std::uint64_t end = std::min(stop, row + kRowsAtATime); row < end; ++row) {
        ++fanIn[destination[row]];
        ++line[bins.of[destination[row]]];
      }
    }
  }
};

/// Equally wide bins from the least to the greatest weight.
struct WeightBins
{
  float low;
  float scale;
  float last;

  void count(const float* weight, std::uint64_t rows, std::vector<std::uint64_t>& counters) const
  {
    constexpr std::uint64_t kAtATime = 64;
    std::array<std::int32_t, kAtATime> bin;
    for (std::uint64_t begin = 0; begin < rows; begin += kAtATime) {
      const std::uint64_t size = std::min(kAtATime, rows - begin);
      for (std::uint64_t k = 0; k < size; ++k)
        bin[k] = static_cast<std::int32_t>(std::min((weight[begin + k] - low) * scale, last));
      for (std::uint64_t k = 0; k < size; ++k)
        ++counters[kWeightCounters * static_cast<std::uint32_t>(bin[k]) + k % kWeightCounters];
    }
  }
};

} // namespace

double AdjacencyBins::density(std::uint32_t binDown, std::uint32_t binAcross) const
{
  const auto first = [](std::uint64_t bin, std::uint64_t size, std::uint64_t bins) {
    return (bin * size + bins - 1) / bins;
  };
  const std::uint64_t rows = first(binDown + 1, sources.size(), down) - first(binDown, sources.size(), down);
  const std::uint64_t columns =
      first(binAcross + 1, destinations.size(), across) - first(binAcross, destinations.size(), across);
  return static_cast<double>(counts[std::size_t{binDown} * across + binAcross]) /
         (static_cast<double>(rows) * static_cast<double>(columns));
}

std::shared_ptr<const TableSummary> summarize(const WeightTable& table, const SummaryParameters& parameters,
                                              const RunControl& control)
{
  validateFields(fieldsOf(parameters));
  control.report("summary", 0);
  const std::uint64_t destinations = table.projection.destination->count();
  auto summary = std::make_shared<TableSummary>();
  const IndexRange all{0, table.sources()};
  summary->adjacency = emptyBins(all, {0, destinations}, parameters.adjacencyBins);
  std::tie(summary->weights.low, summary->weights.high) = weightRange(table, parameters.threads, control);
  control.report("summary", 0.3);

  const std::size_t bytes = (2 * destinations + 1) * sizeof(std::uint32_t) +
                            kWeightCounters * parameters.weightBins * sizeof(std::uint64_t) +
                            summary->adjacency.counts.size() * sizeof(std::uint32_t);
  const std::vector<Part> parts = partsOf(table, all, partCount(parameters.threads, bytes));
  requireMemory(bytes * (parts.size() + 1) + destinations * sizeof(std::uint16_t), "The summary of the table");
  summary->fanOut.resize(table.sources());
  summary->fanIn.assign(destinations, 0);
  summary->weights.counts.assign(parameters.weightBins, 0);
  const IndexBins across(destinations, summary->adjacency.destinations, summary->adjacency.across);
  const float low = summary->weights.low;
  const float width = summary->weights.high - low;
  const WeightBins weightBins{low, width > 0 ? static_cast<float>(parameters.weightBins) / width : 0,
                              static_cast<float>(parameters.weightBins - 1)};

  std::vector<Counters> counted(parts.size());
  parallelFor(
      parts.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          Counters& counters = counted[k];
          counters.fanIn.assign(destinations, 0);
          counters.fanInChange.assign(destinations + 1, 0);
          counters.weights.assign(kWeightCounters * parameters.weightBins, 0);
          counters.adjacency.assign(summary->adjacency.counts.size(), 0);
          for (std::uint64_t source = parts[k].sourceBegin; source < parts[k].sourceEnd; ++source)
            summary->fanOut[source] = static_cast<std::uint32_t>(table.offsets[source + 1] - table.offsets[source]);
          visitSources(table, parts[k], control, [&](std::uint64_t source, std::uint64_t row, std::uint64_t stop) {
            std::uint32_t* const line = counters.adjacency.data() +
                                        std::size_t{binDownOf(summary->adjacency, source)} * summary->adjacency.across;
            weightBins.count(table.weight.data() + row, stop - row, counters.weights);
            counters.addRows(table.destination.data(), row, stop, across, line);
          });
        }
      },
      parameters.threads);
  std::vector<std::uint32_t> fanInChange(destinations + 1, 0);
  for (const Counters& counters : counted) {
    addUp(summary->fanIn, counters.fanIn);
    addUp(fanInChange, counters.fanInChange);
    for (std::size_t counter = 0; counter < counters.weights.size(); ++counter)
      summary->weights.counts[counter / kWeightCounters] += counters.weights[counter];
    addUp(summary->adjacency.counts, counters.adjacency);
  }
  std::uint32_t open = 0; // runs that have begun and not ended
  for (std::uint64_t destination = 0; destination < destinations; ++destination)
    summary->fanIn[destination] += open += fanInChange[destination];
  control.report("summary", 1);
  return summary;
}

AdjacencyBins binAdjacency(const WeightTable& table, IndexRange sources, IndexRange destinations, std::uint32_t bins,
                           int threads, const RunControl& control)
{
  validateFields(fieldsOf(SummaryParameters{.adjacencyBins = bins, .threads = threads}));
  const std::uint64_t count = table.projection.destination->count();
  if (sources.begin >= sources.end || sources.end > table.sources() || destinations.begin >= destinations.end ||
      destinations.end > count)
    throw Error(ErrorCode::BadParameter, "The part of the matrix is empty or outside of the table.");
  AdjacencyBins adjacency = emptyBins(sources, destinations, bins);
  const std::vector<std::uint16_t> binAcross = binsOfIndices(count, destinations, adjacency.across);
  const std::vector<Part> parts =
      partsOf(table, sources, partCount(threads, adjacency.counts.size() * sizeof(std::uint32_t)));
  std::vector<std::vector<std::uint32_t>> counted(parts.size());
  parallelFor(
      parts.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          counted[k].assign(adjacency.counts.size(), 0);
          visitSources(table, parts[k], control, [&](std::uint64_t source, std::uint64_t row, std::uint64_t stop) {
            std::uint32_t* const line =
                counted[k].data() + std::size_t{binDownOf(adjacency, source)} * adjacency.across;
            for (; row < stop; ++row) {
              const std::uint16_t bin = binAcross[table.destination[row]];
              if (bin != kOutside)
                ++line[bin];
            }
          });
        }
      },
      threads);
  for (const auto& part : counted)
    addUp(adjacency.counts, part);
  return adjacency;
}

} // namespace hinesight::projection
