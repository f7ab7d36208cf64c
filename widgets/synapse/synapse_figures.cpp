#include "widgets/synapse/synapse_figures.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace hinesight::widgets {

namespace {

using synapse::Formation;
using synapse::Position;

constexpr std::size_t kBins = 48;
constexpr std::size_t kBetweenLooks = 1U << 16; ///< synapses from one look whether to stop to the next
constexpr double kMostWeighed = 3e7;            ///< pairs of a seeker and a neuron
constexpr double kLeastSeekers = 12;
constexpr double kMostSeekers = 400;

/// The k-th of numbers in [0, 1) that are spread evenly, however many there are (multiples of the golden ratio). Even
/// steps along the Morton order would fall upon the lowest corners of cells, which are not like other places.
double evenlySpread(std::size_t k)
{
  constexpr double kGoldenRatio = 0.61803398874989485;
  return std::fmod((static_cast<double>(k) + 0.5) * kGoldenRatio, 1.0);
}

double distanceOf(const Position& a, const Position& b)
{
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

std::size_t binOf(double distance, double width)
{
  return std::min(static_cast<std::size_t>(distance / width), kBins - 1);
}

std::uint64_t soughtOf(const Formation& formation, synapse::Channel channel)
{
  const synapse::VacantElements& sought = formation.sought[channel];
  return sought.count.empty() ? 0 : sought.in(0);
}

/// A cell of a level as the leading bits of the Morton codes in it.
std::uint64_t cellOf(std::uint64_t code, int level)
{
  return code >> (3 * (synapse::kDeepestLevel - level));
}

/// A neuron with vacant elements that others seek.
struct SoughtNeuron
{
  Position position; ///< um
  double count;
};

std::vector<SoughtNeuron> soughtNeurons(const Formation& formation, synapse::Channel channel)
{
  const auto& counts = formation.sought[channel].count;
  std::vector<SoughtNeuron> found;
  if (counts.empty())
    return found;
  const auto& position = formation.population->position;
  for (std::size_t neuron = 0; neuron < position.size(); ++neuron)
    if (const std::uint32_t count = counts[formation.tree->leafNode[neuron]]; count > 0)
      found.push_back({position[neuron], static_cast<double>(count)});
  return found;
}

/// The probability of each bin of distance for what a neuron at a place finds, by the kernel at every vacant element;
/// where all of these are 0, by the inverse of the distance. Empty where there is nothing to be found. Nobody finds
/// what is at its own place.
std::vector<double> sharesOfBins(const Position& place, const std::vector<SoughtNeuron>& sought,
                                 const synapse::KernelParameters& kernel, double binWidth)
{
  std::vector<double> share(kBins, 0);
  double total = 0;
  const auto weigh = [&](auto attraction) {
    for (const SoughtNeuron& each : sought) {
      const double x = each.position[0] - place[0];
      const double y = each.position[1] - place[1];
      const double z = each.position[2] - place[2];
      const double distance = std::sqrt(x * x + y * y + z * z);
      if (distance == 0)
        continue;
      const double weight = each.count * attraction(distance);
      share[binOf(distance, binWidth)] += weight;
      total += weight;
    }
  };
  weigh([&](double distance) { return kernelValue(kernel, distance); });
  if (total == 0)
    weigh([](double distance) { return 1 / distance; });
  if (total == 0)
    return {};
  for (double& each : share)
    each /= total;
  return share;
}

struct Crossing
{
  std::uint64_t from;
  std::uint64_t to;
  std::uint32_t synapse;
};

} // namespace

synapse::Channel seekingChannel(const Formation& formation, std::uint32_t neuron)
{
  if (formation.parameters.search.kind == synapse::SearchKind::Inverse) {
    return soughtOf(formation, synapse::kExcitatory) >= soughtOf(formation, synapse::kInhibitory)
               ? synapse::kExcitatory
               : synapse::kInhibitory;
  }
  return formation.population->isInhibitory[neuron] != 0 ? synapse::kInhibitory : synapse::kExcitatory;
}

DistanceFigure measureDistances(const Formation& formation, const RunControl& control)
{
  const auto& position = formation.population->position;
  const auto& synapses = formation.network.synapses;
  const auto distanceAt = [&](std::size_t place) {
    if (place % kBetweenLooks == 0) {
      control.checkpoint();
    }
    return distanceOf(position[synapses[place].source], position[synapses[place].target]);
  };
  DistanceFigure figure;
  // Few synapses are as long as the diagonal; the edge is where the picture ends, and the last bin holds the rest.
  double longest = 0;
  for (std::size_t place = 0; place < synapses.size(); ++place) {
    longest = std::max(longest, distanceAt(place));
  }
  figure.binWidth = (longest > 0 ? longest : std::max(formation.tree->edge, 1.0)) / static_cast<double>(kBins);
  figure.counts.assign(kBins, 0);
  double sum = 0;
  for (std::size_t place = 0; place < synapses.size(); ++place) {
    const auto count = static_cast<std::uint64_t>(std::abs(synapses[place].weight));
    const double distance = distanceAt(place);
    figure.counts[binOf(distance, figure.binWidth)] += count;
    figure.synapses += count;
    sum += static_cast<double>(count) * distance;
  }
  figure.mean = figure.synapses > 0 ? sum / static_cast<double>(figure.synapses) : 0;
  return figure;
}

void addExpectation(DistanceFigure& figure, const Formation& formation, const RunControl& control)
{
  const synapse::Octree& tree = *formation.tree;
  const auto neurons = static_cast<double>(formation.population->position.size());
  const double wanted = std::clamp(std::floor(kMostWeighed / neurons), kLeastSeekers, kMostSeekers);
  const auto seekers = static_cast<std::size_t>(std::min(wanted, neurons));
  const std::array<std::vector<SoughtNeuron>, 2> sought = {soughtNeurons(formation, synapse::kExcitatory),
                                                           soughtNeurons(formation, synapse::kInhibitory)};
  std::vector<std::vector<double>> shares(seekers);
  parallelFor(seekers, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      control.checkpoint();
      const std::uint32_t seeker = tree.order[static_cast<std::size_t>(evenlySpread(k) * neurons)];
      shares[k] = sharesOfBins(formation.population->position[seeker], sought[seekingChannel(formation, seeker)],
                               formation.parameters.search.kernel, figure.binWidth);
    }
  });
  std::erase_if(shares, [](const std::vector<double>& share) { return share.empty(); });
  if (shares.empty()) {
    return;
  }
  const auto counted = static_cast<double>(shares.size());
  const auto draws = static_cast<double>(figure.synapses);
  figure.seekers = static_cast<std::uint32_t>(shares.size());
  figure.expected.resize(kBins);
  figure.deviation.resize(kBins);
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    double sum = 0;
    double squares = 0;
    for (const std::vector<double>& share : shares) {
      sum += share[bin];
      squares += share[bin] * share[bin];
    }
    const double mean = sum / counted;
    const double spread = counted > 1 ? std::max(0.0, squares - counted * mean * mean) / (counted - 1.0) : 0;
    figure.expected[bin] = draws * mean;
    figure.deviation[bin] = std::sqrt(draws * mean * std::max(0.0, 1 - mean) + draws * draws * spread / counted);
  }
}

