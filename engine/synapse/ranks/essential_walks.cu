#include "synapse/ranks/essential_walks.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/cuda_workspace.cuh"
#include "core/cuda/host_copies.cuh"
#include "core/device.hpp"
#include "core/parallel.hpp"
#include "synapse/octree/octree_parts.hpp"
#include "synapse/search/device_walk.cuh"
#include "synapse/search/search_parts.hpp"

#include <vector>

#include <cub/device/device_select.cuh>
#include <thrust/iterator/transform_iterator.h>

// The walks of a rank over its essential tree on a GPU. The nodes are there from the beginning, in the order of the
// whole tree; each search brings what is vacant below them and who seeks.

namespace hinesight::synapse {

namespace {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;
using cuda::grow;

constexpr unsigned kThreads = 256;
static_assert(kNoNeuron == kNoTarget);

/// Who has a place, and where.
struct alignas(16) PlacedSeeker
{
  float x, y, z; ///< um
  std::uint32_t neuron;
};

/// What a search brings of a node.
struct alignas(16) NodeSum
{
  float x, y, z; ///< centroid
  float count;
};

/// What an element picked, before any descent goes on elsewhere.
struct alignas(16) Find
{
  std::uint32_t place;
  std::uint32_t element;
  std::uint32_t leaf; ///< kNoTarget: nothing
  std::uint32_t picks;
};

/// What the elements of all places share.
struct WalkTask
{
  SearchView view;
  KernelForm form;
  const std::uint32_t* neuron; ///< by node: of a leaf, or kNoNeuron
  std::uint64_t seed;
  std::uint32_t step, channel;

  __device__ SearchKey keyOf(std::uint32_t seeker) const { return {seed, step, channel, seeker}; }
};

/// The seekers [begin, end) of a search.
struct FirstWalks
{
  const PlacedSeeker* placed;
  const std::uint32_t* places;
  const std::uint64_t* first; ///< by place: of its elements; and behind the last
  std::uint32_t begin, end;
  Find* finds;
};

__global__ void __launch_bounds__(kThreads) sumKernel(const NodeSum* sums, std::uint32_t nodes, SearchNode* node)
{
  const std::uint32_t at = blockIdx.x * kThreads + threadIdx.x;
  if (at >= nodes)
    return;
  const NodeSum sum = sums[at];
  node[at].x = sum.x;
  node[at].y = sum.y;
  node[at].z = sum.z;
  node[at].count = sum.count;
}

template <Falloff kFalloff>
__global__ void __launch_bounds__(detail::kSearchThreads)
    firstKernel(const __grid_constant__ WalkTask task, const __grid_constant__ FirstWalks walks)
{
  const std::uint32_t index = walks.begin + blockIdx.x * detail::kSearchThreads + threadIdx.x;
  const bool seeks = index < walks.end;
  const std::uint32_t place = walks.places[seeks ? index : walks.begin];
  const PlacedSeeker at = walks.placed[place];
  const Seeker<float> seeker{at.x, at.y, at.z};
  detail::Checkpoints points;
  const double sum = detail::sumTogether<kFalloff, false>(task.view, task.form, seeker, seeks, points);
  if (!seeks)
    return;
  const std::uint64_t first = walks.first[place];
  const auto elements = static_cast<std::uint32_t>(walks.first[place + 1] - first);
  const auto store = [&](std::uint32_t element, std::uint32_t leaf, std::uint32_t picks) {
    walks.finds[first + element] = {place, element, leaf, picks};
  };
  detail::findTargets<kFalloff, false>(task.view, task.form, seeker, task.keyOf(at.neuron), elements, sum, points,
                                       store);
}

template <Falloff kFalloff>
__global__ void __launch_bounds__(detail::kSearchThreads)
    finishKernel(const __grid_constant__ WalkTask task, const Descent* descents, std::uint64_t count, Request* requests)
{
  const std::uint64_t index = std::uint64_t{blockIdx.x} * detail::kSearchThreads + threadIdx.x;
  if (index >= count)
    return;
  const Descent from = descents[index];
  const std::uint32_t leaf = descend<kFalloff>(task.view, task.form, from.position, task.keyOf(from.seeker),
                                               from.element, from.node, detail::Unwatched{}, from.picks);
  requests[index] = {from.seeker, from.element, task.neuron[leaf]};
}

/// What a find asks for; nothing where the descent goes on elsewhere.
struct RequestOf
{
  const PlacedSeeker* placed;
  const std::uint32_t* neuron;

