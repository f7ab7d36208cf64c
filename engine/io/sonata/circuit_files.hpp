#pragma once

#include "core/run_control.hpp"
#include "projection/populations/population.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The files of a circuit as the SONATA Developer Guide says: nodes and edges of each population in an HDF5 file of its
// own, with a table of types (columns apart by blanks) beside it.

namespace hinesight::io {

/// What all nodes or edges of a type have in common: columns and values.
using SonataType = std::vector<std::pair<std::string, std::string>>;

/// Writes a table of types, numbered from 0; what one has not is NULL. `id`: the column of the numbers, "node_type_id".
/// Throws Error(WriteFailed).
void writeTypes(const std::filesystem::path& file, const std::string& id, const std::vector<SonataType>& types);

/// By how many radians each neuron is turned about the x, the y and the z axis. Those about z are turned first, then
/// those about y, then those about x; all axes are those of the world, through the soma. An axis without angles: no
/// neuron is turned about it.
using SonataAngles = std::array<std::vector<double>, 3>;

/// A population of nodes.
struct CircuitNodes
{
  const projection::Population& neurons;
  std::vector<SonataType> types;     ///< at least one
  std::vector<std::uint32_t> typeOf; ///< of each neuron; empty: all are of the first type
  SonataAngles angles;
};

/// Edges from one population to another, ordered by source. The rows live as long as `owner`.
struct CircuitEdges
{
  std::string name; ///< of the file and of the population of edges
  std::string source, target;
  std::uint64_t targets = 0;                  ///< neurons of the target
  std::span<const std::uint64_t> offsets;     ///< rows of source i: [offsets[i], offsets[i + 1])
  std::span<const std::uint32_t> targetOfRow; ///< of each row
  std::span<const float> weight;
  std::span<const float> delay; ///< ms; empty: all have constantDelay
  float constantDelay = 0;
  std::uint64_t synapses = 0; ///< where a row may stand for several of a pair; 0: nobody counted them
  std::shared_ptr<const void> owner;

  std::uint64_t rows() const { return targetOfRow.size(); }
};

/// Writes NAME_nodes.h5 and NAME_node_types.csv. Throws Error(WriteFailed), Error(Cancelled).
void writeCircuitNodes(const CircuitNodes& nodes, const std::filesystem::path& folder, const RunControl& control = {});

/// Writes NAME_edges.h5, with the indices from sources and from targets to edges, and NAME_edge_types.csv. Throws as
/// above.
void writeCircuitEdges(const CircuitEdges& edges, const std::filesystem::path& folder, const RunControl& control = {});

/// Edges of a SONATA file.
struct SonataEdges
{
  std::string file;
  std::string population; ///< of edges; empty: the only one
  std::string types;      ///< the file of the table of their types; empty: none
};

/// Edges in any order, by source and then as the file has them; without names. Weights (syn_weight) and delays are
/// those of the edges, else of their types, else 1. `sources`, `targets`: neurons of both ends. Throws as readFile,
/// Error(BadFormat), Error(OutOfMemory), Error(Cancelled).
CircuitEdges readCircuitEdges(const SonataEdges& from, std::uint64_t sources, std::uint64_t targets,
                              const RunControl& control = {});

/// The type of each node. Throws as Hdf5Reader.
std::vector<std::int64_t> readNodeTypes(const std::string& file, const std::string& population);

/// The angles of nodes, of those axes that the file has. Throws as Hdf5Reader.
SonataAngles readAngles(const std::string& file, const std::string& population);

} // namespace hinesight::io
