#include "app/measure/measured_path.hpp"

#include "core/text.hpp"
#include "io/csv.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace hinesight::app {

std::optional<morphology::PathBetween> wayBetween(const PathEnd& from, const PathEnd& to)
{
  return from.cell == to.cell ? morphology::pathBetween(*from.of, from.sample, to.sample) : std::nullopt;
}

MeasuredPath measurePath(const PathEnd& from, const PathEnd& to, const std::optional<morphology::PathBetween>& way)
{
  const auto endOf = [](const PathEnd& end) {
    return MeasuredPath::End{end.cell, end.of->id[static_cast<std::size_t>(end.sample)]};
  };
  const auto placeOf = [](const PathEnd& end) {
    const auto k = static_cast<std::size_t>(end.sample);
    return std::array{end.of->x[k], end.of->y[k], end.of->z[k]};
  };
  const auto a = placeOf(from);
  const auto b = placeOf(to);
  MeasuredPath path{endOf(from), endOf(to), {}, std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2])};
  if (way)
    path.length = way->length;
  return path;
}

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
