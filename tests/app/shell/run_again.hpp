#pragma once

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace hinesight::app {

// A time that was measured once is also what other programs left in the caches, and which memory was new. What an event
// costs is the least of several runs of a test: what is too long counts where it is so in each of them.

inline constexpr const char* kBlocksFile = "HINESIGHT_BLOCKS_FILE";

/// Whether this process is such a run: it writes what was too long, and does not judge it.
inline bool isRunAgain()
{
  return qEnvironmentVariableIsSet(kBlocksFile);
}

inline void writeBlocks(const QStringList& blocks)
{
  QFile file(qEnvironmentVariable(kBlocksFile));
  if (!file.open(QIODevice::WriteOnly))
    qFatal("cannot write what was too long");
  file.write(blocks.join(QLatin1Char('\n')).toUtf8());
}

/// What was too long in another run of a test of this program; a run that fails otherwise says so.
inline QStringList blocksOfAnotherRun(const char* test)
{
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("blocks"));
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QLatin1String(kBlocksFile), path);
  QProcess again;
  again.setProcessEnvironment(environment);
  again.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  again.start(QCoreApplication::applicationFilePath(), {QLatin1String(test)});
  constexpr int kPatienceOfRun = 120'000; // ms
  QFile file(path);
  if (!again.waitForFinished(kPatienceOfRun) || again.exitCode() != 0 || !file.open(QIODevice::ReadOnly))
    qFatal("another run of %s fails", test);
  return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

} // namespace hinesight::app
