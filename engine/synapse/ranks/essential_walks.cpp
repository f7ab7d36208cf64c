#include "synapse/ranks/essential_walks.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "synapse/octree/octree_parts.hpp"
#include "synapse/search/search_parts.hpp"

namespace hinesight::synapse {

namespace {

class CpuWalks final : public EssentialWalks
{
public:
  CpuWalks(const PlacedNeurons& placedNeurons, const EssentialTree& essentialTree, int searchThreads)
      : EssentialWalks(placedNeurons, essentialTree), tree(essential.tree()), threads(searchThreads)
  {}

  FirstFinds begin(const EssentialQuery& query, const std::vector<std::uint32_t>& seeking, const VacantElements& sought,
                   const RunControl& control) override
  {
    const std::vector<std::uint64_t> first = detail::firstRequests(seeking, placed.neuron);
    detail::requireSearchMemory(first.back(), tree.nodes());
    control.report("search", 0);
    arrays = detail::makeSearchArrays(tree, sought, query.parameters, threads);
    const std::vector<std::uint32_t> seekers = placesOf(seeking);
    std::vector<std::uint32_t> foundNode(first.back());
    std::vector<std::uint8_t> picks(first.back());
    detail::SearchJob job = detail::jobOf(arrays, sought, query.channel, query.step, query.parameters);
    job.seekers = seekers.data();
    job.neurons = placed.neuron.data();
    job.positions = placed.position.data();
    job.vacant = seeking.data();
    job.firstRequest = first.data();
    job.foundNode = foundNode.data();
    job.picks = picks.data();
    detail::searchInParallel(job, seekers.size(), threads, control);
    FirstFinds finds;
    for (const std::uint32_t place : seekers)
      for (std::uint64_t at = first[place]; at < first[place + 1]; ++at)
        if (foundNode[at] != kNoTarget)
          add(finds, place, static_cast<std::uint32_t>(at - first[place]), foundNode[at], picks[at]);
    return finds;
  }

  void finish(const EssentialQuery& query, const VacantElements& sought, std::span<const Descent> descents,
              std::vector<Request>& requests, const RunControl& control) override
  {
    constexpr std::size_t kGrain = 256;
    const std::size_t before = requests.size();
    requests.resize(before + descents.size());
    const detail::SearchJob job = detail::jobOf(arrays, sought, query.channel, query.step, query.parameters);
    withFalloff(job.form.falloff, [&]<Falloff kFalloff>() {
      parallelFor(
          descents.size(), kGrain,
          [&](std::size_t begin, std::size_t end) {
            control.checkpoint();
            for (std::size_t i = begin; i < end; ++i)
              requests[before + i] = finished<kFalloff>(job, descents[i]);
          },
          threads);
    });
    arrays = {};
  }

  std::string device() const override { return processorName(); }

private:
  void add(FirstFinds& finds, std::uint32_t place, std::uint32_t element, std::uint32_t leaf, std::uint8_t picks) const
  {
    if (tree.isNeuron(leaf))
      finds.requests.push_back({placed.neuron[place], element, tree.order[tree.leafBegin[leaf]]});
    else
      finds.descents.push_back(descentFrom(place, element, leaf, picks));
  }

  template <Falloff kFalloff>
  Request finished(const detail::SearchJob& job, const Descent& descent) const
  {
    const SearchKey key{job.seed, job.step, job.channel, descent.seeker};
    const std::uint32_t leaf = descend<kFalloff>(
        job.view, job.form, descent.position, key, descent.element, descent.node, [](std::uint32_t) {}, descent.picks);
    return {descent.seeker, descent.element, tree.order[tree.leafBegin[leaf]]};
  }

  const Octree& tree;
  const int threads;
  detail::SearchArrays arrays; ///< of the search that was begun
};

} // namespace

Descent EssentialWalks::descentFrom(std::uint32_t place, std::uint32_t element, std::uint32_t leaf,
                                    std::uint32_t picks) const
{
  const auto [x, y, z] = detail::inSinglePrecision(placed.position[place]);
  return {placed.neuron[place], element, {x, y, z}, essential.nodeAtOwner(leaf), picks, essential.owner(leaf)};
}

std::vector<std::uint32_t> EssentialWalks::placesOf(const std::vector<std::uint32_t>& seeking)
{
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < seeking.size(); ++place)
    if (seeking[place] > 0)
      places.push_back(place);
  return places;
}

std::unique_ptr<EssentialWalks> detail::makeCpuWalks(const PlacedNeurons& placed, const EssentialTree& tree,
                                                     int threads)
{
  return std::make_unique<CpuWalks>(placed, tree, threads);
}

} // namespace hinesight::synapse
