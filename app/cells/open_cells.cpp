#include "app/cells/open_cells.hpp"

namespace hinesight::app {

namespace {

int find(const std::unordered_map<std::uint64_t, int>& rows, std::uint64_t number)
{
  const auto found = rows.find(number);
  return found == rows.end() ? -1 : found->second;
}

} // namespace

std::vector<OpenCell>& OpenCells::change()
{
  isNumbered = false;
  return cells;
}

int OpenCells::rowOf(std::uint64_t id) const
{
  number();
  return find(rowsOfIds, id);
}

int OpenCells::rowOfKey(std::uint64_t key) const
{
  number();
  return find(rowsOfKeys, key);
}

void OpenCells::number() const
{
  if (isNumbered)
    return;
  rowsOfIds.clear();
  rowsOfKeys.clear();
  for (int row = 0; row < size(); ++row) {
    rowsOfIds.emplace((*this)[row].source.id, row);
    rowsOfKeys.emplace((*this)[row].key, row);
  }
  isNumbered = true;
}

} // namespace hinesight::app
