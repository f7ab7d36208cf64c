#include "cell/cell_model.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/models/acc/cable_cell.hpp"
#include "io/models/acc/cable_regions.hpp"
#include "io/models/acc/cable_tree.hpp"
#include "io/models/allen_fit.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "simulation/simulation.hpp"
#include "small_circuit.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/single_cell.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <numeric>

using namespace hinesight;
using cell::NodeShare;
using cell::Region;
using io::CableCell;

namespace {

/// The cell of Arbor's documentation ("Cable cell labels"): a soma, dendrites and an axon at its other end.
const std::string kForm = R"(
  (morphology
    (branch 0 -1
      (segment 0 (point 0 0 0 2) (point 4 0 0 2) 1)
      (segment 1 (point 4 0 0 0.8) (point 8 0 0 0.8) 3)
      (segment 2 (point 8 0 0 0.8) (point 12 -0.5 0 0.8) 3))
    (branch 1 0
      (segment 3 (point 12 -0.5 0 0.8) (point 20 4 0 0.4) 3)
      (segment 4 (point 20 4 0 0.4) (point 26 6 0 0.2) 3))
    (branch 2 0
      (segment 5 (point 12 -0.5 0 0.5) (point 19 -3 0 0.5) 3))
    (branch 3 2
      (segment 6 (point 19 -3 0 0.5) (point 24 -7 0 0.2) 3))
    (branch 4 2
      (segment 7 (point 19 -3 0 0.5) (point 23 -1 0 0.2) 3)
      (segment 8 (point 23 -1 0 0.3) (point 26 -2 0 0.2) 3))
    (branch 5 -1
      (segment 9 (point 0 0 0 2) (point -7 0 0 0.4) 2)
      (segment 10 (point -7 0 0 0.4) (point -10 0 0 0.4) 2))))";

std::string component(const std::string& decor, const std::string& labels = "", const std::string& form = kForm)
{
  return "; a comment\n(arbor-component (meta-data (version \"0.9-dev\"))\n(cable-cell (label-dict " + labels +
         ") (decor " + decor + ")" + form + "))";
}

const std::string kNernst = R"((default (ion-reversal-potential-method "ca" (mechanism "nernst/ca"))))";

} // namespace

