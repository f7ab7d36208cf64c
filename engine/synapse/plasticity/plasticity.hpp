#pragma once

#include "core/devices_field.hpp"
#include "core/fields.hpp"
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

inline constexpr Choice kNeuronModels[] = {
    {"poisson", "Poisson", "Fires at random, with a probability that follows the input."},
    {"izhikevich", "Izhikevich", "Two equations, fast spiking by default (Izhikevich 2003)."},
    {"fitzhugh-nagumo", "FitzHugh-Nagumo", "Two equations of a relaxation oscillator."},
    {"aeif", "Adaptive exponential", "Exponential integrate and fire with adaptation (Brette and Gerstner 2005)."},
};
inline std::span<const Choice> tableOf(NeuronModel)
{
  return kNeuronModels;
}
inline std::string_view neuronModelName(NeuronModel model)
{
  return choiceName(model);
}

inline constexpr Choice kBackgrounds[] = {
    {"none", "None", "No input from outside."},
    {"constant", "Constant", "The same for all neurons in all steps."},
    {"normal", "Normal", "A random number for each neuron and step."},
    {"fast-normal", "Fast normal", "RELeARN's: each step takes a window of a row of 1,000 numbers a neuron."},
    {"file", "File", "Each neuron has its own, from a file."},
};
inline std::span<const Choice> tableOf(BackgroundKind)
{
  return kBackgrounds;
}
inline std::string_view backgroundName(BackgroundKind kind)
{
  return choiceName(kind);
}

inline constexpr Choice kTargetDecays[] = {
    {"none", "None", "Targets stay."},
    {"absolute", "Absolute", "An amount is subtracted."},
    {"relative", "Relative", "Times a factor."},
};
inline std::span<const Choice> tableOf(TargetDecay)
{
  return kTargetDecays;
}

/// The numbers of an input, of calcium and of steps.
inline constexpr Range kInputRange = from(-1e9, 1e9);
inline constexpr Range kCalciumRange = from(0, 1e9);
inline constexpr Range kStepRange = from(0, 4294967295.0);

constexpr bool isNormal(BackgroundKind kind)
{
  return kind == BackgroundKind::Normal || kind == BackgroundKind::FastNormal;
}

/// Input that a neuron gets besides spikes and stimuli.
struct Background
{
  BackgroundKind kind = BackgroundKind::None; ///< not Individual
  double mean = 0;                            ///< or the constant
  double spread = 0;                          ///< standard deviation of normal input

  bool operator==(const Background&) const = default;
};

template <typename Visitor>
void visitFields(Background& p, Visitor&& visit)
{
  visit(Field{.name = "background", .label = "Background", .help = "Input from outside, in each step."}, p.kind);
  visit(
      Field{.name = "mean", .label = "Mean", .range = kInputRange, .help = "Mean of the input, or the constant."}.when(
          p.kind != BackgroundKind::None),
      p.mean);
  visit(Field{.name = "spread",
              .label = "Standard deviation",
              .range = above(0, kInputRange.greatest),
              .help = "Standard deviation of normal input."}
            .when(isNormal(p.kind)),
        p.spread);
}

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

template <typename Visitor>
void visitFields(BackgroundChange& p, Visitor&& visit)
{
  visit(Field{.name = "step", .label = "Step", .range = kStepRange, .help = "The first step with this background."},
        p.step);
  visit(FieldGroup{"background", "Background", "", "Input from outside, in each step."}, p.background);
  visit(Field{.name = "neurons", .label = "Neurons", .range = kStepRange, .help = "Neurons that get it, from 0."},
        p.neurons);
  visit(Field{.name = "areas", .label = "Areas", .help = "Areas whose neurons get it."}, p.areas);
}

/// A neuron's own calcium at the start, and its own target.
struct NeuronCalcium
{
  std::uint32_t neuron = 0;
  double initial = 0;
  double target = 0;

  bool operator==(const NeuronCalcium&) const = default;
};

template <typename Visitor>
void visitFields(NeuronCalcium& p, Visitor&& visit)
{
  visit(Field{.name = "neuron", .label = "Neuron", .range = kStepRange, .help = "The neuron, from 0."}, p.neuron);
  visit(
      Field{.name = "initial", .label = "Initial calcium", .range = kCalciumRange, .help = "Its calcium at the start."},
      p.initial);
  visit(
      Field{
          .name = "target", .label = "Calcium target", .range = kInputRange, .help = "Calcium at which nothing grows."},
      p.target);
}

