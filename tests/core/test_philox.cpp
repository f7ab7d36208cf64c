#include "core/philox.hpp"
#include "test_main.hpp"

#include <QTest>

#include <set>
#include <vector>

using namespace hinesight;

namespace {

using Words = std::vector<std::uint32_t>;

Words words(const PhiloxWords& w)
{
  return {w.word[0], w.word[1], w.word[2], w.word[3]};
}

} // namespace

Q_DECLARE_METATYPE(Words)

class TestPhilox : public QObject
{
  Q_OBJECT

private slots:
  /// The known-answer vectors that Salmon et al. publish with Random123 for philox4x32 with 10 rounds.
  void givesThePublishedBits_data()
  {
    QTest::addColumn<Words>("counter");
    QTest::addColumn<Words>("key");
    QTest::addColumn<Words>("expected");
    QTest::newRow("zeros") << Words{0, 0, 0, 0} << Words{0, 0} << Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    QTest::newRow("ones") << Words{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff} << Words{0xffffffff, 0xffffffff}
                          << Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    QTest::newRow("digits of pi") << Words{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}
                                  << Words{0xa4093822, 0x299f31d0}
                                  << Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  }
  void givesThePublishedBits()
  {
    QFETCH(Words, counter);
    QFETCH(Words, key);
    QFETCH(Words, expected);
    QCOMPARE(words(philox4x32({{counter[0], counter[1], counter[2], counter[3]}}, key[0], key[1])), expected);
  }

  void keysADrawByAllItsNumbers()
  {
    // Seed and entity with their high halves, step and draw: changing any one changes the bits.
    const std::uint64_t high = std::uint64_t{1} << 32;
    const std::vector<PhiloxWords> draws = {
        randomBits(0, 0, 0, 0),    randomBits(1, 0, 0, 0), randomBits(high, 0, 0, 0), randomBits(0, 1, 0, 0),
        randomBits(0, high, 0, 0), randomBits(0, 0, 1, 0), randomBits(0, 0, 0, 1)};
    std::set<Words> distinct;
    for (const PhiloxWords& draw : draws)
      distinct.insert(words(draw));
    QCOMPARE(distinct.size(), draws.size());
  }

  void takesTheUniformFromTheUpper53Bits()
  {
    for (std::uint64_t entity = 0; entity < 1000; ++entity) {
      const PhiloxWords bits = randomBits(7, entity, 3, 2);
      const std::uint64_t all = (std::uint64_t{bits.word[1]} << 32) | bits.word[0];
      QCOMPARE(randomUniform(7, entity, 3, 2) * 0x1.0p53, static_cast<double>(all >> 11));
    }
  }

  void isUniform()
  {
    constexpr int kDraws = 1'000'000;
    constexpr int kBins = 20;
    std::vector<int> counts(kBins, 0);
    double sum = 0;
    double sumOfSquares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double u = randomUniform(1, static_cast<std::uint64_t>(i), 0, 0);
      QVERIFY(u >= 0 && u < 1);
      sum += u;
      sumOfSquares += u * u;
      ++counts[static_cast<std::size_t>(u * kBins)];
    }
    // Five standard deviations of the mean and of the mean square.
    QVERIFY(std::abs(sum / kDraws - 0.5) < 5 * 0.2887 / 1000);
    QVERIFY(std::abs(sumOfSquares / kDraws - 1.0 / 3) < 5 * 0.2981 / 1000);
    double chiSquare = 0;
    const double expected = static_cast<double>(kDraws) / kBins;
    for (const int count : counts)
      chiSquare += (count - expected) * (count - expected) / expected;
    QVERIFY(chiSquare < 50); // 19 degrees of freedom: exceeded once in 10,000 seeds
  }
};

HINESIGHT_TEST(TestPhilox)
#include "test_philox.moc"
