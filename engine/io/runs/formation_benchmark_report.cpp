#include "io/runs/formation_benchmark_report.hpp"

#include "core/files.hpp"
#include "io/fields.hpp"
#include "io/runs/run_record.hpp"

namespace hinesight::synapse {

/// Every field with its name, for the writers of both formats.
template <typename Visitor>
void visitFields(const BenchmarkPoint& point, Visitor&& visit)
{
  const StageTimings& timings = point.timings;
  visit("neurons", point.neurons);
  visit("axons", point.axons);
  visit("theta", point.theta);
  visit("search", std::string(searchName(point.kind)));
  visit("backend", std::string(backendName(point.backend)));
  visit("device", point.device);
  visit("vacantAxons", point.vacantAxons);
  visit("synapses", point.synapses);
  visit("meanDistance", point.meanDistance);
  visit("updateMs", point.milliseconds.median);
  visit("lowerQuartileMs", point.milliseconds.lowerQuartile);
  visit("upperQuartileMs", point.milliseconds.upperQuartile);
  visit("microsecondsPerAxon", point.microsecondsPerAxon());
  visit("treeMs", timings.of("tree"));
  visit("vacantMs", timings.of("vacant"));
  visit("searchMs", timings.of("search"));
  visit("resolveMs", timings.of("resolve"));
  visit("edgesMs", timings.of("edges"));
  visit("transferMs", timings.of("allocate") + timings.of("upload") + timings.of("download"));
  visit("settings", linesOf(point.settings));
}

} // namespace hinesight::synapse

namespace hinesight::io {

void writeFormationBenchmarkCsv(std::span<const synapse::BenchmarkPoint> points, std::ostream& stream)
{
  writeCsv(fieldTable(points), stream);
}

void writeFormationBenchmarkJson(std::span<const synapse::BenchmarkPoint> points, std::ostream& stream)
{
  writeJson("points", fieldTable(points), stream);
}

void writeFormationBenchmark(std::span<const synapse::BenchmarkPoint> points, const std::filesystem::path& path)
{
  const bool asJson = isTimingsJson(path);
  writeFileAtomically(path, [&](std::ostream& stream) {
    asJson ? writeFormationBenchmarkJson(points, stream) : writeFormationBenchmarkCsv(points, stream);
  });
}

} // namespace hinesight::io
