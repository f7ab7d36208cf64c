#include "hines/branch/open_block.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hinesight::hines::detail {

Profile profileOf(const DependencyTree& tree)
{
  Profile profile;
  addTo(profile, tree, tree.level);
  return profile;
}

void addTo(Profile& profile, const DependencyTree& tree, std::span<const std::int32_t> levelOf)
{
  for (std::size_t k = 0; k < tree.branches(); ++k) {
    const auto level = static_cast<std::size_t>(levelOf[k]);
    if (level >= profile.size())
      profile.resize(level + 1);
    ++profile[level].branches;
    profile[level].longest = std::max(profile[level].longest, tree.length[k]);
  }
}

std::int64_t slotsOf(const Profile& profile)
{
  std::int64_t slotCount = 0;
  for (const LevelUse& level : profile)
    slotCount += std::int64_t{level.branches} * level.longest;
  return slotCount;
}

bool OpenBlock::fits(const Profile& cell, std::int32_t blockSize) const
{
  if (content.empty())
    return true;
  if (overfull)
    return false;
  std::int64_t slotCount = 0;
  for (std::size_t l = 0; l < std::max(cell.size(), levels.size()); ++l) {
    const LevelUse mine = l < levels.size() ? levels[l] : LevelUse{};
    const LevelUse more = l < cell.size() ? cell[l] : LevelUse{};
    const std::int32_t branches = mine.branches + more.branches;
    if (branches > blockSize)
      return false;
    slotCount += std::int64_t{branches} * std::max(mine.longest, more.longest);
  }
  return slotCount <= std::numeric_limits<std::int32_t>::max();
}

void OpenBlock::add(std::uint32_t cell, std::uint32_t shape, const Profile& profileOfCell, std::int32_t blockSize)
{
  content.add(cell, shape);
  levels.resize(std::max(levels.size(), profileOfCell.size()));
  for (std::size_t l = 0; l < profileOfCell.size(); ++l) {
    levels[l].branches += profileOfCell[l].branches;
    levels[l].longest = std::max(levels[l].longest, profileOfCell[l].longest);
    overfull = overfull || levels[l].branches > blockSize;
  }
}

std::size_t PackingBuilder::SequenceHash::operator()(const std::vector<std::uint32_t>& sequence) const
{
  std::uint64_t hash = sequence.size();
  for (const std::uint32_t shape : sequence) {
    hash = (hash ^ shape) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

void PackingBuilder::close(BlockCells&& block)
{
  if (block.empty())
    return;
  const auto known = sequenceOf.find(block.shapes);
  std::uint32_t sequence = 0;
  if (known == sequenceOf.end()) {
    sequence = static_cast<std::uint32_t>(packing.sequences.size());
    packing.sequences.push_back(block.shapes);
    packing.branchLevels.push_back(std::move(block.branchLevels));
    sequenceOf.emplace(std::move(block.shapes), sequence);
  } else {
    sequence = known->second;
  }
  packing.blocks.push_back({sequence, packing.cellOrder.size()});
  packing.cellOrder.insert(packing.cellOrder.end(), block.cells.begin(), block.cells.end());
}

std::vector<std::size_t> largestFirst(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes)
{
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return shapes[groups[a].shape].compartment.size() > shapes[groups[b].shape].compartment.size();
  });
  return order;
}

} // namespace hinesight::hines::detail
