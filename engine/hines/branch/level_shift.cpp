#include "hines/branch/level_shift.hpp"

#include "hines/branch/branching.hpp"
#include "hines/pulse.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <utility>

namespace hinesight::hines::detail {

std::vector<std::int32_t> heightsOf(const DependencyTree& tree, const RunControl& control)
{
  std::vector<std::int32_t> heights(tree.branches(), 0);
  Pulse pulse(control);
  for (std::size_t k = tree.branches(); k-- > 0;) {
    pulse.tick();
    if (tree.parent[k] >= 0)
      heights[tree.parent[k]] = std::max(heights[tree.parent[k]], heights[k] + 1);
  }
  return heights;
}

namespace {

/// A branch whose parent has its level.
struct ReadyBranch
{
  std::int32_t height = 0;
  std::int32_t length = 0;
  std::int32_t branch = 0;

  /// The longest way to a tip first, then the longest branch, so that levels have branches of like length.
  bool operator<(const ReadyBranch& other) const
  {
    if (height != other.height)
      return height < other.height;
    if (length != other.length)
      return length < other.length;
    return branch > other.branch;
  }
};

} // namespace

std::optional<std::vector<std::int32_t>> placeBranches(const DependencyTree& tree,
                                                       std::span<const std::int32_t> heights, const Profile& used,
                                                       std::int32_t blockSize, const RunControl& control)
{
  // What the block would be without shifts: it has the levels, and the steps of each.
  Profile unshifted(used.begin(), used.end());
  addTo(unshifted, tree, tree.level);
  const auto levels = static_cast<std::int32_t>(unshifted.size());
  const Children children = childrenOf(tree.parent, control);
  std::vector<std::int32_t> levelOf(tree.branches());
  std::priority_queue<ReadyBranch> ready;
  const auto add = [&](std::int32_t branch) { ready.push({heights[branch], tree.length[branch], branch}); };
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(tree.branches()) && tree.parent[k] < 0; ++k)
    add(k);

  Pulse pulse(control);
  std::vector<std::int32_t> placed;
  std::vector<ReadyBranch> tooLong;
  for (std::int32_t level = 0; level < levels && !ready.empty(); ++level) {
    const auto l = static_cast<std::size_t>(level);
    const std::int32_t lanes = blockSize - (l < used.size() ? used[l].branches : 0);
    placed.clear();
    tooLong.clear();
    // A level does not look beyond as many long branches as a block has lanes: those that wait for long may be many.
    while (!ready.empty() && static_cast<std::int32_t>(placed.size()) < lanes &&
           static_cast<std::int32_t>(tooLong.size()) < blockSize) {
      pulse.tick();
      const ReadyBranch next = ready.top();
      ready.pop();
      if (next.length > unshifted[l].longest) {
        tooLong.push_back(next);
        continue;
      }
      placed.push_back(next.branch);
      levelOf[next.branch] = level;
    }
    for (const ReadyBranch& waits : tooLong)
      ready.push(waits);
    if (!ready.empty() && level + 1 + ready.top().height >= levels)
      return std::nullopt;
    for (const std::int32_t branch : placed)
      for (const std::int32_t child : children.of(branch))
        add(child);
  }
  return levelOf;
}

namespace {

/// The beginnings of blocks as a tree: each node adds a cell to its parent's cells.
class BlockBeginnings
{
public:
  using Node = std::size_t;
  static constexpr Node kEmpty = 0;

  BlockBeginnings(std::span<const PlannedShape> plannedShapes, std::int32_t lanes, const RunControl& runControl)
      : shapes(plannedShapes), blockSize(lanes), control(runControl), heights(plannedShapes.size()), nodes(1)
  {}

  /// The block with one more cell; nothing where the cell does not fit.
  std::optional<Node> with(Node block, std::uint32_t shape)
  {
    const auto [known, isNew] = next.try_emplace({block, shape});
    if (isNew)
      known->second = extend(block, shape);
    return known->second;
  }

  /// The levels of the cell that was added last; null where they are those of its tree.
  const BranchLevels& levelsOfLast(Node block) const { return nodes[block].levelOf; }

private:
  struct Beginning
  {
    Profile profile;
    BranchLevels levelOf;
    bool isOverfull = false; ///< one cell needs more lanes than there are
  };

  std::optional<Node> extend(Node block, std::uint32_t shape)
  {
    control.checkpoint();
    if (nodes[block].isOverfull)
      return std::nullopt;
    const DependencyTree& tree = shapes[shape].tree;
    if (heights[shape].empty())
      heights[shape] = heightsOf(tree, control);
    auto placed = placeBranches(tree, heights[shape], nodes[block].profile, blockSize, control);
    Beginning beginning{nodes[block].profile, nullptr, !placed};
    if (!placed && block != kEmpty)
      return std::nullopt;
    const std::vector<std::int32_t>& levelOf = placed ? *placed : tree.level;
    addTo(beginning.profile, tree, levelOf);
    if (block != kEmpty && slotsOf(beginning.profile) > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    if (levelOf != tree.level)
      beginning.levelOf = std::make_shared<const std::vector<std::int32_t>>(std::move(*placed));
    nodes.push_back(std::move(beginning));
    return nodes.size() - 1;
  }

  std::span<const PlannedShape> shapes;
  std::int32_t blockSize;
  const RunControl& control;
  std::vector<std::vector<std::int32_t>> heights; ///< per shape, once it is asked for
  std::vector<Beginning> nodes;
  std::map<std::pair<Node, std::uint32_t>, std::optional<Node>> next;
};

} // namespace

Packing packShifted(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes, std::int32_t blockSize,
                    const RunControl& control)
{
  BlockBeginnings beginnings(shapes, blockSize, control);
  PackingBuilder builder;
  BlockCells cells;
  BlockBeginnings::Node block = BlockBeginnings::kEmpty;
  for (const CellGroup& group : groups)
    for (const std::uint32_t cell : group.cells) {
      control.checkpoint();
      std::optional<BlockBeginnings::Node> extended = beginnings.with(block, group.shape);
      if (!extended) {
        builder.close(std::move(cells));
        cells = {};
        extended = beginnings.with(BlockBeginnings::kEmpty, group.shape);
      }
      block = *extended;
      cells.add(cell, group.shape, beginnings.levelsOfLast(block));
    }
  builder.close(std::move(cells));
  return builder.finish();
}

} // namespace hinesight::hines::detail
