#include "synapse/check/verify_checks.hpp"
#include "synapse/check/verify_reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

// Tests 1, 2 and 7: the octree, what a search gathers in it, and how far what it finds is from the exact kernel.

namespace hinesight::synapse::checks {

namespace {

constexpr double kSpacing = 26; // um

std::string countText(std::size_t count)
{
  return count % 1'000'000 == 0 ? std::to_string(count / 1'000'000) + "M"
         : count % 1'000 == 0   ? std::to_string(count / 1'000) + "k"
                                : std::to_string(count);
}

/// The neurons of a node, which are consecutive in Morton order.
template <typename Body>
void forNeurons(const Octree& tree, std::uint32_t node, const Body& body)
{
  for (std::uint32_t place = tree.leafBegin[node]; place < tree.leafEnd(node); ++place)
    body(tree.order[place]);
}

/// Sums of a node by brute force.
struct NodeSum
{
  std::uint64_t count = 0;
  Position centroid = {};
};

NodeSum sumOf(const Octree& tree, const std::vector<Position>& positions, const std::vector<std::uint32_t>& vacant,
              std::uint32_t node)
{
  NodeSum sum;
  forNeurons(tree, node, [&](std::uint32_t neuron) {
    sum.count += vacant[neuron];
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum.centroid[axis] += vacant[neuron] * (positions[neuron][axis] - tree.lowest[axis]);
  });
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum.centroid[axis] = sum.count > 0 ? tree.lowest[axis] + sum.centroid[axis] / static_cast<double>(sum.count) : 0;
  return sum;
}

struct TreeErrors
{
  double counts = 0;   ///< nodes whose count is not the sum over their neurons
  double centroid = 0; ///< greatest error, in units of the greatest coordinate
  double outside = 0;  ///< neurons outside of their cell, by more than the 2^-32 of the box that codes are rounded to
};

double greatestCoordinate(const std::vector<Position>& positions)
{
  double most = 0;
  for (const Position& position : positions)
    for (const double x : position)
      most = std::max(most, std::abs(x));
  return most;
}

TreeErrors errorsOf(const Octree& tree, const std::vector<Position>& positions,
                    const std::vector<std::uint32_t>& vacant, const VacantElements& sums)
{
  TreeErrors errors;
  const double most = greatestCoordinate(positions);
  const double margin = tree.edge * 0x1p-31;
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    const NodeSum sum = sumOf(tree, positions, vacant, node);
    errors.counts += sum.count != sums.count[node];
    const Position corner = tree.cellCorner(node);
    const double edge = tree.cellEdge(node);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      errors.centroid =
          std::max(errors.centroid, std::abs(sum.centroid[axis] - double{sums.centroid[node][axis]}) / most);
      forNeurons(tree, node, [&](std::uint32_t neuron) {
        const double at = positions[neuron][axis] - corner[axis];
        errors.outside += at < -margin || at > edge + margin;
      });
    }
  }
  return errors;
}

/// Nodes that a subtree does not divide into consecutive children.
double brokenNodes(const Octree& tree)
{
  double broken = 0;
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    if (tree.isLeaf(node)) {
      broken +=
          tree.leafEnd(node) != tree.leafBegin[node] + 1 || tree.leafNode[tree.order[tree.leafBegin[node]]] != node;
      continue;
    }
    std::uint32_t end = tree.leafBegin[node];
    int children = 0;
    for (std::uint32_t child = node + 1; child < tree.next[node]; child = tree.next[child], ++children) {
      broken += tree.leafBegin[child] != end || tree.level[child] <= tree.level[node];
      end = tree.leafEnd(child);
    }
    broken += end != tree.leafEnd(node) || children < 2;
  }
  return broken;
}

std::vector<std::uint32_t> randomVacant(std::size_t neurons, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> vacant(neurons);
  for (std::uint32_t& count : vacant)
    count = random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random() % 5);
  return vacant;
}

void checkTree(Session& session, std::size_t neurons)
{
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.8, 17);
  FormationParameters parameters;
  parameters.backend = session.parameters.backend;
  parameters.threads = session.parameters.threads;
  parameters.dendrites = 3;
  parameters.search.theta = 0.5; // the fastest: what is found does not matter here
  const auto formation = formSynapses(population, parameters, session.control);
  const Octree& tree = *formation->tree;
  const std::vector<std::uint32_t> vacant(neurons, parameters.dendrites);
  const TreeErrors errors = errorsOf(tree, population->position, vacant, formation->sought[kExcitatory]);
  const std::string subject = countText(neurons) + " neurons";
  session.atMost(subject + ", structure", "nodes that are not the sum of their children", brokenNodes(tree), 0);
  session.atMost(subject + ", counts", "nodes whose count is wrong", errors.counts, 0);
  session.atMost(subject + ", centroids", "greatest error, of the greatest coordinate", errors.centroid, 1.3e-7);
  session.atMost(subject + ", cells", "neurons outside of their cell", errors.outside, 0);
  const double all = 3.0 * static_cast<double>(neurons);
  session.atMost(subject + ", root", "difference from all vacant elements",
                 std::abs(formation->sought[kExcitatory].count[0] - all), 0);
}

