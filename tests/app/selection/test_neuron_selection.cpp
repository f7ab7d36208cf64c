#include "app/selection/neurons_fixture.hpp"

#include "app/app_fixture.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_page.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "core/files.hpp"
#include "small_session.hpp"
#include "test_main.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/projection/projection_overlay.hpp"
#include "widgets/simulation/raster_chart.hpp"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// 40 cells of E on a plane, 12 of I on one above it, and neurons outside.
constexpr const char* kSession = R"({
  "session": 1,
  "cells": [{"name": "tree", "file": "tree.swc"}],
  "populations": [
    {"name": "E", "kind": "grid", "size": [8, 5, 1], "spacing": [60, 60, 60], "cells": ["tree"], "models": ["hh"]},
    {"name": "I", "kind": "grid", "size": [4, 3, 1], "spacing": [90, 90, 60], "origin": [0, 0, 200],
     "role": "inhibitory", "cells": ["tree"], "models": ["hh"]},
    {"name": "outside", "role": "relay", "kind": "grid", "size": [3, 1, 1], "spacing": [60, 60, 60]}
  ],
  "connections": [
    {"name": "excitation", "source": "E", "target": "I", "kernel": "gaussian", "sigma": 100, "cut": 0.01,
     "synapse-place": "soma", "synapse-weight": 0.001},
    {"name": "inhibition", "source": "I", "target": "E", "kernel": "gaussian", "sigma": 100, "cut": 0.01,
     "synapse-place": "soma", "synapse-weight": 0.001},
    {"name": "local", "kind": "formed", "between": ["E", "I"], "formed-axons": 6, "formed-dendrites": 6}
  ],
  "models": [{"name": "hh", "membrane": [{"mechanism": "hh"}]}],
  "simulate": {"tstop": 60, "threshold": -20, "longest-segment": 20}
})";
constexpr int kExcitation = 0; ///< places of the connections
constexpr int kInhibition = 1;
constexpr int kLocal = 2;
constexpr std::uint32_t kE = 40; ///< neurons of E, before those of I on the pages Synapses and Simulation
constexpr std::uint32_t kAll = 52;

/// Two populations of 100,000 point neurons.
constexpr const char* kLargeSession = R"({
  "session": 1,
  "populations": [
    {"name": "E", "kind": "box", "count": 100000, "extent": [2000, 2000, 100], "models": ["point"]},
    {"name": "I", "kind": "box", "count": 100000, "extent": [2000, 2000, 100], "seed": 2, "role": "inhibitory",
     "models": ["point"]}
  ],
  "connections": [
    {"name": "excitation", "source": "E", "target": "I", "kernel": "one-to-one"},
    {"name": "local", "kind": "formed", "between": ["E"], "formed-axons": 1, "formed-dendrites": 1}
  ],
  "models": [{"name": "point", "kind": "point", "tau": 20, "refractory": 3}],
  "simulate": {"tstop": 10}
})";
constexpr int kLocalOfLarge = 1;

/// Pixels of the colour that rings have.
int ringPixels(const QImage& picture)
{
  const QColor ring = widgets::theme().selection;
  const auto isNear = [](int a, int b) { return std::abs(a - b) < 24; };
  int found = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const QRgb pixel = picture.pixel(x, y);
      found +=
          isNear(qRed(pixel), ring.red()) && isNear(qGreen(pixel), ring.green()) && isNear(qBlue(pixel), ring.blue());
    }
  return found;
}

} // namespace

/// Picks neurons of the circuit on one page of the real main window, with the mouse, and looks for them on the others.
class TestNeuronSelection : public QObject, NeuronsFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow());
    writeFileAtomically(path("tree.swc").toStdString(), [](std::ostream& stream) { stream << tests::kSmallTree; });
    openSession("small.hinesight", kSession, 3);
  }
  void cleanup() { window.reset(); }

  void aSourceIsMarkedOnTheOtherPages();
  void aNeuronOfSynapsesIsMarkedOnTheOtherPages();
  void rowsOfSpikesAreMarkedOnTheOtherPages();
  void aCellInSpaceIsMarkedOnTheOtherPages();
  void theLowerLayerPicksToo();
  void movesWithItsMarker();
  void endsOnAllPages();
  void escapeSelectsNoneOnEachPage();
  void goesWithItsPopulation();
  void staysWhenItsPopulationIsRenamed();
  void neuronsOfNoCircuitAreOfTheirPage();
  void aLayerCountsWhatIsHidden();
  void synapsesHaveTheColoursOfPopulations();
  void toPickMakesNoTable();
  void isQuickInALargeCircuit();

