#include "widgets/simulation/time_axis.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

/// While it follows, the newest is at the right end, and at the beginning the axis waits for it.
void TimeAxis::place()
{
  if (follows)
    begin = std::max(0.0, reached - length);
  emit changed();
}

void TimeAxis::setNow(double time)
{
  reached = time;
  place();
}

void TimeAxis::setMarks(std::vector<TimeMark> marks)
{
  changes = std::move(marks);
  emit changed();
}

void TimeAxis::setCursor(std::optional<double> time)
{
  looked = time;
  emit changed();
}

void TimeAxis::zoom(double share, double factor)
{
  const double wanted = std::clamp(length * factor, kLeastSpan, kMostSpan);
  if (!follows)
    begin = std::max(0.0, begin + share * (length - wanted));
  length = wanted;
  place();
}

void TimeAxis::move(double milliseconds)
{
  begin = std::clamp(begin + milliseconds, 0.0, std::max(0.0, reached - 0.1 * length));
  follows = begin + length >= reached && begin + length <= std::max(reached, length) * 1.02;
  place();
}

void TimeAxis::showAll()
{
  length = std::max(reached, kLeastSpan);
  begin = 0;
  follows = true;
  place();
}

void TimeAxis::follow(double span)
{
  length = std::clamp(span, kLeastSpan, kMostSpan);
  follows = true;
  place();
}

} // namespace hinesight::widgets
