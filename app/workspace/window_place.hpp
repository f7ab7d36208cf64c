#pragma once

#include <QObject>
#include <QSize>

#include <optional>

class QMainWindow;
class QMargins;

namespace hinesight::app {

/// How large the window is, and where on the screen. It is kept in the settings from start to start.
class WindowPlace : public QObject
{
  Q_OBJECT

public:
  /// Gives the window the size of a first one.
  explicit WindowPlace(QMainWindow* window);

  /// Of a person's first window, where the screen is large enough.
  static QSize defaultSize() { return {1600, 1000}; }
  /// Of a person's first window where this much is free, in which the frame has to stand too.
  static QSize firstSize(const QSize& workArea, const QMargins& frame);

  /// As the window was closed last, and inside of the screens that there are now. A first one is fitted once it is
  /// shown.
  void restore();
  void store() const;

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void bringInside();
  void fitIntoWorkArea();

  QMainWindow* window;
  std::optional<QSize> proposedSize; ///< of a first window that has no frame yet
};

} // namespace hinesight::app
