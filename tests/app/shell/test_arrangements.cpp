#include "app/app_fixture.hpp"
#include "app/pages/arrangement.hpp"
#include "test_main.hpp"
#include "workspace_fixture.hpp"

#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QJsonObject>
#include <QMenu>
#include <QScreen>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace hinesight::app {

/// Arrangements of pages and docks: presets, those that have a name, and that of the next start.
class TestArrangements : public QObject, private WorkspaceFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { end(); }

  void restoresCopiesAtTheNextStart()
  {
    show("tree");
    trigger("duplicateViewAction");
    window->viewArea().useWidget(&window->view(ViewKind::Tree));
    trigger("duplicateViewAction");
    show("morphology");
    find<QWidget>("pageWindow-tree3")->setGeometry(200, 150, 500, 400);
    const Arrangement before = window->viewArea().arrangement();
    QVERIFY(window->close());
    // None keeps the program from its end, as one that refuses to close would.
    for (const char* name : {"pageWindow-tree2", "pageWindow-tree3"})
      QVERIFY(find<QWidget>(name)->close());
    window.reset();
    QVERIFY(showWindow({1600, 1000}));
    QCOMPARE(window->viewArea().arrangement().copies, before.copies);
    auto* own = find<QWidget>("pageWindow-tree3");
    QVERIFY(own->isVisible());
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    QTRY_COMPARE_WITH_TIMEOUT(own->findChild<widgets::View*>()->scene(), window->scene(), kPatience);
    find<QAction>("exploreWorkspaceAction")->trigger();
    QCOMPARE(window->viewArea().arrangement().copies.size(), before.copies.size());
  }

  void arrangesPagesByAPreset_data()
  {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("pages");
    QTest::addColumn<QString>("docks");
    const auto add = [](const char* preset, const char* pages, const char* docks) {
      QTest::newRow(preset) << preset << pages << docks;
    };
    add("explore", "morphology", "dataDock parametersDock");
    add("schedule", "tree packing", "dataDock parametersDock");
    add("solve", "splitting", "dataDock parametersDock timingsDock");
    add("connect", "projection", "circuitDock dataDock parametersDock timingsDock");
    add("grow", "plasticity", "parametersDock timingsDock");
    add("benchmark", "benchmark", "dataDock parametersDock");
  }

  void arrangesPagesByAPreset()
  {
    QFETCH(QString, preset);
    QFETCH(QString, pages);
    QFETCH(QString, docks);
    trigger("splitRightAction");
    trigger("parametersDockAction"); // by hand, which a preset forgets
    auto* action = find<QAction>(qPrintable(preset + "WorkspaceAction"));
    QVERIFY(find<QMenu>("workspaceMenu")->actions().contains(action));
    action->trigger();
    QStringList seen;
    for (const std::string& page : pagesOf(window->viewArea().arrangement().panes))
      seen << QString::fromStdString(page);
    QCOMPARE(seen.join(' '), pages);
    QCOMPARE(openDocks(), docks);
    for (const char* title : {"Data", "Circuit", "Parameters", "Timings"})
      QCOMPARE(action->toolTip().contains(QLatin1String(title)), docks.contains(QString(title).toLower() + "Dock"));
  }

  void restoresTheArrangementAtTheNextStart()
  {
    ViewArea& area = window->viewArea();
    area.arrange(
        {.panes = {.parts = {{.page = "tree"},
                             {.orientation = Qt::Vertical, .parts = {{.page = "splitting"}, {.page = "synapses"}}}}},
         .windows = {{"morphology", {40, 30, 500, 400}}},
         .current = "splitting"});
    clickUnfold("historyDock");
    const Arrangement before = area.arrangement();
    QVERIFY(window->close());
    window.reset();
    QVERIFY(showWindow({1600, 1000}));
    const Arrangement after = window->viewArea().arrangement();
    QCOMPARE(pagesOf(after.panes), pagesOf(before.panes));
    QCOMPARE(after.panes.parts.at(1).orientation, Qt::Vertical);
    QCOMPARE(after.windows.size(), std::size_t{1});
    QCOMPARE(after.windows[0].page, std::string("morphology"));
    QCOMPARE(after.current, std::string("splitting"));
    QVERIFY(find<QDockWidget>("historyDock")->isVisible());
    show("benchmark");
    QVERIFY(window->close());
    window.reset();
    QVERIFY(showWindow({1600, 1000}));
    QCOMPARE(window->viewArea().current(), 4);
  }

  /// A session says which page is seen, and nothing of windows.
  void leavesAPageInItsOwnWindowWhenASessionIsOpened()
  {
    const QTemporaryDir folder;
    const QString path = folder.filePath("own.hinesight");
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    show("tree");
    const int tree = window->viewArea().current();
    QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window->viewArea().isInWindow(tree));
    trigger("saveSessionAsAction");
    auto* dialog = find<QFileDialog>("saveSessionDialog");
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatience);
    QVERIFY(waitForJobs());
    QVERIFY(window->close());
    window.reset();
    QVERIFY(showWindow({1600, 1000}));
    window->openFiles({path});
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 1, kPatience);
    QVERIFY(waitForJobs());
    QVERIFY(window->viewArea().isInWindow(tree));
    QCOMPARE(window->viewArea().current(), tree);
    QVERIFY(find<QWidget>("pageWindow-tree")->isVisible());
  }

  void startsWithThePageOfAnEarlierVersion()
  {
    window.reset();
    QSettings().clear();
    QSettings().setValue("window/view", 3);
    QVERIFY(showWindow());
    QCOMPARE(window->viewArea().current(), 3);
  }

  void savesAnArrangementUnderAName()
  {
    ViewArea& area = window->viewArea();
    area.arrange({.panes = {.parts = {{.page = "packing"}, {.page = "plasticity"}}}});
    click<QToolButton>("dataDockFold");
    trigger("saveWorkspaceAction");
    auto* dialog = find<QInputDialog>("workspaceNameDialog");
    QTRY_VERIFY(dialog->isVisible());
    dialog->setTextValue("two & a/half");
    dialog->accept();
    find<QAction>("exploreWorkspaceAction")->trigger();
    QCOMPARE(area.panes(), 1);
    window->close();
    window.reset();
    QVERIFY(showWindow({1600, 1000}));
    QAction* saved = nullptr;
    for (QAction* action : window->findChildren<QAction*>())
      if (action->text() == QStringLiteral("two && a/half"))
        saved = action;
    QVERIFY(saved);
    QVERIFY(!saved->icon().isNull() && !saved->toolTip().isEmpty() && saved->statusTip() == saved->toolTip());
    saved->trigger();
    QCOMPARE(pagesOf(window->viewArea().arrangement().panes), (std::vector<std::string>{"packing", "plasticity"}));
    QVERIFY(!find<QDockWidget>("dataDock")->isVisible());
  }

  void bringsBackWhatLiesBesideTheScreen()
  {
    const QList<QRect> screens = {{0, 0, 1600, 1000}, {1600, 0, 800, 600}};
    QCOMPARE(broughtInside({100, 100, 400, 300}, screens), QRect(100, 100, 400, 300));
    QCOMPARE(broughtInside({-500, 2000, 400, 300}, screens), QRect(0, 700, 400, 300));
    QCOMPARE(broughtInside({2200, 500, 400, 300}, screens), QRect(2000, 300, 400, 300));
    QCOMPARE(broughtInside({200, 100, 4000, 3000}, screens), QRect(0, 0, 1600, 1000));
    // With the frame that a screen puts around a window.
    const QMargins frame(2, 24, 2, 2);
    QCOMPARE(contentInside({567, 368, 804, 626}, frame, {{0, 0, 1366, 768}}), QRect(564, 166, 800, 600));
    QCOMPARE(contentInside({100, 100, 400, 300}, frame, screens), QRect(102, 124, 396, 274));
    window->viewArea().arrange({.panes = {.page = "tree"}, .windows = {{"morphology", {90000, 90000, 700, 500}}}});
    QTRY_VERIFY(
        window->screen()->availableGeometry().contains(find<QWidget>("pageWindow-morphology")->frameGeometry()));
  }

  void readsAnArrangementThatNamesUnknownPages()
  {
    const Arrangement whole{.panes = {.orientation = Qt::Vertical,
                                      .parts = {{.page = "tree"}, {.page = "benchmark"}},
                                      .shares = {0.25, 0.75}},
                            .windows = {{"packing", {1, 2, 300, 400}}},
                            .current = "packing"};
    QCOMPARE(arrangementFrom(toJson(whole)), whole);
    Arrangement partly = whole;
    partly.panes.parts[1].page = "gone";
    partly.windows[0].page = "tree"; // which is in a pane
    partly.current = "gone";
    const auto read = arrangementFrom(toJson(partly));
    QVERIFY(read);
    QCOMPARE(read->panes, PaneTree{.page = "tree"});
    QVERIFY(read->windows.empty() && read->current.empty());
    QVERIFY(!arrangementFrom({}));
  }
};

} // namespace hinesight::app

HINESIGHT_TEST_RUN(hinesight::app::runWindowTest<hinesight::app::TestArrangements>)
#include "test_arrangements.moc"
