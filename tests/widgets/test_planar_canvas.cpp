#include "planar_scenes.hpp"
#include "test_main.hpp"
#include "widgets/canvas/planar_canvas.hpp"
#include "widgets/canvas/planar_canvas_density.hpp"
#include "widgets/canvas/planar_canvas_overlay.hpp"
#include "widgets/theme.hpp"

#include <QSignalSpy>
#include <QWheelEvent>

using namespace hinesight;
using namespace hinesight::widgets;
using hinesight::testing::alike;

namespace {

constexpr QRgb kRed = 0xffd03020;
constexpr QRgb kBlue = 0xff2040d0;

/// Two bars side by side, 10 units high.
PlanarDrawing twoBars()
{
  PlanarDrawing drawing;
  drawing.bars = {{0, 0, 4, 10, kRed, 0}, {6, 0, 10, 10, kBlue, 1}};
  drawing.bounds = QRectF(0, 0, 10, 10);
  return drawing;
}

std::unique_ptr<PlanarCanvas> show(PlanarDrawing drawing, const QSize& size = {420, 320})
{
  auto canvas = std::make_unique<PlanarCanvas>();
  canvas->resize(size);
  canvas->setPlotMargins({10, 10, 10, 10});
  canvas->setDrawing(std::move(drawing));
  canvas->show();
  return canvas;
}

void turnWheel(PlanarCanvas& canvas, const QPointF& at, int delta, Qt::KeyboardModifiers modifiers = {})
{
  QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&canvas, &event);
}

QRgb pixelAt(const QImage& picture, const QPointF& pixel)
{
  return picture.pixel(pixel.toPoint());
}

/// What is drawn over the shapes.
const PlanarOverlay& overlayOf(const PlanarCanvas& canvas)
{
  for (const QObject* child : canvas.children())
    if (const auto* overlay = dynamic_cast<const PlanarOverlay*>(child))
      return *overlay;
  qFatal("the canvas has no overlay");
}

} // namespace

