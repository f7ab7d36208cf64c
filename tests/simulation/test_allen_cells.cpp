#include "io/hdf5/hdf5_file.hpp"
#include "io/models/allen_fit.hpp"
#include "morphology/swc.hpp"
#include "simulation/simulation.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QTest>
#include <QTextStream>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>

using namespace hinesight;
using namespace hinesight::simulation;

/// Published models of the Allen Cell Types database against the output of NEURON beside them.
class TestAllenCells : public QObject
{
  Q_OBJECT

  static constexpr double kTimeStep = 0.1; // ms, as the models ran
  static constexpr double kStart = -80;    // mV

  static std::string model(const std::string& path) { return std::string(HINESIGHT_MODELS "/") + path; }

  static std::shared_ptr<const cell::CellModel> readModel(const std::string& fit, const std::string& cell,
                                                          double longestSegment)
  {
    auto made = std::make_shared<cell::CellModel>();
    made->name = cell;
    made->biophysics = io::readAllenFit(model(fit)).biophysics;
    made->biophysics.startPotential = kStart;
    made->cut = cell::cutIntoSections(*morphology::readSwc(model(cell)), {longestSegment, cell::AxonPolicy::Stub});
    return made;
  }

  static std::shared_ptr<const cell::CellModel> sonataModel(const std::string& fit, const std::string& cell)
  {
    return readModel("sonata/shared_components/biophysical_neuron_templates/json/" + fit + "_fit.json",
                     "sonata/shared_components/morphologies/" + cell + "_m.swc", 40);
  }

  static std::shared_ptr<const cell::CellModel> bmtkModel()
  {
    return readModel("bmtk/bio_1cell/components/biophysical_neuron_templates/472363762_fit.json",
                     "bmtk/bio_1cell/components/morphologies/Scnn1a_473845048_m.swc", 40);
  }

  static SimulationParameters asNeuron()
  {
    SimulationParameters parameters;
    parameters.timeStep = kTimeStep;
    parameters.scheme = Scheme::BackwardEuler;
    parameters.rules = Rules::Neuron;
    parameters.celsius = 34;
    return parameters;
  }

  static std::vector<double> timesIn(const std::string& csv)
  {
    QFile file(QString::fromStdString(model(csv)));
    std::vector<double> times;
    if (file.open(QIODevice::ReadOnly)) {
      file.readLine();
      while (!file.atEnd())
        times.push_back(file.readLine().split(' ').front().toDouble());
    }
    std::ranges::sort(times);
    return times;
  }

  static std::vector<double> column(const std::string& path, const char* name)
  {
    const io::Hdf5Reader file(model(path));
    std::vector<double> values(file.count(name));
    file.read(name, 0, std::span(values));
    return values;
  }

private slots:
  void initTestCase()
  {
    if (!std::filesystem::exists(model("README.md")))
      QSKIP("the shared models are not here");
  }

  void aCellIsCutAsNeuronCutsIt()
  {
    const auto made = sonataModel("472363762", "Scnn1a_473845048");
    const cell::CutCell& cut = made->cut;
    QCOMPARE(cut.sections.size(), std::size_t{122});
    QCOMPARE(cut.segments(), std::size_t{264});
    QCOMPARE(cut.nodes(), std::size_t{387});
    QVERIFY(std::abs(std::accumulate(cut.area.begin(), cut.area.end(), 0.0) - 7115.77) < 0.005);
    QVERIFY(std::abs(cut.area[static_cast<std::size_t>(cut.nodeAt(0, 0.5))] - 372.267) < 0.0005);
    for (std::size_t node = 1; node < cut.nodes(); ++node)
      QVERIFY(cut.parent[node] >= 0 && cut.parent[node] < static_cast<std::int32_t>(node) && cut.resistance[node] > 0);
  }

  /// 124 spikes of five cells under current steps: those of four cells each at its own tenth of a millisecond.
  void fiveCellsSpikeAsInNeuron()
  {
    Network network;
    for (const auto& [fit, cell] :
         {std::pair("472363762", "Scnn1a_473845048"), std::pair("473863510", "Rorb_325404214"),
          std::pair("473863035", "Nr5a1_471087815"), std::pair("472912177", "Pvalb_470522102"),
          std::pair("473862421", "Pvalb_469628681")}) {
      network.models.push_back(sonataModel(fit, cell));
      network.modelOf.push_back(static_cast<std::uint32_t>(network.modelOf.size()));
      const std::int32_t soma = network.models.back()->cut.nodeAt(0, 0.5);
      network.detectors.push_back({soma, -15});
      const auto number = static_cast<std::uint32_t>(network.modelOf.size() - 1);
      network.steps.push_back({number, soma, 0.15, 500, 500});
      network.steps.push_back({number, soma, 0.175, 1500, 500});
      network.steps.push_back({number, soma, 0.2, 2500, 500});
      network.probes.push_back({number, soma});
    }
    Simulation simulation(std::move(network), asNeuron());
    simulation.runUntil(4000);
    const std::string file = "sonata/5_cells_iclamp/output/spikes.h5";
    const std::vector<double> times = column(file, "/spikes/biophysical/timestamps");
    const std::vector<double> cells = column(file, "/spikes/biophysical/node_ids");
    // Per cell, in tenths of a millisecond.
    constexpr std::size_t kSensitive = 3; // the fast-spiking cell that fires 50 times; it decides small differences
    std::vector<std::vector<long>> expected(5);
    std::vector<std::vector<long>> found(5);
    for (std::size_t i = 0; i < times.size(); ++i)
      expected[static_cast<std::size_t>(cells[i])].push_back(std::lround(10 * times[i]));
    for (const Spike& spike : simulation.spikes())
      found[spike.cell].push_back(std::lround(10 * spike.time));
    QCOMPARE(times.size(), std::size_t{124});
    for (std::size_t cell = 0; cell < expected.size(); ++cell) {
      std::ranges::sort(expected[cell]);
      QCOMPARE(found[cell].size(), expected[cell].size());
      if (cell != kSensitive)
        QCOMPARE(found[cell], expected[cell]);
      for (std::size_t i = 0; i < found[cell].size(); ++i)
        QVERIFY(std::abs(found[cell][i] - expected[cell][i]) <= 2);
    }
  }