/// Uneven and missing vacant elements, apart for the two channels, and the same branchings as a tree of pointers.
void checkUnevenTree(Session& session)
{
  const std::size_t neurons = session.size(3'000, 30'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.8, 19);
  const auto tree = makeOctree(population->position, session.parameters.threads, session.control);
  TreeErrors errors;
  double zeroes = 0;
  for (const std::uint64_t seed : {1, 2}) {
    const std::vector<std::uint32_t> vacant = randomVacant(neurons, seed);
    const VacantElements sums = sumVacant(*tree, population->position, vacant, session.parameters.threads);
    const TreeErrors found = errorsOf(*tree, population->position, vacant, sums);
    errors.counts += found.counts;
    errors.centroid = std::max(errors.centroid, found.centroid);
    for (std::size_t node = 0; node < tree->nodes(); ++node)
      zeroes += sums.count[node] == 0 && sums.centroid[node] != std::array<float, 3>{};
  }
  session.atMost("uneven vacant elements, counts", "nodes whose count is wrong", errors.counts, 0);
  session.atMost("uneven vacant elements, centroids", "greatest error, of the greatest coordinate", errors.centroid,
                 1.3e-7);
  session.atMost("uneven vacant elements, empty nodes", "empty nodes with a centroid", zeroes, 0);
  const std::vector<std::uint32_t> one(neurons, 1);
  const reference::Tree pointers(population->position, one, tree->lowest, tree->edge);
  session.atMost("against a tree of pointers", "difference in branchings and leaves",
                 std::abs(static_cast<double>(pointers.branchings()) - static_cast<double>(tree->nodes())), 0);
}

// Test 2.

/// What a gather may be wrong about, summed up over many seekers.
struct GatherErrors
{
  double uncovered = 0;   ///< vacant neurons that are not below exactly one gathered node
  double nearby = 0;      ///< gathered inner nodes that are too near
  double far = 0;         ///< expanded nodes that are far enough
  double probability = 0; ///< greatest error of a probability, relative to the greatest of its gather
  double gathers = 0;
};

/// A gather of one seeker below one node.
struct Gather
{
  const Octree& tree;
  const std::vector<Position>& positions;
  const std::vector<std::uint32_t>& vacant;
  const SearchParameters& search;
  std::uint32_t seeker;
  std::uint32_t from;
  const std::vector<AcceptedNode>& accepted;

  double distance(const Position& at) const { return std::sqrt(reference::squaredDistance(at, positions[seeker])); }

  /// The criterion L / d < theta by how much: below 1 a node is to be weighed as a whole.
  double criterion(std::uint32_t node) const
  {
    return tree.cellEdge(node) / (search.theta * distance(sumOf(tree, positions, vacant, node).centroid));
  }

  void addCoverage(GatherErrors& errors) const
  {
    std::vector<std::uint8_t> covers(tree.neurons(), 0);
    for (const AcceptedNode& node : accepted)
      forNeurons(tree, node.node, [&](std::uint32_t neuron) { ++covers[neuron]; });
    forNeurons(tree, from, [&](std::uint32_t neuron) {
      // Neurons without vacant elements may lie below a gathered node; the seeker and those at its place must not.
      const bool isHere = positions[neuron] == positions[seeker];
      errors.uncovered += isHere ? covers[neuron] != 0 : vacant[neuron] > 0 ? covers[neuron] != 1 : covers[neuron] > 1;
    });
  }

  void addCriterion(GatherErrors& errors) const
  {
    constexpr double kSlack = 1e-5; // decisions are in single precision
    const double atRounding = greatestCoordinate(positions) * 0x1p-20;
    std::vector<std::uint8_t> isAccepted(tree.nodes(), 0);
    for (const AcceptedNode& node : accepted) {
      isAccepted[node.node] = 1;
      errors.nearby += !tree.isLeaf(node.node) && criterion(node.node) >= 1 + kSlack;
    }
    for (std::uint32_t node = from + 1; node < tree.next[from];) {
      if (isAccepted[node] || tree.isLeaf(node) || sumOf(tree, positions, vacant, node).count == 0) {
        node = tree.next[node];
        continue;
      }
      errors.far += criterion(node) < 1 - kSlack && tree.cellEdge(node) > atRounding;
      ++node;
    }
  }

