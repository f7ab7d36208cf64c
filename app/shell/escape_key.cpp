#include "app/shell/escape_key.hpp"

#include "app/jobs/jobs.hpp"

#include <QShortcut>

#include <utility>

namespace hinesight::app {

EscapeKey::EscapeKey(const Jobs* ofWindow, QWidget* window)
    : QObject(window), jobs(ofWindow), areaEscape(new QShortcut(Qt::Key_Escape, window))
{
  areaEscape->setEnabled(false);
  connect(areaEscape, &QShortcut::activated, this, &EscapeKey::endArea);
  connect(jobs, &Jobs::submitted, this, &EscapeKey::refresh);
  connect(jobs, &Jobs::ended, this, &EscapeKey::refresh);
}

void EscapeKey::awaitArea(std::function<void()> end)
{
  endAwaited = std::move(end);
  refresh();
}

void EscapeKey::endArea()
{
  if (const auto end = std::exchange(endAwaited, nullptr))
    end();
  refresh();
}

void EscapeKey::dropArea()
{
  endAwaited = nullptr;
  refresh();
}

void EscapeKey::refresh()
{
  const bool awaitsArea = static_cast<bool>(endAwaited);
  areaEscape->setEnabled(awaitsArea);
  emit changed(!awaitsArea && jobs->isActive(), !awaitsArea && !jobs->isActive());
}

} // namespace hinesight::app
