#include "core/device.hpp"
#include "core/error.hpp"
#include "core/philox.hpp"
#include "synapse/octree/octree.hpp"
#include "synapse/octree/octree_on_device.hpp"
#include "synapse/octree/octree_parts.hpp"
#include "synapse/search/search_step.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

using Positions = std::vector<Position>;

double uniform(std::uint64_t entity, std::uint32_t draw)
{
  return randomUniform(11, entity, 0, draw);
}

Positions randomPositions(std::size_t neurons, double extent)
{
  Positions positions(neurons);
  for (std::size_t i = 0; i < neurons; ++i)
    positions[i] = {extent * uniform(i, 0) - extent / 3, extent * uniform(i, 1), extent * uniform(i, 2) + 100};
  return positions;
}

/// Whole coordinates below 16, so that many neurons share a place; two corners make the box [0, 16].
Positions crowdedPositions(std::size_t neurons)
{
  Positions positions = {{0, 0, 0}, {16, 16, 16}};
  for (std::size_t i = 2; i < neurons; ++i)
    positions.push_back(
        {std::floor(16 * uniform(i, 0)), std::floor(16 * uniform(i, 1)), std::floor(4 * uniform(i, 2))});
  return positions;
}

/// Neurons in clusters, ever smaller, down to the deepest level and below.
Positions clusteredPositions(std::size_t neurons)
{
  Positions positions = {{0, 0, 0}, {1024, 1024, 1024}};
  for (std::size_t i = 2; i < neurons; ++i) {
    const double extent = std::ldexp(1024.0, -static_cast<int>(i % 24));
    positions.push_back({extent * uniform(i, 0), extent * uniform(i, 1), extent * uniform(i, 2)});
  }
  return positions;
}

Positions linePositions(std::size_t neurons)
{
  Positions positions;
  for (std::size_t i = 0; i < neurons; ++i)
    positions.push_back({0.25 * static_cast<double>(i), 3, -7});
  return positions;
}

/// A node as the contract describes it.
struct ExpectedNode
{
  std::uint32_t next, leafBegin;
  int level;
  Position corner;
  double edge;
};

/// The octree as it is described in text books: neurons are put in one after the other, and a cell that holds two is
/// divided at its middle. Cells that are alone in their parent are left out when it is listed.
class InsertionOctree
{
public:
  explicit InsertionOctree(const Positions& neuronPositions) : positions(neuronPositions)
  {
    Cell root;
    root.corner = positions[0];
    Position highest = positions[0];
    for (const Position& at : positions)
      for (int axis = 0; axis < 3; ++axis) {
        root.corner[axis] = std::min(root.corner[axis], at[axis]);
        highest[axis] = std::max(highest[axis], at[axis]);
      }
    for (int axis = 0; axis < 3; ++axis)
      root.edge = std::max(root.edge, highest[axis] - root.corner[axis]);
    cells.push_back(root);
    for (std::uint32_t neuron = 0; neuron < positions.size(); ++neuron)
      insert(neuron);
    list();
  }

  std::vector<ExpectedNode> nodes;
  std::vector<std::uint32_t> order;

private:
  struct Cell
  {
    Position corner = {};
    double edge = 0;
    int level = 0;
    std::array<int, 8> child = {-1, -1, -1, -1, -1, -1, -1, -1};
    bool divided = false;
    std::vector<std::uint32_t> neurons; ///< of a cell that is not divided
  };

  int childOf(int cell, const Position& at)
  {
    const double half = cells[cell].edge / 2;
    int octant = 0;
    Position corner = cells[cell].corner;
    for (int axis = 0; axis < 3; ++axis)
      if (half > 0 && at[axis] >= corner[axis] + half) {
        octant |= 1 << axis;
        corner[axis] += half;
      }
    if (cells[cell].child[octant] < 0) {
      cells[cell].child[octant] = static_cast<int>(cells.size());
      Cell made;
      made.corner = corner;
      made.edge = half;
      made.level = cells[cell].level + 1;
      cells.push_back(made);
    }
    return cells[cell].child[octant];
  }

  void insert(std::uint32_t neuron)
  {
    int cell = 0;
    while (true) {
      while (cells[cell].divided)
        cell = childOf(cell, positions[neuron]);
      cells[cell].neurons.push_back(neuron);
      if (cells[cell].neurons.size() == 1 || cells[cell].level == 21)
        return;
      const std::uint32_t other = cells[cell].neurons.front();
      cells[cell].neurons.clear();
      cells[cell].divided = true;
      cells[childOf(cell, positions[other])].neurons.push_back(other);
    }
  }

