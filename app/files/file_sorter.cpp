#include "app/files/file_sorter.hpp"

#include "io/networks/neuron_files.hpp"

#include <algorithm>

namespace hinesight::app {

FileSorter::FileSorter(QObject* parent) : QObject(parent), opening(nullptr, widgets::BackgroundWork::Order::OldestFirst)
{}

void FileSorter::sort(const QStringList& paths)
{
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

} // namespace hinesight::app
