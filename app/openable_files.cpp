#include "app/openable_files.hpp"

#pragma push_macro("slots") // Qt's keyword macro would hide the members of that name
#undef slots
#include "io/projection_export.hpp"
#pragma pop_macro("slots")

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <string_view>

namespace hinesight::app {

namespace {

bool isTable(const QString& path)
{
  const QStringList extensions = tableExtensions();
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const QString& extension) { return path.endsWith(extension, Qt::CaseInsensitive); });
}

/// Of a file that tells what it is at its beginning, text or HDF5 (whose attributes' names stand in clear text).
enum class Content
{
  Network,
  Neurons,
  Other
};

constexpr qint64 kHead = 1 << 16;        ///< bytes of text that are looked at
constexpr qint64 kHdf5Head = 64LL << 20; ///< of HDF5, which has the names of the synapses behind the neurons' numbers

/// Whether a name stands in the HDF5 file; no parser sees a file that may be damaged on this thread.
bool holdsName(QFile& file, std::string_view name)
{
  const qint64 size = std::min(file.size(), kHdf5Head);
  const uchar* bytes = size > 0 ? file.map(0, size) : nullptr;
  if (!bytes)
    return false;
  return std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)).find(name) !=
         std::string_view::npos;
}

/// "target_rank target_id source_rank source_id weight plastic" is a synapse of RELeARN, "id x y z area ex" a neuron.
Content relearnContent(const QByteArray& line)
{
  const QList<QByteArray> words = line.simplified().split(' ');
  if (words.size() != 6)
    return Content::Other;
  if (words.back() == "ex" || words.back() == "in")
    return Content::Neurons;
  const bool areWhole = std::all_of(words.begin(), words.end(), [](const QByteArray& word) {
    bool isWhole = false;
    word.toLongLong(&isWhole);
    return isWhole;
  });
  return areWhole ? Content::Network : Content::Other;
}

Content contentOf(const QString& path)
{
  if (QFileInfo(path).isDir())
    return Content::Network;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return Content::Other;
  if (path.endsWith(QLatin1String(".h5"), Qt::CaseInsensitive))
    return holdsName(file, "hinesight:step") ? Content::Network : Content::Other;
  const bool isCsv = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
  if (!isCsv && !path.endsWith(QLatin1String(".txt"), Qt::CaseInsensitive))
    return Content::Other;
  while (!file.atEnd() && file.pos() < kHead) {
    const QByteArray line = file.readLine(kHead).trimmed();
    if (line.isEmpty() || line.startsWith('#'))
      continue;
    if (!isCsv)
      return relearnContent(line);
    return line == "source,target,weight,plastic" ? Content::Network
           : line == "x,y,z,type,area"            ? Content::Neurons
                                                  : Content::Other;
  }
  return Content::Other;
}

QStringList& placeOf(OpenableFiles& files, const QString& path)
{
  if (isResource(path))
    return files.cells;
  switch (contentOf(path)) {
  case Content::Network:
    return files.networks;
  case Content::Neurons:
    return files.neurons;
  case Content::Other:
    break;
  }
  return isTable(path) ? files.tables : files.cells;
}

} // namespace

OpenableFiles sortByKind(const QStringList& paths)
{
  OpenableFiles files;
  for (const QString& path : paths) {
    const QString absolute = isResource(path) ? path : QFileInfo(path).absoluteFilePath();
    placeOf(files, absolute) << absolute;
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
  return {QCoreApplication::translate("OpenableFiles", "Neurons, networks and weight tables (*.swc *.SWC *.txt %1)")
              .arg(tables),
          QCoreApplication::translate("OpenableFiles", "SWC morphologies (*.swc *.SWC)"),
          QCoreApplication::translate("OpenableFiles", "Weight tables (%1)").arg(tables),
          QCoreApplication::translate("OpenableFiles", "Networks of synapses (*.h5 *.csv *.txt)"),
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