private:
  FormationPage& synapses() const { return window->synapses(); }
  SimulationPage& simulation() const { return window->simulation(); }
  widgets::RasterChart& raster() const { return simulation().raster(); }
  void showSynapses(int row = kLocal)
  {
    chooseConnection(row);
    QTRY_VERIFY_WITH_TIMEOUT(synapses().isVisible() && !window->jobs().isActive(), kPatience);
    QVERIFY(!synapses().outcome().joins.empty());
  }
  void showSimulation()
  {
    window->showView(ViewKind::Simulation);
    QSignalSpy opened(&simulation(), &SimulationPage::opened);
    click(find<QWidget>("simulationEmpty")->isVisible() ? "simulationOwnCircuit" : "simulationCircuit");
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  }
  /// So that each of them has to follow the others.
  void makeAllPages()
  {
    showSynapses();
    showSimulation();
    showProjection(kExcitation);
    QVERIFY(picked().empty());
  }

  void clickLayer(bool isSource, std::uint32_t neuron)
  {
    const QPoint pixel = layers().pixelOf(isSource, neuron).toPoint();
    const auto under = layers().sourceAt(pixel);
    QVERIFY(isSource ? under == neuron : !under);
    QTest::mouseClick(find<QWidget>("projectionCanvas"), Qt::LeftButton, {}, pixel);
  }
  std::optional<std::uint32_t> neuronUnder(std::uint32_t neuron) const
  {
    return synapses().view().neuronAt(synapses().view().pixelOf(neuron).toPoint());
  }
  /// A neuron from one number to below another that no other hides.
  std::uint32_t inFront(std::uint32_t from, std::uint32_t to) const
  {
    for (std::uint32_t neuron = from; neuron < to; ++neuron)
      if (neuronUnder(neuron) == neuron)
        return neuron;
    qFatal("no neuron is in front");
  }
  void clickNeuron(std::uint32_t neuron)
  {
    QTest::mouseClick(find<QWidget>("octreeCanvas"), Qt::LeftButton, {}, synapses().view().pixelOf(neuron).toPoint());
    synapses().settle();
  }
  void clickRow(std::uint32_t neuron, Qt::KeyboardModifiers keys = {})
  {
    const QPoint pixel(static_cast<int>(raster().plot().center().x()), static_cast<int>(raster().yOf(neuron)));
    QCOMPARE(raster().neuronAt(pixel.y()), std::optional(neuron));
    QTest::mouseClick(&raster(), Qt::LeftButton, keys, pixel);
  }
  /// At the right end of a row, where nothing has spiked yet.
  QColor colorOfRow(std::uint32_t neuron) const
  {
    const QImage picture = raster().grab().toImage();
    const double ratio = picture.devicePixelRatio();
    return picture.pixelColor(static_cast<int>(ratio * (raster().plot().right() - 3)),
                              static_cast<int>(ratio * raster().yOf(neuron)));
  }
  void seesSearchOf(std::uint32_t neuron)
  {
    QCOMPARE(synapses().selection(), std::optional(neuron));
    synapses().settle();
    const auto& search = synapses().view().scene().search();
    QVERIFY(search && search->seeker == neuron);
  }
};

void TestNeuronSelection::aSourceIsMarkedOnTheOtherPages()
{
  makeAllPages();
  showProjection(kInhibition);
  const std::size_t before = layers().sources().size();
  const int rings = ringPixels(layers().grabPicture());
  clickLayer(true, 9);
  QCOMPARE(picked(), (Neurons{{"I", 9}}));
  QCOMPARE(layers().sources().size(), before + 1);
  QVERIFY(ringPixels(layers().grabPicture()) > rings + 20);

  window->showView(ViewKind::Synapses);
  seesSearchOf(kE + 9);
  // The number that it has in its population.
  const QString words = find<QLabel>("neuronText")->text();
  QVERIFY2(words.contains(QStringLiteral("<b>Neuron 9</b> of I, inhibitory")), qPrintable(words));
  const auto& lists = *synapses().outcome().content.synapses;
  const auto partnersOf = [](const synapse::Adjacency& list) { return list.offset[kE + 10] - list.offset[kE + 9]; };
  QCOMPARE(synapses().view().overlay().arcs(), partnersOf(lists.outgoing) + partnersOf(lists.incoming));
  QVERIFY(synapses().view().overlay().arcs() > 0);
  QVERIFY(ringPixels(synapses().view().grabPicture()) > 10);

  window->showView(ViewKind::Simulation);
  QCOMPARE(simulation().selection(), Numbers{kE + 9});
  QCOMPARE(simulation().view().selectedCells(), Numbers{kE + 9});
  QVERIFY(colorOfRow(kE + 9) != colorOfRow(kE + 7));
  QCOMPARE(colorOfRow(kE + 5), colorOfRow(kE + 7));

  // Its page shows it again, and one that was not open yet as well.
  showProjection(kExcitation);
  QCOMPARE(layers().picked(false), Numbers{9});
  showProjection(kInhibition);
  QCOMPARE(layers().picked(true), Numbers{9});
}

