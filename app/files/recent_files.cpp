#include "app/files/recent_files.hpp"

#include "app/shell/action_icon.hpp"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace hinesight::app {

namespace {

const QString kKey = QStringLiteral("recentFiles");

} // namespace

RecentFiles::RecentFiles(QMenu* recentMenu, QObject* parent)
    : QObject(parent), menu(recentMenu), recent(QSettings().value(kKey).toStringList())
{
  rebuildMenu();
}

void RecentFiles::add(const QStringList& paths)
{
  if (paths.isEmpty())
    return;
  for (const QString& path : paths.first(std::min<qsizetype>(paths.size(), kMostAtOnce))) {
    recent.removeAll(path);
    recent.prepend(path);
  }
  while (recent.size() > kMost)
    recent.removeLast();
  store();
}

void RecentFiles::remove(const QString& path)
{
  if (recent.removeAll(path) > 0)
    store();
}

void RecentFiles::store()
{
  QSettings().setValue(kKey, recent);
  rebuildMenu();
}

void RecentFiles::rebuildMenu()
{
  menu->clear();
  for (const QString& path : recent) {
    const QFileInfo file(path);
    QString text = QStringLiteral("%1  —  %2").arg(file.fileName(), file.path());
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction* action = menu->addAction(text);
    action->setToolTip(tr("Open this file again: %1").arg(path));
    action->setIcon(actionIcon(QStringLiteral("openRecent")));
    // Queued: opening the file rebuilds this menu, which deletes the action.
    connect(
        action, &QAction::triggered, this, [this, path] { emit chosen(path); }, Qt::QueuedConnection);
  }
  menu->setEnabled(!recent.isEmpty());
  if (recent.isEmpty())
    return;
  menu->addSeparator();
  QAction* clear = menu->addAction(tr("Clear this list"));
  clear->setObjectName(QStringLiteral("clearRecentAction"));
  clear->setToolTip(tr("Forget the files that were opened last; the files themselves stay"));
  clear->setIcon(actionIcon(clear->objectName()));
  connect(
      clear, &QAction::triggered, this,
      [this] {
        recent.clear();
        store();
      },
      Qt::QueuedConnection);
}

} // namespace hinesight::app
