#pragma once

#include "app/cells/open_cell.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hinesight::app {

/// Cells that were closed, as they were read, so that a step that is undone shows them at once: the newest ones, up to
/// an eighth of the memory that is available. Cells that were not read are not kept.
class RemovedCells
{
public:
  void keep(const std::vector<OpenCell>& closed);
  /// The cell of that file, which is not kept any more.
  std::optional<OpenCell> take(const std::string& path);
  void clear() { all.clear(); }

private:
  struct Kept
  {
    OpenCell cell;
    std::uint64_t number; ///< the newest have the highest
  };
  std::unordered_map<std::string, Kept> all; ///< by files
  std::uint64_t last = 0;
};

} // namespace hinesight::app
