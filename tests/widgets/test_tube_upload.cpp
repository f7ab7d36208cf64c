#include "gl_test.hpp"
#include "test_main.hpp"

#include "widgets/cells/morphology/line_levels.hpp"
#include "widgets/cells/morphology/tube_actor.hpp"
#include "widgets/cells/morphology/tube_extent.hpp"
#include "widgets/cells/morphology/tube_pieces.hpp"

#include <QSignalSpy>

#include <cmath>
#include <numeric>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;

namespace {

constexpr QSize kCanvas{400, 400};

/// How tubes follow one another.
enum class TubeOrder
{
  RunAfterRun,
  AllRunsAtOnce ///< as in a file that was traced breadth first
};

/// Runs that leave a point like the rays of a star, one behind the other.
TubeGeometry makeStar(std::size_t runs, std::size_t tubesOfRun, TubeOrder order)
{
  const auto placeOf = [&](std::size_t run, std::size_t along, std::vector<float>& into) {
    const double angle = 2 * M_PI * static_cast<double>(run) / static_cast<double>(runs);
    const double out = 1 + static_cast<double>(along) / static_cast<double>(tubesOfRun);
    for (const double at : {out * std::cos(angle), out * std::sin(angle), 1e-3 * static_cast<double>(run)})
      into.push_back(static_cast<float>(at));
  };
  const auto sampleOf = [&](std::size_t run, std::size_t along) {
    return static_cast<std::int32_t>(along == 0 ? 0 : 1 + run * tubesOfRun + along - 1);
  };
  TubeGeometry star;
  for (std::size_t i = 0; i < runs * tubesOfRun; ++i) {
    const std::size_t run = order == TubeOrder::RunAfterRun ? i / tubesOfRun : i % runs;
    const std::size_t along = order == TubeOrder::RunAfterRun ? i % tubesOfRun : i / runs;
    placeOf(run, along, star.endA);
    placeOf(run, along + 1, star.endB);
    star.radiusA.push_back(1e-3F);
    star.radiusB.push_back(1e-3F);
    star.cell.push_back(0);
    star.sampleA.push_back(sampleOf(run, along));
    star.sampleB.push_back(sampleOf(run, along + 1));
  }
  addBlocks(star);
  return star;
}

constexpr std::uint32_t kGreen = 0x00ff00; // red, green, blue, byte by byte
constexpr std::uint32_t kRed = 0x0000ff;

TubeDrawing drawingOf(TubeGeometry geometry)
{
  TubeDrawing drawing;
  drawing.box = boxAround(geometry);
  drawing.branches.assign(geometry.tubes(), -1);
  drawing.colors.assign(2 * geometry.tubes(), kGreen);
  drawing.lines = lineLevels(geometry);
  drawing.geometry = std::make_shared<const TubeGeometry>(std::move(geometry));
  return drawing;
}

/// A camera that sees all of them. It stands by boxes around tubes that follow one another: another order moves it.
OrbitCamera cameraOf(const TubeDrawing& drawing)
{
  OrbitCamera camera;
  camera.setViewport(kCanvas);
  const Extent all = extentOfAll(*drawing.geometry);
  camera.fit(all.points, all.radii);
  return camera;
}

/// A canvas with tubes.
class ShownTubes
{
public:
  ShownTubes()
  {
    canvas.resize(kCanvas);
    TubeStyle style;
    style.background = theme().canvas;
    style.selection = theme().selection;
    tubes.setStyle(style);
    canvas.show();
    isExposed = QTest::qWaitForWindowExposed(&canvas);
  }

  void show(const TubeDrawing& drawing) { show(drawing, cameraOf(drawing)); }
  void show(const TubeDrawing& drawing, const OrbitCamera& camera)
  {
    count = drawing.geometry->tubes();
    tubes.setDrawing(std::make_shared<const TubeDrawing>(drawing));
    tubes.setCamera(camera);
  }

  /// Draws a picture in pieces; the bytes that came to the device with each.
  std::vector<std::size_t> drawPieces()
  {
    std::vector<std::size_t> bytes;
    QSignalSpy drawn(&canvas, &VtkWidget::rendered);
    canvas.requestPieces([&, pieces = TubePieces(tubes, count)](double lastTook) mutable {
      if (lastTook > 0)
        bytes.push_back(tubes.uploadedBytes());
      return pieces.next(lastTook);
    });
    while (drawn.isEmpty() && drawn.wait(60'000))
      ;
    bytes.push_back(tubes.uploadedBytes());
    return bytes;
  }

  QImage linesOf(int level)
  {
    tubes.showLines(level);
    return canvas.grabPicture();
  }

  QImage picture() { return canvas.grab().toImage(); }

  VtkWidget canvas;
  TubeActor tubes{canvas.renderer()};
  bool isExposed = false;

private:
  std::size_t count = 0;
};

template <typename Is>
int countOf(const QImage& picture, Is is)
{
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      count += is(picture.pixelColor(x, y)) ? 1 : 0;
  return count;
}

bool isGreen(const QColor& color)
{
  return color.green() > 2 * color.red() + 40;
}

bool isRed(const QColor& color)
{
  return color.red() > 2 * color.green() + 40;
}

} // namespace

class TestTubeUpload : public QObject
{
  Q_OBJECT

private slots:
  /// A million tubes take longer than a frame to come to the device, and to have room made for them there.
  void noFrameBringsMuch()
  {
    constexpr std::size_t kMostOfFrame = 12'000'000; // bytes
    ShownTubes shown;
    QVERIFY(shown.isExposed);
    const TubeDrawing drawing = drawingOf(makeStar(1'000, 1'000, TubeOrder::AllRunsAtOnce));
    shown.show(drawing);
    const std::vector<std::size_t> bytes = shown.drawPieces();
    const std::size_t tubes = drawing.geometry->tubes();
    QVERIFY(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}) > 44 * tubes);
    QVERIFY2(*std::ranges::max_element(bytes) < kMostOfFrame,
             qPrintable(QString::number(*std::ranges::max_element(bytes))));
    QVERIFY(countOf(shown.picture(), isGreen) > 1'000);
  }

