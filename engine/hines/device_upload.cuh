#pragma once

// For .cu files only: what making a solver on the device has in common.

#include "core/cuda/cuda_support.cuh"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/precision.hpp"

#include <memory>
#include <utility>

namespace hinesight::hines::detail {

/// What make() returns, once all that it puts on the device is there: the stage "upload".
template <typename Make>
auto timedUpload(StageTimings& timings, const RunControl& control, Make make)
{
  control.report("upload", 0);
  timings.device = cuda::currentDeviceName();
  const Stopwatch stopwatch;
  auto prepared = make();
  cuda::check(cudaDeviceSynchronize(), "upload the batch");
  timings.add("upload", stopwatch.elapsed());
  return prepared;
}

/// A Solver<float> or a Solver<double>.
template <typename Base, template <typename> typename Solver, typename... Arguments>
std::unique_ptr<Base> makeInPrecision(Precision precision, Arguments&&... arguments)
{
  if (precision == Precision::Single)
    return std::make_unique<Solver<float>>(std::forward<Arguments>(arguments)...);
  return std::make_unique<Solver<double>>(std::forward<Arguments>(arguments)...);
}

} // namespace hinesight::hines::detail
