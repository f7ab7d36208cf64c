#include "core/check_sum.hpp"
#include "core/error.hpp"
#include "core/fields.hpp"
#include "simulation/cells/shared_cells.hpp"
#include "simulation/ranks/rank_simulations.hpp"
#include "simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// The bytes of a checkpoint: a name, a number of bytes and these, for each thing that a simulation keeps.

namespace hinesight::simulation {

namespace {

[[noreturn]] void refuse(const std::string& why)
{
  throw Error(ErrorCode::BadFormat, "The checkpoint " + why + ".");
}

class Writer
{
public:
  explicit Writer(std::vector<std::byte>& to) : bytes(to) {}

  template <typename T>
  void put(std::string_view name, const T* values, std::size_t count)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::array<std::uint64_t, 2> head = {name.size(), count * sizeof(T)};
    append(head.data(), sizeof head);
    append(name.data(), name.size());
    append(values, count * sizeof(T));
  }
  template <typename T>
  void put(std::string_view name, const std::vector<T>& values)
  {
    put(name, values.data(), values.size());
  }
  template <typename T>
  void put(std::string_view name, const T& value)
  {
    put(name, &value, 1);
  }

private:
  void append(const void* from, std::size_t count)
  {
    const auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + count);
  }

  std::vector<std::byte>& bytes;
};

class Reader
{
public:
  explicit Reader(std::span<const std::byte> from) : left(from) {}

  std::span<const std::byte> rest() const { return left; }

  /// Whether a thing of that name is the next.
  bool isNext(std::string_view name) const
  {
    std::array<std::uint64_t, 2> head;
    if (left.size() < sizeof head + name.size())
      return false;
    std::memcpy(head.data(), left.data(), sizeof head);
    return head[0] == name.size() && std::memcmp(left.data() + sizeof head, name.data(), name.size()) == 0;
  }

  template <typename T>
  std::vector<T> take(std::string_view name)
  {
    std::array<std::uint64_t, 2> head;
    std::memcpy(head.data(), bytes(sizeof head).data(), sizeof head);
    const std::span<const std::byte> found = bytes(head[0]);
    if (head[0] != name.size() || std::memcmp(found.data(), name.data(), name.size()) != 0 || head[1] % sizeof(T) != 0)
      refuse("has no " + std::string(name) + " where they belong");
    const std::span<const std::byte> content = bytes(head[1]);
    std::vector<T> values(content.size() / sizeof(T));
    if (!values.empty())
      std::memcpy(values.data(), content.data(), content.size());
    return values;
  }
  template <typename T>
  std::vector<T> take(std::string_view name, std::size_t count)
  {
    std::vector<T> values = take<T>(name);
    if (values.size() != count)
      refuse("has " + std::to_string(values.size()) + " " + std::string(name) + " in place of " +
             std::to_string(count) + "; it is of another network");
    return values;
  }
  template <typename T>
  T takeOne(std::string_view name)
  {
    return take<T>(name, 1)[0];
  }

private:
  std::span<const std::byte> bytes(std::uint64_t count)
  {
    if (count > left.size())
      refuse("is cut off");
    const std::span<const std::byte> result = left.first(count);
    left = left.subspan(count);
    return result;
  }

  std::span<const std::byte> left;
};

constexpr std::string_view kFormat = "hinesight simulation 2";      // values of cells by node
constexpr std::string_view kFirstFormat = "hinesight simulation 1"; // by rounds of elimination

/// Calls visit(name, values, count) with each kind of states and how many a network has of it.
template <typename States, typename Visit>
void forEachWhole(const Network& network, std::span<const ValueOrder> orders, States& states, const Visit& visit)
{
  std::size_t nodes = 0, channelStates = 0, pools = 0;
  for (const std::uint32_t model : network.modelOf) {
    nodes += orders[model].v.size();
    channelStates += orders[model].states.size();
    pools += orders[model].pools.size();
  }
  const std::size_t counts[] = {nodes,
                                channelStates,
                                pools,
                                pools,
                                network.synapses.size(),
                                network.synapses.size(),
                                network.noises.size(),
                                network.cells(),
                                2 * network.junctions.size()};
  const std::size_t* count = counts;
  CellStates::forEach(states, [&](const char* name, auto& values) { visit(name, values, *count++); });
}

} // namespace

