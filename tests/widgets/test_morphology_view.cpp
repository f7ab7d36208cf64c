#include "morphology_pictures.hpp"
#include "paths/paths.hpp"

#include "cable/random_tree.hpp"
#include "core/error.hpp"
#include "morphology/swc.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/line_levels.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/orbit/frame_quality.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/overlay_room.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>

#include <algorithm>
#include <atomic>
#include <filesystem>

using namespace hinesight;
using namespace hinesight::widgets;
using namespace hinesight::test;

namespace {

/// Of tubes of one cell, or of all.
std::vector<QPointF> placesOfTubes(ShownView& view, std::int32_t cell = -1)
{
  std::vector<QPointF> places;
  const TubeGeometry& geometry = view->geometry();
  for (std::size_t tube = 0; tube < geometry.tubes(); ++tube)
    if (cell < 0 || geometry.cell[tube] == cell)
      for (const std::vector<float>* ends : {&geometry.endA, &geometry.endB})
        places.push_back(view.toScreen({(*ends)[3 * tube], (*ends)[3 * tube + 1], (*ends)[3 * tube + 2]}));
  return places;
}

bool areSeen(ShownView& view)
{
  const QRectF canvas(view->canvas()->rect());
  return std::ranges::all_of(placesOfTubes(view), [&](const QPointF& place) { return canvas.contains(place); });
}

/// As deep as it is wide, with its near end to the left. A branch of each type, for a large legend.
std::shared_ptr<const morphology::Morphology> deepCell()
{
  std::vector<Row> rows{{1, 0, 0, 0, 10, -1}};
  constexpr int kTips = 18;
  for (int tip = 0; tip < kTips; ++tip) {
    const double x = 500 * std::cos(2 * M_PI * tip / kTips);
    rows.push_back({2 + tip, x, 300 * std::sin(2 * M_PI * tip / kTips), -1.2 * x, 1, 0});
  }
  return makeMorphology("deep", rows);
}

} // namespace

/// What the view draws, and what its header shows.
class TestMorphologyView : public QObject
{
  Q_OBJECT

private slots:
  /// The thread of the window must not wait for that: there may be millions of tubes.
  void whatWasDrawnIsFreedOnAnotherThread()
  {
    std::atomic<const QThread*> freedOn = nullptr;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    std::shared_ptr<const Scene> watched(new Scene(*scene), [&](const Scene* freed) {
      delete freed;
      freedOn = QThread::currentThread();
    });
    ShownView view;
    QVERIFY(view.isExposed);
    view->setScene(std::move(watched));
    QVERIFY(!freedOn);
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    QTRY_VERIFY(freedOn);
    QVERIFY(freedOn != QThread::currentThread());
  }

  /// The outline of a round cone seen from the side is the common tangent of its two circles, closed by these.
  void drawsTheSilhouetteOfACone_data()
  {
    QTest::addColumn<double>("radiusA");
    QTest::addColumn<double>("radiusB");
    QTest::newRow("tapered") << 30.0 << 8.0;
    QTest::newRow("tapered the other way") << 5.0 << 25.0;
    QTest::newRow("cylinder") << 15.0 << 15.0;
    QTest::newRow("one sphere holds the other") << 70.0 << 2.0;
  }

