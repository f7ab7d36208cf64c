#include "synapse/search_reference.hpp"

#include "core/error.hpp"
#include "synapse/search/search_groups.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <array>
#include <set>

using namespace hinesight;
using namespace hinesight::synapse;
using hinesight::tests::SearchReference;

namespace {

/// Neurons with some vacant elements, their tree, and what is sought in it.
struct Scene
{
  std::vector<Position> position;
  std::vector<std::uint32_t> vacant;
  std::shared_ptr<const Octree> tree;
  VacantElements sought;

  explicit Scene(std::vector<Position> positions, std::uint32_t most = 3) : position(std::move(positions))
  {
    for (std::size_t i = 0; i < position.size(); ++i)
      vacant.push_back(static_cast<std::uint32_t>((i * 7 + i / 5) % (most + 1)));
    tree = makeOctree(position, 1);
    sought = sumVacant(*tree, position, vacant, 1);
  }
};

Scene randomScene(std::size_t neurons)
{
  return Scene(makeRandomPopulation(neurons, 26, 1, 5)->position);
}

/// Places that are hard: several neurons at one, in a plane, far from the origin.
Scene awkwardScene()
{
  std::vector<Position> positions = makeRandomPopulation(200, 26, 1, 6)->position;
  for (std::size_t i = 0; i < 30; ++i) {
    positions.push_back(positions[i]);
    positions.push_back(positions[3 * i]);
  }
  for (std::size_t i = 0; i < 40; ++i)
    positions.push_back({static_cast<double>(i), 50, 1e-3 * static_cast<double>(i % 7)});
  for (Position& at : positions)
    at[2] += 1e5;
  return Scene(std::move(positions));
}

std::vector<SearchParameters> sampleSearches()
{
  std::vector<SearchParameters> searches;
  for (const SearchKind kind : {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Exact}) {
    SearchParameters p;
    p.kind = kind;
    p.kernel.sigma = 120;
    searches.push_back(p);
    p.theta = 0.5;
    p.kernel.mu = 100;
    searches.push_back(p);
    p.theta = 0.4;
    p.kernel.kind = AttractionKind::Linear;
    searches.push_back(p);
    p.kernel.cutoff = 30; // some reach nobody
    searches.push_back(p);
    p.kernel.kind = AttractionKind::Gamma;
    p.kernel.gammaK = 2.5;
    p.kernel.gammaTheta = 60;
    searches.push_back(p);
    p.kernel.kind = AttractionKind::Weibull;
    p.kernel.weibullK = 0.7;
    p.kernel.weibullB = 0.02;
    searches.push_back(p);
  }
  return searches;
}

std::vector<Request> search(const Scene& scene, const SearchParameters& parameters, int threads = 1,
                            const RunControl& control = {})
{
  return searchTargets(*scene.tree, scene.position, scene.vacant, scene.sought, kExcitatory, 100, parameters, threads,
                       control);
}

bool areEqual(const std::vector<Request>& a, const std::vector<Request>& b)
{
  return std::ranges::equal(a, b, [](const Request& x, const Request& y) {
    return x.seeker == y.seeker && x.element == y.element && x.found == y.found;
  });
}

/// A job over arrays made here, as searchTargets makes them.
class Job
{
public:
  Job(const Scene& scene, const SearchParameters& p)
  {
    const Octree& tree = *scene.tree;
    const OctreeBox box{{tree.lowest[0], tree.lowest[1], tree.lowest[2]}, tree.edge};
    for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
      const auto& at = scene.sought.centroid[node];
      const bool isLeaf = tree.isLeaf(node);
      const float limit = p.kind == SearchKind::Naive
                              ? naiveLimit(isLeaf)
                              : acceptanceLimit(isLeaf, tree.cellEdge(node), p.theta, greatestCoordinate(box));
      nodes.push_back(searchNode({at[0], at[1], at[2]}, scene.sought.count[node], limit, tree.next[node]));
      cells.push_back(isLeaf ? CellBounds{{at[0], at[1], at[2]}, {at[0], at[1], at[2]}}
                             : cellBounds(box, tree.code[tree.leafBegin[node]], tree.level[node]));
    }
    first.push_back(0);
    for (const std::uint32_t vacant : scene.vacant)
      first.push_back(first.back() + vacant);
    for (const std::uint32_t neuron : tree.order)
      if (scene.vacant[neuron] > 0)
        seekers.push_back(neuron);
    found.resize(first.back());
    job.view = {nodes.data(), cells.data(), scene.sought.count.data(), static_cast<std::uint32_t>(nodes.size())};
    job.form = kernelForm(p.kernel);
    job.exact = p.kind == SearchKind::Exact;
    job.seed = p.seed;
    job.step = 100;
    job.seekers = seekers.data();
    job.positions = scene.position.data();
    job.vacant = scene.vacant.data();
    job.firstRequest = first.data();
    job.foundNode = found.data();
  }