  __device__ Request operator()(const Find& find) const
  {
    return {placed[find.place].neuron, find.element, find.leaf == kNoTarget ? kNoTarget : neuron[find.leaf]};
  }
};

struct FoundOne
{
  __device__ bool operator()(const Request& request) const { return request.found != kNoTarget; }
};

struct GoesOn
{
  const std::uint32_t* neuron;

  __device__ bool operator()(const Find& find) const
  {
    return find.leaf != kNoTarget && neuron[find.leaf] == kNoNeuron;
  }
};

class CudaWalks final : public EssentialWalks
{
public:
  CudaWalks(const PlacedNeurons& placedNeurons, const EssentialTree& essentialTree, double theta, int hostThreads)
      : EssentialWalks(placedNeurons, essentialTree), tree(essential.tree()), threads(hostThreads),
        node(nodesOf(theta)), neuron(neuronsOfLeaves()), seekers(seekersByPlace()), nodeSum(tree.nodes()), counter(1)
  {}

  FirstFinds begin(const EssentialQuery& query, const std::vector<std::uint32_t>& seeking, const VacantElements& sought,
                   const RunControl& control) override
  {
    const std::vector<std::uint64_t> first = detail::firstRequests(seeking, placed.neuron);
    detail::requireSearchMemory(first.back(), tree.nodes());
    control.report("search", 0);
    takeSums(sought);
    const std::vector<std::uint32_t> places = placesOf(seeking);
    if (places.empty())
      return {};
    put(firstOfPlace, first.data(), first.size());
    put(seekingPlaces, places.data(), places.size());
    grow(finds, first.back());
    walkFirst(query, places.size(), control);
    return gather(first.back(), control);
  }

  void finish(const EssentialQuery& query, const VacantElements&, std::span<const Descent> descents,
              std::vector<Request>& requests, const RunControl& control) override
  {
    if (descents.empty())
      return;
    const std::size_t before = requests.size();
    requests.resize(before + descents.size());
    put(arrived, descents.data(), descents.size());
    grow(found, descents.size());
    const WalkTask task = taskOf(query);
    launches.run(descents.size(), slice(), control.silenced(),
                 [&](std::uint64_t begin, std::uint64_t end, cudaStream_t stream) {
                   withFalloff(task.form.falloff, [&]<Falloff kFalloff>() {
                     finishKernel<kFalloff>
                         <<<blocksFor(end - begin, detail::kSearchThreads), detail::kSearchThreads, 0, stream>>>(
                             task, arrived.data() + begin, end - begin, found.data() + begin);
                   });
                   check(cudaGetLastError(), "search");
                 });
    cuda::HostCopies copies;
    copies.add(found.data(), descents.size(), requests.data() + before);
    copies.run(control);
  }

  std::string device() const override { return cuda::currentDeviceName(); }

private:
  static std::uint64_t slice()
  {
    return static_cast<std::uint64_t>(planningDevice().multiprocessors) * detail::kMostSeekers;
  }

  /// Without sums.
  std::vector<SearchNode> nodesOf(double theta) const
  {
    VacantElements none;
    none.count.resize(tree.nodes());
    none.centroid.resize(tree.nodes());
    SearchParameters parameters;
    parameters.theta = theta;
    return detail::makeSearchArrays(tree, none, parameters, threads).nodes;
  }

  std::vector<std::uint32_t> neuronsOfLeaves() const
  {
    std::vector<std::uint32_t> neurons(tree.nodes(), kNoNeuron);
    for (std::uint32_t at = 0; at < tree.nodes(); ++at)
      if (tree.isLeaf(at))
        neurons[at] = tree.order[tree.leafBegin[at]];
    return neurons;
  }

  std::vector<PlacedSeeker> seekersByPlace() const
  {
    std::vector<PlacedSeeker> all;
    all.reserve(placed.size());
    for (std::size_t place = 0; place < placed.size(); ++place) {
      const auto [x, y, z] = detail::inSinglePrecision(placed.position[place]);
      all.push_back({x, y, z, placed.neuron[place]});
    }
    return all;
  }

