#pragma once

#include <string>

namespace hinesight::io {

/// Whether the HDF5 library walks through a file and comes back: damage can crash it or keep it busy for ever (version
/// 1.10.8, in attributes and in the heap of texts), which no check of ours foresees. A process of its own therefore
/// goes before ours, over all objects, attributes and indices of chunks, but not over the values. True too where the
/// library says that it cannot read the file, which whoever opens it hears for himself, and where no process can be
/// made.
///
/// The caller must hold whatever keeps other threads from the library.
bool survivesWalk(const std::string& path);

} // namespace hinesight::io
