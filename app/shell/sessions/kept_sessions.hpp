#pragma once

#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"

#include <QObject>
#include <QString>

#include <memory>

class QMenu;

namespace hinesight::app {

class Autosave;
class QuestionBar;
struct LeftSession;
struct SeenSession;

/// What windows had open: this one keeps its own while it lives, asks about what a window left that never ended, and
/// offers what the closed ones had.
class KeptSessions : public QObject
{
  Q_OBJECT

public:
  /// `recovery` asks. Nothing is kept until it begins.
  KeptSessions(QuestionBar* recovery, QWidget* parent);
  ~KeptSessions() override;

  /// In this folder. `standard`: what a window has open in which nothing was done.
  void begin(const QString& folder, const model::Project& standard);
  bool hasBegun() const { return autosave != nullptr; }
  /// For the case that the program is killed.
  void keep(const model::Project& project, const SeenSession& seen, const io::SharedRuns& runs);
  /// Whether anything was.
  bool hasKept() const;
  // Of this window, as Autosave has them; only once it has begun.
  QString networkFile() const;
  QString takenNetworkFile() const;
  QString takeNetwork(const QString& session) const;
  /// Of the window that was closed last; empty: none was.
  QString last() const;
  /// To choose what a window had open that was closed before that one.
  QMenu* earlierSessions() const { return earlier; }
  /// The window is closed.
  void end();

signals:
  /// `network`: the checkpoint of one that grew; empty: none did.
  void restored(const hinesight::model::Project& project, const hinesight::model::SessionView& view,
                const hinesight::io::SharedRuns& runs, const QString& network);
  void chosen(const QString& closed);
  /// What `last` says is another one.
  void lastChanged();
  /// Once, where nothing can be kept.
  void failed(const QString& sentence);

private:
  void offerLeft();
  void listEarlier();

  QuestionBar* recovery;
  QMenu* earlier;
  Autosave* autosave = nullptr; ///< null: what is open is not kept
  model::Project standard;
  std::unique_ptr<LeftSession> left; ///< that `recovery` asks about
};

} // namespace hinesight::app
