#include "simulation/cell_state.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::simulation {

namespace {

using cell::Carrier;
using cell::Local;

/// The time after an event of weight 1 at which e^(-t/tau2) - e^(-t/tau1) is greatest, and one over that.
double normOf(double tau1, double tau2)
{
  if (tau1 <= 0)
    return 1;
  const double peak = tau1 * tau2 / (tau2 - tau1) * fixedLog(tau2 / tau1);
  return 1 / (fixedExp(-peak / tau2) - fixedExp(-peak / tau1));
}

/// Part of [begin, begin + length) that lies in [from, to).
double overlap(double begin, double length, double from, double to)
{
  return std::max(0.0, std::min(begin + length, to) - std::max(begin, from)) / length;
}

} // namespace

CellState::CellState(const CompiledCell& compiled, const SimulationParameters& of, const cell::Temperature& at,
                     const Detector& spikes)
    : cell(compiled), parameters(of), temperature(at), detector(spikes), v(compiled.nodes(), compiled.startPotential),
      states(compiled.states), calciumCurrent(compiled.pools.size(), 0), sum(compiled.nodes()), right(compiled.nodes()),
      factor(compiled.nodes())
{
  for (const CalciumPool& pool : cell.pools)
    calcium.push_back(pool.rest);
  start();
}

void CellState::addSynapse(const Synapse& synapse)
{
  synapses.push_back({synapse.node, synapse.tau1, synapse.tau2, synapse.reversal, normOf(synapse.tau1, synapse.tau2)});
}

double CellState::calciumAt(std::int32_t node) const
{
  const std::int32_t pool = cell.poolOfNode[static_cast<std::size_t>(node)];
  return pool < 0 ? 0 : calcium[static_cast<std::size_t>(pool)];
}

void CellState::start()
{
  for (const ChannelGroup& group : cell.channels)
    cell::visitChannel(group.kind, [&](auto channel) {
      const std::size_t count = group.size();
      for (std::size_t i = 0; i < count; ++i) {
        const Local local{group.pool[i] < 0 ? kUsualCalcium : calcium[static_cast<std::size_t>(group.pool[i])]};
        channel.start(v[static_cast<std::size_t>(group.node[i])], local, temperature,
                      {group.parameters.data() + i, count}, {states.data() + group.firstState + i, count});
      }
    });
  isAbove = v[static_cast<std::size_t>(detector.node)] >= detector.threshold;
}

double CellState::reversalOf(const ChannelGroup& group, std::size_t i) const
{
  if (group.carrier != Carrier::Calcium || group.pool[i] < 0)
    return group.reversal[i];
  return temperature.nernst * fixedLog(kCalciumOutside / calcium[static_cast<std::size_t>(group.pool[i])]);
}

/// Calcium channels come first, what calcium gates last: in between the calcium goes on, by the current of now.
void CellState::advanceChannels(double dt)
{
  bool isCalciumDone = cell.pools.empty();
  const auto advanceCalcium = [&] {
    for (std::size_t k = 0; k < cell.pools.size(); ++k) {
      const CalciumPool& pool = cell.pools[k];
      const double target = pool.rest + pool.inflow * calciumCurrent[k] * pool.decay;
      calcium[k] = cell::relaxed(calcium[k], target, pool.decay, dt);
    }
    isCalciumDone = true;
  };
  for (const ChannelGroup& group : cell.channels) {
    if (!isCalciumDone && group.kind == cell::ChannelKind::SK)
      advanceCalcium();
    cell::visitChannel(group.kind, [&](auto channel) {
      const std::size_t count = group.size();
      for (std::size_t i = 0; i < count; ++i) {
        const Local local{group.pool[i] < 0 ? kUsualCalcium : calcium[static_cast<std::size_t>(group.pool[i])]};
        channel.advance(v[static_cast<std::size_t>(group.node[i])], dt, local, temperature,
                        {group.parameters.data() + i, count}, {states.data() + group.firstState + i, count});
      }
    });
  }
  if (!isCalciumDone)
    advanceCalcium();
}

/// Conductances and currents of the channels at the potentials of now. NEURON takes the slope of what opens at once.
template <typename Channel>
void CellState::addCurrents(const ChannelGroup& group, bool takesCalcium)
{
  constexpr double kSlopeStep = 0.001; // mV
  const bool takesSlope = Channel::kOpensAtOnce && isNeurons(parameters.rules);
  const std::size_t count = group.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto node = static_cast<std::size_t>(group.node[i]);
    const Local local;
    const cell::Parameters p{group.parameters.data() + i, count};
    const cell::States s{states.data() + group.firstState + i, count};
    const double reversal = reversalOf(group, i);
    const double open = group.conductance[i] * Channel::open(v[node], local, temperature, p, s);
    const double current = open * (v[node] - reversal);
    if (takesSlope) {
      const double there = v[node] + kSlopeStep;
      const double currentThere =
          group.conductance[i] * Channel::open(there, local, temperature, p, s) * (there - reversal);
      const double slope = (currentThere - current) / kSlopeStep;
      sum[node] += slope;
      right[node] += slope * v[node] - current;
    } else {
      sum[node] += open;
      right[node] += open * reversal;
    }
    if (takesCalcium && group.pool[i] >= 0)
      calciumCurrent[static_cast<std::size_t>(group.pool[i])] += current;
  }
}

