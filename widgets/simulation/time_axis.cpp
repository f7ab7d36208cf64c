#include "widgets/simulation/time_axis.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kBeside = 0.05; // of the axis, from its end to a time that it moved to

} // namespace

/// Nothing beyond the end of the run.
double TimeAxis::usualSpan() const
{
  const double newest = std::min(kUsualSpan, std::max(end.value_or(kUsualSpan), reached));
  return std::clamp(runs ? newest : std::max(newest, reached), kLeastSpan, kMostSpan);
}

bool TimeAxis::endsAtNewest() const
{
  constexpr double kTolerance = 1.02;
  return begin + length >= reached && begin + length <= kTolerance * std::max(reached, length);
}

/// The newest is at the right end, and at the beginning the axis waits for it.
void TimeAxis::fit()
{
  if (!isChosen)
    length = usualSpan();
  if (follows)
    begin = std::max(0.0, reached - length);
}

void TimeAxis::place()
{
  if (!looked)
    fit();
  emit changed();
}

void TimeAxis::bring(double time)
{
  const double beside = kBeside * length;
  if (time < begin)
    begin = std::max(0.0, time - beside);
  else if (time > begin + length)
    begin = time + beside - length;
}

void TimeAxis::setNow(double time)
{
  reached = time;
  place();
}

void TimeAxis::setEnd(std::optional<double> time)
{
  end = time;
  place();
}

void TimeAxis::setRunning(bool goesOn)
{
  runs = goesOn;
  if (!isChosen)
    fit();
  emit changed();
}

void TimeAxis::restart()
{
  reached = 0;
  looked.reset();
  follows = true;
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
  if (looked)
    bring(*looked);
  place();
}

/// While it follows a run that goes on, the newest stays where it is.
void TimeAxis::zoom(double share, double factor)
{
  const double wanted = std::clamp(length * factor, kLeastSpan, kMostSpan);
  const bool isAtNewest = runs && follows && !looked;
  if (!isAtNewest)
    begin = std::max(0.0, begin + share * (length - wanted));
  length = wanted;
  follows = isAtNewest || endsAtNewest();
  isChosen = true;
  place();
}

void TimeAxis::move(double milliseconds)
{
  begin = std::clamp(begin + milliseconds, 0.0, std::max(0.0, reached - 0.1 * length));
  follows = endsAtNewest();
  isChosen = true;
  place();
}

void TimeAxis::showAll()
{
  length = std::max(reached, kLeastSpan);
  begin = 0;
  follows = true;
  isChosen = true;
  place();
}

void TimeAxis::follow(double span)
{
  length = std::clamp(span, kLeastSpan, kMostSpan);
  follows = true;
  isChosen = true;
  place();
}

void TimeAxis::showUsual()
{
  follows = true;
  isChosen = false;
  place();
}

} // namespace hinesight::widgets