  void add(const Cell& cell)
  {
    nodes.push_back({0, static_cast<std::uint32_t>(order.size()), cell.level, cell.corner, cell.edge});
  }

  void list()
  {
    struct Step
    {
      int cell;
      int closes; ///< the node whose subtree ends here, -1: none
    };
    std::vector<Step> pending = {{0, -1}};
    while (!pending.empty()) {
      const Step step = pending.back();
      pending.pop_back();
      if (step.closes >= 0) {
        nodes[step.closes].next = static_cast<std::uint32_t>(nodes.size());
        continue;
      }
      const Cell& cell = cells[step.cell];
      const auto children = std::ranges::count_if(cell.child, [](int child) { return child >= 0; });
      if (children >= 2 || cell.neurons.size() >= 2) {
        pending.push_back({-1, static_cast<int>(nodes.size())});
        add(cell);
      }
      for (const std::uint32_t neuron : cell.neurons) {
        add(cell);
        nodes.back().next = static_cast<std::uint32_t>(nodes.size());
        order.push_back(neuron);
      }
      for (int octant = 7; octant >= 0; --octant)
        if (cell.child[octant] >= 0)
          pending.push_back({cell.child[octant], -1});
    }
  }

  const Positions& positions;
  std::deque<Cell> cells;
};

std::vector<std::uint32_t> someVacant(std::size_t neurons)
{
  std::vector<std::uint32_t> vacant(neurons);
  for (std::size_t i = 0; i < neurons; ++i)
    vacant[i] = static_cast<std::uint32_t>(4 * uniform(i, 9));
  return vacant;
}

/// So many that two neurons have more than 2^32 together.
std::vector<std::uint32_t> manyVacant(std::size_t neurons)
{
  std::vector<std::uint32_t> vacant = someVacant(neurons);
  for (std::size_t i = 0; i < neurons; ++i)
    vacant[i] = vacant[i] == 0 ? 0 : 0xFFFFFFFFu - static_cast<std::uint32_t>(i);
  return vacant;
}

/// A wide sum that says the same has the same.
bool areEqual(const WideSum& a, const WideSum& b)
{
  bool equal = a.count == b.count;
  for (int axis = 0; axis < 3; ++axis)
    equal = equal && a.upper[axis] + (a.lower[axis] >> 32) == b.upper[axis] + (b.lower[axis] >> 32) &&
            static_cast<std::uint32_t>(a.lower[axis]) == static_cast<std::uint32_t>(b.lower[axis]);
  return equal;
}

} // namespace

Q_DECLARE_METATYPE(Positions)

class TestOctree : public QObject
{
  Q_OBJECT

private slots:
  void equalsTheTreeByInsertion_data() { populations(); }
  void equalsTheTreeByInsertion()
  {
    QFETCH(Positions, positions);
    const auto tree = makeOctree(positions);
    const InsertionOctree expected(positions);
    QCOMPARE(tree->neurons(), positions.size());
    QCOMPARE(tree->order, expected.order);
    QCOMPARE(tree->nodes(), expected.nodes.size());
    const double rounding =
        1e-15 * (std::abs(tree->lowest[0]) + std::abs(tree->lowest[1]) + std::abs(tree->lowest[2]) + tree->edge);
    for (std::uint32_t node = 0; node < tree->nodes(); ++node) {
      const ExpectedNode& other = expected.nodes[node];
      QCOMPARE(tree->next[node], other.next);
      QCOMPARE(tree->leafBegin[node], other.leafBegin);
      QCOMPARE(int{tree->level[node]}, other.level);
      QVERIFY(std::abs(tree->cellEdge(node) - other.edge) <= rounding);
      for (int axis = 0; axis < 3; ++axis)
        QVERIFY(std::abs(tree->cellCorner(node)[axis] - other.corner[axis]) <= rounding);
    }
  }

