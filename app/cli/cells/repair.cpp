#include "morphology/repair.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

using morphology::Repair;

struct RepairOptions
{
  std::vector<std::string> files;
  std::vector<std::string> only; ///< empty: all
  morphology::RepairParameters parameters;
  std::string output; ///< a file, or a folder for several
  bool dryRun = false;
};

std::vector<Repair> wantedRepairs(const RepairOptions& options)
{
  const std::vector<Repair> all(morphology::kAllRepairs.begin(), morphology::kAllRepairs.end());
  if (options.only.empty())
    return all;
  std::vector<Repair> wanted;
  for (const std::string& name : options.only)
    wanted.push_back(parseChoice<Repair>("--only", name, all, [](Repair repair) { return choiceName(repair); }));
  return wanted;
}

/// Throws where several files would become one, or a file would be written over itself.
std::filesystem::path outputOf(const RepairOptions& options, const std::string& file)
{
  const std::filesystem::path output = options.output;
  if (isFolder(output))
    return output / std::filesystem::path(file).filename();
  if (options.files.size() > 1)
    throw UsageError("--out", "'" + options.output + "' is no folder; several files need one");
  return output;
}

void requireOutputs(const RepairOptions& options)
{
  if (options.dryRun)
    return;
  if (options.output.empty())
    throw UsageError("--out or --dry-run is required");
  std::vector<std::filesystem::path> outputs;
  for (const std::string& file : options.files) {
    const std::filesystem::path output = outputOf(options, file);
    if (nameSameFile(file, output))
      throw UsageError("--out", "'" + output.string() + "' is the file that is read; give another");
    if (std::ranges::find(outputs, output) != outputs.end())
      throw UsageError("--out", "two of the files would become " + output.string());
    requireWritable(output);
    outputs.push_back(output);
  }
}

Json toJson(const std::string& file, const morphology::RepairedCell& repaired, const std::string& output)
{
  Json changes = Json::array();
  for (const morphology::RepairChange& change : repaired.changes)
    changes.push_back(
        {{"repair", choiceName(change.repair)}, {"samples", change.samples}, {"sentence", change.sentence}});
  Json left = Json::array();
  for (const morphology::Warning& warning : repaired.morphology->warnings)
    left.push_back({{"line", warning.line}, {"message", warning.message}});
  Json json = {{"file", file}, {"changes", changes}, {"warningsLeft", left}};
  json["output"] = output.empty() ? Json(nullptr) : Json(output);
  return json;
}

void printText(std::ostream& stream, const std::string& file, const morphology::RepairedCell& repaired,
               const std::string& output)
{
  stream << file << (repaired.changes.empty() ? ": nothing to repair" : ":") << '\n';
  for (const morphology::RepairChange& change : repaired.changes)
    stream << "  " << choiceName(change.repair) << ": " << change.sentence << '\n';
  if (!output.empty())
    stream << "  written to " << output << '\n';
}

/// A file that cannot be read is told of and does not keep the others from being repaired.
int runRepair(const RepairOptions& options, Session& session)
{
  const std::vector<Repair> wanted = wantedRepairs(options);
  validateAllFields(fieldsOf(options.parameters));
  requireOutputs(options);
  Json all = Json::array();
  bool hasFailed = false;
  for (const std::string& file : options.files) {
    try {
      const morphology::RepairedCell repaired = morphology::repair(morphology::readSwc(file, {}, session.control()),
                                                                   wanted, options.parameters, session.control());
      std::string output;
      if (!options.dryRun) {
        output = outputOf(options, file).string();
        morphology::writeSwc(*repaired.morphology, std::filesystem::path(output));
      }
      if (session.json)
        all.push_back(toJson(file, repaired, output));
      else
        printText(session.results(), file, repaired, output);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      hasFailed = true;
      session.printError(error);
    }
  }
  if (session.json)
    printJson(session.results(), all);
  return hasFailed ? 1 : 0;
}

} // namespace

void addRepairCommand(Command& program, Session& session)
{
  auto options = std::make_shared<RepairOptions>();
  Command& command =
      addCommand(program, session, "repair", "Mend SWC files: unit, radii, separate parts, soma, order, place",
                 [options, &session] { return runRepair(*options, session); });
  command.addInput("FILE", options->files, "SWC files").required();
  command.addOutput("-o,--out", options->output, "The file to write, or the folder for the files");
  command.addOption("--only", options->only, "Of scale, radius, parts, soma, order, place only these").splitsAtCommas();
  command.addFlag("--dry-run", options->dryRun, "Say what would change, and write nothing");
  addFieldOptions(command, fieldsOf(options->parameters), "Repairs");
}

} // namespace hinesight::cli
