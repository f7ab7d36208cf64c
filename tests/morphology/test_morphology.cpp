#include "core/philox.hpp"
#include "morphology/branches.hpp"
#include "morphology/extreme_shapes.hpp"
#include "morphology/swc_samples.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace hinesight;
using namespace hinesight::morphology;
using namespace swc_samples;

/// Completing a morphology and finding its branches: against brute force on random trees, on shapes that break
/// recursive or quadratic code, and on every way to describe a soma.
class TestMorphology : public QObject
{
  Q_OBJECT

private slots:
  void ordersAndBranchesRandomForests();
  void solvesUnknownRadii();
  void unknownRadiiWithoutAnyKnownOne();
  void namesAllCycles();
  void namesCyclesOfSyntheticCells();
  void describesTheSoma_data();
  void describesTheSoma();
  void measuresAnEmptyMorphology();
  void readsExtremeShapes_data();
  void readsExtremeShapes();
  void namesTypes();
};

namespace {

/// So many that the square of it is more steps than any test waits for.
constexpr std::int64_t kExtremeSamples = 1'000'000;

/// A random forest, some samples with unknown radius. By odd seeds its samples lie in the file in random order, by even
/// ones parents come before their children.
Morphology randomForest(std::uint64_t seed)
{
  const auto draw = [seed](std::uint64_t entity, std::uint32_t which) { return randomUniform(seed, entity, 0, which); };
  const auto samples = 1 + static_cast<std::int32_t>(draw(0, 0) * 60);
  std::vector<std::int32_t> place(static_cast<std::size_t>(samples));
  for (std::int32_t at = 0; at < samples; ++at)
    place[at] = at;
  for (std::int32_t at = seed % 2 == 1 ? samples - 1 : 0; at > 0; --at)
    std::swap(place[at], place[static_cast<std::int32_t>(draw(1, static_cast<std::uint32_t>(at)) * (at + 1))]);

  Morphology forest;
  const auto size = static_cast<std::size_t>(samples);
  for (std::vector<double>* values : {&forest.x, &forest.y, &forest.z, &forest.radius})
    values->resize(size);
  forest.id.resize(size);
  forest.type.resize(size);
  forest.parent.resize(size);
  forest.line.resize(size);
  const double rootChance = draw(0, 1) * 0.3;
  const double chainChance = draw(0, 2);
  for (std::int32_t at = 0; at < samples; ++at) {
    const auto entity = static_cast<std::uint64_t>(at) + 2;
    const std::int32_t sample = place[at];
    std::int32_t parent = -1;
    if (at > 0 && draw(entity, 0) >= rootChance)
      parent = place[draw(entity, 1) < chainChance ? at - 1 : static_cast<std::int32_t>(draw(entity, 2) * at)];
    forest.id[sample] = 10 + sample;
    forest.type[sample] = static_cast<std::int32_t>(draw(entity, 3) * 5);
    forest.x[sample] = draw(entity, 4);
    forest.y[sample] = draw(entity, 5);
    forest.z[sample] = draw(entity, 6);
    forest.radius[sample] = draw(entity, 7) < 0.6 ? 0 : draw(entity, 8) + 0.1;
    forest.parent[sample] = parent;
    forest.line[sample] = sample + 1;
  }
  return forest;
}

/// Ancestors of a sample from its parent up to its root.
std::vector<std::int32_t> ancestors(const Morphology& forest, std::int32_t sample)
{
  std::vector<std::int32_t> path;
  for (std::int32_t at = forest.parent[sample]; at >= 0; at = forest.parent[at])
    path.push_back(at);
  return path;
}

std::int32_t countChildren(const Morphology& forest, std::int32_t sample)
{
  return static_cast<std::int32_t>(std::count(forest.parent.begin(), forest.parent.end(), sample));
}

/// Where the branch of a non-root sample hangs: the first ancestor that is a root or has several children.
std::int32_t branchStart(const Morphology& forest, std::int32_t sample)
{
  const std::vector<std::int32_t> path = ancestors(forest, sample);
  return *std::find_if(path.begin(), path.end(), [&](std::int32_t ancestor) {
    return forest.parent[ancestor] < 0 || countChildren(forest, ancestor) >= 2;
  });
}

/// Along the tree; infinite between trees.
double treeDistance(const Morphology& forest, std::int32_t from, std::int32_t to)
{
  std::vector<std::int32_t> a = ancestors(forest, from);
  std::vector<std::int32_t> b = ancestors(forest, to);
  a.insert(a.begin(), from);
  b.insert(b.begin(), to);
  if (a.back() != b.back())
    return std::numeric_limits<double>::infinity();
  while (a.size() > 1 && b.size() > 1 && a[a.size() - 2] == b[b.size() - 2]) {
    a.pop_back();
    b.pop_back();
  }
  double distance = 0;
  for (const auto& path : {a, b}) {
    for (std::size_t at = 0; at + 1 < path.size(); ++at)
      distance += sampleDistance(forest, path[at], path[at + 1]);
  }
  return distance;
}

/// The depth-first order by its definition.
bool isDepthFirst(const Morphology& forest)
{
  std::vector<std::int32_t> expected;
  std::vector<std::int32_t> waiting(forest.roots.rbegin(), forest.roots.rend());
  while (!waiting.empty()) {
    const std::int32_t sample = waiting.back();
    waiting.pop_back();
    expected.push_back(sample);
    for (auto child = static_cast<std::int32_t>(forest.samples()) - 1; child >= 0; --child) {
      if (forest.parent[child] == sample)
        waiting.push_back(child);
    }
  }
  return expected == forest.order;
}

void compareWithBruteForce(const Morphology& forest, const BranchTree& tree)
{
  QVERIFY(isDepthFirst(forest));
  std::set<std::pair<std::int32_t, std::int32_t>> branchesSeen;
  for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(forest.samples()); ++sample) {
    QCOMPARE(forest.childCount(sample), countChildren(forest, sample));
    double path = 0;
    std::int32_t below = sample;
    for (const std::int32_t ancestor : ancestors(forest, sample)) {
      path += sampleDistance(forest, below, ancestor);
      below = ancestor;
    }
    QVERIFY(std::abs(tree.pathDistance[sample] - path) < 1e-12);
    const std::int32_t branch = tree.ofSample[sample];
    if (forest.parent[sample] < 0) {
      QCOMPARE(branch, -1);
      continue;
    }
    const std::int32_t start = branchStart(forest, sample);
    QCOMPARE(tree.start[branch], start);
    QCOMPARE(tree.parent[branch], tree.ofSample[start]);
    QVERIFY(tree.parent[branch] < branch);
    std::int32_t order = 0;
    for (const std::int32_t ancestor : ancestors(forest, sample))
      order += forest.parent[ancestor] >= 0 && countChildren(forest, ancestor) >= 2;
    QCOMPARE(tree.order[branch], order);
    branchesSeen.insert({branch, start});
  }
  QCOMPARE(branchesSeen.size(), tree.branches());
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    std::int32_t above = tree.start[branch];
    double length = 0;
    for (std::int32_t at = tree.sampleBegin[branch]; at < tree.sampleBegin[branch + 1]; ++at) {
      const std::int32_t sample = tree.sample[at];
      QCOMPARE(forest.parent[sample], above);
      QCOMPARE(tree.ofSample[sample], static_cast<std::int32_t>(branch));
      length += sampleDistance(forest, sample, above);
      above = sample;
    }
    QVERIFY(countChildren(forest, above) != 1);
    QCOMPARE(tree.type[branch], forest.type[tree.sample[tree.sampleBegin[branch]]]);
    QCOMPARE(tree.length[branch], length);
  }
}

} // namespace

