#include "cell/cell_model.hpp"
#include "cell/mechanism.hpp"
#include "simulated_cells.hpp"
#include "test_main.hpp"

#include <QTest>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

using namespace hinesight;
using namespace hinesight::cell;

namespace {

using Gate = std::pair<double, double>; // at rest, and the time constant, ms

double trap(double x, double k)
{
  return x == 0 ? k : x / std::expm1(x / k);
}

const double kWarm = std::pow(2.3, (34 - 21) / 10.0);

/// The gates of the mechanisms of the Blue Brain Project, each as its publication has it, in the library's functions.
struct Published
{
  const char* name;
  std::function<std::vector<Gate>(double v)> gates;
  std::function<double(const std::vector<double>&)> open;
};

Gate rates(double opening, double closing, double q = kWarm)
{
  return {opening / (opening + closing), 1 / (q * (opening + closing))};
}

const Published kPublished[] = {
    {"NaTs2_t",
     [](double v) {
       return std::vector{rates(0.182 * trap(-(v + 32), 6), 0.124 * trap(v + 32, 6)),
                          rates(0.015 * trap(v + 60, 6), 0.015 * trap(-(v + 60), 6))};
     },
     [](const auto& s) { return std::pow(s[0], 3) * s[1]; }},
    {"NaTa_t",
     [](double v) {
       return std::vector{rates(0.182 * trap(-(v + 38), 6), 0.124 * trap(v + 38, 6)),
                          rates(0.015 * trap(v + 66, 6), 0.015 * trap(-(v + 66), 6))};
     },
     [](const auto& s) { return std::pow(s[0], 3) * s[1]; }},
    {"Nap_Et2",
     [](double v) {
       const double rho = 0.182 * trap(-(v + 38), 6) + 0.124 * trap(v + 38, 6);
       const double slow = 2.88e-6 * trap(v + 17, 4.63) + 6.94e-6 * trap(-(v + 64.4), 2.63);
       return std::vector<Gate>{{1 / (1 + std::exp(-(v + 52.6) / 4.6)), 6 / (kWarm * rho)},
                                {1 / (1 + std::exp((v + 48.8) / 10)), 1 / (kWarm * slow)}};
     },
     [](const auto& s) { return std::pow(s[0], 3) * s[1]; }},
    {"K_Pst",
     [](double v) {
       const double tau = 1.25 + (v < -60 ? 175.03 * std::exp((v + 10) * 0.026) : 13 * std::exp(-(v + 10) * 0.026));
       return std::vector<Gate>{{1 / (1 + std::exp(-(v + 11) / 12)), tau / kWarm},
                                {1 / (1 + std::exp((v + 64) / 11)),
                                 (360 + (1010 + 24 * (v + 65)) * std::exp(-std::pow((v + 85) / 48, 2))) / kWarm}};
     },
     [](const auto& s) { return std::pow(s[0], 2) * s[1]; }},
    {"K_Tst",
     [](double v) {
       return std::vector<Gate>{
           {1 / (1 + std::exp(-(v + 10) / 19)), (0.34 + 0.92 * std::exp(-std::pow((v + 81) / 59, 2))) / kWarm},
           {1 / (1 + std::exp((v + 76) / 10)), (8 + 49 * std::exp(-std::pow((v + 83) / 23, 2))) / kWarm}};
     },
     [](const auto& s) { return std::pow(s[0], 4) * s[1]; }},
    {"SKv3_1",
     [](double v) {
       return std::vector<Gate>{{1 / (1 + std::exp((18.7 - v) / 9.7)), 4 / (1 + std::exp(-(v + 46.56) / 44.14))}};
     },
     [](const auto& s) { return s[0]; }},
    {"Ca_LVAst",
     [](double v) {
       return std::vector<Gate>{{1 / (1 + std::exp(-(v + 40) / 6)), (5 + 20 / (1 + std::exp((v + 35) / 5))) / kWarm},
                                {1 / (1 + std::exp((v + 90) / 6.4)), (20 + 50 / (1 + std::exp((v + 50) / 7))) / kWarm}};
     },
     [](const auto& s) { return std::pow(s[0], 2) * s[1]; }},
};

} // namespace

/// The list of mechanisms, and ranges of what cells are made of.
class TestMechanisms : public QObject
{
  Q_OBJECT

private slots:
  void placesOfMechanismsAreTheirs()
  {
    QCOMPARE(mechanismNamed("pas"), kPassive);
    QCOMPARE(mechanismNamed("hh"), kHh);
    QCOMPARE(mechanismNamed("CaDynamics"), kCalciumDynamics);
    QCOMPARE(mechanismNamed("CaDynamics_E2"), kCalciumDynamicsE2);
    QCOMPARE(mechanismNamed("nothing"), -1);
    const Mechanism& calcium = allMechanisms()[kCalciumDynamicsE2];
    QCOMPARE(calcium.parameters[4].name, std::string("initCai"));
    for (const Mechanism& mechanism : allMechanisms())
      for (const ChannelUse& channel : mechanism.channels)
        QCOMPARE(stateNames(channel.kind).size(),
                 visitChannel(channel.kind, [](auto each) { return std::size_t{each.kStates}; }));
  }

