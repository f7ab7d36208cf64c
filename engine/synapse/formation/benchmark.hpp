#pragma once

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
};

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
  StageTimings timings; ///< of the repetition in the middle; on CUDA with what goes to the device and back

  /// Of the update.
  double microsecondsPerAxon() const
  {
    return vacantAxons > 0 ? 1e3 * milliseconds.median / static_cast<double>(vacantAxons) : 0;
  }
};

/// Measures all combinations and tells each as soon as it is there. On CUDA a first repetition more loads the program
/// onto the device. Throws Error(BadParameter), and as formSynapses.
std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         const std::function<void(const BenchmarkPoint&)>& measured = {},
                                         const RunControl& control = {});

} // namespace hinesight::synapse
