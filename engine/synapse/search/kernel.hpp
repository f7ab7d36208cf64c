#pragma once

#include "core/fields.hpp"

#include <limits>
#include <string_view>

namespace hinesight::synapse {

/// How the attraction of a vacant element falls with its distance d (RELeARN's kernels; W counts vacant elements).
enum class AttractionKind
{
  Gaussian, ///< W exp(-((d - mu) / sigma)^2)
  Linear,   ///< W (1 - d / cutoff) up to the cutoff, 0 beyond; W where the cutoff is infinite
  Gamma,    ///< W d^(k-1) exp(-d / theta) / (Gamma(k) theta^k)
  Weibull   ///< W b k d^(k-1) exp(-b d^k)
};

inline constexpr Choice kKernels[] = {
    {"gaussian", "Gaussian", "exp(-((d - mu) / sigma)²)."},
    {"linear", "Linear", "1 - d / cutoff; without a cutoff all are alike."},
    {"gamma", "Gamma", "d^(k-1) exp(-d / theta), normalized."},
    {"weibull", "Weibull", "b k d^(k-1) exp(-b d^k)."},
};
inline std::span<const Choice> tableOf(AttractionKind)
{
  return kKernels;
}
inline std::string_view kernelName(AttractionKind kind)
{
  return choiceName(kind);
}

/// Lengths in um; visitFields says what each is, in which unit and range.
struct KernelParameters
{
  AttractionKind kind = AttractionKind::Gaussian;
  double sigma = 750;                                      ///< Gaussian
  double mu = 0;                                           ///< Gaussian
  double cutoff = std::numeric_limits<double>::infinity(); ///< Linear
  double gammaK = 1;
  double gammaTheta = 1;
  double weibullK = 1;
  double weibullB = 1;

  bool operator==(const KernelParameters&) const = default;
};

template <typename Visitor>
void visitFields(KernelParameters& p, Visitor&& visit)
{
  constexpr double kMostShape = 1e6;
  visit(Field{.name = "kernel",
              .label = "Kernel",
              .help = "How attraction falls with the distance d.",
              .detail = "A cell of W vacant elements attracts W times as much.",
              .section = {"Kernel", "How attraction falls with the distance d."}},
        p.kind);
  visit(Field{.name = "sigma",
              .label = "Sigma",
              .unit = "µm",
              .range = above(0, kBoundless),
              .slider = {10, 5000, true},
              .help = "Width of the Gaussian.",
              .detail = "Attraction falls to 1/e at this distance from mu."}
            .onlyWhen(p.kind == AttractionKind::Gaussian),
        p.sigma);
  visit(Field{.name = "mu",
              .label = "Mu",
              .unit = "µm",
              .range = from(-1e9, 1e9),
              .slider = {0, 1000},
              .help = "Distance of the Gaussian's greatest attraction.",
              .detail = "0: the nearest attract most."}
            .onlyWhen(p.kind == AttractionKind::Gaussian),
        p.mu);
  visit(Field{.name = "cutoff",
              .label = "Cutoff",
              .unit = "µm",
              .range = above(0, kBoundless),
              .slider = {10, 1e6, true},
              .special = {std::numeric_limits<double>::infinity(), "none"},
              .help = "Distance at which linear attraction ends.",
              .detail = "Without an end all vacant elements attract alike, at any distance."}
            .onlyWhen(p.kind == AttractionKind::Linear),
        p.cutoff);
  visit(Field{.name = "gamma-k",
              .label = "Gamma shape k",
              .range = above(0, kMostShape),
              .slider = {0.1, 20, true},
              .help = "Shape of the gamma density.",
              .detail = "1: an exponential."}
            .onlyWhen(p.kind == AttractionKind::Gamma),
        p.gammaK);
  visit(Field{.name = "gamma-theta",
              .label = "Gamma scale theta",
              .unit = "µm",
              .range = above(0, kBoundless),
              .slider = {1, 1000, true},
              .help = "Scale of the gamma density.",
              .detail = "The mean distance is k times it."}
            .onlyWhen(p.kind == AttractionKind::Gamma),
        p.gammaTheta);
  visit(Field{.name = "weibull-k",
              .label = "Weibull shape k",
              .range = above(0, kMostShape),
              .slider = {0.1, 20, true},
              .help = "Shape of the Weibull density.",
              .detail = "1: an exponential."}
            .onlyWhen(p.kind == AttractionKind::Weibull),
        p.weibullK);
  visit(Field{.name = "weibull-b",
              .label = "Weibull rate b",
              .range = above(0, kBoundless),
              .slider = {1e-6, 1, true},
              .help = "Rate of the Weibull density, per µm to the k.",
              .detail = "A greater rate makes synapses shorter."}
            .onlyWhen(p.kind == AttractionKind::Weibull),
        p.weibullB);
}

/// Throws as validateFields.
void validate(const KernelParameters& parameters);

/// The kernel of one vacant element at a distance above 0, um, in double precision by the library's functions: for
/// charts and tests. Searches evaluate the same formulas in single precision (kernel_step.hpp).
double kernelValue(const KernelParameters& parameters, double distance);

} // namespace hinesight::synapse
