#pragma once

#include "paths/paths.hpp"

#include <QByteArray>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace hinesight::tests {

/// The program under test.
inline QString programPath()
{
  return programFile("hinesight-cli");
}

/// What a run of the program came to. `status` is -1 where it crashed or did not end within a minute.
struct ProgramRun
{
  int status = -1;
  QByteArray out;
  QByteArray err;

  QJsonDocument json() const { return QJsonDocument::fromJson(out); }
  /// The error object of the last line of stderr.
  QJsonObject error() const
  {
    const QByteArray last = err.trimmed().split('\n').last();
    return QJsonDocument::fromJson(last)["error"].toObject();
  }
  /// For the message of a failed check.
  QByteArray text() const { return "status " + QByteArray::number(status) + "\n" + out.left(2000) + err.left(2000); }
};

inline ProgramRun finish(QProcess& process)
{
  constexpr int kMilliseconds = 300'000; // enough under a sanitizer
  ProgramRun run;
  if (process.waitForFinished(kMilliseconds) && process.exitStatus() == QProcess::NormalExit)
    run.status = process.exitCode();
  run.out = process.readAllStandardOutput();
  run.err = process.readAllStandardError();
  return run;
}

inline ProgramRun runProgram(const QStringList& arguments)
{
  QProcess process;
  process.start(programPath(), arguments);
  return finish(process);
}

/// Processor time of a process in hundredths of a second; 0 when it has ended.
inline qint64 processorTicks(qint64 process)
{
  QFile file(QString("/proc/%1/stat").arg(process));
  if (!file.open(QIODevice::ReadOnly))
    return 0;
  // Fields 14 and 15; the second is the name in brackets and may hold blanks.
  const QByteArray text = file.readAll();
  const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
  return fields.size() > 12 ? fields[11].toLongLong() + fields[12].toLongLong() : 0;
}

inline void writeText(const QString& path, const QByteArray& text)
{
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
    qFatal("cannot write %s", qPrintable(path));
}

/// A soma of radius 5, a stem of 10 + 10 um and two branches of 30 and 40 um: 5 samples, 3 branches.
inline const QByteArray kForkedCell = "# a cell of our own\n"
                                      "1 1 0 0 0 5 -1\n"
                                      "2 3 10 0 0 1 1\n"
                                      "3 3 20 0 0 1 2\n"
                                      "4 3 20 30 0 1 3\n"
                                      "5 3 20 0 40 1 3\n";

/// A soma and a stem of seven samples.
inline const QByteArray kChainCell = "1 1 0 0 0 5 -1\n"
                                     "2 3 10 0 0 1 1\n"
                                     "3 3 20 0 0 1 2\n"
                                     "4 3 30 0 0 1 3\n"
                                     "5 3 40 0 0 1 4\n"
                                     "6 3 50 0 0 1 5\n"
                                     "7 3 60 0 0 1 6\n"
                                     "8 3 70 0 0 1 7\n";

} // namespace hinesight::tests
