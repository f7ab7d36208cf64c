#include "test_main.hpp"
#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/orbit/orbit_gestures.hpp"

#include <QApplication>
#include <QWheelEvent>
#include <QWidget>
#include <QtTest>

#include <memory>
#include <optional>

namespace hinesight::widgets {

namespace {

constexpr QSize kCanvas{400, 300};
constexpr QPoint kStart{100, 100};
constexpr QPoint kEnd{140, 70};

/// Writes down what it is told; what lies left of `grabbable` can be grabbed.
class RecordingPicture final : public OrbitGestures::Picture
{
public:
  RecordingPicture() { eye.setViewport(kCanvas); }

  OrbitCamera& camera() override { return eye; }
  void cameraMoved() override { ++moves; }
  void fit() override { ++fits; }
  QString describe(const QPointF&) override { return {}; }
  void click(const QPointF& pixel, Qt::KeyboardModifiers) override { clicked = pixel; }
  void doubleClick(const QPointF& pixel) override { doubleClicked = pixel; }
  void hover(const QPointF& pixel) override { hovered = pixel; }
  bool grab(const QPointF& pixel) override { return pixel.x() < grabbable; }
  void dragGrabbed(const QPointF& pixel) override { draggedTo = pixel; }
  bool pressKey(int key) override
  {
    pressed = key;
    return true;
  }

  OrbitCamera eye;
  int moves = 0;
  int fits = 0;
  int pressed = 0;
  double grabbable = 0;
  std::optional<QPointF> clicked;
  std::optional<QPointF> doubleClicked;
  std::optional<QPointF> hovered;
  std::optional<QPointF> draggedTo;
};

/// Fits like a view does.
class RecordingFittedPicture final : public OrbitGestures::FittedPicture
{
public:
  OrbitCamera& camera() override { return eye; }
  void cameraMoved() override { isFitted = false; }
  void fit() override
  {
    isFitted = true;
    ++fits;
  }
  QString describe(const QPointF&) override { return {}; }
  void click(const QPointF&, Qt::KeyboardModifiers) override {}

  OrbitCamera eye;
  int fits = 0;
  int layouts = 0;
  int drawings = 0;

protected:
  void layOut() override { ++layouts; }
  void draw() override { ++drawings; }
};

bool looksAlike(const OrbitCamera& a, const OrbitCamera& b)
{
  constexpr double kRounding = 1e-9;
  return norm(a.position() - b.position()) < kRounding && norm(a.focalPoint() - b.focalPoint()) < kRounding &&
         norm(a.up() - b.up()) < kRounding;
}

} // namespace

class OrbitGesturesTest : public QObject
{
  Q_OBJECT

private slots:
  void init()
  {
    canvas = std::make_unique<QWidget>();
    canvas->resize(kCanvas);
    canvas->setMouseTracking(true);
    picture = std::make_unique<RecordingPicture>();
    gestures = std::make_unique<OrbitGestures>(canvas.get(), *picture);
    expected = picture->eye;
  }

  void cleanup()
  {
    gestures.reset();
    canvas.reset();
  }

  void dragTurns()
  {
    drag(Qt::LeftButton, {});
    expected.rotate(kEnd - kStart);
    QVERIFY(looksAlike(picture->eye, expected));
    QVERIFY(picture->moves > 0);
    QVERIFY(!picture->clicked);
  }

  void dragWithAnotherButtonOrShiftMoves_data()
  {
    QTest::addColumn<Qt::MouseButton>("button");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::newRow("right") << Qt::RightButton << Qt::KeyboardModifiers();
    QTest::newRow("middle") << Qt::MiddleButton << Qt::KeyboardModifiers();
    QTest::newRow("left with Shift") << Qt::LeftButton << Qt::KeyboardModifiers(Qt::ShiftModifier);
  }

  void dragWithAnotherButtonOrShiftMoves()
  {
    QFETCH(Qt::MouseButton, button);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    drag(button, modifiers);
    expected.pan(kEnd - kStart);
    QVERIFY(looksAlike(picture->eye, expected));
  }

