#include "app/app_fixture.hpp"
#include "app/pages/view_area.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/neurons_fixture.hpp"
#include "app/synapses/formation_page.hpp"
#include "test_main.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/projection/projection_charts.hpp"
#include "widgets/theme.hpp"

#include <QAction>
#include <QImage>
#include <QLabel>
#include <QPolygon>
#include <QtTest>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

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
    {"name": "local", "kind": "formed", "between": ["E", "I"], "formed-axons": 6, "formed-dendrites": 6}
  ]
})";
constexpr int kExcitation = 0; ///< places of the connections
constexpr int kLocal = 1;
constexpr std::uint32_t kE = 40; ///< neurons of E, before those of I on the page Synapses
constexpr std::uint32_t kI = 12;

bool isNear(const QColor& a, const QColor& b)
{
  constexpr int kMost = 24;
  return std::abs(a.red() - b.red()) < kMost && std::abs(a.green() - b.green()) < kMost &&
         std::abs(a.blue() - b.blue()) < kMost;
}

/// Pixels of a picture, whose colour is so.
int pixels(const QImage& picture, const std::function<bool(const QColor&)>& isSo)
{
  int found = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      found += isSo(picture.pixelColor(x, y));
  return found;
}

int ringPixels(const QImage& picture)
{
  return pixels(picture, [](const QColor& color) { return isNear(color, widgets::theme().selection); });
}

} // namespace

/// Selects neurons of a circuit by boxes, loops and rows of the matrix, and hides them, in the real main window.
class TestNeuronAreas : public QObject, NeuronsFixture
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

  void aBoxPicksInBothLayers();
  void theMenuAwaitsABox();
  void aLoopPicksNeuronsOfSynapses();
  void neuronsAreInvertedAndHidden();
  void hidingIsUndone();
  void hiddenNeuronsAreNotDrawnInSpace();
  void hiddenNeuronsStaySoWhatIsPickedOrMade();
  void rowsOfTheMatrixAreMarkedAndPicked();
  void columnsOfTheMatrixArePicked();
  void escapeEndsAnAreaFromAnywhere();
  void anotherPageEndsAnArea();
  void theCellsKeepTheirSelection();

private:
  widgets::OctreeView& space() const { return window->synapses().view(); }
  QString counted() const { return find<QLabel>("neuronCount")->text(); }
  void trigger(const char* action)
  {
    QVERIFY2(find<QAction>(action)->isEnabled(), action);
    find<QAction>(action)->trigger();
    QCoreApplication::processEvents();
  }
  void showSpace()
  {
    chooseConnection(kLocal);
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible() && !window->jobs().isActive(), kPatience);
    QVERIFY(!window->synapses().outcome().joins.empty());
    openBar();
  }
  void showLayers()
  {
    showProjection(kExcitation);
    openBar();
  }
  /// From the beginning: no canvas changes its size when several are picked.
  void openBar()
  {
    trigger("selectNeuronsAction");
    QTRY_VERIFY(find<QWidget>("neuronBar")->isVisible());
    QCoreApplication::processEvents();
  }

  static void drag(QWidget* canvas, const QPolygon& way, Qt::MouseButton button, Qt::KeyboardModifiers keys)
  {
    QTest::mousePress(canvas, button, keys, way.front());
    for (const QPoint& point : way) {
      QMouseEvent move(QEvent::MouseMove, point, canvas->mapToGlobal(point), Qt::NoButton, button, keys);
      QApplication::sendEvent(canvas, &move);
    }
    QTest::mouseRelease(canvas, button, keys, way.back());
    QCoreApplication::processEvents();
  }
  static void dragBox(QWidget* canvas, const QRect& box, Qt::KeyboardModifiers keys = Qt::ShiftModifier)
  {
    drag(canvas, QPolygon({box.topLeft(), box.bottomRight()}), Qt::LeftButton, keys);
  }
  static QRect allOf(const QWidget* canvas) { return canvas->rect().adjusted(1, 1, -2, -2); }

  /// Those of both layers whose places are in a box.
  Neurons inLayers(const QRect& box) const
  {
    Neurons found;
    const QRectF area(box.topLeft(), box.bottomRight());
    for (std::uint32_t neuron = 0; neuron < kE; ++neuron)
      if (area.contains(layers().pixelOf(true, neuron)))
        found.push_back({"E", neuron});
    for (std::uint32_t neuron = 0; neuron < kI; ++neuron)
      if (area.contains(layers().pixelOf(false, neuron)))
        found.push_back({"I", neuron});
    return found;
  }
  void pickFirst(std::uint32_t count)
  {
    NeuronSet first;
    first.add("E", 0, count);
    selected().pick(first, widgets::PickMode::Replace);
  }
};

