#pragma once

#include "cell/mechanism.hpp"
#include "simulation/cells/elimination.hpp"
#include "simulation/cells/point_source.hpp"

#include <cstdint>

// What a step reads and writes, as plain pointers: into main memory or into that of a GPU.
//
// Cells of one model stand side by side in a block. A value of item i (a node, a channel, a pool) of the block's k-th
// cell is at i * lanes + k. Nodes are in the order of their elimination.

namespace hinesight::simulation {

/// A pointer into main memory, or, in code for a GPU, into that of the device. A GPU reads there in another way than in
/// shared memory, and the compiler cannot see of a stored pointer which it is.
template <typename T>
class InMemory
{
public:
  InMemory() = default;
  HINESIGHT_HOST_DEVICE InMemory(T* to) : pointer(to) {} // NOLINT: as a pointer

  HINESIGHT_FORMULA operator T*() const // NOLINT: as a pointer
  {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isGlobal(pointer));
#endif
    return pointer;
  }
  template <typename Index>
  HINESIGHT_FORMULA T& operator[](Index i) const
  {
    return static_cast<T*>(*this)[i];
  }

private:
  T* pointer;
};

/// Channels of one kind on a model, one per node that has it. Those of most nodes are part of the rows of the system;
/// those of a few are inputs of their nodes, as synapses are.
struct GroupView
{
  cell::ChannelKind kind;
  cell::Carrier carrier;
  const cell::ChannelTable* table; ///< of a user's own, in main memory; null: it is of the kind
  std::uint32_t count;
  std::uint32_t firstState;
  std::uint32_t firstInput;             ///< of its inputs, where it is of few nodes
  std::uint32_t firstCurrent;           ///< of its calcium currents
  InMemory<const std::uint32_t> node;   ///< its place
  InMemory<const std::int32_t> channel; ///< per node, -1: none; null where it is of few nodes
  InMemory<const std::int32_t> pool;    ///< of calcium; -1: there is none
  InMemory<const double> conductance;   ///< uS, all open
  InMemory<const double> reversal;      ///< mV; not of a calcium channel that has a pool
  InMemory<const double> parameters;    ///< parameter after parameter
};

/// Calcium under the membrane of a node.
struct CalciumPool
{
  double inflow; ///< mM/ms per nA of calcium current out of the cell, negative
  double decay;  ///< ms
  double rest;   ///< mM
  double start;  ///< mM
};

/// Of a node.
struct alignas(16) RowConstants
{
  double capacitance; ///< nF
  double leak;        ///< uS
  double leakCurrent; ///< nA: leak times its reversal potential
  double coupling;    ///< uS, to the parent
};

/// What all cells of a model share.
struct ModelView
{
  std::uint32_t nodes;
  std::uint32_t groups;
  std::uint32_t rowGroups;    ///< the first ones, which are part of the rows
  std::uint32_t largestGroup; ///< of the others: how many channels it has
  std::uint32_t pools;
  std::uint32_t pieces;
  std::uint32_t pieceNodes; ///< the others are junctions
  std::uint32_t slotCount;
  std::uint32_t rounds;
  InMemory<const RowConstants> rows; ///< per place
  InMemory<const GroupView> group;
  InMemory<const CalciumPool> pool;
  InMemory<const std::uint32_t> firstCurrentOf; ///< of a pool's calcium currents, and the end
  InMemory<const std::uint32_t> currentOf;      ///< their numbers, in the order of groups
  // As in EliminationPlan.
  InMemory<const Piece> piece;
  std::uint32_t firstOfRank[EliminationPlan::kLongestPiece + 1];
  InMemory<const EliminationRound> round;
  InMemory<const EliminationItem> items;
  InMemory<const std::uint32_t> slotEnds;
};

/// Synapses that differ in their places alone.
struct SynapseKind
{
  double tau1, tau2;   ///< ms
  double reversal;     ///< mV
  double magnesium;    ///< mM
  double norm;         ///< makes the peak of an event of weight 1 to 1
  double left1, left2; ///< what is left of a conductance after a step
  double mean1, mean2; ///< its mean over the step, without events
};

/// What an event adds to a synapse in the step in which it comes, uS. In a block events are ordered by step, synapse,
/// time and weight.
struct StepEvent
{
  std::uint32_t step; ///< from the first of the epoch
  std::uint32_t synapse;
  double rising;
  double falling;
  double mean;
};

