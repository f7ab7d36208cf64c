#pragma once

#include "cell/cell_model.hpp"
#include "io/sonata/simulation_configuration.hpp"
#include "model/project.hpp"
#include "morphology/morphology.hpp"
#include "simulation/network.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::study {

/// What a model's membrane is made of. Of a fit, as its file says. All four types of sections have pas, with no
/// conductance where nothing says one. Throws Error(BadParameter) that names the model and the mechanism or the
/// parameter that is not known or out of range, and as io::readAllenFit. What of a fit is not honoured is added to
/// `notes`.
cell::Biophysics biophysicsOf(const model::NeuronModel& model, std::vector<std::string>& notes);

/// The SWC types of a part of a cell.
std::vector<std::int32_t> typesOf(model::Sections sections);

cell::AxonPolicy axonOf(const model::NeuronModel& model);

/// The models of the cells of a project that is simulated: one for each pair of a cell and a model, in the order in
/// which populations name them.
class SessionCells
{
public:
  /// `morphologies`: of each cell of the project, µm. Throws as above and as cell::cutIntoSections.
  SessionCells(const model::Project& project,
               std::span<const std::shared_ptr<const morphology::Morphology>> morphologies);

  struct Entry
  {
    std::size_t cell;  ///< of the project
    std::size_t model; ///< of the project
    std::shared_ptr<const cell::CellModel> made;
  };

  const std::vector<Entry>& entries() const { return all; }
  /// Which entry the neurons of a population's k-th cell are; of populations whose neurons are cells with models.
  std::size_t entryOf(std::size_t population, std::size_t cellOfPool) const { return ofPool[population][cellOfPool]; }
  const std::vector<std::string>& notes() const { return said; }

private:
  std::vector<Entry> all;
  std::vector<std::vector<std::size_t>> ofPool; ///< per population
  std::vector<std::string> said;
};

/// What the neurons of a population are when it is simulated.
enum class SimulatedKind : std::uint8_t
{
  Cells,
  PointNeurons,
  Trains ///< without a model: they spike as stimuli say
};
SimulatedKind kindOf(const model::Project& project, const model::Population& population);

/// Why the neurons of its population, as they are simulated, cannot have it, in a sentence; empty: they can. Which
/// names there are is what model::validate looks at.
std::string misfitOf(const model::Project& project, const model::Stimulus& stimulus);
std::string misfitOf(const model::Project& project, const model::ProbeRequest& probe);

} // namespace hinesight::study
