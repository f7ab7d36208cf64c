#include "simulated_cells.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace hinesight;
using namespace hinesight::simulation;

/// One compartment with the channels of the squid axon against spikes that another method, in 80 bits and to 1e-12 ms,
/// gives (docs/verification.md).
class TestSquidAxon : public QObject
{
  Q_OBJECT

  struct Case
  {
    double celsius;
    double current; // nA
    double duration;
  };

  static Simulation run(const Case& what, Scheme scheme, double dt, double until)
  {
    Network network = test::networkOf(test::ball({test::hh()}));
    network.steps.push_back({0, 0, what.current, 5, what.duration});
    SimulationParameters parameters;
    parameters.scheme = scheme;
    parameters.timeStep = dt;
    parameters.celsius = what.celsius;
    Simulation simulation(std::move(network), parameters);
    simulation.runUntil(until);
    return simulation;
  }

private slots:
  void spikesComeAtTheirTimes_data()
  {
    QTest::addColumn<double>("celsius");
    QTest::addColumn<double>("current");
    QTest::addColumn<double>("duration");
    QTest::addColumn<QList<double>>("first"); // ms
    QTest::addColumn<double>("last");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("until");
    QTest::addColumn<double>("potential"); // mV, then
    QTest::newRow("A") << 6.3 << 0.1 << 100.0 << QList<double>{6.8966646838, 21.8038700213, 36.4390144373}
                       << 94.9284457062 << 7 << 120.0 << -64.727100750757;
    QTest::newRow("B") << 16.3 << 0.2 << 100.0 << QList<double>{5.9541303038, 10.7721689860, 15.4564997876}
                       << 104.2863026569 << 22 << 120.0 << -64.979823835836;
    QTest::newRow("C") << 6.3 << 0.2 << 1.0 << QList<double>{6.2936194659} << 6.2936194659 << 1 << 30.0
                       << -64.877876308031;
  }

  void spikesComeAtTheirTimes()
  {
    QFETCH(double, celsius);
    QFETCH(double, current);
    QFETCH(double, duration);
    QFETCH(QList<double>, first);
    QFETCH(double, last);
    QFETCH(int, count);
    QFETCH(double, until);
    QFETCH(double, potential);
    const Simulation simulation = run({celsius, current, duration}, Scheme::CrankNicolson, 0.005, until);
    const std::vector<Spike> spikes = simulation.spikes();
    QCOMPARE(static_cast<int>(spikes.size()), count);
    for (qsizetype i = 0; i < first.size(); ++i)
      QVERIFY2(std::abs(spikes[static_cast<std::size_t>(i)].time - first[i]) < 2e-3,
               qPrintable(QString::number(spikes[static_cast<std::size_t>(i)].time, 'f', 6)));
    QVERIFY2(std::abs(spikes.back().time - last) < 4e-3, qPrintable(QString::number(spikes.back().time, 'f', 6)));
    QVERIFY(std::abs(simulation.potentialsOf(0)[0] - potential) < 2e-3);
  }

  /// Halving the step halves the error of backward Euler, and quarters that of Crank-Nicolson.
  void theSchemesHaveTheirOrders()
  {
    constexpr double kLast = 94.9284457062;
    const auto errorOf = [&](Scheme scheme, double dt) {
      return std::abs(run({6.3, 0.1, 100}, scheme, dt, 120).spikes().back().time - kLast);
    };
    for (const double dt : {0.025, 0.0125}) {
      const double first = errorOf(Scheme::BackwardEuler, dt) / errorOf(Scheme::BackwardEuler, dt / 2);
      QVERIFY2(std::abs(first - 2) < 0.15, qPrintable(QString::number(first)));
      const double second = errorOf(Scheme::CrankNicolson, dt) / errorOf(Scheme::CrankNicolson, dt / 2);
      QVERIFY2(std::abs(second - 4) < 0.3, qPrintable(QString::number(second)));
    }
    QVERIFY(errorOf(Scheme::CrankNicolson, 0.025) < 0.016);
  }

  /// Rallpack 3 (Bhalla, Bilitch and Bower 1992): an axon of 1 mm in 1,000 compartments, a current into its first.
  /// Figures: the same scheme at steps down to 0.0025 ms, extrapolated.
  void anAxonCarriesSpikes()
  {
    auto axon = test::ball({}, std::numbers::pi); // 1 um long and thick
    constexpr std::size_t kCompartments = 1000;
    for (std::size_t node = 1; node < kCompartments; ++node) {
      axon->cut.parent.push_back(static_cast<std::int32_t>(node) - 1);
      axon->cut.area.push_back(std::numbers::pi);
      axon->cut.resistance.push_back(4 / std::numbers::pi);
      axon->cut.section.push_back(0);
    }
    axon->biophysics.densities = {{cell::kHh, morphology::kSoma, {0.12, 0.036, 2.5e-5, -65}}};
    const auto crossings = [](const std::vector<double>& trace, double dt) {
      std::vector<double> times;
      for (std::size_t i = 1; i < trace.size(); ++i)
        if (trace[i - 1] < -20 && trace[i] >= -20)
          times.push_back(dt * (static_cast<double>(i) + (-20 - trace[i - 1]) / (trace[i] - trace[i - 1])));
      return times;
    };
    double worst[2] = {};
    for (const int half : {0, 1}) {
      Network network = test::networkOf(axon);
      network.steps = {{0, 0, 0.1, 0, 1000}};
      network.probes = {{0, 0}, {0, kCompartments - 1}};
      SimulationParameters parameters;
      parameters.timeStep = half == 0 ? 0.02 : 0.01;
      Simulation simulation(std::move(network), parameters);
      simulation.runUntil(250);
      const std::vector<double> near = crossings(simulation.records()[0], parameters.timeStep);
      const std::vector<double> far = crossings(simulation.records()[1], parameters.timeStep);
      QCOMPARE(near.size(), std::size_t{18});
      QCOMPARE(far.size(), std::size_t{17});
      worst[half] = std::max({std::abs(near.front() - 1.1951), std::abs(far.front() - 4.0075),
                              std::abs(near.back() - 248.3383), std::abs(far.back() - 236.6177)});
    }
    QVERIFY2(worst[1] < 0.02, qPrintable(QString::number(worst[1])));
    QVERIFY2(worst[0] / worst[1] > 3 && worst[0] / worst[1] < 5, qPrintable(QString::number(worst[0] / worst[1])));
  }

  /// NEURON's rules with its step: the error that its users know.
  void asNeuronIsOfFirstOrder()
  {
    Network network = test::networkOf(test::ball({test::hh()}));
    network.steps.push_back({0, 0, 0.1, 5, 100});
    SimulationParameters parameters;
    parameters.scheme = Scheme::BackwardEuler;
    parameters.rules = Rules::Neuron;
    Simulation simulation(std::move(network), parameters);
    simulation.runUntil(120);
    QCOMPARE(simulation.spikes().size(), std::size_t{7});
    QVERIFY(std::abs(simulation.spikes().back().time - 94.9284457062) < 0.5);
    for (const Spike& spike : simulation.spikes())
      QVERIFY(std::abs(spike.time / 0.025 - std::round(spike.time / 0.025)) < 1e-6);
  }
};

HINESIGHT_TEST(TestSquidAxon)
#include "test_squid_axon.moc"
