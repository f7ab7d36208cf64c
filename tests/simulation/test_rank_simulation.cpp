#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/philox.hpp"
#include "core/rank_tasks.hpp"
#include "core/thread_ranks.hpp"
#include "io/models/mechanism_tables.hpp"
#include "simulated_cells.hpp"
#include "simulation/cells/shared_cells.hpp"
#include "simulation/cells/shares.hpp"
#include "simulation/ranks/rank_simulations.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

using namespace hinesight;
using namespace hinesight::simulation;

namespace {

/// One, a power of two and not, more than a machine has cores.
constexpr int kRanks[] = {1, 2, 3, 5, 8};
constexpr double kUntil = 30; // ms

void onRanks(int ranks, const std::function<void()>& body)
{
  runRanks(ranks, [&](Communicator& communicator) { leadTasks(communicator, rankTasks(), body); });
}

/// A cell with a calcium pool and a table of a user's own.
std::shared_ptr<const cell::CellModel> ownModel()
{
  constexpr const char* kTable = R"json({"mechanisms": [{"name": "own_k", "ion": "k",
    "parameters": [{"name": "gbar", "unit": "S/cm2", "value": 0.01}, {"name": "half", "unit": "mV", "value": -55}],
    "gates": [{"name": "n", "power": 4, "alpha": "0.01*vtrap(-(v-half), 10)", "beta": "0.125*exp(-(v+65)/80)"}]}]})json";
  const cell::MechanismCatalogue catalogue(io::parseMechanismTables(kTable, ""));
  auto model = std::make_shared<cell::CellModel>(*samples::cortical(samples::Kind::Perisomatic));
  model->name = "own";
  model->biophysics.densities.push_back({catalogue.find("own_k"), morphology::kSoma, {1e-4, -50}});
  model->biophysics.painted.push_back({&cell::Region::capacitance, 1.5, {{3, 0.5}, {4, 1}}});
  model->biophysics.mechanisms = catalogue;
  return model;
}

/// Everything that a network can have, joined so that every share has to do with every other.
Network everything()
{
  Network network;
  network.models = {samples::dendrites(40, 3, {samples::hh()}), ownModel(), test::ball({samples::hh()})};
  const auto draw = [](std::uint32_t item, std::uint32_t what) { return randomUniform(7, item, what, 0); };
  constexpr std::uint32_t kCells = 13, kPoints = 5, kTrains = 2;
  for (std::uint32_t cell = 0; cell < kCells; ++cell) {
    network.modelOf.push_back(cell % 4 == 3 ? 1 : cell % 3 == 2 ? 2 : 0);
    network.detectors.push_back({0, -15});
    network.steps.push_back({cell, 0, cell % 4 == 3 ? 0.3 : cell % 3 == 2 ? 0.1 : 0.25, draw(cell, 0) * 5, 1e3});
  }
  // Synapses in no order of their cells.
  for (std::uint32_t k = 0; k < 3 * kCells; ++k)
    network.synapses.push_back({.cell = (5 * k) % kCells,
                                .node = 0,
                                .tau1 = k % 2 == 0 ? 0 : 0.4,
                                .tau2 = 2.0 + k % 3,
                                .reversal = k % 5 == 4 ? -80.0 : 0.0,
                                .magnesium = k % 7 == 6 ? 1.0 : 0.0});
  network.pointNeurons.assign(kPoints, {.tau = 10, .refractory = 3});
  network.trains = {{0.5, 3.25, 9, 9, 20}, {2, 4, 6, 8, 10, 12}};
  network.poisson = {{.train = 1, .rate = 100, .delay = 3, .seed = 5}};
  const std::uint32_t sources = kCells + kTrains + kPoints;
  const auto targets = static_cast<std::uint32_t>(network.synapses.size()) + kPoints;
  for (std::uint32_t k = 0; k < 150; ++k) {
    const auto target = static_cast<std::uint32_t>(draw(k, 2) * targets);
    network.connections.push_back({static_cast<std::uint32_t>(draw(k, 1) * sources), target,
                                   target < network.synapses.size() ? 1e-3 * draw(k, 3) : 0.7, 1 + 2 * draw(k, 4)});
  }
  network.sinusoids = {{1, 0, 0.05, 40}, {11, 0, 0.02, 15}};
  network.noises = {{12, 0, 0.05, 0.05, 2}, {0, 0, 0.02, 0.04, 3}, {6, 0, 0.02, 0.1, 1, 0, kForever, 9}};
  network.clamps = {{4, 0, {{-80, 5}, {-50, 10}}, 0.5, 3}};
  network.probes = {{12, 0},
                    {0, 0},
                    {3, 0, Quantity::Calcium},
                    {7, 0},
                    {4, 0, Quantity::ClampCurrent},
                    {9, 0, Quantity::MembraneCurrent}};
  return network;
}

