#pragma once

#include "core/run_control.hpp"

#include <cstddef>

namespace hinesight {

/// Copy bandwidth of main memory in bytes per second, bytes read plus bytes written, with all threads: the best of
/// several copies of 512 MiB (or of an eighth of the free memory, if that is less), which no cache holds. Takes about
/// a second. Throws Error(OutOfMemory), Error(Cancelled).
double measureMemoryBandwidth(const RunControl& control = {});

/// Bytes of main memory that this process occupies now; 0 where the system does not tell.
std::size_t residentMemoryBytes();

} // namespace hinesight
