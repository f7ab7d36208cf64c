#include "synapse/on_ranks.hpp"

#include "cancellation.hpp"
#include "core/error.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/ranks/essential_search.hpp"
#include "synapse/ranks/essential_tree.hpp"
#include "synapse/ranks/placed_neurons.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"
#include "test_main.hpp"

#include <QTest>

#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <random>

using namespace hinesight;
using namespace hinesight::synapse;
using hinesight::tests::failureOf;
using hinesight::tests::kRanks;
using hinesight::tests::onRanks;
using hinesight::tests::populationAt;
using hinesight::tests::someElements;

// Ranks that have the locally essential tree alone form what one rank does with the whole tree, to the last bit.

namespace {

constexpr SearchKind kEssentialKinds[] = {SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact};

std::shared_ptr<const Formation> formedOn(int ranks, const std::shared_ptr<const NeuronPopulation>& population,
                                          const FormationParameters& parameters)
{
  std::shared_ptr<const Formation> formation;
  onRanks(ranks, [&] {
    const TreeScope scope(TreeOnRanks::Essential);
    formation = formSynapses(population, parameters);
  });
  return formation;
}

/// Ranks of one process as if they were on two machines.
class OnTwoMachines final : public Communicator
{
public:
  explicit OnTwoMachines(Communicator& ofProcess) : inner(ofProcess) {}

  int rank() const override { return inner.rank(); }
  int size() const override { return inner.size(); }
  int rankOnMachine() const override { return inner.rank() / 2; }
  void barrier() override { inner.barrier(); }

protected:
  void allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin) override
  {
    const auto own = static_cast<std::size_t>(rank());
    inner.allGather(std::span(mine, begin[own + 1] - begin[own]), std::span(all, begin.back()), begin);
  }
  void allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                     std::span<const std::size_t>) override
  {
    std::vector<std::size_t> counts;
    for (std::size_t r = 0; r + 1 < sendBegin.size(); ++r)
      counts.push_back(sendBegin[r + 1] - sendBegin[r]);
    const auto came = inner.allToAll(std::span(send, sendBegin.back()), std::span<const std::size_t>(counts));
    std::ranges::copy(came.items, received);
  }
  void broadcastBytes(std::byte* bytes, std::size_t count, int root) override
  {
    inner.broadcast(std::span(bytes, count), root);
  }

private:
  Communicator& inner;
};

/// Whether all numbers of ranks form what one rank alone does.
bool isSameOnRanks(const std::shared_ptr<const NeuronPopulation>& population, const FormationParameters& parameters)
{
  const auto alone = formSynapses(population, parameters);
  for (const int ranks : kRanks) {
    const auto split = formedOn(ranks, population, parameters);
    if (!split->timings.device.ends_with("with essential trees") ||
        split->network.synapses != alone->network.synapses || split->requests != alone->requests ||
        split->vacantAxons != alone->vacantAxons ||
        std::memcmp(&split->meanDistance, &alone->meanDistance, sizeof alone->meanDistance) != 0)
      return false;
  }
  return true;
}

/// Dense balls far from each other, and some neurons between them.
std::vector<Position> clusters(std::size_t count)
{
  std::mt19937 random(7);
  std::normal_distribution<double> near(0, 12);
  std::uniform_real_distribution<double> far(-4'000, 4'000);
  std::vector<Position> centres(9);
  for (Position& centre : centres)
    centre = {far(random), far(random), far(random)};
  std::vector<Position> positions;
  for (std::size_t i = 0; i < count; ++i) {
    Position at = i % 20 == 0 ? Position{far(random), far(random), far(random)} : centres[i * i % centres.size()];
    for (double& x : at)
      x += near(random);
    positions.push_back(at);
  }
  return positions;
}

/// Groups of seven at one place.
std::vector<Position> colocated(std::size_t count)
{
  std::vector<Position> positions;
  for (std::size_t i = 0; i < count; ++i)
    positions.push_back(
        {std::floor(static_cast<double>(i) / 7) * 10, static_cast<double>(i % 3) * 20.0, i < count / 2 ? 0.0 : 50.0});
  return positions;
}

