#include "app/selection/neurons_fixture.hpp"

#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "app/projection/population_panel.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_page.hpp"
#include "test_main.hpp"

#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QToolButton>
#include <QtTest>

#include <cstdint>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

using Sets = std::vector<selection::NamedSelection>;
using selection::SetKind;

/// 40 neurons of E on a plane, 12 of I on one above it. Each of E goes to the one of I of its number.
constexpr const char* kSession = R"({
  "session": 1,
  "populations": [
    {"name": "E", "kind": "grid", "size": [8, 5, 1], "spacing": [60, 60, 60]},
    {"name": "I", "kind": "grid", "size": [4, 3, 1], "spacing": [90, 90, 60], "origin": [0, 0, 200],
     "role": "inhibitory"}
  ],
  "connections": [
    {"name": "excitation", "source": "E", "target": "I", "kernel": "one-to-one"},
    {"name": "inhibition", "source": "I", "target": "E", "kernel": "gaussian", "sigma": 100, "cut": 0.01},
    {"name": "local", "kind": "formed", "between": ["E", "I"], "formed-axons": 6, "formed-dendrites": 6}
  ]
})";
constexpr int kExcitation = 0; ///< places of the connections
constexpr int kInhibition = 1;
constexpr int kLocal = 2;
constexpr std::uint32_t kE = 40; ///< neurons of E, before those of I on the page Synapses

constexpr const char* kLargeSession = R"({
  "session": 1,
  "populations": [{"name": "E", "kind": "box", "count": 30000, "extent": [2000, 2000, 100]}],
  "connections": [{"name": "excitation", "source": "E", "target": "E", "kernel": "one-to-one"}]
})";

} // namespace

/// Selects neurons and synapses of a circuit by expressions that are typed in the real main window.
class TestNeuronExpressions : public QObject, NeuronsFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow());
    openSession("small.hinesight", kSession, 2);
  }
  void cleanup() { window.reset(); }

  void neuronsAreSelectedOnAllPages();
  void synapsesMarkTheNeuronsThatTheyJoin();
  void aMistakeIsMarked();
  void neuronsAndSynapsesHaveTheirOwnHistory();
  void neuronsOfThePageSynapsesAreSelected();
  void aClickTakesTheExpressionAway();
  void setsAreKeptInTheSession();
  void aSetOfSynapsesShowsItsConnection();
  void undoBringsThemBack();
  void followsItsConnection();
  void followsTheNameOfItsPopulation();
  void ofManyTheFirstAreMarked();

private:
  ExpressionEdit& line() const { return *find<ExpressionEdit>("neuronsWhere"); }
  QString counted() const { return find<QLabel>("neuronCount")->text(); }

  /// By the menu, in the place of what is there.
  void write(const char* expression)
  {
    find<QAction>("selectNeuronsAction")->trigger();
    QVERIFY(line().isVisible());
    line().setFocus();
    line().selectAll();
    QTest::keyClicks(&line(), QLatin1String(expression));
    selected().settle();
  }
  void chooseKind(SetKind kind)
  {
    find<QAction>("selectNeuronsAction")->trigger();
    QTest::keyClick(find<QComboBox>("neuronKind"), kind == SetKind::Synapses ? Qt::Key_Down : Qt::Key_Up);
    selected().settle();
  }
  void keepAs(const char* name)
  {
    QTest::mouseClick(find<QToolButton>("saveNeuronSet"), Qt::LeftButton);
    auto* dialog = find<QInputDialog>("setNameDialog");
    dialog->setTextValue(name);
    dialog->accept();
    QVERIFY(waitForJobs());
  }
};

