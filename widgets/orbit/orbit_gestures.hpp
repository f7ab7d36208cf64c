#pragma once

#include <QObject>
#include <QPointF>
#include <QSize>
#include <QString>

#include <optional>

class QHelpEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace hinesight::widgets {

class OrbitCamera;
class SelectionOutline;
enum class AreaShape;
struct DrawnArea;

/// The gestures of a picture in space, the same in every view: a drag with the left button turns it, with another
/// button or Shift it moves it, unless the picture takes areas, the wheel zooms to the cursor, F fits. What is neither
/// is handed to the picture: clicks, drags of what it lets grab, other keys. Takes the events of the canvas before the
/// canvas sees them.
class OrbitGestures : public QObject
{
  Q_OBJECT

public:
  /// What a person sees and handles. Pixels are logical ones of the canvas.
  class Picture
  {
  public:
    virtual OrbitCamera& camera() = 0;
    /// A person turned, moved or zoomed.
    virtual void cameraMoved() = 0;
    virtual void fit() = 0;
    /// What a tooltip says of a pixel; empty: nothing.
    virtual QString describe(const QPointF& pixel) = 0;
    /// The left button was pressed and released at one place.
    virtual void click(const QPointF& pixel, Qt::KeyboardModifiers modifiers) = 0;
    virtual void doubleClick(const QPointF&) {}
    /// The pointer is here, with no button pressed.
    virtual void hover(const QPointF&) {}
    virtual void pointerLeft() {}
    /// Whether there is something here that the left button drags instead of turning the picture.
    virtual bool grab(const QPointF&) { return false; }
    /// What was grabbed is wanted here.
    virtual void dragGrabbed(const QPointF&) {}
    /// Whether a drag with Shift draws a box, with the right button a loop, instead of moving the picture.
    virtual bool takesAreas() const { return false; }
    virtual void takeArea(const DrawnArea&, Qt::KeyboardModifiers) {}
    /// After takeArea of one that was awaited, or by Escape.
    virtual void awaitedAreaTaken() {}
    /// `notches` of the wheel, positive: nearer.
    virtual void turnWheel(const QPointF& pixel, double notches, Qt::KeyboardModifiers);
    /// A key (Qt::Key) but F. Returns whether it meant something.
    virtual bool pressKey(int) { return false; }
    virtual void canvasResized(const QSize&) {}

  protected:
    ~Picture() = default;
  };

  /// A picture that is fitted to its canvas until a person turns, moves or zooms it.
  class FittedPicture : public Picture
  {
  public:
    void canvasResized(const QSize& size) final;

    bool isFitted = true; ///< cleared by cameraMoved, set by fit

  protected:
    /// Puts what lies over the canvas in its places.
    virtual void layOut() = 0;
    virtual void draw() = 0;
    ~FittedPicture() = default;
  };

  /// Canvas and picture must outlive it.
  OrbitGestures(QWidget* canvas, Picture& picture);

  static void zoom(OrbitCamera& camera, const QPointF& pixel, double notches);
  /// The next drag with the left button draws that, in a picture that takes areas; nullopt: it turns the picture.
  void awaitArea(std::optional<AreaShape> shape);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  void turnWheel(const QWheelEvent& event);
  void tell(const QHelpEvent& event);
  bool pressKey(int key);

  QWidget* canvas;
  Picture& picture;
  QPointF pressedAt;
  QPointF lastPixel;
  Qt::MouseButton pressed = Qt::NoButton;
  bool isDrag = false;
  bool hasGrabbed = false;
  bool drawsArea = false;
  std::optional<AreaShape> awaited;
  SelectionOutline* outline; ///< that is being drawn
};

} // namespace hinesight::widgets
