#include "hines/solvers/edd/edd_execution.hpp"

namespace hinesight::hines {

namespace {

std::size_t append(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& values)
{
  const std::size_t begin = to.size();
  to.insert(to.end(), values.begin(), values.end());
  return begin;
}

} // namespace

EddTables::EddTables(const EddPlan& plan) : units(plan.units)
{
  for (const EddShape& shape : plan.shapes) {
    shapes.push_back({levels.size(), shape.depth()});
    std::size_t slotCount = 0;
    std::size_t contributions = 0;
    for (const EddLevel& level : shape.levels) {
      levels.push_back({level.pieceCount(), level.rows, slotCount, contributions, pieces.size(),
                        append(numbers, level.rowBegin), append(numbers, level.contributionBegin)});
      pieces.insert(pieces.end(), level.pieces.begin(), level.pieces.end());
      slotCount += static_cast<std::size_t>(level.rows);
      contributions += static_cast<std::size_t>(level.contributions);
    }
    levels.push_back({0, shape.restRows(), slotCount, contributions, pieces.size(), append(numbers, shape.restParent),
                      append(numbers, shape.restContributionBegin)});
  }
}

} // namespace hinesight::hines
