#pragma once

#include "cell/channel_parts.hpp"

#include <cstddef>

// The formulas of the channels: of each one gate after another, its value at rest and its time constant, and which part
// of its conductance is open. Sources: hh: Hodgkin and Huxley 1952 as NEURON has it; the others: the mechanisms of the
// Allen Cell Types models (Gouwens et al. 2018), after Hay et al. 2011 and the sources named there; NaV after Carter
// and Bean 2012; those at a fixed temperature: the models of the Blue Brain Project (Markram et al. 2015).
//
// A channel is a struct with
//   kStates                                   how many state variables
//   start(v, local, t, p, s)                  writes the states at rest at v
//   advance(v, dt, local, t, p, s)            takes them dt ms further at a constant v
//   open(v, local, t, p, s)                   the open part of gbar
// p: its parameters after gbar, in the order of the list of mechanisms; s: states, `stride` apart.

namespace hinesight::cell {

namespace channels {

template <typename Channel>
struct GatedChannel
{
  /// Whether what is open depends on the potential itself, besides the states.
  static constexpr bool kOpensAtOnce = false;
  static constexpr bool kCarriesCalcium = false;

  HINESIGHT_FORMULA static void start(double v, const Local& local, const Temperature& t, Parameters p, States s)
  {
    const auto gates = Channel::gates(v, local, t, p);
    for (std::size_t k = 0; k < gates.size(); ++k)
      s[k] = gates[k].inf;
  }

  HINESIGHT_FORMULA static void advance(double v, double dt, const Local& local, const Temperature& t, Parameters p,
                                        States s)
  {
    const auto gates = Channel::gates(v, local, t, p);
    for (std::size_t k = 0; k < gates.size(); ++k)
      s[k] = relaxedAt(s[k], gates[k].inf, gates[k].rate, dt);
  }
};

HINESIGHT_FORMULA GateTarget targetOf(const Rates& rates)
{
  return {rates.inf(), rates.rate()};
}

/// Rates of a gate that have one divisor, 1/ms.
struct QuotientRates
{
  double opening; ///< times the divisor
  double both;    ///< the sum of the rates, times the divisor; of the divisor's sign
  double divisor;

  HINESIGHT_FORMULA double inf() const { return opening / both; }
  /// Of which `relaxed` wants the inverse: positive.
  HINESIGHT_FORMULA double product() const { return divisor * both; }
  /// A gate after dt ms, from the inverse of the product: one division for all.
  HINESIGHT_FORMULA double relaxed(double gate, double inverse, double qdt) const
  {
    const double rest = opening * (divisor * inverse);
    const double left = fixedDecay(-qdt * (both * (both * inverse)));
    return fusedMultiplyAdd(gate - rest, left, rest);
  }
};

/// What the rates of the squid axon are made of.
struct SquidAxon
{
  double rest = -65;          ///< mV
  double perSlow = -1.0 / 80; ///< 1/mV
  double perClosing = -1.0 / 18;
  double perOpening = -0.1;
  double e25 = 0x1.85d6fd931e0bbp+3; ///< e^2.5
  double e30 = 0x1.415e5bf6fb106p+4; ///< e^3
  double e1 = 0x1.5bf0a8b145769p+1;  ///< e
  double hOpening = 0.07;
  double mStart = -40, nStart = -55; ///< mV
  /// (e^r - 1) / r, from the highest power.
  double series[8] = {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5};
};
inline constexpr SquidAxon kSquidAxon;

#ifdef __CUDACC__
[[maybe_unused]] static __constant__ SquidAxon kDeviceSquidAxon = kSquidAxon; // as kDeviceExp
#endif

HINESIGHT_FORMULA const SquidAxon& squidAxon()
{
#ifdef __CUDA_ARCH__
  return kDeviceSquidAxon;
#else
  return kSquidAxon;
#endif
}

/// r / (e^r - 1) as a quotient, where e^r is known; near 0 both by their series.
struct LinoidQuotient
{
  double numerator;
  double divisor;
};
HINESIGHT_FORMULA LinoidQuotient linoidQuotient(double r, double exponential)
{
  const SquidAxon& k = squidAxon();
  const bool isNear = magnitude(r) < 0.1; // where e^r - 1 would lose more than a digit
  double series = fusedMultiplyAdd(r, k.series[0], k.series[1]);
  series = fusedMultiplyAdd(series, r, k.series[2]);
  series = fusedMultiplyAdd(series, r, k.series[3]);
  series = fusedMultiplyAdd(series, r, k.series[4]);
  series = fusedMultiplyAdd(series, r, k.series[5]);
  series = fusedMultiplyAdd(series, r, k.series[6]);
  series = fusedMultiplyAdd(series, r, k.series[7]);
  series = fusedMultiplyAdd(series, r, 1.0);
  return {isNear ? 1.0 : r, isNear ? series : exponential - 1.0};
}

/// e^(-(v + 65) / 80), of which the rates of the squid axon have powers: a node with both channels computes it once.
HINESIGHT_FORMULA double hhDecay(double v)
{
  const SquidAxon& k = squidAxon();
  return fixedExpWithin((v - k.rest) * k.perSlow);
}

/// Activation m, inactivation h. alpha_m = linoid(-(v + 40), 10) / 10, beta_m = 4 e^(-(v + 65) / 18),
/// alpha_h = 0.07 e^(-(v + 65) / 20), beta_h = 1 / (1 + e^(-(v + 35) / 10)).
struct HhSodium
{
  static constexpr std::size_t kStates = 2; // m, h
  static constexpr bool kOpensAtOnce = false;
  static constexpr bool kCarriesCalcium = false;

