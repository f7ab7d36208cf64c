#pragma once

#include "morphology/morphometry.hpp"

#include <QString>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>

namespace hinesight::app {

/// The way between two points that a person picked, as samples of cells.
struct MeasuredPath
{
  struct End
  {
    QString cell;        ///< its name
    std::int64_t id = 0; ///< of the sample, as the file has it
  };
  End from, to;
  std::optional<double> length; ///< µm along the branches; none between different trees
  double distance = 0;          ///< µm, straight, where the files have them
};

/// A sample of a cell that is open, by its place in it.
struct PathEnd
{
  QString cell; ///< its name
  const morphology::Morphology* of;
  std::int32_t sample;
};

/// Along the branches; nullopt between different cells and different trees.
std::optional<morphology::PathBetween> wayBetween(const PathEnd& from, const PathEnd& to);
/// `way`: as wayBetween has it.
MeasuredPath measurePath(const PathEnd& from, const PathEnd& to, const std::optional<morphology::PathBetween>& way);

/// "path 412 µm, straight distance 301 µm".
QString inWords(const MeasuredPath& path);
/// The name of the cell that all paths are in; empty: there is none, or there are several.
QString cellOf(std::span<const MeasuredPath> paths);
/// As CSV, a line a path.
void writePaths(std::span<const MeasuredPath> paths, std::ostream& stream);

} // namespace hinesight::app
