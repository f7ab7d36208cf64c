#pragma once

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::hines::detail {

/// A forest hung from chosen roots, in the compartment numbers of its HinesSystem.
struct Rooting
{
  std::vector<std::int32_t> parent;         ///< -1 at a root; not ordered: a parent may have the greater number
  std::vector<std::int32_t> couplingSource; ///< compartment whose u couples it with its parent; -1 at a root
};

/// The roots of the file.
Rooting rootAsRead(const std::vector<std::int32_t>& parent);

/// Each tree hung from the compartment that is best under `measure`: Branches, the fewest levels, among those the
/// shortest critical path; Compartments, the shortest critical path, among those the fewest levels. Where the root of
/// the file is as good as any it stays; other ties go to the lowest number. Linear in compartments.
Rooting rootBalanced(const std::vector<std::int32_t>& parent, BalanceMeasure measure, const RunControl& control);

} // namespace hinesight::hines::detail
