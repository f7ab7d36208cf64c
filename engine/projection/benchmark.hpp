#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/spread.hpp"
#include "projection/projection.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hinesight::projection {

/// Figures 1B and 1C of James 2021: time and speedup by the size of the populations, two square grids.
struct BenchmarkParameters
{
  std::vector<std::uint32_t> sides = {8, 16, 32, 48, 64, 96, 128, 150, 200, 256, 384, 512};
  double sigma = 0; ///< of a Gaussian, the same for every source; 0: the paper's widening one
  std::vector<Backend> backends = {Backend::Cpu};
  int threads = 0;
  int repetitions = 5;          ///< of each measurement; their median counts
  std::uint32_t loopSide = 150; ///< largest side for which the loop over all pairs is timed, on the CPU; 0: none

  bool measures(Backend backend) const;
  bool operator==(const BenchmarkParameters&) const = default;
};

template <typename Visitor>
void visitFields(BenchmarkParameters& p, Visitor&& visit)
{
  constexpr double kLargestSide = 10'000;
  visit(Field{.name = "sides",
              .label = "Side",
              .range = from(1, kLargestSide),
              .help = "Sides of the populations, two square grids, in neurons."},
        p.sides);
  visit(Field{.name = "sigma",
              .label = "Sigma",
              .range = from(0, kMostOfProjection),
              .special = {0, "the paper's"},
              .help = "Width of a Gaussian, the same for every source, so that time follows the neurons.",
              .detail = "That of the paper widens with the y of the source."},
        p.sigma);
  visit(Field{.name = "backend",
              .label = "Backends",
              .help = "Where the table is made: the whole of it in main memory; by CUDA left on the device, too.",
              .detail = "Beside CUDA cub::DeviceSelect is timed over all pairs, up to 2^31 of them.",
              .concern = Concern::Machine},
        p.backends);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads that make the table.",
              .concern = Concern::Machine}
            .when(p.measures(Backend::Cpu)),
        p.threads);
  visit(Field{.name = "repetitions",
              .label = "Repetitions",
              .range = from(1, 1'000'000),
              .slider = {1, 1000, true},
              .help = "Of each measurement; the median counts.",
              .concern = Concern::Machine},
        p.repetitions);
  visit(Field{.name = "loop-side",
              .label = "Loop over all pairs",
              .range = from(0, kLargestSide),
              .special = {0, "not timed"},
              .help = "Largest side for which a plain loop over all pairs is timed, one CPU thread that only counts.",
              .detail = "Its time grows with the side to the power of four: 4 s at 150."}
            .when(p.measures(Backend::Cpu)),
        p.loopSide);
}

/// A table that is made and left on the device, its buffers there from the run before.
struct ResidentTimes
{
  Spread milliseconds;          ///< from the first launch to the last row, the host's reading of the size between
  double count = 0;             ///< of the median run, on the device
  double scan = 0;              ///< of the median run, on the device
  double compact = 0;           ///< of the median run, on the device
  double writeFloor = 0;        ///< cudaMemset of as many bytes as the rows have, the fastest run
  std::optional<double> select; ///< cub::DeviceSelect over all pairs, weights evaluated on the way; up to 2^31 pairs
};

/// What is measured for one side; times in ms, those of a backend that was not asked for are empty.
struct BenchmarkPoint
{
  std::uint32_t side = 0;
  std::uint64_t pairs = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::optional<Spread> cpu;             ///< the whole table in memory
  std::optional<double> cpuWriteFloor;   ///< all threads set as many bytes as the rows have, the fastest run
  std::optional<double> loop;            ///< one thread evaluates every pair and only counts
  std::optional<Spread> cuda;            ///< the same table as `cpu`, downloaded to new memory
  std::optional<double> download;        ///< of `cuda`: copying all bytes to main memory, median
  std::optional<Spread> cudaAgain;       ///< as `cuda`, to the memory of the table before
  std::optional<double> downloadAgain;   ///< as `download`, of `cudaAgain`
  std::optional<ResidentTimes> resident; ///< CUDA, left on the device
  std::string cpuDevice;                 ///< empty where the CPU was not asked for
  std::string cudaDevice;                ///< empty without CUDA
  std::vector<Setting> settings;         ///< of the projection and of the measurement
};

/// Pairs from where on CUDA, the table downloaded, is faster than the CPU: between two points, in order of their sides,
/// on the lines through the logarithms of their medians. Empty where it is faster or slower throughout.
std::optional<double> crossoverPairs(std::span<const BenchmarkPoint> points);
/// The same for a table that is left on the device.
std::optional<double> residentCrossoverPairs(std::span<const BenchmarkPoint> points);

/// Measures, side by side; `take`, where there is one, gets each point as it is there. Throws as project,
/// Error(BadParameter), and Error(VerificationFailed) where CPU, CUDA or the loop count different rows.
std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         const std::function<void(const BenchmarkPoint&)>& take,
                                         const RunControl& control = {});

namespace detail {
ResidentTimes measureResident(const Projection& projection, int repetitions, const RunControl& control);
}

} // namespace hinesight::projection
