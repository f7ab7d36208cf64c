#include "core/device.hpp"
#include "synapse/formation/formation.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

/// Kernels that reach some of the neurons of a box of a few hundred um, and one that mostly reaches none.
std::vector<std::pair<const char*, KernelParameters>> kernels()
{
  KernelParameters gaussian, shifted, flat, linear, near, gamma, weibull;
  gaussian.sigma = 100;
  shifted.sigma = 40;
  shifted.mu = 120;
  flat.kind = linear.kind = near.kind = AttractionKind::Linear;
  linear.cutoff = 150;
  near.cutoff = 8;
  gamma.kind = AttractionKind::Gamma;
  gamma.gammaK = 2.5;
  gamma.gammaTheta = 40;
  weibull.kind = AttractionKind::Weibull;
  weibull.weibullK = 1.5;
  weibull.weibullB = 0.001;
  return {{"gaussian", gaussian}, {"shifted gaussian", shifted}, {"flat", flat}, {"linear", linear}, {"near", near},
          {"gamma", gamma},       {"weibull", weibull}};
}

std::shared_ptr<const NeuronPopulation> scattered(std::size_t neurons)
{
  return makeRandomPopulation(neurons, 26, 0.7, 5);
}

/// Many neurons share their place.
std::shared_ptr<const NeuronPopulation> crowded(std::size_t neurons)
{
  auto population = std::make_shared<NeuronPopulation>(*makeRandomPopulation(neurons, 26, 0.7, 5));
  for (Position& position : population->position)
    for (double& x : position)
      x = 40 * std::floor(x / 40);
  return population;
}

void compare(const Formation& cuda, const Formation& cpu)
{
  QCOMPARE(cuda.tree->order, cpu.tree->order);
  QCOMPARE(cuda.tree->next, cpu.tree->next);
  for (int channel = 0; channel < kChannels; ++channel) {
    QCOMPARE(cuda.sought[channel].count, cpu.sought[channel].count);
    QCOMPARE(cuda.sought[channel].centroid, cpu.sought[channel].centroid);
    QVERIFY(cuda.sought[channel].large == cpu.sought[channel].large);
  }
  QCOMPARE(cuda.vacantAxons, cpu.vacantAxons);
  QCOMPARE(cuda.requests, cpu.requests);
  QVERIFY(!cpu.network.synapses.empty());
  QVERIFY(cuda.network.synapses == cpu.network.synapses);
  QCOMPARE(cuda.meanDistance, cpu.meanDistance);
}

} // namespace

class TestSynapseCuda : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase()
  {
    if (cudaDevices().empty())
      QSKIP("no CUDA device");
  }

  void formsTheNetworkOfTheCpu_data()
  {
    QTest::addColumn<int>("kernel");
    QTest::addColumn<int>("search");
    QTest::addColumn<bool>("isCrowded");
    for (int kernel = 0; kernel < static_cast<int>(kernels().size()); ++kernel)
      for (const SearchKind kind : {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact})
        for (const bool isCrowded : {false, true})
          QTest::addRow("%s, %s%s", kernels()[kernel].first, searchName(kind).data(), isCrowded ? ", crowded" : "")
              << kernel << static_cast<int>(kind) << isCrowded;
  }
  void formsTheNetworkOfTheCpu()
  {
    QFETCH(int, kernel);
    QFETCH(int, search);
    QFETCH(bool, isCrowded);
    FormationParameters parameters;
    parameters.search.kernel = kernels()[kernel].second;
    parameters.search.kind = static_cast<SearchKind>(search);
    parameters.axons = 3;
    parameters.dendrites = 2;
    const auto population = isCrowded ? crowded(1500) : scattered(1500);
    const auto cpu = formSynapses(population, parameters);
    parameters.backend = Backend::Cuda;
    const auto cuda = formSynapses(population, parameters);
    compare(*cuda, *cpu);
  }

  /// More than 2^32 elements are sought.
  void formsTheSameWithLargeNodes_data()
  {
    QTest::addColumn<int>("search");
    for (const SearchKind kind : {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact})
      QTest::addRow("%s", searchName(kind).data()) << static_cast<int>(kind);
  }
  void formsTheSameWithLargeNodes()
  {
    QFETCH(int, search);
    FormationParameters parameters;
    parameters.search.kind = static_cast<SearchKind>(search);
    (parameters.search.kind == SearchKind::Inverse ? parameters.axons : parameters.dendrites) = kMostElements;
    const auto population = scattered(9000);
    const auto cpu = formSynapses(population, parameters);
    QVERIFY(!cpu->sought[kExcitatory].large.empty());
    parameters.backend = Backend::Cuda;
    compare(*formSynapses(population, parameters), *cpu);
  }

  void formsTheSameInAnySize_data()
  {
    QTest::addColumn<int>("neurons");
    QTest::addColumn<int>("axons");
    QTest::newRow("two") << 2 << 1;
    QTest::newRow("three") << 3 << 5;
    QTest::newRow("a warp and one") << 33 << 2;
    QTest::newRow("a block and one") << 129 << 1;
    QTest::newRow("many elements") << 70 << 500;
    QTest::newRow("many neurons") << 30000 << 1;
  }
  void formsTheSameInAnySize()
  {
    QFETCH(int, neurons);
    QFETCH(int, axons);
    FormationParameters parameters;
    parameters.axons = static_cast<std::uint32_t>(axons);
    parameters.dendrites = 2;
    const auto population = makeRandomPopulation(static_cast<std::size_t>(neurons), 26, 1, 8);
    const auto cpu = formSynapses(population, parameters);
    parameters.backend = Backend::Cuda;
    compare(*formSynapses(population, parameters), *cpu);
    parameters.keepsTree = false;
    const auto network = formSynapses(population, parameters);
    QVERIFY(network->network.synapses == cpu->network.synapses);
    QVERIFY(!network->tree);
  }
};

HINESIGHT_TEST(TestSynapseCuda)
#include "test_synapse_cuda.moc"