/// The same with gap junctions: within a cell, between neighbours, across the whole network.
Network withJunctions()
{
  Network network = everything();
  network.junctions = {
      {{0, 3}, {12, 0}, 1e-3}, {{1, 2}, {1, 9}, 1e-3}, {{5, 0}, {6, 1}, 2e-3}, {{11, 0}, {2, 0}, 1e-3}};
  return network;
}

/// All that a user sees of a run.
struct Outcome
{
  std::vector<Spike> spikes;
  Records records;
  std::vector<std::int64_t> firstSteps;
  std::vector<std::vector<double>> potentials;
  std::uint64_t delivered, inFlight;
  std::vector<std::byte> states, whole; ///< checkpoints

  bool operator==(const Outcome&) const = default;
};

Outcome outcomeOf(const Simulation& simulation, std::size_t cells)
{
  Outcome outcome{simulation.spikes(),
                  simulation.records(),
                  {},
                  {},
                  simulation.delivered(),
                  simulation.inFlight(),
                  simulation.checkpoint().bytes,
                  simulation.checkpoint(true).bytes};
  for (std::size_t probe = 0; probe < simulation.records().size(); ++probe)
    outcome.firstSteps.push_back(simulation.firstRecordedStep(probe));
  for (std::size_t cell = 0; cell < cells; ++cell)
    outcome.potentials.push_back(simulation.potentialsOf(cell));
  return outcome;
}

/// With stops, a probe that is added late and adjustments.
Outcome outcomeOf(const Network& network, const SimulationParameters& parameters, std::size_t shares = 0)
{
  Simulation simulation(network, parameters, shares);
  simulation.runUntil(7.3);
  simulation.addProbe({8, 0});
  simulation.runUntil(12);
  Adjustments adjustments;
  adjustments.conductance.assign(cell::allMechanisms().size(), 1.1);
  adjustments.stimuli = 0.9;
  adjustments.weights = 2;
  adjustments.celsius = 8;
  simulation.adjust(adjustments);
  simulation.runUntil(kUntil);
  return outcomeOf(simulation, network.cells());
}

SimulationParameters twoThreads(Scheme scheme = Scheme::CrankNicolson)
{
  SimulationParameters parameters;
  parameters.threads = 2;
  parameters.scheme = scheme;
  return parameters;
}

} // namespace

/// Simulations whose cells are split among ranks, and among parts of one process as GPUs have them: the same bytes.
class TestRankSimulation : public QObject
{
  Q_OBJECT

  static bool isSameOnAllRanks(const Network& network, const SimulationParameters& parameters)
  {
    const Outcome alone = outcomeOf(network, parameters);
    if (alone.spikes.size() < 20 || alone.delivered < 100 || alone.inFlight == 0)
      return false; // nothing to see
    for (const int ranks : kRanks) {
      std::optional<Outcome> split;
      onRanks(ranks, [&] { split = outcomeOf(network, parameters); });
      if (*split != alone)
        return false;
    }
    return true;
  }

private slots:
  void ranksGiveTheSame()
  {
    QVERIFY(isSameOnAllRanks(everything(), twoThreads()));
    SimulationParameters asNeuron = twoThreads(Scheme::BackwardEuler);
    asNeuron.rules = Rules::Neuron;
    asNeuron.epoch = 0.5;
    QVERIFY(isSameOnAllRanks(everything(), asNeuron));
  }

