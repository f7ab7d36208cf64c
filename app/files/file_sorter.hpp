#pragma once

#include "app/files/openable_files.hpp"
#include "app/jobs/jobs.hpp"
#include "widgets/background_work.hpp"

#include <QObject>

namespace hinesight::app {

/// The search of folders.
inline constexpr JobKind kFolders{.name = "Search of folders", .stage = "search", .newestWins = false};

/// Finds out what files are for. Folders are searched by a job, which a person can cancel; HDF5 files are opened on
/// another thread. Where there is neither, the answer comes before `sort` returns.
class FileSorter : public QObject
{
  Q_OBJECT

public:
  FileSorter(Jobs* jobs, QObject* parent);

  /// Answered by `sorted`, in the order of the calls among those with folders, and those with HDF5 files.
  void sort(const QStringList& paths);
  /// Whether an answer is still to come.
  bool isBusy() const { return pending > 0; }

signals:
  void sorted(const hinesight::app::OpenableFiles& files);
  /// There is no answer.
  void cancelled();

private:
  void search(const QStringList& paths);

  Jobs* jobs;
  widgets::BackgroundWork opening;
  int pending = 0;
};

} // namespace hinesight::app
