#pragma once

#include "core/run_control.hpp"
#include "synapse/octree/octree.hpp"

#include <memory>
#include <vector>

namespace hinesight::synapse::detail {

/// As makeOctree on CUDA, byte for byte. Throws Error(NoDevice) in a build without CUDA.
std::shared_ptr<const Octree> makeOctreeOnDevice(const std::vector<Position>& positions,
                                                 const RunControl& control = {});

} // namespace hinesight::synapse::detail
