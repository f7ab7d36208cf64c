#pragma once

#include "core/run_control.hpp"
#include "simulation/cell_state.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"
#include "simulation/point_neuron_state.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::simulation {

struct Spike
{
  std::uint32_t cell; ///< point neurons come after the cells
  double time;        ///< ms

  bool operator==(const Spike&) const = default;
};

/// A network while it runs. Within an epoch, which is at most the least delay, cells are independent; then they
/// exchange spikes. The same network gives the same bits on any number of threads and with any length of epochs.
class Simulation
{
public:
  /// Throws Error(BadParameter) for what is out of range: a node or synapse that is not there, a delay of 0 or less,
  /// NEURON's rules with Crank-Nicolson.
  Simulation(Network network, const SimulationParameters& parameters);

  /// Goes on to a time, ms, in whole steps. Throws Error(Cancelled) between epochs, and Error(BadParameter) with cell
  /// and time where a potential leaves +-1,000 mV.
  void runUntil(double time, const RunControl& control = {});

  double time() const { return static_cast<double>(step) * parameters.timeStep; }
  /// By time, then by cell.
  std::vector<Spike> spikes() const;
  /// Per probe, in its order: its values after each step.
  const std::vector<std::vector<double>>& records() const { return recorded; }
  const std::vector<double>& potentialsOf(std::size_t cell) const { return states[cell].potentials(); }
  /// Events that reached a synapse, and those that are on their way.
  std::uint64_t delivered() const { return deliveredEvents; }
  std::uint64_t inFlight() const;

private:
  void check() const;
  void compile();
  void requireMemoryOfCells() const;
  void connect();
  void send(std::uint32_t source, double time);
  void connectJunctions();
  void exchangePotentials();
  void runEpoch(std::int64_t to);
  void runCells(std::int64_t to, std::vector<std::vector<double>>& spikes, std::vector<std::uint64_t>& received);
  void requireFinite(std::size_t cell) const;
  std::size_t neurons() const { return network.cells() + network.pointNeurons.size(); }
  std::uint32_t sourceOf(std::size_t neuron) const;
  std::uint32_t neuronOf(const Connection& connection) const;

  /// What cells refer to, where it stays when a simulation is moved.
  struct Fixed
  {
    SimulationParameters parameters;
    cell::Temperature temperature;
    std::vector<CompiledCell> compiled; ///< per model
  };

  Network network;
  SimulationParameters parameters;
  std::unique_ptr<Fixed> fixed;
  std::vector<CellState> states;
  std::vector<PointNeuronState> pointStates;
  std::vector<std::uint32_t> placeOfSynapse;        ///< on its cell
  std::vector<std::uint32_t> firstConnection;       ///< per source
  std::vector<std::uint32_t> bySource;              ///< connections
  std::vector<std::vector<Event>> pending;          ///< per cell and point neuron, ascending
  std::vector<std::vector<std::uint32_t>> probesOf; ///< per cell
  std::vector<std::vector<double>> recorded;
  std::vector<std::array<std::size_t, 2>> junctionOf; ///< of each junction: its number on both cells
  std::vector<std::array<double, 2>> peersBefore;     ///< of each junction: potentials a step ago
  std::vector<Spike> all;
  std::uint64_t deliveredEvents = 0;
  std::int64_t step = 0;
  std::int64_t epochSteps = 1;
};

} // namespace hinesight::simulation
