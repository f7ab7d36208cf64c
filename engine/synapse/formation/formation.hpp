#pragma once

#include "core/devices_field.hpp"
#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/formation/network.hpp"
#include "synapse/octree/octree.hpp"
#include "synapse/search/random_keys.hpp"
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
  std::vector<Setting> origin = {}; ///< how they were placed, or the file that they are from: "positions"

  std::size_t size() const { return position.size(); }
};

/// Neurons at random places.
struct PlacementParameters
{
  std::size_t neurons = 10'000;
  double spacing = 26;   ///< um
  double excitatory = 1; ///< share, 0 to 1

  bool operator==(const PlacementParameters&) const = default;
};

template <typename Visitor>
void visitFields(PlacementParameters& p, Visitor&& visit)
{
  visit(Field{.name = "neurons",
              .label = "Neurons",
              .range = from(1, kMostNeurons),
              .slider = {100, 1e6, true},
              .help = "How many neurons there are.",
              .detail = "A cube is divided into that many cells. Each has a neuron at a random point (RELeARN).",
              .section = {"Neurons", "Who can form synapses, with which elements."}},
        p.neurons);
  visit(Field{.name = "spacing",
              .label = "Spacing",
              .unit = "µm",
              .range = above(0, 1e9),
              .slider = {1, 1000, true},
              .help = "Edge of each neuron's cell.",
              .detail = "Together with sigma it decides how many neurons a synapse can choose from. RELeARN's papers "
                        "have 26 µm."},
        p.spacing);
  visit(Field{.name = "excitatory",
              .label = "Excitatory",
              .range = from(0, 1),
              .help = "Share of excitatory neurons.",
              .detail = "An excitatory axon seeks excitatory dendrites, an inhibitory one inhibitory ones."},
        p.excitatory);
}

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
  std::int32_t devices = 1; ///< GPUs that share the search, 0: all
  bool keepsTree = true;    ///< the octree and what was sought: for views; without, CUDA need not download them

  bool operator==(const FormationParameters&) const = default;
};

template <typename Visitor>
void visitFields(FormationParameters& p, Visitor&& visit)
{
  visit(Field{.name = "axons",
              .label = "Axons",
              .range = from(1, kMostElements),
              .slider = {1, 20},
              .help = "Vacant axonal elements of each neuron.",
              .detail = "Each of them searches for a partner of its own."},
        p.axons);
  visit(Field{.name = "dendrites",
              .label = "Dendrites",
              .range = from(1, kMostElements),
              .slider = {1, 20},
              .help = "Vacant dendritic elements of each neuron, of each sign.",
              .detail = "Where more axons choose a neuron than it has elements, chance decides which are refused."},
        p.dendrites);
  visit(kSearchGroup, p.search);
  visit(Field{.name = "step",
              .label = "Step",
              .range = from(0, 4294967295.0),
              .slider = {0, 1000},
              .help = "Step of the simulation. Another step draws other random numbers.",
              .section = {"Search"}},
        p.step);
  visit(Field{.name = "backend",
              .label = "Backend",
              .help = "Where synapses are formed; neurons and files are made on the CPU.",
              .detail = "Both give the same network.",
              .section = {"Compute", "Where synapses are formed."},
              .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 32},
              .special = {0, "all"},
              .help = "Threads of the processor.",
              .concern = Concern::Machine},
        p.threads);
  visit(devicesField("GPUs of this machine that share the search.",
                     "Each has the tree and searches for a part of the axons, and they exchange what they found. Fewer "
                     "than 500,000 neurons are connected on one; the device's name says so.")
            .when(p.backend == Backend::Cuda),
        p.devices);
  visit(Field{.name = "keep-tree",
              .label = "Keep the octree",
              .help = "Keep the octree and the elements that sought partners, to look at them.",
              .concern = Concern::Picture},
        p.keepsTree);
}

/// Throws as validateFields.
void validate(const FormationParameters& parameters);

struct Formation
{
  FormationParameters parameters;
  std::shared_ptr<const NeuronPopulation> population;
  std::shared_ptr<const Octree> tree;           ///< null where it is not kept, or no rank has it whole
  std::array<VacantElements, kChannels> sought; ///< that the search saw; empty where there is no tree
  Network network;
  std::uint64_t vacantAxons = 0; ///< before
  std::uint64_t requests = 0;
  double meanDistance = 0; ///< of the new synapses, um
  StageTimings timings;    ///< "tree", "vacant", "search", "resolve", "edges"; on CUDA also "upload", "download", of
                           ///< several GPUs "exchange"
};

/// Split among ranks where there are some (currentRanks), each with a GPU on CUDA, which are then the devices of the
/// timings; the same bytes on any number. Who wants `devices` has the ranks for them (ranksOfGpus). Throws
/// as validate, Error(NoDevice), Error(OutOfMemory), Error(Cancelled), Error(DeviceFailure).
std::shared_ptr<const Formation> formSynapses(std::shared_ptr<const NeuronPopulation> population,
                                              const FormationParameters& parameters, const RunControl& control = {});

} // namespace hinesight::synapse
