#include "simulation/simulation.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/rank_tasks.hpp"
#include "simulation/cells/shared_cells.hpp"
#include "simulation/ranks/rank_simulations.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace hinesight::simulation {

namespace {

constexpr double kRounding = 1e-9; // of a step

void require(bool condition, const std::string& sentence)
{
  if (!condition)
    throw Error(ErrorCode::BadParameter, sentence);
}

std::size_t compartmentsOf(const Network& network)
{
  std::size_t compartments = 0;
  for (const std::uint32_t model : network.modelOf)
    compartments += network.models[model]->cut.nodes();
  return compartments;
}

} // namespace

Simulation::Simulation(Network net, const SimulationParameters& with, std::size_t shareCount)
    : alone(currentRanks() ? nullptr : std::make_unique<SelfCommunicator>()),
      ranks(alone ? alone.get() : currentRanks()), network(std::move(net)), parameters(with)
{
  check();
  std::optional<TaskScope> task;
  if (isLead()) {
    requireDevice(parameters.backend);
    shareCount = std::min(shareCount > 0 ? shareCount : worthOfRanks(), static_cast<std::size_t>(ranks->size()));
    if (shareCount > 1)
      task.emplace(RankSimulations::leadMake(*this, shareCount));
    else
      leaveRanks();
  }
  make(shareCount);
}

Simulation::Simulation(Communicator& of, std::uint64_t number, Network net, const SimulationParameters& with,
                       std::size_t withCells)
    : ranks(&of), id(number), network(std::move(net)), parameters(with)
{
  make(withCells);
}

Simulation::~Simulation()
{
  if (!cells || !isLead()) // it was moved
    return;
  try {
    const auto task = lead(RankSimulations::kDrop);
  } catch (...) {
    // The ranks have failed; they drop it all the same.
  }
}

std::optional<TaskScope> Simulation::lead(const char* name) const
{
  std::optional<TaskScope> task;
  if (isLead()) {
    task.emplace(*ranks, name);
    std::uint64_t number = id;
    ranks->broadcast(number, 0);
  }
  return task;
}

void Simulation::make(std::size_t shareCount)
{
  inStep([&] { makeCells(shareCount); });
  if (isSplit())
    shareConnections();
  inStep([&] { connect(); });
  if (isSplit())
    leastDelay = ranks->allReduce(leastDelay, Reduction::Least);
  inStep([&] { findEpoch(); });
}

/// Throws Error(BadParameter) where there is no such node; `what`: "A probe".
void Simulation::requirePlace(std::uint32_t cell, std::int32_t node, const char* what) const
{
  require(cell < network.cells() && node >= 0 &&
              static_cast<std::size_t>(node) < network.models[network.modelOf[cell]]->cut.nodes(),
          std::string(what) + " is on node " + std::to_string(node) + " of cell " + std::to_string(cell) +
              ", which there is not.");
}

void Simulation::check() const
{
  validateFields(fieldsOf(parameters));
  require(!isNeurons(parameters.rules) || parameters.scheme == Scheme::BackwardEuler,
          "NEURON's rules are those of backward Euler; choose that scheme, or exact rules.");
  require(network.detectors.size() == network.cells(), "Every cell needs a detector.");
  for (const auto& model : network.models) {
    const std::optional<std::string> problem = cell::problemOf(*model);
    require(!problem, model->name + ": " + problem.value_or(""));
    require(parameters.backend == Backend::Cpu || model->biophysics.mechanisms.own().empty(),
            model->name + " has mechanisms of a table; they run on the CPU alone, so choose that backend.");
  }
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
  constexpr double kMostRate = 1e6; // Hz
  for (const PoissonSpikes& each : network.poisson) {
    require(each.train < network.trains.size(), "Spikes by chance are of a train that there is not.");
    require(each.rate >= 0 && each.rate <= kMostRate && each.delay >= 0 && std::isfinite(each.delay),
            "Spikes by chance have a rate of " + std::to_string(each.rate) + " Hz and begin at " +
                std::to_string(each.delay) + " ms; these have to be from 0 to 1,000,000 Hz, and 0 or more.");
  }
  for (const Connection& connection : network.connections) {
    require(connection.source < neurons() + network.trains.size(), "A connection has a source that there is not.");
    require(connection.target < network.synapses.size() + network.pointNeurons.size(),
            "A connection has a target that there is not.");
    require(connection.delay > 0 && std::isfinite(connection.delay) && std::isfinite(connection.weight),
            "A connection has a delay of " + std::to_string(connection.delay) + " ms; it has to be above 0.");
  }
}

