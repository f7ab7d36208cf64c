#include "app/cli/cells/batch_options.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/morphometry.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"
#include "study/cells/cell_measures.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

using morphology::TypeMeasures;

std::vector<study::BranchQuantity> allQuantities()
{
  std::vector<study::BranchQuantity> all;
  for (std::size_t place = 0; place < std::size(study::kBranchQuantities); ++place)
    all.push_back(static_cast<study::BranchQuantity>(place));
  return all;
}

std::string_view quantityName(study::BranchQuantity quantity)
{
  return choiceName(quantity);
}

struct MeasureOptions
{
  std::vector<std::string> files;
  study::FileParameters fileParameters;
  double shollStep = 0;             ///< µm; 0: none
  std::vector<std::int64_t> path;   ///< ids of two samples; empty: none
  study::BranchQuantity quantity{}; ///< of the histogram
  std::string branchFile, typeFile, shollFile, histogramFile;
};

struct MeasuredCell : study::CellMeasures
{
  std::optional<morphology::PathBetween> path;
};

std::int32_t sampleOf(const morphology::Morphology& morphology, std::int64_t id, const std::string& file)
{
  const auto found = std::ranges::find(morphology.id, id);
  if (found == morphology.id.end())
    throw Error(ErrorCode::BadParameter, "has no sample " + std::to_string(id), file);
  return static_cast<std::int32_t>(found - morphology.id.begin());
}

MeasuredCell measure(const study::CellSource& source, const MeasureOptions& options, const RunControl& control)
{
  const auto read = morphology::inMicrometres(morphology::readSwc(source.path, {}, control), source.scale, control);
  const morphology::Morphology& m = *read;
  MeasuredCell cell{study::measureCell(source.path, m, options.shollStep, control), {}};
  if (!options.path.empty()) {
    cell.path = morphology::pathBetween(m, sampleOf(m, options.path[0], source.path),
                                        sampleOf(m, options.path[1], source.path));
    if (!cell.path)
      throw Error(ErrorCode::BadParameter,
                  "has no path between the samples " + std::to_string(options.path[0]) + " and " +
                      std::to_string(options.path[1]) + ": they are of different trees",
                  source.path);
  }
  return cell;
}

Json toJson(const MeasuredCell& cell)
{
  Json types = Json::array();
  for (const TypeMeasures& t : cell.types)
    types.push_back({{"type", t.type},
                     {"name", morphology::typeName(t.type)},
                     {"branches", t.branches},
                     {"tips", t.tips},
                     {"bifurcations", t.bifurcations},
                     {"maxOrder", t.maxOrder},
                     {"length", jsonNumber(t.length)},
                     {"area", jsonNumber(t.area)},
                     {"volume", jsonNumber(t.volume)},
                     {"maxPath", jsonNumber(t.maxPath)}});
  Json json = {{"file", cell.file}, {"branches", cell.branches.size()}, {"types", std::move(types)}};
  if (cell.sholl.step > 0)
    json["sholl"] = {{"step", jsonNumber(cell.sholl.step)}, {"intersections", cell.sholl.intersections}};
  if (cell.path)
    json["path"] = {{"length", jsonNumber(cell.path->length)},
                    {"distance", jsonNumber(cell.path->distance)},
                    {"samples", cell.path->samples.size()}};
  return json;
}

