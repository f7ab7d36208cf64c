#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/formation/formation.hpp"

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
  Normal,     ///< a number for each neuron and step
  FastNormal, ///< RELeARN's: of 1,000 numbers a neuron, drawn once, each step takes a window that begins at random
  Individual  ///< PlasticityParameters::backgroundChanges say which neuron gets what
};

/// How the calcium target changes while a model runs.
enum class TargetDecay
{
  None,
  Absolute, ///< so much less
  Relative  ///< so many times as much
};

/// "poisson", "izhikevich", "fitzhugh-nagumo", "aeif"; "none", "constant", "normal", "fast-normal", "file"; "none",
/// "absolute", "relative".
std::string_view neuronModelName(NeuronModel model);
std::string_view backgroundName(BackgroundKind kind);
std::string_view targetDecayName(TargetDecay decay);

/// Input that a neuron gets besides spikes and stimuli.
struct Background
{
  BackgroundKind kind = BackgroundKind::None; ///< not Individual
  double mean = 0;                            ///< or the constant
  double spread = 0;                          ///< standard deviation of normal input

  bool operator==(const Background&) const = default;
};

/// From the beginning of step `step` on these neurons, and all of these areas, get that background. Of several changes
/// of a neuron's background the later step holds, in one step the later in the list.
struct BackgroundChange
{
  std::uint32_t step = 0;
  Background background;
  std::vector<std::uint32_t> neurons;
  std::vector<std::string> areas;

  bool operator==(const BackgroundChange&) const = default;
};

/// A neuron's own calcium at the start, and its own target.
struct NeuronCalcium
{
  std::uint32_t neuron = 0;
  double initial = 0;
  double target = 0;

  bool operator==(const NeuronCalcium&) const = default;
};

enum class InterruptKind
{
  Disable, ///< as RELeARN does: the neuron loses its elements and plastic synapses, and stands still
  Enable,  ///< it goes on from where it stood, without elements
  Create   ///< neurons, as many
};

/// What happens to neurons at the beginning of a step (from 1); in one step first what disables, then what enables,
/// then what creates.
struct Interrupt
{
  std::uint32_t step = 0;
  InterruptKind kind = InterruptKind::Disable;
  std::vector<std::uint32_t> neurons; ///< that are disabled or enabled
  std::uint32_t count = 0;            ///< that are created

  bool operator==(const Interrupt&) const = default;
};

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
  double backgroundMean = 0; ///< normal and fast normal input
  double backgroundSpread = 0;
  std::vector<BackgroundChange> backgroundChanges; ///< individual background; before its first change a neuron has none
  std::vector<Stimulus> stimuli;
  double calciumDecay = 10000;    ///< tau_C, ms
  double calciumPerSpike = 0.001; ///< beta
  double calciumInitial = 0;
  double calciumTarget = 0.7;                  ///< eps
  std::vector<NeuronCalcium> calciumOf;        ///< neurons that differ in initial calcium and target, each once
  TargetDecay targetDecay = TargetDecay::None; ///< of every enabled neuron's target
  double targetDecayAmount = 0;                ///< what is taken off, or the factor from 0 to 1
  std::uint32_t targetDecayPeriod = 1;         ///< steps from one decay to the next
  std::vector<Interrupt> interrupts;
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
  std::uint32_t fired = 0;   ///< neurons
  std::uint32_t enabled = 0; ///< neurons
  Spread calcium;            ///< of enabled neurons; all 0 where there are none
  double target = 0;         ///< mean calcium target of enabled neurons; 0 where there are none
  /// Elements at the last update or interrupt: axons, excitatory, inhibitory dendrites.
  std::array<double, 3> grown = {};
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
  std::vector<double> target;        ///< calcium at which nothing grows
  std::vector<std::uint8_t> enabled; ///< 0: disabled, without elements and plastic synapses
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
  /// when cancelled: throws Error(Cancelled), the model is sound and goes on from there. Where a GPU fails or has too
  /// little memory while it changes synapses, throws Error(DeviceFailure) or Error(OutOfMemory); the model is lost
  /// then, and running it, its state and its network throw Error(DeviceFailure).
  virtual void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
                   const RunControl& control = {}) = 0;
  virtual std::uint32_t step() const = 0; ///< steps done
  virtual NeuronState state() const = 0;
  virtual Network network() const = 0;
  virtual PlasticityProgress progress() const = 0;
  virtual const StaticNetwork& staticNetwork() const = 0;
  virtual std::shared_ptr<const Octree> tree() const = 0;
  /// Those created included; the reference holds until the next run.
  virtual const NeuronPopulation& population() const = 0;
  virtual const PlasticityParameters& parameters() const = 0;
  /// Since the start, ms: "electrical", "growth", "delete", "tree", "search", "resolve", "edges". On CUDA growth is
  /// part of "electrical": one kernel does a step.
  virtual StageTimings timings() const = 0;
};

/// A static network (never deleted) may be given besides; its weights are kept to multiples of 2^-28 where any is a
/// fraction. Throws as validate, Error(BadParameter) for a population without neurons, an area or a neuron that is not
/// there, or static weights onto a neuron whose sizes add up to more than 2^33, Error(NoDevice), Error(OutOfMemory).
std::unique_ptr<PlasticityModel> makePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                     const PlasticityParameters& parameters,
                                                     const StaticNetwork& staticNetwork = {});

/// Goes on from where a model was. Throws as makePlasticityModel, and Error(BadFormat) for progress that is none of
/// such a population (arrays of other sizes, a number that no model reaches, connected elements without synapses).
/// The population is that of the progress: with the neurons that interrupts up to its step created.
std::unique_ptr<PlasticityModel> continuePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                         const PlasticityParameters& parameters,
                                                         const StaticNetwork& staticNetwork,
                                                         const PlasticityProgress& progress);

/// Writes the whole model to a temporary file, then renames it; reading it back continues to the same bytes. Throws
/// Error(WriteFailed) or Error(BadFormat).
void writeCheckpoint(const PlasticityModel& model, const std::filesystem::path& path);
std::unique_ptr<PlasticityModel> readCheckpoint(const std::filesystem::path& path, Backend backend, int threads = 0);

} // namespace hinesight::synapse
