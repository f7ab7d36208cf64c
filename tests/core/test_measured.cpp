#include "core/measured.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace hinesight;

namespace {

/// 1, 2, ..., n.
std::vector<double> upTo(std::size_t n)
{
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<double>(i + 1);
  return values;
}

/// So many samples around a median, as far from it as `spread` of it.
Measured around(double median, double spread, std::size_t samples = 21)
{
  std::vector<double> values;
  for (std::size_t i = 0; i < samples; ++i)
    values.push_back(median * (1 + spread * (2 * static_cast<double>(i) / static_cast<double>(samples - 1) - 1)));
  return measuredOf(values);
}

} // namespace

class TestMeasured : public QObject
{
  Q_OBJECT

private slots:
  /// The ranks are those of the tables of the binomial distribution (Conover 1999, table A3; scipy's binom).
  void boundsTheMedianByOrderStatistics_data()
  {
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("lowest");
    for (const auto& [samples, lowest] :
         {std::pair(6, 1), {8, 1}, {9, 2}, {11, 2}, {12, 3}, {17, 5}, {25, 8}, {50, 18}, {100, 40}, {1000, 469}})
      QTest::addRow("%d samples", samples) << samples << lowest;
  }
  void boundsTheMedianByOrderStatistics()
  {
    QFETCH(int, samples);
    QFETCH(int, lowest);
    const Measured measured = measuredOf(upTo(static_cast<std::size_t>(samples)));
    QVERIFY(measured.interval.has_value());
    QCOMPARE(measured.interval->low, double(lowest));
    QCOMPARE(measured.interval->high, double(samples + 1 - lowest));
    QCOMPARE(measured.samples, static_cast<std::size_t>(samples));
  }

  void claimsNoIntervalOfFewSamples()
  {
    QVERIFY(!measuredOf({7}).interval);
    QVERIFY(!measuredOf(upTo(kLeastForInterval - 1)).interval);
    QVERIFY(!measuredOf(upTo(kLeastForInterval - 1)).uncertainty());
    QVERIFY(measuredOf(upTo(kLeastForInterval)).interval.has_value());
  }

  void takesASampleAsTheMedian()
  {
    QCOMPARE(measuredOf({7}).median, 7.0);
    QCOMPARE(measuredOf({4, 1, 2, 3}).median, 2.0); // the lower one
    QCOMPARE(measuredOf({5, 1, 4, 2, 3}).median, 3.0);
    const std::optional<double> uncertainty = measuredOf({90, 95, 100, 100, 105, 110}).uncertainty();
    QCOMPARE(uncertainty.value_or(0), 0.1);
  }

  /// In at least 95 of 100 series, whatever the distribution: here a skewed one with a median of ln 2.
  void coversTheMedian()
  {
    std::mt19937_64 random(5);
    std::exponential_distribution<double> times(1);
    int covered = 0;
    constexpr int kSeries = 2000;
    for (int series = 0; series < kSeries; ++series) {
      std::vector<double> samples(25);
      std::ranges::generate(samples, [&] { return times(random); });
      const Measured measured = measuredOf(samples);
      covered += measured.interval->low <= std::log(2.0) && std::log(2.0) <= measured.interval->high ? 1 : 0;
    }
    QVERIFY2(covered >= kSeries * 0.94, qPrintable(QString::number(covered)));
  }

  void endsWhenTheMedianIsStable()
  {
    QVERIFY(!areEnough(std::vector<double>(5, 1.0), 10));
    QVERIFY(!areEnough(std::vector<double>(6, 1.0), 49)); // equal, but of one moment
    QVERIFY(areEnough(std::vector<double>(6, 1.0), 50));
    QVERIFY(!areEnough(upTo(6), 50));
    QVERIFY(!areEnough(upTo(6), 200)); // as wide as that they say nothing
    QVERIFY(areEnough(upTo(6), 1000));
    QVERIFY(areEnough(std::vector<double>{1, 1, 1.02, 1.04, 1.06, 1.08}, 200));
    QVERIFY(!areEnough(upTo(999), 10));
    QVERIFY(areEnough(upTo(1000), 10));
  }

  /// A solve of ten seconds is not done six times.
  void endsEarlyWhereSamplesTakeLong()
  {
    QVERIFY(areEnough(std::vector<double>{10'000}, 10'000));
    QVERIFY(!areEnough(std::vector<double>(5, 180.0), 900));
    QVERIFY(areEnough(std::vector<double>(5, 250.0), 1250));
  }

  void tellsNoDifferenceFromNoise()
  {
    QCOMPARE(compare(around(1, 0.1), around(1.06, 0.1)), Verdict::Same);   // the intervals meet
    QCOMPARE(compare(around(1, 0.3), around(1.1, 0.3)), Verdict::Unknown); // too wide to tell anything
    QCOMPARE(compare(around(1, 0.01), around(2, 0.3)), Verdict::Unknown);
    QCOMPARE(compare(around(1, 0.01), around(1.04, 0.01)), Verdict::Same); // they do not, but it does not matter
    QCOMPARE(compare(around(1, 0.01), around(1.1, 0.01)), Verdict::More);
    QCOMPARE(compare(around(1.1, 0.01), around(1, 0.01)), Verdict::Less);
    QCOMPARE(compare(around(1, 0.01, 5), around(2, 0.01)), Verdict::Unknown);
    QCOMPARE(compare(measuredOf({1}), measuredOf({2})), Verdict::Unknown);
  }

  void tellsNothingOfABusyMachine()
  {
    const Measured quiet = around(1, 0.01);
    Measured busy = around(2, 0.01);
    busy.others = 0.2; // what every machine has
    QCOMPARE(compare(quiet, busy), Verdict::More);
    busy.others = 0.21;
    QCOMPARE(compare(quiet, busy), Verdict::Unknown);
    QCOMPARE(compare(busy, quiet), Verdict::Unknown);
    QCOMPARE(doubtOf(quiet, busy), Doubt::BusyMachine);
    QCOMPARE(doubtOf(busy, measuredOf({1})), Doubt::Once);
    QCOMPARE(changeText(quiet, busy), std::string("+100 %, busy machine"));
  }

  void saysWhatChanged()
  {
    QCOMPARE(changeText(around(1, 0.01), around(2, 0.01)), std::string("+100 %"));
    QCOMPARE(changeText(around(2, 0.01), around(1, 0.01)), std::string("−50 %"));
    QCOMPARE(changeText(around(1, 0.1), around(1.06, 0.1)), std::string("no difference"));
    QCOMPARE(changeText(around(1, 0.3), around(1.1, 0.3)), std::string("+10 %, times vary"));
    QCOMPARE(changeText(measuredOf({2}), measuredOf({1})), std::string("−50 %, one run"));
    QCOMPARE(changeText(measuredOf({0}), measuredOf({1})), std::string());
  }
};

HINESIGHT_TEST(TestMeasured)

#include "test_measured.moc"
