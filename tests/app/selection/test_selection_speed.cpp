#include "app/app_fixture.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/window_fixture.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "morphology/swc.hpp"
#include "morphology/synthetic.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/legend_overlay.hpp"

#include <QAction>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr std::size_t kSegments = 100'000;
constexpr double kMost = kSilent * tests::kSlowness; // ms
constexpr int kTimes = 3;

} // namespace

/// What selects among 100,000 segments keeps the window's thread busy for 50 ms at the most. Its processor time counts,
/// what software OpenGL and painting take left out, and the least of several times: other programs take the caches
/// away.
class TestSelectionSpeed : public QObject, WindowFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  static WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }
  const widgets::BranchChoice& choice() { return window->findChild<BranchSelection*>()->choice(); }
  widgets::MorphologyView& morphology()
  {
    return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  }

  double busyBy(const std::function<void()>& act)
  {
    application().watchAnew();
    QMetaObject::invokeMethod(window.get(), act, Qt::QueuedConnection);
    QCoreApplication::processEvents();
    return application().times().event;
  }

  /// Does something that changes the choice, and takes it back, by turns.
  void watch(const char* what, const std::function<void()>& act, const std::function<void()>& takeBack)
  {
    double least = std::numeric_limits<double>::infinity();
    for (int time = 0; time < kTimes; ++time) {
      const widgets::BranchChoice before = choice();
      least = std::min(least, busyBy(act));
      QVERIFY2(choice() != before, what);
      busyBy(takeBack);
    }
    qInfo("%s: %.1f ms", what, least);
    QVERIFY2(least <= kMost, qPrintable(QStringLiteral("%1: %2 ms").arg(QLatin1String(what)).arg(least)));
  }

  std::function<void()> trigger(const char* action)
  {
    return [this, action] { find<QAction>(action)->trigger(); };
  }

  /// By Ctrl+F, in the place of what is there.
  QLineEdit* write(const char* expression)
  {
    trigger("selectWhereAction")();
    auto* line = find<QLineEdit>("selectWhere");
    line->selectAll();
    QTest::keyClicks(line, QLatin1String(expression));
    return line;
  }

  std::function<void()> clickEntry(const char* type, Qt::KeyboardModifiers modifiers)
  {
    return [this, type, modifiers] {
      auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
      const auto& entries = legend->legend().entries;
      const auto entry = std::ranges::find(entries, QLatin1String(type), &widgets::Legend::Entry::label);
      QVERIFY2(entry != entries.end(), type);
      const auto place = static_cast<std::size_t>(entry - entries.begin());
      QTest::mouseClick(legend, Qt::LeftButton, modifiers, legend->rectOfEntry(place).center());
    };
  }

  std::function<void()> drawBox(const QPoint& from, const QPoint& to)
  {
    return [this, from, to] {
      QWidget* canvas = morphology().canvas();
      QTest::mousePress(canvas, Qt::LeftButton, Qt::ShiftModifier, from);
      QMouseEvent move(QEvent::MouseMove, to, canvas->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
      QApplication::sendEvent(canvas, &move);
      QTest::mouseRelease(canvas, Qt::LeftButton, Qt::ShiftModifier, to);
    };
  }

private slots:
  void initTestCase()
  {
    QStringList files;
    std::size_t segments = 0;
    for (morphology::SyntheticCellParameters parameters; segments < kSegments; ++parameters.seed) {
      const auto cell = morphology::makeSyntheticCell(parameters);
      segments += cell->samples();
      files << folder.filePath(QStringLiteral("cell %1.swc").arg(files.size() + 1));
      morphology::writeSwc(*cell, std::filesystem::path(files.back().toStdString()));
    }
    QVERIFY(showWindow({1280, 720}));
    window->openFiles(files);
    QVERIFY(waitForJobs());
    QTRY_VERIFY_WITH_TIMEOUT(morphology().geometry().tubes() >= kSegments - static_cast<std::size_t>(files.size()),
                             kPatience);
  }
  void cleanupTestCase() { window.reset(); }

  void anExpressionSelectsInEachView_data()
  {
    QTest::addColumn<ViewKind>("kind");
    QTest::newRow("Morphology") << ViewKind::Morphology;
    QTest::newRow("Dependency tree") << ViewKind::Tree;
    QTest::newRow("Packing") << ViewKind::Packing;
    QTest::newRow("Splitting") << ViewKind::Splitting;
    QTest::newRow("Measure") << ViewKind::Measure;
  }

  void anExpressionSelectsInEachView()
  {
    QFETCH(ViewKind, kind);
    window->showView(kind);
    QLineEdit* line = write("type == axon || length > 2");
    watch(
        "a digit", [line] { QTest::keyClick(line, Qt::Key_0); }, [line] { QTest::keyClick(line, Qt::Key_Backspace); });
    watch("the others", trigger("invertAction"), trigger("previousSelectionAction"));
  }

  void setsFollowTheTreeAndAreHidden()
  {
    window->showView(ViewKind::Morphology);
    write("order == 3");
    watch("subtrees", trigger("subtreeAction"), trigger("previousSelectionAction"));
    watch("paths to the soma", trigger("pathToSomaAction"), trigger("previousSelectionAction"));
    watch("hosts", trigger("hostAction"), trigger("previousSelectionAction"));
    watch("hidden", trigger("hideBranchesAction"), trigger("showAllBranchesAction"));
    watch("isolated", trigger("isolateAction"), trigger("showAllBranchesAction"));
  }

  void theLegendAndABoxSelect()
  {
    window->showView(ViewKind::Morphology);
    watch("an entry", clickEntry("axon", Qt::NoModifier), clickEntry("basal dendrite", Qt::NoModifier));
    watch("an entry that is hidden", clickEntry("axon", Qt::ControlModifier), clickEntry("axon", Qt::ControlModifier));
    const QPoint corner(morphology().canvas()->width() - 2, morphology().canvas()->height() - 2);
    watch("a box", drawBox({1, 1}, corner), drawBox(corner - QPoint(8, 8), corner));
    clickEntry("axon", Qt::ControlModifier)();
    window->setColorBy(widgets::ColorBy::Block);
    const auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
    QTRY_VERIFY_WITH_TIMEOUT(legend->legend().entries.size() > 10, kPatience); // blocks
    watch("a box beside what is hidden", drawBox({1, 1}, corner), drawBox(corner - QPoint(8, 8), corner));
  }
};

static int runWatched(int argc, char** argv)
{
  return runInApplication<WatchedApplication>(argc, argv, [&] {
    TestSelectionSpeed test;
    return QTest::qExec(&test, argc, argv);
  });
}

HINESIGHT_TEST_RUN(runWatched)
#include "test_selection_speed.moc"