  /// Seekers in portions of so many.
  std::vector<std::uint32_t> run(synapse::detail::SearchSeekers searchSeekers, std::size_t portion)
  {
    std::ranges::fill(found, 12345u);
    std::vector<synapse::detail::WalkMark> marks(synapse::detail::kMostMarks);
    for (std::size_t begin = 0; begin < seekers.size(); begin += portion)
      searchSeekers(job, begin, std::min(seekers.size(), begin + portion), marks.data(), {});
    return found;
  }

private:
  std::vector<SearchNode> nodes;
  std::vector<CellBounds> cells;
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> seekers, found;
  synapse::detail::SearchJob job{};
};

} // namespace

class TestSearch : public QObject
{
  Q_OBJECT

private slots:
  void acceptedNodesCoverEveryNeuronOnce()
  {
    for (const Scene& scene : {randomScene(700), awkwardScene()}) {
      const Octree& tree = *scene.tree;
      for (const double theta : {0.1, 0.3, 0.5}) {
        SearchParameters p;
        p.theta = theta;
        const SearchReference reference(tree, scene.position, scene.vacant, p);
        for (std::uint32_t seeker = 0; seeker < scene.position.size(); seeker += 23) {
          std::vector<int> covered(scene.position.size());
          std::set<std::uint32_t> isAccepted;
          double sum = 0;
          for (const AcceptedNode& accepted : acceptedNodes(tree, scene.position, scene.sought, seeker, 0, p)) {
            isAccepted.insert(accepted.node);
            sum += accepted.probability;
            const double d = SearchReference::distance(scene.position[seeker], reference.centroid(accepted.node));
            QVERIFY(scene.sought.count[accepted.node] > 0);
            // Single precision may decide otherwise just at the limit.
            QVERIFY(tree.isLeaf(accepted.node) || tree.cellEdge(accepted.node) < theta * d * (1 + 1e-3));
            for (std::uint32_t at = tree.leafBegin[accepted.node]; at < tree.leafEnd(accepted.node); ++at)
              ++covered[tree.order[at]];
          }
          QVERIFY(std::abs(sum - 1) < 1e-12);
          for (std::size_t i = 0; i < covered.size(); ++i)
            if (scene.vacant[i] > 0)
              QCOMPARE(covered[i], int(scene.position[i] != scene.position[seeker]));
          // Inner nodes that were expanded had to be.
          for (std::uint32_t node = 1; node < tree.nodes(); ++node) {
            const bool expanded = isAccepted.lower_bound(node + 1) != isAccepted.lower_bound(tree.next[node]);
            const double d = SearchReference::distance(scene.position[seeker], reference.centroid(node));
            QVERIFY(!expanded || tree.isLeaf(node) || tree.cellEdge(node) > theta * d * (1 - 1e-3) ||
                    tree.cellEdge(node) < 1);
          }
        }
      }
    }
  }

  void acceptedNodesHaveTheReferencesProbabilities()
  {
    const Scene scene = randomScene(900);
    for (SearchParameters p : sampleSearches()) {
      if (p.kind == SearchKind::Exact)
        continue;
      if (p.kernel.kind == AttractionKind::Linear)
        p.kernel.cutoff = std::max(p.kernel.cutoff, 200.0); // nobody is left to the inverse of the distance
      const SearchReference reference(*scene.tree, scene.position, scene.vacant, p);
      for (std::uint32_t seeker = 0; seeker < 900; seeker += 89) {
        auto expected = reference.accepted(seeker, 0);
        std::ranges::sort(expected);
        const auto nodes = acceptedNodes(*scene.tree, scene.position, scene.sought, seeker, 0, p);
        QCOMPARE(nodes.size(), expected.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          QCOMPARE(nodes[i].node, expected[i].first);
          QVERIFY(std::abs(nodes[i].probability - expected[i].second) < 1e-4 * expected[i].second + 1e-8);
        }
      }
    }
  }

