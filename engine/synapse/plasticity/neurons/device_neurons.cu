#include "synapse/plasticity/neurons/device_neurons.cuh"

#include <utility>

namespace hinesight::synapse::detail {

using cuda::Buffer;
using cuda::check;

namespace {

template <typename T>
std::vector<T> downloaded(const Buffer<T>& buffer)
{
  std::vector<T> host(buffer.size());
  buffer.download(host.data());
  return host;
}

/// A bit each, 32 to a word.
std::vector<std::uint32_t> packed(const std::vector<std::uint8_t>& flags)
{
  std::vector<std::uint32_t> words((flags.size() + 31) / 32);
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

template <typename T>
void copyOnDevice(Buffer<T>& to, const T* from, std::size_t count)
{
  cuda::grow(to, count);
  if (count > 0)
    check(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToDevice), "keep the network");
}

} // namespace

DeviceNeurons::DeviceNeurons(const ModelSetup& setup, const NeuronState& s)
    : potential(s.membrane), recovery(s.recovery), fired(packed(s.fired)),
      calcium(s.calcium), grown{Buffer<double>(s.grown[0]), Buffer<double>(s.grown[1]), Buffer<double>(s.grown[2])},
      connected{Buffer<std::uint32_t>(s.connected[0]), Buffer<std::uint32_t>(s.connected[1]),
                Buffer<std::uint32_t>(s.connected[2])},
      delta{Buffer<double>(s.delta[0]), Buffer<double>(s.delta[1]), Buffer<double>(s.delta[2])},
      isInhibitory(setup.population->isInhibitory), area(setup.population->area), stimuli(setup.stimuli),
      commonTarget(setup.parameters.calciumTarget), backgrounds(setup.backgrounds)
{
  if (setup.ownTargets)
    target = Buffer<double>(s.target);
  if (setup.staticNetwork.synapses.empty())
    return;
  const StaticLists lists = staticLists(setup);
  staticOffset = Buffer<std::uint64_t>(lists.offset);
  staticTarget = Buffer<std::uint32_t>(lists.target);
  staticUnits = Buffer<std::int64_t>(lists.units);
}

NeuronsView DeviceNeurons::view()
{
  return {static_cast<std::uint32_t>(potential.size()),
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
  const std::size_t count = potential.size();
  return {downloaded(potential),
          downloaded(recovery),
          unpacked(downloaded(fired), count),
          downloaded(calcium),
          target.size() > 0 ? downloaded(target) : std::vector<double>(count, commonTarget),
          someDisabled ? downloaded(enabled) : std::vector<std::uint8_t>(count, 1),
          {downloaded(grown[0]), downloaded(grown[1]), downloaded(grown[2])},
          {downloaded(connected[0]), downloaded(connected[1]), downloaded(connected[2])},
          {downloaded(delta[0]), downloaded(delta[1]), downloaded(delta[2])}};
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
