#include "app/shell/bars/messages.hpp"

#include "app/files/file_findings.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/status_panel.hpp"

#include <QDir>

#include <utility>

namespace hinesight::app {

namespace {

/// Below a message that has more.
QString failedRun()
{
  return Messages::tr("The run failed; the message above says why.");
}

} // namespace

Messages::Messages(MessageBanner* ofWindow, StatusPanel* statusOfWindow, Jobs* jobs, QObject* parent)
    : QObject(parent), banner(ofWindow), status(statusOfWindow)
{
  connect(jobs, &Jobs::failed, this, &Messages::takeFailure);
  connect(jobs, &Jobs::delivered, this, &Messages::takeSuccess);
}

void Messages::takeFailure(const JobKind& kind, const Error& error)
{
  const QString sentence = whatIsWrong(error);
  if (error.file().empty())
    banner->withdraw(std::exchange(failures[kind.name], sentence)); // this one stands in its place
  showResult(failedRun());
  showError(sentence);
}

/// What failed before of that kind has been put right.
void Messages::takeSuccess(const JobKind& kind)
{
  if (const auto failed = failures.extract(kind.name))
    withdrawFailure(failed.mapped());
}

void Messages::withdrawFailure(const QString& sentence)
{
  banner->withdraw(sentence);
  status->withdrawResult(failedRun());
}

void Messages::showResult(const QString& sentence)
{
  status->showResult(sentence);
}

void Messages::showNotice(const QString& sentence)
{
  status->showNotice(sentence);
}

void Messages::withdrawNotice(const QString& sentence)
{
  status->withdrawNotice(sentence);
}

void Messages::tellExported(const QString& path)
{
  showNotice(tr("Exported to %1.").arg(QDir::toNativeSeparators(path)));
}

void Messages::tellSaved(const QString& path)
{
  showNotice(tr("Saved to %1.").arg(QDir::toNativeSeparators(path)));
}

void Messages::warn(const QString& sentence)
{
  banner->show(MessageBanner::Severity::Warning, sentence);
}

void Messages::showError(const QString& sentence)
{
  ofDocument << sentence;
  banner->show(MessageBanner::Severity::Error, sentence);
}

void Messages::showOpeningErrors(const QStringList& sentences)
{
  ofDocument << std::exchange(ofOpening, sentences);
  for (const QString& sentence : sentences)
    banner->show(MessageBanner::Severity::Error, sentence);
}

void Messages::endDocument()
{
  failures.clear();
  untilUndone.clear();
  for (const QString& sentence : std::exchange(ofDocument, std::exchange(ofOpening, {})))
    if (!ofDocument.contains(sentence))
      withdrawFailure(sentence);
}

void Messages::warnOfDocument(const QString& sentence)
{
  ofDocument << sentence;
  warn(sentence);
}

void Messages::warnUntilUndone(const QString& sentence)
{
  untilUndone = sentence;
  warnOfDocument(sentence);
}

void Messages::takeUndo()
{
  banner->withdraw(std::exchange(untilUndone, {}));
}

} // namespace hinesight::app
