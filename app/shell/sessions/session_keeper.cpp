#include "app/shell/sessions/session_keeper.hpp"

#include "app/cells/run_table_model.hpp"
#include "app/jobs/jobs.hpp"
#include "app/shell/sessions/kept_sessions.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::app {

SessionKeeper::SessionKeeper(KeptSessions* ofWindow, Jobs* ofJobs, const RunTableModel* ofRuns,
                             std::function<OpenSession()> openNow, QObject* parent)
    : QObject(parent), kept(ofWindow), jobs(ofJobs), runs(ofRuns), open(std::move(openNow))
{
  runsTimer.setSingleShot(true);
  connect(&runsTimer, &QTimer::timeout, this, &SessionKeeper::keepRuns);
  constexpr int kRest = 200; // ms
  seenTimer.setSingleShot(true);
  seenTimer.setInterval(kRest);
  connect(&seenTimer, &QTimer::timeout, this, &SessionKeeper::keepSeen);
  connect(runs, &QAbstractItemModel::rowsInserted, this, &SessionKeeper::keepRunsSoon);
  connect(runs, &QAbstractItemModel::modelReset, this, &SessionKeeper::keepSeen);
  connect(jobs, &Jobs::ended, this, [this] {
    if (runsTimer.isActive() && !jobs->isActive())
      runsTimer.start(0);
  });
}

void SessionKeeper::keep()
{
  if (!kept->hasBegun())
    return;
  const OpenSession now = open();
  kept->keep(now.project, now.seen, runs->shared());
}

void SessionKeeper::keepSeen()
{
  if (kept->hasKept())
    keep();
}

/// Not while something is measured, which it would disturb, unless that takes long.
void SessionKeeper::keepRunsSoon()
{
  constexpr int kLongest = 30'000; // ms
  if (!runsTimer.isActive())
    runsTimer.start(jobs->isActive() ? kLongest : 0);
}

/// Pages make tables and synapses to be looked at.
void SessionKeeper::keepRuns()
{
  const auto isAsked = [](io::RunKind kind) { return kind != io::RunKind::Table && kind != io::RunKind::Formation; };
  if (std::ranges::any_of(runs->runs(), isAsked, &io::RunRecord::kind))
    keep();
  else
    keepSeen();
}

void SessionKeeper::end()
{
  if (runsTimer.isActive())
    keepRuns();
  if (seenTimer.isActive())
    keepSeen();
  kept->end();
}

} // namespace hinesight::app