/// Vacant elements by neuron; some have none.
std::vector<std::uint32_t> someVacant(std::size_t neurons)
{
  std::vector<std::uint32_t> vacant(neurons);
  for (std::size_t i = 0; i < neurons; ++i)
    vacant[i] = static_cast<std::uint32_t>(i * 7 % 4);
  return vacant;
}

/// What a rank has, for tests that look at it.
using Look = std::function<void(Communicator&, const PlacedNeurons&, const EssentialTree&, const VacantElements&)>;

/// So many that two neurons have 2^32 together.
std::vector<std::uint32_t> manyVacant(std::size_t neurons)
{
  std::vector<std::uint32_t> vacant = someVacant(neurons);
  for (std::uint32_t& count : vacant)
    count = count > 0 ? 0xFFFFFFF0u + count : 0;
  return vacant;
}

void onEssentialTrees(int ranks, const std::vector<Position>& positions, double theta, const Look& look,
                      std::vector<std::uint32_t> (&vacantOf)(std::size_t) = someVacant)
{
  const std::vector<std::uint32_t> vacant = vacantOf(positions.size());
  runRanks(ranks, [&](Communicator& communicator) {
    const NeuronRanges ranges(positions.size(), ranks);
    const NeuronRange own = ranges.of(communicator.rank());
    const PlacedNeurons placed(communicator, ranges, std::span(positions).subspan(own.begin, own.size()), 1, {});
    const EssentialTree tree(communicator, placed, theta, 1, {});
    const auto ofPlaces = placed.byPlace(communicator, std::span(vacant).subspan(own.begin, own.size()));
    look(communicator, placed, tree, tree.sumVacant(communicator, placed, ofPlaces, 1));
  });
}

/// How many nodes of a part of a tree are not those of the whole, in order and with the same sums.
std::size_t differences(const Octree& part, const VacantElements& partSums, const Octree& whole,
                        const VacantElements& wholeSums)
{
  std::size_t different = 0;
  std::uint32_t there = 0;
  for (std::uint32_t node = 0; node < part.nodes(); ++node) {
    const bool isClosed = part.isLeaf(node) && !part.isNeuron(node);
    different += part.level[node] != whole.level[there] || partSums.in(node) != wholeSums.in(there) ||
                 std::memcmp(&partSums.centroid[node], &wholeSums.centroid[there], sizeof(std::array<float, 3>)) != 0 ||
                 part.cellCorner(node) != whole.cellCorner(there) || part.isNeuron(node) != whole.isLeaf(there) ||
                 (part.isNeuron(node) && part.order[part.leafBegin[node]] != whole.order[whole.leafBegin[there]]);
    there = isClosed ? whole.next[there] : there + 1;
  }
  return different + (there != whole.nodes());
}

} // namespace

class TestEssentialTree : public QObject
{
  Q_OBJECT

private slots:
  /// Ranks have the places, codes and neurons of the tree that one rank makes.
  void placesAreThoseOfTheTree()
  {
    for (const auto& positions : {clusters(900), colocated(400), colocated(5), std::vector<Position>{{1, 2, 3}}}) {
      const auto tree = makeOctree(positions);
      const std::vector<std::uint32_t> vacant = someVacant(positions.size());
      for (const int ranks : kRanks) {
        std::atomic<std::size_t> right = 0;
        onEssentialTrees(
            ranks, positions, 0.3,
            [&](Communicator& communicator, const PlacedNeurons& placed, const EssentialTree&, const VacantElements&) {
              const NeuronRanges ranges(positions.size(), ranks);
              const NeuronRange own = ranges.of(communicator.rank());
              const auto byPlace = placed.byPlace(communicator, std::span(vacant).subspan(own.begin, own.size()));
              for (std::uint32_t i = 0; i < placed.size(); ++i) {
                const std::uint32_t neuron = placed.neuron[i];
                right += tree->order[placed.begin() + i] == neuron &&
                         tree->code[placed.begin() + i] == placed.code[i] && positions[neuron] == placed.position[i] &&
                         byPlace[i] == vacant[neuron];
              }
            });
        QCOMPARE(right.load(), positions.size());
      }
    }
  }

