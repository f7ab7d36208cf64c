#pragma once

#include "core/fields.hpp"
#include "core/kept_ranks.hpp"
#include "core/run_control.hpp"
#include "io/file_stamp.hpp"
#include "io/networks/stored_network.hpp"
#include "synapse/formation/formation.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace hinesight::study {

/// Where neurons come from: placed at random, or read from a file.
struct NeuronSource
{
  synapse::PlacementParameters placement = {};
  std::uint64_t seed = 1;                    ///< of the placement
  std::string path = {};                     ///< of a file of neurons; empty: at random
  std::string nodes = {};                    ///< where that is a SONATA file: its population; empty: the only one
  std::string network = {};                  ///< of a file whose synapses these neurons have; empty: they are formed
  std::vector<std::string> populations = {}; ///< of a circuit that `given` are, one after another
  /// In place of a file and of random places; null where there are no populations, or where these are not placed yet.
  std::shared_ptr<const synapse::NeuronPopulation> given = {};

  bool operator==(const NeuronSource&) const = default;
};

/// The seed is not among them: it is that of what is made of the neurons.
template <typename Visitor>
void visitFields(NeuronSource& s, Visitor&& visit)
{
  visit(
      Field{.name = "neuron-file", .label = "Neurons", .help = "A file of neurons; empty: they are placed at random."},
      s.path);
  visit(Field{.name = "nodes", .label = "Nodes", .help = "The population of a SONATA file; empty: the only one."}.when(
            !s.path.empty()),
        s.nodes);
  visit(Field{.name = "network",
              .label = "Synapses",
              .help = "A file whose synapses these neurons have; empty: they are formed."},
        s.network);
  visit(Field{.name = "populations",
              .label = "Populations",
              .help = "Names of populations of the circuit that the neurons are; none: they are of no circuit."}
            .when(s.path.empty()),
        s.populations);
  visit(FieldGroup{"placement", "Neurons", "", "Who can form synapses."}.when(s.path.empty()), s.placement);
}

/// "E, I": the populations of a circuit that the neurons are.
std::string populationsInWords(const NeuronSource& source);

/// Neurons, and one connectivity update of them.
struct FormationRequest
{
  NeuronSource source;
  synapse::FormationParameters formation;

  bool operator==(const FormationRequest&) const = default;
};

template <typename Visitor>
void visitFields(FormationRequest& r, Visitor&& visit)
{
  visit(FieldGroup{"source", "Neurons", "", "Who can form synapses."}, r.source);
  visit(FieldGroup{"formation", "Formation", "", "With which elements they do, and how."}, r.formation);
}

/// What was formed or read.
struct FormationResult
{
  std::shared_ptr<const synapse::Formation> formation;
  std::shared_ptr<const io::StoredNetwork> stored; ///< what a file held; null: the synapses were formed
  std::string file;                                ///< it
  /// That the neurons were read from, or the populations that they are; empty: placed at random.
  std::string neuronFile;
  std::string left; ///< what of it was not read (io::leftBehind); empty: nothing
};

enum class NetworkPart
{
  Everything,
  Neurons
};

/// Writes what was formed or read by the ending of the path. Throws as io::writeNetwork and io::writeNeuronPopulation.
void exportNetwork(const FormationResult& result, const std::string& path, NetworkPart part, const RunControl& control);

/// Places or reads neurons and forms or reads their synapses; what was read is kept until its source changes, or the
/// file. What it took to read a network is the stage "read" of the run that read it. Not thread-safe: one thread uses
/// it at a time. GPUs that form together stay so for the next run.
class FormationStudy
{
public:
  /// Throws as makeNeurons, io::leftBehind, io::readNetwork, io::requireNeuronsOf, ranksFor and synapse::formSynapses.
  FormationResult run(const FormationRequest& request, const RunControl& control);

private:
  void makeSource(const NeuronSource& wanted, const RunControl& control);
  std::shared_ptr<const synapse::Formation> formationOfFile(const synapse::FormationParameters& parameters,
                                                            const RunControl& control) const;
  std::shared_ptr<const synapse::Formation> formedHere(const synapse::FormationParameters& parameters,
                                                       const RunControl& control);

  NeuronSource source;
  std::array<io::FileStamp, 2> files; ///< of neurons and network
  std::shared_ptr<const io::StoredNetwork> stored;
  std::string leftInFile; ///< as FormationResult::left
  double reading = 0;     ///< ms that the newest run took to read the network and its neurons; 0: they were kept
  std::shared_ptr<const synapse::NeuronPopulation> population;
  std::shared_ptr<KeptRanks> gpus; ///< of the newest run; null: one, or the CPU
};

/// The neurons alone. Throws Error(BadParameter) where they are of populations that are not placed, and as
/// synapse::makeRandomPopulation and io::readNeuronPopulation.
std::shared_ptr<const synapse::NeuronPopulation> makeNeurons(const NeuronSource& source, const RunControl& control);

/// The synapses of a file as if they had just been formed: what they sought is the elements that they hold, so that the
/// kernel's expectation is that of axons which choose anew among all dendrites with synapses (or dendrites among axons,
/// in an inverse search). Throws Error(BadParameter) for a network of more neurons than there are, Error(BadFormat) for
/// more synapses of a pair or a neuron than can be counted, Error(Cancelled).
std::shared_ptr<synapse::Formation> formationOf(std::shared_ptr<const synapse::NeuronPopulation> population,
                                                const io::StoredNetwork& stored,
                                                const synapse::FormationParameters& parameters, const std::string& file,
                                                const RunControl& control);

/// The neurons that belong to a network file: the file itself where it holds them (SONATA with nodes, a folder of
/// RELeARN), else a file beside it that is named alike, "positions", "neurons" or "nodes" in place of "in_network",
/// "out_network", "network" or "edges", else one that is called just so. Empty: there is none. Opens SONATA files.
std::string neuronsBeside(const std::string& network);

} // namespace hinesight::study
