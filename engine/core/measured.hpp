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
  double others = 0; ///< processors that other programs kept busy meanwhile, at least (core/machine_load.hpp)

  /// Half the interval's width as a part of the median; nullopt without an interval.
  std::optional<double> uncertainty() const;
};

/// Of at least one sample, ms, while other programs kept so many processors busy.
Measured measuredOf(std::vector<double> samples, double others = 0);

/// Whether samples that took so long, ms, are enough: 50 ms are over and the interval of the median is narrower than
/// 2 % of it, or 200 ms are over and it is narrower than 20 %, or a second is over, or there are 1,000. At least
/// kLeastForInterval, unless a second is over. Samples of less than 50 ms are too alike: what else the machine does
/// changes more slowly, and the next run would lie beyond their interval. Asked after every sample: the interval, which
/// takes a sort, is looked at after every eighth of a doubling in the first 200 ms.
bool areEnough(std::span<const double> samples, double elapsed);

/// What two times tell.
enum class Verdict
{
  Unknown, ///< there is a doubt
  Same,    ///< no difference that can be told from noise, or none that matters
  Less,    ///< the second is less
  More
};

/// Why a time cannot be compared with another.
enum class Doubt
{
  None,
  Varies,      ///< the interval is wider than 20 % of the median
  BusyMachine, ///< others kept more than a fifth of a processor busy: the next run differs by more than the interval
  Once         ///< there is no interval
};

Doubt doubtOf(const Measured& measured);
/// Of the two times the greater one.
Doubt doubtOf(const Measured& first, const Measured& second);

/// They differ where their intervals do not meet and their medians are at least 5 % apart.
Verdict compare(const Measured& first, const Measured& second);

/// The second against the first, as a verdict or, where that is unknown, as what was seen once: "−12 %", "+30 %",
/// "no difference", "−12 %, one run", "−12 %, times vary", "−12 %, busy machine". Empty where a median is not positive.
std::string changeText(const Measured& first, const Measured& second);

} // namespace hinesight
