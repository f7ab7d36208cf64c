#include "many_segments.hpp"
#include "morphology_pictures.hpp"

#include "test_main.hpp"
#include "widgets/cells/morphology/tube_picker.hpp"

#include <QSignalSpy>

#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;
using namespace hinesight::test;

/// What a person points at, clicks and drags, and how the view shows it.
class TestMorphologyPicking : public QObject
{
  Q_OBJECT

private slots:
  void picksTheBranchUnderTheCursor()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    for (const std::int32_t sample : {1, 2, 3, 4, 5, 6, 7}) {
      for (std::size_t tube = 0; tube < view->geometry().tubes(); ++tube) {
        if (view->geometry().sampleB[tube] == sample && sample != 1 && sample != 3) {
          QCOMPARE(view->branchAt(view.toScreen(middleOf(*view, tube))), branchOfSample(*scene, 0, sample));
        }
      }
      QCOMPARE(view->branchAt(view.toScreen(inScene(*view, sample))).cell, 0);
    }
    QVERIFY(view->branchAt({3, 3}).isNull());
  }

  /// Without tolerance, picking on the CPU and the picture from the GPU agree on every pixel away from edges.
  void pickingAgreesWithThePicture_data()
  {
    QTest::addColumn<bool>("parallel");
    QTest::newRow("perspective") << false;
    QTest::newRow("parallel") << true;
  }

  void pickingAgreesWithThePicture()
  {
    QFETCH(bool, parallel);
    ShownView view;
    view->setLook({.isParallel = parallel});
    view->setScene(makeScene({syntheticCell("pyramidal")}));
    OrbitCamera camera = view->camera();
    camera.rotate({70, 30});
    view->setCamera(camera);
    // Close to the soma, where tubes are wider than edges.
    camera.zoomAt(view.toScreen(inScene(*view, 0)), 14);
    view->setCamera(camera);
    const QImage picture = view.picture();
    TubePicker picker;
    picker.aim(view->geometry(), view->camera());
    int covered = 0;
    int disagree = 0;
    for (int y = 2; y < picture.height() - 2; y += 3) {
      for (int x = 2; x < picture.width() - 2; x += 3) {
        const bool drawn = !isBackground(picture.pixelColor(x, y));
        bool nearEdge = false;
        for (int dy = -2; dy <= 2; ++dy) {
          for (int dx = -2; dx <= 2; ++dx) {
            nearEdge = nearEdge || isBackground(picture.pixelColor(x + dx, y + dy)) == drawn;
          }
        }
        if (!nearEdge) {
          covered += drawn;
          disagree += drawn != (picker.pick(QPointF(x + 0.5, y + 0.5), 0).tube >= 0);
        }
      }
    }
    QVERIFY2(covered > 100, qPrintable(QString::number(covered)));
    QVERIFY2(disagree * 100 <= covered, qPrintable(QStringLiteral("%1 of %2").arg(disagree).arg(covered)));
  }

  /// What a block that lies elsewhere leaves out is nowhere near.
  void picksTheSameAsALookAtAllTubes_data() { pickingAgreesWithThePicture_data(); }

  void picksTheSameAsALookAtAllTubes()
  {
    QFETCH(bool, parallel);
    const TubeGeometry geometry = buildTubes(*makeScene({syntheticCell("purkinje")}), CellPlaces::AsRead);
    TubeGeometry unbounded = geometry;
    for (TubeGeometry::Block& block : unbounded.blocks)
      block.radius = 1e9;
    OrbitCamera camera;
    camera.setViewport({kWidth, kHeight});
    camera.setParallel(parallel);
    camera.fit(geometry.endA, geometry.radiusA);
    for (const double zoom : {1.0, 6.0, 30.0}) {
      camera.zoomAt({200, 180}, zoom); // at last the camera is among the tubes
      camera.rotate({40, 25});
      TubePicker picker;
      picker.aim(geometry, camera);
      TubePicker all;
      all.aim(unbounded, camera);
      for (int y = 3; y < kHeight; y += 17)
        for (int x = 3; x < kWidth; x += 13)
          QCOMPARE(picker.pick(QPointF(x, y)).tube, all.pick(QPointF(x, y)).tube);
      for (const QRectF& box : {QRectF(150, 100, 200, 150), QRectF(0, 0, kWidth, kHeight)})
        QCOMPARE(picker.inside(box), all.inside(box));
      const double clip = camera.focalDistance();
      const QRectF whole(0, 0, kWidth, kHeight);
      QCOMPARE(picker.inside(whole, clip), all.inside(whole, clip));
    }
  }

  /// Whatever order a file has: blocks that are spread all over a cell would all be near to any cursor.
  void tubesOfABlockLieTogether()
  {
    constexpr std::int32_t kSegments = 20'000;
    constexpr double kMostOfCell = 0.25; // 0.13; one block after another of such a file, 0.71
    const TubeGeometry geometry = buildTubes(*makeScene({randomTree(1, kSegments)}), CellPlaces::AsRead);
    QCOMPARE(geometry.tubes(), std::size_t{kSegments} + 1); // with the soma
    double radii = 0;
    for (const TubeGeometry::Block& block : geometry.blocks)
      radii += block.radius;
    const TubeGeometry::Placement& cell = geometry.placements.front();
    const double mean = radii / static_cast<double>(geometry.blocks.size());
    const double share = mean / (norm(cell.upper - cell.lower) / 2);
    QVERIFY2(share < kMostOfCell, qPrintable(QString::number(share)));
  }

  void picksTheFrontTube()
  {
    for (const double z : {30.0, -30.0}) {
      ShownView view;
      view->setScene(crossing(z));
      view->setLook({.places = CellPlaces::AsRead});
      QCOMPARE(view->branchAt({kWidth / 2.0, kHeight / 2.0}).cell, z > 0 ? 0 : 1);
    }
  }

  void clickPicksAndTellsBackground()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    std::vector<BranchId> picked;
    connect(&*view, &View::branchPicked, [&](BranchId id) { picked.push_back(id); });
    QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, view.toScreen(inScene(*view, 5)).toPoint());
    QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, QPoint(4, 4));
    QCOMPARE(picked.size(), std::size_t{2});
    QCOMPARE(picked[0], branchOfSample(*scene, 0, 5));
    QVERIFY(picked[1].isNull());
  }

  void dragTurnsAndPicksNothing()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    QSignalSpy picked(&*view, &View::branchPicked);
    const Vec3 before = view->camera().backward();
    const QPoint start(kWidth / 2, kHeight / 2);
    QTest::mousePress(view->canvas(), Qt::LeftButton, {}, start);
    moveMouse(*view, start + QPoint(60, 0), Qt::LeftButton);
    QTest::mouseRelease(view->canvas(), Qt::LeftButton, {}, start + QPoint(60, 0));
    QCOMPARE(picked.size(), 0);
    const double turned = std::acos(dot(before, view->camera().backward()));
    QVERIFY(std::abs(turned - M_PI * 60 / kHeight) < 1e-6);
    QVERIFY(std::abs(dot(view->camera().right(), view->camera().up())) < 1e-12);
  }

  void dragWithTheMiddleButtonMoves()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    const Vec3 held = view->camera().focalPoint();
    const QPointF before = view.toScreen(held);
    QTest::mousePress(view->canvas(), Qt::MiddleButton, {}, QPoint(300, 200));
    moveMouse(*view, QPointF(340, 175), Qt::MiddleButton);
    QTest::mouseRelease(view->canvas(), Qt::MiddleButton, {}, QPoint(340, 175));
    const QPointF moved = view.toScreen(held) - before;
    QVERIFY(std::abs(moved.x() - 40) < 1e-6 && std::abs(moved.y() + 25) < 1e-6);
  }

  void wheelZoomsToTheCursor()
  {
    for (const bool parallel : {false, true}) {
      ShownView view;
      view->setLook({.isParallel = parallel});
      view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
      const Vec3 tip = inScene(*view, 7);
      const QPointF cursor = view.toScreen(tip);
      const double before = view->camera().pixelSize(view->camera().project(tip).depth);
      sendWheel(*view, cursor, 3);
      const QPointF after = view.toScreen(tip);
      QVERIFY2(std::hypot(after.x() - cursor.x(), after.y() - cursor.y()) < 3, "the point under the cursor stays");
      const double magnified = before / view->camera().pixelSize(view->camera().project(tip).depth);
      QVERIFY2(std::abs(magnified - std::pow(1.2, 3)) < 0.03, qPrintable(QString::number(magnified)));
      sendWheel(*view, cursor, -3);
      QVERIFY(std::hypot(view.toScreen(tip).x() - cursor.x(), view.toScreen(tip).y() - cursor.y()) < 3);
    }
  }

  void doubleClickFitsABranch()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    const double before = view->camera().focalDistance();
    QTest::mouseDClick(view->canvas(), Qt::LeftButton, {}, view.toScreen(inScene(*view, 7)).toPoint());
    QVERIFY(view->camera().focalDistance() < 0.7 * before);
    for (const std::int32_t sample : {3, 6, 7}) {
      const QPointF point = view.toScreen(inScene(*view, sample));
      QVERIFY(QRectF(0, 0, kWidth, kHeight).contains(point));
    }
    QTest::keyClick(view->canvas(), Qt::Key_F);
    QVERIFY(std::abs(view->camera().focalDistance() - before) < 1e-9 * before);
  }

  void selectionOutlinesAndDimsTheRest()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    const QPointF selected = view.toScreen(inScene(*view, 5));
    const QPointF other = view.toScreen(inScene(*view, 7));
    const QImage before = view.picture();
    QCOMPARE(countOf(before, theme().selection, 12), 0);
    view->setSelection(branchOfSample(*scene, 0, 5));
    const QImage after = view.picture();
    QVERIFY(countOf(after, theme().selection, 12) > 100);
    QVERIFY(distance(at(after, selected), at(before, selected)) <= 2);
    const QColor full = at(before, other);
    const QColor dim = at(after, other);
    const auto mixed = [](int background, int color) { return background + 0.35 * (color - background); };
    QVERIFY(std::abs(dim.red() - mixed(theme().canvas.red(), full.red())) <= 2);
    QVERIFY(std::abs(dim.green() - mixed(theme().canvas.green(), full.green())) <= 2);
    QVERIFY(std::abs(dim.blue() - mixed(theme().canvas.blue(), full.blue())) <= 2);
    view->setSelection({});
    QVERIFY(distance(at(view.picture(), other), full) <= 1);
  }

  void hoverOutlinesThinly()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    const QPointF over = view.toScreen(inScene(*view, 5));
    const QImage before = view.picture();
    moveMouse(*view, over);
    QCOMPARE(view->hoveredBranch(), branchOfSample(*scene, 0, 5));
    const QImage hovered = view.picture();
    const int thin = countOf(hovered, theme().selection, 30);
    QVERIFY(thin > 50);
    const QPointF other = view.toScreen(inScene(*view, 7));
    QVERIFY(distance(at(hovered, other), at(before, other)) <= 1);
    view->setSelection(branchOfSample(*scene, 0, 5));
    const int wide = countOf(view.picture(), theme().selection, 30);
    QVERIFY2(wide > 1.3 * thin, qPrintable(QStringLiteral("%1 %2").arg(wide).arg(thin)));
    moveMouse(*view, QPointF(4, 4));
    QVERIFY(view->hoveredBranch().isNull());
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestMorphologyPicking>)

#include "test_morphology_picking.moc"