  /// Every subtree's neurons are exactly those of its children, in order; every leaf is its neuron's.
  void coversEveryNeuronOnce_data() { populations(); }
  void coversEveryNeuronOnce()
  {
    QFETCH(Positions, positions);
    const auto tree = makeOctree(positions);
    QVERIFY(tree->nodes() < 2 * tree->neurons());
    QVERIFY(std::is_sorted(tree->code.begin(), tree->code.end()));
    QCOMPARE(tree->next[0], tree->nodes());
    QCOMPARE(tree->leafBegin[0], 0u);
    QCOMPARE(tree->leafEnd(0), tree->neurons());
    std::size_t leaves = 0;
    for (std::uint32_t node = 0; node < tree->nodes(); ++node) {
      if (tree->isLeaf(node)) {
        ++leaves;
        QCOMPARE(tree->leafEnd(node), tree->leafBegin[node] + 1);
        QCOMPARE(tree->leafNode[tree->order[tree->leafBegin[node]]], node);
        continue;
      }
      std::uint32_t covered = tree->leafBegin[node];
      int children = 0;
      for (std::uint32_t child = node + 1; child < tree->next[node]; child = tree->next[child]) {
        QCOMPARE(tree->leafBegin[child], covered);
        covered = tree->leafEnd(child);
        QVERIFY(tree->level[child] > tree->level[node] || tree->level[node] == kDeepestLevel);
        ++children;
      }
      QCOMPARE(covered, tree->leafEnd(node));
      QVERIFY(children >= 2);
    }
    QCOMPARE(leaves, tree->neurons());
  }

  void sumsVacantElements_data() { populations(); }
  void sumsVacantElements()
  {
    QFETCH(Positions, positions);
    const auto tree = makeOctree(positions);
    const std::vector<std::uint32_t> vacant = someVacant(positions.size());
    const VacantElements elements = sumVacant(*tree, positions, vacant);
    QCOMPARE(elements.count.size(), tree->nodes());
    QCOMPARE(elements.count[0], std::accumulate(vacant.begin(), vacant.end(), 0u));
    const double far = std::abs(tree->lowest[0]) + std::abs(tree->lowest[1]) + std::abs(tree->lowest[2]) + tree->edge;
    for (std::uint32_t node = 0; node < tree->nodes(); ++node) {
      std::uint32_t count = 0;
      std::array<long double, 3> sum = {};
      for (std::uint32_t place = tree->leafBegin[node]; place < tree->leafEnd(node); ++place) {
        const std::uint32_t neuron = tree->order[place];
        count += vacant[neuron];
        for (int axis = 0; axis < 3; ++axis)
          sum[axis] += static_cast<long double>(vacant[neuron]) * positions[neuron][axis];
      }
      QCOMPARE(elements.count[node], count);
      const Position corner = tree->cellCorner(node);
      for (int axis = 0; axis < 3 && count > 0; ++axis) {
        const double centroid = elements.centroid[node][axis];
        const auto expected = static_cast<double>(sum[axis] / count);
        QVERIFY2(std::abs(centroid - expected) <= 1e-7 * far,
                 qPrintable(QString("node %1: %2, but %3").arg(node).arg(centroid).arg(expected)));
        QVERIFY(centroid >= corner[axis] - 1e-7 * far);
        QVERIFY(centroid <= corner[axis] + tree->cellEdge(node) + 1e-7 * far);
        if (tree->isLeaf(node))
          QCOMPARE(elements.centroid[node][axis], static_cast<float>(expected));
      }
    }
  }

  /// Large sums, a box far from the origin, and sums that differ from all other channels'.
  void sumsManyElementsExactly()
  {
    Positions positions = {{1e6, 1e6, 1e6}, {1e6 + 1024, 1e6, 1e6}};
    const std::vector<std::uint32_t> vacant = {3000000000u, 1000000000u};
    const auto tree = makeOctree(positions);
    const VacantElements elements = sumVacant(*tree, positions, vacant);
    QCOMPARE(elements.count[0], 4000000000u);
    QCOMPARE(elements.centroid[0][0], 1e6f + 256);
    QCOMPARE(elements.centroid[0][1], 1e6f);
    QVERIFY(elements.large.empty());
    const VacantElements more = sumVacant(*tree, positions, {3000000000u, 2000000000u});
    QCOMPARE(more.in(0), std::uint64_t{5000000000u});
    QCOMPARE(more.in(1), std::uint64_t{3000000000u});
    QCOMPARE(more.in(2), std::uint64_t{2000000000u});
    QVERIFY(more.large == (std::vector<LargeNode>{{0, 5000000000u}}));
    QCOMPARE(more.centroid[0][0], static_cast<float>(1e6 + 1024 * 0.4));
    QCOMPARE(more.centroid[0][1], 1e6f);
    requireVacantCount(kMostVacant);
    QVERIFY_THROWS_EXCEPTION(Error, requireVacantCount(kMostVacant + 1));
  }