enum class InterruptKind
{
  Disable, ///< as RELeARN does: the neuron loses its elements and plastic synapses, and stands still
  Enable,  ///< it goes on from where it stood, without elements
  Create   ///< neurons, as many
};

inline constexpr Choice kInterrupts[] = {
    {"disable", "Disable", "The neurons lose their elements and plastic synapses, and stand still."},
    {"enable", "Enable", "The neurons go on from their last state, without elements."},
    {"create", "Create", "Neurons are created at random places."},
};
inline std::span<const Choice> tableOf(InterruptKind)
{
  return kInterrupts;
}

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

template <typename Visitor>
void visitFields(Interrupt& p, Visitor&& visit)
{
  visit(Field{.name = "step",
              .label = "Step",
              .range = from(1, kStepRange.greatest),
              .help = "It happens at the beginning of this step; steps count from 1."},
        p.step);
  visit(Field{.name = "kind", .label = "Interrupt", .help = "What happens."}, p.kind);
  visit(Field{.name = "neurons",
              .label = "Neurons",
              .range = kStepRange,
              .help = "Neurons that are disabled or enabled, from 0."}
            .when(p.kind != InterruptKind::Create),
        p.neurons);
  visit(Field{.name = "count",
              .label = "Number of neurons",
              .range = from(1, kStepRange.greatest),
              .help = "Neurons that are created."}
            .when(p.kind == InterruptKind::Create),
        p.count);
}

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

template <typename Visitor>
void visitFields(Stimulus& p, Visitor&& visit)
{
  visit(Field{.name = "begin", .label = "Begin", .range = kStepRange, .help = "Its first step."}, p.begin);
  visit(Field{.name = "end", .label = "End", .range = kStepRange, .help = "Its last step."}, p.end);
  visit(Field{.name = "period",
              .label = "Period",
              .unit = "steps",
              .range = from(1, kStepRange.greatest),
              .help = "Steps from one input to the next."},
        p.period);
  visit(Field{.name = "intensity", .label = "Intensity", .range = kInputRange, .help = "What is added to the input."},
        p.intensity);
  visit(Field{.name = "area", .label = "Area", .help = "The area that gets it; empty: all neurons."}, p.area);
}

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

template <typename Visitor>
void visitFields(GrowthParameters& p, Visitor&& visit)
{
  constexpr double kMostInitial = 1e6;
  visit(Field{.name = "growth-rate",
              .label = "Growth rate",
              .unit = "1/ms",
              .range = from(0, 1e3),
              .slider = {1e-6, 0.1, true},
              .help = "Greatest growth of elements.",
              .detail = "RELeARN has 1e-5; with it no change is seen for 100,000 steps."},
        p.rate);
  visit(Field{.name = "least-calcium",
              .label = "Least calcium",
              .range = kInputRange,
              .slider = {0, 2},
              .help = "Calcium at which growth begins."},
        p.leastCalcium);
  visit(Field{.name = "initial-least",
              .label = "Least number of initial elements",
              .range = from(0, kMostInitial),
              .slider = {0, 20},
              .help = "Fewest elements of a neuron at the start."},
        p.initialLeast);
  visit(Field{.name = "initial-most",
              .label = "Greatest number of initial elements",
              .range = from(0, kMostInitial),
              .slider = {0, 20},
              .help = "Most elements of a neuron at the start."},
        p.initialMost);
  visit(Field{.name = "retract",
              .label = "Retract ratio",
              .range = from(0, 1),
              .help = "Share of vacant elements lost at each update."},
        p.retractRatio);
}

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
  std::int32_t devices = 1; ///< GPUs that share the neurons, 0: all

  bool operator==(const PlasticityParameters&) const = default;
};