void TestNeuronExpressions::neuronsAreSelectedOnAllPages()
{
  chooseConnection(kLocal);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && !window->synapses().outcome().joins.empty(), kPatience);
  showProjection(kExcitation);
  QVERIFY(!find<QWidget>("neuronBar")->isVisible());
  write("population == \"E\" && index < 3");
  QCOMPARE(picked(), (Neurons{{"E", 0}, {"E", 1}, {"E", 2}}));
  QCOMPARE(counted(), QString("3 of 52 neurons"));
  QCOMPARE(layers().sources(), (Numbers{0, 1, 2}));
  QCOMPARE(layers().picked(true), (Numbers{0, 1, 2}));
  QCOMPARE(window->synapses().selection(), std::optional<std::uint32_t>(2));

  // Those of the first row above those of the other layer, by where they are.
  write("z == 200 && y == 0");
  QCOMPARE(picked(), (Neurons{{"I", 0}, {"I", 1}, {"I", 2}, {"I", 3}}));
  QCOMPARE(layers().picked(false), (Numbers{0, 1, 2, 3}));
  write("outDegree == 0 && population == \"E\"");
  QCOMPARE(picked().size(), std::size_t{kE - 12}); // one to one with 12

  QTest::mouseClick(find<QToolButton>("closeNeurons"), Qt::LeftButton);
  QVERIFY(picked().empty() && selected().isEmpty());
  QVERIFY(!find<QWidget>("neuronBar")->isVisible());
}

void TestNeuronExpressions::synapsesMarkTheNeuronsThatTheyJoin()
{
  showProjection(kExcitation);
  write("index == 0");
  chooseKind(SetKind::Synapses); // has no such field
  QVERIFY(find<QLabel>("neuronMistake")->isVisible());
  write("source in {1, 4}");
  QVERIFY(!find<QLabel>("neuronMistake")->isVisible());
  QCOMPARE(picked(), (Neurons{{"E", 1}, {"E", 4}, {"I", 1}, {"I", 4}}));
  QVERIFY2(counted().startsWith("2 of 12 synapses of excitation, weight "), qPrintable(counted()));
  QVERIFY2(counted().endsWith("; they join 4 neurons"), qPrintable(counted()));
  write("weight < 0");
  QVERIFY(picked().empty());
  QCOMPARE(counted(), QString("0 of 12 synapses of excitation"));
}

void TestNeuronExpressions::aMistakeIsMarked()
{
  showProjection(kExcitation);
  write("index == 5");
  const Neurons before = picked();
  QCOMPARE(before.size(), std::size_t{2});
  write("indx == 5");
  QCOMPARE(picked(), before);
  auto* mistake = find<QLabel>("neuronMistake");
  QVERIFY(mistake->isVisible());
  QVERIFY2(mistake->text().contains("did you mean \"index\"?"), qPrintable(mistake->text()));
  write("index == 6");
  QVERIFY(!mistake->isVisible());
  QCOMPARE(picked(), (Neurons{{"E", 6}, {"I", 6}}));
  line().selectAll();
  QTest::keyClick(&line(), Qt::Key_Delete);
  QVERIFY(picked().empty());
}

void TestNeuronExpressions::neuronsAndSynapsesHaveTheirOwnHistory()
{
  showProjection(kExcitation);
  write("index == 5");
  QTest::keyClick(&line(), Qt::Key_Return);
  chooseKind(SetKind::Synapses);
  write("source in {1, 4}");
  QTest::keyClick(&line(), Qt::Key_Return);
  QTest::keyClick(&line(), Qt::Key_Up);
  QCOMPARE(line().text(), QString("source in {1, 4}")); // there is no other one of synapses
  chooseKind(SetKind::Neurons);
  QTest::keyClick(&line(), Qt::Key_Up);
  QCOMPARE(line().text(), QString("index == 5"));
  selected().settle();
  QCOMPARE(picked(), (Neurons{{"E", 5}, {"I", 5}}));
  QVERIFY(!find<QLabel>("neuronMistake")->isVisible());
}

