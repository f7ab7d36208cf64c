#include "app/cli/commands.hpp"
#include "app/cli/networks/projection_options.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "io/tables/projection_export.hpp"
#include "projection/projection.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct ProjectOptions
{
  ProjectionOptions projection;
  projection::ComputeParameters compute;
  std::string output; ///< empty: none
  bool force = false;
};

/// A kernel that falls off, without a cut, connects nearly every pair, which is rarely what was meant.
void requireCut(const projection::Projection& p, bool force)
{
  if (force || !projection::needsCut(p.parameters))
    return;
  const double pairs = static_cast<double>(p.source->count()) * static_cast<double>(p.destination->count());
  throw Error(ErrorCode::BadParameter, "A cut of 0 leaves up to all " + formatNumber(pairs, 6) + " pairs (" +
                                           formatBytes(static_cast<std::size_t>(8 * pairs)) +
                                           ") in the table; give --cut, or --force if that is meant.");
}

struct ProjectRun
{
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0; ///< of the table, in memory or as it would be
  StageTimings timings;
  std::vector<std::string> warnings;
};

/// Whether the table, and an export beside it, fit comfortably into main memory.
bool fitsMemory(std::uint64_t bytes)
{
  return bytes < availableMemoryBytes() / 2;
}

/// What a person may not expect of the table.
std::vector<std::string> warningsOf(const ProjectionOptions& options, const projection::PreparedProjection& prepared)
{
  std::vector<std::string> warnings = prepared.warnings();
  const projection::Projection& p = prepared.projection();
  if (!options.parameters.selfConnections && !projection::leavesSelfOut(p))
    warnings.push_back("--no-self leaves nothing out: \"" + p.source->name() + "\" and \"" + p.destination->name() +
                       "\" are two populations; --recurrent makes them one.");
  return warnings;
}

ProjectRun makeAndExport(const ProjectOptions& options, Session& session)
{
  const RunControl& control = session.control();
  const projection::Projection p = projectionOf(options.projection, control);
  requireCut(p, options.force);
  const auto prepared = projection::prepare(p, options.compute, control);
  ProjectRun run;
  run.rows = prepared->rows();
  run.bytes = projection::tableBytes(*prepared);
  run.warnings = warningsOf(options.projection, *prepared);
  if (options.output.empty() || fitsMemory(run.bytes)) {
    const auto table = projection::makeTable(*prepared, control);
    run.timings = table->timings;
    if (!options.output.empty()) {
      const Stopwatch stopwatch;
      io::exportTable(*table, options.output, control);
      run.timings.add("export", stopwatch.elapsed());
    }
    return run;
  }
  const Stopwatch stopwatch;
  io::exportStreamed(*prepared, options.output, control);
  run.timings = prepared->timings();
  run.timings.add("export", stopwatch.elapsed() - run.timings.of("compact") - run.timings.of("download"));
  return run;
}

Json toJson(const ProjectRun& run)
{
  return {{"rows", run.rows},
          {"bytes", run.bytes},
          {"backend", backendName(run.timings.backend)},
          {"device", run.timings.device},
          {"stages", jsonStages(run.timings)},
          {"milliseconds", jsonNumber(run.timings.total())},
          {"warnings", run.warnings}};
}

void printText(std::ostream& stream, const ProjectRun& run)
{
  printField(stream, "rows", formatCount(static_cast<std::int64_t>(run.rows)));
  printField(stream, "bytes",
             formatCount(static_cast<std::int64_t>(run.bytes)) + " (" +
                 formatBytes(static_cast<std::size_t>(run.bytes)) + ")");
  printField(stream, "made on", std::string(backendName(run.timings.backend)) + " (" + run.timings.device + ")");
  stream << '\n';
  printStages(stream, run.timings);
}

int runProject(const ProjectOptions& options, Session& session)
{
  requireDevice(options.compute.backend);
  if (!options.output.empty()) {
    io::requireTableExtension(options.output);
    requireWritable(options.output); // before minutes are spent on the table
  }
  const ProjectRun run = makeAndExport(options, session);
  for (const std::string& warning : run.warnings)
    session.printWarning(warning);
  if (session.json)
    printJson(session.results(), toJson(run));
  else
    printText(session.results(), run);
  return 0;
}

} // namespace

void addProjectCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<ProjectOptions>();
  Command& command =
      addCommand(program, session, "project", "Make the weight table of a projection and time each stage",
                 [options, &session] { return runProject(*options, session); });
  addProjectionOptions(command, options->projection);
  const std::string group = "Run";
  addFieldOptions(command, fieldsOf(options->compute), group);
  command.add_flag("--force", options->force, "Make the table without a cut, however large it is")->group(group);
  command.addOutput("--out", options->output, "Write the table to a file: " + io::tableExtensions())->group(group);
}

} // namespace hinesight::cli
