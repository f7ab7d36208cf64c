#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "widgets/octree_content.hpp"
#include "widgets/synapse_figures.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace hinesight::app {

/// Where neurons come from: placed at random, or read from a file.
struct NeuronSource
{
  std::uint32_t neurons = 10'000;
  double spacing = 26;   ///< um, edge of the cell of each neuron
  double excitatory = 1; ///< share, 0 to 1
  std::uint64_t seed = 1;
  std::string path; ///< of a positions file; empty: at random

  bool operator==(const NeuronSource&) const = default;
};

/// Neurons, and one connectivity update of them.
struct FormationRequest
{
  NeuronSource source;
  synapse::FormationParameters formation;

  bool operator==(const FormationRequest&) const = default;
};

/// What was formed, with what the window shows of it.
struct FormationOutcome
{
  widgets::OctreeContent content;
  widgets::DistanceFigure distances; ///< without the kernel's expectation

  const synapse::Formation* formation() const { return content.formation.get(); }
};

/// Neurons or synapses to write, by the ending of the path.
struct NetworkExportRequest
{
  std::shared_ptr<const synapse::Formation> formation;
  std::string path;
  bool neuronsOnly = false;
};

/// Throws as io::writeNetwork and io::writeNeuronPopulation.
void exportNetwork(const NetworkExportRequest& request, const RunControl& control);

/// Places or reads neurons and forms synapses; neurons are kept until their source changes. Not thread-safe: one thread
/// uses it at a time.
class FormationPipeline
{
public:
  /// Throws as synapse::makeRandomPopulation, io::readNeuronPopulation and synapse::formSynapses.
  FormationOutcome run(const FormationRequest& request, const RunControl& control);

private:
  NeuronSource source;
  std::shared_ptr<const synapse::NeuronPopulation> population;
  std::shared_ptr<const widgets::NeuronCloud> cloud;
};

/// Throws as synapse::makeRandomPopulation and io::readNeuronPopulation.
std::shared_ptr<const synapse::NeuronPopulation> makeNeurons(const NeuronSource& source, const RunControl& control);

} // namespace hinesight::app
