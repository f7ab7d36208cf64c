#pragma once

#include <string>

namespace hinesight::io {

/// How a walk of the HDF5 library through a file ended.
enum class Walk
{
  Done,
  Crashed,
  Endless ///< it took more than kMostWalkSeconds
};

constexpr int kMostWalkSeconds = 3; ///< of processor time

/// Walks the HDF5 library through a file: damage can crash it or keep it busy for ever (version 1.10.8, in attributes
/// and in the heap of texts), which no check of ours foresees. A process of its own therefore goes before ours, over
/// all objects, attributes and indices of chunks, but not over the values, nor to anything outside of the file. Done
/// too where the library says that it cannot read the file, which whoever opens it hears for himself, and where no
/// process can be made.
///
/// The caller must hold whatever keeps other threads from the library.
Walk walkThrough(const std::string& path);

} // namespace hinesight::io
