#pragma once

#include "model/project.hpp"

#include <string>

namespace hinesight::app {

/// What a projection from one population to another is called until a person names it: "pyr_to_inter".
std::string nameByEnds(const std::string& source, const std::string& target);

/// Whether a projection is called so, alone or with the number of a namesake: "pyr_to_inter 2".
bool isNamedByEnds(const model::Connection& connection);

} // namespace hinesight::app