/// All but spikes and records.
struct Simulation::State
{
  bool isFirstFormat = false;
  std::int64_t step = 0;
  std::uint64_t delivered = 0;
  CellStates cells = {};
  std::vector<StoredEvent> events = {};
  std::vector<PointNeuronState::Values> pointNeurons = {};
  std::vector<std::uint64_t> trains = {};
  Adjustments adjustments = {};
};

std::vector<ValueOrder> Simulation::ordersOf(bool isFirstFormat) const
{
  std::vector<ValueOrder> orders;
  for (const CompiledCell& model : *models)
    orders.push_back(isFirstFormat ? model.orderByRounds() : model.orderByNode());
  return orders;
}

std::uint64_t Simulation::fingerprintOf(bool isFirstFormat) const
{
  if (isSplit())
    return fingerprints[isFirstFormat ? 0 : 1];
  return fingerprint(ordersOf(isFirstFormat), ways.size(),
                     [this](std::size_t k) { return std::pair(ways[k].weight, ways[k].delay); });
}

/// Of all that a checkpoint has to fit to: FNV-1a over sizes and parameters.
std::uint64_t Simulation::fingerprint(std::span<const ValueOrder> orders, std::size_t connections,
                                      const WayAt& wayAt) const
{
  std::uint64_t hash = kFnvStart;
  const auto add = [&](std::uint64_t value) {
    std::array<char, sizeof value> bytes{};
    for (std::size_t byte = 0; byte < bytes.size(); ++byte) // the lowest first, on any machine
      bytes[byte] = static_cast<char>(value >> (8 * byte) & 0xff);
    hash = fnv1a({bytes.data(), bytes.size()}, hash);
  };
  add(network.cells());
  for (const std::uint32_t model : network.modelOf)
    add(model);
  for (std::size_t k = 0; k < models->size(); ++k) {
    const CompiledCell& model = (*models)[k];
    add(orders[k].v.size());
    add(model.states);
    for (const std::uint32_t place : orders[k].v) {
      add(std::bit_cast<std::uint64_t>(model.rows[place].capacitance));
      add(std::bit_cast<std::uint64_t>(model.rows[place].coupling));
    }
  }
  for (std::size_t k = 0; k < connections; ++k) {
    const auto [weight, delay] = wayAt(k);
    add(std::bit_cast<std::uint64_t>(weight));
    add(std::bit_cast<std::uint64_t>(delay));
  }
  add(network.synapses.size());
  add(network.trains.size());
  add(network.pointNeurons.size());
  add(std::bit_cast<std::uint64_t>(parameters.timeStep));
  add(static_cast<std::uint64_t>(parameters.scheme));
  add(static_cast<std::uint64_t>(parameters.rules));
  return hash;
}

/// Of all cells, on rank 0.
CellStates Simulation::gatherStates(std::span<const ValueOrder> orders) const
{
  CellStates states;
  inStep([&] { states = cells->states(network, orders); });
  if (isSplit()) {
    std::vector<CellStates> parts(static_cast<std::size_t>(ranks->size()));
    CellStates::forEach(states, [&]<typename T>(const char* name, std::vector<T>& own) {
      const RankLists<T> gathered = ranks->gatherTo(0, std::span<const T>(own));
      inStep([&] {
        own = {};
        for (std::size_t rank = 0; rank < parts.size() && ranks->isRoot(); ++rank)
          CellStates::forEach(parts[rank], [&]<typename U>(const char* part, std::vector<U>& values) {
            if constexpr (std::is_same_v<T, U>)
              if (std::string_view(part) == name) {
                const std::span<const T> ofRank = gathered.of(static_cast<int>(rank));
                values.assign(ofRank.begin(), ofRank.end());
              }
          });
      });
    });
    if (!ranks->isRoot())
      return {};
    states = merged(network, *shares, parts);
  }
  junctions->addTo(states, network.junctions.size());
  return states;
}

