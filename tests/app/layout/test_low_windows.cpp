#include "app/app_fixture.hpp"
#include "app/pages/view_area.hpp"
#include "app/projection/projection_page.hpp"
#include "app/shell/help/context_help.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/window_fixture.hpp"
#include "low_canvas.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/projection/projection_overlay.hpp"
#include "widgets/projection/projection_view.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/trace_chart.hpp"
#include "widgets/synapse/octree_overlay.hpp"
#include "widgets/synapse/octree_scene.hpp"
#include "widgets/synapse/octree_view.hpp"

#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <utility>

using namespace hinesight;
using namespace hinesight::app;

/// What a person sees of pages on small screens.
class TestLowWindows : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1000, 700}));
  }
  void cleanup()
  {
    window->jobs().cancel();
    window.reset();
  }

  void everyTabCanBeSeen();
  void tabsAreIconsLast();
  void aTabOpensItsPage();
  void noLegendLiesOnANameOfALayer();
  void theOctreeKeepsOffTheEdges();
  void theOctreeKeepsOffTheNotesOfASearch();
  void aBenchmarkDoesNotScrollSideways();
  void aBenchmarkIsRunWithoutScrolling();
  void buttonsWithoutRoomAreInAMenu();
  void theStartOfASimulationDoesNotScrollSideways();
  void measuresHaveRows();
  void theDetailsOfACellAreSeenWithoutScrolling();
  void theStrategiesAreSeenWithoutScrolling();
  void theChartsOfASimulationAreRead();
  void aLongLegendStandsInColumns();
  void noLegendOfAPageStaysHalfShown();
  void theTimingCardIsExplained();
  void submenusHavePictures();

private:
  /// Layouts ask for others.
  void layOut() const
  {
    for (int round = 0; round < 3; ++round) {
      QCoreApplication::sendPostedEvents();
      QCoreApplication::processEvents();
    }
    window->settle();
  }
  /// Beside docks that a person opened in a larger window.
  void showBesideDocks(ViewKind page, const QSize& size)
  {
    show(page, {1600, 900});
    for (const QString name : {"dataDock", "parametersDock"}) {
      const auto* dock = find<QDockWidget>(qPrintable(name));
      if (!dock->isHidden())
        QTest::mouseClick(find<QToolButton>(qPrintable(name + "Fold")), Qt::LeftButton);
      layOut();
      QTest::mouseClick(find<QToolButton>(qPrintable(name + "Unfold")), Qt::LeftButton);
      layOut();
    }
    show(page, size);
    for (const char* name : {"dataDock", "parametersDock"})
      QVERIFY2(find<QDockWidget>(name)->isVisible(), name);
  }
  void show(ViewKind page, const QSize& size)
  {
    window->showView(page);
    window->resize(size);
    QVERIFY(waitForJobs());
    layOut();
    if (const QString folder = qEnvironmentVariable("HINESIGHT_PICTURES"); !folder.isEmpty())
      QVERIFY(window->grab().save(
          QStringLiteral("%1/%2-%3.png").arg(folder).arg(static_cast<int>(page)).arg(size.width())));
  }
};

