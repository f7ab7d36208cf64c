#include "synapse/search/search.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "synapse/search/search_parts.hpp"
#include "synapse/search/search_step.hpp"

#include <atomic>
#include <numeric>

namespace hinesight::synapse {

namespace {

/// What a search reads of the nodes of a tree, made where it is asked for.
class TreeView
{
public:
  TreeView(const Octree& octree, const VacantElements& elements, const SearchParameters& searchParameters)
      : tree(octree), sought(elements), parameters(searchParameters), box(boxOf(octree)), reach(greatestCoordinate(box))
  {}

  std::uint32_t end() const { return static_cast<std::uint32_t>(tree.nodes()); }
  std::uint64_t vacant(std::uint32_t index) const { return sought.in(index); }

  SearchNode node(std::uint32_t index) const
  {
    const bool isLeaf = tree.isNeuron(index);
    const float limit = parameters.kind == SearchKind::Naive
                            ? naiveLimit(isLeaf)
                            : acceptanceLimit(isLeaf, tree.cellEdge(index), parameters.theta, reach);
    const std::array<float, 3>& at = sought.centroid[index];
    return searchNode({at[0], at[1], at[2]}, sought.in(index), limit, tree.next[index]);
  }

  CellBounds cell(std::uint32_t index) const
  {
    if (!tree.isNeuron(index))
      return cellBounds(box, tree.code[tree.leafBegin[index]], tree.level[index]);
    const std::array<float, 3>& at = sought.centroid[index];
    return {{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
  }

private:
  const Octree& tree;
  const VacantElements& sought;
  const SearchParameters& parameters;
  OctreeBox box;
  double reach;
};

/// Neurons that seek, in Morton order.
std::vector<std::uint32_t> seekersOf(const Octree& tree, std::span<const std::uint32_t> vacant)
{
  std::vector<std::uint32_t> seekers;
  for (const std::uint32_t neuron : tree.order)
    if (vacant[neuron] > 0)
      seekers.push_back(neuron);
  return seekers;
}

std::vector<Request> collectRequests(const Octree& tree, std::span<const std::uint64_t> first,
                                     std::span<const std::uint32_t> foundNode)
{
  std::vector<Request> requests;
  requests.reserve(foundNode.size());
  for (std::uint32_t neuron = 0; neuron + 1 < first.size(); ++neuron)
    for (std::uint64_t at = first[neuron]; at < first[neuron + 1]; ++at)
      if (foundNode[at] != kNoTarget)
        requests.push_back(
            {neuron, static_cast<std::uint32_t>(at - first[neuron]), tree.order[tree.leafBegin[foundNode[at]]]});
  return requests;
}

Seeker<float> seekerAt(std::span<const Position> positions, std::uint32_t neuron)
{
  const Position& at = positions[neuron];
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
}

/// The weights of what a walk accepts.
template <Falloff kFalloff, bool kExact>
std::vector<AcceptedNode> weighedNodes(const TreeView& view, const KernelForm& form, const Seeker<float>& seeker,
                                       std::uint32_t begin, std::uint32_t end)
{
  std::vector<AcceptedNode> nodes;
  walk<kFalloff, kExact>(view, form, seeker, begin, end, [&nodes](std::uint32_t node, double weight) {
    nodes.push_back({node, weight});
    return false;
  });
  return nodes;
}

double sumOf(const std::vector<AcceptedNode>& nodes)
{
  return std::accumulate(nodes.begin(), nodes.end(), 0.0,
                         [](double sum, const AcceptedNode& node) { return sum + node.probability; });
}

template <bool kExact>
std::vector<AcceptedNode> weighedWithFallback(const TreeView& view, const KernelParameters& kernel,
                                              const Seeker<float>& seeker, std::uint32_t begin, std::uint32_t end)
{
  const KernelForm form = kernelForm(kernel);
  auto nodes = withFalloff(
      form.falloff, [&]<Falloff kFalloff>() { return weighedNodes<kFalloff, kExact>(view, form, seeker, begin, end); });
  if (sumOf(nodes) == 0)
    nodes = weighedNodes<Falloff::InverseDistance, kExact>(view, inverseDistanceForm(), seeker, begin, end);
  return nodes;
}

template <bool kExact>
std::vector<std::uint32_t> descentFrom(const TreeView& view, const KernelForm& form, const Seeker<float>& seeker,
                                       const SearchKey& key, std::uint32_t element)
{
  std::vector<std::uint32_t> picks;
  withFalloff(form.falloff, [&]<Falloff kFalloff>() {
    const double sum = sumWeights<kFalloff, kExact>(view, form, seeker, kFirstNode, view.end());
    const auto pick = [&](double threshold) {
      return pickNode<kFalloff, kExact>(view, form, seeker, kFirstNode, view.end(), 0, threshold);
    };
    findTarget<kFalloff, kExact>(view, form, seeker, key, element, sum, pick,
                                 [&picks](std::uint32_t node) { picks.push_back(node); });
  });
  return picks;
}

} // namespace

detail::SearchArrays detail::makeSearchArrays(const Octree& tree, const VacantElements& sought,
                                              const SearchParameters& parameters, int threads)
{
  constexpr std::size_t kGrain = 1 << 13;
  const TreeView view(tree, sought, parameters);
  SearchArrays arrays;
  arrays.nodes.resize(tree.nodes());
  if (parameters.kind == SearchKind::Exact)
    arrays.cells.resize(tree.nodes());
  parallelFor(
      tree.nodes(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (auto node = static_cast<std::uint32_t>(begin); node < end; ++node) {
          arrays.nodes[node] = view.node(node);
          if (!arrays.cells.empty())
            arrays.cells[node] = view.cell(node);
        }
      },
      threads);
  return arrays;
}

std::vector<std::uint64_t> detail::firstRequests(std::span<const std::uint32_t> vacant,
                                                 std::span<const std::uint32_t> neurons)
{
  std::vector<std::uint64_t> first(vacant.size() + 1);
  for (std::size_t i = 0; i < vacant.size(); ++i) {
    if (vacant[i] > kMostElements)
      throw Error(ErrorCode::BadParameter, "Neuron " + std::to_string(neurons.empty() ? i : neurons[i]) + " has " +
                                               std::to_string(vacant[i]) + " vacant elements; " +
                                               std::to_string(kMostElements) + " is the most that can seek at once.");
    first[i + 1] = first[i] + vacant[i];
  }
  return first;
}

void detail::requireSearchMemory(std::uint64_t elements, std::size_t nodes)
{
  requireMemory(elements * (sizeof(Request) + sizeof(std::uint32_t)) +
                    nodes * (sizeof(SearchNode) + sizeof(CellBounds)),
                "A search of " + std::to_string(elements) + " vacant elements");
}

detail::SearchJob detail::jobOf(const SearchArrays& arrays, const VacantElements& sought, Channel channel,
                                std::uint32_t step, const SearchParameters& parameters)
{
  SearchJob job{};
  job.view = {arrays.nodes.data(), arrays.cells.data(), sought.count.data(),
              static_cast<std::uint32_t>(arrays.nodes.size())};
  job.form = kernelForm(parameters.kernel);
  job.exact = parameters.kind == SearchKind::Exact;
  job.seed = parameters.seed;
  job.step = step;
  job.channel = channel;
  return job;
}

void detail::searchInParallel(const SearchJob& job, std::size_t seekers, int threads, const RunControl& control)
{
  constexpr std::size_t kChunk = 512;
  const SearchSeekers search = bestSearch();
  std::atomic<std::size_t> done = 0;
  parallelFor((seekers + kChunk - 1) / kChunk, 1,
              [&](std::size_t first, std::size_t last) {
                const auto marks = std::make_unique_for_overwrite<WalkMark[]>(kMostMarks);
                for (std::size_t chunk = first; chunk < last; ++chunk) {
                  const std::size_t begin = chunk * kChunk;
                  const std::size_t end = std::min(seekers, begin + kChunk);
                  search(job, begin, end, marks.get(), control);
                  const std::size_t before = done.fetch_add(end - begin);
                  control.report("search", static_cast<double>(before + end - begin) / static_cast<double>(seekers));
                }
              },
              threads);
}

void validate(const SearchParameters& parameters)
{
  validateFields(fieldsOf(parameters));
}

std::vector<Request> searchTargets(const Octree& tree, std::span<const Position> positions,
                                   std::span<const std::uint32_t> vacant, const VacantElements& sought, Channel channel,
                                   std::uint32_t step, const SearchParameters& parameters, int threads,
                                   const RunControl& control)
{
  validate(parameters);
  const std::vector<std::uint64_t> first = detail::firstRequests(vacant);
  const std::vector<std::uint32_t> seekers = seekersOf(tree, vacant);
  detail::requireSearchMemory(first.back(), tree.nodes());
  control.report("search", 0);
  const detail::SearchArrays arrays = detail::makeSearchArrays(tree, sought, parameters, threads);
  std::vector<std::uint32_t> foundNode(first.back());
  detail::SearchJob job = detail::jobOf(arrays, sought, channel, step, parameters);
  job.seekers = seekers.data();
  job.positions = positions.data();
  job.vacant = vacant.data();
  job.firstRequest = first.data();
  job.foundNode = foundNode.data();
  detail::searchInParallel(job, seekers.size(), threads, control);
  return collectRequests(tree, first, foundNode);
}

std::vector<AcceptedNode> acceptedNodes(const Octree& tree, std::span<const Position> positions,
                                        const VacantElements& sought, std::uint32_t seeker, std::uint32_t from,
                                        const SearchParameters& parameters)
{
  validate(parameters);
  const TreeView view(tree, sought, parameters);
  const Seeker<float> at = seekerAt(positions, seeker);
  auto nodes = parameters.kind == SearchKind::Exact
                   ? weighedWithFallback<true>(view, parameters.kernel, at, from + 1, tree.next[from])
                   : weighedWithFallback<false>(view, parameters.kernel, at, from + 1, tree.next[from]);
  const double sum = sumOf(nodes);
  for (AcceptedNode& node : nodes)
    node.probability /= sum;
  return nodes;
}

std::vector<std::uint32_t> descentOf(const Octree& tree, std::span<const Position> positions,
                                     const VacantElements& sought, std::uint32_t seeker, std::uint32_t element,
                                     Channel channel, std::uint32_t step, const SearchParameters& parameters)
{
  validate(parameters);
  const TreeView view(tree, sought, parameters);
  const Seeker<float> at = seekerAt(positions, seeker);
  const SearchKey key{parameters.seed, step, channel, seeker};
  const KernelForm form = kernelForm(parameters.kernel);
  return parameters.kind == SearchKind::Exact ? descentFrom<true>(view, form, at, key, element)
                                              : descentFrom<false>(view, form, at, key, element);
}

} // namespace hinesight::synapse
