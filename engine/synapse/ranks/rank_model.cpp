#include "synapse/ranks/rank_model.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "synapse/plasticity/neurons/neuron_rows.hpp"
#include "synapse/ranks/common_run.hpp"
#include "synapse/ranks/rank_connectivity.hpp"
#include "synapse/ranks/rank_formation.hpp"
#include "synapse/ranks/rank_search.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hinesight::synapse::detail {

namespace {

constexpr std::size_t kGrain = 8192;
/// So few neurons are done sooner than threads are woken.
constexpr std::size_t kMostSerial = 16'384;
constexpr std::size_t kWord = 64; ///< neurons

/// Who fired in a step: for each rank a word that is not 0 where the rank is to stop, then the bits of its neurons.
class FiredBits
{
public:
  FiredBits(const NeuronRanges& neuronRanges, int rank) : ranges(neuronRanges)
  {
    for (int r = 0; r < ranges.ranks(); ++r) {
      const NeuronRange range = ranges.of(r);
      begin.push_back(begin.back() + 1 + (range.size() + kWord - 1) / kWord);
    }
    words.assign(begin.back(), 0);
    own = static_cast<std::size_t>(rank);
  }

  /// Of this rank's neurons, a byte each.
  void setOwn(std::span<const std::uint8_t> fired)
  {
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(begin[own]),
              words.begin() + static_cast<std::ptrdiff_t>(begin[own + 1]), 0);
    for (std::size_t i = 0; i < fired.size(); ++i)
      words[begin[own] + 1 + i / kWord] |= std::uint64_t{fired[i]} << i % kWord;
  }
  /// Gives this rank's to all. Returns whether any rank is to stop.
  bool exchange(Communicator& ranks, bool stops)
  {
    words[begin[own]] = stops;
    ranks.allGather(std::span<const std::uint64_t>(words).subspan(begin[own], begin[own + 1] - begin[own]),
                    std::span(words), begin);
    return std::any_of(begin.begin(), begin.end() - 1, [&](std::size_t at) { return words[at] != 0; });
  }
  void clear(std::uint32_t neuron)
  {
    const int owner = ranges.owner(neuron);
    const std::size_t local = neuron - ranges.of(owner).begin;
    words[begin[static_cast<std::size_t>(owner)] + 1 + local / kWord] &= ~(std::uint64_t{1} << local % kWord);
  }

  int ranks() const { return ranges.ranks(); }
  std::size_t wordsOf(int rank) const
  {
    return begin[static_cast<std::size_t>(rank) + 1] - begin[static_cast<std::size_t>(rank)] - 1;
  }
  /// Calls visit(neuron) for those of a rank's words [first, last) that fired.
  template <typename Visit>
  void forFired(int rank, std::size_t first, std::size_t last, Visit visit) const
  {
    const std::uint64_t* const bits = words.data() + begin[static_cast<std::size_t>(rank)] + 1;
    const std::size_t neuron = ranges.of(rank).begin;
    for (std::size_t word = first; word < last; ++word)
      for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
        visit(neuron + word * kWord + static_cast<std::size_t>(std::countr_zero(left)));
  }

private:
  NeuronRanges ranges;
  std::size_t own = 0;
  std::vector<std::size_t> begin = {0}; ///< of each rank's words
  std::vector<std::uint64_t> words;
};

/// State of a rank's own neurons that no connectivity update changes.
struct OwnNeurons
{
  std::vector<double> potential, recovery;
  std::vector<std::uint8_t> fired;
  std::vector<double> calcium, calciumTarget;
};

/// What all ranks know of a model's beginning.
struct RankStart
{
  std::uint32_t step = 0;
  std::uint64_t updatePending = 0, created = 0, deleted = 0;
};

