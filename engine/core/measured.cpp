#include "core/measured.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hinesight {

namespace {

constexpr double kConfidence = 0.95;
constexpr double kStableWidth = 0.02; ///< of the median
constexpr double kWideWidth = 0.2;    ///< of the median: such an interval says little
constexpr double kLeastTime = 50;     ///< ms
constexpr double kLongEnough = 200;   ///< ms, where the interval is not wide
constexpr double kTooLong = 1000;     ///< ms, whatever the interval is
constexpr double kQuiet = 0.2;        ///< of a processor, that others may keep busy
constexpr std::size_t kMostSamples = 1000;
constexpr double kLeastFactor = 1.05; ///< between medians that differ

/// How many of n samples lie beyond the interval on either side. The number of samples below the median is
/// binomial(n, 1/2); its probabilities are added up from the middle.
std::size_t leftOutAtEachEnd(std::size_t n)
{
  const std::size_t middle = n / 2; // and, of an odd number, n - middle with the same probability
  double probability = 1;
  for (std::size_t i = 1; i <= middle; ++i) // of n = 2 middle: the product of 1 - 1 / (2 i)
    probability *= 1 - 0.5 / static_cast<double>(i);
  const bool isOdd = n % 2 != 0;
  if (isOdd)
    probability *= static_cast<double>(n) / static_cast<double>(2 * (middle + 1));
  double covered = isOdd ? 2 * probability : probability;
  std::size_t below = middle;
  while (covered < kConfidence && below > 1) {
    probability *= static_cast<double>(below) / static_cast<double>(n - below + 1);
    --below;
    covered += 2 * probability;
  }
  return below - 1;
}

double widthOf(const Measured& measured)
{
  return (measured.interval->high - measured.interval->low) / measured.median;
}

/// "−12 %".
std::string percentText(double first, double second)
{
  const double percent = std::round(100 * (second - first) / first);
  return (percent < 0 ? "−" : percent > 0 ? "+" : "") + std::to_string(std::llround(std::abs(percent))) + " %";
}

} // namespace

std::optional<double> Measured::uncertainty() const
{
  if (!interval || median <= 0)
    return std::nullopt;
  return (interval->high - interval->low) / 2 / median;
}

Measured measuredOf(std::vector<double> samples, double others)
{
  std::ranges::sort(samples);
  Measured measured{samples[(samples.size() - 1) / 2], std::nullopt, samples.size(), others};
  if (samples.size() >= kLeastForInterval) {
    const std::size_t leftOut = leftOutAtEachEnd(samples.size());
    measured.interval = {samples[leftOut], samples[samples.size() - 1 - leftOut]};
  }
  return measured;
}

bool areEnough(std::span<const double> samples, double elapsed)
{
  const std::size_t n = samples.size();
  if (n < kLeastForInterval)
    return elapsed >= kTooLong;
  if (n >= kMostSamples || elapsed >= kTooLong)
    return true;
  if (elapsed < kLeastTime)
    return false;
  if (elapsed < kLongEnough && n % std::max<std::size_t>(1, std::bit_floor(n) / 8) != 0)
    return false;
  return widthOf(measuredOf({samples.begin(), samples.end()})) < (elapsed < kLongEnough ? kStableWidth : kWideWidth);
}

Doubt doubtOf(const Measured& measured)
{
  if (!measured.interval)
    return Doubt::Once;
  if (measured.others > kQuiet)
    return Doubt::BusyMachine;
  return widthOf(measured) < kWideWidth ? Doubt::None : Doubt::Varies;
}

Doubt doubtOf(const Measured& first, const Measured& second)
{
  return std::max(doubtOf(first), doubtOf(second));
}

Verdict compare(const Measured& first, const Measured& second)
{
  if (doubtOf(first, second) != Doubt::None)
    return Verdict::Unknown;
  if (second.interval->high < first.interval->low && second.median * kLeastFactor <= first.median)
    return Verdict::Less;
  if (first.interval->high < second.interval->low && first.median * kLeastFactor <= second.median)
    return Verdict::More;
  return Verdict::Same;
}

std::string changeText(const Measured& first, const Measured& second)
{
  if (first.median <= 0 || second.median <= 0)
    return {};
  if (compare(first, second) == Verdict::Same)
    return "no difference";
  const std::string percent = percentText(first.median, second.median);
  switch (doubtOf(first, second)) {
  case Doubt::None:
    break;
  case Doubt::Varies:
    return percent + ", times vary";
  case Doubt::BusyMachine:
    return percent + ", busy machine";
  case Doubt::Once:
    return percent + ", one run";
  }
  return percent;
}

} // namespace hinesight