Checkpoint Simulation::checkpoint(bool withResults) const
{
  const auto task = lead(RankSimulations::kCheckpoint);
  return makeCheckpoint(withResults);
}

Checkpoint Simulation::makeCheckpoint(bool withResults) const
{
  const std::vector<ValueOrder> orders = ordersOf(false);
  const std::uint64_t deliveredByAll = countDelivered();
  const CellStates states = gatherStates(orders);
  std::vector<StoredEvent> events;
  std::vector<PointNeuronState::Values> values;
  inStep([&] {
    events = waitingEvents();
    for (const PointNeuronState& state : pointStates)
      values.push_back(state.values);
  });
  if (isSplit()) {
    events = ranks->gatherTo(0, std::span<const StoredEvent>(events)).items;
    values = ranks->gatherTo(0, std::span<const PointNeuronState::Values>(values)).items;
    if (!ranks->isRoot())
      return {};
  }
  std::ranges::sort(events, {}, [](const StoredEvent& e) { return std::tuple(e.time, e.target, e.weight); });

  Checkpoint result = {.time = time(), .bytes = {}};
  Writer writer(result.bytes);
  writer.put(kFormat, fingerprintOf(false));
  writer.put("step", step);
  writer.put("delivered", deliveredByAll);
  CellStates::forEach(states, [&](const char* name, const auto& each) { writer.put(name, each); });
  writer.put("events", events);
  writer.put("point neurons", values);
  const std::vector<std::uint64_t> trains(nextOfTrain.begin(), nextOfTrain.end());
  writer.put("trains", trains);
  writer.put("adjusted conductances", adjusted.conductance);
  writer.put("adjusted factors", std::array<double, 2>{adjusted.stimuli, adjusted.weights});
  writer.put("adjusted temperature", adjusted.celsius ? std::vector<double>{*adjusted.celsius} : std::vector<double>{});
  const std::uint64_t spikes = all.size();
  writer.put("spikes", spikes);
  writer.put("with results", static_cast<std::uint8_t>(withResults));
  if (withResults) {
    std::vector<std::uint32_t> cellsOfSpikes;
    std::vector<double> times;
    for (const Spike& spike : this->spikes()) { // in an order that no epoch changes
      cellsOfSpikes.push_back(spike.cell);
      times.push_back(spike.time);
    }
    writer.put("cells of spikes", cellsOfSpikes);
    writer.put("times of spikes", times);
    writer.put("first steps", firstSteps);
    for (const std::vector<double>& records : recorded)
      writer.put("records", records);
  }
  return result;
}

/// The events on their way to this rank, in no order.
std::vector<Simulation::StoredEvent> Simulation::waitingEvents() const
{
  // By block and its synapses; those of a block stand in the network's order.
  std::vector<std::vector<std::uint64_t>> synapsesOf(pending.size());
  for (std::size_t synapse = 0; synapse < network.synapses.size(); ++synapse)
    if (const PlaceInBlocks place = cells->placeOfSynapse(synapse); place.block != kNothing)
      synapsesOf[place.block].push_back(synapse);
  std::vector<StoredEvent> events;
  for (std::size_t block = 0; block < pending.size(); ++block)
    for (const PendingEvent& event : pending[block])
      events.push_back({event.time, event.weight, synapsesOf[block][event.synapse]});
  const std::uint64_t firstPoint = network.synapses.size() + ownPointNeurons().begin;
  for (std::size_t k = 0; k < pointEvents.size(); ++k)
    for (const Event& event : pointEvents[k])
      events.push_back({event.time, event.weight, firstPoint + k});
  return events;
}

