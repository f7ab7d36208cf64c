#include "projection/projection.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <memory>

using namespace hinesight;
using namespace hinesight::projection;

namespace {

Projection gaussian(double sigma, double velocity = 0)
{
  PopulationParameters grid;
  grid.size = {50, 40, 1};
  const auto population = makePopulation(grid);
  Projection projection{population, population, {}};
  projection.parameters.kernel = KernelKind::Gaussian;
  projection.parameters.sigma = sigma;
  projection.parameters.velocity = velocity;
  return projection;
}

std::shared_ptr<const WeightTable> make(const Projection& projection, TableMemory& memory)
{
  return makeTable(*prepare(projection, {}), memory);
}

bool areEqual(const WeightTable& a, const WeightTable& b)
{
  return a.offsets == b.offsets && std::ranges::equal(a.destination.span(), b.destination.span()) &&
         std::ranges::equal(a.weight.span(), b.weight.span()) && std::ranges::equal(a.delay.span(), b.delay.span());
}

} // namespace

/// Tables made one after another in the same memory.
class TestTableMemory : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void givesTheSameTables();
  void usesTheMemoryOfATableThatIsGone();
  void leavesATableThatIsHeldAlone();
  void hasMemoryReady();
  void keepsWhatWasReadyWhenCancelled();
  void mayGoBeforeItsTables();
  void countsTheBytesOfRows();
};

void TestTableMemory::givesTheSameTables()
{
  TableMemory memory;
  // Larger, smaller, and with delays in between: whatever was there before is not to be seen.
  for (const auto& [sigma, velocity] : {std::pair(3.0, 0.0), {5.0, 0.0}, {2.0, 10.0}, {4.0, 10.0}, {1.0, 0.0}})
    QVERIFY(areEqual(*make(gaussian(sigma, velocity), memory), *project(gaussian(sigma, velocity))));
}

void TestTableMemory::usesTheMemoryOfATableThatIsGone()
{
  TableMemory memory;
  auto table = make(gaussian(3), memory);
  QCOMPARE(memory.bytesKept(), std::uint64_t{0});
  const float* const place = table->weight.data();
  const std::uint64_t bytes = table->bytes() - table->offsets.size() * sizeof(std::uint64_t);
  table.reset();
  QVERIFY(memory.bytesKept() >= bytes);
  table = make(gaussian(3.1), memory); // a few rows more: there is room for a quarter more
  QCOMPARE(table->weight.data(), place);
  QCOMPARE(memory.bytesKept(), std::uint64_t{0});
}

void TestTableMemory::leavesATableThatIsHeldAlone()
{
  TableMemory memory;
  const auto shown = make(gaussian(3), memory);
  const std::vector<float> weights(shown->weight.begin(), shown->weight.end());
  const auto next = make(gaussian(3), memory);
  QVERIFY(next->weight.data() != shown->weight.data());
  make(gaussian(2), memory);
  QVERIFY(std::ranges::equal(weights, shown->weight.span()));
}

void TestTableMemory::hasMemoryReady()
{
  TableMemory memory;
  const auto table = make(gaussian(3, 10), memory);
  memory.makeReady(*table, 2, {});
  const std::uint64_t kept = memory.bytesKept();
  QVERIFY(kept >= table->rows() * 12 * 5 / 4 - 16);
  memory.makeReady(*table, 2, {});
  QCOMPARE(memory.bytesKept(), kept);
  QVERIFY(areEqual(*make(gaussian(3, 10), memory), *table));
}

void TestTableMemory::keepsWhatWasReadyWhenCancelled()
{
  TableMemory memory;
  const auto table = make(gaussian(3), memory);
  const RunControl control;
  control.cancel();
  QVERIFY_EXCEPTION_THROWN(memory.makeReady(*table, 1, control), Error);
  QVERIFY(memory.bytesKept() > 0);
  QVERIFY(areEqual(*make(gaussian(3), memory), *table));
}

void TestTableMemory::countsTheBytesOfRows()
{
  QCOMPARE(bytesOfRow(false), std::uint64_t{8});
  QCOMPARE(bytesOfRow(true), std::uint64_t{12});
  WeightTable table;
  table.offsets = {0, 3};
  table.destination.resize(3);
  table.weight.resize(3);
  QCOMPARE(table.bytes(), std::uint64_t{16 + 24});
  table.delay.resize(3);
  QCOMPARE(table.bytes(), std::uint64_t{16 + 36});
}

void TestTableMemory::mayGoBeforeItsTables()
{
  auto memory = std::make_unique<TableMemory>();
  const auto table = make(gaussian(3), *memory);
  memory.reset();
  QVERIFY(areEqual(*table, *project(gaussian(3))));
}

HINESIGHT_TEST(TestTableMemory)
#include "test_table_memory.moc"
