#include "app/document/autosave.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/display_check.hpp"
#include "app/shell/launch_options.hpp"
#include "app/shell/main_window.hpp"
#include "app/shell/screenshot.hpp"
#include "core/error.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>

#include <clocale>
#include <iostream>
#include <string>
#include <system_error>

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
  parameters.batch.copies = options.copies;
  if (options.solver)
    parameters.solve.solver = *options.solver;
  window.setParameters(parameters);
}

/// The window as everybody's first one: nothing of this person's settings is read or changed.
int runWithoutPerson(const app::LaunchOptions& options)
{
  const QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  app::MainWindow window;
  const QSize size = options.size.value_or(app::MainWindow::defaultSize());
  window.resize(size);
  apply(options, window);
  window.openAtStart(options.files, options.view.has_value());
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
  window.keepOpenIn(app::Autosave::stateFolder());
  window.openAtStart(options.files, options.view.has_value());
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
  QCoreApplication::setApplicationVersion(QStringLiteral(HINESIGHT_VERSION));
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
