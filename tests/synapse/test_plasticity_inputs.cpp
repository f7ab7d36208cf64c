#include "cancellation.hpp"
#include "plasticity_fixture.hpp"
#include "synapse/plasticity/neurons/neuron_models.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace hinesight;
using namespace hinesight::tests;

namespace {

/// One Euler step a ms, no spikes but those drawn, no growth: a membrane then says what its input was.
PlasticityParameters bareInputs()
{
  PlasticityParameters p;
  p.integrationSteps = 1;
  p.axon.rate = p.excitatoryDendrite.rate = p.inhibitoryDendrite.rate = 0;
  p.threads = 1;
  return p;
}

/// What each neuron got in each step, from its membrane: x(t + 1) = x(t) + (0.05 - x(t)) / 5 + input.
std::vector<std::vector<double>> inputsOf(PlasticityModel& model, std::uint32_t steps)
{
  std::vector<std::vector<double>> inputs;
  std::vector<double> before = model.state().membrane;
  for (std::uint32_t step = 0; step < steps; ++step) {
    run(model, 1);
    const std::vector<double> now = model.state().membrane;
    std::vector<double>& input = inputs.emplace_back();
    for (std::size_t i = 0; i < now.size(); ++i)
      input.push_back(now[i] - (before[i] + (0.05 - before[i]) / 5));
    before = now;
  }
  return inputs;
}

/// Izhikevich's equations with ten Euler steps a ms; says whether it fired.
bool izhikevichStep(double& v, double& u, double input)
{
  for (int s = 0; s < 10; ++s) {
    const double dv = 0.04 * v * v + 5 * v + 140 - u + input;
    const double du = 0.1 * (0.2 * v - u);
    v += dv / 10;
    u += du / 10;
    if (v < 30)
      continue;
    v = -65;
    u += 2;
    return true;
  }
  return false;
}

} // namespace

class TestPlasticityInputs : public QObject
{
  Q_OBJECT

private slots:
  /// Four neurons draw windows of a row of 4,000 numbers: every number has one successor, whoever gets it and when.
  void fastNormalInputIsAWindowOfOneRow()
  {
    PlasticityParameters p = bareInputs();
    p.background = BackgroundKind::FastNormal;
    p.backgroundMean = 3;
    p.backgroundSpread = 2;
    const std::uint32_t steps = 20'000;
    const auto inputs = inputsOf(*makePlasticityModel(neurons(4), p), steps);
    std::map<std::int64_t, std::int64_t> successor;
    std::set<std::int64_t> numbers, firsts;
    double sum = 0, squares = 0;
    for (const std::vector<double>& input : inputs) {
      for (std::size_t i = 0; i < 4; ++i) {
        const auto number = std::llround(input[i] * 1e8); // a few of 4,000 would be alike if rounded more
        numbers.insert(number);
        if (i == 0)
          firsts.insert(number);
        else
          QCOMPARE(successor.try_emplace(std::llround(input[i - 1] * 1e8), number).first->second, number);
      }
    }
    for (const std::int64_t number : numbers) {
      const double z = (static_cast<double>(number) * 1e-8 - 3) / 2;
      sum += z;
      squares += z * z;
    }
    // 20,000 of 3,997 windows: exp(-5) of them never come.
    const auto count = static_cast<double>(numbers.size());
    QVERIFY2(count <= 4000 && count > 3950, qPrintable(QString::number(count)));
    QVERIFY(firsts.size() > 3900 && firsts.size() <= 3997);
    QVERIFY(std::abs(sum / count) < 4 / std::sqrt(count));
    QVERIFY(std::abs(squares / count - 1) < 4 * std::sqrt(2 / count));
  }