  void addProbabilities(GatherErrors& errors) const
  {
    std::vector<double> wanted;
    double sum = 0, most = 0;
    for (const AcceptedNode& node : accepted) {
      const NodeSum weights = sumOf(tree, positions, vacant, node.node);
      const double value = reference::kernel(search.kernel, distance(weights.centroid));
      wanted.push_back(static_cast<double>(weights.count) * value);
      sum += wanted.back();
      most = std::max(most, wanted.back());
    }
    for (std::size_t i = 0; i < accepted.size() && sum > 0; ++i)
      errors.probability =
          std::max(errors.probability, std::abs(accepted[i].probability - wanted[i] / sum) / (most / sum));
  }
};

void addGathers(const Session& session, const Octree& tree, const std::vector<Position>& positions,
                const std::vector<std::uint32_t>& vacant, const SearchParameters& search, std::uint32_t seeker,
                GatherErrors& errors)
{
  const VacantElements sums = sumVacant(tree, positions, vacant, session.parameters.threads);
  std::uint32_t from = 0;
  while (true) {
    const std::vector<AcceptedNode> accepted = acceptedNodes(tree, positions, sums, seeker, from, search);
    const Gather gather{tree, positions, vacant, search, seeker, from, accepted};
    gather.addCoverage(errors);
    gather.addCriterion(errors);
    gather.addProbabilities(errors);
    ++errors.gathers;
    // Descend where there is most to see.
    const auto inner = std::ranges::max_element(
        accepted, {}, [&](const AcceptedNode& node) { return tree.isLeaf(node.node) ? 0.0 : node.probability; });
    if (inner == accepted.end() || tree.isLeaf(inner->node))
      return;
    from = inner->node;
  }
}

void reportGathers(Session& session, const std::string& subject, const GatherErrors& errors)
{
  const std::string of = subject + ", " + std::to_string(static_cast<int>(errors.gathers)) + " gathers";
  session.atMost(of + ", exact cover", "vacant neurons that are not below exactly one node", errors.uncovered, 0);
  session.atMost(of + ", acceptance", "gathered nodes too near, expanded ones far enough", errors.nearby + errors.far,
                 0);
  session.atMost(of + ", probabilities", "greatest error, of the greatest of a gather", errors.probability, 1e-5);
}

