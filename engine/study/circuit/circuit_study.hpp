#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "io/runs/run_record.hpp"
#include "io/sonata/circuit_files.hpp"
#include "model/project.hpp"
#include "morphology/morphology.hpp"
#include "projection/populations/population.hpp"
#include "projection/weight_table.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::study {

/// What a connection comes to from one population to another.
struct PopulationJoin
{
  std::string source, target; ///< names of populations
  std::uint64_t rows = 0;     ///< as MadeConnection has them
  std::uint64_t synapses = 0;
  double weight = 0; ///< sum over all rows

  bool operator==(const PopulationJoin&) const = default;
};

/// A connection that was made.
struct MadeConnection
{
  std::string name;
  std::uint64_t rows = 0;     ///< weights of a table, pairs with synapses
  std::uint64_t synapses = 0; ///< of these pairs; 0: of a table
  StageTimings timings;
  std::size_t edgesBegin = 0, edgesEnd = 0; ///< its edges in Circuit::edges: [edgesBegin, edgesEnd)
  std::vector<PopulationJoin> joins = {};   ///< what each of these edges comes to
  std::optional<io::RunRecord> run = {};    ///< for the history; none of edges that were read
  std::shared_ptr<const projection::WeightTable> table =
      {}; ///< of a projection, with the signs of its kernel; else null
};

/// The neurons and edges of a project.
struct Circuit
{
  model::Project project;                                             ///< that it was made of
  std::vector<std::shared_ptr<const morphology::Morphology>> cells;   ///< µm; each of the project; null: of no pool
  std::vector<std::shared_ptr<const projection::Population>> neurons; ///< µm; each population of the project
  std::vector<MadeConnection> connections;                            ///< each of the project
  std::vector<io::CircuitEdges> edges; ///< of tables one each, of synapses formed one for each pair of populations
};

/// What a person may not expect of their tables, in sentences that name the connection.
std::vector<std::string> warningsOf(const std::vector<MadeConnection>& connections);

/// A cell in µm at its place, whatever the unit of its file. Throws as morphology::readSwc and placed.
std::shared_ptr<const morphology::Morphology> readCell(const model::Cell& cell, const RunControl& control = {});

/// The rows of a table as edges, which keep it; without names.
io::CircuitEdges edgesOf(std::shared_ptr<const projection::WeightTable> table, std::uint64_t targets);

/// A folder to write to, with those above it. Throws Error(WriteFailed).
void makeFolder(const std::filesystem::path& folder);

/// Places all neurons and makes all connections, in the order of the project. Throws as model::validate, the readers of
/// files, projection::project and synapse::formSynapses; the Error names the connection.
Circuit makeCircuit(const model::Project& project, const RunControl& control = {});

/// Writes the times of connections as CSV, a line for each stage of each. Throws Error(WriteFailed).
void writeTimings(const Circuit& circuit, const std::filesystem::path& path);

/// Writes the cells of pools into a folder that exists, each as its name and .swc. Throws Error(WriteFailed).
void writeMorphologies(const Circuit& circuit, const std::filesystem::path& folder);

/// Writes the circuit as SONATA files: circuit_config.json, and below it the folders network and morphologies (SONATA
/// Developer Guide). The folder is made where it is not there. Files of an earlier export in it are replaced, each as a
/// whole. Throws Error(WriteFailed), Error(Cancelled).
void exportSonata(const Circuit& circuit, const std::filesystem::path& folder, const RunControl& control = {});

} // namespace hinesight::study
