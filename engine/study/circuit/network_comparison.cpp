#include "study/circuit/network_comparison.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/edge_rows.hpp"
#include "synapse/formation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

namespace hinesight::study {

namespace {

using model::ConnectionKind;
using projection::Population;
using projection::Position;

constexpr std::uint64_t kSourcesBetweenChecks = 1024;

/// Connected pairs, ordered by source, then target, each once.
struct Pairs
{
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> target;
  std::vector<double> weight;

  std::uint64_t sources() const { return offsets.size() - 1; }
};

Pairs pairsOf(const io::CircuitEdges& edges, const RunControl& control)
{
  requireMemory(edges.rows() * (sizeof(std::uint32_t) + sizeof(double)), "The pairs of \"" + edges.name + "\"");
  Pairs pairs;
  pairs.offsets.push_back(0);
  pairs.target.reserve(edges.rows());
  pairs.weight.reserve(edges.rows());
  std::vector<std::uint64_t> order;
  for (std::size_t source = 0; source + 1 < edges.offsets.size(); ++source) {
    if (source % kSourcesBetweenChecks == 0)
      control.checkpoint();
    order.resize(edges.offsets[source + 1] - edges.offsets[source]);
    std::iota(order.begin(), order.end(), edges.offsets[source]);
    // Stable, so that the sum of a pair's weights is that of its rows in their order.
    std::ranges::stable_sort(order, {}, [&](std::uint64_t row) { return edges.targetOfRow[row]; });
    for (const std::uint64_t row : order)
      if (pairs.target.size() > pairs.offsets.back() && pairs.target.back() == edges.targetOfRow[row])
        pairs.weight.back() += edges.weight[row];
      else {
        pairs.target.push_back(edges.targetOfRow[row]);
        pairs.weight.push_back(edges.weight[row]);
      }
    pairs.offsets.push_back(pairs.target.size());
  }
  return pairs;
}

/// Calls body(source, target, weight) for every connected pair.
template <typename Body>
void forPairs(const Pairs& pairs, const RunControl& control, const Body& body)
{
  for (std::uint64_t source = 0; source < pairs.sources(); ++source) {
    if (source % kSourcesBetweenChecks == 0)
      control.checkpoint();
    for (std::uint64_t k = pairs.offsets[source]; k < pairs.offsets[source + 1]; ++k)
      body(source, pairs.target[k], pairs.weight[k]);
  }
}

void requireSameNeurons(const ComparedNetwork& first, const ComparedNetwork& second)
{
  const auto require = [&](const char* end, std::uint64_t a, std::uint64_t b) {
    if (a != b)
      throw Error(ErrorCode::BadParameter, "\"" + first.edges.name + "\" has " + std::to_string(a) + " " + end +
                                               " neurons and \"" + second.edges.name + "\" has " + std::to_string(b) +
                                               "; networks over the same neurons are needed.");
  };
  require("source", first.sourceCount(), second.sourceCount());
  require("target", first.edges.targets, second.edges.targets);
}

// --- Degrees --------------------------------------------------------------------------------------------------------

std::array<std::vector<std::uint64_t>, 2> degreesOf(const Pairs& pairs, std::uint64_t targets)
{
  std::array<std::vector<std::uint64_t>, 2> degrees;
  degrees[1].assign(targets, 0);
  for (std::uint64_t source = 0; source < pairs.sources(); ++source)
    degrees[0].push_back(pairs.offsets[source + 1] - pairs.offsets[source]);
  for (const std::uint32_t target : pairs.target)
    ++degrees[1][target];
  return degrees;
}

DegreeFigures figuresOf(const std::vector<std::uint64_t>& degrees)
{
  DegreeFigures figures;
  if (degrees.empty())
    return figures;
  const auto [least, most] = std::ranges::minmax(degrees);
  figures.least = least;
  figures.most = most;
  const std::vector<double> values(degrees.begin(), degrees.end());
  const double count = static_cast<double>(values.size());
  figures.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values)
    squares += (value - figures.mean) * (value - figures.mean);
  figures.deviation = std::sqrt(squares / count);
  return figures;
}

/// The figures of both networks with bins that they have in common. Returns their width.
std::uint64_t compareDegrees(const std::array<const std::vector<std::uint64_t>*, 2>& degrees,
                             const std::array<DegreeFigures*, 2>& figures, std::uint64_t mostBins)
{
  for (std::size_t k = 0; k < 2; ++k)
    *figures[k] = figuresOf(*degrees[k]);
  const std::uint64_t values = std::max(figures[0]->most, figures[1]->most) + 1;
  const std::uint64_t width = (values + mostBins - 1) / mostBins;
  for (std::size_t k = 0; k < 2; ++k) {
    figures[k]->neurons.assign((values + width - 1) / width, 0);
    for (const std::uint64_t degree : *degrees[k])
      ++figures[k]->neurons[degree / width];
  }
  return width;
}

// --- Distance -------------------------------------------------------------------------------------------------------

std::vector<Position> positionsOf(const Population& population)
{
  requireMemory(population.count() * sizeof(Position), "The positions of \"" + population.name() + "\"");
  std::vector<Position> positions(population.count());
  for (std::uint64_t i = 0; i < positions.size(); ++i)
    positions[i] = population.position(i);
  return positions;
}

/// Bins distances of pairs.
class DistanceBins
{
public:
  DistanceBins(const ComparedNetwork& network, bool isRecurrent, std::uint32_t bins)
      : sources(positionsOf(*network.sources)), targets(positionsOf(*network.targets)), count(bins),
        leavesSelfOut(isRecurrent)
  {
    if (network.isWrapped)
      period = network.targets->period();
    const auto [lowSource, highSource] = network.sources->bounds();
    const auto [lowTarget, highTarget] = network.targets->bounds();
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double most = std::max(highTarget[axis] - lowSource[axis], highSource[axis] - lowTarget[axis]);
      if (period[axis] > 0)
        most = period[axis] / 2;
      square += most * most;
    }
    // Neurons that all lie at one point are 0 apart, in a bin of some width.
    width = square > 0 ? std::sqrt(square) / bins : 1;
  }

