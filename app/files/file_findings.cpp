#include "app/files/file_findings.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

namespace hinesight::app {

namespace {

const QString kIndent = QStringLiteral("    ");

/// Takes "path:12: " away from the beginning. The line; 0: none is there.
std::int64_t takePlace(QString& text, const QString& path)
{
  const QString before = path + QLatin1Char(':');
  if (path.isEmpty() || !text.startsWith(before))
    return 0;
  text.remove(0, before.size());
  bool isLine = false;
  const qsizetype end = text.indexOf(QLatin1Char(':'));
  const qlonglong line = text.left(end).toLongLong(&isLine);
  text = text.mid(isLine ? end + 1 : 0).trimmed();
  return isLine ? line : 0;
}

} // namespace

std::vector<FileFinding> findingsOf(const Error& error)
{
  const QString path = QString::fromStdString(error.file());
  std::vector<FileFinding> findings;
  for (QString text : QString::fromStdString(error.message()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const std::int64_t said = takePlace(text, path);
    if (!path.isEmpty())
      text.replace(path, QFileInfo(path).fileName());
    findings.push_back({findings.empty() && said == 0 ? error.line() : said, text});
  }
  return findings;
}

QString findingsUnder(const QString& name, const std::vector<FileFinding>& findings)
{
  if (findings.size() == 1) {
    const FileFinding& only = findings.front();
    const QString place =
        only.line > 0 ? QCoreApplication::translate("FileFindings", "%1, line %2").arg(name).arg(only.line) : name;
    return QStringLiteral("%1: %2").arg(place, only.text);
  }
  QStringList lines{name + QLatin1Char(':')};
  for (const FileFinding& finding : findings)
    lines << kIndent +
                 (finding.line > 0
                      ? QCoreApplication::translate("FileFindings", "line %1: %2").arg(finding.line).arg(finding.text)
                      : finding.text);
  return lines.join(QLatin1Char('\n'));
}

QString whatIsWrong(const Error& error)
{
  const std::vector<FileFinding> findings = findingsOf(error);
  return findings.size() > 1 && !error.file().empty() ? findingsUnder(QString::fromStdString(error.file()), findings)
                                                      : QString::fromUtf8(error.what());
}

} // namespace hinesight::app
