#pragma once

#include "projection/cut_contour.hpp"
#include "projection/projection.hpp"
#include "projection/summary.hpp"

#include <cstddef>

namespace hinesight::widgets {

/// Sources that can be chosen at once; more take the places of the first.
inline constexpr std::size_t kMostSources = 12;

} // namespace hinesight::widgets
