#pragma once

#include <limits>
#include <string_view>

namespace hinesight::synapse {

/// How the attraction of a vacant element falls with its distance d (RELeARN's kernels; W counts vacant elements).
enum class KernelKind
{
  Gaussian, ///< W exp(-((d - mu) / sigma)^2)
  Linear,   ///< W (1 - d / cutoff) up to the cutoff, 0 beyond; W where the cutoff is infinite
  Gamma,    ///< W d^(k-1) exp(-d / theta) / (Gamma(k) theta^k)
  Weibull   ///< W b k d^(k-1) exp(-b d^k)
};

/// "gaussian", "linear", "gamma", "weibull".
std::string_view kernelName(KernelKind kind);

/// Lengths in um. Valid: sigma above 0, mu finite, cutoff above 0, gammaK, gammaTheta, weibullK and weibullB above 0.
struct KernelParameters
{
  KernelKind kind = KernelKind::Gaussian;
  double sigma = 750;                                      ///< Gaussian
  double mu = 0;                                           ///< Gaussian
  double cutoff = std::numeric_limits<double>::infinity(); ///< Linear
  double gammaK = 1;
  double gammaTheta = 1;
  double weibullK = 1;
  double weibullB = 1;

  bool operator==(const KernelParameters&) const = default;
};

/// Throws Error(BadParameter) that names the parameter and its range.
void validate(const KernelParameters& parameters);

/// The kernel of one vacant element at a distance above 0, um, in double precision by the library's functions: for
/// charts and tests. Searches evaluate the same formulas in single precision (kernel_step.hpp).
double kernelValue(const KernelParameters& parameters, double distance);

} // namespace hinesight::synapse
