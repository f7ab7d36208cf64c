#pragma once

#include "hines/bench/benchmark.hpp"

#include <filesystem>
#include <ostream>
#include <span>
#include <string>

namespace hinesight::io {

// Rows of a benchmark, one field a column or key, the same in both formats: table, what, label, cells, shapes,
// compartments, solver, parameters, backend, device, driver, precision, repetitions, medianMs, minMs, lowerQuartileMs,
// upperQuartileMs, maxMs, predictedMs, permuteMs, comparedTo, ratio, preparationMs, compartmentsPerSecond, bytesMoved,
// copyBandwidth (bytes per second), bandwidthFraction, maxRelativeDifference, relativeResidual, memoryBytes, error.

/// A header and one line a row, quoted as RFC 4180 says; numbers read back to the same bits.
void writeBenchmarkCsv(std::span<const hines::BenchmarkRow> rows, std::ostream& stream);
/// {"rows": [{...}]}. What JSON has no number for is a string: "nan", "inf" or "-inf".
void writeBenchmarkJson(std::span<const hines::BenchmarkRow> rows, std::ostream& stream);
/// To a file by its extension, .csv or .json. Atomic. Throws as requireTimingsExtension, Error(WriteFailed).
void writeBenchmark(std::span<const hines::BenchmarkRow> rows, const std::filesystem::path& path);

} // namespace hinesight::io
