#include "app/shell/help/menu_commands.hpp"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace hinesight::app {

namespace {

void collect(const QMenu& menu, const QString& path, QList<MenuCommand>& into)
{
  for (QAction* action : menu.actions())
    if (const QMenu* inner = action->menu())
      collect(*inner, path + QStringLiteral(" > ") + commandName(*action), into);
    else if (!action->isSeparator() && !action->text().isEmpty())
      into.push_back({action, path});
}

} // namespace

QList<MenuCommand> menuCommands(const QMainWindow& window)
{
  QList<MenuCommand> commands;
  for (const QAction* menu : window.menuBar()->actions())
    if (menu->menu())
      collect(*menu->menu(), commandName(*menu), commands);
  return commands;
}

QString commandName(const QAction& action)
{
  return action.text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

bool hasWords(const QString& text, const QString& typed)
{
  const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace hinesight::app
