#include "synapse/plasticity/neurons/neuron_models.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <vector>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

constexpr std::uint32_t kSubSteps = 10;
constexpr double kDt = 0.1;

template <typename Model>
Membrane initial()
{
  return {Model::kInitialPotential, Model::kInitialRecovery, 0};
}

template <typename Model>
Membrane settled(double input, int steps)
{
  Membrane m = initial<Model>();
  for (int step = 0; step < steps; ++step)
    m = stepMembrane<Model>(m, input, 1.0, kSubSteps, kDt);
  return m;
}

/// The steps in which a neuron fires under constant input.
template <typename Model>
std::vector<int> spikes(double input, int steps)
{
  Membrane m = initial<Model>();
  std::vector<int> fired;
  for (int step = 0; step < steps; ++step) {
    m = stepMembrane<Model>(m, input, 1.0, kSubSteps, kDt);
    if (m.fired != 0)
      fired.push_back(step);
  }
  return fired;
}

/// The left root of a x^2 + b x + c.
double leftRoot(double a, double b, double c)
{
  return (-b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

} // namespace

class TestNeuronModels : public QObject
{
  Q_OBJECT

private slots:
  void poissonMembraneSettlesAtItsFixedPoint()
  {
    for (const double input : {0.0, 0.03, 0.11, -0.02})
      QVERIFY(std::abs(settled<PoissonNeuron>(input, 300).potential - (0.05 + 5.0 * input)) < 1e-13);
  }

  void poissonMembraneFollowsEulersSteps()
  {
    double x = 0;
    for (int s = 0; s < 10; ++s)
      x += ((0.05 - x) / 5.0 + 0.02) / 10.0;
    QVERIFY(std::abs(settled<PoissonNeuron>(0.02, 1).potential - x) < 1e-16);
  }

  /// A neuron that fires with probability p when it may, and waits four steps, fires every 4 + 1/p steps.
  void poissonNeuronsFireAtTheRateOfTheirMembrane()
  {
    const double input = 0.03, p = 0.05 + 5 * input;
    Membrane m = settled<PoissonNeuron>(input, 300);
    const int steps = 400'000;
    int fired = 0, sinceSpike = 1000;
    for (int step = 0; step < steps; ++step) {
      m = stepMembrane<PoissonNeuron>(m, input, spikeUniform(7, 3, static_cast<std::uint32_t>(step)), kSubSteps, kDt);
      ++sinceSpike;
      if (m.fired != 0) {
        QVERIFY2(sinceSpike > 4, "fired while refractory");
        sinceSpike = 0;
        ++fired;
      }
    }
    const double interval = 4 + 1 / p, variance = (1 - p) / (p * p);
    const double expected = steps / interval, deviation = std::sqrt(steps * variance / std::pow(interval, 3));
    QVERIFY2(std::abs(fired - expected) < 4 * deviation, qPrintable(QString("%1 spikes").arg(fired)));
  }

  void poissonNeuronsDrawIndependently()
  {
    const int neurons = 100'000;
    int first = 0, second = 0, both = 0;
    for (std::uint32_t neuron = 0; neuron < neurons; ++neuron) {
      const bool a = spikeUniform(1, neuron, 5) < 0.25, b = spikeUniform(1, neuron, 6) < 0.25;
      first += a;
      second += b;
      both += a && b;
    }
    const double deviation = std::sqrt(neurons * 0.25 * 0.75);
    QVERIFY(std::abs(first - 0.25 * neurons) < 4 * deviation);
    QVERIFY(std::abs(second - 0.25 * neurons) < 4 * deviation);
    QVERIFY(std::abs(both - 0.0625 * neurons) < 4 * std::sqrt(neurons * 0.0625 * 0.9375));
  }

  void izhikevichNeuronRests()
  {
    const Membrane m = settled<IzhikevichNeuron>(0, 5000);
    const double rest = leftRoot(0.04, 5 - 0.2, 140); // where u = b v and v does not change
    QVERIFY(std::abs(m.potential - rest) < 1e-9);
    QVERIFY(std::abs(m.recovery - 0.2 * rest) < 1e-9);
    QVERIFY(spikes<IzhikevichNeuron>(0, 5000).empty());
  }

  /// Izhikevich 2003, figure 2, "fast spiking": trains of spikes without adaptation, faster with more input.
  void izhikevichNeuronSpikesFastWithoutAdaptation()
  {
    const std::vector<int> weak = spikes<IzhikevichNeuron>(6, 2000), strong = spikes<IzhikevichNeuron>(14, 2000);
    QVERIFY(weak.size() > 40);
    QVERIFY(10 * strong.size() > 13 * weak.size());
    const int early = strong[20] - strong[10], late = strong[strong.size() - 1] - strong[strong.size() - 11];
    QVERIFY(std::abs(early - late) <= 1);
  }

  /// The same equations with a loop that ends at the spike, as they are written in the paper.
  void izhikevichNeuronWaitsAfterASpike()
  {
    Membrane m = initial<IzhikevichNeuron>();
    double v = -65, u = 0;
    for (int step = 0; step < 300; ++step) {
      m = stepMembrane<IzhikevichNeuron>(m, 11.0, 1.0, kSubSteps, kDt);
      bool fired = false;
      for (int s = 0; s < 10 && !fired; ++s) {
        const double dv = 0.04 * v * v + 5 * v + 140 - u + 11.0, du = 0.1 * (0.2 * v - u);
        v += dv / 10;
        u += du / 10;
        fired = v >= 30;
        v = fired ? -65 : v;
        u = fired ? u + 2 : u;
      }
      QCOMPARE(m.fired != 0, fired);
      QVERIFY(std::abs(m.potential - v) < 1e-6 && std::abs(m.recovery - u) < 1e-6);
    }
  }

  /// FitzHugh 1961: at rest without input, a limit cycle at 0.5, no cycle any more at 2.
  void fitzHughNagumoNeuronRestsCyclesAndIsBlocked()
  {
    const Membrane rest = settled<FitzHughNagumoNeuron>(0, 5000);
    QVERIFY(std::abs(rest.potential - std::pow(rest.potential, 3) / 3 - rest.recovery) < 1e-12);
    QVERIFY(std::abs(rest.potential + 0.7 - 0.8 * rest.recovery) < 1e-12);
    QVERIFY(std::abs(rest.potential + 1.1994) < 1e-4);
    QVERIFY(spikes<FitzHughNagumoNeuron>(0, 3000).empty());

    const std::vector<int> cycling = spikes<FitzHughNagumoNeuron>(0.5, 3000);
    QVERIFY(cycling.size() > 60);
    QVERIFY(cycling.back() > 2950);

    const Membrane blocked = settled<FitzHughNagumoNeuron>(2.0, 5000);
    QVERIFY(std::abs(blocked.potential - std::pow(blocked.potential, 3) / 3 - blocked.recovery + 2.0) < 1e-12);
    QVERIFY(std::abs(blocked.potential + 0.7 - 0.8 * blocked.recovery) < 1e-12);
  }

  void adaptiveExponentialNeuronRestsBelowItsThreshold()
  {
    const Membrane rest = settled<AdaptiveExponentialNeuron>(0, 5000);
    const double current = -30 * (rest.potential + 70.6) + 60 * std::exp((rest.potential + 50.4) / 2) - rest.recovery;
    QVERIFY(std::abs(current) < 1e-9);
    QVERIFY(std::abs(rest.potential + 70.6) < 0.01);
    // The least current that makes it fire for good: where leak and adaptation are at most what the onset gives.
    QVERIFY(spikes<AdaptiveExponentialNeuron>(500, 5000).empty());
  }

  /// Brette and Gerstner 2005, figure 2: regular spiking whose intervals grow with the adaptation.
  void adaptiveExponentialNeuronAdapts()
  {
    const std::vector<int> train = spikes<AdaptiveExponentialNeuron>(900, 5000);
    QVERIFY(train.size() > 20);
    const int first = train[1] - train[0], last = train[train.size() - 1] - train[train.size() - 2];
    QVERIFY2(last > first, qPrintable(QString("%1 then %2").arg(first).arg(last)));
    QVERIFY(spikes<AdaptiveExponentialNeuron>(1500, 5000).size() > train.size());
  }

  void backgroundIsStandardNormal()
  {
    const int draws = 200'000;
    double sum = 0, squares = 0, fourths = 0;
    for (std::uint32_t i = 0; i < draws; ++i) {
      const double z = backgroundNormal(3, i, 11);
      sum += z;
      squares += z * z;
      fourths += z * z * z * z;
    }
    QVERIFY(std::abs(sum / draws) < 4 / std::sqrt(draws));
    QVERIFY(std::abs(squares / draws - 1) < 4 * std::sqrt(2.0 / draws));
    QVERIFY(std::abs(fourths / draws - 3) < 4 * std::sqrt(96.0 / draws));
  }
};

HINESIGHT_TEST(TestNeuronModels)
#include "test_neuron_models.moc"
