#pragma once

#include "core/communicator.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "core/workers.hpp"
#include "simulation/cells/cells.hpp"
#include "simulation/cells/junction_exchange.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"
#include "simulation/point_neuron_state.hpp"
#include "simulation/poisson_draw.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::simulation {

/// The whole state of a simulation at the end of a step.
struct Checkpoint
{
  double time = 0; ///< ms
  std::vector<std::byte> bytes;
};

/// A network while it runs. Within an epoch, which is at most the least delay, cells are independent; then they
/// exchange spikes. The same network gives the same bits on CPU and CUDA, on any number of threads, GPUs and ranks,
/// with any length of epochs and with any stops.
///
/// Made where work is split among ranks (core/rank_tasks.hpp), it is split, unless it is too small for GPUs: each rank
/// runs a share of the cells and of the point neurons, and rank 0 has all results. Its functions then call the other
/// ranks, and what a rank fails with they throw as FailedTogether.
class Simulation
{
public:
  /// Throws Error(BadParameter) for what is out of range: a node or synapse that is not there, a delay of 0 or less,
  /// NEURON's rules with Crank-Nicolson, more GPUs than there are; Error(NoDevice), Error(OutOfMemory). `shares`: so
  /// many parts run side by side, also on the CPU, and so many ranks have cells; 0: as many as GPUs are worth it, and
  /// all ranks on CPUs. Where one rank has all cells it does all.
  Simulation(Network network, const SimulationParameters& parameters, std::size_t shares = 0);
  Simulation(Simulation&&) = default;
  ~Simulation();

  /// Goes on to a time, ms, in whole steps. Throws Error(Cancelled) between epochs, and Error(BadParameter) with cell,
  /// node and time where a potential leaves +-1,000 mV.
  void runUntil(double time, const RunControl& control = {});

  double time() const { return static_cast<double>(step) * parameters.timeStep; }
  /// By time, then by cell.
  std::vector<Spike> spikes() const;
  /// From number `from` on as they came: by epoch, then by cell.
  std::span<const Spike> newSpikes(std::size_t from) const { return std::span(all).subspan(from); }
  /// Per probe, in its order: its values after each step since it was added.
  const Records& records() const { return recorded; }
  /// Of a probe: its first value stands at the end of this step, counted from 1.
  std::int64_t firstRecordedStep(std::size_t probe) const { return firstSteps[probe] + 1; }
  /// Of all nodes, mV.
  std::vector<double> potentialsOf(std::size_t cell) const;
  /// Spike times of the sources that are no cells, ms: those that are listed, and those by chance that were drawn.
  const std::vector<std::vector<double>>& trains() const { return network.trains; }
  /// The same with all spikes by chance before a time, ms, as a run until then draws them.
  std::vector<std::vector<double>> trainsBefore(double until) const;
  /// Events that reached a synapse, and those that are on their way; not those of spikes that are still to be drawn.
  std::uint64_t delivered() const;
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

  /// Times in ms of all that ran: "cells", "events", of several ranks and of gap junctions between devices "exchange".
  /// Their device is what cells ran on. Several devices do not show the events, which the CPU distributes.
  const StageTimings& stages() const { return timings; }
  /// Compartments times steps that ran.
  double compartmentSteps() const { return stepsRun * static_cast<double>(compartments); }
  std::int64_t stepsOfEpoch() const { return epochSteps; }

private:
  friend class RankSimulations;

  /// Where events of a source go. Of a point neuron the block is kNothing and the synapse its number in the share.
  struct Way
  {
    std::uint32_t block;
    std::uint32_t synapse;
    double weight;
    double delay;
  };
  /// An event from a spike to its target.
  struct SentEvent
  {
    std::uint32_t place; ///< a block, or behind them a point neuron of the share
    std::uint32_t synapse;
    double time; ///< ms
    double weight;
  };
  struct State;
  /// An event to a synapse or point neuron of the network, in checkpoints.
  struct StoredEvent
  {
    double time;
    double weight;
    std::uint64_t target;
  };

  /// The part of another rank than 0: `network` without connections.
  Simulation(Communicator& ranks, std::uint64_t id, Network network, const SimulationParameters& parameters,
             std::size_t withCells);

  void check() const;
  void requirePlace(std::uint32_t cell, std::int32_t node, const char* what) const;
  void requireAdjustable(const Adjustments& adjustments) const;

