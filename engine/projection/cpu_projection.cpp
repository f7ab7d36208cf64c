#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "projection/projection.hpp"
#include "projection/ranks/table_ranks.hpp"
#include "projection/rows/cpu_rows.hpp"

#include <atomic>
#include <bit>
#include <utility>

namespace hinesight::projection {

namespace {

/// A set of indices that gives them back in ascending order: a bit for each, and a bit for each 64 bits that are not
/// all zero, so that what is empty is passed over.
class IndexSet
{
public:
  explicit IndexSet(std::uint64_t count) : bits((count + 63) / 64, 0), words((bits.size() + 63) / 64, 0) {}

  void add(std::uint32_t index)
  {
    const std::uint32_t word = index / 64;
    bits[word] |= std::uint64_t{1} << (index % 64);
    words[word / 64] |= std::uint64_t{1} << (word % 64);
  }

  /// Writes them to `out` and forgets them.
  void takeInOrder(std::uint32_t* out)
  {
    for (std::size_t w = 0; w < words.size(); ++w)
      for (std::uint64_t group = std::exchange(words[w], 0); group != 0; group &= group - 1) {
        const std::size_t word = w * 64 + static_cast<std::size_t>(std::countr_zero(group));
        for (std::uint64_t left = std::exchange(bits[word], 0); left != 0; left &= left - 1)
          *out++ = static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      }
  }

private:
  std::vector<std::uint64_t> bits;
  std::vector<std::uint64_t> words;
};

/// Calls body(begin, end) over short ranges of the sources [begin, end), from several threads, with progress and
/// cancellation after each. Ranges are short so that sources of very different cost spread over the threads.
template <typename Body>
void forSources(std::uint64_t begin, std::uint64_t end, int threads, std::string_view stage, const RunControl& control,
                const Body& body)
{
  constexpr std::uint64_t kSourcesAtATime = 16;
  const std::uint64_t ranges = (end - begin + kSourcesAtATime - 1) / kSourcesAtATime;
  std::atomic<std::uint64_t> done = 0;
  control.report(stage, 0);
  parallelFor(
      ranges, 1,
      [&](std::size_t first, std::size_t last) {
        for (std::size_t range = first; range < last; ++range) {
          const std::uint64_t from = begin + range * kSourcesAtATime;
          body(from, std::min(from + kSourcesAtATime, end));
          control.report(stage, static_cast<double>(done.fetch_add(1) + 1) / static_cast<double>(ranges));
        }
      },
      threads);
}

void lowerTo(std::atomic<unsigned>& least, unsigned value)
{
  unsigned known = least;
  while (value < known && !least.compare_exchange_weak(known, value)) {
  }
}

template <typename Form>
class CpuProjection final : public PreparedProjection
{
public:
  CpuProjection(std::unique_ptr<const Problem> prepared, StageTimings timings, int threadCount,
                std::unique_ptr<TableRanks> tableRanks, const RunControl& control)
      : PreparedProjection(std::move(prepared)), form(std::get<Form>(problem->form)),
        kernels(detail::rowKernels<Form>()), threads(threadCount), ranks(std::move(tableRanks))
  {
    stages = std::move(timings);
    countRows(control);
  }

  void write(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) override
  {
    if (!ranks)
      return writeHere(begin, end, out, control);
    const Stopwatch stopwatch;
    ranks->write(rowOffsets, {begin, end}, out, hasDelays(), [&](SourceRange sources, const RowsOut& place) {
      writeRows(sources.begin, sources.end, place, control);
    });
    stages.add("compact", stopwatch.elapsed());
  }

  void writeHere(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) override
  {
    const Stopwatch stopwatch;
    writeRows(begin, end, out, control);
    stages.add("compact", stopwatch.elapsed());
  }

  const TableRanks* tableRanks() const override { return ranks.get(); }

private:
  void writeRows(std::uint64_t begin, std::uint64_t end, const RowsOut& out, const RunControl& control) const
  {
    const std::uint64_t firstRow = rowOffsets[begin];
    forSources(begin, end, threads, "compact", control, [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t source = from; source < to; ++source) {
        const std::uint64_t at = rowOffsets[source] - firstRow;
        writeSource(static_cast<std::uint32_t>(source), rowOffsets[source + 1] - rowOffsets[source],
                    {out.destination + at, out.weight + at, out.delay ? out.delay + at : nullptr}, control);
        control.checkpoint();
      }
    });
  }

