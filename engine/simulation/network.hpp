#pragma once

#include "cell/cell_model.hpp"

#include <cstdint>
#include <memory>
#include <vector>

// What is simulated. Units: mV, ms, nA, uS.

namespace hinesight::simulation {

/// A synapse on a node: its conductance rises with tau1 and falls with tau2 after every event, to the event's weight at
/// its peak; tau1 = 0: at once (NEURON's Exp2Syn and ExpSyn).
struct Synapse
{
  std::uint32_t cell;
  std::int32_t node;
  double tau1 = 0;     ///< ms
  double tau2 = 2;     ///< ms, above tau1
  double reversal = 0; ///< mV
};

/// A neuron without form: what its events weigh adds up and decays, and above 1 it spikes (NEURON's IntFire1).
struct PointNeuron
{
  double tau = 10;       ///< ms
  double refractory = 5; ///< ms after a spike, in which events have no effect
};

/// Events of a source reach a target after `delay`. Sources are the cells, in their order, then the trains of spikes,
/// then the point neurons; targets the synapses, then the point neurons.
struct Connection
{
  std::uint32_t source;
  std::uint32_t target;
  double weight; ///< uS; of a point neuron without unit
  double delay;  ///< ms, above 0
};

/// A current step into a node.
struct CurrentStep
{
  std::uint32_t cell;
  std::int32_t node;
  double amplitude; ///< nA
  double delay;     ///< ms
  double duration;
};

/// A spike is where the potential of the node rises through the threshold.
struct Detector
{
  std::int32_t node = 1;  ///< the middle of the soma
  double threshold = -15; ///< mV
};

enum class Quantity : std::uint8_t
{
  Potential, ///< mV
  Calcium,   ///< mM inside; 0 where nothing says it
};

/// What is recorded at the end of every step.
struct Probe
{
  std::uint32_t cell;
  std::int32_t node;
  Quantity quantity = Quantity::Potential;
};

struct Network
{
  std::vector<std::shared_ptr<const cell::CellModel>> models;
  std::vector<std::uint32_t> modelOf; ///< per cell
  std::vector<Detector> detectors;    ///< per cell
  std::vector<Synapse> synapses;
  std::vector<PointNeuron> pointNeurons;
  std::vector<std::vector<double>> trains; ///< spike times of sources that are no cells, ascending
  std::vector<Connection> connections;
  std::vector<CurrentStep> steps;
  std::vector<Probe> probes;

  std::size_t cells() const { return modelOf.size(); }
};

} // namespace hinesight::simulation