  double binWidth() const { return width; }
  bool isPair(std::uint64_t source, std::uint64_t target) const { return !leavesSelfOut || source != target; }

  std::size_t binOf(std::uint64_t source, std::uint64_t target) const
  {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double d = std::abs(targets[target][axis] - sources[source][axis]);
      if (period[axis] > 0)
        d = std::abs(std::remainder(d, period[axis]));
      square += d * d;
    }
    return std::min<std::size_t>(count - 1, static_cast<std::size_t>(std::sqrt(square) / width));
  }

  /// Of all pairs: whole numbers, whose sum is the same in any order.
  std::vector<std::uint64_t> allPairs(int threads, const RunControl& control) const
  {
    constexpr std::uint64_t kPairsBetweenChecks = 1 << 20;
    std::vector<std::uint64_t> all(count, 0);
    std::mutex guard;
    std::uint64_t done = 0;
    const std::uint64_t step =
        std::max<std::uint64_t>(1, kPairsBetweenChecks / std::max<std::size_t>(1, targets.size()));
    const auto countPairs = [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint64_t> part(count, 0);
      for (std::size_t from = begin; from < end; from += step) {
        const std::size_t to = std::min<std::size_t>(end, from + step);
        for (std::size_t source = from; source < to; ++source)
          for (std::size_t target = 0; target < targets.size(); ++target) {
            if (target % kPairsBetweenChecks == 0)
              control.checkpoint();
            if (isPair(source, target))
              ++part[binOf(source, target)];
          }
        const std::lock_guard lock(guard);
        done += to - from;
        control.report("compare", static_cast<double>(done) / static_cast<double>(sources.size()));
      }
      const std::lock_guard lock(guard);
      for (std::size_t bin = 0; bin < count; ++bin)
        all[bin] += part[bin];
    };
    parallelFor(sources.size(), 1, countPairs, threads);
    return all;
  }

private:
  std::vector<Position> sources, targets;
  std::size_t count;
  bool leavesSelfOut;
  Position period{};
  double width = 1;
};

