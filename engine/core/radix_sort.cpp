#include "core/radix_sort.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <array>

namespace hinesight {

namespace {

constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kBlock = std::size_t{1} << 15; ///< items that one thread moves in one go

using Histogram = std::array<std::size_t, kDigits>;

std::size_t digitOf(std::uint64_t key, unsigned shift)
{
  return (key >> shift) & (kDigits - 1);
}

template <typename Body>
void forBlocks(std::size_t items, int threads, const RunControl& control, Body body)
{
  parallelFor((items + kBlock - 1) / kBlock, 1,
              [&](std::size_t first, std::size_t last) {
                for (std::size_t block = first; block < last; ++block) {
                  control.checkpoint();
                  body(block, block * kBlock, std::min(items, (block + 1) * kBlock));
                }
              },
              threads);
}

/// Turns counts by block and digit into the places where each block's items of each digit begin. Returns whether there
/// is more than one digit at all.
bool placesOf(std::vector<Histogram>& blocks)
{
  std::size_t place = 0;
  std::size_t digitsSeen = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    const std::size_t begin = place;
    for (Histogram& block : blocks) {
      const std::size_t count = block[digit];
      block[digit] = place;
      place += count;
    }
    digitsSeen += place > begin ? 1 : 0;
  }
  return digitsSeen > 1;
}

} // namespace

void radixSort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values, int threads,
               const RunControl& control)
{
  const std::size_t items = keys.size();
  std::uint64_t bitsUsed = 0;
  for (const std::uint64_t key : keys)
    bitsUsed |= key;
  std::vector<std::uint64_t> sortedKeys(items);
  std::vector<std::uint32_t> sortedValues(items);
  std::vector<Histogram> blocks((items + kBlock - 1) / kBlock);
  for (unsigned shift = 0; shift < 64 && bitsUsed >> shift != 0; shift += kDigitBits) {
    forBlocks(items, threads, control, [&](std::size_t block, std::size_t begin, std::size_t end) {
      Histogram& histogram = blocks[block];
      histogram.fill(0);
      for (std::size_t item = begin; item < end; ++item)
        ++histogram[digitOf(keys[item], shift)];
    });
    if (!placesOf(blocks))
      continue;
    forBlocks(items, threads, control, [&](std::size_t block, std::size_t begin, std::size_t end) {
      Histogram& place = blocks[block];
      for (std::size_t item = begin; item < end; ++item) {
        const std::size_t to = place[digitOf(keys[item], shift)]++;
        sortedKeys[to] = keys[item];
        sortedValues[to] = values[item];
      }
    });
    keys.swap(sortedKeys);
    values.swap(sortedValues);
  }
}

} // namespace hinesight
