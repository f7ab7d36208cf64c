#include "core/error.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "simulation/simulation.hpp"
#include "small_circuit.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_output.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace hinesight;
using simulation::Quantity;
using simulation::Simulation;
using tests::SmallCircuit;

/// Inputs and reports of configurations in both dialects.
class TestSimulationInputs : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  static void replace(SmallCircuit& circuit, const std::string& file, const std::string& from, const std::string& to)
  {
    std::string& text = circuit.texts[file];
    const std::size_t at = text.find(from);
    if (at == std::string::npos)
      qFatal("%s is not in %s", from.c_str(), file.c_str());
    text.replace(at, from.size(), to);
  }

  /// A circuit with one more input, or one more report.
  static SmallCircuit withInput(const std::string& entry)
  {
    SmallCircuit circuit;
    replace(circuit, "config.json", "\"inputs\": {", "\"inputs\": {\"new\": " + entry + ",");
    return circuit;
  }
  static SmallCircuit withReport(const std::string& entry)
  {
    SmallCircuit circuit;
    replace(circuit, "config.json", "\"reports\": {", "\"reports\": {\"new\": " + entry + ",");
    return circuit;
  }

  study::CircuitSimulation build(const SmallCircuit& circuit, std::optional<std::uint64_t> seed = {})
  {
    return study::buildSimulation(io::readSimulationConfiguration(circuit.write(folder.path().toStdString())), seed);
  }

  QString failure(const SmallCircuit& circuit)
  {
    try {
      build(circuit);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  static bool says(const study::CircuitSimulation& made, const char* what)
  {
    return std::ranges::any_of(made.notes, [&](const std::string& note) { return note.find(what) != note.npos; });
  }

  static std::vector<std::vector<double>> recordsOf(const study::CircuitSimulation& circuit)
  {
    simulation::SimulationParameters parameters;
    parameters.celsius = circuit.celsius;
    Simulation run(circuit.network, parameters);
    run.runUntil(60);
    return run.records();
  }

private slots:
  void currentsOfBothDialects()
  {
    const auto stepsOf = [&](const std::string& entry) {
      std::vector<simulation::CurrentStep> steps = build(withInput(entry)).network.steps;
      std::erase_if(steps, [](const auto& step) { return step.amplitude == 0.3; }); // of the circuit itself
      return steps;
    };
    const auto linear = stepsOf(R"({"module": "linear", "input_type": "current_clamp", "amp_start": 0.1, "amp_end": 0.1,
                                    "delay": 2, "duration": 7, "node_set": "somatic"})");
    QCOMPARE(linear.size(), std::size_t{2});
    QCOMPARE(linear[1].cell, 1U);
    QCOMPARE(linear[1].delay, 2.0);
    QCOMPARE(linear[1].duration, 7.0);
    const auto several = stepsOf(R"({"module": "IClamp", "input_type": "current_clamp", "amps": [0.1, 0.2],
                                     "delays": [1, 2], "durations": [3, 4], "node_set": [5]})");
    QCOMPARE(several.size(), std::size_t{2});
    QCOMPARE(several[1].amplitude, 0.2);
    QCOMPARE(several[1].cell, 1U);
    const auto pulses = stepsOf(R"({"module": "pulse", "input_type": "current_clamp", "amp_start": 0.1, "width": 2,
                                    "frequency": 200, "delay": 3, "duration": 12, "node_set": [3]})");
    QCOMPARE(pulses.size(), std::size_t{3}); // at 3, 8 and 13 ms
    QCOMPARE(pulses[2].delay, 13.0);
    QCOMPARE(pulses[2].duration, 2.0);
  }

  /// Sections are counted among those of their kind.
  void inputsGoToTheirPlace()
  {
    const study::CircuitSimulation made =
        build(withInput(R"({"module": "IClamp", "input_type": "current_clamp", "amp": 0.1, "delay": 1, "dur": 1,
            "node_set": {"population": "inside", "node_id": [5]},
            "section_name": "dend", "section_index": 2, "section_dist": 0.9})"));
    const cell::CutCell& cut = made.network.models[0]->cut;
    const auto found = std::ranges::find_if(made.network.steps, [](const auto& step) { return step.amplitude == 0.1; });
    QCOMPARE(found->cell, 1U);
    QCOMPARE(found->node, cut.nodeAt(3, 0.9));
    QVERIFY(failure(withInput(R"({"module": "IClamp", "input_type": "current_clamp", "amp": 0.1, "delay": 1, "dur": 1,
                                  "node_set": [5], "section_name": "apic"})"))
                .contains("the section 0 of \"apic\", which the node 5 has not"));
  }

  void sinusoidNoiseAndClampAreOfTheEngine()
  {
    const study::CircuitSimulation sinusoid =
        build(withInput(R"({"module": "sinusoidal", "input_type": "current_clamp", "amp_start": 0.05, "frequency": 40,
                            "dt": 0.25, "delay": 3, "duration": 50, "node_set": "somatic"})"));
    QCOMPARE(sinusoid.network.sinusoids.size(), std::size_t{2});
    QCOMPARE(sinusoid.network.sinusoids[0].frequency, 40.0);
    QCOMPARE(sinusoid.network.sinusoids[0].delay, 3.0);

    const std::string process = R"({"module": "ornstein_uhlenbeck", "input_type": "current_clamp", "tau": 2.7,
        "mean": 0.1, "sigma": 0.02, "delay": 0, "duration": 50, "node_set": "somatic" SEED})";
    const auto seeded = [&](const char* more, std::optional<std::uint64_t> run) {
      std::string entry = process;
      entry.replace(entry.find(" SEED"), 5, more);
      return build(withInput(entry), run).network.noises.at(1);
    };
    QCOMPARE(seeded("", {}).tau, 2.7);
    QCOMPARE(seeded("", {}).deviation, 0.02);
    QCOMPARE(seeded("", {}).seed, std::uint64_t{1});
    QCOMPARE(seeded("", 9).seed, std::uint64_t{9});
    QCOMPARE(seeded(", \"random_seed\": 5", 9).seed, std::uint64_t{5});
    const study::CircuitSimulation noise =
        build(withInput(R"({"module": "noise", "input_type": "current_clamp", "mean": 0.1, "variance": 0.0004,
                            "delay": 0, "duration": 50, "node_set": [3]})"));
    QCOMPARE(noise.network.noises[0].deviation, 0.02);
    QVERIFY(says(noise, "memory of 0.25 ms"));

    const study::CircuitSimulation clamp =
        build(withInput(R"({"module": "SEClamp", "input_type": "voltage_clamp", "amps": [-70, 0, -70],
                            "durations": [5, 10, 45], "rs": 0.5, "node_set": [5]})"));
    QCOMPARE(clamp.network.clamps.size(), std::size_t{1});
    QCOMPARE(clamp.network.clamps[0].levels.size(), std::size_t{3});
    QCOMPARE(clamp.network.clamps[0].levels[1].potential, 0.0);
    QCOMPARE(clamp.network.clamps[0].seriesResistance, 0.5);
    const study::CircuitSimulation held =
        build(withInput(R"({"module": "seclamp", "input_type": "voltage_clamp", "voltage": -60, "delay": 4,
                            "duration": 20, "node_set": [5]})"));
    QCOMPARE(held.network.clamps[0].seriesResistance, 0.01);
    QCOMPARE(held.network.clamps[0].delay, 4.0);
  }

  /// As many as the rate says, within four standard deviations; the same for the same seed.
  void poissonSpikesAreDrawn()
  {
    SmallCircuit circuit =
        withInput(R"({"module": "poisson", "input_type": "spikes", "rate": 200, "delay": 1000, "duration": 1e9,
                      "node_set": "outside"})");
    const auto trainsOf = [&](std::uint64_t seed) { // past the end of the configuration
      return Simulation(build(circuit, seed).network, {}).trainsBefore(101000);
    };
    const std::vector<std::vector<double>> trains = trainsOf(3);
    const std::vector<double>& train = trains[0];
    QVERIFY(std::ranges::is_sorted(train));
    QCOMPARE(train[0], 12.5); // that of the file comes first
    const double expected = 20000 + 5;
    QVERIFY2(std::abs(static_cast<double>(train.size()) - expected) < 4 * std::sqrt(expected),
             qPrintable(QString::number(train.size())));
    QVERIFY(train[5] > 1000 && train.back() < 101000);
    // Exponential intervals: the standard deviation is the mean.
    std::vector<double> intervals;
    for (std::size_t k = 6; k < train.size(); ++k)
      intervals.push_back(train[k] - train[k - 1]);
    const double mean = std::accumulate(intervals.begin(), intervals.end(), 0.0) / 2e4;
    double variance = 0;
    for (const double interval : intervals)
      variance += (interval - mean) * (interval - mean) / 2e4;
    QVERIFY(std::abs(std::sqrt(variance) / mean - 1) < 0.03);
    QVERIFY(trains[1] != train);
    QCOMPARE(trainsOf(3), trains);
    QVERIFY(trainsOf(4) != trains);
  }

  void spikesAreReplayed()
  {
    const study::CircuitSimulation made =
        build(withInput(R"({"module": "synapse_replay", "input_type": "spikes", "spike_file": "spikes_in.csv",
                            "source": "outside", "node_set": "inside", "delay": 0, "duration": 60})"));
    QCOMPARE(made.network.trains[1], (std::vector<double>{10, 10}));
  }

  void theExtensionHasItsOwnDefaults()
  {
    SmallCircuit circuit;
    replace(circuit, "config.json", "\"dL\": 20, \"spike_threshold\": -20",
            "\"random_seed\": 77, \"integration_method\": \"0\"");
    replace(circuit, "config.json", "\"celsius\": 34, \"v_init\": -70", "\"spike_location\": \"AIS\"");
    const study::CircuitSimulation made = build(circuit);
    QCOMPARE(made.network.detectors[0].threshold, -30.0);
    QCOMPARE(made.network.detectors[0].node, made.network.models[0]->cut.nodeAt(5, 0.5)); // of the stub's second half
    QCOMPARE(made.celsius, 34.0);
    QCOMPARE(made.network.models[0]->biophysics.startPotential, -80.0);
    QCOMPARE(made.scheme, std::optional(simulation::Scheme::BackwardEuler));
    QCOMPARE(io::readSimulationConfiguration(circuit.write(folder.path().toStdString())).seed,
             std::optional<std::uint64_t>(77));
    QVERIFY(!build(SmallCircuit()).scheme);
  }

  /// A file beside both that names the simulation's, variables of both forms, sets of sets.
  void configurationsNameEachOther()
  {
    SmallCircuit circuit;
    circuit.texts["both.json"] = R"({"network": "config.json", "simulation": "config.json"})";
    circuit.write(folder.path().toStdString());
    const io::SimulationConfiguration read =
        io::readSimulationConfiguration(folder.filePath("both.json").toStdString());
    QCOMPARE(read.stop, 60.0);
    QCOMPARE(read.file, std::filesystem::path(folder.filePath("config.json").toStdString()));
  }

  void nodesAreAskedForByWhatTheyHave()
  {
    SmallCircuit circuit;
    replace(circuit, "config.json", "\"node_set\": {\"node_id\": [3]}", "\"node_set\": {\"layer\": \"L5\"}");
    QVERIFY(failure(circuit).contains("asks for nodes by \"layer\""));
    SmallCircuit greater;
    replace(greater, "config.json", "\"node_set\": {\"node_id\": [3]}", "\"node_set\": {\"x\": {\"$gt\": 3}}");
    QVERIFY(failure(greater).contains("conditions on properties"));
  }

  /// Two synapses with the same events, one of them blocked by magnesium.
  void ampaAndNmdaAreTwoSynapses()
  {
    SmallCircuit circuit;
    replace(circuit, "edge_types.csv", "Exp2Syn", "ProbAMPANMDA_EMS");
    circuit.texts["fast.json"] = R"({"tau_d_AMPA": 1.5, "mg": 1.2, "NMDA_ratio": 0.5})";
    const study::CircuitSimulation made = build(circuit);
    QCOMPARE(made.network.synapses.size(), std::size_t{6});
    const simulation::Synapse &ampa = made.network.synapses[0], &nmda = made.network.synapses[1];
    QCOMPARE(ampa.tau2, 1.5);
    QCOMPARE(ampa.magnesium, 0.0);
    QCOMPARE(nmda.tau2, 43.0);
    QCOMPARE(nmda.magnesium, 1.2);
    QCOMPARE(nmda.node, ampa.node);
    QCOMPARE(made.network.connections[0].weight, 0.02 * 0.001);
    QCOMPARE(made.network.connections[1].weight, 0.02 * 0.0005);
    QCOMPARE(made.network.connections[1].delay, made.network.connections[0].delay);
    QCOMPARE(made.synapses, build(SmallCircuit()).synapses);
    QVERIFY(says(made, "release at every event and in full"));
  }

  void edgesAreGapJunctions()
  {
    SmallCircuit fresh;
    replace(fresh, "edge_types.csv", "syn_weight\n1 2.0 Exp2Syn fast.json 0.01\n2 1.5 NULL direct.json 0.6\n",
            "syn_weight is_gap_junction\n1 2.0 Exp2Syn fast.json 0.01 False\n3 NULL NULL NULL 0.002 True\n");
    fresh.edges = {};
    const std::string name = "/edges/all";
    fresh.edges.addIds(name + "/edge_type_id", {1, 3});
    fresh.edges.addIds(name + "/source_node_id", {3, 3});
    fresh.edges.addIds(name + "/target_node_id", {5, 5});
    fresh.edges.addText(name + "/source_node_id", "node_population", "inside");
    fresh.edges.addText(name + "/target_node_id", "node_population", "inside");
    fresh.edges.addIds(name + "/0/afferent_section_id", {1, 2});
    fresh.edges.addNumbers(name + "/0/afferent_section_pos", {0.5, 0.25});
    const study::CircuitSimulation made = build(fresh);
    QCOMPARE(made.junctions, std::uint64_t{1});
    QCOMPARE(made.network.synapses.size(), std::size_t{1});
    const simulation::GapJunction& junction = made.network.junctions.at(0);
    const cell::CutCell& cut = made.network.models[0]->cut;
    QCOMPARE(junction.a.cell, 0U);
    QCOMPARE(junction.b.cell, 1U);
    QCOMPARE(junction.conductance, 0.002);
    QCOMPARE(junction.a.node, cut.nodeAt(2, 0.25)); // where the file says nothing of the source
    fresh.edges.addIds(name + "/0/efferent_section_id", {0, 3});
    fresh.edges.addNumbers(name + "/0/efferent_section_pos", {0.5, 0.75});
    QCOMPARE(build(fresh).network.junctions.at(0).a.node, cut.nodeAt(3, 0.75));
    QCOMPARE(build(fresh).network.junctions.at(0).b.node, cut.nodeAt(2, 0.25));
    fresh.edges.addIds(name + "/source_node_id", {3, 4});
    QVERIFY(failure(fresh).contains("no cell with form"));
  }

  void reportsAreOfStatesAndCurrents()
  {
    const auto probesOf = [&](const std::string& entry) {
      const study::CircuitSimulation made = build(withReport(entry));
      const study::SimulatedReport& report = made.reports.at(0);
      std::vector<simulation::Probe> probes;
      for (const study::ReportedNode& node : report.nodes)
        for (std::size_t k = 0; k < node.section.size(); ++k)
          probes.push_back(made.network.probes[node.firstProbe + k]);
      return probes;
    };
    const auto gates = probesOf(R"({"cells": "somatic", "variable_name": "h_NaTs", "sections": "soma"})");
    QCOMPARE(gates.size(), std::size_t{2});
    QCOMPARE(gates[0].quantity, Quantity::State);
    QCOMPARE(gates[0].channel, cell::ChannelKind::NaTs);
    QCOMPARE(gates[0].state, std::uint8_t{1});
    const auto dendrites =
        probesOf(R"({"type": "compartment", "cells": [3], "variable_name": "i_membrane", "sections": "dend",
                     "compartments": "center", "unit": "nA", "dt": 0.025, "start_time": 0, "end_time": 60})");
    QCOMPARE(dendrites.size(), std::size_t{3});
    QCOMPARE(dendrites[0].quantity, Quantity::MembraneCurrent);
    const auto clamps = probesOf(R"({"module": "clamp_report", "cells": [3], "variable_name": "se"})");
    QCOMPARE(clamps.size(), std::size_t{1});
    QCOMPARE(clamps[0].quantity, Quantity::ClampCurrent);
    const study::CircuitSimulation none =
        build(withReport(R"({"cells": "somatic", "variable_name": "m_Nothing", "sections": "soma"})"));
    QCOMPARE(none.reports.size(), std::size_t{2});
    QVERIFY(says(none, "the state \"m\" of \"Nothing\""));
    QVERIFY(says(build(withReport(R"({"module": "extracellular", "cells": "all"})")), "\"extracellular\""));
    QVERIFY(says(build(withReport(R"({"type": "lfp", "cells": "all", "variable_name": "v"})")), "\"lfp\""));
    QVERIFY(says(build(withReport(R"({"cells": "all", "variable_name": "ina"})")), "of \"ina\""));
  }

  /// Frames at the times that the report asks for, and values as they were recorded; currents add up to what goes in.
  void reportsAreWrittenAsAskedFor()
  {
    SmallCircuit circuit =
        withReport(R"({"type": "compartment", "cells": [3], "variable_name": "v", "sections": "soma", "dt": 0.5,
                       "start_time": 10, "end_time": 20, "file_name": "part"})");
    replace(circuit, "config.json", "\"reports\": {",
            R"("reports": {"sum": {"type": "summation", "cells": [3], "variable_name": "i_membrane", "sections": "soma",
                                   "dt": 0.025, "start_time": 0, "end_time": 60},)");
    const study::CircuitSimulation made = build(circuit);
    simulation::SimulationParameters parameters;
    parameters.celsius = made.celsius;
    Simulation run(made.network, parameters);
    run.runUntil(60);
    const std::filesystem::path out = folder.filePath("out").toStdString();
    study::makeOutputFolder(out);
    study::writeSimulation(made, run, "spikes.h5", parameters.timeStep, out);
    std::vector<double> frames;
    std::array<double, 3> time{};
    {
      const io::Hdf5Reader part(out / "part.h5"); // one at a time
      frames = part.matrix("/report/inside/data");
      part.read("/report/inside/mapping/time", 0, std::span<double>(time));
    }
    QCOMPARE(frames.size(), std::size_t{20});
    QCOMPARE(time[0], 10.0);
    QCOMPARE(time[1], 20.0);
    QCOMPARE(time[2], 0.5);
    const study::SimulatedReport& report = made.reports[1];
    QCOMPARE(report.request.name, std::string("new"));
    for (std::size_t k = 0; k < 20; ++k)
      QCOMPARE(frames[k], run.records()[report.nodes[0].firstProbe][400 + 20 * (k + 1) - 1]);
    // What flows along the tree comes back: the sum over all membrane is 0.
    const io::Hdf5Reader sum(out / "sum.h5");
    QCOMPARE(sum.matrixSize("/report/inside/data"), (std::array<std::uint64_t, 2>{2400, 1}));
    const std::vector<double> values = sum.matrix("/report/inside/data");
    const double worst = std::abs(*std::ranges::max_element(values, {}, [](double x) { return std::abs(x); }));
    QVERIFY2(worst < 1e-9, qPrintable(QString::number(worst)));
  }

  /// A clamp holds the soma; its current is what the report says.
  void aClampedCellIsHeld()
  {
    SmallCircuit circuit =
        withInput(R"({"module": "SEClamp", "input_type": "voltage_clamp", "amps": [-70, -20], "durations": [20, 40],
                      "rs": 0.01, "node_set": [5]})");
    replace(circuit, "config.json", "\"reports\": {",
            R"("reports": {"i": {"module": "clamp_report", "cells": [5], "variable_name": "se"},
                           "soma": {"cells": [5], "variable_name": "v", "sections": "soma"},)");
    const study::CircuitSimulation made = build(circuit);
    const auto records = recordsOf(made);
    const std::vector<double>& current = records[made.reports[0].nodes[0].firstProbe];
    const std::vector<double>& potential = records[made.reports[1].nodes[0].firstProbe];
    QVERIFY(std::abs(potential[700] + 70) < 0.5);
    QVERIFY(std::abs(potential[2300] + 20) < 0.5);
    QVERIFY(std::abs(current[2300]) > 0.1);
    QVERIFY(std::abs(current[2300] - (-20 - potential[2300]) / 0.01) < 1e-9);
  }

  void whatCannotBeHonouredIsNamed_data()
  {
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* entry, const char* said) {
      QTest::newRow(name) << entry << said;
    };
    row("ramp", R"({"module": "linear", "amp_start": 0.1, "amp_end": 0.3, "delay": 1, "duration": 2})",
        "changes from \"amp_start\" to \"amp_end\"");
    row("relative", R"({"module": "relative_linear", "percent_start": 80, "delay": 1, "duration": 2})",
        "threshold current");
    row("percent", R"({"module": "noise", "mean_percent": 80, "variance": 1, "delay": 1, "duration": 2})",
        "threshold current");
    row("shot noise", R"({"module": "shot_noise", "delay": 1, "duration": 2})", "\"shot_noise\", which is not known");
    row("field", R"({"module": "xstim", "input_type": "lgn"})", "\"xstim\"");
    row("nwb", R"({"module": "nwb", "input_type": "spikes", "input_file": "a.nwb"})", "NWB");
    row("conductance", R"({"module": "ornstein_uhlenbeck", "input_type": "conductance", "mean": 1, "sigma": 1, "tau": 1,
                           "duration": 1})",
        "\"conductance\"");
    row("levels", R"({"module": "seclamp", "voltage": -70, "duration": 5, "voltage_levels": [1]})", "voltage_levels");
    row("resistance", R"({"module": "SEClamp", "amps": [-70], "durations": [5], "rs": 0})", "above 0");
    row("durations", R"({"module": "SEClamp", "amps": [-70, 0], "durations": [5]})", "as many durations");
    row("duration", R"({"module": "linear", "amp_start": 0.1, "delay": 1, "duration": -2})", "0 or more");
    row("no amplitude", R"({"module": "sinusoidal", "frequency": 3, "duration": 2})", "no \"amp_start\"");
    row("time constant", R"({"module": "ornstein_uhlenbeck", "mean": 1, "sigma": 1, "tau": 0, "duration": 1})",
        "above 0 are possible");
    row("sections", R"({"module": "IClamp", "amp": 1, "delay": 1, "dur": 1, "section_name": "tail"})", "\"tail\"");
    row("position", R"({"module": "IClamp", "amp": 1, "delay": 1, "dur": 1, "section_dist": 2})", "0 to 1");
    row("rate", R"({"module": "poisson", "rate": -1, "duration": 1})", "0 to 1e6");
    row("text", R"({"module": "IClamp", "amp": "much", "delay": 1, "dur": 1})", "\"amp\" is no number");
  }

  void whatCannotBeHonouredIsNamed()
  {
    QFETCH(QString, entry);
    QFETCH(QString, said);
    const QString what = failure(withInput(entry.toStdString()));
    QVERIFY2(what.contains(said), qPrintable(what));
  }

  void whatHasNoEffectIsNamed()
  {
    QVERIFY(says(build(withInput(R"({"module": "IClamp", "amp": 1, "delay": 1, "dur": 1, "flavour": "mint"})")),
                 "\"flavour\" of the input \"new\""));
    QVERIFY(says(build(withReport(R"({"cells": "all", "variable_name": "v", "colour": 1})")), "\"colour\""));
    SmallCircuit run;
    replace(run, "config.json", "\"dL\": 20", "\"dL\": 20, \"calc_ecp\": true, \"minis\": 1");
    replace(run, "config.json",
            "\"output\":", "\"connection_overrides\": [{\"name\": \"a\"}], \"beside\": 1, \"output\":");
    const study::CircuitSimulation made = build(run);
    for (const char* const what : {"\"calc_ecp\"", "\"minis\" of \"run\"", "\"connection_overrides\"", "\"beside\""})
      QVERIFY2(says(made, what), what);
  }
};

HINESIGHT_TEST(TestSimulationInputs)
#include "test_simulation_inputs.moc"
