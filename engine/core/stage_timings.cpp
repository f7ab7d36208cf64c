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

void StageTimings::add(const StageTimings& other, double factor)
{
  backend = other.backend;
  device = other.device;
  for (const Stage& stage : other.stages)
    add(stage.name, factor * stage.milliseconds);
  devices.resize(std::max(devices.size(), other.devices.size()));
  for (std::size_t k = 0; k < other.devices.size(); ++k)
    devices[k].add(other.devices[k], factor);
}

void StageTimings::addSideBySide(std::span<const StageTimings> each)
{
  StageTimings longest;
  for (const StageTimings& own : each)
    for (const Stage& stage : own.stages)
      longest.add(stage.name, std::max(0.0, stage.milliseconds - longest.of(stage.name)));
  for (const Stage& stage : longest.stages)
    add(stage.name, stage.milliseconds);
  devices.resize(std::max(devices.size(), each.size()));
  for (std::size_t k = 0; k < each.size(); ++k) {
    devices[k].add(each[k]);
    devices[k].add("wait", std::max(0.0, longest.total() - each[k].total()));
  }
}

void StageTimings::setWaits()
{
  constexpr std::string_view kWait = "wait";
  double longest = 0;
  for (StageTimings& own : devices) {
    std::erase_if(own.stages, [&](const Stage& stage) { return stage.name == kWait; });
    longest = std::max(longest, own.total());
  }
  for (StageTimings& own : devices)
    own.add(kWait, longest - own.total());
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

std::string deviceInShort(Backend backend, std::size_t number)
{
  return (backend == Backend::Cuda ? "GPU " : "CPU ") + std::to_string(number);
}

} // namespace hinesight
