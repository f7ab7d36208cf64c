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
  double drawing = 0;      ///< of that, in frames and pieces of one: software OpenGL draws on this thread, too
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
    const int loop = thread()->loopLevel();
    const bool isOfLoop = running.empty() || loop > running.back().loop;
    if (isOfLoop)
      running.push_back({loop});
    const QEvent::Type type = event->type();
    const bool isCanvas = type == QEvent::Paint && qobject_cast<widgets::VtkWidget*>(receiver);
    const bool isPiece = type == QEvent::Timer && receiver->objectName() == QLatin1String("picturePieces");
    const bool isFrame = type == QEvent::UpdateRequest || isCanvas || isPiece;
    const QString name = isOfLoop ? nameOf(receiver, type) : QString();
    const double begin = threadMilliseconds();
    const Stopwatch onTheWall;
    running.back().frames += isFrame ? 1 : 0;
    const bool result = QApplication::notify(receiver, event);
    const double took = threadMilliseconds() - begin;
    Event& current = running.back();
    current.frames -= isFrame ? 1 : 0;
    if (type == QEvent::Paint && !isCanvas)
      current.painted += took;
    if (isFrame && current.frames == 0) {
      current.inFrames += took;
      busy.graphics = std::max(busy.graphics, took);
    }
    if (isOfLoop)
      takeEnd(name, took, onTheWall.elapsed());
    return result;
  }

private:
  /// One that a loop of events has sent, with all that it sends. It may wait in a loop of its own, such as that of a
  /// menu, whose events count for themselves.
  struct Event
  {
    int loop = 0;        ///< QThread::loopLevel
    int frames = 0;      ///< of the events in it, those under way that draw pictures
    double inFrames = 0; ///< ms
    double painted = 0;
    double inLoops = 0; ///< ms of the processor, in loops of its own
    double waited = 0;  ///< the same on the wall
  };

  static QString nameOf(const QObject* receiver, QEvent::Type type)
  {
    const QString name =
        receiver->objectName().isEmpty() ? QLatin1String(receiver->metaObject()->className()) : receiver->objectName();
    return QStringLiteral("%1 of %2").arg(type).arg(name);
  }

  void takeEnd(const QString& name, double took, double waited)
  {
    const Event ended = running.back();
    running.pop_back();
    if (!running.empty()) {
      running.back().inLoops += took;
      running.back().waited += waited;
    }
    const double own = took - ended.inLoops;
    if (waited - ended.waited > kSilent)
      busy.silences.push_back({waited - ended.waited, own, ended.inFrames, name});
    busy.painting = std::max(busy.painting, ended.painted);
    if (own - ended.inFrames > busy.event) {
      busy.event = own - ended.inFrames;
      busy.slowest = name;
    }
  }

  BusyTimes busy;
  std::vector<Event> running; ///< the innermost one last
};

} // namespace hinesight::app
