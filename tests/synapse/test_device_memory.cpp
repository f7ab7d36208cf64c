#include "core/device.hpp"
#include "core/error.hpp"
#include "plasticity_fixture.hpp"
#include "synapse/formation/formation.hpp"
#include "test_main.hpp"

#include <QTest>

#include <functional>

// Synapses in ever less of a GPU's memory: where it is short, the work goes another way to the same bytes.

using namespace hinesight;
using namespace hinesight::synapse;

class TestDeviceMemory : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase();
  void cleanup();
  void modelsGrowTheSame();
  void networksFormTheSame();

private:
  bool runsWithin(std::size_t megabytes, const std::function<void()>& work) const;

  DeviceModel whole;
};

void TestDeviceMemory::initTestCase()
{
  if (cudaDevices().empty())
    QSKIP("no CUDA device");
  whole = cudaDevices().front().model;
}

void TestDeviceMemory::cleanup()
{
  limitDevices(whole);
}

/// Whether it ends where so much more may be taken than is now.
bool TestDeviceMemory::runsWithin(std::size_t megabytes, const std::function<void()>& work) const
{
  limitDevices(whole);
  DeviceModel limit = whole;
  limit.memoryBytes = whole.memoryBytes - cudaDevices().front().freeBytes + (megabytes << 20);
  limitDevices(limit);
  bool done = false;
  try {
    work();
    done = true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::OutOfMemory)
      throw;
  }
  limitDevices(whole);
  return done;
}

/// A graph with far more pairs than an update adds.
void TestDeviceMemory::modelsGrowTheSame()
{
  PlasticityParameters p = tests::lively(NeuronModel::Poisson);
  for (GrowthParameters* growth : {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite}) {
    growth->initialLeast = 40;
    growth->initialMost = 50;
  }
  p.backend = Backend::Cuda;
  const auto population = tests::neurons(40'000);
  PlasticityProgress start;
  {
    const auto model = makePlasticityModel(population, p);
    tests::run(*model, 50);
    start = model->progress();
  }
  QVERIFY(start.network.synapses.size() > 500'000);
  const auto expected = continuePlasticityModel(population, p, {}, start);
  const std::vector<StepRecord> records = tests::run(*expected, 90);
  int ended = 0, failed = 0;
  for (std::size_t megabytes = 8; megabytes <= 400; megabytes += 4) {
    std::unique_ptr<PlasticityModel> model;
    std::vector<StepRecord> now;
    const bool done = runsWithin(megabytes, [&] {
      model = continuePlasticityModel(population, p, {}, start);
      now = tests::run(*model, 90);
    });
    ++(done ? ended : failed);
    if (done)
      QVERIFY2(tests::sameRecords(now, records) && tests::sameState(*model, *expected),
               qPrintable(QString::number(megabytes)));
  }
  QVERIFY(ended > 0);
  QVERIFY(failed > 0);
}

void TestDeviceMemory::networksFormTheSame()
{
  const auto population = tests::neurons(50'000);
  FormationParameters p;
  p.axons = p.dendrites = 8;
  p.keepsTree = false;
  p.backend = Backend::Cuda;
  for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Inverse}) {
    p.search.kind = kind;
    const auto expected = formSynapses(population, p);
    int ended = 0, failed = 0;
    for (std::size_t megabytes = 8; megabytes <= 160; megabytes += 4) {
      std::shared_ptr<const Formation> formation;
      const bool done = runsWithin(megabytes, [&] { formation = formSynapses(population, p); });
      ++(done ? ended : failed);
      if (done)
        QVERIFY2(formation->network.synapses == expected->network.synapses, qPrintable(QString::number(megabytes)));
    }
    QVERIFY(ended > 0);
    QVERIFY(failed > 0);
  }
}

HINESIGHT_TEST(TestDeviceMemory)

#include "test_device_memory.moc"
