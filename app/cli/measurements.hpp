#pragma once

#include "app/cli/session.hpp"
#include "cell/cell_model.hpp"
#include "hines/bench/benchmark.hpp"
#include "projection/benchmark.hpp"
#include "simulation/bench/benchmark.hpp"
#include "synapse/formation/benchmark.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::cli {

// The benchmarks that commands and sessions have in common. Each measures, prints a table unless the session prints
// JSON, and writes the rows to `outputs`, .csv or .json files, also of a run that is interrupted. Each throws as
// runBenchmark of what it measures and io::requireTimingsExtension.

std::vector<hines::BenchmarkRow> measureSolvers(const std::vector<hines::BenchmarkCase>& cases,
                                                const hines::BenchmarkParameters& parameters,
                                                const std::vector<std::string>& outputs, Session& session);

std::vector<projection::BenchmarkPoint> measureProjections(const projection::BenchmarkParameters& parameters,
                                                           const std::vector<std::string>& outputs, Session& session);

std::vector<synapse::BenchmarkPoint> measureSynapses(const synapse::BenchmarkParameters& parameters,
                                                     const std::vector<std::string>& outputs, Session& session);

/// `given`: as of simulation::runBenchmark. The points come even where all failed: requireAnyMeasured says so.
std::vector<simulation::BenchmarkPoint>
measureSimulations(const simulation::BenchmarkParameters& parameters,
                   std::span<const std::shared_ptr<const cell::CellModel>> given,
                   const std::vector<std::string>& outputs, Session& session);

/// Throws Error(BadParameter) with the first failure where all failed. For the end of a command: the rows are printed
/// before.
void requireAnyMeasured(const std::vector<hines::BenchmarkRow>& rows);
void requireAnyMeasured(const std::vector<simulation::BenchmarkPoint>& points);

} // namespace hinesight::cli