void printText(std::ostream& stream, const std::vector<MeasuredCell>& cells)
{
  constexpr int kDigits = 5;
  Table types;
  types.add({"file", "type", "branches", "tips", "bifurcations", "max order", "length/um", "area/um2", "volume/um3",
             "max path/um"});
  for (const MeasuredCell& cell : cells)
    for (const TypeMeasures& t : cell.types)
      types.add({cell.file, morphology::typeName(t.type), formatCount(t.branches), formatCount(t.tips),
                 formatCount(t.bifurcations), formatCount(t.maxOrder), formatNumber(t.length, kDigits),
                 formatNumber(t.area, kDigits), formatNumber(t.volume, kDigits), formatNumber(t.maxPath, kDigits)});
  types.print(stream);
  for (const MeasuredCell& cell : cells) {
    if (cell.path)
      stream << '\n'
             << cell.file << ": " << formatNumber(cell.path->length, kDigits) << " um along the tree, "
             << formatNumber(cell.path->distance, kDigits) << " um straight, "
             << formatCount(static_cast<std::int64_t>(cell.path->samples.size())) << " samples\n";
    if (cell.sholl.step > 0) {
      const auto most = std::ranges::max_element(cell.sholl.intersections);
      stream << '\n' << cell.file << ": ";
      if (most == cell.sholl.intersections.end())
        stream << "no segment reaches a sphere\n";
      else
        stream << cell.sholl.intersections.size() << " spheres, most intersections " << *most << " at "
               << formatNumber(cell.sholl.radius(static_cast<std::size_t>(most - cell.sholl.intersections.begin())),
                               kDigits)
               << " um\n";
    }
  }
}

void write(const std::string& file, const std::vector<MeasuredCell>& cells,
           const std::function<void(std::span<const study::CellMeasures>, std::ostream&)>& table)
{
  const std::vector<study::CellMeasures> measures(cells.begin(), cells.end());
  if (!file.empty())
    writeFileAtomically(file, [&](std::ostream& stream) { table(measures, stream); });
}

int runMeasure(const MeasureOptions& options, Session& session)
{
  if (!options.path.empty() && options.path.size() != 2)
    throw UsageError("--path", "takes the ids of two samples, such as 12,345");
  if (!options.shollFile.empty() && !(options.shollStep > 0))
    throw UsageError("--sholl-out", "has no effect without --sholl");
  if (options.histogramFile.empty() && options.quantity != study::BranchQuantity())
    throw UsageError("--histogram-of", "has no effect without --histogram");
  validateAllFields(fieldsOf(options.fileParameters));
  for (const std::string& file : {options.branchFile, options.typeFile, options.shollFile, options.histogramFile})
    if (!file.empty())
      requireWritable(file);
  std::vector<MeasuredCell> cells;
  for (const study::CellSource& source : study::sourcesOf(options.files, options.fileParameters))
    cells.push_back(measure(source, options, session.control()));
  write(options.branchFile, cells, study::writeBranchTable);
  write(options.typeFile, cells, study::writeTypeTable);
  write(options.shollFile, cells, study::writeShollTable);
  write(options.histogramFile, cells, [&](std::span<const study::CellMeasures> measures, std::ostream& stream) {
    study::writeHistogram(measures, options.quantity, stream);
  });
  if (session.json) {
    Json json = Json::array();
    for (const MeasuredCell& cell : cells)
      json.push_back(toJson(cell));
    printJson(session.results(), json);
  } else
    printText(session.results(), cells);
  return 0;
}

} // namespace

void addMeasureCommand(Command& program, Session& session)
{
  auto options = std::make_shared<MeasureOptions>();
  Command& command = addCommand(program, session, "measure", "Measure the branches of SWC files: tables, Sholl, paths",
                                [options, &session] { return runMeasure(*options, session); });
  command.addInput("FILE", options->files, "SWC files").required();
  addFileParameters(command, options->fileParameters);
  addNumber(command, "--sholl", options->shollStep,
            "Count the intersections with spheres around the soma, so many um apart (Sholl 1953)");
  command.addOption("--path", options->path, "Measure the way along the tree between two samples, by their ids")
      .splitsAtCommas()
      .typeName("ID,ID")
      .takes(2);
  command.addOutput("--branches", options->branchFile, "Write a line a branch to a CSV file");
  command.addOutput("--types", options->typeFile, "Write a line a type to a CSV file");
  command.addOutput("--sholl-out", options->shollFile, "Write a line a sphere to a CSV file");
  addChoice(command, "--histogram-of", options->quantity, allQuantities(), quantityName,
            "What the histogram counts branches by: lengths in um, angles in degrees");
  command.addOutput("--histogram", options->histogramFile,
                    "Write a line a class of branches to a CSV file, as many classes as the page Measure has");
}

} // namespace hinesight::cli
