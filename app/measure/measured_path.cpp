#include "app/measure/measured_path.hpp"

#include "core/text.hpp"
#include "io/csv.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>

#include <ostream>

namespace hinesight::app {

QString inWords(const MeasuredPath& path)
{
  const QString straight = widgets::formatNumber(path.distance);
  if (path.length)
    return QCoreApplication::translate("MeasuredPath", "path %1 µm, straight %2 µm")
        .arg(widgets::formatNumber(*path.length), straight);
  if (path.from.cell == path.to.cell)
    return QCoreApplication::translate("MeasuredPath", "straight %1 µm; of different trees").arg(straight);
  // The picture may have them elsewhere, side by side.
  return QCoreApplication::translate("MeasuredPath", "straight %1 µm, where the files have the two cells")
      .arg(straight);
}

void writePaths(std::span<const MeasuredPath> paths, std::ostream& stream)
{
  stream << "from cell,from sample,to cell,to sample,path um,distance um\n";
  for (const MeasuredPath& path : paths)
    stream << io::quoteCsv(path.from.cell.toStdString()) << ',' << path.from.id << ','
           << io::quoteCsv(path.to.cell.toStdString()) << ',' << path.to.id << ','
           << (path.length ? textOf(*path.length) : std::string()) << ',' << textOf(path.distance) << '\n';
}

} // namespace hinesight::app
