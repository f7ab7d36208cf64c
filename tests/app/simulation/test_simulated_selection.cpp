#include "app/app_fixture.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/neuron_selection.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "simulated_circuit_fixture.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"

#include <QImage>
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

using Neurons = std::vector<CircuitNeuron>;
using Numbers = std::vector<std::uint32_t>;

constexpr std::uint32_t kPoint = 6; ///< the point neuron, after four cells of E and two of I

} // namespace

/// Selects neurons of a circuit that is simulated, in the real main window: by expressions, by rows of spikes, in
/// space.
class TestSimulatedSelection : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    openSmallSession();
    openCircuit();
  }
  void cleanup() { window.reset(); }

  void anExpressionSelectsRowsAndCells();
  void aMistakeIsMarked();
  void anExpressionFollowsTheRun();
  void aDragOverRowsSelectsTheirNeurons();
  void aBoxInSpaceSelectsItsCells();
  void hiddenCellsAreNotDrawn();
  void aPickCostsAsMuchAsItPicks();

private:
  NeuronSelection& selected() const { return *window->findChild<NeuronSelection*>(); }
  ExpressionEdit& line() const { return *find<ExpressionEdit>("neuronsWhere"); }

  /// By the menu, in the place of what is there.
  void write(const char* expression)
  {
    find<QAction>("selectNeuronsAction")->trigger();
    QVERIFY(page().isVisible() && line().isVisible());
    line().setFocus();
    line().selectAll();
    QTest::keyClicks(&line(), QLatin1String(expression));
    selected().settle();
  }
  static void drag(QWidget* widget, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers)
  {
    QTest::mousePress(widget, Qt::LeftButton, modifiers, from);
    for (const QPoint& point : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, point, widget->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, modifiers);
      QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, modifiers, to);
  }
  /// Over the rows from one neuron to another.
  void dragOverRows(std::uint32_t from, std::uint32_t to, Qt::KeyboardModifiers modifiers)
  {
    widgets::RasterChart& raster = page().raster();
    const int left = static_cast<int>(raster.plot().left()) + 20;
    drag(&raster, {left, static_cast<int>(raster.yOf(from))}, {left + 60, static_cast<int>(raster.yOf(to))}, modifiers);
  }
  /// Of what is simulated, those whose number of spikes until now is as wanted.
  Numbers numbersWhere(const std::function<bool(double spikes)>& isWanted) const
  {
    Numbers wanted;
    for (std::uint32_t neuron = 0; neuron <= kPoint; ++neuron)
      if (isWanted(static_cast<double>(
              std::ranges::count(page().raster().store().spikes(), neuron, &simulation::Spike::cell))))
        wanted.push_back(neuron);
    return wanted;
  }
};

/// Spike sources are neurons of the circuit too.
void TestSimulatedSelection::anExpressionSelectsRowsAndCells()
{
  widgets::RasterChart& raster = page().raster();
  const QPoint inRow(static_cast<int>(raster.plot().right()) - 6, static_cast<int>(raster.yOf(2)));
  const QColor before = raster.grab().toImage().pixelColor(inRow * raster.devicePixelRatioF());
  write("population == \"E\" && index >= 2");
  QCOMPARE(selected().neurons(), (Neurons{{"E", 2}, {"E", 3}}));
  QCOMPARE(page().selection(), (Numbers{2, 3}));
  QCOMPARE(page().view().selectedCells(), (Numbers{2, 3}));
  QCOMPARE(find<QLabel>("neuronCount")->text(), QStringLiteral("2 of 10 neurons"));
  QVERIFY(raster.grab().toImage().pixelColor(inRow * raster.devicePixelRatioF()) != before);

  write("x == 300");
  QCOMPARE(page().selection(), Numbers{3});
  write("population == \"P\" && inDegree == 2"); // both of I go to it
  QCOMPARE(page().selection(), Numbers{kPoint});
  write("population == \"outside\"");
  QCOMPARE(selected().neurons().size(), std::size_t{3});
  QVERIFY(page().selection().empty());
}

void TestSimulatedSelection::aMistakeIsMarked()
{
  write("index == 1");
  const Numbers before = page().selection();
  QCOMPARE(before, (Numbers{1, 5}));
  write("spike > 1");
  auto* mistake = find<QLabel>("neuronMistake");
  QVERIFY(mistake->isVisible());
  QVERIFY2(mistake->text().contains(QStringLiteral("did you mean \"spikes\"?")), qPrintable(mistake->text()));
  QCOMPARE(page().selection(), before);
}

/// Without a run nobody knows spikes; when one stops it is selected anew.
void TestSimulatedSelection::anExpressionFollowsTheRun()
{
  write("spikes >= 0");
  QVERIFY(page().selection().empty());
  write("spikes > 0");
  runMore();
  const Numbers spiking = numbersWhere([](double spikes) { return spikes > 0; });
  QVERIFY(!spiking.empty());
  QTRY_COMPARE(page().selection(), spiking);
  const double seconds = page().time() / 1000;
  write("rate > 0 && rate < 25");
  QCOMPARE(page().selection(), numbersWhere([&](double spikes) { return spikes > 0 && spikes / seconds < 25; }));
  write("spikes == 0 && population != \"P\"");
  Numbers silent = numbersWhere([](double spikes) { return spikes == 0; });
  std::erase(silent, kPoint);
  QCOMPARE(page().selection(), silent);
  click("simulationReset");
  QTRY_VERIFY(page().selection().empty());
}

