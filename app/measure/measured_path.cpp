#include "app/measure/measured_path.hpp"

#include "core/text.hpp"
#include "io/csv.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <ostream>

namespace hinesight::app {

QString inWords(const MeasuredPath& path)
{
  const QString straight = widgets::formatNumber(path.distance);
  if (path.length)
    return QCoreApplication::translate("MeasuredPath", "path %1 µm, straight distance %2 µm")
        .arg(widgets::formatNumber(*path.length), straight);
  if (path.from.cell == path.to.cell)
    return QCoreApplication::translate("MeasuredPath", "straight distance %1 µm; of different trees").arg(straight);
  // The picture may have them elsewhere, side by side.
  return QCoreApplication::translate("MeasuredPath", "straight distance %1 µm, where the files have the two cells")
      .arg(straight);
}

QString cellOf(std::span<const MeasuredPath> paths)
{
  if (paths.empty())
    return {};
  const QString& cell = paths.front().from.cell;
  const bool isAlone = std::ranges::all_of(
      paths, [&](const MeasuredPath& path) { return path.from.cell == cell && path.to.cell == cell; });
  return isAlone ? cell : QString();
}

void writePaths(std::span<const MeasuredPath> paths, std::ostream& stream)
{
  stream << "from cell,from sample,to cell,to sample,path um,straight distance um\n";
  for (const MeasuredPath& path : paths)
    stream << io::quoteCsv(path.from.cell.toStdString()) << ',' << path.from.id << ','
           << io::quoteCsv(path.to.cell.toStdString()) << ',' << path.to.id << ','
           << (path.length ? textOf(*path.length) : std::string()) << ',' << textOf(path.distance) << '\n';
}

} // namespace hinesight::app
