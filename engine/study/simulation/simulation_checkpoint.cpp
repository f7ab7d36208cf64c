#include "study/simulation/simulation_checkpoint.hpp"

#include "core/check_sum.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// A checkpoint: a line that names the format, then the parameters as lines of text, "name=text", the sum of the network
// without spike times of sources, time, the sum of these times before it, and bytes of the simulation
// (engine/simulation/checkpoint.cpp), each with its size before it, and a check sum of all before. Numbers are as the
// machine has them (little-endian). In the first format there is one sum of the network, with all times.

namespace hinesight::study {

namespace {

static_assert(std::endian::native == std::endian::little);

namespace fs = std::filesystem;
using simulation::Network;

constexpr std::string_view kFirstFormat = "Hinesight simulation checkpoint 1\n";
constexpr std::string_view kFormat = "Hinesight simulation checkpoint 2\n";
static_assert(kFirstFormat.size() == kFormat.size());
constexpr std::string_view kAnyFormat = "Hinesight simulation checkpoint ";

class Writer
{
public:
  template <typename Number>
  void number(Number value)
  {
    static_assert(std::is_arithmetic_v<Number>);
    content.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void bytes(const void* first, std::size_t size)
  {
    number(std::uint64_t{size});
    content.append(static_cast<const char*>(first), size);
  }

  std::string content{kFormat};
};

/// Reads what Writer wrote; what ends too early is damaged.
class Reader
{
public:
  Reader(std::string_view content, const fs::path& file) : rest(content), path(file) {}

  template <typename Number>
  Number number()
  {
    Number value{};
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string_view bytes()
  {
    const auto size = number<std::uint64_t>();
    return {take(size), size};
  }
  bool atEnd() const { return rest.empty(); }
  [[noreturn]] void fail() const
  {
    throw Error(ErrorCode::BadFormat, "is a damaged checkpoint; go on from another one, or start a new run",
                path.string());
  }

private:
  const char* take(std::size_t size)
  {
    if (size > rest.size())
      fail();
    const char* const begin = rest.data();
    rest.remove_prefix(size);
    return begin;
  }

  std::string_view rest;
  const fs::path& path;
};

/// The file without format and check sum, both of which are right.
std::string_view requireWhole(std::string_view content, const fs::path& path)
{
  const bool isKnown = content.starts_with(kFormat) || content.starts_with(kFirstFormat);
  if (content.starts_with(kAnyFormat) && !isKnown)
    throw Error(ErrorCode::BadFormat,
                "is a checkpoint of another version of this program; go on with that version, or start a new run",
                path.string());
  if (!isKnown)
    throw Error(ErrorCode::BadFormat,
                "is no checkpoint of a simulation; choose one that 'hinesight-cli simulate' wrote", path.string());
  std::uint64_t sum = 0;
  if (content.size() < kFormat.size() + sizeof sum)
    Reader({}, path).fail();
  const std::size_t end = content.size() - sizeof sum;
  std::memcpy(&sum, content.data() + end, sizeof sum);
  if (sum != checkSum(content.substr(0, end)))
    Reader({}, path).fail();
  return content.substr(kFormat.size(), end - kFormat.size());
}

/// Adds numbers and texts to a sum. What is added is taken apart by its members, so that a new one is not forgotten.
class Summer
{
public:
  std::uint64_t sum = checkSum({});

