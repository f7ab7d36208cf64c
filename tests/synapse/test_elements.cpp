#include "synapse/plasticity/neurons/element_step.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

/// Which of the synapses of `weights` go: how many of each.
std::vector<std::uint32_t> drawn(const std::vector<std::uint32_t>& weights, std::uint32_t taken, std::uint32_t neuron,
                                 std::uint32_t step)
{
  const auto all = std::accumulate(weights.begin(), weights.end(), std::uint32_t{0});
  DeletionDraw draw(1, neuron, 0, step, all, taken);
  std::vector<std::uint32_t> gone;
  for (const std::uint32_t weight : weights)
    gone.push_back(draw.take(weight));
  return gone;
}

double choose(std::uint32_t n, std::uint32_t k)
{
  double ways = 1;
  for (std::uint32_t i = 0; i < k; ++i)
    ways *= static_cast<double>(n - i) / (i + 1);
  return ways;
}

struct ChiSquare
{
  double sum = 0;
  int cells = 0;
  /// That is exceeded about once in 3,000 times (Wilson and Hilferty 1931).
  double bound() const
  {
    const double freedom = cells - 1, spread = 2 / (9 * freedom);
    return freedom * std::pow(1 - spread + 3.4 * std::sqrt(spread), 3);
  }
};

/// Draws often and compares with the multivariate hypergeometric distribution.
ChiSquare compareDraws(const std::vector<std::uint32_t>& weights, std::uint32_t taken, int draws)
{
  std::map<std::vector<std::uint32_t>, int> seen;
  for (int i = 0; i < draws; ++i)
    ++seen[drawn(weights, taken, static_cast<std::uint32_t>(i % 977), static_cast<std::uint32_t>(i / 977))];
  const auto all = std::accumulate(weights.begin(), weights.end(), std::uint32_t{0});
  ChiSquare result;
  double probability = 0;
  for (const auto& [gone, times] : seen) {
    double ways = 1;
    for (std::size_t i = 0; i < gone.size(); ++i)
      ways *= choose(weights[i], gone[i]);
    const double expected = draws * ways / choose(all, taken);
    probability += ways / choose(all, taken);
    result.sum += (times - expected) * (times - expected) / expected;
    ++result.cells;
  }
  if (std::abs(probability - 1) > 1e-12)
    result.sum = HUGE_VAL; // an outcome never came
  return result;
}

} // namespace

class TestElements : public QObject
{
  Q_OBJECT

private slots:
  /// A neuron that fires every n-th step has on average tau beta / n.
  void calciumSettlesAtDecayTimesGainTimesRate()
  {
    const double tau = 2000, beta = 0.001;
    const CalciumStep step = {1 - 1 / (10 * tau), beta / 10};
    for (const int period : {5, 20, 100}) {
      double calcium = 0, sum = 0;
      const int steps = 40'000;
      for (int t = 0; t < steps; ++t) {
        for (int s = 0; s < 10; ++s)
          calcium = step.subStep(calcium, t % period == 0 ? 1.0 : 0.0);
        sum += t >= steps - 10 * period ? calcium : 0;
      }
      const double expected = tau * beta / period;
      QVERIFY(std::abs(sum / (10 * period) - expected) < 1e-3 * expected);
    }
  }

  void growthIsZeroAtLeastAndTargetAndLargestMidway()
  {
    const double rate = 1e-4;
    for (const auto& [least, target] : {std::pair{0.4, 0.7}, {0.1, 0.7}, {0.0, 0.7}, {0.0, 0.5}, {-0.2, 3.0}}) {
      const GrowthCurve curve = makeGrowthCurve(rate, least, target);
      QVERIFY(std::abs(curve.at(least)) < 1e-15 * rate * 10);
      QVERIFY(std::abs(curve.at(target)) < 1e-15 * rate * 10);
      const double middle = (least + target) / 2;
      QCOMPARE(curve.at(middle), rate);
      double most = -1;
      for (int i = -1000; i <= 2000; ++i) {
        const double calcium = least + (target - least) * i / 1000.0;
        const double zeta = (least - target) / (2 * std::sqrt(std::log(2.0)));
        const double expected = rate * (2 * std::exp(-std::pow((calcium - middle) / zeta, 2)) - 1);
        QVERIFY(std::abs(curve.at(calcium) - expected) < 1e-14 * rate);
        QCOMPARE(curve.at(calcium) > 1e-12 * rate, i > 0 && i < 1000);
        most = std::max(most, curve.at(calcium));
      }
      QCOMPARE(most, rate);
      QVERIFY(std::abs(curve.at(target + 100 * (target - least)) + rate) < 1e-15 * rate);
    }
  }

