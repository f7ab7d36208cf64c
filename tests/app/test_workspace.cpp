#include "app_fixture.hpp"
#include "window_fixture.hpp"

#include "app/pages/arrangement.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/workspace/foldable_docks.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>

namespace hinesight::app {

/// What stands where in the window: docks that yield to the views, pages in panes and windows, arrangements that are
/// kept.
class TestWorkspace : public QObject, private WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1600, 1000}));
  }

  void cleanup()
  {
    if (window)
      window->jobs().cancel();
    window.reset();
  }

  void opensTheDocksThatSaySomethingToAPage()
  {
    show("morphology");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock"));
    show("splitting");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock timingsDock"));
    show("projection");
    QCOMPARE(openDocks(), QStringLiteral("circuitDock dataDock parametersDock timingsDock"));
  }

  void keepsWhatAPersonOpenedAndFoldedOnAPage()
  {
    show("morphology");
    click<QToolButton>("dataDockFold");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock"));
    QTRY_VERIFY(find<QToolButton>("dataDockUnfold")->isVisible());
    click<QToolButton>("timingsDockUnfold");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock timingsDock"));
    show("packing"); // another view of the same cells
    QCOMPARE(openDocks(), QStringLiteral("parametersDock timingsDock"));
    show("projection");
    QVERIFY(find<QDockWidget>("dataDock")->isVisible());
    show("morphology");
    trigger("dataDockAction");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock timingsDock"));
  }

  /// Also in a window that is too small for what another page has to say.
  void keepsWhatAPersonOpenedOnEveryPage()
  {
    window->resize(1280, 720);
    show("morphology");
    if (!find<QDockWidget>("timingsDock")->isVisible())
      click<QToolButton>("timingsDockUnfold");
    else { // opened by the page: fold it and open it by hand
      click<QToolButton>("timingsDockFold");
      click<QToolButton>("timingsDockUnfold");
    }
    for (const char* page : {"projection", "benchmark", "plasticity", "measure"}) {
      show(page);
      QVERIFY2(find<QDockWidget>("timingsDock")->isVisible(), page);
      if (!find<QDockWidget>("parametersDock")->isVisible())
        click<QToolButton>("parametersDockUnfold");
      QVERIFY2(find<QDockWidget>("timingsDock")->isVisible(), page);
    }
    click<QToolButton>("timingsDockFold");
    show("morphology");
    click<QToolButton>("timingsDockFold");
    show("synapses");
    QVERIFY(!window->findChild<FoldableDocks*>()->choices().contains(QStringLiteral("*")) ||
            !window->findChild<FoldableDocks*>()->choices()[QStringLiteral("*")].toObject().contains("timingsDock"));
  }

  void foldsAllDocksAtOnce()
  {
    show("projection");
    QTest::keyClick(window.get(), Qt::Key_F9);
    QCOMPARE(openDocks(), QString());
    QVERIFY(find<QToolButton>("focusButton")->isChecked());
    clickUnfold("parametersDock");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock"));
    show("morphology");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock"));
    click<QToolButton>("focusButton");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock"));
    QTest::keyClick(window.get(), Qt::Key_F9);
    QCOMPARE(openDocks(), QString()); // what was opened counted for that time
  }

  void leavesHalfOfASmallWindowToTheView_data()
  {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1366, 768), QSize(1280, 720), QSize(1000, 700), QSize(910, 512), QSize(800, 500)})
      QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
  }

  void leavesHalfOfASmallWindowToTheView()
  {
    QFETCH(QSize, size);
    window->resize(size);
    for (const PageDefinition& page : allPages()) {
      show(page.name);
      // What is enough for a page need not be half of a large window.
      const auto hasEnough = [&] {
        const QSize seen = shownPages().front()->size();
        const int pixels = seen.width() * seen.height();
        return window->size() == size && (2 * pixels >= size.width() * size.height() || pixels >= 720 * 640);
      };
      QTRY_VERIFY2(hasEnough(), page.name.data());
    }
    // What a person wants stands, while it leaves the views a width that is worth it; then it is what was opened last.
    show("morphology");
    for (const char* dock : {"dataDock", "parametersDock"})
      if (find<QDockWidget>(dock)->isHidden())
        clickUnfold(dock);
    const QString wanted =
        size.width() >= 1280 ? QStringLiteral("dataDock parametersDock") : QStringLiteral("parametersDock");
    QCOMPARE(openDocks(), wanted);
    QVERIFY(shownPages().front()->width() >= 320);
    window->resize(1600, 1000);
    QTRY_COMPARE(openDocks(), wanted);
  }

  void keepsCellsClearOfCardLegendAndScaleBar_data()
  {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x720") << QSize(1280, 720);
    QTest::newRow("1000x700") << QSize(1000, 700);
    QTest::newRow("800x500") << QSize(800, 500);
  }

  void keepsCellsClearOfCardLegendAndScaleBar()
  {
    QFETCH(QSize, size);
    window->resize(size);
    window->loadSamples();
    QTRY_VERIFY_WITH_TIMEOUT(window->cells().rowCount() == 4 && !window->jobs().isActive(), kPatience);
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    const auto isClear = [&] {
      for (const char* name : {"timingCard", "legend", "scaleBar"}) {
        const auto* overlay = view.findChild<QWidget*>(QLatin1String(name));
        if (!overlay->isVisible())
          return false;
        const QRect place = overlay->geometry();
        for (int x = place.left(); x < place.right(); x += 3)
          for (int y = place.top(); y < place.bottom(); y += 3)
            if (!view.branchAt(QPointF(x, y)).isNull())
              return false;
        for (const auto* label : view.canvas()->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
          if (label->isVisible() && label->geometry().intersects(place))
            return false;
      }
      return true;
    };
    QTRY_VERIFY(isClear());
    window->resize(1600, 1000);
    window->resize(size);
    QTRY_VERIFY(isClear());
  }

  void foldsTheTimingCardOfASmallViewToALine()
  {
    window->resize(1000, 700);
    window->openFiles({dataFile("bipolar.swc")});
    QVERIFY(waitForJobs());
    auto* card = window->view(ViewKind::Morphology).timingCard();
    QTRY_VERIFY_WITH_TIMEOUT(card->isVisible() && card->isFolded(), kPatience);
    const int line = card->height();
    QTest::mouseClick(card, Qt::LeftButton);
    QVERIFY(!card->isFolded());
    QTRY_VERIFY(card->height() > 3 * line);
    QTest::mouseClick(card, Qt::LeftButton);
    QTRY_COMPARE(card->height(), line);
    window->resize(1600, 1000);
    QTRY_VERIFY(!card->isFolded());
  }

  void unfoldsWhatHasRoomAgain()
  {
    show("projection");
    window->resize(1000, 700);
    QTRY_COMPARE(openDocks(), QStringLiteral("parametersDock"));
    window->resize(1600, 1000);
    QTRY_COMPARE(openDocks(), QStringLiteral("circuitDock dataDock parametersDock timingsDock"));
  }

  void splitsTheViewsAndClosesASplit()
  {
    ViewArea& area = window->viewArea();
    show("morphology");
    QTest::keyClick(window.get(), Qt::Key_Backslash, Qt::ControlModifier);
    QCOMPARE(area.panes(), 2);
    QCOMPARE(area.current(), 1);
    const QList<QWidget*> pair = shownPages();
    QCOMPARE(pair.size(), 2);
    QVERIFY(!pair[0]->geometry().intersects(pair[1]->geometry()));
    QVERIFY(std::abs(pair[0]->width() - pair[1]->width()) <= 2);
    trigger("splitDownAction");
    QCOMPARE(area.panes(), 3);
    QCOMPARE(pagesOf(area.arrangement().panes), (std::vector<std::string>{"morphology", "tree", "packing"}));
    QVERIFY(pair[0]->height() > 1.9 * shownPages().back()->height());

    // A tab brings its page into the current pane, or goes to the pane where it is.
    clickTab("projection");
    QCOMPARE(pagesOf(area.arrangement().panes), (std::vector<std::string>{"morphology", "tree", "projection"}));
    clickTab("morphology");
    QCOMPARE(area.current(), 0);
    QCOMPARE(area.panes(), 3);
    QVERIFY(find<QDockWidget>("circuitDock")->isVisible()); // Projection is still seen

    QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(pagesOf(area.arrangement().panes), (std::vector<std::string>{"tree", "projection"}));
    trigger("closePaneAction");
    trigger("closePaneAction"); // the last one stays
    QCOMPARE(area.panes(), 1);
    QCOMPARE(shownPages().size(), 1);
    QCOMPARE(shownPages().front()->width(), area.width());
  }

  void takesThePageThatIsClickedAsTheCurrentOne()
  {
    ViewArea& area = window->viewArea();
    area.arrange({.panes = {.parts = {{.page = "morphology"}, {.page = "projection"}}}});
    QCOMPARE(area.current(), 0);
    QVERIFY(find<QWidget>("copiesSpin")->isVisible());
    QTest::mouseClick(shownPages()[1], Qt::LeftButton, {}, {20, 20});
    QCOMPARE(area.current(), 5);
    QVERIFY(!find<QWidget>("copiesSpin")->isVisible());
    QTest::mouseClick(find<QWidget>("morphologyCanvas"), Qt::LeftButton);
    QCOMPARE(area.current(), 0);
    QVERIFY(find<QWidget>("copiesSpin")->isVisible());
  }

  void drawsEveryViewThatIsSeen()
  {
    window->viewArea().arrange({.panes = {.parts = {{.page = "morphology"}, {.page = "packing"}}}});
    window->openFiles({dataFile("bipolar.swc")});
    QVERIFY(waitForJobs());
    for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Packing})
      QTRY_COMPARE_WITH_TIMEOUT(window->view(kind).scene(), window->scene(), kPatience);
    QVERIFY(!window->view(ViewKind::Tree).scene());
  }

  void givesAPageAWindowOfItsOwn()
  {
    ViewArea& area = window->viewArea();
    show("packing");
    show("morphology");
    QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(area.isInWindow(0));
    QCOMPARE(area.current(), 0);
    auto* own = find<QWidget>("pageWindow-morphology");
    QTRY_VERIFY(own->isVisible());
    QVERIFY(own->isWindow() && own->isAncestorOf(&window->view(ViewKind::Morphology)));
    QVERIFY(window->view(ViewKind::Packing).isVisible()); // which was seen before
    window->openFiles({dataFile("bipolar.swc")});
    QVERIFY(waitForJobs());
    for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Packing})
      QTRY_COMPARE_WITH_TIMEOUT(window->view(kind).scene(), window->scene(), kPatience);
    clickTab("morphology"); // brings the window to the front
    QVERIFY(area.isInWindow(0));
    own->close();
    QVERIFY(!area.isInWindow(0));
    QCOMPARE(area.current(), 0);
    QVERIFY(window->view(ViewKind::Morphology).isVisible());
    QVERIFY(!window->view(ViewKind::Packing).isVisible());
    QTRY_VERIFY(window->view(ViewKind::Morphology).grabPicture().size().width() > 0);
  }

  void showsAViewTwiceWithACameraOfItsOwn()
  {
    show("morphology");
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    auto& original = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    QTRY_VERIFY_WITH_TIMEOUT(original.geometry().tubes() > 0, kPatience);
    QTest::keyClick(window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    auto* own = find<QWidget>("pageWindow-morphology2");
    QTRY_VERIFY(own->isVisible());
    QCOMPARE(own->windowTitle(), QStringLiteral("Morphology 2 - Hinesight"));
    auto* copy = own->findChild<widgets::MorphologyView*>();
    QVERIFY(copy && copy != &original);
    QTRY_COMPARE_WITH_TIMEOUT(copy->scene(), window->scene(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(copy->geometry().tubes(), original.geometry().tubes(), kPatience);
    QVERIFY(!copy->timingCard()->isVisible());

    // Each turns by itself, and keys mean the one that is used.
    const widgets::OrbitCamera before = original.camera();
    QTest::mousePress(copy->canvas(), Qt::LeftButton, {}, {40, 40});
    QMouseEvent move(QEvent::MouseMove, QPointF(140, 70), copy->canvas()->mapToGlobal(QPointF(140, 70)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(copy->canvas(), &move);
    QTest::mouseRelease(copy->canvas(), Qt::LeftButton, {}, {140, 70});
    const widgets::OrbitCamera turned = copy->camera();
    QVERIFY(turned.backward() != before.backward());
    QVERIFY(original.camera() == before);
    QCOMPARE(window->viewArea().currentCopy(), copy);

    // A branch that is picked in one is selected in both; so it is with colours.
    copy->grabPicture();
    QPoint pixel;
    for (int y = 5; y < copy->canvas()->height() && pixel.isNull(); y += 3)
      for (int x = 5; x < copy->canvas()->width() && pixel.isNull(); x += 3)
        if (!copy->branchAt(QPointF(x, y)).isNull())
          pixel = {x, y};
    QVERIFY(!pixel.isNull());
    const widgets::BranchId branch = copy->branchAt(pixel);
    QTest::mouseClick(copy->canvas(), Qt::LeftButton, {}, pixel);
    QTRY_COMPARE(original.selection(), branch);
    QCOMPARE(copy->selection(), branch);
    window->setColorBy(widgets::ColorBy::PathDistance);
    QCOMPARE(copy->colorBy(), widgets::ColorBy::PathDistance);
    const QImage lit = copy->grabPicture();
    window->viewArea().useWidget(copy);
    QTest::keyClick(copy->canvas(), Qt::Key_F);
    QVERIFY(copy->camera() != turned);
    QVERIFY(original.camera() == before);
    QVERIFY(copy->grabPicture() != lit);

    // A figure of a copy goes with it.
    find<QAction>("saveViewAction")->trigger();
    QPointer<QWidget> dialog = find<QWidget>("figureDialog");
    QVERIFY(dialog->isVisible());
    const QPointer<QWidget> gone = copy;
    own->close();
    QTRY_VERIFY(!gone);
    QVERIFY(!dialog);
    QCOMPARE(window->viewArea().currentCopy(), nullptr);
    QVERIFY(window->viewArea().arrangement().copies.empty());
    window->openFiles({dataFile("bipolar.swc")}); // nobody draws in what is gone
    QVERIFY(waitForJobs());
  }

  void showsSchedulesTwiceAndNoMoreThanFourCopies()
  {
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    show("packing");
    trigger("duplicateViewAction");
    auto* own = find<QWidget>("pageWindow-packing2");
    auto* copy = own->findChild<widgets::ScheduleView*>();
    QTRY_COMPARE_WITH_TIMEOUT(copy->scene(), window->scene(), kPatience);
    // Its own schedule beside it, which the page has not.
    copy->findChild<QToolButton*>(QStringLiteral("scheduleCompare"))->click();
    QTRY_COMPARE(own->findChildren<widgets::ScheduleView*>().size(), 2);
    QVERIFY(waitForJobs());
    QCOMPARE(window->view(ViewKind::Packing).parentWidget()->findChildren<widgets::ScheduleView*>().size(), 1);
    for (int more = 0; more < kMostCopies - 1; ++more) {
      QVERIFY(find<QAction>("duplicateViewAction")->isEnabled());
      trigger("duplicateViewAction");
    }
    QVERIFY(!find<QAction>("duplicateViewAction")->isEnabled());
    QTest::keyClick(own, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(window->viewArea().arrangement().copies.size(), std::size_t{kMostCopies - 1});
    window->viewArea().showView(4); // a page that is there once
    QVERIFY(!find<QAction>("duplicateViewAction")->isEnabled());
  }

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

  /// A preset arranges the main window.
  void leavesWindowsOpenByAPreset()
  {
    ViewArea& area = window->viewArea();
    const auto own = [&](const char* page) {
      show(page);
      const int index = area.current();
      QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
      QVERIFY(area.isInWindow(index));
    };
    own("plasticity");
    own("morphology");
    QVERIFY(!QTest::currentTestFailed());
    find<QAction>("exploreWorkspaceAction")->trigger();
    QCoreApplication::processEvents();
    QCOMPARE(pagesOf(area.arrangement().panes), std::vector<std::string>{"morphology"});
    QCOMPARE(area.arrangement().windows.size(), std::size_t{1});
    QCOMPARE(area.arrangement().windows.front().page, std::string("plasticity"));
    QVERIFY(shownWindow("pageWindow-plasticity"));
    QVERIFY(window->view(ViewKind::Morphology).isVisible());
  }

  void closesTheOwnWindowThatIsUsedByItsKey()
  {
    ViewArea& area = window->viewArea();
    show("packing");
    show("morphology");
    QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(area.isInWindow(0));
    auto* own = find<QWidget>("pageWindow-morphology");
    QTRY_VERIFY(own->isVisible());
    QVERIFY(find<QAction>("closePaneAction")->isEnabled());
    QTest::keyClick(own, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(!area.isInWindow(0));
    QVERIFY(window->view(ViewKind::Morphology).isVisible());
    QCOMPARE(area.panes(), 1);
    QVERIFY(!find<QAction>("closePaneAction")->isEnabled());
  }

  void bringsASplitBackFromOneViewAndFromTheGrid()
  {
    ViewArea& area = window->viewArea();
    area.arrange({.panes = {.parts = {{.page = "morphology"}, {.page = "packing"}}}});
    auto* maximize = window->view(ViewKind::Morphology).findChild<QToolButton*>("maximize");
    QTest::mouseClick(maximize, Qt::LeftButton);
    QCOMPARE(area.panes(), 1);
    QTest::mouseClick(maximize, Qt::LeftButton);
    QCOMPARE(area.panes(), 2);
    QTest::keyClick(window.get(), Qt::Key_G);
    QVERIFY(area.isGrid());
    QCOMPARE(area.panes(), 4);
    QTest::keyClick(window.get(), Qt::Key_G);
    QVERIFY(!area.isGrid());
    QCOMPARE(pagesOf(area.arrangement().panes), (std::vector<std::string>{"morphology", "packing"}));
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

private:
  void show(std::string_view page)
  {
    const auto found = std::ranges::find(allPages(), page, &PageDefinition::name);
    window->viewArea().showView(static_cast<int>(found - allPages().begin()));
    QCoreApplication::processEvents();
  }

  void clickTab(std::string_view page)
  {
    const auto found = std::ranges::find(allPages(), page, &PageDefinition::name);
    auto* tabs = find<QTabBar>("viewTabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(found - allPages().begin())).center());
  }

  template <typename Button>
  void click(const char* name)
  {
    auto* button = find<Button>(name);
    QTRY_VERIFY2(button->isVisible(), name);
    QTest::mouseClick(button, Qt::LeftButton);
    QCoreApplication::processEvents();
  }

  void clickUnfold(const char* dock) { click<QToolButton>(qPrintable(QLatin1String(dock) + QStringLiteral("Unfold"))); }

  void trigger(const char* action) { find<QAction>(action)->trigger(); }

  /// One that went may be there still, until it is deleted.
  bool shownWindow(const char* name) const
  {
    return std::ranges::any_of(window->findChildren<QWidget*>(QLatin1String(name)), &QWidget::isVisible);
  }

  QString openDocks() const
  {
    QStringList open;
    for (const QDockWidget* dock : window->findChildren<QDockWidget*>())
      if (dock->isVisible())
        open << dock->objectName();
    open.sort();
    return open.join(' ');
  }

  /// In the window itself, by their tabs.
  QList<QWidget*> shownPages() const
  {
    QList<QWidget*> pages;
    ViewArea& area = window->viewArea();
    for (auto* child : area.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      if (child->isVisible() && !qobject_cast<QTabBar*>(child) && child->objectName() != "panes" &&
          child->height() > 100)
        pages << child;
    return pages;
  }
};

} // namespace hinesight::app

HINESIGHT_TEST_RUN(hinesight::app::runWindowTest<hinesight::app::TestWorkspace>)
#include "test_workspace.moc"
