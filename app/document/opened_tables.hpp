#pragma once

#include "app/projection/projection_controller.hpp"
#include "model/project.hpp"
#include "study/projection/population_choice.hpp"

#include <string>
#include <vector>

namespace hinesight::app {

/// What the connection of a table is called: the name of its file, where a connection can have it.
std::string nameOfTable(const std::string& file);

/// The connection that is the whole of this file, whatever path leads to it; null: there is none.
model::Connection* findTable(model::Project& project, const std::string& file);

/// The populations of tables that were opened: those that there are, and those that are added to them.
class NewPopulations
{
public:
  using End = ProjectionController::ReadTable::End;

  explicit NewPopulations(std::vector<study::PopulationChoice> populations) : all(std::move(populations)) {}

  const std::vector<study::PopulationChoice>& added() const { return more; }
  /// Of the population with that name and as many neurons, which is added where it is not there; with a number where
  /// others have the name.
  std::string nameFor(const End& end);
  /// Whether the population of that name has as many neurons, as far as that is known before they are placed.
  bool fits(const std::string& name, const End& end) const;

private:
  std::vector<study::PopulationChoice> all;
  std::vector<study::PopulationChoice> more;
};

} // namespace hinesight::app