void TestNeuronAreas::aBoxPicksInBothLayers()
{
  showLayers();
  QWidget* canvas = layers().canvas();
  const int rings = ringPixels(layers().grabPicture());
  dragBox(canvas, allOf(canvas));
  QCOMPARE(picked().size(), std::size_t{kE + kI});
  QCOMPARE(counted(), QString("52 neurons selected"));
  QVERIFY(ringPixels(layers().grabPicture()) > rings + 200);

  const QPoint middle = layers().pixelOf(true, 18).toPoint();
  const QRect some(middle - QPoint(30, 30), QSize(60, 60));
  const Neurons expected = inLayers(some);
  QVERIFY(!expected.empty() && expected.size() < kE);
  dragBox(canvas, some);
  QCOMPARE(selected().all().count(), expected.size());
  for (const CircuitNeuron& neuron : expected)
    QVERIFY(selected().all().has(neuron.population, neuron.index));

  // With Ctrl more of them.
  std::uint32_t other = 0;
  while (selected().all().has("I", other))
    ++other;
  const QPoint corner = layers().pixelOf(false, other).toPoint();
  dragBox(canvas, QRect(corner - QPoint(4, 4), QSize(8, 8)), Qt::ShiftModifier | Qt::ControlModifier);
  QVERIFY(selected().all().has("I", other));
  QVERIFY(selected().count() > expected.size());
}

void TestNeuronAreas::theMenuAwaitsABox()
{
  showLayers();
  QWidget* canvas = layers().canvas();
  trigger("selectBoxAction");
  QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Projection));
  QCOMPARE(canvas->cursor().shape(), Qt::CrossCursor);
  QTest::keyClick(canvas, Qt::Key_Escape);
  QVERIFY(canvas->cursor().shape() != Qt::CrossCursor);
  trigger("selectBoxAction");
  dragBox(canvas, allOf(canvas), {});
  QCOMPARE(picked().size(), std::size_t{kE + kI});
  QVERIFY(canvas->cursor().shape() != Qt::CrossCursor);
}

void TestNeuronAreas::aLoopPicksNeuronsOfSynapses()
{
  showSpace();
  QWidget* canvas = space().canvas();
  const QRect all = allOf(canvas);
  const QPolygon loop({all.topLeft(), all.topRight(), all.bottomRight(), all.bottomLeft(), all.topLeft()});
  drag(canvas, loop, Qt::RightButton, Qt::ShiftModifier);
  QCOMPARE(picked().size(), std::size_t{kE + kI});
  QCOMPARE(space().overlay().marked().size(), std::size_t{kE + kI - 1}); // beside the one whose search is shown

  // Ctrl+click takes one out, and in again.
  std::uint32_t inFront = 0;
  while (inFront < kE + kI && space().neuronAt(space().pixelOf(inFront).toPoint()) != inFront)
    ++inFront;
  QVERIFY(inFront < kE + kI);
  const QPoint pixel = space().pixelOf(inFront).toPoint();
  QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, pixel);
  QCOMPARE(picked().size(), std::size_t{kE + kI - 1});
  QVERIFY(!selected().all().has(inFront < kE ? "E" : "I", inFront < kE ? inFront : inFront - kE));
  QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, pixel);
  QCOMPARE(picked().size(), std::size_t{kE + kI});
}

