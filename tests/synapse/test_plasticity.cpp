#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "paths/paths.hpp"
#include "plasticity_fixture.hpp"
#include "synapse/plasticity/plasticity.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

using namespace hinesight;
using namespace hinesight::synapse;
using namespace hinesight::tests;

namespace {

template <typename T>
QByteArray bytesOf(const T& value)
{
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename T>
QByteArray bytesOfAll(const std::vector<T>& values)
{
  return {reinterpret_cast<const char*>(values.data()), static_cast<qsizetype>(values.size() * sizeof(T))};
}

/// That of checkpoints, over words of 8 bytes: Fowler, Noll and Vo's hash 1a.
std::uint64_t checkSum(const QByteArray& bytes)
{
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (qsizetype at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, static_cast<std::size_t>(std::min<qsizetype>(8, bytes.size() - at)));
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return hash;
}

constexpr std::string_view kCheckpointFormat = "Hinesight plasticity checkpoint 3\n";

/// A checkpoint whose parameters, lines "name=text", `change` has changed.
std::string withParameters(const std::string& checkpoint, const std::function<void(std::string&)>& change)
{
  std::uint64_t size = 0;
  const std::size_t begin = kCheckpointFormat.size() + sizeof size;
  std::memcpy(&size, checkpoint.data() + kCheckpointFormat.size(), sizeof size);
  std::string lines = checkpoint.substr(begin, size);
  change(lines);
  const std::string rest = checkpoint.substr(begin + size, checkpoint.size() - begin - size - sizeof size);
  const QByteArray changed = QByteArray::fromStdString(std::string(kCheckpointFormat)) +
                             bytesOf(std::uint64_t{lines.size()}) + QByteArray::fromStdString(lines + rest);
  return (changed + bytesOf(checkSum(changed))).toStdString();
}

// Numbers of the sample model that stand in its checkpoint once, or first.
constexpr double kSampleTarget = 0.3125, kSampleDecay = 512.5, kSampleSigma = 333.25;

/// A model with synapses of both signs.
std::unique_ptr<PlasticityModel> sampleModel()
{
  PlasticityParameters p = lively(NeuronModel::Poisson);
  p.calciumTarget = kSampleTarget;
  p.calciumDecay = kSampleDecay;
  p.search.kernel.sigma = kSampleSigma;
  auto model = makePlasticityModel(neurons(40), p);
  run(*model, 90);
  return model;
}

} // namespace

class TestPlasticity : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  /// Without growth nothing forms: Poisson neurons fire at the rate of their fixed point, and calcium follows.
  void firingAndCalciumFollowTheInput()
  {
    PlasticityParameters p;
    p.background = BackgroundKind::Constant;
    p.backgroundBase = 0.03;
    p.calciumDecay = 200;
    p.calciumPerSpike = 0.01;
    p.axon.rate = p.excitatoryDendrite.rate = p.inhibitoryDendrite.rate = 0;
    p.threads = 1;
    const auto model = makePlasticityModel(neurons(3000), p);
    run(*model, 2000, 0);
    const std::vector<StepRecord> records = run(*model, 400);
    QCOMPARE(records.size(), std::size_t{400});
    QCOMPARE(records.front().step, 2001u);
    double fired = 0, calcium = 0;
    for (const StepRecord& record : records) {
      fired += record.fired;
      calcium += record.calcium.mean;
      QVERIFY(record.calcium.least <= record.calcium.mean && record.calcium.mean <= record.calcium.most);
      QCOMPARE(record.created + record.deleted, std::uint64_t{0});
    }
    const double spike = 0.05 + 5 * 0.03, rate = spike / (1 + 4 * spike);
    QVERIFY(std::abs(fired / (400 * 3000) - rate) < 0.01 * rate);
    QVERIFY(std::abs(calcium / 400 - 200 * 0.01 * rate) < 0.01 * calcium / 400);
  }

