#include "app/shell/screenshot.hpp"

#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "widgets/picture_file.hpp"

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

} // namespace

void takeScreenshot(MainWindow& window, const QString& path)
{
  widgets::requirePictureName(path, false);
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
  widgets::writePicture(widgets::pixelsOf(window), path);
}

} // namespace hinesight::app