std::vector<SynapseBundle> bundleSynapses(const Formation& formation, int level, std::size_t most,
                                          const RunControl& control)
{
  const synapse::Octree& tree = *formation.tree;
  const auto& position = formation.population->position;
  std::vector<std::uint64_t> cell(tree.neurons());
  for (std::size_t place = 0; place < tree.neurons(); ++place) {
    cell[tree.order[place]] = cellOf(tree.code[place], level);
  }
  std::vector<Crossing> crossings;
  crossings.reserve(formation.network.synapses.size());
  for (std::uint32_t i = 0; i < formation.network.synapses.size(); ++i) {
    const synapse::Synapse& each = formation.network.synapses[i];
    crossings.push_back({cell[each.source], cell[each.target], i});
  }
  control.checkpoint();
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::tie(a.from, a.to, a.synapse) < std::tie(b.from, b.to, b.synapse);
  });
  control.checkpoint();
  std::vector<SynapseBundle> bundles;
  for (std::size_t begin = 0; begin < crossings.size();) {
    std::size_t end = begin;
    SynapseBundle bundle;
    bundle.from = formation.network.synapses[crossings[begin].synapse].source;
    bundle.to = formation.network.synapses[crossings[begin].synapse].target;
    for (; end < crossings.size() && crossings[end].from == crossings[begin].from &&
           crossings[end].to == crossings[begin].to;
         ++end) {
      const synapse::Synapse& each = formation.network.synapses[crossings[end].synapse];
      bundle.count += static_cast<std::uint64_t>(std::abs(each.weight));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        bundle.source[axis] += position[each.source][axis];
        bundle.target[axis] += position[each.target][axis];
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bundle.source[axis] /= static_cast<double>(end - begin);
      bundle.target[axis] /= static_cast<double>(end - begin);
    }
    bundles.push_back(bundle);
    begin = end;
  }
  std::stable_sort(bundles.begin(), bundles.end(),
                   [](const SynapseBundle& a, const SynapseBundle& b) { return a.count > b.count; });
  bundles.resize(std::min(bundles.size(), most));
  return bundles;
}

} // namespace hinesight::widgets
