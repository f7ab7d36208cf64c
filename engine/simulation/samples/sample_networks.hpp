#pragma once

#include "simulation/network.hpp"
#include "simulation/samples/sample_cells.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::simulation::samples {

/// Copies of a cell that nothing joins; spikes are those of node 0 through `threshold`, mV.
Network copies(std::shared_ptr<const cell::CellModel> model, std::size_t cells = 1, double threshold = 0);

/// Squid axons of one compartment, each of which excites the next after `delay` ms; an event at 1 ms into the first
/// starts them.
Network ring(std::size_t cells = 4, double delay = 5);

/// A sparse random network of copies of a cell, each with a current into its soma.
struct RandomNetwork
{
  std::size_t cells = 1;
  std::size_t inputs = 20;    ///< connections of each cell, from as many random others; 0 of a single cell
  std::size_t synapses = 4;   ///< of each cell, on random nodes, all different; the last of them inhibitory
  double weight = 5e-5;       ///< uS of each connection
  double leastDelay = 1;      ///< ms
  double greatestDelay = 3;   ///< ms
  double leastCurrent = 0;    ///< nA
  double greatestCurrent = 0; ///< nA
  double latestOnset = 10;    ///< ms: currents begin at random times until then
  std::uint64_t seed = 1;
};

Network randomNetwork(std::shared_ptr<const cell::CellModel> model, const RandomNetwork& shape);

/// Of all of its copies. Those with a membrane: the ends of sections are none.
std::size_t compartmentsOf(const Network& network);

} // namespace hinesight::simulation::samples