/// `mass`: 1/ms that the capacitance is multiplied by.
void CellState::assemble(double mass)
{
  for (std::size_t node = 0; node < cell.nodes(); ++node) {
    const double inertia = mass * cell.capacitance[node];
    sum[node] = inertia + cell.leak[node];
    right[node] = inertia * v[node] + cell.leakCurrent[node];
  }
  std::ranges::fill(calciumCurrent, 0.0);
  for (const ChannelGroup& group : cell.channels)
    cell::visitChannel(group.kind,
                       [&](auto channel) { addCurrents<decltype(channel)>(group, group.carrier == Carrier::Calcium); });
}

void CellState::takeEventsAsNeuron(double until, const std::vector<Event>& events, std::size_t& next)
{
  for (; next < events.size() && events[next].time <= until; ++next) {
    SynapseState& synapse = synapses[events[next].synapse];
    const double weight = events[next].weight * synapse.norm;
    synapse.falling += weight;
    if (synapse.tau1 > 0)
      synapse.rising += weight;
  }
  for (SynapseState& synapse : synapses)
    synapse.mean = synapse.falling - synapse.rising;
}

/// The mean conductance of the step from `begin`, and the conductance at its end.
void CellState::takeEvents(double begin, const std::vector<Event>& events, std::size_t& next)
{
  const double dt = parameters.timeStep;
  const auto decay = [&](double& part, double tau) {
    const double left = fixedExp(-dt / tau);
    const double mean = part * tau / dt * (1 - left);
    part *= left;
    return mean;
  };
  for (SynapseState& synapse : synapses)
    synapse.mean = decay(synapse.falling, synapse.tau2) - (synapse.tau1 > 0 ? decay(synapse.rising, synapse.tau1) : 0);
  for (; next < events.size() && events[next].time < begin + dt; ++next) {
    SynapseState& synapse = synapses[events[next].synapse];
    const double weight = events[next].weight * synapse.norm;
    const double rest = begin + dt - events[next].time;
    const auto add = [&](double& part, double tau) {
      const double left = fixedExp(-rest / tau);
      part += weight * left;
      return weight * tau / dt * (1 - left);
    };
    synapse.mean += add(synapse.falling, synapse.tau2) - (synapse.tau1 > 0 ? add(synapse.rising, synapse.tau1) : 0);
  }
}

void CellState::decaySynapses()
{
  for (SynapseState& synapse : synapses) {
    synapse.falling *= fixedExp(-parameters.timeStep / synapse.tau2);
    if (synapse.tau1 > 0)
      synapse.rising *= fixedExp(-parameters.timeStep / synapse.tau1);
  }
}

/// In their order.
void CellState::addSynapses()
{
  for (const SynapseState& synapse : synapses) {
    const auto node = static_cast<std::size_t>(synapse.node);
    sum[node] += synapse.mean;
    right[node] += synapse.mean * synapse.reversal;
  }
}

void CellState::addStimuli(double begin)
{
  const double dt = parameters.timeStep;
  for (const CurrentStep& step : steps) {
    const double middle = begin + dt / 2;
    const double end = step.delay + step.duration;
    const double part = isNeurons(parameters.rules) ? (step.delay <= middle && middle < end ? 1.0 : 0.0)
                                                    : overlap(begin, dt, step.delay, end);
    right[static_cast<std::size_t>(step.node)] += step.amplitude * part;
  }
}

/// Elimination with row sums in place of diagonals: all terms are positive, so that nothing cancels.
void CellState::solve()
{
  for (std::size_t node = cell.nodes() - 1; node > 0; --node) {
    const auto parent = static_cast<std::size_t>(cell.parent[node]);
    const double inverse = 1 / (sum[node] + cell.coupling[node]);
    factor[node] = cell.coupling[node] * inverse;
    sum[parent] += factor[node] * sum[node];
    right[parent] += factor[node] * right[node];
    right[node] *= inverse;
  }
  right[0] /= sum[0];
  for (std::size_t node = 1; node < cell.nodes(); ++node)
    right[node] += factor[node] * right[static_cast<std::size_t>(cell.parent[node])];
}

void CellState::run(std::int64_t from, std::int64_t to, std::vector<Event>& events, std::vector<double>& spikes,
                    std::vector<double>& records)
{
  const double dt = parameters.timeStep;
  const bool asNeuron = isNeurons(parameters.rules);
  const bool isHalf = parameters.scheme == Scheme::CrankNicolson;
  const auto watched = static_cast<std::size_t>(detector.node);
  std::size_t next = 0;
  for (std::int64_t step = from; step < to; ++step) {
    const double begin = static_cast<double>(step) * dt;
    if (asNeuron) {
      const bool isNowAbove = v[watched] >= detector.threshold;
      if (isNowAbove && !isAbove)
        spikes.push_back(begin);
      isAbove = isNowAbove;
      takeEventsAsNeuron(begin + dt / 2, events, next);
    } else {
      advanceChannels(step == 0 ? dt / 2 : dt);
      takeEvents(begin, events, next);
    }
    assemble((isHalf ? 2 : 1) / dt);
    addSynapses();
    addStimuli(begin);
    solve();
    const double before = v[watched];
    for (std::size_t node = 0; node < cell.nodes(); ++node)
      v[node] = isHalf ? 2 * right[node] - v[node] : right[node];
    if (asNeuron) {
      advanceChannels(dt);
      decaySynapses();
    } else {
      const bool isNowAbove = v[watched] >= detector.threshold;
      if (isNowAbove && !isAbove)
        spikes.push_back(begin + dt * (detector.threshold - before) / (v[watched] - before));
      isAbove = isNowAbove;
    }
    for (const Probe& probe : probes)
      records.push_back(probe.quantity == Quantity::Potential ? v[static_cast<std::size_t>(probe.node)]
                                                              : calciumAt(probe.node));
  }
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(next));
}

} // namespace hinesight::simulation
