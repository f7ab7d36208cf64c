#include "synapse/search/kernel.hpp"

#include "core/error.hpp"
#include "synapse/search/kernel_step.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace hinesight::synapse {

namespace {

/// The shortest text that reads back to the same number.
std::string shortText(double value)
{
  std::array<char, 40> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}

[[noreturn]] void refuse(const char* name, double value, const char* range)
{
  throw Error(ErrorCode::BadParameter,
              "The kernel's " + std::string(name) + " is " + shortText(value) + "; choose a number " + range + ".");
}

void requirePositive(const char* name, double value)
{
  if (!(value > 0) || !std::isfinite(value))
    refuse(name, value, "above 0");
}

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

std::string_view kernelName(KernelKind kind)
{
  constexpr std::array<std::string_view, 4> kNames = {"gaussian", "linear", "gamma", "weibull"};
  return kNames[static_cast<std::size_t>(kind)];
}

void validate(const KernelParameters& p)
{
  switch (p.kind) {
  case KernelKind::Gaussian:
    requirePositive("sigma", p.sigma);
    if (!std::isfinite(p.mu))
      refuse("mu", p.mu, "that is finite");
    return;
  case KernelKind::Linear:
    if (!(p.cutoff > 0))
      refuse("cutoff", p.cutoff, "above 0, or infinity");
    return;
  case KernelKind::Gamma:
    requirePositive("gamma-k", p.gammaK);
    requirePositive("gamma-theta", p.gammaTheta);
    return;
  case KernelKind::Weibull:
    requirePositive("weibull-k", p.weibullK);
    requirePositive("weibull-b", p.weibullB);
    return;
  }
}

double kernelValue(const KernelParameters& p, double distance)
{
  switch (p.kind) {
  case KernelKind::Gaussian:
    return std::exp(-std::pow((distance - p.mu) / p.sigma, 2));
  case KernelKind::Linear:
    return std::max(0.0, 1 - distance / p.cutoff);
  case KernelKind::Gamma:
    return std::exp((p.gammaK - 1) * std::log(distance) - distance / p.gammaTheta - std::lgamma(p.gammaK) -
                    p.gammaK * std::log(p.gammaTheta));
  case KernelKind::Weibull:
    break;
  }
  const double reach = std::pow(distance, p.weibullK);
  return p.weibullB * p.weibullK * reach / distance * std::exp(-p.weibullB * reach);
}

KernelForm kernelForm(const KernelParameters& parameters)
{
  switch (parameters.kind) {
  case KernelKind::Gaussian:
    return gaussianForm(parameters);
  case KernelKind::Linear:
    return linearForm(parameters);
  case KernelKind::Gamma:
    return gammaForm(parameters);
  case KernelKind::Weibull:
    break;
  }
  return weibullForm(parameters);
}

} // namespace hinesight::synapse
