#pragma once

#include "core/stage_timings.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QApplication>
#include <QEvent>
#include <QString>
#include <QThread>

#include <algorithm>
#include <vector>

#include <time.h>

namespace hinesight::app {

/// Processor time of the calling thread, ms: what other threads and programs do does not count.
inline double threadMilliseconds()
{
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// A time in which the window's thread took no event, since it was busy with one.
struct Silence
{
  double milliseconds = 0; ///< of the clock on the wall: what a person waits
  double own = 0;          ///< of it, processor time of the thread
  double drawing = 0;      ///< of that, in frames: software OpenGL draws on this thread, too
  QString during;          ///< the event
};

constexpr double kSilent = 50; ///< ms, after which a person notices

/// How long single events kept the window's thread busy, ms of its processor time.
struct BusyTimes
{
  double event = 0;              ///< the longest one, less the drawing of pictures in it
  double painting = 0;           ///< the most that painting widgets took in one frame, VTK's canvas not among them
  double graphics = 0;           ///< the longest frame, whole: with VTK and with Qt's putting the window together
  QString slowest;               ///< whose event was the longest
  std::vector<Silence> silences; ///< those longer than kSilent
};

/// An application that notes how long each event keeps the window's thread busy. Software OpenGL draws on this thread
/// too, which a graphics card would do: frames are told apart from our own work.
class WatchedApplication : public QApplication
{
public:
  using QApplication::QApplication;

  /// Forgets what was so far.
  void watchAnew() { busy = {}; }
  const BusyTimes& times() const { return busy; }

  bool notify(QObject* receiver, QEvent* event) override
  {
    if (QThread::currentThread() != thread())
      return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();
    const bool isCanvas = type == QEvent::Paint && qobject_cast<widgets::VtkWidget*>(receiver);
    const bool isFrame = type == QEvent::UpdateRequest || isCanvas;
    const QString name = depth == 0 ? nameOf(receiver, type) : QString();
    const double begin = threadMilliseconds();
    const Stopwatch onTheWall;
    ++depth;
    frames += isFrame ? 1 : 0;
    const bool result = QApplication::notify(receiver, event);
    frames -= isFrame ? 1 : 0;
    --depth;
    const double took = threadMilliseconds() - begin;
    if (type == QEvent::Paint && !isCanvas)
      painted += took;
    if (isFrame && frames == 0) {
      inFrames += took;
      busy.graphics = std::max(busy.graphics, took);
    }
    if (depth == 0) {
      if (const double waited = onTheWall.elapsed(); waited > kSilent)
        busy.silences.push_back({waited, took, inFrames, name});
      takeEnd(name, took);
    }
    return result;
  }

private:
  static QString nameOf(const QObject* receiver, QEvent::Type type)
  {
    const QString name =
        receiver->objectName().isEmpty() ? QLatin1String(receiver->metaObject()->className()) : receiver->objectName();
    return QStringLiteral("%1 of %2").arg(type).arg(name);
  }

  void takeEnd(const QString& name, double took)
  {
    busy.painting = std::max(busy.painting, painted);
    if (took - inFrames > busy.event) {
      busy.event = took - inFrames;
      busy.slowest = name;
    }
    inFrames = 0;
    painted = 0;
  }

  BusyTimes busy;
  int depth = 0;       ///< of events that send others
  int frames = 0;      ///< of them, those that draw pictures
  double inFrames = 0; ///< ms, in the outermost event
  double painted = 0;
};

} // namespace hinesight::app
