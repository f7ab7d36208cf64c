#include "app/shell/screenshot.hpp"

#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "widgets/picture_file.hpp"

#include <QCoreApplication>
#include <QEventLoop>

#include <optional>

namespace hinesight::app {

namespace {

/// The first failure of the run that is under way and of what waits for its end, if any.
std::optional<Error> waitForRun(JobRunner& runner)
{
  std::optional<Error> failure;
  const auto keep = [&](const Error& error) {
    if (!failure)
      failure = error;
  };
  QEventLoop loop;
  const QObject listener;
  QObject::connect(&runner, &JobRunner::cellsRead, &listener, [&](const std::vector<CellReading>& readings) {
    for (const CellReading& reading : readings)
      if (reading.error)
        keep(*reading.error);
  });
  QObject::connect(&runner, &JobRunner::failed, &listener, keep);
  QObject::connect(&runner, &JobRunner::failed, &loop, &QEventLoop::quit);
  QObject::connect(&runner, &JobRunner::finished, &loop, &QEventLoop::quit);
  QObject::connect(&runner, &JobRunner::projectionFinished, &loop, &QEventLoop::quit);
  QObject::connect(&runner, &JobRunner::projectionAsked, &loop, &QEventLoop::quit);
  QObject::connect(&runner, &JobRunner::tableOpened, &loop, &QEventLoop::quit);
  QObject::connect(&runner, &JobRunner::formationFinished, &loop, &QEventLoop::quit);
  QObject::connect(&runner, &JobRunner::cancelled, &loop, &QEventLoop::quit);
  // A projection that waited for the pipeline runs after it.
  while (runner.isRunning())
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
  if (const auto failure = waitForRun(window.jobRunner()))
    throw *failure;
  // Layouts and repaints that the result caused are still queued.
  QCoreApplication::sendPostedEvents();
  QCoreApplication::processEvents();
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting})
    window.view(kind).settle();
  window.synapses().settle();
  QCoreApplication::processEvents();
  widgets::writePicture(widgets::pixelsOf(window), path);
}

} // namespace hinesight::app
