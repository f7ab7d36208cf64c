#include "projection/projection.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/rank_tasks.hpp"
#include "projection/ranks/table_ranks.hpp"

#include <algorithm>
#include <limits>

namespace hinesight::projection {

namespace {

RowsOut rowsOut(HostArray<std::uint32_t>& destination, HostArray<float>& weight, HostArray<float>& delay)
{
  return {destination.data(), weight.data(), delay.data()};
}

} // namespace

std::vector<std::string> PreparedProjection::warnings() const
{
  std::vector<std::string> warnings = joinWarnings(projection());
  if (negativeProbabilities > 0)
    warnings.push_back("The " + std::string(kernelName(projection().parameters.kernel)) + " is below 0 for " +
                       std::to_string(negativeProbabilities) +
                       (negativeProbabilities == 1 ? " pair, which has" : " pairs, which have") +
                       " no connection: as a probability a value below 0 is 0.");
  return warnings;
}

void PreparedProjection::take(const CountFindings& found)
{
  if (found.notFiniteSource != CountFindings::kNoSource)
    refuseValueOf(*problem, found.notFiniteSource);
  negativeProbabilities = found.negative;
}

std::unique_ptr<PreparedProjection> prepare(const Projection& projection, const ComputeParameters& parameters,
                                            const RunControl& control)
{
  validateFields(fieldsOf(parameters));
  // On an H100 a second GPU gains nothing from so few sources.
  constexpr std::uint64_t kLeastSourcesOnGpus = 32'768;
  const bool areFew = parameters.backend == Backend::Cuda && projection.source->count() < kLeastSourcesOnGpus;
  Communicator* const ranks = areFew ? nullptr : currentRanks();
  if (parameters.backend == Backend::Cuda)
    requireCudaDevice();
  control.report("bin", 0);
  StageTimings timings;
  timings.backend = parameters.backend;
  const Stopwatch stopwatch;
  auto problem = makeProblem(projection, parameters.backend, parameters.threads, control);
  timings.add("bin", stopwatch.elapsed());
  const auto make = parameters.backend == Backend::Cuda ? &detail::prepareCuda : &detail::prepareCpu;
  if (!ranks)
    return make(std::move(problem), std::move(timings), parameters, nullptr, control);
  const TaskScope task = callToTable(*ranks);
  std::unique_ptr<TableRanks> table = leadTable(*ranks, projection, parameters);
  return make(std::move(problem), std::move(timings), parameters, std::move(table), control);
}

std::shared_ptr<const WeightTable> makeTable(PreparedProjection& prepared, const RunControl& control)
{
  TableMemory memory;
  return makeTable(prepared, memory, control);
}

std::shared_ptr<const WeightTable> makeTable(PreparedProjection& prepared, TableMemory& memory,
                                             const RunControl& control)
{
  const auto table = memory.makeTable(prepared.rows(), prepared.hasDelays());
  table->projection = prepared.projection();
  table->offsets = prepared.offsets();
  table->constantDelay = prepared.constantDelay();
  prepared.write(0, table->sources(), rowsOut(table->destination, table->weight, table->delay), control);
  table->timings = prepared.timings();
  table->warnings = prepared.warnings();
  return table;
}

std::shared_ptr<const WeightTable> project(const Projection& projection, const ComputeParameters& parameters,
                                           const RunControl& control)
{
  return makeTable(*prepare(projection, parameters, control), control);
}

std::uint64_t slabEnd(const std::vector<std::uint64_t>& offsets, std::uint64_t begin, std::uint64_t rows)
{
  const auto first = offsets.begin() + static_cast<std::ptrdiff_t>(begin);
  const std::uint64_t last = rows > offsets.back() - *first ? offsets.back() : *first + rows;
  // The last source whose rows all end within the slab.
  const auto end = std::upper_bound(first, offsets.end(), last) - 1;
  return std::max(begin + 1, static_cast<std::uint64_t>(end - offsets.begin()));
}

SlabStream::SlabStream(PreparedProjection& projection, std::uint64_t begin, std::uint64_t end, std::uint64_t slabRows,
                       SlabMaker by)
    : prepared(projection), first(begin), last(end), mostRows(slabRows), maker(by), next(begin)
{}

TableSlab SlabStream::take(const RunControl& control)
{
  const std::vector<std::uint64_t>& offsets = prepared.offsets();
  const std::uint64_t begin = next, end = std::min(last, slabEnd(offsets, begin, mostRows));
  const std::uint64_t rows = offsets[end] - offsets[begin];
  if (rows > destination.size()) {
    requireMemory(rows * bytesOfRow(prepared.hasDelays()), "A part of " + std::to_string(rows) + " rows of the table");
    destination = HostArray<std::uint32_t>(rows);
    weight = HostArray<float>(rows);
    if (prepared.hasDelays())
      delay = HostArray<float>(rows);
  }
  const auto done = [&](std::uint64_t source) {
    return static_cast<double>(source - first) / static_cast<double>(last - first);
  };
  const auto write = maker == SlabMaker::AllRanks ? &PreparedProjection::write : &PreparedProjection::writeHere;
  (prepared.*write)(begin, end, rowsOut(destination, weight, delay), control.part(done(begin), done(end)));
  next = end;
  return {begin,
          end,
          offsets,
          destination.span().first(rows),
          weight.span().first(rows),
          delay.span().first(delay.empty() ? 0 : rows),
          prepared.constantDelay()};
}

std::uint64_t rowsOfSlab(const PreparedProjection& prepared)
{
  constexpr std::uint64_t kMostOfShared = 1 << 20;
  const std::uint64_t quarter = availableMemoryBytes() / 4 / bytesOfRow(prepared.hasDelays());
  return prepared.tableRanks() ? std::min(quarter, kMostOfShared) : quarter;
}

void streamTable(PreparedProjection& prepared, std::uint64_t slabRows,
                 const std::function<void(const TableSlab&)>& sink, const RunControl& control)
{
  SlabStream stream(prepared, 0, prepared.offsets().size() - 1, slabRows > 0 ? slabRows : rowsOfSlab(prepared),
                    SlabMaker::AllRanks);
  while (!stream.isAtEnd())
    sink(stream.take(control));
}

std::uint64_t tableBytes(const PreparedProjection& prepared)
{
  return tableBytes(prepared.projection(), prepared.rows());
}

std::uint64_t tableBytes(const Projection& projection, std::uint64_t rows)
{
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t ofRow = bytesOfRow(projection.parameters.velocity > 0);
  const std::uint64_t ofOffsets = (projection.source->count() + 1) * sizeof(std::uint64_t);
  return rows > (kMost - ofOffsets) / ofRow ? kMost : rows * ofRow + ofOffsets;
}

std::uint64_t mostRows(const Projection& projection)
{
  const std::uint64_t sources = projection.source->count(), destinations = projection.destination->count();
  switch (projection.parameters.kernel) {
  case KernelKind::OneToOne:
    return std::min(sources, destinations);
  case KernelKind::Nearest:
    return sources * std::min(static_cast<std::uint64_t>(projection.parameters.neighbours), destinations);
  default:
    return sources * destinations;
  }
}

bool isLargeTable(std::uint64_t bytes)
{
  constexpr std::uint64_t kLarge = 1'000'000'000;
  return bytes > std::min<std::uint64_t>(kLarge, availableMemoryBytes() / 4);
}

TableSlab slabOf(const WeightTable& table)
{
  return {0,
          table.sources(),
          table.offsets,
          table.destination.span(),
          table.weight.span(),
          table.delay.span(),
          table.constantDelay};
}

} // namespace hinesight::projection