void TestNeuronAreas::neuronsAreInvertedAndHidden()
{
  showLayers();
  QVERIFY(!find<QAction>("hideBranchesAction")->isEnabled());
  pickFirst(3);
  trigger("invertAction");
  QCOMPARE(counted(), QString("49 neurons selected"));
  QVERIFY(!selected().all().has("E", 2) && selected().all().has("E", 3) && selected().all().has("I", 0));
  QVERIFY(!find<QAction>("subtreeAction")->isEnabled()); // neurons have none

  trigger("hideBranchesAction");
  QVERIFY(picked().empty());
  QCOMPARE(counted(), QString("49 hidden"));
  QCOMPARE(layers().sourceAt(layers().pixelOf(true, 1)), std::optional<std::uint32_t>(1));
  QVERIFY(!layers().sourceAt(layers().pixelOf(true, 20)));
  dragBox(layers().canvas(), allOf(layers().canvas()));
  QCOMPARE(picked(), (Neurons{{"E", 0}, {"E", 1}, {"E", 2}}));

  trigger("showAllBranchesAction");
  QVERIFY(selected().hidden().isEmpty());
  QVERIFY(layers().sourceAt(layers().pixelOf(true, 20)));
  pickFirst(2);
  trigger("isolateAction");
  QCOMPARE(counted(), QString("2 neurons selected; 50 hidden"));
  trigger("showAllBranchesAction");
  QCOMPARE(picked(), (Neurons{{"E", 0}, {"E", 1}}));

  trigger("previousSelectionAction");
  QCOMPARE(picked(), (Neurons{{"E", 0}, {"E", 1}, {"E", 2}}));
}

void TestNeuronAreas::hidingIsUndone()
{
  showLayers();
  pickFirst(kE);
  trigger("hideBranchesAction");
  QCOMPARE(selected().hidden().count(), std::size_t{kE});
  trigger("undoAction");
  QVERIFY(selected().hidden().isEmpty());
  QCOMPARE(picked().size(), std::size_t{kE});
  trigger("redoAction");
  QCOMPARE(selected().hidden().count(), std::size_t{kE});
  QVERIFY(picked().empty());
}

void TestNeuronAreas::hiddenNeuronsAreNotDrawnInSpace()
{
  showSpace();
  /// Of a population those whose places look otherwise in two pictures.
  const auto changed = [this](const QImage& one, const QImage& other, std::uint32_t begin, std::uint32_t end) {
    const double ratio = one.width() / static_cast<double>(space().width());
    std::uint32_t found = 0;
    for (std::uint32_t neuron = begin; neuron < end; ++neuron) {
      const QPoint at = (ratio * space().pixelOf(neuron)).toPoint();
      found += !isNear(one.pixelColor(at), other.pixelColor(at));
    }
    return found;
  };
  const QImage before = space().grabPicture();
  pickFirst(kE);
  trigger("invertAction"); // I
  trigger("hideBranchesAction");
  for (std::uint32_t neuron = kE; neuron < kE + kI; ++neuron)
    QVERIFY(space().scene().isHidden(neuron));
  const QImage withoutI = space().grabPicture();
  QVERIFY(changed(before, withoutI, kE, kE + kI) > kI / 2);
  QVERIFY(changed(before, withoutI, 0, kE) < kE / 2);
  dragBox(space().canvas(), allOf(space().canvas()));
  QCOMPARE(picked().size(), std::size_t{kE});
  trigger("showAllBranchesAction");
  selected().pick(std::vector<CircuitNeuron>());
  QVERIFY(changed(withoutI, space().grabPicture(), kE, kE + kI) > kI / 2);
}

