#include "app/workspace/window_place.hpp"

#include "app/pages/arrangement.hpp"

#include <QEvent>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QStyle>
#include <QWindow>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

const QString kGeometry = QStringLiteral("window/geometry");

} // namespace

WindowPlace::WindowPlace(QMainWindow* ofPerson) : QObject(ofPerson), window(ofPerson)
{
  // Nobody knows the frame before the window manager has made it; most have a title and little else.
  const QMargins likelyFrame(0, window->style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
  window->resize(firstSize(window->screen()->availableSize(), likelyFrame));
  window->installEventFilter(this);
}

QSize WindowPlace::firstSize(const QSize& workArea, const QMargins& frame)
{
  return defaultSize().boundedTo(workArea.shrunkBy(frame));
}

void WindowPlace::restore()
{
  if (!window->restoreGeometry(QSettings().value(kGeometry).toByteArray()))
    proposedSize = window->size();
  bringInside();
}

void WindowPlace::store() const
{
  QSettings().setValue(kGeometry, window->saveGeometry());
}

/// The screen may be another one than last time.
void WindowPlace::bringInside()
{
  QList<QRect> workAreas;
  for (const QScreen* screen : QGuiApplication::screens())
    workAreas << screen->availableGeometry();
  const QRect inside = broughtInside(window->geometry(), workAreas);
  if (!window->isMaximized() && !window->isFullScreen() && inside != window->geometry())
    window->setGeometry(inside);
}

/// A first window has its frame when it first becomes active.
bool WindowPlace::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == window && event->type() == QEvent::ActivationChange && window->isActiveWindow() && proposedSize)
    fitIntoWorkArea();
  return QObject::eventFilter(watched, event);
}

/// A size that a person has asked for stays.
void WindowPlace::fitIntoWorkArea()
{
  const bool isAsProposed = window->size() == std::exchange(proposedSize, std::nullopt);
  if (!isAsProposed || window->isMaximized() || window->isFullScreen())
    return;
  const QRect workArea = window->screen()->availableGeometry();
  window->resize(firstSize(workArea.size(), window->windowHandle()->frameMargins()));
  const QRect framed = window->frameGeometry();
  const QPoint last = workArea.bottomRight() - QPoint(framed.width() - 1, framed.height() - 1);
  window->move(std::clamp(framed.left(), workArea.left(), std::max(workArea.left(), last.x())),
               std::clamp(framed.top(), workArea.top(), std::max(workArea.top(), last.y())));
}

} // namespace hinesight::app
