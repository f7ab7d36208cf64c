#include "core/shares.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hinesight {

namespace {

using Cuts = std::vector<std::size_t>;

/// The most items, of at most `most`, whose cost is within the bound: costOf(1), costOf(2) ... never falls.
template <typename CostOf>
std::size_t mostWithin(double bound, std::size_t most, const CostOf& costOf)
{
  std::size_t within = 0;
  std::size_t beyond = most + 1;
  for (std::size_t tried = 1; within < most && beyond > most; tried = std::min(2 * tried, most))
    (costOf(tried) <= bound ? within : beyond) = tried;
  while (beyond - within > 1) {
    const std::size_t tried = std::midpoint(within, beyond);
    (costOf(tried) <= bound ? within : beyond) = tried;
  }
  return within;
}

class Cutter
{
public:
  Cutter(std::span<const std::size_t> weightBefore, std::size_t shareCount, const RangeCost& rangeCost)
      : before(weightBefore), items(before.size() - 1), count(shareCount), cost(rangeCost)
  {}

  Cuts cut() const
  {
    const Cuts even = evenCuts();
    Cuts lowest = even;
    double reached = highest(even);
    double tooLow = 0; // no bound below it can be kept
    for (double bound = 0; tooLow < reached && (bound = std::midpoint(tooLow, reached)) < reached;) {
      Filling filling = fill(bound);
      if (filling.cuts.empty()) {
        tooLow = filling.next;
      } else {
        lowest = std::move(filling.cuts);
        reached = highest(lowest);
      }
    }
    if (lowest == even)
      return even;
    Cuts nearest = nearestTo(even, reached);
    return highest(nearest) <= reached ? nearest : lowest;
  }

private:
  /// Shares that are filled up to a bound, one after another.
  struct Filling
  {
    Cuts cuts;       ///< empty: items are left over
    double next = 0; ///< then the lowest bound with which shares would be others
  };

  Cuts evenCuts() const
  {
    Cuts cuts = {0};
    const std::size_t all = before.back();
    for (std::size_t k = 1; k <= count; ++k) {
      // Where the nearest item ends; each of the others keeps an item.
      const std::size_t wanted = all / count * k + all % count * k / count;
      auto cut = static_cast<std::size_t>(std::ranges::lower_bound(before, wanted) - before.begin());
      if (cut > 0 && wanted - before[cut - 1] < before[cut] - wanted)
        --cut;
      cuts.push_back(std::clamp(cut, cuts.back() + 1, items - (count - k)));
    }
    return cuts;
  }

  double highest(const Cuts& cuts) const
  {
    double most = 0;
    for (std::size_t k = 0; k < count; ++k)
      most = std::max(most, cost(cuts[k], cuts[k + 1]));
    return most;
  }

  /// The most items from `begin` on that share k may have, so that each share behind it keeps one.
  std::size_t mostOf(std::size_t k, std::size_t begin) const { return items - (count - 1 - k) - begin; }

  std::size_t mostFrom(std::size_t begin, std::size_t k, double bound) const
  {
    return mostWithin(bound, mostOf(k, begin), [&](std::size_t taken) { return cost(begin, begin + taken); });
  }

  Filling fill(double bound) const
  {
    Filling filling{{0}, std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t begin = filling.cuts.back();
      const std::size_t taken = mostFrom(begin, k, bound);
      const bool isAll = taken == mostOf(k, begin);
      if (!isAll)
        filling.next = std::min(filling.next, cost(begin, begin + taken + 1));
      if (taken == 0 || (k + 1 == count && !isAll)) {
        filling.cuts.clear();
        return filling;
      }
      filling.cuts.push_back(begin + taken);
    }
    return filling;
  }

  /// Where each share but the first begins at the earliest, if those behind it are to keep the bound.
  Cuts earliest(double bound) const
  {
    Cuts cuts(count + 1, items);
    for (std::size_t k = count; --k > 0;) {
      const std::size_t end = cuts[k + 1];
      cuts[k] = end - std::max<std::size_t>(
                          1, mostWithin(bound, end - k, [&](std::size_t taken) { return cost(end - taken, end); }));
    }
    return cuts;
  }

  /// Shares within a bound that can be kept, as near to those cuts as they can be.
  Cuts nearestTo(const Cuts& wanted, double bound) const
  {
    const Cuts first = earliest(bound);
    Cuts cuts = {0};
    for (std::size_t k = 1; k < count; ++k) {
      const std::size_t last = cuts.back() + std::max<std::size_t>(1, mostFrom(cuts.back(), k - 1, bound));
      cuts.push_back(std::clamp(wanted[k], std::min(std::max(first[k], cuts.back() + 1), last), last));
    }
    cuts.push_back(items);
    return cuts;
  }

  std::span<const std::size_t> before;
  std::size_t items;
  std::size_t count;
  const RangeCost& cost;
};

} // namespace

std::vector<std::size_t> cutIntoShares(std::span<const std::size_t> before, std::size_t count, const RangeCost& cost)
{
  return Cutter(before, count, cost).cut();
}

std::vector<std::size_t> cutIntoShares(std::span<const std::size_t> before, std::size_t count)
{
  return cutIntoShares(before, count, [before](std::size_t begin, std::size_t end) {
    return static_cast<double>(before[end] - before[begin]);
  });
}

} // namespace hinesight