  void conductancesHaveTwoNames()
  {
    const Mechanism& sodium = allMechanisms()[static_cast<std::size_t>(mechanismNamed("NaTs2_t"))];
    QCOMPARE(sodium.parameterNamed("gbar"), std::optional<std::size_t>(0));
    QCOMPARE(sodium.parameterNamed("gNaTs2_tbar"), std::optional<std::size_t>(0));
    QVERIFY(!sodium.parameterNamed("gNaTsbar"));
    QVERIFY(!sodium.parameterNamed("vshift"));
  }

  void statesAreFoundByTheirNames()
  {
    QCOMPARE(findState("hh", "n")->channel, ChannelKind::HhPotassium);
    QCOMPARE(findState("hh", "h")->state, std::uint8_t{1});
    QCOMPARE(findState("Kv2like", "h2")->state, std::uint8_t{2});
    QCOMPARE(findState("NaV", "O")->state, std::uint8_t{5});
    QCOMPARE(findState("Ca_HVA", "h")->channel, ChannelKind::CaHva);
    QVERIFY(!findState("SK", "m"));
    QVERIFY(!findState("i", "pas"));
  }

  /// At 34 degrees whatever the cell's own temperature is.
  void blueBrainChannelsAreAsPublished()
  {
    const Temperature temperature = temperatureOf(20);
    for (const Published& published : kPublished) {
      const Mechanism& mechanism = allMechanisms()[static_cast<std::size_t>(mechanismNamed(published.name))];
      const std::vector<double> parameters(4, 0.0);
      visitChannel(mechanism.channels[0].kind, [&](auto channel) {
        constexpr double kStep = 0.05; // ms
        for (double v = -120; v <= 60; v += 0.5) {
          const std::vector<Gate> gates = published.gates(v);
          std::array<double, 12> s{};
          channel.start(v, {}, temperature, {parameters.data(), 1}, {s.data(), 1});
          for (std::size_t k = 0; k < gates.size(); ++k)
            QVERIFY2(std::abs(s[k] - gates[k].first) < 1e-14, published.name);
          s.fill(0.25);
          channel.advance(v, kStep, {}, temperature, {parameters.data(), 1}, {s.data(), 1});
          for (std::size_t k = 0; k < gates.size(); ++k) {
            const double there = gates[k].first + (0.25 - gates[k].first) * std::exp(-kStep / gates[k].second);
            QVERIFY2(std::abs(s[k] - there) < 1e-14, published.name);
          }
          std::vector<double> states(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(gates.size()));
          QVERIFY(std::abs(channel.open(v, {}, temperature, {parameters.data(), 1}, {s.data(), 1}) -
                           published.open(states)) < 1e-15);
        }
      });
    }
  }

  void whatIsOutOfRangeIsNamed()
  {
    const auto said = [](const std::function<void(CellModel&)>& spoil) {
      CellModel model = *test::ball({test::hh()});
      spoil(model);
      return QString::fromStdString(problemOf(model).value_or(""));
    };
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(said([](CellModel&) {}), QString());
    QVERIFY(said([](CellModel& m) { m.biophysics.densities[0].parameters[1] = -0.01; }).contains("gkbar of hh"));
    QVERIFY(said([](CellModel& m) { m.biophysics.densities[0].parameters[0] = kNan; }).contains("gnabar of hh"));
    QVERIFY(said([](CellModel& m) { m.biophysics.densities[0].parameters.pop_back(); }).contains("3 parameters"));
    QVERIFY(said([](CellModel& m) { m.biophysics.densities[0].mechanism = 99; }).contains("mechanism 99"));
    QVERIFY(said([](CellModel& m) { m.biophysics.regions[1].capacitance = 0; }).contains("capacitance"));
    QVERIFY(said([](CellModel& m) { m.biophysics.regions[3].resistivity = -1; }).contains("resistivity"));
    QVERIFY(said([](CellModel& m) { m.biophysics.regions[1].sodiumReversal = kNan; }).contains("sodium"));
    QVERIFY(said([](CellModel& m) { m.biophysics.startPotential = kNan; }).contains("start"));
    QVERIFY(said([](CellModel& m) { m.biophysics.celsius = -300; }).contains("temperature"));
    QVERIFY(said([](CellModel& m) {
              m.biophysics.densities[0].type = kPlaced;
              m.biophysics.densities[0].places = {{7, 1}};
            }).contains("node 7"));
    QVERIFY(said([](CellModel& m) {
              m.biophysics.painted = {{&Region::capacitance, 2, {{0, 1.5}}}};
            }).contains("1.5 of the node 0"));
  }

  void paintedValuesCountByTheirShare()
  {
    CellModel model = *test::ball({});
    model.biophysics.regions[morphology::kSoma] = {.capacitance = 1};
    model.biophysics.painted = {{&Region::capacitance, 3, {{0, 0.25}}}, {&Region::resistivity, 200, {{0, 1}}}};
    const std::vector<Region> regions = regionsOfNodes(model);
    QCOMPARE(regions[0].capacitance, 1.5);
    QCOMPARE(regions[0].resistivity, 200.0);
    QCOMPARE(regions[0].sodiumReversal, 50.0);
  }
};

HINESIGHT_TEST(TestMechanisms)
#include "test_mechanisms.moc"