  /// Pieces that wrap and pieces that do not give what neurons give one by one.
  void wideSumsAreThoseOfEveryNeuron()
  {
    constexpr std::uint32_t kPlaces = 70;
    constexpr std::uint32_t kFew = 40; // up to here pieces of many places hold fewer than 2^32 elements
    std::vector<VacantSum> own, before = {VacantSum{}};
    for (std::uint32_t place = 0; place < kPlaces; ++place) {
      const auto vacant = static_cast<std::uint32_t>((place < kFew ? 3e8 : 0x1p32) * uniform(place, 1));
      const auto grid = [&](std::uint32_t draw) { return static_cast<std::uint32_t>(0x1p32 * uniform(place, draw)); };
      own.push_back(vacantAt(vacant, {grid(2), grid(3), grid(4)}));
      before.push_back(before.back() + own.back());
    }
    QVERIFY(isLarge(before[kFew].count));
    for (std::uint32_t begin = 0; begin <= kPlaces; ++begin) {
      WideSum one;
      for (std::uint32_t end = begin; end <= kPlaces; ++end) {
        QVERIFY(areEqual(wideSum(before.data(), begin, end), one));
        if (end < kPlaces)
          one.add(own[end]);
      }
    }
  }

  void countsFollowFromTheirLowerBits()
  {
    for (int bits = 0; bits <= 54; ++bits)
      for (const std::uint64_t below : {0, 1, 77, 128, 129}) {
        const std::uint64_t count = (std::uint64_t{1} << bits) - std::min(std::uint64_t{1} << bits, below);
        QCOMPARE(wholeCount(static_cast<std::uint32_t>(count), static_cast<float>(count)), count);
        const std::uint64_t more = std::min(kMostVacant, count + 12345 * below);
        QCOMPARE(wholeCount(static_cast<std::uint32_t>(more), static_cast<float>(more)), more);
      }
  }

  void sumsLargeNodes_data() { populations(); }
  void sumsLargeNodes()
  {
    QFETCH(Positions, positions);
    const auto tree = makeOctree(positions);
    const std::vector<std::uint32_t> vacant = manyVacant(positions.size());
    const VacantElements elements = sumVacant(*tree, positions, vacant);
    const double far = std::abs(tree->lowest[0]) + std::abs(tree->lowest[1]) + std::abs(tree->lowest[2]) + tree->edge;
    std::vector<LargeNode> large;
    for (std::uint32_t node = 0; node < tree->nodes(); ++node) {
      std::uint64_t count = 0;
      std::array<long double, 3> sum = {};
      for (std::uint32_t place = tree->leafBegin[node]; place < tree->leafEnd(node); ++place) {
        const std::uint32_t neuron = tree->order[place];
        count += vacant[neuron];
        for (int axis = 0; axis < 3; ++axis)
          sum[axis] += static_cast<long double>(vacant[neuron]) * positions[neuron][axis];
      }
      QCOMPARE(elements.in(node), count);
      if (isLarge(count))
        large.push_back({node, count});
      for (int axis = 0; axis < 3 && count > 0; ++axis)
        QVERIFY(std::abs(elements.centroid[node][axis] - static_cast<double>(sum[axis] / count)) <= 1e-7 * far);
    }
    QVERIFY(elements.large == large);
    VacantElements found = elements;
    synapse::detail::findLargeNodes(*tree, found);
    QVERIFY(found.large == large);
    for (const int threads : {1, 3}) {
      const VacantElements again = sumVacant(*tree, positions, vacant, threads);
      QCOMPARE(again.count, elements.count);
      QCOMPARE(again.centroid, elements.centroid);
      QVERIFY(again.large == large);
    }
  }

