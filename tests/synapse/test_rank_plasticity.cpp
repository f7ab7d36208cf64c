#include "synapse/on_ranks.hpp"
#include "synapse/plasticity_fixture.hpp"

#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/ranks/essential_search.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <functional>
#include <numeric>
#include <optional>
#include <thread>

using namespace hinesight;
using namespace hinesight::tests;

namespace {

/// What a model left after some steps.
struct Outcome
{
  std::vector<StepRecord> records;
  PlasticityProgress progress;
  QByteArray checkpoint;
};

bool isSame(const NeuronState& a, const NeuronState& b)
{
  bool same = sameBytes(a.membrane, b.membrane) && sameBytes(a.recovery, b.recovery) && sameBytes(a.fired, b.fired) &&
              sameBytes(a.calcium, b.calcium) && sameBytes(a.target, b.target) && sameBytes(a.enabled, b.enabled);
  for (std::size_t pool = 0; pool < 3; ++pool)
    same = same && sameBytes(a.grown[pool], b.grown[pool]) && sameBytes(a.connected[pool], b.connected[pool]) &&
           sameBytes(a.delta[pool], b.delta[pool]);
  return same;
}

bool isSame(const Outcome& a, const Outcome& b)
{
  return sameRecords(a.records, b.records) && isSame(a.progress.neurons, b.progress.neurons) &&
         a.progress.network.synapses == b.progress.network.synapses && a.progress.step == b.progress.step &&
         a.progress.updatePending == b.progress.updatePending && a.progress.created == b.progress.created &&
         a.progress.deleted == b.progress.deleted && a.checkpoint == b.checkpoint;
}

QByteArray contentOf(const QString& path)
{
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    qFatal("cannot read %s", qPrintable(path));
  return file.readAll();
}

/// Everything that happens to neurons: their own backgrounds and targets, and all interrupts.
PlasticityParameters everything(NeuronModel model)
{
  PlasticityParameters p = lively(model);
  const double mean = p.backgroundMean, spread = p.backgroundSpread;
  p.background = BackgroundKind::Individual;
  p.backgroundChanges = {{0, {BackgroundKind::FastNormal, mean, spread}, {}, {"left"}},
                         {0, {BackgroundKind::Normal, mean, spread}, {}, {"right"}},
                         {33, {BackgroundKind::Constant, 1.5 * mean, 0}, {5, 6, 7, 150, 299}, {}},
                         {90, {}, {6, 200}, {}}};
  p.calciumOf = {{3, 0.2, 0.9}, {8, 0.0, -0.1}, {209, 0.5, 0.05}};
  p.targetDecay = TargetDecay::Relative;
  p.targetDecayAmount = 0.99;
  p.targetDecayPeriod = 7;
  std::vector<std::uint32_t> many(180);
  std::iota(many.begin(), many.end(), 20);
  p.interrupts = {{45, InterruptKind::Disable, {1, 2, 3, 250}, 0},
                  {45, InterruptKind::Enable, {2}, 0},
                  {81, InterruptKind::Disable, many, 0},
                  {60, InterruptKind::Create, {}, 70},
                  {121, InterruptKind::Enable, {30, 131}, 0},
                  {122, InterruptKind::Disable, {305}, 0},
                  {121, InterruptKind::Create, {}, 10}};
  return p;
}

StaticNetwork fixedNetwork(std::size_t count)
{
  return {count, {{4, 5, -0.7}, {5, 1, 2.25}, {25, 205, 1.125}, {205, 25, 0.5}, {4, 5, 3}}};
}

} // namespace

class TestRankPlasticity : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;
  static constexpr std::uint32_t kSteps = 165;

  Outcome outcomeOf(PlasticityModel& model, std::vector<StepRecord> records)
  {
    const QString path = folder.filePath("checkpoint");
    writeCheckpoint(model, path.toStdString());
    return {std::move(records), model.progress(), contentOf(path)};
  }

  Outcome grown(const std::shared_ptr<const NeuronPopulation>& population, const PlasticityParameters& p,
                const StaticNetwork& fixed, std::uint32_t steps = kSteps, std::uint32_t every = 1)
  {
    const auto model = makePlasticityModel(population, p, fixed);
    auto records = run(*model, steps, every);
    return outcomeOf(*model, std::move(records));
  }

  /// Whether a model grows the same on all numbers of ranks as on one processor.
  bool growsTheSame(const std::shared_ptr<const NeuronPopulation>& population, const PlasticityParameters& p,
                    const StaticNetwork& fixed = {}, std::uint32_t steps = kSteps, std::uint32_t every = 1)
  {
    const Outcome alone = grown(population, p, fixed, steps, every);
    for (const int ranks : kRanks)
      for (const TreeOnRanks tree : {TreeOnRanks::Whole, TreeOnRanks::Essential}) {
        if (tree == TreeOnRanks::Essential && !EssentialSearch::canDo(p.search.kind))
          continue;
        std::optional<Outcome> split;
        onRanks(ranks, [&] {
          const TreeScope scope(tree);
          split = grown(population, p, fixed, steps, every);
        });
        if (!isSame(*split, alone))
          return false;
      }
    return true;
  }

