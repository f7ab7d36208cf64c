#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/formation/network.hpp"
#include "synapse/octree/octree.hpp"
#include "synapse/search/search.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::synapse {

/// Neurons that can form synapses, with the vacant elements that they start with.
struct NeuronPopulation
{
  std::vector<Position> position;         ///< um
  std::vector<std::uint8_t> isInhibitory; ///< per neuron: its axons' signal type
  std::vector<std::uint32_t> area;        ///< per neuron: index into areaNames
  std::vector<std::string> areaNames = {"random"};

  std::size_t size() const { return position.size(); }
};

/// As RELeARN places neurons: a cube of ceil(N^(1/3))^3 cells of edge `spacing` um, a neuron at a uniform point of a
/// cell that nobody has; a share `excitatory` (0 to 1) of them excitatory. Throws Error(BadParameter),
/// Error(Cancelled).
std::shared_ptr<const NeuronPopulation> makeRandomPopulation(std::size_t neurons, double spacing, double excitatory,
                                                             std::uint64_t seed, const RunControl& control = {});

/// One connectivity update.
struct FormationParameters
{
  SearchParameters search;
  std::uint32_t axons = 1;     ///< vacant axonal elements of each neuron
  std::uint32_t dendrites = 1; ///< vacant dendritic elements of each neuron and channel
  std::uint32_t step = 100;    ///< keys the draws
  Backend backend = Backend::Cpu;
  int threads = 0;
  bool keepsTree = true; ///< the octree and what was sought: for views; without, CUDA need not download them

  bool operator==(const FormationParameters&) const = default;
};

void validate(const FormationParameters& parameters);

struct Formation
{
  FormationParameters parameters;
  std::shared_ptr<const NeuronPopulation> population;
  std::shared_ptr<const Octree> tree;           ///< null where it is not kept
  std::array<VacantElements, kChannels> sought; ///< that the search saw; empty where the tree is not kept
  Network network;
  std::uint64_t vacantAxons = 0; ///< before
  std::uint64_t requests = 0;
  double meanDistance = 0; ///< of the new synapses, um
  StageTimings timings;    ///< "tree", "vacant", "search", "resolve", "edges"; on CUDA also "upload", "download"
};

/// Throws as validate, Error(NoDevice), Error(OutOfMemory), Error(Cancelled), Error(DeviceFailure).
std::shared_ptr<const Formation> formSynapses(std::shared_ptr<const NeuronPopulation> population,
                                              const FormationParameters& parameters, const RunControl& control = {});

} // namespace hinesight::synapse
