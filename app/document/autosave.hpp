#pragma once

#include "app/document/seen_session.hpp"
#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <optional>

namespace hinesight::app {

/// What a window had open that never ended: it was killed, or the machine went down.
struct LeftSession
{
  QString file;
  QDateTime time; ///< of its last step
  model::Project project;
  model::SessionView view;
  io::SharedRuns runs;
  bool hasNetwork = false; ///< a network that grew is kept with it
};

/// Keeps what a window has open in a file of its own, FOLDER/window-NUMBER.hinesight, until the window is closed. A
/// lock beside the file tells whether its window lives. A network that grew in the window is beside it, too:
/// window-NUMBER.checkpoint, or window-NUMBER-begun.checkpoint where it was taken from another window and is as it was.
class Autosave : public QObject
{
  Q_OBJECT

public:
  static constexpr int kMostClosed = 9; ///< sessions of closed windows that are kept

  /// The folder is made where it is not there.
  explicit Autosave(const QString& folder, QObject* parent = nullptr);
  /// Waits until what was to be written is there. Nothing writes networks any more.
  ~Autosave() override;

  /// Where programs of this person keep their state: $XDG_STATE_HOME/hinesight, else ~/.local/state/hinesight.
  static QString stateFolder();

  /// Writes on another thread. Of projects that come while one is written, only the last is.
  void write(const model::Project& project, const SeenSession& seen, const io::SharedRuns& runs = {});
  /// Whether anything was, or is about to be.
  bool hasWritten() const { return isWriting; }
  /// The window ends as it should: there is nothing to recover, and what it had open is the first of `closed`. What
  /// ends with it writes nothing any more.
  void keepAsClosed();
  /// What windows had open that were closed, the last one first: the files that are there.
  QStringList closed() const;
  /// The newest session of a window that does not live any more, taken from its place: nobody else is offered it. Files
  /// that cannot be read are passed over. None: there is none.
  std::optional<LeftSession> takeLeft();
  /// Where the network of this window is kept, and where one that was taken is.
  QString networkFile() const;
  QString takenNetworkFile() const;
  /// The network that is kept with a session is that of this window from now on. Returns `takenNetworkFile`; empty:
  /// there is none.
  QString takeNetwork(const QString& session) const;
  /// What takeLeft gave is not needed any more.
  void discard(const LeftSession& left);
  /// Nobody wants it now: it is the first of `closed`.
  void putAside(const LeftSession& left);

signals:
  /// Once, where the session cannot be kept.
  void failed(const QString& sentence);

private:
  struct State;

  QString closedFile(int place) const;
  void moveToClosed(const QString& session) const;

  QString folder;
  QString file;
  std::unique_ptr<QLockFile> lock; ///< of `file`
  std::unique_ptr<QLockFile> leftLock;
  QThreadPool writer;
  std::shared_ptr<State> state; ///< shared with the writer
  bool isWriting = false;
  bool isOver = false; ///< the window has ended
  bool hasFailed = false;
};

} // namespace hinesight::app
