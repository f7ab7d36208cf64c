#include "app/shell/screenshot.hpp"

#include "app/figures/turntable.hpp"
#include "app/pages/view_kind.hpp"
#include "core/error.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QCoreApplication>
#include <QEventLoop>

#include <optional>

namespace hinesight::app {

namespace {

/// The first failure of the jobs that are under way, and of those that they lead to, if any.
std::optional<Error> waitForJobs(MainWindow& window)
{
  std::optional<Error> failure;
  const auto keep = [&](const Error& error) {
    if (!failure)
      failure = error;
  };
  Jobs& jobs = window.jobs();
  QEventLoop loop;
  const QObject listener;
  QObject::connect(&window, &MainWindow::unreadable, &listener, keep);
  QObject::connect(&jobs, &Jobs::failed, &listener, [&](const JobKind&, const Error& error) { keep(error); });
  for (const auto end : {&Jobs::delivered, &Jobs::cancelled})
    QObject::connect(&jobs, end, &loop, &QEventLoop::quit);
  QObject::connect(&jobs, &Jobs::failed, &loop, &QEventLoop::quit);
  while (jobs.isActive())
    loop.exec();
  return failure;
}

/// Until everything is drawn as it will stay.
void waitForPicture(MainWindow& window)
{
  while (window.isOpening())
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  if (window.openingProblem())
    throw *window.openingProblem();
  if (const auto failure = waitForJobs(window))
    throw *failure;
  // Layouts and repaints that the result caused are still queued.
  QCoreApplication::sendPostedEvents();
  QCoreApplication::processEvents();
  window.settle();
  QCoreApplication::processEvents();
}

} // namespace

void takeScreenshot(MainWindow& window, const QString& path)
{
  widgets::requirePictureName(path, false);
  waitForPicture(window);
  widgets::writePicture(widgets::pixelsOf(window), path);
}

void takeFigure(MainWindow& window, const QString& path, const widgets::FigureOptions& options)
{
  widgets::requirePictureName(path, true);
  widgets::validate(options);
  waitForPicture(window);
  widgets::writePicture(widgets::pictureOf(window.figure(), options), path);
}

void takeTurntable(MainWindow& window, int frames, const QString& folder, const widgets::FigureOptions& options)
{
  widgets::validate(options);
  window.showView(ViewKind::Morphology);
  waitForPicture(window);
  auto& view = static_cast<widgets::MorphologyView&>(window.view(ViewKind::Morphology));
  const Turntable table(folder, frames);
  for (int frame = 0; frame < frames; ++frame)
    table.write(frame, view.figureTurned(table.turns(frame)), options);
}

} // namespace hinesight::app
