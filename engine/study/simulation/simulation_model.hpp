#pragma once

#include "core/run_control.hpp"
#include "model/project.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_request.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::projection {
class Population;
}

namespace hinesight::study {

struct SimulatedPairs;

/// Where a cell stands: its points are turned about z, then y, then x (SONATA), then moved.
struct CellPlace
{
  std::array<double, 3> position{}; ///< µm
  std::array<double, 3> angles{};   ///< rad, about x, y and z
};

/// What a file holds that can be simulated.
enum class ModelFileKind
{
  None,
  Cell,         ///< by itself: a fit, or a component of Arbor
  Configuration ///< of a circuit
};
/// By what a file says; None where it cannot be read. A circuit without a simulation is none.
ModelFileKind modelFileKind(const std::filesystem::path& file);

/// What is open to be simulated.
struct SimulationModel
{
  SimulationRequest request;
  std::string title;             ///< of the cell or the circuit
  bool isSingleCell = false;     ///< with the current of the request
  CircuitSimulation circuit;     ///< without probes
  std::vector<CellPlace> places; ///< of the cells; empty: the files do not say
  /// Of the populations of a session, where they are; empty: it is of files.
  std::vector<std::shared_ptr<const projection::Population>> neurons;
  /// Of files, where the nodes of each population are: x, y and z of all of them, µm; empty: the files do not say.
  std::vector<std::array<std::vector<double>, 3>> positions;
  std::shared_ptr<const SimulatedPairs> pairs;
  simulation::SimulationParameters usual; ///< those of the request, as far as the files say nothing
  double stop = 1000;                     ///< ms
  bool hasStop = false;                   ///< whether the files say it
  /// What the populations are called by now, where that is not what the circuit calls them: another name makes no other
  /// run. Of the thread that shows the model.
  std::shared_ptr<std::vector<std::string>> names = std::make_shared<std::vector<std::string>>();

  bool isOfProject() const { return request.file == kCircuitOfProject; }
  std::size_t compartments() const;
  const std::string& populationName(std::size_t place) const;
  /// "cell 3 of \"internal\"": as people know it. Point neurons come after the cells.
  std::string nameOf(std::uint32_t neuron) const;
};

/// Reads all that the request names. `project`: whose circuit it may be; where it does not say how it is simulated, as
/// usual. Throws as buildSimulation and buildSingleCell.
SimulationModel openModel(const SimulationRequest& request, const model::Project& project = {},
                          const RunControl& control = {});

/// A model that comes with the program.
struct SampleModel
{
  std::string path; ///< no file: ":/samples/NAME"
  std::string title;
  std::string help; ///< a sentence
};
std::vector<SampleModel> sampleModels();

} // namespace hinesight::study