void TestLowWindows::everyTabCanBeSeen()
{
  auto* tabs = find<QTabBar>("viewTabs");
  for (const int page : {0, 1, 4, 9}) {
    window->viewArea().showView(page);
    QVERIFY(waitForJobs());
    layOut();
    for (const QToolButton* arrow : tabs->findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
      QVERIFY(!arrow->isVisible());
    for (int index = 0; index < tabs->count(); ++index) {
      QVERIFY2(tabs->rect().contains(tabs->tabRect(index)), qPrintable(QString::number(index)));
      QVERIFY(!tabs->tabText(index).isEmpty() || !tabs->tabIcon(index).isNull());
      QVERIFY(!tabs->accessibleTabName(index).isEmpty());
      if (tabs->tabText(index).isEmpty())
        QVERIFY(tabs->tabToolTip(index).startsWith(tabs->accessibleTabName(index)));
    }
    // Of the one in front there is the name; of the longest as much as there is room for.
    const QString shown = tabs->tabText(page);
    const QString name = tabs->accessibleTabName(page);
    QVERIFY2(shown == name ||
                 (page == 1 && shown.endsWith(QChar(0x2026)) && name.startsWith(shown.chopped(1)) && shown.size() > 4),
             qPrintable(shown));
  }
}

/// From the first look on: the buttons in the corner are icons before them.
void TestLowWindows::tabsAreIconsLast()
{
  for (const int width : {860, 910, 960, 1040}) {
    window.reset();
    QVERIFY(showWindow({width, 512}));
    layOut();
    const bool isCornerText = find<QToolButton>("gridButton")->toolButtonStyle() == Qt::ToolButtonTextOnly;
    QVERIFY2(!isCornerText || !find<QTabBar>("viewTabs")->property("icons").toBool(),
             qPrintable(QString::number(width)));
  }
}

/// And the tabs stay where they are, although pages bring panels of their own.
void TestLowWindows::aTabOpensItsPage()
{
  auto* tabs = find<QTabBar>("viewTabs");
  window->resize(1280, 720);
  layOut();
  const auto placeOf = [&](int page) { return tabs->tabRect(page).translated(tabs->mapTo(window.get(), QPoint())); };
  std::vector<QRect> places;
  for (int page = 0; page < tabs->count(); ++page)
    places.push_back(placeOf(page));
  for (const int page : {5, 6, 9, 3, 9, 7, 0, 5}) {
    if (find<QDockWidget>("dataDock")->isHidden())
      QTest::mouseClick(find<QToolButton>("dataDockUnfold"), Qt::LeftButton);
    layOut();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(page).center());
    layOut();
    QCOMPARE(tabs->accessibleTabName(window->viewArea().current()), tabs->accessibleTabName(page));
    QVERIFY(waitForJobs());
    for (int other = 0; other < tabs->count(); ++other)
      QCOMPARE(placeOf(other), places[static_cast<std::size_t>(other)]);
  }
}

void TestLowWindows::noLegendLiesOnANameOfALayer()
{
  show(ViewKind::Projection, {1000, 700});
  QTRY_VERIFY_WITH_TIMEOUT(window->projections().outcome().table, kPatience);
  const auto& view = window->projections().view();
  const auto* legend = view.findChild<widgets::LegendOverlay*>();
  const auto* overlay = view.findChild<widgets::ProjectionOverlay*>();
  for (const QSize& size : {QSize(1000, 700), QSize(910, 512), QSize(1280, 720)}) {
    window->resize(size);
    layOut();
    window->grab();
    QVERIFY(!overlay->nameAreas().empty());
    for (const QRectF& name : overlay->nameAreas()) {
      QVERIFY(legend->isHidden() || !name.intersects(QRectF(legend->geometry())));
      QVERIFY(view.timingCard()->isHidden() || !name.intersects(QRectF(view.timingCard()->geometry())));
      QVERIFY(QRectF(overlay->rect()).contains(name));
    }
  }
}

void TestLowWindows::theOctreeKeepsOffTheEdges()
{
  show(ViewKind::Synapses, {1000, 700});
  const auto& view = *find<widgets::OctreeView>("octreeView");
  QTRY_VERIFY_WITH_TIMEOUT(view.scene().formation() != nullptr, kPatience);
  layOut();
  const QRectF box = view.scene().pictureOfBox();
  QVERIFY(box.width() > 100);
  QVERIFY2(box.left() >= 4 && box.top() >= 4, qPrintable(QStringLiteral("%1, %2").arg(box.left()).arg(box.top())));
  QVERIFY(box.right() <= view.width() - 4 && box.bottom() <= view.height() - 4);
}

