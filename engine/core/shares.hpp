#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace hinesight {

/// What items [begin, end) of a row cost together. Of one range always the same number.
using RangeCost = std::function<double(std::size_t begin, std::size_t end)>;

/// Where each of `count` shares of a row of items begins, and the end. Shares follow one another and are not empty:
/// `count` is from 1 to the number of items, or 0 where there are none. The highest cost of a share is the lowest that
/// there is, where items never make a range cheaper; in any case it is no higher than that of even shares. Of all such
/// shares they are those next to even ones. `before`: the weight of the items before each item, and of all; even shares
/// have about the same weight.
std::vector<std::size_t> cutIntoShares(std::span<const std::size_t> before, std::size_t count, const RangeCost& cost);

/// The same where items cost their weight.
std::vector<std::size_t> cutIntoShares(std::span<const std::size_t> before, std::size_t count);

} // namespace hinesight