private slots:
  void everyModelGrowsTheSame_data()
  {
    QTest::addColumn<int>("model");
    for (const NeuronModel model : kModels)
      QTest::newRow(std::string(neuronModelName(model)).c_str()) << static_cast<int>(model);
  }
  void everyModelGrowsTheSame()
  {
    QFETCH(int, model);
    const auto population = neurons(400);
    const PlasticityParameters p = lively(static_cast<NeuronModel>(model));
    QVERIFY(growsTheSame(population, p));
    QVERIFY(growsTheSame(neurons(300), everything(static_cast<NeuronModel>(model)), fixedNetwork(300)));
    // What is compared grows and shrinks.
    std::uint64_t created = 0, deleted = 0;
    for (const StepRecord& record : grown(population, p, {}).records) {
      created += record.created;
      deleted += record.deleted;
    }
    QVERIFY(created > 200 && deleted > 0);
  }

  void everySearchGrowsTheSame()
  {
    for (const SearchKind kind : {SearchKind::Naive, SearchKind::Inverse, SearchKind::Exact}) {
      PlasticityParameters p = lively(NeuronModel::Izhikevich);
      p.search.kind = kind;
      p.search.kernel.sigma = 120;
      QVERIFY(growsTheSame(neurons(350), p));
    }
  }

  void severalThreadsGrowTheSame()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    p.threads = 6;
    QVERIFY(growsTheSame(neurons(36'000), p, {}, 45, 10));
  }

  void ranksMayBeEmpty()
  {
    for (const std::size_t count : {1, 2, 5, 70})
      QVERIFY(growsTheSame(neurons(count), lively(NeuronModel::Izhikevich)));
  }

  void colocatedNeuronsGrowTheSame()
  {
    auto population = std::make_shared<NeuronPopulation>(*neurons(300));
    for (std::size_t i = 0; i < population->size(); ++i)
      population->position[i] = {static_cast<double>(i / 5), static_cast<double>(i % 2), 0};
    for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Exact}) {
      PlasticityParameters p = lively(NeuronModel::Izhikevich);
      p.search.kind = kind;
      QVERIFY(growsTheSame(population, p));
    }
  }

  /// Any number of ranks goes on from what any other has written, at any step.
  void checkpointsPassBetweenRanks()
  {
    const PlasticityParameters p = everything(NeuronModel::Izhikevich);
    const auto population = neurons(300);
    const StaticNetwork fixed = fixedNetwork(300);
    const Outcome alone = grown(population, p, fixed);
    const std::string path = folder.filePath("passed").toStdString();
    const auto on = [](int ranks, const std::function<void()>& body) { ranks > 0 ? onRanks(ranks, body) : body(); };
    for (const auto& [first, second] : {std::pair(3, 5), {5, 0}, {0, 8}, {8, 2}, {2, 1}})
      for (const std::uint32_t step : {0U, 40U, 59U, 60U, 77U, 121U}) {
        std::vector<StepRecord> records;
        on(first, [&] {
          const auto model = makePlasticityModel(population, p, fixed);
          records = run(*model, step);
          writeCheckpoint(*model, path);
        });
        std::optional<Outcome> end;
        on(second, [&] {
          const auto model = readCheckpoint(path, Backend::Cpu, 1);
          model->run(kSteps - step, 1, records);
          end = outcomeOf(*model, records);
        });
        QVERIFY2(isSame(*end, alone), qPrintable(QString("%1 to %2 at %3").arg(first).arg(second).arg(step)));
      }
  }

  /// Several models at a time, each with its own neurons on all ranks.
  void modelsAreKeptApart()
  {
    const PlasticityParameters p = lively(NeuronModel::Izhikevich), q = lively(NeuronModel::Poisson);
    const Outcome one = grown(neurons(200), p, {}), other = grown(neurons(170), q, {});
    onRanks(3, [&] {
      const auto a = makePlasticityModel(neurons(200), p), b = makePlasticityModel(neurons(170), q);
      auto ofB = run(*b, 50), ofA = run(*a, 100);
      b->run(kSteps - 50, 1, ofB);
      a->run(kSteps - 100, 1, ofA);
      QVERIFY(isSame(outcomeOf(*b, ofB), other));
      QVERIFY(isSame(outcomeOf(*a, ofA), one));
    });
  }

  void stateAndNetworkAreGathered()
  {
    const auto population = neurons(400);
    const PlasticityParameters p = lively(NeuronModel::FitzHughNagumo);
    const auto alone = makePlasticityModel(population, p);
    run(*alone, 100);
    onRanks(5, [&] {
      const auto model = makePlasticityModel(population, p);
      run(*model, 100);
      QVERIFY(isSame(model->state(), alone->state()));
      QVERIFY(model->network().synapses == alone->network().synapses);
      QVERIFY(model->network().neurons == 400);
      QVERIFY(model->tree()->order == alone->tree()->order);
      QVERIFY(model->timings().of("exchange") > 0);
      requireConserved(*model);
    });
  }

  void nobodyHasAnEssentialTreeWhole()
  {
    const auto population = neurons(400);
    const PlasticityParameters p = lively(NeuronModel::Izhikevich);
    onRanks(3, [&] {
      const TreeScope scope(TreeOnRanks::Essential);
      const auto model = makePlasticityModel(population, p);
      run(*model, 100);
      QVERIFY(model->tree() == nullptr);
      QVERIFY(model->timings().device.ends_with("3 ranks with essential trees"));
      requireConserved(*model);
    });
  }

  /// All ranks stop at one step, wherever the cancellation comes, and the model goes on to the same bytes.
  void cancelledModelsGoOn()
  {
    const auto population = neurons(300);
    const PlasticityParameters p = everything(NeuronModel::Izhikevich);
    const Outcome alone = grown(population, p, fixedNetwork(300));
    for (const int ranks : {1, 3})
      for (const std::size_t passed : {0, 1, 39, 41, 43, 60, 85, 100, 130})
        onRanks(ranks, [&] {
          const auto model = makePlasticityModel(population, p, fixedNetwork(300));
          std::vector<StepRecord> records;
          std::size_t seen = 0;
          const RunControl* watched = nullptr;
          const RunControl control(nullptr, [&] {
            if (seen++ == passed)
              watched->cancel();
          });
          watched = &control;
          QCOMPARE(failureOf([&] { model->run(kSteps, 1, records, control); }), ErrorCode::Cancelled);
          QVERIFY(model->step() < kSteps);
          model->run(kSteps - model->step(), 1, records);
          QVERIFY(isSame(outcomeOf(*model, records), alone));
        });
  }

  /// What cancels another rank than the first cancels all.
  void otherRanksCancelAll()
  {
    const RunControl control;
    control.cancel();
    const auto population = neurons(300);
    onRanks(
        3,
        [&] {
          const auto model = makePlasticityModel(population, lively(NeuronModel::Izhikevich));
          std::vector<StepRecord> records;
          QCOMPARE(failureOf([&] { model->run(100, 1, records); }), ErrorCode::Cancelled);
          QCOMPARE(model->step(), 0U);
        },
        control);
  }

  void failuresAreToldByRankZero()
  {
    const auto population = neurons(300);
    onRanks(3, [&] {
      PlasticityParameters p = lively(NeuronModel::Izhikevich);
      p.backend = Backend::Cuda;
      if (cudaDevices().empty())
        QCOMPARE(failureOf([&] { makePlasticityModel(population, p); }), ErrorCode::NoDevice);
      p = lively(NeuronModel::FitzHughNagumo);
      p.integrationSteps = 1;
      p.backgroundMean = 1e9; // membranes are no numbers any more
      const auto model = makePlasticityModel(population, p);
      std::vector<StepRecord> records;
      QCOMPARE(failureOf([&] { model->run(100, 1, records); }), ErrorCode::BadParameter);
      const auto sound = makePlasticityModel(population, lively(NeuronModel::Izhikevich));
      QVERIFY(run(*sound, 50).size() == 50);
      QCOMPARE(failureOf([&] { readCheckpoint(folder.filePath("none").toStdString(), Backend::Cpu); }),
               ErrorCode::FileNotFound);
    });
  }
};

HINESIGHT_TEST(TestRankPlasticity)
#include "test_rank_plasticity.moc"
