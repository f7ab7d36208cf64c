#include "test_main.hpp"
#include "widgets/overlay_room.hpp"

#include <QtTest>

using namespace hinesight::widgets;

/// Where a drawing stands that no overlay is to cover.
class TestOverlayRoom : public QObject
{
  Q_OBJECT

private slots:
  void isTheWholeCanvasWithoutOverlays() { QCOMPARE(freeRoom({400, 300}, {}, {10, 10}), QRectF(0, 0, 400, 300)); }

  void isBesideOrBelowAsTheContentIsShaped()
  {
    const std::vector<QRectF> overlays = {{300, 0, 100, 200}};
    QCOMPARE(freeRoom({400, 300}, overlays, {10, 30}), QRectF(0, 0, 300, 300));
    QCOMPARE(freeRoom({400, 300}, overlays, {100, 10}), QRectF(0, 200, 400, 100));
  }

  void isBetweenOverlays()
  {
    const std::vector<QRectF> overlays = {{0, 0, 400, 50}, {0, 250, 400, 50}, {0, 50, 40, 200}};
    QCOMPARE(freeRoom({400, 300}, overlays, {10, 10}), QRectF(40, 50, 360, 200));
  }

  void isNowhereUnderAnOverlayOfAll() { QVERIFY(freeRoom({400, 300}, {{0, 0, 400, 300}}, {10, 10}).isNull()); }

  void holdsContentAsNearToTheMiddleAsItCan()
  {
    const QSizeF canvas(400, 300);
    QCOMPARE(middleIn({0, 0, 400, 300}, {100, 300}, canvas), QPointF(200, 150));
    QCOMPARE(middleIn({0, 0, 300, 300}, {150, 300}, canvas), QPointF(200, 150)); // there is room for it
    QCOMPARE(middleIn({0, 0, 300, 300}, {250, 300}, canvas), QPointF(175, 150)); // its right end is the room's
    QCOMPARE(middleIn({100, 0, 300, 300}, {280, 200}, canvas), QPointF(240, 150));
    QCOMPARE(middleIn({100, 0, 200, 300}, {500, 200}, canvas), QPointF(200, 150)); // too large: both sides alike
  }

  void knowsWhatIsUnderAnOverlay()
  {
    CoveredParts parts({640, 640});
    QVERIFY(!parts.isUnder({0, 0, 640, 640}));
    parts.add({100, 200});
    parts.add({-5, 20}); // outside
    QVERIFY(parts.isUnder({90, 190, 20, 20}));
    QVERIFY(!parts.isUnder({0, 0, 90, 90}));
    QVERIFY(!CoveredParts().isUnder({0, 0, 640, 640}));
  }
};

HINESIGHT_TEST(TestOverlayRoom)
#include "test_overlay_room.moc"
