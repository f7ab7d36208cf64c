#include "core/rank_timings.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace hinesight {

void gatherDevices(Communicator& ranks, const std::string& device, StageTimings& timings)
{
  std::string names; // each with its end
  std::vector<double> milliseconds;
  together(ranks, [&] {
    names = device + '\n';
    for (const Stage& stage : timings.stages) {
      names += stage.name + '\n';
      milliseconds.push_back(stage.milliseconds);
    }
  });
  const RankLists<char> allNames = ranks.gatherTo(0, std::span<const char>(names));
  const RankLists<double> all = ranks.gatherTo(0, std::span<const double>(milliseconds));
  if (!ranks.isRoot())
    return;
  timings.devices.clear();
  for (int rank = 0; rank < ranks.size(); ++rank) {
    std::span<const char> left = allNames.of(rank);
    const auto next = [&left] {
      const auto length = static_cast<std::size_t>(std::ranges::find(left, '\n') - left.begin());
      std::string name(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(length));
      left = left.subspan(length + 1);
      return name;
    };
    StageTimings own{timings.backend, next(), {}};
    for (const double each : all.of(rank))
      own.add(next(), each);
    timings.devices.push_back(std::move(own));
  }
  timings.setWaits();
}

} // namespace hinesight
