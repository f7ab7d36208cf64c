#include "core/parallel.hpp"
#include "core/philox.hpp"
#include "core/text.hpp"
#include "simulation/check/checks.hpp"
#include "simulation/samples/sample_networks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hinesight::simulation::checks {

namespace {

/// Small cells of hh in a sparse random network under currents.
Network spikingNetwork(std::size_t cells)
{
  return samples::randomNetwork(samples::dendrites(30, 1, {samples::hh()}), {.cells = cells,
                                                                             .inputs = std::min<std::size_t>(cells, 12),
                                                                             .weight = 1e-3,
                                                                             .leastCurrent = 0.2,
                                                                             .greatestCurrent = 0.5});
}

Network corticalNetwork(samples::Kind kind, std::size_t cells)
{
  return samples::randomNetwork(
      samples::cortical(kind),
      {.cells = cells, .inputs = 5, .weight = 5e-4, .leastCurrent = 0.3, .greatestCurrent = 0.5});
}

std::size_t differingSpikes(const std::vector<Spike>& a, const std::vector<Spike>& b)
{
  if (a.size() != b.size())
    return std::max(a.size(), b.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += a[i] == b[i] ? 0 : 1;
  return count;
}

/// Of the same network.
void expectSame(Session& session, const std::string& subject, const Simulation& a, const Simulation& b,
                std::size_t cells)
{
  session.expectNone(subject, "spikes of " + std::to_string(a.spikes().size()) + " that differ",
                     differingSpikes(a.spikes(), b.spikes()));
  session.expectNone(subject, "potentials at the end that differ", differingPotentials(a, b, cells));
}

} // namespace

void checkRing(Session& session)
{
  // Spikes of a method that meets every event exactly.
  constexpr double kFirst[] = {1.760183709,  7.520737277,  13.281705171, 19.042511278, 24.797637373,
                               30.552752030, 36.307847095, 42.062922193, 47.818013359};
  constexpr double kLast = 99.613834937;
  constexpr std::size_t kCount = 18;
  struct Step
  {
    double dt, error, tolerance; ///< ms
  };
  std::vector<Step> steps = {{0.05, 0.049, 0.003}, {0.025, 0.0125, 5e-4}, {0.0125, 0.0031, 2e-4}};
  if (!session.quick())
    steps.push_back({0.00625, 0.0008, 5e-5});
  for (const Step& step : steps) {
    const SimulationParameters with = session.with(step.dt);
    const std::vector<Spike> spikes = session.run(samples::ring(), with, 100).spikes();
    session.expect(describe(with), "spikes", kCount, static_cast<double>(spikes.size()), 0);
    if (spikes.size() != kCount)
      continue;
    session.expect(describe(with), "error of the last spike, ms", step.error, std::abs(spikes.back().time - kLast),
                   step.tolerance);
    double worst = 0;
    for (std::size_t i = 0; i < std::size(kFirst); ++i)
      worst = std::max(worst, std::abs(spikes[i].time - kFirst[i]));
    session.expect(describe(with), "greatest error of the first 9, ms", 0, worst, step.error);
  }
  SimulationParameters asNeuron = session.with(0.025, Scheme::BackwardEuler);
  asNeuron.rules = Rules::Neuron8;
  const std::vector<Spike> spikes = session.run(samples::ring(), asNeuron, 100).spikes();
  session.expect(describe(asNeuron), "spikes", kCount, static_cast<double>(spikes.size()), 0);
  if (!spikes.empty())
    session.expect(describe(asNeuron), "error of the last spike, ms", 0.34, std::abs(spikes.back().time - kLast),
                   0.005);
}

void checkDelays(Session& session)
{
  // The target rests at 0 mV without rounding, and a step is a power of 2, so that times add without error.
  SimulationParameters with = session.with(1.0 / 32, Scheme::BackwardEuler);
  with.rules = Rules::Neuron;
  const auto target = [&](double delay) {
    Network network = samples::copies(samples::ball({samples::hh()}), 2, -10);
    const samples::Model resting = samples::ball({samples::passive(1e-4, 0)});
    resting->biophysics.startPotential = 0;
    network.models.push_back(resting);
    network.modelOf[1] = 1;
    network.detectors[1].threshold = 1000;
    network.steps = {{0, 0, 0.2, 1, 1}};
    network.synapses = {{1, 0, 0.25, 2, 60}};
    network.connections = {{0, 0, 0.02, delay}};
    network.probes = {{1, 0}};
    return session.run(std::move(network), with, 30).records()[0];
  };
  constexpr double kDelay = 2; // ms
  const std::vector<double> early = target(kDelay);
  session.expect("a spike from cell to cell", "peak of the target, whose synapse pulls to 60 mV, mV", 60,
                 *std::ranges::max_element(early), 10);
  for (const std::size_t shift : {1U, 16U, 100U}) {
    const std::vector<double> late = target(kDelay + static_cast<double>(shift) * with.timeStep);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < late.size(); ++i)
      differing += late[i] == (i < shift ? 0 : early[i - shift]) ? 0 : 1;
    session.expectNone("a delay longer by " + std::to_string(shift) + (shift == 1 ? " step" : " steps"),
                       "potentials that are not those so much earlier", differing);
  }
}

