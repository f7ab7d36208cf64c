#pragma once

#include "projection/benchmark.hpp"

#include <filesystem>
#include <ostream>
#include <span>

namespace hinesight::io {

// Points of a benchmark of projections, one field a column or key, the same in both formats: side, pairs, rows, bytes,
// cpuDevice, cpuMs, cpuLowerQuartileMs, cpuUpperQuartileMs, cpuWriteFloorMs, loopMs, cudaDevice, cudaMs,
// cudaLowerQuartileMs, cudaUpperQuartileMs, downloadMs, cudaAgainMs, cudaAgainLowerQuartileMs,
// cudaAgainUpperQuartileMs, downloadAgainMs, residentMs, residentLowerQuartileMs, residentUpperQuartileMs, countMs,
// scanMs, compactMs, writeFloorMs, deviceSelectMs. What was not measured is empty in CSV and null in JSON.

/// A header and one line a point; numbers read back to the same bits.
void writeProjectionBenchmarkCsv(std::span<const projection::BenchmarkPoint> points, std::ostream& stream);
/// {"points": [{...}], "crossoverPairs", "residentCrossoverPairs"}; the last two as crossoverPairs gives them.
void writeProjectionBenchmarkJson(std::span<const projection::BenchmarkPoint> points, std::ostream& stream);
/// To a file by its extension, .csv or .json. Atomic. Throws as requireTimingsExtension, Error(WriteFailed).
void writeProjectionBenchmark(std::span<const projection::BenchmarkPoint> points, const std::filesystem::path& path);

} // namespace hinesight::io
