#include "selection/branch_set.hpp"

#include "core/text.hpp"
#include "selection/number_ranges.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::selection {

namespace {

constexpr std::string_view kOf = " of ";

} // namespace

bool BranchSet::isEmpty() const
{
  return std::ranges::find(bits, true) == bits.end();
}

std::size_t BranchSet::count() const
{
  return static_cast<std::size_t>(std::ranges::count(bits, true));
}

std::vector<std::size_t> BranchSet::members() const
{
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < bits.size(); ++row)
    if (bits[row])
      rows.push_back(row);
  return rows;
}

BranchSet& BranchSet::operator|=(const BranchSet& other)
{
  for (std::size_t row = 0; row < bits.size(); ++row)
    bits[row] = bits[row] || other.bits[row];
  return *this;
}

BranchSet& BranchSet::operator&=(const BranchSet& other)
{
  for (std::size_t row = 0; row < bits.size(); ++row)
    bits[row] = bits[row] && other.bits[row];
  return *this;
}

BranchSet& BranchSet::operator-=(const BranchSet& other)
{
  for (std::size_t row = 0; row < bits.size(); ++row)
    bits[row] = bits[row] && !other.bits[row];
  return *this;
}

BranchSet BranchSet::operator~() const
{
  BranchSet inverse = *this;
  inverse.bits.flip();
  return inverse;
}

BranchSet subtreesOf(const BranchTable& table, const BranchSet& set)
{
  BranchSet result = set;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.parent[row] >= 0 && result.has(static_cast<std::size_t>(table.parent[row])))
      result.add(row);
  return result;
}

BranchSet pathsToRoot(const BranchTable& table, const BranchSet& set)
{
  BranchSet result = set;
  for (std::size_t row = table.rows(); row-- > 0;)
    if (result.has(row) && table.parent[row] >= 0)
      result.add(static_cast<std::size_t>(table.parent[row]));
  return result;
}

BranchSet hostsOf(const BranchTable& table, const BranchSet& set)
{
  BranchSet result(table.rows());
  for (const std::size_t row : set.members())
    if (table.parent[row] >= 0)
      result.add(static_cast<std::size_t>(table.parent[row]));
  return result;
}

double totalLength(const BranchTable& table, const BranchSet& set)
{
  double sum = 0;
  for (const std::size_t row : set.members())
    if (const double length = table.at(BranchFigure::Length, row); !std::isnan(length))
      sum += length;
  return sum;
}

namespace {

/// What an expression compares `cell` with to have this one and no other: `*` stands for any text in a name.
std::string cellInWords(const BranchTable& table, std::size_t cell)
{
  const std::string& name = table.cellNames[cell];
  const bool isUnique = std::ranges::count(table.cellNames, name) == 1;
  if (!isUnique || name.find_first_of("*\"\\") != std::string::npos)
    return std::to_string(cell + 1);
  return '"' + name + '"';
}

} // namespace

std::string expressionOf(const BranchTable& table, const BranchSet& set)
{
  std::string text;
  std::size_t terms = 0;
  for (std::size_t cell = 0; cell < table.cells(); ++cell) {
    std::string numbers;
    std::size_t chosen = 0;
    for (std::size_t row = table.firstRow[cell]; row < table.firstRow[cell + 1]; ++row)
      if (set.has(row)) {
        numbers += (chosen > 0 ? ", " : "") + std::to_string(row - table.firstRow[cell] + 1);
        ++chosen;
      }
    if (chosen == 0)
      continue;
    text += std::string(terms++ > 0 ? " || " : "") + "cell == " + cellInWords(table, cell);
    if (chosen < table.firstRow[cell + 1] - table.firstRow[cell])
      text += chosen == 1 ? " && branch == " + numbers : " && branch in {" + numbers + "}";
  }
  return text;
}

std::string withinCells(const BranchTable& table, const std::string& expression, const std::vector<std::int32_t>& cells)
{
  if (cells.empty())
    return expression;
  std::string names;
  for (const std::int32_t cell : cells)
    names += (names.empty() ? "" : ", ") + cellInWords(table, static_cast<std::size_t>(cell));
  return '(' + expression + ") && cell " + (cells.size() == 1 ? "== " + names : "in {" + names + '}');
}

std::string rangesText(const std::vector<std::size_t>& numbers, std::size_t count)
{
  return rangesText(numbers) + std::string(kOf) + std::to_string(count);
}

std::vector<std::size_t> numbersOf(std::string_view ranges, std::size_t count)
{
  const std::size_t end = ranges.find(kOf);
  if (end == std::string_view::npos || numberOf<std::size_t>(ranges.substr(end + kOf.size())) != count)
    return {};
  std::vector<std::size_t> numbers;
  for (const NumberRange& range : rangesOf(ranges.substr(0, end), 1, count))
    for (std::size_t number = range.first; number <= range.last; ++number)
      numbers.push_back(number);
  return numbers;
}

} // namespace hinesight::selection
