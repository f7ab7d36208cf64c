#pragma once

#include "app/cells/open_cell.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hinesight::app {

/// The cells that are open, in their order. To find one takes as long among many as among few.
class OpenCells
{
public:
  const std::vector<OpenCell>& all() const { return cells; }
  int size() const { return static_cast<int>(cells.size()); }
  const OpenCell& operator[](int row) const { return cells[static_cast<std::size_t>(row)]; }
  /// To be changed; its id and its key stay.
  OpenCell& at(int row) { return cells[static_cast<std::size_t>(row)]; }
  /// To be changed in any way, before a cell is looked for.
  std::vector<OpenCell>& change();

  /// By the id of its source; -1: there is none.
  int rowOf(std::uint64_t id) const;
  int rowOfKey(std::uint64_t key) const;

private:
  void number() const;

  std::vector<OpenCell> cells;
  // Made when a cell is looked for.
  mutable bool isNumbered = false;
  mutable std::unordered_map<std::uint64_t, int> rowsOfIds;
  mutable std::unordered_map<std::uint64_t, int> rowsOfKeys;
};

} // namespace hinesight::app