/// Takes the states out of the bytes of a checkpoint; what is left are its results. On rank 0 it is made sure that they
/// are of this network.
Simulation::State Simulation::readState(std::span<const std::byte>& bytes) const
{
  Reader reader(bytes);
  State state;
  state.isFirstFormat = reader.isNext(kFirstFormat);
  const auto print = reader.takeOne<std::uint64_t>(state.isFirstFormat ? kFirstFormat : kFormat);
  if (ranks->isRoot() && print != fingerprintOf(state.isFirstFormat))
    refuse("is of another network, or of other parameters");
  state.step = reader.takeOne<std::int64_t>("step");
  state.delivered = reader.takeOne<std::uint64_t>("delivered");
  forEachWhole(network, ordersOf(state.isFirstFormat), state.cells,
               [&]<typename T>(const char* name, std::vector<T>& values, std::size_t count) {
                 values = reader.take<T>(name, count);
               });
  state.events = reader.take<StoredEvent>("events");
  state.pointNeurons = reader.take<PointNeuronState::Values>("point neurons", network.pointNeurons.size());
  state.trains = reader.take<std::uint64_t>("trains", nextOfTrain.size());
  state.adjustments.conductance = reader.take<double>("adjusted conductances");
  const auto factors = reader.takeOne<std::array<double, 2>>("adjusted factors");
  state.adjustments.stimuli = factors[0];
  state.adjustments.weights = factors[1];
  if (const auto celsius = reader.take<double>("adjusted temperature"); !celsius.empty())
    state.adjustments.celsius = celsius[0];
  requireSound(state);
  bytes = reader.rest();
  return state;
}

/// Refuses numbers from which no simulation goes on.
void Simulation::requireSound(const State& state) const
{
  constexpr double kMostSteps = 0x1p53; // which a double still tells apart
  const auto isStep = [](double steps) { return steps >= 0 && steps < kMostSteps; };
  if (!isStep(static_cast<double>(state.step)))
    refuse("is of a time that no simulation reaches");
  const StepRules how = rules();
  const double now = static_cast<double>(state.step) * how.dt;
  CellStates::forEach(state.cells, [](const char* name, const auto& values) {
    if (!std::ranges::all_of(values, [](auto value) { return std::isfinite(static_cast<double>(value)); }))
      refuse("has a number among its " + std::string(name) + " that is none");
  });
  for (const StoredEvent& event : state.events) {
    if (event.target >= network.synapses.size() + network.pointNeurons.size())
      refuse("has an event for a synapse that is not there");
    const bool isOfSynapse = event.target < network.synapses.size();
    if (!isStep(event.time / how.dt) || !std::isfinite(event.weight) ||
        (isOfSynapse ? stepOf(event.time, how) < state.step : event.time < now))
      refuse("has an event of a time that is over, or of none");
  }
  for (const auto& [level, since, readyAt] : state.pointNeurons)
    if (!std::isfinite(level) || !std::isfinite(readyAt) || !(since >= 0 && since <= now))
      refuse("has a point neuron without a level");
}

/// Of a state whose time is that of a run: to count the spikes takes the longer the later it is.
void Simulation::requireTrains(const State& state) const
{
  const double now = static_cast<double>(state.step) * parameters.timeStep;
  const std::vector<std::size_t> sizes = draws.sizes(network.trains, now);
  for (std::size_t train = 0; train < state.trains.size(); ++train)
    if (state.trains[train] > sizes[train])
      refuse("has more spikes of a train than there are");
}

