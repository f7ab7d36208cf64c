#pragma once

#include "cell/kinetics.hpp"

#include <array>

// The formulas of the channels: of each one gate after another, its value at rest and its time constant, and which part
// of its conductance is open. Sources: hh: Hodgkin and Huxley 1952 as NEURON has it; the others: the mechanisms of the
// Allen Cell Types models (Gouwens et al. 2018), after Hay et al. 2011 and the sources named there; NaV after Carter
// and Bean 2012.
//
// A channel is a struct with
//   kStates                                   how many state variables
//   start(v, local, t, p, s)                  writes the states at rest at v
//   advance(v, dt, local, t, p, s)            takes them dt ms further at a constant v
//   open(v, local, t, p, s)                   the open part of gbar
// p: its parameters after gbar, in the order of the list of mechanisms; s: states, `stride` apart.

namespace hinesight::cell {

/// States or parameters of one instance among those of many: the k-th is `stride` after the one before.
template <typename Value>
struct Strided
{
  Value* first;
  std::size_t stride;

  HINESIGHT_FORMULA Value& operator[](std::size_t k) const { return first[k * stride]; }
};
using States = Strided<double>;
using Parameters = Strided<const double>;

/// What a channel finds at its place besides the potential.
struct Local
{
  double cai = 0; ///< mM
};

/// A gate's value at rest and its time constant, ms.
struct GateTarget
{
  double inf;
  double tau;
};

namespace channels {

template <typename Channel>
struct GatedChannel
{
  /// Whether what is open depends on the potential itself, besides the states.
  static constexpr bool kOpensAtOnce = false;

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
      s[k] = relaxed(s[k], gates[k].inf, gates[k].tau, dt);
  }
};

HINESIGHT_FORMULA GateTarget targetOf(const Rates& rates)
{
  return {rates.inf(), rates.tau()};
}

struct HhSodium : GatedChannel<HhSodium>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    return {targetOf({0.1 * linoid(-(v + 40), 10), 4 * fixedExp(-(v + 65) / 18), t.qHh}),
            targetOf({0.07 * fixedExp(-(v + 65) / 20), sigmoid(-(v + 35) / 10), t.qHh})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[1];
  }
};

struct HhPotassium : GatedChannel<HhPotassium>
{
  static constexpr std::size_t kStates = 1; // n
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    return {targetOf({0.01 * linoid(-(v + 55), 10), 0.125 * fixedExp(-(v + 65) / 80), t.qHh})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[0];
  }
};

