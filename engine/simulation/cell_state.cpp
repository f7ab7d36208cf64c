#include "simulation/cell_state.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::simulation {

namespace {

using cell::Carrier;
using cell::Local;

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

void CellState::addProbe(const Probe& probe)
{
  probes.push_back(probe);
  recordsInflow = recordsInflow || probe.quantity == Quantity::MembraneCurrent;
}

std::size_t CellState::addJunction(std::int32_t node, double conductance)
{
  junctions.push_back({node, conductance, 0});
  return junctions.size() - 1;
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

void CellState::findInflow()
{
  inflow.assign(cell.nodes(), 0);
  for (std::size_t node = 1; node < cell.nodes(); ++node) {
    const auto parent = static_cast<std::size_t>(cell.parent[node]);
    const double current = cell.coupling[node] * (v[parent] - v[node]);
    inflow[node] += current;
    inflow[parent] -= current;
  }
}

double CellState::valueOf(const Probe& probe) const
{
  const auto node = static_cast<std::size_t>(probe.node);
  switch (probe.quantity) {
  case Quantity::Potential:
    break;
  case Quantity::Calcium:
    return calciumAt(probe.node);
  case Quantity::State:
    return stateOf(probe);
  case Quantity::MembraneCurrent:
    return inflow[node];
  case Quantity::ClampCurrent:
    return stimuli.clampCurrentAt(probe.node, v[node]);
  }
  return v[node];
}

double CellState::stateOf(const Probe& probe) const
{
  for (const ChannelGroup& group : cell.channels) {
    const auto found = std::ranges::find(group.node, probe.node);
    if (group.kind == probe.channel && found != group.node.end())
      return states[group.firstState + probe.state * group.size() +
                    static_cast<std::size_t>(found - group.node.begin())];
  }
  return 0;
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
      synapses.takeEventsUntil(begin + dt / 2, events, next);
    } else {
      advanceChannels(step == 0 ? dt / 2 : dt);
      synapses.takeEvents(begin, dt, events, next);
    }
    assemble((isHalf ? 2 : 1) / dt);
    synapses.addTo(v, sum, right);
    for (const JunctionEnd& junction : junctions) {
      sum[static_cast<std::size_t>(junction.node)] += junction.conductance;
      right[static_cast<std::size_t>(junction.node)] += junction.conductance * junction.peer;
    }
    stimuli.addTo(step, begin, dt, asNeuron, sum, right);
    solve();
    const double before = v[watched];
    for (std::size_t node = 0; node < cell.nodes(); ++node)
      v[node] = isHalf ? 2 * right[node] - v[node] : right[node];
    if (asNeuron) {
      advanceChannels(dt);
      synapses.decay(dt);
    } else {
      const bool isNowAbove = v[watched] >= detector.threshold;
      if (isNowAbove && !isAbove)
        spikes.push_back(begin + dt * (detector.threshold - before) / (v[watched] - before));
      isAbove = isNowAbove;
    }
    if (recordsInflow)
      findInflow();
    for (const Probe& probe : probes)
      records.push_back(valueOf(probe));
  }
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(next));
}

} // namespace hinesight::simulation
