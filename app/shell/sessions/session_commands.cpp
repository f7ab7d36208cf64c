#include "app/shell/sessions/session_commands.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/document/command_texts.hpp"
#include "app/document/document.hpp"
#include "app/document/history.hpp"
#include "app/document/session_controller.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/openable_files.hpp"
#include "app/files/recent_files.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/messages.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "app/shell/sessions/kept_sessions.hpp"
#include "app/shell/sessions/open_work.hpp"
#include "app/shell/sessions/session_keeper.hpp"
#include "app/shell/sessions/session_start.hpp"
#include "core/error.hpp"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include <optional>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

const QString kFolder = QStringLiteral("sessionFolder"); ///< of dialogs

QString refusedCopy()
{
  return SessionCommands::tr("No command was copied; the message above says why.");
}

} // namespace

SessionCommands::SessionCommands(const Parts& ofWindow, QWidget* parent)
    : QObject(parent), parts(ofWindow), sessions(parts.work->sessions()), window(parent)
{
  connect(sessions, &SessionController::opened, this, &SessionCommands::takeOpened);
  connect(sessions, &SessionController::saved, this, &SessionCommands::takeSaved);
  connect(sessions, &SessionController::openedKept, this, [this](const QString& path) {
    parts.work->steps().stack().resetClean(); // its file may lack the newest steps
    resumeGrowth(parts.kept->takeNetwork(path));
  });
  connect(sessions, &SessionController::copied, this, [this](const QString& session) {
    QGuiApplication::clipboard()->setText(session);
    parts.messages->showNotice(tr("The session is in the clipboard."));
  });
  connect(sessions, &SessionController::pageNamed, this, [this](const std::string& name) {
    if (!parts.work->start()->keepsPage())
      parts.tabs->showNamed(name);
  });
  connect(parts.kept, &KeptSessions::restored, this, &SessionCommands::takeRestored);
  connect(parts.kept, &KeptSessions::chosen, this, [this](const QString& closed) { sessions->openKept(closed); });
  connect(&parts.work->steps().stack(), &QUndoStack::cleanChanged, this, &SessionCommands::fileChanged);
  connect(&parts.work->steps(), &History::changed, this, &SessionCommands::endRefusal);
}

void SessionCommands::takeOpened(const QString& step)
{
  const bool isAsSaved = !parts.work->start()->applyChoices();
  if (parts.work->start()->isAwaited())
    parts.work->start()->finish();
  else
    parts.work->steps().take(step);
  rememberFolders();
  if (isAsSaved)
    parts.work->steps().stack().setClean();
  else
    parts.work->steps().stack().resetClean();
  emit fileChanged();
}

void SessionCommands::takeSaved()
{
  parts.work->steps().stack().setClean();
  emit fileChanged();
  parts.recent->add({sessions->path()});
  parts.work->keeper()->keepSeen(); // its file is another one
}

void SessionCommands::takeRestored(const model::Project& project, const model::SessionView& view,
                                   const io::SharedRuns& runs, const QString& network)
{
  sessions->restore(project, view, runs);
  rememberFolders();
  parts.work->steps().take(tr("Restore what was open"));
  parts.work->steps().stack().resetClean(); // its file lacks the newest steps
  emit fileChanged();
  resumeGrowth(network);
}

/// A network that was kept with what is open now.
void SessionCommands::resumeGrowth(const QString& network)
{
  const model::Project open = parts.work->document()->project();
  if (!network.isEmpty())
    parts.growth->resume(network, open.grow && open.grow->steps > 0);
}

/// Dialogs begin where the session lies that is open, or its cells.
void SessionCommands::rememberFolders() const
{
  if (const QString& session = sessions->path(); !session.isEmpty()) {
    rememberFolder(kFolder, session);
    return rememberOpened(session);
  }
  for (const OpenCell& cell : parts.cells->cells())
    if (const QString path = QString::fromStdString(cell.source.path); !isResource(path) && QFileInfo::exists(path))
      return rememberOpened(path);
}

void SessionCommands::save()
{
  if (sessions->path().isEmpty())
    askWhereToSave();
  else
    sessions->save(sessions->path());
}

void SessionCommands::askWhereToSave()
{
  const QString path = sessions->path();
  app::askWhereToSave(window,
                      {QStringLiteral("saveSessionDialog"),
                       tr("Save session"),
                       kFolder,
                       {tr("Session (*.hinesight)")},
                       path.isEmpty() ? QStringLiteral("session.hinesight") : QFileInfo(path).fileName()},
                      [this](const QString& chosen) { sessions->save(chosen); });
}

void SessionCommands::reopenLast()
{
  if (const QString last = parts.kept->last(); !last.isEmpty())
    sessions->openKept(last);
}

/// Of the current page. Throws Error with why there is none.
std::string SessionCommands::command() const
{
  const Tab& tab = parts.tabs->current();
  const std::optional<SessionWork> work = tab.work ? tab.work() : std::nullopt;
  if (work)
    return runCommand(sessions->path().toStdString(), parts.work->document()->projectToRun(), *work);
  if (!tab.command)
    throw Error(ErrorCode::BadParameter, "This page computes nothing that a command could.");
  return tab.command();
}

void SessionCommands::copyCommand()
{
  try {
    QGuiApplication::clipboard()->setText(QString::fromStdString(command()));
    endRefusal();
    parts.messages->showNotice(tr("The command of this page is in the clipboard."));
  } catch (const UnsavedSession& error) {
    refuseCopy(error);
    parts.banner->offer(
        whyNotCopied,
        {tr("Save session"), tr("Save the session to its file; without one it is asked for"), [this] { save(); }});
  } catch (const Error& error) {
    refuseCopy(error);
  }
}

void SessionCommands::refuseCopy(const Error& error)
{
  parts.banner->withdraw(std::exchange(whyNotCopied, QString::fromUtf8(error.what())));
  parts.messages->showError(whyNotCopied);
  parts.messages->showNotice(refusedCopy());
}

void SessionCommands::endRefusal()
{
  if (whyNotCopied.isEmpty())
    return;
  try {
    command();
  } catch (const Error& error) {
    if (whyNotCopied == QString::fromUtf8(error.what()))
      return;
  }
  parts.banner->withdraw(std::exchange(whyNotCopied, {}));
  parts.messages->withdrawNotice(refusedCopy());
}

void SessionCommands::copySession()
{
  sessions->copy();
}

} // namespace hinesight::app
