#include "app/files/file_sorter.hpp"

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
  if (std::none_of(paths.begin(), paths.end(), isHdf5)) {
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
