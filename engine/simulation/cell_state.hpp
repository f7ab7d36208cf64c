#pragma once

#include "simulation/compiled_cell.hpp"
#include "simulation/event.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"
#include "simulation/stimulus_states.hpp"
#include "simulation/synapse_states.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::simulation {

/// A cell while it runs. It depends on nothing but its own events until the epoch is over.
class CellState
{
public:
  /// `compiled` outlives it. Only with the synapses, stimuli and probes of this cell.
  CellState(const CompiledCell& compiled, const SimulationParameters& parameters, const cell::Temperature& temperature,
            const Detector& detector);

  void addProbe(const Probe& probe);
  /// Returns its number, by which its peer is set.
  std::size_t addJunction(std::int32_t node, double conductance);
  /// The potential at the other end of a junction in the next step, mV.
  void setPeer(std::size_t junction, double potential) { junctions[junction].peer = potential; }

  SynapseStates synapses;
  StimulusStates stimuli;

  /// Takes steps `from` to `to` (not included). `events`: ascending; those of later steps stay. Adds the times of its
  /// spikes to `spikes`, and to `records` a value per probe and step.
  void run(std::int64_t from, std::int64_t to, std::vector<Event>& events, std::vector<double>& spikes,
           std::vector<double>& records);

  const std::vector<double>& potentials() const { return v; }
  double calciumAt(std::int32_t node) const;

private:
  struct JunctionEnd
  {
    std::int32_t node;
    double conductance; ///< uS
    double peer;        ///< mV
  };

  void start();
  void advanceChannels(double dt);
  void assemble(double mass);
  template <typename Channel>
  void addCurrents(const ChannelGroup& group, bool takesCalcium);
  void solve();
  double valueOf(const Probe& probe) const;
  double stateOf(const Probe& probe) const;
  void findInflow();
  double reversalOf(const ChannelGroup& group, std::size_t i) const;

  const CompiledCell& cell;
  const SimulationParameters& parameters;
  const cell::Temperature& temperature;
  Detector detector;
  bool isAbove = false;

  std::vector<JunctionEnd> junctions;
  std::vector<Probe> probes;
  bool recordsInflow = false;

  std::vector<double> v;              ///< mV
  std::vector<double> states;         ///< of the channels
  std::vector<double> calcium;        ///< per pool, mM
  std::vector<double> calciumCurrent; ///< per pool, nA
  std::vector<double> sum;            ///< of each row of the system, uS
  std::vector<double> right;          ///< its right-hand side, nA; then the potentials
  std::vector<double> factor;
  std::vector<double> inflow; ///< along the tree, nA
};

} // namespace hinesight::simulation