  template <typename... Values>
  void add(const Values&... values)
  {
    (one(values), ...);
  }
  template <typename Item, typename Add>
  void each(const std::vector<Item>& items, Add&& addItem)
  {
    one(std::uint64_t{items.size()});
    for (const Item& item : items)
      addItem(item);
  }

private:
  template <typename Value>
  void one(const Value& value)
  {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>)
      sum = checkSum({reinterpret_cast<const char*>(&value), sizeof value}, sum);
    else if constexpr (std::is_same_v<Value, std::string>) {
      one(std::uint64_t{value.size()});
      sum = checkSum(value, sum);
    } else
      each(value, [this](const auto& item) { one(item); });
  }
};

void addProgram(Summer& to, const expression::Program& program)
{
  to.add(program.count);
  for (int k = 0; k < program.count; ++k) {
    const auto& [operation, variable, number] = program.instructions[k];
    to.add(operation, variable, number);
  }
}

/// What a user's table says.
void addMechanism(Summer& to, const cell::Mechanism& mechanism)
{
  to.add(mechanism.name);
  to.each(mechanism.channels, [&](const cell::ChannelUse& each) {
    const auto& [kind, carrier, reversal, table] = each;
    to.add(kind, carrier, reversal);
    if (table)
      to.each(table->gates, [&](const cell::TableGate& gate) {
        const auto& [first, second, form, power] = gate;
        addProgram(to, first);
        addProgram(to, second);
        to.add(form, power);
      });
  });
}

void addModel(Summer& to, const cell::CellModel& model)
{
  const auto& [sections, parent, area, resistance, section, longestSegment] = model.cut;
  to.add(parent, area, resistance, section);
  to.each(sections, [&](const cell::Section& each) { to.add(each.type, each.segments, each.firstNode); });
  const auto& [celsius, startPotential, junctionPotential, regions, densities, painted, mechanisms] = model.biophysics;
  to.add(celsius, startPotential);
  for (const auto& [type, region] : regions) {
    const auto& [capacitance, resistivity, sodium, potassium] = region;
    to.add(type, capacitance, resistivity, sodium, potassium);
  }
  const auto addPlaces = [&](const std::vector<cell::NodeShare>& places) {
    to.each(places, [&](const cell::NodeShare& place) { to.add(place.node, place.share); });
  };
  to.each(densities, [&](const cell::Density& each) {
    const auto& [mechanism, type, parameters, places] = each;
    to.add(mechanism, type, parameters);
    if (type == cell::kPlaced) // those of types have none
      addPlaces(places);
  });
  if (!painted.empty())
    to.each(painted, [&](const cell::PaintedValue& each) {
      const auto& [what, value, places] = each;
      constexpr cell::Region kNumbered{.capacitance = 0, .resistivity = 1, .sodiumReversal = 2, .potassiumReversal = 3};
      to.add(kNumbered.*what, value);
      addPlaces(places);
    });
  for (const auto& own : mechanisms.own())
    addMechanism(to, *own);
}

void addConnections(Summer& to, const Network& network, bool withTrains)
{
  to.each(network.synapses, [&](const simulation::Synapse& each) {
    const auto& [cell, node, tau1, tau2, reversal, magnesium] = each;
    to.add(cell, node, tau1, tau2, reversal, magnesium);
  });
  to.each(network.pointNeurons, [&](const simulation::PointNeuron& each) {
    const auto& [tau, refractory] = each;
    to.add(tau, refractory);
  });
  if (withTrains)
    to.add(network.trains);
  else
    to.add(std::uint64_t{network.trains.size()});
  to.each(network.connections, [&](const simulation::Connection& each) {
    const auto& [source, target, weight, delay] = each;
    to.add(source, target, weight, delay);
  });
  to.each(network.junctions, [&](const simulation::GapJunction& each) {
    const auto& [a, b, conductance] = each;
    to.add(a.cell, a.node, b.cell, b.node, conductance);
  });
}

void addStimuli(Summer& to, const Network& network)
{
  to.each(network.steps, [&](const simulation::CurrentStep& each) {
    const auto& [cell, node, amplitude, delay, duration] = each;
    to.add(cell, node, amplitude, delay, duration);
  });
  to.each(network.sinusoids, [&](const simulation::SinusoidCurrent& each) {
    const auto& [cell, node, amplitude, frequency, phase, offset, delay, duration] = each;
    to.add(cell, node, amplitude, frequency, phase, offset, delay, duration);
  });
  to.each(network.noises, [&](const simulation::NoiseCurrent& each) {
    const auto& [cell, node, mean, deviation, tau, delay, duration, seed] = each;
    to.add(cell, node, mean, deviation, tau, delay, duration, seed);
  });
  to.each(network.clamps, [&](const simulation::VoltageClamp& each) {
    const auto& [cell, node, levels, seriesResistance, delay] = each;
    to.add(cell, node, seriesResistance, delay);
    to.each(levels, [&](const auto& level) { to.add(level.potential, level.duration); });
  });
}

/// Which settings a checkpoint has otherwise, as "dt 0.1 instead of 0.025".
std::string differences(const std::vector<Setting>& kept, const std::vector<Setting>& wanted)
{
  std::string text;
  for (const Setting& each : wanted)
    for (const Setting& other : kept)
      if (other.name == each.name && other.text != each.text)
        text += (text.empty() ? "" : ", ") + each.name + " " + other.text + " instead of " + each.text;
  return text;
}

std::uint64_t sumOf(const Network& network, bool withTrains)
{
  Summer sum;
  sum.each(network.models, [&](const auto& model) { addModel(sum, *model); });
  sum.add(network.modelOf);
  sum.each(network.detectors, [&](const simulation::Detector& each) { sum.add(each.node, each.threshold); });
  addConnections(sum, network, withTrains);
  addStimuli(sum, network);
  sum.each(network.probes, [&](const simulation::Probe& each) {
    const auto& [cell, node, quantity, channel, state] = each;
    sum.add(cell, node, quantity, channel, state);
  });
  return sum.sum;
}

/// Of the spikes of sources before a time, ms: what the simulation has taken.
std::uint64_t sumOfTrains(const std::vector<std::vector<double>>& trains, double time)
{
  Summer sum;
  sum.each(trains, [&](const std::vector<double>& train) {
    sum.add(std::vector<double>(train.begin(), std::ranges::lower_bound(train, time)));
  });
  return sum.sum;
}

[[noreturn]] void refuseNetwork(const fs::path& path)
{
  throw Error(ErrorCode::BadParameter,
              "is the checkpoint of another network; name the files and options that it was made with, or start a new "
              "run",
              path.string());
}

bool isOfFirstFormat(const fs::path& path)
{
  std::string begin(kFirstFormat.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kFirstFormat;
}

} // namespace

NetworkSum checkSumOf(const Network& network, double stop, const fs::path& toRead)
{
  NetworkSum sum{.withoutTrains = sumOf(network, false)};
  if (isOfFirstFormat(toRead)) {
    Network listed = network;
    simulation::TrainDraws(network.poisson).draw(listed.trains, stop);
    sum.whole = sumOf(listed, true);
  }
  return sum;
}

void writeSimulationCheckpoint(const simulation::Simulation& simulation,
                               const simulation::SimulationParameters& parameters, const NetworkSum& network,
                               const fs::path& path)
{
  Writer file;
  const std::string lines = linesOf(settingsOf(scienceOf(fieldsOf(parameters))));
  file.bytes(lines.data(), lines.size());
  file.number(network.withoutTrains);
  const simulation::Checkpoint state = simulation.checkpoint(true);
  file.number(state.time);
  file.number(sumOfTrains(simulation.trains(), state.time));
  file.bytes(state.bytes.data(), state.bytes.size());
  file.number(checkSum(file.content));
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream.write(file.content.data(), static_cast<std::streamsize>(file.content.size()));
  });
}

void readSimulationCheckpoint(simulation::Simulation& simulation, const simulation::SimulationParameters& parameters,
                              const NetworkSum& network, double latest, const fs::path& path)
{
  const std::string content = readFile(path);
  const bool isOfFirstFormat = content.starts_with(kFirstFormat);
  Reader file(requireWhole(content, path), path);
  const std::string other = differences(settingsOfLines(file.bytes()), settingsOf(scienceOf(fieldsOf(parameters))));
  if (!other.empty())
    throw Error(ErrorCode::BadParameter,
                "is the checkpoint of a simulation with " + other + "; repeat the options that it was made with",
                path.string());
  const auto sum = file.number<std::uint64_t>();
  simulation::Checkpoint state;
  state.time = file.number<double>();
  const std::uint64_t trains = isOfFirstFormat ? 0 : file.number<std::uint64_t>();
  const auto bytes = std::as_bytes(std::span(file.bytes()));
  if (!file.atEnd() || !(state.time >= 0))
    file.fail();
  if (sum != (isOfFirstFormat ? network.whole : network.withoutTrains))
    refuseNetwork(path);
  if (state.time > latest + parameters.timeStep / 2)
    throw Error(ErrorCode::BadParameter, "is at " + textOf(state.time) + " ms already; choose a later end of the run",
                path.string());
  // To draw them takes the longer the later the time is.
  if (!isOfFirstFormat && trains != sumOfTrains(simulation.trainsBefore(state.time), state.time))
    refuseNetwork(path);
  state.bytes.assign(bytes.begin(), bytes.end());
  try {
    simulation.restore(state);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::BadFormat)
      throw;
    throw Error(ErrorCode::BadFormat, "is a damaged checkpoint. " + error.message(), path.string());
  }
}

} // namespace hinesight::study
