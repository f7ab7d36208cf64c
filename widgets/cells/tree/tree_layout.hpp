#pragma once

#include "hines/branch/plan.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// Where the branches of a dependency tree lie in a drawing. Across: columns, one branch is at most one column wide.
/// Down: compartments, each level is a row as high as its longest branch, rows are `rowGap` apart, branches hang from
/// the top of their row.
struct TreeLayout
{
  std::vector<double> x;               ///< per branch: its middle, columns; the leftmost branch is at 0.5
  std::vector<double> rowTop;          ///< per level, compartments
  std::vector<std::int32_t> rowHeight; ///< per level: compartments of its longest branch
  double width = 0;                    ///< columns
  double height = 0;                   ///< compartments, gaps between rows included
  double rowGap = 0;                   ///< compartments

  /// What the levels cost one after another: the sum of the rows' heights, elimination steps.
  std::int64_t steps() const;
};

/// A tidy drawing (Reingold and Tilford 1981, for any number of children): siblings from left to right by falling
/// compartments of their subtrees, a parent centred over its children, equal subtrees drawn alike, neighbours of a row
/// at least one column apart. Linear in branches but for the ordering of siblings; no recursion.
TreeLayout layOutTree(const hines::DependencyTree& tree, double rowGap);

/// Per level: compartments of its longest branch.
std::vector<std::int32_t> longestOfLevels(const hines::DependencyTree& tree);

/// Per branch: compartments of it and of everything below it.
std::vector<std::int64_t> subtreeCompartments(const hines::DependencyTree& tree);

/// The branches of the path from a root to a tip that has the most compartments, root first; empty for an empty tree.
std::vector<std::int32_t> criticalPath(const hines::DependencyTree& tree);

/// Branch lengths and levels of a tree before its branches were cut: pieces of one uncut branch taken together.
struct UncutBranches
{
  std::vector<std::int32_t> level;  ///< per uncut branch: branch steps from the root
  std::vector<std::int32_t> length; ///< per uncut branch: compartments
  std::vector<std::int32_t> top;    ///< per uncut branch: its first piece, a branch of the tree
};

UncutBranches joinPieces(const hines::DependencyTree& tree);

} // namespace hinesight::widgets
