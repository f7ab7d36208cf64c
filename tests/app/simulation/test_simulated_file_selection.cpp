#include "app/app_fixture.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/neuron_bar.hpp"
#include "app/selection/neuron_selection.hpp"
#include "simulated_circuit_fixture.hpp"
#include "small_circuit.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"

#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

using Neurons = std::vector<CircuitNeuron>;
using Numbers = std::vector<std::uint32_t>;

const QString kCell = QStringLiteral(":/samples/synthetic_pyramidal_fit.json");

// Of the small circuit of files: nodes 3 and 5 are cells, node 4 is a point neuron.
constexpr std::uint32_t kThird = 0, kFourth = 2, kFifth = 1;

} // namespace

/// Selects neurons of models that are no circuit of the session, in the real main window.
class TestSimulatedFileSelection : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

private slots:
  void init() { QSettings().clear(); }
  void cleanup() { window.reset(); }

  void anExpressionSelectsNodesOfAFile();
  void anExpressionFollowsTheRun();
  void rowsCellsAndExpressionsAgree();
  void aRowIsCalledByItsNode();
  void selectsTheCellOfAFit();
  void anotherCurrentKeepsWhatIsSelected();
  void anotherModelHasItsOwnSelection();
  void theCircuitKeepsItsSelection();
  void aSetOfPairsIsSelectedOnItsPage();

private:
  NeuronSelection& ofCircuit() const { return *window->findChild<NeuronSelection*>(); }
  ExpressionEdit& line() const { return *find<ExpressionEdit>("neuronsWhere"); }

  void open(const QString& path)
  {
    QVERIFY(showWindow({1400, 950}));
    QSignalSpy opened(&page(), &SimulationPage::opened);
    window->openFiles({path});
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  }
  /// Node 5 lies 200 µm beside node 3; nobody says where the virtual nodes are.
  void openSmallCircuit()
  {
    tests::SmallCircuit circuit;
    for (const char* axis : {"x", "y", "z"})
      circuit.nodes.addNumbers(std::string("/nodes/inside/0/") + axis,
                               *axis == 'x' ? std::vector<double>{0, 50, 200} : std::vector<double>{0, 0, 0});
    open(QString::fromStdString(circuit.write(path("files"))));
  }
  void openSampleCircuit() { open(QString::fromLatin1(study::kSampleCircuit)); }
  /// By the menu, in the place of what is there.
  void write(const char* expression)
  {
    find<QAction>("selectNeuronsAction")->trigger();
    QVERIFY(page().isVisible() && line().isVisible());
    line().setFocus();
    line().selectAll();
    QTest::keyClicks(&line(), QLatin1String(expression));
    page().neurons()->settle();
  }
  static void drag(QWidget* widget, const QPoint& from, const QPoint& to)
  {
    QTest::mousePress(widget, Qt::LeftButton, Qt::ShiftModifier, from);
    for (const QPoint& point : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, point, widget->mapToGlobal(point), Qt::NoButton, Qt::LeftButton,
                       Qt::ShiftModifier);
      QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, Qt::ShiftModifier, to);
  }
  void dragOverRows(std::uint32_t from, std::uint32_t to)
  {
    widgets::RasterChart& raster = page().raster();
    const int left = static_cast<int>(raster.plot().left()) + 20;
    drag(&raster, {left, static_cast<int>(raster.yOf(from))}, {left + 60, static_cast<int>(raster.yOf(to))});
  }
  Numbers spiking() const
  {
    Numbers neurons;
    for (const simulation::Spike& spike : page().raster().store().spikes())
      neurons.push_back(spike.cell);
    std::ranges::sort(neurons);
    neurons.erase(std::ranges::unique(neurons).begin(), neurons.end());
    return neurons;
  }
  Numbers selected() const
  {
    Numbers neurons = page().selection();
    std::ranges::sort(neurons);
    return neurons;
  }
};

