#pragma once

#include "fuzzing.hpp"
#include "io/networks/network_files.hpp"

#include <algorithm>
#include <cmath>

// What networks and neurons are that a reader gave.

namespace hinesight::fuzz {

inline void requireSound(const io::StoredNetwork& network)
{
  const std::size_t neurons = network.neurons();
  const auto isInside = [&](const auto& synapse) { return synapse.source < neurons && synapse.target < neurons; };
  const auto precedes = [](const auto& a, const auto& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  };
  require(std::ranges::all_of(network.plastic.synapses, isInside), "a synapse of a neuron that is not there");
  require(std::ranges::all_of(network.fixed, isInside), "a static synapse of a neuron that is not there");
  require(std::ranges::is_sorted(network.plastic.synapses, precedes), "synapses in another order");
  require(std::ranges::is_sorted(network.fixed, precedes), "static synapses in another order");
  for (const synapse::StaticSynapse& synapse : network.fixed)
    require(std::isfinite(synapse.weight), "a weight that is none");
}

inline void requireSound(const synapse::NeuronPopulation& population)
{
  require(population.size() > 0, "a population without neurons");
  require(population.isInhibitory.size() == population.size() && population.area.size() == population.size(),
          "columns of other sizes");
  for (const synapse::Position& position : population.position)
    for (const double coordinate : position)
      require(std::isfinite(coordinate), "a coordinate that is none");
  for (const std::uint32_t area : population.area)
    require(area < population.areaNames.size(), "an area that is not there");
}

/// What is written to that file is the same when it is read again.
inline void requireSameAgain(const io::StoredNetwork& network, const std::filesystem::path& file)
{
  constexpr std::size_t kMostNeurons = 1000; // a file may say that there are more than it has rows for
  if (network.neurons() == 0 || network.neurons() > kMostNeurons)
    return;
  synapse::NeuronPopulation population;
  population.position.resize(network.neurons());
  population.isInhibitory.resize(network.neurons());
  population.area.resize(network.neurons());
  const io::StoredNetwork again = whenAccepted([&] {
    io::writeNetwork(network, population, file);
    return io::readNetwork(file);
  });
  require(again.plastic.synapses == network.plastic.synapses && again.fixed == network.fixed,
          "other synapses when written and read again");
  require(again.step == network.step, "another step when written and read again");
}

inline void requireSameAgain(const synapse::NeuronPopulation& population, const std::filesystem::path& file)
{
  const synapse::NeuronPopulation again = whenAccepted([&] {
    io::writeNeuronPopulation(population, file);
    return io::readNeuronPopulation(file);
  });
  require(again.position == population.position && again.isInhibitory == population.isInhibitory &&
              again.area == population.area && again.areaNames == population.areaNames,
          "other neurons when written and read again");
}

} // namespace hinesight::fuzz
