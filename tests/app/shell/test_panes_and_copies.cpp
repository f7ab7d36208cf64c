#include "app/app_fixture.hpp"
#include "app/pages/arrangement.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "workspace_fixture.hpp"

#include <QMouseEvent>
#include <QPointer>

#include <cmath>
#include <string>
#include <vector>

namespace hinesight::app {

/// Pages in panes and in windows of their own, and views that are shown twice.
class TestPanesAndCopies : public QObject, private WorkspaceFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { end(); }

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
};

} // namespace hinesight::app

HINESIGHT_TEST_RUN(hinesight::app::runWindowTest<hinesight::app::TestPanesAndCopies>)
#include "test_panes_and_copies.moc"
