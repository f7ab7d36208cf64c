#include "simulated_cells.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace hinesight;
using namespace hinesight::simulation;

/// Synapses, delays and the exchange of spikes, against closed forms and by what must not change a bit.
class TestEvents : public QObject
{
  Q_OBJECT

  /// A passive ball: 0.01 nF and a leak to -65 mV.
  static std::shared_ptr<cell::CellModel> passive(double leak) // uS
  {
    return test::ball({{cell::kPassive, morphology::kSoma, {leak / 10, -65}}}); // uS of 1 S/cm2 on 1,000 um2: 10
  }

  static Simulation underOneEvent(double leak, const Synapse& synapse, double weight, double dt, Scheme scheme)
  {
    Network network = test::networkOf(passive(leak), 1, {0, 1000});
    network.synapses = {synapse};
    network.trains = {{0}};
    network.connections = {{1, 0, weight, 1e-9}};
    network.probes = {{0, 0}};
    SimulationParameters parameters;
    parameters.timeStep = dt;
    parameters.scheme = scheme;
    return {std::move(network), parameters};
  }

  /// Four squid axons in a ring, each of which excites the next after 5 ms; an event at 1 ms starts it.
  static Network ring(std::size_t cells = 4, double delay = 5)
  {
    Network network = test::networkOf(test::ball({test::hh()}), cells, {0, -10});
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
      network.synapses.push_back({cell, 0, 0, 2, 0});
      network.connections.push_back({cell, static_cast<std::uint32_t>((cell + 1) % cells), 0.01, delay});
    }
    network.trains = {{0}};
    network.connections.push_back({static_cast<std::uint32_t>(cells), 0, 0.01, 1});
    return network;
  }

  static Simulation run(Network network, const SimulationParameters& parameters, double until)
  {
    Simulation simulation(std::move(network), parameters);
    simulation.runUntil(until);
    return simulation;
  }

