#include "app/app_fixture.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/shell/help/command_palette.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPolygon>
#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::app;

/// Selects by a box and by a loop that are asked for in the menus of the real main window.
class TestAreaSelection : public QObject, WindowFixture
{
  Q_OBJECT

  BranchSelection& selected() { return *window->findChild<BranchSelection*>(); }
  const widgets::BranchIds& ids() { return selected().choice().selected; }
  std::size_t rows() { return selected().table()->rows(); }
  widgets::MorphologyView& morphology()
  {
    return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  }
  widgets::TreeView& tree() { return static_cast<widgets::TreeView&>(window->view(ViewKind::Tree)); }
  QString told() { return find<QLabel>("resultLabel")->text(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), key, modifiers);
  }

  static bool isCross(const QWidget* canvas) { return canvas->cursor().shape() == Qt::CrossCursor; }
  static QPolygon allOf(const QWidget* canvas)
  {
    return QPolygon({{1, 1}, {canvas->width() - 2, canvas->height() - 2}});
  }

  static void moveTo(QWidget* canvas, const QPoint& point, Qt::KeyboardModifiers modifiers)
  {
    QMouseEvent move(QEvent::MouseMove, point, canvas->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, modifiers);
    QApplication::sendEvent(canvas, &move);
  }

  static void drag(QWidget* canvas, const QPolygon& way, Qt::KeyboardModifiers modifiers = {})
  {
    QTest::mousePress(canvas, Qt::LeftButton, modifiers, way.front());
    for (const QPoint& point : way)
      moveTo(canvas, point, modifiers);
    QTest::mouseRelease(canvas, Qt::LeftButton, modifiers, way.back());
  }

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 720}));
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    // The bar of the selection is there from the beginning: no canvas changes its size when something is selected.
    find<QAction>("selectWhereAction")->trigger();
    window->setFocus();
    QTRY_VERIFY(find<QWidget>("selectionBar")->isVisible());
    QCoreApplication::processEvents();
  }
  void cleanup() { window.reset(); }

  void thePaletteFindsThem_data()
  {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("begins");
    QTest::newRow("box") << "box"
                         << "Drag a box";
    QTest::newRow("lasso") << "lasso"
                           << "Drag a loop";
  }

  void thePaletteFindsThem()
  {
    QFETCH(QString, typed);
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    const QPointer<CommandPalette> palette = window->findChild<CommandPalette*>();
    QVERIFY(palette && QTest::qWaitForWindowExposed(palette));
    auto* line = find<QLineEdit>("paletteText");
    QTest::keyClicks(line, typed);
    QVERIFY2(find<QListWidget>("paletteList")->item(0)->text().contains(typed),
             qPrintable(find<QListWidget>("paletteList")->item(0)->text()));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(!palette);
    QTRY_VERIFY(isCross(morphology().canvas()));
    QFETCH(QString, begins);
    QVERIFY2(told().startsWith(begins), qPrintable(told()));
  }

  void theEditMenuHasThem()
  {
    const QList<QAction*> edit = window->menuBar()->actions().at(1)->menu()->actions();
    for (const char* name : {"selectBoxAction", "selectLassoAction"}) {
      const auto* action = find<QAction>(name);
      QVERIFY(edit.contains(action) && action->isEnabled());
      QVERIFY(!action->icon().isNull() && !action->shortcut().isEmpty());
      QVERIFY(action->toolTip().contains("left button"));
    }
    find<QAction>("removeAllCellsAction")->trigger();
    QVERIFY(waitForJobs());
    QTRY_VERIFY(!find<QAction>("selectBoxAction")->isEnabled() && !find<QAction>("selectLassoAction")->isEnabled());
  }

  void theNextDragAloneDrawsABox()
  {
    QWidget* canvas = morphology().canvas();
    const widgets::OrbitCamera before = morphology().camera();
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(isCross(canvas));
    drag(canvas, allOf(canvas));
    QCOMPARE(ids().size(), rows());
    QVERIFY(morphology().camera() == before);
    QVERIFY(!isCross(canvas));
    QVERIFY2(!told().contains("Drag"), qPrintable(told()));
    // The one after it turns the cell, and with Shift it draws as ever.
    selected().clear();
    drag(canvas, allOf(canvas));
    QVERIFY(morphology().camera() != before);
    QVERIFY(ids().isEmpty());
    drag(canvas, allOf(canvas), Qt::ShiftModifier);
    QVERIFY(!ids().isEmpty());
  }

  void aLoopGoesAroundABranch()
  {
    window->showView(ViewKind::Tree);
    auto* canvas = tree().planarCanvas();
    const auto loopAround = [&](std::int32_t branch) {
      const QPoint at = canvas->transform().map(tree().barOf(false, branch)).center().toPoint();
      return QPolygon({at - QPoint(0, 6), at + QPoint(6, 6), at + QPoint(-6, 6)});
    };
    const double origin = canvas->transform().originX;
    press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    drag(canvas, loopAround(5));
    QVERIFY(ids().has({0, 5}) && ids().size() < rows());
    QCOMPARE(canvas->transform().originX, origin); // nothing moved
    QVERIFY(!isCross(canvas));
    // With Ctrl it adds.
    press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    drag(canvas, loopAround(9), Qt::ControlModifier);
    QVERIFY(ids().has({0, 5}) && ids().has({0, 9}));
  }

  void escapeEndsItFirst()
  {
    selected().select({0, 3});
    QWidget* canvas = morphology().canvas();
    find<QAction>("selectBoxAction")->trigger();
    QVERIFY(isCross(canvas) && !find<QAction>("deselectAction")->isEnabled());
    press(Qt::Key_Escape);
    QVERIFY(!isCross(canvas));
    QVERIFY(!told().contains("Drag"));
    QCOMPARE(ids(), widgets::BranchIds({{0, 3}}));
    const widgets::OrbitCamera before = morphology().camera();
    drag(canvas, allOf(canvas));
    QVERIFY(morphology().camera() != before);
    QCOMPARE(ids(), widgets::BranchIds({{0, 3}}));
    press(Qt::Key_Escape);
    QVERIFY(ids().isEmpty());
  }

  void escapeEndsABoxThatIsBeingDrawn()
  {
    window->showView(ViewKind::Tree);
    for (QWidget* canvas :
         {static_cast<QWidget*>(tree().planarCanvas()), static_cast<QWidget*>(morphology().canvas())}) {
      window->showView(canvas == tree().planarCanvas() ? ViewKind::Tree : ViewKind::Morphology);
      find<QAction>("selectBoxAction")->trigger();
      const QPolygon way = allOf(canvas);
      QTest::mousePress(canvas, Qt::LeftButton, {}, way.front());
      moveTo(canvas, way.back(), {});
      const auto* outline = canvas->findChild<QWidget*>(QStringLiteral("selectionOutline"));
      QVERIFY(outline->isVisible());
      press(Qt::Key_Escape);
      QVERIFY(!outline->isVisible());
      QTest::mouseRelease(canvas, Qt::LeftButton, {}, way.back());
      QVERIFY(ids().isEmpty());
    }
  }

  /// A page without branches gives way to the Morphology view; another page ends it.
  void isOfThePageThatIsSeen()
  {
    window->showView(ViewKind::Benchmark);
    find<QAction>("selectLassoAction")->trigger();
    QVERIFY(morphology().isVisible() && isCross(morphology().canvas()));
    QVERIFY(told().contains("Drag a loop"));
    window->showView(ViewKind::Tree);
    QVERIFY(!isCross(morphology().canvas()) && !isCross(tree().planarCanvas()));
    QVERIFY(!told().contains("Drag a loop"));
  }

  void inTheGridItIsOfEveryView()
  {
    find<QAction>("gridAction")->trigger();
    QTRY_VERIFY(morphology().isVisible() && tree().isVisible());
    find<QAction>("selectBoxAction")->trigger();
    QVERIFY(isCross(morphology().canvas()) && isCross(tree().planarCanvas()));
    drag(tree().planarCanvas(), allOf(tree().planarCanvas()));
    QVERIFY(!ids().isEmpty());
    QVERIFY(!isCross(morphology().canvas()) && !isCross(tree().planarCanvas()));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestAreaSelection>)
#include "test_area_selection.moc"
