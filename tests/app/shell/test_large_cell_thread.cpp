#include "app/app_fixture.hpp"
#include "app/pages/view_area.hpp"
#include "morphology/swc.hpp"
#include "test_main.hpp"
#include "thread_watch.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/many_segments.hpp"

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// One cell of very many segments and then one of very many branches, in files that were traced breadth first: nothing
/// that is done with them keeps the window's thread busy.
class TestLargeCellThread : public QObject, ThreadWatch
{
  Q_OBJECT

  static constexpr std::int32_t kSegments = 250'000 / tests::kSlowness;
  static constexpr std::size_t kBranches = 40'000 / tests::kSlowness; ///< of the second cell
  static constexpr int kAfterwards = 400;   // ms, in which what is made ready on other threads comes, and is drawn
  static constexpr int kAfterTheme = 2'000; // ms, in which all widgets follow another theme

  void act(const QString& what, const std::function<void()>& how) { watch(what, how, kAfterwards); }
  void clickAt(double x, double y)
  {
    QWidget* canvas = find<QWidget>("morphologyCanvas");
    QTest::mouseMove(canvas, QPointF(x * canvas->width(), y * canvas->height()).toPoint());
    QTest::mouseClick(canvas, Qt::LeftButton, {}, QPointF(x * canvas->width(), y * canvas->height()).toPoint());
  }

  void toggleTheme(const char* what)
  {
    const auto toggle = [this] { find<QAction>("themeAction")->trigger(); };
    watch(QLatin1String(what), toggle, kAfterTheme);
  }

  /// The dependency tree of a cell of many branches, in other colours and in another theme.
  void lookAtBranches(const QString& file)
  {
    constexpr double kRun = 2.0 * kSegments / kBranches; // segments to a bifurcation, from where two branches go
    morphology::writeSwc(*test::randomTree(2, kSegments, kRun), file.toStdString());
    act("opening branches", [&] { window->openFiles({file}); });
    const auto& tree = static_cast<widgets::TreeView&>(window->view(ViewKind::Tree));
    const auto bars = [&] { return tree.planarCanvas()->drawing().bars.size(); };
    act("the tree", [&] { window->showView(ViewKind::Tree); });
    QTRY_VERIFY2_WITH_TIMEOUT(bars() > kBranches * 9 / 5, qPrintable(QString::number(bars())),
                              kPatience); // as read and planned
    takeBlocks(QStringLiteral("the tree"));
    act("a branch in the tree",
        [&] { QTest::mouseClick(tree.planarCanvas(), Qt::LeftButton, {}, tree.planarCanvas()->rect().center()); });
    act("levels in the tree", [&] { window->setColorBy(widgets::ColorBy::Level); });
    for (const char* theme : {"another theme", "the first theme"})
      toggleTheme(theme);
    act("Morphology of branches", [&] { window->showView(ViewKind::Morphology); });
    for (const char* theme : {"another theme of Morphology", "the first theme of Morphology"})
      toggleTheme(theme);
  }

private slots:
  void neverBusyForLong()
  {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("large.swc"));
    morphology::writeSwc(*test::randomTree(1, kSegments), file.toStdString());
    QVERIFY(showWindow({1280, 720}));
    act("opening", [&] { window->openFiles({file}); });
    const auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    QTRY_VERIFY_WITH_TIMEOUT(view.geometry().tubes() >= kSegments, kPatience);
    for (int page = 0; page < window->viewArea().count(); ++page)
      act(QStringLiteral("page %1").arg(page), [&] { window->viewArea().showView(page); });
    act("Morphology", [&] { window->showView(ViewKind::Morphology); });
    act("a click", [&] { clickAt(0.5, 0.5); });
    act("another click", [&] { clickAt(0.45, 0.55); });
    act("a line for an expression", [&] { find<QAction>("selectWhereAction")->trigger(); });
    for (const QChar letter : QStringLiteral("order > 5"))
      act("a selection", [&] { QTest::keyClicks(find<QLineEdit>("selectWhere"), letter); });
    QTRY_VERIFY_WITH_TIMEOUT(view.choice().selected.size() > 1, kPatience); // more than what was clicked
    act("hidden branches", [&] { find<QAction>("hideBranchesAction")->trigger(); });
    QVERIFY(!view.choice().hidden.isEmpty());
    act("undo", [&] { find<QAction>("undoAction")->trigger(); });
    act("redo", [&] { find<QAction>("redoAction")->trigger(); });
    act("the tree without them", [&] { window->showView(ViewKind::Tree); });
    act("Morphology again", [&] { window->showView(ViewKind::Morphology); });
    act("all shown", [&] { find<QAction>("showAllBranchesAction")->trigger(); });
    act("all selected", [&] { find<QAction>("invertAction")->trigger(); });
    act("a colour", [&] { window->setColorBy(widgets::ColorBy::PathDistance); });
    find<QPushButton>("removeAllButton")->click();
    lookAtBranches(folder.filePath(QStringLiteral("branched.swc")));
    window.reset();
    judge("test_large_cell_thread");
  }
};

static int runWatched(int argc, char** argv)
{
  return runInApplication<WatchedApplication>(argc, argv, [&] {
    TestLargeCellThread test;
    return QTest::qExec(&test, argc, argv);
  });
}

HINESIGHT_TEST_RUN(runWatched)
#include "test_large_cell_thread.moc"
