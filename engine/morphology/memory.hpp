#pragma once

#include "morphology/morphology.hpp"

#include <cstddef>

namespace hinesight::morphology {

/// About what a complete morphology holds in memory.
std::size_t bytesOf(const Morphology& morphology);

} // namespace hinesight::morphology
