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

/// Trains of spikes of virtual nodes: from a file, or by chance.
struct SpikeInput
{
  /// Spikes of each node without memory, at a rate (Poisson).
  struct Poisson
  {
    double rate;  ///< Hz
    double delay; ///< ms
    double duration;
    std::optional<std::uint64_t> seed; ///< else that of the run
  };

  std::string name;
  NodeSets nodes;
  std::filesystem::path file;
  std::optional<Poisson> poisson; ///< there is no file
};

/// Where on a cell an input goes: "soma", "axon", "dend" or "apic", which of these sections, and where on it.
struct InputPlace
{
  std::string sections = "soma";
  std::size_t index = 0;
  double position = 0.5;
};

/// Current: a step, or several.
struct CurrentInput
{
  struct Step
  {
    double amplitude; ///< nA
    double delay;     ///< ms
    double duration;
  };

  std::string name;
  NodeSets nodes;
  InputPlace place;
  std::vector<Step> steps;
};

/// offset + amplitude sin(2 pi frequency (t - delay) + phase).
struct SinusoidInput
{
  std::string name;
  NodeSets nodes;
  InputPlace place;
  double amplitude; ///< nA
  double frequency; ///< Hz
  double delay;     ///< ms
  double duration;
  double phase = 0;  ///< rad
  double offset = 0; ///< nA
};

/// Current by chance, with a memory (Uhlenbeck and Ornstein 1930); each cell has its own.
struct NoiseInput
{
  std::string name;
  NodeSets nodes;
  InputPlace place;
  double mean;      ///< nA
  double deviation; ///< nA
  double tau;       ///< ms
  double delay;     ///< ms
  double duration;
  std::optional<std::uint64_t> seed; ///< else that of the run
};

/// Potentials that a clamp holds one after the other, through a resistance.
struct ClampInput
{
  struct Level
  {
    double potential; ///< mV
    double duration;  ///< ms
  };

  std::string name;
  NodeSets nodes;
  InputPlace place;
  std::vector<Level> levels;
  double resistance; ///< MOhm
  double delay = 0;  ///< ms
};

/// What is recorded of nodes.
struct ReportRequest
{
  enum class Quantity : std::uint8_t
  {
    Potential,
    Calcium,
    MembraneCurrent,
    ClampCurrent,
    State ///< a gate of a channel
  };

  std::string name;
  NodeSets nodes;
  std::string variable; ///< as the file has it: "v", "cai", "m_NaTs"
  std::string file;
  Quantity quantity = Quantity::Potential;
  std::string mechanism, state; ///< of a state: "NaTs", "m"

  /// Of which sections: "soma" (its middle), "all", "axon", "dend" or "apic".
  std::string sections = "soma";
  bool isOfCentres = false; ///< one place a section, its middle
  /// The values of a cell, or of its soma alone, are added up to one.
  bool isSummed = false;

  std::optional<double> interval; ///< ms; else the time step
  double start = 0;               ///< ms
  std::optional<double> stop;     ///< ms; else that of the run

  bool isOfSoma() const { return sections == "soma"; }
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
  std::optional<std::uint64_t> seed;    ///< of all that is by chance
  std::optional<bool> isSecondOrder;    ///< Crank-Nicolson, else backward Euler; none: nothing is said
  bool detectsInAxon = false;           ///< spikes at the middle of its second section, else of the soma

  std::vector<Files> nodes, edges;
  std::filesystem::path morphologies, cellModels, pointModels, synapseModels, mechanisms; ///< folders; empty: not named

  std::vector<SpikeInput> spikes;
  std::vector<CurrentInput> currents;
  std::vector<SinusoidInput> sinusoids;
  std::vector<NoiseInput> noises;
  std::vector<ClampInput> clamps;
  std::vector<ReportRequest> reports;
  std::filesystem::path outputFolder;
  std::string spikesFile = "spikes.h5";

  std::vector<std::string> notes; ///< what of it is not honoured, one sentence each
};

/// Reads it, and the files that it names for its circuit and its sets of nodes. Throws as readFile, Error(BadFormat)
/// with the entry that is wrong or that is not known.
SimulationConfiguration readSimulationConfiguration(const std::filesystem::path& path);

} // namespace hinesight::io
