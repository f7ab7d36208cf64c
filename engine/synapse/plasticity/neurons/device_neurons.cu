#include "synapse/plasticity/neurons/device_neurons.cuh"

#include <algorithm>
#include <utility>

namespace hinesight::synapse::detail {

using cuda::Buffer;
using cuda::check;

namespace {

constexpr std::uint32_t kWord = 64; ///< neurons

/// Neurons that each rank has room for.
std::uint32_t partOf(std::size_t neurons, const cuda::DeviceExchange* exchange)
{
  const std::size_t ranks = exchange ? static_cast<std::size_t>(exchange->ranks().size()) : 1;
  const std::size_t words = (neurons + kWord - 1) / kWord;
  return static_cast<std::uint32_t>((words + ranks - 1) / ranks * kWord);
}

NeuronRange rangeOf(std::size_t neurons, const cuda::DeviceExchange* exchange)
{
  const auto count = static_cast<std::uint32_t>(neurons);
  if (!exchange)
    return {0, count};
  const std::size_t part = partOf(neurons, exchange);
  const auto rank = static_cast<std::size_t>(exchange->ranks().rank());
  return {static_cast<std::uint32_t>(std::min(neurons, rank * part)),
          static_cast<std::uint32_t>(std::min(neurons, (rank + 1) * part))};
}

/// In device memory, with room for so many.
template <typename T>
Buffer<T> uploaded(const std::vector<T>& host, std::size_t room)
{
  Buffer<T> buffer(std::max(room, host.size()));
  if (!host.empty())
    check(cudaMemcpy(buffer.data(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "upload data");
  return buffer;
}

/// A bit each, 32 to a word.
std::vector<std::uint32_t> packed(const std::vector<std::uint8_t>& flags, std::size_t room)
{
  std::vector<std::uint32_t> words(room / 32);
  for (std::size_t i = 0; i < flags.size(); ++i)
    words[i / 32] |= (flags[i] != 0 ? 1u : 0u) << (i % 32);
  return words;
}

std::vector<std::uint8_t> unpacked(const std::vector<std::uint32_t>& words, std::size_t count)
{
  std::vector<std::uint8_t> flags(count);
  for (std::size_t i = 0; i < count; ++i)
    flags[i] = words[i / 32] >> (i % 32) & 1u;
  return flags;
}

/// Those onto neurons of a range.
StaticLists listsOnto(NeuronRange targets, StaticLists all)
{
  StaticLists lists;
  lists.offset = {0};
  for (std::size_t source = 0; source + 1 < all.offset.size(); ++source) {
    for (std::uint64_t s = all.offset[source]; s < all.offset[source + 1]; ++s)
      if (targets.holds(all.target[s])) {
        lists.target.push_back(all.target[s]);
        lists.units.push_back(all.units[s]);
      }
    lists.offset.push_back(lists.target.size());
  }
  return lists;
}

template <typename T>
void copyOnDevice(Buffer<T>& to, const T* from, std::size_t count)
{
  cuda::grow(to, count);
  if (count > 0)
    check(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToDevice), "keep the network");
}

} // namespace

DeviceNeurons::DeviceNeurons(const ModelSetup& setup, const NeuronState& s, cuda::DeviceExchange* withOthers)
    : exchange(withOthers), count(static_cast<std::uint32_t>(s.membrane.size())), part(partOf(count, exchange)),
      own(rangeOf(count, exchange)), commonTarget(setup.parameters.calciumTarget)
{
  const std::size_t room = exchange ? std::size_t{part} * static_cast<std::size_t>(exchange->ranks().size()) : count;
  potential = uploaded(s.membrane, room);
  recovery = uploaded(s.recovery, room);
  fired = Buffer<std::uint32_t>(packed(s.fired, exchange ? room : part));
  calcium = uploaded(s.calcium, room);
  for (int pool = 0; pool < kPools; ++pool) {
    grown[pool] = Buffer<double>(s.grown[pool]);
    connected[pool] = Buffer<std::uint32_t>(s.connected[pool]);
    delta[pool] = uploaded(s.delta[pool], room);
  }
  isInhibitory = Buffer<std::uint8_t>(setup.population->isInhibitory);
  area = Buffer<std::uint32_t>(setup.population->area);
  stimuli = Buffer<StimulusSpan>(setup.stimuli);
  backgrounds = Buffer<Background>(setup.backgrounds);
  if (setup.ownTargets)
    target = uploaded(s.target, room);
  if (setup.staticNetwork.synapses.empty())
    return;
  const StaticLists lists = listsOnto(own, staticLists(setup));
  staticOffset = Buffer<std::uint64_t>(lists.offset);
  staticTarget = Buffer<std::uint32_t>(lists.target);
  staticUnits = Buffer<std::int64_t>(lists.units);
}

void DeviceNeurons::exchangeNumbers(Buffer<double>& numbers)
{
  exchange->allGather(numbers.data(), part * sizeof(double));
}

void DeviceNeurons::exchangeFired()
{
  exchange->allGather(fired.data(), part / 8);
}

void DeviceNeurons::exchangeDeltas()
{
  for (Buffer<double>& each : delta)
    exchangeNumbers(each);
  exchange->wait("exchange what has grown");
}

void DeviceNeurons::exchangeState()
{
  for (Buffer<double>* const each : {&potential, &recovery, &calcium, &target})
    if (each->size() > 0)
      exchangeNumbers(*each);
  exchangeDeltas();
}

NeuronsView DeviceNeurons::view()
{
  return {count,
          own,
          potential.data(),
          recovery.data(),
          fired.data(),
          calcium.data(),
          {grown[0].data(), grown[1].data(), grown[2].data()},
          {connected[0].data(), connected[1].data(), connected[2].data()},
          {delta[0].data(), delta[1].data(), delta[2].data()},
          isInhibitory.data(),
          area.data(),
          stimuli.data(),
          static_cast<std::uint32_t>(stimuli.size()),
          staticOffset.data(),
          staticTarget.data(),
          staticUnits.data(),
          target.data(),
          someDisabled ? enabled.data() : nullptr,
          backgrounds.data(),
          backgroundOf.data()};
}

NeuronState DeviceNeurons::download() const
{
  const auto numbers = [&](const auto& buffer) { return cuda::toHost(buffer, count); };
  return {numbers(potential),
          numbers(recovery),
          unpacked(cuda::toHost(fired), count),
          numbers(calcium),
          target.size() > 0 ? numbers(target) : std::vector<double>(count, commonTarget),
          someDisabled ? numbers(enabled) : std::vector<std::uint8_t>(count, 1),
          {numbers(grown[0]), numbers(grown[1]), numbers(grown[2])},
          {numbers(connected[0]), numbers(connected[1]), numbers(connected[2])},
          {numbers(delta[0]), numbers(delta[1]), numbers(delta[2])}};
}

void DeviceNeurons::setEnabled(const std::vector<std::uint8_t>* status)
{
  someDisabled = status != nullptr;
  if (status)
    enabled = Buffer<std::uint8_t>(*status);
}

void Savepoint::save(DeviceNeurons& neurons, const GraphView& graph)
{
  for (int pool = 0; pool < kPools; ++pool) {
    copyOnDevice(grown[pool], neurons.grown[pool].data(), graph.neurons);
    copyOnDevice(connected[pool], neurons.connected[pool].data(), graph.neurons);
    copyOnDevice(delta[pool], neurons.delta[pool].data(), graph.neurons);
  }
  copyOnDevice(units, graph.units, graph.pairs);
}

void Savepoint::restore(DeviceNeurons& neurons, const GraphView& graph)
{
  for (int pool = 0; pool < kPools; ++pool) {
    copyOnDevice(neurons.grown[pool], grown[pool].data(), graph.neurons);
    copyOnDevice(neurons.connected[pool], connected[pool].data(), graph.neurons);
    copyOnDevice(neurons.delta[pool], delta[pool].data(), graph.neurons);
  }
  if (graph.pairs > 0)
    check(cudaMemcpyAsync(graph.units, units.data(), graph.pairs * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice),
          "restore the network");
}

} // namespace hinesight::synapse::detail
