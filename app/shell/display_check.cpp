#include "app/shell/display_check.hpp"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>
#include <qopenglcontext_platform.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include <dlfcn.h>

namespace hinesight::app {

namespace {

bool isSet(const char* variable)
{
  const char* value = std::getenv(variable);
  return value && *value;
}

/// A folder that was made for machines without the libraries brings a font too: taken where the machine has none set
/// up.
void useOwnFonts()
{
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  const fs::path fonts = program.parent_path().parent_path() / "share" / "hinesight" / "fonts" / "fonts.conf";
  if (!fs::exists("/etc/fonts/fonts.conf", failure) && fs::exists(fonts, failure))
    setenv("FONTCONFIG_FILE", fonts.c_str(), 0);
}

/// Whether the X server of DISPLAY lets us in. Asks XCB, which Qt's platform uses too; loaded at run time, because
/// nothing else here needs it. The connection stays open: a server resets when its last client leaves, and for a moment
/// would refuse Qt.
bool canReachXServer()
{
  struct Connection;
  using Connect = Connection* (*)(const char*, int*);
  using HasError = int (*)(Connection*);

  void* library = dlopen("libxcb.so.1", RTLD_NOW);
  if (!library)
    return false;
  const auto connect = reinterpret_cast<Connect>(dlsym(library, "xcb_connect"));
  const auto hasError = reinterpret_cast<HasError>(dlsym(library, "xcb_connection_has_error"));
  if (!connect || !hasError)
    return false;
  static Connection* const connection = connect(nullptr, nullptr); // to the end of the program
  return hasError(connection) == 0;
}

} // namespace

std::string prepareDisplay()
{
  if (!isSet("DISPLAY")) {
    if (isSet("WAYLAND_DISPLAY"))
      return "This Wayland session offers no X11 display, which Hinesight draws with; start XWayland and set DISPLAY.";
    return "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); log in to a desktop, "
           "use ssh -X or xvfb-run, or work with hinesight-cli.";
  }
  if (!canReachXServer())
    return "The display " + std::string(std::getenv("DISPLAY")) +
           " cannot be reached; check DISPLAY and that its X server is running and lets you in.";
  setenv("QT_QPA_PLATFORM", "xcb", 0);
  setenv("QT_XCB_GL_INTEGRATION", "xcb_glx", 0);
  useOwnFonts();
  return {};
}

std::string checkOpenGl()
{
  const std::string advice = "; install Mesa's software renderer (libgl1-mesa-dri) or the driver of the graphics card.";
  QOpenGLContext context;
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface))
    return "OpenGL cannot be used on this display" + advice;
  // Where a server has no GLX, Qt takes EGL by itself, and VTK 9.1 fails on that.
  if (!context.nativeInterface<QNativeInterface::QGLXContext>())
    return "The X server of this display offers no GLX, which Hinesight draws with; start it with its GLX extension.";
  const auto [major, minor] = context.format().version();
  context.doneCurrent();
  if (major < 3 || (major == 3 && minor < 2))
    return "OpenGL " + std::to_string(major) + "." + std::to_string(minor) +
           " of this display is too old, 3.2 is needed" + advice;
  return {};
}

} // namespace hinesight::app
