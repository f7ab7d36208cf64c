#include "core/error.hpp"
#include "core/philox.hpp"
#include "core/radix_sort.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace hinesight;

namespace {

struct Items
{
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> values;

  bool operator==(const Items&) const = default;
};

/// Keys of so many random bits, the rest as in `fixed`; the values count up.
Items randomItems(std::size_t count, int bits, std::uint64_t fixed)
{
  Items items{std::vector<std::uint64_t>(count), std::vector<std::uint32_t>(count)};
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const PhiloxWords draw = randomBits(7, i, 0, 0);
    const std::uint64_t random = std::uint64_t{draw.word[1]} << 32 | draw.word[0];
    items.keys[i] = (random & mask) | (fixed & ~mask);
    items.values[i] = static_cast<std::uint32_t>(i);
  }
  return items;
}

Items sortedStably(const Items& items)
{
  std::vector<std::uint32_t> order(items.keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return items.keys[a] < items.keys[b]; });
  Items sorted;
  for (const std::uint32_t i : order) {
    sorted.keys.push_back(items.keys[i]);
    sorted.values.push_back(items.values[i]);
  }
  return sorted;
}

} // namespace

class TestRadixSort : public QObject
{
  Q_OBJECT

private slots:
  void sortsAsAStableSortDoes_data()
  {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("bits");
    QTest::addColumn<quint64>("fixed");
    QTest::newRow("nothing") << 0 << 64 << quint64{0};
    QTest::newRow("one") << 1 << 64 << quint64{0};
    QTest::newRow("two") << 2 << 64 << quint64{0};
    QTest::newRow("many equal") << 100000 << 3 << quint64{0};
    QTest::newRow("all equal") << 70000 << 0 << quint64{5};
    QTest::newRow("all bits") << 100000 << 64 << quint64{0};
    QTest::newRow("odd number of passes") << 100000 << 20 << quint64{0};
    QTest::newRow("leading digits shared") << 100000 << 17 << ~quint64{0};
  }
  void sortsAsAStableSortDoes()
  {
    QFETCH(int, count);
    QFETCH(int, bits);
    QFETCH(quint64, fixed);
    const Items items = randomItems(static_cast<std::size_t>(count), bits, fixed);
    const Items expected = sortedStably(items);
    for (const int threads : {1, 2, 5}) {
      Items sorted = items;
      radixSort(sorted.keys, sorted.values, threads);
      QVERIFY2(sorted == expected, qPrintable(QString("%1 threads").arg(threads)));
    }
  }

  void stopsWhenCancelled()
  {
    Items items = randomItems(100, 64, 0);
    const RunControl control;
    control.cancel();
    QVERIFY_THROWS_EXCEPTION(Error, radixSort(items.keys, items.values, 1, control));
  }
};

HINESIGHT_TEST(TestRadixSort)
#include "test_radix_sort.moc"