  /// All potentials of the first half second, before the current.
  void theRestIsThatOfNeuron()
  {
    Network network;
    network.models = {sonataModel("472363762", "Scnn1a_473845048")};
    network.modelOf = {0};
    network.detectors = {{network.models[0]->cut.nodeAt(0, 0.5), -15}};
    network.probes = {{0, network.detectors[0].node}};
    Simulation simulation(std::move(network), asNeuron());
    simulation.runUntil(500);
    const std::vector<double> expected =
        column("sonata/5_cells_iclamp/verification/cellvar_gid0_472363762_Scnn1a.h5", "/v/data");
    double worst = 0;
    for (std::size_t i = 0; i < simulation.records()[0].size(); ++i)
      worst = std::max(worst, std::abs(simulation.records()[0][i] - expected[i + 1]));
    qInfo("greatest difference %g mV", worst);
    QVERIFY2(worst < 2e-5, qPrintable(QString::number(worst)));
  }

  void aCellUnderOneStepSpikesAsInNeuron()
  {
    Network network;
    network.models = {bmtkModel()};
    network.modelOf = {0};
    const std::int32_t soma = network.models[0]->cut.nodeAt(0, 0.5);
    network.detectors = {{soma, -15}};
    network.steps = {{0, soma, 0.1, 500, 2000}};
    Simulation simulation(std::move(network), asNeuron());
    simulation.runUntil(3000);
    const std::vector<double> expected = timesIn("bmtk/bio_1cell/output_iclamp/spikes.csv");
    const std::vector<Spike> spikes = simulation.spikes();
    QCOMPARE(expected.size(), std::size_t{20});
    QCOMPARE(spikes.size(), expected.size());
    double worst = 0;
    for (std::size_t i = 0; i < spikes.size(); ++i)
      worst = std::max(worst, std::abs(spikes[i].time - expected[i]));
    qInfo("at most %g ms apart", worst);
    QVERIFY2(worst < 0.5, qPrintable(QString::number(worst))); // near the rheobase
  }

  /// 12 synapses on dendrites, driven by a train of spikes.
  void aCellUnderSynapsesSpikesAsInNeuron()
  {
    Network network;
    network.models = {bmtkModel()};
    network.modelOf = {0};
    const cell::CutCell& cut = network.models[0]->cut;
    network.detectors = {{cut.nodeAt(0, 0.5), -15}};
    const std::string edges = "bmtk/bio_1cell/network/virt_biocell_edges.h5";
    const std::vector<double> sections = column(edges, "/edges/virt_to_biocell/0/afferent_section_id");
    const std::vector<double> positions = column(edges, "/edges/virt_to_biocell/0/afferent_section_pos");
    for (std::size_t i = 0; i < sections.size(); ++i) {
      network.synapses.push_back({0, cut.nodeAt(static_cast<std::int32_t>(sections[i]), positions[i]), 0.1, 0.5, 0});
      network.connections.push_back({1, static_cast<std::uint32_t>(i), 0.035, 2});
    }
    network.trains = {column("bmtk/bio_1cell/inputs/virt_spikes.h5", "/spikes/virt/timestamps")};
    std::ranges::sort(network.trains[0]);
    Simulation simulation(std::move(network), asNeuron());
    simulation.runUntil(3000);
    const std::vector<double> expected = timesIn("bmtk/bio_1cell/output_syns/spikes.csv");
    const std::vector<Spike> spikes = simulation.spikes();
    QCOMPARE(expected.size(), std::size_t{39});
    QCOMPARE(spikes.size(), expected.size());
    for (std::size_t i = 0; i < spikes.size(); ++i)
      QCOMPARE(std::lround(10 * spikes[i].time), std::lround(10 * expected[i]));
  }
};

HINESIGHT_TEST(TestAllenCells)
#include "test_allen_cells.moc"
