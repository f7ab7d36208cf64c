#include "cell/cell_model.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/single_cell.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

using namespace hinesight;
using cell::Density;

namespace {

/// A soma, a dendrite, an apical dendrite, and an axon of four sections: 34 µm of 2 µm, then one that ends before 60 µm
/// from the soma, one beyond, and a last one beyond.
const char* const kForm = "1 1 0 0 0 6 -1\n"
                          "2 2 0 -6 0 1 1\n3 2 0 -40 0 1 2\n"
                          "4 2 -20 -60 0 0.3 3\n"
                          "5 2 20 -100 0 0.5 3\n"
                          "6 2 0 -140 0 0.25 3\n"
                          "7 3 6 0 0 1 1\n8 3 100 0 0 0.8 7\n"
                          "9 4 0 6 0 1.5 1\n10 4 0 200 0 1 9\n";

/// The schema of all-active fits: what is passive is in the genome, channels are on all sections, values are texts.
const char* const kFit = R"({
  "passive": [{"ra": "138.28"}],
  "fitting": [{"junction_potential": -14.0, "sweeps": [6]}],
  "conditions": [{"celsius": 34.0, "v_init": -80.0,
                  "erev": [{"section": "soma", "ena": 53.0, "ek": -107.0}, {"section": "axon", "ena": 53.0, "ek": -107.0},
                           {"section": "dend", "ena": 50.0, "ek": -100.0}, {"section": "apic", "ena": 53.0, "ek": -107.0}]}],
  "genome": [
    {"section": "soma", "name": "g_pas", "mechanism": "", "value": "0.00027"},
    {"section": "axon", "name": "g_pas", "mechanism": "", "value": "0.00009"},
    {"section": "dend", "name": "g_pas", "mechanism": "", "value": "0.00003"},
    {"section": "apic", "name": "g_pas", "mechanism": "", "value": "0.00004"},
    {"section": "soma", "name": "e_pas", "mechanism": "", "value": "-84.5"},
    {"section": "axon", "name": "e_pas", "mechanism": "", "value": "-84.5"},
    {"section": "dend", "name": "e_pas", "mechanism": "", "value": "-84.5"},
    {"section": "apic", "name": "e_pas", "mechanism": "", "value": "-84.5"},
    {"section": "soma", "name": "cm", "mechanism": "", "value": "1.5"},
    {"section": "dend", "name": "cm", "mechanism": "", "value": "3.1"},
    {"section": "apic", "name": "cm", "mechanism": "", "value": "2.9"},
    {"section": "axon", "name": "Ra", "mechanism": "", "value": "51"},
    {"section": "soma", "name": "gbar_NaV", "mechanism": "NaV", "value": "0.06"},
    {"section": "soma", "name": "gbar_Kv3_1", "mechanism": "Kv3_1", "value": "0.18"},
    {"section": "soma", "name": "gbar_SK", "mechanism": "SK", "value": "0.0003"},
    {"section": "soma", "name": "gbar_Ca_HVA", "mechanism": "Ca_HVA", "value": "0.00004"},
    {"section": "soma", "name": "gbar_Ca_LVA", "mechanism": "Ca_LVA", "value": "0.001"},
    {"section": "soma", "name": "gamma_CaDynamics", "mechanism": "CaDynamics", "value": "0.0002"},
    {"section": "soma", "name": "decay_CaDynamics", "mechanism": "CaDynamics", "value": "950"},
    {"section": "soma", "name": "gbar_Ih", "mechanism": "Ih", "value": "0.00001"},
    {"section": "axon", "name": "gbar_NaV", "mechanism": "NaV", "value": "0.1"},
    {"section": "axon", "name": "gbar_Kd", "mechanism": "Kd", "value": "0.0004"},
    {"section": "axon", "name": "gbar_Kv2like", "mechanism": "Kv2like", "value": "0.09"},
    {"section": "axon", "name": "gbar_K_T", "mechanism": "K_T", "value": "0.02"},
    {"section": "dend", "name": "gbar_NaV", "mechanism": "NaV", "value": "0.01"},
    {"section": "dend", "name": "gbar_Kv3_1", "mechanism": "Kv3_1", "value": "0.02"},
    {"section": "dend", "name": "gbar_Im_v2", "mechanism": "Im_v2", "value": "0.0006"},
    {"section": "dend", "name": "gbar_Ih", "mechanism": "Ih", "value": "0.000003"},
    {"section": "apic", "name": "gbar_NaV", "mechanism": "NaV", "value": "0.012"},
    {"section": "apic", "name": "gbar_Kv3_1", "mechanism": "Kv3_1", "value": "0.03"},
    {"section": "apic", "name": "gbar_Im_v2", "mechanism": "Im_v2", "value": "0.0009"},
    {"section": "apic", "name": "gbar_Ih", "mechanism": "Ih", "value": "0.00002"}]})";

} // namespace