void TestNeuronSelection::aNeuronOfSynapsesIsMarkedOnTheOtherPages()
{
  makeAllPages();
  const Numbers sources = layers().sources();
  const int rings = ringPixels(layers().grabPicture());
  window->showView(ViewKind::Synapses);
  const std::uint32_t ofI = inFront(kE, kAll);
  clickNeuron(ofI);
  QCOMPARE(picked(), (Neurons{{"I", ofI - kE}}));
  seesSearchOf(ofI);

  // E projects onto I: it is on the lower layer, and no source.
  window->showView(ViewKind::Projection);
  QCOMPARE(layers().picked(false), Numbers{ofI - kE});
  QCOMPARE(layers().sources(), sources);
  QVERIFY(ringPixels(layers().grabPicture()) > rings + 20);
  window->showView(ViewKind::Simulation);
  QCOMPARE(simulation().selection(), Numbers{ofI});

  // One of E is the only source then.
  window->showView(ViewKind::Synapses);
  const std::uint32_t ofE = inFront(0, kE);
  clickNeuron(ofE);
  QCOMPARE(picked(), (Neurons{{"E", ofE}}));
  window->showView(ViewKind::Projection);
  QCOMPARE(layers().sources(), Numbers{ofE});
  QVERIFY(layers().picked(false).empty());
  QVERIFY(ringPixels(layers().grabPicture()) > rings + 20);
}

void TestNeuronSelection::rowsOfSpikesAreMarkedOnTheOtherPages()
{
  makeAllPages();
  window->showView(ViewKind::Simulation);
  clickRow(17);
  QCOMPARE(picked(), (Neurons{{"E", 17}}));
  QCOMPARE(simulation().selection(), Numbers{17});
  QCOMPARE(layers().sources(), Numbers{17});
  window->showView(ViewKind::Synapses);
  seesSearchOf(17);
  const int rings = ringPixels(synapses().view().grabPicture());

  // One more: its search is shown, and the one before has a ring still.
  window->showView(ViewKind::Simulation);
  clickRow(kE + 3, Qt::ControlModifier);
  QCOMPARE(picked(), (Neurons{{"E", 17}, {"I", 3}}));
  QCOMPARE(layers().sources(), Numbers{17});
  QCOMPARE(layers().picked(false), Numbers{3});
  window->showView(ViewKind::Synapses);
  seesSearchOf(kE + 3);
  QCOMPARE(synapses().view().overlay().marked(), Numbers{17});
  QVERIFY(ringPixels(synapses().view().grabPicture()) > rings * 3 / 2);

  window->showView(ViewKind::Simulation);
  clickRow(kE + 3, Qt::ControlModifier);
  QCOMPARE(picked(), (Neurons{{"E", 17}}));
  seesSearchOf(17);
  QVERIFY(synapses().view().overlay().marked().empty());
}

void TestNeuronSelection::aCellInSpaceIsMarkedOnTheOtherPages()
{
  makeAllPages();
  window->showView(ViewKind::Simulation);
  const auto& detectors = simulation().model()->circuit.network.detectors;
  const widgets::VoltageView& view = simulation().view();
  QTRY_VERIFY_WITH_TIMEOUT(view.pixelOf({0, detectors[0].node}), kPatience); // it is drawn
  std::optional<QPoint> pixel;
  std::uint32_t cell = 0;
  for (; cell < kE && !pixel; ++cell) {
    const QPoint middle = view.pixelOf({cell, detectors[cell].node})->toPoint();
    const auto under = view.nodeAt(middle);
    if (under && under->cell == cell)
      pixel = middle;
  }
  QVERIFY(pixel);
  --cell;
  auto* canvas = find<QWidget>("voltageCanvas");
  QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, *pixel);
  QCOMPARE(picked(), (Neurons{{"E", cell}}));
  QCOMPARE(layers().sources(), Numbers{cell});
  seesSearchOf(cell);
  const QPoint nothing(canvas->width() / 2, canvas->height() - 4);
  QVERIFY(!view.nodeAt(nothing));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, nothing);
  QVERIFY(picked().empty() && !synapses().selection());
}

