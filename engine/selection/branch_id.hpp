#pragma once

#include <compare>
#include <cstdint>

namespace hinesight::selection {

/// A branch of a batch: a cell and a branch of its dependency tree as the file has it (hines::SolvePlan::asRead). cell
/// -1: nothing.
struct BranchId
{
  std::int32_t cell = -1;
  std::int32_t branch = -1;

  bool isNull() const { return cell < 0 || branch < 0; }
  bool operator==(const BranchId&) const = default;
  auto operator<=>(const BranchId&) const = default;
};

} // namespace hinesight::selection