void TestNeuronAreas::hiddenNeuronsStaySoWhatIsPickedOrMade()
{
  showSpace();
  pickFirst(kE);
  trigger("invertAction"); // I
  trigger("hideBranchesAction");
  const auto hiddenOfI = [this] {
    std::uint32_t found = 0;
    for (std::uint32_t neuron = kE; neuron < kE + kI; ++neuron)
      found += space().scene().isHidden(neuron) ? 1 : 0;
    return found;
  };
  QCOMPARE(hiddenOfI(), kI);
  selected().pick(std::vector<CircuitNeuron>{{"E", 1}});
  QCOMPARE(hiddenOfI(), kI);
  click("formationForm");
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  QCOMPARE(hiddenOfI(), kI);
  trigger("showAllBranchesAction");
  QCOMPARE(hiddenOfI(), std::uint32_t{0});

  showLayers();
  pickFirst(3);
  trigger("invertAction");
  trigger("hideBranchesAction");
  const auto isSeen = [this](std::uint32_t source) {
    return layers().sourceAt(layers().pixelOf(true, source)).has_value();
  };
  QVERIFY(isSeen(1) && !isSeen(20));
  selected().pick(std::vector<CircuitNeuron>{{"E", 1}});
  QVERIFY(isSeen(1) && !isSeen(20));
  window->projections().setOutcome(ProjectionOutcome(window->projections().outcome()));
  QVERIFY(isSeen(1) && !isSeen(20));
}

void TestNeuronAreas::rowsOfTheMatrixAreMarkedAndPicked()
{
  showLayers();
  auto* matrix = find<widgets::AdjacencyChart>("adjacencyChart");
  const QRectF plot = matrix->plot();
  QCOMPARE(matrix->wantedSources().size(), std::uint64_t{kE});
  QVERIFY(plot.height() >= kE);
  const auto rowOf = [&](std::uint32_t source) { return plot.top() + (source + 0.5) * plot.height() / kE; };
  const auto colorAt = [&](double x, double y) {
    const QImage picture = matrix->grab().toImage();
    return picture.pixelColor((QPointF(x, y) * picture.devicePixelRatio()).toPoint());
  };
  const QColor marked = widgets::theme().selection;
  const QColor before = colorAt(plot.center().x(), rowOf(11));
  QVERIFY(!isNear(colorAt(plot.left() - 2, rowOf(11)), marked));
  QTest::mouseClick(matrix, Qt::LeftButton, {}, QPointF(plot.center().x(), rowOf(11)).toPoint());
  QCOMPARE(picked(), (Neurons{{"E", 11}}));
  QCOMPARE(layers().sources(), Numbers{11});
  QVERIFY(isNear(colorAt(plot.left() - 2, rowOf(11)), marked));
  QVERIFY(colorAt(plot.center().x(), rowOf(11)) != before);
  QVERIFY(!isNear(colorAt(plot.left() - 2, rowOf(20)), marked));

  // A column of a neuron that is picked elsewhere.
  NeuronSet below;
  below.add("I", 6, 7);
  selected().pick(below, widgets::PickMode::Add);
  QVERIFY(isNear(colorAt(plot.left() + 6.5 * plot.width() / kI, plot.top() - 2), marked));

  // Beside the matrix, from row to row.
  const int beside = static_cast<int>(plot.left()) - 4;
  drag(matrix, QPolygon({{beside, static_cast<int>(rowOf(4))}, {beside, static_cast<int>(rowOf(30))}}), Qt::LeftButton,
       {});
  QCOMPARE(selected().all().of("I").size(), std::size_t{0});
  QCOMPARE(selected().all().of("E").front(), 4U);
  QCOMPARE(selected().all().of("E").back(), 30U);
  QCOMPARE(counted(), QString("27 neurons selected"));
}