  void descentsLeadToWhatTheSearchFound()
  {
    const Scene scene = randomScene(600);
    for (const SearchParameters& p : sampleSearches()) {
      for (const Request& request : search(scene, p)) {
        if (request.seeker % 9 != 0)
          continue;
        const auto picks =
            descentOf(*scene.tree, scene.position, scene.sought, request.seeker, request.element, kExcitatory, 100, p);
        QVERIFY(!picks.empty());
        QVERIFY(scene.tree->isLeaf(picks.back()));
        QCOMPARE(scene.tree->order[scene.tree->leafBegin[picks.back()]], request.found);
        for (std::size_t i = 1; i < picks.size(); ++i)
          QVERIFY(picks[i] > picks[i - 1] && picks[i] < scene.tree->next[picks[i - 1]]);
      }
    }
  }

  /// With 2^30 times as much to find everywhere, every element finds the same: whatever nodes weigh is 2^30 times as
  /// much, and a proposed cell's element of a rank is in the same leaf.
  void findsTheSameInLargeNodes()
  {
    for (Scene scene : {randomScene(600), awkwardScene()}) {
      std::vector<std::vector<Request>> requests;
      for (const SearchParameters& p : sampleSearches())
        requests.push_back(search(scene, p));
      std::vector<std::uint32_t> many = scene.vacant;
      for (std::uint32_t& vacant : many)
        vacant <<= 30;
      const auto large = std::ranges::count_if(scene.sought.count, [](std::uint32_t count) { return count >= 4; });
      QVERIFY(large > 1);
      scene.sought = sumVacant(*scene.tree, scene.position, many, 1);
      QCOMPARE(scene.sought.large.size(), static_cast<std::size_t>(large));
      std::size_t next = 0;
      for (const SearchParameters& p : sampleSearches()) {
        const std::vector<Request> found = search(scene, p);
        QVERIFY(!found.empty());
        QVERIFY(areEqual(found, requests[next++]));
        for (std::size_t i = 0; i < found.size(); i += 97) {
          const auto picks = descentOf(*scene.tree, scene.position, scene.sought, found[i].seeker, found[i].element,
                                       kExcitatory, 100, p);
          QCOMPARE(scene.tree->order[scene.tree->leafBegin[picks.back()]], found[i].found);
        }
      }
    }
  }

  void everyVacantElementFindsAnother()
  {
    for (const Scene& scene : {randomScene(500), awkwardScene()}) {
      for (const SearchParameters& p : sampleSearches()) {
        const std::vector<Request> requests = search(scene, p);
        std::size_t n = 0;
        for (std::uint32_t neuron = 0; neuron < scene.vacant.size(); ++neuron) {
          for (std::uint32_t element = 0; element < scene.vacant[neuron]; ++element, ++n) {
            QCOMPARE(requests[n].seeker, neuron);
            QCOMPARE(requests[n].element, element);
            QVERIFY(scene.vacant[requests[n].found] > 0);
            QVERIFY(scene.position[requests[n].found] != scene.position[neuron]);
          }
        }
        QCOMPARE(requests.size(), n);
      }
    }
  }

