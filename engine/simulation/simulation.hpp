#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "simulation/cells/cells.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"
#include "simulation/point_neuron_state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// The whole state of a simulation at the end of a step.
struct Checkpoint
{
  double time = 0; ///< ms
  std::vector<std::byte> bytes;
};

/// A network while it runs. Within an epoch, which is at most the least delay, cells are independent; then they
/// exchange spikes. The same network gives the same bits on CPU and CUDA, on any number of threads, with any length of
/// epochs and with any stops.
class Simulation
{
public:
  /// Throws Error(BadParameter) for what is out of range: a node or synapse that is not there, a delay of 0 or less,
  /// NEURON's rules with Crank-Nicolson; Error(NoDevice), Error(OutOfMemory).
  Simulation(Network network, const SimulationParameters& parameters);

  /// Goes on to a time, ms, in whole steps. Throws Error(Cancelled) between epochs, and Error(BadParameter) with cell,
  /// node and time where a potential leaves +-1,000 mV.
  void runUntil(double time, const RunControl& control = {});

  double time() const { return static_cast<double>(step) * parameters.timeStep; }
  /// By time, then by cell.
  std::vector<Spike> spikes() const;
  /// From number `from` on as they came: by epoch, then by cell.
  std::span<const Spike> newSpikes(std::size_t from) const { return std::span(all).subspan(from); }
  /// Per probe, in its order: its values after each step since it was added.
  const std::vector<std::vector<double>>& records() const { return results.records; }
  /// Of a probe: its first value stands at the end of this step, counted from 1.
  std::int64_t firstRecordedStep(std::size_t probe) const { return firstSteps[probe] + 1; }
  /// Of all nodes, mV.
  std::vector<double> potentialsOf(std::size_t cell) const;
  /// Spike times of the sources that are no cells, ms.
  const std::vector<std::vector<double>>& trains() const { return network.trains; }
  /// Events that reached a synapse, and those that are on their way.
  std::uint64_t delivered() const { return deliveredEvents; }
  std::uint64_t inFlight() const;

  /// Records from the next step on. Returns the probe's number.
  std::size_t addProbe(const Probe& probe);
  /// Holds from the next step on. Throws Error(BadParameter) for a factor below 0 or a temperature out of range.
  void adjust(const Adjustments& adjustments);
  const Adjustments& adjustments() const { return adjusted; }

  /// With the spikes and records so far, or with the states alone.
  Checkpoint checkpoint(bool withResults = false) const;
  /// Goes back, or on, to a checkpoint of the same network with the same parameters, from wherever cells ran. Spikes
  /// and records after its time are dropped; those before come from the checkpoint, or, where it has none, stay. Probes
  /// that were added since stay. Throws Error(BadFormat) for one of another network.
  void restore(const Checkpoint& checkpoint);

  /// Times in ms of all that ran: "cells", "events".
  const StageTimings& stages() const { return timings; }
  /// Compartments times steps that ran.
  double compartmentSteps() const { return stepsRun * static_cast<double>(compartments); }
  std::int64_t stepsOfEpoch() const { return epochSteps; }

private:
  /// Where events of a source go. Of a point neuron the block is kNothing and the synapse its number.
  struct Way
  {
    std::uint32_t block;
    std::uint32_t synapse;
    double weight;
    double delay;
  };

  void check() const;
  void requirePlace(std::uint32_t cell, std::int32_t node, const char* what) const;
  void makeCells();
  void connect();
  void findEpoch();
  StepRules rules() const;
  cell::Temperature temperature() const;
  std::vector<CompiledCell> compiled() const;
  void send(std::uint32_t source, double time, std::size_t firstBlock, std::size_t endBlock);
  void send(std::span<const Spike> spikes);
  void sendTrains(std::int64_t to);
  void takeDueEvents(std::int64_t to);
  void runEpoch(std::int64_t to);
  void exchangeSpikes();
  [[noreturn]] void throwOutOfBounds() const;
  std::size_t neurons() const { return network.cells() + network.pointNeurons.size(); }
  std::uint32_t sourceOf(std::size_t neuron) const;
  std::uint64_t fingerprint(std::span<const ValueOrder> orders) const;

  Network network; ///< its connections became ways
  SimulationParameters parameters;
  Adjustments adjusted;
  std::unique_ptr<Cells> cells;
  std::vector<PointNeuronState> pointStates;
  std::vector<std::uint64_t> firstWay; ///< per source
  std::vector<Way> ways;
  double leastDelay = 0;
  std::vector<std::size_t> nextOfTrain;
  std::vector<std::vector<PendingEvent>> pending; ///< per block
  std::vector<std::vector<PendingEvent>> due;     ///< per block, of the epoch
  std::vector<std::vector<Event>> pointEvents;    ///< per point neuron
  EpochResults results;
  std::vector<std::int64_t> firstSteps; ///< per probe
  std::vector<Spike> all;
  StageTimings timings;
  std::uint64_t compartments = 0;
  std::uint64_t deliveredEvents = 0;
  std::int64_t step = 0;
  std::int64_t epochSteps = 1;
  double stepsRun = 0;
};

} // namespace hinesight::simulation
