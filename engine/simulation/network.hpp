#pragma once

#include "cell/cell_model.hpp"
#include "cell/mechanism.hpp"

#include <cstdint>
#include <memory>
#include <vector>

// What is simulated. Units: mV, ms, nA, uS.

namespace hinesight::simulation {

inline constexpr double kForever = 1e300; ///< ms

/// A synapse on a node: its conductance rises with tau1 and falls with tau2 after every event, to the event's weight at
/// its peak; tau1 = 0: at once (NEURON's Exp2Syn and ExpSyn). Magnesium outside blocks it as an NMDA receptor: AMPA and
/// NMDA on a spine are two synapses with the same events (kAmpa, kNmda).
struct Synapse
{
  std::uint32_t cell;
  std::int32_t node;
  double tau1 = 0;      ///< ms
  double tau2 = 2;      ///< ms, above tau1
  double reversal = 0;  ///< mV
  double magnesium = 0; ///< mM; 0: no block
};

/// Usual time constants (ProbAMPANMDA_EMS, Blue Brain Project), without a place; the weight of kNmda is kNmdaShare of
/// that of kAmpa.
inline constexpr Synapse kAmpa{.cell = 0, .node = 0, .tau1 = 0.2, .tau2 = 1.7};
inline constexpr Synapse kNmda{.cell = 0, .node = 0, .tau1 = 0.29, .tau2 = 43, .magnesium = 1};
inline constexpr double kNmdaShare = 0.71;

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

/// Spikes of a train by chance, without memory, beside those that are listed: they go on as long as the simulation
/// does.
struct PoissonSpikes
{
  std::uint32_t train;
  double rate;      ///< Hz, 0 or more
  double delay = 0; ///< ms
  double duration = kForever;
  std::uint64_t seed = 1;
  std::uint32_t stream = 0; ///< apart from what else is drawn by the seed
  /// Whether an interval is rounded as log * 1000 / rate, as SONATA's always were, and not as log * (1000 / rate).
  bool dividesLast = false;
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

/// offset + amplitude sin(2 pi frequency (t - delay) + phase) into a node.
struct SinusoidCurrent
{
  std::uint32_t cell;
  std::int32_t node;
  double amplitude;  ///< nA
  double frequency;  ///< Hz
  double phase = 0;  ///< rad
  double offset = 0; ///< nA
  double delay = 0;  ///< ms
  double duration = kForever;
};

/// Noise with a memory (Uhlenbeck and Ornstein 1930), exact at whole steps: its mean, its standard deviation, and a
/// correlation that falls as e^(-t/tau).
struct NoiseCurrent
{
  std::uint32_t cell;
  std::int32_t node;
  double mean;      ///< nA
  double deviation; ///< nA
  double tau;       ///< ms
  double delay = 0; ///< ms
  double duration = kForever;
  std::uint64_t seed = 1;
};

/// Holds a node at given potentials, one after the other, through a series resistance (NEURON's SEClamp).
struct VoltageClamp
{
  struct Level
  {
    double potential; ///< mV
    double duration;  ///< ms
  };

  std::uint32_t cell;
  std::int32_t node;
  std::vector<Level> levels;
  double seriesResistance = 1e-3; ///< MOhm
  double delay = 0;               ///< ms
};

/// Conducts between two nodes, of two cells or of one.
struct GapJunction
{
  struct End
  {
    std::uint32_t cell;
    std::int32_t node;
  };

  End a, b;
  double conductance; ///< uS
};

/// A spike is where the potential of the node rises through the threshold.
struct Detector
{
  std::int32_t node = 1;  ///< the middle of the soma
  double threshold = -15; ///< mV
};

enum class Quantity : std::uint8_t
{
  Potential,       ///< mV
  Calcium,         ///< mM inside; 0 where nothing says it
  State,           ///< of a channel: a gate, or a part of channels; 0 where there is none
  MembraneCurrent, ///< nA that leave the node through membrane, synapses and electrodes: what flows in along the tree
  ClampCurrent,    ///< nA of the first voltage clamp on the node
};

/// What is recorded at the end of every step.
struct Probe
{
  std::uint32_t cell;
  std::int32_t node;
  Quantity quantity = Quantity::Potential;
  cell::ChannelKind channel = {}; ///< of a state
  std::uint8_t state = 0;         ///< which of the channel's
};

struct Network
{
  std::vector<std::shared_ptr<const cell::CellModel>> models;
  std::vector<std::uint32_t> modelOf; ///< per cell
  std::vector<Detector> detectors;    ///< per cell
  std::vector<Synapse> synapses;
  std::vector<PointNeuron> pointNeurons;
  std::vector<std::vector<double>> trains; ///< spike times of sources that are no cells, ascending
  std::vector<PoissonSpikes> poisson;
  std::vector<Connection> connections;
  std::vector<CurrentStep> steps;
  std::vector<SinusoidCurrent> sinusoids;
  std::vector<NoiseCurrent> noises;
  std::vector<VoltageClamp> clamps;
  std::vector<GapJunction> junctions;
  std::vector<Probe> probes;

  std::size_t cells() const { return modelOf.size(); }
};

} // namespace hinesight::simulation
