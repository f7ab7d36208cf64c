#include "io/runs/projection_benchmark_report.hpp"

#include "core/files.hpp"
#include "io/fields.hpp"
#include "io/runs/run_record.hpp"

namespace hinesight::projection {

/// Every field with its name, for the writers of both formats.
template <typename Visitor>
void visitFields(const BenchmarkPoint& point, Visitor&& visit)
{
  using Number = std::optional<double>;
  const auto visitSpread = [&](const char* median, const char* lower, const char* upper,
                               const std::optional<Spread>& ms) {
    visit(median, ms ? Number(ms->median) : Number());
    visit(lower, ms ? Number(ms->lowerQuartile) : Number());
    visit(upper, ms ? Number(ms->upperQuartile) : Number());
  };
  const auto& resident = point.resident;
  const auto ofResident = [&](double ResidentTimes::*time) { return resident ? Number((*resident).*time) : Number(); };
  visit("side", point.side);
  visit("pairs", point.pairs);
  visit("rows", point.rows);
  visit("bytes", point.bytes);
  visit("cpuDevice", point.cpuDevice);
  visitSpread("cpuMs", "cpuLowerQuartileMs", "cpuUpperQuartileMs", point.cpu);
  visit("cpuWriteFloorMs", point.cpuWriteFloor);
  visit("loopMs", point.loop);
  visit("cudaDevice", point.cudaDevice);
  visitSpread("cudaMs", "cudaLowerQuartileMs", "cudaUpperQuartileMs", point.cuda);
  visit("downloadMs", point.download);
  visitSpread("cudaAgainMs", "cudaAgainLowerQuartileMs", "cudaAgainUpperQuartileMs", point.cudaAgain);
  visit("downloadAgainMs", point.downloadAgain);
  visitSpread("residentMs", "residentLowerQuartileMs", "residentUpperQuartileMs",
              resident ? std::optional(resident->milliseconds) : std::nullopt);
  visit("countMs", ofResident(&ResidentTimes::count));
  visit("scanMs", ofResident(&ResidentTimes::scan));
  visit("compactMs", ofResident(&ResidentTimes::compact));
  visit("writeFloorMs", ofResident(&ResidentTimes::writeFloor));
  visit("deviceSelectMs", resident ? resident->select : Number());
  visit("settings", linesOf(point.settings));
}

} // namespace hinesight::projection

namespace hinesight::io {

void writeProjectionBenchmarkCsv(std::span<const projection::BenchmarkPoint> points, std::ostream& stream)
{
  writeCsv(fieldTable(points), stream);
}

void writeProjectionBenchmarkJson(std::span<const projection::BenchmarkPoint> points, std::ostream& stream)
{
  writeJson("points", fieldTable(points), stream,
            {{"crossoverPairs", fieldValue(projection::crossoverPairs(points))},
             {"residentCrossoverPairs", fieldValue(projection::residentCrossoverPairs(points))}});
}

void writeProjectionBenchmark(std::span<const projection::BenchmarkPoint> points, const std::filesystem::path& path)
{
  const bool asJson = isTimingsJson(path);
  writeFileAtomically(path, [&](std::ostream& stream) {
    asJson ? writeProjectionBenchmarkJson(points, stream) : writeProjectionBenchmarkCsv(points, stream);
  });
}

} // namespace hinesight::io
