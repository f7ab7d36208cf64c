#include "app/shell/help_commands.hpp"

#include "app/shell/help/command_palette.hpp"
#include "app/shell/help/context_help.hpp"
#include "app/shell/help/help_dialogs.hpp"
#include "app/shell/help/shortcuts_dialog.hpp"
#include "app/shell/main_menus.hpp"

#include <QAction>
#include <QApplication>
#include <QCursor>
#include <QDialog>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>

namespace hinesight::app {

namespace {

/// F1 in the dialogs and menus of a window, where its actions have no keys.
class HelpKey : public QObject
{
public:
  explicit HelpKey(QMainWindow* ofWindow) : QObject(ofWindow), window(ofWindow) { qApp->installEventFilter(this); }

protected:
  bool eventFilter(QObject* watched, QEvent* event) override
  {
    if (event->type() != QEvent::KeyPress)
      return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    auto* part = qobject_cast<QWidget*>(watched);
    if (key.key() != Qt::Key_F1 || key.modifiers() != Qt::NoModifier || !part)
      return false;
    if (const auto* menu = qobject_cast<QMenu*>(part)) {
      QAction* entry = menu->activeAction();
      showHelp(window, entry ? menu->mapToGlobal(menu->actionGeometry(entry).center()) : QCursor::pos());
      return true;
    }
    if (!qobject_cast<QDialog*>(part->window()) || part->window()->windowType() == Qt::Popup)
      return false;
    showHelp(window, QCursor::pos());
    return true;
  }

private:
  QMainWindow* window;
};

} // namespace

void answerHelp(MainMenus* menus, QMainWindow* window)
{
  QObject::connect(menus, &MainMenus::paletteRequested, window, [window] { (new CommandPalette(window))->show(); });
  QObject::connect(menus, &MainMenus::helpRequested, window, [window] { showHelp(window, QCursor::pos()); });
  new HelpKey(window);
  QObject::connect(menus, &MainMenus::guideRequested, window, [window] { showGuide(window, {}); });
  QObject::connect(menus, &MainMenus::shortcutsRequested, window, [window] { ShortcutsDialog::showFor(window); });
  QObject::connect(menus, &MainMenus::aboutRequested, window, [window] { showAbout(window); });
}

} // namespace hinesight::app