  void recordsSayWhatTheStateIs()
  {
    const auto model = makePlasticityModel(neurons(500), lively(NeuronModel::Poisson));
    const std::vector<StepRecord> records = run(*model, 120, 40);
    QCOMPARE(records.size(), std::size_t{3});
    const NeuronState state = model->state();
    const StepRecord& last = records.back();
    QCOMPARE(last.step, 120u);
    QCOMPARE(last.fired, static_cast<std::uint32_t>(std::accumulate(state.fired.begin(), state.fired.end(), 0)));
    QCOMPARE(last.calcium.least, *std::min_element(state.calcium.begin(), state.calcium.end()));
    QCOMPARE(last.calcium.most, *std::max_element(state.calcium.begin(), state.calcium.end()));
    const double sum = std::accumulate(state.calcium.begin(), state.calcium.end(), 0.0);
    QVERIFY(std::abs(last.calcium.mean - sum / 500) < 1e-12);
    for (int pool = 0; pool < 3; ++pool) {
      const double grown = std::accumulate(state.grown[pool].begin(), state.grown[pool].end(), 0.0);
      QVERIFY(std::abs(last.grown[pool] - grown) < 500 * 1e-6);
      QCOMPARE(last.connected[pool],
               std::accumulate(state.connected[pool].begin(), state.connected[pool].end(), std::uint64_t{0}));
    }
    std::uint64_t net = 0;
    for (const StepRecord& record : records)
      net += record.created - record.deleted;
    QCOMPARE(net, unitsOf(model->network()));
    QVERIFY(net > 500);
  }

  void everyModelConserves()
  {
    for (const NeuronModel neuronModel : kModels) {
      const auto model = makePlasticityModel(neurons(300), lively(neuronModel));
      std::uint64_t created = 0, deleted = 0, fired = 0;
      for (int part = 0; part < 10; ++part) {
        for (const StepRecord& record : run(*model, 40)) {
          created += record.created;
          deleted += record.deleted;
          fired += record.fired;
        }
        requireConserved(*model);
      }
      QVERIFY2(created > 0 && deleted > 0 && fired > 0, neuronModelName(neuronModel).data());
      QCOMPARE(created - deleted, unitsOf(model->network()));
    }
  }

  /// A synapse brings its weight times the conductance in the step after the spike.
  void spikesArriveThroughTheNetwork()
  {
    PlasticityParameters p;
    p.model = NeuronModel::Izhikevich;
    p.synapseConductance = 0.5;
    p.threads = 1;
    p.stimuli = {{1, 300, 1, 12.0, "left"}}; // neuron 0 fires, neuron 1 listens
    const auto population = neurons(2, 1.0);
    const auto alone = makePlasticityModel(population, p);
    const auto joined = makePlasticityModel(population, p, {2, {{0, 1, 3}}});
    double expected = -65, recovery = 0;
    bool heFired = false;
    int spikes = 0;
    for (int step = 1; step <= 100; ++step) {
      for (int s = 0; s < 10; ++s) {
        const double input = heFired ? 0.5 * 3 : 0;
        const double dv = 0.04 * expected * expected + 5 * expected + 140 - recovery + input;
        const double du = 0.1 * (0.2 * expected - recovery);
        expected += dv / 10;
        recovery += du / 10;
      }
      run(*alone, 1);
      run(*joined, 1);
      const NeuronState state = joined->state();
      QVERIFY(std::abs(state.membrane[1] - expected) < 1e-9);
      QCOMPARE(state.membrane[0], alone->state().membrane[0]);
      heFired = state.fired[0] != 0;
      spikes += heFired;
    }
    QVERIFY(spikes > 3);
    QVERIFY(alone->state().membrane[1] != joined->state().membrane[1]);
  }

