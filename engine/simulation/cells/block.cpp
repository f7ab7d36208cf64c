#include "simulation/cells/block.hpp"

#include "simulation/cells/block_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <type_traits>

namespace hinesight::simulation {

namespace {

SynapseKind kindOf(const Synapse& s, double dt)
{
  SynapseKind kind = {.tau1 = s.tau1,
                      .tau2 = s.tau2,
                      .reversal = s.reversal,
                      .magnesium = s.magnesium,
                      .norm = 1,
                      .left1 = 0,
                      .left2 = fixedExp(-dt / s.tau2),
                      .mean1 = 0,
                      .mean2 = 0};
  kind.mean2 = s.tau2 / dt * (1 - kind.left2);
  if (s.tau1 > 0) {
    // The time after an event at which e^(-t/tau2) - e^(-t/tau1) is greatest, and one over that.
    const double peak = s.tau1 * s.tau2 / (s.tau2 - s.tau1) * fixedLog(s.tau2 / s.tau1);
    kind.norm = 1 / (fixedExp(-peak / s.tau2) - fixedExp(-peak / s.tau1));
    kind.left1 = fixedExp(-dt / s.tau1);
    kind.mean1 = s.tau1 / dt * (1 - kind.left1);
  }
  return kind;
}

} // namespace

Block::Block(std::uint32_t of, const CompiledCell& compiled, std::uint32_t cellsAtMost)
    : model(of), lanes(cellsAtMost), nodes(static_cast<std::uint32_t>(compiled.nodes())),
      v(compiled.nodes() * lanes, 0), states(compiled.states * lanes, 0), calcium(compiled.pools.size() * lanes, 0),
      calciumCurrent(calcium)
{
  for (std::size_t place = compiled.nodes(); place < compiled.parent.size(); ++place)
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      tipTarget.push_back(targetOf(static_cast<std::uint32_t>(compiled.parent[place]), lane));
}

std::uint32_t Block::inputTargetOf(std::uint32_t place, std::uint32_t lane, const CompiledCell& compiled)
{
  if (isWithoutRow(place, lane)) {
    std::uint32_t& target = tipTarget[targetOf(place - nodes, lane)];
    tips.push_back({static_cast<std::uint32_t>(v.size()), target, compiled.rows[place].coupling});
    target = tips.back().target;
    v.push_back(0);
  }
  return targetOfNode(place, lane);
}

Blocks::Blocks(const Network& network, const SimulationParameters& parameters, CompiledModels models,
               const cell::Temperature& temperature, const Shares& shares, std::size_t share, LanesOf lanesOf)
    : placeOfCell(network.cells(), PlaceInBlocks{kNothing, 0}), compiled(std::move(models)), range(shares.cells(share))
{
  makeBlocks(network, lanesOf, parameters.threads);
  addSynapses(network);
  setKinds(parameters);
  addJunctions(network, shares);
  addPointSources(network);
  addDetectors(network);
  for (Block& block : blocks)
    orderInputs(block);
  start(network, temperature);
  for (std::uint32_t probe = 0; probe < network.probes.size(); ++probe)
    if (holds(network.probes[probe].cell))
      addProbe(network, probe);
}

void Blocks::makeBlocks(const Network& network, LanesOf lanesOf, int threads)
{
  std::vector<std::vector<std::uint32_t>> cellsOf(models().size());
  for (std::uint32_t cell = range.begin; cell < range.end; ++cell)
    cellsOf[network.modelOf[cell]].push_back(cell);
  for (std::uint32_t model = 0; model < models().size(); ++model) {
    const std::vector<std::uint32_t>& cells = cellsOf[model];
    for (std::size_t first = 0; first < cells.size();) {
      const std::uint32_t lanes = lanesOf(cells.size(), cells.size() - first, models()[model].nodes(), threads);
      const std::size_t count = std::min<std::size_t>(lanes, cells.size() - first);
      Block block(model, models()[model], lanes);
      for (std::uint32_t lane = 0; lane < count; ++lane) {
        block.cells.push_back(cells[first + lane]);
        placeOfCell[cells[first + lane]] = {static_cast<std::uint32_t>(blocks.size()), lane};
      }
      blocks.push_back(std::move(block));
      first += count;
    }
  }
}

void Blocks::addSynapses(const Network& network)
{
  std::map<std::tuple<double, double, double, double>, std::uint32_t> kindNumbers;
  placeOfSynapse.reserve(network.synapses.size());
  for (const Synapse& s : network.synapses) {
    if (!holds(s.cell)) {
      placeOfSynapse.push_back({kNothing, 0});
      continue;
    }
    const auto [found, isNew] = kindNumbers.try_emplace({s.tau1, s.tau2, s.reversal, s.magnesium},
                                                        static_cast<std::uint32_t>(kindSynapses.size()));
    if (isNew)
      kindSynapses.push_back(s);
    const PlaceInBlocks cell = placeOfCell[s.cell];
    Block& block = blocks[cell.block];
    placeOfSynapse.push_back({cell.block, static_cast<std::uint32_t>(block.kindOf.size())});
    block.kindOf.push_back(found->second);
    const CompiledCell& model = models()[block.model];
    block.synapseTarget.push_back(block.inputTargetOf(model.placeOf(s.node), cell.index, model));
  }
  for (Block& block : blocks) {
    block.rising.assign(block.kindOf.size(), 0);
    block.falling.assign(block.kindOf.size(), 0);
  }
}

void Blocks::setKinds(const SimulationParameters& parameters)
{
  kinds.clear();
  for (const Synapse& each : kindSynapses)
    kinds.push_back(kindOf(each, parameters.timeStep));
}

PlaceInBlocks Blocks::addPointSource(std::uint32_t cell, std::int32_t node, PointSource source)
{
  const PlaceInBlocks place = placeOfCell[cell];
  if (place.block == kNothing)
    return place;
  Block& block = blocks[place.block];
  const CompiledCell& model = models()[block.model];
  source.target = block.inputTargetOf(model.placeOf(node), place.index, model);
  block.pointSources.push_back(source);
  return {place.block, static_cast<std::uint32_t>(block.pointSources.size() - 1)};
}

void Blocks::addJunctions(const Network& network, const Shares& shares)
{
  std::size_t apart = 0; // ends of junctions between shares
  for (std::uint32_t number = 0; number < network.junctions.size(); ++number) {
    const GapJunction& each = network.junctions[number];
    const PointSource source = {.kind = PointSource::Kind::Junction, .amplitude = each.conductance};
    const std::array<PlaceInBlocks, 2> places = {addPointSource(each.a.cell, each.a.node, source),
                                                 addPointSource(each.b.cell, each.b.node, source)};
    if (shares.areApart(each)) {
      for (std::size_t end = 0; end < 2; ++end)
        if (places[end].block != kNothing)
          ends.push_back({apart + end, places[end]});
      apart += 2;
    } else if (places[0].block != kNothing) {
      junctions.push_back({number, places});
    }
  }
}

void Blocks::addPointSources(const Network& network)
{
  constexpr double kTwoPi = 0x1.921fb54442d18p+2;
  using Kind = PointSource::Kind;
  for (const CurrentStep& each : network.steps)
    addPointSource(each.cell, each.node,
                   {.kind = Kind::Step, .delay = each.delay, .duration = each.duration, .amplitude = each.amplitude});
  for (const SinusoidCurrent& each : network.sinusoids)
    addPointSource(each.cell, each.node,
                   {.kind = Kind::Sinusoid,
                    .delay = each.delay,
                    .duration = each.duration,
                    .amplitude = each.amplitude,
                    .offset = each.offset,
                    .frequency = each.frequency,
                    .phase = each.phase / kTwoPi});
  for (std::uint32_t number = 0; number < network.noises.size(); ++number) {
    const NoiseCurrent& each = network.noises[number];
    placeOfNoise.push_back(addPointSource(each.cell, each.node,
                                          {.kind = Kind::Noise,
                                           .delay = each.delay,
                                           .duration = each.duration,
                                           .amplitude = each.mean,
                                           .deviation = each.deviation,
                                           .tau = each.tau,
                                           .seed = each.seed,
                                           .number = number}));
  }
  for (const VoltageClamp& each : network.clamps) {
    const auto firstLevel = static_cast<std::uint32_t>(clampLevels.size());
    for (const VoltageClamp::Level& level : each.levels)
      clampLevels.push_back({level.potential, level.duration});
    addPointSource(each.cell, each.node,
                   {.kind = Kind::Clamp,
                    .delay = each.delay,
                    .amplitude = 1 / each.seriesResistance,
                    .firstLevel = firstLevel,
                    .lastLevel = static_cast<std::uint32_t>(clampLevels.size())});
  }
}

/// After all inputs: these give bare tips their rows.
void Blocks::addDetectors(const Network& network)
{
  for (Block& block : blocks)
    for (std::uint32_t lane = 0; lane < block.lanes; ++lane) {
      const bool isCell = lane < block.cells.size();
      const Detector detector = isCell ? network.detectors[block.cells[lane]] : Detector{0, kForever};
      block.watched.push_back(block.targetOfNode(models()[block.model].placeOf(detector.node), lane));
      block.threshold.push_back(detector.threshold);
      block.isAbove.push_back(0);
    }
}

/// Inputs of one target stand together, in their order.
void Blocks::orderInputs(Block& block) const
{
  std::vector<std::uint32_t> targets;
  for (const std::uint32_t node : models()[block.model].inputNodes)
    for (std::uint32_t lane = 0; lane < block.lanes; ++lane)
      targets.push_back(node * block.lanes + lane);
  block.channelInputs = static_cast<std::uint32_t>(targets.size());
  targets.insert(targets.end(), block.synapseTarget.begin(), block.synapseTarget.end());
  for (const PointSource& source : block.pointSources)
    targets.push_back(source.target);
  block.inputOrder.resize(targets.size());
  std::iota(block.inputOrder.begin(), block.inputOrder.end(), 0u);
  std::ranges::stable_sort(block.inputOrder, {}, [&](std::uint32_t input) { return targets[input]; });
  for (std::uint32_t k = 0; k < block.inputOrder.size(); ++k) {
    const std::uint32_t target = targets[block.inputOrder[k]];
    if (block.inputTarget.empty() || block.inputTarget.back() != target) {
      block.inputTarget.push_back(target);
      block.firstInput.push_back(k);
    }
  }
  block.firstInput.push_back(static_cast<std::uint32_t>(block.inputOrder.size()));
}

void Blocks::start(const Network& network, const cell::Temperature& temperature)
{
  constexpr std::uint32_t kBefore = 0xFFFFFFFF; // of the first step
  for (Block& block : blocks) {
    const CompiledCell& model = models()[block.model];
    std::ranges::fill(block.v, model.startPotential);
    for (std::size_t k = 0; k < model.pools.size(); ++k)
      std::fill_n(block.calcium.begin() + static_cast<std::ptrdiff_t>(k * block.lanes), block.lanes,
                  model.pools[k].start);
    std::ranges::fill(block.calciumCurrent, 0.0);
    std::ranges::fill(block.rising, 0.0);
    std::ranges::fill(block.falling, 0.0);
    for (const ChannelGroup& group : model.channels)
      visitGroup(group, [&](auto channel) {
        const std::size_t stride = group.size() * block.lanes;
        for (std::size_t i = 0; i < group.size(); ++i) {
          const cell::Local local{group.pool[i] < 0 ? kUsualCalcium
                                                    : model.pools[static_cast<std::size_t>(group.pool[i])].start};
          for (std::uint32_t lane = 0; lane < block.lanes; ++lane)
            channel.start(model.startPotential, local, temperature, {group.parameters.data() + i, group.size()},
                          {block.states.data() + group.firstState * block.lanes + i * block.lanes + lane, stride});
        }
      });
    for (PointSource& source : block.pointSources) {
      source.isOn = false;
      source.value = source.kind == PointSource::Kind::Noise
                         ? source.amplitude + source.deviation * standardNormal(randomBits(source.seed, source.number,
                                                                                           kBefore, kBefore))
                         : 0;
    }
    for (std::uint32_t lane = 0; lane < block.cells.size(); ++lane)
      block.isAbove[lane] = block.v[block.watched[lane]] >= block.threshold[lane] ? 1 : 0;
  }
  peersBefore.clear();
  for (const Junction& each : junctions)
    for (const GapJunction::End& end : {network.junctions[each.number].a, network.junctions[each.number].b})
      peersBefore.push_back(models()[network.modelOf[end.cell]].startPotential);
}

void Blocks::addProbe(const Network& network, std::uint32_t number)
{
  const Probe& probe = network.probes[number];
  const PlaceInBlocks place = placeOfCell[probe.cell];
  Block& block = blocks[place.block];
  const CompiledCell& model = models()[block.model];
  const auto placeOf = [&](std::size_t item) { return static_cast<std::uint32_t>(item * block.lanes + place.index); };
  const std::uint32_t node = model.placeOf(probe.node); // its place
  // Without a row there is nothing on a node.
  const Quantity ofRow = block.isWithoutRow(node, place.index) ? Quantity::Potential : probe.quantity;
  ProbeView view = {.quantity = probe.quantity,
                    .target = block.targetOfNode(node, place.index),
                    .index = kNothing,
                    .parent = kNothing,
                    .firstChild = static_cast<std::uint32_t>(block.probedChildren.size()),
                    .lastChild = 0,
                    .coupling = model.rows[node].coupling};
  switch (ofRow) {
  case Quantity::Potential:
    break;
  case Quantity::Calcium:
    if (model.poolOfNode[node] >= 0)
      view.index = placeOf(static_cast<std::size_t>(model.poolOfNode[node]));
    break;
  case Quantity::State:
    if (const auto [group, i] = model.channelAt(probe.channel, node); group)
      view.index = placeOf(group->firstState + probe.state * group->size() + i);
    break;
  case Quantity::MembraneCurrent:
    if (model.parent[node] >= 0)
      view.parent = placeOf(static_cast<std::size_t>(model.parent[node]));
    for (std::uint32_t child = 0; child < model.parent.size(); ++child)
      if (model.parent[child] == static_cast<std::int32_t>(node) && !block.isWithoutRow(child, place.index))
        block.probedChildren.push_back({block.targetOfNode(child, place.index), model.rows[child].coupling});
    break;
  case Quantity::ClampCurrent:
    for (std::size_t k = block.pointSources.size(); k-- > 0;)
      if (block.pointSources[k].kind == PointSource::Kind::Clamp && block.pointSources[k].target == view.target)
        view.index = static_cast<std::uint32_t>(k);
    break;
  }
  view.lastChild = static_cast<std::uint32_t>(block.probedChildren.size());
  block.probes.push_back(view);
  block.probeNumbers.push_back(number);
}

std::vector<double> Blocks::potentialsOf(std::uint32_t cell) const
{
  const Block& block = blocks[placeOfCell[cell].block];
  std::vector<double> potentials;
  for (const std::uint32_t place : models()[block.model].placeOfNode)
    potentials.push_back(block.v[block.targetOfNode(place, placeOfCell[cell].index)]);
  return potentials;
}

std::optional<NodePlace> Blocks::firstOutOfBounds() const
{
  for (std::uint32_t cell = range.begin; cell < range.end; ++cell) {
    const std::vector<double> potentials = potentialsOf(cell);
    const auto bad = std::ranges::find_if(potentials, [](double v) { return !(std::abs(v) <= kMostPotential); });
    if (bad != potentials.end())
      return NodePlace{cell, static_cast<std::int32_t>(bad - potentials.begin())};
  }
  return std::nullopt;
}

template <typename Self, typename States, typename Copy>
void Blocks::copyValues(Self& self, const Network& network, std::span<const ValueOrder> orders, States& states,
                        bool isWhole, const Copy& copy)
{
  constexpr bool kReads = std::is_const_v<Self>; // from blocks
  std::size_t v = 0, state = 0, calcium = 0, current = 0;
  const std::size_t begin = isWhole ? 0 : self.range.begin;
  const std::size_t end = isWhole ? network.cells() : self.range.end;
  for (std::size_t cell = begin; cell < end; ++cell) {
    const ValueOrder& order = orders[network.modelOf[cell]];
    const auto [number, lane] = self.placeOfCell[cell];
    if (number == kNothing) {
      v += order.v.size();
      state += order.states.size();
      calcium += order.pools.size();
      current += order.pools.size();
      continue;
    }
    auto& block = self.blocks[number];
    const auto values = [&, at = lane](std::size_t& next, const std::vector<std::uint32_t>& items, auto& stored,
                                       auto& inBlock) {
      for (const std::uint32_t item : items)
        copy(stored[next++], inBlock[block.targetOf(item, at)]);
    };
    for (const std::uint32_t place : order.v) {
      auto& stored = states.v[v++];
      if (kReads || !block.isWithoutRow(place, lane))
        copy(stored, block.v[block.targetOfNode(place, lane)]);
    }
    values(state, order.states, states.states, block.states);
    values(calcium, order.pools, states.calcium, block.calcium);
    values(current, order.pools, states.calciumCurrent, block.calciumCurrent);
    copy(states.isAbove[cell - begin], block.isAbove[lane]);
  }
  std::size_t next = 0;
  for (const PlaceInBlocks place : self.placeOfSynapse) {
    if (place.block != kNothing) {
      auto& block = self.blocks[place.block];
      copy(states.rising[next], block.rising[place.index]);
      copy(states.falling[next], block.falling[place.index]);
    }
    next += isWhole || place.block != kNothing ? 1 : 0;
  }
  next = 0;
  for (const PlaceInBlocks place : self.placeOfNoise) {
    if (place.block != kNothing)
      copy(states.noises[next], self.blocks[place.block].pointSources[place.index].value);
    next += isWhole || place.block != kNothing ? 1 : 0;
  }
  for (std::size_t k = 0; k < self.junctions.size(); ++k)
    for (std::size_t side = 0; side < 2; ++side)
      copy(states.peersBefore[2 * (isWhole ? self.junctions[k].number : k) + side], self.peersBefore[2 * k + side]);
}

CellStates Blocks::states(const Network& network, std::span<const ValueOrder> orders) const
{
  std::size_t nodes = 0, channelStates = 0, pools = 0;
  for (std::uint32_t cell = range.begin; cell < range.end; ++cell) {
    const CompiledCell& model = models()[network.modelOf[cell]];
    nodes += model.nodeAt.size();
    channelStates += model.states;
    pools += model.pools.size();
  }
  const auto held = [](const std::vector<PlaceInBlocks>& places) {
    return static_cast<std::size_t>(
        std::ranges::count_if(places, [](const PlaceInBlocks& place) { return place.block != kNothing; }));
  };
  CellStates result = {.v = std::vector<double>(nodes),
                       .states = std::vector<double>(channelStates),
                       .calcium = std::vector<double>(pools),
                       .calciumCurrent = std::vector<double>(pools),
                       .rising = std::vector<double>(held(placeOfSynapse)),
                       .falling = {},
                       .noises = std::vector<double>(held(placeOfNoise)),
                       .isAbove = std::vector<std::uint8_t>(range.size()),
                       .peersBefore = std::vector<double>(peersBefore.size())};
  result.falling.resize(result.rising.size());
  copyValues(*this, network, orders, result, false, [](auto& stored, const auto& value) { stored = value; });
  return result;
}

void Blocks::setStates(const Network& network, std::span<const ValueOrder> orders, const CellStates& whole)
{
  copyValues(*this, network, orders, whole, true, [](const auto& stored, auto& value) { value = stored; });
}

} // namespace hinesight::simulation
