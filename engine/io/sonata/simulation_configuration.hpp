#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::io {

/// Nodes of a circuit that have all of what is said here; nothing said: all nodes.
struct NodeSet
{
  std::optional<std::string> population;
  std::optional<std::vector<std::uint64_t>> ids;
  /// Columns of the table of node types, and the values of which a node has one.
  std::vector<std::pair<std::string, std::vector<std::string>>> properties;
};
/// Nodes that are in any of them.
using NodeSets = std::vector<NodeSet>;

/// Trains of spikes of virtual nodes, from a file.
struct SpikeInput
{
  std::string name;
  NodeSets nodes;
  std::filesystem::path file;
};

/// Current into the middle of the soma.
struct CurrentInput
{
  std::string name;
  NodeSets nodes;
  double amplitude; ///< nA
  double delay;     ///< ms
  double duration;
};

/// What is recorded of nodes.
struct ReportRequest
{
  std::string name;
  NodeSets nodes;
  std::string variable; ///< "v" or "cai"
  bool isOfSoma = true; ///< else of all sections
  std::string file;
};

/// A configuration of a simulation (SONATA Developer Guide, "Simulation configuration"), with that of its circuit and
/// its sets of nodes. Paths are resolved.
struct SimulationConfiguration
{
  struct Files
  {
    std::filesystem::path file;  ///< of nodes or edges
    std::filesystem::path types; ///< empty: none
  };

  std::filesystem::path file;
  double stop = 0;            ///< ms
  double timeStep = 0.1;      ///< ms
  double longestSegment = 40; ///< um: twice the file's dL
  double threshold = -15;     ///< mV
  std::optional<double> celsius;
  std::optional<double> startPotential; ///< mV

  std::vector<Files> nodes, edges;
  std::filesystem::path morphologies, cellModels, pointModels, synapseModels; ///< folders; empty: not named

  std::vector<SpikeInput> spikes;
  std::vector<CurrentInput> currents;
  std::vector<ReportRequest> reports;
  std::filesystem::path outputFolder;
  std::string spikesFile = "spikes.h5";

  std::vector<std::string> notes; ///< what of it is not honoured, one sentence each
};

/// Reads it, and the files that it names for its circuit and its sets of nodes. Throws as readFile, Error(BadFormat)
/// with the entry that is wrong or that is not known.
SimulationConfiguration readSimulationConfiguration(const std::filesystem::path& path);

} // namespace hinesight::io
