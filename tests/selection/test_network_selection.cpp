#include "core/files.hpp"
#include "paths/paths.hpp"
#include "selection/network_table.hpp"
#include "test_main.hpp"

#include <QTest>

#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::selection;

namespace {

using Rows = std::vector<std::size_t>;

const std::vector<std::uint64_t> kOffsets = {0, 2, 2, 3};
const std::vector<std::uint32_t> kTargets = {0, 1, 1};
const std::vector<double> kWeights = {1, 2, -0.5};

/// Three neurons of E at x = 0, 10, 20, two of I at 0 and 100; E projects onto I.
NetworkTable smallNetwork()
{
  NetworkTable table;
  table.addPopulation("E", 3);
  table.firstTarget = 3;
  table.addPopulation("I", 2);
  table.position = [](std::size_t neuron) {
    constexpr double kX[] = {0, 10, 20, 0, 100};
    return std::array<double, 3>{kX[neuron], 0, 0};
  };
  table.connection = "excitation";
  table.offsets = kOffsets;
  table.target = kTargets;
  table.weight = [](std::size_t synapse) { return kWeights[synapse]; };
  table.spikes = [](std::size_t neuron) {
    constexpr double kSpikes[] = {4, 0, 2, 0, 1};
    return kSpikes[neuron];
  };
  table.ran = 500;
  return table;
}

Rows rowsWhere(const NetworkTable& table, SetKind kind, const std::string& text)
{
  Rows rows;
  Expression(text, vocabularyOf(kind)).visitRows(*rowsOf(table, kind), [&](std::size_t row) { rows.push_back(row); });
  return rows;
}

} // namespace

