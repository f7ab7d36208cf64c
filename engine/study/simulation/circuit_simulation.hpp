#pragma once

#include "core/run_control.hpp"
#include "io/sonata/simulation_configuration.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::study {

/// Where a node of a circuit is in the network that is simulated.
struct SimulatedNode
{
  enum class Kind : std::uint8_t
  {
    Cell,        ///< with form and channels
    PointNeuron, ///< without
    Train        ///< virtual: given spikes
  };

  Kind kind;
  std::uint32_t index; ///< among those of its kind
};

struct SimulatedPopulation
{
  std::string name;
  std::vector<std::uint64_t> ids; ///< of the nodes
  std::vector<SimulatedNode> nodes;
};

/// A node of which something is recorded: a probe for each element, one after the other.
struct ReportedNode
{
  std::size_t population;
  std::uint64_t id;
  std::uint32_t firstProbe;
  std::vector<std::uint32_t> section;
  std::vector<double> position; ///< on its section
};

struct SimulatedReport
{
  io::ReportRequest request;
  std::vector<ReportedNode> nodes; ///< by population
};

/// A circuit of files, ready to be simulated.
struct CircuitSimulation
{
  simulation::Network network;
  double celsius = 34;
  std::optional<simulation::Scheme> scheme; ///< that the files ask for
  std::uint64_t seed = 1;                   ///< of all that was drawn
  std::vector<SimulatedPopulation> populations;
  std::vector<SimulatedReport> reports;
  std::uint64_t edges = 0;        ///< that were read
  std::uint64_t synapses = 0;     ///< that they stand for; those alike on a node are one of the network
  std::uint64_t junctions = 0;    ///< gap junctions
  std::vector<std::string> notes; ///< what is not honoured or was chosen, one sentence each
  /// Names of connections of a session that take no part, since they end on neurons that are simulated but have no
  /// synapses there. The notes say so too.
  std::vector<std::string> withoutSynapses;
};

/// Reads all files that the configuration names. `seed`: of all that is by chance, such as places of synapses that the
/// edges do not say; none: that of the configuration, else 1. Throws as readFile and Hdf5Reader, Error(BadFormat) with
/// the node, the edge or the type that cannot be simulated, Error(OutOfMemory), Error(Cancelled).
CircuitSimulation buildSimulation(const io::SimulationConfiguration& configuration, std::optional<std::uint64_t> seed,
                                  const RunControl& control = {});

} // namespace hinesight::study