/// The part of a model on one of the ranks; all functions that are not const say or hear something of the others, and
/// so do those that look at all neurons.
class RankModel final : public ModelBase
{
public:
  /// `start` as ModelBase needs it: the state of all neurons on rank 0 only, but for who is enabled. Without a tree in
  /// the setup the rank makes its part of it.
  RankModel(Communicator& communicator, ModelSetup modelSetup, const PlasticityProgress& start)
      : ModelBase(std::move(modelSetup), start), ranks(communicator), ranges(setup.population->size(), ranks.size()),
        own(ranges.of(ranks.rank())), bits(ranges, ranks.rank())
  {
    together(ranks, [&] {
      threads = threadsOfRank(ranks, setup.parameters.threads);
      stages.backend = Backend::Cpu;
      stages.device =
          processorName() + ", " + ranksInWords(ranks, setup.tree ? TreeOnRanks::Whole : TreeOnRanks::Essential);
      synaptic.resize(own.size());
      areaStimulus.resize(setup.stimuli.empty() ? 0 : setup.population->areaNames.size());
      takeStatic();
    });
    if (!setup.tree)
      essential.emplace(ranks, ranges, std::span(setup.population->position).subspan(own.begin, own.size()),
                        setup.parameters.search.theta, Backend::Cpu, threads, RunControl());
    takeState(start);
  }

  void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
           const RunControl& control) override
  {
    CommonRun common(ranks, control);
    current = &common;
    common.agree();
    ModelBase::run(steps, recordEvery, records, common.common());
  }

  /// Whole on rank 0, empty on the others but for who is enabled.
  NeuronState state() const override
  {
    NeuronState whole;
    whole.membrane = gathered(neurons.potential);
    whole.recovery = gathered(neurons.recovery);
    whole.fired = gathered(neurons.fired);
    whole.calcium = gathered(neurons.calcium);
    whole.target = gathered(neurons.calciumTarget);
    whole.enabled = enabled;
    for (int pool = 0; pool < kPools; ++pool) {
      whole.grown[pool] = gathered(connectivity.grown[pool]);
      whole.connected[pool] = gathered(connectivity.connected[pool]);
      whole.delta[pool] = gathered(connectivity.delta[pool]);
    }
    return whole;
  }

  Network network() const override
  {
    std::vector<Synapse> mine;
    together(ranks, [&] {
      const PlasticGraph& graph = connectivity.sent;
      mine.reserve(graph.pairs());
      for (std::size_t i = 0; i < graph.neurons(); ++i) {
        const std::uint32_t source = own.begin + static_cast<std::uint32_t>(i);
        for (std::uint64_t pair = graph.offset[i]; pair < graph.offset[i + 1]; ++pair) {
          const auto units = static_cast<std::int32_t>(graph.units[pair]);
          mine.push_back({source, graph.target[pair], isInhibitory(source) ? -units : units});
        }
      }
    });
    return {ranges.neurons(), gathered(mine)};
  }

