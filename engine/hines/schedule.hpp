#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::hines {

// What the lanes of a solver do and when. A lane is a thread of the device (or of the CPU's vector unit); a step is one
// elimination of a compartment or of a junction, in all lanes side by side.

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

/// A round: steps that wait for those before them.
struct LaneBand
{
  std::string label{}; ///< such as "L3", "recursion 1", "junctions, round 4"
  std::int32_t step = 0;
  std::int32_t steps = 0;
  bool barrierAfter = false; ///< of the threads of a block; a warp keeps step with itself
  std::string detail{};      ///< such as "118 branches"; may be empty
  /// Steps at which lanes begin anew, where there is more to do than there are lanes.
  std::vector<std::int32_t> seams{};
};

/// The backward sweep of one unit.
struct LaneChart
{
  std::string title; ///< what the unit has, such as "32 cells"
  std::int32_t lanes = 0;
  std::int32_t steps = 0;
  std::vector<LaneBand> bands; ///< from the first step to the last
  std::vector<LaneBar> bars;
  /// The forward sweep goes through each band, the last one first, as the backward one does: lanes begin it together.
  /// Else it is the backward one's mirror image to the step.
  bool keepsBands = false;
};

/// The forward sweep of the unit, from the backward one's chart. Bars keep their places in the list.
LaneChart forwardSweep(LaneChart backward);

/// The band that a step belongs to; the first for those before it.
std::size_t bandAt(const LaneChart& chart, std::int32_t step);

/// Lanes of a chart that keep step with one another, from the first step that any of them works to the next break.
struct LaneWarp
{
  std::int32_t firstLane = 0;
  std::int32_t lanes = 0; ///< 32, or as many as the chart has left
  std::int32_t step = 0;
  std::int32_t steps = 0;
};

/// By lane, then step.
std::vector<LaneWarp> warpsOf(const LaneChart& chart);

/// What a chart comes to. `barriers`: of one sweep.
struct LaneFigures
{
  std::int32_t lanes = 0;
  std::int64_t steps = 0;
  std::int64_t rounds = 0;
  std::int64_t barriers = 0;
  std::int64_t busy = 0;   ///< lane steps that are somebody's
  std::int64_t issued = 0; ///< lane steps of warps of which any lane works

  double occupancy() const { return issued == 0 ? 0 : static_cast<double>(busy) / static_cast<double>(issued); }
};

LaneFigures measure(const LaneChart& chart);

/// The figures of all units together.
struct ScheduleFigures
{
  std::int64_t rounds = 0;       ///< most of any unit
  std::int64_t barriers = 0;     ///< of the threads of the unit that has most, both sweeps
  std::int64_t criticalPath = 0; ///< steps of one sweep, of the unit where they are most
  double occupancy = 0;          ///< lane steps that are somebody's over issued ones (LaneFigures), 0 to 1
  std::size_t paddingBytes = 0;  ///< of the layout's u, b and excess in double precision that are nobody's
  std::size_t bytesMoved = 0;    ///< what both sweeps are predicted to read and write in double precision
  std::size_t units = 0;

  bool operator==(const ScheduleFigures&) const = default;
};

/// How the branches of a round are given to lanes that may as well have another.
enum class LaneOrder
{
  AsExecuted,
  ByLength, ///< by falling length (huber 2018, figure 4.1, right)
  ByCell,   ///< as the cells come (figure 4.1, left)
};

/// What one lane does of a cell before it waits for others.
struct SchedulePiece
{
  std::int32_t cell = 0; ///< of the batch
  std::int32_t round = 0;
  std::int32_t steps = 0;
  std::int32_t compartment = -1; ///< that it begins with; -1: its rows may be of any branch of the cell
  LaneWork work = LaneWork::Compartment;
};

/// How a solver solves a batch: what it executes, and what the views draw. Immutable once made. Each solver derives its
/// own, with whatever it needs to execute it.
///
/// A unit is what lanes in common execute: a block of threads, a warp, a group of vector lanes. Charts are made when
/// they are asked for: that of a huge cell takes as much memory as its plan.
class Schedule
{
public:
  virtual ~Schedule() = default;

  std::shared_ptr<const HinesBatch> batch;

  /// "block", "warp", "vector group", "cell".
  virtual std::string_view unitName() const = 0;
  virtual std::size_t unitCount() const = 0;
  /// `unit` < unitCount(). Throws std::bad_alloc.
  virtual LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const = 0;
  /// The same for units whose charts differ in the cells only.
  virtual std::size_t kindOf(std::size_t unit) const { return unit; }
  /// A unit that has a bar of the cell of the batch; nullopt where there is none.
  virtual std::optional<std::size_t> unitOfCell(std::size_t cell) const = 0;

  /// Whether several lanes share a cell: else there is nothing to see inside of it.
  virtual bool dividesCells() const = 0;
  /// The order of lanes that is executed; nullopt: charts follow no LaneOrder, there is but the one as executed.
  virtual std::optional<LaneOrder> laneOrder() const { return std::nullopt; }
  /// What cells of the batch are cut into: their bars in the charts of their units, round by round. None of cells of
  /// which that is not known. `cells`: rising.
  virtual std::vector<SchedulePiece> piecesOf(std::span<const std::int32_t> cells) const;
  /// What SchedulePiece::round counts.
  virtual std::string_view roundName() const { return "rounds before"; }

  /// Measured on the charts of the units, alike ones once; nullopt where the schedule is not known. Throws
  /// Error(Cancelled), std::bad_alloc.
  virtual std::optional<ScheduleFigures> summary(const RunControl& control = {}) const;

protected:
  Schedule() = default;
  Schedule(const Schedule&) = default;
  Schedule(Schedule&&) = default;
  Schedule& operator=(const Schedule&) = default;
  Schedule& operator=(Schedule&&) = default;

  /// As ScheduleFigures.
  virtual std::size_t paddingBytes() const { return 0; }
  virtual std::size_t bytesMoved() const = 0;
};

/// Units alike.
struct UnitGroup
{
  std::size_t first = 0; ///< of the units
  std::size_t units = 0;
};

/// In the order of their first units.
std::vector<UnitGroup> groupUnits(const Schedule& schedule);

/// Of a solver that tells nothing of how it works: one unit without bars.
class UnknownSchedule final : public Schedule
{
public:
  /// `whose`: such as "cuSPARSE".
  UnknownSchedule(std::shared_ptr<const HinesBatch> solved, std::string whose);

  std::string_view unitName() const override { return "batch"; }
  std::size_t unitCount() const override { return 1; }
  LaneChart chart(std::size_t unit, LaneOrder order) const override;
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return false; }
  std::optional<ScheduleFigures> summary(const RunControl& control) const override;

protected:
  std::size_t bytesMoved() const override { return 0; }

private:
  std::string owner;
};

} // namespace hinesight::hines
