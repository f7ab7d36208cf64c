#include "app/files/openable_files.hpp"

#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/relearn_files.hpp"
#include "io/tables/projection_export.hpp"
#include "model/session_file.hpp"
#include "morphology/samples.hpp"
#include "morphology/swc_folder.hpp"
#include "study/formation/formation_study.hpp"
#include "study/simulation/simulation_model.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <string_view>

namespace hinesight::app {

namespace {

const QLatin1String kCircuitEnding(".json");  ///< of SONATA configurations
const QLatin1String kCableCellEnding(".acc"); ///< of Arbor's components

QString text(std::string_view bytes)
{
  return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

QStringList networkExtensions()
{
  QStringList extensions;
  for (const io::NetworkFormat& format : io::networkFormats())
    extensions << text(format.ending);
  return extensions;
}

/// "*.csv *.h5".
QString patternsOf(const QStringList& extensions)
{
  return QLatin1Char('*') + extensions.join(QStringLiteral(" *"));
}

bool isTable(const QString& path)
{
  const QStringList extensions = tableExtensions();
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const QString& extension) { return path.endsWith(extension, Qt::CaseInsensitive); });
}

/// A fit of a cell or a simulation of a circuit, also one that comes with the program.
bool isModel(const QString& path)
{
  if (isResource(path))
    return std::ranges::any_of(study::sampleModels(), [&](const study::SampleModel& sample) {
      return path == QString::fromStdString(sample.path);
    });
  return (path.endsWith(kCircuitEnding, Qt::CaseInsensitive) || path.endsWith(kCableCellEnding, Qt::CaseInsensitive)) &&
         study::modelFileKind(path.toStdString()) != study::ModelFileKind::None;
}

/// Also one that was saved under the name of another JSON file.
bool isSession(const QString& path)
{
  if (path.endsWith(text(model::kSessionEnding), Qt::CaseInsensitive))
    return true;
  try {
    return !isResource(path) && path.endsWith(kCircuitEnding, Qt::CaseInsensitive) &&
           model::isSession(path.toStdString());
  } catch (const Error&) {
    return false; // who reads it as a circuit says why it cannot be read
  }
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

void placeFolder(const QString& path, OpenableFiles& files, const RunControl& control)
{
  if (io::holdsRelearnFiles(path.toStdString())) {
    files.networks << networkAt(path);
    return;
  }
  const QDir folder(path);
  morphology::SwcFolder cells;
  if (folder.isReadable())
    cells = morphology::findSwcFiles(path.toStdString(), control);
  for (const std::filesystem::path& cell : cells.files)
    files.cells << QString::fromStdString(cell.string());
  std::ranges::move(cells.problems, std::back_inserter(files.problems));
  if (!cells.files.empty())
    return;
  const QString entries = describeEntries(folder);
  const QString found = !folder.isReadable() ? QStringLiteral("cannot be looked into; open files of another folder")
                        : entries.isEmpty()
                            ? QStringLiteral("is an empty folder; open one with SWC files")
                            : QStringLiteral("holds %1, but no SWC file at any depth and no network of RELeARN "
                                             "(rank_0_in_network.txt); open files by their names")
                                  .arg(entries);
  files.problems.emplace_back(ErrorCode::FileUnreadable, found.toStdString(), path.toStdString());
}

void place(const QString& path, OpenableFiles& files, const RunControl& control)
{
  if (!isResource(path) && QFileInfo(path).isDir())
    return placeFolder(path, files, control);
  if (isSession(path)) {
    files.sessions << path;
    return;
  }
  if (isModel(path)) {
    files.models << path;
    return;
  }
  if (path.endsWith(kCircuitEnding, Qt::CaseInsensitive) && !isResource(path)) {
    files.circuits << path;
    return;
  }
  using enum io::NetworkContent;
  switch (isResource(path) ? Other : io::networkContent(path.toStdString())) {
  case Network:
    files.networks << networkAt(path);
    break;
  case NetworkOrTable:
    files.either << networkAt(path);
    break;
  case Neurons:
    files.neurons << path;
    break;
  case Other:
    (isTable(path) && !isResource(path) ? files.tables : files.cells) << path;
    break;
  }
}

} // namespace

OpenableFiles sortByKind(const QStringList& paths, const RunControl& control)
{
  OpenableFiles files;
  for (const QString& path : paths) {
    const QString absolute = isResource(path) ? path : QFileInfo(path).absoluteFilePath();
    place(absolute, files, control);
  }
  return files;
}

QStringList tableExtensions()
{
  return QString::fromStdString(io::tableExtensions()).split(QStringLiteral(", "));
}

QString filterOf(const io::NetworkFormat& format)
{
  return QStringLiteral("%1 (*%2)").arg(text(format.name), text(format.ending));
}

QString networkPatterns()
{
  return patternsOf(networkExtensions());
}

QStringList openableFilters()
{
  const QString tables = patternsOf(tableExtensions());
  QStringList all = networkExtensions() + tableExtensions();
  all << text(model::kSessionEnding) << kCircuitEnding << kCableCellEnding;
  all.removeDuplicates();
  return {QCoreApplication::translate("OpenableFiles", "Neurons, networks, tables, models, sessions (*.swc *.SWC %1)")
              .arg(patternsOf(all)),
          QCoreApplication::translate("OpenableFiles", "SWC morphologies (*.swc *.SWC)"),
          QCoreApplication::translate("OpenableFiles", "Weight tables (%1)").arg(tables),
          QCoreApplication::translate("OpenableFiles", "Networks of synapses (%1)").arg(networkPatterns()),
          QCoreApplication::translate("OpenableFiles", "Sessions (*%1)").arg(text(model::kSessionEnding)),
          QCoreApplication::translate("OpenableFiles", "SONATA circuits and simulations, models of cells (%1)")
              .arg(patternsOf({kCircuitEnding, kCableCellEnding})),
          QCoreApplication::translate("OpenableFiles", "All files (*)")};
}

QStringList samplePaths()
{
  QStringList paths;
  for (const std::string& path : morphology::samplePaths())
    paths << QString::fromStdString(path);
  return paths;
}

bool isResource(const QString& path)
{
  return model::isSample(path.toStdString());
}

} // namespace hinesight::app