  /// Until a person turns it.
  void fitsAgainInACanvasOfAnotherSize()
  {
    RecordingFittedPicture fitted;
    const OrbitGestures ofFitted(canvas.get(), fitted);
    const auto resize = [this](const QSize& size) {
      QResizeEvent event(size, canvas->size());
      QApplication::sendEvent(canvas.get(), &event);
    };
    resize({300, 200});
    QCOMPARE(fitted.fits, 1);
    QCOMPARE(fitted.layouts, 1);
    fitted.cameraMoved();
    resize({400, 200});
    QCOMPARE(fitted.fits, 1);
    QCOMPARE(fitted.layouts, 2);
    QCOMPARE(fitted.drawings, 2);
  }

  void smallMoveIsAClick()
  {
    QTest::mousePress(canvas.get(), Qt::LeftButton, {}, kStart);
    sendMove(kStart + QPoint(2, 2), Qt::LeftButton, {});
    QTest::mouseRelease(canvas.get(), Qt::LeftButton, {}, kStart + QPoint(2, 2));
    QCOMPARE(picture->clicked, QPointF(kStart + QPoint(2, 2)));
    QVERIFY(looksAlike(picture->eye, expected));
    QCOMPARE(picture->moves, 0);
  }

  void otherButtonsDoNotClick()
  {
    QTest::mouseClick(canvas.get(), Qt::RightButton, {}, kStart);
    QVERIFY(!picture->clicked);
  }

  void tellsOfDoubleClicksAndHovering()
  {
    sendMove(kEnd, Qt::NoButton, {});
    QCOMPARE(picture->hovered, QPointF(kEnd));
    QTest::mouseDClick(canvas.get(), Qt::LeftButton, {}, kStart);
    QCOMPARE(picture->doubleClicked, QPointF(kStart));
  }

  void grabbedThingIsDraggedInsteadOfTurning()
  {
    picture->grabbable = kStart.x() + 1;
    drag(Qt::LeftButton, {});
    QCOMPARE(picture->draggedTo, QPointF(kEnd));
    QVERIFY(looksAlike(picture->eye, expected));
    drag(Qt::RightButton, {});
    expected.pan(kEnd - kStart);
    QVERIFY(looksAlike(picture->eye, expected));
  }

  void aReleaseThatWentElsewhereEndsTheDrag()
  {
    QTest::mousePress(canvas.get(), Qt::LeftButton, {}, kStart);
    sendMove(kEnd, Qt::NoButton, {});
    QVERIFY(looksAlike(picture->eye, expected));
    QCOMPARE(picture->hovered, QPointF(kEnd));
    sendMove(kStart, Qt::NoButton, {});
    QVERIFY(looksAlike(picture->eye, expected));
  }

  void wheelZoomsToTheCursor()
  {
    const double before = picture->eye.focalDistance();
    QWheelEvent event(kStart, canvas->mapToGlobal(kStart), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas.get(), &event);
    QCOMPARE(picture->eye.focalDistance(), before / (1.2 * 1.2));
    QCOMPARE(picture->moves, 1);
    OrbitGestures::zoom(expected, kStart, 2);
    QVERIFY(looksAlike(picture->eye, expected));
  }

  void keysFitOrAreHandedOn()
  {
    QTest::keyClick(canvas.get(), Qt::Key_F);
    QCOMPARE(picture->fits, 1);
    QCOMPARE(picture->pressed, 0);
    QTest::keyClick(canvas.get(), Qt::Key_Escape);
    QCOMPARE(picture->pressed, static_cast<int>(Qt::Key_Escape));
  }

private:
  void sendMove(const QPoint& pixel, Qt::MouseButton held, Qt::KeyboardModifiers modifiers)
  {
    QMouseEvent event(QEvent::MouseMove, pixel, canvas->mapToGlobal(pixel), Qt::NoButton, held, modifiers);
    QApplication::sendEvent(canvas.get(), &event);
  }

  void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
  {
    QTest::mousePress(canvas.get(), button, modifiers, kStart);
    sendMove(kEnd, button, modifiers);
    QTest::mouseRelease(canvas.get(), button, modifiers, kEnd);
  }

  std::unique_ptr<QWidget> canvas;
  std::unique_ptr<RecordingPicture> picture;
  std::unique_ptr<OrbitGestures> gestures;
  OrbitCamera expected;
};

} // namespace hinesight::widgets

HINESIGHT_TEST_RUN(hinesight::tests::runTest<hinesight::widgets::OrbitGesturesTest, QApplication>)
#include "test_orbit_gestures.moc"