protected:
  std::uint32_t stepsAtOnce() const override { return 1; }

  void advance(std::uint32_t first, std::uint32_t steps, std::uint32_t tallyEvery, bool,
               std::vector<StepTally>& tallies) override
  {
    for (std::uint32_t step = first; step < first + steps; ++step) {
      Stopwatch stopwatch;
      addUpSpikes();
      stepMembranes(step);
      stages.add("electrical", stopwatch.lap());
      stepElements(step);
      stages.add("growth", stopwatch.lap());
      bits.setOwn(neurons.fired);
      if (bits.exchange(ranks, current->isOwnCancelled()))
        current->common().cancel();
      stages.add("exchange", stopwatch.elapsed());
      if (tallyEvery > 0 && step % tallyEvery == 0)
        tallies.push_back(tally());
    }
  }

  StepTally tally() const override
  {
    StepTally part;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (enabled[own.begin + i] == 0)
        continue;
      const std::uint64_t calciumBits = std::bit_cast<std::uint64_t>(neurons.calcium[i]);
      part.fired += neurons.fired[i];
      part.calcium += calciumWhole(setup.constants, neurons.calcium[i]);
      part.least = std::min(part.least, calciumBits);
      part.most = std::max(part.most, calciumBits);
    }
    std::uint64_t sums[] = {part.fired, static_cast<std::uint64_t>(part.calcium)};
    std::uint64_t bounds[] = {part.least, ~part.most};
    ranks.allReduce(std::span<std::uint64_t>(sums), Reduction::Sum);
    ranks.allReduce(std::span<std::uint64_t>(bounds), Reduction::Least);
    return {sums[0], static_cast<std::int64_t>(sums[1]), bounds[0], ~bounds[1]};
  }

  ElementTally elementTally() const override
  {
    std::int64_t sums[2 * kPools] = {};
    for (int pool = 0; pool < kPools; ++pool)
      for (std::size_t i = 0; i < own.size(); ++i) {
        sums[pool] += static_cast<std::int64_t>(connectivity.grown[pool][i] * kElementUnits);
        sums[kPools + pool] += connectivity.connected[pool][i];
      }
    ranks.allReduce(std::span<std::int64_t>(sums), Reduction::Sum);
    ElementTally whole;
    std::copy_n(sums, kPools, whole.grown);
    std::copy_n(sums + kPools, kPools, whole.connected);
    return whole;
  }

  bool isFinite() const override
  {
    const auto finite = [](double x) { return std::isfinite(x); };
    const bool mine = std::ranges::all_of(neurons.potential, finite) && std::ranges::all_of(neurons.recovery, finite);
    return ranks.allReduce(std::uint64_t{mine}, Reduction::Least) != 0;
  }

  ConnectivityChange update(std::uint32_t atStep, const RunControl&) override
  {
    const RankUpdateSetup known = {*setup.population, setup.tree.get(), essential ? &*essential : nullptr,
                                   setup.parameters,  ranges,           threads};
    return updateOnRanks(ranks, known, connectivity, atStep, stages, current->own());
  }

  std::uint64_t takeStatus() override
  {
    for (std::size_t i = 0; i < own.size(); ++i)
      neurons.fired[i] = enabled[own.begin + i] != 0 ? neurons.fired[i] : 0;
    for (std::uint32_t neuron = 0; neuron < enabled.size(); ++neuron)
      if (enabled[neuron] == 0)
        bits.clear(neuron);
    return disableOnRanks(ranks, ranges, connectivity, setup.population->isInhibitory, enabled);
  }

  void takeBackgrounds() override {}

