#include "hines/branch/branch_map.hpp"

#include "hines/branch/plan.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::hines {

BranchMap::BranchMap(const SolvePlan& plan, std::size_t cells)
{
  std::vector<std::vector<std::int32_t>> branchOf(cells);
  for (std::size_t cell = 0; cell < std::min(cells, plan.batch->shapeOf.size()); ++cell) {
    const PlannedShape& shape = plan.asRead[plan.batch->shapeOf[cell]];
    branchOf[cell].assign(shape.compartment.size(), -1);
    for (std::size_t branch = 0; branch < shape.tree.branches(); ++branch)
      for (std::int32_t k = 0; k < shape.tree.length[branch]; ++k) {
        const auto planned = static_cast<std::size_t>(shape.tree.first[branch] + k);
        branchOf[cell][static_cast<std::size_t>(shape.compartment[planned])] = static_cast<std::int32_t>(branch);
      }
  }
  ofCell = std::make_shared<const std::vector<std::vector<std::int32_t>>>(std::move(branchOf));
}

} // namespace hinesight::hines
