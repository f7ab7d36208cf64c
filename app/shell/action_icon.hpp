#pragma once

#include <QIcon>

namespace hinesight::app {

/// The picture of an action by its object name: one stroke colour that is seen on dark and on light menus, and white
/// where the pointer is.
QIcon actionIcon(const QString& name);

} // namespace hinesight::app
