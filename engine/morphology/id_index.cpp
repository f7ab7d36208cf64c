#include "morphology/id_index.hpp"

#include <algorithm>
#include <bit>

namespace hinesight::morphology {

namespace {

constexpr std::int64_t kMostSlotsPerSample = 4; // of a table by id, beyond which a hash table is smaller

/// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, figure 16): ids in any pattern spread evenly.
std::uint64_t spread(std::int64_t id)
{
  auto bits = static_cast<std::uint64_t>(id);
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

} // namespace

IdIndex::IdIndex(const std::vector<std::int64_t>& sampleIds) : ids(sampleIds)
{
  if (ids.empty())
    return;
  const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
  lowest = *least;
  highest = *most;
  const auto samples = static_cast<std::int64_t>(ids.size());
  dense = highest - lowest < kMostSlotsPerSample * samples;
  buckets.assign(dense ? static_cast<std::size_t>(highest - lowest) + 1 : std::bit_ceil(2 * ids.size()), -1);
  for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(samples); ++sample) {
    std::int32_t& slot = buckets[slotOf(ids[sample])];
    if (slot < 0)
      slot = sample;
    else
      repeats.push_back(sample);
  }
}

std::size_t IdIndex::slotOf(std::int64_t id) const
{
  if (dense)
    return static_cast<std::size_t>(id - lowest);
  std::size_t slot = spread(id) & (buckets.size() - 1);
  while (buckets[slot] >= 0 && ids[buckets[slot]] != id)
    slot = (slot + 1) & (buckets.size() - 1);
  return slot;
}

std::int32_t IdIndex::find(std::int64_t id) const
{
  return id < lowest || id > highest ? -1 : buckets[slotOf(id)];
}

} // namespace hinesight::morphology
