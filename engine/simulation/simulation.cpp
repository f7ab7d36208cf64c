#include "simulation/simulation.hpp"

#include "core/device.hpp"
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
    : network(std::move(net)), parameters(with), fixed(std::make_unique<Fixed>())
{
  check();
  fixed->parameters = parameters;
  fixed->temperature =
      cell::temperatureOf(with.celsius, with.rules == Rules::Neuron ? cell::kOldNeuron : cell::kCodata2018);
  fixed->temperature.startsAsNeuron = isNeurons(with.rules);
  compile();
  connect();
  connectJunctions();
}

void Simulation::check() const
{
  validateFields(fieldsOf(parameters));
  require(!isNeurons(parameters.rules) || parameters.scheme == Scheme::BackwardEuler,
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
    require(synapse.magnesium >= 0, "A synapse has less than no magnesium.");
    require(synapse.tau1 >= 0 && synapse.tau2 > synapse.tau1,
            "A synapse rises more slowly than it falls; tau2 has to be above tau1.");
  }
  for (const CurrentStep& each : network.steps)
    requirePlace(each.cell, each.node, "A current step");
  for (const SinusoidCurrent& each : network.sinusoids)
    requirePlace(each.cell, each.node, "A sinusoid");
  for (const NoiseCurrent& each : network.noises) {
    requirePlace(each.cell, each.node, "A noise");
    require(each.tau > 0 && each.deviation >= 0,
            "A noise has a time constant of " + std::to_string(each.tau) + " ms; it has to be above 0.");
  }
  for (const VoltageClamp& each : network.clamps) {
    requirePlace(each.cell, each.node, "A voltage clamp");
    require(each.seriesResistance > 0, "A voltage clamp has a series resistance of " +
                                           std::to_string(each.seriesResistance) + " MOhm; it has to be above 0.");
  }
  for (const GapJunction& each : network.junctions) {
    requirePlace(each.a.cell, each.a.node, "A gap junction");
    requirePlace(each.b.cell, each.b.node, "A gap junction");
    require(each.conductance >= 0 && std::isfinite(each.conductance),
            "A gap junction has a conductance of " + std::to_string(each.conductance) + " uS; it has to be 0 or more.");
  }
  for (const Probe& probe : network.probes)
    requirePlace(probe.cell, probe.node, "A probe");
  for (const PointNeuron& neuron : network.pointNeurons)
    require(neuron.tau > 0 && neuron.refractory >= 0,
            "A point neuron has a time constant of " + std::to_string(neuron.tau) + " ms and is refractory for " +
                std::to_string(neuron.refractory) + " ms; they have to be above 0, and 0 or more.");
  for (const Connection& connection : network.connections) {
    require(connection.source < neurons() + network.trains.size(), "A connection has a source that there is not.");
    require(connection.target < network.synapses.size() + network.pointNeurons.size(),
            "A connection has a target that there is not.");
    require(connection.delay > 0 && std::isfinite(connection.delay) && std::isfinite(connection.weight),
            "A connection has a delay of " + std::to_string(connection.delay) + " ms; it has to be above 0.");
  }
}

void Simulation::compile()
{
  requireMemoryOfCells();
  for (const auto& model : network.models)
    fixed->compiled.emplace_back(*model, fixed->temperature);
  states.reserve(network.cells());
  for (std::size_t cell = 0; cell < network.cells(); ++cell)
    states.emplace_back(fixed->compiled[network.modelOf[cell]], fixed->parameters, fixed->temperature,
                        network.detectors[cell]);
  std::vector<std::uint32_t> synapsesOf(network.cells(), 0);
  for (const Synapse& synapse : network.synapses) {
    placeOfSynapse.push_back(synapsesOf[synapse.cell]++);
    states[synapse.cell].synapses.add(synapse);
  }
  for (const CurrentStep& each : network.steps)
    states[each.cell].stimuli.add(each);
  for (const SinusoidCurrent& each : network.sinusoids)
    states[each.cell].stimuli.add(each);
  for (std::uint32_t number = 0; number < network.noises.size(); ++number)
    states[network.noises[number].cell].stimuli.add(network.noises[number], number);
  for (const VoltageClamp& each : network.clamps)
    states[each.cell].stimuli.add(each);
  probesOf.resize(network.cells());
  for (std::uint32_t probe = 0; probe < network.probes.size(); ++probe) {
    const std::uint32_t cell = network.probes[probe].cell;
    states[cell].addProbe(network.probes[probe]);
    probesOf[cell].push_back(probe);
  }
  recorded.resize(network.probes.size());
  pointStates.assign(network.pointNeurons.begin(), network.pointNeurons.end());
  pending.resize(neurons());
}

void Simulation::requireMemoryOfCells() const
{
  constexpr std::size_t kBytesOfNode = 6 * sizeof(double);
  constexpr std::size_t kBytesOfCell = 1024;
  std::size_t bytes = 0;
  for (const std::uint32_t model : network.modelOf)
    bytes += kBytesOfCell + kBytesOfNode * network.models[model]->cut.nodes();
  requireMemory(bytes, std::to_string(network.cells()) + " cells");
}

