#include "io/runs/benchmark_report.hpp"

#include "core/files.hpp"
#include "io/fields.hpp"
#include "io/runs/run_record.hpp"

namespace hinesight::hines {

/// Every field with its name, for the writers of both formats.
template <typename Visitor>
void visitFields(const BenchmarkRow& row, Visitor&& visit)
{
  visit("table", row.table);
  visit("what", row.what);
  visit("label", row.label);
  visit("cells", row.cells);
  visit("shapes", row.shapes);
  visit("compartments", row.compartments);
  visit("solver", std::string(solverName(row.solve.solver)));
  visit("parameters", row.parameters);
  visit("choice", row.choice);
  visit("backend", std::string(backendName(row.solve.backend)));
  visit("device", row.device);
  visit("driver", row.driver);
  visit("precision", std::string(precisionName(row.solve.precision)));
  visit("repetitions", row.repetitions.size());
  visit("medianMs", row.milliseconds.median);
  visit("minMs", row.milliseconds.min);
  visit("lowerQuartileMs", row.milliseconds.lowerQuartile);
  visit("upperQuartileMs", row.milliseconds.upperQuartile);
  visit("maxMs", row.milliseconds.max);
  visit("predictedMs", row.predicted);
  visit("permuteMs", row.permute);
  visit("comparedTo", row.comparedTo);
  visit("ratio", row.ratio);
  visit("preparationMs", row.preparation);
  visit("compartmentsPerSecond", row.compartmentsPerSecond);
  visit("bytesMoved", row.bytesMoved);
  visit("copyBandwidth", row.copyBandwidth);
  visit("bandwidthFraction", row.bandwidthFraction);
  visit("maxRelativeDifference", row.accuracy.maxRelativeDifference);
  visit("relativeResidual", row.accuracy.relativeResidual);
  visit("memoryBytes", row.memoryBytes);
  visit("error", row.error);
  visit("settings", linesOf(row.settings));
}

} // namespace hinesight::hines

namespace hinesight::io {

using hines::BenchmarkRow;

void writeBenchmarkCsv(std::span<const BenchmarkRow> rows, std::ostream& stream)
{
  writeCsv(fieldTable(rows), stream);
}

void writeBenchmarkJson(std::span<const BenchmarkRow> rows, std::ostream& stream)
{
  writeJson("rows", fieldTable(rows), stream);
}

void writeBenchmark(std::span<const BenchmarkRow> rows, const std::filesystem::path& path)
{
  const bool asJson = isTimingsJson(path);
  writeFileAtomically(
      path, [&](std::ostream& stream) { asJson ? writeBenchmarkJson(rows, stream) : writeBenchmarkCsv(rows, stream); });
}

} // namespace hinesight::io
