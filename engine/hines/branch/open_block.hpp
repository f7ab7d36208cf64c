#pragma once

#include "hines/branch/pack.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hinesight::hines::detail {

/// What a shape, or a block, has on a level.
struct LevelUse
{
  std::int32_t branches = 0;
  std::int32_t longest = 0;
};

/// Level after level.
using Profile = std::vector<LevelUse>;

Profile profileOf(const DependencyTree& tree);

/// Adds the branches of a tree, each on the level that `levelOf` has for it.
void addTo(Profile& profile, const DependencyTree& tree, std::span<const std::int32_t> levelOf);

/// Slots that the layout of such a block needs.
std::int64_t slotsOf(const Profile& profile);

/// What a block has, cell by cell.
struct BlockCells
{
  std::vector<std::uint32_t> cells;
  std::vector<std::uint32_t> shapes;
  std::vector<BranchLevels> branchLevels;

  bool empty() const { return cells.empty(); }

  void add(std::uint32_t cell, std::uint32_t shape, BranchLevels levels = nullptr)
  {
    cells.push_back(cell);
    shapes.push_back(shape);
    branchLevels.push_back(std::move(levels));
  }
};

/// A block while it is filled, every branch on the level of its tree.
class OpenBlock
{
public:
  /// Whether every level has a lane for each branch of both and the slots of the layout can be numbered; an empty block
  /// takes any cell.
  bool fits(const Profile& cell, std::int32_t blockSize) const;
  void add(std::uint32_t cell, std::uint32_t shape, const Profile& profileOfCell, std::int32_t blockSize);

  BlockCells takeCells() { return std::move(content); }

private:
  BlockCells content;
  Profile levels;
  bool overfull = false; ///< one cell needs more lanes than there are
};

/// Takes blocks as they are closed and finds those that are alike.
class PackingBuilder
{
public:
  /// The shapes of a block must tell the levels of its branches.
  void close(BlockCells&& block);
  Packing finish() { return std::move(packing); }

private:
  struct SequenceHash
  {
    std::size_t operator()(const std::vector<std::uint32_t>& sequence) const;
  };

  Packing packing;
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, SequenceHash> sequenceOf;
};

/// The groups by falling compartments of a cell: the order of first fit.
std::vector<std::size_t> largestFirst(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes);

/// Blocks that first fit keeps open: looking at the newest ones only keeps it linear.
constexpr std::size_t kOpenBlocks = 64;

} // namespace hinesight::hines::detail
