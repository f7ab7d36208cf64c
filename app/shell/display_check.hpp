#pragma once

#include <string>

namespace hinesight::app {

/// Finds out whether a window can be opened, before Qt does and aborts where it cannot. Chooses Qt's X11 platform with
/// GLX, the one that VTK 9.1 works with, unless the environment chose already (QT_QPA_PLATFORM, QT_XCB_GL_INTEGRATION).
/// Returns one sentence that says what is missing and what to do; empty: go ahead.
std::string prepareDisplay();

/// To be called with a QApplication: one sentence where OpenGL 3.2 cannot be used; empty: go ahead.
std::string checkOpenGl();

} // namespace hinesight::app
