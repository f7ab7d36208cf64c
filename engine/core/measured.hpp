#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hinesight {

/// Fewer samples have no interval: the least and the greatest of five hold the median with a probability of 94 %.
inline constexpr std::size_t kLeastForInterval = 6;

struct Interval
{
  double low = 0;
  double high = 0;
};

/// A time that was measured once or often, ms.
struct Measured
{
  double median = 0; ///< the lower one, which is a sample
  /// The 95 % confidence interval of the median whatever the distribution: the narrowest pair of order statistics, as
  /// far from the least as from the greatest, between which the median lies with at least that probability (by the
  /// binomial distribution of how many samples are below it). nullopt of fewer than kLeastForInterval.
  std::optional<Interval> interval;
  std::size_t samples = 1;

  /// Half the interval's width as a part of the median; nullopt without an interval.
  std::optional<double> uncertainty() const;
};

/// Of at least one sample.
Measured measuredOf(std::vector<double> samples);

/// Whether samples that took so long, ms, are enough: the interval of the median is narrower than 2 % of it, or 200 ms
/// are over and it is narrower than 20 %, or a second is over, or there are 1,000. At least kLeastForInterval, unless a
/// second is over. Asked after every sample: the interval, which takes a sort, is looked at after every eighth of a
/// doubling in the first 200 ms.
bool areEnough(std::span<const double> samples, double elapsed);

/// What two times tell.
enum class Verdict
{
  Unknown, ///< one of them was not measured often enough, or is not stable
  Same,    ///< no difference that can be told from noise, or none that matters
  Less,    ///< the second is less
  More
};

/// Whether the interval is narrower than 20 % of the median. False without an interval.
bool isStable(const Measured& measured);

/// They differ where their intervals do not meet and their medians are at least 5 % apart.
Verdict compare(const Measured& first, const Measured& second);

/// The second against the first, as a verdict or, where that is unknown, as what was seen once: "−12 %", "+30 %",
/// "no difference", "−12 %, one run", "−12 %, times vary". Empty where a median is not positive.
std::string changeText(const Measured& first, const Measured& second);

} // namespace hinesight
