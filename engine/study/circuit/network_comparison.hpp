#pragma once

#include "core/fields.hpp"
#include "study/circuit/circuit_study.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// Two networks over the same neurons beside each other: by distance, by degree, by overlap. Where a network has several
// rows of one pair, they are one connection with the sum of their weights.

namespace hinesight::synapse {
class PlasticityModel;
}

namespace hinesight::study {

/// Neurons that are a population of their own among others.
struct NamedNeurons
{
  std::string name;
  std::uint64_t count = 0;

  bool operator==(const NamedNeurons&) const = default;
};

/// The edges of a table or a network, and where their neurons are.
struct ComparedNetwork
{
  io::CircuitEdges edges;
  std::shared_ptr<const projection::Population> sources, targets; ///< null: nobody knows where they are
  bool isWrapped = false;                                         ///< distances are those on the targets' torus
  /// The populations that its neurons are, one after another, sources and targets alike, as a network has them that was
  /// formed or grown between these; empty: the network is of one, or nobody knows.
  std::vector<NamedNeurons> populations = {};

  std::uint64_t sourceCount() const { return edges.offsets.size() - 1; }
};

struct ComparisonParameters
{
  std::uint32_t distanceBins = 32;
  std::uint32_t degreeBins = 32; ///< at most
  int threads = 0;               ///< 0: all of the machine
};

template <typename Visitor>
void visitFields(ComparisonParameters& p, Visitor&& visit)
{
  constexpr double kMostBins = 65'536;
  visit(Field{.name = "distance-bins",
              .label = "Bins of distance",
              .range = from(1, kMostBins),
              .slider = {1, 256, true},
              .help = "Bins from 0 to the greatest distance that a pair can have."},
        p.distanceBins);
  visit(Field{.name = "degree-bins",
              .label = "Bins of degree",
              .range = from(1, kMostBins),
              .slider = {1, 256, true},
              .help = "Most bins from 0 to the greatest degree, each of a whole number of degrees."},
        p.degreeBins);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads that measure the distances of all pairs.",
              .concern = Concern::Machine},
        p.threads);
}

/// The connections of each neuron of a population.
struct DegreeFigures
{
  double mean = 0;
  double deviation = 0; ///< standard deviation of the population
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::vector<std::uint64_t> neurons; ///< bin k has those of degree [k w, (k + 1) w), w that of the comparison
};

/// One of the two networks.
struct NetworkFigures
{
  std::string name;
  std::uint64_t rows = 0;            ///< of the table, several of one pair included
  std::uint64_t synapses = 0;        ///< where a row may stand for several of a pair; 0: of a table
  std::uint64_t connections = 0;     ///< pairs that are connected
  std::uint64_t selfConnections = 0; ///< of a neuron with itself, among them
  double probability = 0;            ///< connections over all pairs of source and target
  double totalWeight = 0;
  double positiveWeight = 0; ///< the sum of those above 0
  double negativeWeight = 0; ///< the sum of those below 0
  DegreeFigures out;         ///< of sources
  DegreeFigures in;          ///< of targets
  /// Connections by distance; empty where positions are not known. A neuron and itself are no pair here.
  std::vector<std::uint64_t> byDistance;
};

struct NetworkComparison
{
  std::string source, target;             ///< populations
  std::uint64_t sources = 0, targets = 0; ///< neurons
  std::array<NetworkFigures, 2> networks;
  std::uint64_t outWidth = 1, inWidth = 1; ///< of the bins of degree
  double distanceWidth = 0;                ///< of the bins of distance, the last of which is closed; unit of positions
  std::vector<std::uint64_t> pairsByDistance; ///< all pairs of source and target, but a neuron and itself

  std::uint64_t inBoth = 0;
  std::array<std::uint64_t, 2> inOneOnly{};
  double jaccard = 0; ///< in both over in either; NaN where neither has a connection
  /// Pearson's, of the weights of connections that are in both; NaN where these are fewer than two, or where a
  /// network's do not differ.
  double weightCorrelation = 0;
  std::vector<std::string> warnings; ///< sentences
};