private slots:
  /// u = V - E_L follows a closed form (incomplete gamma functions); values from there.
  void potentialsAfterAnEvent_data()
  {
    QTest::addColumn<double>("tau1");
    QTest::addColumn<QList<double>>("times"); // ms
    QTest::addColumn<QList<double>>("potentials");
    QTest::newRow("expsyn") << 0.0 << QList<double>{1, 5, 20}
                            << QList<double>{-60.335304193958, -57.162905128039, -62.985032217531};
    QTest::newRow("exp2syn") << 0.5 << QList<double>{5, 20} << QList<double>{-52.994381831156, -61.793903582997};
  }

  void potentialsAfterAnEvent()
  {
    QFETCH(double, tau1);
    QFETCH(QList<double>, times);
    QFETCH(QList<double>, potentials);
    const auto worst = [&](double dt) {
      Simulation simulation = underOneEvent(0.001, {0, 0, tau1, 2, 0}, 0.001, dt, Scheme::CrankNicolson);
      simulation.runUntil(times.back());
      double most = 0;
      for (qsizetype i = 0; i < times.size(); ++i)
        most =
            std::max(most, std::abs(simulation.records()[0][static_cast<std::size_t>(std::lround(times[i] / dt)) - 1] -
                                    potentials[i]));
      return most;
    };
    QVERIFY2(worst(0.025) < 1e-3, qPrintable(QString::number(worst(0.025))));
    const double order = worst(0.025) / worst(0.0125);
    QVERIFY2(order > 3.5 && order < 4.5, qPrintable(QString::number(order)));
  }

  /// 18 spikes to 100 ms, at times that an event-exact method gives.
  void aRingKeepsItsTime()
  {
    const QList<double> first{1.760183709, 7.520737277, 13.281705171, 19.042511278, 24.797637373};
    const auto errorOf = [&](double dt) {
      SimulationParameters parameters;
      parameters.timeStep = dt;
      const std::vector<Spike> spikes = run(ring(), parameters, 100).spikes();
      if (spikes.size() != 18)
        return 1e9;
      for (qsizetype i = 0; i < first.size(); ++i)
        if (std::abs(spikes[static_cast<std::size_t>(i)].time - first[i]) > 0.05)
          return 1e9;
      return std::abs(spikes.back().time - 99.613834937);
    };
    QVERIFY2(errorOf(0.025) < 0.014, qPrintable(QString::number(errorOf(0.025))));
    QVERIFY2(errorOf(0.0125) < 0.0035, qPrintable(QString::number(errorOf(0.0125))));
    QVERIFY(errorOf(0.05) < 0.055);
  }

  void threadsAndEpochsChangeNoBit()
  {
    SimulationParameters parameters;
    const Simulation alone = run(ring(16, 3.3), parameters, 60);
    QVERIFY(alone.spikes().size() > 10);
    for (const auto& [epoch, threads] : {std::pair(0.0, 3), std::pair(0.025, 1), std::pair(1.1, 2)}) {
      SimulationParameters other = parameters;
      other.epoch = epoch;
      other.threads = threads;
      const Simulation again = run(ring(16, 3.3), other, 60);
      QVERIFY(again.spikes() == alone.spikes());
      for (std::size_t cell = 0; cell < 16; ++cell)
        QVERIFY(again.potentialsOf(cell) == alone.potentialsOf(cell));
      QCOMPARE(again.delivered() + again.inFlight(), alone.delivered() + alone.inFlight());
    }
    // In parts, which end within epochs.
    Simulation inParts(ring(16, 3.3), parameters);
    for (double time = 0.7; time < 60; time += 0.7)
      inParts.runUntil(time);
    inParts.runUntil(60);
    QVERIFY(inParts.spikes() == alone.spikes());
  }

  void eventsAreCounted()
  {
    const Simulation simulation = run(ring(), {}, 100);
    QCOMPARE(simulation.delivered() + simulation.inFlight(), std::uint64_t{18 + 1});
  }

  /// A delay that is longer by whole steps shifts what comes after, bit for bit.
  void aLongerDelayShiftsTheTarget()
  {
    const auto target = [](double delay) {
      Network network = test::networkOf(test::ball({test::hh()}), 2, {0, -10});
      // At 0 mV, where it rests without rounding.
      const auto resting = test::ball({{cell::kPassive, morphology::kSoma, {1e-4, 0}}});
      resting->biophysics.startPotential = 0;
      network.models.push_back(resting);
      network.modelOf[1] = 1;
      network.detectors[1].threshold = 1000;
      network.steps = {{0, 0, 0.2, 1, 1}};
      network.synapses = {{1, 0, 0.25, 2, 60}};
      network.connections = {{0, 0, 0.02, delay}};
      network.probes = {{1, 0}};
      SimulationParameters parameters;
      parameters.scheme = Scheme::BackwardEuler;
      parameters.rules = Rules::Neuron;
      parameters.timeStep = 1.0 / 32; // exact, so that times add without error
      return run(std::move(network), parameters, 30).records()[0];
    };
    const std::vector<double> early = target(2);
    const std::vector<double> late = target(2.5);
    constexpr std::size_t kShift = 16;
    QVERIFY(*std::ranges::max_element(early) > 10);
    QVERIFY(std::equal(early.begin(), early.end() - kShift, late.begin() + kShift));
    QVERIFY(std::ranges::all_of(late.begin(), late.begin() + kShift, [](double v) { return v == 0; }));
  }

  void zeroWeightsAreNoNetwork()
  {
    Network weightless = ring();
    for (Connection& connection : weightless.connections)
      connection.weight = 0;
    Network apart = ring();
    apart.connections.clear();
    const Simulation some = run(std::move(weightless), {}, 50);
    const Simulation others = run(std::move(apart), {}, 50);
    for (std::size_t cell = 0; cell < 4; ++cell)
      QVERIFY(some.potentialsOf(cell) == others.potentialsOf(cell));
  }

  /// On a random passive tree under a current: what goes in is stored or leaks, to rounding, in every step.
  void chargeIsKept()
  {
    auto model = test::ball({});
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.5, 2);
    constexpr std::size_t kNodes = 60;
    for (std::size_t node = 1; node < kNodes; ++node) {
      model->cut.parent.push_back(static_cast<std::int32_t>(random() % node));
      model->cut.area.push_back(50 * uniform(random));
      model->cut.resistance.push_back(10 * uniform(random));
      model->cut.section.push_back(0);
    }
    constexpr double kLeak = 1e-4; // S/cm2
    model->biophysics.densities = {{cell::kPassive, morphology::kSoma, {kLeak, -70}}};
    Network network = test::networkOf(model, 1, {0, 1000});
    network.steps = {{0, 30, 0.05, 0, 100}};
    for (std::size_t node = 0; node < kNodes; ++node)
      network.probes.push_back({0, static_cast<std::int32_t>(node)});
    SimulationParameters parameters;
    parameters.scheme = Scheme::BackwardEuler;
    Simulation simulation(std::move(network), parameters);
    simulation.runUntil(5);
    const double dt = parameters.timeStep;
    for (std::size_t step = 1; step < 200; ++step) {
      double stored = 0; // nA
      double leaked = 0;
      for (std::size_t node = 0; node < kNodes; ++node) {
        const double now = simulation.records()[node][step];
        stored += 1e-5 * model->cut.area[node] * (now - simulation.records()[node][step - 1]) / dt;
        leaked += 1e-2 * model->cut.area[node] * kLeak * (now + 70);
      }
      QVERIFY2(std::abs(stored + leaked - 0.05) < 1e-13, qPrintable(QString::number(stored + leaked - 0.05)));
    }
  }

  /// Two passive cells with a junction: sum and difference of their potentials decay each by itself.
  void aJunctionShares()
  {
    const auto errorOf = [](double dt) {
      Network network = test::networkOf(passive(0.001), 2, {0, 1000});
      network.junctions = {{{0, 0}, {1, 0}, 0.0005}};
      network.steps = {{0, 0, 0.02, 0, 100}};
      network.probes = {{0, 0}, {1, 0}};
      SimulationParameters parameters;
      parameters.timeStep = dt;
      const Simulation simulation = run(std::move(network), parameters, 10);
      return std::max(std::abs(simulation.records()[0].back() + 54.355470827897),
                      std::abs(simulation.records()[1].back() + 63.002117995531));
    };
    QVERIFY2(errorOf(0.025) < 1e-3, qPrintable(QString::number(errorOf(0.025))));
    const double order = errorOf(0.025) / errorOf(0.0125);
    QVERIFY2(order > 3 && order < 5, qPrintable(QString::number(order)));
  }

  /// A clamp holds its levels, and its current is what flows through its resistance.
  void aClampHolds()
  {
    Network network = test::networkOf(passive(0.001), 1, {0, 1000});
    network.clamps = {{0, 0, {{-40, 10}, {-90, 10}}, 1}};
    network.probes = {{0, 0}, {0, 0, Quantity::ClampCurrent}};
    SimulationParameters parameters;
    parameters.scheme = Scheme::BackwardEuler;
    const Simulation simulation = run(std::move(network), parameters, 20);
    for (const auto& [time, level] : {std::pair(9.5, -40.0), std::pair(19.5, -90.0)}) {
      const auto i = static_cast<std::size_t>(std::lround(time / parameters.timeStep));
      const double v = simulation.records()[0][i];
      QVERIFY2(std::abs(v - (level - 0.001 * 65) / 1.001) < 1e-9, qPrintable(QString::number(v, 'g', 12)));
      QVERIFY(std::abs(simulation.records()[1][i] - 0.001 * (v + 65)) < 1e-9); // what leaks
    }
  }

  /// Into a passive cell: its amplitude and phase are those of the impedance 1 / (g + i w C).
  void aSinusoidMeetsTheImpedance()
  {
    constexpr double kLeak = 0.001, kCapacitance = 0.01, kFrequency = 50, kAmplitude = 0.005; // uS, nF, Hz, nA
    Network network = test::networkOf(passive(kLeak), 1, {0, 1000});
    network.sinusoids = {{0, 0, kAmplitude, kFrequency}};
    network.probes = {{0, 0}};
    const Simulation simulation = run(std::move(network), {}, 200);
    const double w = 2 * std::numbers::pi * kFrequency / 1000;
    const double size = kAmplitude / std::hypot(kLeak, w * kCapacitance);
    const double phase = -std::atan2(w * kCapacitance, kLeak);
    for (std::size_t i = 6000; i < 8000; i += 100) {
      const double time = 0.025 * static_cast<double>(i + 1);
      QVERIFY(std::abs(simulation.records()[0][i] + 65 - size * std::sin(w * time + phase)) < 1e-4 * size);
    }
  }

  /// Mean, deviation and memory of the noise, as the potential of a cell without memory of its own shows them.
  void noiseIsAsItIsSaid()
  {
    constexpr double kMean = 0.02, kDeviation = 0.01, kTau = 5, kLeak = 1; // nA, nA, ms, uS: tau of 0.01 ms
    Network network = test::networkOf(passive(kLeak), 1, {0, 1000});
    network.noises = {{0, 0, kMean, kDeviation, kTau}};
    network.probes = {{0, 0}};
    SimulationParameters parameters;
    parameters.scheme = Scheme::BackwardEuler;
    parameters.timeStep = 1;
    const Simulation simulation = run(std::move(network), parameters, 100000);
    const std::vector<double>& v = simulation.records()[0];
    double mean = 0, variance = 0, product = 0;
    for (const double each : v)
      mean += (each + 65) * kLeak / static_cast<double>(v.size());
    for (std::size_t i = 0; i + 5 < v.size(); ++i) {
      const double now = (v[i] + 65) * kLeak - mean;
      variance += now * now / static_cast<double>(v.size());
      product += now * ((v[i + 5] + 65) * kLeak - mean) / static_cast<double>(v.size());
    }
    // Five deviations of an average over 100,000 ms with a memory of 2 tau.
    QVERIFY2(std::abs(mean - kMean) < 5 * kDeviation * std::sqrt(10.0 / 100000), qPrintable(QString::number(mean)));
    QVERIFY2(std::abs(std::sqrt(variance) / kDeviation - 1) < 0.05, qPrintable(QString::number(std::sqrt(variance))));
    QVERIFY2(std::abs(product / variance - std::exp(-1.0)) < 0.05, qPrintable(QString::number(product / variance)));
  }

  /// What flows along the tree comes from somewhere: over all nodes it is nothing. Magnesium blocks an NMDA synapse.
  void inflowsCancelAndMagnesiumBlocks()
  {
    auto model = test::ball({{cell::kPassive, morphology::kSoma, {1e-4, -70}}});
    model->cut.parent = {-1, 0, 0};
    model->cut.area = {1000, 500, 200};
    model->cut.resistance = {0, 0.5, 0.8};
    model->cut.section = {0, 0, 0};
    model->biophysics.startPotential = -70;
    const auto peakOf = [&](double magnesium) {
      Network network = test::networkOf(model, 1, {0, 1000});
      Synapse synapse = kNmda;
      synapse.node = 2;
      synapse.magnesium = magnesium;
      network.synapses = {synapse};
      network.trains = {{1}};
      network.connections = {{1, 0, 5e-4, 1}};
      for (const std::int32_t node : {0, 1, 2})
        network.probes.push_back({0, node, Quantity::MembraneCurrent});
      network.probes.push_back({0, 2});
      const Simulation simulation = run(std::move(network), {}, 40);
      const auto& records = simulation.records();
      for (std::size_t i = 0; i < records[0].size(); ++i)
        if (std::abs(records[0][i] + records[1][i] + records[2][i]) > 1e-14)
          return -1.0;
      return *std::ranges::max_element(records[3]) + 70;
    };
    QVERIFY2(peakOf(1) > 0.01 && peakOf(0) > 5 * peakOf(1), qPrintable(QString("%1 %2").arg(peakOf(1)).arg(peakOf(0))));
  }

  void whatCannotBeIsRefused()
  {
    const auto refuses = [](Network network, SimulationParameters parameters = {}) {
      try {
        Simulation simulation(std::move(network), parameters);
        simulation.runUntil(20);
        return false;
      } catch (const Error& error) {
        return error.code() == ErrorCode::BadParameter && error.message().ends_with('.');
      }
    };
    Network network = ring();
    network.connections[0].delay = 0;
    QVERIFY(refuses(network));
    network = ring();
    network.connections[0].target = 77;
    QVERIFY(refuses(network));
    network = ring();
    network.synapses[1].node = 3;
    QVERIFY(refuses(network));
    network = ring();
    network.synapses[1].tau1 = 5;
    QVERIFY(refuses(network));
    SimulationParameters parameters;
    parameters.rules = Rules::Neuron; // with Crank-Nicolson
    QVERIFY(refuses(ring(), parameters));
    parameters = {};
    parameters.timeStep = 6; // above the delay
    QVERIFY(refuses(ring(), parameters));
    network = ring();
    network.steps = {{0, 0, 1e6, 1, 10}};
    QVERIFY(refuses(network)); // out of all bounds
  }
};

HINESIGHT_TEST(TestEvents)
#include "test_events.moc"
