#include "widgets/orbit/orbit_gestures.hpp"

#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/selection_outline.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr double kClickDistance = 4; // pixels that the mouse may move during a click
constexpr double kZoomPerNotch = 1.2;
constexpr double kWheelNotch = 120; // in Qt's eighths of a degree

} // namespace

void OrbitGestures::Picture::turnWheel(const QPointF& pixel, double notches, Qt::KeyboardModifiers)
{
  zoom(camera(), pixel, notches);
  cameraMoved();
}

OrbitGestures::OrbitGestures(QWidget* handledCanvas, Picture& handledPicture)
    : canvas(handledCanvas), picture(handledPicture), outline(new SelectionOutline(handledCanvas))
{
  canvas->installEventFilter(this);
}

void OrbitGestures::zoom(OrbitCamera& camera, const QPointF& pixel, double notches)
{
  camera.zoomAt(pixel, std::pow(kZoomPerNotch, notches));
}

bool OrbitGestures::eventFilter(QObject*, QEvent* event)
{
  switch (event->type()) {
  case QEvent::MouseButtonPress:
    press(static_cast<QMouseEvent&>(*event));
    return true;
  case QEvent::MouseButtonDblClick:
    press(static_cast<QMouseEvent&>(*event));
    picture.doubleClick(pressedAt);
    return true;
  case QEvent::MouseMove:
    move(static_cast<QMouseEvent&>(*event));
    return true;
  case QEvent::MouseButtonRelease:
    release(static_cast<QMouseEvent&>(*event));
    return true;
  case QEvent::Wheel:
    turnWheel(static_cast<QWheelEvent&>(*event));
    event->accept();
    return true;
  case QEvent::ToolTip:
    tell(static_cast<QHelpEvent&>(*event));
    return true;
  case QEvent::ShortcutOverride:
    if (!awaited || static_cast<QKeyEvent&>(*event).key() != Qt::Key_Escape)
      return false;
    event->accept(); // it comes as a key
    return true;
  case QEvent::KeyPress:
    return pressKey(static_cast<QKeyEvent&>(*event).key());
  case QEvent::Resize:
    picture.canvasResized(canvas->size());
    return false;
  case QEvent::Leave:
    picture.pointerLeft();
    return false;
  default:
    return false;
  }
}

void OrbitGestures::FittedPicture::canvasResized(const QSize& size)
{
  camera().setViewport(size);
  layOut();
  if (isFitted) {
    fit();
  }
  draw();
}

void OrbitGestures::press(const QMouseEvent& event)
{
  pressedAt = lastPixel = event.position();
  pressed = event.button();
  isDrag = false;
  const bool isAwaited = awaited && pressed == Qt::LeftButton;
  const bool draws = pressed == Qt::LeftButton || pressed == Qt::RightButton;
  drawsArea = isAwaited || (draws && event.modifiers().testFlag(Qt::ShiftModifier) && picture.takesAreas());
  if (drawsArea)
    outline->begin(pressedAt, isAwaited ? *awaited == AreaShape::Loop : pressed == Qt::RightButton);
  hasGrabbed = pressed == Qt::LeftButton && !drawsArea && picture.grab(pressedAt);
  canvas->setFocus(Qt::MouseFocusReason);
}

void OrbitGestures::move(const QMouseEvent& event)
{
  const QPointF pixel = event.position();
  if (event.buttons() == Qt::NoButton) {
    pressed = Qt::NoButton; // the release went elsewhere, such as to a menu
    hasGrabbed = false;
    outline->hide();
  }
  if (pressed == Qt::NoButton) {
    if (!awaited) // which has a pointer of its own
      picture.hover(pixel);
    return;
  }
  isDrag = isDrag || (pixel - pressedAt).manhattanLength() > kClickDistance;
  if (!isDrag) {
    return;
  }
  const QPointF step = pixel - lastPixel;
  lastPixel = pixel;
  if (drawsArea) {
    outline->extend(pixel);
    return;
  }
  if (hasGrabbed) {
    picture.dragGrabbed(pixel);
    return;
  }
  if (pressed == Qt::LeftButton && !event.modifiers().testFlag(Qt::ShiftModifier)) {
    picture.camera().rotate(step);
  } else {
    picture.camera().pan(step);
  }
  picture.cameraMoved();
}

void OrbitGestures::release(const QMouseEvent& event)
{
  const bool isClick = !isDrag && pressed == Qt::LeftButton && event.button() == Qt::LeftButton;
  const bool isArea = drawsArea && isDrag && event.button() == pressed;
  pressed = Qt::NoButton;
  hasGrabbed = false;
  const DrawnArea area = outline->end();
  if (isClick) {
    picture.click(event.position(), event.modifiers());
  } else if (isArea) {
    picture.takeArea(area, event.modifiers());
    if (awaited) {
      awaitArea(std::nullopt);
      picture.awaitedAreaTaken();
    }
  }
}

void OrbitGestures::awaitArea(std::optional<AreaShape> shape)
{
  if (awaited && !shape && drawsArea && pressed == Qt::LeftButton) {
    outline->end();
    pressed = Qt::NoButton; // what is being drawn selects nothing
  }
  awaited = picture.takesAreas() ? shape : std::nullopt;
  if (awaited) {
    canvas->setCursor(Qt::CrossCursor);
  } else {
    canvas->unsetCursor();
  }
}

void OrbitGestures::turnWheel(const QWheelEvent& event)
{
  // Some platforms turn Shift and wheel into a horizontal wheel.
  const double notches = (event.angleDelta().y() + event.angleDelta().x()) / kWheelNotch;
  picture.turnWheel(event.position(), notches, event.modifiers());
}

void OrbitGestures::tell(const QHelpEvent& event)
{
  const QString text = picture.describe(event.pos());
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(event.globalPos(), text, canvas);
  }
}

bool OrbitGestures::pressKey(int key)
{
  if (key == Qt::Key_F) {
    picture.fit();
    return true;
  }
  if (awaited && key == Qt::Key_Escape) {
    awaitArea(std::nullopt);
    picture.awaitedAreaTaken();
    return true;
  }
  return picture.pressKey(key);
}

} // namespace hinesight::widgets