namespace {

/// By old number its new one, at random.
std::vector<std::uint32_t> shuffled(std::size_t count, std::uint64_t seed)
{
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  for (std::size_t i = count; i > 1; --i)
    std::swap(places[i - 1], places[static_cast<std::size_t>(randomUniform(seed, i, 0, 0) * static_cast<double>(i))]);
  return places;
}

template <typename Item>
std::vector<Item> moved(const std::vector<Item>& items, const std::vector<std::uint32_t>& places)
{
  std::vector<Item> result(items);
  for (std::size_t i = 0; i < items.size(); ++i)
    result[places[i]] = items[i];
  return result;
}

/// The same network, its cells at other places and its synapses, connections and currents in another order.
Network reordered(const Network& network, const std::vector<std::uint32_t>& cells)
{
  Network other = network;
  const std::vector<std::uint32_t> synapses = shuffled(network.synapses.size(), 2);
  other.modelOf = moved(network.modelOf, cells);
  other.detectors = moved(network.detectors, cells);
  for (Synapse& synapse : other.synapses)
    synapse.cell = cells[synapse.cell];
  other.synapses = moved(other.synapses, synapses);
  for (CurrentStep& step : other.steps)
    step.cell = cells[step.cell];
  other.steps = moved(other.steps, shuffled(other.steps.size(), 3));
  for (Connection& connection : other.connections) {
    connection.source = connection.source < cells.size() ? cells[connection.source] : connection.source;
    connection.target = synapses[connection.target];
  }
  other.connections = moved(other.connections, shuffled(other.connections.size(), 4));
  return other;
}

} // namespace

void checkOrders(Session& session)
{
  constexpr std::size_t kCells = 24;
  const double until = session.quick() ? 30 : 100;
  const Network network = spikingNetwork(kCells);
  const std::vector<std::uint32_t> cells = shuffled(kCells, 1);
  const Simulation first = session.run(network, until);
  const Simulation second = session.run(reordered(network, cells), until);
  std::vector<Spike> spikes = first.spikes();
  for (Spike& spike : spikes)
    spike.cell = cells[spike.cell];
  std::ranges::sort(spikes, {}, [](const Spike& spike) { return std::pair(spike.time, spike.cell); });
  const std::string subject = std::to_string(kCells) + " cells, their synapses and connections in another order";
  session.expectNone(subject, "spikes of " + std::to_string(spikes.size()) + " that differ",
                     differingSpikes(spikes, second.spikes()));
  session.expectNone(subject, "potentials at the end that differ", differingPotentials(first, second, cells));
}

