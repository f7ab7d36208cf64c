#include "hines/pack.hpp"

#include "hines/pulse.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace hinesight::hines::detail {

namespace {

constexpr std::size_t kOpenBlocks = 64;

/// What a shape, or a block, has on each level.
struct LevelUse
{
  std::int32_t branches = 0;
  std::int32_t longest = 0;
};

using Profile = std::vector<LevelUse>;

Profile profileOf(const DependencyTree& tree)
{
  Profile profile(static_cast<std::size_t>(tree.levels()));
  for (std::size_t k = 0; k < tree.branches(); ++k) {
    LevelUse& use = profile[static_cast<std::size_t>(tree.level[k])];
    ++use.branches;
    use.longest = std::max(use.longest, tree.length[k]);
  }
  return profile;
}

/// A block while it is filled.
class OpenBlock
{
public:
  bool empty() const { return cells.empty(); }

  bool fits(const Profile& profile, std::int32_t blockSize) const
  {
    if (empty())
      return true;
    if (overfull)
      return false;
    std::int64_t slots = 0;
    for (std::size_t l = 0; l < std::max(profile.size(), levels.size()); ++l) {
      const LevelUse mine = l < levels.size() ? levels[l] : LevelUse{};
      const LevelUse more = l < profile.size() ? profile[l] : LevelUse{};
      const std::int32_t branches = mine.branches + more.branches;
      if (branches > blockSize)
        return false;
      slots += std::int64_t{branches} * std::max(mine.longest, more.longest);
    }
    return slots <= std::numeric_limits<std::int32_t>::max();
  }

  void add(std::uint32_t cell, std::uint32_t shape, const Profile& profile, std::int32_t blockSize)
  {
    cells.push_back(cell);
    shapes.push_back(shape);
    levels.resize(std::max(levels.size(), profile.size()));
    for (std::size_t l = 0; l < profile.size(); ++l) {
      levels[l].branches += profile[l].branches;
      levels[l].longest = std::max(levels[l].longest, profile[l].longest);
      overfull = overfull || levels[l].branches > blockSize;
    }
  }

  std::vector<std::uint32_t> cells;
  std::vector<std::uint32_t> shapes;

private:
  Profile levels;
  bool overfull = false; ///< one cell needs more lanes than there are
};

struct SequenceHash
{
  std::size_t operator()(const std::vector<std::uint32_t>& sequence) const
  {
    std::uint64_t hash = sequence.size();
    for (const std::uint32_t shape : sequence) {
      hash = (hash ^ shape) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// Takes blocks as they are closed and finds those that are alike.
class PackingBuilder
{
public:
  void close(OpenBlock&& block)
  {
    if (block.empty())
      return;
    const auto known = sequenceOf.find(block.shapes);
    std::uint32_t sequence = 0;
    if (known == sequenceOf.end()) {
      sequence = static_cast<std::uint32_t>(packing.sequences.size());
      packing.sequences.push_back(block.shapes);
      sequenceOf.emplace(std::move(block.shapes), sequence);
    } else {
      sequence = known->second;
    }
    packing.blocks.push_back({sequence, packing.cellOrder.size()});
    packing.cellOrder.insert(packing.cellOrder.end(), block.cells.begin(), block.cells.end());
  }

  Packing finish() { return std::move(packing); }

private:
  Packing packing;
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, SequenceHash> sequenceOf;
};

Packing packGreedily(std::span<const CellGroup> groups, std::span<const Profile> profiles, std::int32_t blockSize,
                     const RunControl& control)
{
  PackingBuilder builder;
  OpenBlock block;
  for (const CellGroup& group : groups) {
    const Profile& profile = profiles[group.shape];
    for (const std::uint32_t cell : group.cells) {
      control.checkpoint();
      if (!block.fits(profile, blockSize)) {
        builder.close(std::move(block));
        block = OpenBlock();
      }
      block.add(cell, group.shape, profile, blockSize);
    }
  }
  builder.close(std::move(block));
  return builder.finish();
}

/// A block that refuses a cell refuses every later cell of the same shape too, so a group looks at each block once.
Packing packFirstFit(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes,
                     std::span<const Profile> profiles, std::int32_t blockSize, const RunControl& control)
{
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return shapes[groups[a].shape].compartment.size() > shapes[groups[b].shape].compartment.size();
  });

  PackingBuilder builder;
  std::deque<OpenBlock> open;
  for (const std::size_t g : order) {
    const CellGroup& group = groups[g];
    const Profile& profile = profiles[group.shape];
    std::size_t candidate = 0;
    for (const std::uint32_t cell : group.cells) {
      control.checkpoint();
      while (candidate < open.size() && !open[candidate].fits(profile, blockSize))
        ++candidate;
      if (candidate == open.size()) {
        open.emplace_back();
        if (open.size() > kOpenBlocks) {
          builder.close(std::move(open.front()));
          open.pop_front();
          --candidate;
        }
      }
      open[candidate].add(cell, group.shape, profile, blockSize);
    }
  }
  for (OpenBlock& block : open)
    builder.close(std::move(block));
  return builder.finish();
}

} // namespace

Packing packCells(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes, PackStrategy strategy,
                  std::int32_t blockSize, const RunControl& control)
{
  std::vector<Profile> profiles;
  profiles.reserve(shapes.size());
  for (const PlannedShape& shape : shapes) {
    control.checkpoint();
    profiles.push_back(profileOf(shape.tree));
  }
  return strategy == PackStrategy::Greedy ? packGreedily(groups, profiles, blockSize, control)
                                          : packFirstFit(groups, shapes, profiles, blockSize, control);
}

} // namespace hinesight::hines::detail
