#include "app/document/autosave.hpp"

#include "core/error.hpp"
#include "model/session_file.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <mutex>
#include <utility>

namespace hinesight::app {

namespace {

const QLatin1String kEnding(".hinesight");

QString lockOf(const QString& file)
{
  return file + QStringLiteral(".lock");
}

QString networkBeside(const QString& session, const char* ending)
{
  return session.chopped(kEnding.size()) + QLatin1String(ending);
}

QString ownNetworkOf(const QString& session)
{
  return networkBeside(session, ".checkpoint");
}

QString takenNetworkOf(const QString& session)
{
  return networkBeside(session, "-begun.checkpoint");
}

/// Empty: there is none.
QString networkOf(const QString& session)
{
  const QString own = ownNetworkOf(session);
  const QString taken = takenNetworkOf(session);
  return QFile::exists(own) ? own : QFile::exists(taken) ? taken : QString();
}

void removeNetworksOf(const QString& session)
{
  QFile::remove(ownNetworkOf(session));
  QFile::remove(takenNetworkOf(session));
}

struct Content
{
  std::string beforeRuns;
  qint64 size = -1; ///< bytes; -1: there is no such file
};

Content contentOf(const QString& path)
{
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const std::string text = file.readAll().toStdString();
  return {model::textBeforeRuns(text).value_or(text), file.size()};
}

} // namespace

struct Autosave::State
{
  struct Content
  {
    model::Project project;
    SeenSession seen;
    io::SharedRuns runs;
  };

  std::mutex mutex;
  std::optional<Content> next; ///< to be written; none: the writer has it, or there is nothing
};

Autosave::Autosave(const QString& inFolder, QObject* parent)
    : QObject(parent), folder(inFolder), state(std::make_shared<State>())
{
  writer.setMaxThreadCount(1);
  QDir().mkpath(folder);
  // A process may have several windows.
  for (int number = 0; !lock; ++number) {
    file = QStringLiteral("%1/window-%2-%3%4")
               .arg(folder)
               .arg(QCoreApplication::applicationPid())
               .arg(number)
               .arg(kEnding);
    auto own = std::make_unique<QLockFile>(lockOf(file));
    own->setStaleLockTime(0); // however long a window lives
    const bool isTaken = QFile::exists(file) || (!own->tryLock() && own->error() == QLockFile::LockFailedError);
    if (!isTaken)
      lock = std::move(own);
  }
  removeNetworksOf(file); // of a process of that number, without a session
}

Autosave::~Autosave()
{
  writer.waitForDone();
  if (isOver)
    removeNetworksOf(file); // that were still on their way
}

QString Autosave::stateFolder()
{
  const QString home = qEnvironmentVariable("XDG_STATE_HOME");
  return (home.isEmpty() ? QDir::homePath() + QStringLiteral("/.local/state") : home) + QStringLiteral("/hinesight");
}

void Autosave::write(const model::Project& project, const SeenSession& seen, const io::SharedRuns& runs)
{
  if (isOver)
    return;
  isWriting = true;
  const std::lock_guard guard(state->mutex);
  const bool isAwaited = std::exchange(state->next, State::Content{project, seen, runs}).has_value();
  if (isAwaited)
    return;
  writer.start([this, state = state, to = file.toStdString()] {
    std::optional<State::Content> written;
    {
      const std::lock_guard taking(state->mutex);
      written = std::exchange(state->next, std::nullopt);
    }
    if (!written)
      return;
    try {
      model::writeSession(written->project, to, written->seen.whole(), written->runs);
    } catch (const Error& error) {
      const QString sentence = QString::fromUtf8(error.what());
      QMetaObject::invokeMethod(this, [this, sentence] {
        if (!std::exchange(hasFailed, true))
          emit failed(tr("What is open cannot be kept for the case that the program is killed: %1").arg(sentence));
      });
    }
  });
}

/// Nothing was written where nothing was done: the sessions of before stay what they were. So they do where this one is
/// the last one once more.
void Autosave::keepAsClosed()
{
  isOver = true;
  writer.waitForDone();
  if (QFile::exists(file))
    moveToClosed(file);
}

/// Where the last one that was closed is the same but for its runs, there is one of it: that with more of them.
void Autosave::moveToClosed(const QString& session) const
{
  const Content closing = contentOf(session);
  const Content last = contentOf(closedFile(1));
  const bool isSame = last.size >= 0 && closing.beforeRuns == last.beforeRuns;
  // That of the last one alone: networks are large.
  const QString network = networkOf(session);
  if (!isSame || !network.isEmpty())
    QFile::remove(ownNetworkOf(closedFile(1)));
  if (!network.isEmpty())
    QFile::rename(network, ownNetworkOf(closedFile(1)));
  removeNetworksOf(session);
  if (isSame && closing.size < last.size) {
    QFile::remove(session);
    return;
  }
  QFile::remove(closedFile(isSame ? 1 : kMostClosed));
  for (int place = kMostClosed - 1; place >= 1 && !isSame; --place)
    QFile::rename(closedFile(place), closedFile(place + 1));
  QFile::rename(session, closedFile(1));
}

QStringList Autosave::closed() const
{
  QStringList files;
  for (int place = 1; place <= kMostClosed; ++place)
    if (QFile::exists(closedFile(place)))
      files << closedFile(place);
  return files;
}

QString Autosave::closedFile(int place) const
{
  const QString number = place == 1 ? QString() : QStringLiteral("-%1").arg(place);
  return folder + QStringLiteral("/last") + number + kEnding;
}

std::optional<LeftSession> Autosave::takeLeft()
{
  const QDir dir(folder);
  for (const QFileInfo& info : dir.entryInfoList({QStringLiteral("window-*") + kEnding}, QDir::Files, QDir::Time)) {
    if (info.absoluteFilePath() == QFileInfo(file).absoluteFilePath())
      continue;
    auto ofWindow = std::make_unique<QLockFile>(lockOf(info.filePath()));
    ofWindow->setStaleLockTime(0);
    if (!ofWindow->tryLock())
      continue; // it lives
    try {
      const model::ReadSession read = model::readSession(info.filePath().toStdString());
      LeftSession left{info.filePath(), info.lastModified(), read.project,
                       read.view,       read.runs,           !networkOf(info.filePath()).isEmpty()};
      leftLock = std::move(ofWindow);
      return left;
    } catch (const Error&) {
      continue;
    }
  }
  return std::nullopt;
}

QString Autosave::networkFile() const
{
  return ownNetworkOf(file);
}

QString Autosave::takenNetworkFile() const
{
  return takenNetworkOf(file);
}

QString Autosave::takeNetwork(const QString& session) const
{
  const QString network = networkOf(session);
  if (network.isEmpty())
    return {};
  QFile::remove(takenNetworkFile());
  return QFile::rename(network, takenNetworkFile()) ? takenNetworkFile() : QString();
}

void Autosave::discard(const LeftSession& left)
{
  removeNetworksOf(left.file);
  QFile::remove(left.file);
  leftLock.reset();
}

void Autosave::putAside(const LeftSession& left)
{
  moveToClosed(left.file);
  leftLock.reset();
}

} // namespace hinesight::app