/// The network whose positions are used; null where neither has any.
const ComparedNetwork* placedOf(const ComparedNetwork& first, const ComparedNetwork& second,
                                std::vector<std::string>& warnings)
{
  const auto isPlaced = [](const ComparedNetwork& network) { return network.sources && network.targets; };
  if (!isPlaced(first) && !isPlaced(second)) {
    warnings.emplace_back("Nobody knows where the neurons are; nothing is compared by distance.");
    return nullptr;
  }
  const auto liesElsewhere = [](const Population& a, const Population& b) {
    for (std::uint64_t i = 0; i < a.count(); ++i)
      if (a.position(i) != b.position(i))
        return true;
    return false;
  };
  const ComparedNetwork& placed = isPlaced(first) ? first : second;
  if (isPlaced(first) && isPlaced(second) &&
      (liesElsewhere(*first.sources, *second.sources) || liesElsewhere(*first.targets, *second.targets)))
    warnings.push_back("The neurons of \"" + second.edges.name + "\" lie elsewhere than those of \"" +
                       first.edges.name + "\"; distances are those of \"" + first.edges.name + "\".");
  return &placed;
}

// --- Overlap --------------------------------------------------------------------------------------------------------

void compareOverlap(NetworkComparison& comparison, const std::array<Pairs, 2>& pairs, const RunControl& control)
{
  std::array<std::vector<double>, 2> common; // weights of pairs in both
  const auto& [a, b] = pairs;
  for (std::uint64_t source = 0; source < a.sources(); ++source) {
    if (source % kSourcesBetweenChecks == 0)
      control.checkpoint();
    std::uint64_t i = a.offsets[source], j = b.offsets[source];
    while (i < a.offsets[source + 1] && j < b.offsets[source + 1]) {
      if (a.target[i] == b.target[j]) {
        common[0].push_back(a.weight[i++]);
        common[1].push_back(b.weight[j++]);
      } else if (a.target[i] < b.target[j])
        ++i;
      else
        ++j;
    }
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  comparison.inBoth = common[0].size();
  for (std::size_t k = 0; k < 2; ++k)
    comparison.inOneOnly[k] = pairs[k].target.size() - comparison.inBoth;
  const std::uint64_t inEither = comparison.inBoth + comparison.inOneOnly[0] + comparison.inOneOnly[1];
  comparison.jaccard = inEither > 0 ? static_cast<double>(comparison.inBoth) / static_cast<double>(inEither) : kNone;
  const auto differ = [](const std::vector<double>& weights) {
    return std::ranges::any_of(weights, [&](double w) { return w != weights.front(); });
  };
  comparison.weightCorrelation =
      differ(common[0]) && differ(common[1]) ? synapse::correlation(common[0], common[1]) : kNone;
}

void takeWeights(NetworkFigures& figures, const Pairs& pairs, bool isRecurrent, const RunControl& control)
{
  figures.connections = pairs.target.size();
  forPairs(pairs, control, [&](std::uint64_t source, std::uint64_t target, double weight) {
    (weight < 0 ? figures.negativeWeight : figures.positiveWeight) += weight;
    if (isRecurrent && source == target)
      ++figures.selfConnections;
  });
  figures.totalWeight = figures.positiveWeight + figures.negativeWeight;
}

} // namespace

