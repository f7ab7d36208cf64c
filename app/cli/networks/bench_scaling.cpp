#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/ranks.hpp"
#include "app/cli/report.hpp"
#include "core/choices.hpp"
#include "core/device.hpp"
#include "io/runs/run_record.hpp"
#include "io/runs/scaling_report.hpp"
#include "scaling/scaling.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

using namespace scaling;

struct BenchScalingOptions
{
  ScalingParameters parameters;
  std::vector<std::string> outputs;
};

void printText(std::ostream& stream, std::span<const ScalingPoint> points)
{
  stream
      << "The same work on one rank and on several; medians in ms; ideal: as many times as fast as there are ranks\n";
  Table table;
  table.add({"work", "scaling", "ranks", "size", "ms", "exchange", "times as fast", "efficiency", "bytes", "device"});
  for (const ScalingPoint& point : points)
    table.add({std::string(choiceName(point.work)), std::string(choiceName(point.growth)), std::to_string(point.ranks),
               formatCount(static_cast<std::int64_t>(point.size)), formatNumber(point.milliseconds.median, 4),
               point.exchange > 0 ? formatNumber(point.exchange, 3) : "-", formatNumber(point.speedUp(), 3),
               formatNumber(100 * point.efficiency(), 3) + " %",
               point.growth == Growth::Weak ? "-"
               : point.isSame               ? "the same"
                                            : "OTHERS",
               point.device});
  table.print(stream);
}

int runBenchScaling(const BenchScalingOptions& options, Session& session)
{
  for (const std::string& path : options.outputs)
    io::requireTimingsExtension(path);
  std::vector<ScalingPoint> points;
  runScaling(
      options.parameters, [&](int ranks, const std::function<void()>& body) { onRanks(ranks, session, body); },
      [&](const ScalingPoint& point) {
        points.push_back(point);
        for (const std::string& path : options.outputs) // a run that is killed leaves what it has measured
          io::writeScaling(points, path);
      },
      session.control());
  if (session.json)
    io::writeScalingJson(points, session.results());
  else
    printText(session.results(), points);
  return 0;
}

} // namespace

void addBenchScalingCommand(Command& bench, Session& session)
{
  auto options = std::make_shared<BenchScalingOptions>();
  Command& command = addCommand(bench, session, "scaling", "Time work of every kind on one rank and on several",
                                [options, &session] { return runBenchScaling(*options, session); });
  addFieldOptions(command, fieldsOf(options->parameters), "Benchmark");
  command.addOutput("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      .takesOneArgument();
}

} // namespace hinesight::cli
