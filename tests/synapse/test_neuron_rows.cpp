#include "synapse/plasticity/neurons/neuron_rows.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cstring>
#include <vector>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

constexpr std::size_t kNeurons = 1037; // no multiple of any vector

struct Neurons
{
  std::vector<double> potential, recovery, calcium, target;
  std::vector<double> delta[kPools];
  std::vector<std::uint8_t> fired;

  bool operator==(const Neurons& other) const
  {
    const auto same = [](const auto& a, const auto& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
    };
    return same(potential, other.potential) && same(recovery, other.recovery) && same(calcium, other.calcium) &&
           same(target, other.target) && same(delta[0], other.delta[0]) && same(delta[1], other.delta[1]) &&
           same(delta[2], other.delta[2]) && same(fired, other.fired);
  }
};

template <typename Model>
Neurons restingNeurons()
{
  Neurons neurons;
  neurons.potential.assign(kNeurons, Model::kInitialPotential);
  neurons.recovery.assign(kNeurons, Model::kInitialRecovery);
  neurons.fired.assign(kNeurons, 0);
  neurons.calcium.assign(kNeurons, 0.01);
  for (std::size_t i = 0; i < kNeurons; ++i)
    neurons.target.push_back(1e-4 * static_cast<double>(i % 300)); // some below the least calcium, some at it
  for (auto& delta : neurons.delta)
    delta.assign(kNeurons, 0);
  return neurons;
}

/// What neurons have of their own.
struct Variety
{
  BackgroundKind background = BackgroundKind::None; ///< Individual: the neurons take turns with kBackgrounds
  bool ownTargets = false;
  bool someDisabled = false;
};

constexpr Background kBackgrounds[] = {{},
                                       {BackgroundKind::Normal, 0.02, 0.01},
                                       {BackgroundKind::Constant, 0.03, 0},
                                       {BackgroundKind::FastNormal, 0.02, 0.01}};

std::vector<std::uint32_t> backgroundOfEach()
{
  std::vector<std::uint32_t> each;
  for (std::uint32_t i = 0; i < kNeurons; ++i)
    each.push_back(i * 7 % 4);
  return each;
}

std::vector<std::uint8_t> everyFifthDisabled()
{
  std::vector<std::uint8_t> enabled;
  for (std::size_t i = 0; i < kNeurons; ++i)
    enabled.push_back(i % 5 != 2);
  return enabled;
}

StepConstants constantsOf(NeuronModel model, double conductance, const Variety& variety)
{
  StepConstants c;
  c.model = model;
  c.inputOfUnit = conductance;
  c.constantInput = 0.4 * conductance;
  c.background = {variety.background, 0.1 * conductance, 0.2 * conductance};
  c.windows = 999.0 * kNeurons + 1;
  c.targetDecay = {7, 0.9, 1e-5};
  c.seed = 5;
  c.calcium = {1 - 1e-3, 1e-3};
  c.growth[0] = makeGrowthCurve(1e-3, 0.004, 0.02);
  c.growth[1] = makeGrowthCurve(2e-3, 0.001, 0.02);
  c.growth[2] = makeGrowthCurve(1e-3, 0.02, 0.02);
  c.leastCalcium[0] = 0.004;
  c.leastCalcium[1] = 0.001;
  c.leastCalcium[2] = 0.02;
  return c;
}

std::vector<std::int64_t> inputsOf(std::uint32_t step)
{
  std::vector<std::int64_t> inputs;
  for (std::size_t i = 0; i < kNeurons; ++i)
    inputs.push_back(static_cast<std::int64_t>((i * 31 + step * 7) % 9) - 2);
  return inputs;
}

std::vector<std::uint32_t> twoAreas()
{
  std::vector<std::uint32_t> area;
  for (std::size_t i = 0; i < kNeurons; ++i)
    area.push_back(i % 3 == 0);
  return area;
}

NeuronArrays arraysOf(Neurons& n, const Variety& variety, const std::vector<std::uint8_t>& enabled)
{
  return {n.potential.data(),
          n.recovery.data(),
          n.fired.data(),
          n.calcium.data(),
          {n.delta[0].data(), n.delta[1].data(), n.delta[2].data()},
          variety.ownTargets ? n.target.data() : nullptr,
          variety.someDisabled ? enabled.data() : nullptr};
}

constexpr double kStimulus[] = {0.0, 0.05};

void runRows(const NeuronRows& rows, const StepConstants& c, const Variety& variety, Neurons& neurons,
             std::uint32_t steps)
{
  const std::vector<std::uint32_t> area = twoAreas(), backgroundOf = backgroundOfEach();
  const std::vector<std::uint8_t> enabled = everyFifthDisabled();
  const bool own = variety.background == BackgroundKind::Individual;
  const NeuronArrays arrays = arraysOf(neurons, variety, enabled);
  for (std::uint32_t step = 1; step <= steps; ++step) {
    const std::vector<std::int64_t> inputs = inputsOf(step);
    const StepInputs in = {inputs.data(), kStimulus, area.data(), kBackgrounds, own ? backgroundOf.data() : nullptr};
    // In two pieces, as threads would.
    rows.membranes(c, arrays, in, step, 0, 300);
    rows.membranes(c, arrays, in, step, 300, kNeurons);
    rows.elements(c, arrays, step, 0, kNeurons);
  }
}

