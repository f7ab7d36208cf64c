#pragma once

#include "app/shell/help/menu_commands.hpp"

#include <QDialog>

class QLineEdit;
class QListWidget;
class QMainWindow;

namespace hinesight::app {

/// Every action of the window's menus, found by typing parts of its name or of its menu: "sav ses" finds Save session,
/// "workspace" every preset. Enter carries out the chosen one; those that cannot be carried out now are listed last, in
/// grey.
class CommandPalette : public QDialog
{
  Q_OBJECT

public:
  explicit CommandPalette(QMainWindow* window);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void refresh();
  void carryOut();

  QList<MenuCommand> commands;
  QLineEdit* text;
  QListWidget* list;
};

} // namespace hinesight::app
