#include "core/shares.hpp"

#include "core/philox.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

using namespace hinesight;

namespace {

using Numbers = std::vector<std::size_t>;

Numbers sumsBefore(const Numbers& items)
{
  Numbers before = {0};
  for (const std::size_t item : items)
    before.push_back(before.back() + item);
  return before;
}

double highestOf(const Numbers& cuts, const RangeCost& cost)
{
  double highest = 0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
    highest = std::max(highest, cost(cuts[k], cuts[k + 1]));
  return highest;
}

/// The lowest highest cost of so many shares, by trying every place of the last one.
double lowestOf(std::size_t items, std::size_t count, const RangeCost& cost)
{
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> lowest(items + 1, kNone); // of the first items in as many shares as there are so far
  lowest[0] = 0;
  for (std::size_t share = 0; share < count; ++share) {
    std::vector<double> withOneMore(items + 1, kNone);
    for (std::size_t begin = 0; begin < items; ++begin)
      for (std::size_t end = begin + 1; end <= items; ++end)
        withOneMore[end] = std::min(withOneMore[end], std::max(lowest[begin], cost(begin, end)));
    lowest = std::move(withOneMore);
  }
  return lowest[items];
}

bool areSharesOf(const Numbers& cuts, std::size_t items, std::size_t count)
{
  return cuts.size() == count + 1 && cuts.front() == 0 && cuts.back() == items &&
         std::ranges::adjacent_find(cuts, std::greater_equal<>()) == cuts.end();
}

/// Mostly small items and a few large ones.
Numbers randomItems(std::size_t count, std::uint64_t seed)
{
  Numbers items;
  for (std::size_t k = 0; k < count; ++k) {
    const double most = randomUniform(seed, k, 0, 0) < 0.15 ? 400 : 12;
    items.push_back(1 + static_cast<std::size_t>(most * randomUniform(seed, k, 0, 1)));
  }
  return items;
}

} // namespace

class TestShares : public QObject
{
  Q_OBJECT

private slots:
  void noneIsLowerByWeight()
  {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const Numbers before = sumsBefore(randomItems(1 + seed % 37, seed));
      const std::size_t items = before.size() - 1;
      const RangeCost weight = [&](std::size_t begin, std::size_t end) {
        return static_cast<double>(before[end] - before[begin]);
      };
      for (std::size_t count = 1; count <= std::min<std::size_t>(items, 9); ++count) {
        const Numbers cuts = cutIntoShares(before, count);
        QVERIFY(areSharesOf(cuts, items, count));
        QCOMPARE(highestOf(cuts, weight), lowestOf(items, count, weight));
        QCOMPARE(cutIntoShares(before, count), cuts);
      }
    }
  }

  /// Work that adds up, and a wait that does not.
  void noneIsLowerByOtherCosts()
  {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Numbers work = randomItems(1 + seed % 31, seed);
      const Numbers wait = randomItems(work.size(), 100 + seed);
      const RangeCost cost = [&](std::size_t begin, std::size_t end) {
        const auto longest = static_cast<double>(*std::max_element(wait.begin() + begin, wait.begin() + end));
        const auto all = static_cast<double>(std::reduce(work.begin() + begin, work.begin() + end));
        return 0.7 + 0.1 * all + 1.3 * longest;
      };
      const Numbers before = sumsBefore(randomItems(work.size(), 200 + seed));
      for (std::size_t count = 1; count <= std::min<std::size_t>(work.size(), 7); ++count) {
        const Numbers cuts = cutIntoShares(before, count, cost);
        QVERIFY(areSharesOf(cuts, work.size(), count));
        QCOMPARE(highestOf(cuts, cost), lowestOf(work.size(), count, cost));
      }
    }
  }

  void equalItemsAreSharedByNumber()
  {
    QCOMPARE(cutIntoShares(sumsBefore(Numbers(10, 7)), 3), (Numbers{0, 3, 7, 10}));
    QCOMPARE(cutIntoShares(sumsBefore(Numbers(11, 7)), 4), (Numbers{0, 3, 5, 8, 11}));
    QCOMPARE(cutIntoShares(sumsBefore(Numbers(3, 1)), 3), (Numbers{0, 1, 2, 3}));
    QCOMPARE(cutIntoShares(sumsBefore({}), 0), Numbers{0});
    for (std::size_t items = 1; items <= 40; ++items)
      for (std::size_t count = 1; count <= items; ++count) {
        const Numbers cuts = cutIntoShares(sumsBefore(Numbers(items, 5)), count);
        QVERIFY(areSharesOf(cuts, items, count));
        for (std::size_t k = 0; k < count; ++k) {
          const std::size_t taken = cuts[k + 1] - cuts[k];
          QVERIFY(taken == items / count || taken == (items + count - 1) / count);
        }
      }
  }

  /// Where the highest cost leaves shares open, they are as even as they can be.
  void ofSharesAsGoodTheEvenOnesAreTaken()
  {
    const auto sharesFor = [](const Numbers& costs, std::size_t count) {
      const Numbers before = sumsBefore(costs);
      return cutIntoShares(sumsBefore(Numbers(costs.size(), 1)), count, [&](std::size_t begin, std::size_t end) {
        return static_cast<double>(before[end] - before[begin]);
      });
    };
    QCOMPARE(sharesFor({4, 1, 1, 1, 1, 1}, 3), (Numbers{0, 1, 4, 6}));       // not 4 + 1
    QCOMPARE(sharesFor({1, 1, 1, 1, 1, 4}, 3), (Numbers{0, 2, 5, 6}));       // not 4 + 1
    QCOMPARE(sharesFor({1, 1, 1, 9, 1, 1, 1, 1}, 3), (Numbers{0, 3, 4, 8})); // nothing beside 9
    QCOMPARE(sharesFor({9, 1, 1, 1, 1, 1}, 2), (Numbers{0, 1, 6}));
  }

  /// A cost that falls with more items misleads the search, but the shares are no worse than even ones.
  void noneIsHigherThanOfEvenShares()
  {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Numbers before = sumsBefore(randomItems(30, seed));
      const RangeCost cost = [&](std::size_t begin, std::size_t end) {
        return randomUniform(seed, 64 * begin + end, 1, 0) * static_cast<double>(before[end] - before[begin]);
      };
      const RangeCost none = [](std::size_t, std::size_t) { return 0.0; };
      for (const std::size_t count : {2, 3, 8}) {
        const Numbers cuts = cutIntoShares(before, count, cost);
        QVERIFY(areSharesOf(cuts, 30, count));
        QVERIFY(highestOf(cuts, cost) <= highestOf(cutIntoShares(before, count, none), cost));
      }
    }
  }
};

HINESIGHT_TEST(TestShares)
#include "test_shares.moc"
