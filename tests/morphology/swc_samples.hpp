#pragma once

#include "core/error.hpp"
#include "morphology/swc.hpp"

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QString>

#include <functional>
#include <optional>
#include <string>

/// What the tests of the morphology folder share.
namespace swc_samples {

/// The rows of a table of tab-separated values below its header; empty if there is no such file.
inline QList<QByteArrayList> readTable(const QString& path)
{
  QList<QByteArrayList> rows;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return rows;
  file.readLine();
  while (!file.atEnd()) {
    QByteArray line = file.readLine();
    while (line.endsWith('\n') || line.endsWith('\r'))
      line.chop(1);
    if (!line.isEmpty())
      rows.append(line.split('\t'));
  }
  return rows;
}

/// The hinesight::Error that `work` throws, if any.
inline std::optional<hinesight::Error> errorOf(const std::function<void()>& work)
{
  try {
    work();
  } catch (const hinesight::Error& error) {
    return error;
  }
  return std::nullopt;
}

inline std::shared_ptr<const hinesight::morphology::Morphology> parse(const std::string& text, bool strict = false)
{
  hinesight::morphology::SwcOptions options;
  options.strict = strict;
  return hinesight::morphology::parseSwc(text, "test.swc", options);
}

inline std::optional<hinesight::Error> parseError(const std::string& text, bool strict = false)
{
  return errorOf([&] { parse(text, strict); });
}

/// All warnings in one string, "line: message" each, for failure messages.
inline QByteArray describeWarnings(const hinesight::morphology::Morphology& morphology)
{
  QByteArray text;
  for (const auto& warning : morphology.warnings)
    text += QByteArray::number(static_cast<qlonglong>(warning.line)) + ": " + warning.message.c_str() + "\n";
  return text;
}

inline bool hasWarning(const hinesight::morphology::Morphology& morphology, std::int64_t line, const std::string& words)
{
  for (const auto& warning : morphology.warnings) {
    if (warning.line == line && warning.message.find(words) != std::string::npos)
      return true;
  }
  return false;
}

} // namespace swc_samples