  // What all ranks do, and what of it is collective.
  bool isSplit() const { return ranks->size() > 1; }
  bool isLead() const { return isSplit() && ranks->isRoot(); }
  std::size_t ownShare() const { return static_cast<std::size_t>(ranks->rank()); }
  ShareRange ownPointNeurons() const;
  /// Of rank 0 of several: the others join a task for this simulation while it lives.
  [[nodiscard]] std::optional<TaskScope> lead(const char* name) const;
  /// What every rank does for itself; all go on together or fail together.
  template <typename Body>
  void inStep(const Body& body) const
  {
    if (isSplit())
      together(*ranks, body);
    else
      body();
  }
  void make(std::size_t shares);
  std::size_t worthOfRanks() const;
  void leaveRanks();
  void makeCells(std::size_t shareCount);
  void nameDevices(std::size_t shareCount);
  void exchangeJunctions();
  void shareConnections();
  void connect();
  void findEpoch();
  void run(std::int64_t to, const RunControl& control);
  void gatherRecords();
  CellStates gatherStates(std::span<const ValueOrder> orders) const;
  Checkpoint makeCheckpoint(bool withResults) const;
  std::vector<double> gatherPotentials(std::size_t cell) const;
  std::uint64_t countDelivered() const;
  std::uint64_t countInFlight() const;
  void takeProbe(const Probe& probe);
  void apply(const Adjustments& adjustments);
  void apply(const State& state);
  void joinRestore();

  StepRules rules() const;
  cell::Temperature temperature() const;
  CompiledModels compiled() const;
  std::vector<ValueOrder> ordersOf(bool isFirstFormat) const;
  template <typename Take>
  void forEvents(std::uint32_t source, double time, const Take& take) const;
  void receive(const SentEvent& event);
  void send(std::span<const Spike> spikes);
  void sendTrains(std::int64_t to);
  void startCells(std::int64_t from, std::int64_t to);
  /// What this rank does of an epoch; its spikes are added to `spikes`.
  void runOwn(std::int64_t to, std::vector<Spike>& spikes);
  void takeResults(std::int64_t to, std::vector<Spike>& spikes);
  void runPointNeurons(std::int64_t to, std::vector<Spike>& spikes);
  void runEpoch(std::int64_t to);
  void runBeside(std::int64_t to, const std::function<std::int64_t(std::int64_t begin)>& endOfEpoch,
                 const std::function<std::exception_ptr(std::int64_t at)>& hear);
  /// The same of several ranks. Throws what one of them fails with, or what `hear` has heard on one of them when the
  /// epoch was done.
  void runEpochTogether(std::int64_t to, const std::function<std::exception_ptr()>& hear);
  void sendNew(std::size_t before);
  /// As a run until then does.
  void drawTrains(double until);
  [[noreturn]] void throwOutOfBounds() const;
  std::size_t neurons() const { return network.cells() + network.pointNeurons.size(); }
  std::uint32_t sourceOf(std::size_t neuron) const;
  /// Weight and delay of a connection, in the order of sources.
  using WayAt = std::function<std::pair<double, double>(std::size_t)>;
  std::uint64_t fingerprint(std::span<const ValueOrder> orders, std::size_t connections, const WayAt& wayAt) const;
  std::uint64_t fingerprintOf(bool isFirstFormat) const;
  State readState(std::span<const std::byte>& bytes) const;
  void requireSound(const State& state) const;
  void requireTrains(const State& state) const;
  std::vector<StoredEvent> waitingEvents() const;

  std::unique_ptr<Communicator> alone; ///< where the work is not split
  Communicator* ranks;
  std::uint64_t id = 0;            ///< on all ranks
  Network network;                 ///< its connections became ways
  SimulationParameters parameters; ///< with the threads of this rank
  Adjustments adjusted;
  CompiledModels models;
  std::unique_ptr<const Shares> shares; ///< of ranks, or of the GPUs of the only one
  std::unique_ptr<Cells> cells;         ///< of this rank
  std::unique_ptr<Workers> beside; ///< waits for cells beside what the calling thread does; null: the calling one waits
  std::unique_ptr<JunctionExchange> junctions;
  std::vector<PointNeuronState> pointStates;      ///< of this rank
  std::vector<std::uint64_t> firstWay;            ///< per source
  std::vector<Way> ways;                          ///< to this rank
  std::array<std::uint64_t, 2> fingerprints = {}; ///< of the first format and of the second, on rank 0 of several
  double leastDelay = 0;
  std::vector<std::size_t> nextOfTrain;
  TrainDraws draws;
  std::vector<std::vector<PendingEvent>> pending; ///< per block
  /// Of the epoch and of the one after it, by RunPlace: per block, by step, synapse, time and weight.
  std::array<std::vector<std::vector<PendingEvent>>, 2> due;
  RunPlace started = RunPlace::First;             ///< of the run that was started last
  std::vector<std::vector<SentEvent>> sentEvents; ///< by each thread to each
  std::vector<std::vector<Event>> pointEvents;    ///< per point neuron of this rank
  EpochResults results;
  Records recorded;                     ///< on other ranks than 0: since they were gathered
  std::int64_t gatheredStep = 0;        ///< records are gathered until then
  std::vector<std::int64_t> firstSteps; ///< per probe
  std::vector<Spike> all;               ///< on other ranks than 0: of the epoch
  StageTimings timings;
  std::uint64_t compartments = 0;
  std::uint64_t deliveredEvents = 0; ///< to this rank
  std::int64_t step = 0;
  std::int64_t epochSteps = 1;
  double stepsRun = 0;
};

} // namespace hinesight::simulation
