#include "simulation/simulation.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace hinesight::simulation {

namespace {

constexpr double kMostPotential = 1000;      // mV
constexpr std::int64_t kLongestEpoch = 4096; // steps, so that a cancel is soon heard
constexpr double kRounding = 1e-9;           // of a step

void require(bool condition, const std::string& sentence)
{
  if (!condition)
    throw Error(ErrorCode::BadParameter, sentence);
}

} // namespace

Simulation::Simulation(Network net, const SimulationParameters& with)
    : network(std::move(net)), parameters(with),
      temperature(cell::temperatureOf(with.celsius, with.rules == Rules::Neuron ? cell::kOldNeuron : cell::kCodata2018))
{
  check();
  compile();
  connect();
}

void Simulation::check() const
{
  validateFields(fieldsOf(parameters));
  require(parameters.rules == Rules::Exact || parameters.scheme == Scheme::BackwardEuler,
          "NEURON's rules are those of backward Euler; choose that scheme, or exact rules.");
  require(network.detectors.size() == network.cells(), "Every cell needs a detector.");
  const auto requirePlace = [&](std::uint32_t cell, std::int32_t node, const char* what) {
    require(cell < network.cells() && node >= 0 &&
                static_cast<std::size_t>(node) < network.models[network.modelOf[cell]]->cut.nodes(),
            std::string(what) + " is on node " + std::to_string(node) + " of cell " + std::to_string(cell) +
                ", which there is not.");
  };
  for (const std::uint32_t model : network.modelOf)
    require(model < network.models.size(), "A cell has a model that there is not.");
  for (std::uint32_t cell = 0; cell < network.cells(); ++cell)
    requirePlace(cell, network.detectors[cell].node, "A detector");
  for (const Synapse& synapse : network.synapses) {
    requirePlace(synapse.cell, synapse.node, "A synapse");
    require(synapse.tau1 >= 0 && synapse.tau2 > synapse.tau1,
            "A synapse rises more slowly than it falls; tau2 has to be above tau1.");
  }
  for (const CurrentStep& each : network.steps)
    requirePlace(each.cell, each.node, "A current step");
  for (const Probe& probe : network.probes)
    requirePlace(probe.cell, probe.node, "A probe");
  for (const Connection& connection : network.connections) {
    require(connection.source < network.cells() + network.trains.size(),
            "A connection has a source that there is not.");
    require(connection.synapse < network.synapses.size(), "A connection has a synapse that there is not.");
    require(connection.delay > 0 && std::isfinite(connection.delay) && std::isfinite(connection.weight),
            "A connection has a delay of " + std::to_string(connection.delay) + " ms; it has to be above 0.");
  }
}

void Simulation::compile()
{
  for (const auto& model : network.models)
    compiled.emplace_back(*model, temperature);
  states.reserve(network.cells());
  for (std::size_t cell = 0; cell < network.cells(); ++cell)
    states.emplace_back(compiled[network.modelOf[cell]], parameters, temperature, network.detectors[cell]);
  std::vector<std::uint32_t> synapsesOf(network.cells(), 0);
  for (const Synapse& synapse : network.synapses) {
    placeOfSynapse.push_back(synapsesOf[synapse.cell]++);
    states[synapse.cell].addSynapse(synapse);
  }
  for (const CurrentStep& each : network.steps)
    states[each.cell].addStep(each);
  probesOf.resize(network.cells());
  for (std::uint32_t probe = 0; probe < network.probes.size(); ++probe) {
    const std::uint32_t cell = network.probes[probe].cell;
    states[cell].addProbe(network.probes[probe]);
    probesOf[cell].push_back(probe);
  }
  recorded.resize(network.probes.size());
  pending.resize(network.cells());
}