  void theSameBytesOnAnyNumberOfThreads()
  {
    for (const SearchKind search : {SearchKind::BarnesHut, SearchKind::Inverse}) {
      PlasticityParameters p = lively(NeuronModel::Poisson);
      p.search.kind = search;
      const auto population = neurons(17'000); // enough for several threads
      p.threads = 1;
      const auto one = makePlasticityModel(population, p);
      const std::vector<StepRecord> records = run(*one, 85);
      p.threads = 5;
      const auto many = makePlasticityModel(population, p);
      QVERIFY(sameRecords(run(*many, 85), records));
      QVERIFY(sameState(*one, *many));
      QVERIFY2(unitsOf(one->network()) > 1000, qPrintable(QString::number(unitsOf(one->network()))));
    }
  }

  void anotherSeedIsAnotherRun()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    const auto one = makePlasticityModel(neurons(300), p);
    p.search.seed = 2;
    const auto other = makePlasticityModel(neurons(300), p);
    run(*one, 80);
    run(*other, 80);
    QVERIFY(one->state().membrane != other->state().membrane);
    QVERIFY(one->network().synapses != other->network().synapses);
  }

  void runsInPartsAreOneRun()
  {
    const PlasticityParameters p = lively(NeuronModel::Izhikevich);
    const auto whole = makePlasticityModel(neurons(300), p), parts = makePlasticityModel(neurons(300), p);
    const std::vector<StepRecord> records = run(*whole, 200, 7);
    std::vector<StepRecord> joined;
    for (const std::uint32_t steps : {1u, 38u, 1u, 1u, 79u, 0u, 80u})
      parts->run(steps, 7, joined);
    QVERIFY(sameRecords(joined, records));
    QVERIFY(sameState(*whole, *parts));
  }

  void checkpointsContinueToTheSameBytes()
  {
    for (const NeuronModel neuronModel : kModels) {
      const PlasticityParameters p = lively(neuronModel);
      const StaticNetwork fixed = {250, {{4, 5, -7}, {200, 3, 2}}};
      const auto model = makePlasticityModel(neurons(250), p, fixed);
      run(*model, 97, 10);
      writeCheckpoint(*model, path("model"));
      const auto again = readCheckpoint(path("model"), Backend::Cpu, 1);
      QVERIFY(sameState(*model, *again));
      QVERIFY(again->parameters() == model->parameters());
      QVERIFY(again->staticNetwork().synapses == fixed.synapses);
      QVERIFY(again->population().areaNames == model->population().areaNames);
      QVERIFY(sameRecords(run(*model, 120, 10), run(*again, 120, 10)));
      QVERIFY(sameState(*model, *again));
    }
  }

  /// Files of version 0.1.0, of 12 neurons with static synapses, stimuli, targets and backgrounds of their own, two
  /// that are created and two that are disabled.
  void checkpointsOfVersion2GoOn()
  {
    const std::filesystem::path data = testData("plasticity").toStdString();
    const auto model = readCheckpoint(data / "step_150.checkpoint", Backend::Cpu, 1);
    QCOMPARE(model->step(), 150u);
    run(*model, 150);
    const auto expected = readCheckpoint(data / "step_300.checkpoint", Backend::Cpu, 1);
    QVERIFY(sameState(*model, *expected));
    QVERIFY(model->parameters() == expected->parameters());
    writeCheckpoint(*model, path("now"));
    QVERIFY(readFile(path("now")).starts_with(kCheckpointFormat));
    const auto again = readCheckpoint(path("now"), Backend::Cpu, 1);
    QVERIFY(again->parameters() == expected->parameters());
    QVERIFY(sameRecords(run(*again, 50), run(*expected, 50)));
    QVERIFY(sameState(*again, *expected));
  }

