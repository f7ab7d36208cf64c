#include "core/error.hpp"
#include "core/files.hpp"
#include "io/models/allen_fit.hpp"
#include "io/sonata/simulation_writer.hpp"
#include "model/session_file.hpp"
#include "simulation/simulation.hpp"
#include "small_circuit.hpp"
#include "small_session.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/session_cells.hpp"
#include "study/simulation/session_export.hpp"
#include "study/simulation/session_simulation.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <tuple>

using namespace hinesight;
using model::Project;
using simulation::Network;

namespace {

auto valuesOf(const simulation::Synapse& s)
{
  return std::tuple(s.cell, s.node, s.tau1, s.tau2, s.reversal, s.magnesium);
}
auto valuesOf(const simulation::Connection& c)
{
  return std::tuple(c.source, c.target, c.weight, c.delay);
}
auto valuesOf(const simulation::CurrentStep& s)
{
  return std::tuple(s.cell, s.node, s.amplitude, s.delay, s.duration);
}
auto valuesOf(const simulation::SinusoidCurrent& s)
{
  return std::tuple(s.cell, s.node, s.amplitude, s.frequency, s.phase, s.offset, s.delay, s.duration);
}
auto valuesOf(const simulation::NoiseCurrent& s)
{
  return std::tuple(s.cell, s.node, s.mean, s.deviation, s.tau, s.delay, s.duration, s.seed);
}
auto valuesOf(const simulation::PointNeuron& n)
{
  return std::tuple(n.tau, n.refractory);
}
auto valuesOf(const simulation::Probe& p)
{
  return std::tuple(p.cell, p.node, p.quantity);
}
auto valuesOf(const simulation::Detector& d)
{
  return std::tuple(d.node, d.threshold);
}
std::vector<std::pair<double, double>> levelsOf(const simulation::VoltageClamp& c)
{
  std::vector<std::pair<double, double>> levels;
  for (const auto& level : c.levels)
    levels.emplace_back(level.potential, level.duration);
  return levels;
}
auto valuesOf(const simulation::VoltageClamp& c)
{
  return std::tuple(c.cell, c.node, levelsOf(c), c.seriesResistance, c.delay);
}

template <typename Part>
bool areAlike(const std::vector<Part>& a, const std::vector<Part>& b)
{
  return std::ranges::equal(a, b, [](const Part& x, const Part& y) { return valuesOf(x) == valuesOf(y); });
}

bool areAlike(const cell::Biophysics& a, const cell::Biophysics& b)
{
  const auto isRegion = [](const auto& x, const auto& y) {
    const cell::Region &p = x.second, &q = y.second;
    return x.first == y.first && p.capacitance == q.capacitance && p.resistivity == q.resistivity &&
           p.sodiumReversal == q.sodiumReversal && p.potassiumReversal == q.potassiumReversal;
  };
  const auto isDensity = [](const cell::Density& x, const cell::Density& y) {
    return x.mechanism == y.mechanism && x.type == y.type && x.parameters == y.parameters;
  };
  return a.startPotential == b.startPotential && a.celsius == b.celsius &&
         std::ranges::equal(a.regions, b.regions, isRegion) && std::ranges::equal(a.densities, b.densities, isDensity);
}

} // namespace

