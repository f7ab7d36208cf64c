#pragma once

#include <QIcon>
#include <QString>

namespace hinesight::app {

/// The picture of an action by its object name. One stroke colour is seen on dark and on light menus.
inline QIcon actionIcon(const QString& name)
{
  return QIcon(QStringLiteral(":/icons/actions/%1.svg").arg(name));
}

} // namespace hinesight::app