private:
  bool isInhibitory(std::size_t neuron) const { return setup.population->isInhibitory[neuron] != 0; }

  /// Static synapses onto own neurons, by source. The whole network stays on rank 0, which writes checkpoints.
  void takeStatic()
  {
    StaticLists all = staticLists(setup);
    staticSynapses.offset = {0};
    for (std::size_t source = 0; source + 1 < all.offset.size(); ++source) {
      for (std::uint64_t s = all.offset[source]; s < all.offset[source + 1]; ++s)
        if (own.holds(all.target[s])) {
          staticSynapses.target.push_back(all.target[s] - own.begin);
          staticSynapses.units.push_back(all.units[s]);
        }
      staticSynapses.offset.push_back(staticSynapses.target.size());
    }
    if (!ranks.isRoot())
      setup.staticNetwork.synapses = {};
  }

  void takeState(const PlasticityProgress& start)
  {
    const NeuronState& s = start.neurons;
    neurons.potential = scattered(s.membrane);
    neurons.recovery = scattered(s.recovery);
    neurons.fired = scattered(s.fired);
    neurons.calcium = scattered(s.calcium);
    neurons.calciumTarget = scattered(s.target);
    for (int pool = 0; pool < kPools; ++pool) {
      connectivity.grown[pool] = scattered(s.grown[pool]);
      connectivity.connected[pool] = scattered(s.connected[pool]);
      connectivity.delta[pool] = scattered(s.delta[pool]);
    }
    const std::vector<Synapse>& synapses = start.network.synapses;
    std::vector<std::size_t> begins; // of each rank's sources
    together(ranks, [&] {
      for (const std::size_t first : ranges.begins())
        begins.push_back(static_cast<std::size_t>(
            std::ranges::lower_bound(synapses, first, {}, [](const Synapse& synapse) { return synapse.source; }) -
            synapses.begin()));
    });
    takeSynapses(ranks, ranges, connectivity, ranks.scatterFrom(0, std::span<const Synapse>(synapses), begins));
    bits.setOwn(neurons.fired);
    bits.exchange(ranks, false);
  }

  template <typename T>
  std::vector<T> scattered(const std::vector<T>& whole) const
  {
    return ranks.scatterFrom(0, std::span<const T>(whole), ranges.begins());
  }
  template <typename T>
  std::vector<T> gathered(const std::vector<T>& mine) const
  {
    return ranks.gatherTo(0, std::span<const T>(mine)).items;
  }

  /// Whether several threads do a step.
  bool isShared() const { return threads > 1 && own.size() > kMostSerial; }

  void forNeurons(const std::function<void(std::size_t, std::size_t)>& body) const
  {
    if (!isShared())
      body(0, own.size());
    else
      parallelFor(own.size(), kGrain, body, threads);
  }

  /// What fired anywhere in the step before, by the synapses of now onto own neurons. Whole numbers, so that any thread
  /// may add at any time.
  void addUpSpikes()
  {
    std::fill(synaptic.begin(), synaptic.end(), 0);
    for (int rank = 0; rank < bits.ranks(); ++rank) {
      if (!isShared()) {
        bits.forFired(rank, 0, bits.wordsOf(rank), [this](std::size_t source) {
          sendSpike(source, [this](std::uint32_t target, std::int64_t weight) { synaptic[target] += weight; });
        });
        continue;
      }
      const auto addAtomically = [this](std::uint32_t target, std::int64_t weight) {
        std::atomic_ref(synaptic[target]).fetch_add(weight, std::memory_order_relaxed);
      };
      parallelFor(
          bits.wordsOf(rank), kGrain / kWord,
          [&](std::size_t first, std::size_t last) {
            bits.forFired(rank, first, last, [&](std::size_t source) { sendSpike(source, addAtomically); });
          },
          threads);
    }
  }

  template <typename Add>
  void sendSpike(std::size_t source, Add add) const
  {
    const PlasticGraph& graph = connectivity.received;
    const std::int64_t unit = setup.constants.synapseUnits;
    const std::int64_t signedUnit = isInhibitory(source) ? -unit : unit;
    for (std::uint64_t pair = graph.offset[source]; pair < graph.offset[source + 1]; ++pair)
      add(graph.target[pair], signedUnit * graph.units[pair]);
    for (std::uint64_t s = staticSynapses.offset[source]; s < staticSynapses.offset[source + 1]; ++s)
      add(staticSynapses.target[s], staticSynapses.units[s]);
  }

  NeuronArrays arrays()
  {
    return {neurons.potential.data(),
            neurons.recovery.data(),
            neurons.fired.data(),
            neurons.calcium.data(),
            {connectivity.delta[0].data(), connectivity.delta[1].data(), connectivity.delta[2].data()},
            setup.ownTargets ? neurons.calciumTarget.data() : nullptr,
            someDisabled() ? enabled.data() + own.begin : nullptr};
  }

  void stepMembranes(std::uint32_t step)
  {
    for (std::size_t area = 0; area < areaStimulus.size(); ++area)
      areaStimulus[area] = stimulusInput(setup.stimuli.data(), static_cast<std::uint32_t>(setup.stimuli.size()), step,
                                         static_cast<std::uint32_t>(area));
    const StepInputs inputs = {synaptic.data(),
                               areaStimulus.empty() ? nullptr : areaStimulus.data(),
                               setup.population->area.data() + own.begin,
                               setup.backgrounds.data(),
                               backgroundOf.empty() ? nullptr : backgroundOf.data() + own.begin,
                               own.begin};
    forNeurons([&, own = arrays()](std::size_t begin, std::size_t end) {
      neuronRows().membranes(setup.constants, own, inputs, step, begin, end);
    });
  }

  void stepElements(std::uint32_t step)
  {
    forNeurons([&, own = arrays()](std::size_t begin, std::size_t end) {
      neuronRows().elements(setup.constants, own, step, begin, end);
    });
  }

  Communicator& ranks;
  NeuronRanges ranges;
  NeuronRange own;
  FiredBits bits;
  OwnNeurons neurons;
  RankConnectivity connectivity;
  std::optional<EssentialSearch> essential; ///< where there is no whole tree
  StaticLists staticSynapses;
  std::vector<std::int64_t> synaptic;
  std::vector<double> areaStimulus;
  int threads = 1;
  CommonRun* current = nullptr; ///< during a run
};

constexpr const char* kMake = "grow: make";
constexpr const char* kRun = "grow: run";
constexpr const char* kState = "grow: state";
constexpr const char* kNetwork = "grow: network";
constexpr const char* kProgress = "grow: progress";
constexpr const char* kDrop = "grow: drop";