/// By the names, the node ids and the places that the files say.
void TestSimulatedFileSelection::anExpressionSelectsNodesOfAFile()
{
  openSmallCircuit();
  write("population == \"inside\" && index >= 4");
  QCOMPARE(page().selection(), (Numbers{kFourth, kFifth}));
  QCOMPARE(page().view().selectedCells(), (Numbers{kFourth, kFifth}));
  QCOMPARE(find<QLabel>("neuronCount")->text(), QStringLiteral("2 of 5 neurons"));
  QCOMPARE(page().neurons()->neurons(), (Neurons{{"inside", 4}, {"inside", 5}}));
  QVERIFY(ofCircuit().isEmpty());
  write("x == 200");
  QCOMPARE(page().selection(), Numbers{kFifth});
  write("y == 0 && x < 100");
  QCOMPARE(page().selection(), (Numbers{kThird, kFourth}));
  write("population == \"outside\""); // which have no rows
  QCOMPARE(find<QLabel>("neuronCount")->text(), QStringLiteral("2 of 5 neurons"));
  QVERIFY(page().selection().empty());
  write("population == \"outside\" && x >= 0");
  QCOMPARE(find<QLabel>("neuronCount")->text(), QStringLiteral("0 of 5 neurons"));
}

void TestSimulatedFileSelection::anExpressionFollowsTheRun()
{
  openSampleCircuit();
  QTRY_VERIFY(find<QAction>("selectWhereAction")->isEnabled());
  write("spikes >= 0");
  QVERIFY(page().selection().empty()); // nothing ran
  write("rate > 0");
  runMore();
  QVERIFY(!spiking().empty());
  QTRY_COMPARE(selected(), spiking());
  write("spikes == 0 && population == \"stellate\"");
  const Numbers all = spiking();
  for (const std::uint32_t neuron : page().selection())
    QVERIFY(neuron >= 9 && !std::ranges::binary_search(all, neuron));
  write("rate > 0");
  click("simulationReset");
  QTRY_VERIFY(page().selection().empty());
}

void TestSimulatedFileSelection::rowsCellsAndExpressionsAgree()
{
  openSmallCircuit();
  dragOverRows(kThird, kFourth);
  QCOMPARE(page().selection(), (Numbers{kThird, kFourth}));
  QVERIFY(find<QWidget>("neuronBar")->isVisible());
  const std::string expression = page().neurons()->namedAs(QStringLiteral("rows"))->expression;
  QCOMPARE(QString::fromStdString(expression), QStringLiteral("population == \"inside\" && index in {3, 4}"));
  find<QAction>("invertAction")->trigger(); // the virtual nodes too
  QCOMPARE(page().selection(), Numbers{kFifth});
  write(expression.c_str());
  QCOMPARE(page().selection(), (Numbers{kThird, kFourth}));

  const auto& detectors = page().model()->circuit.network.detectors;
  QTRY_VERIFY_WITH_TIMEOUT(page().view().pixelOf({kFifth, detectors[kFifth].node}), kPatience); // it is drawn
  auto* canvas = find<QWidget>("voltageCanvas");
  drag(canvas, {1, 1}, {canvas->width() - 2, canvas->height() - 2});
  QCOMPARE(page().neurons()->neurons(), (Neurons{{"inside", 3}, {"inside", 5}}));
  QVERIFY(line().text().isEmpty());
  find<QAction>("hideBranchesAction")->trigger();
  QVERIFY(page().selection().empty());
  QCOMPARE(page().neurons()->hidden().count(), std::size_t{2});
  find<QAction>("showAllBranchesAction")->trigger();
  QCOMPARE(selected(), (Numbers{kThird, kFifth}));
}

