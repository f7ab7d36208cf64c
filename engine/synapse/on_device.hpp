#pragma once

#include "core/run_control.hpp"
#include "synapse/octree.hpp"

#include <memory>
#include <vector>

// What runs on CUDA. In a build without CUDA these throw Error(NoDevice).

namespace hinesight::synapse::detail {

/// As makeOctree, byte for byte.
std::shared_ptr<const Octree> makeOctreeOnDevice(const std::vector<Position>& positions,
                                                 const RunControl& control = {});

} // namespace hinesight::synapse::detail
