#include "core/error.hpp"
#include "simulation/samples/sample_networks.hpp"
#include "simulation/simulation.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace hinesight;
using namespace hinesight::simulation;

/// What verify() does not look at (test_verify_simulation): currents along the tree, blocked synapses, and what is
/// refused.
class TestEvents : public QObject
{
  Q_OBJECT

private slots:
  /// What flows along the tree comes from somewhere: over all nodes it is nothing. Magnesium blocks an NMDA synapse.
  void inflowsCancelAndMagnesiumBlocks()
  {
    auto model = samples::ball({samples::passive(1e-4, -70)});
    model->cut.parent = {-1, 0, 0};
    model->cut.area = {1000, 500, 200};
    model->cut.resistance = {0, 0.5, 0.8};
    model->cut.section = {0, 0, 0};
    model->biophysics.startPotential = -70;
    const auto peakOf = [&](double magnesium) {
      Network network = samples::copies(model, 1, 1000);
      Synapse synapse = kNmda;
      synapse.node = 2;
      synapse.magnesium = magnesium;
      network.synapses = {synapse};
      network.trains = {{1}};
      network.connections = {{1, 0, 5e-4, 1}};
      for (const std::int32_t node : {0, 1, 2})
        network.probes.push_back({0, node, Quantity::MembraneCurrent});
      network.probes.push_back({0, 2});
      Simulation simulation(std::move(network), {});
      simulation.runUntil(40);
      const auto& records = simulation.records();
      for (std::size_t i = 0; i < records[0].size(); ++i)
        if (std::abs(records[0][i] + records[1][i] + records[2][i]) > 1e-14)
          return -1.0;
      return *std::ranges::max_element(records[3]) + 70;
    };
    QVERIFY2(peakOf(1) > 0.01 && peakOf(0) > 5 * peakOf(1), qPrintable(QString("%1 %2").arg(peakOf(1)).arg(peakOf(0))));
  }

  /// NEURON's rules: every spike at a whole step.
  void asNeuronSpikesComeAtSteps()
  {
    Network network = samples::copies(samples::ball({samples::hh()}));
    network.steps = {{0, 0, 0.1, 5, 100}};
    SimulationParameters parameters;
    parameters.scheme = Scheme::BackwardEuler;
    parameters.rules = Rules::Neuron;
    Simulation simulation(std::move(network), parameters);
    simulation.runUntil(120);
    QCOMPARE(simulation.spikes().size(), std::size_t{7});
    for (const Spike& spike : simulation.spikes())
      QVERIFY(std::abs(spike.time / 0.025 - std::round(spike.time / 0.025)) < 1e-6);
  }

  /// So many events an epoch that threads send them through lists: to cells and to point neurons, also while cells run.
  void threadsSendTheSameEvents()
  {
    constexpr std::uint32_t kCells = 150, kPoints = 90, kTargets = 120;
    const auto run = [&](int threads, double epoch) {
      Network network = samples::copies(samples::ball({samples::hh()}), kCells);
      for (std::uint32_t cell = 0; cell < kCells; ++cell) {
        network.steps.push_back({cell, 0, 0.1, 0.01 * cell, 100});
        network.synapses.push_back({.cell = cell, .node = 0, .tau1 = 0.5, .tau2 = 2});
      }
      network.pointNeurons.assign(kPoints, {.tau = 10, .refractory = 3});
      for (std::uint32_t source = 0; source < kCells + kPoints; ++source)
        for (std::uint32_t k = 0; k < kTargets; ++k)
          network.connections.push_back(
              {source, (source * 7 + k * 11) % (kCells + kPoints), k % 2 == 0 ? 1e-5 : 2e-5, 1 + 0.01 * (k % 50)});
      SimulationParameters parameters;
      parameters.threads = threads;
      parameters.epoch = epoch;
      Simulation simulation(std::move(network), parameters);
      simulation.runUntil(60);
      return std::tuple(simulation.spikes(), simulation.potentialsOf(kCells - 1), simulation.delivered(),
                        simulation.inFlight());
    };
    const auto alone = run(1, 0);
    const auto& [spikes, potentials, delivered, inFlight] = alone;
    QVERIFY(std::ranges::any_of(spikes, [](const Spike& spike) { return spike.cell < kCells; }));
    QCOMPARE(delivered + inFlight, std::uint64_t{kTargets} * spikes.size());
    for (const int threads : {2, 5})
      for (const double epoch : {0.0, 0.5})
        QVERIFY(run(threads, epoch) == alone);
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
    Network network = samples::ring();
    network.connections[0].delay = 0;
    QVERIFY(refuses(network));
    network = samples::ring();
    network.connections[0].target = 77;
    QVERIFY(refuses(network));
    network = samples::ring();
    network.synapses[1].node = 3;
    QVERIFY(refuses(network));
    network = samples::ring();
    network.synapses[1].tau1 = 5;
    QVERIFY(refuses(network));
    SimulationParameters parameters;
    parameters.rules = Rules::Neuron; // with Crank-Nicolson
    QVERIFY(refuses(samples::ring(), parameters));
    parameters = {};
    parameters.timeStep = 6; // above the delay
    QVERIFY(refuses(samples::ring(), parameters));
    network = samples::ring();
    network.steps = {{0, 0, 1e6, 1, 10}};
    QVERIFY(refuses(network)); // out of all bounds
  }
};

HINESIGHT_TEST(TestEvents)
#include "test_events.moc"