/// A session that is simulated becomes SONATA files, and these the same network.
class TestSessionExport : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

  Project projectOf() const
  {
    return model::parseSession(tests::kSmallSession, folder.path().toStdString(), "a.hinesight").project;
  }

  void requireAlike(const Network& a, const Network& b) const
  {
    QCOMPARE(a.models.size(), b.models.size());
    for (std::size_t k = 0; k < a.models.size(); ++k) {
      const cell::CutCell &p = a.models[k]->cut, &q = b.models[k]->cut;
      QVERIFY(p.parent == q.parent && p.area == q.area && p.resistance == q.resistance && p.section == q.section);
      QVERIFY(areAlike(a.models[k]->biophysics, b.models[k]->biophysics));
    }
    QVERIFY(a.modelOf == b.modelOf);
    QVERIFY(areAlike(a.detectors, b.detectors));
    QVERIFY(areAlike(a.synapses, b.synapses));
    QVERIFY(areAlike(a.pointNeurons, b.pointNeurons));
    QVERIFY(a.trains == b.trains);
    QVERIFY(areAlike(a.connections, b.connections));
    QVERIFY(areAlike(a.steps, b.steps));
    QVERIFY(areAlike(a.sinusoids, b.sinusoids));
    QVERIFY(areAlike(a.noises, b.noises));
    QVERIFY(areAlike(a.clamps, b.clamps));
    QVERIFY(areAlike(a.probes, b.probes));
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeFileAtomically(path("tree.swc"), [](std::ostream& stream) { stream << tests::kSmallTree; });
  }

  void anExportIsReadAsTheSameNetwork()
  {
    Project project = projectOf();
    project.connections[0].synapses.magnesium = 1;
    project.stimuli[1].phase = 0.5;
    project.stimuli[1].offset = 0.02;
    const study::Circuit circuit = study::makeCircuit(project);
    const study::CircuitSimulation session = study::buildSimulation(circuit);
    const std::vector<std::string> notes = study::exportSimulation(circuit, path("sonata"));
    QVERIFY(std::ranges::any_of(notes, [](const std::string& note) { return note.find("\"mg\"") != note.npos; }));
    const io::SimulationConfiguration read =
        io::readSimulationConfiguration(path("sonata") / io::kSimulationConfigurationFile);
    QVERIFY2(read.notes.empty(), read.notes.empty() ? "" : read.notes.front().c_str());
    QCOMPARE(read.stop, 60.0);
    QCOMPARE(read.timeStep, project.simulate->parameters.timeStep);
    const study::CircuitSimulation again = study::buildSimulation(read, {});
    QVERIFY2(again.notes.empty(), again.notes.empty() ? "" : again.notes.front().c_str());
    // What is by chance in a session is a file of spikes in an export.
    Network drawn = session.network;
    simulation::TrainDraws(drawn.poisson).draw(drawn.trains, read.stop);
    QVERIFY(drawn.trains != session.network.trains);
    requireAlike(drawn, again.network);
    QCOMPARE(again.celsius, project.simulate->parameters.celsius);
    QCOMPARE(again.reports.size(), session.reports.size());
    for (std::size_t k = 0; k < again.reports.size(); ++k)
      QCOMPARE(again.reports[k].request.file, session.reports[k].request.file);

    const auto run = [&](const Network& network) {
      simulation::Simulation simulated(network, project.simulate->parameters);
      simulated.runUntil(60);
      return std::pair(simulated.spikes(), simulated.records());
    };
    const auto ofSession = run(session.network);
    QVERIFY(!ofSession.first.empty());
    QVERIFY(ofSession == run(again.network));
  }

  /// It has no morphology, because nothing simulates it.
  void aCellOfNoPopulationIsLeftOut()
  {
    Project project = projectOf();
    project.cells.push_back(project.cells.front());
    project.cells.back().name = "unused";
    study::exportSimulation(study::makeCircuit(project), path("used"));
    const std::filesystem::path morphologies =
        io::readSimulationConfiguration(path("used") / io::kSimulationConfigurationFile).morphologies;
    QVERIFY(std::filesystem::exists(morphologies / (project.cells.front().name + ".swc")));
    QVERIFY(!std::filesystem::exists(morphologies / "unused.swc"));
  }

  /// What SONATA cannot say is said.
  void whatCannotBeExportedIsNamed()
  {
    Project project = projectOf();
    project.probes[0].places = model::ProbePlaces::Place;
    project.simulate->parameters.scheme = simulation::Scheme::BackwardEuler;
    project.simulate->parameters.rules = simulation::Rules::Neuron;
    const auto notes = study::exportSimulation(study::makeCircuit(project), path("noted"));
    for (const char* const words :
         {"places that reports cannot have", "--compatible neuron", "several potentials", "axon is kept"})
      QVERIFY2(std::ranges::any_of(notes, [&](const std::string& note) { return note.find(words) != note.npos; }),
               words);
  }

  /// A configuration that was read is written, and reads as it was.
  void aConfigurationIsWrittenAgain()
  {
    tests::SmallCircuit circuit;
    const io::SimulationConfiguration first =
        io::readSimulationConfiguration(circuit.write(folder.filePath("small").toStdString()));
    std::filesystem::create_directories(path("again"));
    io::writeSimulationConfiguration(first, path("again"));
    const io::SimulationConfiguration second =
        io::readSimulationConfiguration(path("again") / io::kSimulationConfigurationFile);
    QVERIFY2(second.notes.empty(), second.notes.empty() ? "" : second.notes.front().c_str());
    QCOMPARE(second.threshold, first.threshold);
    QCOMPARE(second.longestSegment, first.longestSegment);
    QCOMPARE(*second.startPotential, *first.startPotential);
    QCOMPARE(second.spikesFile, first.spikesFile);
    const study::CircuitSimulation before = study::buildSimulation(first, {}),
                                   after = study::buildSimulation(second, {});
    requireAlike(before.network, after.network);
    QCOMPARE(after.reports.size(), before.reports.size());
    for (std::size_t k = 0; k < after.reports.size(); ++k) {
      QCOMPARE(after.reports[k].request.file, before.reports[k].request.file);
      QCOMPARE(after.reports[k].nodes.size(), before.reports[k].nodes.size());
    }
  }

  /// A fit that is written reads as it was, number by number.
  void aFitIsWrittenAndRead()
  {
    std::vector<std::string> notes;
    model::NeuronModel model;
    model.membrane = {{model::Sections::Soma, "NaTs", "gbar", 0.1 + 0.2}, {model::Sections::Dend, "Ih", "gbar", 1e-7},
                      {model::Sections::Soma, "CaDynamics", "", 0},       {model::Sections::Soma, "", "ena", 53.5},
                      {model::Sections::Apic, "", "cm", 1.0 / 3},         {model::Sections::All, "pas", "e", -77.7}};
    const cell::Biophysics made = study::biophysicsOf(model, notes);
    const io::AllenFit read = io::parseAllenFit(io::allenFitText(made), "a_fit.json");
    QVERIFY(read.notes.empty());
    QVERIFY(areAlike(read.biophysics, made));
  }
};

HINESIGHT_TEST(TestSessionExport)
#include "test_session_export.moc"