class TestPlanarCanvas : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase() { setTheme(ThemeMode::Dark); }

  void fitShowsTheWholeDrawing()
  {
    const auto canvas = show(twoBars());
    QVERIFY(QTest::qWaitForWindowExposed(canvas.get()));
    const QRectF shown = canvas->transform().map(canvas->drawing().bounds);
    QCOMPARE(shown.toRect(), canvas->plotArea().toRect());
    canvas->resize(300, 500);
    QTRY_COMPARE(canvas->transform().map(canvas->drawing().bounds).toRect(), canvas->plotArea().toRect());
  }

  void barsAreWhereTheyBelong()
  {
    const auto canvas = show(twoBars());
    const QImage picture = canvas->grabPicture();
    const PlanarTransform& view = canvas->transform();
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(2, 5))), kRed));
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(8, 5))), kBlue));
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(5, 5))), theme().canvas.rgb()));
    QVERIFY(alike(pixelAt(picture, {4, 4}), theme().canvas.rgb()));
    // 400 x 300 pixels of plot: each bar is 160 wide and 300 high, less the pixel that keeps neighbours apart.
    QVERIFY(std::abs(testing::countPixels(picture, kRed) - 159 * 299) < 500);
  }

  void strokesAndDotsAreDrawn()
  {
    PlanarDrawing drawing;
    drawing.bounds = QRectF(0, 0, 100, 100);
    drawing.strokes = {{10, 50, 90, 50, kRed, 1}};
    drawing.marks = {{50, 10, 50, 90, kBlue, 3}};
    drawing.dots = {{25, 25, 6, kRed, 0}};
    const auto canvas = show(drawing, {220, 220});
    const QImage picture = canvas->grabPicture();
    const PlanarTransform& view = canvas->transform();
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(25, 25))), kRed));
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(50, 50))), kBlue)); // marks lie in front
    const int row = view.map(QPointF(30, 50)).toPoint().y();
    int red = 0;
    for (int y = row - 3; y <= row + 3; ++y) {
      red += alike(picture.pixel(view.map(QPointF(75, 50)).toPoint().x(), y), kRed) ? 1 : 0;
    }
    QCOMPARE(red, 1);
    int blue = 0;
    const int column = view.map(QPointF(50, 0)).toPoint().x();
    for (int x = column - 4; x <= column + 4; ++x) {
      blue += alike(picture.pixel(x, view.map(QPointF(0, 20)).toPoint().y()), kBlue) ? 1 : 0;
    }
    QCOMPARE(blue, 3);
  }

  void densityGridSumsAreas()
  {
    DensityGrid grid;
    grid.clear(8, 8);
    QVERIFY(grid.isEmpty());
    QCOMPARE(grid.columns(), 4);
    grid.add(0, 0, 1, 2, kRed);   // half of the first cell
    grid.add(1, 0, 3, 2, kBlue);  // the other half, and half of the second
    grid.add(-9, 6, 99, 8, kRed); // the whole last row, clipped
    QCOMPARE(grid.coverage(0, 0), 1.0F);
    QCOMPARE(grid.coverage(1, 0), 0.5F);
    QCOMPARE(grid.coverage(2, 0), 0.0F);
    QCOMPARE(grid.coverage(3, 3), 1.0F);
    std::vector<std::uint8_t> pixels(4 * 16);
    grid.paint(pixels.data(), qRgb(0, 0, 0));
    QCOMPARE(pixels[3], std::uint8_t{255});
    QCOMPARE(static_cast<int>(pixels[0]), (0xd0 + 0x20) / 2);
    QCOMPARE(static_cast<int>(pixels[6]), 0xd0 / 2); // half covered: half of its blue over black
    QCOMPARE(static_cast<int>(pixels[7]), 255);
    QCOMPARE(static_cast<int>(pixels[11]), 0);
  }

  /// Where bars are thinner than two pixels, the picture is as bright as they are dense.
  void thinBarsMergeIntoBands()
  {
    constexpr int kBars = 20'000; // in 400 pixels
    PlanarDrawing drawing;
    drawing.bounds = QRectF(0, 0, kBars, 10);
    for (int k = 0; k < kBars; ++k) {
      // Left half: every place taken; right half: every second one.
      if (k < kBars / 2 || k % 2 == 0) {
        drawing.bars.push_back({double(k), 0, double(k + 1), 10, kRed, k});
      }
    }
    const auto canvas = show(drawing);
    const QImage picture = canvas->grabPicture();
    const auto at = [&](double x) { return pixelAt(picture, canvas->transform().map(QPointF(x * kBars, 5))); };
    QVERIFY(alike(at(0.2), kRed));
    QVERIFY(alike(at(0.8), overCanvas(QColor(kRed), 0.5), 6));
    QVERIFY(alike(at(0.8), at(0.9), 6)); // even, without moire
  }

  void aLoneThinBarIsStillSeen()
  {
    PlanarDrawing drawing;
    drawing.bounds = QRectF(0, 0, 100'000, 10);
    drawing.bars = {{50'000, 0, 50'001, 10, kRed, 0}};
    const auto canvas = show(drawing);
    const QImage picture = canvas->grabPicture();
    const QRgb color = pixelAt(picture, canvas->transform().map(QPointF(50'000, 5)));
    QVERIFY(qRed(color) > qRed(theme().canvas.rgb()) + 30);
  }

  void wheelZoomsToTheCursor()
  {
    const auto canvas = show(twoBars());
    const QPointF cursor(100, 200);
    const QPointF scene = canvas->transform().toScene(cursor);
    const PlanarTransform before = canvas->transform();
    turnWheel(*canvas, cursor, 240);
    QVERIFY(canvas->transform().scaleX > 1.4 * before.scaleX);
    QVERIFY(canvas->transform().scaleY > 1.4 * before.scaleY);
    QVERIFY(QLineF(canvas->transform().map(scene), cursor).length() < 1e-6);
    const PlanarTransform both = canvas->transform();
    turnWheel(*canvas, cursor, 120, Qt::ShiftModifier);
    QVERIFY(canvas->transform().scaleX > both.scaleX);
    QCOMPARE(canvas->transform().scaleY, both.scaleY);
    turnWheel(*canvas, cursor, 120, Qt::ControlModifier);
    QVERIFY(canvas->transform().scaleY > both.scaleY);
    QTest::keyClick(canvas.get(), Qt::Key_F);
    QCOMPARE(canvas->transform().scaleX, before.scaleX);
    QCOMPARE(canvas->transform().originY, before.originY);
  }

  void dragPansAndDoubleClickFits()
  {
    const auto canvas = show(twoBars());
    const QSignalSpy clicks(canvas.get(), &PlanarCanvas::itemClicked);
    const PlanarTransform before = canvas->transform();
    testing::dragMouse(*canvas, {200, 100}, {230, 90});
    QCOMPARE(canvas->transform().originX, before.originX + 30);
    QCOMPARE(canvas->transform().originY, before.originY - 10);
    QCOMPARE(clicks.count(), 0);
    // Far away: a part of the drawing stays in sight.
    canvas->pan({1e6, 1e6});
    QVERIFY(canvas->transform().map(canvas->drawing().bounds).intersects(canvas->plotArea()));
    QTest::mouseDClick(canvas.get(), Qt::LeftButton, {}, {15, 15});
    QCOMPARE(canvas->transform().originX, before.originX);
  }

  void aDrawingOfAnotherSizeIsShownWhole()
  {
    const auto canvas = show(twoBars());
    turnWheel(*canvas, {200, 100}, 360);
    const PlanarTransform zoomed = canvas->transform();
    PlanarDrawing alike = twoBars();
    alike.bounds = QRectF(0, 0, 11, 10);
    canvas->setDrawing(alike);
    QCOMPARE(canvas->transform().originX, zoomed.originX);
    PlanarDrawing other = twoBars();
    other.bounds = QRectF(0, 0, 500, 10);
    canvas->setDrawing(other);
    QCOMPARE(canvas->transform().map(other.bounds).toRect(), canvas->plotArea().toRect());
  }

  void clickAndHoverReportItems()
  {
    const auto canvas = show(twoBars());
    QSignalSpy clicks(canvas.get(), &PlanarCanvas::itemClicked);
    QSignalSpy hovers(canvas.get(), &PlanarCanvas::itemHovered);
    const auto at = [&](double x, double y) { return canvas->transform().map(QPointF(x, y)).toPoint(); };
    QTest::mouseClick(canvas.get(), Qt::LeftButton, {}, at(8, 5));
    QCOMPARE(clicks.takeFirst().at(0).toInt(), 1);
    QTest::mouseClick(canvas.get(), Qt::LeftButton, {}, at(5, 5));
    QCOMPARE(clicks.takeFirst().at(0).toInt(), -1);
    hovers.clear();
    testing::moveMouse(*canvas, at(2, 5));
    QVERIFY(!hovers.isEmpty());
    QCOMPARE(hovers.last().at(0).toInt(), 0);
    QVERIFY(std::abs(hovers.last().at(1).toPointF().x() - 2) < 0.1);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(canvas.get(), &leave);
    QCOMPARE(hovers.last().at(0).toInt(), -1);
  }

  void hairThinItemsCanBePicked()
  {
    PlanarDrawing drawing;
    drawing.bounds = QRectF(0, 0, 10'000, 10);
    drawing.bars = {{5'000, 0, 5'001, 10, kRed, 7}};
    const auto canvas = show(drawing);
    const QPointF middle = canvas->transform().map(QPointF(5'000.5, 5));
    QCOMPARE(canvas->itemAt(middle + QPointF(3, 0)), 7);
    QCOMPARE(canvas->itemAt(middle + QPointF(9, 0)), -1);
  }

  void emphasisDimsTheOthers()
  {
    const auto canvas = show(twoBars());
    canvas->setEmphasis({true, false});
    const QImage picture = canvas->grabPicture();
    const PlanarTransform& view = canvas->transform();
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(2, 5))), kRed));
    QVERIFY(alike(pixelAt(picture, view.map(QPointF(8, 5))), overCanvas(QColor(kBlue), 0.35)));
    QVERIFY(testing::countPixels(picture, theme().selection.rgb(), 24) > 600); // two pixels around the bar
    canvas->setEmphasis({});
    QVERIFY(alike(pixelAt(canvas->grabPicture(), view.map(QPointF(8, 5))), kBlue));
  }

  void labelsNeverOverlap()
  {
    PlanarDrawing drawing = twoBars();
    constexpr int kRows = 200;
    drawing.bounds = QRectF(0, 0, 10, kRows);
    for (int row = 0; row < kRows; ++row) {
      drawing.labels.push_back({{QStringLiteral("Row %1\nwith a second line").arg(row), QStringLiteral("R%1").arg(row)},
                                QRectF(0, row, 10, 1),
                                PlanarLabel::Place::LeftMargin});
    }
    const auto canvas = show(drawing);
    canvas->setPlotMargins({180, 30, 20, 30});
    canvas->grabPicture();
    const std::vector<QRectF> rects = canvas->visibleTextRects();
    QVERIFY(rects.size() > 5);
    QVERIFY(rects.size() < kRows);
    for (std::size_t a = 0; a < rects.size(); ++a) {
      QVERIFY(QRectF(canvas->rect()).contains(rects[a]));
      for (std::size_t b = 0; b < a; ++b) {
        QVERIFY(!rects[a].intersects(rects[b]));
      }
    }
    QCOMPARE(canvas->visibleTexts().front(), QStringLiteral("R0")); // the long form has no room
    canvas->zoom(1, 60, {200, 30});
    canvas->grabPicture();
    QVERIFY(canvas->visibleTexts().front().contains(u'\n'));
  }

  void axisTicksAreRound_data()
  {
    QTest::addColumn<int>("scale");
    QTest::addColumn<double>("pixelsPerUnit");
    QTest::addColumn<std::vector<double>>("ticks");
    using Scale = PlanarAxis::Scale;
    QTest::newRow("linear") << int(Scale::Linear) << 4.0 << std::vector<double>{0, 20, 40, 60, 80, 100};
    QTest::newRow("never below one") << int(Scale::Linear) << 100.0 << std::vector<double>{0, 1, 2, 3, 4};
    QTest::newRow("powers of two") << int(Scale::PowersOfTwo) << 4.0 << std::vector<double>{0, 16, 32, 48, 64, 80, 96};
    QTest::newRow("logarithmic") << int(Scale::Logarithmic) << 60.0 << std::vector<double>{1, 2, 5, 10, 20, 50, 100};
  }

  void axisTicksAreRound()
  {
    QFETCH(int, scale);
    QFETCH(double, pixelsPerUnit);
    QFETCH(std::vector<double>, ticks);
    PlanarAxis axis;
    axis.scale = static_cast<PlanarAxis::Scale>(scale);
    axis.to = 400 / pixelsPerUnit + 1e-9;
    PlanarTransform view;
    view.scaleX = pixelsPerUnit;
    QCOMPARE(axisTicks(axis, view, QRectF(0, 0, 400.001, 100), 50), ticks);
    QCOMPARE(axis.toValue(axis.toScene(8)), 8.0);
  }

  void aLineCanBeDragged()
  {
    PlanarDrawing drawing = twoBars();
    drawing.handles = {{3, 5, 0, 10}};
    const auto canvas = show(drawing);
    QSignalSpy drags(canvas.get(), &PlanarCanvas::handleDragged);
    QSignalSpy releases(canvas.get(), &PlanarCanvas::handleReleased);
    const QSignalSpy clicks(canvas.get(), &PlanarCanvas::itemClicked);
    const PlanarTransform before = canvas->transform();
    const QPoint line = before.map(QPointF(5, 5)).toPoint();
    testing::moveMouse(*canvas, line);
    QCOMPARE(canvas->cursor().shape(), Qt::SplitVCursor);
    testing::dragMouse(*canvas, line, line + QPoint(0, 60));
    QCOMPARE(drags.count(), 2);
    QCOMPARE(drags[0][0].toInt(), 3);
    QVERIFY(std::abs(drags[0][1].toPointF().y() - 6) < 0.05); // 30 pixels a unit
    QVERIFY(std::abs(drags[1][1].toPointF().y() - 7) < 0.05);
    QCOMPARE(releases.count(), 1);
    QCOMPARE(clicks.count(), 0);
    QCOMPARE(canvas->transform().originY, before.originY); // no panning
  }

  /// Bars that are too small to be told apart are not drawn one by one.
  void hugeDrawingsHaveFewShapes()
  {
    PlanarDrawing drawing;
    constexpr int kBars = 300'000;
    drawing.bounds = QRectF(0, 0, 1'000, kBars / 1'000);
    for (int k = 0; k < kBars; ++k) {
      drawing.bars.push_back({k % 1'000 + 0.1, double(k / 1'000), k % 1'000 + 0.9, k / 1'000 + 0.9, kRed, k});
    }
    const auto canvas = show(drawing, {900, 700});
    canvas->grabPicture();
    QVERIFY2(testing::shapesOf(*canvas) < 10, qPrintable(QString::number(testing::shapesOf(*canvas))));
    canvas->pan({5, 5});
    canvas->grabPicture();
    QVERIFY2(testing::shapesOf(*canvas) < 10, qPrintable(QString::number(testing::shapesOf(*canvas))));
    QVERIFY(canvas->itemAt({450, 350}) >= 0);
  }

  /// Nor are those that are selected, with their outlines.
  void manySelectedItemsHaveFewShapes()
  {
    PlanarDrawing drawing;
    constexpr int kDots = 300'000;
    constexpr int kOfRow = 1'000;
    drawing.bounds = QRectF(0, 0, kOfRow, kDots / kOfRow);
    for (int k = 0; k < kDots; ++k)
      drawing.dots.push_back({k % kOfRow + 0.5, k / kOfRow + 0.5, 1.5F, kRed, k});
    const auto canvas = show(drawing, {420, 320});
    canvas->setEmphasis(std::vector<bool>(kDots, true));
    canvas->grabPicture();
    const QRectF plot = canvas->plotArea();
    const auto squaresOf = [&](double pixels) {
      return static_cast<int>((plot.width() / pixels + 1) * (plot.height() / pixels + 1));
    };
    QVERIFY2(testing::shapesOf(*canvas) <= squaresOf(2), qPrintable(QString::number(testing::shapesOf(*canvas))));
    const std::vector<PlanarOverlay::Outline>& outlines = overlayOf(*canvas).selected;
    QVERIFY(!outlines.empty());
    QVERIFY2(outlines.size() <= static_cast<std::size_t>(squaresOf(8)), qPrintable(QString::number(outlines.size())));

    std::vector<bool> few(kDots, false);
    few[0] = few[1] = true;
    canvas->setEmphasis(few);
    canvas->grabPicture();
    QCOMPARE(outlines.size(), std::size_t{2}); // each of a few has its own
  }

  void themeChangesColours()
  {
    const auto canvas = show(twoBars());
    QVERIFY(alike(pixelAt(canvas->grabPicture(), {4, 4}), theme().canvas.rgb()));
    setTheme(ThemeMode::Light);
    QTRY_VERIFY(alike(pixelAt(canvas->grabPicture(), {4, 4}), theme().canvas.rgb()));
    QVERIFY(qGray(theme().canvas.rgb()) > 200);
    setTheme(ThemeMode::Dark);
  }
};

HINESIGHT_TEST_RUN(testing::runWidgetTest<TestPlanarCanvas>)

#include "test_planar_canvas.moc"
