#pragma once

#include "selection/branch_table.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::selection {

/// Rows of a BranchTable. Sets that are combined are of the same table.
class BranchSet
{
public:
  explicit BranchSet(std::size_t rows = 0) : bits(rows, false) {}

  std::size_t rows() const { return bits.size(); }
  bool has(std::size_t row) const { return bits[row]; }
  void add(std::size_t row) { bits[row] = true; }
  void remove(std::size_t row) { bits[row] = false; }
  void toggle(std::size_t row) { bits[row] = !bits[row]; }
  bool isEmpty() const;
  std::size_t count() const;
  /// Ascending.
  std::vector<std::size_t> members() const;

  BranchSet& operator|=(const BranchSet& other);
  BranchSet& operator&=(const BranchSet& other);
  BranchSet& operator-=(const BranchSet& other);
  BranchSet operator~() const;
  bool operator==(const BranchSet&) const = default;

private:
  std::vector<bool> bits;
};

inline BranchSet operator|(BranchSet a, const BranchSet& b)
{
  return a |= b;
}
inline BranchSet operator&(BranchSet a, const BranchSet& b)
{
  return a &= b;
}
inline BranchSet operator-(BranchSet a, const BranchSet& b)
{
  return a -= b;
}

/// The branches of a set and all that hang on them, up to the tips.
BranchSet subtreesOf(const BranchTable& table, const BranchSet& set);
/// The branches of a set and all that lie between them and the roots.
BranchSet pathsToRoot(const BranchTable& table, const BranchSet& set);
/// The branches that those of a set hang on.
BranchSet hostsOf(const BranchTable& table, const BranchSet& set);

/// The length of all of them, µm, without the segments that join neurites with the soma, as
/// morphology::BranchMeasures has it; branches of unknown length do not count.
double totalLength(const BranchTable& table, const BranchSet& set);

/// An expression that has exactly these branches, by cell and number: `cell == "a" && branch in {1, 5}`. Empty for an
/// empty set.
std::string expressionOf(const BranchTable& table, const BranchSet& set);

/// The expression within some cells, by their places in the table: `(type == axon) && cell in {"a", "b"}`. The
/// expression alone where no cell is given.
std::string withinCells(const BranchTable& table, const std::string& expression,
                        const std::vector<std::int32_t>& cells);

/// Numbers from 1 to `count`, ascending, as text: "2-4,7 of 31".
std::string rangesText(const std::vector<std::size_t>& numbers, std::size_t count);
/// What such a text says of as many; empty where it says it of another count, or nothing.
std::vector<std::size_t> numbersOf(std::string_view ranges, std::size_t count);

} // namespace hinesight::selection
