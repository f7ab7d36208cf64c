#include "study/simulation/trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::study {

namespace {

SampleRun::Range joined(const SampleRun::Range& a, const SampleRun::Range& b)
{
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

} // namespace

void SampleRun::append(std::span<const float> values)
{
  samples.insert(samples.end(), values.begin(), values.end());
  summarize();
}

void SampleRun::dropFirst(std::size_t count)
{
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(std::min(count, samples.size())));
  levels.clear();
  summarize();
}

/// Brings the levels up to date with new samples.
void SampleRun::summarize()
{
  std::size_t below = samples.size() / kFactor; // whole ranges of the level
  for (std::size_t level = 0; below > 0; ++level, below /= kFactor) {
    if (level == levels.size())
      levels.emplace_back();
    std::vector<Range>& ranges = levels[level];
    for (std::size_t i = ranges.size(); i < below; ++i) {
      const auto part = [&](std::size_t k) {
        return level == 0 ? Range{samples[k], samples[k]} : levels[level - 1][k];
      };
      Range range = part(i * kFactor);
      for (std::size_t k = i * kFactor + 1; k < (i + 1) * kFactor; ++k)
        range = joined(range, part(k));
      ranges.push_back(range);
    }
  }
}

SampleRun::Range SampleRun::rangeOf(std::size_t begin, std::size_t end) const
{
  Range range{samples[begin], samples[begin]};
  while (begin < end) {
    // The largest range that begins here and does not end later.
    std::size_t level = 0;
    std::size_t size = 1;
    while (level < levels.size() && begin % (size * kFactor) == 0 && begin + size * kFactor <= end) {
      size *= kFactor;
      ++level;
    }
    range = joined(range, level == 0 ? Range{samples[begin], samples[begin]} : levels[level - 1][begin / size]);
    begin += size;
  }
  return range;
}

void Trace::append(std::int64_t from, std::span<const float> values)
{
  if (present.size() == 0)
    first = from;
  present.append(values);
  if (present.size() <= kMost)
    return;
  past.reset();
  first += kMost / 2;
  present.dropFirst(kMost / 2);
}

void Trace::appendPast(std::int64_t from, std::span<const float> values)
{
  if (!past) {
    past.emplace();
    pastFirst = from;
  }
  std::size_t fitting = values.size();
  if (present.size() > 0) {
    const std::int64_t room = first - pastFirst - static_cast<std::int64_t>(past->size());
    fitting = std::min(fitting, static_cast<std::size_t>(std::max<std::int64_t>(room, 0)));
  }
  past->append(values.first(fitting));
}

std::int64_t Trace::endStep() const
{
  if (present.size() == 0 && past)
    return pastFirst + static_cast<std::int64_t>(past->size());
  return first + static_cast<std::int64_t>(present.size());
}

std::optional<SampleRun::Range> Trace::rangeOf(double from, double to) const
{
  std::optional<SampleRun::Range> found;
  const auto look = [&](const SampleRun& run, std::int64_t begins) {
    // The value of step k is that at k dt.
    const auto end = begins + static_cast<std::int64_t>(run.size());
    const auto least = std::max(begins, static_cast<std::int64_t>(std::ceil(from / dt)));
    const auto last = std::min(end, static_cast<std::int64_t>(std::ceil(to / dt)));
    if (least >= last)
      return;
    const auto range = run.rangeOf(static_cast<std::size_t>(least - begins), static_cast<std::size_t>(last - begins));
    found = found ? joined(*found, range) : range;
  };
  if (past)
    look(*past, pastFirst);
  look(present, first);
  return found;
}

std::optional<float> Trace::valueAt(double time) const
{
  const auto range = rangeOf(time - dt / 2, time + dt / 2);
  return range ? std::optional(range->greatest) : std::nullopt;
}

std::optional<float> Trace::lastValue() const
{
  if (present.size() > 0)
    return present[present.size() - 1];
  return past && past->size() > 0 ? std::optional((*past)[past->size() - 1]) : std::nullopt;
}

std::vector<float> Trace::values() const
{
  std::vector<float> all;
  if (past) {
    all.assign(past->values().begin(), past->values().end());
    if (present.size() > 0)
      all.resize(static_cast<std::size_t>(first - pastFirst), std::numeric_limits<float>::quiet_NaN());
  }
  all.insert(all.end(), present.values().begin(), present.values().end());
  return all;
}

} // namespace hinesight::study