/// Cable cells of Arbor: regions and locations, values, what is placed, and the way there and back.
class TestCableCells : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path file(const char* name) const { return folder.filePath(name).toStdString(); }

  CableCell read(const std::string& text, const io::CableCellOptions& options = {}) const
  {
    writeFileAtomically(file("cell.acc"), [&](std::ostream& stream) { stream << text; });
    return io::readCableCell(file("cell.acc"), options);
  }

  QString failure(const std::string& text) const
  {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  /// What stands at each node, whoever says it: its region, and the parameters of each mechanism by their shares.
  static std::map<std::pair<std::size_t, std::int32_t>, std::vector<double>> densitiesOf(const cell::CellModel& model)
  {
    std::map<std::pair<std::size_t, std::int32_t>, std::vector<double>> all;
    for (const cell::Density& density : model.biophysics.densities)
      cell::forEachPart(model, density, [&](std::size_t node, double share) {
        std::vector<double>& values = all[{node, density.mechanism}];
        values.push_back(share);
        values.insert(values.end(), density.parameters.begin(), density.parameters.end());
      });
    return all;
  }

  void requireSame(const cell::CellModel& a, const cell::CellModel& b) const
  {
    QCOMPARE(a.cut.parent, b.cut.parent);
    QCOMPARE(a.cut.section, b.cut.section);
    QCOMPARE(a.cut.area, b.cut.area);
    QCOMPARE(a.cut.resistance, b.cut.resistance);
    QVERIFY(cell::regionsOfNodes(a) == cell::regionsOfNodes(b));
    QVERIFY(densitiesOf(a) == densitiesOf(b));
    QCOMPARE(a.biophysics.celsius, b.biophysics.celsius);
    QCOMPARE(a.biophysics.startPotential, b.biophysics.startPotential);
  }

  CableCell thereAndBack(const CableCell& cell, const char* name = "back.acc") const
  {
    io::writeCableCell(cell, file(name));
    return io::readCableCell(file(name));
  }

private slots:
  void aFormIsCutIntoSections()
  {
    const CableCell cell = read(component(""));
    const cell::CutCell& cut = cell.model.cut;
    QCOMPARE(cut.sections.size(), std::size_t{7});
    const std::vector<std::int32_t> types = {1, 3, 3, 3, 3, 3, 2}, parents = {-1, 0, 1, 1, 3, 3, 0};
    for (std::size_t s = 0; s < types.size(); ++s) {
      QCOMPARE(cut.sections[s].type, types[s]);
      QCOMPARE(cut.sections[s].parent, parents[s]);
    }
    QCOMPARE(cut.sections[6].parentPosition, 0.0); // the axon hangs at the other end of the soma
    QCOMPARE(cut.sections[1].parentPosition, 1.0);
    const double soma = cut.area[static_cast<std::size_t>(cut.nodeAt(0, 0.5))];
    QVERIFY(std::abs(soma - 2 * std::numbers::pi * 2 * 4) < 1e-12);
    // No membrane where the radius changes at once.
    const double stem = cut.area[static_cast<std::size_t>(cut.nodeAt(1, 0.5))];
    QVERIFY(std::abs(stem - 2 * std::numbers::pi * 0.8 * (4 + std::hypot(4, 0.5))) < 1e-6);
  }

  void regionsAndLocationsAreThoseOfArbor_data()
  {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expression, const char* expected) {
      QTest::newRow(expression) << expression << expected;
    };
    row("(all)", "0:0-1 1:0-1 2:0-1 3:0-1 4:0-1 5:0-1");
    row("(region-nil)", "");
    row("(branch 3)", "3:0-1");
    row("(tag 2)", "5:0-1");
    row("(tag 7)", "");
    row("(segment 8)", "4:0.58579-1");
    row("(cable 1 0.3 0.7)", "1:0.3-0.7");
    row("(join (cable 1 0 0.5) (cable 1 0.25 0.75))", "1:0-0.75");
    row("(intersect (branch 1) (cable 1 0.5 1) (cable 1 0 0.75))", "1:0.5-0.75");
    row("(difference (branch 1) (cable 1 0.25 0.5))", "1:0-0.25 1:0.5-1");
    row("(complement (join (branch 0) (branch 1) (branch 2) (branch 5)))", "3:0-1 4:0-1");
    row("(region \"mine\")", "4:0-0.5");
    row("(radius-lt (branch 2) 0.5)", "");
    row("(radius-le (branch 2) 0.5)", "2:0-1");
    row("(radius-lt (branch 3) 0.35)", "3:0.5-1");
    row("(radius-ge (tag 2) 1.2)", "5:0-0.35");
    row("(distal-interval (location 3 0.5))", "3:0.5-1");
    row("(distal-interval (location 2 0.5))", "2:0.5-1 3:0-1 4:0-1");
    row("(distal-interval (location 5 0.2) 3)", "5:0.2-0.5");
    row("(distal-interval (location 5 0.9) 30)", "5:0.9-1");
    row("(proximal-interval (location 5 0.5) 3)", "5:0.2-0.5");
    row("(proximal-interval (location 3 0.5))", "0:0-1 2:0-1 3:0-0.5");
    row("(root)", "0@0");
    row("(terminal)", "1@1 3@1 4@1 5@1");
    row("(location 4 0.25)", "4@0.25");
    row("(on-branches 0.5)", "0@0.5 1@0.5 2@0.5 3@0.5 4@0.5 5@0.5");
    row("(distal (join (branch 0) (cable 2 0 0.5)))", "2@0.5");
    row("(distal (tag 1))", "0@0.33247");
    row("(proximal (join (branch 3) (branch 4)))", "3@0 4@0");
    row("(proximal (join (branch 2) (branch 3)))", "2@0");
    row("(boundary (cable 1 0.25 0.5))", "1@0.25 1@0.5");
    row("(sum (location 1 0.5) (location 1 0.5))", "1@0.5 1@0.5");
    row("(support (sum (location 1 0.5) (location 1 0.5)))", "1@0.5");
    row("(restrict-to (terminal) (tag 3))", "1@1 3@1 4@1");
    row("(locset \"tips\")", "5@1");
  }

  void regionsAndLocationsAreThoseOfArbor()
  {
    QFETCH(QString, expression);
    QFETCH(QString, expected);
    const io::SExpression label = io::parseSExpression("(region-def \"mine\" (cable 4 0 0.5))", "");
    const io::SExpression tips = io::parseSExpression("(locset-def \"tips\" (restrict (terminal) (tag 2)))", "");
    const io::CableTree tree(read(component("")).model.cut);
    const std::string path = "regions";
    io::CableRegions regions(tree, path);
    regions.define(label);
    regions.define(tips);
    const io::SExpression parsed = io::parseSExpression(expression.toStdString(), path);
    QStringList made;
    const auto text = [](double value) { return QString::number(value, 'g', 5); };
    if (expected.contains('@'))
      for (const io::CableLocation& at : regions.locations(parsed))
        made += QString::number(at.branch) + "@" + text(at.position);
    else
      for (const io::Cable& cable : regions.region(parsed))
        made += QString::number(cable.branch) + ":" + text(cable.from) + "-" + text(cable.to);
    QCOMPARE(made.join(' '), expected);
  }

  void locationsAreDrawnByLength()
  {
    const CableCell drawn =
        read(component(R"((place (uniform (tag 3) 0 3999 7) (synapse (mechanism "expsyn" ("e" -70))) "s"))"));
    QCOMPARE(drawn.synapses.size(), std::size_t{4000});
    QVERIFY(drawn.notes[0].find("not those that Arbor draws") != std::string::npos);
    const cell::CutCell& cut = drawn.model.cut;
    std::map<std::int32_t, double> in;
    for (const CableCell::Synapse& synapse : drawn.synapses)
      in[cut.section[static_cast<std::size_t>(synapse.node)]] += 1;
    double length = 0;
    for (const cell::Section& section : cut.sections)
      length += section.type == 3 ? section.length : 0;
    for (std::int32_t s = 1; s <= 5; ++s)
      QVERIFY(std::abs(in[s] / 4000 - cut.sections[static_cast<std::size_t>(s)].length / length) < 0.03);
  }

  /// Distances along the tree, also across forks and the root.
  void inhomogeneousExpressionsHaveValues()
  {
    const io::CableTree tree(read(component("")).model.cut);
    const std::string path = "values";
    const io::CableRegions regions(tree, path);
    const auto valueOf = [&](const char* expression, io::CableLocation at) {
      const io::SExpression parsed = io::parseSExpression(expression, path);
      return regions.value(parsed)(at);
    };
    const double first = tree.branches()[0].length, second = tree.branches()[2].length;
    QCOMPARE(valueOf("(distance (root))", {5, 0.5}), 5.0);
    QCOMPARE(valueOf("(distance (location 5 0.5))", {0, 0.5}), 5 + first / 2);
    QVERIFY(std::abs(valueOf("(distance 2 (location 3 0))", {1, 0}) - 2 * second) < 1e-12);
    QVERIFY(std::abs(valueOf("(distance (location 2 0.5))", {3, 0}) - second / 2) < 1e-12);
    QCOMPARE(valueOf("(radius 2)", {5, 0}), 4.0);
    QCOMPARE(valueOf("(diameter)", {5, 0}), 4.0);
    QVERIFY(std::abs(valueOf("(add (mul 2 (scalar 3)) (sub 5 1 1) (div (exp 0) 4) (log 1))", {0, 0}) - 9.25) < 1e-14);
  }

  void valuesHaveArborsUnits()
  {
    const CableCell cell = read(component(R"(
      (default (membrane-potential -70))
      (default (temperature-kelvin 307.15))
      (default (membrane-capacitance 0.02))
      (default (axial-resistivity 80))
      (default (ion-reversal-potential "na" 60))
      (paint (tag 2) (ion-reversal-potential "k" -90))
      (paint (region "half") (membrane-capacitance 0.04))
      (paint (all) (density (mechanism "default::pas/e=-62" ("g" 0.002))))
      (paint (tag 1) (density (mechanism "hh" ("gl" 0.0005)))))",
                                          R"((region-def "half" (cable 5 0 0.5)))"));
    const cell::Biophysics& biophysics = cell.model.biophysics;
    QCOMPARE(biophysics.celsius, 34.0);
    QCOMPARE(biophysics.startPotential, -70.0);
    QCOMPARE(biophysics.regionOf(1).capacitance, 2.0);
    QCOMPARE(biophysics.regionOf(1).sodiumReversal, 60.0);
    QCOMPARE(biophysics.regionOf(1).potassiumReversal, -77.0);
    QCOMPARE(biophysics.regionOf(2).potassiumReversal, -90.0);
    QCOMPARE(biophysics.regionOf(3).resistivity, 80.0);
    // Half of the axon's length has three quarters or so of its area: 4 times that part, 2 times the rest.
    const auto axon = static_cast<std::size_t>(cell.model.cut.nodeAt(6, 0.5));
    const double near = io::areaBetween(cell.model.cut.sections[6], 0, 5) / cell.model.cut.area[axon];
    QVERIFY(near > 0.7 && near < 0.9);
    QVERIFY(std::abs(cell::regionsOfNodes(cell.model)[axon].capacitance - (2 + 2 * near)) < 1e-12);
    const auto densities = densitiesOf(cell.model);
    QCOMPARE(densities.at({axon, cell::kPassive}), (std::vector<double>{1, 0.002, -62}));
    const auto soma = static_cast<std::size_t>(cell.model.cut.nodeAt(0, 0.5));
    QCOMPARE(densities.at({soma, cell::kHh}), (std::vector<double>{1, 0.12, 0.036, 0.0005, -54.3}));
    QVERIFY(!densities.contains({axon, cell::kHh}));
  }

  void mechanismsAreScaled()
  {
    const CableCell cell = read(component(
        R"((paint (tag 3) (scaled-mechanism (density (mechanism "Ih" ("gbar" 1e-4))) ("gbar" (distance 0.1 (root))))))"));
    const auto densities = densitiesOf(cell.model);
    const auto node = static_cast<std::size_t>(cell.model.cut.nodeAt(1, 0.5));
    const double along = 4 + (4 + std::hypot(4, 0.5)) / 2;
    const std::vector<double>& values = densities.at({node, cell::mechanismNamed("Ih")});
    QVERIFY(std::abs(values[1] - 1e-4 * 0.1 * along) < 1e-12);
  }

  void whatIsPlacedHasANode()
  {
    const CableCell cell = read(component(R"(
      (place (location 0 0.1) (current-clamp (envelope (10 0.5) (110 0.5) (110 0)) 0 0) "step")
      (place (location 1 1) (current-clamp (envelope-pulse 5 20 0.1) 0 0) "pulse")
      (place (root) (current-clamp (envelope (20 0.2)) 0.04 0.5) "wave")
      (place (location 0 0.1) (threshold-detector -10) "d")
      (place (terminal) (synapse (mechanism "exp2syn" ("tau2" 5))) "s")
      (place (location 2 0.5) (junction (mechanism "gj" ("g" 0.003))) "j"))"));
    const cell::CutCell& cut = cell.model.cut;
    QCOMPARE(cell.steps.size(), std::size_t{2});
    QVERIFY(cell.steps[0] == (CableCell::Step{cut.nodeAt(0, 0.3), 0.5, 10, 100}));
    QVERIFY(cell.steps[1] == (CableCell::Step{cut.nodeAt(2, 1), 0.1, 5, 20}));
    QCOMPARE(cell.sinusoids[0].frequency, 40.0);
    QVERIFY(std::abs(cell.sinusoids[0].phase - (0.5 + 2 * std::numbers::pi * 0.04 * 20)) < 1e-12);
    QVERIFY(cell.sinusoids[0].duration > 1e100);
    QCOMPARE(cell.detectors[0].threshold, -10.0);
    QCOMPARE(cell.synapses.size(), std::size_t{4});
    QCOMPARE(cell.synapses[0].tau1, 0.5);
    QCOMPARE(cell.junctions[0].conductance, 0.003);
    QCOMPARE(cell.junctions[0].node, cut.nodeAt(3, 0.5));
  }

  void aWrittenCellReadsBackAsTheSame()
  {
    CableCell cell = read(component(R"(
      (default (membrane-potential -72.5))
      (default (temperature-kelvin 309.65))
      (default (cv-policy (max-extent 3)))
      (paint (join (tag 1) (cable 0 0.2 0.61)) (membrane-capacitance 0.0123))
      (paint (all) (density (mechanism "pas" ("g" 0.00031))))
      (paint (distal-interval (location 2 0.4) 6) (density (mechanism "NaV" ("gbar" 0.03))))
      (paint (tag 2) (density (mechanism "bbp::NaTs2_t" ("gNaTs2_tbar" 1.2))))
      (paint (tag 1) (density (mechanism "Ca_HVA" ("gbar" 0.0001))))
      (paint (tag 1) (density (mechanism "CaDynamics" ("gamma" 0.003) ("decay" 120))))
      (place (location 1 0.3) (current-clamp (envelope-pulse 5 20 0.1) 0 0) "pulse")
      (place (location 5 1) (current-clamp (envelope (20 0.2)) 0.04 0.5) "wave")
      (place (root) (threshold-detector -12) "d")
      (place (terminal) (synapse (mechanism "exp2syn" ("tau2" 5))) "s")
      (place (location 2 0.5) (junction (mechanism "gj" ("g" 0.003))) "j"))" +
                                    kNernst));
    const CableCell back = thereAndBack(cell);
    QCOMPARE(back.model.cut.parent, cell.model.cut.parent);
    QCOMPARE(back.model.cut.area, cell.model.cut.area);
    QCOMPARE(back.model.cut.resistance, cell.model.cut.resistance);
    QVERIFY(back.steps == cell.steps && back.detectors == cell.detectors && back.synapses == cell.synapses &&
            back.junctions == cell.junctions);
    QVERIFY(std::abs(back.sinusoids[0].phase - cell.sinusoids[0].phase) < 1e-12);
    // Nodes that are painted in part have the same share.
    const auto a = densitiesOf(cell.model), b = densitiesOf(back.model);
    QCOMPARE(a.size(), b.size());
    for (const auto& [key, values] : a)
      for (std::size_t k = 0; k < values.size(); ++k)
        QVERIFY(std::abs(values[k] - b.at(key)[k]) < 1e-9);
    const auto regionsA = cell::regionsOfNodes(cell.model), regionsB = cell::regionsOfNodes(back.model);
    for (std::size_t node = 0; node < regionsA.size(); ++node)
      QVERIFY(std::abs(regionsA[node].capacitance - regionsB[node].capacitance) < 1e-9);
  }

  /// Of SONATA, whose soma has dendrites at its middle and whose axon is replaced.
  void aCellOfACircuitIsWritten()
  {
    const SmallCircuitFolder circuit(folder);
    const study::CircuitSimulation made =
        study::buildSimulation(io::readSimulationConfiguration(circuit.configuration), 1);
    const CableCell cell = study::cableCellOf(made);
    QVERIFY(!cell.synapses.empty());
    const CableCell back = thereAndBack(cell);
    requireSame(cell.model, back.model);
    QVERIFY(back.steps == cell.steps && back.synapses == cell.synapses && back.detectors == cell.detectors);
    QCOMPARE(io::cableCellText(back), io::cableCellText(cell)); // to the same bytes
  }

  /// All sections of a published reconstruction, whatever order they hang in, simulated to the same bits.
  void aPublishedCellIsWritten()
  {
    const std::string components = tests::sharedFile("models/sonata/shared_components/").toStdString();
    const std::string fit = components + "biophysical_neuron_templates/json/472363762_fit.json";
    if (!std::filesystem::exists(fit))
      QSKIP("the shared models are not here");
    study::SingleCell published{fit, components + "morphologies/Scnn1a_473845048_m.swc", "", {{0.2, 20, 80}}};
    const study::CircuitSimulation made = study::buildSingleCell(published);
    const CableCell cell = study::cableCellOf(made);
    const CableCell back = thereAndBack(cell, "published.acc");
    requireSame(cell.model, back.model);
    study::SingleCell again{file("published.acc").string(), "", "", {}};
    const study::CircuitSimulation reread = study::buildSingleCell(again);
    simulation::SimulationParameters parameters;
    parameters.celsius = made.celsius;
    parameters.timeStep = 0.1;
    const auto potentials = [&](const study::CircuitSimulation& circuit) {
      simulation::Simulation run(circuit.network, parameters);
      run.runUntil(100);
      return run.records()[0];
    };
    QCOMPARE(reread.celsius, made.celsius);
    const std::vector<double> there = potentials(made);
    QVERIFY(*std::ranges::max_element(there) > 0); // it spikes
    QVERIFY(there == potentials(reread));
  }

  void decorationStandsBesideAMorphology()
  {
    const QString place = folder.filePath("beside");
    QVERIFY(QDir().mkpath(place));
    const std::filesystem::path at = place.toStdString();
    writeFileAtomically(at / "cell.swc",
                        [](std::ostream& stream) { stream << SmallCircuit().texts.at("cells/small.swc"); });
    writeFileAtomically(at / "cell.acc", [](std::ostream& stream) {
      stream << R"((arbor-component (meta-data (version "0.1-dev"))
        (decor (paint (tag 1) (density (mechanism "hh"))) (paint (tag 3) (density (mechanism "pas"))))))";
    });
    const CableCell cell = io::readCableCell(at / "cell.acc");
    QCOMPARE(cell.model.cut.area, cell::cutIntoSections(*morphology::readSwc((at / "cell.swc").string()), {}).area);
    QCOMPARE(cell.model.biophysics.densities.size(), std::size_t{2});
    std::filesystem::remove(at / "cell.swc");
    try {
      io::readCableCell(at / "cell.acc");
      QFAIL("there is no morphology");
    } catch (const Error& error) {
      QVERIFY2(QString(error.what()).contains("no SWC file"), error.what());
    }
  }

  void whatCannotBeIsNamed_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& text, const char* said) {
      QTest::newRow(name) << QString::fromStdString(text) << said;
    };
    const auto decor = [](const std::string& entry) { return component(entry); };
    row("empty", "", "ends before");
    row("open", "(arbor-component (cable-cell", "ends before its parentheses");
    row("closed twice", component("") + ")", "after its last parenthesis");
    row("deep", std::string(2000, '('), "more than 500");
    row("other", "(swc 1)", "no component of Arbor");
    row("line", "(arbor-component\n\n(tree))", ":3: \"tree\"");
    row("mechanism", decor(R"((paint (all) (density (mechanism "Magic"))))"), "\"Magic\" is not known");
    row("parameter", decor(R"((paint (all) (density (mechanism "pas" ("q" 1)))))"), "\"q\" is no parameter of pas");
    row("conductance", decor(R"((paint (all) (density (mechanism "Ih"))))"), "say its gbar");
    row("negative", decor(R"((paint (all) (density (mechanism "pas" ("g" -1)))))"), "g of pas");
    row("capacitance", decor("(default (membrane-capacitance 0))"), "above 0");
    row("calcium", decor(R"((paint (all) (density (mechanism "Ca_HVA" ("gbar" 1e-4)))))"), "nernst/ca");
    row("method", decor(R"((default (ion-reversal-potential-method "k" (mechanism "nernst/k"))))"), "\"nernst/k\"");
    row("region", decor("(paint (somewhere) (axial-resistivity 80))"), "\"somewhere\" is not known");
    row("label", decor("(paint (region \"x\") (axial-resistivity 80))"), "\"x\" is not defined");
    row("circle", component("(paint (region \"x\") (axial-resistivity 80))", "(region-def \"x\" (region \"x\"))"),
        "defined by itself");
    row("branch", decor("(paint (branch 9) (axial-resistivity 80))"), "names the branch 9");
    row("cable", decor("(paint (cable 1 0.5 2) (axial-resistivity 80))"), "not between 0 and 1");
    row("property", decor("(paint (all) (colour 3))"), "\"colour\" is not known");
    row("potential", decor("(paint (tag 1) (membrane-potential -60))"), "one for all of it");
    row("twice", decor("(paint (cable 1 0 0.9) (axial-resistivity 80)) (paint (cable 1 0.1 1) (axial-resistivity 90))"),
        "painted twice");
    row("ramp", decor("(place (root) (current-clamp (envelope (0 0) (10 1)) 0 0) \"c\")"), "rises or falls");
    row("synapse", decor("(place (root) (synapse (mechanism \"nmda\")) \"s\")"), "\"nmda\" is not known");
    row("process", decor("(paint (all) (voltage-process (mechanism \"v_clamp\")))"), "voltage-process");
    row("scaled", decor("(paint (all) (membrane-capacitance 0.01 (radius)))"), "scaled over the cell");
    row("warm", decor(R"((paint (all) (density (mechanism "bbp::Im" ("gImbar" 1)))))"), "34 degrees");
    row("radius", component("", "", "(morphology (branch 0 -1 (segment 0 (point 0 0 0 0) (point 1 0 0 1) 1)))"),
        "above 0");
    row("parent", component("", "", "(morphology (branch 0 3 (segment 0 (point 0 0 0 1) (point 1 0 0 1) 1)))"),
        "does not come before it");
    row("no branch", component("", "", "(morphology)"), "no segment");
    row("length", component("", "", "(morphology (branch 0 -1 (segment 0 (point 0 0 0 1) (point 0 0 0 1) 1)))"),
        "no length");
  }

  void whatCannotBeIsNamed()
  {
    QFETCH(QString, text);
    QFETCH(QString, said);
    const QString what = failure(text.toStdString());
    QVERIFY2(what.contains(said), qPrintable(what));
  }

private:
  struct SmallCircuitFolder
  {
    explicit SmallCircuitFolder(const QTemporaryDir& folder)
        : configuration(tests::SmallCircuit().write(folder.filePath("circuit").toStdString()))
    {}
    std::string configuration;
  };
  using SmallCircuit = tests::SmallCircuit;
};

HINESIGHT_TEST(TestCableCells)
#include "test_cable_cells.moc"
