#include "simulation/stimulus_states.hpp"

#include "core/fixed/fixed_math.hpp"
#include "core/fixed/fixed_random.hpp"

#include <algorithm>

namespace hinesight::simulation {

namespace {

constexpr double kMillisecondsOfSecond = 1000;
constexpr double kTwoPi = 0x1.921fb54442d18p+2;

/// Part of [begin, begin + length) that lies in [from, to).
double overlap(double begin, double length, double from, double to)
{
  return std::max(0.0, std::min(begin + length, to) - std::max(begin, from)) / length;
}

/// The part of a step that a stimulus is on.
double partOn(double begin, double dt, double delay, double duration, bool atMiddle)
{
  const double middle = begin + dt / 2;
  if (atMiddle)
    return delay <= middle && middle < delay + duration ? 1.0 : 0.0;
  return overlap(begin, dt, delay, delay + duration);
}

/// The mean of sin(2 pi t) from turn a to turn b, or the value in the middle.
double meanSine(double a, double b, bool atMiddle)
{
  constexpr double kShort = 1e-3; // below it the difference of cosines cancels
  if (atMiddle)
    return fixedSinTurns((a + b) / 2);
  const double turn = b - a;
  const double part = kTwoPi * turn / 2; // sin(x) / x of half the angle
  const double ratio = part < kShort ? 1 - part * part / 6 : fixedSinTurns(turn / 2) / part;
  return fixedSinTurns((a + b) / 2) * ratio;
}

} // namespace

void StimulusStates::add(const NoiseCurrent& noise, std::uint32_t number)
{
  constexpr std::uint32_t kBefore = 0xFFFFFFFF; // of the first step
  noises.push_back(
      {noise, number, noise.mean + noise.deviation * standardNormal(randomBits(noise.seed, number, kBefore, kBefore))});
}

void StimulusStates::addTo(std::int64_t number, double begin, double dt, bool atMiddle, std::vector<double>& sum,
                           std::vector<double>& right)
{
  for (const CurrentStep& step : steps)
    right[static_cast<std::size_t>(step.node)] +=
        step.amplitude * partOn(begin, dt, step.delay, step.duration, atMiddle);
  for (const SinusoidCurrent& s : sinusoids) {
    const double from = std::max(begin, s.delay), to = std::min(begin + dt, s.delay + s.duration);
    if (!(to > from))
      continue;
    const auto turnsAt = [&](double time) {
      return s.frequency * (time - s.delay) / kMillisecondsOfSecond + s.phase / kTwoPi;
    };
    right[static_cast<std::size_t>(s.node)] +=
        (to - from) / dt * (s.offset + s.amplitude * meanSine(turnsAt(from), turnsAt(to), atMiddle));
  }
  for (NoiseState& s : noises) {
    const NoiseCurrent& noise = s.noise;
    right[static_cast<std::size_t>(noise.node)] += s.value * partOn(begin, dt, noise.delay, noise.duration, atMiddle);
    const double left = fixedExp(-dt / noise.tau);
    const double normal = standardNormal(
        randomBits(noise.seed, s.number, static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)));
    s.value = noise.mean + (s.value - noise.mean) * left + noise.deviation * squareRoot(1 - left * left) * normal;
  }
  for (ClampState& s : clamps) {
    double start = s.clamp.delay;
    s.isOn = false;
    for (const VoltageClamp::Level& level : s.clamp.levels) {
      const double middle = begin + dt / 2;
      if (start <= middle && middle < start + level.duration) {
        s.isOn = true;
        s.level = level.potential;
      }
      start += level.duration;
    }
    if (!s.isOn)
      continue;
    const auto node = static_cast<std::size_t>(s.clamp.node);
    const double conductance = 1 / s.clamp.seriesResistance;
    sum[node] += conductance;
    right[node] += conductance * s.level;
  }
}

double StimulusStates::clampCurrentAt(std::int32_t node, double v) const
{
  const auto found = std::ranges::find_if(clamps, [&](const ClampState& s) { return s.clamp.node == node; });
  return found != clamps.end() && found->isOn ? (found->level - v) / found->clamp.seriesResistance : 0;
}

} // namespace hinesight::simulation
