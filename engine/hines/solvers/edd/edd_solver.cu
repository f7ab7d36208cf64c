#include "hines/solvers/edd/edd_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "hines/device_upload.cuh"
#include "hines/solvers/edd/edd_device.cuh"

#include <memory>
#include <utility>

// Exact domain decomposition on the device (vooturi 2019, section III-D). The first recursions on large cells are
// launches over the whole device, all cells side by side. The others, and the serial sweep, are done by one block of
// threads for each unit of cells, recursions separated by block-wide barriers. Several launches are one graph.

namespace hinesight::hines {

namespace {

template <typename Real>
class EddCudaSolver final : public detail::EddDeviceSolver<Real>
{
public:
  EddCudaSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters)
      : detail::EddDeviceSolver<Real>(std::move(eddPlan), parameters), launches(*this->plan)
  {
    if (this->keepFactors) {
      launches.template run<EddPhase::Factor>(this->arrays.view(), 1, nullptr);
      cuda::check(cudaDeviceSynchronize(), "factorize the batch");
    }
    this->graph.record([&](cudaStream_t stream) { this->runRecursions(launches, stream); });
  }

private:
  detail::EddLaunches launches;
};

} // namespace

std::unique_ptr<EddSolver> detail::prepareEddCuda(std::shared_ptr<const EddPlan> plan,
                                                  const SolveParameters& parameters, StageTimings& timings,
                                                  const RunControl& control)
{
  return timedUpload(timings, control, [&] {
    return plan->parameters.contiguousChains
               ? prepareEddTrsvCuda(std::move(plan), parameters)
               : makeInPrecision<EddSolver, EddCudaSolver>(parameters.precision, std::move(plan),
                                                           parameters.of<EddParameters>());
  });
}

} // namespace hinesight::hines
