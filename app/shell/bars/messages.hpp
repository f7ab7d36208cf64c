#pragma once

#include "app/jobs/jobs.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <map>
#include <string_view>

namespace hinesight::app {

class MessageBanner;
class StatusPanel;

/// What the window tells a person: what is wrong in the banner, until it is put right, and all else in the status bar.
class Messages : public QObject
{
  Q_OBJECT

public:
  /// Says why a job failed, until one of its kind does not.
  Messages(MessageBanner* banner, StatusPanel* status, Jobs* jobs, QObject* parent);

  void showResult(const QString& sentence);
  void showNotice(const QString& sentence);
  /// Where it is shown: it is true no more.
  void withdrawNotice(const QString& sentence);
  void tellExported(const QString& path); ///< by a job or a page
  void tellSaved(const QString& path);    ///< a session or a cell, to work on
  void warn(const QString& sentence);
  void showError(const QString& sentence);
  /// What is wrong with files that are being opened; none: nothing is. Should a session or circuit be among them, these
  /// errors are not of what it takes the place of.
  void showOpeningErrors(const QStringList& sentences);
  /// What was open is not there any more: its errors and warnings end.
  void endDocument();
  /// A warning that is true of what is open.
  void warnOfDocument(const QString& sentence);
  /// More went than a person removed: true until that is undone.
  void warnUntilUndone(const QString& sentence);
  void takeUndo();
  /// A run is not refused or failed any more, for which this was the reason.
  void withdrawFailure(const QString& sentence);

private:
  void takeFailure(const JobKind& kind, const Error& error);
  void takeSuccess(const JobKind& kind);

  MessageBanner* banner;
  StatusPanel* status;
  std::map<std::string_view, QString> failures; ///< by JobKind::name: what its last job said that failed
  QString untilUndone;                          ///< empty: nothing
  QStringList ofDocument;                       ///< errors and warnings of what is open
  QStringList ofOpening;                        ///< errors of the files that are being opened
};

} // namespace hinesight::app