  /// The counts of sources [begin, end) go to the offset of the next source.
  CountFindings countSources(std::uint64_t begin, std::uint64_t end, const RunControl& control)
  {
    std::atomic<std::uint64_t> negative = 0;
    std::atomic<unsigned> notFinite = CountFindings::kNoSource;
    forSources(begin, end, threads, "count", control, [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t source = from; source < to; ++source) {
        // Sources behind one that is refused need no count; those before it do, so that the first is named.
        const auto index = static_cast<std::uint32_t>(source);
        if (index > notFinite)
          return;
        const detail::RowCount count = kernels.count(form, problem->view, index, control);
        rowOffsets[source + 1] = count.rows;
        negative += count.negative;
        if (!count.isFinite)
          lowerTo(notFinite, index);
        control.checkpoint();
      }
    });
    return {negative, notFinite};
  }

  void countRows(const RunControl& control)
  {
    Stopwatch stopwatch;
    const std::uint64_t sources = problem->view.sources;
    const SourceRange share = ranks ? ranks->counted(sources) : SourceRange{0, sources};
    CountFindings found;
    const auto countShare = [&] {
      requireMemory((sources + 1) * sizeof(std::uint64_t), "Counting the rows of each source");
      rowOffsets.assign(sources + 1, 0);
      found = countSources(share.begin, share.end, control);
    };
    if (ranks) {
      together(ranks->communicator(), countShare);
      ranks->gatherCounts(rowOffsets);
      ranks->gatherFindings(found);
      together(ranks->communicator(), [&] { take(found); });
    } else {
      countShare();
      take(found);
    }
    stages.add("count", stopwatch.lap());
    for (std::uint64_t source = 0; source < sources; ++source)
      rowOffsets[source + 1] += rowOffsets[source];
    stages.add("scan", stopwatch.elapsed());
  }

  void writeSource(std::uint32_t source, std::uint64_t rows, const RowsOut& out, const RunControl& control) const
  {
    constexpr std::uint64_t kDelaysBetweenLooks = 1 << 18;
    if (rows == 0)
      return;
    const ProblemView& view = problem->view;
    if (view.destination.inOrder) {
      kernels.compact(form, view, source, out.destination, out.weight, control);
    } else {
      kernels.compact(form, view, source, out.destination, nullptr, control);
      sortDestinations(out.destination, rows);
      control.checkpoint();
      kernels.weigh(form, view, source, out.destination, rows, out.weight, control);
    }
    if (out.delay) {
      const SourceView seen = makeSource(view, source);
      for (std::uint64_t row = 0; row < rows; ++row) {
        if (row % kDelaysBetweenLooks == 0)
          control.checkpoint();
        out.delay[row] = delayOf(view, seen, out.destination[row]);
      }
    }
  }

  void sortDestinations(std::uint32_t* destination, std::uint64_t rows) const
  {
    // One a thread, kept from source to source; another projection may have another number of destinations.
    thread_local std::pair<std::uint64_t, IndexSet> held{0, IndexSet(0)};
    const std::uint64_t count = problem->view.destination.count;
    if (held.first < count)
      held = {count, IndexSet(count)};
    for (std::uint64_t row = 0; row < rows; ++row)
      held.second.add(destination[row]);
    held.second.takeInOrder(destination);
  }

  const Form& form;
  const detail::RowKernels<Form>& kernels;
  int threads;
  std::unique_ptr<TableRanks> ranks; ///< that share the table; null: it is made here alone
};

} // namespace

std::unique_ptr<PreparedProjection> detail::prepareCpu(std::unique_ptr<const Problem> problem, StageTimings timings,
                                                       const ComputeParameters& parameters,
                                                       std::unique_ptr<TableRanks> ranks, const RunControl& control)
{
  const int wanted = ranks ? threadsOfRank(ranks->communicator(), parameters.threads) : parameters.threads;
  const int threads = wanted > 0 ? wanted : hardwareThreads();
  timings.device =
      processorName() + ", " +
      (ranks ? ranksInWords(ranks->communicator()) : std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
  return std::visit(
      [&]<typename Form>(const Form&) -> std::unique_ptr<PreparedProjection> {
        return std::make_unique<CpuProjection<Form>>(std::move(problem), std::move(timings), wanted, std::move(ranks),
                                                     control);
      },
      problem->form);
}

} // namespace hinesight::projection