struct RunOrder
{
  std::uint64_t model;
  std::uint32_t steps, recordEvery;
};

/// Runs a part of a model. Where one is cancelled or has no finite potentials any more, all are.
void runPart(Communicator& ranks, PlasticityModel& part, const RunOrder& order, std::vector<StepRecord>& records,
             const RunControl& control)
{
  try {
    part.run(order.steps, order.recordEvery, records, control);
  } catch (const FailedTogether& failure) {
    failTogether(ranks, failure);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled || error.code() == ErrorCode::BadParameter)
      failTogether(ranks, error);
    throw;
  }
}

/// Gives all ranks what rank 0 begins with; the others give nothing. Returns what each makes its part of.
PlasticityProgress broadcastStart(Communicator& ranks, const PlasticityProgress* whole)
{
  RankStart told;
  if (whole)
    told = {whole->step, whole->updatePending, whole->created, whole->deleted};
  ranks.broadcast(told, 0);
  PlasticityProgress start;
  const std::vector<std::uint8_t> none;
  start.neurons.enabled = ranks.broadcastFrom(0, std::span<const std::uint8_t>(whole ? whole->neurons.enabled : none));
  start.step = told.step;
  start.updatePending = told.updatePending != 0;
  start.created = told.created;
  start.deleted = told.deleted;
  return start;
}

/// Gives all ranks the state and the network that rank 0 begins with, which stay there; the others give what
/// broadcastStart gave them.
void broadcastState(Communicator& ranks, const PlasticityProgress& whole, PlasticityProgress& start)
{
  const auto give = [&]<typename T>(const std::vector<T>& from, std::vector<T>& to) {
    std::vector<T> received = ranks.broadcastFrom(0, std::span<const T>(from));
    if (!ranks.isRoot())
      to = std::move(received);
  };
  const NeuronState& from = whole.neurons;
  NeuronState& to = start.neurons;
  give(from.membrane, to.membrane);
  give(from.recovery, to.recovery);
  give(from.fired, to.fired);
  give(from.calcium, to.calcium);
  give(from.target, to.target);
  for (int pool = 0; pool < kPools; ++pool) {
    give(from.grown[pool], to.grown[pool]);
    give(from.connected[pool], to.connected[pool]);
    give(from.delta[pool], to.delta[pool]);
  }
  give(whole.network.synapses, start.network.synapses);
  std::uint64_t neurons = whole.network.neurons;
  ranks.broadcast(neurons, 0);
  start.network.neurons = neurons;
}

/// A rank's part of a model, on the backend that the parameters name. Collective.
std::unique_ptr<PlasticityModel> makePart(Communicator& ranks, ModelSetup setup, const PlasticityProgress& start)
{
  const SearchKind kind = setup.parameters.search.kind;
  const TreeOnRanks chosen = chosenTree(ranks);
  setup.treesOfGpus = treesOfGpusInWords(chosen, kind);
  if (treeFor(chosen, kind, setup.parameters.backend) == TreeOnRanks::Whole)
    together(ranks, [&] {
      setup.tree = makeOctree(setup.population->position, threadsOfRank(ranks, setup.parameters.threads));
    });
  if (setup.parameters.backend == Backend::Cpu)
    return std::make_unique<RankModel>(ranks, std::move(setup), start);
  PlasticityProgress all;
  if (!ranks.isRoot())
    all = start;
  broadcastState(ranks, start, all);
  return makeCudaModel(std::move(setup), ranks.isRoot() ? start : all, &ranks);
}

/// The model as rank 0 has it: calls the others to whatever it does.
class LeadModel final : public PlasticityModel
{
public:
  LeadModel(Communicator& communicator, std::uint64_t number, std::unique_ptr<PlasticityModel> ownPart)
      : ranks(communicator), id(number), part(std::move(ownPart))
  {}

  ~LeadModel() override
  {
    try {
      const TaskScope task = call(kDrop);
    } catch (...) {
      // The ranks have failed; they drop it all the same.
    }
  }

