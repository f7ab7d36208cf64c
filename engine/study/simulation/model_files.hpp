#pragma once

#include "cell/cell_model.hpp"
#include "io/sonata/simulation_configuration.hpp"
#include "io/sonata/type_table.hpp"
#include "simulation/network.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::study {

/// How synapses of a type of edges work.
struct SynapseKind
{
  struct Receptor
  {
    double tau1 = 0;      ///< ms
    double tau2 = 2;      ///< ms
    double reversal = 0;  ///< mV
    double magnesium = 0; ///< mM
    double share = 1;     ///< of the weight, uS
  };

  std::vector<Receptor> receptors; ///< all get the same events; none at a point neuron
  double sign = 1;                 ///< of the weights of point neurons
  bool isJunction = false;         ///< a gap junction
};

/// The models of a circuit's types of nodes and edges, each read once.
class ModelFiles
{
public:
  /// Reads the mechanisms of a user's own in the folder of the circuit. Throws as readMechanismFolder.
  explicit ModelFiles(const io::SimulationConfiguration& configuration);

  /// The model of cells of a type. Throws Error(BadFormat) for a template, a processing or a mechanism that is not
  /// known, and as readFile.
  std::shared_ptr<const cell::CellModel> cellOf(const io::TypeTable& types, std::int64_t type);
  /// A point neuron of a type; its file has seconds.
  simulation::PointNeuron pointNeuronOf(const io::TypeTable& types, std::int64_t type) const;
  /// The synapses of a type of edges; to point neurons their weights have a sign alone.
  SynapseKind synapseOf(const io::TypeTable& types, std::int64_t type, const std::string& typesFile);

  /// What of the files is not honoured.
  const std::vector<std::string>& notes() const { return said; }

private:
  struct CellFiles
  {
    std::filesystem::path model, morphology;
    bool isNeuroMl;
    cell::AxonPolicy axon;

    auto operator<=>(const CellFiles&) const = default;
  };

  CellFiles filesOf(const io::TypeTable& types, std::int64_t type) const;

  const io::SimulationConfiguration& config;
  cell::MechanismCatalogue mechanisms;
  std::map<CellFiles, std::shared_ptr<const cell::CellModel>> cells;
  std::vector<std::string> said;
};

/// The value of a type in a table; empty where it is "NULL" or "NONE" as well.
std::string typeValue(const io::TypeTable& types, std::int64_t type, const char* column);

} // namespace hinesight::study
