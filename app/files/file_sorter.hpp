#pragma once

#include "app/files/openable_files.hpp"
#include "widgets/background_work.hpp"

#include <QObject>

namespace hinesight::app {

/// Finds out what files are for. HDF5 files are opened for that, on another thread; where there is none among the
/// files, the answer comes before `sort` returns.
class FileSorter : public QObject
{
  Q_OBJECT

public:
  explicit FileSorter(QObject* parent = nullptr);

  /// Answered by `sorted`, in the order of the calls among those with HDF5 files.
  void sort(const QStringList& paths);
  /// Whether an answer is still to come.
  bool isBusy() const { return pending > 0; }

signals:
  void sorted(const hinesight::app::OpenableFiles& files);

private:
  widgets::BackgroundWork opening;
  int pending = 0;
};

} // namespace hinesight::app
