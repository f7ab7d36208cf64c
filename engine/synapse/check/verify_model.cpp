#include "synapse/check/verify_checks.hpp"
#include "synapse/plasticity/connectivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

// Tests 3, 12 and 14: what is conserved, what is deleted, and where the whole model goes.

namespace hinesight::synapse::checks {

namespace {

constexpr double kSpacing = 26; // um

/// The model some hundred times as fast as by default, so that thousands of steps see growth, balance and decline. With
/// Poisson neurons a calcium of 0.7 is then 0.07 spikes per ms, which takes four to five synapses.
PlasticityParameters fastModel(const Session& session)
{
  PlasticityParameters parameters;
  parameters.calciumDecay = 1'000;
  parameters.calciumPerSpike = 0.01;
  for (GrowthParameters* growth : {&parameters.axon, &parameters.excitatoryDendrite, &parameters.inhibitoryDendrite}) {
    growth->rate = 2e-3;
    growth->leastCalcium = 0.1;
    growth->initialLeast = 0.5;
    growth->initialMost = 2.5;
  }
  parameters.search.kernel = gaussianKernel(200);
  parameters.backend = session.parameters.backend;
  parameters.threads = session.parameters.threads;
  return parameters;
}

// Test 3.

struct ConservationErrors
{
  double bounds = 0;    ///< elements connected beyond those grown, or grown below 0
  double sums = 0;      ///< neurons whose synapses are not those of their elements
  double transpose = 0; ///< entries of the in-lists that the out-lists do not have
  double selves = 0;    ///< synapses from a neuron to itself, pairs with no synapse or of the wrong sign
  double balance = 0;   ///< synapses that no record accounts for
};

void addBounds(const NeuronState& state, ConservationErrors& errors)
{
  for (std::size_t pool = 0; pool < kPools; ++pool)
    for (std::size_t i = 0; i < state.grown[pool].size(); ++i)
      errors.bounds +=
          state.grown[pool][i] < 0 || static_cast<double>(state.connected[pool][i]) > std::floor(state.grown[pool][i]);
}

void addSums(const NeuronState& state, const Network& network, const std::vector<std::uint8_t>& isInhibitory,
             ConservationErrors& errors)
{
  std::array<std::vector<std::uint64_t>, kPools> connected;
  for (auto& pool : connected)
    pool.assign(network.neurons, 0);
  for (const Synapse& synapse : network.synapses) {
    const auto units = static_cast<std::uint64_t>(std::abs(synapse.weight));
    connected[kAxons][synapse.source] += units;
    connected[synapse.weight > 0 ? kDendrites : kDendrites + 1][synapse.target] += units;
    errors.selves += synapse.source == synapse.target || synapse.weight == 0 ||
                     (synapse.weight < 0) != (isInhibitory[synapse.source] != 0);
  }
  for (std::size_t pool = 0; pool < kPools; ++pool)
    for (std::size_t i = 0; i < network.neurons; ++i)
      errors.sums += connected[pool][i] != state.connected[pool][i];
}

void addTranspose(const Network& network, ConservationErrors& errors)
{
  const Adjacency in = incoming(network);
  std::vector<Synapse> listed;
  for (std::uint32_t target = 0; target < network.neurons; ++target)
    for (std::uint64_t entry = in.offset[target]; entry < in.offset[target + 1]; ++entry)
      listed.push_back({in.partner[entry], target, in.weight[entry]});
  std::ranges::sort(listed);
  std::vector<Synapse> apart;
  std::ranges::set_symmetric_difference(listed, network.synapses, std::back_inserter(apart));
  errors.transpose += static_cast<double>(apart.size());
}

double unitsIn(const Network& network)
{
  return std::accumulate(network.synapses.begin(), network.synapses.end(), 0.0,
                         [](double sum, const Synapse& synapse) { return sum + std::abs(synapse.weight); });
}

/// More vacant elements than partners, and the other way round: no update makes more synapses than either.
void checkCreated(Session& session)
{
  const std::size_t neurons = session.size<std::size_t>(1'000, 20'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.7, 97);
  for (const auto& [axons, dendrites] : {std::pair(5u, 1u), std::pair(1u, 5u)}) {
    FormationParameters parameters;
    parameters.axons = axons;
    parameters.dendrites = dendrites;
    parameters.backend = session.parameters.backend;
    parameters.threads = session.parameters.threads;
    const auto formation = formSynapses(population, parameters, session.control);
    std::array<double, kChannels> created = {}, seeking = {};
    for (const Synapse& synapse : formation->network.synapses)
      created[synapse.weight > 0 ? kExcitatory : kInhibitory] += std::abs(synapse.weight);
    for (const std::uint8_t isInhibitory : population->isInhibitory)
      seeking[isInhibitory ? kInhibitory : kExcitatory] += axons;
    double most = 0;
    for (std::size_t channel = 0; channel < kChannels; ++channel)
      most = std::max(most, created[channel] / std::min(seeking[channel], static_cast<double>(neurons) * dendrites));
    session.atMost("one update, " + std::to_string(axons) + " axons, " + std::to_string(dendrites) + " dendrites each",
                   "created, of the lesser of vacant axons and dendrites", most, 1);
  }
}

// Test 12.

constexpr std::array<std::uint32_t, 6> kUnits = {3, 1, 2, 4, 1, 1}; ///< synapses of one neuron by partner
constexpr std::uint32_t kAll = 12;
constexpr std::uint32_t kGone = 5;
using Outcome = std::array<std::uint32_t, kUnits.size()>; ///< synapses gone by partner

double choose(std::uint32_t n, std::uint32_t k)
{
  double ways = 1;
  for (std::uint32_t i = 1; i <= k; ++i)
    ways = ways * (n - k + i) / i;
  return ways;
}

/// The multivariate hypergeometric distribution: every set of `kGone` of the synapses is as likely.
std::map<Outcome, double> deletionLaw()
{
  std::map<Outcome, double> law = {{Outcome{}, 1.0}};
  for (std::size_t partner = 0; partner < kUnits.size(); ++partner) {
    std::map<Outcome, double> next;
    for (const auto& [outcome, ways] : law)
      for (std::uint32_t gone = 0; gone <= kUnits[partner]; ++gone) {
        Outcome more = outcome;
        more[partner] = gone;
        next[more] = ways * choose(kUnits[partner], gone);
      }
    law = std::move(next);
  }
  std::erase_if(law,
                [](const auto& entry) { return std::accumulate(entry.first.begin(), entry.first.end(), 0u) != kGone; });
  for (auto& [outcome, ways] : law)
    ways /= choose(kAll, kGone);
  return law;
}

/// Many times a neuron with six partners: neuron 7 m and those after it.
constexpr std::size_t kMotif = 1 + kUnits.size();

/// The middle neuron's axons to its partners, or theirs to its dendrites; five elements of the middle have gone.
Connectivity motifs(std::size_t count, bool isOutgoing)
{
  Connectivity connectivity;
  for (std::size_t pool = 0; pool < kPools; ++pool) {
    connectivity.grown[pool].assign(count * kMotif, 0);
    connectivity.connected[pool].assign(count * kMotif, 0);
    connectivity.delta[pool].assign(count * kMotif, 0);
  }
  const std::size_t poolOfMiddle = isOutgoing ? kAxons : kDendrites;
  const std::size_t poolOfPartner = isOutgoing ? kDendrites : kAxons;
  const auto connect = [&](std::size_t pool, std::size_t neuron, std::uint32_t units) {
    connectivity.grown[pool][neuron] = units;
    connectivity.connected[pool][neuron] = units;
  };
  for (std::size_t m = 0; m < count; ++m) {
    const std::size_t middle = m * kMotif;
    connect(poolOfMiddle, middle, kAll);
    connectivity.delta[poolOfMiddle][middle] = -static_cast<double>(kGone);
    for (std::size_t partner = 0; partner < kUnits.size(); ++partner)
      connect(poolOfPartner, middle + 1 + partner, kUnits[partner]);
    PlasticGraph& graph = connectivity.graph;
    for (std::size_t partner = 0; partner < kUnits.size(); ++partner) {
      graph.target.push_back(static_cast<std::uint32_t>(isOutgoing ? middle + 1 + partner : middle));
      graph.units.push_back(kUnits[partner]);
    }
    // Out-lists begin where the neurons' pairs do: all with the middle, or one with each partner.
    for (std::size_t neuron = 0; neuron < kMotif; ++neuron)
      graph.offset.push_back(m * kUnits.size() + (isOutgoing ? kUnits.size() : neuron));
  }
  return connectivity;
}

void checkDeletionOf(Session& session, bool isOutgoing)
{
  const std::size_t count = session.size<std::size_t>(20'000, 500'000);
  Connectivity connectivity = motifs(count, isOutgoing);
  PlasticityParameters parameters;
  parameters.threads = session.parameters.threads;
  const std::uint64_t deleted =
      deleteSynapses(connectivity, std::vector<std::uint8_t>(count * kMotif, 0), parameters, 100, session.control);
  const std::map<Outcome, double> law = deletionLaw();
  std::map<Outcome, double> seen;
  double unfreed = 0;
  const std::vector<std::uint32_t>& partners = connectivity.connected[isOutgoing ? kDendrites : kAxons];
  for (std::size_t m = 0; m < count; ++m) {
    Outcome outcome = {};
    for (std::size_t partner = 0; partner < kUnits.size(); ++partner) {
      const std::uint32_t left = connectivity.graph.units[m * kUnits.size() + partner];
      outcome[partner] = kUnits[partner] - left;
      unfreed += partners[m * kMotif + 1 + partner] != left;
    }
    seen[outcome] += 1;
  }
  std::vector<double> counts, probabilities;
  double strange = static_cast<double>(count);
  for (const auto& [outcome, probability] : law) {
    counts.push_back(seen[outcome]);
    probabilities.push_back(probability);
    strange -= counts.back();
  }
  ChiSquare test;
  test.add(counts, probabilities);
  const std::string subject = isOutgoing ? "synapses of an axon" : "synapses of a dendrite";
  session.pValue(subject + ", " + std::to_string(law.size()) + " outcomes", test.pValue());
  session.atMost(subject, "outcomes that cannot be", strange, 0);
  session.atMost(subject, "partners whose elements are not freed one by one",
                 unfreed + std::abs(static_cast<double>(deleted) - static_cast<double>(count) * kGone), 0);
}

// Test 14.

/// The growth curve as the paper writes it (Butz and van Ooyen 2013).
double growthRate(double rate, double least, double target, double calcium)
{
  const double middle = (least + target) / 2;
  const double width = (least - target) / (2 * std::sqrt(std::log(2.0)));
  const double z = (calcium - middle) / width;
  return rate * (2 * std::exp(-z * z) - 1);
}

void checkGrowthCurve(Session& session)
{
  double ends = 0, top = 0, curve = 0;
  for (const double least : {0.0, 0.1, 0.4}) {
    constexpr double kRate = 1e-5, kTarget = 0.7;
    const GrowthCurve growth = makeGrowthCurve(kRate, least, kTarget);
    ends = std::max({ends, std::abs(growth.at(least)) / kRate, std::abs(growth.at(kTarget)) / kRate});
    top = std::max(top, std::abs(growth.at((least + kTarget) / 2) / kRate - 1));
    for (double calcium = 0; calcium < 3; calcium += 0.001)
      curve = std::max(curve, std::abs(growth.at(calcium) - growthRate(kRate, least, kTarget, calcium)) / kRate);
  }
  session.atMost("growth curve, least calcium and target", "greatest growth, of the rate", ends, 1e-14);
  session.atMost("growth curve, middle", "difference from the rate", top, 1e-14);
  session.atMost("growth curve", "greatest difference from the formula, of the rate", curve, 1e-14);
}

/// A neuron that fires every tenth step: its calcium goes to tau beta / 10, on average over a period.
void checkCalcium(Session& session)
{
  constexpr double kDecay = 1'000, kPerSpike = 0.01;
  constexpr int kSubSteps = 10, kPeriod = 10, kTimes = 30; // decays
  const CalciumStep step{1 - 1 / (kSubSteps * kDecay), kPerSpike / kSubSteps};
  double calcium = 0, mean = 0;
  const int steps = static_cast<int>(kDecay) * kTimes;
  for (int t = 0; t < steps; ++t)
    for (int s = 0; s < kSubSteps; ++s) {
      // What the decay of a sub-step acts on, over the last period.
      if (t >= steps - kPeriod)
        mean += calcium / (kPeriod * kSubSteps);
      calcium = step.subStep(calcium, t % kPeriod == 0 ? 1 : 0);
    }
  session.atMost("calcium at 0.1 spikes per ms", "difference from decay x gain x rate, relative",
                 std::abs(mean / (kDecay * kPerSpike / kPeriod) - 1), 1e-9);
}

/// Sums of records over [begin, end).
struct RecordSums
{
  double calcium = 0, created = 0, deleted = 0;
};

RecordSums sumsOf(std::span<const StepRecord> records)
{
  RecordSums sums;
  for (const StepRecord& record : records) {
    sums.calcium += record.calcium.mean / static_cast<double>(records.size());
    sums.created += static_cast<double>(record.created);
    sums.deleted += static_cast<double>(record.deleted);
  }
  return sums;
}

void checkBalance(Session& session)
{
  const std::size_t neurons = session.size<std::size_t>(300, 5'000);
  const std::uint32_t steps = session.size(15'000u, 30'000u);
  const auto model = makePlasticityModel(makeRandomPopulation(neurons, kSpacing, 0.8, 101), fastModel(session));
  std::vector<StepRecord> records;
  model->run(steps, 100, records, session.control);
  const RecordSums late = sumsOf(std::span(records).last(records.size() / 3));
  const std::string subject = std::to_string(neurons) + " neurons, last third of " + std::to_string(steps) + " steps";
  session.atMost(subject, "mean calcium's distance from the target 0.7", std::abs(late.calcium - 0.7), 0.03);
  session.atLeast(subject, "synapses created", late.created, static_cast<double>(neurons) / 10);
  session.atMost(subject, "created less deleted, of those created",
                 std::abs(late.created - late.deleted) / std::max(1.0, late.created), 0.1);
}

/// The same bytes on other threads, or on the CPU.
void checkSameModel(Session& session)
{
  const std::size_t neurons = session.size<std::size_t>(300, 5'000);
  const std::uint32_t steps = session.size(1'000u, 3'000u);
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.8, 103);
  PlasticityParameters parameters = fastModel(session);
  const auto runOf = [&] {
    auto model = makePlasticityModel(population, parameters);
    std::vector<StepRecord> records;
    model->run(steps, steps, records, session.control);
    return model;
  };
  for (const NeuronModel kind :
       {NeuronModel::Poisson, NeuronModel::Izhikevich, NeuronModel::FitzHughNagumo, NeuronModel::AdaptiveExponential}) {
    parameters.model = kind;
    parameters.background = kind == NeuronModel::Poisson ? BackgroundKind::None : BackgroundKind::Normal;
    parameters.backgroundMean = kind == NeuronModel::AdaptiveExponential ? 700
                                : kind == NeuronModel::Izhikevich        ? 4
                                                                         : 0.5;
    parameters.backgroundSpread = 0.2 * parameters.backgroundMean;
    parameters.backend = session.parameters.backend;
    parameters.threads = session.parameters.threads;
    const auto model = runOf();
    parameters.backend = Backend::Cpu;
    parameters.threads = 1;
    const auto other = runOf();
    const NeuronState a = model->state();
    const NeuronState b = other->state();
    double apart = 0;
    for (std::size_t i = 0; i < neurons; ++i)
      apart += a.membrane[i] != b.membrane[i] || a.calcium[i] != b.calcium[i] || a.grown[0][i] != b.grown[0][i] ||
               a.grown[1][i] != b.grown[1][i] || a.grown[2][i] != b.grown[2][i];
    std::vector<Synapse> pairs;
    std::ranges::set_symmetric_difference(model->network().synapses, other->network().synapses,
                                          std::back_inserter(pairs));
    session.atMost(std::string(neuronModelName(kind)) + ", " + std::to_string(neurons) + " neurons, " +
                       std::to_string(steps) + " steps, and on one thread of the CPU",
                   "neurons and pairs that differ", apart + static_cast<double>(pairs.size()), 0);
  }
}

} // namespace

void checkConservation(Session& session)
{
  checkCreated(session);
  const std::size_t neurons = session.size<std::size_t>(200, 3'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.8, 107);
  const auto model = makePlasticityModel(population, fastModel(session));
  ConservationErrors errors;
  double deleted = 0, units = 0;
  const int updates = session.size(60, 200);
  for (int update = 0; update < updates; ++update) {
    std::vector<StepRecord> records;
    model->run(model->parameters().updatePeriod, 1, records, session.control);
    const NeuronState state = model->state();
    const Network network = model->network();
    addBounds(state, errors);
    addSums(state, network, population->isInhibitory, errors);
    addTranspose(network, errors);
    const double before = std::exchange(units, unitsIn(network));
    const RecordSums change = sumsOf(records);
    deleted += change.deleted;
    errors.balance += std::abs(units - before - change.created + change.deleted);
  }
  const std::string subject = std::to_string(updates) + " updates of " + std::to_string(neurons) + " neurons";
  session.atLeast(subject, "synapses deleted", deleted, static_cast<double>(neurons) / 10);
  session.atMost(subject, "elements connected beyond those grown", errors.bounds, 0);
  session.atMost(subject, "neurons whose synapses are not those of their elements", errors.sums, 0);
  session.atMost(subject, "differences of in-lists and out-lists", errors.transpose, 0);
  session.atMost(subject, "synapses to oneself, empty, or of the wrong sign", errors.selves, 0);
  session.atMost(subject, "synapses that are neither created nor deleted", errors.balance, 0);
}

void checkDeletion(Session& session)
{
  checkDeletionOf(session, true);
  checkDeletionOf(session, false);
}

void checkDynamics(Session& session)
{
  checkGrowthCurve(session);
  checkCalcium(session);
  checkSameModel(session);
  checkBalance(session);
}

} // namespace hinesight::synapse::checks
