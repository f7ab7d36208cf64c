#include "app/files/file_sorter.hpp"

#include "io/networks/neuron_files.hpp"

#include <QMetaObject>

#include <algorithm>

namespace hinesight::app {

FileSorter::FileSorter(QObject* parent) : QObject(parent)
{
  pool.setMaxThreadCount(1);
}

FileSorter::~FileSorter()
{
  pool.clear();
  pool.waitForDone();
}

void FileSorter::sort(const QStringList& paths)
{
  const auto isSonata = [](const QString& path) { return io::isSonataFile(path.toStdString()); };
  if (std::none_of(paths.begin(), paths.end(), isSonata)) {
    emit sorted(sortByKind(paths));
    return;
  }
  ++pending;
  pool.start([this, paths] {
    QMetaObject::invokeMethod(
        this,
        [this, files = sortByKind(paths)] {
          --pending;
          emit sorted(files);
        },
        Qt::QueuedConnection);
  });
}

} // namespace hinesight::app
