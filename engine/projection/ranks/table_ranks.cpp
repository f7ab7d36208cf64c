#include "projection/ranks/table_ranks.hpp"

#include "core/device.hpp"
#include "projection/rows/host_array.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

namespace hinesight::projection {

namespace {

constexpr const char* kMake = "project: count";
constexpr const char* kWrite = "project: write";
constexpr const char* kDrop = "project: drop";

struct WriteOrder
{
  std::uint64_t table;
  SourceRange sources;
};

/// Gathers a column of rows on rank 0, which has its own part in place already.
template <typename T>
void gatherColumn(Communicator& ranks, const T* mine, T* all, const std::vector<std::size_t>& begin)
{
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const std::span<T> whole = ranks.isRoot() ? std::span<T>(all, begin.back()) : std::span<T>();
  ranks.gatherInto(0, std::span<const T>(mine, begin[rank + 1] - begin[rank]), whole, begin);
}

/// Room for a rank's rows.
struct OwnRows
{
  HostArray<std::uint32_t> destination;
  HostArray<float> weight, delay;
};

template <typename Parameters>
void broadcastParameters(Communicator& ranks, Parameters& parameters)
{
  std::string text = ranks.isRoot() ? linesOf(settingsOf(fieldsOf(parameters))) : std::string();
  ranks.broadcast(text, 0);
  if (ranks.isRoot())
    return;
  std::vector<BoundField> fields = fieldsOf(parameters);
  applySettings(fields, settingsOfLines(text));
}

/// Null on the ranks but 0.
std::shared_ptr<const Population> broadcastPopulation(Communicator& ranks, std::shared_ptr<const Population> population)
{
  PopulationParameters parameters = population ? population->parameters() : PopulationParameters();
  broadcastParameters(ranks, parameters);
  std::array<std::vector<double>, 3> positions;
  const std::vector<double> none;
  for (int axis = 0; axis < 3; ++axis)
    positions[static_cast<std::size_t>(axis)] =
        ranks.broadcastFrom(0, std::span<const double>(population ? population->coordinates(axis) : none));
  together(ranks, [&] {
    if (!population)
      population = parameters.kind == PopulationKind::Grid ? makePopulation(parameters)
                                                           : populationAt(parameters, std::move(positions));
  });
  return population;
}

Projection broadcastProjection(Communicator& ranks, Projection projection)
{
  broadcastParameters(ranks, projection.parameters);
  const bool isOne = projection.source == projection.destination;
  std::uint64_t one = isOne;
  ranks.broadcast(one, 0);
  projection.source = broadcastPopulation(ranks, projection.source);
  projection.destination = one != 0 ? projection.source : broadcastPopulation(ranks, projection.destination);
  return projection;
}

} // namespace

TableRanks::~TableRanks()
{
  if (!ranks.isRoot())
    return;
  try {
    const TaskScope task(ranks, kDrop);
    std::uint64_t number = id;
    ranks.broadcast(number, 0);
  } catch (...) {
    // The ranks have failed; they forget it all the same.
  }
}

SourceRange TableRanks::counted(std::uint64_t sources) const
{
  const auto rank = static_cast<std::uint64_t>(ranks.rank()), size = static_cast<std::uint64_t>(ranks.size());
  return {sources * rank / size, sources * (rank + 1) / size};
}

SourceRange TableRanks::share(const std::vector<std::uint64_t>& offsets) const
{
  return cutByRows(offsets, {0, offsets.size() - 1}, ranks.size())[static_cast<std::size_t>(ranks.rank())];
}

void TableRanks::gatherCounts(std::vector<std::uint64_t>& offsets) const
{
  const std::uint64_t sources = offsets.size() - 1;
  const auto size = static_cast<std::uint64_t>(ranks.size());
  std::vector<std::size_t> begin;
  for (std::uint64_t rank = 0; rank <= size; ++rank)
    begin.push_back(sources * rank / size);
  const SourceRange own = counted(sources);
  const std::span<std::uint64_t> counts = std::span(offsets).subspan(1);
  ranks.allGather(std::span<const std::uint64_t>(counts.subspan(own.begin, own.end - own.begin)), counts, begin);
}

void TableRanks::gatherFindings(CountFindings& found) const
{
  found.negative = ranks.allReduce(std::uint64_t{found.negative}, Reduction::Sum);
  found.notFiniteSource =
      static_cast<unsigned>(ranks.allReduce(std::uint64_t{found.notFiniteSource}, Reduction::Least));
}

std::vector<SourceRange> cutByRows(const std::vector<std::uint64_t>& offsets, SourceRange sources, int ranks)
{
  const auto place = [&](std::uint64_t source) { return offsets.begin() + static_cast<std::ptrdiff_t>(source); };
  const std::uint64_t first = offsets[sources.begin], rows = offsets[sources.end] - first;
  const auto size = static_cast<std::uint64_t>(ranks);
  std::vector<SourceRange> parts;
  std::uint64_t begin = sources.begin;
  for (std::uint64_t rank = 0; rank < size; ++rank) {
    const std::uint64_t upTo = first + rows / size * (rank + 1) + rows % size * (rank + 1) / size;
    const auto end = rank + 1 == size ? place(sources.end) : std::lower_bound(place(begin), place(sources.end), upTo);
    parts.push_back({begin, static_cast<std::uint64_t>(end - offsets.begin())});
    begin = parts.back().end;
  }
  return parts;
}

void TableRanks::write(const std::vector<std::uint64_t>& offsets, SourceRange sources, const RowsOut& out,
                       bool hasDelays, const WriteRows& writeRows) const
{
  std::optional<TaskScope> task;
  if (ranks.isRoot()) {
    task.emplace(ranks, kWrite);
    WriteOrder order{id, sources};
    ranks.broadcast(order, 0);
  }
  RowsOut shared = out;
  if (ranks.sharesMemory())
    ranks.broadcast(shared, 0);
  const bool isInPlace = ranks.isRoot() || ranks.sharesMemory();
  RowsOut mine{};
  OwnRows room;
  std::vector<std::size_t> begin; // of each rank's rows
  together(ranks, [&] {
    const std::vector<SourceRange> parts = cutByRows(offsets, sources, ranks.size());
    for (const SourceRange& part : parts)
      begin.push_back(offsets[part.begin] - offsets[sources.begin]);
    begin.push_back(offsets[sources.end] - offsets[sources.begin]);
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const SourceRange own = parts[rank];
    const std::uint64_t rows = offsets[own.end] - offsets[own.begin];
    if (isInPlace) {
      mine = {shared.destination + begin[rank], shared.weight + begin[rank],
              hasDelays ? shared.delay + begin[rank] : nullptr};
    } else {
      requireMemory(rows * (sizeof(std::uint32_t) + (hasDelays ? 2 : 1) * sizeof(float)),
                    "A rank's part of " + std::to_string(rows) + " rows of the table");
      room = {HostArray<std::uint32_t>(rows), HostArray<float>(rows), HostArray<float>(hasDelays ? rows : 0)};
      mine = {room.destination.data(), room.weight.data(), hasDelays ? room.delay.data() : nullptr};
    }
    writeRows(own, mine);
  });
  if (ranks.sharesMemory())
    return;
  gatherColumn(ranks, mine.destination, out.destination, begin);
  gatherColumn(ranks, mine.weight, out.weight, begin);
  if (hasDelays)
    gatherColumn(ranks, mine.delay, out.delay, begin);
}

TaskScope callToTable(Communicator& ranks)
{
  return TaskScope(ranks, kMake);
}

std::unique_ptr<TableRanks> leadTable(Communicator& ranks, const Projection& projection,
                                      const ComputeParameters& parameters)
{
  static std::atomic<std::uint64_t> made = 0;
  std::uint64_t id = ++made;
  ranks.broadcast(id, 0);
  auto table = std::make_unique<TableRanks>(ranks, id);
  ComputeParameters told = parameters;
  broadcastParameters(ranks, told);
  broadcastProjection(ranks, projection);
  together(ranks, [] {}); // that the others have prepared it
  return table;
}

std::vector<RankTask> rankTasks(const RunControl& control, const std::shared_ptr<ReadyTables>& tables)
{
  const auto make = [tables, control](Communicator& ranks) {
    std::uint64_t id = 0;
    ranks.broadcast(id, 0);
    ComputeParameters parameters;
    broadcastParameters(ranks, parameters);
    const Projection projection = broadcastProjection(ranks, {});
    std::unique_ptr<const Problem> problem;
    together(ranks, [&] {
      parameters.threads = threadsOfRank(ranks, parameters.threads);
      problem = makeProblem(projection, parameters.backend, parameters.threads, control.silenced());
    });
    const auto prepare = parameters.backend == Backend::Cuda ? &detail::prepareCuda : &detail::prepareCpu;
    (*tables)[id] =
        prepare(std::move(problem), {}, parameters, std::make_unique<TableRanks>(ranks, id), control.silenced());
  };
  const auto write = [tables, control](Communicator& ranks) {
    WriteOrder order{};
    ranks.broadcast(order, 0);
    tables->at(order.table)->write(order.sources.begin, order.sources.end, {}, control.silenced());
  };
  const auto drop = [tables](Communicator& ranks) {
    std::uint64_t id = 0;
    ranks.broadcast(id, 0);
    tables->erase(id);
  };
  return {{kMake, make}, {kWrite, write}, {kDrop, drop}};
}

} // namespace hinesight::projection
