#include "core/stage_timings.hpp"

#include <algorithm>
#include <numeric>

namespace hinesight {

void StageTimings::add(std::string_view name, double milliseconds)
{
  const auto it = std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.name == name; });
  if (it == stages.end())
    stages.push_back({std::string(name), milliseconds});
  else
    it->milliseconds += milliseconds;
}

bool StageTimings::has(std::string_view name) const
{
  return std::any_of(stages.begin(), stages.end(), [&](const Stage& s) { return s.name == name; });
}

double StageTimings::of(std::string_view name) const
{
  const auto it = std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.name == name; });
  return it == stages.end() ? 0.0 : it->milliseconds;
}

double StageTimings::total() const
{
  return std::accumulate(stages.begin(), stages.end(), 0.0,
                         [](double sum, const Stage& s) { return sum + s.milliseconds; });
}

} // namespace hinesight
