#include "projection/projection.hpp"
#include "projection/summary.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <numeric>

using namespace hinesight;
using namespace hinesight::projection;

namespace {

std::shared_ptr<const Population> grid(std::uint32_t columns, std::uint32_t rows)
{
  PopulationParameters parameters;
  parameters.size = {columns, rows, 1};
  return makePopulation(parameters);
}

std::shared_ptr<const WeightTable> gaussian(const std::shared_ptr<const Population>& source,
                                            const std::shared_ptr<const Population>& destination, double gain = 1)
{
  ProjectionParameters parameters;
  parameters.kernel = KernelKind::DifferenceOfGaussians;
  parameters.sigma = 1.5;
  parameters.surroundSigma = 3;
  parameters.gain = gain;
  parameters.offsetX = 2;
  parameters.cut = 0.02;
  return project({source, destination, parameters});
}

} // namespace

class TestSummary : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void agreesWithADoubleLoop();
  void isTheSameOnAnyNumberOfThreads();
  void binsAPartOfTheMatrix();
  void knowsHowDenseABinIs();
  void summarizesAnEmptyTable();
  void refusesBadBins();
  void stopsWhenCancelled();
};

void TestSummary::agreesWithADoubleLoop()
{
  const auto table = gaussian(grid(23, 11), grid(17, 19));
  const auto summary = summarize(*table, {16, 10, 2});
  std::vector<std::uint32_t> fanOut(23 * 11, 0);
  std::vector<std::uint32_t> fanIn(17 * 19, 0);
  std::vector<std::uint32_t> matrix(10 * 10, 0);
  for (std::uint32_t s = 0; s < fanOut.size(); ++s) {
    for (std::uint64_t row = table->offsets[s]; row < table->offsets[s + 1]; ++row) {
      const std::uint32_t d = table->destination[row];
      ++fanOut[s];
      ++fanIn[d];
      ++matrix[s * 10 / fanOut.size() * 10 + d * 10 / fanIn.size()];
    }
  }
  QCOMPARE(summary->fanOut, fanOut);
  QCOMPARE(summary->fanIn, fanIn);
  QCOMPARE(summary->adjacency.counts, matrix);
  QVERIFY(table->rows() > 1000);

  const auto [low, high] = std::minmax_element(table->weight.begin(), table->weight.end());
  QCOMPARE(summary->weights.low, *low);
  QCOMPARE(summary->weights.high, *high);
  QVERIFY(*low < 0 && *high > 0);
  const auto& counts = summary->weights.counts;
  QCOMPARE(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), table->rows());
  const double width = (*high - *low) / 16.0;
  const auto inFirst = std::count_if(table->weight.begin(), table->weight.end(),
                                     [&](float w) { return w < static_cast<double>(*low) + width; });
  QVERIFY(std::abs(static_cast<std::int64_t>(counts.front()) - inFirst) <= 1); // a weight may lie on the border
  QVERIFY(counts.back() >= 1);
}

void TestSummary::isTheSameOnAnyNumberOfThreads()
{
  const auto table = gaussian(grid(40, 40), grid(31, 29));
  const auto one = summarize(*table, {64, 32, 1});
  for (const int threads : {2, 3, 7}) {
    const auto several = summarize(*table, {64, 32, threads});
    QCOMPARE(several->fanOut, one->fanOut);
    QCOMPARE(several->fanIn, one->fanIn);
    QCOMPARE(several->weights.counts, one->weights.counts);
    QCOMPARE(several->adjacency.counts, one->adjacency.counts);
  }
}

void TestSummary::binsAPartOfTheMatrix()
{
  const auto table = gaussian(grid(20, 20), grid(20, 20));
  const IndexRange sources{30, 130};
  const IndexRange destinations{7, 391};
  const AdjacencyBins bins = binAdjacency(*table, sources, destinations, 12, 2);
  QCOMPARE(bins.down, 12u);
  QCOMPARE(bins.across, 12u);
  std::vector<std::uint32_t> expected(12 * 12, 0);
  for (std::uint64_t s = sources.begin; s < sources.end; ++s)
    for (std::uint64_t row = table->offsets[s]; row < table->offsets[s + 1]; ++row)
      if (const std::uint64_t d = table->destination[row]; d >= destinations.begin && d < destinations.end)
        ++expected[(s - 30) * 12 / 100 * 12 + (d - 7) * 12 / 384];
  QCOMPARE(bins.counts, expected);
  // A bin is never narrower than an index.
  const AdjacencyBins narrow = binAdjacency(*table, {5, 8}, {0, 2}, 12);
  QCOMPARE(narrow.down, 3u);
  QCOMPARE(narrow.across, 2u);
}

void TestSummary::knowsHowDenseABinIs()
{
  ProjectionParameters parameters;
  parameters.kernel = KernelKind::AllToAll;
  const auto table = project({grid(7, 3), grid(5, 5), parameters});
  const AdjacencyBins bins = binAdjacency(*table, {0, 21}, {0, 25}, 4);
  for (std::uint32_t down = 0; down < bins.down; ++down)
    for (std::uint32_t across = 0; across < bins.across; ++across)
      QCOMPARE(bins.density(down, across), 1.0);
}

void TestSummary::summarizesAnEmptyTable()
{
  ProjectionParameters parameters;
  parameters.kernel = KernelKind::AllToAll;
  parameters.gain = 0.5;
  parameters.cut = 1;
  const auto table = project({grid(4, 4), grid(4, 4), parameters});
  QCOMPARE(table->rows(), 0u);
  const auto summary = summarize(*table);
  QCOMPARE(summary->weights.low, 0.0f);
  QCOMPARE(summary->weights.high, 0.0f);
  QCOMPARE(summary->fanIn, std::vector<std::uint32_t>(16, 0));
}

void TestSummary::refusesBadBins()
{
  const auto table = gaussian(grid(4, 4), grid(4, 4));
  QVERIFY_EXCEPTION_THROWN(summarize(*table, {0, 10, 0}), Error);
  QVERIFY_EXCEPTION_THROWN(summarize(*table, {10, 5'000, 0}), Error);
  QVERIFY_EXCEPTION_THROWN(binAdjacency(*table, {0, 17}, {0, 16}, 4), Error);
  QVERIFY_EXCEPTION_THROWN(binAdjacency(*table, {3, 3}, {0, 16}, 4), Error);
}

void TestSummary::stopsWhenCancelled()
{
  const auto table = gaussian(grid(10, 10), grid(10, 10));
  const RunControl control;
  control.cancel();
  QVERIFY_EXCEPTION_THROWN(summarize(*table, {}, control), Error);
  QVERIFY_EXCEPTION_THROWN(binAdjacency(*table, {0, 100}, {0, 100}, 8, 1, control), Error);
}

HINESIGHT_TEST(TestSummary)
#include "test_summary.moc"
