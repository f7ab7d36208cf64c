#pragma once

#include "core/communicator.hpp"
#include "synapse/plasticity/connectivity.hpp"
#include "synapse/plasticity/neurons/neuron_step.hpp"
#include "synapse/plasticity/plasticity.hpp"
#include "synapse/plasticity/target_mean.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::synapse::detail {

/// What stays as it is while a model runs.
struct ModelSetup
{
  std::shared_ptr<const NeuronPopulation> population;
  PlasticityParameters parameters;
  StaticNetwork staticNetwork;        ///< ordered by source, then target
  std::shared_ptr<const Octree> tree; ///< null until a model is made, and where ranks have a part of it each
  std::string treesOfGpus;            ///< on ranks, as treesOfGpusInWords
  StepConstants constants;
  std::vector<StimulusSpan> stimuli;
  bool ownTargets = false;                         ///< whether targets differ or change
  std::vector<Background> backgrounds;             ///< individual ones: none, then that of each change; else empty
  std::vector<std::vector<std::uint32_t>> changed; ///< neurons by change of background
  std::vector<std::uint32_t> events;               ///< steps before which neurons change status or background
};

/// Everything but the tree. `step`: the steps that the model has done. Throws as makePlasticityModel.
ModelSetup makeSetup(std::shared_ptr<const NeuronPopulation> population, const PlasticityParameters& parameters,
                     const StaticNetwork& staticNetwork, std::uint32_t step);

/// Static synapses by source: those of neuron i are [offset[i], offset[i + 1]).
struct StaticLists
{
  std::vector<std::uint64_t> offset; ///< size neurons + 1
  std::vector<std::uint32_t> target;
  std::vector<std::int64_t> units; ///< weights in 1 / synapseUnits
};

StaticLists staticLists(const ModelSetup& setup);

/// Of all enabled neurons at a step; whole numbers, so that the order in which they are added up does not matter.
struct StepTally
{
  std::uint64_t fired = 0;
  std::int64_t calcium = 0;         ///< in 1 / calciumUnits
  std::uint64_t least = UINT64_MAX; ///< calcium's bits, which are ordered as it is: it is never negative
  std::uint64_t most = 0;
};

/// Elements are added up in whole numbers of 2^-20.
inline constexpr double kElementUnits = 0x1p20;

struct ElementTally
{
  std::int64_t grown[kPools] = {}; ///< in 1 / kElementUnits
  std::uint64_t connected[kPools] = {};
};

/// Everything about a model but where its neurons are: the order of steps, updates and records.
class ModelBase : public PlasticityModel
{
public:
  ModelBase(ModelSetup modelSetup, const PlasticityProgress& start);

  void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
           const RunControl& control) override;
  std::uint32_t step() const override { return done; }
  PlasticityProgress progress() const override;
  const StaticNetwork& staticNetwork() const override { return setup.staticNetwork; }
  std::shared_ptr<const Octree> tree() const override { return setup.tree; }
  const NeuronPopulation& population() const override { return *setup.population; }
  const PlasticityParameters& parameters() const override { return setup.parameters; }
  StageTimings timings() const override { return stages; }

protected:
  /// Does steps `first` to `first + steps - 1` without updates and appends the tallies of those that are multiples of
  /// `tallyEvery` (0: none). `synapsesStay`: neither an update nor an event comes between the last of them and the
  /// next.
  virtual void advance(std::uint32_t first, std::uint32_t steps, std::uint32_t tallyEvery, bool synapsesStay,
                       std::vector<StepTally>& tallies) = 0;
  /// The most steps that `advance` is asked for at once, so that a run can be cancelled.
  virtual std::uint32_t stepsAtOnce() const = 0;
  virtual StepTally tally() const = 0;
  virtual ElementTally elementTally() const = 0;
  /// Whether every membrane is still a number.
  virtual bool isFinite() const = 0;
  /// All or nothing.
  virtual ConnectivityChange update(std::uint32_t atStep, const RunControl& control) = 0;
  /// Neurons were enabled or disabled: takes spikes, elements and plastic synapses from those that are disabled now.
  /// Returns how many synapses went.
  virtual std::uint64_t takeStatus() = 0;
  /// Neurons have another background.
  virtual void takeBackgrounds() = 0;

  bool someDisabled() const { return enabledCount < enabled.size(); }

  ModelSetup setup;
  StageTimings stages;
  std::vector<std::uint8_t> enabled;       ///< by neuron
  std::vector<std::uint32_t> backgroundOf; ///< by neuron, of setup.backgrounds; empty where all have the same

private:
  void beginStep(std::uint32_t first);
  void setStatus(std::uint32_t atStep, InterruptKind kind);
  double meanTarget() const;
  bool changeBackgrounds(std::uint32_t from, std::uint32_t upTo);
  std::uint32_t nextEvent(std::uint32_t after) const;
  std::uint32_t stepsBeforeBreak(std::uint32_t left) const;
  void finishUpdate(std::uint32_t recordEvery, std::vector<StepRecord>& records, const RunControl& control);
  void appendRecord(std::uint32_t atStep, const StepTally& tally, std::vector<StepRecord>& records);

  std::uint32_t done = 0;
  bool updatePending = false;
  std::size_t enabledCount = 0;
  std::optional<TargetMean> targetMean; ///< where targets differ or change
  std::optional<ElementTally> elements; ///< as of the last update or interrupt
  ConnectivityChange sinceRecord;
};

/// A progress from nothing: initial elements, no synapse, every neuron enabled.
PlasticityProgress freshProgress(const NeuronPopulation& population, const PlasticityParameters& parameters);

/// On the backend that the parameters name; the tree is made here.
std::unique_ptr<PlasticityModel> makeModel(ModelSetup setup, const PlasticityProgress& start);
/// The same, with the neurons that interrupts create.
std::unique_ptr<PlasticityModel> makeCreatingModel(ModelSetup setup, const PlasticityProgress& start);
std::unique_ptr<PlasticityModel> makeCpuModel(ModelSetup setup, const PlasticityProgress& start);
/// `ranks`: each has a GPU, the same setup and the same start. A GPU steps its share of the neurons; the ranks exchange
/// a bit a neuron each step, and split the search of an update, the rest of which each does for itself. Without a tree
/// in the setup each makes its part of it (EssentialSearch), and the requests are granted by the processors. The same
/// records, network and state as alone; those are whole on rank 0. All functions are collective then. Null: alone.
std::unique_ptr<PlasticityModel> makeCudaModel(ModelSetup setup, const PlasticityProgress& start,
                                               Communicator* ranks = nullptr);

/// The parts of a state that a connectivity update changes.
Connectivity connectivityOf(const NeuronState& neurons, const Network& network,
                            const std::vector<std::uint8_t>& isInhibitory);

} // namespace hinesight::synapse::detail
