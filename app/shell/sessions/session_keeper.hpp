#pragma once

#include "app/document/seen_session.hpp"
#include "model/project.hpp"

#include <QObject>
#include <QTimer>

#include <functional>

namespace hinesight::app {

class Jobs;
class KeptSessions;
class RunTableModel;

/// What a session file has of a window.
struct OpenSession
{
  model::Project project;
  SeenSession seen;
};

/// Says when what is open is kept for the case that the program is killed: after each step, with new runs, and where
/// something else is seen.
class SessionKeeper : public QObject
{
  Q_OBJECT

public:
  /// `open`: what is open now.
  SessionKeeper(KeptSessions* kept, Jobs* jobs, const RunTableModel* runs, std::function<OpenSession()> open,
                QObject* parent);

  void keep();
  /// Unless nothing was kept before: to look at something is no reason to begin.
  void keepSeen();
  /// The same of what may change with every key, such as the chosen cells: once it rests.
  void keepSeenSoon() { seenTimer.start(); }
  /// The window is closed.
  void end();

private:
  void keepRunsSoon();
  void keepRuns();

  KeptSessions* kept;
  Jobs* jobs;
  const RunTableModel* runs;
  std::function<OpenSession()> open;
  QTimer runsTimer; ///< until they are kept
  QTimer seenTimer; ///< the same of what is seen
};

} // namespace hinesight::app