  void gapJunctionsAcrossRanksGiveTheSame()
  {
    for (const Scheme scheme : {Scheme::CrankNicolson, Scheme::BackwardEuler})
      QVERIFY(isSameOnAllRanks(withJunctions(), twoThreads(scheme)));
  }

  /// As GPUs share cells, but on the CPU.
  void sharesOfAProcessGiveTheSame()
  {
    for (const Network& network : {everything(), withJunctions()}) {
      const Outcome alone = outcomeOf(network, twoThreads());
      for (const std::size_t shares : {2, 3, 5, 20})
        QVERIFY(outcomeOf(network, twoThreads(), shares) == alone);
    }
  }

  /// As ranks with GPUs do where a network is too small for all of them.
  void someRanksHaveNoCells()
  {
    for (const Network& network : {everything(), withJunctions()}) {
      const Outcome alone = outcomeOf(network, twoThreads());
      for (const std::size_t withCells : {1, 2, 3})
        onRanks(3, [&] { QVERIFY(outcomeOf(network, twoThreads(), withCells) == alone); });
    }
    onRanks(3, [] {
      const auto deviceOf = [](std::size_t withCells) {
        return Simulation(everything(), twoThreads(), withCells).stages().device;
      };
      QVERIFY(deviceOf(0).ends_with(", 3 ranks"));
      QVERIFY(deviceOf(3).ends_with(", 3 ranks"));
      QVERIFY(deviceOf(2).ends_with(", 2 of 3 ranks: too little to share among all"));
      QVERIFY(deviceOf(1).ends_with(", one of 3 ranks: too little to share"));
    });
  }

