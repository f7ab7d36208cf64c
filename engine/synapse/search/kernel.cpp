#include "synapse/search/kernel.hpp"

#include "synapse/search/kernel_step.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::synapse {

namespace {

float clampedToSingle(double value)
{
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

KernelForm gaussianForm(const KernelParameters& p)
{
  KernelForm form;
  form.falloff = p.mu == 0 ? Falloff::CentredGaussian : Falloff::Gaussian;
  form.scale = clampedToSingle(p.mu == 0 ? 1 / (p.sigma * p.sigma) : 1 / p.sigma);
  form.middle = clampedToSingle(p.mu);
  form.mode = std::max(0.0F, form.middle);
  return form;
}

KernelForm linearForm(const KernelParameters& p)
{
  KernelForm form;
  form.falloff = Falloff::Linear;
  form.scale = clampedToSingle(1 / p.cutoff);
  return form;
}

KernelForm gammaForm(const KernelParameters& p)
{
  KernelForm form;
  form.falloff = Falloff::Gamma;
  form.scale = clampedToSingle(1 / p.gammaTheta);
  form.power = clampedToSingle(p.gammaK - 1);
  form.logNorm = clampedToSingle(-std::lgamma(p.gammaK) - p.gammaK * std::log(p.gammaTheta));
  form.mode = clampedToSingle(std::max(0.0, (p.gammaK - 1) * p.gammaTheta));
  return form;
}

KernelForm weibullForm(const KernelParameters& p)
{
  KernelForm form;
  form.falloff = Falloff::Weibull;
  form.scale = clampedToSingle(std::log(p.weibullB));
  form.power = clampedToSingle(p.weibullK - 1);
  form.shape = clampedToSingle(p.weibullK);
  form.logNorm = clampedToSingle(std::log(p.weibullB) + std::log(p.weibullK));
  if (p.weibullK > 1)
    form.mode = clampedToSingle(std::exp((std::log1p(-1 / p.weibullK) - std::log(p.weibullB)) / p.weibullK));
  return form;
}

} // namespace

void validate(const KernelParameters& parameters)
{
  validateFields(fieldsOf(parameters));
}

double kernelValue(const KernelParameters& p, double distance)
{
  switch (p.kind) {
  case AttractionKind::Gaussian:
    return std::exp(-std::pow((distance - p.mu) / p.sigma, 2));
  case AttractionKind::Linear:
    return std::max(0.0, 1 - distance / p.cutoff);
  case AttractionKind::Gamma:
    return std::exp((p.gammaK - 1) * std::log(distance) - distance / p.gammaTheta - std::lgamma(p.gammaK) -
                    p.gammaK * std::log(p.gammaTheta));
  case AttractionKind::Weibull:
    break;
  }
  const double reach = std::pow(distance, p.weibullK);
  return p.weibullB * p.weibullK * reach / distance * std::exp(-p.weibullB * reach);
}

KernelForm kernelForm(const KernelParameters& parameters)
{
  switch (parameters.kind) {
  case AttractionKind::Gaussian:
    return gaussianForm(parameters);
  case AttractionKind::Linear:
    return linearForm(parameters);
  case AttractionKind::Gamma:
    return gammaForm(parameters);
  case AttractionKind::Weibull:
    break;
  }
  return weibullForm(parameters);
}

} // namespace hinesight::synapse
