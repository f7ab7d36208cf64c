#include "app/shell/file_opener.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/document/session_controller.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/file_drop.hpp"
#include "app/files/file_sorter.hpp"
#include "app/files/openable_files.hpp"
#include "app/files/recent_files.hpp"
#include "app/jobs/jobs.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/shell/bars/messages.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "app/shell/sessions/session_start.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/synapses/formation_controller.hpp"
#include "study/simulation/simulation_model.hpp"

#include <QFileInfo>
#include <QWidget>

#include <string>
#include <utility>
#include <vector>

namespace hinesight::app {

namespace {

constexpr JobKind kBeside{.name = "Files beside a session", .newestWins = false, .isQuiet = true};

std::vector<std::string> toStrings(const QStringList& paths)
{
  std::vector<std::string> strings;
  for (const QString& path : paths)
    strings.push_back(path.toStdString());
  return strings;
}

/// A fit and one SWC file: the form of that cell.
bool isFormOfModel(const OpenableFiles& files)
{
  return files.models.size() == 1 && files.cells.size() == 1 && files.sessions.isEmpty() &&
         study::modelFileKind(files.models.front().toStdString()) == study::ModelFileKind::Cell;
}

} // namespace

FileOpener::FileOpener(const Parts& ofWindow, QWidget* parent)
    : QObject(parent), parts(ofWindow), window(parent), sorter(new FileSorter(parts.jobs, this))
{
  connect(sorter, &FileSorter::sorted, this, &FileOpener::openSorted);
  connect(sorter, &FileSorter::cancelled, this, [this] {
    parts.start->cancel();
    parts.messages->showNotice(tr("Cancelled; no file was opened."));
  });
  connect(new FileDrop(window), &FileDrop::dropped, this, &FileOpener::open);
}

void FileOpener::open(const QStringList& paths)
{
  if (paths.isEmpty())
    return;
  QStringList there;
  for (const QString& path : paths)
    if (!isResource(path) && QFileInfo::exists(path))
      there << QFileInfo(path).absoluteFilePath();
  parts.recent->add(there);
  if (!there.isEmpty())
    rememberOpened(there.back());
  sorter->sort(paths);
}

void FileOpener::openSamples()
{
  open(samplePaths());
}

void FileOpener::askForFiles()
{
  askWhatToOpen(window, {QStringLiteral("openDialog"), tr("Open"), QStringLiteral("openFolder"), openableFilters(), {}},
                [this](const QStringList& paths) { open(paths); });
}

void FileOpener::askForFolder()
{
  askWhichFolder(window,
                 {QStringLiteral("openFolderDialog"),
                  tr("Open all neurons of a folder and of those in it"),
                  QStringLiteral("openFolder"),
                  {},
                  {}},
                 [this](const QString& path) { open({path}); });
}

bool FileOpener::isBusy() const
{
  return sorter->isBusy();
}

void FileOpener::openSorted(const OpenableFiles& files)
{
  QStringList problems;
  for (const Error& problem : files.problems) {
    parts.recent->remove(QString::fromStdString(problem.file()));
    problems << QString::fromUtf8(problem.what());
    if (!firstProblem)
      firstProblem = problem;
  }
  parts.messages->showOpeningErrors(problems);
  OpenableFiles beside = files;
  if (!files.sessions.isEmpty())
    parts.sessions->open(files.sessions.back(), toStrings(std::exchange(beside.cells, {})));
  if (!files.circuits.isEmpty())
    parts.sessions->importCircuit(files.circuits.back());
  // That takes the place of all that is open; the history begins with it. What it begins, such as to place the neurons
  // of a connection, takes that of what its page shows.
  if (!files.sessions.isEmpty() || !files.circuits.isEmpty())
    return later([this, beside] { later([this, beside] { openBeside(beside); }); });
  openBeside(files);
  parts.start->dropChoices();
  if (parts.start->isAwaited())
    parts.start->finish();
}

/// Behind all that is being done.
void FileOpener::later(const std::function<void()>& act)
{
  parts.jobs->submit(
      kBeside, [](const JobContext&) {}, act);
}

/// Into what is open.
void FileOpener::openBeside(const OpenableFiles& files)
{
  if (!files.cells.isEmpty() && !isFormOfModel(files)) {
    parts.cells->add(toStrings(files.cells));
    if (parts.start->isAwaited() && !parts.start->keepsPage())
      parts.tabs->showBranches(); // the page of last time shows nothing of them
  }
  if (!files.models.isEmpty()) {
    parts.simulations->open(files.models.back(), isFormOfModel(files) ? files.cells.front() : QString());
    parts.tabs->show(ViewKind::Simulation);
  }
  if (!files.tables.isEmpty())
    parts.tables->open(files.tables);
  if (!files.neurons.isEmpty())
    parts.formations->openNeurons(files.neurons.back());
  if (!files.networks.isEmpty())
    parts.formations->openNetwork(files.networks.back());
  if (!files.neurons.isEmpty() || !files.networks.isEmpty())
    parts.tabs->show(ViewKind::Synapses);
  if (!files.either.isEmpty())
    openEither(files.either.back());
}

/// The page that a person sees says what to make of it.
void FileOpener::openEither(const NetworkFile& file)
{
  if (parts.tabs->isShown(ViewKind::Synapses))
    return parts.formations->openNetwork(file);
  if (!parts.tabs->isShown(ViewKind::Projection))
    parts.messages->warn(
        tr("%1 was opened as a weight table. To see its edges as synapses of a network, open it again while the page "
           "Synapses is shown.")
            .arg(QFileInfo(file.path).fileName()));
  parts.tables->open({file.path});
}

} // namespace hinesight::app
