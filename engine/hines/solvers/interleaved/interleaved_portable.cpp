#include "hines/solvers/interleaved/interleaved_kernel.hpp"

namespace hinesight::hines::detail {

namespace {

template <typename Real, int kWidth, int kVectors>
constexpr InterleavedWidth<Real> kSweep = {kWidth* kVectors, sweepCells<Real, kWidth, kVectors>};

constexpr InterleavedWidth<double> kDouble[] = {kSweep<double, 2, 4>, kSweep<double, 2, 2>, {}};
constexpr InterleavedWidth<float> kSingle[] = {kSweep<float, 4, 2>, kSweep<float, 4, 1>, {}};

} // namespace

template <>
const InterleavedWidth<double>* portableWidths()
{
  return kDouble;
}

template <>
const InterleavedWidth<float>* portableWidths()
{
  return kSingle;
}

} // namespace hinesight::hines::detail