  HINESIGHT_FORMULA static void start(double v, const Local&, const Temperature&, Parameters, States s)
  {
    const GateRates x = ratesAt(v);
    s[0] = x.m.inf();
    s[1] = x.h.inf();
  }

  HINESIGHT_FORMULA static void advance(double v, double dt, const Local&, const Temperature& t, Parameters, States s)
  {
    const GateRates x = ratesAt(v);
    const double m = x.m.product(), h = x.h.product();
    const double inverse = reciprocal(m * h);
    const double qdt = t.qHh * dt;
    s[0] = x.m.relaxed(s[0], h * inverse, qdt);
    s[1] = x.h.relaxed(s[1], m * inverse, qdt);
  }

  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[1];
  }

private:
  struct GateRates
  {
    QuotientRates m, h;
  };

  HINESIGHT_FORMULA static GateRates ratesAt(double v)
  {
    const SquidAxon& k = squidAxon();
    const double root = hhDecay(v);
    const double square = root * root;
    const double slow = square * square;
    const double fast = slow * slow; // e^(-(v + 65) / 10)
    const LinoidQuotient m = linoidQuotient((v - k.mStart) * k.perOpening, fast * k.e25);
    const double mClosing = 4 * fixedExpWithin((v - k.rest) * k.perClosing);
    const double hDivisor = fusedMultiplyAdd(fast, k.e30, 1.0); // one over its closing rate
    const double hOpening = k.hOpening * slow * hDivisor;
    return {{m.numerator, fusedMultiplyAdd(mClosing, m.divisor, m.numerator), m.divisor},
            {hOpening, hOpening + 1.0, hDivisor}};
  }
};

/// alpha_n = linoid(-(v + 55), 10) / 100, beta_n = e^(-(v + 65) / 80) / 8.
struct HhPotassium
{
  static constexpr std::size_t kStates = 1; // n
  static constexpr bool kOpensAtOnce = false;
  static constexpr bool kCarriesCalcium = false;

  HINESIGHT_FORMULA static void start(double v, const Local&, const Temperature&, Parameters, States s)
  {
    s[0] = ratesAt(v).inf();
  }

  HINESIGHT_FORMULA static void advance(double v, double dt, const Local&, const Temperature& t, Parameters, States s)
  {
    const QuotientRates n = ratesAt(v);
    s[0] = n.relaxed(s[0], reciprocal(n.product()), t.qHh * dt);
  }

  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    const double square = s[0] * s[0];
    return square * square;
  }

private:
  HINESIGHT_FORMULA static QuotientRates ratesAt(double v)
  {
    const SquidAxon& k = squidAxon();
    const double root = hhDecay(v);
    const double square = root * root;
    const double slow = square * square;
    const double fast = slow * slow; // e^(-(v + 65) / 10)
    const LinoidQuotient n = linoidQuotient((v - k.nStart) * k.perOpening, fast * k.e1);
    const double opening = -k.perOpening * n.numerator;
    return {opening, fusedMultiplyAdd(0.125 * root, n.divisor, opening), n.divisor};
  }
};

