#include "cell/mechanism.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/models/allen_fit.hpp"
#include "io/models/mechanism_tables.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::cell;

namespace {

/// The squid axon of Hodgkin and Huxley (1952) as a user writes it.
const std::string kSquid = R"json({"mechanisms": [
  {"name": "squid_na", "title": "Sodium of the squid axon", "ion": "na", "source": "Hodgkin and Huxley 1952",
   "parameters": [{"name": "gbar", "unit": "S/cm2", "value": 0.12}, {"name": "shift", "unit": "mV", "value": 0}],
   "gates": [
     {"name": "m", "power": 3, "alpha": "3^((celsius-6.3)/10) * 0.1*vtrap(-(v-shift+40), 10)",
      "beta": "3^((celsius-6.3)/10) * 4*exp(-(v-shift+65)/18)"},
     {"name": "h", "alpha": "3^((celsius-6.3)/10) * 0.07*exp(-(v-shift+65)/20)",
      "beta": "3^((celsius-6.3)/10) / (1+exp(-(v-shift+35)/10))"}]},
  {"name": "squid_k", "ion": "k",
   "gates": [{"name": "n", "power": 4, "alpha": "3^((celsius-6.3)/10) * 0.01*vtrap(-(v+55), 10)",
              "beta": "3^((celsius-6.3)/10) * 0.125*exp(-(v+65)/80)"}]},
  {"name": "at_once", "reversal": -45,
   "gates": [{"name": "m", "inf": "1/(1+exp(-(v+52.6)/4.6))"},
             {"name": "z", "inf": "1/(1+pow(4.3e-4/cai, 4.8))", "tau": 1}]}]})json";