void TestNeuronExpressions::neuronsOfThePageSynapsesAreSelected()
{
  chooseConnection(kLocal);
  QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible() && !window->jobs().isActive(), kPatience);
  write("population == \"I\" && index >= 10");
  QCOMPARE(picked(), (Neurons{{"I", 10}, {"I", 11}}));
  QCOMPARE(window->synapses().selection(), std::optional(kE + 11));
  QCOMPARE(window->synapses().view().overlay().marked(), Numbers{kE + 10});
  const auto& lists = *window->synapses().outcome().content.synapses;
  chooseKind(SetKind::Synapses);
  write("weight > -100");
  const QString all = QString::number(static_cast<qulonglong>(lists.outgoing.partner.size()));
  QVERIFY2(counted().startsWith(QStringLiteral("%1 of %1 synapses of local").arg(all)), qPrintable(counted()));
}

void TestNeuronExpressions::aClickTakesTheExpressionAway()
{
  showProjection(kExcitation);
  write("population == \"I\"");
  std::uint32_t below = 0;
  while (below < 12 && layers().sourceAt(layers().pixelOf(false, below).toPoint()))
    ++below;
  write(("population == \"I\" && index == " + std::to_string(below)).c_str());
  QCOMPARE(picked(), (Neurons{{"I", below}}));
  QTest::mouseClick(find<QWidget>("projectionCanvas"), Qt::LeftButton, {}, layers().pixelOf(false, below).toPoint());
  QVERIFY(picked().empty());
  QVERIFY(line().text().isEmpty());
  QVERIFY(counted().isEmpty());
}

void TestNeuronExpressions::setsAreKeptInTheSession()
{
  showProjection(kExcitation);
  write("population == \"E\" && index < 2");
  keepAs("first");
  const Sets kept{{"first", "population == \"E\" && index < 2", {}, SetKind::Neurons}};
  QTRY_COMPARE(window->history().project().selections, kept);
  selected().pick({{"I", 3}, {"E", 7}});
  keepAs("picked");
  QTRY_COMPARE(
      window->history().project().selections.back(),
      (selection::NamedSelection{
          "picked", "population == \"E\" && index == 7 || population == \"I\" && index == 3", {}, SetKind::Neurons}));
  QCOMPARE(find<QComboBox>("selectionSets")->count(), 3); // lists those of cells: none, and what can be done to them
  save("sets.hinesight");
  newWindow();
  open({path("sets.hinesight")});
  QTRY_COMPARE_WITH_TIMEOUT(window->history().project().selections.size(), std::size_t{2}, kPatience);
  QVERIFY(waitForJobs());
  showProjection(kExcitation);
  find<QAction>("selectNeuronsAction")->trigger();
  auto* sets = find<QComboBox>("neuronSets");
  QVERIFY(sets->isVisible());
  QTest::keyClick(sets, Qt::Key_Down);
  QTRY_COMPARE(picked(), (Neurons{{"E", 0}, {"E", 1}}));
  QCOMPARE(line().text(), QString("population == \"E\" && index < 2"));
}

void TestNeuronExpressions::aSetOfSynapsesShowsItsConnection()
{
  showProjection(kExcitation);
  chooseKind(SetKind::Synapses);
  write("source == 3");
  keepAs("third");
  QTRY_COMPARE(window->history().project().selections,
               (Sets{{"third", "source == 3", {}, SetKind::Synapses, "excitation"}}));
  selected().pick({});
  showProjection(kInhibition);
  QTest::keyClick(find<QComboBox>("neuronSets"), Qt::Key_Down);
  QTRY_COMPARE_WITH_TIMEOUT(picked(), (Neurons{{"E", 3}, {"I", 3}}), kPatience);
  QCOMPARE(layers().table()->projection.source->name(), std::string("E"));
}