void TestMorphology::ordersAndBranchesRandomForests()
{
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Morphology forest = randomForest(seed);
    completeMorphology(forest);
    const BranchTree tree = findBranches(forest);
    compareWithBruteForce(forest, tree);
    if (QTest::currentTestFailed())
      QFAIL(qPrintable(QStringLiteral("seed %1").arg(seed)));
    const MorphologyMetrics metrics = measure(forest, tree);
    double total = 0;
    std::size_t tips = 0;
    for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(forest.samples()); ++sample) {
      total += forest.parent[sample] < 0 ? 0 : sampleDistance(forest, sample, forest.parent[sample]);
      tips += forest.parent[sample] >= 0 && countChildren(forest, sample) == 0;
    }
    QVERIFY(std::abs(metrics.totalLength - total) <= 1e-12 * (1 + total));
    QCOMPARE(metrics.tips, tips);
    QCOMPARE(metrics.lower[2], *std::min_element(forest.z.begin(), forest.z.end()));
    QCOMPARE(metrics.upper[0], *std::max_element(forest.x.begin(), forest.x.end()));
  }
}

void TestMorphology::solvesUnknownRadii()
{
  int unknown = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Morphology forest = randomForest(seed);
    completeMorphology(forest);
    for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(forest.samples()); ++sample) {
      if (forest.radius[sample] > 0) {
        QCOMPARE(forest.solvedRadius[sample], forest.radius[sample]);
        continue;
      }
      ++unknown;
      double nearest = std::numeric_limits<double>::infinity();
      double expected = 0.5;
      for (std::int32_t other = 0; other < static_cast<std::int32_t>(forest.samples()); ++other) {
        const double distance = forest.radius[other] > 0 ? treeDistance(forest, sample, other) : nearest;
        if (distance < nearest) {
          nearest = distance;
          expected = forest.radius[other];
        }
      }
      QCOMPARE(forest.solvedRadius[sample], expected);
    }
  }
  QVERIFY(unknown > 1000);
}

