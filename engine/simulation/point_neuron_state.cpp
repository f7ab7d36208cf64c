#include "simulation/point_neuron_state.hpp"

#include "core/fixed/fixed_math.hpp"

namespace hinesight::simulation {

std::uint64_t PointNeuronState::run(double until, std::vector<Event>& events, std::vector<double>& spikes)
{
  constexpr double kThreshold = 1;
  auto& [level, since, readyAt] = values;
  std::size_t taken = 0;
  for (; taken < events.size() && events[taken].time < until; ++taken) {
    const Event& event = events[taken];
    if (event.time < readyAt)
      continue;
    level = level * fixedExp((since - event.time) / neuron.tau) + event.weight;
    since = event.time;
    if (level > kThreshold) {
      spikes.push_back(event.time);
      level = 0;
      readyAt = event.time + neuron.refractory;
    }
  }
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(taken));
  return taken;
}

} // namespace hinesight::simulation
