#pragma once

#include "cli/program.hpp"
#include "paths/paths.hpp"
#include "slowness.hpp"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QMap>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>

#include <sys/types.h>

namespace hinesight::tests {

/// A session with cells, connections and probes, whose folder is not written to.
inline const QString kSimulation = sourceFile("docs/simulation.hinesight");

inline const QString kMpirun = mpirunFile(); ///< empty: built without MPI

inline QByteArray contentOf(const QString& path)
{
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no file");
}

/// Runs a program in a folder of its own.
inline ProgramRun runIn(const QTemporaryDir& folder, const QString& program, const QStringList& arguments)
{
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start(program, arguments);
  return finish(process);
}

inline const QString kRankProgram = programFile("hinesight-mpi");

/// What mpirun starts on so many processes: `command` is hinesight-mpi and its arguments, or what starts them.
inline QStringList processesOf(int processes, const QStringList& command)
{
  return QStringList{"--oversubscribe", "--allow-run-as-root", "-n", QString::number(processes)} + command;
}

/// What starts `arguments` of hinesight-mpi on so many processes.
inline QStringList onProcesses(int processes, const QStringList& arguments)
{
  return processesOf(processes, QStringList{kRankProgram} + arguments);
}

/// Content by name, of the files of a folder and those in it.
inline QMap<QString, QByteArray> filesIn(const QString& folder)
{
  QMap<QString, QByteArray> files;
  QDirIterator entry(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (entry.hasNext()) {
    const QString path = entry.next();
    files[QDir(folder).relativeFilePath(path)] = contentOf(path);
  }
  return files;
}

/// Processes of MPI that run in a folder of their own.
class RankJob
{
public:
  explicit RankJob(const QStringList& mpirunArguments,
                   const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
  {
    process.setWorkingDirectory(folder.path());
    process.setProcessEnvironment(environment);
    sinceFault.start();
    process.start(kMpirun, mpirunArguments);
  }
  ~RankJob()
  {
    const QList<pid_t> left = ranks(); // of a job that has not ended
    process.kill();
    for (const pid_t rank : left)
      ::kill(rank, SIGKILL);
    process.waitForFinished();
  }

  QString path(const QString& name = {}) const { return folder.filePath(name); }

  pid_t mpirun() const { return static_cast<pid_t>(process.processId()); }
  /// Process numbers, by rank.
  QList<pid_t> ranks() const
  {
    const QString pid = QString::number(process.processId());
    QList<pid_t> numbers;
    for (const QByteArray& number : contentOf("/proc/" + pid + "/task/" + pid + "/children").split(' '))
      if (number.toInt() > 0)
        numbers << number.toInt();
    return numbers;
  }
  /// Whether all ranks are in the midst of their work, for which they have had so many hundredths of a second: starting
  /// takes fewer than 30. They have written `kept` where that is a name.
  bool isAtWork(int processes, const QString& kept, qint64 ticks = 30) const
  {
    const QList<pid_t> all = ranks();
    return all.size() == processes && (kept.isEmpty() || QFile::exists(path(kept))) &&
           std::ranges::all_of(all, [&](pid_t rank) { return processorTicks(rank) >= ticks; });
  }
  /// A signal ends it, or is to end it.
  bool send(pid_t to, int signal)
  {
    sinceFault.start();
    return ::kill(to, signal) == 0;
  }
  /// Waits for its end. Returns whether that came soon after the signal, or after so many ms from its begin on.
  bool endsSoon(qint64 work = 0)
  {
    const qint64 limit = work + qint64{10'000} * kSlowness;
    const bool hasEnded = process.state() == QProcess::NotRunning ||
                          process.waitForFinished(static_cast<int>(std::max<qint64>(1, limit - sinceFault.elapsed())));
    if (hasEnded && process.exitStatus() == QProcess::NormalExit)
      run.status = process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return hasEnded;
  }
  /// Whether all ended with a failure that was told in one sentence, which has `words`.
  bool hasFailedInOneSentence(const QByteArray& words) const
  {
    return run.status > 0 && run.err.count("hinesight-mpi: ") == 1 && run.err.contains(words);
  }

  ProgramRun run; ///< when it has ended

private:
  QTemporaryDir folder;
  QProcess process;
  QElapsedTimer sinceFault;
};

} // namespace hinesight::tests
