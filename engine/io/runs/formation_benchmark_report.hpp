#pragma once

#include "synapse/formation/benchmark.hpp"

#include <filesystem>
#include <ostream>
#include <span>

namespace hinesight::io {

// Points of a benchmark of synapse formation, one field a column or key, the same in both formats: neurons, axons,
// theta, search, backend, device, vacantAxons, synapses, meanDistance, updateMs, lowerQuartileMs, upperQuartileMs,
// microsecondsPerAxon, treeMs, vacantMs, searchMs, resolveMs, edgesMs, transferMs.

/// A header and one line a point; numbers read back to the same bits.
void writeFormationBenchmarkCsv(std::span<const synapse::BenchmarkPoint> points, std::ostream& stream);
/// {"points": [{...}]}.
void writeFormationBenchmarkJson(std::span<const synapse::BenchmarkPoint> points, std::ostream& stream);
/// To a file by its extension, .csv or .json. Atomic. Throws as requireTimingsExtension, Error(WriteFailed).
void writeFormationBenchmark(std::span<const synapse::BenchmarkPoint> points, const std::filesystem::path& path);

} // namespace hinesight::io