void TestSimulatedFileSelection::aRowIsCalledByItsNode()
{
  openSmallCircuit();
  widgets::RasterChart& raster = page().raster();
  const QPoint at(static_cast<int>(raster.plot().left()) + 20, static_cast<int>(raster.yOf(kFourth)));
  QHelpEvent help(QEvent::ToolTip, at, raster.mapToGlobal(at));
  QApplication::sendEvent(&raster, &help);
  QVERIFY2(QToolTip::text().startsWith(QStringLiteral("inside, neuron 4:")), qPrintable(QToolTip::text()));
}

void TestSimulatedFileSelection::selectsTheCellOfAFit()
{
  open(kCell);
  write("population == \"cell\" && index == 0");
  QCOMPARE(page().selection(), Numbers{0});
  runMore();
  write("spikes > 0");
  QCOMPARE(page().selection(), spiking());
}

void TestSimulatedFileSelection::anotherCurrentKeepsWhatIsSelected()
{
  open(kCell);
  write("index == 0");
  QSignalSpy opened(&page(), &SimulationPage::opened);
  type("simulationCurrentAmplitudeSpin", "0.5");
  QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty() && page().model()->request.current.amplitude == 0.5, kPatience);
  QCOMPARE(page().selection(), Numbers{0});
  QCOMPARE(page().view().selectedCells(), Numbers{0});
  QCOMPARE(line().text(), QStringLiteral("index == 0"));
}

/// Nothing of the former one is left: it had more neurons.
void TestSimulatedFileSelection::anotherModelHasItsOwnSelection()
{
  openSampleCircuit();
  write("index >= 2");
  QVERIFY(page().selection().size() > 2);
  find<QAction>("hideBranchesAction")->trigger();
  page().select({10, 11});
  runMore();
  type("liveStimuliSpin", "0.5");
  runMore();
  QVERIFY(!page().axis().marks().empty());
  open(kCell);
  QVERIFY(page().selection().empty() && page().neurons()->isEmpty() && !page().neurons()->isAnyHidden());
  QVERIFY(line().text().isEmpty());
  QVERIFY(!find<QAction>("previousSelectionAction")->isEnabled());
  QVERIFY(page().axis().marks().empty());
  write("spikes >= 0");
  QVERIFY(page().selection().empty()); // the run was of the former one
  write("index >= 0");
  QCOMPARE(page().selection(), Numbers{0});
  openSmallCircuit();
  QVERIFY(page().selection().empty());
  write("index >= 0");
  QCOMPARE(page().selection(), (Numbers{kThird, kFourth, kFifth}));
}

/// And so does a file that has populations of the same names.
void TestSimulatedFileSelection::theCircuitKeepsItsSelection()
{
  openSmallSession();
  openCircuit();
  write("population == \"E\" && index >= 2");
  QCOMPARE(page().selection(), (Numbers{2, 3}));
  openSampleCircuit();
  QVERIFY(page().selection().empty());
  QVERIFY(line().text().isEmpty());
  write("population == \"stellate\"");
  QCOMPARE(page().selection(), (Numbers{9, 10, 11}));
  QCOMPARE(ofCircuit().neurons(), (Neurons{{"E", 2}, {"E", 3}}));
  openCircuit();
  QCOMPARE(page().selection(), (Numbers{2, 3}));
  QCOMPARE(line().text(), QStringLiteral("population == \"E\" && index >= 2"));
}

/// They are of no connection that another page could show.
void TestSimulatedFileSelection::aSetOfPairsIsSelectedOnItsPage()
{
  openSampleCircuit();
  window->showView(ViewKind::Projection);
  find<NeuronBar>("neuronBar")
      ->selectSet(
          {.name = "pairs", .expression = "sourcePopulation == \"stellate\"", .of = selection::SetKind::Synapses});
  QVERIFY(page().isVisible());
  page().neurons()->settle();
  const QString choice = find<QLabel>("neuronCount")->text();
  QVERIFY2(choice.contains(QStringLiteral("synapses")), qPrintable(choice));
  QVERIFY(page().selection().size() > 3); // the stellate cells, and those that they go to
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulatedFileSelection>)
#include "test_simulated_file_selection.moc"