cell::Temperature Simulation::temperature() const
{
  cell::Temperature result =
      cell::temperatureOf(adjusted.celsius.value_or(parameters.celsius),
                          parameters.rules == Rules::Neuron ? cell::kOldNeuron : cell::kCodata2018);
  result.startsAsNeuron = isNeurons(parameters.rules);
  return result;
}

StepRules Simulation::rules() const
{
  return {.dt = parameters.timeStep,
          .isHalf = parameters.scheme == Scheme::CrankNicolson,
          .asNeuron = isNeurons(parameters.rules),
          .stimuli = adjusted.stimuli,
          .temperature = temperature()};
}

CompiledModels Simulation::compiled() const
{
  auto made = std::make_shared<std::vector<CompiledCell>>();
  for (const auto& model : network.models)
    made->emplace_back(*model, temperature(), adjusted);
  return made;
}

ShareRange Simulation::ownPointNeurons() const
{
  return isSplit() ? shares->pointNeurons(ownShare())
                   : ShareRange{0, static_cast<std::uint32_t>(network.pointNeurons.size())};
}

/// This rank does all, and the others hear of nothing.
void Simulation::leaveRanks()
{
  alone = std::make_unique<SelfCommunicator>();
  ranks = alone.get();
}

/// How many of the ranks are worth it.
std::size_t Simulation::worthOfRanks() const
{
  const auto count = static_cast<std::size_t>(ranks->size());
  return parameters.backend == Backend::Cuda ? devicesWorth(count, compartmentsOf(network), network.cells()) : count;
}

/// `shareCount`: of several ranks, how many have cells.
void Simulation::makeCells(std::size_t shareCount)
{
  constexpr std::size_t kBytesOfNode = 6 * sizeof(double);
  constexpr std::size_t kBytesOfCell = 512;
  if (isSplit())
    parameters.threads = threadsOfRank(*ranks, parameters.threads);
  compartments = compartmentsOf(network);
  models = compiled();
  if (shareCount == 0)
    shareCount = devicesFor(network, compartments, parameters);
  shares = std::make_unique<const Shares>(network, *models,
                                          isSplit() ? static_cast<std::size_t>(ranks->size()) : shareCount, shareCount);
  const ShareRange own =
      isSplit() ? shares->cells(ownShare()) : ShareRange{0, static_cast<std::uint32_t>(network.cells())};
  std::size_t bytes = 0;
  for (std::uint32_t cell = own.begin; cell < own.end; ++cell)
    bytes += kBytesOfCell + kBytesOfNode * network.models[network.modelOf[cell]]->cut.nodes();
  requireMemory(bytes, std::to_string(own.size()) + " cells");
  const bool onGpu = parameters.backend == Backend::Cuda;
  if (isSplit() && onGpu)
    useGpuOf(*ranks);
  const CellsSetup setup = {network, parameters, models, temperature(), *shares};
  if (isSplit() || shareCount == 1)
    cells = (onGpu ? makeCudaCells : makeCpuCells)(setup, isSplit() ? ownShare() : 0);
  else
    cells = makeSharedCells(setup);
  junctions = std::make_unique<JunctionExchange>(network, *shares, *models, *ranks);
  nameDevices(shareCount);
  const ShareRange points = ownPointNeurons();
  pointStates.assign(network.pointNeurons.begin() + points.begin, network.pointNeurons.begin() + points.end);
  pointEvents.resize(points.size());
  recorded.resize(network.probes.size());
  firstSteps.assign(network.probes.size(), 0);
  pending.resize(cells->blocks());
}

