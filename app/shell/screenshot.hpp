#pragma once

#include "app/shell/main_window.hpp"

#include <QString>

namespace hinesight::app {

/// Waits for the run that is under way in a shown window to end, then writes a picture of the window as PNG.
/// Throws as widgets::writePicture, and the Error of the run or of a file that could not be read.
void takeScreenshot(MainWindow& window, const QString& path);

} // namespace hinesight::app