std::string refusal(const std::string& text)
{
  try {
    io::parseMechanismTables(text, "tables.json");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// A mechanism with this instead of its gates.
std::string withGates(const std::string& gates, const std::string& more = "\"ion\": \"k\",")
{
  return R"({"mechanisms": [{"name": "own", )" + more + R"("gates": [)" + gates + "]}]}";
}

} // namespace

/// Channels of a user's own.
class TestMechanismTables : public QObject
{
  Q_OBJECT

private slots:
  void aTableIsAMechanism()
  {
    const MechanismTables tables = io::parseMechanismTables(kSquid, "");
    QCOMPARE(tables.size(), std::size_t{3});
    const Mechanism& sodium = *tables[0];
    QCOMPARE(sodium.name, std::string("squid_na"));
    QCOMPARE(sodium.parameters[0].usual, 0.12);
    QCOMPARE(sodium.parameters[1].name, std::string("shift"));
    QCOMPARE(sodium.channels[0].carrier, Carrier::Sodium);
    QCOMPARE(tables[2]->channels[0].carrier, Carrier::Mixed);
    QCOMPARE(tables[2]->channels[0].reversal, -45.0);
    QVERIFY(tables[2]->channels[0].table->usesCalcium);
    QVERIFY(!sodium.channels[0].table->usesCalcium);
    QCOMPARE(tables[2]->channels[0].table->states(), std::size_t{1});
    const MechanismCatalogue catalogue(tables);
    QCOMPARE(catalogue.find("hh"), kHh);
    const std::int32_t place = catalogue.find("squid_k");
    QCOMPARE(place, static_cast<std::int32_t>(allMechanisms().size() + 1));
    QCOMPARE(&catalogue[place], tables[1].get());
    QCOMPARE(catalogue.find("squid"), -1);
  }

  /// To rounding: states at rest, and after a step, over the potentials where terms cancel too.
  void theSquidAxonIsThatOfHh()
  {
    const MechanismTables tables = io::parseMechanismTables(kSquid, "");
    const double none = 0;
    for (const double celsius : {6.3, 18.5}) {
      const Temperature t = temperatureOf(celsius);
      double worst = 0;
      for (int step = 0; step <= 16000; ++step) {
        const double v = -120 + 0.01 * step;
        const auto compare = [&](auto known, const TableChannel& table) {
          std::array<double, 2> a{}, b{};
          known.start(v, {}, t, {&none, 1}, {a.data(), 1});
          table.start(v, {}, t, {&none, 1}, {b.data(), 1});
          for (std::size_t k = 0; k < table.kStates; ++k)
            worst = std::max(worst, std::abs(a[k] - b[k]));
          a = b = {0.3, 0.6};
          known.advance(v, 0.025, {}, t, {&none, 1}, {a.data(), 1});
          table.advance(v, 0.025, {}, t, {&none, 1}, {b.data(), 1});
          for (std::size_t k = 0; k < table.kStates; ++k)
            worst = std::max(worst, std::abs(a[k] - b[k]));
          worst = std::max(worst, std::abs(known.open(v, {}, t, {&none, 1}, {a.data(), 1}) -
                                           table.open(v, {}, t, {&none, 1}, {a.data(), 1})));
        };
        compare(channels::HhSodium(), tables[0]->channels[0].table->channel());
        compare(channels::HhPotassium(), tables[1]->channels[0].table->channel());
      }
      QVERIFY2(worst < 1e-14, qPrintable(QString::number(worst)));
    }
  }

  void parametersAndCalciumCount()
  {
    const MechanismTables tables = io::parseMechanismTables(kSquid, "");
    const Temperature t = temperatureOf(6.3);
    const TableChannel shifted = tables[0]->channels[0].table->channel();
    const double none = 0, shift = 7;
    std::array<double, 2> a{}, b{};
    shifted.start(-60, {}, t, {&shift, 1}, {a.data(), 1});
    shifted.start(-67, {}, t, {&none, 1}, {b.data(), 1});
    QCOMPARE(a, b);
    const TableChannel other = tables[2]->channels[0].table->channel();
    double z = 0;
    const Local local{1e-3};
    other.start(-60, local, t, {&none, 1}, {&z, 1});
    QVERIFY(std::abs(z - 1 / (1 + std::pow(0.43, 4.8))) < 1e-14);
    const double m = 1 / (1 + std::exp(-(-50 + 52.6) / 4.6));
    QVERIFY(std::abs(other.open(-50, local, t, {&none, 1}, {&z, 1}) - m * z) < 1e-15);
  }

  void aFitNamesATable()
  {
    const MechanismCatalogue catalogue(io::parseMechanismTables(kSquid, ""));
    const io::AllenFit fit = io::parseAllenFit(
        R"({"genome": [{"section": "soma", "mechanism": "squid_na", "name": "gbar_squid_na", "value": "0.2"},
                       {"section": "dend", "mechanism": "squid_na", "name": "shift_squid_na", "value": 3}]})",
        "", catalogue);
    const std::int32_t place = catalogue.find("squid_na");
    const auto on = [&](std::int32_t type) {
      return *std::ranges::find_if(fit.biophysics.densities, [&](const Density& density) {
        return density.mechanism == place && density.type == type;
      });
    };
    QCOMPARE(on(morphology::kSoma).parameters, (std::vector<double>{0.2, 0}));
    QCOMPARE(on(morphology::kBasalDendrite).parameters, (std::vector<double>{0.12, 3}));
    QVERIFY(!problemOf(fit.biophysics));
  }

  void whatIsWrongIsNamed_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& text, const char* said) {
      QTest::newRow(name) << QString::fromStdString(text) << said;
    };
    using Entries = std::vector<std::pair<std::string, std::string>>;
    const auto gate = [](const Entries& entries) {
      std::string text = "{\"name\": \"n\"";
      for (const auto& [name, value] : entries)
        text += ", \"" + name + "\": \"" + value + "\"";
      return text + "}";
    };
    const std::string good = gate({{"inf", "0.5"}, {"tau", "2"}});
    row("no JSON", "{", "has no list \"mechanisms\"");
    row("no name", "{\"mechanisms\": [{\"ion\": \"k\", \"gates\": []}]}", "letters, digits");
    row("ion", withGates(good, "\"ion\": \"cl\","), "of the ion \"cl\"");
    row("no carrier", withGates(good, ""), "no number \"reversal\"");
    row("both", withGates(good, "\"ion\": \"k\", \"reversal\": -40,"), "both");
    row("unknown entry", withGates(good, "\"ion\": \"k\", \"q10\": 3,"), "\"q10\"");
    row("expression", withGates(gate({{"inf", "exp(q)"}, {"tau", "2"}})), "column 5: unknown name \"q\"");
    row("open", withGates(gate({{"inf", "0.5"}, {"tau", "(2"}})), "\"tau\" of the gate \"n\"");
    row("negative tau", withGates(gate({{"inf", "0.5"}, {"tau", "v+140"}})), "at -150 mV");
    row("rest above 1", withGates(gate({{"inf", "v/50"}, {"tau", "2"}})), "a value at rest");
    row("no number", withGates(gate({{"alpha", "log(v)"}, {"beta", "1"}})), "nan");
    row("division", withGates(gate({{"alpha", "0.1*(v+40)/(1-exp(-(v+40)/10))"}, {"beta", "1"}})), "at -40 mV");
    row("beta", withGates(gate({{"alpha", "1"}})), "has no \"beta\"");
    row("mixture", withGates(gate({{"alpha", "1"}, {"beta", "1"}, {"tau", "2"}})), "as well as");
    row("power", withGates(gate({{"power", "0"}, {"inf", "1"}, {"tau", "2"}})), "1 to 16");
    row("twice", withGates(good + "," + good), "without a name of its own");
    row("parameter", withGates(good, "\"ion\": \"k\", \"parameters\": [{\"name\": \"v\", \"value\": 1}],"),
        "a parameter");
    row("conductance", withGates(good, "\"ion\": \"k\", \"parameters\": [{\"name\": \"gbar\", \"value\": -1}],"),
        "gbar of -1");
  }

  void whatIsWrongIsNamed()
  {
    QFETCH(QString, text);
    QFETCH(QString, said);
    const QString what = QString::fromStdString(refusal(text.toStdString()));
    QVERIFY2(what.contains(said), qPrintable(what));
  }

  void aFolderIsRead()
  {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    QVERIFY(io::readMechanismFolder(path / "none").empty());
    const auto write = [&](const char* name) {
      writeFileAtomically(path / name, [](std::ostream& stream) { stream << kSquid; });
    };
    write("squid.json");
    QCOMPARE(io::readMechanismFolder(path).size(), std::size_t{3});
    write("twice.json");
    try {
      io::readMechanismFolder(path);
      QFAIL("the same mechanism in two files");
    } catch (const Error& error) {
      QVERIFY2(QString(error.what()).contains("as another file has"), error.what());
    }
  }
};

HINESIGHT_TEST(TestMechanismTables)
#include "test_mechanism_tables.moc"