void TestNeuronSelection::theLowerLayerPicksToo()
{
  makeAllPages();
  const Numbers sources = layers().sources();
  std::uint32_t below = 0;
  while (below < kAll - kE && layers().sourceAt(layers().pixelOf(false, below).toPoint()))
    ++below;
  QVERIFY(below < kAll - kE);
  clickLayer(false, below);
  QCOMPARE(picked(), (Neurons{{"I", below}}));
  QCOMPARE(layers().sources(), sources);
  QCOMPARE(simulation().selection(), Numbers{kE + below});
  seesSearchOf(kE + below);
  clickLayer(false, below);
  QVERIFY(picked().empty() && simulation().selection().empty() && !synapses().selection());
}

/// A marker that is dragged is another neuron, and one that is taken back is none.
void TestNeuronSelection::movesWithItsMarker()
{
  makeAllPages();
  showProjection(kInhibition);
  click("clearSources");
  clickLayer(true, 9);
  clickLayer(true, 2);
  QCOMPARE(picked(), (Neurons{{"I", 9}, {"I", 2}}));
  QCOMPARE(simulation().selection(), (Numbers{kE + 9, kE + 2}));
  QWidget& canvas = *find<QWidget>("projectionCanvas");
  const QPoint from = layers().pixelOf(true, 9).toPoint();
  const QPoint to = layers().pixelOf(true, 7).toPoint();
  QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&canvas, &move);
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
  QCOMPARE(picked(), (Neurons{{"I", 2}, {"I", 7}}));
  seesSearchOf(kE + 7);
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, to);
  QCOMPARE(picked(), (Neurons{{"I", 2}}));
  QCOMPARE(layers().sources(), Numbers{2});
  click("clearSources");
  QVERIFY(picked().empty() && simulation().selection().empty());
}

void TestNeuronSelection::endsOnAllPages()
{
  makeAllPages();
  showProjection(kInhibition);
  const Numbers sources = layers().sources();
  clickLayer(true, 9);
  window->showView(ViewKind::Synapses);
  seesSearchOf(kE + 9);
  auto* canvas = find<QWidget>("octreeCanvas");
  canvas->setFocus();
  QTest::keyClick(canvas, Qt::Key_Escape);
  QVERIFY(picked().empty() && !synapses().selection() && simulation().selection().empty());
  QCOMPARE(layers().sources(), sources);
  QVERIFY(layers().picked(true).empty());

  // Where the only source goes there are others, as at the beginning.
  clickNeuron(inFront(kE, kAll));
  QCOMPARE(layers().sources().size(), std::size_t{1});
  click("formationDeselect");
  QVERIFY(picked().empty());
  QVERIFY(layers().sources().size() > 1);
}

/// By the menu or the key, whatever has the keyboard.
void TestNeuronSelection::escapeSelectsNoneOnEachPage()
{
  makeAllPages();
  auto* none = find<QAction>("deselectAction");
  for (const ViewKind page : {ViewKind::Projection, ViewKind::Synapses, ViewKind::Plasticity, ViewKind::Simulation}) {
    window->showView(page);
    QVERIFY(waitForJobs());
    QVERIFY(picked().empty() && !none->isEnabled());
    selected().pick({{"E", 3}, {"I", 2}});
    QTRY_VERIFY_WITH_TIMEOUT(none->isEnabled(), kPatience);
    none->trigger();
    QVERIFY(picked().empty() && !none->isEnabled());
    selected().pick({{"E", 3}});
    QTRY_VERIFY_WITH_TIMEOUT(none->isEnabled(), kPatience);
    window->setFocus();
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(picked().empty());
    find<QAction>("previousSelectionAction")->trigger(); // of the same neurons
    QCOMPARE(picked(), (Neurons{{"E", 3}}));
    none->trigger();
  }
}

