#include "test_main.hpp"
#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/overlay_room.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>

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

  /// The largest first, down to one that is free of all.
  void roomsStayAMarginAwayFromOverlays()
  {
    const std::vector<QRectF> overlays = {{300, 0, 100, 100}, {0, 200, 150, 100}};
    const std::vector<Room> rooms = roomsFor({400, 300}, overlays, {380, 280}, 10);
    QCOMPARE(rooms.front().place, QRectF(10, 10, 380, 280));
    QCOMPARE(rooms.front().scale, 1.0);
    for (const Room& room : rooms) {
      QVERIFY(QRectF(10, 10, 380, 280).contains(room.place));
      QCOMPARE(room.isFree, &room == &rooms.back());
    }
    for (const QRectF& overlay : overlays)
      QVERIFY(!rooms.back().place.intersects(overlay.adjusted(-10, -10, 10, 10)));
    // What is free beside it is part of it.
    const Room wide = roomsFor({400, 300}, {{0, 0, 400, 100}, {0, 280, 50, 20}}, {100, 10}, 0).back();
    QCOMPARE(wide.place, QRectF(0, 100, 400, 180));
    const Room flat = roomsFor({400, 300}, {{0, 0, 100, 300}}, {100, 10}, 0).back();
    QCOMPARE(flat.place, QRectF(100, 0, 300, 300));
    QVERIFY(roomsFor({400, 300}, {{0, 0, 400, 300}}, {10, 10}, 10).empty());
    QVERIFY(roomsFor({15, 300}, {}, {10, 10}, 10).empty());
  }

  /// For content as high as the room: one of 300 pixels in the middle, or a higher one at the right.
  void aLittleLargerIsNoReasonToLeaveTheMiddle()
  {
    const auto roomBeside = [](double high) {
      return roomsFor({400, 400}, {{0, 0, 200, 50}, {200, 0, 200, 350 - high}, {0, 350, 400, 50}}, {100, 400}, 0)
          .back()
          .place;
    };
    QCOMPARE(roomBeside(300), QRectF(0, 50, 400, 300));
    QCOMPARE(roomBeside(315), QRectF(0, 50, 400, 300));
    QCOMPARE(roomBeside(350), QRectF(200, 0, 200, 350));
  }

  /// They touch two ends of it and stand in its middle, also where near ones look larger.
  void aCameraFitsBallsIntoARoom_data()
  {
    QTest::addColumn<bool>("isParallel");
    QTest::newRow("perspective") << false;
    QTest::newRow("parallel") << true;
  }

  void aCameraFitsBallsIntoARoom()
  {
    QFETCH(bool, isParallel);
    const std::vector<float> points = {-500, -250, 600, 500, 250, -600, -450, 280, 550, 480, -260, -500, 0, 0, 0};
    const std::vector<float> radii(points.size() / 3, 0.0F);
    OrbitCamera camera;
    camera.setViewport({900, 600});
    camera.setParallel(isParallel);
    camera.rotate({40, 25});
    for (const QRectF& room : {QRectF(10, 10, 590, 370), QRectF(320, 10, 280, 580), QRectF(0, 0, 900, 600)}) {
      camera.fitInto(room, points, radii);
      QRectF seen;
      for (std::size_t i = 0; i < radii.size(); ++i) {
        const ScreenPoint at = camera.project({points[3 * i], points[3 * i + 1], points[3 * i + 2]});
        QVERIFY(at.depth > 0);
        seen = i == 0 ? QRectF(at.x, at.y, 0, 0)
                      : QRectF(QPointF(std::min(seen.left(), at.x), std::min(seen.top(), at.y)),
                               QPointF(std::max(seen.right(), at.x), std::max(seen.bottom(), at.y)));
      }
      QVERIFY(room.adjusted(-1e-3, -1e-3, 1e-3, 1e-3).contains(seen));
      QVERIFY(std::abs(seen.width() - room.width()) < 1e-3 || std::abs(seen.height() - room.height()) < 1e-3);
    }
    // A ball touches the ends that it reaches.
    camera.resetOrientation();
    camera.fitInto({100, 100, 400, 400}, {0, 0, 0}, {50});
    QVERIFY(std::abs(camera.project({0, 0, 0}).x - 300) < 5 && std::abs(camera.project({0, 0, 0}).y - 300) < 5);
    QVERIFY(50 / camera.pixelSize(camera.focalDistance()) > 190);
    QVERIFY(50 / camera.pixelSize(camera.focalDistance()) < 200.001);
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
    parts.add(QRectF(300, 300, 100, 10));
    parts.add(QRectF(-50, -50, 20, 20)); // outside
    QVERIFY(parts.isUnder({350, 300, 2, 2}));
    QVERIFY(!parts.isUnder({0, 0, 90, 90}));
    QVERIFY(!parts.isUnder({350, 340, 20, 20}));
  }
};

HINESIGHT_TEST(TestOverlayRoom)
#include "test_overlay_room.moc"