struct Im : GatedChannel<Im>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static Gates<1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    return {targetOf({3.3e-3 * fixedExp(0.1 * (v + 35)), 3.3e-3 * fixedExp(-0.1 * (v + 35)), t.q21})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

struct ImV2 : GatedChannel<ImV2>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static Gates<1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const Rates rates{0.007 * fixedExp(2.4 * (v + 48) * (1.0 / 26.12)),
                      0.007 * fixedExp(-3.6 * (v + 48) * (1.0 / 26.12))};
    return {{{rates.inf(), t.q30 * reciprocal(15 + reciprocal(rates.rate()))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

struct Ih : GatedChannel<Ih>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static Gates<1> gates(double v, const Local&, const Temperature&, Parameters)
  {
    return {targetOf({0.00643 * linoidRate(v + 154.9, 11.9), 0.193 * fixedExp(v * (1.0 / 33.1))})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

/// How much faster than where it was measured a channel is: at the temperature of the cell, or always at 34 degrees.
struct From23
{
  HINESIGHT_FORMULA static double faster(const Temperature& t) { return t.q23; }
};
struct From21
{
  HINESIGHT_FORMULA static double faster(const Temperature& t) { return t.q21; }
};
struct At34
{
  HINESIGHT_FORMULA static double faster(const Temperature&) { return 0x1.79f80ef2e544ap+1; } // 2.3^1.3, from 21
};

/// Activation about -`kActivation` mV, inactivation about -`kInactivation` mV.
template <int kActivation, int kInactivation, typename Warmth>
struct NaT : GatedChannel<NaT<kActivation, kInactivation, Warmth>>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const double m = v + kActivation;
    const double h = v + kInactivation;
    const double q = Warmth::faster(t);
    return {targetOf({0.182 * linoidRate(-m, 6), 0.124 * linoidRate(m, 6), q}),
            targetOf({0.015 * linoidRate(h, 6), 0.015 * linoidRate(-h, 6), q})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[1];
  }
};
using NaTs = NaT<40, 66, From23>;
using NaTa = NaT<48, 69, From23>;
using NaTs2t = NaT<32, 60, At34>;
using NaTat = NaT<38, 66, At34>;

/// Its activation follows the potential at once.
struct Nap : GatedChannel<Nap>
{
  static constexpr std::size_t kStates = 1; // h
  static constexpr bool kOpensAtOnce = true;
  HINESIGHT_FORMULA static Gates<1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const Rates rates{2.88e-6 * linoidRate(v + 17, 4.63), 6.94e-6 * linoidRate(-(v + 64.4), 2.63), t.q21};
    return {{{sigmoid((v + 48.8) * (1.0 / 10)), rates.rate()}}};
  }
  HINESIGHT_FORMULA static double open(double v, const Local&, const Temperature&, Parameters, States s)
  {
    return sigmoid(-(v + 52.6) * (1.0 / 4.6)) * s[0];
  }
};

/// The same with an activation that takes its time.
struct NapEt2 : GatedChannel<NapEt2>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const double q = At34::faster(t);
    const Rates activation{0.182 * linoidRate(-(v + 38), 6), 0.124 * linoidRate(v + 38, 6), q};
    const Rates inactivation{2.88e-6 * linoidRate(v + 17, 4.63), 6.94e-6 * linoidRate(-(v + 64.4), 2.63), q};
    return {{{sigmoid(-(v + 52.6) * (1.0 / 4.6)), activation.rate() * (1.0 / 6)},
             {sigmoid((v + 48.8) * (1.0 / 10)), inactivation.rate()}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[1];
  }
};

/// p: vshift (mV), tauF.
struct KP : GatedChannel<KP>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters p)
  {
    const double u = v - p[0];
    const bool isLow = u < -50;
    const double tau = p[1] * (1.25 + (isLow ? 175.03 : 13.0) * fixedExp((isLow ? 0.026 : -0.026) * u));
    const double bell = (u + 75) * (1.0 / 48);
    return {
        {{sigmoid(-(u + 14.3) * (1.0 / 14.6)), t.q21 / tau},
         {sigmoid((u + 54) * (1.0 / 11)), t.q21 * reciprocal(360 + (1010 + 24 * (u + 55)) * fixedExp(-bell * bell))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[1];
  }
};

/// p: vshift (mV), mTauF, hTauF.
struct KT : GatedChannel<KT>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters p)
  {
    const double u = v - p[0];
    const double m = (u + 71) * (1.0 / 59);
    const double h = (u + 73) * (1.0 / 23);
    return {{{sigmoid(-(u + 47) * (1.0 / 29)), t.q21 / (0.34 + p[1] * 0.92 * fixedExp(-m * m))},
             {sigmoid((u + 66) * (1.0 / 10)), t.q21 / (8 + p[2] * 49 * fixedExp(-h * h))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[0] * s[1];
  }
};

/// Slow potassium, 10 mV lower, with an activation of its own.
struct KPst : GatedChannel<KPst>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const double u = v + 10;
    const double q = At34::faster(t);
    const bool isLow = u < -50;
    const double bell = (u + 75) * (1.0 / 48);
    return {{{sigmoid(-(u + 1) * (1.0 / 12)),
              q * reciprocal(1.25 + (isLow ? 175.03 : 13.0) * fixedExp((isLow ? 0.026 : -0.026) * u))},
             {sigmoid((u + 54) * (1.0 / 11)), q * reciprocal(360 + (1010 + 24 * (u + 55)) * fixedExp(-bell * bell))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[1];
  }
};

/// Transient potassium, 10 mV lower, with an activation of its own.
struct KTst : GatedChannel<KTst>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const double u = v + 10;
    const double q = At34::faster(t);
    const double m = (u + 71) * (1.0 / 59);
    const double h = (u + 73) * (1.0 / 23);
    return {{{sigmoid(-u * (1.0 / 19)), q * reciprocal(0.34 + 0.92 * fixedExp(-m * m))},
             {sigmoid((u + 66) * (1.0 / 10)), q * reciprocal(8 + 49 * fixedExp(-h * h))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[0] * s[1];
  }
};

struct Kd : GatedChannel<Kd>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature&, Parameters)
  {
    return {{{1 - sigmoid((v + 43) * (1.0 / 8)), 1}, {sigmoid((v + 67) * (1.0 / 7.3)), 1.0 / 1500}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[1];
  }
};

struct Kv2like : GatedChannel<Kv2like>
{
  static constexpr std::size_t kStates = 3; // m, h1, h2
  HINESIGHT_FORMULA static Gates<3> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const Rates rates{0.12 * linoidRate(43 - v, 11), 0.02 * fixedExp(-(v + 1.27) * (1.0 / 120))};
    const double bell = (v + 75) * (1.0 / 48);
    const double h = sigmoid((v + 58) * (1.0 / 11));
    const double slow = 2350 + 1380 * fixedExp(-0.011 * v) - 210 * fixedExp(-0.03 * v);
    return {{{rates.inf(), rates.rate() * (1.0 / 2.5) * t.q21},
             {h, t.q21 * reciprocal(360 + (1010 + 23.7 * (v + 54)) * fixedExp(-bell * bell))},
             {h, slow < 0 ? 1e3 : t.q21 / slow}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * (s[1] + s[2]) * 0.5;
  }
};

/// p: vshift (mV).
struct Kv3 : GatedChannel<Kv3>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static Gates<1> gates(double v, const Local&, const Temperature&, Parameters p)
  {
    const double u = v - p[0];
    return {{{sigmoid(-(u - 18.7) * (1.0 / 9.7)), 0.25 * (1.0 + fixedExp(-(u + 46.56) * (1.0 / 44.14)))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

/// By calcium. p: zTau (ms).
struct SK : GatedChannel<SK>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static Gates<1> gates(double, const Local& local, const Temperature&, Parameters p)
  {
    constexpr double kLeast = 1e-7; // mM
    const double cai = local.cai < kLeast ? local.cai + kLeast : local.cai;
    return {{{reciprocal(1 + fixedPow(4.3e-4 / cai, 4.8)), 1 / p[0]}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

struct CaHva : GatedChannel<CaHva>
{
  static constexpr bool kCarriesCalcium = true;
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature&, Parameters)
  {
    return {targetOf({0.055 * linoidRate(-27 - v, 3.8), 0.94 * fixedExp(-(v + 75) * (1.0 / 17))}),
            targetOf({4.57e-4 * fixedExp(-(v + 13) * (1.0 / 50)), 0.0065 * sigmoid(-(v + 15) * (1.0 / 28))})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[1];
  }
};

template <typename Warmth>
struct LowVoltageCalcium : GatedChannel<LowVoltageCalcium<Warmth>>
{
  static constexpr bool kCarriesCalcium = true;
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static Gates<2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const double q = Warmth::faster(t);
    return {{{sigmoid(-(v + 40) * (1.0 / 6)), q * reciprocal(5 + 20 * sigmoid((v + 35) * (1.0 / 5)))},
             {sigmoid((v + 90) * (1.0 / 6.4)), q * reciprocal(20 + 50 * sigmoid((v + 50) * (1.0 / 7)))}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[1];
  }
};
using CaLva = LowVoltageCalcium<From21>;
using CaLvast = LowVoltageCalcium<At34>;

/// A scheme of twelve states: C1 to C5, O, and I1 to I6, of which each stands beside one of these. Implicit Euler.
/// The states are a ladder of six rungs (Ck, Ik), so that its system has blocks of two by two.
struct NaV
{
  static constexpr std::size_t kStates = 12;
  static constexpr bool kOpensAtOnce = false;
  static constexpr bool kCarriesCalcium = false;
  static constexpr std::size_t kOpen = 5;

  /// The states at rest: no flow in or out of any of them, and their sum is 1.
  HINESIGHT_FORMULA static void start(double v, const Local&, const Temperature& t, Parameters, States s)
  {
    Matrix matrix = {};
    addFlows(v, matrix);
    if (t.startsAsNeuron) // its file has the rate of C3 from I3 where that of I4 to I3 belongs
      matrix.at[kInactive + 2][kInactive + 3] = -recovery(2);
    for (std::size_t k = 0; k < kStates; ++k) {
      matrix.at[kStates - 1][k] = 1;
      s[k] = k + 1 == kStates ? 1 : 0;
    }
    solve(matrix, s);
  }

  /// (1 - dt K) s(t + dt) = s(t), by elimination of one rung after the other. Sums of columns are kept in place of
  /// diagonals, so that nothing cancels: each is 1 at first, and what a rung loses up the ladder comes back.
  HINESIGHT_FORMULA static void advance(double v, double dt, const Local&, const Temperature& t, Parameters, States s)
  {
    const double factor = dt * t.q37;
    const double a = factor * 400 * fixedExp(v * (1.0 / 24));
    const double b = factor * 12 * fixedExp(v * (-1.0 / 24));
    double closed = s[kClosed], inactive = s[kInactive]; // of the rung, with what came from the rungs below
    double closedSum = 1, inactiveSum = 1;               // of the columns
    double fromClosed = 0, fromInactive = 0;             // between the states of a rung, made by the rungs below
    // What the states of a rung get from those of the next one: closed or inactive from closed or inactive.
    double cc[5], ci[5], ic[5], ii[5];
    for (std::size_t k = 0; k < 5; ++k) {
      const Rung rung = rungAt(k, a, b, factor);
      const double there = rung.inactivation + fromClosed, back = rung.recovery + fromInactive;
      // The block of the rung: what leaves each state is on the diagonal.
      const double c = closedSum + there + rung.closedForth, i = inactiveSum + back + rung.inactiveForth;
      const double inverse = reciprocal(fusedMultiplyAdd(c, i, -there * back));
      const double closedKept = i * inverse, closedGained = back * inverse;
      const double inactiveGained = there * inverse, inactiveKept = c * inverse;
      const double toClosed = fusedMultiplyAdd(closedGained, inactive, closedKept * closed);
      const double toInactive = fusedMultiplyAdd(inactiveKept, inactive, inactiveGained * closed);
      closed = fusedMultiplyAdd(rung.closedForth, toClosed, s[kClosed + k + 1]);
      inactive = fusedMultiplyAdd(rung.inactiveForth, toInactive, s[kInactive + k + 1]);
      s[kClosed + k] = toClosed; // until the way back
      s[kInactive + k] = toInactive;
      cc[k] = closedKept * rung.closedBack;
      ci[k] = closedGained * rung.inactiveBack;
      ic[k] = inactiveGained * rung.closedBack;
      ii[k] = inactiveKept * rung.inactiveBack;
      // What a state of the next rung sends down comes back to either of them, or stays by the part of sums.
      fromClosed = rung.inactiveForth * ic[k];
      fromInactive = rung.closedForth * ci[k];
      const double kept = fusedMultiplyAdd(closedSum, cc[k], fusedMultiplyAdd(inactiveSum, ic[k], 1.0));
      inactiveSum = fusedMultiplyAdd(closedSum, ci[k], fusedMultiplyAdd(inactiveSum, ii[k], 1.0));
      closedSum = kept;
    }
    const double there = factor * 8 + fromClosed, back = factor * 0.05 + fromInactive;
    const double c = closedSum + there, i = inactiveSum + back;
    const double inverse = reciprocal(fusedMultiplyAdd(c, i, -there * back));
    double nextClosed = fusedMultiplyAdd(i, closed, back * inactive) * inverse;
    double nextInactive = fusedMultiplyAdd(c, inactive, there * closed) * inverse;
    s[kOpen] = nextClosed;
    s[kInactive + 5] = nextInactive;
    for (std::size_t k = 5; k-- > 0;) {
      const double above = nextClosed;
      nextClosed = fusedMultiplyAdd(cc[k], above, fusedMultiplyAdd(ci[k], nextInactive, s[kClosed + k]));
      nextInactive = fusedMultiplyAdd(ic[k], above, fusedMultiplyAdd(ii[k], nextInactive, s[kInactive + k]));
      s[kClosed + k] = nextClosed;
      s[kInactive + k] = nextInactive;
    }
  }

  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[kOpen];
  }

private:
  static constexpr std::size_t kClosed = 0;
  static constexpr std::size_t kInactive = 6;
  static constexpr double kFaster = 2.51; // an inactivated channel activates
  static constexpr double kSlower = 5.32; // and deactivates

  /// Rates between a rung and the next, and across it, times a factor.
  struct Rung
  {
    double closedForth, closedBack, inactiveForth, inactiveBack;
    double inactivation, recovery;
  };

  /// `a`, `b`: the rates of one gate, times the factor. The fifth rung leads to O.
  HINESIGHT_FORMULA static Rung rungAt(std::size_t k, double a, double b, double factor)
  {
    double faster = 0.01;
    for (std::size_t i = 0; i < k; ++i)
      faster *= kFaster;
    Rung rung;
    rung.inactivation = factor * faster;
    rung.recovery = factor * recovery(k);
    if (k == 4) {
      rung.closedForth = rung.inactiveForth = factor * 250;
      rung.closedBack = rung.inactiveBack = factor * 60;
      return rung;
    }
    const auto left = static_cast<double>(4 - k);
    const auto made = static_cast<double>(k + 1);
    rung.closedForth = left * a;
    rung.closedBack = made * b;
    rung.inactiveForth = kFaster * left * a;
    rung.inactiveBack = made / kSlower * b;
    return rung;
  }

  /// From I(k + 1) to C(k + 1), 1/ms.
  HINESIGHT_FORMULA static double recovery(std::size_t k)
  {
    double rate = 40;
    for (std::size_t i = 0; i < k; ++i)
      rate /= kSlower;
    return rate;
  }

  struct Matrix
  {
    double at[kStates][kStates];
  };

  /// Subtracts K.
  HINESIGHT_FORMULA static void addFlows(double v, Matrix& matrix)
  {
    const auto flow = [&](std::size_t from, std::size_t to, double there, double back) HINESIGHT_FORMULA_LAMBDA {
      matrix.at[from][from] += there;
      matrix.at[to][from] -= there;
      matrix.at[to][to] += back;
      matrix.at[from][to] -= back;
    };
    const double a = 400 * fixedExp(v * (1.0 / 24));
    const double b = 12 * fixedExp(-v * (1.0 / 24));
    for (std::size_t k = 0; k < 5; ++k) {
      const Rung rung = rungAt(k, a, b, 1);
      flow(kClosed + k, kClosed + k + 1, rung.closedForth, rung.closedBack);
      flow(kInactive + k, kInactive + k + 1, rung.inactiveForth, rung.inactiveBack);
      flow(kClosed + k, kInactive + k, rung.inactivation, rung.recovery);
    }
    flow(kOpen, kInactive + 5, 8, 0.05);
  }

  /// By elimination without pivots: the diagonals are greater than what stands beside them.
  HINESIGHT_FORMULA static void solve(Matrix& matrix, States s)
  {
    for (std::size_t k = 0; k < kStates; ++k)
      for (std::size_t row = k + 1; row < kStates; ++row) {
        const double factor = matrix.at[row][k] / matrix.at[k][k];
        for (std::size_t column = k + 1; column < kStates; ++column)
          matrix.at[row][column] -= factor * matrix.at[k][column];
        s[row] -= factor * s[k];
      }
    for (std::size_t k = kStates; k-- > 0;) {
      double rest = s[k];
      for (std::size_t column = k + 1; column < kStates; ++column)
        rest -= matrix.at[k][column] * s[column];
      s[k] = rest / matrix.at[k][k];
    }
  }
};

} // namespace channels
} // namespace hinesight::cell
