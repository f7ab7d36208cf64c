#pragma once

#include "cell/cell_model.hpp"
#include "cell/mechanism.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::simulation {

/// Channels of one kind on a cell, one per node that has it: structure of arrays.
struct ChannelGroup
{
  cell::ChannelKind kind;
  cell::Carrier carrier;
  std::vector<std::int32_t> node;
  std::vector<double> conductance; ///< uS, all open
  std::vector<double> reversal;    ///< mV; not of a calcium channel that has a pool
  std::vector<std::int32_t> pool;  ///< of calcium; -1: there is none
  std::vector<double> parameters;  ///< parameter after parameter
  std::size_t firstState = 0;      ///< state after state, each of all channels of the group

  std::size_t size() const { return node.size(); }
};

/// Calcium under the membrane of a node.
struct CalciumPool
{
  std::int32_t node;
  double inflow; ///< mM/ms per nA of calcium current out of the cell, negative
  double decay;  ///< ms
  double rest;   ///< mM
};

/// A model with all that does not change while it runs, in absolute units.
struct CompiledCell
{
  CompiledCell(const cell::CellModel& model, const cell::Temperature& temperature);

  std::size_t nodes() const { return parent.size(); }

  std::vector<std::int32_t> parent;
  std::vector<double> coupling;       ///< uS, to the parent
  std::vector<double> capacitance;    ///< nF
  std::vector<double> leak;           ///< uS
  std::vector<double> leakCurrent;    ///< nA: leak times its reversal potential
  std::vector<ChannelGroup> channels; ///< those that change the calcium first, those that it gates last
  std::vector<CalciumPool> pools;
  std::vector<std::int32_t> poolOfNode; ///< -1: none
  std::size_t states = 0;               ///< of all channels
  double startPotential = -65;          ///< mV
};

/// Calcium where no mechanism says it, and outside: mM (NEURON).
inline constexpr double kUsualCalcium = 5e-5;
inline constexpr double kCalciumOutside = 2;

} // namespace hinesight::simulation