void TestNeuronSelection::goesWithItsPopulation()
{
  makeAllPages();
  showProjection(kInhibition);
  clickLayer(true, 9);
  auto* panel = find<PopulationPanel>("populationPanel");
  std::vector<study::PopulationChoice> populations = panel->populations();
  populations[1].parameters.size = {4, 2, 1};
  panel->setPopulations(populations);
  emit panel->changed();
  QTRY_VERIFY_WITH_TIMEOUT(picked().empty(), kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && layers().table()->sources() == 8, kPatience);
  QVERIFY(layers().picked(true).empty() && simulation().selection().empty());

  click("clearSources");
  clickLayer(true, 5);
  QCOMPARE(picked(), (Neurons{{"I", 5}}));
  find<QTabWidget>("circuitTabs")->setCurrentIndex(0);
  auto* list = find<QListWidget>("populationList");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
  click("removePopulation");
  QTRY_VERIFY_WITH_TIMEOUT(picked().empty(), kPatience);
  QVERIFY(waitForJobs());
}

void TestNeuronSelection::staysWhenItsPopulationIsRenamed()
{
  makeAllPages();
  showProjection(kInhibition);
  clickLayer(true, 9);
  const Numbers sources = layers().sources();
  auto* sets = window->findChild<BranchSelection*>();
  sets->keep({.name = "some", .expression = "population == 'I' && index < 3", .of = selection::SetKind::Neurons});
  sets->keep({.name = "from E", .expression = "sourcePopulation == \"E\"", .of = selection::SetKind::Synapses});
  auto* panel = find<PopulationPanel>("populationPanel");
  emit panel->renamed("I", "basket");
  std::vector<study::PopulationChoice> renamed = panel->populations();
  renamed[1].parameters.name = "basket";
  panel->setPopulations(renamed);
  emit panel->changed();
  QTRY_VERIFY_WITH_TIMEOUT(
      !window->jobs().isActive() && layers().table()->projection.source->name() == std::string("basket"), kPatience);
  QCOMPARE(picked(), (Neurons{{"basket", 9}}));
  const auto kept = window->project().selections;
  QCOMPARE(kept[0].expression, std::string("population == \"basket\" && index < 3"));
  QCOMPARE(kept[1].expression, std::string("sourcePopulation == \"E\""));
  QCOMPARE(layers().sources(), sources);
  QCOMPARE(layers().picked(true), Numbers{9});
  window->showView(ViewKind::Synapses);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && synapses().selection(), kPatience);
  seesSearchOf(kE + 9);
}

void TestNeuronSelection::neuronsOfNoCircuitAreOfTheirPage()
{
  showProjection(kInhibition);
  clickLayer(true, 9);
  const Neurons before = picked();
  QCOMPARE(before, (Neurons{{"I", 9}}));
  window->showView(ViewKind::Simulation);
  QSignalSpy opened(&simulation(), &SimulationPage::opened);
  click("simulationSample3");
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(simulation().selection().empty());
  clickRow(7);
  QCOMPARE(simulation().selection(), Numbers{7});
  QCOMPARE(picked(), before);
  // What is picked in the circuit does not change it.
  showProjection(kInhibition);
  clickLayer(true, 2);
  QCOMPARE(picked().size(), std::size_t{2});
  QCOMPARE(simulation().selection(), Numbers{7});
  click("clearSources");
  QCOMPARE(simulation().selection(), Numbers{7});
}

void TestNeuronSelection::aLayerCountsWhatIsHidden()
{
  showProjection(kExcitation);
  const auto* overlay = layers().findChild<widgets::ProjectionOverlay*>();
  QTRY_COMPARE_WITH_TIMEOUT(overlay->describe(true), QStringLiteral("8 \u00d7 5, 40 of 40 cells drawn"), kPatience);
  selected().pick({{"E", 0}, {"E", 1}, {"E", 7}});
  find<QAction>("hideBranchesAction")->trigger();
  QCOMPARE(overlay->describe(true), QStringLiteral("8 \u00d7 5, 3 hidden, 37 of 40 cells drawn"));
  QCOMPARE(overlay->describe(false), QStringLiteral("4 \u00d7 3, 12 of 12 cells drawn"));
}

