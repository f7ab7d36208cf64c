#pragma once

#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"

#include <QObject>
#include <QString>

#include <string>

class QWidget;

namespace hinesight {
class Error;
}

namespace hinesight::app {

class CellListModel;
class KeptSessions;
class MessageBanner;
class Messages;
class OpenWork;
class PlasticityController;
class RecentFiles;
class SessionController;
class WindowTabs;

/// What a person does with sessions: they are opened, saved, opened again after they were closed or lost, and copied.
class SessionCommands : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    OpenWork* work;
    const CellListModel* cells;
    KeptSessions* kept;
    PlasticityController* growth;
    WindowTabs* tabs;
    RecentFiles* recent;
    Messages* messages;
    MessageBanner* banner;
  };

  SessionCommands(const Parts& parts, QWidget* window);

  /// To its file; where it has none, it is asked for.
  void save();
  void askWhereToSave();
  /// What the window had open that was closed last.
  void reopenLast();
  /// The command that computes what the current page shows, to the clipboard.
  void copyCommand();
  /// All that is open, as the text of a session, to the clipboard.
  void copySession();

public slots:
  /// What was said of a command that could not be copied goes once it is true no more: another page is seen, or this
  /// one has a command now.
  void endRefusal();

signals:
  /// Another session is open, or it has another file, or all of it is in that.
  void fileChanged();

private:
  void takeOpened(const QString& step);
  void takeSaved();
  void takeRestored(const model::Project& project, const model::SessionView& view, const io::SharedRuns& runs,
                    const QString& network);
  void resumeGrowth(const QString& network);
  void rememberFolders() const;
  std::string command() const;
  void refuseCopy(const Error& error);

  Parts parts;
  SessionController* sessions;
  QWidget* window;
  QString whyNotCopied; ///< said of the last command; empty: it was copied, or could be by now
};

} // namespace hinesight::app
