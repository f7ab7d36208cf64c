#include "simulation/ranks/rank_simulations.hpp"

#include "simulation/ranks/network_broadcast.hpp"
#include "simulation/simulation.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

namespace hinesight::simulation {

namespace {

constexpr const char* kMake = "simulate: make";

template <typename T>
T broadcastOne(Communicator& ranks)
{
  T value{};
  ranks.broadcast(value, 0);
  return value;
}

} // namespace

TaskScope RankSimulations::leadMake(Simulation& simulation, std::size_t withCells)
{
  static std::atomic<std::uint64_t> made = 0;
  static_assert(std::is_trivially_copyable_v<SimulationParameters>);
  Communicator& ranks = *simulation.ranks;
  simulation.id = ++made;
  TaskScope task(ranks, kMake);
  ranks.broadcast(simulation.id, 0);
  SimulationParameters parameters = simulation.parameters;
  ranks.broadcast(parameters, 0);
  std::uint64_t told = withCells;
  ranks.broadcast(told, 0);
  broadcastNetwork(ranks, &simulation.network);
  return task;
}

Adjustments RankSimulations::broadcast(Communicator& ranks, const Adjustments& adjustments)
{
  struct Factors
  {
    double stimuli, weights, celsius;
    bool hasCelsius;
  };
  Adjustments told = adjustments;
  ranks.broadcast(told.conductance, 0);
  Factors factors = {told.stimuli, told.weights, told.celsius.value_or(0), told.celsius.has_value()};
  ranks.broadcast(factors, 0);
  told.stimuli = factors.stimuli;
  told.weights = factors.weights;
  told.celsius = factors.hasCelsius ? std::optional(factors.celsius) : std::nullopt;
  return told;
}

std::vector<RankTask> RankSimulations::tasks(const RunControl& control)
{
  using All = std::map<std::uint64_t, std::unique_ptr<Simulation>>;
  const auto simulations = std::make_shared<All>();
  const auto make = [simulations](Communicator& ranks) {
    const auto id = broadcastOne<std::uint64_t>(ranks);
    const auto parameters = broadcastOne<SimulationParameters>(ranks);
    const auto withCells = broadcastOne<std::uint64_t>(ranks);
    Network network = broadcastNetwork(ranks, nullptr);
    (*simulations)[id] =
        std::unique_ptr<Simulation>(new Simulation(ranks, id, std::move(network), parameters, withCells));
  };
  /// A task that does something with the simulation that rank 0 names.
  const auto task = [simulations](const char* name, auto join) {
    return RankTask{name, [simulations, join](Communicator& ranks) {
                      join(ranks, *simulations->at(broadcastOne<std::uint64_t>(ranks)));
                    }};
  };
  return {
      {kMake, make},
      task(kRun, [control](Communicator& ranks,
                           Simulation& own) { own.run(broadcastOne<std::int64_t>(ranks), control.silenced()); }),
      task(kPotentials, [](Communicator& ranks,
                           const Simulation& own) { own.gatherPotentials(broadcastOne<std::uint64_t>(ranks)); }),
      task(kDelivered, [](Communicator&, const Simulation& own) { own.countDelivered(); }),
      task(kInFlight, [](Communicator&, const Simulation& own) { own.countInFlight(); }),
      task(kProbe, [](Communicator& ranks, Simulation& own) { own.takeProbe(broadcastOne<Probe>(ranks)); }),
      task(kAdjust, [](Communicator& ranks, Simulation& own) { own.apply(broadcast(ranks, {})); }),
      task(kCheckpoint, [](Communicator&, const Simulation& own) { own.makeCheckpoint(false); }),
      task(kRestore, [](Communicator&, Simulation& own) { own.joinRestore(); }),
      {kDrop, [simulations](Communicator& ranks) { simulations->erase(broadcastOne<std::uint64_t>(ranks)); }},
  };
}

std::vector<RankTask> rankTasks(const RunControl& control)
{
  return RankSimulations::tasks(control);
}

} // namespace hinesight::simulation