  template <typename T>
  static void put(Buffer<T>& to, const T* items, std::size_t count)
  {
    grow(to, count);
    check(cudaMemcpy(to.data(), items, count * sizeof(T), cudaMemcpyHostToDevice), "upload data");
  }

  void takeSums(const VacantElements& sought)
  {
    constexpr std::size_t kGrain = 1 << 13;
    std::vector<NodeSum> sums(tree.nodes());
    parallelFor(
        sums.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t at = begin; at < end; ++at) {
            const std::array<float, 3>& centroid = sought.centroid[at];
            sums[at] = {centroid[0], centroid[1], centroid[2],
                        static_cast<float>(sought.in(static_cast<std::uint32_t>(at)))};
          }
        },
        threads);
    put(nodeSum, sums.data(), sums.size());
    sumKernel<<<blocksFor(sums.size(), kThreads), kThreads>>>(nodeSum.data(), static_cast<std::uint32_t>(sums.size()),
                                                              node.data());
    check(cudaGetLastError(), "take the vacant elements");
  }

  WalkTask taskOf(const EssentialQuery& query) const
  {
    return {{node.data(), nullptr, nullptr, static_cast<std::uint32_t>(tree.nodes())},
            kernelForm(query.parameters.kernel),
            neuron.data(),
            query.parameters.seed,
            query.step,
            query.channel};
  }

  void walkFirst(const EssentialQuery& query, std::size_t seekingHere, const RunControl& control)
  {
    const WalkTask task = taskOf(query);
    launches.run(seekingHere, slice(), control, [&](std::uint64_t begin, std::uint64_t end, cudaStream_t stream) {
      const FirstWalks walks{seekers.data(),
                             seekingPlaces.data(),
                             firstOfPlace.data(),
                             static_cast<std::uint32_t>(begin),
                             static_cast<std::uint32_t>(end),
                             finds.data()};
      withFalloff(task.form.falloff, [&]<Falloff kFalloff>() {
        firstKernel<kFalloff>
            <<<blocksFor(end - begin, detail::kSearchThreads), detail::kSearchThreads, 0, stream>>>(task, walks);
      });
      check(cudaGetLastError(), "search");
    });
  }

  /// Parts what asks for a neuron from what goes on elsewhere. Both stay in order.
  FirstFinds gather(std::size_t elements, const RunControl& control)
  {
    grow(found, elements);
    grow(leaving, elements);
    space.run("gather the requests", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::If(
          memory, bytes, thrust::make_transform_iterator(finds.data(), RequestOf{seekers.data(), neuron.data()}),
          found.data(), counter.data(), elements, FoundOne{});
    });
    const std::uint64_t requests = cuda::readEntry(counter.data());
    space.run("gather the descents", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::If(memory, bytes, finds.data(), leaving.data(), counter.data(), elements,
                                   GoesOn{neuron.data()});
    });
    const std::uint64_t descents = cuda::readEntry(counter.data());
    FirstFinds all;
    std::vector<Find> left;
    cuda::HostCopies copies;
    copies.add(found.data(), requests, all.requests);
    copies.add(leaving.data(), descents, left);
    copies.run(control);
    all.descents.reserve(left.size());
    for (const Find& find : left)
      all.descents.push_back(descentFrom(find.place, find.element, find.leaf, find.picks));
    return all;
  }

  const Octree& tree;
  const int threads;
  // From the beginning.
  Buffer<SearchNode> node;
  Buffer<std::uint32_t> neuron; ///< by node: of a leaf, or kNoNeuron
  Buffer<PlacedSeeker> seekers; ///< by place
  // Of each search.
  Buffer<NodeSum> nodeSum;
  Buffer<std::uint64_t> firstOfPlace;
  Buffer<std::uint32_t> seekingPlaces;
  Buffer<Find> finds, leaving;
  Buffer<Request> found;
  Buffer<Descent> arrived;
  Buffer<std::uint64_t> counter;
  cuda::Workspace space;
  detail::SearchLaunches launches;
};

} // namespace

std::unique_ptr<EssentialWalks> detail::makeCudaWalks(const PlacedNeurons& placed, const EssentialTree& tree,
                                                      double theta, int threads)
{
  return std::make_unique<CudaWalks>(placed, tree, theta, threads);
}

} // namespace hinesight::synapse