  void isTheSameOnAnyNumberOfThreads()
  {
    const Positions positions = clusteredPositions(60000);
    const std::vector<std::uint32_t> vacant = someVacant(positions.size());
    const auto tree = makeOctree(positions, 1);
    const VacantElements elements = sumVacant(*tree, positions, vacant, 1);
    for (const int threads : {2, 3}) {
      const auto other = makeOctree(positions, threads);
      QCOMPARE(other->order, tree->order);
      QCOMPARE(other->code, tree->code);
      QCOMPARE(other->leafNode, tree->leafNode);
      QCOMPARE(other->next, tree->next);
      QCOMPARE(other->leafBegin, tree->leafBegin);
      QCOMPARE(other->level, tree->level);
      const VacantElements again = sumVacant(*other, positions, vacant, threads);
      QCOMPARE(again.count, elements.count);
      QCOMPARE(again.centroid, elements.centroid);
    }
  }

  void isTheSameOnCuda_data() { populations(); }
  void isTheSameOnCuda()
  {
    if (cudaDevices().empty())
      QSKIP("no CUDA device");
    QFETCH(Positions, positions);
    const auto tree = makeOctree(positions);
    const auto other = synapse::detail::makeOctreeOnDevice(positions);
    QCOMPARE(other->lowest, tree->lowest);
    QCOMPARE(other->edge, tree->edge);
    QCOMPARE(other->order, tree->order);
    QCOMPARE(other->code, tree->code);
    QCOMPARE(other->leafNode, tree->leafNode);
    QCOMPARE(other->next, tree->next);
    QCOMPARE(other->leafBegin, tree->leafBegin);
    QCOMPARE(other->level, tree->level);
  }

  void takesAnyUsablePlaces()
  {
    const auto one = makeOctree({{3, -4, 5}});
    QCOMPARE(one->nodes(), std::size_t{1});
    QVERIFY(one->isLeaf(0));
    QCOMPARE(one->edge, 0.0);
    QCOMPARE(int{one->level[0]}, 0);
    const VacantElements vacant = sumVacant(*one, {{3, -4, 5}}, {2});
    QCOMPARE(vacant.count, std::vector<std::uint32_t>{2});
    QCOMPARE(vacant.centroid[0][1], -4.0f);

    const auto same = makeOctree(Positions(100, {0.1, 0.2, 0.3}));
    QCOMPARE(same->nodes(), std::size_t{101});
    QCOMPARE(same->next[0], 101u);
    QCOMPARE(int{same->level[0]}, kDeepestLevel);
    QVERIFY(std::is_sorted(same->order.begin(), same->order.end()));

    // Subnormal and very large extents.
    for (const double extent : {5e-324, 1e-310, 1e-30, 1e15}) {
      const auto tree = makeOctree({{0, 0, 0}, {extent, 0, 0}, {extent, extent, extent}, {0, extent, 0}});
      QCOMPARE(tree->nodes(), std::size_t{5});
      QCOMPARE(tree->edge, extent);
    }
  }

  void refusesUnusablePlaces_data()
  {
    QTest::addColumn<double>("coordinate");
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("infinite") << -std::numeric_limits<double>::infinity();
    QTest::newRow("far") << 1e300;
  }
  void refusesUnusablePlaces()
  {
    QFETCH(double, coordinate);
    Positions positions = randomPositions(20000, 100);
    positions[12345][1] = coordinate;
    positions[15000][2] = coordinate;
    try {
      makeOctree(positions);
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadParameter);
      QVERIFY2(error.message().find("Neuron 12345 ") != std::string::npos, error.what());
    }
    QVERIFY_THROWS_EXCEPTION(Error, makeOctree({}));
  }

  void stopsWhenCancelled()
  {
    const RunControl control;
    control.cancel();
    QVERIFY_THROWS_EXCEPTION(Error, makeOctree(randomPositions(100, 10), 1, control));
  }

private:
  static void populations()
  {
    QTest::addColumn<Positions>("positions");
    QTest::newRow("two") << Positions{{0, 0, 0}, {1, 2, 3}};
    QTest::newRow("a pair and one far") << Positions{{0, 0, 0}, {1e-3, 0, 0}, {1024, 1024, 1024}};
    QTest::newRow("pairs at one place") << Positions{{5, 5, 5}, {0, 0, 0}, {5, 5, 5}, {8, 8, 8}, {0, 0, 0}};
    QTest::newRow("a line") << linePositions(1001);
    QTest::newRow("crowded") << crowdedPositions(3000);
    QTest::newRow("clusters") << clusteredPositions(5000);
    QTest::newRow("random") << randomPositions(200000, 2000);
  }
};

HINESIGHT_TEST(TestOctree)
#include "test_octree.moc"
