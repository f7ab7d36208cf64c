#pragma once

#include "model/project.hpp"
#include "selection/named_selection.hpp"

#include <map>
#include <string>
#include <vector>

namespace hinesight::app {

// Sets of cells: the window knows cells by their files, a project by their names.

/// Of the cells of a project, by their names.
std::map<std::string, std::string> filesIn(const model::Project& project);
/// The sets of a project as the window has them.
std::vector<selection::NamedSelection> setsByFiles(const model::Project& project);
/// Sets of the window as a project with these cells has them.
std::vector<selection::NamedSelection> setsByNames(const std::vector<selection::NamedSelection>& sets,
                                                   const std::vector<model::Cell>& cells);

} // namespace hinesight::app