struct Im : GatedChannel<Im>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    return {targetOf({3.3e-3 * fixedExp(0.1 * (v + 35)), 3.3e-3 * fixedExp(-0.1 * (v + 35)), t.q21})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

struct ImV2 : GatedChannel<ImV2>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const Rates rates{0.007 * fixedExp(2.4 * (v + 48) / 26.12), 0.007 * fixedExp(-3.6 * (v + 48) / 26.12)};
    return {{{rates.inf(), (15 + rates.tau()) / t.q30}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

struct Ih : GatedChannel<Ih>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double v, const Local&, const Temperature&, Parameters)
  {
    return {targetOf({0.00643 * linoid(v + 154.9, 11.9), 0.193 * fixedExp(v / 33.1)})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

/// Activation about -`kActivation` mV, inactivation about -`kInactivation` mV.
template <int kActivation, int kInactivation>
struct NaT : GatedChannel<NaT<kActivation, kInactivation>>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const double m = v + kActivation;
    const double h = v + kInactivation;
    return {targetOf({0.182 * linoid(-m, 6), 0.124 * linoid(m, 6), t.q23}),
            targetOf({0.015 * linoid(h, 6), 0.015 * linoid(-h, 6), t.q23})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[1];
  }
};
using NaTs = NaT<40, 66>;
using NaTa = NaT<48, 69>;

/// Its activation follows the potential at once.
struct Nap : GatedChannel<Nap>
{
  static constexpr std::size_t kStates = 1; // h
  static constexpr bool kOpensAtOnce = true;
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const Rates rates{2.88e-6 * linoid(v + 17, 4.63), 6.94e-6 * linoid(-(v + 64.4), 2.63), t.q21};
    return {{{sigmoid((v + 48.8) / 10), rates.tau()}}};
  }
  HINESIGHT_FORMULA static double open(double v, const Local&, const Temperature&, Parameters, States s)
  {
    return sigmoid(-(v + 52.6) / 4.6) * s[0];
  }
};

/// p: vshift (mV), tauF.
struct KP : GatedChannel<KP>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature& t, Parameters p)
  {
    const double u = v - p[0];
    const bool isLow = u < -50;
    const double tau = p[1] * (1.25 + (isLow ? 175.03 : 13.0) * fixedExp((isLow ? 0.026 : -0.026) * u)) / t.q21;
    const double bell = (u + 75) / 48;
    return {{{sigmoid(-(u + 14.3) / 14.6), tau},
             {sigmoid((u + 54) / 11), (360 + (1010 + 24 * (u + 55)) * fixedExp(-bell * bell)) / t.q21}}};
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
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature& t, Parameters p)
  {
    const double u = v - p[0];
    const double m = (u + 71) / 59;
    const double h = (u + 73) / 23;
    return {{{sigmoid(-(u + 47) / 29), (0.34 + p[1] * 0.92 * fixedExp(-m * m)) / t.q21},
             {sigmoid((u + 66) / 10), (8 + p[2] * 49 * fixedExp(-h * h)) / t.q21}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[0] * s[0] * s[1];
  }
};

struct Kd : GatedChannel<Kd>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature&, Parameters)
  {
    return {{{1 - sigmoid((v + 43) / 8), 1}, {sigmoid((v + 67) / 7.3), 1500}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[1];
  }
};

struct Kv2like : GatedChannel<Kv2like>
{
  static constexpr std::size_t kStates = 3; // m, h1, h2
  HINESIGHT_FORMULA static std::array<GateTarget, 3> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    const Rates rates{0.12 * linoid(43 - v, 11), 0.02 * fixedExp(-(v + 1.27) / 120)};
    const double bell = (v + 75) / 48;
    const double h = sigmoid((v + 58) / 11);
    const double slow = (2350 + 1380 * fixedExp(-0.011 * v) - 210 * fixedExp(-0.03 * v)) / t.q21;
    return {{{rates.inf(), 2.5 * rates.tau() / t.q21},
             {h, (360 + (1010 + 23.7 * (v + 54)) * fixedExp(-bell * bell)) / t.q21},
             {h, slow < 0 ? 1e-3 : slow}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * (s[1] + s[2]) / 2;
  }
};

/// p: vshift (mV).
struct Kv3 : GatedChannel<Kv3>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double v, const Local&, const Temperature&, Parameters p)
  {
    const double u = v - p[0];
    return {{{sigmoid(-(u - 18.7) / 9.7), 4 * sigmoid(-(u + 46.56) / 44.14)}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

/// By calcium. p: zTau (ms).
struct SK : GatedChannel<SK>
{
  static constexpr std::size_t kStates = 1;
  HINESIGHT_FORMULA static std::array<GateTarget, 1> gates(double, const Local& local, const Temperature&, Parameters p)
  {
    constexpr double kLeast = 1e-7; // mM
    const double cai = local.cai < kLeast ? local.cai + kLeast : local.cai;
    return {{{1 / (1 + fixedPow(4.3e-4 / cai, 4.8)), p[0]}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s) { return s[0]; }
};

struct CaHva : GatedChannel<CaHva>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature&, Parameters)
  {
    return {targetOf({0.055 * linoid(-27 - v, 3.8), 0.94 * fixedExp(-(v + 75) / 17)}),
            targetOf({4.57e-4 * fixedExp(-(v + 13) / 50), 0.0065 * sigmoid(-(v + 15) / 28)})};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[1];
  }
};

struct CaLva : GatedChannel<CaLva>
{
  static constexpr std::size_t kStates = 2; // m, h
  HINESIGHT_FORMULA static std::array<GateTarget, 2> gates(double v, const Local&, const Temperature& t, Parameters)
  {
    return {{{sigmoid(-(v + 40) / 6), (5 + 20 * sigmoid((v + 35) / 5)) / t.q21},
             {sigmoid((v + 90) / 6.4), (20 + 50 * sigmoid((v + 50) / 7)) / t.q21}}};
  }
  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[0] * s[0] * s[1];
  }
};

/// A scheme of twelve states: C1 to C5, O, I1 to I6. Implicit Euler.
struct NaV
{
  static constexpr std::size_t kStates = 12;
  static constexpr bool kOpensAtOnce = false;
  static constexpr std::size_t kOpen = 5;

  /// The states at rest: all flows into each of them are 0, and their sum is 1.
  HINESIGHT_FORMULA static void start(double v, const Local&, const Temperature& t, Parameters, States s)
  {
    Matrix matrix = {};
    addFlows(v, 1, matrix);
    if (t.startsAsNeuron) // its file has the rate of C3 from I3 where that of I4 to I3 belongs
      matrix.at[kInactive + 2][kInactive + 3] = -recovery(2);
    for (std::size_t k = 0; k < kStates; ++k) {
      matrix.at[kStates - 1][k] = 1;
      s[k] = k + 1 == kStates ? 1 : 0;
    }
    solve(matrix, s);
  }

  /// (1 - dt K) s(t + dt) = s(t).
  HINESIGHT_FORMULA static void advance(double v, double dt, const Local&, const Temperature& t, Parameters, States s)
  {
    Matrix matrix = {};
    for (std::size_t k = 0; k < kStates; ++k)
      matrix.at[k][k] = 1;
    addFlows(v, dt * t.q37, matrix);
    solve(matrix, s);
  }

  HINESIGHT_FORMULA static double open(double, const Local&, const Temperature&, Parameters, States s)
  {
    return s[kOpen];
  }

private:
  static constexpr std::size_t kClosed = 0;
  static constexpr std::size_t kInactive = 6;

  struct Matrix
  {
    double at[kStates][kStates];
  };

  /// From I(k + 1) to C(k + 1), 1/ms.
  HINESIGHT_FORMULA static double recovery(std::size_t k)
  {
    constexpr double kSlower = 5.32; // an inactivated channel deactivates
    double rate = 40;
    for (std::size_t i = 0; i < k; ++i)
      rate /= kSlower;
    return rate;
  }

  /// Subtracts `factor` K.
  HINESIGHT_FORMULA static void addFlows(double v, double factor, Matrix& matrix)
  {
    const auto flow = [&](std::size_t from, std::size_t to, double there, double back) HINESIGHT_FORMULA_LAMBDA {
      const double out = factor * there;
      const double in = factor * back;
      matrix.at[from][from] += out;
      matrix.at[to][from] -= out;
      matrix.at[to][to] += in;
      matrix.at[from][to] -= in;
    };
    constexpr double kFaster = 2.51; // an inactivated channel activates
    constexpr double kSlower = 5.32; // and deactivates
    const double a = 400 * fixedExp(v / 24);
    const double b = 12 * fixedExp(-v / 24);
    double faster = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto left = static_cast<double>(4 - k);
      const auto made = static_cast<double>(k + 1);
      flow(kClosed + k, kClosed + k + 1, left * a, made * b);
      flow(kInactive + k, kInactive + k + 1, kFaster * left * a, made * b / kSlower);
    }
    for (std::size_t k = 0; k < 5; ++k) {
      flow(kClosed + k, kInactive + k, 0.01 * faster, recovery(k));
      faster *= kFaster;
    }
    flow(kClosed + 4, kOpen, 250, 60);
    flow(kInactive + 4, kInactive + 5, 250, 60);
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