void TestNeuronAreas::columnsOfTheMatrixArePicked()
{
  showLayers();
  auto* matrix = find<widgets::AdjacencyChart>("adjacencyChart");
  const QRectF plot = matrix->plot();
  QVERIFY(plot.width() >= kI && plot.height() >= kE);
  const auto columnOf = [&](std::uint32_t destination) {
    return static_cast<int>(plot.left() + (destination + 0.5) * plot.width() / kI);
  };
  const int above = static_cast<int>(plot.top()) - 4;
  const int inside = static_cast<int>(plot.center().y());
  QTest::mouseClick(matrix, Qt::LeftButton, {}, {columnOf(7), above});
  QCOMPARE(picked(), (Neurons{{"I", 7}}));
  QCOMPARE(layers().picked(false), Numbers{7});
  QVERIFY(layers().picked(true).empty());
  QTest::mouseClick(matrix, Qt::LeftButton, Qt::ControlModifier, {columnOf(9), above});
  QCOMPARE(picked(), (Neurons{{"I", 7}, {"I", 9}}));
  QTest::mouseClick(matrix, Qt::LeftButton, Qt::ControlModifier, {columnOf(7), above});
  QCOMPARE(picked(), (Neurons{{"I", 9}}));

  // Above the matrix, from column to column, in either direction.
  drag(matrix, QPolygon({{columnOf(5), above}, {columnOf(2), above - 2}}), Qt::LeftButton, {});
  QCOMPARE(selected().all().of("I"), (Numbers{2, 3, 4, 5}));
  drag(matrix, QPolygon({{columnOf(8), above}, {columnOf(9), above}}), Qt::LeftButton, Qt::ControlModifier);
  QCOMPARE(selected().all().of("I"), (Numbers{2, 3, 4, 5, 8, 9}));

  // With Shift in it, to the side: columns; downward: rows. Without, it moves, and picks nothing.
  drag(matrix, QPolygon({{columnOf(1), inside}, {columnOf(3), inside + 3}}), Qt::LeftButton, Qt::ShiftModifier);
  QCOMPARE(selected().all().of("I"), (Numbers{1, 2, 3}));
  QVERIFY(selected().all().of("E").empty());
  drag(matrix, QPolygon({{columnOf(1), inside}, {columnOf(1) + 3, inside + 40}}), Qt::LeftButton, Qt::ShiftModifier);
  QVERIFY(selected().all().of("I").empty());
  const Numbers rows = selected().all().of("E");
  QVERIFY(rows.size() > 1);
  drag(matrix, QPolygon({{columnOf(1), inside}, {columnOf(3), inside}}), Qt::LeftButton, {});
  QCOMPARE(selected().all().of("E"), rows);
  QVERIFY(matrix->toolTip().contains("destinations"));
}

void TestNeuronAreas::escapeEndsAnAreaFromAnywhere()
{
  for (const bool isOfLayers : {true, false}) {
    isOfLayers ? showLayers() : showSpace();
    QWidget* canvas = isOfLayers ? layers().canvas() : space().canvas();
    pickFirst(3);
    trigger("selectLassoAction");
    QCOMPARE(canvas->cursor().shape(), Qt::CrossCursor);
    QVERIFY(!find<QAction>("deselectAction")->isEnabled());
    window->setFocus(); // the keyboard is no more that of the canvas
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(canvas->cursor().shape() != Qt::CrossCursor);
    QCOMPARE(picked().size(), std::size_t{3});
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(picked().empty());
  }
}

void TestNeuronAreas::anotherPageEndsAnArea()
{
  showLayers();
  trigger("selectBoxAction");
  window->showView(ViewKind::Simulation);
  window->showView(ViewKind::Projection);
  QVERIFY(waitForJobs());
  QVERIFY(layers().canvas()->cursor().shape() != Qt::CrossCursor);
  pickFirst(3);
  QTest::keyClick(window.get(), Qt::Key_Escape);
  QVERIFY(picked().empty());
}

/// Each page clears what it shows.
void TestNeuronAreas::theCellsKeepTheirSelection()
{
  open({dataFile("stellate.swc")});
  auto* branches = window->findChild<BranchSelection*>();
  branches->select({0, 3});
  showLayers();
  pickFirst(3);
  trigger("deselectAction");
  QVERIFY(picked().empty());
  QVERIFY(branches->isAnySelected());
  QVERIFY(!find<QAction>("deselectAction")->isEnabled());
  pickFirst(3);
  window->showView(ViewKind::Tree);
  window->setFocus();
  QTest::keyClick(window.get(), Qt::Key_Escape);
  QVERIFY(!branches->isAnySelected());
  QCOMPARE(picked().size(), std::size_t{3});
}

HINESIGHT_TEST_RUN(runWindowTest<TestNeuronAreas>)
#include "test_neuron_areas.moc"