/// Also where these are of five lines and the picture is low, as beside the bar of a selection.
void TestLowWindows::theOctreeKeepsOffTheNotesOfASearch()
{
  show(ViewKind::Synapses, {1000, 700});
  const auto& view = *find<widgets::OctreeView>("octreeView");
  QTRY_VERIFY_WITH_TIMEOUT(view.scene().formation() != nullptr, kPatience);
  window->synapses().select(1);
  window->synapses().settle();
  QVERIFY(view.overlay().areaOfNotes().height() > 4 * view.fontMetrics().height());
  window->resize(1000, 640); // fits it again
  layOut();
  const QRect box = view.scene().pictureOfBox().toAlignedRect();
  QVERIFY(box.width() > 100);
  QVERIFY(!view.overlay().hasNotesIn(box));
}

void TestLowWindows::aBenchmarkDoesNotScrollSideways()
{
  for (const QSize& size : {QSize(1000, 700), QSize(1280, 720)}) {
    show(ViewKind::Benchmark, size);
    QCOMPARE(find<QScrollArea>("benchmarkScroll")->horizontalScrollBar()->maximum(), 0);
  }
}

/// Of a screen of 1366 x 768 pixels at a ratio of 1.5.
void TestLowWindows::aBenchmarkIsRunWithoutScrolling()
{
  show(ViewKind::Benchmark, {910, 512});
  for (const char* name : {"benchmarkRun", "projectionBenchmarkRun"}) {
    auto* kinds = find<QTabBar>("benchmarkKinds");
    QTest::mouseClick(kinds, Qt::LeftButton, {},
                      kinds->tabRect(name == QLatin1String("benchmarkRun") ? 0 : 1).center());
    layOut();
    const auto* run = find<QPushButton>(name);
    QTRY_COMPARE(run->visibleRegion().boundingRect().size(), run->size());
  }
  QCOMPARE(find<QScrollArea>("benchmarkScroll")->verticalScrollBar()->maximum(), 0);
}

void TestLowWindows::buttonsWithoutRoomAreInAMenu()
{
  showBesideDocks(ViewKind::Projection, {910, 512});
  QTRY_VERIFY_WITH_TIMEOUT(window->projections().outcome().table, kPatience);
  layOut();
  auto* more = find<QPushButton>("projectionHeadlineMore");
  QVERIFY(more->isVisible());
  QStringList inMenu;
  for (const QPushButton* button : more->parentWidget()->findChildren<QPushButton*>()) {
    if (button->isVisible())
      QCOMPARE(button->y(), more->y());                              // in one row
    else if (button->objectName() != QStringLiteral("makeTogether")) // which is not of one connection
      inMenu << button->text();
  }
  QVERIFY(inMenu.contains(find<QPushButton>("projectionSave")->text()));
  const int height = find<QWidget>("projectionCanvas")->height();
  QVERIFY2(height >= 120, qPrintable(QString::number(height)));
  // They do the same there.
  QVERIFY(!window->projections().view().sources().empty());
  QTest::mouseClick(more, Qt::LeftButton);
  auto* menu = find<QMenu>("projectionHeadlineMenu");
  QTRY_VERIFY(menu->isVisible());
  QStringList entries;
  for (const QAction* action : menu->actions())
    entries << action->text();
  QCOMPARE(entries, inMenu);
  menu->close();
  find<QAction>("clearSourcesEntry")->trigger();
  QVERIFY(window->projections().view().sources().empty());
  // What a page hides is in no menu, and where there is room there is none.
  window->projections().setTogether(true);
  layOut();
  QTest::mouseClick(more, Qt::LeftButton);
  QTRY_VERIFY(menu->isVisible());
  for (const QAction* action : menu->actions())
    QVERIFY(action->text() != find<QPushButton>("clearSources")->text());
  menu->close();
  window->projections().setTogether(false);
  window->resize(1600, 900);
  layOut();
  QTRY_VERIFY(!more->isVisible() && find<QPushButton>("projectionSave")->isVisible());
  QVERIFY(find<QPushButton>("clearSources")->isVisible() && !find<QPushButton>("makeTogether")->isVisible());
}