void Simulation::nameDevices(std::size_t shareCount)
{
  const bool onGpu = parameters.backend == Backend::Cuda;
  const std::vector<DeviceInfo> gpus = onGpu ? cudaDevices() : std::vector<DeviceInfo>();
  const Communicator* const known = isSplit() ? ranks : currentRanks();
  timings.backend = parameters.backend;
  timings.device = isSplit() && !onGpu ? processorName() : cells->device();
  if (known && known->size() > 1)
    timings.device += sharedByRanks(static_cast<std::size_t>(known->size()), shareCount);
  else if (parameters.devices != 1)
    timings.device += sharedByDevices(gpus.size(), shareCount);
  if (isSplit() || shareCount == 1)
    return;
  for (std::size_t k = 0; k < shareCount; ++k) {
    const std::size_t number = onGpu ? static_cast<std::size_t>(gpus[k].index) : k;
    timings.devices.push_back({parameters.backend, deviceInShort(parameters.backend, number), {}});
  }
}

/// Each rank gets the connections to its share, in the order of their sources.
void Simulation::shareConnections()
{
  std::vector<Connection> byRank;
  std::vector<std::size_t> begins(static_cast<std::size_t>(ranks->size()) + 1, 0);
  inStep([&] {
    if (!ranks->isRoot())
      return;
    std::vector<Connection> bySource = std::exchange(network.connections, {});
    std::ranges::stable_sort(bySource, {}, &Connection::source);
    for (const bool isFirstFormat : {true, false})
      fingerprints[isFirstFormat ? 0 : 1] = fingerprint(ordersOf(isFirstFormat), bySource.size(), [&](std::size_t k) {
        return std::pair(bySource[k].weight, bySource[k].delay);
      });
    const std::size_t synapses = network.synapses.size();
    const auto rankOf = [&](const Connection& connection) {
      return connection.target < synapses
                 ? shares->ofCell(network.synapses[connection.target].cell)
                 : shares->ofPointNeuron(static_cast<std::uint32_t>(connection.target - synapses));
    };
    for (const Connection& each : bySource)
      ++begins[rankOf(each) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::size_t> next(begins);
    byRank.resize(bySource.size());
    for (const Connection& each : bySource)
      byRank[next[rankOf(each)]++] = each;
  });
  network.connections = ranks->scatterFrom(0, std::span<const Connection>(byRank), begins);
}

/// Connections by their sources, with the place of their targets.
void Simulation::connect()
{
  const std::size_t sources = neurons() + network.trains.size();
  firstWay.assign(sources + 1, 0);
  for (const Connection& connection : network.connections)
    ++firstWay[connection.source + 1];
  std::partial_sum(firstWay.begin(), firstWay.end(), firstWay.begin());
  ways.resize(network.connections.size());
  std::vector<std::uint64_t> next(firstWay);
  leastDelay = kBoundless;
  const std::uint32_t firstPoint = ownPointNeurons().begin;
  for (const Connection& connection : network.connections) {
    const std::size_t synapses = network.synapses.size();
    Way& way = ways[next[connection.source]++];
    way = {kNothing, static_cast<std::uint32_t>(connection.target - synapses) - firstPoint, connection.weight,
           connection.delay};
    if (connection.target < synapses) {
      const PlaceInBlocks place = cells->placeOfSynapse(connection.target);
      way.block = place.block;
      way.synapse = place.index;
    }
    const bool isTrain =
        connection.source >= network.cells() && connection.source < network.cells() + network.trains.size();
    if (!isTrain)
      leastDelay = std::min(leastDelay, connection.delay);
  }
  network.connections = {};
  nextOfTrain.assign(network.trains.size(), 0);
  draws = TrainDraws(network.poisson);
}

void Simulation::findEpoch()
{
  const auto stepsOf = [&](double time) { return std::floor(time / parameters.timeStep + kRounding); };
  const double least = stepsOf(leastDelay);
  const double wanted = parameters.epoch > 0 ? std::min(stepsOf(parameters.epoch), least) : least;
  require(wanted >= 1, "The least delay is below the time step; choose a smaller step.");
  const std::int64_t longest = cells->longestEpoch(); // so that a cancel is soon heard
  const auto inSteps = [&](double steps) {
    return steps < static_cast<double>(longest) ? static_cast<std::int64_t>(steps) : longest;
  };
  epochSteps = inSteps(wanted);
  if (!network.junctions.empty())
    epochSteps = 1; // cells see each other's potentials in every step
  const bool canBeside = !isSplit() && network.junctions.empty() && leastDelay < kBoundless && least >= 2;
  const std::int64_t half = inSteps(std::min(wanted, std::floor(least / 2)));
  // A GPU is faster so, whatever runs on it; on a CPU the threads are busy with cells.
  if (canBeside && (parameters.backend == Backend::Cuda || half == epochSteps)) {
    epochSteps = half;
    beside = std::make_unique<Workers>(1); // a thread that waits for cells
    if (parameters.backend == Backend::Cuda)
      beside->on(0, useMainCudaDevice);
  }
}

/// `take`(event) for each event of a spike.
template <typename Take>
void Simulation::forEvents(std::uint32_t source, double time, const Take& take) const
{
  const auto blocks = static_cast<std::uint32_t>(pending.size());
  for (std::uint64_t k = firstWay[source]; k < firstWay[source + 1]; ++k) {
    const Way& way = ways[k];
    take(SentEvent{way.block == kNothing ? blocks + way.synapse : way.block, way.synapse, time + way.delay,
                   adjusted.weights * way.weight});
  }
}

void Simulation::receive(const SentEvent& event)
{
  const StepRules how = {.dt = parameters.timeStep,
                         .isHalf = false,
                         .asNeuron = isNeurons(parameters.rules),
                         .stimuli = 1,
                         .temperature = {}};
  if (event.place < pending.size())
    pending[event.place].push_back({event.time, stepOf(event.time, how), event.synapse, event.weight});
  else
    pointEvents[event.synapse].push_back({event.time, 0, event.weight});
}

/// Threads share the spikes and put each event into a list for the thread that has its target, which then takes it.
/// The order in which events arrive is of no effect: they are sorted before they count.
void Simulation::send(std::span<const Spike> spikes)
{
  constexpr double kWorthwhile = 2048; // events of a thread
  const double mean = static_cast<double>(ways.size()) / std::max(1.0, static_cast<double>(firstWay.size() - 1));
  const auto useful = static_cast<std::size_t>(1 + mean * static_cast<double>(spikes.size()) / kWorthwhile);
  const auto threads = static_cast<std::size_t>(parameters.threads > 0 ? parameters.threads : hardwareThreads());
  const std::size_t places = pending.size() + pointEvents.size();
  const std::size_t parts = std::min({useful, threads, places});
  if (parts <= 1) {
    for (const Spike& spike : spikes)
      forEvents(sourceOf(spike.cell), spike.time, [this](const SentEvent& event) { receive(event); });
    return;
  }
  const auto width = static_cast<std::uint32_t>((places + parts - 1) / parts); // places of a part
  sentEvents.resize(std::max(sentEvents.size(), parts * parts));
  const auto onParts = [&](const auto& body) {
    parallelFor(
        parts, 1,
        [&](std::size_t first, std::size_t end) {
          for (std::size_t part = first; part < end; ++part)
            body(part);
        },
        parameters.threads);
  };
  onParts([&](std::size_t part) {
    const std::span lists = std::span(sentEvents).subspan(part * parts, parts);
    for (std::vector<SentEvent>& list : lists)
      list.clear();
    for (std::size_t k = spikes.size() * part / parts; k < spikes.size() * (part + 1) / parts; ++k)
      forEvents(sourceOf(spikes[k].cell), spikes[k].time,
                [&](const SentEvent& event) { lists[event.place / width].push_back(event); });
  });
  onParts([&](std::size_t part) {
    for (std::size_t from = 0; from < parts; ++from)
      for (const SentEvent& event : sentEvents[from * parts + part])
        receive(event);
  });
}

std::vector<std::vector<double>> Simulation::trainsBefore(double until) const
{
  std::vector<std::vector<double>> trains = network.trains;
  TrainDraws(draws).draw(trains, until);
  return trains;
}

/// Those that were sent stay the first ones: what is drawn comes after them.
void Simulation::drawTrains(double until)
{
  draws.draw(network.trains, until);
}

/// Spikes of the trains before step `to`: all that can arrive before it.
void Simulation::sendTrains(std::int64_t to)
{
  const double end = static_cast<double>(to) * parameters.timeStep;
  drawTrains(end);
  for (std::size_t train = 0; train < network.trains.size(); ++train) {
    const std::vector<double>& times = network.trains[train];
    for (std::size_t& next = nextOfTrain[train]; next < times.size() && times[next] < end; ++next)
      forEvents(static_cast<std::uint32_t>(network.cells() + train), times[next],
                [this](const SentEvent& event) { receive(event); });
  }
}

/// Cells start steps `from` to `to` with what is due in them, in the place that the run before has not.
void Simulation::startCells(std::int64_t from, std::int64_t to)
{
  started = started == RunPlace::First ? RunPlace::Second : RunPlace::First;
  std::vector<std::vector<PendingEvent>>& taken = due[static_cast<std::size_t>(started)];
  std::atomic<std::uint64_t> events = 0;
  taken.resize(pending.size());
  parallelFor(
      pending.size(), 256,
      [&](std::size_t begin, std::size_t end) {
        std::uint64_t own = 0;
        for (std::size_t block = begin; block < end; ++block) {
          std::vector<PendingEvent>& waiting = pending[block];
          const auto later = std::partition(waiting.begin(), waiting.end(),
                                            [&](const PendingEvent& event) { return event.step >= to; });
          taken[block].assign(later, waiting.end());
          waiting.erase(later, waiting.end());
          std::ranges::sort(taken[block], {}, [](const PendingEvent& event) {
            return std::tuple(event.step, event.synapse, event.time, event.weight);
          });
          own += taken[block].size();
        }
        events += own;
      },
      parameters.threads);
  deliveredEvents += events;
  cells->start(started, rules(), from, to, taken);
}

std::uint32_t Simulation::sourceOf(std::size_t neuron) const
{
  return static_cast<std::uint32_t>(neuron < network.cells() ? neuron : neuron + network.trains.size());
}

void Simulation::throwOutOfBounds() const
{
  const std::optional<NodePlace> place = cells->firstOutOfBounds();
  if (place)
    throw Error(ErrorCode::BadParameter, "The potential of cell " + std::to_string(place->cell) +
                                             " is out of all bounds at node " + std::to_string(place->node) +
                                             " before " + std::to_string(time()) +
                                             " ms; choose a smaller time step, or look at its conductances.");
  throw Error(ErrorCode::BadParameter, "A potential was out of all bounds before " + std::to_string(time()) +
                                           " ms; choose a smaller time step, or look at the conductances.");
}

void Simulation::runOwn(std::int64_t to, std::vector<Spike>& spikes)
{
  const Stopwatch watch;
  sendTrains(to);
  startCells(step, to);
  const double taken = watch.elapsed();
  cells->finish(started, recorded, results);
  const double ran = watch.elapsed();
  takeResults(to, spikes);
  runPointNeurons(to, spikes);
  timings.add("cells", ran - taken);
  timings.add("events", taken + (watch.elapsed() - ran));
}

/// Cells have come to that step.
void Simulation::takeResults(std::int64_t to, std::vector<Spike>& spikes)
{
  for (std::size_t k = 0; k < results.milliseconds.size(); ++k) {
    timings.devices[k].add("cells", results.milliseconds[k]);
    timings.devices[k].add("wait", std::ranges::max(results.milliseconds) - results.milliseconds[k]);
  }
  stepsRun += static_cast<double>(to - step);
  step = to;
  if (results.isOutOfBounds)
    throwOutOfBounds();
  for (const std::vector<Spike>& each : results.spikes)
    spikes.insert(spikes.end(), each.begin(), each.end());
}

void Simulation::runPointNeurons(std::int64_t to, std::vector<Spike>& spikes)
{
  const double end = static_cast<double>(to) * parameters.timeStep;
  const auto firstPoint = static_cast<std::uint32_t>(network.cells()) + ownPointNeurons().begin;
  for (std::uint32_t k = 0; k < pointStates.size(); ++k) {
    std::ranges::sort(pointEvents[k]);
    std::vector<double> times;
    deliveredEvents += pointStates[k].run(end, pointEvents[k], times);
    for (const double each : times)
      spikes.push_back({firstPoint + k, each});
  }
}

/// Sends the spikes of the epoch, which are in `all` from `before` on.
void Simulation::sendNew(std::size_t before)
{
  std::sort(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
            [](const Spike& a, const Spike& b) { return std::tuple(a.cell, a.time) < std::tuple(b.cell, b.time); });
  send(std::span(all).subspan(before));
}

/// Between devices or ranks.
void Simulation::exchangeJunctions()
{
  if (junctions->empty())
    return;
  const Stopwatch watch;
  junctions->exchange(*cells, *ranks, rules().isHalf);
  const double spent = watch.elapsed();
  timings.add("exchange", spent);
  for (StageTimings& device : timings.devices)
    device.add("exchange", spent);
}

void Simulation::runEpoch(std::int64_t to)
{
  exchangeJunctions();
  const std::size_t before = all.size();
  runOwn(to, all);
  const Stopwatch watch;
  sendNew(before);
  timings.add("events", watch.elapsed());
}

/// While cells run an epoch of at most half of the least delay, the spikes of the one before are sent, which arrive in
/// the next one at the earliest, point neurons run, and cells are told to go on with what is due in the next one. Where
/// that is not to run, nothing is due, and all spikes are sent in the end.
void Simulation::runBeside(std::int64_t to, const std::function<std::int64_t(std::int64_t)>& endOfEpoch,
                           const std::function<std::exception_ptr(std::int64_t)>& hear)
{
  std::exception_ptr heard = hear(step);
  if (step >= to || heard)
    return heard ? std::rethrow_exception(heard) : void();
  std::size_t sent = all.size();
  const auto sendTheRest = [&] {
    sendNew(sent);
    sent = all.size();
  };
  std::int64_t end = endOfEpoch(step);
  Stopwatch watch;
  sendTrains(end);
  startCells(step, end);
  timings.add("events", watch.elapsed());
  for (bool goesOn = true; goesOn;) {
    watch = Stopwatch();
    double ran = 0;
    std::vector<Spike> ofPoints;
    const RunPlace place = started;
    beside->besideOn(
        0,
        [&] {
          const Stopwatch ofCells;
          cells->finish(place, recorded, results);
          ran = ofCells.elapsed();
        },
        [&] {
          sendTheRest();
          runPointNeurons(end, ofPoints);
          heard = hear(end);
          goesOn = end < to && !heard;
          if (!goesOn)
            return;
          const std::int64_t next = endOfEpoch(end);
          sendTrains(next);
          startCells(end, next);
        });
    takeResults(end, all);
    all.insert(all.end(), ofPoints.begin(), ofPoints.end());
    end = endOfEpoch(end);
    timings.add("cells", ran);
    timings.add("events", std::max(0.0, watch.elapsed() - ran));
  }
  watch = Stopwatch();
  sendTheRest();
  timings.add("events", watch.elapsed());
  if (heard)
    std::rethrow_exception(heard);
}

void Simulation::runEpochTogether(std::int64_t to, const std::function<std::exception_ptr()>& hear)
{
  /// What a rank tells all others after an epoch.
  struct Told
  {
    std::uint64_t spikes;
    bool hasFailed, stops;
  };
  exchangeJunctions();
  std::vector<Spike> own;
  std::exception_ptr failed;
  try {
    runOwn(to, own);
  } catch (...) {
    failed = std::current_exception();
  }
  const std::exception_ptr heard = failed ? nullptr : hear();
  Stopwatch watch;
  const std::vector<Told> told = ranks->allGather(Told{own.size(), failed != nullptr, heard != nullptr});
  if (std::ranges::any_of(told, &Told::hasFailed))
    throwTogether(*ranks, failed);
  std::vector<std::size_t> begins(1, 0);
  for (const Told& each : told)
    begins.push_back(begins.back() + each.spikes);
  if (!ranks->isRoot())
    all.clear(); // rank 0 has them
  const std::size_t before = all.size();
  all.resize(before + begins.back());
  if (begins.back() > 0)
    ranks->allGather(std::span<const Spike>(own), std::span(all).subspan(before), begins);
  timings.add("exchange", watch.elapsed());
  watch = Stopwatch();
  sendNew(before);
  timings.add("events", watch.elapsed());
  if (std::ranges::any_of(told, &Told::stops))
    throwTogether(*ranks, heard);
}

void Simulation::runUntil(double time, const RunControl& control)
{
  auto to = static_cast<std::int64_t>(std::llround(std::ceil(time / parameters.timeStep - kRounding)));
  const auto task = lead(RankSimulations::kRun);
  if (isLead())
    ranks->broadcast(to, 0);
  run(to, control);
}

void Simulation::run(std::int64_t to, const RunControl& control)
{
  const std::int64_t from = step;
  const auto tell = [&](std::int64_t at) {
    if (at < to)
      control.report("simulate", static_cast<double>(at - from) / static_cast<double>(to - from));
  };
  const auto hear = [&](std::int64_t at) -> std::exception_ptr {
    try {
      tell(at);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  };
  // Epochs begin at the same steps, however often the simulation stops.
  const auto endOfEpoch = [&](std::int64_t begin) { return std::min(to, (begin / epochSteps + 1) * epochSteps); };
  if (!isSplit()) {
    if (beside)
      return runBeside(to, endOfEpoch, hear);
    while (step < to) {
      tell(step);
      runEpoch(endOfEpoch(step));
    }
    return;
  }
  constexpr std::size_t kMostValues = std::size_t{1} << 24; // of records on the other ranks
  try {
    throwTogether(*ranks, hear(step));
    while (step < to) {
      runEpochTogether(endOfEpoch(step), [&] { return hear(step); });
      if (static_cast<std::size_t>(step - gatheredStep) * network.probes.size() > kMostValues)
        gatherRecords();
    }
  } catch (const FailedTogether& failure) {
    if (failure.code() == ErrorCode::Cancelled)
      gatherRecords(); // all ranks are at one step
    failTogether(*ranks, failure);
  }
  gatherRecords();
}

/// Rank 0 gets the records of all, as far as it has not had them.
void Simulation::gatherRecords()
{
  const Stopwatch watch;
  const std::int64_t steps = step - std::exchange(gatheredStep, step);
  if (network.probes.empty())
    return;
  std::vector<double> own;
  inStep([&] {
    for (std::vector<double>& record : recorded) {
      if (ranks->isRoot())
        continue;
      own.insert(own.end(), record.begin(), record.end());
      record.clear();
    }
  });
  const RankLists<double> gathered = ranks->gatherTo(0, std::span<const double>(own));
  inStep([&] {
    std::vector<std::size_t> next(gathered.begin.begin(), gathered.begin.end());
    for (std::size_t probe = 0; probe < network.probes.size() && ranks->isRoot(); ++probe) {
      const std::size_t rank = shares->ofCell(network.probes[probe].cell);
      if (rank == 0)
        continue;
      const auto values = gathered.items.begin() + static_cast<std::ptrdiff_t>(next[rank]);
      recorded[probe].insert(recorded[probe].end(), values, values + steps);
      next[rank] += static_cast<std::size_t>(steps);
    }
  });
  timings.add("exchange", watch.elapsed());
}

std::vector<Spike> Simulation::spikes() const
{
  std::vector<Spike> sorted = all;
  std::ranges::stable_sort(
      sorted, [](const Spike& a, const Spike& b) { return a.time != b.time ? a.time < b.time : a.cell < b.cell; });
  return sorted;
}

std::vector<double> Simulation::potentialsOf(std::size_t cell) const
{
  const auto task = lead(RankSimulations::kPotentials);
  std::uint64_t number = cell;
  if (isLead())
    ranks->broadcast(number, 0);
  return gatherPotentials(cell);
}

std::vector<double> Simulation::gatherPotentials(std::size_t cell) const
{
  std::vector<double> potentials;
  inStep([&] { potentials = cells->potentialsOf(static_cast<std::uint32_t>(cell)); });
  return isSplit() ? ranks->gatherTo(0, std::span<const double>(potentials)).items : potentials;
}

std::uint64_t Simulation::delivered() const
{
  const auto task = lead(RankSimulations::kDelivered);
  return countDelivered();
}

std::uint64_t Simulation::countDelivered() const
{
  return ranks->allReduce(deliveredEvents, Reduction::Sum);
}

std::uint64_t Simulation::inFlight() const
{
  const auto task = lead(RankSimulations::kInFlight);
  return countInFlight();
}

std::uint64_t Simulation::countInFlight() const
{
  const auto add = [](std::uint64_t count, const auto& events) { return count + events.size(); };
  std::uint64_t count = std::accumulate(pending.begin(), pending.end(), std::uint64_t{0}, add);
  count = std::accumulate(pointEvents.begin(), pointEvents.end(), count, add);
  for (std::size_t train = 0; train < network.trains.size(); ++train) {
    const std::size_t source = network.cells() + train;
    count += (network.trains[train].size() - nextOfTrain[train]) * (firstWay[source + 1] - firstWay[source]);
  }
  return ranks->allReduce(count, Reduction::Sum);
}

std::size_t Simulation::addProbe(const Probe& probe)
{
  requirePlace(probe.cell, probe.node, "A probe");
  const auto task = lead(RankSimulations::kProbe);
  Probe told = probe;
  if (isLead())
    ranks->broadcast(told, 0);
  takeProbe(probe);
  return network.probes.size() - 1;
}

void Simulation::takeProbe(const Probe& probe)
{
  inStep([&] {
    network.probes.push_back(probe);
    cells->addProbe(network, static_cast<std::uint32_t>(network.probes.size() - 1));
    recorded.emplace_back();
    firstSteps.push_back(step);
  });
}

void Simulation::requireAdjustable(const Adjustments& to) const
{
  const auto isFactor = [](double factor) { return factor >= 0 && std::isfinite(factor); };
  require(to.conductance.empty() || to.conductance.size() == cell::allMechanisms().size(),
          "Factors of conductances are needed for all mechanisms, or for none.");
  require(std::ranges::all_of(to.conductance, isFactor), "The factor of a conductance is below 0 or not finite.");
  require(std::isfinite(to.stimuli) && std::isfinite(to.weights), "A factor is not finite.");
  SimulationParameters checked = parameters;
  checked.celsius = to.celsius.value_or(parameters.celsius);
  validateFields(fieldsOf(checked));
}

void Simulation::adjust(const Adjustments& to)
{
  requireAdjustable(to);
  if (to == adjusted)
    return;
  const auto task = lead(RankSimulations::kAdjust);
  if (isLead())
    RankSimulations::broadcast(*ranks, to);
  apply(to);
}

void Simulation::apply(const Adjustments& to)
{
  if (to == adjusted)
    return;
  inStep([&] {
    adjusted = to;
    models = compiled();
    cells->setModels(models);
  });
}

} // namespace hinesight::simulation