/// What makes neurons fire.
template <typename Visitor>
void visitActivityFields(PlasticityParameters& p, Visitor&& visit)
{
  visit(Field{.name = "model",
              .label = "Model",
              .help = "What makes a neuron fire.",
              .detail = "Poisson's probability rises with the input; the others are differential equations.",
              .section = {"Activity", "When neurons fire; a step is 1 ms."}},
        p.model);
  visit(Field{.name = "integration-steps",
              .label = "Integration steps",
              .range = from(1, 10'000),
              .slider = {1, 1000, true},
              .help = "Euler steps in each step of 1 ms.",
              .detail = "The input stays the same within a step."},
        p.integrationSteps);
  visit(Field{.name = "conductance",
              .label = "Synapse conductance",
              .range = kInputRange,
              .slider = {0, 1},
              .help = "Input of one spike through one synapse.",
              .detail = "In the unit of the model's input; RELeARN has 0.03."},
        p.synapseConductance);
  visit(Field{.name = "background",
              .label = "Background",
              .help = "Input from outside, in each step.",
              .detail = "Without it only Poisson neurons fire on their own."},
        p.background);
  visit(Field{.name = "background-base",
              .label = "Constant background",
              .range = kInputRange,
              .slider = {0, 20},
              .help = "Constant input, in the model's unit."}
            .onlyWhen(p.background == BackgroundKind::Constant),
        p.backgroundBase);
  visit(Field{.name = "background-mean",
              .label = "Mean background",
              .range = kInputRange,
              .slider = {0, 20},
              .help = "Mean of normal input, in the model's unit."}
            .onlyWhen(isNormal(p.background)),
        p.backgroundMean);
  visit(Field{.name = "background-spread",
              .label = "Standard deviation of the background",
              .range = {0, kInputRange.greatest, isNormal(p.background)},
              .slider = {0, 10},
              .help = "Standard deviation of normal input."}
            .onlyWhen(isNormal(p.background)),
        p.backgroundSpread);
  visit(Field{.name = "background-changes",
              .label = "Backgrounds of neurons",
              .help = "Backgrounds of single neurons, each from a step on.",
              .item = "a neuron's own background"}
            .when(p.background == BackgroundKind::Individual),
        p.backgroundChanges);
  visit(Field{.name = "stimuli", .label = "Stimuli", .help = "Input at some steps.", .item = "a stimulus"}, p.stimuli);
}

/// What each neuron remembers of its activity.
template <typename Visitor>
void visitCalciumFields(PlasticityParameters& p, Visitor&& visit)
{
  visit(Field{.name = "calcium-target",
              .label = "Calcium target",
              .range = kInputRange,
              .slider = {0, 2},
              .help = "Calcium that neurons grow towards.",
              .detail = "Below it they grow elements, above it they lose them (Butz and van Ooyen 2013).",
              .section = {"Calcium", "What each neuron remembers of its activity."}},
        p.calciumTarget);
  visit(Field{.name = "calcium-initial",
              .label = "Initial calcium",
              .range = kCalciumRange,
              .slider = {0, 2},
              .help = "Calcium at the start."},
        p.calciumInitial);
  visit(Field{.name = "calcium-decay",
              .label = "Calcium decay",
              .unit = "ms",
              .range = above(0, kBoundless),
              .slider = {100, 1e5, true},
              .help = "Time constant of the decay of calcium.",
              .detail = "At a constant firing rate calcium settles at this time constant times the calcium per spike "
                        "times the rate."},
        p.calciumDecay);
  visit(Field{.name = "calcium-per-spike",
              .label = "Calcium per spike",
              .range = from(0, 1e6),
              .slider = {1e-4, 0.1, true},
              .help = "What a spike adds to calcium."},
        p.calciumPerSpike);
  visit(Field{.name = "calcium-of",
              .label = "Calcium of neurons",
              .help = "Neurons that differ in initial calcium and target.",
              .item = "a neuron"},
        p.calciumOf);
  visit(Field{.name = "target-decay",
              .label = "Target decay",
              .help = "How calcium targets change while the model runs.",
              .detail = "Those of disabled neurons wait."},
        p.targetDecay);
  visit(Field{.name = "target-decay-amount",
              .label = "Amount of target decay",
              .range = p.targetDecay == TargetDecay::Relative ? from(0, 1) : kCalciumRange,
              .slider = p.targetDecay == TargetDecay::Relative ? Slider{0.9, 1} : Slider{0, 0.1},
              .help = "What is subtracted from targets, or their factor."}
            .onlyWhen(p.targetDecay != TargetDecay::None),
        p.targetDecayAmount);
  visit(Field{.name = "target-decay-every",
              .label = "Period of target decay",
              .unit = "steps",
              .range = from(1, kStepRange.greatest),
              .slider = {1, 1e5, true},
              .help = "Steps from one decay of targets to the next."}
            .onlyWhen(p.targetDecay != TargetDecay::None),
        p.targetDecayPeriod);
}

template <typename Visitor>
void visitFields(PlasticityParameters& p, Visitor&& visit)
{
  visitActivityFields(p, visit);
  visitCalciumFields(p, visit);
  visit(Field{.name = "interrupts",
              .label = "Interrupts",
              .help = "Neurons that are disabled, enabled or created at steps.",
              .item = "an interrupt",
              .section = {"Activity"}},
        p.interrupts);
  visit(Field{.name = "update-period",
              .label = "Update period",
              .unit = "steps",
              .range = from(1, kStepRange.greatest),
              .slider = {10, 1000, true},
              .help = "Steps of 1 ms from one connectivity update to the next.",
              .detail = "Elements grow in every step; synapses are deleted and formed at an update.",
              .section = {"Growth", "How axons and dendrites grow elements."}},
        p.updatePeriod);
  visit(FieldGroup{"axons", "Axons", "axon-", "How axons grow elements.", "axons"}, p.axon);
  visit(FieldGroup{.name = "excitatory-dendrites",
                   .title = "Excitatory dendrites",
                   .prefix = "excitatory-",
                   .help = "How excitatory dendrites grow elements.",
                   .whose = "excitatory dendrites",
                   .folded = true},
        p.excitatoryDendrite);
  visit(FieldGroup{.name = "inhibitory-dendrites",
                   .title = "Inhibitory dendrites",
                   .prefix = "inhibitory-",
                   .help = "How inhibitory dendrites grow elements.",
                   .whose = "inhibitory dendrites",
                   .folded = true},
        p.inhibitoryDendrite);
  visit(kSearchGroup, p.search);
  visit(Field{.name = "backend",
              .label = "Backend",
              .help = "Where the model runs; neurons and files are made on the CPU.",
              .detail = "Both give the same network.",
              .section = {"Compute", "Where the model runs."},
              .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 32},
              .special = {0, "all"},
              .help = "Threads of the processor.",
              .concern = Concern::Machine},
        p.threads);
  visit(devicesField("GPUs of this machine that share the neurons.",
                     "Each steps a part of the neurons and searches for a part of what they grow; they exchange who "
                     "fired in each step. Fewer than 500,000 neurons grow on one; the device's name says so.")
            .when(p.backend == Backend::Cuda),
        p.devices);
}