void checkEpochs(Session& session)
{
  constexpr std::size_t kCells = 24;
  const double until = session.quick() ? 30 : 100;
  const Network network = spikingNetwork(kCells);
  const Simulation plain = session.run(network, until);
  const auto other = [&](const std::string& subject, auto&& change) {
    SimulationParameters with = session.with();
    change(with);
    expectSame(session, subject, plain, session.run(network, with, until), kCells);
  };
  other("epochs of 1 step instead of 40", [](SimulationParameters& p) { p.epoch = p.timeStep; });
  other("epochs of 7 steps", [](SimulationParameters& p) { p.epoch = 7 * p.timeStep; });
  if (session.backend == Backend::Cpu) {
    other("one thread", [](SimulationParameters& p) { p.threads = 1; });
    other("three threads", [](SimulationParameters& p) { p.threads = 3; });
  }
  Simulation inParts(network, session.with());
  for (double time = 0.7; time < until; time += 0.7)
    inParts.runUntil(time, session.control);
  inParts.runUntil(until, session.control);
  expectSame(session, "stops within epochs", plain, inParts, kCells);

  // A cell alone and the same among others, under the same spikes.
  const auto underSpikes = [&](std::size_t cells) {
    Network made = samples::copies(samples::dendrites(10, 1, {samples::hh()}), cells);
    made.trains = {{2, 3, 9}};
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
      made.synapses.push_back({.cell = cell, .node = 7, .tau1 = 0.5, .tau2 = 3});
      made.connections.push_back({static_cast<std::uint32_t>(cells), cell, 0.02, 1.3});
    }
    return made;
  };
  const std::size_t many = session.quick() ? 100 : 10'000;
  const Simulation alone = session.run(underSpikes(1), 12);
  const Simulation among = session.run(underSpikes(many), 12);
  const std::string subject = "a cell alone and among " + std::to_string(many);
  session.expect(subject, "spikes of the cell alone", 1, static_cast<double>(alone.spikes().size()), 0);
  std::size_t differing = 0;
  for (const std::size_t cell : {std::size_t{0}, std::size_t{7}, many / 2 + 1, many - 1}) {
    const std::vector<std::uint32_t> place = {static_cast<std::uint32_t>(cell)};
    differing += differingPotentials(alone, among, place);
  }
  session.expectNone(subject, "potentials at the end that differ", differing);
}

void checkEvents(Session& session)
{
  constexpr std::size_t kCells = 40;
  const double until = session.quick() ? 30 : 100;
  const Network network = spikingNetwork(kCells);
  const Simulation simulation = session.run(network, until);
  std::vector<std::uint64_t> fanOut(kCells, 0);
  for (const Connection& connection : network.connections)
    ++fanOut[connection.source];
  std::uint64_t sent = 0;
  for (const Spike& spike : simulation.spikes())
    sent += fanOut[spike.cell];
  const std::string subject = std::to_string(kCells) + " cells, " + textOf(until) + " ms";
  session.expect(subject, "events delivered or in flight", static_cast<double>(sent),
                 static_cast<double>(simulation.delivered() + simulation.inFlight()), 0);
  const Simulation ring = session.run(samples::ring(), 100);
  session.expect("ring", "events delivered or in flight", 18 + 1,
                 static_cast<double>(ring.delivered() + ring.inFlight()), 0);

  Network weightless = network, apart = network;
  for (Connection& connection : weightless.connections)
    connection.weight = 0;
  apart.connections.clear();
  expectSame(session, "weights of 0 and no connections", session.run(weightless, until), session.run(apart, until),
             kCells);
}

void checkRates(Session& session)
{
  struct Figures
  {
    double rate;      ///< Hz
    double variation; ///< of intervals, the mean over cells
  };
  constexpr std::size_t kCells = 60;
  const double until = session.quick() ? 200 : 1000; // ms
  const Network network = spikingNetwork(kCells);
  const auto figures = [&](double dt) {
    std::vector<std::vector<double>> times(kCells);
    for (const Spike& spike : session.run(network, session.with(dt), until).spikes())
      times[spike.cell].push_back(spike.time);
    Figures found{};
    for (const std::vector<double>& each : times) {
      found.rate += 1e3 * static_cast<double>(each.size()) / until / kCells;
      double sum = 0, squares = 0;
      for (std::size_t i = 1; i < each.size(); ++i) {
        sum += each[i] - each[i - 1];
        squares += (each[i] - each[i - 1]) * (each[i] - each[i - 1]);
      }
      const double n = static_cast<double>(std::max<std::size_t>(each.size(), 2) - 1), mean = sum / n;
      found.variation += mean > 0 ? std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean / kCells : 0;
    }
    return found;
  };
  const Figures coarse = figures(0.025), fine = figures(0.0125);
  const std::string subject = std::to_string(kCells) + " cells, 0.025 ms beside 0.0125 ms";
  session.expect(subject, "rate, Hz", fine.rate, coarse.rate, 0.01 * fine.rate);
  session.expect(subject, "coefficient of variation of intervals", fine.variation, coarse.variation, 0.02);
}

