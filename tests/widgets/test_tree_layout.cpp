#include "core/philox.hpp"
#include "test_main.hpp"
#include "widgets/cells/tree/tree_layout.hpp"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

using namespace hinesight;
using widgets::layOutTree;
using widgets::TreeLayout;

namespace {

/// A tree from each branch's parent, breadth first as the engine orders it. `length`: compartments of branch k.
hines::DependencyTree makeTree(const std::vector<std::int32_t>& parent,
                               const std::function<std::int32_t(std::size_t)>& length)
{
  hines::DependencyTree tree;
  tree.parent = parent;
  std::int32_t first = 0;
  for (std::size_t branch = 0; branch < parent.size(); ++branch) {
    tree.level.push_back(parent[branch] < 0 ? 0 : tree.level[parent[branch]] + 1);
    tree.first.push_back(first);
    tree.length.push_back(length(branch));
    tree.uncut.push_back(static_cast<std::int32_t>(branch));
    first += tree.length.back();
  }
  return tree;
}

/// `branches` branches over `roots` trees; up to `mostChildren` children each, drawn from the seed.
hines::DependencyTree makeRandomTree(std::int32_t branches, std::uint32_t roots, std::uint32_t mostChildren,
                                     std::uint64_t seed)
{
  const auto draw = [seed](std::uint64_t entity, std::uint32_t kind) {
    return randomBits(seed, entity, kind, 0).word[0];
  };
  std::vector<std::int32_t> parent(roots, -1);
  for (std::size_t next = 0; static_cast<std::int32_t>(parent.size()) < branches; ++next) {
    // The last open branch always goes on, so that the tree reaches its size.
    const bool mustGrow = next + 1 == parent.size();
    const std::uint32_t children = std::max(mustGrow ? 1U : 0U, draw(next, 0) % (mostChildren + 1));
    for (std::uint32_t k = 0; k < children && static_cast<std::int32_t>(parent.size()) < branches; ++k) {
      parent.push_back(static_cast<std::int32_t>(next));
    }
  }
  return makeTree(parent, [&](std::size_t branch) { return 1 + static_cast<std::int32_t>(draw(branch, 1) % 40); });
}

std::vector<std::vector<std::int32_t>> rowsOf(const hines::DependencyTree& tree)
{
  std::vector<std::vector<std::int32_t>> rows(tree.levels());
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    rows[tree.level[branch]].push_back(static_cast<std::int32_t>(branch));
  }
  return rows;
}

/// What every tidy drawing must satisfy.
void checkDrawing(const hines::DependencyTree& tree, const TreeLayout& layout)
{
  constexpr double kRounding = 1e-6; // columns; places are sums of thousands of halves
  QCOMPARE(layout.x.size(), tree.branches());
  QCOMPARE(static_cast<std::int32_t>(layout.rowTop.size()), tree.levels());

  double left = 1e300;
  double right = -1e300;
  for (std::vector<std::int32_t> row : rowsOf(tree)) {
    std::sort(row.begin(), row.end(), [&](auto a, auto b) { return layout.x[a] < layout.x[b]; });
    for (std::size_t k = 0; k < row.size(); ++k) {
      left = std::min(left, layout.x[row[k]] - 0.5);
      right = std::max(right, layout.x[row[k]] + 0.5);
      if (k > 0) {
        QVERIFY2(layout.x[row[k]] - layout.x[row[k - 1]] >= 1 - kRounding, "two branches of a row overlap");
        const std::int32_t leftParent = tree.parent[row[k - 1]];
        const std::int32_t rightParent = tree.parent[row[k]];
        if (leftParent >= 0 && rightParent >= 0) {
          QVERIFY2(layout.x[leftParent] <= layout.x[rightParent] + kRounding, "two connectors cross");
        }
      }
    }
  }
  QVERIFY(std::abs(left) < kRounding);
  QVERIFY(std::abs(right - layout.width) < kRounding);

  std::vector<double> low(tree.branches(), 1e300);
  std::vector<double> high(tree.branches(), -1e300);
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const std::int32_t parent = tree.parent[branch];
    if (parent >= 0) {
      low[parent] = std::min(low[parent], layout.x[branch]);
      high[parent] = std::max(high[parent], layout.x[branch]);
      const double parentBottom = layout.rowTop[tree.level[parent]] + tree.length[parent];
      QVERIFY2(parentBottom <= layout.rowTop[tree.level[branch]] - layout.rowGap + kRounding, "a child is not below");
    }
  }
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    if (low[branch] <= high[branch]) {
      QVERIFY2(std::abs(layout.x[branch] - 0.5 * (low[branch] + high[branch])) < kRounding, "a parent is not centred");
    }
  }
}

} // namespace

