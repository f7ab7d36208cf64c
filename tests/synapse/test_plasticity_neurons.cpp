#include "cancellation.hpp"
#include "core/device.hpp"
#include "plasticity_fixture.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

using namespace hinesight;
using namespace hinesight::tests;

namespace {

/// The growth curve as the paper writes it (Butz and van Ooyen 2013), and as RELeARN does where it is a point.
double growthOf(const GrowthParameters& growth, double target, double calcium)
{
  const double least = growth.leastCalcium, most = std::max(target, least);
  if (most == least)
    return calcium == least ? 0 : -growth.rate;
  const double z = (calcium - (least + most) / 2) / ((least - most) / (2 * std::sqrt(std::log(2.0))));
  return growth.rate * (2 * std::exp(-z * z) - 1);
}

std::array<const GrowthParameters*, 3> poolsOf(const PlasticityParameters& p)
{
  return {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite};
}

Interrupt disable(std::uint32_t step, std::vector<std::uint32_t> ids)
{
  return {step, InterruptKind::Disable, std::move(ids), 0};
}
Interrupt enable(std::uint32_t step, std::vector<std::uint32_t> ids)
{
  return {step, InterruptKind::Enable, std::move(ids), 0};
}
Interrupt create(std::uint32_t step, std::uint32_t count)
{
  return {step, InterruptKind::Create, {}, count};
}

/// Lively, with everything that neurons can have of their own, and with interrupts.
PlasticityParameters everything(NeuronModel model)
{
  PlasticityParameters p = lively(model);
  const double mean = p.backgroundMean, spread = p.backgroundSpread;
  p.background = BackgroundKind::Individual;
  p.backgroundChanges = {{0, {BackgroundKind::FastNormal, mean, spread}, {}, {"left"}},
                         {0, {BackgroundKind::Normal, mean, spread}, {}, {"right"}},
                         {33, {BackgroundKind::Constant, 1.5 * mean, 0}, {5, 6, 7}, {}},
                         {90, {}, {6}, {}}};
  p.calciumOf = {{3, 0.2, 0.9}, {8, 0.0, -0.1}, {9, 0.5, 0.05}};
  p.targetDecay = TargetDecay::Relative;
  p.targetDecayAmount = 0.99;
  p.targetDecayPeriod = 7;
  std::vector<std::uint32_t> many(80);
  std::iota(many.begin(), many.end(), 20);
  p.interrupts = {disable(45, {1, 2, 3}), enable(45, {2}),     disable(81, many), create(60, 25),
                  enable(121, {30, 31}),  disable(122, {250}), create(121, 10)};
  return p;
}

StaticNetwork fixedNetwork(std::size_t count)
{
  return {count, {{4, 5, -0.7}, {5, 1, 2.25}, {25, 5, 1.125}}};
}

} // namespace

