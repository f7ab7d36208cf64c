#include "app/files/file_drop.hpp"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace hinesight::app {

namespace {

QStringList filesOf(const QMimeData& data)
{
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile())
      paths << url.toLocalFile();
  return paths;
}

} // namespace

FileDrop::FileDrop(QWidget* target) : QObject(target)
{
  target->setAcceptDrops(true);
  target->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject*, QEvent* event)
{
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
    return false;
  auto& drag = static_cast<QDropEvent&>(*event);
  const QStringList paths = filesOf(*drag.mimeData());
  if (paths.isEmpty())
    return false;
  drag.acceptProposedAction();
  if (event->type() == QEvent::Drop)
    emit dropped(paths);
  return true;
}

} // namespace hinesight::app
