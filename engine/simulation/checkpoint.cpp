#include "core/error.hpp"
#include "core/fields.hpp"
#include "simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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

  bool atEnd() const { return left.empty(); }

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

/// An event to a synapse or point neuron of the network.
struct StoredEvent
{
  double time;
  double weight;
  std::uint64_t target;
};

constexpr std::string_view kFormat = "hinesight simulation 2";      // values of cells by node
constexpr std::string_view kFirstFormat = "hinesight simulation 1"; // by rounds of elimination

std::vector<ValueOrder> ordersOf(const std::vector<CompiledCell>& models, bool isFirstFormat)
{
  std::vector<ValueOrder> orders;
  for (const CompiledCell& model : models)
    orders.push_back(isFirstFormat ? model.orderByRounds() : model.orderByNode());
  return orders;
}

} // namespace

/// Of all that a checkpoint has to fit to: FNV-1a over sizes and parameters.
std::uint64_t Simulation::fingerprint(std::span<const ValueOrder> orders) const
{
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (value >> (8 * byte) & 0xff)) * 0x100000001b3u;
  };
  add(network.cells());
  for (const std::uint32_t model : network.modelOf)
    add(model);
  const std::vector<CompiledCell>& models = cells->blocks().models;
  for (std::size_t k = 0; k < models.size(); ++k) {
    add(models[k].nodes());
    add(models[k].states);
    for (const std::uint32_t place : orders[k].v) {
      add(std::bit_cast<std::uint64_t>(models[k].rows[place].capacitance));
      add(std::bit_cast<std::uint64_t>(models[k].rows[place].coupling));
    }
  }
  for (const Way& way : ways) {
    add(std::bit_cast<std::uint64_t>(way.weight));
    add(std::bit_cast<std::uint64_t>(way.delay));
  }
  add(network.synapses.size());
  add(network.trains.size());
  add(network.pointNeurons.size());
  add(std::bit_cast<std::uint64_t>(parameters.timeStep));
  add(static_cast<std::uint64_t>(parameters.scheme));
  add(static_cast<std::uint64_t>(parameters.rules));
  return hash;
}

Checkpoint Simulation::checkpoint(bool withResults) const
{
  cells->fetch();
  const Blocks& blocks = cells->blocks();
  Checkpoint result = {.time = time(), .bytes = {}};
  Writer writer(result.bytes);
  const std::vector<ValueOrder> orders = ordersOf(blocks.models, false);
  writer.put(kFormat, fingerprint(orders));
  writer.put("step", step);
  writer.put("delivered", deliveredEvents);
  const CellStates states = blocks.states(network, orders);
  CellStates::forEach(states, [&](const char* name, const auto& values) { writer.put(name, values); });

  std::vector<std::vector<std::uint64_t>> synapsesOf(blocks.blocks.size());
  for (std::size_t synapse = 0; synapse < blocks.placeOfSynapse.size(); ++synapse)
    synapsesOf[blocks.placeOfSynapse[synapse].block].push_back(synapse);
  std::vector<StoredEvent> events;
  for (std::size_t block = 0; block < pending.size(); ++block)
    for (const PendingEvent& event : pending[block])
      events.push_back({event.time, event.weight, synapsesOf[block][event.synapse]});
  for (std::size_t k = 0; k < pointEvents.size(); ++k)
    for (const Event& event : pointEvents[k])
      events.push_back({event.time, event.weight, network.synapses.size() + k});
  std::ranges::sort(events, {}, [](const StoredEvent& e) { return std::tuple(e.time, e.target, e.weight); });
  writer.put("events", events);

  std::vector<PointNeuronState::Values> values;
  for (const PointNeuronState& state : pointStates)
    values.push_back(state.values);
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
    for (const Spike& spike : all) {
      cellsOfSpikes.push_back(spike.cell);
      times.push_back(spike.time);
    }
    writer.put("cells of spikes", cellsOfSpikes);
    writer.put("times of spikes", times);
    writer.put("first steps", firstSteps);
    for (const std::vector<double>& records : results.records)
      writer.put("records", records);
  }
  return result;
}