void TestLowWindows::theStartOfASimulationDoesNotScrollSideways()
{
  showBesideDocks(ViewKind::Simulation, {910, 512});
  const auto* start = find<QScrollArea>("simulationEmptyScroll");
  QVERIFY(start->isVisible());
  QCOMPARE(start->horizontalScrollBar()->maximum(), 0);
}

void TestLowWindows::measuresHaveRows()
{
  window->openFiles({dataFile("stellate.swc")});
  show(ViewKind::Measure, {910, 512});
  find<QTabWidget>("measureTables")->setCurrentIndex(1);
  const auto* table = find<QTableView>("measureBranches");
  QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > 0);
  QTRY_VERIFY(table->viewport()->height() / table->rowHeight(0) >= 5);
}

void TestLowWindows::theDetailsOfACellAreSeenWithoutScrolling()
{
  window->openFiles({dataFile("stellate.swc")});
  show(ViewKind::Morphology, {1000, 700});
  if (find<QDockWidget>("dataDock")->isHidden())
    QTest::mouseClick(find<QToolButton>("dataDockUnfold"), Qt::LeftButton);
  const auto* scroll = find<QScrollArea>("detailsScroll");
  QTRY_VERIFY(scroll->isVisible() && find<QLabel>("cellDetails")->text().contains(QStringLiteral("Compartments")));
  layOut();
  QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
}

void TestLowWindows::theStrategiesAreSeenWithoutScrolling()
{
  window->openFiles({dataFile("stellate.swc")});
  show(ViewKind::Splitting, {910, 512});
  const auto* ledger = window->view(ViewKind::Splitting).findChild<QWidget*>(QStringLiteral("splitLedger"));
  QVERIFY(ledger && ledger->isVisible());
  const auto ways = ledger->findChildren<QToolButton*>();
  QVERIFY(ways.size() >= 2);
  for (const QToolButton* way : ways)
    QCOMPARE(way->visibleRegion().boundingRect().size(), way->size());
  // Beside them it says what they are.
  const auto* name = ledger->findChild<QLabel*>(QStringLiteral("strategies-name"));
  QVERIFY(name && name->text() == QStringLiteral("Split by"));
  QCOMPARE(name->visibleRegion().boundingRect().size(), name->size());
  QVERIFY(name->geometry().right() < ways.front()->x());
}

/// Beside a dock; in a still lower window tabs say which charts are seen.
void TestLowWindows::theChartsOfASimulationAreRead()
{
  window->openFiles({QString::fromLatin1(study::kSampleCircuit)});
  const SimulationPage& page = window->simulation();
  QTRY_VERIFY_WITH_TIMEOUT(page.model(), kPatience);
  find<QAction>("circuitDockAction")->trigger();
  const auto height = [](const widgets::TimeChart& chart) { return chart.isVisible() ? chart.plot().height() : 0; };
  const auto described = [&] {
    return QStringLiteral("%1 x %2: %3, %4, %5")
        .arg(window->width())
        .arg(window->height())
        .arg(height(page.traces()))
        .arg(height(page.raster()))
        .arg(height(page.rates()));
  };
  for (const QSize& size : {QSize(1280, 720), QSize(1000, 700)}) {
    show(ViewKind::Simulation, size);
    QTRY_VERIFY2(height(page.raster()) >= 60 && height(page.rates()) >= 40, qPrintable(described()));
    // And the cells, whose legend leaves the clock free.
    QTRY_VERIFY2(find<QWidget>("voltageCanvas")->height() >= 140, qPrintable(described()));
    QTRY_VERIFY2(find<QWidget>("voltageLegend")->y() >= 50, qPrintable(described()));
  }
  show(ViewKind::Simulation, {1000, 560});
  auto* tabs = find<QTabBar>("simulationChartTabs");
  QTRY_VERIFY2(tabs->isVisible() && height(page.traces()) == 0, qPrintable(described()));
  QTRY_VERIFY2(height(page.raster()) >= 40 && height(page.rates()) >= 40, qPrintable(described()));
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  QTRY_VERIFY2(height(page.traces()) >= 50 && height(page.raster()) == 0, qPrintable(described()));
  show(ViewKind::Simulation, {1280, 900});
  QTRY_VERIFY2(!tabs->isVisible() && height(page.traces()) >= 50 && height(page.raster()) >= 60,
               qPrintable(described()));
}

