#pragma once

#include "core/run_control.hpp"
#include "io/sonata/circuit_files.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hinesight::io {

/// Edges of a population with all that a simulation needs, in the order of the file.
struct SynapseEdges
{
  std::string file;
  std::string population; ///< of edges
  std::string source, target;
  std::vector<std::uint64_t> sourceNode, targetNode; ///< ids
  std::vector<std::int64_t> type;
  std::vector<double> weight;              ///< NaN: that of the type
  std::vector<double> delay;               ///< ms; NaN: that of the type
  std::vector<std::int64_t> section;       ///< of the target; -1: not said
  std::vector<double> position;            ///< on the section, 0 to 1
  std::vector<std::int64_t> sourceSection; ///< of a gap junction, as above
  std::vector<double> sourcePosition;
  std::vector<std::int64_t> synapses; ///< how many an edge stands for

  std::size_t count() const { return type.size(); }
};

/// All populations of edges of a file. Columns of groups are syn_weight, delay, nsyns, afferent_section_id and _pos (in
/// older files sec_id and sec_x), efferent_section_id and _pos. Throws as Hdf5Reader, Error(BadFormat),
/// Error(OutOfMemory), Error(Cancelled).
std::vector<SynapseEdges> readSynapseEdges(const std::filesystem::path& path, const RunControl& control = {});

/// Writes POPULATION_edges.h5, with both indices, and POPULATION_edge_types.csv to a folder: edges that are ordered by
/// source, with their types by number, weights and delays. `sources`, `targets`: nodes of both ends, whose ids are
/// their numbers. Edges without `section` have no places. Throws Error(WriteFailed), Error(Cancelled).
void writeSynapseEdges(const SynapseEdges& edges, std::uint64_t sources, std::uint64_t targets,
                       const std::vector<SonataType>& types, const std::filesystem::path& folder,
                       const RunControl& control = {});

/// A population of nodes: the ids and the type of each.
struct SonataNodes
{
  std::string population;
  std::vector<std::uint64_t> id;
  std::vector<std::int64_t> type;
};

/// All populations of nodes of a file. Throws as above.
std::vector<SonataNodes> readSonataNodes(const std::filesystem::path& path);

} // namespace hinesight::io
