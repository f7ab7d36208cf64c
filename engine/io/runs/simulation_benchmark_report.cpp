#include "io/runs/simulation_benchmark_report.hpp"

#include "core/files.hpp"
#include "core/text.hpp"
#include "io/fields.hpp"
#include "io/runs/run_record.hpp"

namespace hinesight::simulation {

/// "cells=1.25" a line.
std::string linesOf(const StageTimings& timings)
{
  std::vector<Setting> stages;
  for (const Stage& stage : timings.stages)
    stages.push_back({stage.name, textOf(stage.milliseconds)});
  return hinesight::linesOf(stages);
}

/// Every field with its name, for the writers of both formats.
template <typename Visitor>
void visitFields(const BenchmarkPoint& point, Visitor&& visit)
{
  visit("case", point.name);
  visit("cells", point.cells);
  visit("compartments", point.compartments);
  visit("connections", point.connections);
  visit("backend", std::string(backendName(point.backend)));
  visit("device", point.device);
  visit("timeStepMs", point.timeStep);
  visit("stepsOfEpoch", point.stepsOfEpoch);
  visit("stretchMs", point.stretch);
  visit("repetitions", point.repetitions.size());
  visit("medianMs", point.milliseconds.median);
  visit("lowerQuartileMs", point.milliseconds.lowerQuartile);
  visit("upperQuartileMs", point.milliseconds.upperQuartile);
  visit("compartmentStepsPerSecond", point.compartmentStepsPerSecond());
  visit("realTimeFactor", point.realTimeFactor());
  visit("microsecondsPerStep", point.microsecondsPerStep());
  visit("floorMs", point.floor);
  visit("floorOf", std::string(point.isMemory ? "memory" : "operations"));
  visit("shareOfFloor", point.shareOfFloor());
  visit("spikesPerSecond", point.spikes);
  visit("eventsPerSecond", point.events);
  visit("memoryBytes", point.memoryBytes);
  visit("stages", linesOf(point.timings));
  visit("settings", hinesight::linesOf(point.settings));
  visit("error", point.error);
}

} // namespace hinesight::simulation

namespace hinesight::io {

void writeSimulationBenchmarkCsv(std::span<const simulation::BenchmarkPoint> points, std::ostream& stream)
{
  writeCsv(fieldTable(points), stream);
}

void writeSimulationBenchmarkJson(std::span<const simulation::BenchmarkPoint> points, std::ostream& stream)
{
  writeJson("points", fieldTable(points), stream);
}

void writeSimulationBenchmark(std::span<const simulation::BenchmarkPoint> points, const std::filesystem::path& path)
{
  const bool asJson = isTimingsJson(path);
  writeFileAtomically(path, [&](std::ostream& stream) {
    asJson ? writeSimulationBenchmarkJson(points, stream) : writeSimulationBenchmarkCsv(points, stream);
  });
}

} // namespace hinesight::io
