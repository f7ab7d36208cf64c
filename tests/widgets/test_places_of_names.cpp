#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_figure.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace hinesight::widgets;

/// Where the names of cells stand that lie near one another.
class TestPlacesOfNames : public QObject
{
  Q_OBJECT

  const QRectF canvas{0, 0, 800, 600};
  const QSizeF size{120, 16};
  OrbitCamera camera;

  /// In pixels of the canvas.
  TubeGeometry::Placement cellAt(double x, double top, double bottom) const
  {
    const double unit = camera.pixelSize(camera.focalDistance());
    return {0, {(x - 10 - 400) * unit, (300 - bottom) * unit, 0}, {(x + 10 - 400) * unit, (300 - top) * unit, 0}};
  }

  QRectF place(const TubeGeometry::Placement& cell, const std::vector<QRectF>& taken = {}) const
  {
    return freePlaceOfName(cell, camera, size, taken, canvas);
  }

private slots:
  void init()
  {
    camera = OrbitCamera();
    camera.setViewport({800, 600});
    camera.setParallel(true);
  }

  void isBelowTheCell()
  {
    const auto cell = cellAt(400, 200, 300);
    QCOMPARE(place(cell), placeOfName(cell, camera, size));
    QVERIFY(place(cell).top() > 300 && std::abs(place(cell).center().x() - 400) < 1);
  }

  void isTheNearestFreePlace()
  {
    const auto cell = cellAt(400, 200, 300);
    const QRectF home = placeOfName(cell, camera, size);
    QCOMPARE(place(cell, {home}), home.translated(0, 16));
    const QRectF left(home.left() - 40, home.top(), 60, 200); // covers its left end, as far down as names go
    QCOMPARE(place(cell, {left}), home.translated(30, 0));
    const QRectF below(home.left() - 200, home.top(), 600, 200);
    const QRectF above = place(cell, {below});
    QVERIFY(above.bottom() < 200 && above.bottom() > 180);
    QVERIFY(std::abs(above.center().x() - 400) < 1);
    QVERIFY(place(cell, {canvas}).isNull());
  }

  /// Each of a row of cells that are nearer than their names are wide.
  void allOfARowHaveOne()
  {
    std::vector<QRectF> taken;
    for (int k = 0; k < 6; ++k) {
      const QRectF name = place(cellAt(300 + 25 * k, 200, 300 - 3 * k), taken);
      QVERIFY2(!name.isNull(), qPrintable(QString::number(k)));
      QVERIFY(canvas.contains(name));
      QVERIFY(std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(name); }));
      taken.push_back(name);
    }
  }

  void isAtTheEndThatIsOnTheCanvas()
  {
    QVERIFY(!place(cellAt(30, 200, 300)).isNull()); // beside the end of the canvas
    QVERIFY(place(cellAt(400, 100, 700)).bottom() < 100);
    QVERIFY(place(cellAt(400, -100, 500)).top() > 500);
    QVERIFY(place(cellAt(400, -100, 700)).isNull());
    QVERIFY(place(cellAt(400, -100, -10)).isNull()); // the cell is not seen
    QVERIFY(place(cellAt(400, 610, 700)).isNull());
  }
};

HINESIGHT_TEST(TestPlacesOfNames)
#include "test_places_of_names.moc"