void Simulation::restore(const Checkpoint& from)
{
  Reader reader(from.bytes);
  const bool isFirstFormat = reader.isNext(kFirstFormat);
  const std::vector<ValueOrder> orders = ordersOf(cells->blocks().models, isFirstFormat);
  if (reader.takeOne<std::uint64_t>(isFirstFormat ? kFirstFormat : kFormat) != fingerprint(orders))
    refuse("is of another network, or of other parameters");
  // All is read before anything changes.
  const auto newStep = reader.takeOne<std::int64_t>("step");
  const auto newDelivered = reader.takeOne<std::uint64_t>("delivered");
  cells->fetch();
  CellStates states = cells->blocks().states(network, orders);
  CellStates::forEach(states, [&]<typename T>(const char* name, std::vector<T>& values) {
    values = reader.take<T>(name, values.size());
  });
  const auto events = reader.take<StoredEvent>("events");
  const auto values = reader.take<PointNeuronState::Values>("point neurons", pointStates.size());
  const auto trains = reader.take<std::uint64_t>("trains", nextOfTrain.size());
  Adjustments adjustments;
  adjustments.conductance = reader.take<double>("adjusted conductances");
  const auto factors = reader.takeOne<std::array<double, 2>>("adjusted factors");
  adjustments.stimuli = factors[0];
  adjustments.weights = factors[1];
  if (const auto celsius = reader.take<double>("adjusted temperature"); !celsius.empty())
    adjustments.celsius = celsius[0];
  const auto spikes = reader.takeOne<std::uint64_t>("spikes");
  std::vector<Spike> newSpikesSoFar;
  std::vector<std::int64_t> newFirstSteps = firstSteps;
  std::vector<std::vector<double>> newRecords = results.records;
  if (reader.takeOne<std::uint8_t>("with results") != 0) {
    const auto cellsOfSpikes = reader.take<std::uint32_t>("cells of spikes", spikes);
    const auto times = reader.take<double>("times of spikes", spikes);
    for (std::size_t k = 0; k < spikes; ++k)
      newSpikesSoFar.push_back({cellsOfSpikes[k], times[k]});
    const auto stored = reader.take<std::int64_t>("first steps");
    if (stored.size() > newFirstSteps.size())
      refuse("records " + std::to_string(stored.size()) + " probes, which are not there");
    std::ranges::copy(stored, newFirstSteps.begin());
    for (std::size_t probe = 0; probe < stored.size(); ++probe)
      newRecords[probe] = reader.take<double>("records");
  } else {
    if (spikes > all.size())
      refuse("is of a later time than this simulation, and has no spikes of its own");
    newSpikesSoFar.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(spikes));
  }
  for (const StoredEvent& event : events)
    if (event.target >= network.synapses.size() + pointStates.size())
      refuse("has an event for a synapse that is not there");
  for (std::size_t train = 0; train < trains.size(); ++train)
    if (trains[train] > network.trains[train].size())
      refuse("has more spikes of a train than there are");
  if (newStep < 0)
    refuse("is of a time below 0");

  adjust(adjustments);
  cells->blocks().setStates(orders, states);
  cells->put();
  step = newStep;
  deliveredEvents = newDelivered;
  const StepRules how = rules();
  for (std::vector<PendingEvent>& each : pending)
    each.clear();
  for (std::vector<Event>& each : pointEvents)
    each.clear();
  for (const StoredEvent& event : events) {
    if (event.target >= network.synapses.size()) {
      pointEvents[event.target - network.synapses.size()].push_back({event.time, 0, event.weight});
      continue;
    }
    const PlaceInBlocks place = cells->blocks().placeOfSynapse[event.target];
    pending[place.block].push_back({event.time, stepOf(event.time, how), place.index, event.weight});
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    pointStates[k].values = values[k];
  nextOfTrain.assign(trains.begin(), trains.end());
  all = std::move(newSpikesSoFar);
  firstSteps = std::move(newFirstSteps);
  results.records = std::move(newRecords);
  for (std::size_t probe = 0; probe < results.records.size(); ++probe) {
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(0, step - firstSteps[probe]));
    if (results.records[probe].size() > kept)
      results.records[probe].resize(kept);
    firstSteps[probe] = std::min(firstSteps[probe], step);
  }
}

} // namespace hinesight::simulation