class TestNetworkSelection : public QObject
{
  Q_OBJECT

private slots:
  void neuronsHaveFigures_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<Rows>("rows");
    const auto row = [](const char* text, const Rows& rows) { QTest::newRow(text) << QString(text) << rows; };
    row("population == \"E\"", {0, 1, 2});
    row("population != 1", {3, 4});
    row("population == \"*\"", {0, 1, 2, 3, 4});
    row("index == 1", {1, 4});
    row("index in {0, 2} && population == \"E\"", {0, 2});
    row("x > 5", {1, 2, 4});
    row("y == 0 && z == 0 && x == 20", {2});
    row("outDegree == 2", {0});
    row("outDegree == 0", {1, 3, 4});
    row("inDegree == 2", {4});
    row("inDegree + outDegree >= 1", {0, 2, 3, 4});
    row("spikes > 1", {0, 2});
    row("spikes == 0", {1, 3});
    row("rate == 8", {0});
    row("0 < rate <= 4", {2, 4});
  }

  void neuronsHaveFigures()
  {
    QFETCH(QString, text);
    QFETCH(Rows, rows);
    QCOMPARE(rowsWhere(smallNetwork(), SetKind::Neurons, text.toStdString()), rows);
  }

  void synapsesHaveFigures_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<Rows>("rows");
    const auto row = [](const char* text, const Rows& rows) { QTest::newRow(text) << QString(text) << rows; };
    row("weight > 0", {0, 1});
    row("source == 2", {2});
    row("targetPopulation == \"I\" && target == 1", {1, 2});
    row("sourcePopulation == \"I\"", {});
    row("distance > 90", {1});
    row("distance == 0", {0});
    row("delay >= 0", {});
  }

  void synapsesHaveFigures()
  {
    QFETCH(QString, text);
    QFETCH(Rows, rows);
    QCOMPARE(rowsWhere(smallNetwork(), SetKind::Synapses, text.toStdString()), rows);
  }

  /// Rows are read a piece at a time, and a source may have none.
  void longTablesHaveTheirSources()
  {
    constexpr std::size_t kSources = 1500;
    NetworkTable table;
    table.addPopulation("all", kSources);
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> targets;
    for (std::uint32_t source = 0; source < kSources; ++source) {
      offsets.push_back(targets.size());
      if (source % 3 != 0)
        targets.push_back(source);
    }
    offsets.push_back(targets.size());
    table.offsets = offsets;
    table.target = targets;
    QCOMPARE(rowsWhere(table, SetKind::Synapses, "source == target").size(), targets.size());
    QVERIFY(rowsWhere(table, SetKind::Synapses, "source != target").empty());
    QCOMPARE(rowsWhere(table, SetKind::Neurons, "inDegree == 0 && outDegree == 0").size(), kSources / 3);
  }

  void whatIsUnknownIsInNoCondition()
  {
    NetworkTable table;
    table.addPopulation("E", 2);
    for (const char* text : {"x < 1", "x >= 1", "outDegree >= 0", "inDegree >= 0", "spikes >= 0", "rate >= 0"})
      QVERIFY2(rowsWhere(table, SetKind::Neurons, text).empty(), text);
    QCOMPARE(rowsWhere(table, SetKind::Neurons, "!(x < 1)"), (Rows{0, 1}));
    QVERIFY(rowsWhere(table, SetKind::Synapses, "source >= 0").empty());
  }

  void chosenSynapsesMarkTheirEnds()
  {
    const NetworkTable table = smallNetwork();
    const Expression positive("weight > 0", vocabularyOf(SetKind::Synapses));
    const NetworkChoice all = choose(table, SetKind::Synapses, positive, 10);
    QCOMPARE(all.selected, std::size_t(2));
    QCOMPARE(all.all, std::size_t(3));
    QCOMPARE(all.weight, 3.0);
    QCOMPARE(all.neurons, (Rows{0, 3, 4}));
    const NetworkChoice first = choose(table, SetKind::Synapses, positive, 2);
    QCOMPARE(first.neurons, (Rows{0, 3}));
    QCOMPARE(first.ends, std::size_t(3));
    const NetworkChoice neurons =
        choose(table, SetKind::Neurons, Expression("x >= 10", vocabularyOf(SetKind::Neurons)), 10);
    QCOMPARE(neurons.selected, std::size_t(3));
    QCOMPARE(neurons.all, std::size_t(5));
    QCOMPARE(neurons.neurons, (Rows{1, 2, 4}));
  }

  void canBeCancelled()
  {
    const NetworkTable table = smallNetwork();
    RunControl control;
    control.cancel();
    QVERIFY_THROWS_EXCEPTION(
        Error, choose(table, SetKind::Neurons, Expression("x > 0", vocabularyOf(SetKind::Neurons)), 1, control));
  }

  void aWrongExpressionIsMarkedWhereItIsWrong_data()
  {
    QTest::addColumn<bool>("isOfSynapses");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<QString>("says");
    const auto row = [](bool isOfSynapses, const char* text, int begin, int end, const char* says) {
      QTest::newRow(text) << isOfSynapses << QString(text) << begin << end << QString(says);
    };
    row(false, "populaton == 1", 0, 9, "did you mean \"population\"?");
    row(false, "type == axon", 0, 4,
        "There is no field \"type\"; the fields are population, index, x, y, z, outDegree, inDegree, spikes, rate.");
    row(false, "x == \"E\"", 5, 8, "name of a population; only the field \"population\" is compared with it.");
    row(false, "population == L4-exc", 14, 20,
        "The name of a population stands in quotation marks: population == \"L4-exc\".");
    row(false, "population == x-cells", 14, 21, "quotation marks: population == \"x-cells\".");
    row(true, "weight > 0 && targetPopulation != I", 34, 35, "quotation marks: targetPopulation != \"I\".");
    row(false, "index in {x}", 10, 11, "A set has numbers and names of populations.");
    row(true, "source", 0, 6, "compare it with another: weight > 0.5.");
    row(true, "sourcePopulation", 0, 16, "A population is chosen by sourcePopulation == \"its name\".");
    row(true, "weight in {\"E\"}", 11, 14, "fields \"sourcePopulation\" and \"targetPopulation\" are compared");
  }

  void aWrongExpressionIsMarkedWhereItIsWrong()
  {
    QFETCH(bool, isOfSynapses);
    QFETCH(QString, text);
    QFETCH(int, begin);
    QFETCH(int, end);
    QFETCH(QString, says);
    try {
      Expression expression(text.toStdString(), vocabularyOf(isOfSynapses ? SetKind::Synapses : SetKind::Neurons));
      QFAIL("It was taken.");
    } catch (const ExpressionError& error) {
      QVERIFY2(QString(error.what()).contains(says), error.what());
      QCOMPARE(static_cast<int>(error.begin()), begin);
      QCOMPARE(static_cast<int>(error.end()), end);
    }
  }

  void aTableMayNumberItsNeurons()
  {
    NetworkTable table = smallNetwork();
    table.number = [](std::size_t neuron) { return static_cast<std::uint32_t>(10 * neuron); };
    QCOMPARE(rowsWhere(table, SetKind::Neurons, "index == 30"), Rows{3});
    QCOMPARE(rowsWhere(table, SetKind::Synapses, "source == 20 && target == 40"), Rows{2});
  }

  void examplesAreExpressions()
  {
    for (const SetKind kind : {SetKind::Branches, SetKind::Neurons, SetKind::Synapses})
      for (const std::string_view text :
           {vocabularyOf(kind).condition, vocabularyOf(kind).comparison, vocabularyOf(kind).set})
        Expression(text, vocabularyOf(kind)); // throws else
  }

  void thePageNamesEveryField()
  {
    const std::string page = readFile(tests::sourceFile("docs/selection.md").toStdString());
    for (const SetKind kind : {SetKind::Neurons, SetKind::Synapses}) {
      std::string fields;
      for (const ExpressionField& field : vocabularyOf(kind).fields)
        fields += "| `" + std::string(field.name) + "` | " + std::string(field.unit) +
                  (field.unit.empty() ? "| " : " | ") + std::string(field.help) + " |\n";
      QVERIFY2(page.find("| --- | --- | --- |\n" + fields + "\n") != std::string::npos, fields.c_str());
    }
  }
};

HINESIGHT_TEST(TestNetworkSelection)
#include "test_network_selection.moc"
