#pragma once

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"
#include "hines/branch/rooting.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// Lists of children in one array: those of node k are child[begin[k]] ... child[begin[k + 1] - 1], in the order of
/// their own numbers.
struct Children
{
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> child;

  std::span<const std::int32_t> of(std::int32_t node) const
  {
    return std::span(child).subspan(static_cast<std::size_t>(begin[node]),
                                    static_cast<std::size_t>(begin[node + 1] - begin[node]));
  }
};

Children childrenOf(std::span<const std::int32_t> parent, const RunControl& control);

/// The branches of a rooted forest, breadth first: maximal runs of compartments, each ending at a compartment with no
/// child or several.
PlannedShape buildShape(const Rooting& rooting, std::uint32_t batchShape, const RunControl& control);

} // namespace hinesight::hines::detail