void TestMorphology::unknownRadiiWithoutAnyKnownOne()
{
  const auto cell = parse("1 1 0 0 0 0 -1\n2 3 0 1 0 -1 1\n3 3 0 9 0 NA 2\n");
  QCOMPARE(cell->radius, (std::vector<double>{0, 0, 0}));
  QCOMPARE(cell->solvedRadius, (std::vector<double>{0.5, 0.5, 0.5}));
  QCOMPARE(cell->somaRadius, 0.5);
}

void TestMorphology::namesAllCycles()
{
  const auto error = parseError("1 1 0 0 0 1 -1\n2 3 0 0 0 1 3\n3 3 0 0 0 1 2\n4 3 0 0 0 1 2\n"
                                "9 3 0 0 0 1 7\n8 3 0 0 0 1 9\n7 3 0 0 0 1 8\n");
  QVERIFY(error);
  QCOMPARE(error->line(), 2);
  const QString message = QString::fromStdString(error->message());
  QVERIFY2(message.contains("cycle 2 -> 3 -> 2 (lines 2, 3)"), error->what());
  QVERIFY2(message.contains("test.swc:5: the parents form a cycle 9 -> 7 -> 8 -> 9 (lines 5, 6, 7)"), error->what());
  QCOMPARE(message.count("form a cycle"), 2);
}

void TestMorphology::namesCyclesOfSyntheticCells()
{
  Morphology ring;
  for (std::int32_t sample = 0; sample < 50'000; ++sample) {
    ring.id.push_back(sample);
    ring.type.push_back(3);
    ring.x.push_back(sample);
    ring.y.push_back(0);
    ring.z.push_back(0);
    ring.radius.push_back(1);
    ring.parent.push_back((sample + 1) % 50'000);
    ring.line.push_back(0);
  }
  const auto error = errorOf([&] { completeMorphology(ring); });
  QVERIFY(error);
  QCOMPARE(error->code(), ErrorCode::BadFormat);
  QCOMPARE(error->line(), 0);
  QVERIFY2(error->message().find("0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... -> 0") != std::string::npos,
           error->what());
}

void TestMorphology::describesTheSoma_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("kind");
  QTest::addColumn<double>("radius");
  QTest::addColumn<double>("centreY");
  const auto add = [](const char* name, const char* text, SomaKind kind, double radius, double centreY) {
    QTest::newRow(name) << QByteArray(text) << static_cast<int>(kind) << radius << centreY;
  };
  add("none", "1 3 0 4 0 2 -1\n2 3 0 9 0 1 1\n", SomaKind::None, 0, 0);
  add("one sample", "1 1 0 4 0 2 -1\n2 3 0 9 0 1 1\n", SomaKind::Sphere, 2, 4);
  add("three points on y", "1 1 0 4 0 2 -1\n2 1 0 2 0 2 1\n3 1 0 6 0 2 1\n", SomaKind::ThreePoint, 2, 4);
  add("three points on z, swapped", "7 1 0 4 0 2 -1\n2 1 0 4 2 2 7\n3 1 0 4 -2 2 7\n", SomaKind::ThreePoint, 2, 4);
  add("three points within 1 %", "1 1 0 4 0 2 -1\n2 1 0 2.019 0 2 1\n3 1 0 5.981 0 2 1\n", SomaKind::ThreePoint, 2, 4);
  add("three points beyond 1 %", "1 1 0 4 0 2 -1\n2 1 0 2.03 0 2 1\n3 1 0 6 0 2 1\n", SomaKind::Frusta, 2, 4);
  add("three points on one side", "1 1 0 4 0 2 -1\n2 1 0 2 0 2 1\n3 1 0 2 0 2 1\n", SomaKind::Frusta, 2, 4);
  add("three points of unlike radii", "1 1 0 4 0 2 -1\n2 1 0 2 0 1 1\n3 1 0 6 0 2 1\n", SomaKind::Frusta, 2, 4);
  add("chain of three", "1 1 0 4 0 2 -1\n2 1 0 6 0 2 1\n3 1 0 8 0 2 2\n", SomaKind::Frusta, 2, 4);
  add("two samples", "1 1 0 4 0 2 -1\n2 1 0 6 0 3 1\n", SomaKind::Frusta, 2, 4);
  add("square contour", "1 1 1 5 0 .1 -1\n2 1 -1 5 0 .1 1\n3 1 -1 3 0 .1 2\n4 1 1 3 0 .1 3\n", SomaKind::Contour,
      std::sqrt(2.0), 4);
  add("closed contour of unknown radii", "1 1 1 5 0 0 -1\n2 1 -1 5 0 0 1\n3 1 -1 3 0 0 2\n4 1 1 3 0 0 3\n",
      SomaKind::Contour, std::sqrt(2.0), 4);
  add("open chain of tiny radii", "1 1 0 0 0 .1 -1\n2 1 0 2 0 .1 1\n3 1 0 4 0 .1 2\n4 1 0 6 0 .1 3\n", SomaKind::Frusta,
      0.1, 0);
  add("thick ring", "1 1 0 5 0 1 -1\n2 1 -1 4 0 1 1\n3 1 0 3 0 1 2\n4 1 1 4 0 1 3\n", SomaKind::Frusta, 1, 5);
  add("branched", "1 1 0 4 0 2 -1\n2 1 0 5 0 2 1\n3 1 1 6 0 2 2\n4 1 -1 6 0 2 2\n", SomaKind::Frusta, 2, 4);
  add("ring of roots", "1 1 1 5 0 .1 -1\n2 1 -1 5 0 .1 -1\n3 1 -1 3 0 .1 -1\n4 1 1 3 0 .1 -1\n", SomaKind::Contour,
      std::sqrt(2.0), 4);
  add("two cells", "1 1 0 4 0 2 -1\n2 1 0 90 0 3 -1\n", SomaKind::Sphere, 2, 4);
  add("unknown radius", "1 1 0 4 0 0 -1\n2 3 0 9 0 1.5 1\n", SomaKind::Sphere, 1.5, 4);
}

