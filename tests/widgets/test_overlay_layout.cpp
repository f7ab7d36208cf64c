#include "cell_scenes.hpp"
#include "gl_test.hpp"
#include "low_canvas.hpp"
#include "test_main.hpp"
#include "widgets/cells/view.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/overlay_layout.hpp"

#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::widgets;

namespace {

/// Draws nothing, and counts how often its overlays are laid out.
class PlainView : public View
{
public:
  PlainView() : View(QStringLiteral("Plain")) { setCanvas(new QWidget(this)); }

  void fit() override {}
  QImage grabPicture() override { return {}; }
  LegendOverlay& shown() const { return *legendOverlay(); }

  int layouts = 0;

protected:
  void paintFigure(QPainter&, const FigureArea&) override {}
  StillPainter stillPainter(ThemeMode) override { return {}; }
  void layOutOwnOverlays() override { ++layouts; }
};

} // namespace

/// Overlays whose canvas changes while they are laid out.
class TestOverlayLayout : public QObject
{
  Q_OBJECT

  PlainView view;

private slots:
  void initTestCase()
  {
    view.resize(600, 400);
    view.setScene(test::makeScene({test::makeMorphology("fork", test::forkedCell())}));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(view.shown().isVisible());
  }

  void aLayoutWithinAnotherComesAfterIt()
  {
    int turns = 0;
    int depth = 0;
    int deepest = 0;
    OverlayLayout* own = nullptr;
    OverlayLayout layout([&] {
      deepest = std::max(deepest, ++depth);
      if (++turns == 1)
        own->layOut();
      --depth;
    });
    own = &layout;
    layout.layOut();
    QCOMPARE(turns, 2);
    QCOMPARE(deepest, 1);
  }

  void endsWhereEachAsksForAnother()
  {
    int turns = 0;
    OverlayLayout* own = nullptr;
    OverlayLayout layout([&] {
      ++turns;
      own->layOut();
    });
    own = &layout;
    layout.layOut();
    const int first = turns;
    QVERIFY(first > 1 && first < 10);
    layout.layOut();
    QVERIFY(turns > first);
  }

  /// And once when it is folded.
  void anotherLegendIsLaidOutOnce()
  {
    view.layouts = 0;
    const QSize before = view.shown().size();
    view.setColorBy(ColorBy::Level);
    QVERIFY(view.shown().size() != before);
    QCOMPARE(view.layouts, 1);
    QTest::mouseClick(&view.shown(), Qt::LeftButton, {}, view.shown().rectOfTitle().center());
    QVERIFY(view.shown().isFolded());
    QCOMPARE(view.layouts, 2);
  }

  void noLegendStaysHalfShown()
  {
    QVERIFY(view.shown().isVisible());
    QVERIFY(test::LowCanvas(view.shown()).hidesOverlay());
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestOverlayLayout>)
#include "test_overlay_layout.moc"
