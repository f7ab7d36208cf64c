#include "simulation/synapse_states.hpp"

#include "core/fixed/fixed_math.hpp"

namespace hinesight::simulation {

namespace {

/// The time after an event of weight 1 at which e^(-t/tau2) - e^(-t/tau1) is greatest, and one over that.
double normOf(double tau1, double tau2)
{
  if (tau1 <= 0)
    return 1;
  const double peak = tau1 * tau2 / (tau2 - tau1) * fixedLog(tau2 / tau1);
  return 1 / (fixedExp(-peak / tau2) - fixedExp(-peak / tau1));
}

} // namespace

double unblockedPart(double v, double magnesium)
{
  return 1 / (1 + fixedExp(-0.062 * v) * magnesium / 3.57);
}

void SynapseStates::add(const Synapse& synapse)
{
  states.push_back({synapse, normOf(synapse.tau1, synapse.tau2)});
}

void SynapseStates::takeEvents(double begin, double dt, std::span<const Event> events, std::size_t& next)
{
  const auto decayed = [dt](double& part, double tau) {
    const double left = fixedExp(-dt / tau);
    const double mean = part * tau / dt * (1 - left);
    part *= left;
    return mean;
  };
  for (State& s : states)
    s.mean = decayed(s.falling, s.synapse.tau2) - (s.synapse.tau1 > 0 ? decayed(s.rising, s.synapse.tau1) : 0);
  for (; next < events.size() && events[next].time < begin + dt; ++next) {
    State& s = states[events[next].synapse];
    const double weight = events[next].weight * s.norm;
    const double rest = begin + dt - events[next].time;
    const auto added = [&](double& part, double tau) {
      const double left = fixedExp(-rest / tau);
      part += weight * left;
      return weight * tau / dt * (1 - left);
    };
    s.mean += added(s.falling, s.synapse.tau2) - (s.synapse.tau1 > 0 ? added(s.rising, s.synapse.tau1) : 0);
  }
}

void SynapseStates::takeEventsUntil(double until, std::span<const Event> events, std::size_t& next)
{
  for (; next < events.size() && events[next].time <= until; ++next) {
    State& s = states[events[next].synapse];
    const double weight = events[next].weight * s.norm;
    s.falling += weight;
    if (s.synapse.tau1 > 0)
      s.rising += weight;
  }
  for (State& s : states)
    s.mean = s.falling - s.rising;
}

void SynapseStates::decay(double dt)
{
  for (State& s : states) {
    s.falling *= fixedExp(-dt / s.synapse.tau2);
    if (s.synapse.tau1 > 0)
      s.rising *= fixedExp(-dt / s.synapse.tau1);
  }
}

void SynapseStates::addTo(std::span<const double> v, std::vector<double>& sum, std::vector<double>& right) const
{
  for (const State& s : states) {
    const auto node = static_cast<std::size_t>(s.synapse.node);
    const double open = s.synapse.magnesium > 0 ? s.mean * unblockedPart(v[node], s.synapse.magnesium) : s.mean;
    sum[node] += open;
    right[node] += open * s.synapse.reversal;
  }
}

} // namespace hinesight::simulation