/// It looks at no time and records nothing.
void TestSimulatedSelection::aDragOverRowsSelectsTheirNeurons()
{
  runMore();
  const std::size_t places = page().places().size();
  dragOverRows(1, 3, Qt::ShiftModifier);
  QCOMPARE(page().selection(), (Numbers{1, 2, 3}));
  QCOMPARE(selected().neurons(), (Neurons{{"E", 1}, {"E", 2}, {"E", 3}}));
  QCOMPARE(page().places().size(), places);
  QVERIFY(!page().axis().cursor());
  dragOverRows(kPoint, 5, Qt::ShiftModifier | Qt::ControlModifier); // upwards
  QCOMPARE(page().selection(), (Numbers{1, 2, 3, 5, kPoint}));
  find<QAction>("invertAction")->trigger();
  Numbers inverse = page().selection();
  std::ranges::sort(inverse);
  QCOMPARE(inverse, (Numbers{0, 4}));
  dragOverRows(2, 2, Qt::ShiftModifier);
  QCOMPARE(page().selection(), Numbers{2});
}

void TestSimulatedSelection::aBoxInSpaceSelectsItsCells()
{
  const std::int32_t soma = page().model()->circuit.network.detectors[0].node;
  QTRY_VERIFY_WITH_TIMEOUT(page().view().pixelOf({0, soma}), kPatience); // it is drawn
  auto* canvas = find<QWidget>("voltageCanvas");
  drag(canvas, {1, 1}, {canvas->width() - 2, canvas->height() - 2}, Qt::ShiftModifier);
  QCOMPARE(page().selection(), (Numbers{0, 1, 2, 3, 4, 5}));
  QCOMPARE(selected().neurons().size(), std::size_t{6});
  page().select({});
  find<QAction>("selectBoxAction")->trigger();
  QCOMPARE(canvas->cursor().shape(), Qt::CrossCursor);
  drag(canvas, {1, 1}, {canvas->width() - 2, canvas->height() - 2}, Qt::NoModifier);
  QCOMPARE(page().selection().size(), std::size_t{6});
  QVERIFY(canvas->cursor().shape() != Qt::CrossCursor);
  const QPoint middle = page().view().pixelOf({0, soma})->toPoint();
  drag(canvas, middle - QPoint(6, 6), middle + QPoint(6, 6), Qt::ShiftModifier);
  const Numbers few = page().selection();
  QVERIFY(std::ranges::find(few, 0u) != few.end());
  QVERIFY(few.size() < 6);
}

void TestSimulatedSelection::hiddenCellsAreNotDrawn()
{
  const widgets::VoltageView& view = page().view();
  const auto& detectors = page().model()->circuit.network.detectors;
  QTRY_VERIFY_WITH_TIMEOUT(view.pixelOf({0, detectors[0].node}), kPatience);
  std::uint32_t cell = 0;
  const auto cellAt = [&](const QPointF& pixel) {
    const auto place = view.nodeAt(pixel);
    return place ? std::optional(place->cell) : std::nullopt;
  };
  while (cell < 4 && cellAt(*view.pixelOf({cell, detectors[cell].node})) != cell)
    ++cell;
  QVERIFY(cell < 4); // one that no other covers
  // Looked for anew each time: the bar that tells of hidden neurons makes the view lower.
  const auto cellAtSoma = [&] { return cellAt(*view.pixelOf({cell, detectors[cell].node})); };
  page().select({cell});
  selected().hide();
  QVERIFY(page().selection().empty());
  QVERIFY(cellAtSoma() != cell);
  selected().showAll();
  QCOMPARE(cellAtSoma(), std::optional(cell));
}

/// However many neurons are hidden.
void TestSimulatedSelection::aPickCostsAsMuchAsItPicks()
{
  constexpr std::uint32_t kHidden = 4'000'000 / tests::kSlowness;
  constexpr double kMost = 50; // ms of the thread: less than it takes to look at each of them
  const std::string population = page().model()->populationName(0);
  NeuronSet hidden;
  hidden.add(population, 1, kHidden);
  selected().forget(hidden);
  QVERIFY(selected().isAnyHidden());
  double least = kMost;
  for (int turn = 0; turn < 4; ++turn) {
    const double begin = threadMilliseconds();
    page().select({0});
    const double middle = threadMilliseconds();
    QCOMPARE(page().selection(), Numbers{0});
    page().select({});
    least = std::min(least, middle - begin);
    QVERIFY(page().selection().empty());
  }
  QVERIFY2(least < kMost, qPrintable(QString::number(least)));
  // One of them that is selected and then shown is drawn again.
  selected().showAll();
  page().select({1});
  QCOMPARE(page().selection(), Numbers{1});
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulatedSelection>)
#include "test_simulated_selection.moc"
