#pragma once

#include "simulation/event.hpp"
#include "simulation/network.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// The synapses of a cell while it runs.
class SynapseStates
{
public:
  void add(const Synapse& synapse);

  /// Takes the events of the step from `begin`, dt ms long, from events[next] on: the conductance is its mean over the
  /// step, and stands at the end of the step afterwards.
  void takeEvents(double begin, double dt, std::span<const Event> events, std::size_t& next);
  /// As NEURON: all events up to `until` count from now on, with the conductance of now.
  void takeEventsUntil(double until, std::span<const Event> events, std::size_t& next);
  /// What is left after dt ms without events.
  void decay(double dt);

  /// Adds conductances (uS) and currents (nA) to the rows of their nodes, in the order of the synapses. `v`: potentials
  /// that magnesium blocks at.
  void addTo(std::span<const double> v, std::vector<double>& sum, std::vector<double>& right) const;

private:
  struct State
  {
    Synapse synapse;
    double norm; ///< makes the peak of an event of weight 1 to 1
    double rising = 0;
    double falling = 0; ///< the conductance is falling - rising, uS
    double mean = 0;    ///< conductance of the step
  };

  std::vector<State> states;
};

/// What of an NMDA synapse magnesium lets open at a potential: Jahr and Stevens 1990. `magnesium`: mM.
double unblockedPart(double v, double magnesium);

} // namespace hinesight::simulation