double backgroundInput(const StepConstants& c, std::uint32_t i, std::uint32_t step)
{
  const std::uint64_t window = inputWindow(c.seed, step, c.windows);
  const Background& own = kBackgrounds[i * 7 % 4];
  return c.background.kind == BackgroundKind::Individual ? individualInput(c, own, i, step, window)
                                                         : individualInput(c, c.background, i, step, window);
}

/// Neuron by neuron, as a GPU's threads do.
template <typename Model>
void runSingly(const StepConstants& c, const Variety& variety, Neurons& n, std::uint32_t steps)
{
  const std::vector<std::uint32_t> area = twoAreas();
  for (std::uint32_t step = 1; step <= steps; ++step) {
    const std::vector<std::int64_t> inputs = inputsOf(step);
    for (std::uint32_t i = 0; i < kNeurons; ++i) {
      if (variety.someDisabled && i % 5 == 2)
        continue;
      const double input = neuronInput(c, inputs[i], kStimulus[area[i]]) + backgroundInput(c, i, step);
      const double uniform = Model::kDraws ? spikeUniform(c.seed, i, step) : 0;
      const Membrane m = stepMembrane<Model>({n.potential[i], n.recovery[i], 0}, input, uniform, c.subSteps, c.dt);
      n.potential[i] = m.potential;
      n.recovery[i] = m.recovery;
      n.fired[i] = m.fired != 0;
      for (std::uint32_t s = 0; s < c.subSteps; ++s)
        n.calcium[i] = c.calcium.subStep(n.calcium[i], m.fired);
      if (variety.ownTargets && c.targetDecay.isDue(step))
        n.target[i] = c.targetDecay.at(n.target[i]);
      for (int pool = 0; pool < kPools; ++pool)
        n.delta[pool][i] += variety.ownTargets
                                ? growthTowards(n.target[i], c.growth[pool].rate, c.leastCalcium[pool], n.calcium[i])
                                : c.growth[pool].at(n.calcium[i]);
    }
  }
}

/// Every set of instructions that this processor executes gives the bytes of one neuron at a time.
template <typename Model>
void compareAll(NeuronModel model, double conductance)
{
  for (const Variety& variety :
       {Variety{}, Variety{BackgroundKind::Normal}, Variety{BackgroundKind::FastNormal, true},
        Variety{BackgroundKind::Individual, false, true}, Variety{BackgroundKind::Individual, true, true}}) {
    const StepConstants c = constantsOf(model, conductance, variety);
    Neurons expected = restingNeurons<Model>();
    const std::uint32_t steps = 60;
    runSingly<Model>(c, variety, expected, steps);
    QVERIFY(expected.calcium[1] != 0.01);
    Neurons portable = restingNeurons<Model>();
    runRows(*portableNeuronRows(), c, variety, portable, steps);
    QVERIFY(portable == expected);
    Neurons best = restingNeurons<Model>();
    runRows(neuronRows(), c, variety, best, steps);
    QVERIFY(best == expected);
#if defined(__x86_64__)
    if (avx2NeuronRows() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      Neurons avx2 = restingNeurons<Model>();
      runRows(*avx2NeuronRows(), c, variety, avx2, steps);
      QVERIFY(avx2 == expected);
    }
#endif
  }
}

} // namespace

class TestNeuronRows : public QObject
{
  Q_OBJECT

private slots:
  void poisson() { compareAll<PoissonNeuron>(NeuronModel::Poisson, 0.05); }
  void izhikevich() { compareAll<IzhikevichNeuron>(NeuronModel::Izhikevich, 5); }
  void fitzHughNagumo() { compareAll<FitzHughNagumoNeuron>(NeuronModel::FitzHughNagumo, 0.3); }
  void adaptiveExponential() { compareAll<AdaptiveExponentialNeuron>(NeuronModel::AdaptiveExponential, 600); }

  void stimuliAddUpByAreaAndStep()
  {
    const StimulusSpan stimuli[] = {{10, 20, 5, 0, true, 1.0}, {15, 15, 1, 1, false, 0.25}};
    const auto at = [&](std::uint32_t step, std::uint32_t area) { return stimulusInput(stimuli, 2, step, area); };
    QCOMPARE(at(9, 1), 0.0);
    QCOMPARE(at(10, 1), 1.0);
    QCOMPARE(at(11, 1), 0.0);
    QCOMPARE(at(15, 0), 1.0);
    QCOMPARE(at(15, 1), 1.25);
    QCOMPARE(at(20, 0), 1.0);
    QCOMPARE(at(25, 0), 0.0);
  }
};

HINESIGHT_TEST(TestNeuronRows)
#include "test_neuron_rows.moc"