class TestTreeLayout : public QObject
{
  Q_OBJECT

private slots:
  void handMadeTree()
  {
    // Root of 3 with children of 5 and 2; the first has children of 1 and 4.
    const auto tree = makeTree({-1, 0, 0, 1, 1}, [](std::size_t k) { return std::array{3, 5, 2, 1, 4}[k]; });
    const TreeLayout layout = layOutTree(tree, 2);
    QCOMPARE(layout.rowTop, (std::vector<double>{0, 5, 12}));
    QCOMPARE(layout.rowHeight, (std::vector<std::int32_t>{3, 5, 4}));
    QCOMPARE(layout.height, 16.0);
    QCOMPARE(layout.steps(), 12);
    // The heavier child (10 compartments) is left of the lighter one, the longer grandchild left of the shorter.
    QCOMPARE(layout.x[4], 0.5);
    QCOMPARE(layout.x[3], 1.5);
    QCOMPARE(layout.x[1], 1.0);
    QCOMPARE(layout.x[2], 2.0);
    QCOMPARE(layout.x[0], 1.5);
    QCOMPARE(layout.width, 2.5);
    QCOMPARE(widgets::criticalPath(tree), (std::vector<std::int32_t>{0, 1, 4}));
    QCOMPARE(widgets::subtreeCompartments(tree), (std::vector<std::int64_t>{15, 10, 2, 1, 4}));
  }

  void emptyTree()
  {
    const TreeLayout layout = layOutTree({}, 1);
    QCOMPARE(layout.width, 0.0);
    QCOMPARE(layout.height, 0.0);
    QVERIFY(widgets::criticalPath({}).empty());
  }

  void drawingsAreTidy_data()
  {
    QTest::addColumn<int>("branches");
    QTest::addColumn<int>("roots");
    QTest::addColumn<int>("mostChildren");
    QTest::newRow("one branch") << 1 << 1 << 2;
    QTest::newRow("binary") << 2'000 << 1 << 2;
    QTest::newRow("bushy") << 3'000 << 1 << 6;
    QTest::newRow("forest") << 1'000 << 7 << 3;
    QTest::newRow("all roots") << 50 << 50 << 2;
  }

