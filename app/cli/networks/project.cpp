#include "app/cli/commands.hpp"
#include "app/cli/networks/network_runs.hpp"
#include "app/cli/networks/projection_options.hpp"
#include "app/cli/options.hpp"
#include "app/cli/ranks.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "io/tables/projection_export.hpp"
#include "study/projection/projection_study.hpp"

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct ProjectOptions
{
  ProjectionOptions projection;
  projection::ComputeParameters compute;
  std::string output; ///< empty: none
  bool force = false;
};

/// A kernel that falls off connects, without a weight threshold, nearly every pair, which is rarely what was meant.
void requireCut(const projection::Projection& p, bool force)
{
  if (force || !projection::needsCut(p.parameters))
    return;
  const double pairs = static_cast<double>(p.source->count()) * static_cast<double>(p.destination->count());
  throw Error(ErrorCode::BadParameter, "Without a weight threshold the table has up to all " + formatNumber(pairs, 6) +
                                           " pairs (" + formatBytes(static_cast<std::size_t>(8 * pairs)) +
                                           "); give --cut, or --force if that is meant.");
}

/// What a person may not expect of the table.
std::vector<std::string> warningsOf(const study::WrittenTable& written, const projection::Projection& p)
{
  std::vector<std::string> warnings = written.warnings;
  if (!p.parameters.selfConnections && !projection::leavesSelfOut(p))
    warnings.push_back("--no-self leaves nothing out: \"" + p.source->name() + "\" and \"" + p.destination->name() +
                       "\" are two populations; --recurrent makes them one.");
  return warnings;
}

int runProject(const ProjectOptions& options, Session& session)
{
  const RunControl& control = session.control();
  warnOfUnusedDevices(options.compute.backend, options.compute.devices, session);
  requireDevice(options.compute.backend);
  if (!options.output.empty()) {
    io::requireTableExtension(options.output);
    requireWritable(options.output); // before minutes are spent on the table
  }
  study::ProjectionStudy study;
  const projection::Projection projection = study.place(requestOf(options.projection), control);
  requireCut(projection, options.force);
  const study::WrittenTable run = study::writeTable(projection, options.compute, options.output, control);
  const std::vector<std::string> warnings = warningsOf(run, projection);
  for (const std::string& warning : warnings)
    session.printWarning(warning);
  if (session.json)
    printJson(session.results(), toJson(run, warnings));
  else
    printText(session.results(), run);
  return 0;
}

} // namespace

Json toJson(const study::WrittenTable& run, const std::vector<std::string>& warnings)
{
  return {{"rows", run.rows},
          {"bytes", run.bytes},
          {"backend", backendName(run.timings.backend)},
          {"device", run.timings.device},
          {"stages", jsonStages(run.timings)},
          {"milliseconds", jsonNumber(run.timings.total())},
          {"warnings", warnings}};
}

void printText(std::ostream& stream, const study::WrittenTable& run)
{
  printField(stream, "rows", formatCount(static_cast<std::int64_t>(run.rows)));
  printField(stream, "bytes",
             formatCount(static_cast<std::int64_t>(run.bytes)) + " (" +
                 formatBytes(static_cast<std::size_t>(run.bytes)) + ")");
  printField(stream, "made on", std::string(backendName(run.timings.backend)) + " (" + run.timings.device + ")");
  stream << '\n';
  printStages(stream, run.timings);
}

void addProjectCommand(Command& program, Session& session)
{
  auto options = std::make_shared<ProjectOptions>();
  Command& command =
      addCommand(program, session, "project", "Make the weight table of a projection and time each stage",
                 [options, &session] { return runProject(*options, session); });
  addProjectionOptions(command, options->projection);
  const std::string group = "Run";
  addFieldOptions(command, fieldsOf(options->compute), group);
  addRanksOption(command, session, group);
  command.addFlag("--force", options->force, "Make the table without a weight threshold, however large it is")
      .group(group);
  command.addOutput("--out", options->output, "Write the table to a file: " + io::tableExtensions()).group(group);
}

} // namespace hinesight::cli