  void otherColorsBringNothingElse()
  {
    ShownTubes shown;
    QVERIFY(shown.isExposed);
    TubeDrawing drawing = drawingOf(makeStar(600, 500, TubeOrder::AllRunsAtOnce));
    shown.show(drawing);
    shown.drawPieces();
    QVERIFY(countOf(shown.picture(), isGreen) > 1'000);
    drawing.colors.assign(drawing.colors.size(), kRed);
    shown.show(drawing);
    const std::vector<std::size_t> bytes = shown.drawPieces();
    const std::size_t all = std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
    const std::size_t colorsAndBranches = 12 * drawing.geometry->tubes();
    QVERIFY2(all >= colorsAndBranches && all < colorsAndBranches + colorsAndBranches / 10,
             qPrintable(QString::number(all)));
    QCOMPARE(countOf(shown.picture(), isGreen), 0);
    QVERIFY(countOf(shown.picture(), isRed) > 1'000);
    for (int level = 0; level < static_cast<int>(drawing.lines.size()); ++level) {
      const QImage lines = shown.linesOf(level);
      QCOMPARE(countOf(lines, isGreen), 0);
      QVERIFY(countOf(lines, isRed) > 1'000);
    }
  }

  /// Fewer tubes than before, then more.
  void otherTubesReplaceThoseBefore()
  {
    ShownTubes shown;
    QVERIFY(shown.isExposed);
    for (const std::size_t runs : {600, 3, 400}) {
      shown.show(drawingOf(makeStar(runs, 500, TubeOrder::RunAfterRun)));
      shown.drawPieces();
      const QImage pieces = shown.picture();
      ShownTubes fresh;
      fresh.show(drawingOf(makeStar(runs, 500, TubeOrder::RunAfterRun)));
      fresh.drawPieces();
      QCOMPARE(pieces, fresh.picture());
    }
  }

  /// A camera that is fitted to them looks at a few thousand points, none of which is of what is left out.
  void manyTubesAreFittedByTheirBoxes()
  {
    constexpr std::size_t kOfRun = 500;
    const TubeGeometry star = makeStar(600, kOfRun, TubeOrder::RunAfterRun);
    std::vector<bool> leftOut(star.tubes(), false);
    std::fill_n(leftOut.begin() + 150 * kOfRun, 300 * kOfRun, true); // the rays to the left
    const Extent extent = extentOfRest(star, leftOut);
    QVERIFY(!extent.isEmpty());
    QVERIFY2(extent.radii.size() < star.tubes() / 10, qPrintable(QString::number(extent.radii.size())));
    float left = 0;
    float right = 0;
    for (std::size_t point = 0; point < extent.radii.size(); ++point) {
      left = std::min(left, extent.points[3 * point]);
      right = std::max(right, extent.points[3 * point]);
    }
    QVERIFY2(left > -0.01F && std::abs(right - 2) < 0.01F, qPrintable(QStringLiteral("%1 %2").arg(left).arg(right)));

    const TubeGeometry few = makeStar(3, 10, TubeOrder::RunAfterRun);
    leftOut.assign(few.tubes(), false);
    leftOut.front() = true;
    QCOMPARE(extentOfRest(few, leftOut).radii.size(), 2 * (few.tubes() - 1)); // two ends a tube
  }

  /// Runs go on from one buffer in another one.
  void linesAreTheSameInAnyOrderOfTubes()
  {
    const TubeDrawing runAfterRun = drawingOf(makeStar(600, 500, TubeOrder::RunAfterRun));
    const TubeDrawing atOnce = drawingOf(makeStar(600, 500, TubeOrder::AllRunsAtOnce));
    QVERIFY(runAfterRun.lines.size() >= 2);
    QCOMPARE(atOnce.lines.size(), runAfterRun.lines.size());
    ShownTubes one;
    ShownTubes other;
    QVERIFY(one.isExposed && other.isExposed);
    const OrbitCamera camera = cameraOf(runAfterRun);
    one.show(runAfterRun, camera);
    other.show(atOnce, camera);
    for (int level = -1; level < static_cast<int>(runAfterRun.lines.size()); ++level) {
      const QImage picture = one.linesOf(level);
      QVERIFY(countOf(picture, isGreen) > 1'000);
      QCOMPARE(other.linesOf(level), picture);
    }
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestTubeUpload>)

#include "test_tube_upload.moc"