  void drawingsAreTidy()
  {
    QFETCH(int, branches);
    QFETCH(int, roots);
    QFETCH(int, mostChildren);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto tree = makeRandomTree(branches, roots, mostChildren, seed);
      QCOMPARE(static_cast<int>(tree.branches()), branches);
      checkDrawing(tree, layOutTree(tree, 1.5));
    }
  }

  /// Subtrees nest into each other: a comb with long teeth needs no more columns than its widest row asks for.
  void subtreesInterlock()
  {
    // A spine of 40 branches, a leaf at each: only two branches a row.
    std::vector<std::int32_t> parent{-1};
    std::int32_t spine = 0;
    for (int k = 0; k < 40; ++k) {
      parent.push_back(spine);
      parent.push_back(spine);
      spine = static_cast<std::int32_t>(parent.size()) - 2;
    }
    const auto tree = makeTree(parent, [](std::size_t) { return 3; });
    const TreeLayout layout = layOutTree(tree, 1);
    checkDrawing(tree, layout);
    // Each step down the spine moves by half a column, while 41 leaves side by side would take 41 columns.
    QVERIFY(layout.width <= 22);
  }

  void equalSubtreesAreDrawnAlike()
  {
    const auto tree = makeTree({-1, 0, 0, 1, 1, 1, 2, 2, 2, 4, 7}, [](std::size_t) { return 2; });
    const TreeLayout layout = layOutTree(tree, 1);
    checkDrawing(tree, layout);
    std::vector<double> first;
    std::vector<double> second;
    for (const std::int32_t branch : {3, 4, 5, 9}) {
      first.push_back(layout.x[branch] - layout.x[1]);
    }
    for (const std::int32_t branch : {6, 7, 8, 10}) {
      second.push_back(layout.x[branch] - layout.x[2]);
    }
    QCOMPARE(first, second);
  }

  void criticalPathIsTheLongest()
  {
    const auto tree = makeRandomTree(4'000, 2, 3, 5);
    // Against every tip's way up.
    std::int64_t longest = 0;
    for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
      std::int64_t sum = 0;
      for (auto up = static_cast<std::int32_t>(branch); up >= 0; up = tree.parent[up]) {
        sum += tree.length[up];
      }
      longest = std::max(longest, sum);
    }
    std::int64_t sum = 0;
    std::int32_t above = -1;
    for (const std::int32_t branch : widgets::criticalPath(tree)) {
      QCOMPARE(tree.parent[branch], above);
      above = branch;
      sum += tree.length[branch];
    }
    QCOMPARE(sum, longest);
  }

  void piecesAreJoined()
  {
    // Branch 1 was cut in three (1, 3, 5); branch 4 hangs on its last piece with 6.
    auto tree =
        makeTree({-1, 0, 0, 1, 2, 3, 5, 5}, [](std::size_t k) { return std::array{2, 4, 3, 4, 1, 3, 7, 5}[k]; });
    tree.uncut = {0, 1, 2, 1, 3, 1, 4, 5};
    const auto uncut = widgets::joinPieces(tree);
    QCOMPARE(uncut.length, (std::vector<std::int32_t>{2, 11, 3, 1, 7, 5}));
    QCOMPARE(uncut.level, (std::vector<std::int32_t>{0, 1, 1, 2, 2, 2}));
    QCOMPARE(uncut.top, (std::vector<std::int32_t>{0, 1, 2, 4, 6, 7}));
  }

  /// Neither size nor depth may cost more than its share, nor the stack: the square of a million branches is more steps
  /// than any test waits for.
  void laysOutHugeTrees_data()
  {
    QTest::addColumn<hines::DependencyTree>("tree");
    std::vector<std::int32_t> chain(1'000'000);
    std::iota(chain.begin(), chain.end(), -1);
    QTest::newRow("chain of 1,000,000") << makeTree(chain, [](std::size_t) { return 2; });
    std::vector<std::int32_t> star(1'000'000, 0);
    star[0] = -1;
    QTest::newRow("star of 1,000,000") << makeTree(star, [](std::size_t) { return 2; });
    std::vector<std::int32_t> comb{-1};
    for (std::int32_t k = 0; k < 500'000; ++k) {
      const std::int32_t spine = k == 0 ? 0 : 2 * k - 1;
      comb.insert(comb.end(), {spine, spine});
    }
    QTest::newRow("comb of 1,000,000") << makeTree(comb, [](std::size_t) { return 2; });
    QTest::newRow("random tree of 1,000,000") << makeRandomTree(1'000'000, 1, 3, 3);
  }

  void laysOutHugeTrees()
  {
    QFETCH(hines::DependencyTree, tree);
    checkDrawing(tree, layOutTree(tree, 1));
  }
};

HINESIGHT_TEST(TestTreeLayout)
#include "test_tree_layout.moc"
