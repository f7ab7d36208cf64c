#pragma once

#include "simulation/bench/benchmark.hpp"

#include <filesystem>
#include <ostream>
#include <span>

namespace hinesight::io {

// Points of a benchmark of simulations, one field a column or key, the same in both formats: case, cells, compartments,
// connections, backend, device, timeStepMs, stepsOfEpoch, stretchMs, repetitions, medianMs, lowerQuartileMs,
// upperQuartileMs, compartmentStepsPerSecond, realTimeFactor, microsecondsPerStep, floorMs, floorOf, shareOfFloor,
// spikesPerSecond, eventsPerSecond, memoryBytes, stages, settings, error.

/// A header and one line a point; numbers read back to the same bits.
void writeSimulationBenchmarkCsv(std::span<const simulation::BenchmarkPoint> points, std::ostream& stream);
/// {"points": [{...}]}.
void writeSimulationBenchmarkJson(std::span<const simulation::BenchmarkPoint> points, std::ostream& stream);
/// To a file by its extension, .csv or .json. Atomic. Throws as requireTimingsExtension, Error(WriteFailed).
void writeSimulationBenchmark(std::span<const simulation::BenchmarkPoint> points, const std::filesystem::path& path);

} // namespace hinesight::io
