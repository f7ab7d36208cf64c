#include "app/files/openable_files.hpp"

#include "app/synapses/formation_outcome.hpp"
#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/relearn_files.hpp"

#include "io/tables/projection_export.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
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

/// Of a file that tells what it is: text at its beginning, HDF5 by what it has.
enum class Content
{
  Network,
  Neurons,
  Either, ///< a network or a table of weights
  Other
};

constexpr qint64 kHead = 1 << 16; ///< bytes of text that are looked at

Content hdf5Content(const QString& path)
{
  try {
    const io::SonataContent content = io::sonataContent(path.toStdString());
    if (content.canBeNetwork)
      return content.canBeTable ? Content::Either : Content::Network;
    return content.hasNeurons && !content.canBeTable ? Content::Neurons : Content::Other;
  } catch (const Error&) {
    return Content::Other; // it will say what is wrong when it is read
  }
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
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return Content::Other;
  if (isHdf5(path))
    return hdf5Content(path);
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

NetworkFile networkAt(const QString& path)
{
  return {path, QString::fromStdString(study::neuronsBeside(path.toStdString()))};
}

/// Such as "3 files (.csv, .png) and 2 folders".
QString describeEntries(const QDir& folder)
{
  const auto counted = [](qsizetype count, const QString& one, const QString& several) {
    return count == 1 ? QStringLiteral("1 ") + one : QStringLiteral("%1 %2").arg(count).arg(several);
  };
  const QFileInfoList files = folder.entryInfoList(QDir::Files);
  const qsizetype folders = folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
  QStringList endings;
  for (const QFileInfo& file : files)
    if (!file.suffix().isEmpty())
      endings << QLatin1Char('.') + file.suffix();
  endings.sort();
  endings.removeDuplicates();
  QStringList parts;
  if (!files.isEmpty())
    parts << counted(files.size(), QStringLiteral("file"), QStringLiteral("files")) +
                 (endings.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(endings.join(QStringLiteral(", "))));
  if (folders > 0)
    parts << counted(folders, QStringLiteral("folder"), QStringLiteral("folders"));
  return parts.join(QStringLiteral(" and "));
}

void placeFolder(const QString& path, OpenableFiles& files)
{
  if (io::holdsRelearnFiles(path.toStdString())) {
    files.networks << networkAt(path);
    return;
  }
  const QDir folder(path);
  const QStringList cells = folder.entryList({QStringLiteral("*.swc")}, QDir::Files, QDir::Name);
  for (const QString& cell : cells)
    files.cells << folder.filePath(cell);
  if (!cells.isEmpty())
    return;
  const QString entries = describeEntries(folder);
  const QString found = !folder.isReadable() ? QStringLiteral("cannot be looked into; open files of another folder")
                        : entries.isEmpty()  ? QStringLiteral("is an empty folder; open one with SWC files")
                                             : QStringLiteral("holds %1, but no SWC file and no network of RELeARN "
                                                               "(rank_0_in_network.txt); open files by their names")
                                                  .arg(entries);
  files.problems.emplace_back(ErrorCode::FileUnreadable, found.toStdString(), path.toStdString());
}

void place(const QString& path, OpenableFiles& files)
{
  if (!isResource(path) && QFileInfo(path).isDir())
    return placeFolder(path, files);
  switch (isResource(path) ? Content::Other : contentOf(path)) {
  case Content::Network:
    files.networks << networkAt(path);
    break;
  case Content::Either:
    files.either << networkAt(path);
    break;
  case Content::Neurons:
    files.neurons << path;
    break;
  case Content::Other:
    (isTable(path) && !isResource(path) ? files.tables : files.cells) << path;
    break;
  }
}

} // namespace

OpenableFiles sortByKind(const QStringList& paths)
{
  OpenableFiles files;
  for (const QString& path : paths) {
    const QString absolute = isResource(path) ? path : QFileInfo(path).absoluteFilePath();
    place(absolute, files);
  }
  return files;
}

bool isHdf5(const QString& path)
{
  return path.endsWith(QLatin1String(".h5"), Qt::CaseInsensitive);
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
