#pragma once

#include "core/communicator.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "simulation/compiled_cell.hpp"

#include <cstddef>
#include <vector>

namespace hinesight::simulation {

class Simulation;

/// A simulation on several ranks: rank 0 has it and calls the others to what it does, and each of them has one of the
/// same number for its share.
class RankSimulations
{
public:
  static constexpr const char* kRun = "simulate: run";
  static constexpr const char* kPotentials = "simulate: potentials";
  static constexpr const char* kDelivered = "simulate: delivered";
  static constexpr const char* kInFlight = "simulate: in flight";
  static constexpr const char* kProbe = "simulate: probe";
  static constexpr const char* kAdjust = "simulate: adjust";
  static constexpr const char* kCheckpoint = "simulate: checkpoint";
  static constexpr const char* kRestore = "simulate: restore";
  static constexpr const char* kDrop = "simulate: drop";

  /// Of rank 0: the others make theirs, up to the connections, which are shared out next, within the task that this
  /// returns. The first `withCells` of the ranks have cells.
  [[nodiscard]] static TaskScope leadMake(Simulation& simulation, std::size_t withCells);
  /// From rank 0; the others give anything, and get it.
  static Adjustments broadcast(Communicator& ranks, const Adjustments& adjustments);

  static std::vector<RankTask> tasks(const RunControl& control);
};

/// What ranks but 0 join of this folder's work (core/rank_tasks.hpp). `control` cancels what they do. Each rank has
/// tasks of its own: they keep its share from one task to the next.
std::vector<RankTask> rankTasks(const RunControl& control = {});

} // namespace hinesight::simulation
