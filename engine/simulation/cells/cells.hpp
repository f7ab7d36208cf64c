#pragma once

#include "core/run_control.hpp"
#include "simulation/cells/block.hpp"
#include "simulation/cells/pending_event.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::simulation {

/// A spike of a cell; point neurons come after the cells.
struct Spike
{
  std::uint32_t cell;
  double time; ///< ms

  bool operator==(const Spike&) const = default;
};

/// What an epoch gives.
struct EpochResults
{
  std::vector<std::vector<Spike>> spikes;   ///< per block
  std::vector<std::vector<double>> records; ///< per probe: a value after each step, added to those before
  bool isOutOfBounds = false;               ///< some potential is
};

/// Runs the cells of a network from epoch to epoch.
class Cells
{
public:
  explicit Cells(Blocks made) : inBlocks(std::move(made)) {}
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  virtual ~Cells() = default;

  /// Steps `from` to `to` (not included). `events`: per block, by step, synapse, time and weight.
  virtual void run(const StepRules& rules, std::int64_t from, std::int64_t to,
                   const std::vector<std::vector<PendingEvent>>& events, EpochResults& results) = 0;
  /// Brings what blocks hold up to date, before it is read.
  virtual void fetch() {}
  /// After the blocks were changed: their states, their models, their probes.
  virtual void put() {}

  /// How many steps an epoch may have at most.
  virtual std::int64_t longestEpoch() const { return 4096; }
  virtual std::string device() const = 0;

  Blocks& blocks() { return inBlocks; }
  const Blocks& blocks() const { return inBlocks; }

protected:
  Blocks inBlocks;
};

std::unique_ptr<Cells> makeCpuCells(const Network& network, const SimulationParameters& parameters,
                                    std::vector<CompiledCell> models, const cell::Temperature& temperature);
/// Throws Error(NoDevice) where there is none.
std::unique_ptr<Cells> makeCudaCells(const Network& network, const SimulationParameters& parameters,
                                     std::vector<CompiledCell> models, const cell::Temperature& temperature);

/// The step in which an event counts; events at the end of a step, but for rounding, count in the next.
std::int64_t stepOf(double time, const StepRules& rules);

} // namespace hinesight::simulation