  void windowsBeginAnywhereAlike()
  {
    constexpr int kBins = 20, kDraws = 40'000;
    constexpr double kWindows = 999e7 + 1; // of ten million neurons
    std::vector<int> bins(kBins, 0);
    for (std::uint32_t step = 1; step <= kDraws; ++step) {
      const std::uint64_t window = inputWindow(7, step, kWindows);
      QVERIFY(window < 9'990'000'001u);
      ++bins[static_cast<std::size_t>(static_cast<double>(window) / kWindows * kBins)];
    }
    double chiSquare = 0;
    for (const int count : bins)
      chiSquare += std::pow(count - kDraws / kBins, 2) / (kDraws / kBins);
    QVERIFY2(chiSquare < 43.8, qPrintable(QString::number(chiSquare))); // p = 0.001 with 19 degrees of freedom
    QVERIFY(predrawnNormal(7, 5) != predrawnNormal(7, 5 + (std::uint64_t{1} << 32)));
    QVERIFY(predrawnNormal(7, 5) != predrawnNormal(8, 5));
  }

  /// What a file says: the later change holds, and neurons without one get nothing.
  void neuronsHaveTheirOwnBackground()
  {
    PlasticityParameters p = bareInputs();
    p.background = BackgroundKind::Individual;
    const Background constant = {BackgroundKind::Constant, 0.25, 0}, normal = {BackgroundKind::Normal, 1, 0.5};
    const Background fast = {BackgroundKind::FastNormal, 2, 0.5}, none = {};
    p.backgroundChanges = {{9, none, {0}, {}},
                           {0, constant, {0, 2}, {}},
                           {4, normal, {}, {"right"}}, // 1, 3, 5
                           {6, fast, {3}, {}},
                           {6, constant, {5}, {}}};
    const auto population = neurons(7);
    const auto inputs = inputsOf(*makePlasticityModel(population, p), 12);
    PlasticityParameters alike = bareInputs();
    alike.background = BackgroundKind::Normal;
    alike.backgroundMean = 1;
    alike.backgroundSpread = 0.5;
    const auto normals = inputsOf(*makePlasticityModel(population, alike), 12);
    alike.background = BackgroundKind::FastNormal;
    alike.backgroundMean = 2;
    const auto fasts = inputsOf(*makePlasticityModel(population, alike), 12);
    for (std::size_t step = 1; step <= 12; ++step) {
      const auto expect = [&](std::size_t neuron, double input) {
        QVERIFY2(std::abs(inputs[step - 1][neuron] - input) < 1e-12,
                 qPrintable(QString("step %1 neuron %2: %3").arg(step).arg(neuron).arg(inputs[step - 1][neuron])));
      };
      expect(0, step < 9 ? 0.25 : 0);
      expect(1, step < 4 ? 0 : normals[step - 1][1]);
      expect(2, 0.25);
      expect(3, step < 4 ? 0 : step < 6 ? normals[step - 1][3] : fasts[step - 1][3]);
      expect(4, 0);
      expect(5, step < 4 ? 0 : step < 6 ? normals[step - 1][5] : 0.25);
      expect(6, 0);
    }
  }

  /// Two drivers with weights of both signs onto one listener, against the equations.
  void fractionalWeightsAddUp()
  {
    PlasticityParameters p;
    p.model = NeuronModel::Izhikevich;
    p.synapseConductance = 2;
    p.threads = 1;
    p.stimuli = {{1, 300, 1, 12.0, "left"}, {7, 300, 2, 3.0, "left"}}; // 0 and 2 fire, 1 and 3 listen
    const double weights[] = {0.7, -0.3};
    const auto model =
        makePlasticityModel(neurons(4, 1.0), p, {4, {{2, 1, weights[1]}, {0, 1, weights[0]}, {1, 3, 0.001}}});
    double v[3] = {-65, -65, -65}, u[3] = {0, 0, 0};
    bool fired[3] = {false, false, false};
    int spikes = 0;
    for (int step = 1; step <= 150; ++step) {
      const double drive = 12 + (step >= 7 && (step - 7) % 2 == 0 ? 3 : 0);
      const double heard = 2 * (weights[0] * fired[0] + weights[1] * fired[2]);
      fired[0] = izhikevichStep(v[0], u[0], drive);
      fired[2] = izhikevichStep(v[2], u[2], drive);
      fired[1] = izhikevichStep(v[1], u[1], heard);
      run(*model, 1);
      const NeuronState state = model->state();
      QVERIFY2(std::abs(state.membrane[1] - v[1]) < 1e-6, qPrintable(QString::number(state.membrane[1] - v[1])));
      QCOMPARE(state.fired[0] != 0, fired[0]);
      spikes += fired[0];
    }
    QVERIFY(spikes > 5);
    QVERIFY(std::abs(v[1] + 65) > 1e-3);
  }

  /// The resolution that fractions need changes nothing of whole weights.
  void wholeWeightsStayAsTheyAre()
  {
    const PlasticityParameters p = lively(NeuronModel::Izhikevich);
    StaticNetwork whole = {60, {{4, 5, -7}, {20, 3, 2}, {4, 5, 3}}};
    const auto coarse = makePlasticityModel(neurons(60), p, whole);
    whole.synapses.push_back({7, 7, 0.0});
    whole.synapses.push_back({9, 8, 1e-300}); // a fraction, of no weight at that resolution
    const auto fine = makePlasticityModel(neurons(60), p, whole);
    QVERIFY(sameRecords(run(*coarse, 150), run(*fine, 150)));
    QVERIFY(sameState(*coarse, *fine));
  }

  void fractionsGiveTheSameBytesOnAnyNumberOfThreads()
  {
    PlasticityParameters p = lively(NeuronModel::Poisson);
    p.background = BackgroundKind::FastNormal;
    StaticNetwork network = {17'000, {}}; // enough for several threads
    for (std::uint32_t i = 0; i < 50'000; ++i)
      network.synapses.push_back({i * 7919 % 17'000, i * 104'729 % 17'000, std::sin(i)});
    const auto population = neurons(17'000);
    const auto one = makePlasticityModel(population, p, network);
    p.threads = 5;
    const auto many = makePlasticityModel(population, p, network);
    QVERIFY(sameRecords(run(*one, 60, 5), run(*many, 60, 5)));
    QVERIFY(sameState(*one, *many));
  }

  void badInputsAreRefused_data()
  {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 8; ++i)
      QTest::addRow("%d", i) << i;
  }
  void badInputsAreRefused()
  {
    QFETCH(int, which);
    const Background constant = {BackgroundKind::Constant, 0.25, 0};
    const std::vector<std::function<void(PlasticityParameters&, StaticNetwork&)>> faults = {
        [](auto&, auto& network) {
          network.synapses.push_back({0, 1, std::nan("")});
        },
        [](auto&, auto& network) {
          network.synapses.push_back({0, 1, 0x1p33});
        },
        [](auto& p, auto&) { p.background = BackgroundKind::FastNormal; },
        [](auto& p, auto&) { p.background = BackgroundKind::Individual; },
        [&](auto& p, auto&) {
          p.backgroundChanges = {{1, constant, {0}, {}}};
        },
        [&](auto& p, auto&) {
          p.background = BackgroundKind::Individual;
          p.backgroundChanges = {{1, constant, {10}, {}}};
        },
        [&](auto& p, auto&) {
          p.background = BackgroundKind::Individual;
          p.backgroundChanges = {{1, constant, {}, {"nowhere"}}};
        },
        [](auto& p, auto&) {
          p.background = BackgroundKind::Individual;
          p.backgroundChanges = {{1, {BackgroundKind::Normal, 1, 0}, {1}, {}}};
        }};
    PlasticityParameters p;
    StaticNetwork network = {10, {{2, 1, 0.5}}};
    QVERIFY(!failureOf([&] { makePlasticityModel(neurons(10), p, network); }));
    faults.at(static_cast<std::size_t>(which))(p, network);
    QCOMPARE(failureOf([&] { makePlasticityModel(neurons(10), p, network); }), ErrorCode::BadParameter);
  }
};

HINESIGHT_TEST(TestPlasticityInputs)
#include "test_plasticity_inputs.moc"
