#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/fixed/fixed_random.hpp"

#include <cstdint>

namespace hinesight::simulation {

/// A potential that a voltage clamp holds.
struct ClampLevel
{
  double potential; ///< mV
  double duration;  ///< ms
};

/// A stimulus or one end of a gap junction. What the parameters mean depends on the kind; the functions that make one
/// (block.cpp) say it.
struct PointSource
{
  enum class Kind : std::uint8_t
  {
    Step,
    Sinusoid,
    Noise,
    Clamp,
    Junction
  };

  Kind kind;
  bool isOn = false; ///< of a clamp: in the last step
  std::uint32_t target = 0;
  double delay = 0;     ///< ms
  double duration = 0;  ///< ms
  double amplitude = 0; ///< nA of a step or sinusoid; mean of a noise; uS of a clamp or junction
  double offset = 0;    ///< nA
  double frequency = 0; ///< Hz
  double phase = 0;     ///< turns
  double deviation = 0; ///< nA
  double tau = 0;       ///< ms
  std::uint64_t seed = 0;
  std::uint32_t number = 0; ///< of a noise: which its random numbers are
  std::uint32_t firstLevel = 0, lastLevel = 0;
  double value = 0; ///< nA of a noise, mV of a clamp or of the other end of a junction: of the step
};

/// What a source adds to its row.
struct Input
{
  double conductance = 0; ///< uS
  double current = 0;     ///< nA
};

/// Part of [begin, begin + length) that lies in [from, to).
HINESIGHT_FORMULA double overlap(double begin, double length, double from, double to)
{
  const double first = begin > from ? begin : from;
  const double last = begin + length < to ? begin + length : to;
  return last > first ? (last - first) / length : 0.0;
}

/// The part of a step that a stimulus is on.
HINESIGHT_FORMULA double partOn(double begin, double dt, double delay, double duration, bool atMiddle)
{
  const double middle = begin + dt / 2;
  if (atMiddle)
    return delay <= middle && middle < delay + duration ? 1.0 : 0.0;
  return overlap(begin, dt, delay, delay + duration);
}

/// The mean of sin(2 pi t) from turn a to turn b, or the value in the middle.
HINESIGHT_FORMULA double meanSine(double a, double b, bool atMiddle)
{
  constexpr double kTwoPi = 0x1.921fb54442d18p+2;
  constexpr double kShort = 1e-3; // below it the difference of cosines cancels
  if (atMiddle)
    return fixedSinTurns((a + b) / 2);
  const double turn = b - a;
  const double part = kTwoPi * turn / 2; // sin(x) / x of half the angle
  const double ratio = part < kShort ? 1 - part * part / 6 : fixedSinTurns(turn / 2) / part;
  return fixedSinTurns((a + b) / 2) * ratio;
}

HINESIGHT_FORMULA double sinusoidOf(const PointSource& s, double begin, double dt, bool atMiddle)
{
  constexpr double kMillisecondsOfSecond = 1000;
  const double end = s.delay + s.duration;
  const double from = begin > s.delay ? begin : s.delay;
  const double to = begin + dt < end ? begin + dt : end;
  if (!(to > from))
    return 0;
  const double a = s.frequency * (from - s.delay) / kMillisecondsOfSecond + s.phase;
  const double b = s.frequency * (to - s.delay) / kMillisecondsOfSecond + s.phase;
  return (to - from) / dt * (s.offset + s.amplitude * meanSine(a, b, atMiddle));
}

/// The value of this step; the source goes on to that of the next (Uhlenbeck and Ornstein 1930, exact).
HINESIGHT_FORMULA double nextNoise(PointSource& s, std::int64_t step, double dt)
{
  const double value = s.value;
  const double left = fixedExp(-dt / s.tau);
  const double normal = standardNormal(
      randomBits(s.seed, s.number, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32)));
  s.value = s.amplitude + (value - s.amplitude) * left + s.deviation * squareRoot(1 - left * left) * normal;
  return value;
}

HINESIGHT_FORMULA Input clampOf(PointSource& s, const ClampLevel* levels, double begin, double dt)
{
  const double middle = begin + dt / 2;
  double start = s.delay;
  s.isOn = false;
  for (std::uint32_t k = s.firstLevel; k < s.lastLevel; ++k) {
    if (start <= middle && middle < start + levels[k].duration) {
      s.isOn = true;
      s.value = levels[k].potential;
    }
    start += levels[k].duration;
  }
  return s.isOn ? Input{s.amplitude, s.amplitude * s.value} : Input{};
}

/// What one end of a gap junction takes the other's potential to be, mV, by that at the beginning of the step and that
/// a step before: in the middle of the step, extrapolated, where the step is of second order; else at its beginning.
HINESIGHT_FORMULA double peerPotential(double now, double before, bool isHalf)
{
  return isHalf ? 1.5 * now - 0.5 * before : now;
}

/// What a source adds in step `step`, from `begin` on and dt ms long: currents by their mean over the step, or,
/// `atMiddle`, by their value in its middle (NEURON). `factor`: of injected currents.
HINESIGHT_FORMULA Input inputOf(PointSource& s, const ClampLevel* levels, std::int64_t step, double begin, double dt,
                                bool atMiddle, double factor)
{
  switch (s.kind) {
  case PointSource::Kind::Step:
    return {0, factor * (s.amplitude * partOn(begin, dt, s.delay, s.duration, atMiddle))};
  case PointSource::Kind::Sinusoid:
    return {0, factor * sinusoidOf(s, begin, dt, atMiddle)};
  case PointSource::Kind::Noise:
    return {0, factor * (nextNoise(s, step, dt) * partOn(begin, dt, s.delay, s.duration, atMiddle))};
  case PointSource::Kind::Clamp:
    return clampOf(s, levels, begin, dt);
  case PointSource::Kind::Junction:
    break;
  }
  return {s.amplitude, s.amplitude * s.value};
}

} // namespace hinesight::simulation
