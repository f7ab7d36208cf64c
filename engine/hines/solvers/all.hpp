#pragma once

#include <vector>

namespace hinesight::hines {

class SolverDefinition;

namespace detail {
/// Those of all.cpp, in their order.
std::vector<const SolverDefinition*> builtInSolvers();
} // namespace detail

} // namespace hinesight::hines
