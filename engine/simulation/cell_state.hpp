#pragma once

#include "simulation/compiled_cell.hpp"
#include "simulation/event.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"

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

  void addSynapse(const Synapse& synapse);
  void addStep(const CurrentStep& step) { steps.push_back(step); }
  void addProbe(const Probe& probe) { probes.push_back(probe); }

  /// Takes steps `from` to `to` (not included). `events`: ascending; those of later steps stay. Adds the times of its
  /// spikes to `spikes`, and to `records` a value per probe and step.
  void run(std::int64_t from, std::int64_t to, std::vector<Event>& events, std::vector<double>& spikes,
           std::vector<double>& records);

  const std::vector<double>& potentials() const { return v; }
  double calciumAt(std::int32_t node) const;

private:
  struct SynapseState
  {
    std::int32_t node;
    double tau1, tau2, reversal;
    double norm; ///< makes the peak of an event of weight 1 to 1
    double rising = 0;
    double falling = 0; ///< the conductance is falling - rising, uS
    double mean = 0;    ///< conductance of the step
  };

  void start();
  void advanceChannels(double dt);
  void assemble(double mass);
  template <typename Channel>
  void addCurrents(const ChannelGroup& group, bool takesCalcium);
  void takeEventsAsNeuron(double until, const std::vector<Event>& events, std::size_t& next);
  void takeEvents(double begin, const std::vector<Event>& events, std::size_t& next);
  void decaySynapses();
  void addSynapses();
  void addStimuli(double begin);
  void solve();
  double reversalOf(const ChannelGroup& group, std::size_t i) const;

  const CompiledCell& cell;
  const SimulationParameters& parameters;
  const cell::Temperature& temperature;
  Detector detector;
  bool isAbove = false;

  std::vector<SynapseState> synapses;
  std::vector<CurrentStep> steps;
  std::vector<Probe> probes;

  std::vector<double> v;              ///< mV
  std::vector<double> states;         ///< of the channels
  std::vector<double> calcium;        ///< per pool, mM
  std::vector<double> calciumCurrent; ///< per pool, nA
  std::vector<double> sum;            ///< of each row of the system, uS
  std::vector<double> right;          ///< its right-hand side, nA; then the potentials
  std::vector<double> factor;
};

} // namespace hinesight::simulation
