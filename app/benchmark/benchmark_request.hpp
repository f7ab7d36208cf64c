#pragma once

#include "hines/bench/benchmark.hpp"
#include "projection/benchmark.hpp"

#include <vector>

namespace hinesight::app {

/// Solvers to measure, and how.
struct BenchmarkRequest
{
  std::vector<hines::BenchmarkCase> cases;
  hines::BenchmarkParameters parameters;
};

/// Projections to measure, by the size of their populations.
struct ProjectionBenchmarkRequest
{
  projection::BenchmarkParameters parameters;
};

} // namespace hinesight::app