void checkGathersOf(Session& session, const std::string& subject, const std::vector<Position>& positions,
                    std::size_t seekers)
{
  const auto tree = makeOctree(positions, session.parameters.threads, session.control);
  const std::vector<std::uint32_t> vacant = randomVacant(positions.size(), 5);
  GatherErrors errors;
  for (std::size_t i = 0; i < seekers; ++i) {
    session.control.checkpoint();
    SearchParameters search;
    search.kernel = gaussianKernel(150);
    search.theta = std::array{0.1, 0.2, 0.3, 0.4, 0.5}[i % 5];
    const auto seeker = static_cast<std::uint32_t>(i * 7'919 % positions.size());
    addGathers(session, *tree, positions, vacant, search, seeker, errors);
  }
  reportGathers(session, subject, errors);
}

/// Groups of neurons at one place, and others closer to each other than single precision tells apart.
std::vector<Position> crowdedPositions(std::size_t count)
{
  std::vector<Position> positions = makeRandomPopulation(count, kSpacing, 1, 23)->position;
  for (std::size_t i = 0; i + 4 < count; i += 10) {
    positions[i + 1] = positions[i];
    positions[i + 2] = positions[i];
    positions[i + 4] = positions[i + 3];
  }
  return positions;
}

// Test 7.

/// The distribution that the engine's own gathers induce.
std::vector<double> engineDistribution(const Octree& tree, const std::vector<Position>& positions,
                                       const VacantElements& sums, std::uint32_t seeker, const SearchParameters& search)
{
  std::vector<double> probability(positions.size(), 0);
  std::vector<std::pair<std::uint32_t, double>> open = {{0, 1.0}};
  while (!open.empty()) {
    const auto [from, share] = open.back();
    open.pop_back();
    for (const AcceptedNode& node : acceptedNodes(tree, positions, sums, seeker, from, search)) {
      if (tree.isLeaf(node.node))
        probability[tree.order[tree.leafBegin[node.node]]] += share * node.probability;
      else if (node.probability > 0)
        open.emplace_back(node.node, share * node.probability);
    }
  }
  return probability;
}

/// Mean total variation from the exact kernel that was measured with another program (plasticity_model.md, section 7).
struct ApproximationRow
{
  std::size_t neurons;
  double sigma;
  std::vector<std::pair<double, double>> variation; ///< by theta, rising
};

std::vector<ApproximationRow> approximationTable(const Session& session)
{
  std::vector<ApproximationRow> table = {
      {1'000, 750, {{0.1, 5.3e-6}, {0.2, 7.9e-5}, {0.3, 2.5e-4}, {0.4, 3.5e-4}, {0.5, 4.2e-4}}}};
  if (session.quick())
    return table;
  table.push_back({10'000, 750, {{0.1, 7.6e-5}, {0.2, 3.2e-4}, {0.3, 7.1e-4}, {0.4, 1.2e-3}, {0.5, 1.4e-3}}});
  table.push_back({100'000, 750, {{0.2, 5.9e-4}, {0.3, 1.6e-3}, {0.4, 2.2e-3}, {0.5, 3.3e-3}}});
  table.push_back({50'000, 100, {{0.1, 1.1e-4}, {0.2, 2.9e-3}, {0.3, 9.3e-3}, {0.4, 1.7e-2}, {0.5, 2.4e-2}}});
  table.push_back({800'000, 750, {{0.3, 6.1e-3}}});
  return table;
}

constexpr std::size_t kSourcesOfRow = 40;

/// Mean over sources of the total variation between what the reference's tree induces and the exact kernel.
double meanVariation(const Session& session, const reference::Tree& tree, const std::vector<Position>& positions,
                     const std::vector<std::uint32_t>& vacant, double sigma, double theta)
{
  const KernelParameters kernel = gaussianKernel(sigma);
  double sum = 0;
  for (std::size_t i = 0; i < kSourcesOfRow; ++i) {
    session.control.checkpoint();
    const auto seeker = static_cast<std::uint32_t>(i * positions.size() / kSourcesOfRow);
    sum += reference::totalVariation(tree.inducedDistribution(seeker, theta, kernel),
                                     reference::exactDistribution(positions, vacant, seeker, kernel));
  }
  return sum / static_cast<double>(kSourcesOfRow);
}

void checkApproximationRow(Session& session, const ApproximationRow& row)
{
  const auto population = makeRandomPopulation(row.neurons, kSpacing, 1, 29);
  const auto tree = makeOctree(population->position, session.parameters.threads, session.control);
  const std::vector<std::uint32_t> vacant(row.neurons, 1);
  const reference::Tree pointers(population->position, vacant, tree->lowest, tree->edge);
  constexpr double kAllowed = 1.5;
  double last = 0;
  double falls = 0;
  for (const auto& [theta, measured] : row.variation) {
    const double variation = meanVariation(session, pointers, population->position, vacant, row.sigma, theta);
    const std::string subject = countText(row.neurons) + " neurons, sigma " +
                                std::to_string(static_cast<int>(row.sigma)) + ", theta " +
                                std::to_string(theta).substr(0, 3);
    session.atMost(subject, "total variation from the exact kernel", variation, kAllowed * measured);
    falls += variation < last;
    last = variation;
  }
  session.atMost(countText(row.neurons) + " neurons, sigma " + std::to_string(static_cast<int>(row.sigma)),
                 "times that it grows as theta falls", falls, 0);
}

/// The engine's gathers induce what the reference's tree does: with it, what holds of one holds of the other.
void checkEngineInduces(Session& session)
{
  const std::size_t neurons = session.size(1'000, 10'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 1, 31);
  const auto tree = makeOctree(population->position, session.parameters.threads, session.control);
  const std::vector<std::uint32_t> vacant = randomVacant(neurons, 7);
  const VacantElements sums = sumVacant(*tree, population->position, vacant, session.parameters.threads);
  const reference::Tree pointers(population->position, vacant, tree->lowest, tree->edge);
  for (const NamedKernel& kernel : someKernels()) {
    SearchParameters search;
    search.kernel = kernel.parameters;
    double most = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      session.control.checkpoint();
      const auto seeker = static_cast<std::uint32_t>(i * 331);
      most = std::max(most,
                      reference::totalVariation(engineDistribution(*tree, population->position, sums, seeker, search),
                                                pointers.inducedDistribution(seeker, search.theta, kernel.parameters)));
    }
    session.atMost(kernel.name + ", theta 0.3, engine's gathers", "total variation from the reference's", most, 1e-4);
  }
}

} // namespace

void checkTrees(Session& session)
{
  checkTree(session, session.size<std::size_t>(2'000, 100'000));
  if (!session.quick())
    checkTree(session, 1'000'000);
  checkUnevenTree(session);
}

void checkGathers(Session& session)
{
  const std::size_t neurons = session.size<std::size_t>(1'000, 20'000);
  checkGathersOf(session, countText(neurons) + " neurons", makeRandomPopulation(neurons, kSpacing, 1, 37)->position,
                 session.size<std::size_t>(10, 50));
  checkGathersOf(session, "neurons at one place", crowdedPositions(session.size<std::size_t>(500, 5'000)),
                 session.size<std::size_t>(10, 50));
}

void checkApproximation(Session& session)
{
  for (const ApproximationRow& row : approximationTable(session))
    checkApproximationRow(session, row);
  checkEngineInduces(session);
}

} // namespace hinesight::synapse::checks