  /// A GPU has half a million compartments or more.
  void smallNetworksAreNotShared()
  {
    const auto shared = [](std::size_t devices, std::size_t compartments, std::size_t cells) {
      return sharedByDevices(devices, devicesWorth(devices, compartments, cells));
    };
    const std::string tooSmall = ", alone: the network is too small to share";
    QCOMPARE(shared(2, 999'999, 5000), tooSmall);
    QCOMPARE(shared(8, 200'000, 1000), tooSmall);
    QCOMPARE(shared(2, 0, 0), tooSmall);
    QCOMPARE(shared(2, 4'000'000, 1), tooSmall); // a cell is on one device
    QCOMPARE(shared(2, 1'000'000, 5000), std::string());
    QCOMPARE(shared(1, 200'000, 1000), std::string()); // there is but one
    QCOMPARE(devicesWorth(8, 1'700'000, 8500), std::size_t{3});
    QCOMPARE(devicesWorth(2, 100'000'000, 500'000), std::size_t{2});
    QCOMPARE(devicesWorth(8, 100'000'000, 3), std::size_t{3});
  }

  /// What is shared on the CPU has the stages that it would have on GPUs.
  void everyDeviceHasStages()
  {
    for (const bool hasJunctions : {false, true}) {
      Simulation simulation(hasJunctions ? withJunctions() : everything(), twoThreads(), 2);
      simulation.runUntil(kUntil);
      const StageTimings& stages = simulation.stages();
      QVERIFY2(stages.device.starts_with("2 x "), stages.device.c_str());
      QCOMPARE(stages.devices.size(), std::size_t{2});
      QCOMPARE(stages.has("exchange"), hasJunctions);
      for (std::size_t k = 0; k < 2; ++k) {
        const StageTimings& device = stages.devices[k];
        QCOMPARE(device.device, "CPU " + std::to_string(k));
        QVERIFY(device.of("cells") > 0);
        QCOMPARE(device.of("exchange"), stages.of("exchange"));
        QVERIFY(device.of("cells") + device.of("wait") <= stages.of("cells") + 1e-6);
        QVERIFY(device.total() <= stages.total() + 1e-6);
      }
      QVERIFY(stages.devices[0].of("wait") + stages.devices[1].of("wait") > 0);
      QVERIFY(std::abs(stages.devices[0].total() - stages.devices[1].total()) < 1e-6);
    }
    Simulation alone(everything(), twoThreads());
    alone.runUntil(kUntil);
    QVERIFY(alone.stages().devices.empty());
  }

  void fewerCellsThanRanks()
  {
    const auto run = [](std::size_t cells) {
      Network network = samples::ring(cells, 2);
      network.probes = {{0, 0}};
      Simulation simulation(network, twoThreads());
      simulation.runUntil(kUntil);
      return outcomeOf(simulation, cells);
    };
    const auto points = [] {
      Network network;
      network.pointNeurons.assign(3, {});
      network.trains = {{1, 4, 8}};
      network.connections = {{0, 0, 1.5, 1}, {1, 1, 1.5, 1.5}, {2, 2, 1.5, 1}, {3, 0, 0.9, 2}};
      Simulation simulation(network, twoThreads());
      simulation.runUntil(kUntil);
      return outcomeOf(simulation, 0);
    };
    const Outcome one = run(1), four = run(4), ofPoints = points();
    QVERIFY(!one.spikes.empty() && four.spikes.size() > 3 && ofPoints.spikes.size() > 5);
    for (const int ranks : kRanks)
      onRanks(ranks, [&] {
        QVERIFY(run(1) == one);
        QVERIFY(run(4) == four);
        QVERIFY(points() == ofPoints);
      });
  }

  /// A checkpoint of any number of ranks goes on on any other, with the results so far or without.
  void checkpointsPassBetweenRanks()
  {
    const Network network = withJunctions();
    const Outcome alone = [&] {
      Simulation simulation(network, twoThreads());
      simulation.runUntil(kUntil);
      return outcomeOf(simulation, network.cells());
    }();
    Checkpoint kept;
    double next = 6;
    for (const int ranks : {3, 1, 8, 2}) {
      onRanks(ranks, [&] {
        Simulation simulation(network, twoThreads());
        simulation.runUntil(2); // elsewhere
        if (!kept.bytes.empty())
          simulation.restore(kept);
        simulation.runUntil(next);
        kept = simulation.checkpoint(true);
      });
      next += 6;
    }
    for (const int ranks : {1, 5}) {
      std::optional<Outcome> last;
      onRanks(ranks, [&] {
        Simulation simulation(network, twoThreads());
        simulation.restore(kept);
        simulation.runUntil(kUntil);
        last = outcomeOf(simulation, network.cells());
        // Back to a state of its own past.
        simulation.restore({kept.time, kept.bytes});
        const Checkpoint states = simulation.checkpoint();
        simulation.runUntil(kUntil + 3);
        simulation.restore(states);
        simulation.runUntil(kUntil);
        QVERIFY(outcomeOf(simulation, network.cells()) == *last);
      });
      QVERIFY(*last == alone);
    }
    onRanks(3, [&] {
      Network other = network;
      other.connections[77].weight *= 1.5;
      Simulation simulation(other, twoThreads());
      QVERIFY(tests::failureOf([&] { simulation.restore(kept); }) == ErrorCode::BadFormat);
      Checkpoint cut = kept;
      cut.bytes.resize(cut.bytes.size() / 2);
      Simulation same(network, twoThreads());
      QVERIFY(tests::failureOf([&] { same.restore(cut); }) == ErrorCode::BadFormat);
      same.restore(kept); // the ranks are still of use
      QCOMPARE(same.time(), kept.time);
    });
  }

  /// A cancelled run stands at one step on all ranks: it can be kept, and goes on.
  void aCancelledRunGoesOn()
  {
    const Network network = everything();
    const Outcome alone = [&] {
      Simulation simulation(network, twoThreads());
      simulation.runUntil(kUntil);
      return outcomeOf(simulation, network.cells());
    }();
    const auto goesOn = [&](int ranks, const SimulationParameters& parameters) {
      std::optional<Outcome> split;
      onRanks(ranks, [&] {
        Simulation simulation(network, parameters);
        std::optional<ErrorCode> failure;
        for (double seen = 0; const double wanted : {0.0, 0.2, 0.5}) {
          const RunControl* watched = nullptr;
          const RunControl control([&](std::string_view, double fraction) {
            seen = fraction;
            if (fraction >= wanted)
              watched->cancel();
          });
          watched = &control;
          failure = tests::failureOf([&] { simulation.runUntil(kUntil, control); });
          QVERIFY(failure == ErrorCode::Cancelled);
          QVERIFY(seen < 1 && simulation.time() < kUntil);
        }
        const Checkpoint kept = simulation.checkpoint(true);
        Simulation next(network, twoThreads());
        next.restore(kept);
        next.runUntil(kUntil);
        QVERIFY(outcomeOf(next, network.cells()) == alone);
        simulation.runUntil(kUntil);
        split = outcomeOf(simulation, network.cells());
      });
      QVERIFY(*split == alone);
    };
    for (const int ranks : kRanks)
      goesOn(ranks, twoThreads());
    SimulationParameters beside = twoThreads(); // spikes are sent beside the cells
    beside.epoch = 0.5;
    goesOn(1, beside);
  }

  /// A rank other than 0 hears of a cancellation: all stop.
  void anyRankCancels()
  {
    runRanks(3, [&](Communicator& ranks) {
      const RunControl control;
      if (ranks.rank() == 2)
        control.cancel();
      leadTasks(ranks, rankTasks(control), [&] {
        Simulation simulation(everything(), twoThreads());
        QVERIFY(tests::failureOf([&] { simulation.runUntil(kUntil); }) == ErrorCode::Cancelled);
        QCOMPARE(simulation.time(), 0.0);
      });
    });
  }

  void whatOneRankFindsAllTell()
  {
    const auto failure = [](const Network& network, const SimulationParameters& parameters) -> std::string {
      try {
        Simulation simulation(network, parameters);
        simulation.runUntil(kUntil);
      } catch (const Error& error) {
        return error.code() == ErrorCode::BadParameter ? error.message() : "another error";
      }
      return "none";
    };
    Network network = everything();
    network.steps.push_back({11, 0, 1e6, 4, 10});
    network.steps.push_back({5, 0, 1e6, 4, 10});
    SimulationParameters coarse = twoThreads();
    coarse.timeStep = 6; // above the least delay
    Network wrong = everything();
    wrong.synapses[3].node = 1000;
    const std::string outOfBounds = failure(network, twoThreads()), tooCoarse = failure(everything(), coarse),
                      isWrong = failure(wrong, twoThreads());
    QVERIFY2(outOfBounds.starts_with("The potential of cell 5 is out of all bounds"), outOfBounds.c_str());
    QVERIFY(tooCoarse.starts_with("The least delay") && isWrong.starts_with("A synapse"));
    for (const int ranks : kRanks)
      onRanks(ranks, [&] {
        QCOMPARE(failure(network, twoThreads()), outOfBounds);
        QCOMPARE(failure(everything(), coarse), tooCoarse);
        QCOMPARE(failure(wrong, twoThreads()), isWrong);
      });
    SimulationParameters cuda;
    cuda.backend = Backend::Cuda;
    if (cudaDevices().empty())
      onRanks(2, [&] { QVERIFY(!failure(samples::ring(), cuda).empty()); });
  }

  /// Shares have about the same work, in the order of cells, and none is left out.
  void sharesAreEven()
  {
    Network network = samples::copies(samples::ball({samples::hh()}), 60);
    network.models.push_back(samples::dendrites(200, 1, {samples::hh()}));
    for (std::uint32_t cell = 20; cell < 40; ++cell)
      network.modelOf[cell] = 1;
    network.pointNeurons.resize(10);
    std::vector<CompiledCell> models;
    for (const auto& model : network.models)
      models.emplace_back(*model, cell::temperatureOf(6.3, cell::kCodata2018));
    for (const std::size_t count : {1, 2, 3, 7, 100}) {
      const Shares shares(network, models, count);
      QCOMPARE(shares.count(), count);
      std::uint32_t next = 0, nextPoint = 0;
      for (std::size_t share = 0; share < count; ++share) {
        QCOMPARE(shares.cells(share).begin, next);
        next = shares.cells(share).end;
        QCOMPARE(shares.pointNeurons(share).begin, nextPoint);
        nextPoint = shares.pointNeurons(share).end;
        std::size_t large = 0;
        for (std::uint32_t cell = shares.cells(share).begin; cell < next; ++cell) {
          QCOMPARE(shares.ofCell(cell), share);
          large += network.modelOf[cell];
        }
        QVERIFY(large <= 20 / count + 1 && (count > 20 || large >= 20 / count));
        for (std::uint32_t neuron = shares.pointNeurons(share).begin; neuron < nextPoint; ++neuron)
          QCOMPARE(shares.ofPointNeuron(neuron), share);
      }
      QCOMPARE(next, 60U);
      QCOMPARE(nextPoint, 10U);
    }
    const Shares some(network, models, 5, 2), two(network, models, 2);
    QCOMPARE(some.count(), std::size_t{5});
    for (std::size_t share = 0; share < 5; ++share) {
      QCOMPARE(some.cells(share).begin, share < 2 ? two.cells(share).begin : 60U);
      QCOMPARE(some.cells(share).end, share < 2 ? two.cells(share).end : 60U);
      QCOMPARE(some.pointNeurons(share).size(), std::size_t{2});
    }
    QCOMPARE(some.ofCell(59), std::size_t{1});
  }

  /// Each cut where the next cell ends would give 130, 70 and 100 compartments.
  void theLargestShareIsTheLeastThatThereIs()
  {
    Network network;
    std::vector<CompiledCell> models;
    for (const std::size_t compartments : {60, 70, 50, 20, 100}) {
      network.modelOf.push_back(static_cast<std::uint32_t>(network.models.size()));
      network.models.push_back(samples::dendrites(compartments, 1, {samples::passive(1e-4)}));
      models.emplace_back(*network.models.back(), cell::temperatureOf(6.3, cell::kCodata2018));
      QCOMPARE(models.back().nodes() + models.back().states, compartments);
    }
    const Shares shares(network, models, 3);
    for (std::size_t share = 0; share < 3; ++share)
      QCOMPARE(shares.cells(share).begin, std::vector<std::uint32_t>({0, 1, 3})[share]);
    QCOMPARE(shares.cells(2).end, 5U);
    // Those behind the last cell have none.
    const Shares many(network, models, 7);
    for (std::uint32_t share = 0; share < 7; ++share)
      QCOMPARE(many.cells(share).size(), std::size_t{share < 5 ? 1U : 0U});
  }

  void devicesThatAreNotThereAreRefused()
  {
    SimulationParameters parameters;
    parameters.backend = Backend::Cuda;
    parameters.devices = 64;
    QVERIFY(tests::failureOf([&] { Simulation(samples::ring(), parameters); }) == ErrorCode::BadParameter);
    parameters.backend = Backend::Cpu; // where they have no meaning
    Simulation simulation(samples::ring(), parameters);
    QVERIFY(simulation.stages().device.find(" x ") == std::string::npos);
  }
};

HINESIGHT_TEST(TestRankSimulation)
#include "test_rank_simulation.moc"