void Simulation::restore(const Checkpoint& from)
{
  // All is read before anything changes.
  std::span<const std::byte> bytes = from.bytes;
  const State state = readState(bytes);
  if (from.time != static_cast<double>(state.step) * parameters.timeStep)
    refuse("is of another time than it says");
  requireTrains(state);
  requireAdjustable(state.adjustments);
  Reader reader(bytes);
  const auto spikes = reader.takeOne<std::uint64_t>("spikes");
  std::vector<Spike> newSpikesSoFar;
  std::vector<std::int64_t> newFirstSteps = firstSteps;
  Records newRecords = recorded;
  if (reader.takeOne<std::uint8_t>("with results") != 0) {
    const auto cellsOfSpikes = reader.take<std::uint32_t>("cells of spikes", spikes);
    const auto times = reader.take<double>("times of spikes", spikes);
    const double now = static_cast<double>(state.step) * parameters.timeStep;
    for (std::size_t k = 0; k < spikes; ++k) {
      if (cellsOfSpikes[k] >= neurons() || !(times[k] >= 0 && times[k] <= now + parameters.timeStep))
        refuse("has a spike of a cell that is not there, or of a time that is none");
      newSpikesSoFar.push_back({cellsOfSpikes[k], times[k]});
    }
    const auto stored = reader.take<std::int64_t>("first steps");
    if (stored.size() > newFirstSteps.size())
      refuse("records " + std::to_string(stored.size()) + " probes, which are not there");
    std::ranges::copy(stored, newFirstSteps.begin());
    for (std::size_t probe = 0; probe < stored.size(); ++probe) {
      newRecords[probe] = reader.take<double>("records");
      if (stored[probe] < 0 || stored[probe] > state.step ||
          std::ssize(newRecords[probe]) != state.step - stored[probe])
        refuse("has records of other steps than it says");
    }
  } else {
    if (spikes > all.size())
      refuse("is of a later time than this simulation, and has no spikes of its own");
    newSpikesSoFar.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(spikes));
  }
  if (!reader.rest().empty())
    refuse("has more than belongs to it");

  const auto task = lead(RankSimulations::kRestore);
  if (isLead())
    ranks->broadcastFrom(0, std::span<const std::byte>(from.bytes).first(from.bytes.size() - bytes.size()));
  inStep([] {}); // the others read it too
  apply(state);
  all = std::move(newSpikesSoFar);
  firstSteps = std::move(newFirstSteps);
  recorded = std::move(newRecords);
  for (std::size_t probe = 0; probe < recorded.size(); ++probe) {
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(0, step - firstSteps[probe]));
    if (recorded[probe].size() > kept)
      recorded[probe].resize(kept);
    firstSteps[probe] = std::min(firstSteps[probe], step);
  }
}

void Simulation::joinRestore()
{
  const std::vector<std::byte> whole = ranks->broadcastFrom(0, std::span<const std::byte>());
  std::optional<State> state;
  inStep([&] {
    std::span<const std::byte> bytes = whole;
    state = readState(bytes);
  });
  apply(*state);
}

void Simulation::apply(const State& state)
{
  apply(state.adjustments);
  inStep([&] {
    const std::vector<ValueOrder> orders = ordersOf(state.isFirstFormat);
    cells->setStates(network, orders, state.cells);
    junctions->setStates(state.cells);
    step = state.step;
    gatheredStep = step;
    for (std::vector<double>& record : recorded)
      record.clear();
    deliveredEvents = ranks->isRoot() ? state.delivered : 0; // by all so far
    const StepRules how = rules();
    for (std::vector<PendingEvent>& each : pending)
      each.clear();
    for (std::vector<Event>& each : pointEvents)
      each.clear();
    const ShareRange points = ownPointNeurons();
    for (const StoredEvent& event : state.events) {
      if (event.target >= network.synapses.size()) {
        const std::uint64_t neuron = event.target - network.synapses.size();
        if (points.holds(neuron))
          pointEvents[neuron - points.begin].push_back({event.time, 0, event.weight});
        continue;
      }
      const PlaceInBlocks place = cells->placeOfSynapse(event.target);
      if (place.block != kNothing)
        pending[place.block].push_back({event.time, stepOf(event.time, how), place.index, event.weight});
    }
    for (std::size_t k = 0; k < pointStates.size(); ++k)
      pointStates[k].values = state.pointNeurons[points.begin + k];
    nextOfTrain.assign(state.trains.begin(), state.trains.end());
    const double now = static_cast<double>(step) * parameters.timeStep;
    draws.takeBack(network.trains, now);
    drawTrains(now);
  });
}

} // namespace hinesight::simulation
