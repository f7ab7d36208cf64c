#include "test_main.hpp"
#include "widgets/pixel_mask.hpp"

#include <QtTest>

#include <random>

using namespace hinesight::widgets;

/// What lies in a loop that was drawn by hand.
class TestPixelMask : public QObject
{
  Q_OBJECT

private slots:
  /// Against Qt's own answer, away from the border.
  void holdsWhatALoopGoesAround()
  {
    const QPolygonF loop({{10, 10}, {90, 20}, {60, 50}, {95, 90}, {20, 80}, {40, 45}});
    const PixelMask mask(loop);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-20, 120);
    int compared = 0;
    for (int k = 0; k < 5'000; ++k) {
      const QPointF point(place(random), place(random));
      const auto isIn = [&](const QPointF& at) { return loop.containsPoint(at, Qt::WindingFill); };
      const bool isNearBorder =
          isIn(point + QPointF(2, 0)) != isIn(point) || isIn(point - QPointF(2, 0)) != isIn(point) ||
          isIn(point + QPointF(0, 2)) != isIn(point) || isIn(point - QPointF(0, 2)) != isIn(point);
      if (isNearBorder)
        continue;
      QCOMPARE(mask.contains(point), isIn(point));
      ++compared;
    }
    QVERIFY(compared > 3'000);
  }

  void findsLinesAndRectanglesThatCrossIt()
  {
    const PixelMask mask(QPolygonF({{50, 0}, {100, 50}, {50, 100}, {0, 50}}));
    QVERIFY(mask.crosses({50, 50}, {51, 50}));
    QVERIFY(mask.crosses({-1e6, 50}, {1e6, 50})); // both ends are far away
    QVERIFY(!mask.crosses({-20, 20}, {20, -20})); // beside a corner of the box around it
    QVERIFY(!mask.crosses({200, 0}, {200, 100}));
    QVERIFY(mask.crosses({50, 50}, {50, 50})); // a point
    QVERIFY(mask.touches({-100, -100, 300, 300}));
    QVERIFY(mask.touches({40, 40, 1, 1}));
    QVERIFY(!mask.touches({0, 0, 10, 10}));
    QVERIFY(!mask.touches({500, 500, 10, 10}));
  }

  void holdsNothingWithoutALoop()
  {
    const PixelMask mask(QPolygonF{});
    QVERIFY(!mask.crosses({10, 10}, {20, 20}));
  }
};

HINESIGHT_TEST(TestPixelMask)
#include "test_pixel_mask.moc"
