#include "synapse/formation/statistics.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <random>

using namespace hinesight::synapse;

namespace {

bool isClose(double a, double b, double relative)
{
  return std::abs(a - b) <= relative * std::abs(b);
}

} // namespace

class TestStatistics : public QObject
{
  Q_OBJECT

private slots:
  /// Tails that have a closed form: an even number of degrees of freedom is a sum of Poisson probabilities, one degree
  /// is a normal distribution.
  void knowsTailsOfChiSquare()
  {
    for (const double x : {0.1, 1.0, 5.0, 20.0, 60.0, 200.0}) {
      QVERIFY(isClose(chiSquareTail(x, 1), std::erfc(std::sqrt(x / 2)), 1e-9));
      QVERIFY(isClose(chiSquareTail(x, 2), std::exp(-x / 2), 1e-9));
      QVERIFY(isClose(chiSquareTail(x, 4), std::exp(-x / 2) * (1 + x / 2), 1e-9));
    }
    // Far out, and with very many degrees, near the normal distribution (Wilson and Hilferty 1931).
    for (const double freedom : {500.0, 100'000.0})
      for (const double z : {-3.0, -1.0, 0.0, 2.0, 4.0}) {
        const double h = 2 / (9 * freedom);
        const double x = freedom * std::pow(1 - h + z * std::sqrt(h), 3);
        QVERIFY(isClose(chiSquareTail(x, freedom), std::erfc(z / std::sqrt(2.0)) / 2, 0.01));
      }
    QCOMPARE(chiSquareTail(0, 3), 1.0);
  }

  /// Critical values of tables.
  void knowsTailsOfKolmogorovAndNormal()
  {
    QVERIFY(isClose(kolmogorovTail(1.3581), 0.05, 1e-3));
    QVERIFY(isClose(kolmogorovTail(1.6276), 0.01, 1e-3));
    QVERIFY(isClose(kolmogorovTail(0.8276), 0.5, 1e-3));
    QCOMPARE(kolmogorovTail(0.1), 1.0);
    QVERIFY(isClose(normalTails(-1.959964), 0.05, 1e-5));
    QCOMPARE(normalTails(0), 1.0);
  }

  /// Under the hypothesis p-values are uniform; under another they are tiny.
  void tellsHypothesesApart()
  {
    std::mt19937_64 random(1);
    const std::vector<double> fair(40, 1.0 / 40);
    std::vector<double> skewed = fair;
    for (std::size_t i = 0; i < 40; ++i)
      skewed[i] *= i % 2 == 0 ? 1.05 : 0.95;
    std::uniform_int_distribution<std::size_t> cell(0, 39);
    std::vector<double> pCells, pBins;
    for (int run = 0; run < 300; ++run) {
      std::vector<double> counts(40, 0);
      for (int draw = 0; draw < 2'000; ++draw)
        counts[cell(random)] += 1;
      ChiSquare test;
      test.add(counts, fair);
      QCOMPARE(test.freedom, 39.0);
      pCells.push_back(test.pValue());
      pBins.push_back(compareWithDistribution(counts, fair).pValue);
    }
    // A binomial share below one half, within five standard errors; bins make Kolmogorov's p-values larger.
    const auto below = [](const std::vector<double>& p) {
      return static_cast<double>(std::count_if(p.begin(), p.end(), [](double x) { return x < 0.5; })) / 300;
    };
    QVERIFY(std::abs(below(pCells) - 0.5) < 0.15);
    QVERIFY(below(pBins) < 0.65);
    std::vector<double> counts(40, 0);
    for (int draw = 0; draw < 200'000; ++draw)
      counts[cell(random)] += 1;
    ChiSquare test;
    test.add(counts, skewed);
    QVERIFY(test.pValue() < 1e-9);
    std::vector<double> halves(40);
    for (std::size_t i = 0; i < 40; ++i)
      halves[i] = fair[i] * (i < 20 ? 1.05 : 0.95);
    QVERIFY(compareWithDistribution(counts, halves).pValue < 1e-9);
  }

  void poolsCellsOfWhichFewAreExpected()
  {
    ChiSquare test;
    test.add(std::vector<double>{5, 1, 2, 2, 0}, std::vector<double>{0.5, 0.1, 0.2, 0.2, 0});
    QCOMPARE(test.freedom, 1.0); // 5 and 5
    QCOMPARE(test.statistic, 0.0);
    QVERIFY(!test.isImpossible);
    ChiSquare impossible;
    impossible.add(std::vector<double>{50, 50, 1}, std::vector<double>{0.5, 0.5, 0});
    QCOMPARE(impossible.pValue(), 0.0);
  }

  void comparesSamples()
  {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::vector<double> a, b, shifted;
    for (int i = 0; i < 20'000; ++i) {
      a.push_back(normal(random));
      b.push_back(normal(random));
      shifted.push_back(normal(random) + 0.1);
    }
    QVERIFY(compareSamples(a, b).pValue > 1e-4);
    QVERIFY(compareSamples(a, shifted).pValue < 1e-9);
    QVERIFY(compareSamples({1, 1, 2}, {1, 1, 2}).distance == 0);
    QCOMPARE(compareSamples({1, 2}, {3, 4}).distance, 1.0);
    QVERIFY(std::abs(standardErrorsApart(momentsOf(a), momentsOf(b))) < 5);
    QVERIFY(std::abs(standardErrorsApart(momentsOf(a), momentsOf(shifted))) > 5);
    QVERIFY(std::abs(correlation(a, b)) < 0.04);
    QVERIFY(isClose(correlation(a, a), 1, 1e-12));
  }
};

HINESIGHT_TEST(TestStatistics)
#include "test_statistics.moc"
