#include "synapse/search_reference.hpp"
#include "test_main.hpp"

#include <QTest>

using namespace hinesight;
using namespace hinesight::synapse;
using hinesight::tests::chiSquareScore;
using hinesight::tests::SearchReference;

namespace {

/// Standard deviations: with about 50 checks here, one program in three thousand would fail by chance; the seeds are
/// fixed.
constexpr double kScore = 4.5;

struct Scene
{
  std::vector<Position> position;
  std::vector<std::uint32_t> vacant;
  std::shared_ptr<const Octree> tree;
  VacantElements sought;

  Scene(std::size_t neurons, std::uint32_t most) : position(makeRandomPopulation(neurons, 26, 1, 11)->position)
  {
    for (std::size_t i = 0; i < neurons; ++i)
      vacant.push_back(1 + static_cast<std::uint32_t>(i * 7 % most));
    tree = makeOctree(position, 1);
    sought = sumVacant(*tree, position, vacant, 1);
  }

  /// How often each neuron is found when one seeks so many times.
  std::vector<std::uint64_t> found(std::uint32_t seeker, std::uint32_t draws, const SearchParameters& p) const
  {
    std::vector<std::uint32_t> seeking(position.size());
    seeking[seeker] = draws;
    std::vector<std::uint64_t> counts(position.size());
    for (const Request& request : searchTargets(*tree, position, seeking, sought, kExcitatory, 100, p))
      ++counts[request.found];
    return counts;
  }
};

std::vector<KernelParameters> sampleKernels()
{
  std::vector<KernelParameters> kernels(6);
  kernels[0].sigma = 130;
  kernels[1].sigma = 60;
  kernels[1].mu = 120;
  kernels[2].kind = AttractionKind::Linear;
  kernels[2].cutoff = 180;
  kernels[3].kind = AttractionKind::Gamma;
  kernels[3].gammaK = 3;
  kernels[3].gammaTheta = 40;
  kernels[4].kind = AttractionKind::Gamma;
  kernels[4].gammaK = 0.5;
  kernels[4].gammaTheta = 80;
  kernels[5].kind = AttractionKind::Weibull;
  kernels[5].weibullK = 2;
  kernels[5].weibullB = 1e-4;
  return kernels;
}

double totalVariation(const std::vector<double>& a, const std::vector<double>& b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

std::string describe(const SearchParameters& p, double score)
{
  return std::string(searchName(p.kind)) + " " + std::string(kernelName(p.kernel.kind)) + " theta " +
         std::to_string(p.theta) + ": " + std::to_string(score);
}

} // namespace

class TestSearchStatistics : public QObject
{
  Q_OBJECT

private slots:
  /// Test 6: at a finite theta, picks follow the distribution that tree and theta induce.
  void picksFollowTheInducedDistribution()
  {
    const Scene scene(600, 3);
    std::uint64_t seed = 1;
    for (const KernelParameters& kernel : sampleKernels()) {
      for (const double theta : {0.3, 0.5}) {
        const SearchParameters p{SearchKind::BarnesHut, theta, kernel, seed++};
        const SearchReference reference(*scene.tree, scene.position, scene.vacant, p);
        const std::uint32_t seeker = 17 + static_cast<std::uint32_t>(seed);
        const double score = chiSquareScore(scene.found(seeker, 100'000, p), reference.induced(seeker));
        QVERIFY2(std::abs(score) < kScore, describe(p, score).c_str());
      }
    }
  }

  /// Test 5: those of the naive search, of theta near 0, and of the exact search at any theta follow the kernel.
  void picksFollowTheKernel()
  {
    const Scene scene(500, 3);
    std::uint64_t seed = 100;
    for (const KernelParameters& kernel : sampleKernels()) {
      for (const auto& [kind, theta] : {std::pair{SearchKind::Naive, 0.3}, std::pair{SearchKind::BarnesHut, 1e-6},
                                        std::pair{SearchKind::Exact, 0.3}, std::pair{SearchKind::Exact, 0.5}}) {
        const SearchParameters p{kind, theta, kernel, seed++};
        const SearchReference reference(*scene.tree, scene.position, scene.vacant, p);
        const std::uint32_t seeker = 3 * static_cast<std::uint32_t>(seed);
        const double score = chiSquareScore(scene.found(seeker, 100'000, p), reference.exact(seeker));
        QVERIFY2(std::abs(score) < kScore, describe(p, score).c_str());
      }
    }
  }

  /// The check itself tells the two distributions apart where they differ.
  void tellsTheInducedFromTheExactDistribution()
  {
    const Scene scene(3'000, 1);
    SearchParameters p;
    p.theta = 0.5;
    p.kernel.sigma = 60;
    const SearchReference reference(*scene.tree, scene.position, scene.vacant, p);
    const auto found = scene.found(1'234, 1'000'000, p);
    QVERIFY(chiSquareScore(found, reference.exact(1'234)) > 3 * kScore);
    QVERIFY(std::abs(chiSquareScore(found, reference.induced(1'234))) < kScore);
    p.kind = SearchKind::Exact;
    QVERIFY(std::abs(chiSquareScore(scene.found(1'234, 1'000'000, p), reference.exact(1'234))) < kScore);
  }

  /// Test 8: a flat kernel is no approximation at any theta.
  void aFlatKernelIsUniform()
  {
    const Scene scene(800, 4);
    KernelParameters flat;
    flat.kind = AttractionKind::Linear;
    for (const auto& [kind, theta] : {std::pair{SearchKind::BarnesHut, 0.1}, std::pair{SearchKind::BarnesHut, 0.5},
                                      std::pair{SearchKind::Inverse, 0.3}, std::pair{SearchKind::Exact, 0.5}}) {
      const SearchParameters p{kind, theta, flat, 7};
      double others = 0;
      for (std::size_t i = 0; i < 800; ++i)
        others += i == 99 ? 0 : scene.vacant[i];
      std::vector<double> uniform(800);
      for (std::size_t i = 0; i < 800; ++i)
        uniform[i] = i == 99 ? 0 : scene.vacant[i] / others;
      const double score = chiSquareScore(scene.found(99, 200'000, p), uniform);
      QVERIFY2(std::abs(score) < kScore, describe(p, score).c_str());
    }
  }

  /// Where the kernel is 0 at everybody, picks follow the inverse of the distance.
  void theInverseDistanceTakesTheKernelsPlace()
  {
    const Scene scene(300, 2);
    for (const SearchKind kind : {SearchKind::Naive, SearchKind::Exact}) {
      SearchParameters p{kind, 0.5, {}, 3};
      p.kernel.kind = AttractionKind::Linear;
      p.kernel.cutoff = 1e-3;
      std::vector<double> expected(300);
      double sum = 0;
      for (std::size_t i = 0; i < 300; ++i)
        if (i != 50)
          sum += expected[i] = scene.vacant[i] / SearchReference::distance(scene.position[50], scene.position[i]);
      for (double& x : expected)
        x /= sum;
      const double score = chiSquareScore(scene.found(50, 100'000, p), expected);
      QVERIFY2(std::abs(score) < kScore, describe(p, score).c_str());
    }
  }

  /// A bound that is far above the kernel in all cells that matter: attempts run out, the probabilities stay.
  void staysExactWhereBoundsAreLoose()
  {
    // A cloud of many, of which only a few are within the cutoff of a lone seeker; the cells reach closer than they do.
    std::vector<Position> positions = makeRandomPopulation(1'000, 2, 1, 3)->position;
    positions.push_back({-100, 10, 10});
    const auto tree = makeOctree(positions, 1);
    std::vector<std::uint32_t> vacant(1'001, 1);
    const VacantElements sought = sumVacant(*tree, positions, vacant, 1);
    SearchParameters p{SearchKind::Exact, 0.5, {}, 9};
    double nearest = 1e9;
    for (std::size_t i = 0; i < 1'000; ++i)
      nearest = std::min(nearest, SearchReference::distance(positions[1'000], positions[i]));
    p.kernel.kind = AttractionKind::Linear;
    p.kernel.cutoff = nearest + 0.6;
    const SearchReference reference(*tree, positions, vacant, p);
    std::vector<std::uint32_t> seeking(1'001);
    seeking[1'000] = 20'000;
    std::vector<std::uint64_t> counts(1'001);
    for (const Request& request : searchTargets(*tree, positions, seeking, sought, kExcitatory, 100, p))
      ++counts[request.found];
    const double score = chiSquareScore(counts, reference.exact(1'000));
    QVERIFY2(std::abs(score) < kScore, describe(p, score).c_str());
  }

  /// Test 7: how far theta takes the distribution from the kernel's, against plasticity_model.md section 7.
  void thetaCostsAsMuchAccuracyAsPublished()
  {
    struct Row
    {
      std::size_t neurons;
      double theta[4];
      double published[4];
    };
    const Row rows[] = {{1'000, {0.2, 0.3, 0.4, 0.5}, {7.9e-5, 2.5e-4, 3.5e-4, 4.2e-4}},
                        {10'000, {0.2, 0.3, 0.4, 0.5}, {3.2e-4, 7.1e-4, 1.2e-3, 1.4e-3}}};
    for (const Row& row : rows) {
      const Scene scene(row.neurons, 1);
      double before = 0;
      for (int t = 0; t < 4; ++t) {
        SearchParameters p;
        p.theta = row.theta[t];
        const SearchReference reference(*scene.tree, scene.position, scene.vacant, p);
        double mean = 0;
        constexpr int kSources = 12;
        for (int s = 0; s < kSources; ++s) {
          const auto seeker = static_cast<std::uint32_t>(row.neurons / kSources * static_cast<std::size_t>(s));
          mean += totalVariation(inducedOf(scene, seeker, p), reference.exact(seeker)) / kSources;
        }
        QVERIFY2(mean < 1.5 * row.published[t],
                 qPrintable(QString("%1 neurons, theta %2: %3").arg(row.neurons).arg(row.theta[t]).arg(mean)));
        QVERIFY(mean > before);
        before = mean;
      }
    }
  }

private:
  /// The induced distribution by the engine's own accepted nodes.
  static std::vector<double> inducedOf(const Scene& scene, std::uint32_t seeker, const SearchParameters& p)
  {
    std::vector<double> probability(scene.position.size());
    std::vector<std::pair<std::uint32_t, double>> open = {{0, 1.0}};
    while (!open.empty()) {
      const auto [from, share] = open.back();
      open.pop_back();
      for (const AcceptedNode& node : acceptedNodes(*scene.tree, scene.position, scene.sought, seeker, from, p)) {
        if (scene.tree->isLeaf(node.node))
          probability[scene.tree->order[scene.tree->leafBegin[node.node]]] += share * node.probability;
        else
          open.emplace_back(node.node, share * node.probability);
      }
    }
    return probability;
  }
};

HINESIGHT_TEST(TestSearchStatistics)
#include "test_search_statistics.moc"
