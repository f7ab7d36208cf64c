#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::hines {

// What a solver's lanes do and when, for whoever draws or counts it. A lane is a thread of the device (or of the CPU's
// vector unit); a step is one elimination of a compartment or of a junction, in all lanes side by side.

enum class LaneWork
{
  Compartment, ///< eliminates compartments, one after another
  Junction,    ///< eliminates a junction of the reduced system
  Padding,     ///< computes rows that are nobody's
};

/// Steps [step, step + steps) of a lane.
struct LaneBar
{
  std::int32_t lane = 0;
  std::int32_t step = 0;
  std::int32_t steps = 0;
  std::int32_t cell = 0; ///< of the batch
  LaneWork work = LaneWork::Compartment;
  std::int32_t compartment = -1; ///< of the HinesSystem, that it begins with; -1: it is (of) the whole cell, or padding
};

/// Steps that wait for those before them: a level, a recursion, a round.
struct LaneBand
{
  std::string label; ///< such as "level 3", "chains, recursion 1", "round 4"
  std::int32_t step = 0;
  std::int32_t steps = 0;
  bool barrierAfter = false; ///< of the threads of a block; a warp keeps step with itself
};

/// The backward sweep of one unit (a block of threads, a warp, a cluster); the forward sweep is its mirror image.
struct LaneChart
{
  std::string title; ///< such as "unit 1: 32 cells"
  std::int32_t lanes = 0;
  std::int32_t steps = 0;
  std::vector<LaneBand> bands; ///< from the first step to the last
  std::vector<LaneBar> bars;
};

/// Of a unit without its chart.
struct LaneFigures
{
  std::int32_t lanes = 0;
  std::int64_t steps = 0;
  double occupancy = 0; ///< steps in which a lane has work that is somebody's, over lanes times steps; 0 to 1
};

/// How a solver schedules a batch: the plan that it makes of its own.
class LaneCharts
{
public:
  virtual ~LaneCharts() = default;
  virtual std::size_t units() const = 0;
  virtual LaneFigures figures(std::size_t unit) const = 0;
  /// `unit` < units().
  virtual LaneChart chart(std::size_t unit) const = 0;
  /// The first unit whose chart differs from this one's in the cells only, so that alike ones are shown once.
  virtual std::size_t firstAlike(std::size_t unit) const { return unit; }
  /// A unit that has a bar of the cell of the batch; nullopt where finding it would mean to draw them all.
  virtual std::optional<std::size_t> unitOfCell(std::size_t /*cell*/) const { return std::nullopt; }
};

} // namespace hinesight::hines
