#include "app/cli/commands.hpp"
#include "app/cli/measurements.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "io/runs/run_record.hpp"
#include "io/runs/simulation_benchmark_report.hpp"
#include "simulation/bench/benchmark.hpp"
#include "study/simulation/single_cell.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

using simulation::BenchmarkPoint;

struct BenchSimulationOptions
{
  simulation::BenchmarkParameters parameters;
  std::vector<std::string> fits;
  std::vector<std::string> outputs;
  Option backendOption;
};

constexpr std::array<int, 13> kWidths = {-12, -7, 8, 13, 10, 18, 10, 10, 10, 9, 11, 8, 8}; // negative: to the left
using Line = std::array<std::string, kWidths.size()>;

/// Fixed columns, so that rows can be printed as they come.
void printLine(std::ostream& stream, const Line& line)
{
  std::string text;
  for (std::size_t column = 0; column < line.size(); ++column) {
    const auto width = static_cast<std::size_t>(std::abs(kWidths[column]));
    const std::string blanks(width - std::min(width, line[column].size()), ' ');
    text += (column == 0 ? "" : "  ") + (kWidths[column] < 0 ? line[column] + blanks : blanks + line[column]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  stream << text << '\n' << std::flush;
}

void printHeader(std::ostream& stream)
{
  stream << "Sparse random networks, and single cells; a median takes the network 1 ms further\n";
  printLine(stream, {"case", "backend", "cells", "compartments", "ms", "quartiles ms", "G/s", "real time", "us/step",
                     "floor ms", "of floor", "Hz", "memory"});
}

void printPoint(std::ostream& stream, const BenchmarkPoint& point)
{
  const auto count = [](std::size_t value) { return formatCount(static_cast<std::int64_t>(value)); };
  Line line = {point.name, std::string(backendName(point.backend)), count(point.cells), count(point.compartments)};
  if (point.failed()) {
    line[4] = point.error;
    printLine(stream, line);
    return;
  }
  const auto perMillisecond = [&](double ms) { return formatNumber(ms / point.stretch, 3); };
  line[4] = perMillisecond(point.milliseconds.median);
  line[5] = perMillisecond(point.milliseconds.lowerQuartile) + ".." + perMillisecond(point.milliseconds.upperQuartile);
  line[6] = formatNumber(1e-9 * point.compartmentStepsPerSecond(), 3);
  line[7] = formatNumber(point.realTimeFactor(), 3) + " x";
  line[8] = formatNumber(point.microsecondsPerStep(), 3);
  line[9] = perMillisecond(point.floor);
  line[10] = formatPercent(point.shareOfFloor()) + (point.isMemory ? " m" : " o");
  line[11] = formatNumber(point.spikes, 3);
  line[12] = formatBytes(point.memoryBytes);
  printLine(stream, line);
  std::string stages;
  for (const Stage& stage : point.timings.stages)
    stages +=
        (stages.empty() ? "" : ", ") + stage.name + " " + formatPercent(stage.milliseconds / point.timings.total());
  if (point.timings.stages.size() > 1)
    stream << "             " << stages << "; " << point.device << '\n';
}

void printFloor(std::ostream& stream)
{
  stream << "floor: the greater of bytes over the measured bandwidth (m) and operations over the rate of the "
            "processor (o); cells on the chip for an epoch\n";
}

int runBenchSimulation(const BenchSimulationOptions& options, Session& session)
{
  simulation::BenchmarkParameters parameters = options.parameters;
  if (!options.backendOption.isGiven() && !cudaDevices().empty())
    parameters.backends = {Backend::Cpu, Backend::Cuda};
  std::vector<std::shared_ptr<const cell::CellModel>> given;
  for (const std::string& fit : options.fits)
    given.push_back(study::buildSingleCell({fit, {}, {}, {}}).network.models.front());
  const std::vector<BenchmarkPoint> points = measureSimulations(parameters, given, options.outputs, session);
  if (session.json)
    io::writeSimulationBenchmarkJson(points, session.results());
  requireAnyMeasured(points);
  return 0;
}

} // namespace

std::vector<BenchmarkPoint> measureSimulations(const simulation::BenchmarkParameters& parameters,
                                               std::span<const std::shared_ptr<const cell::CellModel>> given,
                                               const std::vector<std::string>& outputs, Session& session)
{
  for (const std::string& path : outputs)
    io::requireTimingsExtension(path);
  std::vector<BenchmarkPoint> points;
  if (!session.json)
    printHeader(session.results());
  simulation::runBenchmark(
      parameters, given,
      [&](const BenchmarkPoint& point) {
        points.push_back(point);
        if (!session.json)
          printPoint(session.results(), point);
        for (const std::string& path : outputs) // a run that is killed leaves what it has measured
          io::writeSimulationBenchmark(points, path);
      },
      session.control());
  if (!session.json)
    printFloor(session.results());
  return points;
}

void requireAnyMeasured(const std::vector<BenchmarkPoint>& points)
{
  if (std::ranges::all_of(points, &BenchmarkPoint::failed))
    throw Error(ErrorCode::BadParameter,
                "No case could be measured. " + (points.empty() ? std::string("None runs on this backend.")
                                                                : "The first: " + points.front().error));
}

void addBenchSimulationCommand(Command& bench, Session& session)
{
  auto options = std::make_shared<BenchSimulationOptions>();
  Command& command =
      addCommand(bench, session, "simulation", "Time networks of cells with channels, CPU and CUDA, beside their floor",
                 [options, &session] { return runBenchSimulation(*options, session); });
  command.addInput("FIT", options->fits, "Fits of the Allen Cell Types database, whose cells are measured as well");
  addFieldOptions(command, fieldsOf(options->parameters), "Benchmark");
  options->backendOption = command.option("--backend").defaultText("both if there is a device");
  command.addOutput("--out", options->outputs, "Write the times to a .csv or .json file; may be given for both")
      .takesOneArgument();
}

} // namespace hinesight::cli
