#pragma once

#include "core/stage_timings.hpp"
#include "projection/problem.hpp"
#include "projection/rows/host_array.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hinesight::projection {

/// Of a row of a table in memory: its destination, its weight, and its delay where it has one of its own.
constexpr std::uint64_t bytesOfRow(bool hasDelays)
{
  return sizeof(std::uint32_t) + sizeof(float) + (hasDelays ? sizeof(float) : 0);
}

/// The connections of a projection, ordered by source, then destination. Immutable once made.
struct WeightTable
{
  Projection projection;
  /// Rows offsets[s] to offsets[s + 1] belong to source s; one entry more than sources.
  std::vector<std::uint64_t> offsets;
  HostArray<std::uint32_t> destination;
  HostArray<float> weight;
  HostArray<float> delay;  ///< ms; empty where all have the same
  float constantDelay = 0; ///< ms; of all rows where `delay` is empty, else 0
  StageTimings timings;
  std::vector<std::string> warnings; ///< sentences about what a person may not expect of it

  std::uint64_t rows() const { return destination.size(); }
  std::uint64_t sources() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// Of the table in memory.
  std::uint64_t bytes() const { return offsets.size() * sizeof(std::uint64_t) + rows() * bytesOfRow(!delay.empty()); }
  float delayOf(std::uint64_t row) const { return delay.empty() ? constantDelay : delay[row]; }
};

/// Where the rows of some sources are written to; `delay` is null where it is constant.
struct RowsOut
{
  std::uint32_t* destination;
  float* weight;
  float* delay;
};

/// The rows of sources [sourceBegin, sourceEnd), a part of a table; `offsets` are those of the whole table, so that the
/// first row here is row offsets[sourceBegin]. Valid while a sink is called.
struct TableSlab
{
  std::uint64_t sourceBegin, sourceEnd;
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> destination;
  std::span<const float> weight;
  std::span<const float> delay; ///< empty where constant
  float constantDelay;
};

} // namespace hinesight::projection