void checkBackends(Session& session)
{
  if (session.backend == Backend::Cpu) {
    session.skip("CUDA beside the CPU", "runs with --backend cuda");
    return;
  }
  const auto compare = [&](const std::string& subject, const Network& network, SimulationParameters with,
                           double until) {
    const Simulation there = session.run(network, with, until);
    session.backend = Backend::Cpu;
    SimulationParameters here = session.with(with.timeStep, with.scheme);
    here.rules = with.rules;
    here.celsius = with.celsius;
    const Simulation onCpu = session.run(network, here, until);
    session.backend = Backend::Cuda;
    expectSame(session, subject, onCpu, there, network.cells());
    std::size_t differing = 0;
    for (std::size_t probe = 0; probe < network.probes.size(); ++probe)
      for (std::size_t i = 0; i < onCpu.records()[probe].size(); ++i)
        differing += onCpu.records()[probe][i] == there.records()[probe][i] ? 0 : 1;
    if (!network.probes.empty())
      session.expectNone(subject, "records that differ", differing);
  };
  const double until = session.quick() ? 30 : 200;
  SimulationParameters with = session.with();
  compare("hh, 60 cells", spikingNetwork(60), with, until);
  compare(
      "hh, 60 cells, epochs of 1 step", spikingNetwork(60),
      [&] {
        SimulationParameters step = with;
        step.epoch = step.timeStep;
        return step;
      }(),
      until);
  with.celsius = 34;
  for (const samples::Kind kind : {samples::Kind::Perisomatic, samples::Kind::AllActive})
    compare(kind == samples::Kind::Perisomatic ? "perisomatic, 20 cells" : "all-active, 20 cells",
            corticalNetwork(kind, 20), with, until);
  SimulationParameters asNeuron = session.with(0.1, Scheme::BackwardEuler);
  asNeuron.rules = Rules::Neuron;
  asNeuron.celsius = 34;
  compare("perisomatic, as NEURON", corticalNetwork(samples::Kind::Perisomatic, 20), asNeuron, until);
  compare("backward Euler", spikingNetwork(60), session.with(0.025, Scheme::BackwardEuler), until);

  // One kind of channel on all nodes, of two densities that take turns.
  cell::Density there = samples::hh();
  there.type = morphology::kBasalDendrite;
  there.parameters[0] *= 0.5;
  const auto striped = samples::dendrites(200, 1, {samples::hh(), there});
  striped->cut.sections.push_back({.type = morphology::kBasalDendrite});
  for (std::size_t node = 1; node < striped->cut.nodes(); node += 2)
    striped->cut.section[node] = 1;
  Network stripes = samples::copies(striped, 2, -15);
  stripes.steps = {{0, 0, 2, 1, kForever}, {1, 50, 1, 1, kForever}};
  stripes.probes = {{0, 0}, {0, 151}, {1, 120}};
  compare("hh, two densities on all nodes", stripes, session.with(), 30);

  // Everything that can be put on a cell.
  Network all = spikingNetwork(8);
  all.sinusoids = {{1, 3, 0.1, 40}};
  all.noises = {{2, 0, 0.1, 0.1, 5}, {3, 5, 0, 0.2, 2, 5, 10, 9}};
  all.clamps = {{4, 0, {{-40, 5}, {-80, 5}}, 1, 3}};
  all.junctions = {{{0, 0}, {5, 7}, 1e-3}, {{6, 1}, {6, 20}, 1e-3}};
  Synapse blocked = kNmda;
  blocked.cell = 7;
  blocked.node = 4;
  all.synapses.push_back(blocked);
  all.trains = {{1, 2, 15}};
  all.connections.push_back({8, static_cast<std::uint32_t>(all.synapses.size() - 1), 1e-3, 1});
  all.pointNeurons = {{}};
  all.connections.push_back({8, static_cast<std::uint32_t>(all.synapses.size()), 2, 1});
  all.connections.push_back({9, 0, 1e-3, 2});
  for (std::uint32_t cell = 0; cell < 8; ++cell)
    for (const Quantity quantity : {Quantity::Potential, Quantity::MembraneCurrent})
      all.probes.push_back({cell, 0, quantity});
  all.probes.push_back({4, 0, Quantity::ClampCurrent});
  all.probes.push_back({1, 3, Quantity::State, cell::ChannelKind::HhSodium, 1});
  compare("stimuli, clamps, junctions, point neurons and probes", all, session.with(), std::min(until, 60.0));
}

} // namespace hinesight::simulation::checks
