#include "app/shell/help_commands.hpp"

#include "app/shell/help/command_palette.hpp"
#include "app/shell/help/context_help.hpp"
#include "app/shell/help/help_dialogs.hpp"
#include "app/shell/help/shortcuts_dialog.hpp"
#include "app/shell/main_menus.hpp"

#include <QCursor>
#include <QMainWindow>

namespace hinesight::app {

void answerHelp(MainMenus* menus, QMainWindow* window)
{
  QObject::connect(menus, &MainMenus::paletteRequested, window, [window] { (new CommandPalette(window))->show(); });
  QObject::connect(menus, &MainMenus::helpRequested, window, [window] { showHelp(window, QCursor::pos()); });
  QObject::connect(menus, &MainMenus::guideRequested, window, [window] { showGuide(window, {}); });
  QObject::connect(menus, &MainMenus::shortcutsRequested, window, [window] { ShortcutsDialog::showFor(window); });
  QObject::connect(menus, &MainMenus::aboutRequested, window, [window] { showAbout(window); });
}

} // namespace hinesight::app