class TestPlasticityNeurons : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  /// Elements follow each neuron's own target, which decays step by step.
  void targetsDecayAndElementsFollow()
  {
    for (const TargetDecay decay : {TargetDecay::None, TargetDecay::Absolute, TargetDecay::Relative}) {
      PlasticityParameters p = fastGrowth();
      p.background = BackgroundKind::Constant;
      p.backgroundBase = 0.1;
      p.updatePeriod = 1000;
      p.calciumInitial = 0.3;
      p.calciumTarget = 0.6;
      p.calciumOf = {{2, 0.8, 1.2}, {5, 0.1, 0.1}, {6, 0.1, -3}};
      p.targetDecay = decay;
      p.targetDecayAmount = decay == TargetDecay::Absolute ? 0.125 : 0.75;
      p.targetDecayPeriod = 5;
      p.interrupts = {disable(12, {4})};
      const auto model = makePlasticityModel(neurons(8), p);
      std::vector<double> target(8, 0.6);
      target[2] = 1.2;
      target[5] = 0.1;
      target[6] = -3;
      std::array<std::vector<double>, 3> delta;
      delta.fill(std::vector<double>(8, 0));
      QCOMPARE(model->state().calcium[2], 0.8);
      QCOMPARE(model->state().calcium[3], 0.3);
      for (int step = 1; step <= 40; ++step) {
        const StepRecord record = run(*model, 1).back();
        const NeuronState state = model->state();
        for (std::size_t i = 0; i < 8; ++i) {
          const bool disabled = i == 4 && step >= 12;
          if (!disabled && step % 5 == 0 && decay != TargetDecay::None)
            target[i] = decay == TargetDecay::Absolute ? target[i] - 0.125 : target[i] * 0.75;
          QCOMPARE(state.target[i], target[i]);
          for (std::size_t pool = 0; pool < 3; ++pool) {
            delta[pool][i] = disabled ? 0 : delta[pool][i] + growthOf(*poolsOf(p)[pool], target[i], state.calcium[i]);
            QVERIFY2(std::abs(state.delta[pool][i] - delta[pool][i]) < 1e-12,
                     qPrintable(QString("step %1 neuron %2 pool %3").arg(step).arg(i).arg(pool)));
          }
        }
        const bool someDisabled = step >= 12;
        const double sum = std::accumulate(target.begin(), target.end(), 0.0) - (someDisabled ? target[4] : 0);
        QCOMPARE(record.enabled, someDisabled ? 7U : 8U);
        QVERIFY2(std::abs(record.target - sum / record.enabled) < 1e-14 * std::abs(sum),
                 qPrintable(QString("step %1: %2").arg(step).arg(record.target)));
      }
    }
  }

  /// To the last bit, however the targets came to be what they are: many different ones, some of which become equal,
  /// while neurons are disabled, enabled and created.
  void meanTargetIsOfTheTargetsAlone()
  {
    for (const double factor : {0.0, 0.9}) {
      PlasticityParameters p = lively(NeuronModel::Poisson);
      for (std::uint32_t i = 0; i < 40; ++i)
        p.calciumOf.push_back({3 * i, 0.1, 0.2 + 0.01 * (i % 13)});
      p.targetDecay = TargetDecay::Relative;
      p.targetDecayAmount = factor;
      p.targetDecayPeriod = 7;
      p.interrupts = {disable(10, {3, 4, 5}), enable(33, {4}), {40, InterruptKind::Create, {}, 20}, disable(52, {130})};
      const auto model = makePlasticityModel(neurons(120), p);
      for (const std::uint32_t pause : {5U, 12U, 35U, 45U, 60U}) {
        run(*model, pause - model->step());
        writeCheckpoint(*model, path("targets"));
        const auto again = readCheckpoint(path("targets"), Backend::Cpu, 2);
        QVERIFY(sameRecords(run(*model, 5), run(*again, 5)));
      }
      run(*model, 1);
      const NeuronState state = model->state();
      double sum = 0, enabled = 0;
      for (std::size_t i = 0; i < state.target.size(); ++i)
        if (state.enabled[i] != 0) {
          sum += state.target[i];
          enabled += 1;
        }
      const StepRecord last = run(*model, 1).back();
      QCOMPARE(static_cast<double>(last.enabled), enabled);
      QVERIFY(std::abs(last.target - sum / enabled) < 1e-13);
    }
  }

  /// Where all targets are one, it makes no difference that each neuron has its own.
  void equalTargetsAreOneTarget()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    const auto one = makePlasticityModel(neurons(300), p);
    p.calciumOf = {{17, p.calciumInitial, p.calciumTarget}};
    const auto own = makePlasticityModel(neurons(300), p);
    QVERIFY(sameRecords(run(*one, 130), run(*own, 130)));
    QVERIFY(sameState(*one, *own));
  }

  void aDisabledNeuronLosesItsSynapsesAndStandsStill()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    const auto before = makePlasticityModel(neurons(200), p);
    run(*before, 80);
    const NeuronState was = before->state();
    std::set<std::uint32_t> gone;
    for (std::uint32_t i = 0; i < 200; i += 7)
      gone.insert(i);
    Network left = {200, {}};
    std::uint64_t lost = 0;
    std::array<std::vector<std::uint32_t>, 3> freed;
    freed.fill(std::vector<std::uint32_t>(200, 0));
    for (const Synapse& synapse : before->network().synapses) {
      if (gone.count(synapse.source) + gone.count(synapse.target) == 0) {
        left.synapses.push_back(synapse);
        continue;
      }
      const auto units = static_cast<std::uint32_t>(std::abs(synapse.weight));
      lost += units;
      freed[0][synapse.source] += units;
      freed[synapse.weight > 0 ? 1 : 2][synapse.target] += units;
    }
    QVERIFY2(lost > 20 && left.synapses.size() > 50, qPrintable(QString::number(lost)));

    p.interrupts = {disable(81, {gone.begin(), gone.end()})};
    const auto model = makePlasticityModel(neurons(200), p);
    run(*model, 80);
    QVERIFY(sameState(*before, *model));
    const std::vector<StepRecord> records = run(*model, 1);
    QCOMPARE(records[0].deleted, lost);
    QVERIFY(model->network().synapses == left.synapses);
    for (int part = 0; part < 3; ++part) { // past updates
      const NeuronState state = model->state();
      for (const std::uint32_t i : gone) {
        QCOMPARE(state.enabled[i], std::uint8_t{0});
        QCOMPARE(state.fired[i], std::uint8_t{0});
        QCOMPARE(state.membrane[i], was.membrane[i]);
        QCOMPARE(state.recovery[i], was.recovery[i]);
        QCOMPARE(state.calcium[i], was.calcium[i]);
        for (std::size_t pool = 0; pool < 3; ++pool)
          QVERIFY(state.grown[pool][i] == 0 && state.connected[pool][i] == 0 && state.delta[pool][i] == 0);
      }
      for (std::uint32_t i = 0; part == 0 && i < 200; ++i)
        for (std::size_t pool = 0; pool < 3 && gone.count(i) == 0; ++pool) {
          QCOMPARE(state.grown[pool][i], was.grown[pool][i]);
          QCOMPARE(state.connected[pool][i], was.connected[pool][i] - freed[pool][i]);
        }
      for (const Synapse& synapse : model->network().synapses)
        QCOMPARE(gone.count(synapse.source) + gone.count(synapse.target), std::size_t{0});
      requireConserved(*model);
      run(*model, 40);
    }
  }

  void anEnabledNeuronGoesOnAndGetsSynapsesAgain()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    p.interrupts = {disable(41, {0, 1, 2, 3, 4}), enable(90, {0, 1, 2, 3})};
    const auto model = makePlasticityModel(neurons(100), p);
    run(*model, 89);
    const NeuronState still = model->state();
    run(*model, 1);
    QVERIFY(model->state().membrane[0] != still.membrane[0]);
    std::array<std::uint32_t, 5> most = {};
    for (int update = 0; update < 20; ++update) {
      run(*model, 40);
      const NeuronState state = model->state();
      for (std::size_t i = 0; i < most.size(); ++i)
        most[i] = std::max(most[i], state.connected[0][i] + state.connected[1][i] + state.connected[2][i]);
    }
    QVERIFY(std::all_of(most.begin(), most.begin() + 4, [](std::uint32_t connected) { return connected > 0; }));
    QCOMPARE(most[4], 0u);
    QCOMPARE(model->state().membrane[4], still.membrane[4]);
  }

  /// Neither its last spike nor its static synapses reach anyone until it is enabled again.
  void noSpikeOfADisabledNeuronArrives()
  {
    PlasticityParameters p;
    p.model = NeuronModel::Izhikevich;
    p.synapseConductance = 0.5;
    p.threads = 1;
    p.stimuli = {{1, 300, 1, 12.0, "left"}}; // neuron 0 fires, neuron 1 listens
    const auto population = neurons(2, 1.0);
    const StaticNetwork network = {2, {{0, 1, 3}}};
    const auto joined = makePlasticityModel(population, p, network), alone = makePlasticityModel(population, p);
    std::uint32_t spike = 0;
    for (std::uint32_t step = 1; spike == 0; ++step) {
      run(*joined, 1);
      run(*alone, 1);
      spike = joined->state().fired[0] != 0 ? step : 0;
    }
    QCOMPARE(joined->state().membrane[1], alone->state().membrane[1]); // it is yet to arrive
    p.interrupts = {disable(spike + 1, {0}), enable(spike + 30, {0})};
    const auto model = makePlasticityModel(population, p, network);
    run(*model, spike);
    for (std::uint32_t step = spike + 1; step < spike + 30; ++step) {
      run(*model, 1);
      run(*alone, 1);
      QCOMPARE(model->state().membrane[1], alone->state().membrane[1]);
    }
    bool heard = false;
    for (int step = 0; step < 100; ++step) {
      run(*model, 1);
      run(*alone, 1);
      heard = heard || model->state().membrane[1] != alone->state().membrane[1];
    }
    QVERIFY(heard);
  }

  void recordsAreOfEnabledNeurons()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    std::vector<std::uint32_t> all(50);
    std::iota(all.begin(), all.end(), 0);
    p.interrupts = {disable(20, {all.begin(), all.begin() + 30}), disable(30, all), enable(35, {7})};
    const auto model = makePlasticityModel(neurons(50), p);
    for (const std::uint32_t last : {20u, 29u, 32u, 36u}) {
      const StepRecord record = run(*model, last - model->step()).back();
      const NeuronState state = model->state();
      double sum = 0, count = 0, least = 1e9, most = 0;
      for (std::size_t i = 0; i < 50; ++i)
        if (state.enabled[i] != 0) {
          sum += state.calcium[i];
          count += 1;
          least = std::min(least, state.calcium[i]);
          most = std::max(most, state.calcium[i]);
        }
      QCOMPARE(count, last < 30 ? 20.0 : last == 32 ? 0.0 : 1.0);
      QVERIFY(std::abs(record.calcium.mean - (count > 0 ? sum / count : 0)) < 1e-12);
      QCOMPARE(record.calcium.least, count > 0 ? least : 0);
      QCOMPARE(record.calcium.most, most);
      for (std::size_t pool = 0; pool < 3; ++pool)
        QCOMPARE(record.connected[pool],
                 std::accumulate(state.connected[pool].begin(), state.connected[pool].end(), std::uint64_t{0}));
    }
  }

  void neuronsAreCreated()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    p.search.kernel.sigma = 1e5; // whoever may be connected is, whatever the place
    const auto population = neurons(150);
    const auto without = makePlasticityModel(population, p, fixedNetwork(150));
    p.interrupts = {create(51, 30), create(51, 20), create(82, 10)};
    p.calciumOf = {{205, 0.5, 0.6}};
    const auto model = makePlasticityModel(population, p, fixedNetwork(150));
    run(*without, 50);
    run(*model, 50);
    QCOMPARE(model->population().size(), std::size_t{150});
    const NeuronState was = model->state();
    QVERIFY(was.membrane == without->state().membrane);
    run(*without, 1);
    run(*model, 1);
    QCOMPARE(model->population().size(), std::size_t{200});
    QCOMPARE(model->network().neurons, std::size_t{200});
    QCOMPARE(model->staticNetwork().synapses.size(), std::size_t{3});
    const NeuronState state = model->state(), old = without->state();
    QVERIFY(std::equal(old.membrane.begin(), old.membrane.end(), state.membrane.begin()));
    QVERIFY(std::equal(old.calcium.begin(), old.calcium.end(), state.calcium.begin()));
    const NeuronPopulation& larger = model->population();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<double> x;
      for (const Position& position : larger.position)
        x.push_back(position[axis]);
      const auto [least, most] = std::minmax_element(x.begin(), x.begin() + 150);
      QVERIFY(std::all_of(x.begin() + 150, x.end(), [&](double at) { return at >= *least && at <= *most; }));
      QVERIFY(*std::max_element(x.begin() + 150, x.end()) - *std::min_element(x.begin() + 150, x.end()) >
              0.6 * (*most - *least));
    }
    for (std::size_t i = 0; i < 150; ++i)
      QVERIFY(larger.position[i] == population->position[i] && larger.area[i] == population->area[i]);
    const auto inhibitory = std::accumulate(larger.isInhibitory.begin() + 150, larger.isInhibitory.end(), 0);
    QVERIFY(inhibitory > 0 && inhibitory < 25); // a fifth of 50 is expected
    for (std::size_t i = 150; i < 200; ++i)
      for (std::size_t pool = 0; pool < 3; ++pool)
        QVERIFY(state.grown[pool][i] >= 1 && state.grown[pool][i] <= 4.5 && state.connected[pool][i] == 0);
    run(*model, 31); // past the update at 80, to the next ten
    requireConserved(*model);
    const NeuronState last = model->state();
    QCOMPARE(last.target[205], 0.6);
    QCOMPARE(last.target[204], p.calciumTarget);
    std::uint64_t connected = 0;
    for (std::size_t i = 150; i < 200; ++i)
      connected += last.connected[0][i];
    QVERIFY(connected > 20);
    QVERIFY(model->timings().of("electrical") > 0);
  }

  void everythingTogetherConserves()
  {
    for (const NeuronModel neuronModel : kModels) {
      const auto model = makePlasticityModel(neurons(220), everything(neuronModel), fixedNetwork(220));
      std::uint64_t created = 0, deleted = 0;
      for (int part = 0; part < 16; ++part) {
        for (const StepRecord& record : run(*model, 10)) {
          created += record.created;
          deleted += record.deleted;
        }
        requireConserved(*model);
      }
      QCOMPARE(created - deleted, unitsOf(model->network()));
      QVERIFY2(deleted > 0, neuronModelName(neuronModel).data());
      QCOMPARE(model->population().size(), std::size_t{255});
      const std::vector<std::uint8_t> enabled = model->state().enabled;
      QCOMPARE(enabled[250], std::uint8_t{0});
      QCOMPARE(std::accumulate(enabled.begin(), enabled.end(), 0), 255 - 2 - 78 - 1);
    }
  }

  void partsCheckpointsAndCancelledRunsAreOneRun()
  {
    for (const NeuronModel neuronModel : {NeuronModel::Poisson, NeuronModel::Izhikevich}) {
      const PlasticityParameters p = everything(neuronModel);
      const auto whole = makePlasticityModel(neurons(220), p, fixedNetwork(220));
      const std::vector<StepRecord> expected = run(*whole, 160, 4);
      auto model = makePlasticityModel(neurons(220), p, fixedNetwork(220));
      std::vector<StepRecord> records;
      int cancelled = 0;
      while (model->step() < 160 || model->progress().updatePending) {
        int reports = 0;
        std::optional<RunControl> control;
        control.emplace([&](std::string_view, double) {
          if (++reports == 3)
            control->cancel();
        });
        const auto failure = failureOf([&] { model->run(160 - model->step(), 4, records, *control); });
        cancelled += failure == ErrorCode::Cancelled;
        writeCheckpoint(*model, path("part"));
        const auto again = readCheckpoint(path("part"), Backend::Cpu, 1);
        QVERIFY(sameState(*model, *again));
        QVERIFY(again->parameters() == p);
        QVERIFY(again->staticNetwork().synapses == model->staticNetwork().synapses);
        model = readCheckpoint(path("part"), Backend::Cpu, 1);
      }
      QVERIFY(cancelled > 30);
      QVERIFY(sameRecords(records, expected));
      QVERIFY(sameState(*whole, *model));
      QVERIFY(whole->population().position == model->population().position);
    }
  }

  void everythingGivesTheSameBytesOnAnyNumberOfThreads()
  {
    PlasticityParameters p = everything(NeuronModel::Poisson);
    const auto population = neurons(17'000); // enough for several threads
    p.threads = 1;
    const auto one = makePlasticityModel(population, p, fixedNetwork(17'000));
    p.threads = 5;
    const auto many = makePlasticityModel(population, p, fixedNetwork(17'000));
    QVERIFY(sameRecords(run(*one, 85, 5), run(*many, 85, 5)));
    QVERIFY(sameState(*one, *many));
  }

  void badTargetsAndInterruptsAreRefused_data()
  {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 14; ++i)
      QTest::addRow("%d", i) << i;
  }
  void badTargetsAndInterruptsAreRefused()
  {
    QFETCH(int, which);
    const std::vector<std::function<void(PlasticityParameters&)>> faults = {
        [](auto& p) {
          p.calciumOf = {{10, 0, 0.7}};
        },
        [](auto& p) {
          p.calciumOf = {{1, 0, 0.7}, {1, 0, 0.8}};
        },
        [](auto& p) {
          p.calciumOf = {{1, -0.5, 0.7}};
        },
        [](auto& p) {
          p.calciumOf = {{1, 0, std::nan("")}};
        },
        [](auto& p) { p.targetDecayPeriod = 0; },
        [](auto& p) { p.targetDecayAmount = -1; },
        [](auto& p) {
          p.targetDecay = TargetDecay::Relative;
          p.targetDecayAmount = 1.5;
        },
        [](auto& p) { p.interrupts = {disable(0, {1})}; },
        [](auto& p) { p.interrupts = {disable(5, {})}; },
        [](auto& p) { p.interrupts = {disable(5, {10})}; },
        [](auto& p) {
          p.interrupts = {create(5, 1), disable(5, {10})};
        },
        [](auto& p) { p.interrupts = {create(5, 0)}; },
        [](auto& p) { p.interrupts = {create(5, UINT32_MAX)}; },
        [](auto& p) {
          p.interrupts = {{5, InterruptKind::Enable, {1}, 3}};
        }};
    PlasticityParameters p;
    p.interrupts = {create(5, 1), disable(6, {10})};
    QVERIFY(!failureOf([&] { makePlasticityModel(neurons(10), p); }));
    p.interrupts.clear();
    faults.at(static_cast<std::size_t>(which))(p);
    QCOMPARE(failureOf([&] { makePlasticityModel(neurons(10), p); }), ErrorCode::BadParameter);
  }

  /// When the model is made, not hours later when they are created.
  void moreNeuronsThanMemoryHoldsAreRefused()
  {
    constexpr std::uint32_t kTooMany = 4'000'000'000;
    if (availableMemoryBytes() / 420 > kTooMany)
      QSKIP("This machine has memory for that many.");
    PlasticityParameters p;
    p.interrupts = {create(50'000, kTooMany)};
    QCOMPARE(failureOf([&] { makePlasticityModel(neurons(10), p); }), ErrorCode::OutOfMemory);
  }

  void unsoundStatesAreRefused()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    p.interrupts = {disable(50, {3})};
    const auto model = makePlasticityModel(neurons(30), p);
    run(*model, 60);
    const auto attempt = [&](const std::function<void(NeuronState&)>& spoil) {
      PlasticityProgress progress = model->progress();
      spoil(progress.neurons);
      return failureOf([&] { continuePlasticityModel(neurons(30), p, {}, progress); });
    };
    QVERIFY(!attempt([](NeuronState&) {}));
    QCOMPARE(attempt([](NeuronState& s) { s.enabled[5] = 2; }), ErrorCode::BadFormat);
    QCOMPARE(attempt([](NeuronState& s) { s.grown[0][3] = 1; }), ErrorCode::BadFormat);
    QCOMPARE(attempt([](NeuronState& s) { s.fired[3] = 1; }), ErrorCode::BadFormat);
    QCOMPARE(attempt([](NeuronState& s) { s.target[3] = 0.5; }), ErrorCode::BadFormat); // all have one
    QCOMPARE(attempt([](NeuronState& s) { s.enabled.pop_back(); }), ErrorCode::BadFormat);
  }

  /// The same bytes on both, over interrupts, decays and changes of background, and from one to the other.
  void cudaGivesTheSameBytes()
  {
    if (cudaDevices().empty())
      QSKIP("no CUDA device");
    for (const NeuronModel neuronModel : kModels) {
      PlasticityParameters p = everything(neuronModel);
      const auto cpu = makePlasticityModel(neurons(3000), p, fixedNetwork(3000));
      p.backend = Backend::Cuda;
      const auto cuda = makePlasticityModel(neurons(3000), p, fixedNetwork(3000));
      QVERIFY(sameRecords(run(*cpu, 118, 3), run(*cuda, 118, 3)));
      QVERIFY(sameState(*cpu, *cuda));
      writeCheckpoint(*cuda, path("cuda"));
      const auto again = readCheckpoint(path("cuda"), Backend::Cpu, 1);
      QVERIFY(sameRecords(run(*again, 50), run(*cuda, 50)));
      QVERIFY(sameState(*again, *cuda));
    }
  }
};

HINESIGHT_TEST(TestPlasticityNeurons)
#include "test_plasticity_neurons.moc"
