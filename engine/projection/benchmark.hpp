#pragma once

#include "core/run_control.hpp"
#include "projection/projection.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::projection {

/// Figures 1B and 1C of James 2021: time and speedup by the size of the populations, two square grids.
struct BenchmarkParameters
{
  std::vector<std::uint32_t> sides = {8, 16, 32, 48, 64, 96, 128, 150, 200, 256, 384, 512};
  ProjectionParameters projection; ///< the paper's: see paperParameters
  int threads = 0;
  bool cuda = false;            ///< CUDA beside the CPU
  int repetitions = 5;          ///< of each measurement; the median counts
  std::uint32_t loopSide = 150; ///< largest side for which the loop over all pairs is timed
};

/// The widening Gaussian of the paper's figure 1A: 22,208,750 rows for a side of 150.
ProjectionParameters paperParameters();

/// A table that is made and left on the device, its buffers there from the run before.
struct ResidentTimes
{
  double milliseconds = 0;      ///< from the first launch to the last row, the host's reading of the size between
  double count = 0;             ///< of that, on the device
  double scan = 0;              ///< of that, on the device
  double compact = 0;           ///< of that, on the device
  double writeFloor = 0;        ///< cudaMemset of as many bytes as the rows have
  std::optional<double> select; ///< cub::DeviceSelect over all pairs, weights evaluated on the way; up to 2^31 pairs
};

struct BenchmarkPoint
{
  std::uint32_t side = 0;
  std::uint64_t pairs = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  double cpu = 0;                        ///< ms, the whole table in memory
  std::optional<double> loop;            ///< ms, one thread evaluates every pair and only counts
  std::optional<double> cuda;            ///< ms, the same table, downloaded
  std::optional<ResidentTimes> resident; ///< CUDA, left on the device
};

struct Benchmark
{
  std::string cpuDevice;
  std::string cudaDevice; ///< empty without CUDA
  std::vector<BenchmarkPoint> points;
  /// Pairs from where on CUDA is faster, between two points on the line through their logarithms; empty where it is
  /// faster or slower throughout.
  std::optional<double> crossover;
};

/// Measures; `take` gets each point as it is there. Throws as project, and Error(VerificationFailed) where CPU, CUDA or
/// the loop count different rows.
Benchmark runBenchmark(const BenchmarkParameters& parameters, const std::function<void(const BenchmarkPoint&)>& take,
                       const RunControl& control = {});

namespace detail {
ResidentTimes measureResident(const Projection& projection, int repetitions, const RunControl& control);
}

} // namespace hinesight::projection
