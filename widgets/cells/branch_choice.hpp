#pragma once

#include "selection/branch_id.hpp"
#include "widgets/pick_mode.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hinesight::widgets {

using selection::BranchId;

/// Branches, each once, in order.
class BranchIds
{
public:
  BranchIds() = default;
  explicit BranchIds(std::vector<BranchId> unordered) : ids(std::move(unordered))
  {
    if (!std::ranges::is_sorted(ids)) // those of a table are
      std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
  }

  bool has(BranchId id) const { return std::ranges::binary_search(ids, id); }
  bool hasAnyOf(std::int32_t cell) const
  {
    const auto first = std::ranges::lower_bound(ids, BranchId{cell, 0});
    return first != ids.end() && first->cell == cell;
  }
  bool isEmpty() const { return ids.empty(); }
  std::size_t size() const { return ids.size(); }
  auto begin() const { return ids.begin(); }
  auto end() const { return ids.end(); }
  bool operator==(const BranchIds&) const = default;

private:
  std::vector<BranchId> ids;
};

/// What a person chose of the branches of a scene.
struct BranchChoice
{
  BranchId current;   ///< whose figures are shown; null: of none
  BranchIds selected; ///< with `current`
  BranchIds hidden;   ///< not drawn

  bool operator==(const BranchChoice&) const = default;
};

} // namespace hinesight::widgets
