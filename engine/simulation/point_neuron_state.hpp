#pragma once

#include "simulation/event.hpp"
#include "simulation/network.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::simulation {

/// A point neuron while it runs. It changes by events alone, at their own times.
class PointNeuronState
{
public:
  // NOLINTNEXTLINE(google-explicit-constructor): a state is made of its neuron
  PointNeuronState(const PointNeuron& of) : neuron(of) {}

  /// Takes the events before `until`, ms, out of `events`, which are ascending, and adds the times of its spikes.
  /// Returns how many events it took.
  std::uint64_t run(double until, std::vector<Event>& events, std::vector<double>& spikes);

  /// What changes while it runs.
  struct Values
  {
    double level = 0;
    double since = 0;    ///< ms: when it had that level
    double readyAt = -1; ///< ms: until then it is refractory
  };
  Values values;

private:
  PointNeuron neuron;
};

} // namespace hinesight::simulation
