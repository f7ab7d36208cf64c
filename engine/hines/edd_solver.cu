#include "hines/edd_solver.hpp"

#include "core/cuda_support.cuh"
#include "core/timed_graph.cuh"
#include "hines/edd_device.cuh"

#include <memory>
#include <span>
#include <utility>

// Exact domain decomposition on the device (vooturi 2019, section III-D). The first recursions on large cells are
// launches over the whole device, all cells side by side. The others, and the serial sweep, are done by one block of
// threads for each unit of cells, recursions separated by block-wide barriers. Several launches are one graph.

namespace hinesight::hines {

namespace {

using cuda::Buffer;

template <typename Real>
class EddCudaSolver final : public EddSolver
{
public:
  EddCudaSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters)
      : plan(std::move(eddPlan)), columns(static_cast<unsigned>(parameters.rightHandSides)),
        withReciprocal(columns > 1 || parameters.keepFactors), layout(*plan), launches(*plan),
        arrays(*plan, columns, withReciprocal), batchExcess(plan->batch->excess), scratch(plan->batch->compartments())
  {
    scratch.upload(plan->batch->u.data());
    layout.layOutMatrix(batchExcess.data(), scratch.data(), arrays.excess.data(), arrays.u.data());
    setRightHandSide(plan->batch->b);
    const EddView<Real> view = arrays.view();
    if (parameters.keepFactors)
      launches.template run<EddPhase::Factor>(view, 1, nullptr);
    cuda::check(cudaDeviceSynchronize(), "factorize the batch");
    graph.record([&](cudaStream_t stream) {
      if (!withReciprocal) {
        launches.template run<EddPhase::Both>(view, 1, stream);
        return;
      }
      if (!parameters.keepFactors)
        launches.template run<EddPhase::Factor>(view, 1, stream);
      launches.template run<EddPhase::Solve>(view, columns, stream);
    });
  }

  void setRightHandSide(std::span<const double> b) override
  {
    scratch.upload(b.data());
    layout.layOutRightHandSides(batchExcess.data(), scratch.data(), arrays.b.data(), arrays.rows, columns);
    cuda::check(cudaDeviceSynchronize(), "lay out right-hand sides");
  }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    graph.start();
    return {0, graph.finish()};
  }

  void read(std::span<double> x, StageTimings& timings) override
  {
    timer.start();
    layout.read(arrays.x.data(), scratch.data());
    timings.add("permute", timer.stop());
    timer.start();
    scratch.download(x.data());
    timings.add("download", timer.stop());
  }

  void readColumn(std::int32_t column, std::span<double> x) override
  {
    layout.read(arrays.x.data() + static_cast<std::size_t>(column) * arrays.slots, scratch.data());
    scratch.download(x.data());
  }

private:
  std::shared_ptr<const EddPlan> plan;
  unsigned columns;
  bool withReciprocal;
  detail::EddLayout layout;
  detail::EddLaunches launches;
  detail::EddArrays<Real> arrays;
  Buffer<double> batchExcess, scratch; ///< in the order of the batch
  cuda::TimedGraph graph;
  cuda::Timer timer;
};

} // namespace

std::unique_ptr<EddSolver> detail::prepareEddCuda(std::shared_ptr<const EddPlan> plan,
                                                  const SolveParameters& parameters, StageTimings& timings,
                                                  const RunControl& control)
{
  control.report("upload", 0);
  timings.device = cuda::currentDeviceName();
  const Stopwatch stopwatch;
  std::unique_ptr<EddSolver> prepared;
  if (parameters.precision == Precision::Single)
    prepared = std::make_unique<EddCudaSolver<float>>(std::move(plan), parameters.edd);
  else
    prepared = std::make_unique<EddCudaSolver<double>>(std::move(plan), parameters.edd);
  cuda::check(cudaDeviceSynchronize(), "upload the batch");
  timings.add("upload", stopwatch.elapsed());
  return prepared;
}

} // namespace hinesight::hines
