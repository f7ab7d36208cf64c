#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/spread.hpp"
#include "core/stage_timings.hpp"
#include "synapse/formation/formation.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hinesight::synapse {

/// Every combination of these is measured. Random populations, all excitatory, each neuron with as many vacant
/// dendrites as axons.
struct BenchmarkParameters
{
  std::vector<std::size_t> neurons = {1'000, 10'000, 100'000};
  std::vector<std::uint32_t> axons = {1};
  std::vector<double> thetas = {0.3};
  std::vector<SearchKind> kinds = {SearchKind::BarnesHut};
  std::vector<Backend> backends = {Backend::Cpu};
  double spacing = 26; ///< um
  KernelParameters kernel;
  std::uint64_t seed = 1;
  int threads = 0;
  int repetitions = 5; ///< the median counts

  bool operator==(const BenchmarkParameters&) const = default;
};

template <typename Visitor>
void visitFields(BenchmarkParameters& p, Visitor&& visit)
{
  visit(
      Field{.name = "neurons", .label = "Neurons", .range = from(1, kMostNeurons), .help = "Sizes of the populations."},
      p.neurons);
  visit(Field{.name = "axons",
              .label = "Axons",
              .range = from(1, kMostElements),
              .help = "Vacant axons, and dendrites, of each neuron."},
        p.axons);
  visit(Field{.name = "theta",
              .label = "Theta",
              .range = above(0, kMostTheta),
              .help = "How large a cell may look to be weighed as a whole."},
        p.thetas);
  visit(Field{.name = "search", .label = "Search", .help = "Who seeks whom, and how exactly."}, p.kinds);
  visit(Field{.name = "backend", .label = "Backend", .help = "Where synapses are formed.", .concern = Concern::Machine},
        p.backends);
  visit(Field{.name = "spacing",
              .label = "Spacing",
              .unit = "µm",
              .range = above(0, 1e9),
              .help = "Edge of each neuron's cell."},
        p.spacing);
  visit(FieldGroup{"kernel", "Kernel", "", "How attraction falls with the distance d."}, p.kernel);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, 18446744073709551615.0),
              .help = "Seed of the random positions and choices."},
        p.seed);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .special = {0, "all"},
              .help = "Threads of the processor.",
              .concern = Concern::Machine},
        p.threads);
  visit(Field{.name = "repetitions",
              .label = "Repetitions",
              .range = from(1, 1'000'000),
              .help = "Repetitions of each measurement; the median counts.",
              .concern = Concern::Machine},
        p.repetitions);
}

/// Throws as validateFields.
void validate(const BenchmarkParameters& parameters);

/// One combination.
struct BenchmarkPoint
{
  std::size_t neurons = 0;
  std::uint32_t axons = 0;
  double theta = 0;
  SearchKind kind = SearchKind::BarnesHut;
  Backend backend = Backend::Cpu;
  std::string device;
  std::uint64_t vacantAxons = 0;
  std::uint64_t synapses = 0;
  double meanDistance = 0; ///< um
  /// ms of one connectivity update: tree, vacant elements, search, conflicts and edges; on CUDA with all of it on the
  /// device.
  Spread milliseconds;
  std::vector<Setting> settings; ///< all that was formed with, and how the neurons were placed
  StageTimings timings;          ///< of the repetition in the middle; on CUDA with what goes to the device and back

  /// Of the update.
  double microsecondsPerAxon() const
  {
    return vacantAxons > 0 ? 1e3 * milliseconds.median / static_cast<double>(vacantAxons) : 0;
  }
};

/// Measures all combinations and tells each as soon as it is there. On CUDA a first repetition more loads the program
/// onto the device. Throws as validate and formSynapses.
std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         const std::function<void(const BenchmarkPoint&)>& measured = {},
                                         const RunControl& control = {});

} // namespace hinesight::synapse