/// Both must have the same numbers of sources and targets. The same on any number of threads; takes time by the number
/// of all pairs where positions are known. Throws Error(BadParameter), Error(OutOfMemory), Error(Cancelled).
NetworkComparison compareNetworks(const ComparedNetwork& first, const ComparedNetwork& second,
                                  const ComparisonParameters& parameters = {}, const RunControl& control = {});

/// The edges of that name, or those of the connection of that name. Throws Error(BadParameter) that lists the names.
std::vector<ComparedNetwork> networksOf(const Circuit& circuit, const std::string& name);

/// The edges from each of these populations to each of them, as networks of their own with the names "NAME, A to B".
/// `populations`: as ComparedNetwork::populations; together as many neurons as the network has. Throws
/// Error(OutOfMemory), Error(Cancelled).
std::vector<ComparedNetwork> partsOf(const ComparedNetwork& network, const std::vector<NamedNeurons>& populations,
                                     const RunControl& control = {});

/// Compares all edges of two connections that join the same populations. Throws Error(BadParameter) where none do, and
/// as compareNetworks.
std::vector<NetworkComparison> compareConnections(const Circuit& circuit, const std::string& first,
                                                  const std::string& second,
                                                  const ComparisonParameters& parameters = {},
                                                  const RunControl& control = {});

/// What is compared: a connection of a project or, where a file is named, the table or network that it holds, or a
/// network that is there.
struct ComparedSide
{
  std::string connection;
  std::string file;
  std::shared_ptr<const ComparedNetwork> network = {}; ///< in place of both; null: one of them

  bool isOfCircuit() const { return file.empty() && !network; }

  bool operator==(const ComparedSide&) const = default;
};

/// The same of a project, of which the two connections are made and no more. A network of a file whose neurons are
/// populations of the project, one after another, such as one that was grown between them, is compared with all of a
/// formed connection over the same ones; else its parts from one population to another are compared with what joins
/// the same two. Who its neurons are says the file, or the file of neurons beside it; where none does, their number,
/// and a warning says so. What is of other names is compared with those edges that join as many neurons. Throws as
/// makeCircuit and readComparedNetwork, too.
std::vector<NetworkComparison> compareConnections(const model::Project& project, const ComparedSide& first,
                                                  const ComparedSide& second,
                                                  const ComparisonParameters& parameters = {},
                                                  const RunControl& control = {});

/// The same of two files, which readComparedNetwork reads. Where they have other numbers of neurons, those parts are
/// compared that join populations of the same names.
std::vector<NetworkComparison> compareFiles(const ComparedNetwork& first, const ComparedNetwork& second,
                                            const ComparisonParameters& parameters = {},
                                            const RunControl& control = {});

/// A file of a weight table or a network, with the positions that it holds. Nodes of SONATA edges that are not in the
/// file are looked for as findNodes does. `neurons`: files of positions for what has none, as io::parseNeuronFile takes
/// them, of the sources and, where there is a second one, of the targets. Throws as io::importTable, io::readNetwork,
/// findNodes and io::readPositions; Error(BadParameter) where these are of other numbers of neurons.
ComparedNetwork readComparedNetwork(const std::filesystem::path& path, const std::vector<std::string>& neurons = {},
                                    const RunControl& control = {});

/// The network of a model as it stands, whose populations are the areas of its neurons; without a name.
ComparedNetwork comparedNetwork(const synapse::PlasticityModel& model);

/// Writes comparison.json and the tables overlap.csv, by_degree.csv and by_distance.csv to a folder, which is made
/// where it is not there. Throws Error(WriteFailed).
void writeComparisons(const std::vector<NetworkComparison>& comparisons, const std::filesystem::path& folder);

/// Comparisons as JSON, indented: a list of objects.
std::string comparisonsAsJson(const std::vector<NetworkComparison>& comparisons);

} // namespace hinesight::study
