#include "core/error.hpp"
#include "projection/projection.hpp"

#if !HINESIGHT_HAS_CUDA

namespace hinesight::projection {

std::unique_ptr<PreparedProjection> detail::prepareCuda(std::unique_ptr<const Problem>, StageTimings,
                                                        const ComputeParameters&, const RunControl&)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

} // namespace hinesight::projection

#endif
