#pragma once

#include "model/project.hpp"
#include "study/projection/population_choice.hpp"

#include <map>
#include <string>
#include <vector>

namespace hinesight::app {

class PopulationPanel;

/// Infinite where only a file says so.
double countNeurons(const study::PopulationChoice& choice);

/// The populations of the panel, as a project has them, and back.
class CircuitPopulations
{
public:
  /// The window begins with those that the panel has now.
  explicit CircuitPopulations(const PopulationPanel* panel);

  /// Of a project with these cells, which are open.
  std::vector<model::Population> inProject(const std::vector<model::Cell>& cells) const;
  /// As the panel has it.
  study::PopulationChoice choiceOf(const model::Population& population) const;
  /// Of the population of that name; 0 where there is none.
  double neuronsOf(const std::string& name) const;
  /// The names of those that a person made, as far as pages may begin with them unasked; else none.
  std::vector<std::string> own() const;

private:
  const PopulationPanel* panel;
  std::vector<study::PopulationChoice> untouched; ///< that the window begins with
  /// By their names: populations whose neurons an opened table holds.
  mutable std::map<std::string, study::PopulationChoice> ofTables;
};

} // namespace hinesight::app