NetworkComparison compareNetworks(const ComparedNetwork& first, const ComparedNetwork& second,
                                  const ComparisonParameters& parameters, const RunControl& control)
{
  validateFields(fieldsOf(parameters));
  requireSameNeurons(first, second);
  NetworkComparison comparison;
  comparison.source = first.edges.source;
  comparison.target = first.edges.target;
  comparison.sources = first.sourceCount();
  comparison.targets = first.edges.targets;
  const bool isRecurrent = comparison.source == comparison.target;
  const std::array<Pairs, 2> pairs = {pairsOf(first.edges, control), pairsOf(second.edges, control)};
  auto& networks = comparison.networks;
  networks[0].name = first.edges.name;
  networks[1].name = second.edges.name;
  const double allPairs = static_cast<double>(comparison.sources) * static_cast<double>(comparison.targets);
  for (std::size_t k = 0; k < 2; ++k) {
    networks[k].rows = (k == 0 ? first : second).edges.rows();
    networks[k].synapses = (k == 0 ? first : second).edges.synapses;
    takeWeights(networks[k], pairs[k], isRecurrent, control);
    networks[k].probability = allPairs > 0 ? static_cast<double>(networks[k].connections) / allPairs : 0;
  }
  const std::array degrees = {degreesOf(pairs[0], comparison.targets), degreesOf(pairs[1], comparison.targets)};
  comparison.outWidth =
      compareDegrees({&degrees[0][0], &degrees[1][0]}, {&networks[0].out, &networks[1].out}, parameters.degreeBins);
  comparison.inWidth =
      compareDegrees({&degrees[0][1], &degrees[1][1]}, {&networks[0].in, &networks[1].in}, parameters.degreeBins);
  compareOverlap(comparison, pairs, control);
  if (const ComparedNetwork* const placed = placedOf(first, second, comparison.warnings)) {
    const DistanceBins bins(*placed, isRecurrent, parameters.distanceBins);
    comparison.distanceWidth = bins.binWidth();
    comparison.pairsByDistance = bins.allPairs(parameters.threads, control);
    for (std::size_t k = 0; k < 2; ++k) {
      networks[k].byDistance.assign(parameters.distanceBins, 0);
      forPairs(pairs[k], control, [&](std::uint64_t source, std::uint64_t target, double) {
        if (bins.isPair(source, target))
          ++networks[k].byDistance[bins.binOf(source, target)];
      });
    }
  }
  return comparison;
}

std::vector<ComparedNetwork> networksOf(const Circuit& circuit, const std::string& name)
{
  std::vector<ComparedNetwork> networks;
  std::string known;
  const auto add = [&](const model::Connection& connection, const io::CircuitEdges& edges) {
    const auto neuronsOf = [&](const std::string& population) {
      return circuit.neurons[static_cast<std::size_t>(model::findPopulation(circuit.project, population) -
                                                      circuit.project.populations.data())];
    };
    const bool isWrapped = connection.kind == model::ConnectionKind::Projection && connection.projection.wrap;
    networks.push_back({edges, neuronsOf(edges.source), neuronsOf(edges.target), isWrapped});
  };
  for (std::size_t k = 0; k < circuit.connections.size(); ++k) {
    const MadeConnection& made = circuit.connections[k];
    known += (known.empty() ? "" : ", ") + made.name;
    for (std::size_t e = made.edgesBegin; e < made.edgesEnd; ++e)
      if (made.name == name || circuit.edges[e].name == name)
        add(circuit.project.connections[k], circuit.edges[e]);
  }
  if (networks.empty())
    throw Error(ErrorCode::BadParameter,
                "The circuit has no connection \"" + name + "\"; there are: " + (known.empty() ? "none" : known) + ".");
  return networks;
}