void TestNeuronExpressions::undoBringsThemBack()
{
  showProjection(kInhibition);
  write("population == \"I\" && index >= 9");
  const Neurons before = picked();
  QCOMPARE(before, (Neurons{{"I", 9}, {"I", 10}, {"I", 11}}));
  auto* panel = find<PopulationPanel>("populationPanel");
  std::vector<study::PopulationChoice> populations = panel->populations();
  populations[1].parameters.size = {4, 2, 1};
  panel->setPopulations(populations);
  emit panel->changed();
  QTRY_VERIFY_WITH_TIMEOUT(picked().empty(), kPatience);
  QVERIFY(line().text().isEmpty());
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && layers().table()->sources() == 8, kPatience);

  find<QAction>("undoAction")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && layers().table()->sources() == 12, kPatience);
  selected().settle();
  QCOMPARE(picked(), before);
  QCOMPARE(line().text(), QString("population == \"I\" && index >= 9"));
  QCOMPARE(layers().picked(true), (Numbers{9, 10, 11}));
  find<QAction>("redoAction")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && layers().table()->sources() == 8, kPatience);
  QVERIFY(picked().empty());
}

/// A degree is that of the table that is shown.
void TestNeuronExpressions::followsItsConnection()
{
  showProjection(kExcitation);
  write("population == \"E\" && outDegree > 0");
  QCOMPARE(picked().size(), std::size_t{12});
  auto* panel = find<PopulationPanel>("populationPanel");
  std::vector<study::PopulationChoice> populations = panel->populations();
  populations[1].parameters.size = {4, 4, 1};
  panel->setPopulations(populations);
  emit panel->changed();
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && layers().table()->projection.destination->count() == 16,
                           kPatience);
  QTRY_COMPARE(picked().size(), std::size_t{16});
  QCOMPARE(counted(), QString("16 of 56 neurons"));
}

void TestNeuronExpressions::followsTheNameOfItsPopulation()
{
  showProjection(kExcitation);
  write("population == \"E\" && outDegree > 0");
  QCOMPARE(picked().size(), std::size_t{12});
  auto* panel = find<PopulationPanel>("populationPanel");
  emit panel->renamed("E", "pyramidal");
  std::vector<study::PopulationChoice> populations = panel->populations();
  populations[0].parameters.name = "pyramidal";
  panel->setPopulations(populations);
  emit panel->changed();
  QTRY_COMPARE_WITH_TIMEOUT(line().text(), QString("population == \"pyramidal\" && outDegree > 0"), kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(
      !window->jobs().isActive() && layers().table()->projection.source->name() == std::string("pyramidal"), kPatience);
  QCoreApplication::processEvents();
  selected().settle();
  QCOMPARE(picked().size(), std::size_t{12});
  QCOMPARE(picked().front(), (CircuitNeuron{"pyramidal", 0}));
}

void TestNeuronExpressions::ofManyTheFirstAreMarked()
{
  newWindow();
  openSession("large.hinesight", kLargeSession, 2); // the window adds a second one
  QTRY_COMPARE_WITH_TIMEOUT(window->project().populations.front().placement.count, std::uint64_t{30'000}, kPatience);
  QVERIFY(waitForJobs());
  showProjection(0);
  write("index >= 5");
  QCOMPARE(picked().size(), NeuronSelection::kMostMarked);
  QCOMPARE(picked().front(), (CircuitNeuron{"E", 5}));
  QCOMPARE(counted(), QString("29,995 of 30,000 neurons; the first 10,000 neurons are marked"));
  QCOMPARE(layers().picked(true).size(), NeuronSelection::kMostMarked);
  QCOMPARE(layers().sources().size(), std::size_t{12});
  // One more that a person picks leaves the others.
  QTest::mouseClick(find<QWidget>("projectionCanvas"), Qt::LeftButton, {}, layers().pixelOf(true, 20'000).toPoint());
  QVERIFY(picked().size() > NeuronSelection::kMostMarked - 2);
}

HINESIGHT_TEST_RUN(runWindowTest<TestNeuronExpressions>)
#include "test_neuron_expressions.moc"