/// Fits of the Allen Cell Types database by themselves.
class TestSingleCells : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path write(const char* name, const std::string& text) const
  {
    const std::filesystem::path path = folder.filePath(name).toStdString();
    writeFileAtomically(path, [&](std::ostream& stream) { stream << text; });
    return path;
  }

  study::CircuitSimulation build(const std::string& fit, const std::string& form = kForm,
                                 std::optional<study::SingleCell::Current> current = {}) const
  {
    study::SingleCell cell{write("cell_fit.json", fit).string(), write("cell.swc", form).string(), "", current};
    return study::buildSingleCell(cell);
  }

  static std::optional<std::vector<double>> parameters(const cell::CellModel& model, const char* mechanism,
                                                       std::int32_t type)
  {
    for (const Density& density : model.biophysics.densities)
      if (density.mechanism == cell::mechanismNamed(mechanism) && density.type == type)
        return density.parameters;
    return {};
  }

private slots:
  /// As thick as the axon in the middle of its first section, and of the first whose middle is beyond 60 µm.
  void anAllActiveAxonIsTruncated()
  {
    const study::CircuitSimulation made = build(kFit);
    const cell::CutCell& cut = made.network.models[0]->cut;
    QCOMPARE(cut.sections.size(), std::size_t{5}); // soma, dendrite, apical dendrite, the axon's two
    const cell::Section &first = cut.sections[3], &second = cut.sections[4];
    QCOMPARE(first.type, morphology::kAxon);
    QCOMPARE(first.parent, 0);
    QCOMPARE(first.parentPosition, 1.0);
    QCOMPARE(second.parent, 3);
    QCOMPARE(first.length, 30.0);
    QVERIFY(std::abs(first.points[0].diameter - 2) < 1e-6);
    // The middle third of a taper from 2 to 1 µm over 63.2 µm.
    const double taper = 1.5 * std::hypot(1, 0.5 / std::hypot(20, 60));
    QVERIFY(std::abs(second.points[0].diameter - taper) < 1e-6);
    const cell::CutCell bmtk = cell::cutIntoSections(*morphology::readSwc(write("cell.swc", kForm).string()),
                                                     {.axon = cell::AxonPolicy::StubAsThick});
    QVERIFY(std::abs(bmtk.sections[4].points[0].diameter - 1.25 * std::hypot(1, 0.75 / 100)) < 1e-6);
  }

  void channelsAreThoseOfTheirSections()
  {
    const auto kept = build(kFit).network.models[0];
    const cell::CellModel& model = *kept;
    QCOMPARE(model.biophysics.celsius, 34.0);
    QCOMPARE(model.biophysics.junctionPotential, -14.0);
    QCOMPARE(model.biophysics.regionOf(morphology::kSoma).resistivity, 138.28);
    QCOMPARE(model.biophysics.regionOf(morphology::kAxon).resistivity, 51.0);
    QCOMPARE(model.biophysics.regionOf(morphology::kAxon).capacitance, 1.0);
    QCOMPARE(model.biophysics.regionOf(morphology::kBasalDendrite).capacitance, 3.1);
    QCOMPARE(model.biophysics.regionOf(morphology::kBasalDendrite).potassiumReversal, -100.0);
    QCOMPARE(parameters(model, "pas", morphology::kApicalDendrite), (std::vector<double>{0.00004, -84.5}));
    QCOMPARE(parameters(model, "NaV", morphology::kAxon), std::vector<double>{0.1});
    QCOMPARE(parameters(model, "NaV", morphology::kApicalDendrite), std::vector<double>{0.012});
    QCOMPARE(parameters(model, "Im_v2", morphology::kBasalDendrite), std::vector<double>{0.0006});
    QCOMPARE(parameters(model, "Ih", morphology::kApicalDendrite), std::vector<double>{0.00002});
    QVERIFY(!parameters(model, "Ih", morphology::kAxon));
    QVERIFY(!parameters(model, "Kd", morphology::kSoma));
    QCOMPARE(*parameters(model, "CaDynamics", morphology::kSoma), (std::vector<double>{0.0002, 950, 0.1, 1e-4}));
  }

  /// It rests without a current, and spikes with one; half the step changes little.
  void anAllActiveCellSpikes()
  {
    const auto spikesAt = [&](double amplitude, double timeStep) {
      const study::CircuitSimulation made = build(kFit, kForm, study::SingleCell::Current{amplitude, 20, 80});
      simulation::SimulationParameters parameters;
      parameters.celsius = made.celsius;
      parameters.timeStep = timeStep;
      simulation::Simulation run(made.network, parameters);
      run.runUntil(100);
      return run.spikes();
    };
    QVERIFY(spikesAt(0, 0.025).empty());
    const auto coarse = spikesAt(1, 0.025), fine = spikesAt(1, 0.0125);
    QVERIFY(!coarse.empty());
    QCOMPARE(coarse.size(), fine.size());
    QVERIFY(std::abs(coarse[0].time - fine[0].time) < 0.05);
  }

  /// The published all-active fit, on another cell's form: it can be read and does not run away.
  void aPublishedAllActiveFitIsRead()
  {
    const std::string components = tests::sharedFile("models/sonata/shared_components/").toStdString();
    const std::string fit = components + "biophysical_neuron_templates/json/318331342_fit.json";
    if (!std::filesystem::exists(fit))
      QSKIP("the shared models are not here");
    study::SingleCell cell{fit, components + "morphologies/Rorb_325404214_m.swc", "", {{0.2, 20, 50}}};
    const study::CircuitSimulation made = study::buildSingleCell(cell);
    const cell::CellModel& model = *made.network.models[0];
    QVERIFY(parameters(model, "NaV", morphology::kApicalDendrite).has_value());
    QVERIFY(parameters(model, "Im_v2", morphology::kBasalDendrite).has_value());
    QVERIFY(parameters(model, "Kv2like", morphology::kAxon).has_value());
    simulation::SimulationParameters parametersOfRun;
    parametersOfRun.celsius = made.celsius;
    simulation::Simulation run(made.network, parametersOfRun);
    run.runUntil(80);
    for (const double v : run.records()[0])
      QVERIFY(v > -120 && v < 80);
  }

  void anAxonThatIsNotThereIsNamed()
  {
    try {
      build(kFit, "1 1 0 0 0 6 -1\n2 3 6 0 0 1 1\n3 3 60 0 0 0.8 2\n");
      QFAIL("there is no axon");
    } catch (const Error& error) {
      QVERIFY2(QString(error.what()).contains("axon"), error.what());
    }
  }

  void mechanismsOfYourOwnAreTaken()
  {
    std::string fit = kFit;
    const std::string from = "\"gbar_Kd\", \"mechanism\": \"Kd\"";
    fit.replace(fit.find(from), from.size(), "\"gbar_own\", \"mechanism\": \"own\"");
    study::SingleCell cell{write("own_fit.json", fit).string(), write("cell.swc", kForm).string(), "", {}};
    try {
      study::buildSingleCell(cell);
      QFAIL("the mechanism is not known");
    } catch (const Error& error) {
      QVERIFY2(QString(error.what()).contains("\"own\" is not known"), error.what());
    }
    cell.mechanisms = write("own.json", R"json({"mechanisms": [{"name": "own", "ion": "k", "gates": [
        {"name": "m", "inf": "1/(1+exp(-(v+43)/8))", "tau": 1},
        {"name": "h", "inf": "1/(1+exp((v+67)/7.3))", "tau": 1500}]}]})json")
                          .string();
    const auto model = study::buildSingleCell(cell).network.models[0];
    const cell::Biophysics& biophysics = model->biophysics;
    QCOMPARE(biophysics.mechanisms[biophysics.mechanisms.find("own")].name, std::string("own"));
  }
};

HINESIGHT_TEST(TestSingleCells)
#include "test_single_cells.moc"