  void checkpointsNameTheirParameters()
  {
    const auto model = makePlasticityModel(neurons(40), lively(NeuronModel::Poisson));
    run(*model, 90);
    writeCheckpoint(*model, path("named"));
    const std::string whole = readFile(path("named"));
    const std::string period = "\nupdate-period=40\n";
    QVERIFY(whole.find(period) != std::string::npos);
    QVERIFY(whole.find("\nthreads=") == std::string::npos); // it goes on anywhere
    const auto read = [&](const std::string& instead, std::vector<std::string>* unknown) {
      const std::string changed =
          withParameters(whole, [&](std::string& lines) { lines.replace(lines.find(period), period.size(), instead); });
      std::ofstream(path("changed"), std::ios::binary) << changed;
      return readCheckpoint(path("changed"), Backend::Cpu, 1, unknown);
    };
    std::vector<std::string> unknown;
    QVERIFY(sameState(*read(period, &unknown), *model));
    QVERIFY(unknown.empty());
    QCOMPARE(read("\nhue=3\n", &unknown)->parameters().updatePeriod, PlasticityParameters().updatePeriod);
    QVERIFY(unknown == std::vector<std::string>{"hue"});
    for (const char* wrong : {"\nupdate-period=0\n", "\nupdate-period=x\n", "\nupdate-period=99999999999\n",
                              "\nmodel=clock\n", "\ncalcium-decay=nan\n", "\nstimuli=9000000000\n"})
      QCOMPARE(failureOf([&] { read(wrong, nullptr); }), ErrorCode::BadFormat);
  }

  /// A run that is cancelled at any step, in an update too, goes on as if it had not been.
  void cancelledRunsGoOn()
  {
    const PlasticityParameters p = lively(NeuronModel::Poisson);
    const auto whole = makePlasticityModel(neurons(400), p);
    const std::vector<StepRecord> expected = run(*whole, 160, 8);
    const auto broken = makePlasticityModel(neurons(400), p);
    std::vector<StepRecord> records;
    int cancelled = 0;
    while (broken->step() < 160 || broken->progress().updatePending) {
      int reports = 0;
      std::optional<RunControl> control;
      control.emplace([&](std::string_view, double) {
        if (++reports == 4)
          control->cancel();
      });
      const auto failure = failureOf([&] { broken->run(160 - broken->step(), 8, records, *control); });
      cancelled += failure == ErrorCode::Cancelled;
      writeCheckpoint(*broken, path("cancelled"));
      QVERIFY(sameState(*broken, *readCheckpoint(path("cancelled"), Backend::Cpu, 1)));
    }
    QVERIFY(cancelled > 30);
    QVERIFY(sameRecords(records, expected));
    QVERIFY(sameState(*whole, *broken));
  }

