#include "core/error.hpp"
#include "synapse/on_device.hpp"

#if !HINESIGHT_HAS_CUDA

namespace hinesight::synapse {

std::shared_ptr<const Octree> detail::makeOctreeOnDevice(const std::vector<Position>&, const RunControl&)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

} // namespace hinesight::synapse

#endif
