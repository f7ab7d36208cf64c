#include "core/error.hpp"
#include "io/models/mechanism_tables.hpp"
#include "simulated_cells.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace hinesight;
using namespace hinesight::simulation;

namespace {

const char* const kSquid = R"json({"mechanisms": [
  {"name": "squid_na", "ion": "na",
   "gates": [{"name": "m", "power": 3, "alpha": "0.1*vtrap(-(v+40), 10)", "beta": "4*exp(-(v+65)/18)"},
             {"name": "h", "alpha": "0.07*exp(-(v+65)/20)", "beta": "1/(1+exp(-(v+35)/10))"}]},
  {"name": "squid_k", "ion": "k",
   "gates": [{"name": "n", "power": 4, "alpha": "0.01*vtrap(-(v+55), 10)", "beta": "0.125*exp(-(v+65)/80)"}]},
  {"name": "own_ca", "ion": "ca", "gates": [{"name": "m", "inf": "0.5", "tau": 1}]}]})json";

} // namespace

/// Tables of gates, calcium with a start of its own, and densities at places, while they run.
class TestOwnMechanisms : public QObject
{
  Q_OBJECT

  static std::vector<std::vector<double>> recordsOf(const std::shared_ptr<const cell::CellModel>& model,
                                                    Quantity quantity = Quantity::Potential, double current = 0.1,
                                                    std::size_t cells = 1)
  {
    Network network = test::networkOf(model, cells);
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
      network.steps.push_back({cell, 0, current, 5, 50});
      network.probes.push_back({cell, 0, quantity});
    }
    Simulation run(network, SimulationParameters());
    run.runUntil(60);
    return run.records();
  }

  static std::shared_ptr<cell::CellModel> tables()
  {
    const cell::MechanismCatalogue catalogue(io::parseMechanismTables(kSquid, ""));
    auto model = test::ball({{cell::kPassive, morphology::kSoma, {0.0003, -54.3}},
                             {catalogue.find("squid_na"), morphology::kSoma, {0.12}},
                             {catalogue.find("squid_k"), morphology::kSoma, {0.036}}});
    model->biophysics.mechanisms = catalogue;
    return model;
  }

private slots:
  void aSquidAxonOfTablesIsHh()
  {
    const std::vector<double> hh = recordsOf(test::ball({test::hh()}))[0], own = recordsOf(tables())[0];
    QVERIFY(*std::ranges::max_element(hh) > 30); // it spikes
    double worst = 0;
    for (std::size_t k = 0; k < hh.size(); ++k)
      worst = std::max(worst, std::abs(hh[k] - own[k]));
    QVERIFY2(worst < 1e-9, qPrintable(QString::number(worst)));
  }

  /// One cell alone, and the same among others: the same bits.
  void tablesAreTheSameInEveryBlock()
  {
    const auto one = recordsOf(tables()), many = recordsOf(tables(), Quantity::Potential, 0.1, 11);
    for (const std::vector<double>& record : many)
      QVERIFY(record == one[0]);
  }

  void tablesCarryCalcium()
  {
    const cell::MechanismCatalogue catalogue(io::parseMechanismTables(kSquid, ""));
    auto model = test::ball({{catalogue.find("own_ca"), morphology::kSoma, {1e-5}},
                             {cell::kCalciumDynamics, morphology::kSoma, {0.05, 80, 0.1, 1e-4}},
                             {cell::kPassive, morphology::kSoma, {0.001, -70}}});
    model->biophysics.mechanisms = catalogue;
    const std::vector<double> calcium = recordsOf(model, Quantity::Calcium, 0)[0];
    QVERIFY(calcium.back() > 1.1e-4); // it comes in
  }

  void calciumHasAStartOfItsOwn()
  {
    const auto model = test::ball({{cell::kCalciumDynamicsE2, morphology::kSoma, {0.05, 80, 0.1, 1e-4, 5e-5}},
                                   {cell::kPassive, morphology::kSoma, {0.001, -65}}});
    const std::vector<double> calcium = recordsOf(model, Quantity::Calcium, 0)[0];
    QVERIFY(calcium[0] < 5.01e-5);
    QVERIFY(std::abs(calcium.back() - (1e-4 - 5e-5 * std::exp(-60.0 / 80))) < 1e-8);
  }

  void aShareOfANodeIsAShareOfItsConductance()
  {
    cell::Density whole = test::hh(), half = test::hh();
    for (const std::size_t k : {0, 1, 2})
      whole.parameters[k] /= 2;
    half.type = cell::kPlaced;
    half.places = {{0, 0.5}};
    QVERIFY(recordsOf(test::ball({whole})) == recordsOf(test::ball({half})));
    auto painted = test::ball({test::hh()}), usual = test::ball({test::hh()});
    painted->biophysics.painted = {{&cell::Region::capacitance, 2, {{0, 1}}}};
    usual->biophysics.regions[morphology::kSoma] = {.capacitance = 2};
    QVERIFY(recordsOf(painted) == recordsOf(usual));
  }

  void whatIsOutOfRangeIsRefused()
  {
    const auto said = [](const std::shared_ptr<cell::CellModel>& model, Backend backend = Backend::Cpu) {
      SimulationParameters parameters;
      parameters.backend = backend;
      try {
        Simulation(test::networkOf(model), parameters);
      } catch (const Error& error) {
        return QString(error.what());
      }
      return QString();
    };
    auto negative = test::ball({test::hh()});
    negative->biophysics.densities[0].parameters[0] = -1;
    QVERIFY2(said(negative).contains("ball: gnabar of hh"), qPrintable(said(negative)));
    QVERIFY2(said(tables(), Backend::Cuda).contains("on the CPU alone"), qPrintable(said(tables(), Backend::Cuda)));
  }
};

HINESIGHT_TEST(TestOwnMechanisms)
#include "test_own_mechanisms.moc"
