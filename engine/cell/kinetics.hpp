#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/fixed/reciprocal.hpp"

// What the formulas of mechanisms are made of. Units as NEURON: mV, ms, mM, S/cm2, mA/cm2, degC.

namespace hinesight::cell {

/// Which physical constants: those of NEURON before version 8, by which models were published, or CODATA 2018.
struct PhysicalConstants
{
  double faraday = 96485.33212; ///< C/mol
  double gas = 8.314462618;     ///< J/(mol K)
};
inline constexpr PhysicalConstants kCodata2018;
inline constexpr PhysicalConstants kOldNeuron{96485.309, 8.3134};

/// What depends on the temperature alone.
struct Temperature
{
  double q21 = 1; ///< 2.3^((T - 21) / 10), and so on
  double q23 = 1;
  double q30 = 1;
  double q37 = 1;
  double qHh = 1;     ///< 3^((T - 6.3) / 10)
  double nernst = 12; ///< RT / 2F, mV
  double faraday = kCodata2018.faraday;
  bool startsAsNeuron = false; ///< channels.hpp, NaV
  double celsius = 6.3;
};

inline Temperature temperatureOf(double celsius, const PhysicalConstants& constants = kCodata2018)
{
  const auto q = [celsius](double base, double reference) { return fixedPow(base, (celsius - reference) / 10); };
  constexpr double kZeroCelsius = 273.15; // K
  return {.q21 = q(2.3, 21),
          .q23 = q(2.3, 23),
          .q30 = q(2.3, 30),
          .q37 = q(2.3, 37),
          .qHh = q(3, 6.3),
          .nernst = 1000 * constants.gas * (kZeroCelsius + celsius) / (2 * constants.faraday),
          .faraday = constants.faraday,
          .celsius = celsius};
}

/// 1 / (1 + e^x).
HINESIGHT_FORMULA double sigmoid(double x)
{
  constexpr double kMost = 700; // the inverse of e^x is a normal number
  return reciprocal(1.0 + fixedDecay(x < kMost ? x : kMost));
}

/// x / (e^(x/k) - 1) of k > 0, which is k at 0. Both parts of the quotient have the same sign.
HINESIGHT_FORMULA double linoidRate(double x, double k)
{
  constexpr double kMost = 700;
  const double ratio = x * (1.0 / k);
  const bool isNear = magnitude(ratio) < 1e-6;
  const double bounded = ratio < kMost ? ratio : kMost;
  const double quotient = magnitude(x) * reciprocal(magnitude(fixedDecay(isNear ? 1.0 : bounded) - 1.0));
  return isNear ? k * (1.0 - ratio * 0.5) : quotient;
}

/// A gate after dt ms towards `inf` at a rate, 1/ms, exactly.
HINESIGHT_FORMULA double relaxedAt(double gate, double inf, double rate, double dt)
{
  return gate + (1.0 - fixedDecay(-dt * rate)) * (inf - gate);
}

/// The same with a time constant, ms.
HINESIGHT_FORMULA double relaxed(double gate, double inf, double tau, double dt)
{
  return gate + (1.0 - fixedExp(-dt / tau)) * (inf - gate);
}

/// A gate by its opening and closing rates, 1/ms, both times q.
struct Rates
{
  double opening;
  double closing;
  double q = 1;

  HINESIGHT_FORMULA double inf() const { return opening * reciprocal(opening + closing); }
  /// 1/ms: one over the time constant.
  HINESIGHT_FORMULA double rate() const { return q * (opening + closing); }
};

} // namespace hinesight::cell