std::vector<ComparedNetwork> partsOf(const ComparedNetwork& network, const std::vector<NamedNeurons>& populations,
                                     const RunControl& control)
{
  const io::CircuitEdges& edges = network.edges;
  std::vector<std::uint64_t> begin = {0};
  for (const NamedNeurons& population : populations)
    begin.push_back(begin.back() + population.count);
  requireMemory(edges.rows() * (sizeof(std::uint32_t) + sizeof(float)), "The parts of \"" + edges.name + "\"");
  const auto synapsesOf = [](std::span<const float> weights) {
    double sum = 0;
    for (const float weight : weights)
      sum += std::abs(double{weight});
    return static_cast<std::uint64_t>(sum);
  };
  const bool weightsCountSynapses = edges.synapses > 0 && synapsesOf(edges.weight) == edges.synapses;
  const auto placed = [&](const std::shared_ptr<const Population>& all,
                          std::size_t place) -> std::shared_ptr<const Population> {
    if (!all || begin[place] == begin[place + 1])
      return nullptr;
    std::array<std::vector<double>, 3> positions;
    for (std::uint64_t neuron = begin[place]; neuron < begin[place + 1]; ++neuron)
      for (std::size_t axis = 0; axis < 3; ++axis)
        positions[axis].push_back(all->position(neuron)[axis]);
    return projection::populationAt(populations[place].name, std::move(positions));
  };
  std::vector<ComparedNetwork> parts;
  for (std::size_t from = 0; from < populations.size(); ++from) {
    std::vector<std::shared_ptr<EdgeRows>> rowsTo(populations.size());
    for (auto& rows : rowsTo)
      rows = std::make_shared<EdgeRows>();
    for (std::uint64_t source = begin[from]; source < begin[from + 1]; ++source) {
      if (source % kSourcesBetweenChecks == 0)
        control.checkpoint();
      for (std::uint64_t row = edges.offsets[source]; row < edges.offsets[source + 1]; ++row) {
        const std::uint32_t target = edges.targetOfRow[row];
        const auto to = static_cast<std::size_t>(std::ranges::upper_bound(begin, target) - begin.begin()) - 1;
        rowsTo[to]->add(static_cast<std::uint32_t>(target - begin[to]), edges.weight[row]);
      }
      for (const auto& rows : rowsTo)
        rows->endSource();
    }
    const auto sources = placed(network.sources, from);
    for (std::size_t to = 0; to < populations.size(); ++to) {
      ComparedNetwork part;
      part.edges = edgesOf(rowsTo[to], populations[to].count);
      part.edges.name = edges.name + ", " + populations[from].name + " to " + populations[to].name;
      part.edges.source = populations[from].name;
      part.edges.target = populations[to].name;
      part.edges.synapses = weightsCountSynapses ? synapsesOf(part.edges.weight) : 0;
      part.sources = sources;
      part.targets = from == to ? sources : placed(network.targets, to);
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

namespace {

/// "E + I": one after another.
std::string joinedName(const std::vector<NamedNeurons>& populations)
{
  std::string name;
  for (const NamedNeurons& each : populations)
    name += (name.empty() ? "" : " + ") + each.name;
  return name;
}

/// All parts of a formed connection as one network over its populations, one after another: what a file of a network
/// holds that was formed or grown between them.
ComparedNetwork joinedNetwork(const Circuit& circuit, const std::string& name)
{
  const auto made = std::ranges::find(circuit.connections, name, &MadeConnection::name);
  const auto place = static_cast<std::size_t>(made - circuit.connections.begin());
  const std::vector<std::string>& between = circuit.project.connections[place].between;
  const std::span<const io::CircuitEdges> parts(&circuit.edges[made->edgesBegin], made->edgesEnd - made->edgesBegin);
  const auto rows = std::make_shared<EdgeRows>();
  for (std::size_t from = 0; from < between.size(); ++from) {
    const auto ofSources = parts.subspan(from * between.size(), between.size());
    for (std::size_t source = 0; source + 1 < ofSources.front().offsets.size(); ++source) {
      std::uint64_t begin = 0;
      for (const io::CircuitEdges& part : ofSources) {
        for (std::uint64_t row = part.offsets[source]; row < part.offsets[source + 1]; ++row)
          rows->add(static_cast<std::uint32_t>(begin + part.targetOfRow[row]), part.weight[row]);
        begin += part.targets;
      }
      rows->endSource();
    }
  }
  std::vector<NamedNeurons> joined;
  for (std::size_t k = 0; k < between.size(); ++k)
    joined.push_back({between[k], parts[k].targets});
  const std::string populations = joinedName(joined);
  std::array<std::vector<double>, 3> positions;
  const auto neurons = joinedNeurons(circuit, between);
  for (const Position& position : neurons->position)
    for (std::size_t axis = 0; axis < 3; ++axis)
      positions[axis].push_back(position[axis]);
  ComparedNetwork network;
  network.edges = edgesOf(rows, rows->offsets.size() - 1);
  network.edges.name = name;
  network.edges.source = network.edges.target = populations;
  network.edges.synapses = made->synapses;
  network.sources = network.targets = projection::populationAt(populations, std::move(positions));
  network.populations = std::move(joined);
  return network;
}

/// All that join the same neurons: those of the same populations, or as many.
std::vector<NetworkComparison> compareAll(const std::vector<ComparedNetwork>& first,
                                          const std::vector<ComparedNetwork>& second, bool isByName,
                                          const ComparisonParameters& parameters, const RunControl& control)
{
  const auto joinTheSame = [&](const io::CircuitEdges& a, const io::CircuitEdges& b) {
    return isByName ? a.source == b.source && a.target == b.target
                    : a.offsets.size() == b.offsets.size() && a.targets == b.targets;
  };
  std::vector<NetworkComparison> comparisons;
  for (const ComparedNetwork& one : first)
    for (const ComparedNetwork& other : second)
      if (joinTheSame(one.edges, other.edges))
        comparisons.push_back(compareNetworks(one, other, parameters, control));
  return comparisons;
}

/// One of two things that are compared: all of it, and what it consists of.
struct Side
{
  std::optional<ComparedNetwork> whole; ///< over several populations
  std::vector<ComparedNetwork> parts;   ///< from one population to another; else the one network that it is
  std::string warning;                  ///< a sentence; empty: none
};

/// The populations whose neurons a network of a file has, as far as the circuit has them.
std::vector<NamedNeurons> populationsIn(const ComparedNetwork& network, const Circuit& circuit, std::string& warning)
{
  const auto countsOf = [&](const std::vector<std::string>& names) {
    std::vector<NamedNeurons> populations;
    for (const std::string& name : names)
      if (const model::Population* const found = model::findPopulation(circuit.project, name))
        populations.push_back(
            {name, circuit.neurons[static_cast<std::size_t>(found - circuit.project.populations.data())]->count()});
    return populations;
  };
  if (!network.populations.empty())
    return network.populations;
  if (network.sourceCount() != network.edges.targets)
    return {};
  std::vector<std::vector<std::string>> lists;
  if (circuit.project.grow)
    lists.push_back(circuit.project.grow->source.populations);
  for (const model::Connection& connection : circuit.project.connections)
    lists.push_back(populationsOf(connection));
  for (const std::vector<std::string>& names : lists) {
    std::vector<NamedNeurons> populations = countsOf(names);
    std::uint64_t all = 0;
    for (const NamedNeurons& each : populations)
      all += each.count;
    if (populations.size() < 2 || populations.size() != names.size() || all != network.sourceCount())
      continue;
    warning = "\"" + network.edges.name + "\" does not say whose its neurons are; they were taken as those of " +
              joinedName(populations) + ", one population after another.";
    return populations;
  }
  return {};
}

Side sideOf(const Circuit& circuit, const ComparedSide& wanted, const RunControl& control)
{
  Side side;
  if (!wanted.isOfCircuit()) {
    ComparedNetwork network = wanted.network ? *wanted.network : readComparedNetwork(wanted.file, {}, control);
    const std::vector<NamedNeurons> populations = populationsIn(network, circuit, side.warning);
    if (populations.size() < 2) {
      side.parts = {std::move(network)};
      return side;
    }
    network.edges.source = network.edges.target = joinedName(populations);
    side.parts = partsOf(network, populations, control);
    side.whole = std::move(network);
    return side;
  }
  side.parts = networksOf(circuit, wanted.connection);
  const auto formed = std::ranges::find(circuit.project.connections, wanted.connection, &model::Connection::name);
  if (formed != circuit.project.connections.end() && formed->kind == ConnectionKind::Formed &&
      formed->between.size() > 1)
    side.whole = joinedNetwork(circuit, wanted.connection);
  return side;
}

/// Both as a whole, else the parts of both. By the names of populations, else by their numbers of neurons: a file may
/// have names of its own.
std::vector<NetworkComparison> compareSides(const Side& first, const Side& second,
                                            const ComparisonParameters& parameters, const RunControl& control)
{
  const auto all = [](const Side& side) {
    return side.whole ? std::vector{*side.whole} : std::vector<ComparedNetwork>();
  };
  const auto either = [&](const Side& side) { return side.whole ? all(side) : side.parts; };
  std::vector<NetworkComparison> comparisons;
  for (const bool isByName : {true, false}) {
    if (comparisons.empty())
      comparisons = compareAll(all(first), all(second), isByName, parameters, control);
    if (comparisons.empty())
      comparisons = compareAll(first.parts, second.parts, isByName, parameters, control);
    if (comparisons.empty() && !isByName)
      comparisons = compareAll(either(first), either(second), isByName, parameters, control);
  }
  for (NetworkComparison& comparison : comparisons)
    for (const Side* const side : {&first, &second})
      if (!side->warning.empty())
        comparison.warnings.push_back(side->warning);
  return comparisons;
}

} // namespace

std::vector<NetworkComparison> compareConnections(const Circuit& circuit, const std::string& first,
                                                  const std::string& second, const ComparisonParameters& parameters,
                                                  const RunControl& control)
{
  const auto comparisons =
      compareAll(networksOf(circuit, first), networksOf(circuit, second), true, parameters, control);
  if (comparisons.empty())
    throw Error(ErrorCode::BadParameter, "The connections \"" + first + "\" and \"" + second +
                                             "\" do not join the same populations; choose two that do.");
  return comparisons;
}

std::vector<NetworkComparison> compareConnections(const model::Project& project, const ComparedSide& first,
                                                  const ComparedSide& second, const ComparisonParameters& parameters,
                                                  const RunControl& control)
{
  constexpr double kMaking = 0.5; // of the progress
  std::vector<model::Connection> wanted;
  std::vector<std::string> populations;
  for (const model::Connection& connection : project.connections)
    for (const ComparedSide* const side : {&first, &second})
      if (side->isOfCircuit() && side->connection == connection.name &&
          std::ranges::find(wanted, connection.name, &model::Connection::name) == wanted.end()) {
        wanted.push_back(connection);
        for (const std::string& population : populationsOf(connection))
          if (std::ranges::find(populations, population) == populations.end())
            populations.push_back(population);
      }
  const bool hasOther = !first.isOfCircuit() || !second.isOfCircuit();
  if (hasOther && project.grow)
    for (const std::string& population : project.grow->source.populations)
      if (std::ranges::find(populations, population) == populations.end())
        populations.push_back(population);
  model::Project part = partWith(project, populations);
  part.connections = std::move(wanted);
  part.compute = project.compute;
  if (hasOther)
    part.grow = project.grow;
  const Circuit circuit = makeCircuit(part, control.part(0, kMaking));
  if (!hasOther)
    return compareConnections(circuit, first.connection, second.connection, parameters, control.part(kMaking, 1));
  const Side sides[] = {sideOf(circuit, first, control), sideOf(circuit, second, control)};
  auto comparisons = compareSides(sides[0], sides[1], parameters, control.part(kMaking, 1));
  if (comparisons.empty()) {
    const auto nameOf = [](const ComparedSide& side) {
      return side.network ? side.network->edges.name : side.file.empty() ? side.connection : side.file;
    };
    throw Error(ErrorCode::BadParameter, "\"" + nameOf(first) + "\" and \"" + nameOf(second) +
                                             "\" do not join as many neurons; choose two networks over the same ones.");
  }
  return comparisons;
}

std::vector<NetworkComparison> compareFiles(const ComparedNetwork& first, const ComparedNetwork& second,
                                            const ComparisonParameters& parameters, const RunControl& control)
{
  const bool areAlike = first.sourceCount() == second.sourceCount() && first.edges.targets == second.edges.targets;
  if (!areAlike) {
    const auto parts = [&](const ComparedNetwork& network) {
      return network.populations.size() > 1 ? partsOf(network, network.populations, control) : std::vector{network};
    };
    if (auto comparisons = compareAll(parts(first), parts(second), true, parameters, control); !comparisons.empty())
      return comparisons;
  }
  return {compareNetworks(first, second, parameters, control)};
}

} // namespace hinesight::study
