#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// A vector of the batch in the solver's precision, with room for the bulk copy of its last 16 bytes.
template <typename Real>
class BatchVector
{
public:
  explicit BatchVector(std::size_t count) : elements(count), values(count + 16 / sizeof(Real)) {}
  explicit BatchVector(const std::vector<double>& from) : BatchVector(from.size()) { set(from); }

  void set(std::span<const double> from)
  {
    const std::vector<Real> converted(from.begin(), from.end());
    cuda::check(cudaMemcpy(values.data(), converted.data(), elements * sizeof(Real), cudaMemcpyHostToDevice),
                "upload data");
  }
  void get(std::span<double> to) const
  {
    std::vector<Real> converted(elements);
    cuda::check(cudaMemcpy(converted.data(), values.data(), elements * sizeof(Real), cudaMemcpyDeviceToHost),
                "download results");
    std::ranges::copy(converted, to.begin());
  }
  Real* data() { return values.data(); }

private:
  std::size_t elements;
  cuda::Buffer<Real> values;
};

} // namespace hinesight::hines::detail
