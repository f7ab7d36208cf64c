#include "app/shell/escape_key.hpp"

#include "app/cells/cell_views.hpp"
#include "app/jobs/jobs.hpp"
#include "app/selection/branch_selection.hpp"

#include <QShortcut>

namespace hinesight::app {

EscapeKey::EscapeKey(CellViews* ofCells, const Jobs* ofWindow, QWidget* window)
    : QObject(window), views(ofCells), jobs(ofWindow), areaEscape(new QShortcut(Qt::Key_Escape, window))
{
  areaEscape->setEnabled(false);
  connect(areaEscape, &QShortcut::activated, views, &CellViews::forgetArea);
  connect(views, &CellViews::areaEnded, this, &EscapeKey::refresh);
  connect(views, &CellViews::selectionChanged, this, &EscapeKey::refresh);
  connect(jobs, &Jobs::submitted, this, &EscapeKey::refresh);
  connect(jobs, &Jobs::ended, this, &EscapeKey::refresh);
}

void EscapeKey::refresh()
{
  const bool awaitsArea = views->awaitsArea();
  areaEscape->setEnabled(awaitsArea);
  emit changed(!awaitsArea && jobs->isActive(), !awaitsArea && !views->selected()->choice().selected.isEmpty());
}

} // namespace hinesight::app
