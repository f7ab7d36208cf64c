#pragma once

class QMainWindow;

namespace hinesight::app {

/// All keys of a window's menus on one page.
void showShortcuts(QMainWindow* window);

/// Version, licence, what the program is built with and built upon.
void showAbout(QMainWindow* window);

} // namespace hinesight::app
