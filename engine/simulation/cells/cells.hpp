#pragma once

#include "core/run_control.hpp"
#include "simulation/cells/block.hpp"
#include "simulation/cells/pending_event.hpp"
#include "simulation/cells/shares.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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
  std::vector<std::vector<Spike>> spikes; ///< some lists
  bool isOutOfBounds = false;             ///< some potential is
  std::vector<double> milliseconds;       ///< that each of several devices took; empty of one
};

/// Of a run, and of the one behind it.
enum class RunPlace : std::uint8_t
{
  First,
  Second
};

/// Per probe: its values, one a step.
using Records = std::vector<std::vector<double>>;

/// Runs a share of the cells of a network from epoch to epoch: all of them, or those of a GPU or a rank. Cells,
/// synapses and probes are called by their numbers in the network.
class Cells
{
public:
  Cells() = default;
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  virtual ~Cells() = default;

  /// How many blocks there are; they are numbered.
  virtual std::size_t blocks() const = 0;
  /// Its block is kNothing where it is on a cell of another share.
  virtual PlaceInBlocks placeOfSynapse(std::size_t synapse) const = 0;

  /// Starts steps `from` to `to` (not included) in that place. `events`: per block, by step, synapse, time and weight;
  /// they stay where they are until the run is finished. While a thread finishes the run of one place, another may
  /// start the next one in the other.
  virtual void start(RunPlace place, const StepRules& rules, std::int64_t from, std::int64_t to,
                     std::span<const std::vector<PendingEvent>> events) = 0;
  /// Returns when that run has ended. Values of the share's probes are added to `records`. Where a potential is out of
  /// bounds, a run that was started behind it leaves all as it is.
  virtual void finish(RunPlace place, Records& records, EpochResults& results) = 0;

  /// Potentials at the ends of gap junctions between shares, each junction's two in the network's order: writes those
  /// that are on cells of this share.
  virtual void readEnds(std::span<double> potentials) = 0;
  /// The next step is taken with these at the other sides of such ends.
  virtual void setPeers(std::span<const double> peers) = 0;

  virtual void addProbe(const Network& network, std::uint32_t probe) = 0;
  virtual void setModels(CompiledModels models) = 0;
  /// What is no cell of the share has none.
  virtual std::vector<double> potentialsOf(std::uint32_t cell) = 0;
  /// The first cell of the share with a potential out of all bounds, and its first such node; nothing: there is none.
  virtual std::optional<NodePlace> firstOutOfBounds() = 0;
  /// Of the share; `orders`: per model.
  virtual CellStates states(const Network& network, std::span<const ValueOrder> orders) = 0;
  /// Takes the share's part of the states of all cells.
  virtual void setStates(const Network& network, std::span<const ValueOrder> orders, const CellStates& whole) = 0;

  /// How many steps an epoch may have at most.
  virtual std::int64_t longestEpoch() const { return 4096; }
  virtual std::string device() const = 0;
};

/// What cells are made of. Not to be kept.
struct CellsSetup
{
  const Network& network;
  const SimulationParameters& parameters;
  CompiledModels models;
  cell::Temperature temperature;
  const Shares& shares;
};

/// Cells of a share on the CPU.
std::unique_ptr<Cells> makeCpuCells(const CellsSetup& setup, std::size_t share);
/// The same on the CUDA device that is the calling thread's. Throws Error(NoDevice) where there is none.
std::unique_ptr<Cells> makeCudaCells(const CellsSetup& setup, std::size_t share);

/// The step in which an event counts; events at the end of a step, but for rounding, count in the next.
std::int64_t stepOf(double time, const StepRules& rules);

} // namespace hinesight::simulation