  void isTheSameWithAnyInstructionsAndThreads()
  {
    const Scene scene = randomScene(501);
    const auto usable = [](const char* name, synapse::detail::SearchSeekers searchSeekers) {
      const bool wide = QByteArray(name) == "avx512";
      const bool supported = wide ? __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                        __builtin_cpu_supports("avx512vl")
                                  : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
      return searchSeekers != nullptr && supported;
    };
    for (const SearchParameters& p : sampleSearches()) {
      Job job(scene, p);
      const std::vector<std::uint32_t> portable = job.run(synapse::detail::portableSearch(), 1'000'000);
      QCOMPARE(std::ranges::count(portable, 12345u), 0);
      if (usable("avx2", synapse::detail::avx2Search()))
        for (const std::size_t portion : {1'000u, 13u})
          QVERIFY(job.run(synapse::detail::avx2Search(), portion) == portable);
      if (usable("avx512", synapse::detail::avx512Search()))
        for (const std::size_t portion : {1'000u, 13u})
          QVERIFY(job.run(synapse::detail::avx512Search(), portion) == portable);
      const std::vector<Request> one = search(scene, p, 1);
      QVERIFY(areEqual(search(scene, p, 2), one));
      QVERIFY(areEqual(search(scene, p, 5), one));
      QCOMPARE(one.size(), portable.size());
      for (std::size_t i = 0; i < one.size(); ++i)
        QCOMPARE(one[i].found, scene.tree->order[scene.tree->leafBegin[portable[i]]]);
    }
  }

  void drawsDependOnSeedStepAndChannel()
  {
    const Scene scene = randomScene(300);
    SearchParameters p;
    const auto first = search(scene, p);
    p.seed = 2;
    QVERIFY(!areEqual(search(scene, p), first));
    p.seed = 1;
    QVERIFY(!areEqual(searchTargets(*scene.tree, scene.position, scene.vacant, scene.sought, kExcitatory, 200, p, 1),
                      first));
    QVERIFY(!areEqual(searchTargets(*scene.tree, scene.position, scene.vacant, scene.sought, kInhibitory, 100, p, 1),
                      first));
  }

  void findsNothingWhereNothingIsVacant()
  {
    Scene scene = randomScene(50);
    scene.sought = sumVacant(*scene.tree, scene.position, std::vector<std::uint32_t>(50), 1);
    for (const SearchParameters& p : sampleSearches()) {
      QVERIFY(search(scene, p).empty());
      QVERIFY(descentOf(*scene.tree, scene.position, scene.sought, 7, 0, kExcitatory, 100, p).empty());
      QVERIFY(acceptedNodes(*scene.tree, scene.position, scene.sought, 7, 0, p).empty());
    }
    // One other has all; and it cannot find itself.
    std::vector<std::uint32_t> only(50);
    only[20] = 4;
    scene.sought = sumVacant(*scene.tree, scene.position, only, 1);
    scene.vacant[20] = 2;
    for (const SearchParameters& p : sampleSearches())
      for (const Request& request : search(scene, p))
        QVERIFY(request.found == 20 && request.seeker != 20);
  }

  void walksOneNeuronAndOnePlace()
  {
    for (const std::size_t neurons : {1u, 5u}) {
      const Scene scene(std::vector<Position>(neurons, Position{3, 4, 5}));
      for (const SearchParameters& p : sampleSearches())
        QVERIFY(search(scene, p).empty());
    }
  }

  /// Far from the origin single precision hardly tells neighbours apart: still nobody finds itself.
  void staysSoundFarFromTheOrigin()
  {
    std::vector<Position> positions = makeRandomPopulation(400, 5, 1, 6)->position;
    for (Position& at : positions)
      for (double& x : at)
        x += 3e7;
    const Scene scene(std::move(positions));
    for (const SearchParameters& p : sampleSearches())
      for (const Request& request : search(scene, p))
        QVERIFY(request.found != request.seeker && scene.vacant[request.found] > 0);
  }

  void refusesParametersOutOfRange()
  {
    const Scene scene = randomScene(20);
    for (const double theta : {0.0, -0.3, 0.51, std::nan(""), 1e300}) {
      SearchParameters p;
      p.theta = theta;
      QVERIFY_EXCEPTION_THROWN(search(scene, p), Error);
    }
    SearchParameters p;
    p.kernel.sigma = -1;
    QVERIFY_EXCEPTION_THROWN(search(scene, p), Error);
    Scene greedy = randomScene(20);
    greedy.vacant[3] = 2'000'000;
    QVERIFY_EXCEPTION_THROWN(search(greedy, {}), Error);
  }

  void stopsWhenCancelled()
  {
    const Scene scene = randomScene(2'000);
    const RunControl control;
    control.cancel();
    try {
      search(scene, {}, 1, control);
      QFAIL("was not cancelled");
    } catch (const Error& error) {
      QVERIFY(error.code() == ErrorCode::Cancelled);
    }
  }
};

HINESIGHT_TEST(TestSearch)
#include "test_search.moc"
