#pragma once

#include "synapse/connectivity.hpp"
#include "synapse/neuron_step.hpp"
#include "synapse/plasticity.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::synapse::detail {

/// What stays as it is while a model runs.
struct ModelSetup
{
  std::shared_ptr<const NeuronPopulation> population;
  PlasticityParameters parameters;
  Network staticNetwork; ///< ordered by source, then target
  std::shared_ptr<const Octree> tree;
  StepConstants constants;
  std::vector<StimulusSpan> stimuli;
};

/// Of all neurons at a step; whole numbers, so that the order in which they are added up does not matter.
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
  const Network& staticNetwork() const override { return setup.staticNetwork; }
  std::shared_ptr<const Octree> tree() const override { return setup.tree; }
  const NeuronPopulation& population() const override { return *setup.population; }
  const PlasticityParameters& parameters() const override { return setup.parameters; }
  StageTimings timings() const override { return stages; }

protected:
  /// Does steps `first` to `first + steps - 1` without updates and appends the tallies of those that are multiples of
  /// `tallyEvery` (0: none).
  virtual void advance(std::uint32_t first, std::uint32_t steps, std::uint32_t tallyEvery,
                       std::vector<StepTally>& tallies) = 0;
  /// The most steps that `advance` is asked for at once, so that a run can be cancelled.
  virtual std::uint32_t stepsAtOnce() const = 0;
  virtual StepTally tally() const = 0;
  virtual ElementTally elementTally() const = 0;
  /// Whether every membrane is still a number.
  virtual bool isFinite() const = 0;
  /// All or nothing.
  virtual ConnectivityChange update(std::uint32_t atStep, const RunControl& control) = 0;

  ModelSetup setup;
  StageTimings stages;

private:
  std::uint32_t stepsBeforeBreak(std::uint32_t left) const;
  void finishUpdate(std::uint32_t recordEvery, std::vector<StepRecord>& records, const RunControl& control);
  void appendRecord(std::uint32_t atStep, const StepTally& tally, std::vector<StepRecord>& records);

  std::uint32_t done = 0;
  bool updatePending = false;
  std::optional<ElementTally> elements; ///< as of the last update
  ConnectivityChange sinceRecord;
};

/// A progress from nothing: initial elements, no synapse.
PlasticityProgress freshProgress(const NeuronPopulation& population, const PlasticityParameters& parameters);

std::unique_ptr<PlasticityModel> makeCpuModel(ModelSetup setup, const PlasticityProgress& start);
std::unique_ptr<PlasticityModel> makeCudaModel(ModelSetup setup, const PlasticityProgress& start);

/// The parts of a state that a connectivity update changes.
Connectivity connectivityOf(const NeuronState& neurons, const Network& network,
                            const std::vector<std::uint8_t>& isInhibitory);

} // namespace hinesight::synapse::detail
