#include "app/files/file_sorter.hpp"

#include "io/networks/neuron_files.hpp"

#include <QFileInfo>

#include <algorithm>

namespace hinesight::app {

FileSorter::FileSorter(Jobs* ofWindow, QObject* parent)
    : QObject(parent), jobs(ofWindow), opening(nullptr, widgets::BackgroundWork::Order::OldestFirst)
{}

void FileSorter::sort(const QStringList& paths)
{
  const auto isFolder = [](const QString& path) { return !isResource(path) && QFileInfo(path).isDir(); };
  if (std::any_of(paths.begin(), paths.end(), isFolder))
    return search(paths);
  const auto isSonata = [](const QString& path) { return io::isSonataFile(path.toStdString()); };
  if (std::none_of(paths.begin(), paths.end(), isSonata)) {
    emit sorted(sortByKind(paths));
    return;
  }
  ++pending;
  opening.start([this, paths](const RunControl&) -> widgets::BackgroundWork::Deliver {
    return [this, files = sortByKind(paths)] {
      --pending;
      emit sorted(files);
    };
  });
}

void FileSorter::search(const QStringList& paths)
{
  ++pending;
  JobEnds ends;
  ends.failed = [this](const Error&) { --pending; };
  ends.cancelled = [this] {
    --pending;
    emit cancelled();
  };
  jobs->submit(
      {kFolders, JobTask::several(paths)},
      [paths](const JobContext& context) { return sortByKind(paths, context.control()); },
      [this](const OpenableFiles& files) {
        --pending;
        emit sorted(files);
      },
      std::move(ends));
}

} // namespace hinesight::app