/// Connections by their sources; the length of an epoch; the events of all trains.
void Simulation::connect()
{
  const std::size_t sources = neurons() + network.trains.size();
  firstConnection.assign(sources + 1, 0);
  double leastDelay = kBoundless;
  for (const Connection& connection : network.connections) {
    ++firstConnection[connection.source + 1];
    const bool isTrain =
        connection.source >= network.cells() && connection.source < network.cells() + network.trains.size();
    if (!isTrain)
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
  if (!network.junctions.empty())
    epochSteps = 1; // cells see each other's potentials in every step
  for (std::size_t train = 0; train < network.trains.size(); ++train)
    for (const double time : network.trains[train])
      send(static_cast<std::uint32_t>(network.cells() + train), time);
  for (std::vector<Event>& events : pending)
    std::ranges::sort(events);
}

void Simulation::connectJunctions()
{
  for (const GapJunction& each : network.junctions) {
    junctionOf.push_back({states[each.a.cell].addJunction(each.a.node, each.conductance),
                          states[each.b.cell].addJunction(each.b.node, each.conductance)});
    peersBefore.push_back({potentialsOf(each.a.cell)[static_cast<std::size_t>(each.a.node)],
                           potentialsOf(each.b.cell)[static_cast<std::size_t>(each.b.node)]});
  }
}

/// Each end gets the potential of the other: in the middle of the step, extrapolated, where the step is of second
/// order; else at its beginning.
void Simulation::exchangePotentials()
{
  const bool isMiddle = parameters.scheme == Scheme::CrankNicolson;
  for (std::size_t k = 0; k < network.junctions.size(); ++k) {
    const GapJunction& each = network.junctions[k];
    const std::array<double, 2> now = {potentialsOf(each.a.cell)[static_cast<std::size_t>(each.a.node)],
                                       potentialsOf(each.b.cell)[static_cast<std::size_t>(each.b.node)]};
    const auto ahead = [&](std::size_t end) {
      return isMiddle ? 1.5 * now[end] - 0.5 * peersBefore[k][end] : now[end];
    };
    states[each.a.cell].setPeer(junctionOf[k][0], ahead(1));
    states[each.b.cell].setPeer(junctionOf[k][1], ahead(0));
    peersBefore[k] = now;
  }
}

void Simulation::send(std::uint32_t source, double time)
{
  for (std::uint32_t k = firstConnection[source]; k < firstConnection[source + 1]; ++k) {
    const Connection& connection = network.connections[bySource[k]];
    const std::uint32_t place = connection.target < network.synapses.size() ? placeOfSynapse[connection.target] : 0;
    pending[neuronOf(connection)].push_back({time + connection.delay, place, connection.weight});
  }
}

std::uint32_t Simulation::sourceOf(std::size_t neuron) const
{
  return static_cast<std::uint32_t>(neuron < network.cells() ? neuron : neuron + network.trains.size());
}

/// The cell or point neuron that a connection goes to.
std::uint32_t Simulation::neuronOf(const Connection& connection) const
{
  const std::size_t synapses = network.synapses.size();
  return connection.target < synapses ? network.synapses[connection.target].cell
                                      : static_cast<std::uint32_t>(network.cells() + (connection.target - synapses));
}

void Simulation::requireFinite(std::size_t cell) const
{
  const std::vector<double>& v = states[cell].potentials();
  const auto bad = std::ranges::find_if(v, [](double potential) { return !(std::abs(potential) <= kMostPotential); });
  require(bad == v.end(), "The potential of cell " + std::to_string(cell) + " is out of all bounds at node " +
                              std::to_string(bad - v.begin()) + " before " + std::to_string(time()) +
                              " ms; choose a smaller time step, or look at its conductances.");
}

void Simulation::runCells(std::int64_t to, std::vector<std::vector<double>>& spikes,
                          std::vector<std::uint64_t>& received)
{
  parallelFor(
      network.cells(), 1,
      [&](std::size_t begin, std::size_t end) {
        std::vector<double> records;
        for (std::size_t cell = begin; cell < end; ++cell) {
          const std::size_t before = pending[cell].size();
          records.clear();
          states[cell].run(step, to, pending[cell], spikes[cell], records);
          received[cell] = before - pending[cell].size();
          const std::vector<std::uint32_t>& probes = probesOf[cell];
          for (std::size_t i = 0; i < records.size(); ++i)
            recorded[probes[i % probes.size()]].push_back(records[i]);
        }
      },
      parameters.threads);
}

void Simulation::runEpoch(std::int64_t to)
{
  std::vector<std::vector<double>> spikesOf(neurons());
  std::vector<std::uint64_t> received(neurons(), 0);
  exchangePotentials();
  runCells(to, spikesOf, received);
  step = to;
  for (std::size_t k = 0; k < pointStates.size(); ++k) {
    const std::size_t neuron = network.cells() + k;
    received[neuron] = pointStates[k].run(time(), pending[neuron], spikesOf[neuron]);
  }
  std::vector<bool> isTouched(neurons(), false);
  for (std::uint32_t neuron = 0; neuron < neurons(); ++neuron) {
    if (neuron < network.cells())
      requireFinite(neuron);
    deliveredEvents += received[neuron];
    const std::uint32_t source = sourceOf(neuron);
    for (const double time : spikesOf[neuron]) {
      all.push_back({neuron, time});
      send(source, time);
      for (std::uint32_t k = firstConnection[source]; k < firstConnection[source + 1]; ++k)
        isTouched[neuronOf(network.connections[bySource[k]])] = true;
    }
  }
  for (std::size_t neuron = 0; neuron < neurons(); ++neuron)
    if (isTouched[neuron])
      std::ranges::sort(pending[neuron]);
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
