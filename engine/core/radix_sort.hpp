#pragma once

#include "core/run_control.hpp"

#include <cstdint>
#include <vector>

namespace hinesight {

/// Sorts keys ascending, and values of the same number along with them; values of equal keys keep their order. By
/// digits of 8 bits from the lowest (Knuth, TAOCP 3, section 5.2.5): digits that all keys share cost only a reading.
/// The same on any number of threads (0: all). Up to 2^32 items. Throws Error(Cancelled), then keys and values are
/// spoilt.
void radixSort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values, int threads = 0,
               const RunControl& control = {});

} // namespace hinesight