  /// Every rank's tree is the whole one with subtrees left out, and has the sums of the whole one.
  void partsAreThoseOfTheTree()
  {
    const auto random = makeRandomPopulation(3'000, 26, 1, 3)->position;
    for (const auto& positions : {random, clusters(900), colocated(400), colocated(5)}) {
      const auto tree = makeOctree(positions);
      const VacantElements sums = sumVacant(*tree, positions, someVacant(positions.size()));
      for (const int ranks : kRanks)
        for (const double theta : {0.1, 0.5}) {
          std::atomic<std::size_t> different = 0, left = 0;
          onEssentialTrees(
              ranks, positions, theta,
              [&](Communicator&, const PlacedNeurons&, const EssentialTree& essential, const VacantElements& elements) {
                different += differences(essential.tree(), elements, *tree, sums);
                left += essential.tree().nodes() < tree->nodes();
              });
          QCOMPARE(different.load(), std::size_t{0});
          if (ranks > 1 && theta == 0.5 && positions.size() > 500)
            QCOMPARE(left.load(), static_cast<std::size_t>(ranks));
        }
    }
  }

  void partsHaveTheSumsOfLargeNodes()
  {
    for (const auto& positions : {clusters(900), colocated(400), colocated(5)}) {
      const auto tree = makeOctree(positions);
      const VacantElements sums = sumVacant(*tree, positions, manyVacant(positions.size()));
      QVERIFY(!sums.large.empty());
      for (const int ranks : kRanks) {
        std::atomic<std::size_t> different = 0;
        onEssentialTrees(
            ranks, positions, 0.5,
            [&](Communicator&, const PlacedNeurons&, const EssentialTree& essential, const VacantElements& elements) {
              different += differences(essential.tree(), elements, *tree, sums);
            },
            manyVacant);
        QCOMPARE(different.load(), std::size_t{0});
      }
    }
  }

  void everySearchFormsTheSameWithLargeNodes()
  {
    for (const SearchKind kind : kEssentialKinds) {
      FormationParameters p = someElements(kind);
      (kind == SearchKind::Inverse ? p.axons : p.dendrites) = kMostElements;
      (kind == SearchKind::Inverse ? p.dendrites : p.axons) = 1;
      QVERIFY(isSameOnRanks(makeRandomPopulation(6'000, 26, 1, 3), p));
    }
  }

  /// What a leaf without a neuron is at its owner.
  void leftOutSubtreesAreAtTheirOwners()
  {
    const std::vector<Position> positions = clusters(900);
    std::mutex mutex;
    std::vector<const Octree*> trees(5);
    std::size_t closed = 0, wrong = 0;
    onEssentialTrees(
        5, positions, 0.5,
        [&](Communicator& ranks, const PlacedNeurons&, const EssentialTree& essential, const VacantElements&) {
          const Octree& tree = essential.tree();
          trees[static_cast<std::size_t>(ranks.rank())] = &tree;
          ranks.barrier();
          for (std::uint32_t node = 0; node < tree.nodes(); ++node)
            if (tree.isLeaf(node) && !tree.isNeuron(node)) {
              const Octree& there = *trees[static_cast<std::size_t>(essential.owner(node))];
              const std::uint32_t same = essential.nodeAtOwner(node);
              const std::lock_guard lock(mutex);
              ++closed;
              wrong += there.isLeaf(same) || there.level[same] != tree.level[node] ||
                       there.cellCorner(same) != tree.cellCorner(node);
            }
          ranks.barrier();
        });
    QVERIFY(closed > 100);
    QCOMPARE(wrong, std::size_t{0});
  }

  /// Of 278,328 nodes that the whole tree has, a rank of eight has less than three tenths.
  void partsAreFarSmallerThanTheTree()
  {
    const auto positions = makeRandomPopulation(200'000, 26, 1, 3)->position;
    const auto whole = static_cast<double>(makeOctree(positions)->nodes());
    std::mutex mutex;
    std::vector<double> shares;
    onEssentialTrees(8, positions, 0.3,
                     [&](Communicator&, const PlacedNeurons&, const EssentialTree& essential, const VacantElements&) {
                       const std::lock_guard lock(mutex);
                       shares.push_back(static_cast<double>(essential.tree().nodes()) / whole);
                     });
    for (const double share : shares)
      QVERIFY2(share > 1.0 / 8 && share < 0.3, qPrintable(QString::number(share)));
  }

  void everySearchFormsTheSame()
  {
    for (const SearchKind kind : kEssentialKinds) {
      QVERIFY(isSameOnRanks(makeRandomPopulation(1'500, 26, 0.8, 3), someElements(kind)));
      QVERIFY(isSameOnRanks(makeRandomPopulation(1'500, 26, 1, 4), someElements(kind))); // no inhibitory channel
      QVERIFY(isSameOnRanks(populationAt(clusters(1'200)), someElements(kind)));
      QVERIFY(isSameOnRanks(populationAt(colocated(400)), someElements(kind)));
    }
  }

  void everyKernelFormsTheSame()
  {
    const auto population = makeRandomPopulation(700, 26, 0.8, 3);
    for (const Choice& kernel : kKernels)
      for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Exact}) {
        FormationParameters p = someElements(kind, 0.5);
        p.search.kernel.kind = static_cast<AttractionKind>(&kernel - kKernels);
        QVERIFY2(isSameOnRanks(population, p), std::string(kernel.name).c_str());
      }
  }

  void everyThetaFormsTheSame()
  {
    for (const double theta : {0.1, 0.2, 0.35, 0.5})
      for (const SearchKind kind : kEssentialKinds) {
        FormationParameters p = someElements(kind, theta);
        p.search.kernel.sigma = 750; // most of what is found is far away
        QVERIFY(isSameOnRanks(makeRandomPopulation(2'000, 26, 0.8, 5), p));
        QVERIFY(isSameOnRanks(populationAt(clusters(600)), p));
      }
  }

  /// Where the kernel is 0 the inverse of the distance takes its place, or nothing is found.
  void farNeuronsFormTheSame()
  {
    for (const SearchKind kind : kEssentialKinds) {
      FormationParameters p = someElements(kind, 0.5);
      p.search.kernel.sigma = 1e-3;
      QVERIFY(isSameOnRanks(makeRandomPopulation(300, 26, 0.5, 5), p));
      p.search.kernel = {.kind = AttractionKind::Linear, .cutoff = 1};
      QVERIFY(isSameOnRanks(makeRandomPopulation(300, 26, 0.5, 5), p));
    }
  }

  /// Bounds far above the kernel: an exact search weighs all neurons, from rank to rank, and where all weigh nothing it
  /// goes on with the inverse of the distance.
  void narrowKernelsFormTheSame()
  {
    FormationParameters p = someElements(SearchKind::Exact, 0.5);
    for (const KernelParameters& kernel :
         {KernelParameters{.sigma = 0.5, .mu = 200}, KernelParameters{.kind = AttractionKind::Linear, .cutoff = 15},
          KernelParameters{.sigma = 2}}) {
      p.search.kernel = kernel;
      QVERIFY(isSameOnRanks(makeRandomPopulation(400, 26, 0.8, 5), p));
    }
  }

  /// Fewer neurons than ranks, or hardly more.
  void ranksMayBeEmpty()
  {
    for (const SearchKind kind : kEssentialKinds) {
      QVERIFY(isSameOnRanks(populationAt({{0, 0, 0}, {1, 2, 3}}), someElements(kind)));
      QVERIFY(isSameOnRanks(populationAt({{0, 0, 0}, {1, 2, 3}, {1, 2, 3}, {9, 9, 9}, {5, 0, 1}}), someElements(kind)));
      QVERIFY(isSameOnRanks(makeRandomPopulation(150, 26, 0.8, 3), someElements(kind)));
    }
  }

  /// Many threads a rank, and coordinates that single precision rounds.
  void farFromTheOriginFormsTheSame()
  {
    std::vector<Position> positions = clusters(1'000);
    for (Position& at : positions)
      at[1] += 3e8;
    FormationParameters p = someElements(SearchKind::BarnesHut, 0.4);
    p.threads = 16;
    QVERIFY(isSameOnRanks(populationAt(positions), p));
  }

  /// The whole tree where it is needed or asked for, and on one machine.
  void wholeTreesAreThereWhereTheyAreNeeded()
  {
    const auto population = makeRandomPopulation(300, 26, 0.8, 3);
    const auto deviceOf = [&](TreeOnRanks tree, const FormationParameters& p) {
      std::string device;
      onRanks(3, [&] {
        const TreeScope scope(tree);
        const auto formation = formSynapses(population, p);
        QVERIFY((formation->tree != nullptr) == p.keepsTree);
        device = formation->timings.device;
      });
      return QString::fromStdString(device);
    };
    FormationParameters p = someElements(SearchKind::BarnesHut);
    QVERIFY(deviceOf(TreeOnRanks::Essential, p).endsWith(", 3 ranks with essential trees"));
    QVERIFY(deviceOf(TreeOnRanks::Whole, p).endsWith(", 3 ranks"));
    QVERIFY(deviceOf(TreeOnRanks::Auto, p).endsWith(", 3 ranks"));
    p.search.kind = SearchKind::Naive;
    QVERIFY(deviceOf(TreeOnRanks::Essential, p).endsWith(", 3 ranks"));
    p = someElements(SearchKind::BarnesHut);
    p.keepsTree = true;
    QVERIFY(deviceOf(TreeOnRanks::Essential, p).endsWith(", 3 ranks"));
  }

  void severalMachinesHaveEssentialTrees()
  {
    const auto population = makeRandomPopulation(600, 26, 0.8, 3);
    const FormationParameters p = someElements(SearchKind::BarnesHut);
    const auto alone = formSynapses(population, p);
    for (const TreeOnRanks tree : {TreeOnRanks::Auto, TreeOnRanks::Whole})
      runRanks(4, [&](Communicator& ofProcess) {
        OnTwoMachines ranks(ofProcess);
        leadTasks(ranks, rankTasks(), [&] {
          const TreeScope scope(tree);
          const auto split = formSynapses(population, p);
          QCOMPARE(split->timings.device.ends_with("with essential trees"), tree == TreeOnRanks::Auto);
          QVERIFY(split->network.synapses == alone->network.synapses);
        });
      });
  }

  void failuresEndAllRanks()
  {
    const auto population = makeRandomPopulation(2'000, 26, 0.8, 3);
    const FormationParameters p = someElements(SearchKind::BarnesHut);
    const RunControl cancelled;
    cancelled.cancel();
    onRanks(3, [&] {
      const TreeScope scope(TreeOnRanks::Essential);
      QCOMPARE(failureOf([&] { formSynapses(population, p, cancelled); }), ErrorCode::Cancelled);
      const auto distant = std::make_shared<NeuronPopulation>(*population);
      distant->position[1'717][1] = 1e300;
      try {
        formSynapses(distant, p);
        QFAIL("a neuron is too far away");
      } catch (const Error& error) {
        QVERIFY(error.message().starts_with("Neuron 1717 "));
      }
      QVERIFY(formSynapses(population, p)->network.synapses.size() > 1'000);
    });
    QCOMPARE(failureOf([&] {
               onRanks(
                   3,
                   [&] {
                     const TreeScope scope(TreeOnRanks::Essential);
                     formSynapses(population, p);
                   },
                   cancelled);
             }),
             ErrorCode::Cancelled);
  }
};

HINESIGHT_TEST(TestEssentialTree)
#include "test_essential_tree.moc"
