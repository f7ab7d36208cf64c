#include "app/document/autosave.hpp"
#include "app/manual/version.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/display_check.hpp"
#include "app/shell/launch_options.hpp"
#include "app/shell/main_window.hpp"
#include "app/shell/screenshot.hpp"
#include "app/workspace/window_place.hpp"
#include "core/error.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QApplication>
#include <QSettings>
#include <QSocketNotifier>
#include <QTemporaryDir>

#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <iostream>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace hinesight;

constexpr int kFailure = 1;

int fail(const std::string& sentence)
{
  std::cerr << "hinesight: " << sentence << '\n';
  return kFailure;
}

void apply(const app::LaunchOptions& options, app::MainWindow& window)
{
  if (options.theme)
    window.setTheme(*options.theme);
  if (options.backend)
    window.setBackend(*options.backend); // before a page is seen, which begins to compute then
  if (options.view)
    window.viewArea().showView(*options.view);
  if (options.colorBy)
    window.setColorBy(*options.colorBy);
  study::CellParameters parameters = window.parameters();
  if (options.copies)
    parameters.batch.copies = *options.copies;
  if (options.solver)
    parameters.solve.solver = *options.solver;
  window.setParameters(parameters);
}

/// A session that is opened brings parameters of its own: what was given counts over them.
void open(const app::LaunchOptions& options, app::MainWindow& window)
{
  window.openAtStart(options.files, options.view.has_value(),
                     [options](model::Project& session) { app::applyTo(session, options); });
}

std::array<int, 2> signalPipe = {-1, -1}; ///< from a handler, which may do no more than write, to the window

extern "C" void tellOfSignal(int)
{
  const int before = errno;
  const char any = 0;
  [[maybe_unused]] const ssize_t written = ::write(signalPipe[1], &any, 1); // full, it has been told
  errno = before;
}

/// A logout, Ctrl+C and a terminal that is closed end the program as Quit does: nothing is left to recover. Where there
/// is no pipe they kill it.
void closeOnSignals(app::MainWindow& window)
{
  if (::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return;
  auto* told = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, &window);
  QObject::connect(told, &QSocketNotifier::activated, &window, [told, &window] {
    told->setEnabled(false);
    window.close();
    QCoreApplication::quit(); // whatever else is open
  });
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction action = {};
    const bool isIgnored = ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN; // by nohup
    action = {};
    action.sa_handler = tellOfSignal;
    action.sa_flags = SA_RESTART;
    if (!isIgnored)
      ::sigaction(signal, &action, nullptr);
  }
}

/// The window as everybody's first one: nothing of this person's settings is read or changed.
int runWithoutPerson(const app::LaunchOptions& options)
{
  const QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  app::MainWindow window;
  const QSize size = options.size.value_or(app::WindowPlace::defaultSize());
  window.resize(size);
  apply(options, window);
  open(options, window);
  window.show();
  if (window.size() != size)
    return fail("The window needs at least " + std::to_string(window.minimumSizeHint().width()) + "x" +
                std::to_string(window.minimumSizeHint().height()) + " pixels; choose a larger --size.");
  try {
    if (options.turntable > 0)
      app::takeTurntable(window, options.turntable, options.turntableFolder, *options.figure);
    if (options.screenshot && options.figure)
      app::takeFigure(window, *options.screenshot, *options.figure);
    else if (options.screenshot)
      app::takeScreenshot(window, *options.screenshot);
    if (options.exportFolder)
      app::exportEverything(window, *options.exportFolder, options.figure.value_or(widgets::FigureOptions()));
  } catch (const Error& error) {
    return fail(error.what());
  }
  return 0;
}

int runWindow(const app::LaunchOptions& options)
{
  app::MainWindow window;
  if (options.size)
    window.resize(*options.size);
  apply(options, window);
  closeOnSignals(window); // before there is anything to recover
  window.keepOpenIn(app::Autosave::stateFolder());
  open(options, window);
  window.show();
  if (options.files.isEmpty())
    window.offerTour();
  return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
  const app::LaunchDecision decision = app::parseLaunchOptions(argc, argv);
  if (!decision.options)
    return decision.exitStatus;
  if (const std::string problem = app::prepareDisplay(); !problem.empty())
    return fail(problem);

  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  widgets::VtkWidget::setDefaultSurfaceFormat();
  // Our own arguments are parsed; Qt gets only the program's name.
  int qtArgc = 1;
  QApplication application(qtArgc, argv);
  // QApplication took the user's locale; numbers in files and fields are written with a point everywhere.
  std::setlocale(LC_NUMERIC, "C");
  QCoreApplication::setOrganizationName(QStringLiteral("Hinesight"));
  QCoreApplication::setApplicationName(QStringLiteral("Hinesight"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(manual::programVersion()));
  if (const std::string problem = app::checkOpenGl(); !problem.empty())
    return fail(problem);

  try {
    const app::LaunchOptions& options = *decision.options;
    const bool isForFiles = options.screenshot || options.exportFolder || options.turntable > 0;
    return isForFiles ? runWithoutPerson(options) : runWindow(options);
  } catch (const std::system_error& noThread) {
    return fail(std::string("The window cannot be opened: ") + noThread.what() + ".");
  }
}