enum class Quantity : std::uint8_t;

/// What is recorded at the end of every step.
struct ProbeView
{
  Quantity quantity;
  std::uint32_t target;                ///< node * lanes + cell
  std::uint32_t index;                 ///< of the state or the pool; kNothing: there is none
  std::uint32_t parent;                ///< of the node, as the target; kNothing: it has none
  std::uint32_t firstChild, lastChild; ///< of the block's children of probed nodes
  double coupling;                     ///< to the parent, uS
};

/// A child of a node whose membrane current is recorded.
struct ProbedChild
{
  std::uint32_t target;
  double coupling; ///< uS
};

/// A bare tip that has inputs (CompiledCell): a row of its own, which is eliminated before all others.
struct BareTip
{
  std::uint32_t target; ///< of its row
  std::uint32_t parent; ///< target of the node that it is on
  double coupling;      ///< uS
};

inline constexpr std::uint32_t kNothing = 0xFFFFFFFFu;

/// Potentials, channels and the system of a block: what every step reads and writes of every node. Behind the rows of
/// all nodes stand those of bare tips with inputs.
struct NodeArrays
{
  double* v;      ///< mV
  double* right;  ///< right-hand side, nA; of an eliminated node times its inverse; then the potential of a junction
  double* upper;  ///< sum of the row, uS; of an eliminated node the factor of `up`
  double* lower;  ///< factor of `below`; of a bare tip the potential of its parent before the step, mV
  double* states; ///< of the channels
  double* link;   ///< couplings, uS: twice as many as junctions (EliminationPlan)
  // Of the slots: what pieces and junctions pass on.
  double* slotSum;
  double* slotRight;
};

/// A block while it runs, but for its nodes.
struct BlockView
{
  std::uint32_t lanes;
  std::uint32_t channelInputs;
  std::uint32_t synapses;
  std::uint32_t pointSources;
  std::uint32_t inputTargets;
  std::uint32_t tips;
  std::uint32_t probes;
  std::uint32_t events;

  InMemory<double> calcium;        ///< mM
  InMemory<double> calciumCurrent; ///< nA, out of the cell: of a pool
  InMemory<double> channelCurrent; ///< the same of its channels

  // Channels of few nodes (each of all cells), then synapses, then point sources are inputs; those of one target add up
  // in the order of inputOrder.
  InMemory<const SynapseKind> kinds;
  InMemory<const std::uint32_t> kindOf;
  InMemory<const std::uint32_t> synapseTarget;
  double* rising;  ///< not InMemory: a GPU may have it in shared memory
  double* falling; ///< the conductance is falling - rising, uS
  double* mean;    ///< conductance of the step
  InMemory<PointSource> pointSource;
  InMemory<const ClampLevel> clampLevels;
  double* inputConductance; ///< uS
  double* inputCurrent;     ///< nA
  InMemory<const std::uint32_t> inputTarget;
  InMemory<const std::uint32_t> firstInput; ///< of inputOrder, per target, and the end
  InMemory<const std::uint32_t> inputOrder;
  InMemory<const BareTip> tip;

  InMemory<const StepEvent> event;

  // Per cell.
  InMemory<const std::uint32_t> watched; ///< target of its detector
  InMemory<const double> threshold;      ///< mV
  InMemory<std::uint8_t> isAbove;
  double* before;                 ///< potential at the detector before the step
  InMemory<std::uint32_t> spikes; ///< how many
  InMemory<double> spikeTimes;    ///< ms; those of a cell stand spikeSlots apart from those of the next
  std::uint32_t spikeSlots;

  InMemory<const ProbeView> probe;
  InMemory<const ProbedChild> probedChild;
  InMemory<double> records; ///< of a probe: recordStride apart from those of the next
  std::uint32_t recordStride;

  // Of a GPU: in which round of elimination there is first a thread for each junction that is left, and in which a warp
  // is enough; where there is none, the number of rounds.
  std::uint32_t inRegisters = 0;
  std::uint32_t alone = 0;
};

/// How steps are taken.
struct StepRules
{
  double dt;      ///< ms
  bool isHalf;    ///< Crank-Nicolson
  bool asNeuron;  ///< with the order of NEURON's fixed step
  double stimuli; ///< factor of injected currents
  cell::Temperature temperature;
};

} // namespace hinesight::simulation
