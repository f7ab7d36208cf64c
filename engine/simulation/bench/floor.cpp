#include "simulation/bench/floor.hpp"

#include "cell/mechanism.hpp"
#include "core/device.hpp"
#include "core/memory_bandwidth.hpp"
#include "core/parallel.hpp"
#include "core/simd/arithmetic_rate.hpp"

#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace hinesight::simulation {

namespace {

constexpr double kBytesOfNode = 2 * 8 + 8 + 8 + 2; // potential; coupling; area; region
constexpr double kBytesOfState = 2 * 8;

constexpr double kOperationsOfNode = 40;
constexpr double kOperationsOfHhGate = 46;
constexpr double kOperationsOfGate = 65;
constexpr double kOperationsOfNaV = 260;

double operationsOf(cell::ChannelKind kind, std::size_t states)
{
  switch (kind) {
  case cell::ChannelKind::HhSodium:
  case cell::ChannelKind::HhPotassium:
    return kOperationsOfHhGate * static_cast<double>(states);
  case cell::ChannelKind::NaV:
    return kOperationsOfNaV;
  default:
    return kOperationsOfGate * static_cast<double>(states);
  }
}

} // namespace

StepCost leastCostOf(const cell::CellModel& model, std::int64_t stepsOfEpoch)
{
  const auto nodes = static_cast<double>(model.cut.nodes());
  StepCost cost{kBytesOfNode * nodes, kOperationsOfNode * nodes};
  for (const cell::Density& density : model.biophysics.densities) {
    double places = 0;
    cell::forEachPart(model, density, [&](std::size_t, double) { ++places; });
    if (cell::isCalciumDynamics(density.mechanism)) {
      cost.bytes += places * kBytesOfState;
      cost.operations += places * kOperationsOfGate;
    }
    for (const cell::ChannelUse& use : model.biophysics.mechanisms[density.mechanism].channels) {
      const std::size_t states =
          use.table ? use.table->states() : cell::visitChannel(use.kind, [](auto channel) { return channel.kStates; });
      cost.bytes += places * kBytesOfState * static_cast<double>(states);
      cost.operations += places * operationsOf(use.kind, states);
    }
  }
  cost.bytes /= static_cast<double>(stepsOfEpoch);
  return cost;
}

MachineRates ratesOf(Backend backend, int threads, const RunControl& control)
{
  static std::mutex mutex;
  static std::map<std::tuple<Backend, int, std::string>, MachineRates> known;
  const std::lock_guard lock(mutex);
  const auto key = std::tuple(backend, backend == Backend::Cpu ? threads : 0,
                              backend == Backend::Cuda ? planningDevice().name : std::string());
  if (const auto found = known.find(key); found != known.end())
    return found->second;
  MachineRates rates;
  if (backend == Backend::Cpu) {
    rates = {measureMemoryBandwidth(control), measureArithmeticRate(threads)};
  } else {
    const DeviceModel device = planningDevice();
    rates = {measureCopyBandwidth(),
             static_cast<double>(device.multiprocessors * device.doublesPerClock()) * device.clock};
  }
  return known[key] = rates;
}

} // namespace hinesight::simulation
