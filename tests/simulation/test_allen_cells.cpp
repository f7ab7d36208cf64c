#include "io/hdf5/hdf5_file.hpp"
#include "io/sonata/spike_files.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_output.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

using namespace hinesight;
using namespace hinesight::simulation;

/// Published models of the Allen Cell Types database, opened from their configurations, against the output of NEURON
/// beside them.
class TestAllenCells : public QObject
{
  Q_OBJECT

  static std::string model(const std::string& path) { return std::string(HINESIGHT_MODELS "/") + path; }

  struct Run
  {
    study::CircuitSimulation circuit;
    std::vector<io::PopulationSpikes> spikes;
    std::vector<std::vector<double>> records;
  };

  static Run run(const std::string& configuration, Rules rules)
  {
    const io::SimulationConfiguration read = io::readSimulationConfiguration(model(configuration));
    Run made{study::buildSimulation(read, 1), {}, {}};
    SimulationParameters parameters;
    parameters.timeStep = read.timeStep;
    parameters.scheme = Scheme::BackwardEuler;
    parameters.rules = rules;
    parameters.celsius = made.circuit.celsius;
    Simulation simulation(made.circuit.network, parameters);
    simulation.runUntil(read.stop);
    made.spikes = study::spikesOf(made.circuit, simulation);
    made.records = simulation.records();
    return made;
  }

  /// By node, then by time, in steps of 0.1 ms.
  static std::vector<std::pair<std::uint64_t, long>> stepsOf(const io::PopulationSpikes& spikes)
  {
    std::vector<std::pair<std::uint64_t, long>> steps;
    for (std::size_t i = 0; i < spikes.time.size(); ++i)
      steps.emplace_back(spikes.node[i], std::lround(10 * spikes.time[i]));
    std::ranges::sort(steps);
    return steps;
  }

  /// The greatest difference from a report of NEURON's, mV, over the frames before `frames`.
  static double worstDifference(const Run& made, const std::string& report, const std::string& population,
                                std::size_t frames)
  {
    const io::Hdf5Reader file(model(report));
    const std::vector<double> expected = file.matrix("/report/" + population + "/data");
    const std::size_t elements = made.circuit.reports.back().nodes.size();
    const std::uint32_t first = made.circuit.reports.back().nodes.front().firstProbe;
    double worst = 0;
    for (std::size_t frame = 0; frame < frames; ++frame)
      for (std::size_t k = 0; k < elements; ++k)
        worst = std::max(worst, std::abs(made.records[first + k][frame] - expected[frame * elements + k]));
    return worst;
  }

private slots:
  void initTestCase()
  {
    if (!std::filesystem::exists(model("README.md")))
      QSKIP("the shared models are not here");
  }

  void aCellIsCutAsNeuronCutsIt()
  {
    const auto read = io::readSimulationConfiguration(model("sonata/5_cells_iclamp/simulation_config.json"));
    const cell::CutCell cut = study::buildSimulation(read, 1).network.models.front()->cut;
    QCOMPARE(cut.sections.size(), std::size_t{122});
    QCOMPARE(cut.segments(), std::size_t{264});
    QCOMPARE(cut.nodes(), std::size_t{387});
    QVERIFY(std::abs(std::accumulate(cut.area.begin(), cut.area.end(), 0.0) - 7115.77) < 0.01);
    QVERIFY(std::abs(cut.area[static_cast<std::size_t>(cut.nodeAt(0, 0.5))] - 372.267) < 0.0005);
    for (std::size_t node = 1; node < cut.nodes(); ++node)
      QVERIFY(cut.parent[node] >= 0 && cut.parent[node] < static_cast<std::int32_t>(node) && cut.resistance[node] > 0);
  }

  void spikesAreThoseOfNeuron_data()
  {
    QTest::addColumn<QString>("configuration");
    QTest::addColumn<QString>("output");
    QTest::addColumn<int>("rules");
    QTest::addColumn<int>("count");
    const auto old = static_cast<int>(Rules::Neuron), now = static_cast<int>(Rules::Neuron8);
    QTest::newRow("five cells, current steps") << "sonata/5_cells_iclamp/simulation_config.json"
                                               << "sonata/5_cells_iclamp/output/spikes.h5" << old << 124;
    QTest::newRow("a cell near its rheobase") << "bmtk/bio_1cell/config.simulation_iclamp.json"
                                              << "bmtk/bio_1cell/output_iclamp/spikes.h5" << now << 20;
    QTest::newRow("a cell under synapses") << "bmtk/bio_1cell/config.simulation_syns.json"
                                           << "bmtk/bio_1cell/output_syns/spikes.h5" << now << 39;
    QTest::newRow("a cell under synapses, older constants") << "bmtk/bio_1cell/config.simulation_syns.json"
                                                            << "bmtk/bio_1cell/output_syns/spikes.csv" << old << 39;
  }

  /// Every spike at its own step.
  void spikesAreThoseOfNeuron()
  {
    QFETCH(QString, configuration);
    QFETCH(QString, output);
    QFETCH(int, rules);
    QFETCH(int, count);
    const Run made = run(configuration.toStdString(), static_cast<Rules>(rules));
    const std::vector<io::PopulationSpikes> expected = io::readSpikes(model(output.toStdString()));
    QCOMPARE(expected.size(), std::size_t{1});
    QCOMPARE(static_cast<int>(expected[0].time.size()), count);
    QCOMPARE(made.spikes[0].population, expected[0].population);
    QCOMPARE(stepsOf(made.spikes[0]), stepsOf(expected[0]));
  }

  /// At rest to rounding; while they spike, where a rounding grows by itself, to a fraction of a millivolt.
  void potentialsAreThoseOfNeuron()
  {
    const auto check = [](const Run& made, const char* report, const char* population, std::size_t frames,
                          double bound) {
      const double worst = worstDifference(made, report, population, frames);
      qInfo("%s, %zu frames: %.2e mV", report, frames, worst);
      QVERIFY(worst < bound);
    };
    const Run five = run("sonata/5_cells_iclamp/simulation_config.json", Rules::Neuron);
    check(five, "sonata/5_cells_iclamp/output/membrane_potential.h5", "biophysical", 4990, 1e-9);
    check(five, "sonata/5_cells_iclamp/output/membrane_potential.h5", "biophysical", 40000, 0.16);
    check(run("bmtk/bio_1cell/config.simulation_syns.json", Rules::Neuron8),
          "bmtk/bio_1cell/output_syns/membrane_potential.h5", "biocell", 30000, 1e-6);
    check(run("bmtk/bio_1cell/config.simulation_iclamp.json", Rules::Neuron8),
          "bmtk/bio_1cell/output_iclamp/membrane_potential.h5", "biocell", 5790, 1e-6); // until the first spike
  }
};

HINESIGHT_TEST(TestAllenCells)
#include "test_allen_cells.moc"
