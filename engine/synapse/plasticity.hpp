#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/formation.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::synapse {

enum class NeuronModel
{
  Poisson,
  Izhikevich,
  FitzHughNagumo,
  AdaptiveExponential
};

enum class BackgroundKind
{
  None,
  Constant,
  Normal
};

/// "poisson", "izhikevich", "fitzhugh-nagumo", "aeif"; "none", "constant", "normal".
std::string_view neuronModelName(NeuronModel model);
std::string_view backgroundName(BackgroundKind kind);

/// A stimulus: `intensity` is added to the input of the neurons of an area (empty: all) from step `begin` to `end`,
/// every `period` steps.
struct Stimulus
{
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t period = 1;
  double intensity = 0;
  std::string area;

  bool operator==(const Stimulus&) const = default;
};

/// Growth of one kind of synaptic element (Butz and van Ooyen 2013): d/dt = nu (2 exp(-((C - xi) / zeta)^2) - 1), zero
/// at the least calcium eta and at the target.
struct GrowthParameters
{
  double rate = 1e-5;      ///< nu, elements per ms
  double leastCalcium = 0; ///< eta
  double initialLeast = 0; ///< elements at the start, uniformly between these
  double initialMost = 0;
  double retractRatio = 0; ///< share of vacant elements lost at each update

  bool operator==(const GrowthParameters&) const = default;
};

/// The model of plasticity_model.md, whole. A step is 1 ms.
struct PlasticityParameters
{
  NeuronModel model = NeuronModel::Poisson;
  std::uint32_t integrationSteps = 10; ///< h: Euler steps of 1/h ms
  double synapseConductance = 0.03;    ///< k
  BackgroundKind background = BackgroundKind::None;
  double backgroundBase = 0; ///< constant input
  double backgroundMean = 0; ///< normal input
  double backgroundSpread = 0;
  std::vector<Stimulus> stimuli;
  double calciumDecay = 10000;    ///< tau_C, ms
  double calciumPerSpike = 0.001; ///< beta
  double calciumInitial = 0;
  double calciumTarget = 0.7; ///< eps
  GrowthParameters axon = {1e-5, 0.4, 0, 0, 0};
  GrowthParameters excitatoryDendrite = {1e-5, 0.1, 0, 0, 0};
  GrowthParameters inhibitoryDendrite = {1e-5, 0.0, 0, 0, 0};
  std::uint32_t updatePeriod = 100; ///< steps between connectivity updates
  SearchParameters search;          ///< its seed is that of everything random
  Backend backend = Backend::Cpu;
  int threads = 0;

  bool operator==(const PlasticityParameters&) const = default;
};

void validate(const PlasticityParameters& parameters);

/// Least, mean and most over neurons.
struct Spread
{
  double least = 0;
  double mean = 0;
  double most = 0;
};

/// What one step left, for charts and monitors.
struct StepRecord
{
  std::uint32_t step = 0;
  std::uint32_t fired = 0; ///< neurons
  Spread calcium;
  std::array<double, 3> grown = {}; ///< elements at the last update: axons, excitatory, inhibitory dendrites
  std::array<std::uint64_t, 3> connected = {};
  std::uint64_t created = 0; ///< synapses, since the record before
  std::uint64_t deleted = 0;
};

/// Everything about each neuron, for monitors, views and checkpoints. Element pools: axons, excitatory, inhibitory
/// dendrites.
struct NeuronState
{
  std::vector<double> membrane;
  std::vector<double> recovery; ///< the model's second variable; of Poisson the refractory count
  std::vector<std::uint8_t> fired;
  std::vector<double> calcium;
  std::array<std::vector<double>, 3> grown;
  std::array<std::vector<std::uint32_t>, 3> connected;
  std::array<std::vector<double>, 3> delta; ///< grown since the last update
};

/// How far a model has come: with its population, parameters and static network all that there is to it.
struct PlasticityProgress
{
  std::uint32_t step = 0;     ///< steps done
  bool updatePending = false; ///< the connectivity update of that step was cancelled: a run begins with it
  NeuronState neurons;
  Network network;           ///< plastic synapses
  std::uint64_t created = 0; ///< synapses since the last record
  std::uint64_t deleted = 0;
};

/// The model at some step. On CUDA everything stays on the device between steps. Not for several threads at a time.
class PlasticityModel
{
public:
  virtual ~PlasticityModel() = default;

  /// Runs so many steps and appends a record a step, of those that are a multiple of `recordEvery`. Stops between steps
  /// when cancelled: throws Error(Cancelled), the model is sound and goes on from there.
  virtual void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
                   const RunControl& control = {}) = 0;
  virtual std::uint32_t step() const = 0; ///< steps done
  virtual NeuronState state() const = 0;
  virtual Network network() const = 0;
  virtual PlasticityProgress progress() const = 0;
  virtual const Network& staticNetwork() const = 0;
  virtual std::shared_ptr<const Octree> tree() const = 0;
  virtual const NeuronPopulation& population() const = 0;
  virtual const PlasticityParameters& parameters() const = 0;
  /// Since the start, ms: "electrical", "growth", "delete", "tree", "search", "resolve", "edges". On CUDA growth is
  /// part of "electrical": one kernel does a step.
  virtual StageTimings timings() const = 0;
};

/// A static network (weights of any size, never deleted) may be given besides. Throws as validate, Error(BadParameter)
/// for a population without neurons, a stimulus to an area that is not there, or a static synapse to a neuron that is
/// not, Error(NoDevice), Error(OutOfMemory).
std::unique_ptr<PlasticityModel> makePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                     const PlasticityParameters& parameters,
                                                     const Network& staticNetwork = {});

/// Goes on from where a model was. Throws as makePlasticityModel, and Error(BadFormat) for progress that is none of
/// such a population (arrays of other sizes, a number that no model reaches, connected elements without synapses).
std::unique_ptr<PlasticityModel> continuePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                         const PlasticityParameters& parameters,
                                                         const Network& staticNetwork,
                                                         const PlasticityProgress& progress);

/// Writes the whole model to a temporary file, then renames it; reading it back continues to the same bytes. Throws
/// Error(WriteFailed) or Error(BadFormat).
void writeCheckpoint(const PlasticityModel& model, const std::filesystem::path& path);
std::unique_ptr<PlasticityModel> readCheckpoint(const std::filesystem::path& path, Backend backend, int threads = 0);

} // namespace hinesight::synapse