/// Connections by their sources; the length of an epoch; the events of all trains.
void Simulation::connect()
{
  const std::size_t sources = network.cells() + network.trains.size();
  firstConnection.assign(sources + 1, 0);
  double leastDelay = kBoundless;
  for (const Connection& connection : network.connections) {
    ++firstConnection[connection.source + 1];
    if (connection.source < network.cells())
      leastDelay = std::min(leastDelay, connection.delay);
  }
  std::partial_sum(firstConnection.begin(), firstConnection.end(), firstConnection.begin());
  bySource.resize(network.connections.size());
  std::vector<std::uint32_t> next(firstConnection);
  for (std::uint32_t i = 0; i < network.connections.size(); ++i)
    bySource[next[network.connections[i].source]++] = i;
  const double wanted = parameters.epoch > 0 ? std::min(parameters.epoch, leastDelay) : leastDelay;
  const double steps = std::floor(wanted / parameters.timeStep + kRounding);
  require(steps >= 1, "The least delay is below the time step; choose a smaller step.");
  epochSteps = steps < static_cast<double>(kLongestEpoch) ? static_cast<std::int64_t>(steps) : kLongestEpoch;
  for (std::size_t train = 0; train < network.trains.size(); ++train)
    for (const double time : network.trains[train])
      send(static_cast<std::uint32_t>(network.cells() + train), time);
  for (std::vector<Event>& events : pending)
    std::ranges::sort(events);
}

void Simulation::send(std::uint32_t source, double time)
{
  for (std::uint32_t k = firstConnection[source]; k < firstConnection[source + 1]; ++k) {
    const Connection& connection = network.connections[bySource[k]];
    pending[network.synapses[connection.synapse].cell].push_back(
        {time + connection.delay, placeOfSynapse[connection.synapse], connection.weight});
  }
}

void Simulation::requireFinite(std::size_t cell) const
{
  const std::vector<double>& v = states[cell].potentials();
  const auto bad = std::ranges::find_if(v, [](double potential) { return !(std::abs(potential) <= kMostPotential); });
  require(bad == v.end(), "The potential of cell " + std::to_string(cell) + " is out of all bounds at node " +
                              std::to_string(bad - v.begin()) + " before " + std::to_string(time()) +
                              " ms; choose a smaller time step, or look at its conductances.");
}

void Simulation::runEpoch(std::int64_t to)
{
  std::vector<std::vector<double>> spikesOf(network.cells());
  std::vector<std::uint64_t> received(network.cells(), 0);
  parallelFor(
      network.cells(), 1,
      [&](std::size_t begin, std::size_t end) {
        std::vector<double> records;
        for (std::size_t cell = begin; cell < end; ++cell) {
          const std::size_t before = pending[cell].size();
          records.clear();
          states[cell].run(step, to, pending[cell], spikesOf[cell], records);
          received[cell] = before - pending[cell].size();
          const std::vector<std::uint32_t>& probes = probesOf[cell];
          for (std::size_t i = 0; i < records.size(); ++i)
            recorded[probes[i % probes.size()]].push_back(records[i]);
        }
      },
      parameters.threads);
  step = to;
  std::vector<bool> isTouched(network.cells(), false);
  for (std::uint32_t cell = 0; cell < network.cells(); ++cell) {
    requireFinite(cell);
    deliveredEvents += received[cell];
    for (const double time : spikesOf[cell]) {
      all.push_back({cell, time});
      send(cell, time);
      for (std::uint32_t k = firstConnection[cell]; k < firstConnection[cell + 1]; ++k)
        isTouched[network.synapses[network.connections[bySource[k]].synapse].cell] = true;
    }
  }
  for (std::size_t cell = 0; cell < network.cells(); ++cell)
    if (isTouched[cell])
      std::ranges::sort(pending[cell]);
}

void Simulation::runUntil(double time, const RunControl& control)
{
  const std::int64_t from = step;
  const auto to = static_cast<std::int64_t>(std::llround(std::ceil(time / parameters.timeStep - kRounding)));
  while (step < to) {
    control.report("simulate", static_cast<double>(step - from) / static_cast<double>(to - from));
    // Epochs begin at the same steps, however often the simulation stops.
    runEpoch(std::min(to, (step / epochSteps + 1) * epochSteps));
  }
}

std::vector<Spike> Simulation::spikes() const
{
  std::vector<Spike> sorted = all;
  std::ranges::stable_sort(
      sorted, [](const Spike& a, const Spike& b) { return a.time != b.time ? a.time < b.time : a.cell < b.cell; });
  return sorted;
}

std::uint64_t Simulation::inFlight() const
{
  return std::accumulate(pending.begin(), pending.end(), std::uint64_t{0},
                         [](std::uint64_t count, const auto& events) { return count + events.size(); });
}

} // namespace hinesight::simulation