/// Throws as validateAllFields, and Error(BadParameter) for parameters that do not go together.
void validate(const PlasticityParameters& parameters);

/// Least, mean and most over neurons.
struct LeastMeanMost
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
  LeastMeanMost calcium;     ///< of enabled neurons; all 0 where there are none
  double target = 0;         ///< mean calcium target of enabled neurons; 0 where there are none
  /// Elements at the last update or interrupt: axons, excitatory, inhibitory dendrites.
  std::array<double, 3> grown = {};
  std::array<std::uint64_t, 3> connected = {};
  std::uint64_t created = 0; ///< synapses, since the record before
  std::uint64_t deleted = 0;
};

/// Element pools of a neuron, in the order of arrays.
inline constexpr std::array<const char*, 3> kPoolNames = {"axons", "excitatory dendrites", "inhibitory dendrites"};

/// Everything about each neuron, for monitors, views and checkpoints.
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
  /// Null where ranks have a part of it each.
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

/// Writes the whole model to a temporary file, then renames it; reading it back continues to the same bytes. Parameters
/// stand in it by name: one that is missing has its default, and the names that this version does not know are added to
/// `unknown`. Writing throws Error(WriteFailed), and Error(BadParameter) for a model whose membranes are no numbers any
/// more; the file is then as it was. Reading throws as readFile, Error(BadFormat) with what is wrong where in the file,
/// Error(BadParameter) for `threads`, Error(NoDevice), Error(OutOfMemory).
void writeCheckpoint(const PlasticityModel& model, const std::filesystem::path& path);
std::unique_ptr<PlasticityModel> readCheckpoint(const std::filesystem::path& path, Backend backend, int threads = 0,
                                                std::vector<std::string>* unknown = nullptr, std::int32_t devices = 1);

} // namespace hinesight::synapse
