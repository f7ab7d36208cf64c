#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/fixed/fixed_single.hpp"
#include "synapse/search/kernel.hpp"

#include <cstdint>

// The kernels in single precision, the same bits on CPU and CUDA; F is a float or several side by side
// (core/fixed/fixed_single.hpp). Values keep an exponent of their own, so that a Gaussian 26 sigma away is no zero yet.

namespace hinesight::synapse {

/// What is evaluated for a kernel, or instead of it.
enum class Falloff : std::uint8_t
{
  CentredGaussian, ///< mu = 0: needs no distance, only its square
  Gaussian,
  Linear,
  Gamma,
  Weibull,
  InverseDistance ///< 1 / d: where a kernel is 0 everywhere
};

/// A kernel's parameters as its evaluation needs them.
struct KernelForm
{
  Falloff falloff = Falloff::InverseDistance;
  float scale = 0;   ///< 1 / sigma^2, 1 / sigma, 1 / cutoff, 1 / theta; of Weibull ln b
  float middle = 0;  ///< mu
  float power = 0;   ///< of the distance before the exponential: k - 1
  float shape = 0;   ///< of Weibull k
  float logNorm = 0; ///< of gamma -ln(Gamma(k) theta^k), of Weibull ln(b k)
  float mode = 0;    ///< the distance where the kernel is greatest; it rises before and falls beyond
};

/// Numbers beyond single precision become its largest.
KernelForm kernelForm(const KernelParameters& parameters);

/// What takes the place of a kernel that is 0 everywhere.
HINESIGHT_FORMULA KernelForm inverseDistanceForm()
{
  return {};
}

/// exp(x), 0 below -708; x above 650 counts as that, so that sums stay finite.
template <typename F>
HINESIGHT_FORMULA Scaled<F> boundedExp(F x)
{
  Scaled<F> value = scaledExp(smaller(larger(x, F(-708.0F)), F(650.0F)));
  value.mantissa = keepFrom(F(-708.0F), x, value.mantissa);
  return value;
}

template <typename F>
HINESIGHT_FORMULA Scaled<F> unscaled(F value)
{
  return {value, typename WholeOf<F>::Type(0)};
}

/// The exponent of a kernel that is an exponential, at distance d.
template <Falloff kFalloff, typename F>
HINESIGHT_FORMULA F logAttraction(const KernelForm& form, F d)
{
  if constexpr (kFalloff == Falloff::Gaussian) {
    const F t = (d - F(form.middle)) * F(form.scale);
    return -(t * t);
  } else if constexpr (kFalloff == Falloff::Gamma) {
    return fusedMultiplyAdd(F(form.power), singleLog(d), fusedMultiplyAdd(-d, F(form.scale), F(form.logNorm)));
  } else {
    static_assert(kFalloff == Falloff::Weibull);
    const F logDistance = singleLog(d);
    const F reach = singleExp(fusedMultiplyAdd(F(form.shape), logDistance, F(form.scale))); // b d^k
    return fusedMultiplyAdd(F(form.power), logDistance, F(form.logNorm)) - reach;
  }
}

/// The kernel of one vacant element at a distance above 0 of which the square is given.
template <Falloff kFalloff, typename F>
HINESIGHT_FORMULA Scaled<F> attraction(const KernelForm& form, F squaredDistance)
{
  if constexpr (kFalloff == Falloff::CentredGaussian)
    return boundedExp(-(squaredDistance * F(form.scale)));
  else if constexpr (kFalloff == Falloff::Linear)
    return unscaled(larger(fusedMultiplyAdd(-squareRoot(squaredDistance), F(form.scale), F(1.0F)), F(0.0F)));
  else if constexpr (kFalloff == Falloff::InverseDistance)
    return unscaled(F(1.0F) / squareRoot(squaredDistance));
  else
    return boundedExp(logAttraction<kFalloff>(form, squareRoot(squaredDistance)));
}

/// More than the rounding errors of logAttraction, of all distances between the nearest and the farthest, can make of
/// the difference to its value at d, where it is greatest.
template <Falloff kFalloff, typename F>
HINESIGHT_FORMULA F roundingSlack(const KernelForm& form, F d, F nearest, F farthest)
{
  constexpr float kRounding = 0x1p-20F;
  if constexpr (kFalloff == Falloff::Gaussian) {
    return F(kRounding);
  } else {
    const F logDistance = larger(magnitude(singleLog(nearest)), magnitude(singleLog(farthest)));
    const F terms = fusedMultiplyAdd(F(magnitude(form.power)), logDistance, F(1.0F + magnitude(form.logNorm)));
    if constexpr (kFalloff == Falloff::Gamma)
      return F(kRounding) * fusedMultiplyAdd(farthest, F(form.scale), terms);
    const F exponent = fusedMultiplyAdd(F(form.shape), logDistance, F(1.0F + magnitude(form.scale)));
    const F reach = singleExp(fusedMultiplyAdd(F(form.shape), singleLog(d), F(form.scale)));
    return F(kRounding) * fusedMultiplyAdd(reach, exponent, terms);
  }
}

/// At least the kernel, as `attraction` computes it, at every distance between the nearest, above 0, and the farthest.
template <Falloff kFalloff, typename F>
HINESIGHT_FORMULA Scaled<F> attractionBound(const KernelForm& form, F nearestSquared, F farthestSquared)
{
  constexpr float kRoundUp = 1 + 0x1p-20F;
  if constexpr (kFalloff == Falloff::CentredGaussian || kFalloff == Falloff::Linear ||
                kFalloff == Falloff::InverseDistance) {
    Scaled<F> bound = attraction<kFalloff>(form, nearestSquared);
    bound.mantissa = bound.mantissa * F(kRoundUp);
    return bound;
  } else {
    const F nearest = squareRoot(nearestSquared);
    const F farthest = squareRoot(farthestSquared);
    const F d = smaller(larger(F(form.mode), nearest), farthest);
    return boundedExp(logAttraction<kFalloff>(form, d) + roundingSlack<kFalloff>(form, d, nearest, farthest));
  }
}

/// In double precision; exact where neither the mantissa is 0 nor the exponent beyond +-1022.
HINESIGHT_FORMULA double valueOf(const Scaled<float>& x)
{
  return static_cast<double>(x.mantissa) * fromBits(static_cast<std::uint64_t>(x.exponent + 1023) << 52);
}

/// Calls use.template operator()<falloff>(), on the host.
template <typename Use>
inline decltype(auto) withFalloff(Falloff falloff, Use&& use)
{
  switch (falloff) {
  case Falloff::CentredGaussian:
    return use.template operator()<Falloff::CentredGaussian>();
  case Falloff::Gaussian:
    return use.template operator()<Falloff::Gaussian>();
  case Falloff::Linear:
    return use.template operator()<Falloff::Linear>();
  case Falloff::Gamma:
    return use.template operator()<Falloff::Gamma>();
  case Falloff::Weibull:
    return use.template operator()<Falloff::Weibull>();
  case Falloff::InverseDistance:
    break;
  }
  return use.template operator()<Falloff::InverseDistance>();
}

} // namespace hinesight::synapse
