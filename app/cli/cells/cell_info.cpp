#include "app/cli/cells/cell_info.hpp"

#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

Json toJson(const CellInfo& cell)
{
  const morphology::MorphologyMetrics& m = cell.metrics;
  Json warnings = Json::array();
  for (const morphology::Warning& warning : cell.warnings) {
    warnings.push_back({{"line", warning.line}, {"message", warning.message}});
    if (warning.suggestedScale > 0)
      warnings.back()["suggestedScale"] = warning.suggestedScale;
  }
  return {{"file", cell.file},
          {"scale", cell.scale},
          {"samples", m.samples},
          {"branches", m.branches},
          {"bifurcations", m.bifurcations},
          {"tips", m.tips},
          {"maxBranchOrder", m.maxBranchOrder},
          {"roots", m.roots},
          {"somaSamples", m.somaSamples},
          {"totalLength", jsonNumber(m.totalLength)},
          {"maxPathDistance", jsonNumber(m.maxPathDistance)},
          {"warnings", std::move(warnings)}};
}

Json toJson(const std::vector<CellInfo>& cells)
{
  Json array = Json::array();
  for (const CellInfo& cell : cells)
    array.push_back(toJson(cell));
  return array;
}

/// One row a file, then the warnings.
void printText(std::ostream& stream, const std::vector<CellInfo>& cells)
{
  constexpr int kLengthDigits = 7;
  Table table;
  table.add({"file", "samples", "branches", "bifurcations", "tips", "max order", "roots", "soma samples",
             "total length/um", "max path/um"});
  const auto count = [](auto value) { return formatCount(static_cast<std::int64_t>(value)); };
  for (const CellInfo& cell : cells) {
    const morphology::MorphologyMetrics& m = cell.metrics;
    table.add({cell.file, count(m.samples), count(m.branches), count(m.bifurcations), count(m.tips),
               count(m.maxBranchOrder), count(m.roots), count(m.somaSamples),
               formatNumber(m.totalLength, kLengthDigits), formatNumber(m.maxPathDistance, kLengthDigits)});
  }
  if (!cells.empty())
    table.print(stream);
  for (const CellInfo& cell : cells)
    for (const morphology::Warning& warning : cell.warnings)
      stream << describeWarning(cell.file, warning) << '\n';
}

} // namespace

CellInfo describeCell(const std::string& file, const morphology::Morphology& morphology)
{
  return {file, morphology.unitScale, morphology::measure(morphology, morphology::findBranches(morphology)),
          morphology.warnings};
}

void printCells(std::ostream& stream, const std::vector<CellInfo>& cells, bool json)
{
  if (json)
    printJson(stream, toJson(cells));
  else
    printText(stream, cells);
}

} // namespace hinesight::cli