  void aCancelledUpdateIsPending()
  {
    const PlasticityParameters p = lively(NeuronModel::Poisson);
    const auto whole = makePlasticityModel(neurons(20'000), p), broken = makePlasticityModel(neurons(20'000), p);
    std::vector<StepRecord> expected = run(*whole, 39);
    // The electrical step has no checkpoint but the report before it: the others are those of the update.
    const tests::Checkpoints checkpoints([&](const RunControl& control) { whole->run(1, 1, expected, control); });
    const std::size_t ofUpdate = checkpoints.all() - 1;
    constexpr std::size_t kMostSought = 64; // searches side by side
    QVERIFY(ofUpdate >= whole->population().size() / kMostSought);
    whole->run(1, 1, expected);
    std::vector<StepRecord> records;
    broken->run(39, 1, records);
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      // The first try makes the step too.
      const std::size_t passed = quarter * ofUpdate / 4 + (quarter == 0 ? 1 : 0);
      const auto cancellation = tests::cancelAfter(
          passed, [&](const RunControl& control) { broken->run(40 - broken->step(), 1, records, control); });
      QCOMPARE(cancellation.failure, ErrorCode::Cancelled);
      QCOMPARE(cancellation.later, std::size_t{0});
      QVERIFY(broken->progress().updatePending);
      QCOMPARE(broken->step(), 40U);
      QCOMPARE(broken->network().synapses.size(), std::size_t{0});
    }
    broken->run(41 - broken->step(), 1, records);
    QVERIFY(sameRecords(records, expected));
    QVERIFY(sameState(*whole, *broken));
  }

  void badParametersAreRefused_data()
  {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 14; ++i)
      QTest::addRow("%d", i) << i;
  }
  void badParametersAreRefused()
  {
    QFETCH(int, which);
    const std::vector<std::function<void(PlasticityParameters&)>> faults = {
        [](auto& p) { p.integrationSteps = 0; },
        [](auto& p) { p.updatePeriod = 0; },
        [](auto& p) { p.threads = -1; },
        [](auto& p) { p.calciumDecay = 0; },
        [](auto& p) { p.calciumDecay = std::nan(""); },
        [](auto& p) { p.calciumPerSpike = -1; },
        [](auto& p) { p.axon.rate = -1e-3; },
        [](auto& p) { p.inhibitoryDendrite.initialLeast = 2; },
        [](auto& p) { p.excitatoryDendrite.retractRatio = 1.5; },
        [](auto& p) { p.background = BackgroundKind::Normal; },
        [](auto& p) {
          p.stimuli = {{1, 5, 0, 1, ""}};
        },
        [](auto& p) {
          p.stimuli = {{5, 1, 1, 1, ""}};
        },
        [](auto& p) {
          p.stimuli = {{1, 5, 1, 1, "nowhere"}};
        },
        [](auto& p) { p.search.theta = 0.7; }};
    PlasticityParameters p;
    faults.at(static_cast<std::size_t>(which))(p);
    QCOMPARE(failureOf([&] { makePlasticityModel(neurons(10), p); }), ErrorCode::BadParameter);
  }

  void badPopulationsAndNetworksAreRefused()
  {
    const auto attempt = [](const NeuronPopulation& population, const StaticNetwork& fixed = {}) {
      return failureOf([&] { makePlasticityModel(std::make_shared<const NeuronPopulation>(population), {}, fixed); });
    };
    QCOMPARE(attempt({}), ErrorCode::BadParameter);
    NeuronPopulation population = *neurons(4);
    QVERIFY(!attempt(population));
    QCOMPARE(attempt(population, {4, {{0, 4, 1}}}), ErrorCode::BadParameter);
    population.area[2] = 9;
    QCOMPARE(attempt(population), ErrorCode::BadParameter);
    population = *neurons(4);
    population.isInhibitory.pop_back();
    QCOMPARE(attempt(population), ErrorCode::BadParameter);
    population = *neurons(4);
    population.isInhibitory[3] = 2;
    QCOMPARE(attempt(population), ErrorCode::BadParameter);
    population = *neurons(4);
    population.position[1][2] = std::nan("");
    QCOMPARE(attempt(population), ErrorCode::BadParameter);
  }

  void oneNeuronAndNeuronsAtOnePlaceFormNothing()
  {
    const auto alone = makePlasticityModel(neurons(1), lively(NeuronModel::Poisson));
    run(*alone, 100);
    QVERIFY(alone->network().synapses.empty());
    NeuronPopulation together = *neurons(5);
    together.position.assign(5, {1, 2, 3});
    const auto model =
        makePlasticityModel(std::make_shared<const NeuronPopulation>(together), lively(NeuronModel::Poisson));
    run(*model, 100);
    QVERIFY(model->network().synapses.empty());
  }

  void inputTooStrongForTheStepsIsToldOf()
  {
    PlasticityParameters p = lively(NeuronModel::FitzHughNagumo);
    p.background = BackgroundKind::Constant;
    p.backgroundBase = 1e6;
    const auto model = makePlasticityModel(neurons(10), p);
    QCOMPARE(failureOf([&] { run(*model, 100); }), ErrorCode::BadParameter);
  }

  void damagedCheckpointsAreRefused()
  {
    const auto model = makePlasticityModel(neurons(40), lively(NeuronModel::Poisson));
    run(*model, 90);
    writeCheckpoint(*model, path("whole"));
    const std::string whole = readFile(path("whole"));
    const auto read = [&](const std::string& bytes) {
      std::ofstream(path("damaged"), std::ios::binary) << bytes;
      return failureOf([&] { readCheckpoint(path("damaged"), Backend::Cpu, 1); });
    };
    QVERIFY(!read(whole));
    QCOMPARE(read(""), ErrorCode::BadFormat);
    QCOMPARE(read("something else"), ErrorCode::BadFormat);
    QCOMPARE(read("Hinesight plasticity checkpoint 1\n" + whole), ErrorCode::BadFormat); // of an older version
    QCOMPARE(read(whole + "x"), ErrorCode::BadFormat);
    for (std::size_t length = 0; length < whole.size(); length += 97)
      QCOMPARE(read(whole.substr(0, length)), ErrorCode::BadFormat);
    for (std::size_t at = 0; at < whole.size(); at += 131) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      QCOMPARE(read(changed), ErrorCode::BadFormat);
    }
    QCOMPARE(failureOf([&] { readCheckpoint(path("none"), Backend::Cpu, 1); }), ErrorCode::FileNotFound);
    QCOMPARE(failureOf([&] { writeCheckpoint(*model, path("no/folder")); }), ErrorCode::WriteFailed);
  }

  /// Files of several of the parts that are in memory at once.
  void largeCheckpointsAreReadWhole()
  {
    constexpr std::size_t kPart = std::size_t{1} << 20;
    const auto model = makePlasticityModel(neurons(30'000), lively(NeuronModel::Poisson));
    run(*model, 45, 0);
    writeCheckpoint(*model, path("large"));
    const std::string large = readFile(path("large"));
    QVERIFY(large.size() > 3 * kPart);
    const std::size_t content = large.size() - sizeof(std::uint64_t);
    std::uint64_t sum = 0;
    std::memcpy(&sum, large.data() + content, sizeof sum);
    QCOMPARE(sum, checkSum(QByteArray::fromRawData(large.data(), static_cast<qsizetype>(content))));
    const auto again = readCheckpoint(path("large"), Backend::Cpu, 1);
    QVERIFY(sameState(*again, *model));
    writeCheckpoint(*again, path("again"));
    QVERIFY(readFile(path("again")) == large);
    const auto read = [&](const std::string& bytes) {
      std::ofstream(path("damaged"), std::ios::binary) << bytes;
      return failureOf([&] { readCheckpoint(path("damaged"), Backend::Cpu, 1); });
    };
    for (const std::size_t at : {kPart - 1, kPart, 2 * kPart + 5, large.size() - 9, large.size() - 1}) {
      std::string changed = large;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      QCOMPARE(read(changed), ErrorCode::BadFormat);
    }
    for (const std::size_t length : {kPart, kPart + 8, 2 * kPart, large.size() - 1})
      QCOMPARE(read(large.substr(0, length)), ErrorCode::BadFormat);
  }

  /// Every value that no model has, in a file that is whole.
  void checkpointsOfNoModelAreRefused_data()
  {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("field");
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const auto model = sampleModel();
    const PlasticityProgress progress = model->progress();
    const NeuronState& s = progress.neurons;
    const auto row = [](const char* name, const QByteArray& before, const QByteArray& after, const char* field) {
      QTest::newRow(name) << before << after << field;
    };
    const auto list = [](const auto& values) { return bytesOf(std::uint64_t{values.size()}) + bytesOfAll(values); };
    const auto changed = [](auto values, std::size_t i, auto value) {
      values[i] = static_cast<typename decltype(values)::value_type>(value);
      return bytesOf(std::uint64_t{values.size()}) + bytesOfAll(values);
    };
    row("neuron model", "model=poisson\n", "model=poissoN\n", "model");
    row("integration steps", "integration-steps=10\n", "integration-steps=00\n", "integration");
    row("calcium target", "calcium-target=0.3125\n", "calcium-target=0.3x25\n", "calcium-target");
    row("calcium decay", "calcium-decay=512.5\n", "calcium-decay=-12.5\n", "decay");
    row("kernel", "kernel=gaussian\n", "kernel=gaussiaN\n", "kernel");
    row("sigma", "sigma=333.25\n", "sigma=-33.25\n", "sigma");
    row("cutoff", "cutoff=inf\n", "cutoff=1-1\n", "cutoff");
    row("position", bytesOf(model->population().position[3][1]), bytesOf(nan), "position of neuron 3 is");
    const auto& types = model->population().isInhibitory;
    row("signal type", list(types), changed(types, 2, 9), "signal type of neuron 2 is 9");
    const QByteArray step = bytesOf(progress.step), counts = bytesOf(progress.created) + bytesOf(progress.deleted);
    row("no flag", step + '\0' + counts, step + '\x02' + counts, "flag of a pending update is 2");
    row("no update pending", step + '\0' + counts, step + '\x01' + counts, "a pending update at step 90");
    row("membrane", list(s.membrane), changed(s.membrane, 3, nan), "membrane potential of neuron 3 is");
    row("recovery", list(s.recovery), changed(s.recovery, 4, inf), "recovery variable of neuron 4 is inf");
    row("fired", list(s.fired), changed(s.fired, 5, 3), "flag of a spike of neuron 5 is 3");
    row("calcium", list(s.calcium), changed(s.calcium, 6, nan), "calcium of neuron 6 is");
    row("negative calcium", list(s.calcium), changed(s.calcium, 6, -1), "calcium of neuron 6 that");
    row("more calcium than records add up", list(s.calcium), changed(s.calcium, 6, 1e300), "calcium of neuron 6 that");
    row("target", list(s.target), changed(s.target, 7, -inf), "calcium target of neuron 7 is -inf");
    row("enabled", list(s.enabled), changed(s.enabled, 8, 255), "flag of being enabled of neuron 8 is 255");
    row("disabled, but growing", list(s.enabled), changed(s.enabled, 8, 0), "of neuron 8 that");
    row("elements", list(s.grown[0]), changed(s.grown[0], 9, inf), "number of axons of neuron 9 is inf");
    row("too many elements", list(s.grown[1]), changed(s.grown[1], 9, 1e12),
        "number of excitatory dendrites of neuron 9 that");
    row("connected", list(s.connected[0]), changed(s.connected[0], 9, 4'000'000'000u),
        "number of connected axons of neuron 9 that");
    row("growth", list(s.delta[0]), changed(s.delta[0], 1, nan), "growth of axons of neuron 1 is");
    const auto inhibitory = std::ranges::find_if(progress.network.synapses, [](auto& each) { return each.weight < 0; });
    QVERIFY(inhibitory != progress.network.synapses.end());
    Synapse synapse = *inhibitory;
    synapse.weight = std::numeric_limits<std::int32_t>::min();
    row("weight", bytesOf(*inhibitory), bytesOf(synapse), "that is more than 2^31 - 1 synapses");
    synapse = *inhibitory;
    synapse.target = 40;
    row("synapse of nobody", bytesOf(*inhibitory), bytesOf(synapse), "names a neuron that is not there");
  }
  void checkpointsOfNoModelAreRefused()
  {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, field);
    writeCheckpoint(*sampleModel(), path("sound"));
    QByteArray bytes = QByteArray::fromStdString(readFile(path("sound")));
    const qsizetype at = bytes.indexOf(before);
    QVERIFY(at > 0);
    QCOMPARE(after.size(), before.size());
    bytes.replace(at, before.size(), after);
    bytes.chop(sizeof(std::uint64_t));
    std::ofstream(path("unsound"), std::ios::binary) << (bytes + bytesOf(checkSum(bytes))).toStdString();
    try {
      readCheckpoint(path("unsound"), Backend::Cpu, 1);
      QFAIL("it was read");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadFormat);
      QCOMPARE(error.file(), path("unsound").string());
      QVERIFY2(QString::fromStdString(error.message()).contains(field, Qt::CaseInsensitive), error.what());
    }
  }

  void aRequestIsNoDamageOfTheFile()
  {
    writeCheckpoint(*sampleModel(), path("sound"));
    QCOMPARE(failureOf([&] { readCheckpoint(path("sound"), Backend::Cpu, -1); }), ErrorCode::BadParameter);
  }

  /// What a model that has come to nothing would leave is no replacement for a checkpoint to go on from.
  void aModelWithoutNumbersIsNotKept()
  {
    PlasticityParameters p = lively(NeuronModel::FitzHughNagumo);
    p.background = BackgroundKind::Constant;
    p.backgroundBase = 1e6;
    const auto model = makePlasticityModel(neurons(10), p);
    writeCheckpoint(*model, path("kept"));
    const std::string kept = readFile(path("kept"));
    run(*model, 30);
    QCOMPARE(failureOf([&] { writeCheckpoint(*model, path("kept")); }), ErrorCode::BadParameter);
    QVERIFY(readFile(path("kept")) == kept);
  }

  /// Files that version 0.1.0 wrote: of 12 neurons with static synapses, stimuli, targets and backgrounds of their own,
  /// two that are created and two that are disabled.
  void earlierCheckpointsGoOn()
  {
    const std::filesystem::path data = testData("plasticity").toStdString();
    const auto model = readCheckpoint(data / "step_150.checkpoint", Backend::Cpu, 1);
    QCOMPARE(model->step(), 150u);
    QCOMPARE(model->population().size(), std::size_t{14});
    run(*model, 150);
    const auto expected = readCheckpoint(data / "step_300.checkpoint", Backend::Cpu, 1);
    QVERIFY(sameState(*model, *expected));
    QVERIFY(model->parameters() == expected->parameters());
    QVERIFY(model->staticNetwork().synapses == expected->staticNetwork().synapses);
  }

  /// The whole model from nothing to its target: calcium arrives and stays, creations and deletions keep the balance.
  void reachesItsTarget()
  {
    PlasticityParameters p = fastGrowth();
    const auto model = makePlasticityModel(neurons(400), p);
    run(*model, 12'000, 12'000);
    const std::vector<StepRecord> records = run(*model, 4000, 100);
    double calcium = 0;
    std::uint64_t created = 0, deleted = 0;
    for (const StepRecord& record : records) {
      calcium += record.calcium.mean / static_cast<double>(records.size());
      created += record.created;
      deleted += record.deleted;
    }
    const auto synapses = static_cast<double>(unitsOf(model->network()));
    QVERIFY2(std::abs(calcium - p.calciumTarget) < 0.05 * p.calciumTarget, qPrintable(QString::number(calcium)));
    QVERIFY2(created > 0 && deleted > 0, "nothing moves any more");
    const double net = static_cast<double>(created) - static_cast<double>(deleted);
    QVERIFY2(std::abs(net) < 0.05 * synapses,
             qPrintable(QString("%1 created, %2 deleted of %3").arg(created).arg(deleted).arg(synapses)));
  }

  /// The same bytes on both, whole states, over updates.
  void cudaGivesTheSameBytes()
  {
    if (cudaDevices().empty())
      QSKIP("no CUDA device");
    for (const NeuronModel neuronModel : kModels)
      for (const SearchKind search : {SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact}) {
        PlasticityParameters p = lively(neuronModel);
        p.search.kind = search;
        const StaticNetwork fixed = {3000, {{4, 5, -7}, {200, 3, 2}}};
        const auto cpu = makePlasticityModel(neurons(3000), p, fixed);
        p.backend = Backend::Cuda;
        const auto cuda = makePlasticityModel(neurons(3000), p, fixed);
        QVERIFY(sameRecords(run(*cpu, 130, 3), run(*cuda, 130, 3)));
        QVERIFY(sameState(*cpu, *cuda));
        writeCheckpoint(*cuda, path("cuda"));
        const auto again = readCheckpoint(path("cuda"), Backend::Cpu, 1);
        QVERIFY(sameRecords(run(*again, 50, 1), run(*cuda, 50, 1)));
        QVERIFY(sameState(*again, *cuda));
      }
  }

  void withoutCudaThereIsAClearError()
  {
    if (!cudaDevices().empty())
      QSKIP("there is a CUDA device");
    PlasticityParameters p;
    p.backend = Backend::Cuda;
    QCOMPARE(failureOf([&] { makePlasticityModel(neurons(10), p); }), ErrorCode::NoDevice);
  }
};

HINESIGHT_TEST(TestPlasticity)
#include "test_plasticity.moc"
