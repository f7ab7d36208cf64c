#include "core/error.hpp"
#include "projection/benchmark.hpp"
#include "projection/ranks/table_ranks.hpp"

#if !HINESIGHT_HAS_CUDA

namespace hinesight::projection {

std::unique_ptr<PreparedProjection> detail::prepareCuda(std::unique_ptr<const Problem>, StageTimings,
                                                        const ComputeParameters&, std::unique_ptr<TableRanks>,
                                                        const RunControl&)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

ResidentTimes detail::measureResident(const Projection&, int, const RunControl&)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; measure the CPU alone.");
}

} // namespace hinesight::projection

#endif