void TestLowWindows::aLongLegendStandsInColumns()
{
  widgets::LegendOverlay overlay;
  widgets::Legend legend;
  legend.title = QStringLiteral("Kind");
  constexpr std::size_t kKinds = 12;
  for (std::size_t k = 0; k < kKinds; ++k)
    legend.entries.push_back({QColor::fromHsv(static_cast<int>(25 * k), 200, 200), QStringLiteral("kind %1").arg(k)});
  overlay.setLegend(legend);
  overlay.setMost({600, 120});
  overlay.resize(overlay.sizeHint());
  QVERIFY(overlay.height() <= 130);
  for (std::size_t k = 0; k < kKinds; ++k) {
    const QRect place = overlay.rectOfEntry(k);
    QVERIFY(overlay.rect().contains(place));
    for (std::size_t other = 0; other < k; ++other)
      QVERIFY(!place.intersects(overlay.rectOfEntry(other)));
  }
  // Where there is no room for columns the last line counts what is left.
  overlay.setMost({90, 120});
  QCOMPARE(overlay.rectOfEntry(kKinds - 1), overlay.rectOfEntry(kKinds - 2));
}

/// Where the canvas becomes too low for it while it is about to be shown.
void TestLowWindows::noLegendOfAPageStaysHalfShown()
{
  window->openFiles({dataFile("stellate.swc")});
  QVERIFY(waitForJobs());
  window->openFiles({QString::fromLatin1(study::kSampleCircuit)});
  QTRY_VERIFY_WITH_TIMEOUT(window->simulation().model(), kPatience);
  const std::pair<ViewKind, const char*> canvases[] = {{ViewKind::Morphology, "morphologyCanvas"},
                                                       {ViewKind::Projection, "projectionCanvas"},
                                                       {ViewKind::Synapses, "octreeCanvas"},
                                                       {ViewKind::Simulation, "voltageCanvas"}};
  for (const auto& [page, name] : canvases) {
    show(page, {1280, 900});
    auto* legend = find<QWidget>(name)->findChild<widgets::LegendOverlay*>();
    QTRY_VERIFY2_WITH_TIMEOUT(legend->isVisible(), name, kPatience);
    QVERIFY2(test::LowCanvas(*legend).hidesOverlay(), name);
  }
}

void TestLowWindows::theTimingCardIsExplained()
{
  window->resize(1500, 900);
  window->openFiles({dataFile("stellate.swc")});
  QVERIFY(waitForJobs());
  const auto* card = window->view(ViewKind::Morphology).findChild<widgets::TimingCard*>();
  QTRY_VERIFY(card->isVisible());
  showHelp(window.get(), card->mapToGlobal(card->rect().center()));
  const QString text = find<QLabel>("contextHelpText")->text();
  QVERIFY2(text.contains(QStringLiteral("Timing card")), qPrintable(text));
  QVERIFY2(text.contains(QStringLiteral("last run")), qPrintable(text));
  find<QDialog>("contextHelp")->close();
}

void TestLowWindows::submenusHavePictures()
{
  for (const QAction* menu : window->menuBar()->actions())
    for (const QAction* action : menu->menu()->actions())
      if (action->menu())
        QVERIFY2(!action->icon().isNull(), qPrintable(action->text()));
}

HINESIGHT_TEST_RUN(runWindowTest<TestLowWindows>)
#include "test_low_windows.moc"
