#pragma once

#include "core/run_control.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

// What the writers and readers of SONATA files share (SONATA Developer Guide, "Representing nodes" and "Representing
// edges"): a file is laid out by the HDF5 library, its columns are then written to their places.

namespace hinesight::io::detail {

// Attributes of edges that only our files have.
inline constexpr const char* kStepAttribute = "hinesight:step";     ///< of a network: its step
inline constexpr const char* kTableAttribute = "source_population"; ///< of a weight table

/// Of angles about x, y and z, in a group of nodes.
inline constexpr std::array<const char*, 3> kAngleColumns = {"rotation_angle_xaxis", "rotation_angle_yaxis",
                                                             "rotation_angle_zaxis"};

/// Where the columns of a population's nodes begin in the file.
struct NodeColumns
{
  std::uint64_t id, groupIndex;
  std::array<std::uint64_t, 3> position;
};

/// Where the columns begin that edges of every kind have.
struct EdgeColumns
{
  std::uint64_t source, target, groupIndex, weight;
};

/// The attributes by which readers know a SONATA file.
void addSonataRoot(Hdf5Layout& file);

/// /nodes/NAME with one group of x, y and z. All nodes are of the type `typeOfAll`, unless `type` gets the column of
/// their types.
NodeColumns layOutNodes(Hdf5Layout& file, const std::string& name, std::uint64_t count, std::uint64_t* type = nullptr,
                        std::uint32_t typeOfAll = 0);

/// The columns of edges from one population to another: all of group 0, without delays. All are of the type
/// `typeOfAll`, unless `type` gets the column of their types. `text`: how the names of the populations are stored.
EdgeColumns addEdgeColumns(Hdf5Layout& file, const std::string& edges, std::uint64_t rows, const std::string& source,
                           const std::string& target, StoredText text, std::uint64_t* type = nullptr,
                           std::uint32_t typeOfAll = 0);

/// The index from sources to edges, of edges that are ordered by source: those of source i are [offsets[i], offsets[i +
/// 1]).
void addSourceIndex(Hdf5Layout& file, const std::string& edges, const std::vector<std::uint64_t>& offsets);

/// The index from targets to edges, of edges in any order: for each target the runs of edges that end on it.
void addTargetIndex(Hdf5Layout& file, const std::string& edges, std::span<const std::uint32_t> targetOfRow,
                    std::uint64_t targets, const RunControl& control);

/// Where an index lies that is written after the edges.
struct IndexColumns
{
  std::uint64_t ofNode, ofRange;
};

/// Room for the index from targets to edges, of edges that are not in memory: each edge is a range of its own.
IndexColumns layOutTargetIndex(Hdf5Layout& file, const std::string& edges, std::uint64_t rows, std::uint64_t targets);

/// Fills that room: sorts the edges by target, by counting, from the column of targets (EdgeColumns::target) as it is
/// in the file. Takes 8 bytes a target, and up to `memory` bytes besides on all threads together; where 16 bytes an
/// edge are more, the column is read again for each part of the targets. The file is the same for any `memory`. Throws
/// as RowFile, Error(OutOfMemory), Error(Cancelled).
void writeTargetIndex(const RowFile& file, const IndexColumns& index, std::uint64_t targetColumn, std::uint64_t rows,
                      std::uint64_t targets, std::uint64_t memory, const RunControl& control);

/// The tables of the types of a file beside it, FILE_node_types.csv and FILE_edge_types.csv, FILE the path without its
/// ending. Each population of nodes, and each of edges, is of one type, by its place. Throws Error(WriteFailed).
void writeTypesBeside(const std::filesystem::path& file, const std::vector<std::string>& nodePopulations,
                      const std::vector<std::string>& edgePopulations);

/// An index: which ranges each node has, and which edges each range.
void addIndex(Hdf5Layout& file, const std::string& index, std::span<const std::array<std::uint64_t, 2>> ofNode,
              std::span<const std::array<std::uint64_t, 2>> ofRange);

/// The number of edges. Throws Error(BadFormat) where one of the columns does not have a value for each.
std::uint64_t countEdges(const Hdf5Reader& file, const std::string& edges, std::initializer_list<const char*> columns,
                         const std::string& path);

/// The one name in a group. Throws Error(BadFormat) where there is none or several.
std::string onlyName(const Hdf5Reader& file, const std::string& group, const std::string& path);

/// The positions of nodes; empty where the file has none. Throws Error(BadFormat), Error(OutOfMemory).
std::array<std::vector<double>, 3> readNodes(const Hdf5Reader& file, const std::string& nodes, std::uint64_t count,
                                             const std::string& path);

/// The path of a population of nodes; of the only one where no name is given. Throws Error(BadFormat).
std::string nodesNamed(const Hdf5Reader& file, const std::string& population, const std::string& path);

/// The number of nodes of a population: "node_id" is optional.
std::uint64_t countNodes(const Hdf5Reader& file, const std::string& nodes);

/// As readNodes, of a population that must have positions, all of them finite.
std::array<std::vector<double>, 3> readPlacedNodes(const Hdf5Reader& file, const std::string& nodes,
                                                   const std::string& path);

/// Writes value(i) for i in [begin, end) to a column: `values` is room that is used again.
template <typename Value, typename ValueAt>
void writeColumn(const RowFile& file, std::uint64_t column, std::uint64_t begin, std::uint64_t end,
                 std::vector<Value>& values, const ValueAt& valueAt)
{
  values.clear();
  for (std::uint64_t i = begin; i < end; ++i)
    values.push_back(valueAt(i));
  file.write(column + begin * sizeof(Value), values.data(), values.size() * sizeof(Value));
}

} // namespace hinesight::io::detail
