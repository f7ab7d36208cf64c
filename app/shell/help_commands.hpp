#pragma once

class QMainWindow;

namespace hinesight::app {

class MainMenus;

/// Shows what the menu of help asks for, but the tour.
void answerHelp(MainMenus* menus, QMainWindow* window);

} // namespace hinesight::app
