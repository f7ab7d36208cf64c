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
  ProjectionParameters projection; ///< paperParameters or fixedReachParameters
  int threads = 0;
  bool cpu = true;
  bool cuda = false;
  int repetitions = 5;          ///< of each measurement; their median counts
  std::uint32_t loopSide = 150; ///< largest side for which the loop over all pairs is timed, on the CPU; 0: none
};

/// All but the projection, which is one of a few.
template <typename Visitor>
void visitFields(BenchmarkParameters& p, Visitor&& visit)
{
  constexpr double kLargestSide = 10'000;
  visit(Field{.name = "sides",
              .label = "Side",
              .range = from(1, kLargestSide),
              .help = "Sides of the populations, two square grids, in neurons."},
        p.sides);
  visit(Field{.name = "cpu",
              .label = "CPU",
              .help = "The whole table in main memory, made by the CPU.",
              .concern = Concern::Machine},
        p.cpu);
  visit(Field{.name = "cuda",
              .label = "CUDA",
              .help = "The table made by the CUDA device: left there, and downloaded.",
              .detail = "Beside it cub::DeviceSelect over all pairs, up to 2^31 of them.",
              .concern = Concern::Machine},
        p.cuda);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads that make the table.",
              .concern = Concern::Machine}
            .when(p.cpu),
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
            .when(p.cpu),
        p.loopSide);
}

/// The widening Gaussian of the paper's figure 1A: 22,208,750 rows for a side of 150.
ProjectionParameters paperParameters();
/// A Gaussian of the same width for every source, with the paper's cut: the rows of a source do not grow with the side.
ProjectionParameters fixedReachParameters(double sigma);

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
  std::optional<Spread> cuda;            ///< the same table as `cpu`, downloaded
  std::optional<ResidentTimes> resident; ///< CUDA, left on the device
  std::string cpuDevice;                 ///< empty where the CPU was not asked for
  std::string cudaDevice;                ///< empty without CUDA
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