void TestMorphology::describesTheSoma()
{
  QFETCH(QByteArray, text);
  QFETCH(int, kind);
  QFETCH(double, radius);
  QFETCH(double, centreY);
  const auto cell = parse(text.toStdString());
  QCOMPARE(static_cast<int>(cell->somaKind), kind);
  QCOMPARE(cell->somaRadius, radius);
  QCOMPARE(cell->somaCentre, (std::array<double, 3>{0, centreY, 0}));
}

void TestMorphology::measuresAnEmptyMorphology()
{
  Morphology empty;
  completeMorphology(empty);
  const BranchTree tree = findBranches(empty);
  QCOMPARE(tree.branches(), 0u);
  QCOMPARE(tree.sampleBegin, (std::vector<std::int32_t>{0}));
  QCOMPARE(measure(empty, tree).samples, 0u);
  QCOMPARE(empty.somaKind, SomaKind::None);
}

void TestMorphology::readsExtremeShapes_data()
{
  QTest::addColumn<int>("shape");
  int number = 0;
  for (const extreme_shapes::ExtremeShape& shape : extreme_shapes::ofSamples(kExtremeSamples))
    QTest::newRow(shape.name) << number++;
}

void TestMorphology::readsExtremeShapes()
{
  QFETCH(int, shape);
  const extreme_shapes::ExtremeShape extreme =
      extreme_shapes::ofSamples(kExtremeSamples)[static_cast<std::size_t>(shape)];
  const auto cell = parse(extreme_shapes::textOf(extreme, kExtremeSamples));
  const BranchTree tree = findBranches(*cell);
  const MorphologyMetrics metrics = measure(*cell, tree);
  QCOMPARE(metrics.samples, std::size_t{kExtremeSamples});
  QCOMPARE(metrics.branches, extreme.branches);
  QCOMPARE(metrics.maxBranchOrder, extreme.maxOrder);
}

void TestMorphology::namesTypes()
{
  QCOMPARE(typeName(0), std::string("undefined"));
  QCOMPARE(typeName(kAxon), std::string("axon"));
  QCOMPARE(typeName(kGlia), std::string("glia process"));
  QCOMPARE(typeName(17), std::string("type 17"));
}

HINESIGHT_TEST(TestMorphology)
#include "test_morphology.moc"
