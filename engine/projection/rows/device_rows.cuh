#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/device_exchange.cuh"
#include "core/cuda/pinned_array.cuh"
#include "core/cuda/stream.cuh"
#include "core/run_control.hpp"
#include "projection/problem.hpp"

#include <cstdint>
#include <memory>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace hinesight::projection::detail {

/// Lets running kernels be told to end: a word in device memory that they look at now and then.
class StopFlag
{
public:
  StopFlag();

  const unsigned* word() const { return flag.data(); }
  /// Waits for the work since timer.start() and returns its time in ms. Where `control` is cancelled meanwhile, has the
  /// kernels end, waits for that and throws Error(Cancelled).
  double wait(cuda::Timer& timer, const RunControl& control);
  /// Waits for the work that timer.end() closed, and has the kernels end where `control` is cancelled meanwhile.
  void watch(const cuda::Timer& timer, const RunControl& control);

private:
  void set(unsigned value);

  cuda::Buffer<unsigned> flag;
  cuda::PinnedArray<unsigned> pinned; ///< what is copied to the flag
  cuda::Stream stream;                ///< beside the kernels, not behind them
};

/// Sources [begin, end) of a table; `offsets`, in device memory, are those of the whole table, and row firstRow is the
/// first of the slab.
struct SlabRange
{
  std::uint32_t begin, end;
  std::uint64_t firstRow;
  const std::uint64_t* offsets;
};

/// The rows of a slab in device memory; weight and delay may be null.
struct DeviceRows
{
  std::uint32_t* destination;
  float* weight;
  float* delay;
};

struct SlabOffset
{
  SlabRange range;
  __host__ __device__ std::int64_t operator()(std::int64_t source) const
  {
    return static_cast<std::int64_t>(range.offsets[range.begin + source] - range.firstRow);
  }
};

/// Where the rows of each source of a slab begin, counted from the slab's first row.
inline auto slabOffsets(const SlabRange& range)
{
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), SlabOffset{range});
}

/// A problem whose tables and populations are in device memory, and the launches that evaluate it, on the default
/// stream. None waits; they end early where wait() is cancelled. Throws as cuda::check.
class DeviceProblem
{
public:
  /// Throws Error(Cancelled) too.
  DeviceProblem(const Problem& problem, const RunControl& control);
  ~DeviceProblem();

  /// What sorting the destinations into cells took, ms; 0 on a lattice.
  double binTime() const;
  /// For what was launched: as StopFlag::wait.
  double wait(cuda::Timer& timer, const RunControl& control) const;
  /// As StopFlag::watch.
  void watch(const cuda::Timer& timer, const RunControl& control) const;

  /// So few that launches which never look at the flag are soon done.
  static constexpr std::uint32_t kMostSources = 1 << 20;
  /// Calls launch(begin, end) over ranges of at most kMostSources of the sources [begin, end), and waits for each.
  /// Returns the time in ms.
  template <typename Launch>
  double forSources(std::uint32_t begin, std::uint32_t end, cuda::Timer& timer, const RunControl& control,
                    const Launch& launch) const
  {
    double milliseconds = 0;
    while (begin < end) {
      const std::uint32_t last = end - begin > kMostSources ? begin + kMostSources : end;
      timer.start();
      launch(begin, last);
      milliseconds += wait(timer, control);
      begin = last;
    }
    return milliseconds;
  }

  /// Writes how many rows each of the sources [begin, end) has.
  void count(std::uint32_t begin, std::uint32_t end, std::uint64_t* counts) const;
  /// What all counts so far have found beside the rows.
  CountFindings findings() const;
  /// Writes destinations and, unless null, weights; a source's rows in the order of the slots.
  void compact(const SlabRange& range, const DeviceRows& rows) const;
  /// Writes the weights of destinations that are known.
  void weigh(const SlabRange& range, const DeviceRows& rows) const;
  /// Writes the delays of destinations that are known.
  void delays(const SlabRange& range, const DeviceRows& rows) const;
  /// How many of all pairs have a row, and what writing them by cub::DeviceSelect over all pairs costs: for comparison
  /// (benchmark.hpp). Lattices and at most 2^31 pairs only.
  struct SelectTimes
  {
    std::uint64_t rows;
    double milliseconds;
  };
  SelectTimes selectFromAllPairs(std::uint64_t rows, int repetitions) const;

private:
  struct Held;
  std::unique_ptr<Held> held;
};

struct CountTimes
{
  double count, exchange, scan; ///< ms
};

/// Counts the rows of each source and adds the counts up, on the device. `exchange`: with the GPUs of other ranks, each
/// of which counts a part of the sources; null: alone.
class RowCounter
{
public:
  explicit RowCounter(std::uint32_t sources, cuda::DeviceExchange* exchange = nullptr);
  /// On ranks it is collective, and throws FailedTogether.
  CountTimes run(const DeviceProblem& problem, const RunControl& control);
  /// As WeightTable::offsets.
  const cuda::Buffer<std::uint64_t>& offsets() const { return sums; }

private:
  std::uint32_t sources;
  cuda::DeviceExchange* exchange;
  std::uint32_t begin, end;           ///< of the sources that are counted here
  std::size_t part;                   ///< sources that a rank has room for
  cuda::Buffer<std::uint64_t> counts; ///< a 0 behind the last, so that the exclusive sum ends with the total
  cuda::Buffer<std::uint64_t> sums;
  cuda::Buffer<unsigned char> space;
  cuda::Timer timer, exchangeTimer, scanTimer;
};

} // namespace hinesight::projection::detail
