#ifdef __AVX2__
#include "hines/solvers/interleaved/interleaved_kernel.hpp"

namespace hinesight::hines::detail {

namespace {

template <typename Real, int kWidth, int kVectors>
constexpr InterleavedWidth<Real> kSweep = {kWidth* kVectors, sweepCells<Real, kWidth, kVectors>};

constexpr InterleavedWidth<double> kDouble[] = {kSweep<double, 4, 4>, kSweep<double, 4, 2>, kSweep<double, 4, 1>, {}};
constexpr InterleavedWidth<float> kSingle[] = {kSweep<float, 4, 4>, kSweep<float, 4, 2>, kSweep<float, 4, 1>, {}};

} // namespace

template <>
const InterleavedWidth<double>* avx2Widths()
{
  return kDouble;
}

template <>
const InterleavedWidth<float>* avx2Widths()
{
  return kSingle;
}

} // namespace hinesight::hines::detail
#else

#include "hines/solvers/interleaved/interleaved_sweep.hpp"

namespace hinesight::hines::detail {

template <typename Real>
const InterleavedWidth<Real>* avx2Widths()
{
  static constexpr InterleavedWidth<Real> kNone{};
  return &kNone;
}

template const InterleavedWidth<double>* avx2Widths();
template const InterleavedWidth<float>* avx2Widths();

} // namespace hinesight::hines::detail

#endif
