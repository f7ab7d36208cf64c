#pragma once

#include "app/files/openable_files.hpp"

#include <QObject>
#include <QThreadPool>

namespace hinesight::app {

/// Finds out what files are for. HDF5 files are opened for that, on another thread; where there is none among the
/// files, the answer comes before `sort` returns.
class FileSorter : public QObject
{
  Q_OBJECT

public:
  explicit FileSorter(QObject* parent = nullptr);
  /// Waits for what is being looked at.
  ~FileSorter() override;

  /// Answered by `sorted`, in the order of the calls among those with HDF5 files.
  void sort(const QStringList& paths);
  /// Whether an answer is still to come.
  bool isBusy() const { return pending > 0; }

signals:
  void sorted(const hinesight::app::OpenableFiles& files);

private:
  QThreadPool pool; ///< of one thread
  int pending = 0;
};

} // namespace hinesight::app
