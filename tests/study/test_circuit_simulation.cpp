#include "core/error.hpp"
#include "io/sonata/spike_files.hpp"
#include "simulation/simulation.hpp"
#include "small_circuit.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_output.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <set>

using namespace hinesight;
using simulation::Simulation;
using tests::SmallCircuit;

/// A circuit of SONATA files becomes a network.
class TestCircuitSimulation : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  study::CircuitSimulation build(const SmallCircuit& circuit)
  {
    return study::buildSimulation(io::readSimulationConfiguration(circuit.write(folder.path().toStdString())), 1);
  }

  static simulation::SimulationParameters parametersOf(const study::CircuitSimulation& circuit)
  {
    simulation::SimulationParameters parameters;
    parameters.celsius = circuit.celsius;
    return parameters;
  }

private slots:
  void nodesAndEdgesAreThoseOfTheFiles()
  {
    const study::CircuitSimulation circuit = build({});
    const simulation::Network& network = circuit.network;
    QCOMPARE(network.cells(), std::size_t{2});
    QCOMPARE(network.models.size(), std::size_t{1}); // both cells share it
    QCOMPARE(network.pointNeurons.size(), std::size_t{1});
    QCOMPARE(network.pointNeurons[0].tau, 10.0); // the file has seconds
    QCOMPARE(network.pointNeurons[0].refractory, 3.0);
    QCOMPARE(network.trains.size(), std::size_t{2});
    QCOMPARE(network.trains[0], (std::vector<double>{12.5, 12.6, 30, 30.5, 31}));
    QCOMPARE(network.trains[1], std::vector<double>{10});
    QCOMPARE(circuit.celsius, 34.0);
    QCOMPARE(network.detectors[0].threshold, -20.0);
    QCOMPARE(network.models[0]->biophysics.startPotential, -70.0);
    QCOMPARE(circuit.populations[0].ids, (std::vector<std::uint64_t>{3, 4, 5}));

    // Three synapses on cells, then the point neuron; sources are two cells, then the trains.
    QCOMPARE(network.synapses.size(), std::size_t{3});
    QCOMPARE(network.connections.size(), std::size_t{5});
    const auto& edges = network.connections;
    QCOMPARE(edges[0].source, 2U);
    QCOMPARE(edges[0].weight, 0.02);
    QCOMPARE(edges[0].delay, 2.0);
    QCOMPARE(network.synapses[edges[0].target].cell, 0U);
    QCOMPARE(network.synapses[edges[0].target].node, network.models[0]->cut.nodeAt(1, 0.5));
    QCOMPARE(edges[1].target, 3U);
    QCOMPARE(edges[1].weight, 0.6);     // of its type
    QCOMPARE(edges[3].weight, 2 * 0.6); // it stands for two synapses
    QCOMPARE(edges[3].source, 3U);
    QCOMPARE(network.synapses[edges[2].target].cell, 1U);
    QCOMPARE(network.synapses[edges[2].target].node, network.models[0]->cut.nodeAt(0, 0.5));
    QCOMPARE(network.synapses[edges[4].target].node, network.models[0]->cut.nodeAt(3, 0.9));
    QCOMPARE(network.synapses[edges[4].target].tau2, 3.0);

    QCOMPARE(network.steps.size(), std::size_t{1});
    QCOMPARE(network.steps[0].cell, 0U);
    QCOMPARE(circuit.reports.size(), std::size_t{2});
    QCOMPARE(network.probes.size(), 2 * network.models[0]->cut.segments() + 1);
  }

  /// Two events within its time constant carry it over the threshold; those while it is refractory have no effect.
  void aPointNeuronAddsUp()
  {
    const study::CircuitSimulation circuit = build({});
    Simulation run(circuit.network, parametersOf(circuit));
    run.runUntil(60);
    std::vector<double> times;
    for (const io::PopulationSpikes& spikes : study::spikesOf(circuit, run))
      for (std::size_t i = 0; i < spikes.time.size(); ++i)
        if (spikes.node[i] == 4)
          times.push_back(spikes.time[i]);
    // 11.5: 1.2 at once. 14.0 falls into the 3 ms after it, 14.1 as well. 31.5: 0.6; 32.0: 0.6 e^-0.05 + 0.6 > 1; then
    // 32.5 is refractory.
    QCOMPARE(times, (std::vector<double>{11.5, 32.0}));
  }

  /// Any number of threads, any epoch: the same spikes and the same records.
  void nothingChangesABit()
  {
    const study::CircuitSimulation circuit = build({});
    const auto runWith = [&](int threads, double epoch) {
      simulation::SimulationParameters parameters = parametersOf(circuit);
      parameters.threads = threads;
      parameters.epoch = epoch;
      Simulation run(circuit.network, parameters);
      run.runUntil(60);
      return std::pair(run.spikes(), run.records());
    };
    const auto first = runWith(1, 0);
    QVERIFY(first.first.size() > 4);
    QVERIFY(first == runWith(3, 0));
    QVERIFY(first == runWith(2, 0.3));
  }

  /// Edges without a place get one on the sections and at the distance that their type says.
  void placesAreDrawn()
  {
    SmallCircuit circuit;
    circuit.edges = {};
    const std::string name = "/edges/all";
    constexpr std::size_t kEdges = 40;
    circuit.edges.addIds(name + "/edge_type_id", std::vector<std::uint64_t>(kEdges, 1));
    circuit.edges.addIds(name + "/source_node_id", std::vector<std::uint64_t>(kEdges, 0));
    circuit.edges.addIds(name + "/target_node_id", std::vector<std::uint64_t>(kEdges, 3));
    circuit.edges.addIds(name + "/0/nsyns", std::vector<std::uint64_t>(kEdges, 3));
    circuit.edges.addText(name + "/source_node_id", "node_population", "outside");
    circuit.edges.addText(name + "/target_node_id", "node_population", "inside");
    circuit.texts["edge_types.csv"] = "edge_type_id delay model_template dynamics_params syn_weight target_sections "
                                      "distance_range\n1 2.0 Exp2Syn fast.json 0.01 \"['basal']\" \"[60, 1e20]\"\n";
    circuit.texts["config.json"].replace(circuit.texts["config.json"].find("\"dL\": 20"), 8, "\"dL\": 2");
    const study::CircuitSimulation made = build(circuit);
    QCOMPARE(made.synapses, std::uint64_t{3 * kEdges});
    QCOMPARE(made.network.connections.size(), 3 * kEdges);
    const cell::CutCell& cut = made.network.models[0]->cut;
    std::set<std::int32_t> nodes;
    for (const simulation::Synapse& synapse : made.network.synapses) {
      const auto section = static_cast<std::size_t>(cut.section[static_cast<std::size_t>(synapse.node)]);
      QCOMPARE(cut.sections[section].type, morphology::kBasalDendrite);
      QVERIFY(section > 1); // the stem ends at 60 um from the middle of the soma
      nodes.insert(synapse.node);
    }
    QVERIFY(nodes.size() > 10);
    QVERIFY(std::ranges::any_of(made.notes, [](const std::string& note) { return note.find("120 synapses") == 0; }));
  }

  void whatIsWrongIsNamed_data()
  {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* file, const char* from, const char* to, const char* said) {
      QTest::newRow(name) << file << from << to << said;
    };
    row("mechanism", "small_fit.json", "\"mechanism\": \"NaTs\"", "\"mechanism\": \"NaX\"", "\"NaX\" is not known");
    row("negative conductance", "small_fit.json", "\"value\": 0.9", "\"value\": -0.9", "0 or more");
    row("no number", "small_fit.json", "\"0.0003\"", "\"nan\"", "0 or more");
    row("template", "node_types.csv", "ctdb:", "hoc:", "those of nml: and ctdb: can be simulated");
    row("processing", "node_types.csv", "aibs_perisomatic", "mine", "\"mine\"");
    row("point model", "node_types.csv", "nrn:IntFire1", "nest:iaf_psc_alpha", "nest:iaf_psc_alpha");
    row("morphology", "node_types.csv", "small.swc", "none.swc", "none.swc");
    row("synapse", "edge_types.csv", "Exp2Syn", "Magic", "\"Magic\"");
    row("no delay", "edge_types.csv", "1 2.0", "1 NULL", "has no delay");
    row("synapse file", "fast.json", "tau1", "tauX", "no number \"tau1\"");
    row("input", "config.json", "\"csv\"", "\"nwb\"", "\"nwb\"");
    row("clamp", "config.json", "IClamp", "SEClamp", "\"amps\"");
    row("population", "config.json", "\"node_set\": \"outside\"", "\"node_set\": \"nowhere\"", "\"nowhere\"");
    row("variable", "config.json", "${BASE_DIR}/out", "${NONE}/out", "$NONE");
    row("stop", "config.json", "\"tstop\": 60,", "", "\"tstop\"");
    row("spike", "spikes_in.csv", "12.5", "-1", "-1 ms");
    row("spike text", "spikes_in.csv", "30.5", "soon", "is no spike");
    row("no JSON", "config.json", "{", "[", "no JSON object");
  }

  void whatIsWrongIsNamed()
  {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    SmallCircuit circuit;
    std::string& text = circuit.texts[file.toStdString()];
    const std::size_t at = text.find(from.toStdString());
    QVERIFY(at != std::string::npos);
    text.replace(at, from.toStdString().size(), to.toStdString());
    requireFailure([&] { build(circuit); }, said);
  }

  void edgesToNowhereAreNamed()
  {
    SmallCircuit nowhere;
    nowhere.edges.addIds("/edges/all/target_node_id", {3, 4, 9, 4, 5});
    requireFailure([&] { build(nowhere); }, "the node 9");
    SmallCircuit section;
    section.edges.addIds("/edges/all/0/sec_id", {1, 77, 3});
    requireFailure([&] { build(section); }, "section 77");
    SmallCircuit position;
    position.edges.addNumbers("/edges/all/0/sec_x", {0.5, 1.5, 0.9});
    requireFailure([&] { build(position); }, "1.5");
    SmallCircuit group;
    group.edges.addIds("/edges/all/edge_group_index", {0, 0, 1, 1, 8});
    requireFailure([&] { build(group); }, "edge_group_index");
    SmallCircuit type;
    type.edges.addIds("/edges/all/edge_type_id", {1, 2, 1, 2, 6});
    requireFailure([&] { build(type); }, "type 6");
  }

private:
  static void requireFailure(const std::function<void()>& body, const QString& said)
  {
    try {
      body();
    } catch (const Error& error) {
      QVERIFY2(QString(error.what()).contains(said), error.what());
      return;
    }
    QVERIFY2(false, qPrintable("nothing was said of " + said));
  }
};

HINESIGHT_TEST(TestCircuitSimulation)
#include "test_circuit_simulation.moc"
