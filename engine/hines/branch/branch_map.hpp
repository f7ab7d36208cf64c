#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::hines {

struct SolvePlan;

/// Per cell and compartment: the branch of SolvePlan::asRead that holds it; -1: none. Copies share it.
class BranchMap
{
public:
  BranchMap() = default;
  /// Of the first `cells` cells of the plan's batch.
  BranchMap(const SolvePlan& plan, std::size_t cells);

  std::size_t size() const { return ofCell ? ofCell->size() : 0; } ///< in cells
  bool empty() const { return size() == 0; }
  const std::vector<std::int32_t>& operator[](std::size_t cell) const { return (*ofCell)[cell]; }

private:
  std::shared_ptr<const std::vector<std::vector<std::int32_t>>> ofCell;
};

} // namespace hinesight::hines
