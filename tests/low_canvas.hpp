#pragma once

#include <QEvent>
#include <QObject>
#include <QSize>
#include <QWidget>

namespace hinesight::test {

/// Makes a canvas too low for an overlay that is about to be shown over it, as the layout of a window may.
class LowCanvas : public QObject
{
public:
  static constexpr int kHeight = 30; ///< pixels, unless the canvas is never so low

  explicit LowCanvas(QWidget& ofOverlay) : overlay(ofOverlay), canvas(*ofOverlay.parentWidget()), whole(canvas.size())
  {
    makeLow(); // so that the overlay moves while it is hidden, which it is told of when it is about to be shown
    low = canvas.height();
    overlay.installEventFilter(this);
  }
  ~LowCanvas() override { overlay.removeEventFilter(this); }

  /// Whether the overlay was about to be shown, and is hidden now.
  bool hidesOverlay()
  {
    canvas.resize(whole);
    return isMet && canvas.height() == low && low < whole.height() && overlay.isHidden() && !overlay.isVisible();
  }

protected:
  bool eventFilter(QObject* watched, QEvent* event) override
  {
    const bool isAboutToBeShown = !overlay.isHidden() && !overlay.isVisible();
    if (event->type() == QEvent::Move && isAboutToBeShown) {
      isMet = true;
      makeLow();
    }
    return QObject::eventFilter(watched, event);
  }

private:
  void makeLow() { canvas.resize(canvas.width(), kHeight); }

  QWidget& overlay;
  QWidget& canvas;
  QSize whole;
  int low = 0;
  bool isMet = false;
};

} // namespace hinesight::test
