#include "core/check_sum.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/sonata/spike_files.hpp"
#include "model/session_file.hpp"
#include "simulation/simulation.hpp"
#include "small_session.hpp"
#include "study/simulation/session_cells.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulation_checkpoint.hpp"
#include "study/simulation/simulation_output.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>

using namespace hinesight;
using model::Project;
using simulation::Simulation;

/// A session becomes a network.
class TestSessionSimulation : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

  Project projectOf(const std::string& text = tests::kSmallSession) const
  {
    return model::parseSession(text, folder.path().toStdString(), "a.hinesight").project;
  }

  static std::string replaced(const std::string& from, const std::string& to)
  {
    std::string text = tests::kSmallSession;
    const std::size_t at = text.find(from);
    if (at == std::string::npos)
      qFatal("\"%s\" is not in the session", from.c_str());
    return text.replace(at, from.size(), to);
  }

  static study::CircuitSimulation build(const Project& project)
  {
    study::requireSimulable(project);
    return study::buildSimulation(study::makeCircuit(project));
  }

  /// The connections that come from a source of the network.
  static std::vector<simulation::Connection> from(const simulation::Network& network, std::uint32_t source)
  {
    std::vector<simulation::Connection> found;
    std::ranges::copy_if(network.connections, std::back_inserter(found),
                         [&](const simulation::Connection& c) { return c.source == source; });
    return found;
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeFileAtomically(path("tree.swc"), [](std::ostream& stream) { stream << tests::kSmallTree; });
  }

  /// It may be there to be compared. Who forgot its synapses hears of it, once.
  void aConnectionWithoutSynapsesTakesNoPart()
  {
    for (const char* name : {"inhibition", "local"}) {
      Project project = projectOf();
      const auto connection = std::ranges::find(project.connections, name, &model::Connection::name);
      connection->synapses.place = model::SynapsePlace::None;
      const study::CircuitSimulation made = build(project);
      QCOMPARE(made.withoutSynapses, std::vector<std::string>{name});
      const auto isOfIt = [&](const std::string& note) {
        return note.find('"' + std::string(name) + "\" takes no part") != std::string::npos;
      };
      QCOMPARE(std::ranges::count_if(made.notes, isOfIt), 1);
      project.connections.erase(connection);
      const study::CircuitSimulation without = build(project);
      QCOMPARE(made.network.connections.size(), without.network.connections.size());
      QVERIFY(without.withoutSynapses.empty());
    }
  }

  void neuronsAreCellsPointsAndTrains()
  {
    const study::CircuitSimulation made = build(projectOf());
    const simulation::Network& network = made.network;
    QCOMPARE(network.cells(), std::size_t{6});
    QCOMPARE(network.models.size(), std::size_t{2});
    QCOMPARE(network.modelOf, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1}));
    QCOMPARE(network.trains.size(), std::size_t{3});
    QCOMPARE(network.pointNeurons.size(), std::size_t{1});
    QCOMPARE(network.pointNeurons[0].tau, 20.0);
    QCOMPARE(network.detectors[0].threshold, -20.0);
    const cell::Biophysics& hh = network.models[0]->biophysics;
    QCOMPARE(hh.startPotential, -65.0);
    QCOMPARE(hh.regionOf(morphology::kSoma).resistivity, 150.0);
    QCOMPARE(hh.regionOf(morphology::kBasalDendrite).capacitance, 2.0);
    QCOMPARE(hh.regionOf(morphology::kSoma).capacitance, 1.0);
    for (const cell::Density& density : hh.densities) {
      if (density.mechanism == cell::kHh)
        QCOMPARE(density.parameters[0], density.type == morphology::kSoma ? 0.15 : 0.12);
      if (density.mechanism == cell::kPassive)
        QCOMPARE(density.parameters[0], 0.0);
    }
    QCOMPARE(network.models[1]->biophysics.startPotential, -70.0);
    QCOMPARE(network.models[0]->cut.sections.size(), std::size_t{4});
    QCOMPARE(network.models[0]->cut.sections[1].segments, 5); // 54 um by 20
  }

  void connectionsHaveWeightsDelaysAndPlaces()
  {
    const Project project = projectOf();
    const study::Circuit circuit = study::makeCircuit(project);
    const study::CircuitSimulation made = study::buildSimulation(circuit);
    const simulation::Network& network = made.network;
    const cell::CutCell& cut = network.models[0]->cut;
    QCOMPARE(made.synapses, std::uint64_t{network.connections.size()});

    // From outside (sources after six cells): neuron 0 lies at x = 60, where the stem of cell 0 forks.
    const auto in = from(network, 6);
    QCOMPARE(in.size(), std::size_t{4});
    const simulation::Synapse& atFork = network.synapses[in[0].target];
    QCOMPARE(atFork.cell, 0U);
    // The middle of a branch's first segment is 5 um from there, that of the stem's last one 5.4.
    QCOMPARE(atFork.node, cut.nodeAt(2, 0.1));
    QCOMPARE(atFork.tau1, 0.5);
    QCOMPARE(atFork.tau2, 3.0);
    QCOMPARE(atFork.reversal, 0.0);
    QCOMPARE(in[0].delay, 2.0);
    QCOMPARE(in[0].weight, 0.002 * double{circuit.edges[0].weight[0]});
    // Cell 1 begins at x = 100: its soma is nearest.
    QCOMPARE(network.synapses[in[1].target].node, cut.nodeAt(0, 0.5));
    QCOMPARE(network.synapses[from(network, 7)[1].target].node, cut.nodeAt(2, 0.1)); // 100 um further, both

    // An inhibitory neuron above cell 0: 300 um away.
    const auto inhibition = from(network, 4);
    QCOMPARE(network.synapses[inhibition[0].target].reversal, -80.0);
    QCOMPARE(network.synapses[inhibition[0].target].node, cut.nodeAt(0, 0.5));
    QVERIFY(inhibition[0].weight > 0);
    QCOMPARE(inhibition[0].delay, 0.5 + 300.0 / 200);
    QCOMPARE(inhibition[1].delay, 0.5 + std::sqrt(300.0 * 300 + 100 * 100) / 200);

    // The point neuron is behind all synapses, and gets the sign.
    const auto isToPoint = [&](const simulation::Connection& c) { return c.target == network.synapses.size(); };
    QCOMPARE(std::ranges::count_if(network.connections, isToPoint), 2);
    QVERIFY(std::ranges::all_of(network.connections, [&](const auto& c) { return !isToPoint(c) || c.weight < 0; }));
  }

  /// Formed synapses are counted: each has a place of its own, on the sections and at the distances that are wanted.
  void formedSynapsesAreDrawn()
  {
    const study::Circuit circuit = study::makeCircuit(projectOf());
    const simulation::Network network = study::buildSimulation(circuit).network;
    std::size_t formed = 0;
    for (const simulation::Connection& c : network.connections) {
      if (c.delay != 1.5)
        continue;
      ++formed;
      QCOMPARE(c.weight, 0.001);
      const simulation::Synapse& synapse = network.synapses[c.target];
      const cell::CutCell& cut = network.models[network.modelOf[synapse.cell]]->cut;
      const auto section = static_cast<std::size_t>(cut.section[static_cast<std::size_t>(synapse.node)]);
      QCOMPARE(cut.sections[section].type, morphology::kBasalDendrite);
      const std::int32_t segment = synapse.node - cut.sections[section].firstNode;
      const double end = cell::distancesOfSections(cut)[section] +
                         (segment + 1) * cut.sections[section].length / cut.sections[section].segments;
      QVERIFY(end > 50);
      QCOMPARE(synapse.reversal, c.source < 4 ? 0.0 : -75.0);
    }
    QVERIFY(formed > 10);
    QCOMPARE(formed, std::size_t{circuit.connections[2].synapses});
    // The same seed, the same places; another one, others.
    const auto targetsOf = [](const simulation::Network& of) {
      std::vector<std::int32_t> nodes;
      for (const simulation::Connection& c : of.connections)
        nodes.push_back(c.target < of.synapses.size() ? of.synapses[c.target].node : -1);
      return nodes;
    };
    QVERIFY(targetsOf(build(projectOf()).network) == targetsOf(network));
    Project other = projectOf();
    other.connections[2].synapses.seed = 2;
    QVERIFY(targetsOf(build(other).network) != targetsOf(network));
  }

  void stimuliAndProbesAreOnTheirNeurons()
  {
    const study::CircuitSimulation made = build(projectOf());
    const simulation::Network& network = made.network;
    const cell::CutCell& cut = network.models[1]->cut;
    QCOMPARE(network.steps.size(), std::size_t{2});
    QCOMPARE(network.steps[0].cell, 0U);
    QCOMPARE(network.steps[1].cell, 1U);
    QCOMPARE(network.steps[0].amplitude, 0.5);
    QCOMPARE(network.sinusoids.size(), std::size_t{2});
    QCOMPARE(network.sinusoids[0].cell, 4U);
    QCOMPARE(network.noises[0].node, cut.nodeAt(2, 0.9)); // the soma is section 0
    QCOMPARE(network.noises[0].seed, std::uint64_t{4});
    QCOMPARE(network.clamps.size(), std::size_t{1});
    QCOMPARE(network.clamps[0].cell, 3U);
    QCOMPARE(network.clamps[0].levels[1].potential, -20.0);
    QCOMPARE(network.trains[1], (std::vector<double>{20, 30}));
    const auto trains = Simulation(network, projectOf().simulate->parameters).trainsBefore(60);
    QVERIFY(!trains[0].empty() && trains[0] != trains[2]);
    QVERIFY(std::ranges::is_sorted(trains[0]) && trains[0].front() >= 10 && trains[0].back() < 60);
    QCOMPARE(trains, study::trainsOf(study::makeCircuit(projectOf()))[2]);
    QCOMPARE(made.reports.size(), std::size_t{3});
    QCOMPARE(made.reports[0].nodes.size(), std::size_t{4});
    std::size_t onDendrites = 0;
    for (std::size_t s = 1; s < 4; ++s)
      onDendrites += static_cast<std::size_t>(cut.sections[s].segments);
    QCOMPARE(made.reports[0].nodes[0].section.size(), onDendrites);
    QCOMPARE(network.probes.size(), 4 * onDendrites + 2);
    QCOMPARE(network.probes.back().quantity, simulation::Quantity::ClampCurrent);
  }

  /// Intervals are exponential: their mean and deviation are one over the rate; counts do not depend on the others.
  void poissonTrainsHaveTheirRate()
  {
    Project project = projectOf();
    project.simulate->stop = 20'000;
    std::erase_if(project.stimuli, [](const model::Stimulus& s) { return s.name != "trains"; });
    project.stimuli[0].neurons = {};
    project.stimuli[0].delay = 0;
    const auto trains = study::trainsOf(study::makeCircuit(project))[2];
    std::vector<double> intervals;
    for (const std::vector<double>& train : trains)
      for (std::size_t k = 1; k < train.size(); ++k)
        intervals.push_back(train[k] - train[k - 1]);
    const auto count = static_cast<double>(intervals.size());
    QVERIFY(std::abs(count - 3000) < 4 * std::sqrt(3000.0));
    const double mean = std::accumulate(intervals.begin(), intervals.end(), 0.0) / count;
    double variance = 0;
    for (const double interval : intervals)
      variance += (interval - mean) * (interval - mean) / count;
    QVERIFY(std::abs(mean - 20) < 4 * 20 / std::sqrt(count));
    QVERIFY(std::abs(std::sqrt(variance) - 20) < 8 * 20 / std::sqrt(count));
    // A train does not depend on whether others spike.
    project.stimuli[0].neurons = {2};
    QVERIFY(study::trainsOf(study::makeCircuit(project))[2][2] == trains[2]);
  }

  void aSessionRunsTheSameOnAnyThreads()
  {
    const study::CircuitSimulation made = build(projectOf());
    const auto runWith = [&](int threads, double epoch) {
      simulation::SimulationParameters parameters = projectOf().simulate->parameters;
      parameters.threads = threads;
      parameters.epoch = epoch;
      Simulation run(made.network, parameters);
      run.runUntil(60);
      return std::pair(run.spikes(), run.records());
    };
    const auto first = runWith(1, 0);
    QVERIFY(first.first.size() > 3);
    QVERIFY(first == runWith(3, 0.2));
  }

  /// What lasts always does not end with the run that a session asks for: whoever goes on has the bits of a run to the
  /// later end, also from a checkpoint.
  void stimuliGoOnAfterTheEnd()
  {
    const Project project = projectOf();
    Project later = project;
    later.simulate->stop = 200;
    const study::CircuitSimulation made = build(project);
    Simulation whole(build(later).network, project.simulate->parameters);
    whole.runUntil(200);
    Simulation parts(made.network, project.simulate->parameters);
    parts.runUntil(project.simulate->stop);
    const simulation::Checkpoint kept = parts.checkpoint(true);
    parts.runUntil(200);
    QCOMPARE(parts.trains(), whole.trains());
    QCOMPARE(parts.trains(), study::trainsOf(study::makeCircuit(later))[2]);
    QVERIFY(parts.trains()[0].back() > 150);
    QCOMPARE(parts.spikes(), whole.spikes());
    QVERIFY(parts.spikes().back().time > project.simulate->stop);
    QCOMPARE(parts.records(), whole.records());
    Simulation resumed(made.network, project.simulate->parameters);
    resumed.restore(kept);
    resumed.runUntil(200);
    QCOMPARE(resumed.spikes(), whole.spikes());
    QCOMPARE(resumed.records(), whole.records());
    parts.restore(kept); // from later back
    parts.runUntil(200);
    QCOMPARE(parts.spikes(), whole.spikes());
  }

  /// To draw the spikes until the time that a damaged file says would take forever.
  void aBadCheckpointIsRefusedBeforeSpikesAreDrawn()
  {
    constexpr double kStop = 30; // ms
    const study::CircuitSimulation made = build(projectOf());
    const simulation::SimulationParameters parameters = projectOf().simulate->parameters;
    Simulation first(made.network, parameters);
    first.runUntil(kStop);
    study::NetworkSum sum = study::checkSumOf(made.network, kStop, {});
    study::writeSimulationCheckpoint(first, parameters, sum, path("good"));
    const std::string whole = readFile(path("good"));
    const auto bytesOf = [](auto number) { return std::string(reinterpret_cast<const char*>(&number), sizeof number); };
    // With its check sum made right.
    const auto write = [&](std::size_t at, const std::string& bytes) {
      std::string content = whole.substr(0, whole.size() - sizeof(std::uint64_t));
      content.replace(at, bytes.size(), bytes);
      content += bytesOf(checkSum(content));
      writeFileAtomically(path("bad"), [&](std::ostream& stream) { stream << content; });
    };

    Simulation simulation(made.network, parameters);
    const auto before = simulation.trains();
    const auto refusal = [&](double latest) {
      try {
        study::readSimulationCheckpoint(simulation, parameters, sum, latest, path("bad"));
      } catch (const Error& error) {
        return error.message();
      }
      return std::string();
    };
    const std::size_t time = whole.find(bytesOf(sum.withoutTrains)) + sizeof(std::uint64_t);
    QVERIFY(whole.substr(time, sizeof(double)) == bytesOf(first.time()));
    write(time, bytesOf(1e300));
    QVERIFY2(refusal(kStop).find("already; choose a later end of the run") != std::string::npos,
             refusal(kStop).c_str());
    write(time, bytesOf(std::numeric_limits<double>::quiet_NaN()));
    QVERIFY2(refusal(kStop).find("damaged") != std::string::npos, refusal(kStop).c_str());
    write(time - sizeof(std::uint64_t), bytesOf(sum.withoutTrains + 1));
    QVERIFY2(refusal(kStop).find("another network") != std::string::npos, refusal(kStop).c_str());
    write(time + sizeof(double), bytesOf(std::uint64_t{1})); // the sum of the spikes
    QVERIFY2(refusal(kStop).find("another network") != std::string::npos, refusal(kStop).c_str());
    const std::string_view step = "step";
    const std::size_t ofStep = whole.find(bytesOf(std::uint64_t{step.size()}) + bytesOf(std::uint64_t{8}) + "step");
    QVERIFY(ofStep != std::string::npos);
    write(ofStep + 2 * sizeof(std::uint64_t) + step.size(), bytesOf(std::int64_t{1} << 52));
    QVERIFY2(refusal(kStop).find("damaged") != std::string::npos, refusal(kStop).c_str());
    QCOMPARE(simulation.trains(), before);
    QCOMPARE(simulation.time(), 0.0);

    study::readSimulationCheckpoint(simulation, parameters, sum, kStop, path("good"));
    QCOMPARE(simulation.time(), first.time());
    QCOMPARE(simulation.trainsBefore(2 * kStop), first.trainsBefore(2 * kStop));
  }

  void whatHindersARunIsToldByTheSession()
  {
    Project project = projectOf();
    QCOMPARE(study::obstacleOf(project), std::string());
    project.stimuli[0].population = "outside";
    QVERIFY(study::obstacleOf(project).find("whose neurons have no model") != std::string::npos);
    for (model::Population& population : project.populations)
      population.models.clear();
    QVERIFY(study::obstacleOf(project).starts_with("No population"));
  }

  void listedSpikesComeFromAFile()
  {
    const auto spikesOf = [&](const char* text) {
      writeFileAtomically(path("spikes.csv"), [&](std::ostream& stream) { stream << text; });
      const Project project = projectOf(replaced(R"("times": [30, 20])", R"("file": "spikes.csv")"));
      return study::trainsOf(study::makeCircuit(project))[2][1];
    };
    QCOMPARE(spikesOf("timestamps population node_ids\n12 outside 1\n13 outside 0\n11 outside 1\n14 other 1\n"),
             (std::vector<double>{11, 12}));
    requireFailure([&] { spikesOf("timestamps population node_ids\n12 outside 9\n"); }, "the neuron 9");
    requireFailure([&] { spikesOf("timestamps population node_ids\n12 other 1\n"); }, "no spikes of the population");
    requireFailure([&] { spikesOf("nothing\n"); }, "timestamps");
  }

  /// A file that ends too early, edges to neurons that are not there: named with the file.
  void damagedFilesAreNamed()
  {
    const auto file = path("spikes.h5");
    io::PopulationSpikes spikes{"outside", {11, 12}, {1, 1}};
    io::writeSpikesHdf5(std::span(&spikes, 1), file);
    const Project listed = projectOf(replaced(R"("times": [30, 20])", R"("file": "spikes.h5")"));
    QCOMPARE(study::trainsOf(study::makeCircuit(listed))[2][1], (std::vector<double>{11, 12}));
    const std::string whole = readFile(file);
    writeFileAtomically(file, [&](std::ostream& stream) { stream << whole.substr(0, whole.size() / 2); });
    requireFailure([&] { build(listed); }, "spikes.h5");

    const auto ofNetwork = [&](const char* rows) {
      writeFileAtomically(path("network.csv"), [&](std::ostream& stream) { stream << rows; });
      Project project = projectOf();
      model::Connection& connection = project.connections[1];
      connection.kind = model::ConnectionKind::File;
      connection.source = connection.target = "E";
      connection.file = path("network.csv").string();
      return build(project);
    };
    requireFailure([&] { ofNetwork("source,target,weight,plastic\n0,9,2,1\n"); }, "network.csv");
    const simulation::Network network = ofNetwork("source,target,weight,plastic\n0,3,2,1\n3,0,-1,1\n").network;
    const auto fromFirst = from(network, 0);
    const auto toLast = std::ranges::find_if(fromFirst, [&](const simulation::Connection& c) {
      return c.weight == 2 * 0.01; // two synapses in the middle of the soma are one
    });
    QVERIFY(toLast != fromFirst.end());
    QCOMPARE(network.synapses[toLast->target].cell, 3U);
  }

  void whatIsWrongIsNamed_data()
  {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* from, const char* to, const char* said) {
      QTest::newRow(name) << from << to << said;
    };
    row("mechanism", R"("mechanism": "hh"})", R"("mechanism": "hx"})", "The model \"hh\" has the mechanism \"hx\"");
    row("parameter", "\"gnabar\"", "\"gnax\"", "\"gnax\" of hh");
    row("membrane", "\"cm\"", "\"capacitance\"", "there are cm, Ra, ena and ek");
    row("negative conductance", R"("value": 0.15)", R"("value": -0.15)", "gnabar of hh on the soma is -0.15");
    row("no capacitance", R"("parameter": "cm", "value": 2)", R"("parameter": "cm", "value": 0)", "above 0");
    row("no number", R"("value": 0.15)", R"("value": "nan")", "Value");
    row("cell", "tree.swc", "none.swc", "none.swc");
    row("neuron", "\"neurons\": [1, 0]", "\"neurons\": [1, 4]", "names the neuron 4 of \"E\", which has 4");
    row("neuron of a probe", "\"neurons\": [1]}", "\"neurons\": [2]}", "The probe \"soma\" names the neuron 2");
    row("section", R"("section": 1, "position")", R"("section": 77, "position")", "section 77 of \"dend\"");
    row("apical section", R"("on": "dend", "section": 1)", R"("on": "apic", "section": 0)", "has 0 of them");
    row("sections of synapses", R"("synapse-on": "dend")", R"("synapse-on": "apic")", "the cell \"tree\" has not");
    row("delay", "\"delay\": 2", "\"delay\": 0", "\"in\" has a delay of 0 ms");
    row("current into points", R"("kind": "sinusoid", "population": "I")", R"("kind": "sinusoid", "population": "P")",
        "whose neurons have no form; point neurons are driven by spikes");
    row("current into trains", R"("kind": "sinusoid", "population": "I")",
        R"("kind": "sinusoid", "population": "outside")", "whose neurons have no model");
    row("spikes of cells", R"("kind": "spikes", "population": "outside")", R"("kind": "spikes", "population": "I")",
        "whose neurons have a model");
    row("probe of points", R"("name": "soma", "population": "I", "neurons": [1])",
        R"("name": "soma", "population": "P")", "The probe \"soma\" is of \"P\"");
    row("time", "\"tstop\": 60", "\"tstop\": -1", "Until");
    row("step", "\"tstop\": 60", "\"dt\": 0", "Time step");
    row("a billion cells", "\"size\": [4, 1, 1]", "\"size\": [1000, 1000, 1000]", "GB of memory");
    row("a billion neurons outside", "\"size\": [3, 1, 1]", "\"size\": [2000, 1000, 1000]", "GB of memory");
  }

  void whatIsWrongIsNamed()
  {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    requireFailure([&] { build(projectOf(replaced(from.toStdString(), to.toStdString()))); }, said);
  }

  /// A session may be on its way from one model to another; what simulates it refuses it.
  void aStimulusThatDoesNotFitIsOfTheRunAlone()
  {
    model::Project project = projectOf();
    project.populations[0].models.clear();
    model::validate(project);
    const study::Circuit circuit = study::makeCircuit(project);
    const QString said = QStringLiteral("\"step\" is a current into \"E\", whose neurons have no model");
    requireFailure([&] { study::requireSimulable(project); }, said);
    requireFailure([&] { study::trainsOf(circuit); }, said);
    QCOMPARE(study::misfitOf(project, project.stimuli[4]), std::string());
    QVERIFY(!study::misfitOf(project, project.probes[0]).empty());
  }

  void memoryOfASynapseIsSaid()
  {
    const study::CircuitSimulation made = build(projectOf());
    const std::uint64_t bytes = study::bytesOfSynapses(made.network);
    QVERIFY(bytes >= made.network.connections.size() * sizeof(simulation::Connection));
    QVERIFY(bytes < made.network.connections.size() * 200);
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

HINESIGHT_TEST(TestSessionSimulation)
#include "test_session_simulation.moc"