  void aTargetBelowTheLeastCalciumOnlyRetracts()
  {
    for (const double target : {0.4, 0.1}) {
      const GrowthCurve curve = makeGrowthCurve(1e-3, 0.4, target);
      QCOMPARE(curve.at(0.4), 0.0);
      QCOMPARE(curve.at(0.39), -1e-3);
      QCOMPARE(curve.at(0.5), -1e-3);
    }
  }

  void elementsAreCommitted_data()
  {
    QTest::addColumn<double>("grown");
    QTest::addColumn<uint>("connected");
    QTest::addColumn<double>("delta");
    QTest::addColumn<double>("retract");
    QTest::addColumn<double>("grownThen");
    QTest::addColumn<uint>("connectedThen");
    QTest::newRow("grows") << 2.5 << 2u << 0.75 << 0.0 << 3.25 << 2u;
    QTest::newRow("loses vacant ones") << 2.5 << 2u << -0.25 << 0.0 << 2.25 << 2u;
    QTest::newRow("retracts a share of the vacant") << 4.0 << 2u << 0.0 << 0.25 << 3.5 << 2u;
    QTest::newRow("all vacant ones, no synapse") << 2.5 << 2u << -0.5 << 0.0 << 2.0 << 2u;
    QTest::newRow("a synapse") << 2.5 << 2u << -0.75 << 0.0 << 1.75 << 1u;
    QTest::newRow("two synapses") << 4.25 << 4u << -1.75 << 0.0 << 2.5 << 2u;
    QTest::newRow("retracts a share of what is left over") << 4.25 << 4u << -1.75 << 0.5 << 2.25 << 2u;
    QTest::newRow("everything") << 1.5 << 1u << -2.0 << 0.0 << 0.0 << 0u;
    QTest::newRow("down to nothing") << 1.5 << 1u << -1.5 << 0.0 << 0.0 << 0u;
    QTest::newRow("nothing there") << 0.0 << 0u << -1.0 << 0.0 << 0.0 << 0u;
  }
  void elementsAreCommitted()
  {
    QFETCH(double, grown);
    QFETCH(uint, connected);
    QFETCH(double, delta);
    QFETCH(double, retract);
    QFETCH(double, grownThen);
    QFETCH(uint, connectedThen);
    const ElementUpdate update = commitElements(grown, connected, delta, retract);
    QCOMPARE(update.grown, grownThen);
    QCOMPARE(update.connected, connectedThen);
  }

  void elementsNeverFallBelowTheConnected()
  {
    std::uint32_t draw = 0;
    const auto uniform = [&](double most) { return most * randomUniform(1, 0, 0, draw++); };
    for (int i = 0; i < 200'000; ++i) {
      const auto connected = static_cast<std::uint32_t>(uniform(20));
      const double grown = connected + uniform(3);
      const ElementUpdate update = commitElements(grown, connected, uniform(20) - 12, i % 2 == 0 ? 0 : uniform(1));
      QVERIFY(update.connected <= connected);
      QVERIFY(std::floor(update.grown) >= update.connected);
      QCOMPARE(vacantElements(update.grown, update.connected),
               static_cast<std::uint32_t>(update.grown - update.connected));
    }
  }

  void deletionTakesAsManyAsAsked()
  {
    const std::vector<std::uint32_t> weights = {3, 1, 7, 2, 1, 5};
    for (std::uint32_t taken = 0; taken <= 19; ++taken)
      for (std::uint32_t neuron = 0; neuron < 100; ++neuron) {
        const std::vector<std::uint32_t> gone = drawn(weights, taken, neuron, 1);
        QCOMPARE(std::accumulate(gone.begin(), gone.end(), std::uint32_t{0}), taken);
        for (std::size_t i = 0; i < weights.size(); ++i)
          QVERIFY(gone[i] <= weights[i]);
      }
  }

  /// Every subset of the synapses is as likely as any other.
  void deletionIsUniformWithoutReplacement()
  {
    const ChiSquare subsets = compareDraws({1, 1, 1, 1, 1, 1}, 3, 40'000);
    QCOMPARE(subsets.cells, 20);
    QVERIFY2(subsets.sum < subsets.bound(), qPrintable(QString::number(subsets.sum)));
    const ChiSquare single = compareDraws({1, 1, 1, 1, 1, 1, 1, 1, 1}, 1, 40'000);
    QVERIFY2(single.sum < single.bound(), qPrintable(QString::number(single.sum)));
  }

  void aPairOfWeightWCountsWTimes()
  {
    for (const std::uint32_t taken : {1u, 3u, 6u}) {
      const ChiSquare counts = compareDraws({3, 1, 4, 2}, taken, 60'000);
      QVERIFY2(counts.sum < counts.bound(), qPrintable(QString::number(counts.sum)));
    }
  }
};

HINESIGHT_TEST(TestElements)
#include "test_elements.moc"