  void drawsTheSilhouetteOfACone()
  {
    QFETCH(double, radiusA);
    QFETCH(double, radiusB);
    constexpr double kLength = 60;
    ShownView view;
    view->setLook({.isParallel = true});
    view->setScene(makeScene({makeMorphology("cone", {{3, 0, 0, 0, radiusA, -1}, {3, kLength, 0, 0, radiusB, 0}})}));
    const QImage picture = view.picture();
    const double unit = view->camera().pixelSize(1);
    const float* a = view->geometry().endA.data();
    const Vec3 start{a[0], a[1], a[2]};

    // Signed distance to the hull of the two circles: what lies nearer than 1.5 pixels to the outline is left out.
    const double slope = (radiusA - radiusB) / kLength;
    const auto outside = [&](double x, double y) {
      const double toA = std::hypot(x, y) - radiusA;
      const double toB = std::hypot(x - kLength, y) - radiusB;
      if (std::abs(slope) >= 1) {
        return std::min(toA, toB);
      }
      const double rise = std::sqrt(1 - slope * slope);
      const double along = x - std::abs(y) * slope / rise; // foot on the axis, perpendicular to the tangent
      return along <= 0 ? toA : along >= kLength ? toB : std::abs(y) * rise + x * slope - radiusA;
    };
    int inside = 0;
    int wrong = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        const ScreenPoint origin = view->camera().project(start);
        const double d = outside((x + 0.5 - origin.x) * unit, (y + 0.5 - origin.y) * unit) / unit;
        if (std::abs(d) < 1.5) {
          continue;
        }
        inside += d < 0;
        wrong += isBackground(picture.pixelColor(x, y)) == (d < 0);
      }
    }
    QVERIFY2(inside > 10000, qPrintable(QString::number(inside)));
    QCOMPARE(wrong, 0);
  }

  void drawsTheSomaAsASphere()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("soma", {{1, 3, 4, 5, 10, -1}})}));
    const QImage picture = view.picture();
    // A sphere of radius r at distance D appears with the tangent r / sqrt(D^2 - r^2).
    const double seen = 10 / std::sqrt(std::pow(view->camera().focalDistance(), 2) - 100) *
                        view->camera().focalDistance() / view->camera().pixelSize(view->camera().focalDistance());
    const double expected = M_PI * seen * seen;
    const int covered = coveredPixels(picture);
    QVERIFY2(std::abs(covered - expected) < 0.02 * expected,
             qPrintable(QStringLiteral("%1 %2").arg(covered).arg(expected)));
    // Lit from the viewer: the middle is brighter than the rim.
    const QPointF middle(kWidth / 2.0, kHeight / 2.0);
    QVERIFY(at(picture, middle).value() > at(picture, middle + QPointF(0, 0.93 * seen)).value() + 20);
  }

  /// Every soma of a file is drawn, and a stem does not widen to the soma that it leaves.
  void drawsEverySomaOfAFile()
  {
    const auto scene = makeScene({makeMorphology(
        "two somata", {{1, 0, 0, 0, 10, -1}, {3, 0, 40, 0, 2, 0}, {1, 100, 0, 0, 15, -1}, {3, 100, 40, 0, 2, 2}})});
    const TubeGeometry tubes = buildTubes(*scene, CellPlaces::AsRead);
    std::vector<float> spheres;
    for (std::size_t tube = 0; tube < tubes.tubes(); ++tube) {
      if (std::equal(&tubes.endA[3 * tube], &tubes.endA[3 * tube] + 3, &tubes.endB[3 * tube])) {
        spheres.push_back(tubes.radiusA[tube]);
      } else {
        QCOMPARE(tubes.radiusA[tube], 2.0f);
        QCOMPARE(tubes.radiusB[tube], 2.0f);
      }
    }
    QCOMPARE(spheres, (std::vector<float>{10, 15}));
  }

  void hidesWhatLiesBehind_data()
  {
    QTest::addColumn<bool>("parallel");
    QTest::newRow("perspective") << false;
    QTest::newRow("parallel") << true;
  }

  void hidesWhatLiesBehind()
  {
    QFETCH(bool, parallel);
    ShownView view;
    view->setLook({.places = CellPlaces::AsRead, .isParallel = parallel});
    for (const double z : {30.0, -30.0}) {
      view->setScene(crossing(z));
      view->fit();
      view->resetOrientation();
      const QColor middle = at(view.picture(), QPointF(kWidth / 2.0, kHeight / 2.0));
      const QColor expected = z > 0 ? typeColor(2) : typeColor(3);
      QVERIFY2(hueDistance(middle, expected) < 12, qPrintable(middle.name()));
      // From behind, the other one is in front.
      OrbitCamera camera = view->camera();
      camera.rotate(QPointF(kHeight, 0));
      view->setCamera(camera);
      const QColor reversed = at(view.picture(), QPointF(kWidth / 2.0, kHeight / 2.0));
      QVERIFY2(hueDistance(reversed, z > 0 ? typeColor(3) : typeColor(2)) < 12, qPrintable(reversed.name()));
    }
  }

  /// Tubes that pass through one another: each is seen on the side where it is nearer.
  void cutsTubesWhereTheyMeet()
  {
    ShownView view;
    view->setLook({.places = CellPlaces::AsRead, .isParallel = true});
    view->setScene(makeScene({makeMorphology("leans", {{2, -100, 0, 60, 12, -1}, {2, 100, 0, -60, 12, 0}}),
                              makeMorphology("level", {{3, -100, 0, 0, 12, -1}, {3, 100, 0, 0, 12, 0}})}));
    const QImage picture = view.picture();
    QVERIFY(hueDistance(at(picture, view.toScreen({-60, 0, 0})), typeColor(2)) < 12);
    QVERIFY(hueDistance(at(picture, view.toScreen({60, 0, 0})), typeColor(3)) < 12);
  }

  void keepsThinTubesVisible()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("hair", {{2, 0, 0, 0, 1e-4, -1}, {2, 1000, 700, 0, 1e-4, 0}})}));
    const QImage picture = view.picture();
    // Every column that the hair crosses has pixels of it.
    const QPointF left = view.toScreen(inScene(*view, 1));
    const QPointF right(kWidth - left.x(), 0);
    const int from = static_cast<int>(std::min(left.x(), right.x())) + 2;
    const int to = static_cast<int>(std::max(left.x(), right.x())) - 2;
    QVERIFY(to - from > 300);
    for (int x = from; x <= to; ++x) {
      int covered = 0;
      for (int y = 0; y < picture.height(); ++y) {
        covered += distance(picture.pixelColor(x, y), theme().canvas) > 40;
      }
      QVERIFY2(covered >= 1 && covered <= 5, qPrintable(QStringLiteral("%1 pixels at x = %2").arg(covered).arg(x)));
    }
  }

  /// Nanometres from the corner of a brain: the same picture as around the origin.
  void drawsHugeCoordinates()
  {
    auto rows = forkedCell();
    ShownView view;
    view->setScene(makeScene({makeMorphology("near", rows)}));
    const QImage near = view.picture();
    for (Row& row : rows) {
      row.x += 1.25e9;
      row.y -= 7.5e8;
      row.z += 3e9;
    }
    view->setScene(makeScene({makeMorphology("far", rows)}));
    const QImage far = view.picture();
    int different = 0;
    for (int y = 0; y < near.height(); ++y) {
      for (int x = 0; x < near.width(); ++x) {
        different += distance(near.pixelColor(x, y), far.pixelColor(x, y)) > 6;
      }
    }
    QVERIFY(coveredPixels(near) > 2000);
    QVERIFY2(different * 200 < coveredPixels(near), qPrintable(QString::number(different)));

    for (Row& row : rows) {
      row.x *= 1e3;
      row.y *= 1e3;
      row.z *= 1e3;
      row.radius *= 1e3;
    }
    view->setScene(makeScene({makeMorphology("larger", rows)}));
    QVERIFY(std::abs(coveredPixels(view.picture()) - coveredPixels(near)) * 50 < coveredPixels(near));
  }

  void colorsFollowTheRule()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    const QPointF basal = view.toScreen(inScene(*view, 1));
    const QPointF apical = view.toScreen(inScene(*view, 3));
    QImage picture = view.picture();
    QVERIFY(hueDistance(at(picture, basal), typeColor(3)) < 10);
    QVERIFY(hueDistance(at(picture, apical), typeColor(4)) < 10);
    for (const ColorBy rule : {ColorBy::PathDistance, ColorBy::Radius, ColorBy::Level, ColorBy::Order}) {
      view->setColorBy(rule);
      picture = view.picture();
      const QColor expected = Coloring(*view->scene(), rule).ofSample(0, 3);
      QVERIFY2(hueDistance(at(picture, apical), expected) < 14 || expected.hsvSaturation() < 40,
               qPrintable(colorByName(rule) + at(picture, apical).name() + expected.name()));
    }
    view->setColorBy(ColorBy::Type);
    QVERIFY(hueDistance(at(view.picture(), apical), typeColor(4)) < 10);
  }

  void hiddenCellsAreNotDrawn()
  {
    ShownView view;
    auto scene = makeScene({makeMorphology("fork", forkedCell()), makeMorphology("twin", forkedCell())});
    view->setScene(scene);
    const std::size_t both = view->geometry().tubes();
    auto one = std::make_shared<Scene>(*scene);
    one->cells[0].visible = false;
    view->setScene(one);
    QCOMPARE(view->geometry().tubes(), both / 2);
    QCOMPARE(view->branchAt(view.toScreen(inScene(*view, 5))).cell, 1);
    auto none = std::make_shared<Scene>(*one);
    none->cells[1].visible = false;
    view->setScene(none);
    QCOMPARE(view->geometry().tubes(), std::size_t{0});
    QVERIFY(view->findChild<QLabel*>(QStringLiteral("emptyText"))->isVisible());
    QVERIFY(view->findChild<QPushButton*>(QStringLiteral("emptyOpen"))->isHidden());
  }

  void outlinesTheLitCell()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell()), makeMorphology("twin", forkedCell())}));
    const QImage dark = view.picture();
    view->setLitCells({1});
    const QImage lit = view.picture();
    QVERIFY(coveredPixels(lit) > coveredPixels(dark));
    // Nothing changes around the other cell, which lies to the left.
    const auto& placed = view->geometry().placements;
    const float between = (static_cast<float>(placed[0].upper[0]) + static_cast<float>(placed[1].lower[0])) / 2;
    const double middle = view.toScreen({between, 0, 0}).x();
    const auto part = [&](const QImage& picture, bool left) {
      const int column = static_cast<int>(middle * picture.width() / view->canvas()->width());
      return left ? picture.copy(0, 0, column, picture.height() - 60)
                  : picture.copy(column, 0, picture.width() - column, picture.height() - 60);
    };
    QVERIFY(part(lit, true) == part(dark, true));
    QVERIFY(part(lit, false) != part(dark, false));
    // A selected branch is what counts then.
    view->setLitCells({});
    view->setSelection({1, 0});
    const QImage selected = view.picture();
    view->setLitCells({1});
    QVERIFY(view.picture() == selected);
    view->setSelection({});
    // A place that no cell has is none.
    view->setLitCells({7});
    QVERIFY(view.picture() == dark);
  }

  void fitsToACell()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell()), makeMorphology("twin", forkedCell())}));
    const double ofAll = view->camera().focalDistance();
    view->fitToCell(7); // is not there
    QCOMPARE(view->camera().focalDistance(), ofAll);
    view->fitToCell(1);
    QVERIFY(view->camera().focalDistance() < ofAll);
    const auto& placed = view->geometry().placements;
    const ScreenPoint lower = view->camera().project({placed[1].lower[0], placed[1].lower[1], 0});
    const ScreenPoint upper = view->camera().project({placed[1].upper[0], placed[1].upper[1], 0});
    const QRectF canvas(QPointF(), QSizeF(view->canvas()->size()));
    QVERIFY(canvas.contains(lower.x, lower.y) && canvas.contains(upper.x, upper.y));
  }

  void fitsIntoWhatOverlaysLeave_data()
  {
    QTest::addColumn<bool>("isParallel");
    QTest::addColumn<int>("cells");
    QTest::newRow("one, perspective") << false << 1;
    QTest::newRow("one, parallel") << true << 1;
    QTest::newRow("one of four, perspective") << false << 4;
    QTest::newRow("one of four, parallel") << true << 4;
  }

  void fitsIntoWhatOverlaysLeave()
  {
    QFETCH(bool, isParallel);
    QFETCH(int, cells);
    ShownView view;
    StageTimings timings;
    timings.add("solve", 1);
    view->timingCard()->addRun(timings);
    view->setLook({.isParallel = isParallel});
    view->setScene(makeScene(std::vector(static_cast<std::size_t>(cells), deepCell())));
    for (const std::int32_t cell : {-1, 0}) {
      cell < 0 ? view->fit() : view->fitToCell(cell);
      std::vector<QRectF> overlays;
      for (const char* name : {"legend", "scaleBar", "timingCard"}) {
        const auto* overlay = view->findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(overlay->isVisible(), name);
        overlays.emplace_back(overlay->geometry());
      }
      QRectF seen;
      for (const QPointF& place : placesOfTubes(view, cell)) {
        QVERIFY(QRectF(view->canvas()->rect()).adjusted(5, 5, -5, -5).contains(place));
        for (const QRectF& overlay : overlays)
          QVERIFY(!overlay.adjusted(-2, -2, 2, 2).contains(place));
        seen |= QRectF(place, QSizeF(1, 1));
      }
      // No room has place for a larger picture, but for the names below it.
      constexpr double kNearlyFilled = 1.25;
      QVERIFY(roomsFor(view->canvas()->size(), overlays, seen.size(), 10).back().scale < kNearlyFilled);
    }
  }

  void aFitTakesTheRoomOfACardThatFolds()
  {
    ShownView view;
    TimingCard* card = view->timingCard();
    StageTimings timings;
    for (const char* stage : {"read", "discretize", "plan", "batch", "solve"})
      timings.add(stage, 1); // so many that it may fold
    card->addRun(timings);
    view->setScene(makeScene({deepCell()}));
    const auto toggle = [&] {
      const bool wasFolded = card->isFolded();
      QTest::mouseClick(card, Qt::LeftButton);
      return card->isVisible() && card->isFolded() != wasFolded;
    };
    QVERIFY(card->isFolded() && toggle());
    view->fit();
    const OrbitCamera beside = view->camera();
    QVERIFY(toggle());
    QVERIFY(!(view->camera() == beside));
    QVERIFY(view->camera().focalDistance() <= beside.focalDistance());
    // Not after a person has moved it.
    QVERIFY(toggle());
    view->fit();
    sendWheel(*view, QPointF(200, 150), 2);
    const OrbitCamera moved = view->camera();
    QVERIFY(toggle());
    QVERIFY(view->camera() == moved);
  }

  /// Of very many tubes, some of which follow one another though they lie far apart, as those of tiny cells do.
  void fitsManySmallCellsBesideLargeOnes()
  {
    std::vector<std::shared_ptr<const morphology::Morphology>> cells;
    for (int k = 0; k < 4; ++k) {
      cells.push_back(largeCell());
      for (int small = 0; small < 4; ++small)
        cells.push_back(makeMorphology("small", {{1, 0, 0, 0, 1, -1}, {3, 5, 0, 0, 1, 0}}));
    }
    ShownView view;
    view->setScene(makeScene(cells));
    view->settle();
    const std::vector<QPointF> places = placesOfTubes(view);
    QVERIFY(places.size() > 400'000);
    QRectF seen;
    for (const QPointF& place : places)
      seen |= QRectF(place, QSizeF(1, 1));
    const QRectF canvas(view->canvas()->rect());
    QVERIFY(canvas.contains(seen));
    QVERIFY2(seen.width() > 0.8 * canvas.width() || seen.height() > 0.75 * canvas.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(seen.width()).arg(seen.height())));
  }

  /// As when a person hides branches, and a bar that opens makes the view lower.
  void hidingBranchesLeavesTheCameraWhereItIs()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    const BranchChoice hiding{
        {}, {}, BranchIds({branchOfSample(*scene, 0, 3), branchOfSample(*scene, 0, 5), branchOfSample(*scene, 0, 7)})};
    const OrbitCamera fitted = view->camera();
    view->setChoice(hiding);
    QVERIFY(view->camera() == fitted);
    view->resize(kWidth, kHeight - 24);
    QTRY_COMPARE(view->canvas()->height(), kHeight - 60);
    view->setChoice({});
    QVERIFY(areSeen(view));
    // Fitted to what is left, it is fitted to all when all is shown again.
    view->setChoice(hiding);
    view->fit();
    QVERIFY(!areSeen(view));
    view->setChoice({});
    QVERIFY(areSeen(view));
    // Not after a person has moved it.
    view->setChoice(hiding);
    view->fit();
    sendWheel(*view, QPointF(200, 150), 2);
    const OrbitCamera moved = view->camera();
    view->setChoice({});
    QVERIFY(view->camera() == moved);
  }

  void aSelectionThatIsNotShownDimsNothing()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    const BranchIds apical({branchOfSample(*scene, 0, 5), branchOfSample(*scene, 0, 7)});
    view->setChoice({{}, {}, apical});
    const QImage plain = view.picture();
    view->setChoice({{}, apical, apical});
    QVERIFY(view.picture() == plain);
    view->setChoice({{}, BranchIds({branchOfSample(*scene, 0, 2)}), apical});
    QVERIFY(view.picture() != plain);
  }

  /// A name would lie over the cells beside its own; two that differ look different.
  void longNamesAreElidedApart()
  {
    const QString common = QString(60, QLatin1Char('n'));
    const QStringList whole{common + QStringLiteral("_one_") + common, common + QStringLiteral("_two_") + common};
    ShownView view;
    view->setScene(makeScene(
        {makeMorphology(whole[0].toStdString(), forkedCell()), makeMorphology(whole[1].toStdString(), forkedCell())}));
    QStringList names;
    for (const QLabel* label : view->canvas()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
      if (label->text().startsWith(QLatin1String("nnn"))) {
        names << label->text();
        QVERIFY2(label->width() < 220, qPrintable(QString::number(label->width())));
      }
    QCOMPARE(names.size(), 2);
    QVERIFY(names[0] != names[1]);
    for (const QString& name : names)
      QVERIFY(!whole.contains(name));
  }

  /// Where there are too many to name all of them.
  void namesTheLitOfManyCells()
  {
    std::vector<std::shared_ptr<const morphology::Morphology>> cells;
    for (int cell = 0; cell < 30; ++cell)
      cells.push_back(makeMorphology("cell " + std::to_string(cell), forkedCell()));
    ShownView view;
    view->setScene(makeScene(cells));
    QVERIFY(view->findChild<QToolButton*>(QStringLiteral("spreadCells"))->isChecked());
    const auto names = [&] {
      QStringList texts;
      for (const QLabel* label : view->canvas()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (label->isVisible() && label->text().startsWith(QLatin1String("cell ")))
          texts << label->text();
      return texts;
    };
    QCOMPARE(names(), QStringList());
    for (const int lit : {17, 8}) {
      view->setLitCells({lit});
      QTRY_COMPARE(names(), QStringList{QStringLiteral("cell %1").arg(lit)});
    }
    view->setLitCells({});
    QTRY_COMPARE(names(), QStringList());
  }

  /// A cell that is hidden branch by branch takes its name along.
  void hiddenCellsHaveNoName()
  {
    ShownView view;
    const auto scene = makeScene({makeMorphology("left", forkedCell()), makeMorphology("right", forkedCell())});
    view->setScene(scene);
    QVERIFY(view->findChild<QToolButton*>(QStringLiteral("spreadCells"))->isChecked());
    const auto names = [&] {
      QStringList texts;
      for (const QLabel* label : view->canvas()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (label->isVisible() && (label->text() == QLatin1String("left") || label->text() == QLatin1String("right")))
          texts << label->text();
      texts.sort();
      return texts;
    };
    const QStringList both{QStringLiteral("left"), QStringLiteral("right")};
    QTRY_COMPARE(names(), both);
    std::vector<BranchId> ofLeft;
    for (const int sample : {0, 2, 3, 5, 7})
      ofLeft.push_back(branchOfSample(*scene, 0, sample));
    view->setChoice({.current = {}, .selected = {}, .hidden = BranchIds(std::move(ofLeft))});
    QTRY_COMPARE(names(), QStringList{both[1]});
    view->fit();
    QTRY_COMPARE(names(), QStringList{both[1]});
    view->setChoice({});
    QTRY_COMPARE(names(), both);
  }

  void spreadsCellsThatOverlap()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell()), makeMorphology("twin", forkedCell())}));
    auto* spread = view->findChild<QToolButton*>(QStringLiteral("spreadCells"));
    QVERIFY(spread->isChecked());
    const auto& placed = view->geometry().placements;
    QCOMPARE(placed.size(), std::size_t{2});
    QVERIFY(placed[0].upper[0] < placed[1].lower[0]);
    spread->click();
    QVERIFY(!spread->isChecked());
    QVERIFY(view->geometry().placements[0].lower == view->geometry().placements[1].lower);

    // Cells that stand apart in their files stay where they are.
    auto rows = forkedCell();
    for (Row& row : rows) {
      row.x += 400;
      row.y += 30;
    }
    ShownView other;
    other->setScene(makeScene({makeMorphology("fork", forkedCell()), makeMorphology("neighbour", rows)}));
    QVERIFY(!other->findChild<QToolButton*>(QStringLiteral("spreadCells"))->isChecked());
    const auto& own = other->geometry().placements;
    QVERIFY(std::abs(own[1].lower[0] - own[0].lower[0] - 400) < 1e-9);
    QVERIFY(std::abs(own[1].lower[1] - own[0].lower[1] - 30) < 1e-9);
  }

  /// Cells from anywhere in a brain are compared by their shapes.
  void centresCellsAtTheirSomata()
  {
    auto rows = forkedCell();
    for (Row& row : rows) {
      row.x += 400;
      row.y += 30;
    }
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell()), makeMorphology("far", rows)}));
    auto* spread = view->findChild<QToolButton*>(QStringLiteral("spreadCells"));
    view->findChild<QAction*>(QStringLiteral("places-centred"))->trigger();
    QVERIFY(view->look().places == CellPlaces::Centred);
    QVERIFY(!spread->isChecked());
    const auto apart = [&] {
      const auto& placed = view->geometry().placements;
      return placed[1].lower - placed[0].lower;
    };
    QVERIFY(norm(apart()) < 1e-9);
    // The switch is that of one choice.
    spread->click();
    QVERIFY(view->findChild<QAction*>(QStringLiteral("places-side-by-side"))->isChecked());
    view->findChild<QAction*>(QStringLiteral("places-as-read"))->trigger();
    QVERIFY(!spread->isChecked());
    QVERIFY(std::abs(apart()[0] - 400) < 1e-9);
  }

  void manyCellsStandInRows()
  {
    std::vector<std::shared_ptr<const morphology::Morphology>> cells(11, makeMorphology("fork", forkedCell()));
    const TubeGeometry geometry = buildTubes(*makeScene(cells), CellPlaces::SideBySide);
    QCOMPARE(geometry.placements.size(), std::size_t{11});
    for (std::size_t i = 0; i < 11; ++i) {
      for (std::size_t k = i + 1; k < 11; ++k) {
        const auto& a = geometry.placements[i];
        const auto& b = geometry.placements[k];
        const bool apart =
            a.upper[0] < b.lower[0] || b.upper[0] < a.lower[0] || a.upper[1] < b.lower[1] || b.upper[1] < a.lower[1];
        QVERIFY(apart);
      }
    }
    const double top = geometry.placements.front().upper[1];
    QVERIFY(std::any_of(geometry.placements.begin(), geometry.placements.end(),
                        [&](const auto& placement) { return placement.upper[1] < top - 100; }));
  }

  /// Also where some are much higher than the others of their row.
  void rowsOfUnlikeCellsFillAView()
  {
    std::vector<std::shared_ptr<const morphology::Morphology>> cells;
    for (int cell = 0; cell < 40; ++cell) {
      auto rows = forkedCell();
      for (Row& row : rows) {
        row.x *= 1 + cell % 7;
        row.y *= 1 + cell % 7;
      }
      cells.push_back(makeMorphology("fork", rows));
    }
    const TubeGeometry geometry = buildTubes(*makeScene(cells), CellPlaces::SideBySide);
    QRectF all;
    for (const auto& cell : geometry.placements)
      all |= QRectF(QPointF(cell.lower[0], cell.lower[1]), QPointF(cell.upper[0], cell.upper[1]));
    const double aspect = all.width() / all.height();
    QVERIFY2(aspect > 1.2 && aspect < 2.4, qPrintable(QString::number(aspect)));
  }

  void clippingCutsTheFront()
  {
    ShownView view;
    view->setScene(crossing(60));
    view->setLook({.places = CellPlaces::AsRead});
    const QPointF middle(kWidth / 2.0, kHeight / 2.0);
    const QPointF onlyFront = view.toScreen({70, 0, 30});
    QVERIFY(hueDistance(at(view.picture(), middle), typeColor(2)) < 12);
    view->setLook({.places = CellPlaces::AsRead, .isClipped = true});
    const QImage clipped = view.picture();
    QVERIFY(isBackground(at(clipped, onlyFront)));
    QVERIFY(hueDistance(at(clipped, middle), typeColor(3)) < 12);
    QCOMPARE(view->branchAt(middle).cell, 1);
    // Shift and wheel move the plane towards the viewer until nothing is cut.
    for (int i = 0; i < 10; ++i) {
      sendWheel(*view, middle, -1, Qt::ShiftModifier);
    }
    QVERIFY(hueDistance(at(view.picture(), middle), typeColor(2)) < 12);
    view->setLook({.places = CellPlaces::AsRead});
    QVERIFY(hueDistance(at(view.picture(), middle), typeColor(2)) < 12);
  }

  void scaleBarTellsTheTruth()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    auto* scale = view->findChild<ScaleOverlay*>(QStringLiteral("scaleBar"));
    for (int zoom = 0; zoom < 12; ++zoom) {
      const OrbitCamera& camera = view->camera();
      const ScreenPoint end = camera.project(camera.focalPoint() + scale->barLength() * camera.right());
      QVERIFY(std::abs(end.x - kWidth / 2.0 - scale->barPixels()) < 1e-6);
      QVERIFY2(scale->barPixels() > 59 && scale->barPixels() <= 150, qPrintable(QString::number(scale->barPixels())));
      sendWheel(*view, QPointF(5, 5), 2);
    }
    QCOMPARE(roundLength(0.7), 0.5);
    QCOMPARE(roundLength(1), 1.0);
    QCOMPARE(roundLength(49), 20.0);
    QCOMPARE(roundLength(50), 50.0);
    QCOMPARE(formatLength(20), QStringLiteral("20 \u00b5m"));
    QCOMPARE(formatLength(2000), QStringLiteral("2 mm"));
    QCOMPARE(formatLength(0.05), QStringLiteral("50 nm"));
  }

  /// Things that are nearer look larger in perspective: the bar is that long at one depth.
  void scaleBarSaysWhereItHolds()
  {
    OrbitCamera camera;
    camera.setViewport({kWidth, kHeight});
    const QString length = QStringLiteral("200 \u00b5m");
    const QString note = QStringLiteral("at the centre");
    QFont font;
    QCOMPARE(scaleLines(camera, 200, font, 1000), QStringList{length + QLatin1Char(' ') + note});
    QCOMPARE(scaleLines(camera, 200, font, 60), (QStringList{length, note}));
    // Nothing of it reaches out of its place, whatever the font.
    constexpr int kAround = 60;
    for (const int pixels : {9, 12, 16, 24, 40}) {
      font.setPixelSize(pixels);
      QSizeF size = scaleSize(font);
      for (const double width : {size.width(), size.width() - 60}) {
        size.setWidth(width);
        QImage picture((size + QSizeF(2 * kAround, 2 * kAround)).toSize(), QImage::Format_RGB32);
        picture.fill(theme().canvas);
        {
          QPainter painter(&picture);
          painter.translate(kAround, kAround);
          paintScale(painter, camera, size, font);
        }
        const int drawn = coveredPixels(picture);
        QVERIFY(drawn > 100);
        const QRect place(QPoint(kAround, kAround), size.toSize());
        QCOMPARE(coveredPixels(picture.copy(place.adjusted(-2, -2, 2, 2))), drawn);
      }
    }
    camera.setParallel(true);
    QCOMPARE(scaleLines(camera, 200, font, 1000), QStringList{length});
  }

  /// Also over branches as bright as its letters.
  void scaleBarIsReadOverBranches()
  {
    QWidget canvas;
    QPalette bright;
    bright.setColor(QPalette::Window, theme().text);
    canvas.setPalette(bright);
    canvas.setAutoFillBackground(true);
    ScaleOverlay scale(&canvas);
    canvas.resize(scale.size());
    OrbitCamera camera;
    camera.setViewport({kWidth, kHeight});
    scale.setCamera(camera);
    const QImage picture = canvas.grab().toImage();
    int ground = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        ground += distance(picture.pixelColor(x, y), theme().canvas) < distance(picture.pixelColor(x, y), theme().text);
    QVERIFY2(ground > 1500, qPrintable(QString::number(ground)));
  }

  void newPlansKeepTheCamera()
  {
    ShownView view;
    const auto cell = makeMorphology("fork", forkedCell());
    const auto scene = makeScene({cell});
    view->setScene(scene);
    sendWheel(*view, QPointF(200, 150), 4);
    const Vec3 before = view->camera().position();
    hines::PlanParameters parameters;
    parameters.split = hines::SplitStrategy::None;
    view->setScene(makeScene({cell}, parameters));
    QVERIFY(view->camera().position() == before);
    view->setScene(makeScene({makeMorphology("saved", forkedCell())})); // its repair, under another name
    QVERIFY(view->camera().position() == before);
    std::vector<Row> longer = forkedCell();
    for (Row& row : longer)
      row.x *= 1.3;
    view->setScene(makeScene({makeMorphology("other", longer)}));
    QVERIFY(view->camera().position() != before);
  }

  /// Side by side, the others move together.
  void hidingACellKeepsTheCameraWhereCellsLieAtTheirOwnPlaces()
  {
    for (const CellPlaces places : {CellPlaces::AsRead, CellPlaces::SideBySide}) {
      ShownView view;
      const auto scene = makeScene({makeMorphology("one", forkedCell()), makeMorphology("other", forkedCell())});
      view->setScene(scene);
      MorphologyLook look;
      look.places = places;
      view->setLook(look);
      sendWheel(*view, QPointF(200, 150), 4);
      const OrbitCamera before = view->camera();
      auto hidden = std::make_shared<Scene>(*scene);
      hidden->cells[1].visible = false;
      view->setScene(hidden);
      QCOMPARE(view->camera() == before, places == CellPlaces::AsRead);
    }
  }

  void saysWhatToDoWhenEmpty()
  {
    ShownView view;
    QSignalSpy open(&*view, &View::openRequested);
    QSignalSpy samples(&*view, &View::samplesRequested);
    auto* openButton = view->findChild<QPushButton*>(QStringLiteral("emptyOpen"));
    QVERIFY(openButton->isVisible());
    QTest::mouseClick(openButton, Qt::LeftButton);
    QTest::mouseClick(view->findChild<QPushButton*>(QStringLiteral("emptySamples")), Qt::LeftButton);
    QCOMPARE(open.size(), 1);
    QCOMPARE(samples.size(), 1);
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    QVERIFY(!openButton->isVisible());
  }

  void saysThatRandomTreesHaveNoShape()
  {
    auto scene = std::make_shared<Scene>();
    scene->cells.emplace_back();
    scene->plan = hines::makePlan(hines::makeBatch({cable::makeRandomTree({}, 0)}, 1), {});
    scene->branchOfCompartment = hines::BranchMap(*scene->plan, scene->cells.size());
    ShownView view;
    view->setScene(scene);
    const auto* text = view->findChild<QLabel*>(QStringLiteral("emptyText"));
    QVERIFY(text->isVisible());
    QVERIFY(text->text().contains(QStringLiteral("Random trees")));
    QVERIFY(view->branchAt({100, 100}).isNull());
  }

  void headerControls()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    QSignalSpy changed(&*view, &View::colorByChanged);
    auto* combo = view->findChild<QComboBox*>(QStringLiteral("colorBy"));
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(view->colorBy(), ColorBy::Branch);
    // Told by another view, it follows without telling again.
    view->setColorBy(ColorBy::Radius);
    QCOMPARE(combo->currentText(), colorByName(ColorBy::Radius));
    QCOMPARE(changed.size(), 1);
    QSignalSpy maximized(&*view, &View::maximizeToggled);
    view->findChild<QToolButton*>(QStringLiteral("maximize"))->click();
    QCOMPARE(maximized.size(), 1);
    for (const auto* button : view->findChildren<QToolButton*>()) {
      QVERIFY(!button->objectName().isEmpty());
      QVERIFY(!button->toolTip().isEmpty());
      QVERIFY(!button->icon().isNull());
    }
  }

  void timingCardShowsWhenItHasRuns()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    TimingCard* card = view->timingCard();
    QVERIFY(!card->isVisible());
    StageTimings timings;
    timings.add("solve", 1);
    card->addRun(timings);
    QVERIFY(card->isVisible());
    QVERIFY(card->geometry().right() < view->canvas()->width() && card->geometry().left() > kWidth / 2);
    view->findChild<QToolButton*>(QStringLiteral("showTimings"))->click();
    QVERIFY(!card->isVisible());
  }

  /// A cell whose coordinates single precision cannot hold, or beside which all are dots, is left out.
  void leavesOutCellsThatAreTooFarOut_data()
  {
    QTest::addColumn<bool>("spread");
    QTest::newRow("side by side") << true;
    QTest::newRow("where they are") << false;
  }

  void leavesOutCellsThatAreTooFarOut()
  {
    QFETCH(bool, spread);
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell()),
                              makeMorphology("far", {{1, 0, 0, 0, 5, -1}, {3, 1e39, 0, 0, 1, 0}}),
                              makeMorphology("long", {{1, 0, 0, 0, 5, -1}, {3, 1e13, 0, 0, 1, 0}}),
                              makeMorphology("thick", {{1, 0, 0, 0, 1e39, -1}})}));
    view->setLook({.places = spread ? CellPlaces::SideBySide : CellPlaces::AsRead});
    QCOMPARE(view->geometry().placements.size(), std::size_t{1});
    QVERIFY(view->camera().focalDistance() > 10 && view->camera().focalDistance() < 1e6);
    QVERIFY(coveredPixels(view.picture()) > 1000);
    auto* header = view->findChild<QLabel*>(QStringLiteral("viewText"));
    QVERIFY2(header->text().contains(QStringLiteral("3 too far out")), qPrintable(header->text()));
    view->setScene(makeScene({makeMorphology("thick", {{1, 0, 0, 0, 1e39, -1}})}));
    QVERIFY(view->findChild<QLabel*>(QStringLiteral("emptyText"))->text().contains(QStringLiteral("a kilometre")));
  }

  void followsTheTheme()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    const QPointF basal = view.toScreen(inScene(*view, 1));
    const QColor dim = at(view.picture(), basal);
    setTheme(ThemeMode::Light);
    const QColor light = at(view.picture(), QPointF(5, 5));
    QVERIFY(hueDistance(at(view.picture(), basal), typeColor(3)) < 10);
    QVERIFY(at(view.picture(), basal) != dim);
    QCOMPARE(view->shownLegend().entries[0].color, typeColor(morphology::kSoma));
    setTheme(ThemeMode::Dark);
    QCOMPARE(view->shownLegend().entries[0].color, typeColor(morphology::kSoma));
    const QColor dark = at(view.picture(), QPointF(5, 5));
    QVERIFY(light.lightness() > 240);
    QVERIFY(dark.lightness() < 40);
  }

  void slowDevicesGetLinesWhileMoving()
  {
    FrameQuality quality;
    quality.measured(900); // the first frame compiles shaders
    QVERIFY(quality.improve());
    QCOMPARE(quality.current(), Quality::Plain);
    quality.measured(60);
    QVERIFY(quality.improve());
    QCOMPARE(quality.current(), Quality::Sharp);
    quality.measured(200);
    quality.cameraMoves();
    QCOMPARE(quality.current(), Quality::Lines);
    QVERIFY(quality.improve());
    QCOMPARE(quality.current(), Quality::Plain);
    QVERIFY(quality.improve());
    QCOMPARE(quality.current(), Quality::Sharp);
    QVERIFY(!quality.improve());

    FrameQuality fast;
    fast.measured(100);
    fast.measured(2);
    fast.cameraMoves();
    QCOMPARE(fast.current(), Quality::Sharp);

    FrameQuality verySlow;
    verySlow.measured(1000);
    verySlow.measured(400);
    QVERIFY(!verySlow.improve());
    QCOMPARE(verySlow.current(), Quality::Plain);
  }

  void linesDrawTheSameCells()
  {
    ShownView view;
    const auto scene = makeScene({syntheticCell("stellate")});
    view->setScene(scene);
    const QImage tubes = view.picture();
    view->setQuality(Quality::Lines);
    QVERIFY(view->drawsLines());
    const QImage lines = view->canvas()->grabPicture().scaled(kWidth, kHeight);
    int stray = 0;
    int drawn = 0;
    for (int y = 1; y < lines.height() - 1; ++y) {
      for (int x = 1; x < lines.width() - 1; ++x) {
        if (isBackground(lines.pixelColor(x, y))) {
          continue;
        }
        ++drawn;
        bool nearTube = false;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            nearTube = nearTube || !isBackground(tubes.pixelColor(x + dx, y + dy));
          }
        }
        stray += !nearTube;
      }
    }
    QVERIFY(drawn > 500);
    QCOMPARE(stray, 0);
  }

  void largeScenesAreMadeReadyWhileTheOldPictureStays()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
    const std::size_t before = view->geometry().tubes();
    const QPointF soma = view.toScreen(inScene(*view, 0));
    const auto scene = makeScene({largeCell()});
    view->setScene(scene);
    QCOMPARE(view->geometry().tubes(), before);
    QVERIFY(view->branchAt(soma).isNull()); // what is seen is not what there is
    view->setChoice({{}, BranchIds({branchOfSample(*scene, 0, 1'000)}), {}});
    QTRY_COMPARE(view->geometry().tubes(), buildTubes(*scene, CellPlaces::AsRead).tubes());
    QVERIFY(!view->branchAt(view.toScreen(inScene(*view, 1'000))).isNull());
    QVERIFY(countOf(view.picture(), theme().selection, 40) > 0); // the choice was not lost
  }

  /// Who asks for a cell does not know whether it is drawn yet.
  void fitsToACellThatIsDrawnLater()
  {
    ShownView view;
    const auto scene = makeScene({largeCell(), makeMorphology("fork", forkedCell())});
    view->setScene(scene);
    QCOMPARE(view->geometry().tubes(), std::size_t{0});
    view->fitToCell(1);
    view->settle();
    const double distance = view->camera().focalDistance();
    const auto isFitted = [&] { return std::abs(view->camera().focalDistance() / distance - 1) < 0.01; };
    view->fit();
    QVERIFY(!isFitted());
    view->fitToCell(1);
    QVERIFY(isFitted());
    // Not where all is asked for after that, nor in another scene.
    view->setScene(makeScene({largeCell(), makeMorphology("fork", forkedCell())}));
    view->fitToCell(1);
    view->fit();
    view->settle();
    QVERIFY(!isFitted());
    view->setScene(makeScene({largeCell(), makeMorphology("fork", forkedCell())}));
    view->fitToCell(1);
    view->setScene(scene);
    view->settle();
    QVERIFY(!isFitted());
  }

  void aSceneThatIsReplacedIsNotDrawn()
  {
    ShownView view;
    view->setScene(makeScene({largeCell()}));
    const auto small = makeScene({makeMorphology("fork", forkedCell())});
    view->setScene(small);
    view->settle();
    QCOMPARE(view->geometry().tubes(), buildTubes(*small, CellPlaces::AsRead).tubes());
  }

  void piecesMakeTheSamePictureAsOneFrame()
  {
    ShownView view;
    view->setScene(makeScene({largeCell()}));
    view->settle();
    const QImage whole = view->canvas()->grab().toImage();
    view->setQuality(Quality::Lines);
    QTRY_VERIFY(view->canvas()->grab().toImage() != whole);
    view->setQuality(Quality::Plain);
    QVERIFY(view->canvas()->isInPieces());
    QSignalSpy drawn(view->canvas(), &VtkWidget::rendered);
    QTRY_VERIFY(!drawn.isEmpty());
    QCOMPARE(view->canvas()->grab().toImage(), whole);
  }

  void aMovingPictureShowsFewerLinesOfTheSameCells()
  {
    const auto scene = makeScene({largeCell()});
    const TubeGeometry geometry = buildTubes(*scene, CellPlaces::AsRead);
    const auto levels = lineLevels(geometry);
    QVERIFY(!levels.empty());
    QCOMPARE(lineLevels(geometry), levels);
    std::size_t before = 2 * geometry.tubes();
    for (const auto& ends : levels) {
      QVERIFY(!ends.empty());
      QVERIFY(4 * ends.size() <= 3 * before + 4);
      before = ends.size();
    }
    // The first joins two tubes of a run: none of the cell is left out.
    double length = 0;
    double joined = 0;
    const auto place = [&](std::uint32_t end) {
      const float* at = &((end & 1) != 0 ? geometry.endB : geometry.endA)[3 * static_cast<std::size_t>(end / 2)];
      return Vec3{at[0], at[1], at[2]};
    };
    for (std::uint32_t tube = 0; tube < geometry.tubes(); ++tube)
      length += norm(place(2 * tube + 1) - place(2 * tube));
    for (std::size_t i = 0; i < levels.front().size(); i += 2)
      joined += norm(place(levels.front()[i + 1]) - place(levels.front()[i]));
    QVERIFY2(std::abs(joined - length) < 0.01 * length, qPrintable(QString::number(joined / length)));
  }

  /// Every real cell that is at hand draws, and what is drawn is in the middle of the canvas.
  void drawsRealCells()
  {
    const std::filesystem::path folder = tests::sharedFile("morphologies/real").toStdString();
    if (!std::filesystem::exists(folder)) {
      QSKIP("no real morphologies here");
    }
    ShownView view;
    int cells = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.file_size() > 400'000) {
        continue;
      }
      std::shared_ptr<const morphology::Morphology> cell;
      try {
        cell = morphology::readSwc(entry.path());
      } catch (const Error&) {
        continue; // a broken file; reading is tested elsewhere
      }
      view->setScene(makeScene({cell}));
      const QImage picture = view.picture();
      QVERIFY2(coveredPixels(picture) > 100, entry.path().c_str());
      for (const QPoint corner : {QPoint(1, 1), QPoint(kWidth - 2, 1), QPoint(1, kHeight - 2)}) {
        QVERIFY2(isBackground(picture.pixelColor(corner)), entry.path().c_str());
      }
      ++cells;
    }
    QVERIFY(cells > 0);
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestMorphologyView>)

#include "test_morphology_view.moc"
