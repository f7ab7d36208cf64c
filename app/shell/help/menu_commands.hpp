#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QString>

class QMainWindow;

namespace hinesight::app {

/// An action of a window's menus.
struct MenuCommand
{
  QPointer<QAction> action; ///< those of files that were opened come and go
  QString menu;             ///< "View > Colour by"
};

/// Those of all menus and of the menus in them, in their order.
QList<MenuCommand> menuCommands(const QMainWindow& window);

/// "Save session": without the letter's mark and the three points.
QString commandName(const QAction& action);

/// Whether every word of what was typed is somewhere in the text, in any order.
bool hasWords(const QString& text, const QString& typed);

} // namespace hinesight::app