/// As lists and other pages have them, and again after a change of one and after it was undone.
void TestNeuronSelection::synapsesHaveTheColoursOfPopulations()
{
  showSynapses();
  widgets::OctreeLook look;
  look.levels = 0; // whose lines would lie over neurons
  synapses().setLook(look);
  const auto colorOf = [this](const char* name) { return find<PopulationPanel>("populationPanel")->colourNamed(name); };
  const auto expectColors = [&] {
    const auto& entries = synapses().view().legend().legend().entries;
    QCOMPARE(entries.size(), std::size_t{2});
    QCOMPARE(entries[0].label, QStringLiteral("E"));
    QCOMPARE(entries[1].label, QStringLiteral("I"));
    const QImage picture = synapses().view().grabPicture();
    for (const auto& [name, neuron] : {std::pair("E", inFront(0, kE)), std::pair("I", inFront(kE, kAll))}) {
      QCOMPARE(entries[neuron < kE ? 0 : 1].color, colorOf(name));
      const QPointF at = synapses().view().pixelOf(neuron) * picture.devicePixelRatio();
      const QColor seen = picture.pixelColor(at.toPoint());
      QVERIFY2(std::abs(seen.hsvHue() - colorOf(name).hsvHue()) < 12, qPrintable(seen.name()));
    }
  };
  expectColors();
  const QColor before = colorOf("E");
  find<QTabWidget>("circuitTabs")->setCurrentIndex(0);
  find<QListWidget>("populationList")->setCurrentRow(0);
  click("editPopulation");
  auto* dialog = find<PopulationDialog>("populationDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  dialog->findChild<QComboBox*>("populationColour")->setCurrentIndex(2);
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
  const auto& entries = synapses().view().legend().legend().entries;
  QTRY_VERIFY(entries[0].color != before);
  expectColors();
  find<QAction>("undoAction")->trigger();
  QTRY_COMPARE(entries[0].color, before);
  expectColors();
  // One is hidden by its line.
  auto* legend = synapses().view().findChild<widgets::LegendOverlay*>();
  QTest::mouseClick(legend, Qt::LeftButton, Qt::ControlModifier, legend->rectOfEntry(0).center());
  QVERIFY(legend->whichAreHidden() == (std::vector<bool>{true, false}));
  for (std::uint32_t neuron = 0; neuron < kE; ++neuron)
    QVERIFY(neuronUnder(neuron).value_or(kAll) >= kE);
}

/// A click, and all that the other pages do about it.
/// Whether there is anything to select is asked at each step, and a table of a long run takes long to make.
void TestNeuronSelection::toPickMakesNoTable()
{
  showProjection(kExcitation);
  int made = 0;
  bool hasNeurons = true;
  const auto make = [&made]() -> SharedNetwork {
    ++made;
    return nullptr;
  };
  selected().setNetwork(make, [&hasNeurons] { return hasNeurons; });
  selected().pick({{"E", 20}});
  QVERIFY(find<QAction>("selectBoxAction")->isEnabled());
  hasNeurons = false;
  selected().pick({});
  QVERIFY(!find<QAction>("selectBoxAction")->isEnabled());
  QCOMPARE(made, 0);
}

void TestNeuronSelection::isQuickInALargeCircuit()
{
  openSession("large.hinesight", kLargeSession, 2);
  showSynapses(kLocalOfLarge);
  showSimulation();
  showProjection(kExcitation);
  const auto fastest = [this](const std::function<void(std::uint32_t neuron)>& act) {
    double least = 0;
    for (std::uint32_t run = 0; run < 4; ++run) {
      const Neurons before = picked();
      const double begin = threadMilliseconds();
      act(20'000 * run + 1);
      synapses().settle(); // waiting for another thread takes no time of this one
      const double took = threadMilliseconds() - begin;
      if (picked() == before)
        qFatal("nothing was picked");
      least = run == 0 ? took : std::min(least, took);
    }
    return least;
  };
  constexpr double kMost = kSilent * tests::kSlowness;
  const double bySource = fastest([this](std::uint32_t neuron) {
    QTest::mouseClick(find<QWidget>("projectionCanvas"), Qt::LeftButton, {}, layers().pixelOf(true, neuron).toPoint());
  });
  QVERIFY2(bySource < kMost, qPrintable(QStringLiteral("a source: %1 ms").arg(bySource)));
  window->showView(ViewKind::Synapses);
  const double bySynapses = fastest([this](std::uint32_t neuron) {
    QTest::mouseClick(find<QWidget>("octreeCanvas"), Qt::LeftButton, {}, synapses().view().pixelOf(neuron).toPoint());
  });
  QVERIFY2(bySynapses < kMost, qPrintable(QStringLiteral("a neuron of Synapses: %1 ms").arg(bySynapses)));
  window->showView(ViewKind::Simulation);
  const double byRow = fastest([this](std::uint32_t neuron) {
    QTest::mouseClick(&raster(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(raster().plot().center().x()), static_cast<int>(raster().yOf(neuron))));
  });
  QVERIFY2(byRow < kMost, qPrintable(QStringLiteral("a row of spikes: %1 ms").arg(byRow)));
}

HINESIGHT_TEST_RUN(runWindowTest<TestNeuronSelection>)
#include "test_neuron_selection.moc"
