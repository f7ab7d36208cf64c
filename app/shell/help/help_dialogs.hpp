#pragma once

class QMainWindow;

namespace hinesight::app {

/// Version, licence, what the program is built with and built upon.
void showAbout(QMainWindow* window);

} // namespace hinesight::app