  void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
           const RunControl& control) override
  {
    const TaskScope task(ranks, kRun);
    RunOrder order{id, steps, recordEvery};
    ranks.broadcast(order, 0);
    runPart(ranks, *part, order, records, control);
  }
  std::uint32_t step() const override { return part->step(); }
  NeuronState state() const override
  {
    const TaskScope task = call(kState);
    return part->state();
  }
  Network network() const override
  {
    const TaskScope task = call(kNetwork);
    return part->network();
  }
  PlasticityProgress progress() const override
  {
    const TaskScope task = call(kProgress);
    return part->progress();
  }
  const StaticNetwork& staticNetwork() const override { return part->staticNetwork(); }
  std::shared_ptr<const Octree> tree() const override { return part->tree(); }
  const NeuronPopulation& population() const override { return part->population(); }
  const PlasticityParameters& parameters() const override { return part->parameters(); }
  StageTimings timings() const override { return part->timings(); }

private:
  TaskScope call(const char* name) const
  {
    TaskScope task(ranks, name);
    std::uint64_t number = id;
    ranks.broadcast(number, 0);
    return task;
  }

  Communicator& ranks;
  const std::uint64_t id;
  std::unique_ptr<PlasticityModel> part;
};

std::string textOf(const PlasticityParameters& parameters)
{
  PlasticityParameters copy = parameters;
  return linesOf(settingsOf(fieldsOf(copy)));
}

PlasticityParameters parametersOf(const std::string& text)
{
  PlasticityParameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  applySettings(fields, settingsOfLines(text));
  return parameters;
}

} // namespace

std::unique_ptr<PlasticityModel> makeRankModel(Communicator& ranks, ModelSetup setup, const PlasticityProgress& start)
{
  static std::atomic<std::uint64_t> made = 0;
  std::uint64_t id = ++made;
  requireDevice(setup.parameters.backend);
  const TaskScope task(ranks, kMake);
  ranks.broadcast(id, 0);
  std::string text = textOf(setup.parameters);
  ranks.broadcast(text, 0);
  broadcastPopulation(ranks, setup.population);
  ranks.broadcastFrom(0, std::span<const StaticSynapse>(setup.staticNetwork.synapses));
  broadcastStart(ranks, &start);
  together(ranks, [] {}); // that the others have made what they need
  return std::make_unique<LeadModel>(ranks, id, makePart(ranks, std::move(setup), start));
}

std::vector<RankTask> modelTasks(const RunControl& control)
{
  using Models = std::map<std::uint64_t, std::unique_ptr<PlasticityModel>>;
  const auto models = std::make_shared<Models>();
  const auto modelCalled = [models](Communicator& ranks) -> PlasticityModel& {
    std::uint64_t id = 0;
    ranks.broadcast(id, 0);
    return *models->at(id);
  };
  const auto make = [models](Communicator& ranks) {
    std::uint64_t id = 0;
    ranks.broadcast(id, 0);
    std::string text;
    ranks.broadcast(text, 0);
    const auto population = broadcastPopulation(ranks, nullptr);
    StaticNetwork network;
    network.synapses = ranks.broadcastFrom(0, std::span<const StaticSynapse>());
    const PlasticityProgress start = broadcastStart(ranks, nullptr);
    ModelSetup setup;
    together(ranks, [&] {
      network.neurons = population->size();
      setup = makeSetup(population, parametersOf(text), network, start.step);
    });
    (*models)[id] = makePart(ranks, std::move(setup), start);
  };
  return {
      {kMake, make},
      {kRun,
       [models, control](Communicator& ranks) {
         RunOrder order{};
         ranks.broadcast(order, 0);
         std::vector<StepRecord> records;
         runPart(ranks, *models->at(order.model), order, records, control.silenced());
       }},
      {kState, [modelCalled](Communicator& ranks) { modelCalled(ranks).state(); }},
      {kProgress, [modelCalled](Communicator& ranks) { modelCalled(ranks).progress(); }},
      {kNetwork, [modelCalled](Communicator& ranks) { modelCalled(ranks).network(); }},
      {kDrop,
       [models](Communicator& ranks) {
         std::uint64_t id = 0;
         ranks.broadcast(id, 0);
         models->erase(id);
       }},
  };
}

} // namespace hinesight::synapse::detail
