#include "app/openable_files.hpp"

#pragma push_macro("slots") // Qt's keyword macro would hide the members of that name
#undef slots
#include "io/projection_export.hpp"
#pragma pop_macro("slots")

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace hinesight::app {

namespace {

bool isTable(const QString& path)
{
  const QStringList extensions = tableExtensions();
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const QString& extension) { return path.endsWith(extension, Qt::CaseInsensitive); });
}

} // namespace

OpenableFiles sortByKind(const QStringList& paths)
{
  OpenableFiles files;
  for (const QString& path : paths) {
    const QString absolute = isResource(path) ? path : QFileInfo(path).absoluteFilePath();
    (isTable(path) && !isResource(path) ? files.tables : files.cells) << absolute;
  }
  return files;
}

QStringList tableExtensions()
{
  return QString::fromStdString(io::tableExtensions()).split(QStringLiteral(", "));
}

QStringList openableFilters()
{
  const QString tables = QLatin1Char('*') + tableExtensions().join(QStringLiteral(" *"));
  return {QCoreApplication::translate("OpenableFiles", "Neurons and weight tables (*.swc *.SWC %1)").arg(tables),
          QCoreApplication::translate("OpenableFiles", "SWC morphologies (*.swc *.SWC)"),
          QCoreApplication::translate("OpenableFiles", "Weight tables (%1)").arg(tables),
          QCoreApplication::translate("OpenableFiles", "All files (*)")};
}

QStringList samplePaths()
{
  const QDir folder(QStringLiteral(":/samples"));
  QStringList paths;
  for (const QString& name : folder.entryList({QStringLiteral("*.swc")}, QDir::Files, QDir::Name))
    paths << folder.filePath(name);
  return paths;
}

bool isResource(const QString& path)
{
  return path.startsWith(QLatin1String(":/"));
}

} // namespace hinesight::app
